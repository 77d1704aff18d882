"""Reports as files: PDF/A for people, JSON and JWS for machines; version 0 is the one not yet signed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from provender.database.actor import today
from provender.database.models.accounts import Organisation
from provender.database.models.farm import ReportVersion
from provender.report.print import report_pdf, signed_json
from provender.report.versions import stem
from provender.schema import field, view
from provender.services.farm.files import stored
from provender.services.refused import MissingError
from provender.services.reports.drafts import FLAGS_HELP, ReportDraft, document_of, envelope_of
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


_FORMS: Final[Mapping[str, tuple[str, Callable[[Paper], bytes]]]] = {
    "pdf": ("application/pdf", _pdf),
    "json": ("application/json", _json),
    "jws": ("application/jose", _jws),
}


def paper_as(draft: ReportDraft, version: int, form: str) -> tuple[bytes, str, str]:
    """Return a version of a report as a file.

    Args:
        draft: the report as it would be signed today, with the versions before it.
        version: of the report; 0 is the one not yet signed.
        form: one of ``_FORMS``.

    Returns:
        The bytes, their media type, and a name for the file.

    Raises:
        MissingError: there is no such version or form.
    """
    if form not in _FORMS:
        raise MissingError
    paper = _paper(draft, version)
    media, write = _FORMS[form]
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


# What interfaces show of a farm's reports: where each stands, and its signed versions.


@view
class VersionView:
    """A signed version of a report; reports of the first format say nothing of ``official`` and the rule's state."""

    number: int = field("Version")
    document_hash: str = field("Document")
    at: str = field("Signed (UTC)")
    official: Mapping[str, bool] = field("Official", help=FLAGS_HELP)
    rule_state: str = field("State of the rule", help="Empty where the text is shown to be the rule in force.")
    signed_under: str = field("Signed under", help="The text that the signer named.")


def version_view(version: ReportVersion) -> VersionView:
    document = document_of(version)
    rule = document["rule"]
    return VersionView(
        number=version.number, document_hash=version.document_hash, at=version.at.isoformat(),
        official=document["official"], rule_state=rule["state"],
        signed_under=rule["signed_under"],
    )  # fmt: skip
