"""Taking a document into a book: signature, then chain and overlap, then the events that it makes.

A document enters as the events of ``provender.custody.events.registry``; whatever they refuse is the answer. Nothing
of a document is posted whose signature is missing, wrong, or by a key that no contract pins; a document from outside
this program has no such signature and becomes a foreign origin, held unverified unless the book has a statement.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import date
from typing import Final, Required, TypedDict, Unpack, cast

from provender.custody.documents import consents, read
from provender.custody.documents.build import PERIOD, RESTATEMENT, SLIP, TRANSFER
from provender.custody.documents.consents import NOTICE
from provender.custody.documents.read import document_of, type_of
from provender.custody.documents.refiner_figures import FIGURES
from provender.custody.events.farm_trade import SlipEvent
from provender.custody.events.footing import Footed, about_of
from provender.custody.events.outside import DocumentEvent, shows_more
from provender.custody.events.parties import StatementEvent, verified
from provender.custody.events.reports import ReportEvent
from provender.custody.events.trade import CONSENT, AcceptEvent
from provender.custody.events.typed import ShowEvent
from provender.custody.model.entities import Contract, Entity, Opinion, Period, fingerprint_of, pinned_keys
from provender.custody.model.event import Event, Footing, PaperEvent, Status
from provender.custody.model.lots import Origin, Slip, joined, origin_name
from provender.custody.model.store_view import Decision, StoreView, free_name
from provender.problem import Place, Problem, Weight, refuse
from provender.report.signing import example_refusals
from provender.report.typ import TYP as REPORT_TYP
from provender.report.typ import TYPE as REPORT
from provender.signing.canonical import canonical_json
from provender.signing.jws import MEANING, Checked, check, sign
from provender.signing.jws import Status as Signature
from provender.signing.keys import SigningKey

Content = read.Transfer | read.SaleSlip | ReportEvent | consents.NoticePaper | consents.Consent


@dataclass(frozen=True, slots=True)
class ReceivedDocument:
    """A document as opened."""

    kind: str  # the document's type; empty when it is none of those known here
    signature: Signature | None  # what checking the signature found; None for a document from outside, which has none
    fingerprint: str  # of the signing key, empty when none fits
    content: Content | None  # what it says; None when it cannot be used
    problems: tuple[Problem, ...]  # why not
    # whether it is a sale between two others, or what went back between them, which shows how serials of this book went
    # on: it is noted and never accepted into anybody's stock here
    between: bool = False


def open_document(
    raw: object, store: StoreView, me: str, file: str, *, demonstration: bool = False
) -> ReceivedDocument:
    """Read a document of any kind and check its signature against the keys that contracts pin.

    ``me`` is whose book it is, ``file`` what to call the document in problems; the book of a demonstration takes the
    reports of the examples.
    """
    kind, inner = read.type_of(raw), read.document_of(raw)
    if kind == read.FOREIGN:
        transfer, problems = read.read_transfer(inner, file)
        return ReceivedDocument(kind, None, "", transfer, tuple(problems + _addressed(transfer, me, file)))
    readers: Mapping[str, tuple[Callable[[object, str], tuple[Content | None, list[Problem]]], str]] = {
        TRANSFER: (read.read_transfer, TYPS[TRANSFER]),
        SLIP: (read.read_slip, TYPS[SLIP]),
        consents.NOTICE: (consents.read_notice, TYPS[consents.NOTICE]),
        CONSENT: (consents.read_consent, TYPS[CONSENT]),
        REPORT: (read.read_report, REPORT_TYP),
    }
    if kind not in readers:
        cause = "This is no transfer document, sale slip, notice, consent or Biofuel Feedstock Report."
        remedy = "Name the JSON file that the sender's program wrote, not the PDF."
        return ReceivedDocument(
            "", None, "", None, (Problem(Place(file), cause, remedy, "2100.032(c)", code="no_document"),)
        )
    reader, typ = readers[kind]
    content, problems = reader(inner, file)
    if kind == REPORT and content is not None and isinstance(inner, Mapping) and not demonstration:
        problems += example_refusals(inner, Place(file))
    if isinstance(content, consents.Consent):
        content = replace(content, signed=canonical_json(raw).decode())
    found = _checked(raw, store, me, content, typ)
    between = (
        isinstance(content, read.Transfer | consents.Consent) and content.buyer != me and _shows_a_link(content, store)
    )
    problems += [] if between else _addressed(content, me, file)
    # Whose a document is that cannot be read nobody knows: its mistakes are told, no key was looked for.
    unread = content is None and found.status is Signature.SIGNER_UNKNOWN
    if not found.valid and not (unread and problems):
        cause, remedy = MEANING[found.status]
        problems.insert(0, Problem(Place(file), cause, remedy, "2100.032(c)", code=str(found.status)))
    return ReceivedDocument(kind, found.status, found.kid, content if not problems else None, tuple(problems), between)


def _shows_a_link(content: read.Transfer | consents.Consent, store: StoreView) -> bool:
    """Tell whether a sale to a party whose book is elsewhere, or what came back to it, is about serials seen here."""
    if isinstance(content, consents.Consent):
        spans = [(one.origin, one.start, one.stop) for one in content.spans]
    else:
        spans = [(line.origin, line.start, line.start + line.bushels) for line in content.lines if line.origin]
    known = any(store.lots_at(*span) for span in spans)
    return known and not store.many(Period, content.buyer)


def _checked(raw: object, store: StoreView, me: str, content: Content | None, typ: str) -> Checked:
    """Check a signature; a pinned fingerprint counts as the key that has it."""
    sender = _sender(content)
    day = content.day if content else date.max
    found = check(raw, {}, typ=typ)
    if found.key is None or sender is None:
        return found
    said = read.document_of(raw)
    made = made_on(said) if isinstance(said, Mapping) else None
    pinned = pinned_keys(store, me, sender, day, made)
    return check(raw, {found.kid: found.key}, typ=typ) if found.kid in pinned else found


def _sender(content: Content | None) -> str | None:
    if content is None:
        return None
    return content.entity if isinstance(content, ReportEvent) else content.seller


def _addressed(content: Content | None, me: str, file: str) -> list[Problem]:
    # A slip to somebody else shows that the farm gave these serials away, when they come back from a trader.
    if content is None or isinstance(content, ReportEvent | read.SaleSlip) or content.buyer == me:
        return []
    cause = f"The document is addressed to {content.buyer!r}, and this is the book of {me!r}."
    return [Problem(Place(file), cause, "Enter it in the buyer's book.", "2100.032(a)", code="not_for_us")]


class HowEntered(TypedDict, total=False):
    """How a document is taken in."""

    day: Required[date]  # the day it is received
    site: str  # where the crop lies; may be left out by an entity with one site
    accept: bool  # take a transfer into stock at once, as without it; else it stays in transit
    proven: StatementEvent | None  # the seller's verification, when the verifier's own signature was checked


@dataclass(frozen=True, slots=True)
class Answered:
    """One event made from a document, and the book's answer."""

    event: Event
    outcome: Decision


def enter_document(
    incoming: ReceivedDocument, store: StoreView, post: Callable[[Event], Decision], **how: Unpack[HowEntered]
) -> list[Answered]:
    """Post what an opened document with content makes, until the book refuses something; ``post`` posts one event.

    Raises:
        ValueError: the document has no content that could be entered.
    """
    return post_each(document_events(incoming, store, **how), store, post)


def document_events(incoming: ReceivedDocument, store: StoreView, **how: Unpack[HowEntered]) -> Sequence[Event]:
    """Return the events that an opened document makes; a sale between two others is never accepted here.

    Raises:
        ValueError: the document has no content that could be entered.
    """
    if incoming.content is None:
        raise ValueError("a document with problems cannot be entered")
    how["accept"] = how.get("accept", True) and not incoming.between
    made = events_of(incoming.content, store, **how)
    return [each for one in made for each in _on_paper(one, incoming, store, how["day"])]


def _on_paper(event: Event, incoming: ReceivedDocument, store: StoreView, day: date) -> list[Event]:
    """Return an event as its paper shows it; of one that was typed before, what shows that.

    Raises:
        ProblemsError: the entry that was typed says something else than the paper.
    """
    if not isinstance(event, PaperEvent):
        return [event]
    key = event.signed_by or (incoming.fingerprint if event.word_of() == _sender(incoming.content) else "")
    event = replace(event, signed_by=key)
    if isinstance(event, DocumentEvent) and not key and not store.owner:
        event = replace(event, typed_by=event.taker)
    if isinstance(event, StatementEvent):
        return [_as_entered(event, store)]
    known, typed = store.posted(event.id), store.one(Footed, about_of(event))
    if shown := store.posted(f"signed-{event.id}") or store.posted(f"{event.id}-signed"):
        return [shown.event]
    posted = store.posted(typed.event) if typed and typed.footing is Footing.TYPED else None
    if not key or posted is None or (known and known.event == event):
        return [event]
    fresh = event if known is None else replace(event, id=f"{event.id}-signed")
    other = _differing(store, posted.event, event)
    if other and not isinstance(event, ReportEvent):
        cause = f"{posted.event.id} was typed in and says otherwise than the signed paper: {', '.join(other)}."
        raise refuse(incoming.kind, cause, "Take the typed entry back, then take the paper in.", cite="2100.032(a)")
    # A report's paper counts: where the entry says otherwise, it is amended by the paper.
    entered = [replace(fresh, day=max(day, event.day))] if other else []
    entity, paper = store.owner or str(getattr(event, "taker", "")), str(getattr(event, "report", ""))
    name = fresh.id if other else posted.event.id
    show = ShowEvent(
        id=f"signed-{event.id}", day=max(day, event.day), entity=entity, movement=name, signed_by=key, report=paper
    )
    return [*entered, show]


def _as_entered(event: StatementEvent, store: StoreView, again: int = 1) -> StatementEvent:
    """Return a statement as the book has it, for it comes with every sale of its party; what says more is new."""
    named = event if again == 1 else replace(event, id=f"{event.id}-{again}")
    known = store.posted(named.id)
    if known is None:
        return named
    named = replace(named, day=known.event.day)
    return named if named == known.event else _as_entered(event, store, again + 1)


def _differing(store: StoreView, typed: Event, paper: PaperEvent) -> list[str]:
    """Return the fields in which a typed entry says otherwise than its paper."""
    if isinstance(typed, SlipEvent) and isinstance(paper, SlipEvent):
        slip = store.one(Slip, typed.id)
        typed = replace(typed, spans=slip.spans if slip else (), day=paper.day, bushels=paper.bushels)
        paper = replace(paper, spans=tuple(joined(paper.spans)))
    names = {one.name for one in fields(paper)} - {"id", "actor", "report", "evidence"} - paper.by_program
    if isinstance(paper, ReportEvent):
        names -= {"day", "spans", "sold"}
    return sorted(name for name in names if getattr(typed, name, None) != getattr(paper, name))


def post_each(events: Sequence[Event], store: StoreView, post: Callable[[Event], Decision]) -> list[Answered]:
    answers: list[Answered] = []
    for event in events:
        answers.append(Answered(event, _told_apart(event, store, post)))
        if not answers[-1].outcome.status.well:
            break
    return answers


def _told_apart(event: Event, store: StoreView, post: Callable[[Event], Decision]) -> Decision:
    """Post one event of a document; what was taken in before is told as that, not as a name given twice."""
    before = store.posted(event.id)
    if before is not None and isinstance(event, AcceptEvent) and isinstance(before.event, AcceptEvent):
        return Decision(Status.EXISTS, f"It was taken into stock on {before.event.day}. Nothing was changed.")
    outcome = post(event)
    if outcome.status is Status.ID_HAS_OTHER_CONTENT:
        told = "was taken in before, with other content. Nothing was changed. Ask the sender which of the two counts."
        return replace(outcome, message=f"{event.id} {told}")
    return outcome


def events_of(content: Content, store: StoreView, **how: Unpack[HowEntered]) -> Sequence[Event]:
    """Return the events that a document makes, in order. Ids follow from the document: a repeat is recognised."""
    day, site = how["day"], how.get("site", "")
    if isinstance(content, ReportEvent):
        return [_report(content, store, day)]
    if isinstance(content, consents.NoticePaper):
        return consents.notice_events(content, store, day)
    if isinstance(content, consents.Consent):
        return consents.consent_events(content, store, day, site)
    if isinstance(content, read.SaleSlip):
        name, earlier = (_slip_name(store, content.seller, one) for one in (content.number, content.returned))
        slip = SlipEvent(
            id=name,
            day=content.day,
            giver=content.seller,
            taker=content.buyer,
            origin=content.origin,
            spans=content.spans,
            returned=earlier,
        )
        return [slip]
    name = f"document-{content.seller}-{content.number}"
    document = DocumentEvent(
        id=name,
        day=content.day,
        giver=content.seller,
        taker=content.buyer,
        number=content.number,
        lines=content.lines,
        report=content.digest,
        weakest=content.footing,
    )
    between = bool(store.owner) and store.owner not in (content.seller, content.buyer)
    if between and store.posted(name) and shows_more(store, document):
        # Shown again after what came before it: now the book can follow the rest.
        document = replace(document, id=free_name(store, name))
    vouched = how.get("proven") or _first_audit(content, store, day)
    found: list[Event] = [vouched, document] if vouched else [document]
    if how.get("accept", True):
        found.append(
            AcceptEvent(id=f"accept-{name}", day=max(day, content.day), taker=content.buyer, movement=name, site=site)
        )
    return found


def _slip_name(store: StoreView, giver: str, number: str) -> str:
    """Return what the book calls a farm's slip: its number, unless another's entry has that (``slip_number``)."""
    held = store.posted(number) if number else None
    is_own = held is None or (isinstance(held.event, SlipEvent) and held.event.giver == giver)
    return number if is_own else f"{number} of {giver}"


def _report(content: ReportEvent, store: StoreView, day: date) -> ReportEvent:
    known = store.many(Origin, origin_name(content.entity, content.crop, content.harvest_year))
    same = known[0].versions if known else ()
    entered = next((one.day for one in same if one.number == content.version), None)
    if known and known[0].id == known[0].group:  # typed in without its salt, under the farm's own name
        content = replace(content, salt="")
    # A later version is entered on the day it is received: closed periods and movements since stay as they are.
    return content if content.version == 1 else replace(content, day=entered or max(day, content.day))


_CONTRACTED: Final = {str(one): one for one in Opinion if one.contracted}


def _first_audit(content: read.Transfer, store: StoreView, day: date) -> StatementEvent | None:
    """Return the seller's word, under its signature, that its first or next audit is contracted."""
    seller = store.one(Entity, content.seller)
    if content.foreign or not (contracted := _CONTRACTED.get(content.verification)) or seller is None:
        return None
    if verified(store, seller, content.day, content.lines[0].crop):
        return None
    problems: list[Problem] = []
    said = read.Fields(content.statement, "document", problems, "verification.statement")
    start, end = said.day("start_day"), said.day("end_day")
    verifier, number = said.text("verifier"), said.text("number")
    crops = content.statement.get("crops")
    if problems or not isinstance(crops, list) or not all(isinstance(one, str) for one in crops):
        return None
    return StatementEvent(
        id=f"first-audit-{content.seller}-{verifier}-{number}",
        day=day,
        entity=content.seller,
        verifier=verifier,
        number=number,
        start_day=start,
        end_day=end,
        crops=tuple(cast("list[str]", crops)),
        opinion=contracted,
    )


# Signing the documents of subpart D: each kind of statement has a name of its own in the signature's header.

TYPS: Final[Mapping[str, str]] = {
    name: f"{name}+json" for name in (TRANSFER, SLIP, PERIOD, RESTATEMENT, NOTICE, CONSENT, FIGURES)
}
"""The ``typ`` under which each type of document is signed, so that one never counts as another."""


def sign_document(document: Mapping[str, object], key: SigningKey) -> dict[str, object]:
    """Return the signed envelope of a document of this package.

    Raises:
        KeyError: the document is of another type.
    """
    return sign(document, key, typ=TYPS[str(document["type"])])


# Whether the documents laid beside books are signed by whom they say, as far as anybody pinned that party's key.
#
# A book pins keys in its contracts; whoever reconciles may name further keys that are known. A key that nobody named is
# *signer unknown*: the document is compared all the same, and said to be so.

_TYPS: Mapping[str, str] = {**TYPS, REPORT: REPORT_TYP}
_DAYS = ("title_date", "day", "closed_on", "made_on")
_DOUBTFUL = frozenset({Signature.NOT_SIGNED, Signature.SIGNER_UNKNOWN})
"""What is told and still compared; a document with any other fault was not written by whom it names."""


@dataclass(slots=True)
class Pinned:
    """Keys that somebody knows."""

    # contracts that pin a key, by the party that signs with it
    by_party: dict[str, list[Contract]] = field(default_factory=lambda: defaultdict(list))
    named: set[str] = field(default_factory=set)  # fingerprints of keys named by whoever asks, whosever they are

    def add_book(self, store: StoreView) -> None:
        for entity in store.many(Entity, ""):
            for one in store.many(Contract, entity.id):
                if one.signing_key:
                    self.by_party[one.counterparty].append(one)

    def add(self, other: "Pinned") -> None:
        """Add the keys that somebody else knows."""
        for party, contracts in other.by_party.items():
            self.by_party[party] += contracts
        self.named |= other.named

    def knows(self, party: str, fingerprint: str, day: date | None, made: date | None = None) -> bool:
        """Tell whether a key is that party's on a day, by a contract then in force, or was named.

        Of a paper made on a day of its own a contract with the key has not ended by then either.
        """
        mine = [one for one in self.by_party.get(party, ()) if fingerprint_of(one.signing_key) == fingerprint]
        on_day = any(day is None or one.covers(day) for one in mine)
        return fingerprint in self.named or (on_day and not all(made and one.ended_by(made) for one in mine))


def signature_of(raw: object, pinned: Pinned) -> Checked | None:
    """Return what checking a document's signature found; None for a document of a kind that nobody signs here."""
    typ = _TYPS.get(type_of(raw))
    if typ is None:
        return None
    if not isinstance(raw, Mapping) or "document" not in raw:
        return Checked(Signature.NOT_SIGNED)
    found = check(raw, {}, typ=typ)
    inner = document_of(raw)
    if found.status is not Signature.SIGNER_UNKNOWN or found.key is None or not isinstance(inner, Mapping):
        return found
    known = pinned.knows(_signer(inner), found.kid, _day(inner, *_DAYS), made_on(inner))
    return check(raw, {found.kid: found.key}, typ=typ) if known else found


def _signer(document: Mapping[str, object]) -> str:
    for name, key in (("seller", "id"), ("farm", "farm_id"), ("entity", "id"), ("refiner", "id")):
        part = document.get(name)
        if isinstance(part, Mapping):
            return str(part.get(key, ""))
    return ""


def _day(document: Mapping[str, object], *names: str) -> date | None:
    for name in names:
        try:
            return date.fromisoformat(str(document.get(name, "")))
        except ValueError:
            continue
    return None


def made_on(document: Mapping[str, object]) -> date | None:
    return _day(document, "made_on")


def signature_problem(status: Signature, file: str) -> Problem | None:
    """Return what to tell about a signature: nothing where it is valid."""
    if status is Signature.VALID:
        return None
    cause, remedy = MEANING[status]
    if status not in _DOUBTFUL:
        cause = f"{cause} It was left out."
    weight = Weight.CONFIRM if status in _DOUBTFUL else Weight.ERROR
    return Problem(Place(file), cause, remedy, "2100.032(a)", weight, code=str(status))
