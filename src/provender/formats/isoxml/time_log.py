"""Binary time logs of ISO 11783-10, annex D: records whose layout the small XML file beside them tells.

A record is the time of day, then what the XML leaves open of a position, then the values that changed. A value holds
until it changes, so the last one is carried forward. Numbers are little-endian.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from struct import Struct
from struct import error as struct_error
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

EPOCH: Final = date(1980, 1, 1)
DAY_MS: Final = 86_400_000
_POSITION: Final = {"A": "i", "B": "i", "C": "i", "D": "B", "E": "H", "F": "H", "G": "B", "H": "I", "I": "H"}
"""North, east, up, status, PDOP, HDOP, satellites, GPS time, GPS day."""
_NO_FIX: Final = frozenset({0, 15})
_NORTH: Final = 900_000_000
_EAST: Final = 1_800_000_000

_BLOCKS: Final = tuple(Struct("<" + "Bi" * count) for count in range(256))

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


@dataclass(slots=True)
class LogRecord:
    """One record; values are those that it states, by their place in the layout.

    Attributes:
        day: days since 1980-01-01.
        milliseconds: of the day, by the terminal's clock.
        north, east: ten millionths of a degree; None without a fix.
        values: index of a channel and raw value, one pair after the other.
    """

    day: int
    milliseconds: int
    north: int | None
    east: int | None
    values: tuple[int, ...]

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


def records(content: bytes, layout: Layout) -> Iterator[LogRecord]:
    """Yield the records of a log in the order of the file.

    Raises:
        DamagedLogError: the log ends within a record; the sound ones before it were yielded.
    """
    head = Struct("<IH" + "".join(_POSITION[name] for name in layout.position) + "B")
    north, east, status = (layout.position.index(name) + 2 if name in layout.position else 0 for name in "ABD")
    blocks = _BLOCKS
    at, count, size = 0, 0, len(content)
    while at < size:
        try:
            found = head.unpack_from(content, at)
            block = blocks[found[-1]]
            values = block.unpack_from(content, at + head.size)
        except struct_error:
            raise DamagedLogError(f"it ends within record {count + 1}", count) from None
        at += head.size + block.size
        count += 1
        fix = bool(north and east) and not (status and found[status] in _NO_FIX)
        fix = fix and abs(found[north]) <= _NORTH and abs(found[east]) <= _EAST and bool(found[north] or found[east])
        yield LogRecord(found[1], found[0], found[north] if fix else None, found[east] if fix else None, values)
