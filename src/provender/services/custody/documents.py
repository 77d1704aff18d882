"""Documents of an organisation: made from the book, and kept as it signed them on its own machine.

The server checks a signature and never holds the key.
"""

from collections.abc import Mapping
from datetime import date
from typing import Any, Final, NamedTuple, cast

from django.db import transaction
from django.utils import timezone
from django.utils.text import get_valid_filename

from provender.custody.documents.build import PERIOD, RESTATEMENT, TRANSFER, period_document, transfer_document
from provender.custody.documents.print import document_pdf
from provender.custody.documents.sign import TYPS
from provender.custody.queries.period_restatement import restatement_document
from provender.database.actor import Actor, write_log
from provender.database.models import Organisation, SignedDocument
from provender.problem import refuse
from provender.services.custody.context import READER, CustodyContext
from provender.services.refused import refusal
from provender.signing.canonical import canonical_json, read_json
from provender.signing.jws import MEANING, Status, check

CITE = "2100.032(c)"
KINDS = (TRANSFER, PERIOD, RESTATEMENT)
MOST_BYTES: Final = 4 * 2**20
"""Bytes of a signed document that a party hands in."""


class Paper(NamedTuple):
    """A document of an organisation.

    Attributes:
        document: what it says.
        signed: as it was brought back signed; None before.
    """

    document: dict[str, Any]
    signed: SignedDocument | None

    @property
    def envelope(self) -> dict[str, Any] | None:
        """Return the document with its signature, once it is signed."""
        return cast("dict[str, Any]", read_json(self.signed.text.encode())) if self.signed else None

    def file_name(self, kind: str) -> str:
        """Return what a file of it is called."""
        stem = f"{self.document['type']}-{self.document['number']}".replace("/", "_")
        return f"{get_valid_filename(stem)}.{kind}"

    def pdf(self) -> bytes:
        """Return it to print; a signature that was kept stands on it."""
        return document_pdf(
            self.document, envelope=self.envelope, fingerprint=self.signed.fingerprint if self.signed else ""
        )


def paper(context: CustodyContext, kind: str, number: str) -> Paper:
    """Return a document as it was signed, else as it would be signed today.

    Raises:
        ProblemsError: the organisation has nothing to make it from.
    """
    signed = SignedDocument.objects.filter(organisation=context.organisation, kind=kind, number=number).first()
    if signed is None:
        return Paper(make(context, kind, number, context.today), None)
    kept: Any = read_json(signed.text.encode())
    return Paper(kept["document"], signed)


def statement_of(context: CustodyContext, start: date, *, restated: bool) -> tuple[str, str]:
    """Return kind and number of a period's statement, or of its restatement, whose number is made of what it says.

    Raises:
        ProblemsError: there is nothing to state or restate.
    """
    kind = RESTATEMENT if restated else PERIOD
    return kind, str(make(context, kind, f"{context.id}/{start}", context.today)["number"])


def make(context: CustodyContext, kind: str, number: str, day: date) -> dict[str, Any]:
    """Return a document as the book makes it on a day.

    Args:
        context: whose.
        kind: one of ``KINDS``.
        number: of the sale, or of a statement: the organisation, a stroke, and the first day of the period.
        day: of the document.

    Raises:
        ProblemsError: the organisation has nothing to make it from.
    """
    with READER.reading() as facts:
        if kind == TRANSFER:
            document = transfer_document(facts, number, as_of=day)
            if document["seller"]["id"] == context.id:
                return document
            raise _nothing(number)
        try:
            first, _, version = number.removeprefix(f"{context.id}/").partition("/")
            start = date.fromisoformat(first if kind == RESTATEMENT or not version else number)
        except ValueError:
            raise _nothing(number) from None
        if kind == PERIOD:
            return period_document(facts, context.id, start)
        return restatement_document(facts, context.id, start, as_of=day)


def _nothing(number: str) -> Exception:
    return refuse(number, "The organisation has no such document.", "Look at its sales and periods.")


def expected_for(context: CustodyContext, raw: object, kind: str, number: str) -> dict[str, Any]:
    """Return what a signed document has to say: what the book says for the day it was made on.

    Raises:
        ProblemsError: the organisation has nothing to make it from.
    """
    inner = raw.get("document") if isinstance(raw, dict) else None
    made_on = str(inner.get("made_on") or "") if isinstance(inner, dict) else ""
    try:
        day = date.fromisoformat(made_on) if made_on else context.today
    except ValueError:
        day = context.today
    return make(context, kind, number, day)


@transaction.atomic
def keep_signed(
    organisation: Organisation, raw: object, expected: Mapping[str, object], *, actor: Actor
) -> SignedDocument:
    """Keep a signed document, if it is whole and says exactly what the book says.

    Args:
        organisation: who signed.
        raw: the envelope as read.
        expected: the document as the book makes it for the same day.
        actor: who brought it.

    Raises:
        RefusedError: it is no whole signed document, or another one.
    """
    kind = str(expected["type"])
    found = check(raw, {}, typ=TYPS[kind])
    if found.status not in (Status.VALID, Status.SIGNER_UNKNOWN):
        cause, remedy = MEANING[found.status]
        raise refusal(str(found.status), cause, remedy, cite=CITE, column="file")
    if found.document is None or canonical_json(found.document) != canonical_json(expected):
        cause = "The signed document says something else than the book."
        remedy = "Download the document again, sign that file, and bring it back unchanged."
        raise refusal("other_document", cause, remedy, cite=CITE, column="file")
    number = str(expected["number"])
    same = {"organisation": organisation, "kind": kind, "number": number, "fingerprint": found.kid}
    known = SignedDocument.objects.filter(**same).first()
    if known is not None:
        return known
    made = SignedDocument.objects.create(
        **same, text=canonical_json(raw).decode(), at=timezone.now(), actor=actor.person
    )
    write_log(
        actor, "keep signed document", organisation=organisation, about=number, new={"kind": kind, "key": found.kid}
    )
    return made
