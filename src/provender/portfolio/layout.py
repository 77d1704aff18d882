"""Where things lie in a portfolio: data sets, partitions, and what columns are called in its files."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple, Self
from urllib.parse import quote, unquote

from provender.records import KINDS
from provender.records.kind import Kind

YEAR: Final = "harvest_year"
STATE: Final = "state"
UNKNOWN: Final = "__HIVE_DEFAULT_PARTITION__"
"""How Hive, Spark and DuckDB write the folder of a null."""
INCOMPLETE: Final = "incomplete_row"
"""Data set of the rows that could not be read: without it an unreadable row would become a missing one."""
PROBLEM: Final = "problem"
"""Data set of what a person must fix."""
PREFIX: Final = "provender:"
"""Before our own columns among those of fiboa, in ``unit``."""
CLASHING: Final[Mapping[str, str]] = {YEAR: f"record_{YEAR}", STATE: f"record_{STATE}"}
"""Columns of records that are called like a partition key, and their names in files: readers of hive folders let the
folder's value stand for both, and a ticket of 2025 in a delivery of 2026 would change its year."""


class Partition(NamedTuple):
    """One part of a portfolio: whole books, by the year of their newest harvest and the State of the farm.

    Attributes:
        harvest_year: the year, or None where no harvest has a day.
        state: two letters, or None where the records do not say.
    """

    harvest_year: int | None = None
    state: str | None = None

    @property
    def folder(self) -> str:
        """Return the folder of the partition inside a data set."""
        year = UNKNOWN if self.harvest_year is None else str(self.harvest_year)
        return f"{YEAR}={year}/{STATE}={UNKNOWN if self.state is None else quote(self.state, safe='')}"

    @classmethod
    def of(cls, path: Path) -> Self:
        """Return the partition that the folders of a path name; without any, the one of everything."""
        year, state = written(path)
        number = (year or "").removesuffix(".0")  # as data frames with a null among the years write them
        return cls(int(number) if number.isdecimal() else None, state and state.upper())

    def __str__(self) -> str:
        """Write the partition for people."""
        return f"{self.harvest_year or 'no year'} {self.state or 'no State'}"


def written(path: Path) -> tuple[str | None, str | None]:
    """Return year and State as the folders of a path write them, whatever the case of their keys; None for none."""
    pairs = [part.split("=", 1) for part in path.parts if "=" in part]
    found = {unquote(key).casefold(): value for key, value in pairs}
    year, state = (unquote(found.get(name, UNKNOWN)).strip() for name in (YEAR, STATE))
    return (None if year == UNKNOWN else year), (None if state == UNKNOWN else state)


def is_data(path: Path) -> bool:
    """Tell whether a file's name ends as that of a Parquet file."""
    return path.suffix.casefold() == ".parquet"


def files(root: Path) -> Iterator[tuple[str, Path]]:
    """Yield data set and path, within the portfolio, of every Parquet file, in the order of their names.

    A data set is a folder, or one file beside the folders. Names that begin with ``_`` or a dot are not data: so other
    programs mark what they are still writing.
    """
    for path in sorted(filter(is_data, root.rglob("*"))):
        inside = path.relative_to(root)
        if path.is_file() and not any(part.startswith(("_", ".")) for part in inside.parts):
            yield (inside.parts[0] if len(inside.parts) > 1 else inside.stem).casefold(), inside


def partitioned(path: Path) -> bool:
    """Tell whether the folders of a path name a partition."""
    return written(path) != (None, None) or any(UNKNOWN in part for part in path.parts)


def written_name(kind: Kind, column: str) -> str:
    """Return what a column of a kind is called in the files of a portfolio."""
    if kind.name == "unit" and column != "farm_id":
        return PREFIX + column
    return CLASHING.get(column, column)


def column_names(kind: Kind) -> dict[str, str]:
    """Return the column that each name in a file means, case aside; a name of ours before one that only looks like it.

    Programs that keep no case write names in small letters.
    """
    own = {name.casefold(): name for name in kind.fields}
    return own | {written_name(kind, name).casefold(): name for name in kind.fields}


def is_kind(data_set: str) -> bool:
    """Tell whether a data set holds records."""
    return data_set in KINDS
