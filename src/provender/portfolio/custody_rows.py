"""The rows of books of custody as whoever wrote them: typed by their schemas, and what no search can use told.

A claim without serials, or a movement below nothing, says nothing that can be searched or summed; it is left out of the
searches and told with its file, never dropped in silence.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

import polars as pl

from provender.portfolio.custody import CLAIM, MOVEMENT, ORIGIN, PERIOD, REPORT, SCHEMAS, STATEMENT, TICKET
from provender.portfolio.manifest import DataFile
from provender.portfolio.on_disk import Portfolio
from provender.portfolio.unreadable import FAILURES, unreadable, words
from provender.problem import Place, Problem

_NEEDED: Final[Mapping[str, tuple[str, ...]]] = {
    CLAIM: ("source", "kind", "key", "origin", "start", "stop", "giver", "taker", "day"), ORIGIN: ("origin",),
    REPORT: ("farm_id", "crop", "crop_year", "origin", "version", "bushels"), TICKET: ("place", "ticket", "behind"),
    MOVEMENT: ("entity", "day", "came", "went"), PERIOD: ("entity", "start", "end"),
    STATEMENT: ("entity", "start", "ending"),
}  # fmt: skip
"""Columns without which a row says nothing."""
_RIGHT: Final[Mapping[str, pl.Expr]] = {
    CLAIM: (pl.col("start") >= 0) & (pl.col("start") < pl.col("stop")),
    REPORT: pl.col("bushels") >= 0,
    TICKET: pl.col("bushels").fill_null(0) >= 0,
    MOVEMENT: (pl.col("came") >= 0) & (pl.col("went") >= 0),
    PERIOD: pl.col("start") <= pl.col("end"),
}
SAYS: Final[Mapping[str, str]] = {
    CLAIM: "serials that begin at nothing or more and end after they begin",
    REPORT: "bushels of nothing or more", TICKET: "bushels of nothing or more",
    MOVEMENT: "bushels of nothing or more, come or gone", PERIOD: "an end that is not before the start",
}  # fmt: skip


def usable(data_set: str) -> pl.Expr:
    """Return whether a row says what its data set is for."""
    known = pl.all_horizontal(pl.col(name).is_not_null() for name in _NEEDED.get(data_set, ("source",)))
    return known & _RIGHT[data_set] if data_set in _RIGHT else known


def table(portfolio: Portfolio, data_set: str) -> pl.LazyFrame:
    """Return the usable rows of a data set of custody with the columns of its schema; none where there is no file."""
    return _together(tables(portfolio, data_set), data_set)


def whole_table(portfolio: Portfolio, data_set: str) -> pl.LazyFrame:
    """Return all rows, also those that say nothing, for whoever asks only what values a column has at most.

    What is not asked for need not be read to tell whether a row is usable, which takes most of such a look.
    """
    scans = (_typed(portfolio.root / one.path, data_set) for one in files(portfolio, data_set))
    return _together((rows[1] for rows in scans if rows), data_set)


def _together(found: Iterable[pl.LazyFrame], data_set: str) -> pl.LazyFrame:
    return pl.concat(scans) if (scans := [*found]) else pl.LazyFrame(schema=dict(SCHEMAS[data_set]))


def tables(portfolio: Portfolio, data_set: str) -> Iterator[pl.LazyFrame]:
    """Yield the same file by file, for whoever takes little out of much: read at once, many files fill the memory."""
    scans = (usable_rows(portfolio.root / one.path, data_set) for one in files(portfolio, data_set))
    return (rows for rows in scans if rows is not None)


def files(portfolio: Portfolio, data_set: str) -> list[DataFile]:
    """Return the files of a data set that are Parquet."""
    return [one for one in portfolio.files if one.data_set == data_set and one.sha256]


def usable_rows(path: Path, data_set: str, offset: int = 0, length: int | None = None) -> pl.LazyFrame | None:
    """Scan the usable rows among some of a file; names count without case. None where it has not the columns.

    A row with a cell that is nothing of its column's type, a text among the bushels, is no usable one.
    """
    found = _typed(path, data_set, offset, length)
    return found and found[0].filter(usable(data_set))


def _typed(
    path: Path, data_set: str, offset: int = 0, length: int | None = None
) -> tuple[pl.LazyFrame, pl.LazyFrame] | None:
    """Scan rows of a file as their schema has them: those whose cells lose nothing by it, and all."""
    # Of many files read side by side fewer row groups are fetched ahead: a gigabyte less, and no slower.
    lazy = pl.scan_parquet(path, hive_partitioning=False, glob=False, low_memory=True).slice(offset, length)
    try:
        written = lazy.collect_schema()
        names = {name.casefold(): name for name in written}
        wanted = {name: (names[name], of) for name, of in SCHEMAS[data_set].items()}
        others = {name: of for name, of in wanted.values() if written[name] != of}
        for name, of in others.items():
            pl.Series([None], dtype=written[name]).cast(of)
    except (KeyError, *FAILURES):
        return None
    sound = [~_lost(pl.col(name), written[name], of) for name, of in others.items()]
    typed = [pl.col(name).cast(of, strict=False).alias(column) for column, (name, of) in wanted.items()]
    return (lazy.filter(*sound) if sound else lazy).select(typed), lazy.select(typed)


def _lost(cell: pl.Expr, written: pl.DataType, of: pl.DataType | type[pl.DataType]) -> pl.Expr:
    """Return whether a cell says something that its column's type cannot hold; half a thousandth is none either."""
    value = cell.cast(of, strict=False)
    lost = cell.is_not_null() & value.is_null()
    return lost | (value != cell).fill_null(value=False) if written.is_float() or written.is_decimal() else lost


def custody_problems(portfolio: Portfolio) -> Iterator[Problem]:
    """Tell of files of custody that cannot be read, and of rows that no search can use."""
    for one in portfolio.files:
        if one.data_set not in SCHEMAS or not one.sha256:
            continue
        rows = usable_rows(portfolio.root / one.path, one.data_set)
        place = Place(one.path)
        try:
            bad = 0 if rows is None else one.rows - rows.select(pl.len()).collect(engine="streaming").item()
        except FAILURES as failed:
            yield unreadable(one.path, words(failed))
            continue
        if rows is None:
            columns = ", ".join(SCHEMAS[one.data_set])
            cause = f"The file has not the columns of {one.data_set}, or something else in them."
            yield Problem(place, cause, f"Write {columns}, of their types.", code="unreadable_file")
        elif bad:
            cause = f"{bad:,} of {one.rows:,} rows cannot be used and are left out."
            remedy = f"Every row needs {', '.join(_NEEDED.get(one.data_set, ('source',)))} of their types"
            remedy += f", and {SAYS[one.data_set]}." if one.data_set in SAYS else "."
            yield Problem(place, cause, remedy, code="unusable_rows")
