"""Entries that stand for somebody else's paper or measurement: what was typed, and what says that it is signed.

A book can be written anew by hand: that an entry is signed is shown by the paper alone, which ``reconcile`` and
verifying ask for.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar, Final

from provender.custody.events import rules
from provender.custody.events.farm_trade import SlipEvent
from provender.custody.events.footing import FileOnRecord, Footed, about_of, footing_of, grounds, typed_of
from provender.custody.events.outside import DocumentEvent, NoticeEvent
from provender.custody.events.parties import StatementEvent, comes_verified
from provender.custody.events.reports import NoticeKind, ReportEvent
from provender.custody.model import lots as serials
from provender.custody.model.entities import Contract, Entity
from provender.custody.model.event import Event, Footing, PaperEvent, Party, Refusal, RestsOn, Status, event
from provender.custody.model.store_view import Decision, Posted, StoreView, taken_back_by
from provender.exact import CI_SCALE, show
from provender.problem import counted
from provender.schema import Name, Text, field, frozen

# What shows an entry that was typed: the signed paper that came later, or a file put on record (interpretation 87).

SHA256: Final = 64
"""Hexadecimal digits of a hash."""


@event("show", RestsOn.FILE, everyone=True)
class ShowEvent(PaperEvent):
    """Puts the signed paper behind an entry that was typed before and says the same. Only the program enters it."""

    by_program: ClassVar[frozenset[str]] = frozenset({"signed_by", "movement"})
    entity: Name = field("Entity", help="Whose book received the paper.", party=Party.ENTERS)
    movement: Text = field("Typed entry", help="The entry that the paper shows.")
    report: Text = field("Paper", help="Hash of the paper.", asked=False, default="")


def decide_show(store: StoreView, event: ShowEvent) -> Decision:
    """Take an entry as shown, and cure what is held unverified for its sake alone."""
    posted = store.posted(event.movement)
    if posted is None:
        raise Refusal(Status.RECORD_NOT_FOUND, f"There is no event {event.movement!r}.")
    known = store.one(Footed, about_of(posted.event))
    same = known is not None and known.event == posted.event.id
    rules.require(same, Status.ALREADY_ANSWERED, f"{event.movement} needs no paper, or another entry has it.")
    changes: dict[str, Any] = {"signed_by": event.signed_by}
    found = footing_of(store, replace(posted.event, **changes))
    said = f"No contract pins the key {event.signed_by} to whom {event.movement} is of."
    rules.require(found is not Footing.TYPED, Status.PAPER_NOT_SHOWN, said)
    return _shown(store, event, [replace(known, footing=found, paper=event.report)] if known else [])


@event("file", RestsOn.FILE, everyone=True)
class FileEvent(Event):
    """Puts a file on record, such as a verifier's PDF or the evidence of opening stock. Only the program enters it."""

    by_program: ClassVar[frozenset[str]] = frozenset({"sha256"})
    entity: Name = field("Entity", help="Who has the file.", party=Party.ENTERS)
    sha256: Name = field("Hash", help="SHA-256 of the file.")
    name: Text = field("File name", help="What it is called.")


def decide_file(store: StoreView, event: FileEvent) -> Decision:
    """Note a file, and take what was typed from it before as on file."""
    rules.entity_of(store, event.entity)
    whole_hash = len(event.sha256) == SHA256 and not set(event.sha256) - set("0123456789abcdef")
    rules.require(whole_hash, Status.FIELD_UNREADABLE, "sha256: a hash has 64 digits.")
    on_record = FileOnRecord(event.sha256, event.name, event.entity)
    found = []
    for one in typed_of(store, store.owner or event.entity):
        posted = store.posted(one.event) if one.paper == event.sha256 else None
        # A statement that is typed states nothing: it is entered again, now that its file is on record.
        again = posted is None or posted.event.type == "statement"
        footing = Footing.TYPED if again or not posted else footing_of(store, posted.event, file=event.sha256)
        found += [replace(one, footing=footing)] if footing is not Footing.TYPED else []
    return _shown(store, event, found, on_record)


def _shown(store: StoreView, event: Event, shown: list[Footed], *records: FileOnRecord) -> Decision:
    """Return what is written when typed entries are shown: their footing, and the lots that are cured by it."""
    draft = rules.MovementDraft(event)
    draft.state(*records, *shown)
    about = {one.about for one in shown}
    lots = {lot.id: lot for one in shown for lot in _unverified_by(store, one)}
    cured = [lot for lot in lots.values() if _is_sure(store, lot, about)]
    draft.alter_each(
        [(serials.whole(lot), {"state": serials.LotState.HELD, "since": max(lot.since, event.day)}) for lot in cured]
    )
    said = f"It cures {counted(len(cured), 'lot')} held unverified." if cured else ""
    return draft.outcome(said)


def _unverified_by(store: StoreView, one: Footed) -> Iterator[serials.Lot]:
    """Yield the lots held unverified of the origins that an entry is about."""
    posted = store.posted(one.event)
    origins = {lot.origin for lot in store.lots_by(one.event)} | {str(getattr(posted and posted.event, "origin", ""))}
    for origin in sorted(origins - {""}):
        yield from (
            lot for lot in store.lots_at(origin, 0, serials.SPAN_MAX) if lot.state is serials.LotState.UNVERIFIED
        )


def _is_sure(store: StoreView, lot: serials.Lot, shown: set[str]) -> bool:
    """Tell whether nothing but some entries, which are shown now, kept a lot unverified."""
    known = (one.footing.verifies or one.about in shown for one in grounds(store, lot))
    return comes_verified(store, lot) and all(known)


WORDS: Final[Mapping[str, str]] = {
    "report": "Report of {0.entity} on {0.crop} {0.harvest_year}, version {0.version}",
    "slip": "Sale slip {0.id} of {0.giver}",
    "document": "Document {0.number} of {0.giver}",
    "notice": "Notice {0.number} of {0.giver}",
    "statement": "Verification statement {0.number} of {0.verifier} on {0.entity}",
    "opening": "Opening stock {0.number} of {0.entity}",
    "receipt": "Ticket {0.number} at the scale of {0.entity}",
    "shipment": "Ticket {0.number} at the scale of {0.entity}",
    "measurement": "Measurement {0.number} at {0.entity}",
    "sale": "Tickets of {0.taker} behind sale {0.id}",
}
"""What is typed, by the type of its entry."""


@frozen
class TypedEntry:
    """One entry that no paper shows."""

    event: str  # the entry
    what: str  # in words
    bushels: int  # held unverified for its sake, or said by a ticket at another's scale; thousandths
    scale: str  # at whose scale it is said to have been weighed: that one's book shows it; empty for a paper

    def said(self) -> str:
        rest = f"{show(self.bushels, group=True)} bu rest on it." if self.bushels else "Nothing rests on it now."
        return f"{self.what} was typed in ({self.event}) and no paper in the book shows it. {rest}"


def typed_entries(store: StoreView, party: str = "") -> Iterator[TypedEntry]:
    """Yield the typed entries of a book that stand, or those that name a party with what rests on them in its stock."""
    for one in _typed(store, party):
        posted = store.posted(one.event)
        if posted is None or taken_back_by(store, posted):
            continue
        event = posted.event
        bushels = _at_stake(store, one, event, party or store.owner)
        if bushels or store.owner or party in ("", *event.parties()):
            scale = event.word_of() if event.rests_on is RestsOn.SCALE else ""
            yield TypedEntry(one.event, WORDS[event.type].format(event), bushels, scale)


def _typed(store: StoreView, party: str) -> Iterator[Footed]:
    """Yield what was typed into a book of one party, or by or about the one named and whom it has contracts with."""
    if store.owner:
        yield from typed_of(store, store.owner)
        return
    about_party = [party, *(one.counterparty for one in store.many(Contract, party))]
    for name in dict.fromkeys(about_party if party else [one.id for one in store.many(Entity, "")]):
        yield from typed_of(store, name)


def _at_stake(store: StoreView, one: Footed, event: Event, party: str) -> int:
    if event.type == "statement":
        mine = store.lots_from(str(getattr(event, "entity", "")), serials.LotState.UNVERIFIED)
        return sum(lot.crop_amount for lot in mine if party in ("", lot.owner))
    if event.type == "sale":
        return sum(ticket.bushels for ticket in getattr(event, "destination", ()))
    resting = (lot for lot in _unverified_by(store, one) if party in ("", lot.owner))
    return sum(lot.crop_amount for lot in resting if one in set(grounds(store, lot)))


@frozen
class SignedEntry:
    """An entry that says that it is signed, or a farm's report that does not say that it was typed in."""

    about: str  # by what its paper is found, ``about_of``
    speaker: str  # whose paper it is
    signed_by: str  # fingerprint of the key; empty where it does not say
    term: str  # what of the paper no leg of a trade is compared by, ``term_of``
    what: str  # in words
    paper: str  # its kind in words
    bushels: int  # that it is about, thousandths


_PAPERS: Final[Mapping[str, str]] = {
    "report": "reports", "slip": "sale slips", "document": "documents", "notice": "notices",
    "statement": "verification statements",
}  # fmt: skip


def signed_entries(store: StoreView, events: Iterable[Posted]) -> Iterator[SignedEntry]:
    """Yield the entries of a book that stand and say that they are signed."""
    for posted in events:
        event, key = posted.event, str(getattr(posted.event, "signed_by", ""))
        if isinstance(event, ShowEvent) and (shown := store.posted(event.movement)):
            event = shown.event
        asked = key or isinstance(event, ReportEvent)
        if not asked or event.type not in _PAPERS or taken_back_by(store, posted):
            continue
        footed = store.one(Footed, about := about_of(event))
        if footed is None or footed.footing.verifies:
            what, bushels = WORDS[event.type].format(event), _bushels_of(store, event)
            speaker, paper = event.word_of(), _PAPERS[event.type]
            yield SignedEntry(about, speaker, key, term_of(event), what, paper, bushels)


def term_of(event: Event) -> str:
    """Return what a paper says besides the bushels that change hands by it, in words that two can be compared by."""
    if isinstance(event, StatementEvent):
        opinion = "favorable" if event.opinion.good else "not favorable"
        days, crops = f"{event.start_day} to {event.end_day}", ", ".join(sorted(event.crops))
        return f"{opinion}, {event.verifier}, {days}, {crops}"
    if isinstance(event, NoticeEvent):
        return term_of_notice(event.reason, event.ci, event.spans)
    return event.weakest.label if isinstance(event, DocumentEvent) else ""


def term_of_notice(reason: NoticeKind, ci: int | None, spans: Iterable[serials.Span]) -> str:
    """Return what a notice says of some serials, as ``term_of`` does."""
    carbon = f", CI {show(ci, CI_SCALE)}" if reason is NoticeKind.WORSE_CI and ci is not None else ""
    return f"{reason}{carbon}: {serials.joined(spans)}"


def _bushels_of(store: StoreView, event: Event) -> int:
    """Return how many bushels an entry is about; a report as many as its slips assign."""
    if isinstance(event, StatementEvent):
        return sum(lot.crop_amount for state in serials.STOCK for lot in store.lots_from(event.entity, state))
    if isinstance(event, ReportEvent):
        known = store.many(serials.Origin, serials.origin_name(event.entity, event.crop, event.harvest_year))
        return sum(serials.length(slip.spans) for one in known for slip in store.many(serials.Slip, one.id))
    if isinstance(event, SlipEvent):
        slip = store.one(serials.Slip, event.id)
        return serials.length(slip.spans) if slip else 0
    return (
        sum(one.bushels for one in event.lines)
        if isinstance(event, DocumentEvent)
        else serials.length(serials.joined(getattr(event, "spans", ())))
    )
