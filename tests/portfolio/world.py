"""Portfolios of farms with a clean season, and what happens to their files."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

import polars as pl

from provender.portfolio.farm_jobs import VERDICT, check
from provender.portfolio.jobs import open_portfolio, read_result, run
from provender.portfolio.layout import write_manifest
from provender.portfolio.validating import validate
from provender.records.book import RecordBook
from tests.standards.season import Rows, book_of, clean_season

EXAMPLES: Final = Path(__file__).parents[2] / "examples"
PART: Final = "harvest_year=2025/state=KS"
FIRST: Final = pl.col("farm_id") == "F1"
Change = Callable[[pl.DataFrame], pl.DataFrame]


def renamed(book: RecordBook, farm: str) -> RecordBook:
    records = {kind: [replace(row, farm_id=farm) for row in rows] for kind, rows in book.records.items()}
    marks = tuple(row._replace(farm_id=farm) for row in book.incomplete_rows)
    return RecordBook(records, marks, book.problems, files=book.files)


def farm(name: str, rows: Rows | None = None) -> RecordBook:
    return renamed(book_of(rows or clean_season()), name)


def file_of(root: Path, kind: str, part: str = PART) -> Path:
    return root / kind / part / "part-0.parquet"


def rows_of(root: Path, kind: str) -> pl.DataFrame:
    return pl.read_parquet(file_of(root, kind), hive_partitioning=False)


def rewrite(root: Path, kind: str, change: Change, part: str = PART) -> None:
    path = file_of(root, kind, part)
    change(pl.read_parquet(path, hive_partitioning=False)).write_parquet(path)


def no_till(root: Path, units: int = 100_000, *, sealed: bool = True) -> dict[str, bool | None]:
    """Return the verdicts on no-till, of what the manifest is made to say of the files as they are now."""
    if sealed:
        write_manifest(root)
    out = root.with_name("out")
    run("check", open_portfolio(root), check, out, units=units)
    return dict(read_result(out, VERDICT).collect().select("farm_id", "no_till").sort("farm_id").iter_rows())


def told(root: Path) -> pl.DataFrame:
    return validate(open_portfolio(root), root.with_name("told"))[1]


def codes(root: Path) -> set[str]:
    """Return what is told of the files as they are now."""
    write_manifest(root)
    return set(told(root)["code"])
