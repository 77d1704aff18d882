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
from provender.custody.events.parties import StatementEvent, verified
from provender.custody.events.reports import NoticeKind, ReportEvent
from provender.custody.model.entities import Contract, Entity
from provender.custody.model.event import Event, Footing, PaperEvent, Party, Refusal, RestsOn, Status, event
from provender.custody.model.lots import (
    SPAN_MAX,
    STOCK,
    Lot,
    LotState,
    Origin,
    Slip,
    Span,
    joined,
    length,
    origin_name,
    whole,
)
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


def decide_show(facts: StoreView, request: ShowEvent) -> Decision:
    """Take an entry as shown, and cure what is held unverified for its sake alone."""
    posted = facts.posted(request.movement)
    if posted is None:
        raise Refusal(Status.RECORD_NOT_FOUND, f"There is no event {request.movement!r}.")
    known = facts.one(Footed, about_of(posted.request))
    same = known is not None and known.event == posted.request.id
    rules.require(same, Status.ALREADY_ANSWERED, f"{request.movement} needs no paper, or another entry has it.")
    changes: dict[str, Any] = {"signed_by": request.signed_by}
    found = footing_of(facts, replace(posted.request, **changes))
    said = f"No contract pins the key {request.signed_by} to whom {request.movement} is of."
    rules.require(found is not Footing.TYPED, Status.PAPER_NOT_SHOWN, said)
    return _shown(facts, request, [replace(known, footing=found, paper=request.report)] if known else [])


@event("file", RestsOn.FILE, everyone=True)
class FileEvent(Event):
    """Puts a file on record, such as a verifier's PDF or the evidence of opening stock. Only the program enters it."""

    by_program: ClassVar[frozenset[str]] = frozenset({"sha256"})
    entity: Name = field("Entity", help="Who has the file.", party=Party.ENTERS)
    sha256: Name = field("Hash", help="SHA-256 of the file.")
    name: Text = field("File name", help="What it is called.")


def decide_file(facts: StoreView, request: FileEvent) -> Decision:
    """Note a file, and take what was typed from it before as on file."""
    rules.entity_of(facts, request.entity)
    whole_hash = len(request.sha256) == SHA256 and not set(request.sha256) - set("0123456789abcdef")
    rules.require(whole_hash, Status.FIELD_UNREADABLE, "sha256: a hash has 64 digits.")
    on_record = FileOnRecord(request.sha256, request.name, request.entity)
    found = []
    for one in typed_of(facts, facts.owner or request.entity):
        posted = facts.posted(one.event) if one.paper == request.sha256 else None
        # A statement that is typed states nothing: it is entered again, now that its file is on record.
        again = posted is None or posted.request.type == "statement"
        footing = Footing.TYPED if again or not posted else footing_of(facts, posted.request, file=request.sha256)
        found += [replace(one, footing=footing)] if footing is not Footing.TYPED else []
    return _shown(facts, request, found, on_record)


def _shown(facts: StoreView, request: Event, shown: list[Footed], *records: FileOnRecord) -> Decision:
    """Return what is written when typed entries are shown: their footing, and the lots that are cured by it."""
    draft = rules.MovementDraft(request)
    draft.state(*records, *shown)
    about = {one.about for one in shown}
    lots = {lot.id: lot for one in shown for lot in unverified_by(facts, one)}
    cured = [lot for lot in lots.values() if _is_sure(facts, lot, about)]
    draft.alter_each([(whole(lot), {"state": LotState.HELD, "since": max(lot.since, request.day)}) for lot in cured])
    said = f"It cures {counted(len(cured), 'lot')} held unverified." if cured else ""
    return draft.outcome(said)


def unverified_by(facts: StoreView, one: Footed) -> Iterator[Lot]:
    """Yield the lots held unverified of the origins that an entry is about."""
    posted = facts.posted(one.event)
    origins = {lot.origin for lot in facts.lots_by(one.event)} | {str(getattr(posted and posted.request, "origin", ""))}
    for origin in sorted(origins - {""}):
        yield from (lot for lot in facts.lots_at(origin, 0, SPAN_MAX) if lot.state is LotState.UNVERIFIED)


def _is_sure(facts: StoreView, lot: Lot, shown: set[str]) -> bool:
    """Tell whether nothing but some entries, which are shown now, kept a lot unverified."""
    supplier = facts.one(Entity, lot.supplier) if lot.supplier else None
    if supplier is not None and supplier.keeps_balance and not verified(facts, supplier, lot.titled, lot.crop):
        return False
    return all(one.footing.verifies or one.about in shown for one in grounds(facts, lot))


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


def typed_entries(facts: StoreView, party: str = "") -> Iterator[TypedEntry]:
    """Yield the typed entries of a book that stand, or those that name a party with what rests on them in its stock."""
    for one in _typed(facts, party):
        posted = facts.posted(one.event)
        if posted is None or taken_back_by(facts, posted):
            continue
        request = posted.request
        bushels = _at_stake(facts, one, request, party or facts.owner)
        if bushels or facts.owner or party in ("", *request.parties()):
            scale = request.word_of() if request.rests_on is RestsOn.SCALE else ""
            yield TypedEntry(one.event, WORDS[request.type].format(request), bushels, scale)


def _typed(facts: StoreView, party: str) -> Iterator[Footed]:
    """Yield what was typed into a book of one party, or by or about the one named and whom it has contracts with."""
    if facts.owner:
        yield from typed_of(facts, facts.owner)
        return
    about_party = [party, *(one.counterparty for one in facts.many(Contract, party))]
    for name in dict.fromkeys(about_party if party else [one.id for one in facts.many(Entity, "")]):
        yield from typed_of(facts, name)


def _at_stake(facts: StoreView, one: Footed, request: Event, party: str) -> int:
    if request.type == "statement":
        mine = facts.lots_from(str(getattr(request, "entity", "")), LotState.UNVERIFIED)
        return sum(lot.crop_amount for lot in mine if party in ("", lot.owner))
    if request.type == "sale":
        return sum(ticket.bushels for ticket in getattr(request, "destination", ()))
    resting = (lot for lot in unverified_by(facts, one) if party in ("", lot.owner))
    return sum(lot.crop_amount for lot in resting if one in set(grounds(facts, lot)))


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


def signed_entries(facts: StoreView, events: Iterable[Posted]) -> Iterator[SignedEntry]:
    """Yield the entries of a book that stand and say that they are signed."""
    for posted in events:
        request, key = posted.request, str(getattr(posted.request, "signed_by", ""))
        if isinstance(request, ShowEvent) and (shown := facts.posted(request.movement)):
            request = shown.request
        asked = key or isinstance(request, ReportEvent)
        if not asked or request.type not in _PAPERS or taken_back_by(facts, posted):
            continue
        footed = facts.one(Footed, about := about_of(request))
        if footed is None or footed.footing.verifies:
            what, bushels = WORDS[request.type].format(request), _bushels_of(facts, request)
            speaker, paper = request.word_of(), _PAPERS[request.type]
            yield SignedEntry(about, speaker, key, term_of(request), what, paper, bushels)


def term_of(request: Event) -> str:
    """Return what a paper says besides the bushels that change hands by it, in words that two can be compared by."""
    if isinstance(request, StatementEvent):
        opinion = "favorable" if request.opinion.good else "not favorable"
        days, crops = f"{request.start_day} to {request.end_day}", ", ".join(sorted(request.crops))
        return f"{opinion}, {request.verifier}, {days}, {crops}"
    if isinstance(request, NoticeEvent):
        return term_of_notice(request.reason, request.ci, request.spans)
    return request.weakest.label if isinstance(request, DocumentEvent) else ""


def term_of_notice(reason: NoticeKind, ci: int | None, spans: Iterable[Span]) -> str:
    """Return what a notice says of some serials, as ``term_of`` does."""
    carbon = f", CI {show(ci, CI_SCALE)}" if reason is NoticeKind.WORSE_CI and ci is not None else ""
    return f"{reason}{carbon}: {joined(spans)}"


def _bushels_of(facts: StoreView, request: Event) -> int:
    """Return how many bushels an entry is about; a report as many as its slips assign."""
    if isinstance(request, StatementEvent):
        return sum(lot.crop_amount for state in STOCK for lot in facts.lots_from(request.entity, state))
    if isinstance(request, ReportEvent):
        known = facts.many(Origin, origin_name(request.entity, request.crop, request.harvest_year))
        return sum(length(slip.spans) for one in known for slip in facts.many(Slip, one.id))
    if isinstance(request, SlipEvent):
        slip = facts.one(Slip, request.id)
        return length(slip.spans) if slip else 0
    return (
        sum(one.bushels for one in request.lines)
        if isinstance(request, DocumentEvent)
        else length(joined(getattr(request, "spans", ())))
    )
