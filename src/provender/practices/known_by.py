"""How a row is known follows from the evidence that it names, not from a word in a column (interpretation 62).

A row is *machine* where a log that a machine wrote is linked, and *third party* where a paper of somebody else is; the
file is there, unchanged, of this unit, and of a day on which it can have been made. Any other row that says so counts
as typed.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

import polars as pl

from provender.catalog.names import without
from provender.formats.detect import HEAD, PAPER, kind_of_bytes
from provender.practices.evidence_links import links
from provender.records.book import RecordBook
from provender.records.kind import BASES, KINDS

THIRD_PARTY, MACHINE, _, TYPED = BASES
LOGGED: Final = (THIRD_PARTY, MACHINE)
_LOG: Final = "machine_file"
_NO_LOGS: Final = frozenset({PAPER, "photo"})
"""Readers of what no machine's log is: prose, PDF, photographs."""
_PAPERS: Final = ("invoice", "receipt", "usda_record")
_PLANS: Final = (*_PAPERS, "contract", "laboratory_report")


@dataclass(frozen=True, slots=True)
class Holds:
    """What can hold the rows of a kind."""

    day: str  # the column that says when it happened; a log is not older, a paper not further away than papers may be
    papers: tuple[str, ...] = _PAPERS  # kinds of evidence under which a row is known by a third party
    logs: tuple[str, ...] = (_LOG,)  # kinds of evidence under which it is known by a machine


GRADED: Final[Mapping[str, Holds]] = {
    "operation": Holds("day"),
    "cover_crop": Holds("seeded_on", logs=(_LOG, "photograph")),
    "nutrient_application": Holds("day"),
    "declaration": Holds("made_on", papers=(), logs=()),
    "planting": Holds("planted_on"),
    "nutrient_budget": Holds("made_on", papers=_PLANS, logs=()),
    "harvest": Holds("first_day", papers=(*_PAPERS, "ticket", "contract")),
}
"""Kinds whose rows are graded; a declaration is the producer's own word, whatever it says."""


def graded(book: RecordBook, states: pl.DataFrame, *, paper_days: int) -> dict[str, pl.DataFrame]:
    """Return the rows of each graded kind as their evidence bears them out.

    Args:
        book: the records.
        states: ``evidence_states`` of the book.
        paper_days: by how many days a paper may differ from the day of what it shows.

    Returns:
        By kind its rows, with ``known_by`` no stronger than the evidence, ``said_by`` the word as it was written, and
        ``evidenced``: some evidence that it names is there, unchanged and of this unit.
    """
    units = book["harvest"].select("farm_id", "harvest_id", "unit_id")
    return {
        kind: _nothing_graded(kind) if book[kind].is_empty() else _graded(book, kind, holds, states, units, paper_days)
        for kind, holds in GRADED.items()
    }


@cache
def _nothing_graded(kind: str) -> pl.DataFrame:
    """Return a kind without rows: most farms keep half of the kinds, and each query costs though it reads nothing."""
    return (
        KINDS[kind]
        .empty()
        .with_columns(pl.lit(None, pl.String).alias("said_by"), pl.lit(None, pl.Boolean).alias("evidenced"))
    )


def _graded(
    book: RecordBook, kind: str, holds: Holds, states: pl.DataFrame, units: pl.DataFrame, paper_days: int
) -> pl.DataFrame:
    said, what = pl.col("said_by"), pl.col("what")
    if book[kind]["evidence"].null_count() == book[kind].height:
        return _typed(book[kind])
    rows = book[kind].with_row_index("row").with_columns(pl.col("known_by").cast(pl.String).alias("said_by"))
    cells = rows.filter(pl.col("evidence").is_not_null())
    if "unit_id" not in cells.columns:
        cells = cells.join(units, on=["farm_id", "harvest_id"], how="left")
    sound = _sound(book, cells, holds.day, states)
    late = (pl.col("taken_on") - pl.col("happened")).dt.total_days()
    log = what.is_in(holds.logs) & ~(late < 0).fill_null(value=False) & pl.col("readable")
    paper = what.is_in(holds.papers) & ~(late.abs() > paper_days).fill_null(value=False)
    held = {
        "_log": sound.filter(log)["row"], "_paper": sound.filter(paper)["row"], "evidenced": sound["row"],
    }  # fmt: skip
    shown = (
        pl.when((said == THIRD_PARTY) & pl.col("_paper"))
        .then(said)
        .when(said.is_in(LOGGED) & pl.col("_log"))
        .then(pl.lit(MACHINE))
        .when(said.is_in(LOGGED))
        .then(pl.lit(TYPED))
        .otherwise(said)
    )
    marked = rows.with_columns(_marked(rows.height, of).alias(name) for name, of in held.items())
    return without(marked.with_columns(shown.cast(rows.schema["known_by"]).alias("known_by")), "row", "_log", "_paper")


def _typed(rows: pl.DataFrame) -> pl.DataFrame:
    """Return rows of which none names evidence: what they say of a log or a paper counts as typed."""
    said = pl.col("known_by").cast(pl.String)
    typed = pl.when(said.is_in(LOGGED)).then(pl.lit(TYPED)).otherwise(said).cast(rows.schema["known_by"])
    return rows.with_columns(typed.alias("known_by"), said.alias("said_by"), pl.lit(value=False).alias("evidenced"))


def _marked(height: int, rows: pl.Series) -> pl.Series:
    """Return a column that is true in the rows of these numbers and false in all others."""
    marks = pl.repeat(value=False, n=height, dtype=pl.Boolean, eager=True)
    return marks if rows.is_empty() else marks.scatter(rows, values=True)


def _sound(book: RecordBook, cells: pl.DataFrame, day: str, states: pl.DataFrame) -> pl.DataFrame:
    """Return the links of rows to files that are there, unchanged, and not another unit's."""
    named = links(
        cells.select("row", "farm_id", "unit_id", "said_by", pl.col(day).alias("happened"), "evidence"),
        "evidence", states.with_columns(pl.lit(value=True).alias("readable")),
    )  # fmt: skip
    other = (pl.col("evidence_unit") != pl.col("unit_id")).fill_null(value=False)
    found = named.filter(pl.col("trouble").is_null() & ~other)
    said = pl.col("said_by").is_in(LOGGED) & (pl.col("what") == _LOG)
    which = ("farm_id", "file", "content")
    papers = {key for key in set(found.filter(said).select(which).iter_rows()) if not _is_log(book, *key)}
    if not papers:
        return found
    readable = [key not in papers for key in found.select(which).iter_rows()]
    return found.with_columns(pl.Series("readable", readable, pl.Boolean))


def _is_log(book: RecordBook, farm_id: str, file: str, content: str) -> bool:
    """Return whether a file may be a machine's log; one that was left out of a package is what its record says."""
    head = book.files.content_of(farm_id, file, content)[:HEAD]
    return not head or kind_of_bytes(head, file).reader not in _NO_LOGS
