"""A binary log summed up by day, in whole numbers: what was covered, and the means and totals of what it measured.

Only the way between two positions is worked out with floats, and rounded at once to whole tenths of a micrometre.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from provender.formats.isoxml.tasks import APPLIED_TOTALS, DEPTHS, MOISTURES, RATES, WIDTHS, WORK_STATES, Ddi, Machine
from provender.formats.isoxml.time_log import Block, Channel

if TYPE_CHECKING:
    from datetime import date

_Whole = NDArray[np.int64]

_LONGEST_STEP_MS: Final = 10_000
"""What lies between two records further apart was not logged."""
_METRES_PER_DEGREE: Final = 111_195
_FASTEST_MM_PER_S: Final = 20_000
_WIDEST_MM: Final = 200_000
"""Wider is no machine, but what a terminal logs for nothing; it also keeps sums of a block within 64 bits."""
TOTALS: Final = frozenset({Ddi.TOTAL_AREA, Ddi.DISTANCE, Ddi.EFFECTIVE_TIME, Ddi.YIELD_MASS, *APPLIED_TOTALS})
_KNOWN: Final = frozenset({*Ddi, *WORK_STATES})
_MEANT: Final = frozenset({*DEPTHS, *RATES, *WIDTHS, *MOISTURES, Ddi.YIELD_MASS_PER_AREA, Ddi.SPEED})
"""What is averaged over the ground that was worked."""
_PER_UM: Final = 10
"""Ways are whole tenths of a micrometre."""
_SMALL: Final = 2**62
_NO_VALUE: Final = 2**31 - 1
_SECTIONS: Final = ("4", "5")
"""Kinds of element that are switched by themselves: sections and units such as nozzles."""
_ONES: Final = 0x55555555
"""The lower bit of each pair of a condensed work state; 01 is on."""


@dataclass(slots=True)
class Mean:
    """A mean over what was worked: values without weight count for nothing."""

    total: int = 0
    weight: int = 0

    @property
    def mean(self) -> Fraction | None:
        """Return it; None where nothing was weighed."""
        return Fraction(self.total, self.weight) if self.weight else None


@dataclass(frozen=True, slots=True)
class Crew:
    """A machine of a log, with what its own channels and those of nobody's own tell of it."""

    machine: Machine | None
    own: frozenset[str]  # its elements
    shared: frozenset[str] = frozenset()  # elements of tractors and of machines that nothing names


@dataclass(slots=True)
class Day:
    """What a log shows of one day."""

    points: int = 0  # records
    worked_ms: int = 0  # time between positions while it worked
    worked_way: int = 0  # way between them, in tenths of a micrometre
    covered: int = 0  # way times width, in tenths of a micrometre times millimetres
    totals: dict[Channel, int] = field(default_factory=dict)  # what counters gained
    # values weighed by what was covered while they held, or by time where nothing tells that
    means: dict[Channel, Mean] = field(default_factory=dict)
    practices: set[int] = field(default_factory=set)  # values of the actual cultural practice

    @classmethod
    def of(cls, parts: Iterable["Day"]) -> "Day":
        whole = cls()
        for part in parts:
            whole.add(part)
        return whole

    def add(self, other: "Day") -> None:
        """Add another part of the same work."""
        self.points += other.points
        self.worked_ms += other.worked_ms
        self.worked_way += other.worked_way
        self.covered += other.covered
        self.practices |= other.practices
        for channel, gained in other.totals.items():
            self.totals[channel] = self.totals.get(channel, 0) + gained
        for channel, mean in other.means.items():
            mine = self.means.setdefault(channel, Mean())
            mine.total += mean.total
            mine.weight += mean.weight

    @property
    def speed_mm_per_s(self) -> Fraction | None:
        """Return the mean speed between positions while it worked; None where it never moved."""
        return Fraction(self.worked_way, self.worked_ms * _PER_UM) if self.worked_ms else None

    def square_metres(self, crew: Crew) -> Fraction:
        """Return the area by the machine's own total, else by way and width."""
        return Fraction(self.total(Ddi.TOTAL_AREA, crew)) or Fraction(self.covered, 10**9 * _PER_UM)

    def total(self, ddi: Ddi, crew: Crew) -> int:
        """Return the largest total of the machine's own elements; of the others, where they have none."""
        for elements in (crew.own, crew.shared):
            totals = [value for (mine, element), value in self.totals.items() if mine == ddi and element in elements]
            if any(totals):
                return max(totals)
        return 0

    def mean(self, ddis: Sequence[Ddi], crew: Crew) -> Fraction | None:
        """Return the largest mean of the first kind that has one, of the machine's own elements before all others."""
        for elements in (crew.own, crew.shared):
            for ddi in ddis:
                means = [
                    each.mean for (mine, element), each in self.means.items() if mine == ddi and element in elements
                ]
                known = [mean for mean in means if mean is not None]
                if known:
                    return max(known)
        return None


@dataclass(slots=True)
class _Held:
    """What a channel states: the value that holds before a block, and those stated in it, each from its record on."""

    now: int | None = None
    records: _Whole = field(default_factory=lambda: np.zeros(0, np.int64))
    values: _Whole = field(default_factory=lambda: np.zeros(0, np.int64))

    @property
    def series(self) -> _Whole:
        """Return the value before the block (0 for none), then those stated in it."""
        return np.concatenate((np.array([self.now or 0], np.int64), self.values))

    def stated_before(self, count: int) -> _Whole:
        """Return how many values of the block were stated before each of its records."""
        stated = np.cumsum(np.bincount(self.records, minlength=count))
        return np.concatenate((np.zeros(1, np.int64), stated[:-1]))

    def before_each(self, count: int) -> _Whole:
        """Return the value that held just before each of a block's records."""
        return self.series[self.stated_before(count)]


class LogSum:
    """The work of one machine in a log, summed up by day. A value holds until the log states another.

    Attributes:
        days: what was worked on each day in each of the parts that the borders make.
    """

    def __init__(self, channels: Sequence[Channel], crew: Crew, borders: Sequence[int] = ()) -> None:
        self.days: dict[tuple[date, int], Day] = {}
        self._crew = crew
        self._borders = np.array(borders, np.int64)
        mine = crew.own | crew.shared
        known = [each for each in dict.fromkeys(channels) if each[0] in _KNOWN]
        known = [each for each in known if each[1] in mine or each[0] in WORK_STATES]
        self._held = {channel: _Held() for channel in known}
        places = [known.index(each) if each in self._held else -1 for each in channels]
        self._place = np.array([*places, *([-1] * (256 - len(places)))], np.int64)
        states = [each for each in known if each[0] in WORK_STATES]
        parts = ([each for each in states if each[1] in part] for part in (crew.own, mine))
        self._states = next(filter(None, parts), states)
        self._last: Block | None = None
        self._last_part = 0

    def run(self, blocks: Iterable[Block]) -> None:
        for block in blocks:
            self._take(block)
            self._last = block

    def _take(self, block: Block) -> None:
        if self._last is None or self._last.day != block.day:
            self._last = None
        self._state(block)
        part = np.searchsorted(self._borders, block.moments, "right")
        # The stretch that ends at a record belongs to the part in which it began.
        began = np.concatenate((part[:1] if self._last is None else np.array([self._last_part]), part[:-1]))
        self._last_part = int(part[-1])
        for one in np.unique(np.concatenate((part, began))).tolist():
            day = self.days.setdefault((block.date, one), Day())
            day.points += int((part == one).sum())
            self._sum(block, day, began == one)
        for held in self._held.values():
            if len(held.values):
                held.now = int(held.values[-1])

    def _sum(self, block: Block, day: Day, here: NDArray[np.bool_]) -> None:
        worked = np.cumsum(self._steps(block, day, here))
        for channel, held in self._held.items():
            ddi = channel[0]
            if ddi in TOTALS and len(held.values):
                first = int(held.now is None)
                gained = np.diff(held.series)[first:].clip(0) * here[held.records[first:]]
                day.totals[channel] = day.totals.get(channel, 0) + int(gained.sum())
            elif ddi in _MEANT:
                _weigh(day, channel, held, worked)
            elif ddi == Ddi.CULTURAL_PRACTICE:
                new = (np.diff(held.series) != 0) | (held.now is None)
                day.practices |= set(held.values[new & here[held.records]].tolist())

    def _state(self, block: Block) -> None:
        """Sort what a block states by channel."""
        place = self._place[block.channel]
        order = np.argsort(place, kind="stable")
        cuts = np.searchsorted(place[order], np.arange(len(self._held) + 1))
        for at, held in enumerate(self._held.values()):
            mine = order[cuts[at] : cuts[at + 1]]
            held.records, held.values = block.record[mine], block.value[mine]

    def _steps(self, block: Block, day: Day, here: NDArray[np.bool_]) -> _Whole:
        """Count the stretch that ends at each record with the values that held on it; return what each weighs."""
        count = len(block.milliseconds)
        clock, north, east, fix = _behind(self._last, block)
        step = np.diff(clock)
        moved = _ways(north, east)
        counts = here & self._works(count) & (step > 0) & (step <= _LONGEST_STEP_MS)
        by_place = fix[1:] & fix[:-1] & (moved <= _FASTEST_MM_PER_S * step * _PER_UM)
        speed = self._largest((Ddi.SPEED,), count, _FASTEST_MM_PER_S)
        way = np.where(counts, np.where(by_place, moved, speed * step * _PER_UM), 0)
        drove = counts & by_place & (moved > 0)
        day.worked_way += int(moved[drove].sum())
        day.worked_ms += int(step[drove].sum())
        covered = way * self._largest(WIDTHS, count, _WIDEST_MM)
        day.covered += int(covered.sum())
        # Square metres in 10^-10, or seconds in 10^-10 where no way or no width is known.
        return np.where(covered > 0, covered, np.where(counts, step * 10**6 * _PER_UM, 0))

    def _works(self, count: int) -> NDArray[np.bool_]:
        """Return whether any part of the machine works on the stretch to each record.

        Sections work where what they are part of does too; where they are logged, they tell.
        """
        if not self._states:
            return np.ones(count, np.bool_)
        works = np.zeros(count, np.bool_)
        above = {each: self._above(each) for each in self._states}
        switched = {over for each, overs in above.items() if self._is_section(each) for over in overs}
        for each, overs in above.items():
            if each not in switched:
                on, _ = self._is_on(each, count)
                for over in overs if self._is_section(each) else ():
                    is_on, is_told = self._is_on(over, count)
                    on &= is_on | ~is_told
                works |= on
        return works

    def _is_section(self, channel: Channel) -> bool:
        machine = self._crew.machine
        kind = machine.kinds.get(channel[1], "") if machine else ""
        return channel[0] != Ddi.WORK_STATE or kind in _SECTIONS

    def _above(self, channel: Channel) -> list[Channel]:
        """Return the states of what an element is part of; of the element itself, for the sections that it sums up."""
        machine = self._crew.machine
        over = machine.above(channel[1]) if machine else ()
        held = [channel[1], *over] if channel[0] != Ddi.WORK_STATE else over
        return [each for each in self._states if each[0] == Ddi.WORK_STATE and each[1] in held]

    def _is_on(self, channel: Channel, count: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Return whether a state was on just before each record, and whether it was told by then."""
        held = self._held[channel]
        state = held.before_each(count)
        # A condensed state holds sixteen sections, two bits each.
        on = state == 1 if channel[0] == Ddi.WORK_STATE else (state & ~(state >> 1) & _ONES) != 0
        return on, (held.stated_before(count) > 0) | (held.now is not None)

    def _largest(self, ddis: Sequence[Ddi], count: int, most: int) -> _Whole:
        """Return the largest value of the first kind that has one: a whole implement is wider than its sections."""
        found = np.zeros(count, np.int64)
        for elements in (self._crew.own, self._crew.shared):
            for ddi in ddis:
                best = np.zeros(count, np.int64)
                for (mine, element), held in self._held.items():
                    if mine == ddi and element in elements:
                        best = np.maximum(best, held.before_each(count))
                found = np.where(found > 0, found, best)
        return np.where(found <= most, found, 0)


def _behind(last: Block | None, block: Block) -> tuple[_Whole, _Whole, _Whole, NDArray[np.bool_]]:
    """Return clock, north, east and fix behind the last record before; behind the first itself where a day begins."""
    before, at = (block, slice(0, 1)) if last is None else (last, slice(-1, None))
    return (
        np.concatenate((before.milliseconds[at], block.milliseconds)),
        np.concatenate((before.north[at], block.north)),
        np.concatenate((before.east[at], block.east)),
        np.concatenate((before.fix[at], block.fix)),
    )


def _ways(north: _Whole, east: _Whole) -> _Whole:
    """Return how far positions lie apart, each from the one before. Steps are short: the ground is flat on them."""
    up = np.diff(north) / 1e7 * _METRES_PER_DEGREE
    cosine = np.cos(np.radians(north[1:] / 1e7))
    along = np.diff(east) / 1e7 * _METRES_PER_DEGREE * cosine
    ways: _Whole = np.rint(np.hypot(up, along) * 10**6 * _PER_UM).astype(np.int64)
    return ways


def _weigh(day: Day, channel: Channel, held: _Held, worked: _Whole) -> None:
    edges = np.concatenate((np.zeros(1, np.int64), worked[held.records], worked[-1:]))
    series, weights = held.series, np.diff(edges)
    counts = (series > 0) & (series < _NO_VALUE) & (weights > 0)
    if not counts.any():
        return
    series, weights = series[counts], weights[counts]
    whole = int(weights.sum())
    mean = day.means.setdefault(channel, Mean())
    mean.weight += whole
    if int(series.max()) * whole < _SMALL:
        mean.total += int(series @ weights)
    else:
        mean.total += sum(value * weight for value, weight in zip(series.tolist(), weights.tolist(), strict=True))
