"""A report that got worse, and who sold its bushels on afterwards without having it in its book (interpretation 35)."""

from collections import defaultdict
from collections.abc import Iterator
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from provender.custody.events.changed_report import NoticeKind
from provender.custody.reconcile.discrepancies import Discrepancy, DiscrepancyKind
from provender.custody.reconcile.legs import Leg
from provender.quantity import show

if TYPE_CHECKING:
    from provender.custody.reconcile.books import Gathered


class Change(NamedTuple):
    """What one file knows of a report: that it was withdrawn, suspended, in force again, or has a worse intensity."""

    source: int
    day: date
    kind: NoticeKind
    ci: int = 0


_SAID = {
    NoticeKind.WITHDRAWN: "withdrawn",
    NoticeKind.SUSPENDED: "suspended",
    NoticeKind.WORSE_CI: "given a worse carbon intensity",
}


def sold_on(gathered: "Gathered") -> Iterator[Discrepancy]:
    """Yield what somebody sold after a change of its report that its own book does not have and another's has."""
    changes = _changes(gathered)
    reported = {(source, origin) for source, _, origin in gathered.reports}
    sold: dict[tuple[str, str, NoticeKind, int, Change], int] = defaultdict(int)
    for (giver, _, _), legs in gathered.legs.items():
        for source, leg in legs.items():
            if giver in gathered.owners[source]:
                for origin, change, bushels in _unknown(source, leg, changes):
                    # Of a worse intensity only who has the report itself is held to its versions: others are told.
                    if change.kind is NoticeKind.WORSE_CI and (source, origin) not in reported:
                        continue
                    sold[origin, giver, change.kind, source, change] += bushels
    for (origin, giver, kind, source, change), bushels in sorted(sold.items()):
        said = f"{giver} sold {show(bushels)} bu on after its report was {_SAID[kind]} on {change.day}: "
        said += f"{gathered.names[source]} does not have that and {gathered.names[change.source]} has."
        yield Discrepancy(DiscrepancyKind.ORIGIN_DIFFERS, bushels, f"{origin}: {said}")


def _changes(gathered: "Gathered") -> dict[str, list[Change]]:
    """Return what files know of each report, later versions included, in the order of their days."""
    found: dict[str, list[Change]] = defaultdict(list)
    for source, origin, day, kind, ci in gathered.changes:
        found[origin].append(Change(source, day, kind, ci))
    for source, report, origin in gathered.reports:
        if report.version > 1:
            found[origin].append(Change(source, report.made_on, NoticeKind.WORSE_CI, report.ci))
    return {
        origin: sorted(changes, key=lambda one: (one.day, one.kind, one.source)) for origin, changes in found.items()
    }


def _unknown(source: int, leg: Leg, changes: dict[str, list[Change]]) -> Iterator[tuple[str, Change, int]]:
    for part in leg.parts:
        known = changes.get(part.origin, ())
        before = [one for one in known if one.day < leg.day]
        mine = {one.kind for one in known if one.source == source}
        last = {one.kind: one for one in before if one.kind not in mine}
        worse, resting = last.get(NoticeKind.WORSE_CI), last.get(NoticeKind.SUSPENDED)
        again = next((one for one in reversed(before) if one.kind is NoticeKind.REINSTATED), None)
        if resting and again and again.day >= resting.day:
            resting = None
        bad = [last.get(NoticeKind.WITHDRAWN), resting, worse if worse and part.crop and part.ci < worse.ci else None]
        for one in bad:
            if one:
                yield part.origin, one, part.stop - part.start
