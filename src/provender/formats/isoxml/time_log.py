"""Binary time logs of ISO 11783-10, annex D: records whose layout the small XML file beside them tells.

A record is the time of day, then what the XML leaves open of a position, then the values that changed. A value holds
until it changes, so the last one is carried forward. Numbers are little-endian.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from provender.formats.isoxml.tasks import DEPTHS, MOISTURES, RATES, WIDTHS, Ddi

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element


EPOCH: Final = date(1980, 1, 1)
DAY_MS: Final = 86_400_000
_POSITION: Final = {
    "A": "<i4",
    "B": "<i4",
    "C": "<i4",
    "D": "u1",
    "E": "<u2",
    "F": "<u2",
    "G": "u1",
    "H": "<u4",
    "I": "<u2",
}
"""North, east, up, status, PDOP, HDOP, satellites, GPS time, GPS day."""
_NO_FIX: Final = (0, 15)
_NORTH: Final = 900_000_000
_EAST: Final = 1_800_000_000
_VALUE_BYTES: Final = 5
"""Of a stated value: one for the place of its channel, four for the value."""
MOST_AT_ONCE: Final = 10_000
"""Records of a block: it bounds memory and what sums of whole numbers can reach."""

Channel = tuple[int, str]
"""What is measured (number of the data dictionary) and the device element that measures it."""


@dataclass(frozen=True, slots=True)
class Layout:
    """How the records of a log are laid out."""

    position: tuple[str, ...]  # fields of the position that stand in each record, in their order
    channels: tuple[Channel, ...]  # what the indexes of values mean


@dataclass(frozen=True, slots=True)
class Block:
    """Records of one day that follow each other, as columns of whole numbers."""

    day: int  # days since 1980-01-01, by the terminal's clock
    milliseconds: NDArray[np.int64]  # of the day, one a record
    north: NDArray[np.int64]  # ten millionths of a degree, one a record; they mean something only where there is a fix
    east: NDArray[np.int64]  # ten millionths of a degree, one a record; they mean something only where there is a fix
    fix: NDArray[np.bool_]  # whether a record has a position
    record: NDArray[np.int64]  # of each value that is stated, the place of its record in the block, in order
    channel: NDArray[np.int64]  # of each, its place in the layout
    value: NDArray[np.int64]  # of each, as logged

    @property
    def date(self) -> date:
        """Return the day by the terminal's clock."""
        return EPOCH + timedelta(self.day)


class DamagedLogError(Exception):
    """A log ends within a record, or its header tells no layout.

    Attributes:
        records: how many sound records stand before.
    """

    def __init__(self, cause: str, records: int = 0) -> None:
        super().__init__(cause)
        self.records = records


def layout_of(root: "Element") -> Layout:
    """Return the layout that the XML beside a log tells.

    Raises:
        DamagedLogError: the XML is no header of a log.
    """
    header = root if root.tag == "TIM" else root.find(".//TIM")
    if header is None or "A" not in header.attrib:
        raise DamagedLogError("the XML beside it tells no layout")
    position = header.find("PTN")
    open_fields = tuple(name for name in _POSITION if position is not None and position.get(name) == "")
    channels = tuple((_number(each.get("A", "")), each.get("C", "")) for each in header.findall("DLV"))
    return Layout(open_fields, channels)


def _number(hexadecimal: str) -> int:
    try:
        return int(hexadecimal, 16)
    except ValueError:
        return -1


def blocks(content: bytes, layout: Layout) -> Iterator[Block]:
    """Yield the records of a log in the order of the file.

    Raises:
        DamagedLogError: the log ends within a record; the sound ones before it were yielded.
    """
    head = np.dtype(
        [("A", "<u4"), ("day", "<u2"), *((f"P{n}", _POSITION[n]) for n in layout.position), ("count", "u1")]
    )
    raw = np.frombuffer(content, np.uint8)
    at, done = 0, 0
    while at < len(content):
        starts, at = _starts(content, at, head.itemsize)
        if starts:
            yield from _by_day(raw, np.array(starts, np.int64), head)
        done += len(starts)
        if at > len(content):
            raise DamagedLogError(f"it ends within record {done + 1}", done)


def _starts(content: bytes, at: int, head: int) -> tuple[list[int], int]:
    """Return where the next records begin, and where the one after them does: past the end if the last is cut short."""
    sizes = [head + _VALUE_BYTES * count for count in range(256)]
    size, last = len(content), head - 1
    starts: list[int] = []
    while at + last < size and len(starts) < MOST_AT_ONCE:
        starts.append(at)
        at += sizes[content[at + last]]
    if at > size:
        starts.pop()
    elif at < size and at + last >= size:
        at = size + 1
    return starts, at


def _by_day(raw: NDArray[np.uint8], starts: NDArray[np.int64], head: np.dtype[np.void]) -> Iterator[Block]:
    """Yield records as blocks, a new one where the day changes."""
    heads = raw[starts[:, None] + np.arange(head.itemsize)].view(head).reshape(-1)
    counts = heads["count"].astype(np.int64)
    record = np.repeat(np.arange(len(starts)), counts)
    within = np.arange(len(record)) - np.repeat(np.cumsum(counts) - counts, counts)
    places = starts[record] + head.itemsize + _VALUE_BYTES * within
    channel = raw[places].astype(np.int64)
    value = raw[places[:, None] + np.arange(1, _VALUE_BYTES)].view("<i4").reshape(-1).astype(np.int64)
    north, east, fix = _positions(heads)
    days = heads["day"]
    edges = [0, *(np.flatnonzero(days[1:] != days[:-1]) + 1).tolist(), len(starts)]
    cuts = np.searchsorted(record, edges).tolist()
    for at, (one, two) in enumerate(pairwise(edges)):
        here, said = slice(one, two), slice(cuts[at], cuts[at + 1])
        clock = heads["A"][here].astype(np.int64)
        whose = record[said] - one
        yield Block(int(days[one]), clock, north[here], east[here], fix[here], whose, channel[said], value[said])


def _positions(heads: NDArray[np.void]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
    """Return north, east and whether there is a fix."""
    names = heads.dtype.names or ()
    if "PA" not in names or "PB" not in names:
        none = np.zeros(len(heads), np.int64)
        return none, none, none.astype(np.bool_)
    north, east = heads["PA"].astype(np.int64), heads["PB"].astype(np.int64)
    fix = (np.abs(north) <= _NORTH) & (np.abs(east) <= _EAST) & ((north != 0) | (east != 0))
    if "PD" in names:
        fix &= ~np.isin(heads["PD"], _NO_FIX)
    return north, east, fix


# A binary log summed up by day, in whole numbers: what was covered, and the means and totals of what it measured.
#
# Only the way between two positions is worked out with floats, and rounded at once to whole tenths of a micrometre.

_Whole = NDArray[np.int64]

_LONGEST_STEP_MS: Final = 10_000
"""What lies between two records further apart was not logged."""
_METRES_PER_DEGREE: Final = 111_195
_FASTEST_MM_PER_S: Final = 20_000
_WIDEST_MM: Final = 200_000
"""Wider is no machine, but what a terminal logs for nothing; it also keeps sums of a block within 64 bits."""
_TOTALS: Final = frozenset({Ddi.TOTAL_AREA, Ddi.DISTANCE, Ddi.EFFECTIVE_TIME, Ddi.YIELD_MASS})
_KNOWN: Final = frozenset(Ddi)
_MEANT: Final = frozenset({*DEPTHS, *RATES, *WIDTHS, *MOISTURES, Ddi.YIELD_MASS_PER_AREA, Ddi.SPEED})
"""What is averaged over the ground that was worked."""
_PER_UM: Final = 10
"""Ways are whole tenths of a micrometre."""
_SMALL: Final = 2**62


@dataclass(slots=True)
class Mean:
    """A mean over what was worked: values without weight count for nothing."""

    total: int = 0
    weight: int = 0

    @property
    def mean(self) -> Fraction | None:
        """Return it; None where nothing was weighed."""
        return Fraction(self.total, self.weight) if self.weight else None


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

    @property
    def speed_mm_per_s(self) -> Fraction | None:
        """Return the mean speed between positions while it worked; None where it never moved."""
        return Fraction(self.worked_way, self.worked_ms * _PER_UM) if self.worked_ms else None

    @property
    def covered_m2(self) -> Fraction:
        """Return square metres."""
        return Fraction(self.covered, 10**9 * _PER_UM)


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

    def before_each(self, count: int) -> _Whole:
        """Return the value that held just before each of a block's records."""
        stated = np.cumsum(np.bincount(self.records, minlength=count))
        return self.series[np.concatenate((np.zeros(1, np.int64), stated[:-1]))]


class LogSum:
    """A log summed up by day. A value holds until the log states another.

    Attributes:
        days: what was worked on each; also what a damaged log holds before its damage.
    """

    def __init__(self, channels: Sequence[Channel]) -> None:
        self.days: dict[date, Day] = {}
        known = list(dict.fromkeys(channel for channel in channels if channel[0] in _KNOWN))
        self._held = {channel: _Held() for channel in known}
        places = [known.index(channel) if channel[0] in _KNOWN else -1 for channel in channels]
        self._place = np.array([*places, *([-1] * (256 - len(places)))], np.int64)
        self._has_states = any(ddi == Ddi.WORK_STATE for ddi, _ in known)
        self._last: Block | None = None

    def run(self, blocks: Iterator[Block]) -> None:
        """Take blocks of records; the error of a damaged log passes on."""
        for block in blocks:
            self._take(block)
            self._last = block

    def _take(self, block: Block) -> None:
        day = self.days.setdefault(block.date, Day())
        day.points += len(block.milliseconds)
        self._state(block)
        worked = np.cumsum(self._steps(block, day))
        for channel, held in self._held.items():
            ddi = channel[0]
            if ddi in _TOTALS and len(held.values):
                gained = np.diff(held.series)[held.now is None :]
                day.totals[channel] = day.totals.get(channel, 0) + int(gained.clip(0).sum())
            elif ddi in _MEANT:
                _weigh(day, channel, held, worked)
            elif ddi == Ddi.CULTURAL_PRACTICE:
                new = np.diff(held.series) != 0
                day.practices |= set(held.values[new | (held.now is None)].tolist())
            if len(held.values):
                held.now = int(held.values[-1])

    def _state(self, block: Block) -> None:
        """Sort what a block states by channel."""
        place = self._place[block.channel]
        order = np.argsort(place, kind="stable")
        cuts = np.searchsorted(place[order], np.arange(len(self._held) + 1))
        for at, held in enumerate(self._held.values()):
            mine = order[cuts[at] : cuts[at + 1]]
            held.records, held.values = block.record[mine], block.value[mine]

    def _steps(self, block: Block, day: Day) -> _Whole:
        """Count the stretch that ends at each record with the values that held on it; return what each weighs."""
        count = len(block.milliseconds)
        last = self._last if self._last is not None and self._last.day == block.day else None
        clock, north, east, fix = _behind(last, block)
        step = np.diff(clock)
        moved = _ways(north, east)
        counts = self._works(count) & (step > 0) & (step <= _LONGEST_STEP_MS)
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
        """Return whether any part of the machine works on the stretch to each record."""
        if not self._has_states:
            return np.ones(count, np.bool_)
        works = np.zeros(count, np.bool_)
        for (ddi, _), held in self._held.items():
            if ddi == Ddi.WORK_STATE:
                works |= held.before_each(count) == 1
        return works

    def _largest(self, ddis: Sequence[Ddi], count: int, most: int) -> _Whole:
        """Return the largest value of the first kind that has one: a whole implement is wider than its sections."""
        found = np.zeros(count, np.int64)
        for ddi in ddis:
            best = np.zeros(count, np.int64)
            for (mine, _), held in self._held.items():
                if mine == ddi:
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
    """Weigh each value of a channel with what was worked while it held."""
    edges = np.concatenate((np.zeros(1, np.int64), worked[held.records], worked[-1:]))
    series, weights = held.series, np.diff(edges)
    counts = (series > 0) & (weights > 0)
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
