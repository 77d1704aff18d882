"""Documents of an organisation: made from the book, and kept as it signed them.

The server checks a signature and never holds the key, or holds it sealed (``sealed_signing``).
"""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any, Final, NamedTuple, cast

from django.db import transaction
from django.utils import timezone
from django.utils.text import get_valid_filename

from provender.custody.documents.book_mark import MARK, marked
from provender.custody.documents.build import (
    PERIOD,
    RESTATEMENT,
    TRANSFER,
    period_document,
    transfer_document,
)
from provender.custody.documents.consent import ACTS, consent_document
from provender.custody.documents.notice import NOTICE
from provender.custody.documents.period_restatement import restatement_document
from provender.custody.documents.print import document_pdf
from provender.custody.documents.refiner_figures import FIGURES
from provender.custody.documents.sign import TYPS
from provender.custody.events.consent import CONSENT
from provender.custody.events.period import CloseEvent
from provender.custody.model.store_view import StoreView
from provender.database.actor import Actor, write_log
from provender.database.models import Organisation, SignedDocument
from provender.database.store.own_chain import OwnEntry, own_entries
from provender.problem import ProblemsError, refuse
from provender.quantity import CI_SCALE, parse, weighted_mean
from provender.services import transparency
from provender.services.custody.buyer_notices import buyer_notice
from provender.services.custody.context import READER, CustodyContext
from provender.services.refused import refusal
from provender.signing.canonical import canonical_json, read_json
from provender.signing.hashes import sha256_hex
from provender.signing.jws import MEANING, Status, check

CITE = "2100.032(c)"
KINDS = (TRANSFER, PERIOD, RESTATEMENT, CONSENT, NOTICE)
SAID: Final = 16
"""Signs of a hash that tell what a paper says from what it said before."""
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
    signed = kept_signed(context, kind, number)
    if signed is None:
        return Paper(make(context, kind, number, context.today), None)
    kept: Any = read_json(signed.text.encode())
    return Paper(kept["document"], signed)


def kept_signed(context: CustodyContext, kind: str, number: str) -> SignedDocument | None:
    """Return a document as it was signed last, or None."""
    return SignedDocument.objects.filter(organisation=context.organisation, kind=kind, number=number).first()


def signed_among(context: CustodyContext, kind: str, numbers: Iterable[str]) -> frozenset[str]:
    """Return which documents of an organisation, of a kind and of these numbers, are signed."""
    found = SignedDocument.objects.filter(organisation=context.organisation, kind=kind, number__in=list(numbers))
    return frozenset(found.values_list("number", flat=True))


def mean_ci(document: Mapping[str, Any]) -> int | None:
    """Return the mean carbon intensity of what a transfer document hands over, by the crop used; None of nothing."""
    return weighted_mean((parse(one["ci_g_per_bu"], CI_SCALE), parse(one["crop_used_bu"])) for one in document["cis"])


def statement_of(context: CustodyContext, start: date, *, restated: bool) -> tuple[str, str]:
    """Return kind and number of a period's statement, or of its restatement, whose number is made of what it says.

    Raises:
        ProblemsError: there is nothing to state or restate.
    """
    kind = RESTATEMENT if restated else PERIOD
    return kind, str(make(context, kind, f"{context.id}/{start}", context.today)["number"])


def make(context: CustodyContext, kind: str, number: str, day: date, *, lines: int | None = None) -> dict[str, Any]:
    """Return a document as the book makes it on a day, with the mark of what the organisation had entered by then.

    Args:
        context: whose.
        kind: one of ``KINDS``.
        number: of the sale or the act, or of a statement: the organisation, a stroke, and the first day of the period.
        day: of the document.
        lines: how many entries of the organisation it is to be marked with; all that there are where None.

    Raises:
        ProblemsError: the organisation has nothing to make it from.
    """
    with READER.reading() as facts:
        if kind == TRANSFER:
            document = transfer_document(facts, number, as_of=day)
            if document["seller"]["id"] != context.id:
                raise _nothing(number)
            return mark_on_server(document, context.id, number, lines)
        if kind == CONSENT:
            return _consent(facts, context.id, number, day)
        if kind == NOTICE:
            return buyer_notice(facts, context, number, day)
        try:
            first, _, version = number.removeprefix(f"{context.id}/").partition("/")
            start = date.fromisoformat(first if kind == RESTATEMENT or not version else number)
        except ValueError:
            raise _nothing(number) from None
        if kind == PERIOD:
            return mark_on_server(period_document(facts, context.id, start), context.id, lines=lines)
        return restatement_document(facts, context.id, start, as_of=day)


def _consent(facts: StoreView, party: str, number: str, day: date) -> dict[str, Any]:
    """Return a consent to an act of one's own: a book that many share has acts of others, too."""
    posted = facts.posted(number)
    if posted is None or getattr(posted.request, posted.request.entered_by() or "id") != party:
        raise _nothing(number)
    return consent_document(facts, party, number, as_of=day)


def has_consent(context: CustodyContext, event: str, kind: str) -> bool:
    """Tell whether an act of the organisation, of a kind, gave another party bushels again: a paper says so to it."""
    if kind not in ACTS:
        return False
    try:
        make(context, CONSENT, event, context.today)
    except ProblemsError:
        return False
    return True


def mark_on_server(
    document: dict[str, Any], party: str, movement: str = "", lines: int | None = None
) -> dict[str, Any]:
    """Mark a document with the head over the party's own entries, never fewer than up to the one it is made of.

    Args:
        document: a transfer document or the statement of a period.
        party: who issues it.
        movement: the sale; empty for a period.
        lines: how many entries; all that there are where None.
    """
    entries = list(own_entries(party))
    least = next((place for place, entry in enumerate(entries, 1) if _is_of(document, entry, movement)), len(entries))
    kept = len(entries) if lines is None else min(max(lines, least), len(entries))
    return marked(document, [entry.line for entry in entries[:kept]], shared=True)


def _is_of(document: Mapping[str, Any], entry: OwnEntry, movement: str) -> bool:
    """Tell whether an entry is the sale of a transfer document, or the close of a stated period."""
    closes = entry.event["type"] == CloseEvent.type and entry.event["day"] == document.get("end")
    return entry.id == movement if movement else closes


def _nothing(number: str) -> Exception:
    return refuse(number, "The organization has no such document.", "Look at its sales and periods.")


def expected_for(context: CustodyContext, raw: object, kind: str, number: str) -> dict[str, Any]:
    """Return what a signed document has to say: what the book says for the day it was made on.

    Raises:
        ProblemsError: the organisation has nothing to make it from.
    """
    inner = raw.get("document") if isinstance(raw, dict) else None
    made_on = str(inner.get("made_on") or "") if isinstance(inner, dict) else ""
    mark = inner.get(MARK) if isinstance(inner, dict) else None
    lines = mark.get("lines") if isinstance(mark, dict) else None
    return remade(context, kind, number, made_on=made_on, lines=lines if isinstance(lines, int) else None)


def remade(context: CustodyContext, kind: str, number: str, *, made_on: str, lines: int | None) -> dict[str, Any]:
    """Return a document as the book makes it now for the day on which it was made, and out of as many entries.

    Args:
        context: whose.
        kind: one of ``KINDS``.
        number: of the document.
        made_on: the day that it carries; today where it is none.
        lines: how many entries it is marked with. What was entered since does not make it another document.

    Raises:
        ProblemsError: the organisation has nothing to make it from.
    """
    try:
        day = date.fromisoformat(made_on) if made_on else context.today
    except ValueError:
        day = context.today
    return make(context, kind, number, day, lines=lines)


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
    number = kept_number(expected)
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
    transparency.append(organisation, kind, number, cast("dict[str, object]", raw))
    return made


def kept_number(document: Mapping[str, object]) -> str:
    """Return the number under which a signed document is kept.

    Figures of the same days say something else once more was retired, or corrected: both papers are kept, each under
    what it says, whatever the day and the book that they were made of.
    """
    number = str(document["number"])
    if document["type"] != FIGURES:
        return number
    said = {name: value for name, value in document.items() if name not in ("made_on", MARK)}
    return f"{number}/{sha256_hex(canonical_json(said))[:SAID]}"
