"""STIR over one crop interval: how it builds up pass by pass, and what its sum says of a limit.

The plain reading of interpretations 3 and 10 over a list, for charts and as the oracle of the columns.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from itertools import accumulate

from provender.practices.verdict import Verdict


@dataclass(frozen=True, slots=True)
class IntervalPass:
    """One pass of an interval."""

    day: date | None  # of the pass, or None where it is not recorded
    operation: str  # its name
    recorded: int | None  # STIR by recorded values, whole ten-thousandths, or None where unknown
    published: int | None  # STIR by the list's values, or None


@dataclass(frozen=True, slots=True)
class BuildUp:
    """One point of the build-up."""

    after: IntervalPass  # the pass after which the sum stands
    recorded: int  # known sums so far, whole ten-thousandths
    published: int  # known sums so far, whole ten-thousandths
    unknown: int  # how many passes up to here have no recorded value


def build_up(passes: Iterable[IntervalPass]) -> tuple[BuildUp, ...]:
    """Return the sums after each pass by day, those of one day as given; passes without a day stand last."""
    ordered = sorted(passes, key=lambda one: (one.day is None, one.day or date.min))
    recorded = accumulate(one.recorded or 0 for one in ordered)
    published = accumulate(one.published or 0 for one in ordered)
    unknown = accumulate(int(one.recorded is None) for one in ordered)
    return tuple(BuildUp(*point) for point in zip(ordered, recorded, published, unknown, strict=True))


def within(values: Iterable[int | None], limit: int, *, complete: bool) -> Verdict:
    """Say whether a sum of passes stays within a limit (interpretations 2, 3).

    Known passes above the limit: not met, whatever else is unknown. Otherwise not shown while a pass is unknown or
    the list is not declared complete.
    """
    listed = list(values)
    if sum(value for value in listed if value is not None) > limit:
        return Verdict.NOT_MET
    return Verdict.MET if complete and None not in listed else Verdict.NOT_SHOWN


def interval_within(
    passes: Iterable[IntervalPass], limit: int, *, complete: bool, machine_logged: bool = False
) -> Verdict:
    """Hold an interval against a limit by both readings (interpretation 10).

    Both on one side: that side. On different sides: not shown, unless the machine logged speed and depth of every pass.
    """
    listed = list(passes)
    recorded = within((one.recorded for one in listed), limit, complete=complete)
    if machine_logged:
        return recorded
    published = within((one.published for one in listed), limit, complete=complete)
    return recorded if recorded == published else Verdict.NOT_SHOWN
