"""Binary time logs of ISO 11783-10, annex D: records whose layout the small XML file beside them tells.

A record is the time of day, then what the XML leaves open of a position, then the values that changed. A value holds
until it changes, so the last one is carried forward. Numbers are little-endian. Nothing marks where a record begins:
time that goes forward tells that the place is right, and where bytes were lost or doubled it finds the next one.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from provender.days import hours_by_sun
from provender.problem import listed

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
_MOST_GAPS: Final = 100
"""Damaged places after which the rest of a log is not read."""
_TIME: Final = np.dtype([("ms", "<u4"), ("day", "<u2")])
_IN_A_ROW: Final = 4
"""Records whose time goes forward, from which a place is known to be the beginning of one."""
_SEARCHED: Final = 2**16
"""Bytes in which the next sound record is looked for; sixteen times as many where the day is known."""
_PADDING: Final = (0x00, 0xFF)
_FEW: Final = 4
"""Bytes that may be lost or doubled in one place."""
_NO_DAY: Final = 0xFFFF
HOUR_MS: Final = 3_600_000
_OF_2000: Final = 7_305 * DAY_MS
"""No terminal logged before: an earlier day is a clock that was never set."""
_BY_THE_SUN_MS: Final = 5 * HOUR_MS // 2
"""By which a local clock and the sun may differ, with summer time and the width of a time zone."""
_GPS_WEEKS_MS: Final = 1024 * 7 * DAY_MS
"""After which GPS counts its weeks anew."""
_SET_MS: Final = 10_000
"""A clock that is set to another day goes on from the same time of day."""
_LONGEST_TASK_MS: Final = 180 * DAY_MS
Spans = tuple[tuple[int, int], ...]
"""First and last moment of stretches of work, milliseconds since 1980-01-01."""

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

    day: int  # days since 1980-01-01, by the terminal's clock as corrected
    milliseconds: NDArray[np.int64]  # of the day, one a record
    north: NDArray[np.int64]  # ten millionths of a degree, one a record; they mean something only where there is a fix
    east: NDArray[np.int64]  # ten millionths of a degree, one a record; they mean something only where there is a fix
    fix: NDArray[np.bool_]  # whether a record has a position
    record: NDArray[np.int64]  # of each value that is stated, the place of its record in the block, in order
    channel: NDArray[np.int64]  # of each, its place in the layout
    value: NDArray[np.int64]  # of each, as logged

    @property
    def date(self) -> date:
        return EPOCH + timedelta(self.day)

    @property
    def moments(self) -> NDArray[np.int64]:
        """Return milliseconds since 1980-01-01."""
        return self.milliseconds + self.day * DAY_MS


@dataclass(frozen=True, slots=True)
class Records:
    """The sound records of a log."""

    starts: NDArray[np.int64]  # where each begins
    moments: NDArray[np.int64]  # milliseconds since 1980-01-01 by the terminal's clock, as corrected
    damage: tuple[str, ...]  # what could not be read
    clock: tuple[str, ...]  # what is doubtful about the terminal's clock
    is_dated: bool = True  # some record, or the task itself, tells a day


def layout_of(root: "Element") -> Layout | None:
    """Return the layout that the XML beside a log tells; None where it is no header of a log."""
    header = root if root.tag == "TIM" else root.find(".//TIM")
    if header is None or "A" not in header.attrib:
        return None
    position = header.find("PTN")
    open_fields = tuple(name for name in _POSITION if position is not None and position.get(name) == "")
    channels = tuple((_number(each.get("A", "")), each.get("C", "")) for each in header.findall("DLV"))
    return Layout(open_fields, channels)


def _number(hexadecimal: str) -> int:
    try:
        return int(hexadecimal, 16)
    except ValueError:
        return -1


def records_of(content: bytes, layout: Layout, spans: Spans = ()) -> Records:
    """Return where the sound records of a log begin, and when each was made; ``spans`` is work that the task names."""
    head = _head(layout)
    starts, damage = _scan(content, len(layout.channels), head.itemsize)
    if not len(starts):
        return Records(starts, starts, tuple(damage), ())
    heads = _heads(content, starts, head)
    moments = heads["day"].astype(np.int64) * DAY_MS + heads["A"]
    _, east, fix = _positions(heads)
    longitude = float(np.median(east[fix])) / 1e7 if fix.any() else None
    settled, clock = _settle_clock(moments, _universal(heads), longitude, spans)
    return Records(starts, moments if settled is None else settled, tuple(damage), tuple(clock), settled is not None)


def blocks(content: bytes, layout: Layout, records: Records) -> Iterator[Block]:
    """Yield the sound records of a log in the order of the file."""
    for at in range(0, len(records.starts), MOST_AT_ONCE):
        here = slice(at, at + MOST_AT_ONCE)
        yield from _by_day(content, records.starts[here], records.moments[here], _head(layout))


def _head(layout: Layout) -> np.dtype[np.void]:
    return np.dtype(
        [("A", "<u4"), ("day", "<u2"), *((f"P{n}", _POSITION[n]) for n in layout.position), ("count", "u1")]
    )


def _heads(content: bytes, starts: NDArray[np.int64], head: np.dtype[np.void]) -> NDArray[np.void]:
    raw = np.frombuffer(content, np.uint8)
    heads: NDArray[np.void] = raw[starts[:, None] + np.arange(head.itemsize)].view(head).reshape(-1)
    return heads


def _scan(content: bytes, channels: int, head: int) -> tuple[NDArray[np.int64], list[str]]:
    """Return where sound records begin, and what is damaged; padding at the end is nothing."""
    found: list[int] = []
    gaps: list[int] = []
    ends = ""
    at, last, size = 0, -1, len(content)
    while at < size:
        starts, following = _starts(content, at, head)
        sound = starts[: _first_unsound(content, starts, head, last)]
        is_cut = len(sound) == len(starts) and len(starts) < MOST_AT_ONCE
        at = following if len(sound) == len(starts) else starts[len(sound)]
        if at == size or (sound == starts and not is_cut):
            last = _moment(content, sound[-1])
            found += sound
            continue
        if is_cut or _is_padding(content, at):
            found += sound
            if not _is_padding(content, at):
                ends = f"it ends within record {len(found) + 1}; {len(found)} sound records before it were read"
            break
        is_blank = not any(content[at : at + head])
        # Bytes that are lost or doubled stand in this record, or in the end of the one before: the next one tells.
        since = at if is_blank or not sound else sound[-1] + 1
        before = _moment(content, sound[-1 if is_blank or len(sound) == 1 else -2]) if sound else last
        begins, at = at, _next_sound(content, since, head, channels, before)
        found += sound if is_blank or at - begins >= head - _FEW else sound[:-1]
        if at == size or len(gaps) == _MOST_GAPS:
            ends = f"record {len(found) + 1} cannot be read; {len(found)} records before it were, none after"
            break
        gaps.append(len(found) + 1)
        last = before
    records = "record" if len(gaps) == 1 else "records"
    lost = f"bytes are lost or doubled in {records} {listed(gaps)}; the records before and after were read"
    return np.array(found, np.int64), [each for each in (lost if gaps else "", ends) if each]


def _starts(content: bytes, at: int, head: int) -> tuple[list[int], int]:
    """Return where the next whole records begin, and where the one after them does."""
    sizes = [head + _VALUE_BYTES * count for count in range(256)]
    size, last = len(content), head - 1
    starts: list[int] = []
    while at + last < size and len(starts) < MOST_AT_ONCE:
        starts.append(at)
        at += sizes[content[at + last]]
    return (starts, at) if at <= size else (starts[:-1], starts[-1])


def _moment(content: bytes, at: int) -> int:
    return int.from_bytes(content[at + 4 : at + 6], "little") * DAY_MS + int.from_bytes(content[at : at + 4], "little")


def _is_padding(content: bytes, at: int) -> bool:
    """Tell whether nothing but one filling byte follows, on more than a record's time."""
    return (
        len(content) - at >= _TIME.itemsize and content[at] in _PADDING and not content[at:].strip(content[at : at + 1])
    )


def _first_unsound(content: bytes, starts: list[int], head: int, last: int) -> int:
    """Return the first record whose time neither goes on nor begins a row of times that go on; how many, if none.

    Some terminals call midnight the end of the day before.
    """
    if not starts:
        return 0
    times = _heads(content, np.array(starts, np.int64), _TIME)
    moments = times["day"].astype(np.int64) * DAY_MS + times["ms"]
    step = np.diff(np.concatenate((np.array([last if last >= 0 else moments[0] - 2 * DAY_MS]), moments)))
    odd = (step < 0) | (step > DAY_MS) | (times["ms"] > DAY_MS) | (moments == 0)
    alone = len(starts) - 1 if last >= 0 or len(starts) > 1 else len(starts)
    jumps = np.flatnonzero(odd).tolist()
    return next((at for at in jumps if at == alone or not _goes_on(content, starts[at], head)), len(starts))


def _goes_on(content: bytes, at: int, head: int, channels: int = 256, after: int = -1) -> bool:
    """Tell whether a record and those that follow it have times of a day that go forward."""
    before, size = after, len(content)
    for number in range(_IN_A_ROW):
        if at + head > size:
            break
        moment, count = _moment(content, at), content[at + head - 1]
        values = content[at + head : at + head + _VALUE_BYTES * count : _VALUE_BYTES]
        if int.from_bytes(content[at : at + 4], "little") > DAY_MS or any(each >= channels for each in values):
            return False
        if not any(content[at : at + head]) or (before >= 0 and not 0 <= moment - before <= DAY_MS):
            return False
        if number and channels < 256 and moment == before:  # noqa: PLR2004 - any channel will do
            return False
        before = moment
        at += head + _VALUE_BYTES * count
    return True


def _next_sound(content: bytes, since: int, head: int, channels: int, before: int) -> int:
    """Return where the next row of sound records begins that goes on after a moment; the end if there is none."""
    size, least = len(content), _IN_A_ROW * head
    raw = np.frombuffer(content, np.uint8)[since + 4 : since + (_SEARCHED if before < 0 else 16 * _SEARCHED)]
    raw = raw.astype(np.int64)
    if len(raw) < least:
        return size
    days = raw[:-1] + 256 * raw[1:]
    of_2000 = days * DAY_MS >= _OF_2000
    near = (days == before // DAY_MS) | (days == before // DAY_MS + 1) if before >= 0 else of_2000
    fitting = (since + at for at in np.flatnonzero(near).tolist() if since + at + least <= size)
    return next((at for at in fitting if _goes_on(content, at, head, channels, before)), size)


def _by_day(
    content: bytes, starts: NDArray[np.int64], moments: NDArray[np.int64], head: np.dtype[np.void]
) -> Iterator[Block]:
    """Yield records as blocks, a new one where the day changes."""
    raw = np.frombuffer(content, np.uint8)
    heads = _heads(content, starts, head)
    counts = heads["count"].astype(np.int64)
    record = np.repeat(np.arange(len(starts)), counts)
    within = np.arange(len(record)) - np.repeat(np.cumsum(counts) - counts, counts)
    places = starts[record] + head.itemsize + _VALUE_BYTES * within
    channel = raw[places].astype(np.int64)
    value = raw[places[:, None] + np.arange(1, _VALUE_BYTES)].view("<i4").reshape(-1).astype(np.int64)
    north, east, fix = _positions(heads)
    days, clock = moments // DAY_MS, moments % DAY_MS
    edges = [0, *(np.flatnonzero(days[1:] != days[:-1]) + 1).tolist(), len(starts)]
    cuts = np.searchsorted(record, edges).tolist()
    for at, (one, two) in enumerate(pairwise(edges)):
        here, said = slice(one, two), slice(cuts[at], cuts[at + 1])
        whose = record[said] - one
        yield Block(int(days[one]), clock[here], north[here], east[here], fix[here], whose, channel[said], value[said])


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


def _universal(heads: NDArray[np.void]) -> NDArray[np.int64]:
    """Return the moment that GPS tells for each record, by Greenwich's clock; zero where it tells none."""
    if not {"PH", "PI"} <= set(heads.dtype.names or ()):
        return np.zeros(len(heads), np.int64)
    clock, day = heads["PH"].astype(np.int64), heads["PI"].astype(np.int64)
    return np.where((clock < DAY_MS) & (day * DAY_MS >= _OF_2000) & (day != _NO_DAY), day * DAY_MS + clock, 0)


# Terminals start with a clock that was never set, and set it when GPS is there.


def _settle_clock(
    moments: NDArray[np.int64], universal: NDArray[np.int64], longitude: float | None, spans: Spans
) -> tuple[NDArray[np.int64] | None, list[str]]:
    """Return moments by a right clock, and what is doubtful of them; none where nothing tells the day."""
    step = np.diff(moments)
    edges = [0, *(np.flatnonzero((step < -2 * HOUR_MS) | (step > DAY_MS // 2)) + 1).tolist(), len(moments)]
    parts = [slice(*each) for each in pairwise(edges)]
    settled = moments.copy()
    right = []
    for part in parts:
        ahead = _ahead_of_gps(moments[part], universal[part], longitude)
        if ahead is not None:
            settled[part] -= ahead
        right.append(ahead is not None or _is_near(moments[part], spans))
    if not any(right):
        return _by_the_task(settled, moments, spans)
    known = bool(spans) or bool(universal.any())
    for at in range(len(parts) - 2, -1, -1):
        here, then = settled[parts[at]], settled[parts[at + 1]]
        gap = int(then[0] - here[-1])
        if right[at + 1] and (not right[at] or (not known and _was_set(gap))):
            here += _missing(gap)
            right[at] = True
    for at in range(1, len(parts)):
        if right[at - 1] and not right[at]:
            settled[parts[at]] -= _missing(int(settled[parts[at]][0] - settled[parts[at - 1]][-1]))
            right[at] = True
    told = []
    for part in parts:
        if settled[part][0] // DAY_MS != moments[part][0] // DAY_MS:
            cause = f"the terminal's clock read {_day(moments[part][0])} in records {part.start + 1} to {part.stop}"
            told.append(f"{cause}; they were counted for {_day(settled[part][0])}")
    return settled, told


def _ahead_of_gps(moments: NDArray[np.int64], universal: NDArray[np.int64], longitude: float | None) -> int | None:
    """Return by how many milliseconds the clock is ahead of the local time that GPS tells; none where it tells none."""
    told = universal > 0
    if not told.any():
        return None
    ahead = int(np.median(moments[told] - universal[told]))
    by_the_sun = round(ahead / HOUR_MS) if longitude is None else hours_by_sun(longitude)
    off = ahead - min(max(by_the_sun, -12), 14) * HOUR_MS
    is_local = abs(off) <= _BY_THE_SUN_MS or abs(off - _GPS_WEEKS_MS) <= _BY_THE_SUN_MS
    return 0 if is_local else off


def _is_near(moments: NDArray[np.int64], spans: Spans) -> bool:
    """Tell whether a stretch of records is of a day that a clock can tell, and near one that the task names."""
    first = int(moments[0])
    return first >= _OF_2000 and (not spans or any(one - DAY_MS <= first <= two + DAY_MS for one, two in spans))


def _was_set(gap: int) -> bool:
    """Tell whether time between two records jumps as it does when somebody, or GPS, sets the clock."""
    on_time = gap > DAY_MS // 2 and 0 <= gap - round(gap / DAY_MS) * DAY_MS <= _SET_MS
    return gap < 0 or on_time or gap > _LONGEST_TASK_MS


def _missing(gap: int) -> int:
    """Return what a clock lacked before it was set: whole days where the time of day goes on, else all of the gap."""
    days = round(gap / DAY_MS) * DAY_MS
    return days if 0 <= gap - days <= _SET_MS else gap - 1000


def _by_the_task(
    settled: NDArray[np.int64], moments: NDArray[np.int64], spans: Spans
) -> tuple[NDArray[np.int64] | None, list[str]]:
    """Return moments of a log of which no day fits: from the task's own where the clock was never set."""
    was = _day(moments[0])
    if not spans:
        return None, [f"the terminal's clock was never set and read {was}: nothing tells the day"]
    (first, _) = spans[0]
    if moments.max() < _OF_2000:
        cause = f"the terminal's clock was never set and read {was}; the log was counted for {_day(first)}"
        return settled + (first - settled[0]), [f"{cause}, as the task says"]
    return settled, [f"the log is of {was}, the task of {_day(first)}; the log's day was taken"]


def _day(moment: int) -> date:
    return EPOCH + timedelta(int(moment) // DAY_MS)
