"""Reports as files: PDF/A for people, JSON and JWS for machines; version 0 is the one not yet signed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from provender.database.actor import today
from provender.database.models import Organisation
from provender.report.files import stem
from provender.report.pdf import report_pdf, signed_json
from provender.services.farm.uploads import stored
from provender.services.refused import MissingError
from provender.services.reports.drafts import ReportDraft
from provender.services.reports.signed import document_of, envelope_of
from provender.signing.canonical import canonical_json
from provender.signing.keys import encode_base64url


@dataclass(frozen=True, slots=True)
class Paper:
    """One report to be saved: the document, its signed form if there is one, what it is, day of the print, whose."""

    document: Mapping[str, Any]
    envelope: Mapping[str, object] | None
    state: str
    day: date
    organisation: Organisation


def _pdf(one: Paper) -> bytes:
    return report_pdf(
        one.document, as_of=one.day, envelope=one.envelope, printout=lambda _, digest: stored(one.organisation, digest)
    )


def _json(one: Paper) -> bytes:
    return signed_json(one.envelope or one.document)


def _jws(one: Paper) -> bytes:
    """Return the compact JWS (RFC 7515) with its payload inside."""
    if one.envelope is None:
        raise MissingError
    header, _, signature = str(one.envelope["signature"]).split(".")
    return f"{header}.{encode_base64url(canonical_json(one.document))}.{signature}\n".encode()


FORMS: Final[Mapping[str, tuple[str, Callable[[Paper], bytes]]]] = {
    "pdf": ("application/pdf", _pdf),
    "json": ("application/json", _json),
    "jws": ("application/jose", _jws),
}


def paper_as(draft: ReportDraft, version: int, form: str) -> tuple[bytes, str, str]:
    """Return a version of a report as a file.

    Args:
        draft: the report as it would be signed today, with the versions before it.
        version: of the report; 0 is the one not yet signed.
        form: one of ``FORMS``.

    Returns:
        The bytes, their media type, and a name for the file.

    Raises:
        MissingError: there is no such version or form.
    """
    if form not in FORMS:
        raise MissingError
    paper = _paper(draft, version)
    media, write = FORMS[form]
    return write(paper), media, f"{stem(paper.document, paper.state)}.{form}"


def _paper(draft: ReportDraft, version: int) -> Paper:
    if version == 0:
        return Paper(draft.document, None, draft.state, today(), draft.farm.book.organisation)
    found = next((one for one in draft.versions if one.number == version), None)
    if found is None:
        raise MissingError
    document = document_of(found)
    day = date.fromisoformat(document["made_on"])
    return Paper(document, envelope_of(found), "signed", day, draft.farm.book.organisation)
