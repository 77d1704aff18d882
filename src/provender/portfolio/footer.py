"""The footer of a Parquet file, as far as problems need it: how many rows each row group has.

The footer is Thrift's compact protocol (https://parquet.apache.org/docs/file-format/metadata/): ``FileMetaData`` has
its row groups in field 4, a row group its rows in field 3. Everything else is passed over.
"""

from collections.abc import Callable
from itertools import accumulate
from pathlib import Path
from typing import Final

MAGIC: Final = b"PAR1"
ARROW: Final = b"ARROW:schema"
_TAIL: Final = 8
_STOP, _TRUE, _FALSE, _BYTE, _DOUBLE, _BINARY, _LIST, _SET, _MAP, _STRUCT = 0, 1, 2, 3, 7, 8, 9, 10, 11, 12
_LONG_LIST: Final = 15
_ROW_GROUPS: Final = 4
_ROWS: Final = 3


class _Compact:
    """Reads Thrift's compact protocol from bytes."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def varint(self) -> int:
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:  # noqa: PLR2004 - the bit that says that more follows
                return value

    def zigzag(self) -> int:
        value = self.varint()
        return (value >> 1) ^ -(value & 1)

    def struct(self, wanted: Callable[[int, int], bool]) -> None:
        """Read a struct; ``wanted`` gets number and type of each field and returns whether it has read the value."""
        number = 0
        while (head := self.byte()) != _STOP:
            number = number + (head >> 4) if head >> 4 else self.zigzag()
            if not wanted(number, head & 15):
                self.skip(head & 15)

    def items(self) -> tuple[int, int]:
        """Read the head of a list; return how many items of which type follow."""
        head = self.byte()
        count = self.varint() if head >> 4 == _LONG_LIST else head >> 4
        if count > len(self.data):  # each item has a byte at least
            raise IndexError
        return count, head & 15

    def skip(self, kind: int) -> None:
        if kind == _BINARY:
            length = self.varint()
            self.at += length
        elif kind in (_LIST, _SET):
            count, of = self.items()
            for _ in range(count):
                self.at += 1 if of in (_TRUE, _FALSE) else 0
                self.skip(of)
        elif kind == _MAP:
            self._skip_map()
        elif kind == _STRUCT:
            self.struct(lambda _number, _kind: False)
        elif kind == _DOUBLE:
            self.at += 8
        elif kind == _BYTE:
            self.at += 1
        elif kind not in (_TRUE, _FALSE):
            self.varint()

    def _skip_map(self) -> None:
        count = self.varint()
        kinds = self.byte() if count else 0
        if count > len(self.data):
            raise IndexError
        for _ in range(count):
            self.skip(kinds >> 4)
            self.skip(kinds & 15)


def _bytes(path: Path) -> tuple[bytes, int]:
    """Return the footer of a file and where it begins."""
    size = path.stat().st_size
    with path.open("rb") as stream:
        stream.seek(max(size - _TAIL, 0))
        tail = stream.read()
        length = int.from_bytes(tail[:4], "little")
        if len(tail) < _TAIL or tail[4:] != MAGIC or length > size - _TAIL:
            raise ValueError("the file does not end as Parquet does")
        stream.seek(size - _TAIL - length)
        return stream.read(length), size - _TAIL - length


def hide_arrow_schema(path: Path) -> None:
    """Give the Arrow schema in a footer another name, so that readers go by Parquet's own.

    Where it is there, pyarrow takes the metadata of a file from it alone, and the validator of Vecorel finds none.
    """
    found, start = _bytes(path)
    with path.open("r+b") as stream:
        stream.seek(start)
        stream.write(found.replace(ARROW, ARROW.swapcase()))


def row_groups(path: Path) -> list[int]:
    """Return the number of rows of each row group.

    Raises:
        ValueError: the file is not Parquet, or cut off.
    """
    reader = _Compact(_bytes(path)[0])
    counts: list[int] = []

    def rows(number: int, _kind: int) -> bool:
        if number == _ROWS:
            counts.append(reader.zigzag())
        return number == _ROWS

    def groups(number: int, _kind: int) -> bool:
        if number == _ROW_GROUPS:
            for _ in range(reader.items()[0]):
                reader.struct(rows)
        return number == _ROW_GROUPS

    try:
        reader.struct(groups)
    except (IndexError, RecursionError):
        raise ValueError("its footer is cut off or no footer") from None
    return counts


def group_of(counts: list[int], row: int) -> int:
    """Return the row group, counted from 1, of a row of the file counted from 0; 0 where there is no such row."""
    return next((number for number, end in enumerate(accumulate(counts), 1) if row < end), 0)
