"""What shows an entry that was typed: the signed paper that came later, or a file put on record (interpretation 87)."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, ClassVar, Final

from provender.custody.events import rules
from provender.custody.events.footing import FileOnRecord, Footed, about_of, footing_of, grounds, typed_of
from provender.custody.events.parties import verified
from provender.custody.model.entities import Entity
from provender.custody.model.event import Event, PaperEvent, Party, Refusal, Status, event
from provender.custody.model.footing import Footing, RestsOn
from provender.custody.model.lots import SPAN_MAX, Lot, LotState, whole
from provender.custody.model.store_view import Decision, StoreView
from provender.problem import counted
from provender.schema import Name, Text, field

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
