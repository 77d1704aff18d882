"""Documents of an organisation: made from the book, and kept as it signed them.

The server checks a signature and never holds the key, or holds it sealed (``sealed_signing``).
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from functools import partial
from types import MappingProxyType
from typing import Any, Final, NamedTuple, cast

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.text import get_valid_filename

from provender.custody.documents import build, consents, receive
from provender.custody.documents.print import document_pdf
from provender.custody.documents.read import document_of
from provender.custody.documents.refiner_figures import CERTIFICATES, FIGURES, Energy
from provender.custody.events.closing import CloseEvent
from provender.custody.events.registry import post
from provender.custody.events.reports import Notice, ReportEvent
from provender.custody.events.trade import CONSENT
from provender.custody.model.entities import Entity
from provender.custody.model.event import Event
from provender.custody.model.lots import Origin
from provender.custody.model.store_view import Decision, StoreView
from provender.custody.queries.alerts import event_of
from provender.database.actor import Actor, write_log
from provender.database.models.accounts import Organisation, Person
from provender.database.models.farm import PartyKey, SignedDocument
from provender.database.store.custody import SqlStore
from provender.database.store.party_book import own_entries
from provender.exact import Amount, Ci
from provender.problem import Problem, ProblemsError, refuse
from provender.schema import field, view
from provender.services import transparency
from provender.services.custody.book_entry import post_dated
from provender.services.custody.context import READER, CustodyContext, blinded
from provender.services.custody.entry import all_parties, has_no_account, put_on_record
from provender.services.custody.figures import certificates_of, energy_of, figures, figures_pdf, proven_by
from provender.services.custody.views import EventOffer, offer
from provender.services.farm.files import store_upload
from provender.services.organisation_keys import Ring
from provender.services.refused import refusal
from provender.signing.canonical import canonical_json, read_json, sha256_hex
from provender.signing.jws import MEANING, Status, check
from provender.signing.jws import Status as Signature

# Whom a party tells that a report behind what it sold changed: a notice for each partner that has bushels of it.


@view
class BuyerNotice:
    """A partner to be told that a report behind bushels it bought changed."""

    number: str = field("Notice", help="Its number, as a document.")
    day: date = field("Changed")
    buyer: str = field("Who is told")
    name: str = field("Tell", help="The partner's name.")
    crop: str = field("Crop")
    harvest_year: int = field("Harvest year")
    said: str = field("What changed")
    ci_g_per_bu: Ci | None = field("CI now", help="Null where that did not change.")
    bushels: Amount = field("Bushels that it has", unit="bu")
    signed: bool = field("Signed")


def buyer_notices(context: CustodyContext) -> list[BuyerNotice]:
    """Return whom the organisation tells of changed reports, the newest change first.

    Partners are told of what they have from it. Whoever keeps its book on this server sees the change there; a notice
    is for the book that a partner keeps elsewhere.
    """
    kept = SignedDocument.objects.filter(organisation=context.organisation, kind=consents.NOTICE)
    signed = set(kept.values_list("number", flat=True))
    with READER.reading() as store:
        found = [one for buyer in context.partners for one in _notices_to(store, context, buyer, signed)]
    return sorted(found, key=lambda one: one.day, reverse=True)


def _notices_to(store: StoreView, context: CustodyContext, buyer: str, signed: set[str]) -> Iterator[BuyerNotice]:
    told: dict[str, list[tuple[Notice, int]]] = {}
    for one in store.many(Notice, buyer):
        if bushels := _bushels_from(store, context.id, one):
            told.setdefault(event_of(one), []).append((one, bushels))
    for event, notices in told.items():
        posted, origin = store.posted(event), store.one(Origin, notices[0][0].origin)
        if posted is None or origin is None:
            continue
        number = consents.number_of(posted, buyer)
        yield BuyerNotice(
            number=number, day=notices[0][0].day, buyer=buyer, name=context.named(buyer), crop=origin.crop,
            harvest_year=origin.harvest_year,
            said=" ".join(dict.fromkeys(consents.NOTICE_WORDS[one.change] for one, _ in notices)),
            ci_g_per_bu=consents.ci_told(posted, [one for one, _ in notices]),
            bushels=sum(bushels for _, bushels in notices), signed=number in signed,
        )  # fmt: skip


def _bushels_from(store: StoreView, seller: str, one: Notice) -> int:
    """Return how much of what a notice is about its holder has from a seller, thousandths of a bushel."""
    lots = store.lots_at(one.origin, one.start, one.stop)
    mine = [lot for lot in lots if (lot.owner, lot.supplier) == (one.holder, seller)]
    return sum(min(lot.stop, one.stop) - max(lot.start, one.start) for lot in mine)


def _buyer_notice(store: StoreView, context: CustodyContext, number: str, day: date) -> dict[str, Any]:
    """Return a notice by its number, as the command makes it.

    The event that changed a report may name the farm, which neither side may learn of the other: the number stands for
    it.

    Raises:
        ProblemsError: there is no such notice for a partner of the organisation.
    """
    buyer = number.partition("/")[2]
    for event in dict.fromkeys(event_of(one) for one in store.many(Notice, buyer) if buyer in context.partners):
        posted = store.posted(event)
        if posted is not None and consents.number_of(posted, buyer) == number:
            return consents.notice_document(store, context.id, event, buyer, as_of=day)
    raise refuse(number, "The organization has no such notice.", "Look at its changed reports.", cite="2100.032(a)")


_CITE = "2100.032(c)"
KINDS = (build.TRANSFER, build.PERIOD, build.RESTATEMENT, CONSENT, consents.NOTICE)
SAID: Final = 16
"""Signs of a hash that tell what a paper says from what it said before."""
MOST_BYTES: Final = 4 * 2**20
"""Bytes of a signed document that a party hands in."""


class FiguresAsked(NamedTuple):
    """Which figures of a refiner somebody asks for."""

    days: tuple[date, date]  # the first and the last
    energy: Energy | None = None  # the plant's own yield, to say them by energy, too
    certificates: Mapping[str, Mapping[str, str]] = MappingProxyType({})  # what the refiner names beside them


Which = str | FiguresAsked
"""What names a document of its kind: its number, or what figures are asked for."""


class Paper(NamedTuple):
    """A document of an organisation."""

    document: dict[str, Any]  # what it says
    signed: SignedDocument | None  # as it was brought back signed; None before

    @property
    def envelope(self) -> dict[str, Any] | None:
        return cast("dict[str, Any]", read_json(self.signed.text.encode())) if self.signed else None

    def file_name(self, kind: str) -> str:
        stem = f"{self.document['type']}-{self.document['number']}".replace("/", "_")
        return f"{get_valid_filename(stem)}.{kind}"

    def pdf(self, address: str = "") -> bytes:
        """Return it to print; a signature that was kept stands on it, and a code of its address on this server."""
        fingerprint = self.signed.fingerprint if self.signed else ""
        if self.document["type"] == FIGURES:
            return figures_pdf(self.document, self.envelope, fingerprint)
        return document_pdf(self.document, envelope=self.envelope, fingerprint=fingerprint, address=address)


def paper(context: CustodyContext, kind: str, which: Which) -> Paper:
    """Return a document as it was signed, else as it would be signed today.

    Figures are found as they were signed where the book still says the same.

    Raises:
        ProblemsError: the organisation has nothing to make it from.
    """
    if isinstance(which, str) and (signed := _kept_signed(context, kind, which)) is not None:
        return _paper_of(signed)
    made = make(context, kind, which, context.today)
    signed = _kept_signed(context, kind, _kept_number(made))
    return Paper(made, None) if signed is None else _paper_of(signed)


def _paper_of(signed: SignedDocument) -> Paper:
    kept: Any = read_json(signed.text.encode())
    return Paper(kept["document"], signed)


def figures_signed_before(context: CustodyContext, shown: Paper) -> list[SignedDocument]:
    """Return other figures that were signed of days that begin with the same one, newest first."""
    begun = f"{context.id}/{shown.document['start']}/"
    own = SignedDocument.objects.filter(organisation=context.organisation, kind=FIGURES, number__startswith=begun)
    return [one for one in own if shown.signed is None or one.number != shown.signed.number]


def signed_figures(context: CustodyContext, key: int) -> Paper | None:
    """Return figures that the organisation signed, by the key of their row; None where it signed none of it."""
    found = SignedDocument.objects.filter(organisation=context.organisation, kind=FIGURES, pk=key).first()
    return None if found is None else _paper_of(found)


def _kept_signed(context: CustodyContext, kind: str, number: str) -> SignedDocument | None:
    return SignedDocument.objects.filter(organisation=context.organisation, kind=kind, number=number).first()


def signed_among(context: CustodyContext, kind: str, numbers: Iterable[str]) -> frozenset[str]:
    """Return which documents of an organisation, of a kind and of these numbers, are signed."""
    found = SignedDocument.objects.filter(organisation=context.organisation, kind=kind, number__in=list(numbers))
    return frozenset(found.values_list("number", flat=True))


def statement_of(context: CustodyContext, start: date, *, restated: bool) -> tuple[str, str]:
    """Return kind and number of a period's statement, or of its restatement, whose number is made of what it says.

    Raises:
        ProblemsError: there is nothing to state or restate.
    """
    kind = build.RESTATEMENT if restated else build.PERIOD
    return kind, str(make(context, kind, f"{context.id}/{start}", context.today)["number"])


def make(context: CustodyContext, kind: str, which: Which, day: date, *, lines: int | None = None) -> dict[str, Any]:
    """Return a document as the book makes it on a day, marked with so many entries of the organisation, or with all.

    Its kind is one of ``KINDS``, or ``FIGURES``. Which one: figures, or the number of the sale or the act; of a
    statement the organisation, a stroke, and the first day of the period. Raises ProblemsError where there is none.
    """
    with READER.reading() as store:
        if isinstance(which, FiguresAsked):

            def mark(made: dict[str, Any]) -> dict[str, Any]:
                return mark_on_server({**made, **which.certificates}, party=context.id, lines=lines)

            return figures(store, context.entity, which.days, as_of=day, mark=mark, energy=which.energy)
        number = which
        if kind == build.TRANSFER:
            document = build.transfer_document(store, number, as_of=day)
            if document["seller"]["id"] != context.id:
                raise _nothing(number)
            return mark_on_server(document, context.id, number, lines)
        if kind == CONSENT:
            act = store.posted(number)  # of one's own: a book that many share has acts of others, too
            if act is None or getattr(act.event, act.event.entered_by() or "id") != context.id:
                raise _nothing(number)
            return consents.consent_document(store, context.id, number, as_of=day)
        if kind == consents.NOTICE:
            return _buyer_notice(store, context, number, day)
        try:
            first, _, version = number.removeprefix(f"{context.id}/").partition("/")
            start = date.fromisoformat(first if kind == build.RESTATEMENT or not version else number)
        except ValueError:
            raise _nothing(number) from None
        if kind == build.PERIOD:
            return mark_on_server(build.period_document(store, context.id, start), context.id, lines=lines)
        return build.restatement_document(store, context.id, start, as_of=day)


def has_consent(context: CustodyContext, event: str, kind: str) -> bool:
    """Tell whether an act of the organisation, of a kind, gave another party bushels again: a paper says so to it."""
    if kind not in consents.ACTS:
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

    Without ``lines`` it is marked with all entries that there are.
    """
    entries = list(own_entries(party))
    end = document.get("end")
    made_of = (
        place
        for place, entry in enumerate(entries, 1)
        # the sale of a transfer document, or the close of a stated period
        if (entry.id == movement if movement else (entry.event["type"], entry.event["day"]) == (CloseEvent.type, end))
    )
    least = next(made_of, len(entries))
    kept = len(entries) if lines is None else min(max(lines, least), len(entries))
    return build.marked(document, [entry.line for entry in entries[:kept]], shared=True)


def _nothing(number: str) -> Exception:
    return refuse(number, "The organization has no such document.", "Look at its sales and periods.")


def expected_for(context: CustodyContext, raw: object, kind: str, number: str = "") -> dict[str, Any]:
    """Return what a signed document has to say: what the book says for the day it was made on.

    Figures say themselves which days and which plant they are of.

    Raises:
        ProblemsError: the organisation has nothing to make it from, or figures name no days.
    """
    inner = raw.get("document") if isinstance(raw, dict) else None
    document = inner if isinstance(inner, Mapping) else {}
    mark = document.get(build.MARK)
    lines = mark.get("lines") if isinstance(mark, Mapping) else None
    return _remade(
        context,
        kind,
        _figures_in(document) if kind == FIGURES else number,
        DocumentRef("", str(document.get("made_on") or ""), lines if isinstance(lines, int) else None),
    )


def _figures_in(document: Mapping[str, Any]) -> FiguresAsked:
    remedy = "Download the figures as JSON, sign that file, and bring it back unchanged."
    unread = refuse("document", "These are no figures of a refiner.", remedy, code="no_figures")
    if document.get("type") != FIGURES:
        raise unread
    try:
        first, last = (date.fromisoformat(str(document.get(name))) for name in ("start", "end"))
    except ValueError:
        raise unread from None
    told = document.get("energy")
    plant = told if isinstance(told, Mapping) else {}
    texts = (str(plant.get(name) or "") for name in ("gallons_per_bu", "btu_per_gallon", "source"))
    parts = {name: one for name in CERTIFICATES if isinstance(one := document.get(name), Mapping)}
    named = {name: ", ".join(str(one.get(part)) for part in ("number", "day", "issuer")) for name, one in parts.items()}
    return FiguresAsked((first, last), energy_of(*texts), certificates_of(named))


def _remade(context: CustodyContext, kind: str, which: Which, shown: "DocumentRef") -> dict[str, Any]:
    """Return a document as the book makes it now for the day that it carries, and out of as many entries.

    Without a day it is made for today. What was entered since does not make it another document.
    """
    try:
        day = date.fromisoformat(shown.made_on) if shown.made_on else context.today
    except ValueError:
        day = context.today
    return make(context, kind, which, day, lines=shown.lines)


@transaction.atomic
def keep_signed(
    organisation: Organisation, raw: object, expected: Mapping[str, object], *, actor: Actor
) -> SignedDocument:
    """Keep a signed document, if it is whole and says exactly what the book says.

    Raises:
        RefusedError: it is no whole signed document, or another one.
    """
    kind = str(expected["type"])
    found = check(raw, {}, typ=receive.TYPS[kind])
    if found.status not in (Status.VALID, Status.SIGNER_UNKNOWN):
        cause, remedy = MEANING[found.status]
        raise refusal(str(found.status), cause, remedy, cite=_CITE, column="file")
    if found.document is None or canonical_json(found.document) != canonical_json(expected):
        cause = "The signed document says something else than the book."
        remedy = "Download the document again, sign that file, and bring it back unchanged."
        raise refusal("other_document", cause, remedy, cite=_CITE, column="file")
    number = _kept_number(expected)
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


def _kept_number(document: Mapping[str, object]) -> str:
    """Return the number under which a signed document is kept.

    Figures of the same days say something else once more was retired, or corrected: both papers are kept, each under
    what it says, whatever the day and the book that they were made of.
    """
    number = str(document["number"])
    if document["type"] != FIGURES:
        return number
    said = {name: value for name, value in document.items() if name not in ("made_on", build.MARK)}
    return f"{number}/{sha256_hex(canonical_json(said))[:SAID]}"


# A party's key that lies sealed in a browser, used to sign the document that a page shows (interpretation 33).

KEYS: Final = Ring(PartyKey, "party", _CITE, "register signing key")
"""The keys under which parties of custody sign."""


class DocumentRef(NamedTuple):
    """Which document somebody has read: the page sends it back, and nothing else is signed."""

    sha256: str  # of its canonical text
    made_on: str  # the day it was made on; empty for one that carries none
    lines: int | None  # how many entries of the book it is marked with; None without a mark


def document_ref(document: dict[str, Any]) -> DocumentRef:
    """Return how a page names the document that it shows."""
    mark = document.get(build.MARK) or {}
    return DocumentRef(sha256_hex(canonical_json(document)), str(document.get("made_on") or ""), mark.get("lines"))


def document_to_sign(
    context: CustodyContext, kind: str, which: Which, shown: DocumentRef, *, holder: Person
) -> tuple[PartyKey, dict[str, Any]]:
    """Return the document that somebody has read, for its reader to sign, and the key to sign it with.

    Nobody signs another document than the one that they have read, or one of another day than today.

    Raises:
        ProblemsError: no key lies sealed for the holder; the document is signed, of another day, or says something
            else by now; or the book has nothing to make it from: its sale was taken back, its period is open.
    """
    key = KEYS.held_by(holder, context.organisation)
    if key is None:
        cause = "No signing key in use lies sealed here for you."
        raise refuse("key", cause, "Make one first.", cite=_CITE, code="no_key")
    document = _remade(context, kind, which, shown)
    if _kept_signed(context, kind, _kept_number(document)) is not None:
        raise refuse("document", "The document is signed already.", "Load the page again.", cite=_CITE, code="signed")
    of_today = shown.made_on in ("", context.today.isoformat())
    if not of_today or document_ref(document).sha256 != shown.sha256:
        cause = "The document says something else than when you began."
        raise refuse("document", cause, "Load the page and read it again.", cite=_CITE, code="other_document")
    return key, document


def sign_shown(
    context: CustodyContext, kind: str, which: Which, shown: DocumentRef, signature: str, *, holder: Person
) -> SignedDocument:
    """Keep the document that somebody has read under the signature of the key that lies sealed for them.

    Raises:
        ProblemsError: as ``document_to_sign`` and ``keep_signed``, or the signature is another key's.
    """
    key, document = document_to_sign(context, kind, which, shown, holder=holder)
    envelope = {"document": document, "signature": signature}
    found = check(envelope, {}, typ=receive.TYPS[kind])
    if found.key is not None and found.kid != key.fingerprint:
        cause = "This was signed with another key than the one in use."
        raise refuse("signature", cause, "Load the page again, then sign.", cite=_CITE, code="other_key")
    return keep_signed(context.organisation, envelope, document, actor=context.actor)


# Taking in a document that came from outside: opened, what cures an unknown signature, and entered.


def open_file(raw: object, context: CustodyContext, name: str) -> receive.ReceivedDocument:
    """Open a document that came to the organisation; ``name`` is what problems call it."""
    with READER.reading() as store:
        return receive.open_document(raw, store, context.id, name, demonstration=settings.DEMONSTRATION)


def receive_file(
    context: CustodyContext,
    incoming: receive.ReceivedDocument,
    *,
    name: str,
    content: bytes,
    site: str = "",
    accept: bool = True,
) -> tuple[list[receive.Answered], list[Problem]]:
    """Keep the file of a document, and enter what it says, of a party without an account here.

    Its checked signature stands for that party.

    A transfer that enters and cannot be accepted stays in transit, to be accepted later. The seller's verification is
    entered with it when a contract pins the key of the verifier who signed it.

    An entity with one site may leave out where the crop lies; with ``accept`` a transfer is taken into stock at once.

    Returns:
        The answers, and what is doubtful about the seller's verification.

    Raises:
        RefusedError: the file cannot be kept, or its sender has an account here, and enters what it sells itself.
        ValueError: the document has no content.
    """
    store_upload(context.organisation, name, content, actor=context.actor)
    sender = sender_of(incoming)
    if not has_no_account(sender):
        cause = "The sender of this document works on this server."
        remedy = "There is nothing to take in: what it sells you shows under Incoming by itself."
        raise refusal("sender_is_here", cause, remedy, cite="2100.032(a)", column="file")
    store = SqlStore(context.actor)
    with store.reading() as view:
        proven, doubts = proven_by(incoming, view, context.id, day=context.today, file=incoming.kind)
        events = receive.document_events(incoming, view, day=context.today, site=site, accept=accept, proven=proven)
    with store.locked(all_parties(events)), store.reading() as view:

        def enter(event: Event) -> Decision:
            answer = post_dated(view, partial(post, store), event, context.today)
            return blinded(view, event, answer, context.id, signed=True)

        answers = receive.post_each(events, view, enter)
    write_log(
        context.actor, "receive document", organisation=context.organisation, about=sender, new={"kind": incoming.kind}
    )
    return answers, doubts


def put_on_file(context: CustodyContext, name: str, content: bytes) -> str:
    """Keep a file that nobody can check here, put it on record in the book, and return what came of it in words.

    Raises:
        RefusedError: the file cannot be kept.
    """
    kept = store_upload(context.organisation, name, content, actor=context.actor)
    outcome = put_on_record(SqlStore(context.actor), context.organisation, kept, context.today)
    return f"{name} is on file. Its hash, to name as evidence: {kept.sha256}. {outcome.message}".strip()


def suggested_contracts(incoming: receive.ReceivedDocument, raw: object) -> list[EventOffer]:
    """Return what to enter so that a document signed by an unknown key can be taken in: its key pinned by contract."""
    if incoming.signature is not Signature.SIGNER_UNKNOWN:
        return []
    sender = _named_sender(raw)
    with READER.reading() as store:
        known = store.one(Entity, sender) is not None if sender else True
    label = f"Pin key {incoming.fingerprint[:12]}… by contract"
    pin = offer(label, "contract", counterparty=sender, role="supplier", signing_key=incoming.fingerprint)
    return [pin] if known else [register_sender(sender), pin]


def register_sender(sender: str) -> EventOffer:
    return offer("Register the sender", "entity", entity=sender, name=sender)


def sender_of(incoming: receive.ReceivedDocument) -> str:
    """Return who sent a document that could be read; empty otherwise."""
    content = incoming.content
    return content.entity if isinstance(content, ReportEvent) else content.seller if content else ""


def _named_sender(raw: object) -> str:
    """Return whom an unread document names as its sender."""
    inner = document_of(raw)
    for part, name in (("seller", "id"), ("farm", "farm_id")):
        named = inner.get(part) if isinstance(inner, dict) else None
        if isinstance(named, dict) and isinstance(named.get(name), str):
            return str(named[name])
    return ""
