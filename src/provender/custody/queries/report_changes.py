"""What a holder is told of changed reports: which report, its new state, how many bushels (interpretation 35)."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Final

from provender.custody.events.changed_report import Notice
from provender.custody.model.entities import Contract, Entity
from provender.custody.model.origins import Origin, OriginKind
from provender.custody.model.store_view import StoreView

SHORT: Final = 12
"""Characters of a blinded origin that are shown: enough to find it among others."""


@dataclass(frozen=True, slots=True)
class ReportChange:
    """One change of one report, as far as one holder's bushels go.

    Attributes:
        event: the entry that changed it.
        day: of the change.
        report: which report, in words; the farm is named only to those who deal with it (interpretation 45).
        said: what changed, in a sentence.
        bushels: of the holder that it concerns, thousandths of a bushel of crop.
    """

    event: str
    day: date
    report: str
    said: str
    bushels: int


def event_of(notice: Notice) -> str:
    """Return the entry from which a notice comes."""
    return notice.number.rpartition("/notice/")[0]


def may_name(facts: StoreView, holder: str, origin: Origin) -> bool:
    """Tell whether a holder may be told whose report it is: it has a contract with the farm, or bought from it."""
    if holder == origin.issuer or any(one.counterparty == origin.issuer for one in facts.many(Contract, holder)):
        return True
    lots = facts.lots_at(origin.id, *origin.span)
    return any(lot.supplier == origin.issuer for lot in lots if holder in (lot.owner, lot.custodian))


def report_changes(facts: StoreView, holder: str) -> Iterator[ReportChange]:
    """Gather a holder's notices by entry and by what they say, in the order in which they were stated."""
    found: dict[tuple[str, date, str, str], int] = {}
    for one in facts.many(Notice, holder):
        place = event_of(one), one.day, one.origin, one.said
        found[place] = found.get(place, 0) + one.stop - one.start
    for (event, day, origin, said), bushels in found.items():
        yield ReportChange(event, day, _report(facts, holder, origin), said, bushels)


def _report(facts: StoreView, holder: str, name: str) -> str:
    origin = facts.one(Origin, name)
    if origin is None:
        return f"Report behind the serials of {name[:SHORT]}…"
    what = f"{origin.crop.capitalize()} {origin.harvest_year}"
    if origin.source is not OriginKind.REPORT or not may_name(facts, holder, origin):
        return f"{what} report behind the serials of {origin.id[:SHORT]}…"
    farm = facts.one(Entity, origin.issuer)
    return f"{what} report of {farm.name if farm else origin.issuer}"
