"""Binary time logs of ISO 11783-10, annex D: records whose layout the small XML file beside them tells.

A record is the time of day, then what the XML leaves open of a position, then the values that changed. A value holds
until it changes, so the last one is carried forward. Numbers are little-endian.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

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
    """How the records of a log are laid out.

    Attributes:
        position: fields of the position that stand in each record, in their order.
        channels: what the indexes of values mean.
    """

    position: tuple[str, ...]
    channels: tuple[Channel, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """Records of one day that follow each other, as columns of whole numbers.

    Attributes:
        day: days since 1980-01-01, by the terminal's clock.
        milliseconds: of the day, one a record.
        north, east: ten millionths of a degree, one a record; they mean something only where there is a fix.
        fix: whether a record has a position.
        record: of each value that is stated, the place of its record in the block, in order.
        channel: of each, its place in the layout.
        value: of each, as logged.
    """

    day: int
    milliseconds: NDArray[np.int64]
    north: NDArray[np.int64]
    east: NDArray[np.int64]
    fix: NDArray[np.bool_]
    record: NDArray[np.int64]
    channel: NDArray[np.int64]
    value: NDArray[np.int64]

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
