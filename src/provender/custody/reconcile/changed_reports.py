"""A report that got worse, and who sold its bushels on afterwards without having it in its book (interpretation 35)."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import pairwise
from typing import NamedTuple

from provender.custody.events.changed_report import NoticeKind
from provender.custody.model.lots import Span, length, subtract_spans
from provender.custody.reconcile.discrepancies import Discrepancy, DiscrepancyKind
from provender.custody.reconcile.gathered import Gathered
from provender.custody.reconcile.legs import Leg, LegPart
from provender.quantity import show


class Change(NamedTuple):
    """What one file knows of a report: that it was withdrawn, suspended, in force again, or has a worse intensity.

    Of a notice only the serials that it names are changed; where there are none, all of the report. It counts from its
    day on, and is held against nobody up to the day before which no book had it.
    """

    source: int
    day: date
    entered: date
    kind: NoticeKind
    ci: int = 0
    spans: tuple[Span, ...] = ()

    def of(self, part: LegPart) -> int:
        """Return how many of some bushels it changes, in thousandths."""
        whole = [(part.start, part.stop)]
        return length(whole) - (length(subtract_spans(whole, self.spans)) if self.spans else 0)


_SAID = {
    NoticeKind.WITHDRAWN: "withdrawn",
    NoticeKind.SUSPENDED: "suspended",
    NoticeKind.WORSE_CI: "given a worse carbon intensity",
}
_RESTING = frozenset({NoticeKind.SUSPENDED, NoticeKind.REINSTATED})


def sold_on(gathered: Gathered) -> Iterator[Discrepancy]:
    """Yield what was sold or retired after a change of its report that the book does not have and another's has."""
    changes = _changes(gathered)
    reported = {(source, origin) for source, _, origin in gathered.reports}
    sold: dict[tuple[str, str, str, NoticeKind, int, Change, bool], int] = defaultdict(int)
    for giver, did, source, leg in _given(gathered) if changes else ():
        for origin, change, bushels in _unknown(source, leg, changes):
            # Of a worse intensity only who has the report itself is held to its versions: others are told.
            if change.kind is NoticeKind.WORSE_CI and (source, origin) not in reported:
                continue
            sold[origin, giver, did, change.kind, source, change, leg.day <= change.entered] += bushels
    for (origin, giver, did, kind, source, change, before), bushels in sorted(sold.items()):
        done = f"{origin}: {giver} {did.format(bushels=show(bushels))}"
        if before:
            changed = f"its report was {_SAID[kind]} as of {change.day}"
            yield _in_good_faith(gathered, done, changed, change, bushels)
            continue
        said = f"{done} after its report was {_SAID[kind]} on {change.day}: "
        said += f"{gathered.names[source]} does not have that and {gathered.names[change.source]} has."
        yield Discrepancy(DiscrepancyKind.ORIGIN_DIFFERS, bushels, said)
    yield from _sold_of_fewer(gathered)


def _in_good_faith(gathered: Gathered, done: str, changed: str, change: "Change | Fewer", bushels: int) -> Discrepancy:
    """Return what is said of bushels that were given away before anybody had the change (interpretation 35)."""
    has = f"{gathered.names[change.source]} has that behind entries of {change.entered}"
    said = f"{done} before {changed}: {has}, so it was in good faith. Tell those who have them now."
    return Discrepancy(DiscrepancyKind.CHANGED_LATER, bushels, said)


def _given(gathered: Gathered) -> Iterator[tuple[str, str, int, Leg]]:
    """Yield what each party's own book says it sold or retired, with that in words."""
    for word, trades in (("sold {bushels} bu on", gathered.legs), ("retired {bushels} bu", gathered.retired)):
        for (giver, *_), legs in trades.items():
            yield from ((giver, word, source, leg) for source, leg in legs.items() if giver in gathered.owners[source])


class Fewer(NamedTuple):
    """A version of a report with fewer bushels than the one before: how many, and which serials bear them by a book."""

    source: int
    version: int
    day: date
    entered: date
    missing: int
    lost: tuple[Span, ...] | None


def _sold_of_fewer(gathered: Gathered) -> Iterator[Discrepancy]:
    """Yield what was sold or retired by books that have a report, but not its later version with fewer bushels.

    Where a book has the later version, it says which serials bear what is missing, and nothing is said of others. By
    the report alone nobody knows who bears it, and it is the fault of none.
    """
    fewer, known = _fewer(gathered), defaultdict[tuple[int, str], int](int)
    for source, report, origin in gathered.reports:
        known[source, origin] = max(known[source, origin], report.version)
    sold: dict[tuple[str, str, str, int, Fewer, bool], int] = defaultdict(int)
    for giver, did, source, leg in _given(gathered) if fewer else ():
        for part in leg.parts:
            if (have := known.get((source, part.origin))) is None:
                continue
            new = [one for one in fewer.get(part.origin, ()) if one.version > have and one.day < leg.day]
            shown = [one for one in new if one.lost is not None]
            for one in shown or new[:1]:
                left = [] if one.lost is None else subtract_spans([(part.start, part.stop)], one.lost)
                if over := part.stop - part.start - length(left):
                    sold[part.origin, giver, did, source, one, leg.day <= one.entered] += over
    for (origin, giver, did, source, one, before), bushels in sorted(sold.items()):
        done = f"{origin}: {giver} {did.format(bushels=show(bushels))}"
        version = f"version {one.version} of its report of {one.day} had {show(one.missing, group=True)} bu fewer"
        if before and one.lost is not None:
            yield _in_good_faith(gathered, done, version, one, bushels)
            continue
        said = f"{done} after {version}: "
        said += f"{gathered.names[source]} does not have that and {gathered.names[one.source]} has"
        if one.lost is None:
            stake, more = min(bushels, one.missing), "; settle by the order of interpretation 35 who bears them."
            yield Discrepancy(DiscrepancyKind.SHORTFALL_DIFFERS, stake, said + more)
        else:
            yield Discrepancy(DiscrepancyKind.ORIGIN_DIFFERS, bushels, said + ".")


def _fewer(gathered: Gathered) -> dict[str, list[Fewer]]:
    """Return by origin the versions with fewer bushels than the one before, the earliest first."""
    found: dict[str, list[Fewer]] = defaultdict(list)
    bushels: dict[str, dict[int, int]] = defaultdict(dict)
    for _, report, origin in gathered.reports:
        bushels[origin].setdefault(report.version, report.bushels)
    for source, report, origin in gathered.reports:
        before = [number for number in bushels[origin] if number < report.version]
        missing = bushels[origin][max(before)] - report.bushels if before else 0
        if missing > 0:
            lost = gathered.lost.get((source, origin, report.version))
            day = report.made_on
            entered = gathered.entered.get((source, origin, report.version), day)
            found[origin].append(Fewer(source, report.version, day, entered, missing, lost))
    return {
        origin: sorted(those, key=lambda one: (one.day, one.version, one.source)) for origin, those in found.items()
    }


def _changes(gathered: Gathered) -> dict[str, list[Change]]:
    """Return what files know of each report, later versions included, in the order of their days."""
    found: dict[str, list[Change]] = defaultdict(list)
    for source, origin, day, entered, kind, ci, spans in gathered.changes:
        found[origin].append(Change(source, day, entered, kind, ci, spans))
    for source, report, origin in gathered.reports:
        if report.version > 1:
            day = report.made_on
            entered = gathered.entered.get((source, origin, report.version), day)
            found[origin].append(Change(source, day, entered, NoticeKind.WORSE_CI, report.ci))
    return {
        origin: sorted(changes, key=lambda one: (one.day, one.kind, one.source)) for origin, changes in found.items()
    }


def _unknown(source: int, leg: Leg, changes: dict[str, list[Change]]) -> Iterator[tuple[str, Change, int]]:
    for part in leg.parts:
        known = [one for one in changes.get(part.origin, ()) if one.of(part)]
        before = [one for one in known if one.day < leg.day]
        again = next((one for one in reversed(before) if one.kind is NoticeKind.REINSTATED), None)
        last = {one.kind: one for one in before if not _has(source, one, known)}
        # Of several that tell of one kind of change, one that was there in time is the one that counts.
        timely = {one.kind: one for one in before if one.kind in last and one.entered < leg.day}
        for kind, latest in last.items():
            for one in (timely.get(kind, latest), latest):
                if _is_bad(one, part, again):
                    yield part.origin, one, one.of(part)
                    break


def _has(source: int, one: Change, known: Sequence[Change]) -> bool:
    """Tell whether a book has a change that another tells of, under whatever day and number.

    It may have one of the kind and not have the next: a worse intensity than those it has, or a report suspended once
    more. A notice has the day on which it came, which is no day of the change: those are counted, as often as reports
    rested in a book.
    """
    mine = [each for each in known if (each.source, each.kind) == (source, one.kind)]
    if not mine:
        return False
    if one.kind is NoticeKind.WORSE_CI:
        return max(each.ci for each in mine) >= one.ci
    if one.kind is not NoticeKind.SUSPENDED:
        return True
    if not one.spans:
        return max(each.day for each in mine) >= one.day
    return _rests(source, known) >= _rests(one.source, known[: known.index(one) + 1])


def _rests(source: int, known: Sequence[Change]) -> int:
    """Return how often a report was suspended in a book while it was in force there."""
    standing = [each.kind for each in known if each.source == source and each.kind in _RESTING]
    suspended = NoticeKind.SUSPENDED
    return sum(now is suspended and before is not suspended for before, now in pairwise([None, *standing]))


def _is_bad(one: Change, part: LegPart, again: Change | None) -> bool:
    """Tell whether a change keeps bushels from being sold as they were, given when their report was in force again."""
    if one.kind is NoticeKind.SUSPENDED:
        return again is None or again.day < one.day
    return one.kind is NoticeKind.WITHDRAWN or (
        one.kind is NoticeKind.WORSE_CI and bool(part.crop) and part.ci < one.ci
    )
