"""Which evidence rows may rest on: a file that is there, unchanged, of its kind, unit and day (interpretation 59).

What each fact needs is said in ``standards.evidence``; only whether a row has it is computed here.
"""

from typing import Final

import polars as pl

from provender.portfolio.columns import three_valued as v
from provender.portfolio.frame_book import FrameBook
from provender.portfolio.frames import collected
from provender.rule.law import latest_whole
from provender.standards.evidence import INHIBITOR, ONE_THING, PAPER_DAYS, PHOTO, SEED, SOIL, Need

NEEDS: Final = (PHOTO, SEED, SOIL, INHIBITOR)


def evidence_states(book: FrameBook) -> pl.DataFrame:
    """Return every evidence record with whether its file is there, the one that was recorded, and of one kind.

    Returns:
        ``farm_id``, ``evidence_id``, ``what``, ``evidence_unit``, ``taken_on``, ``content`` (the hash on record) and
        ``is_sound``.
    """
    rows = book["evidence"].select(
        "farm_id", "evidence_id", "file", pl.col("what").cast(pl.String), pl.col("unit_id").alias("evidence_unit"),
        "taken_on", "sha256",
    )  # fmt: skip
    content = pl.col("sha256").str.strip_chars().str.to_lowercase().alias("content")
    held = [
        book.files.hash_of(farm, file, sha256) or None
        for farm, file, sha256 in rows.select("farm_id", "file", "sha256").iter_rows()
    ]
    same = pl.Series("_held", held, pl.String)
    rows = rows.with_columns(content, same)
    of_one = v.count_true(pl.col("what").is_in(ONE_THING)).over("farm_id", "content") > 0
    # Other says that nobody said what the file is, which contradicts nothing.
    called = pl.col("what").replace("other", None)
    several = (called.drop_nulls().n_unique() > 1).over("farm_id", "content")
    sound = (pl.col("_held") == pl.col("content")).fill_null(value=False) & ~(of_one & several)
    return rows.with_columns(sound.alias("is_sound")).drop("sha256", "_held", "file")


def links(rows: pl.DataFrame, column: str, states: pl.DataFrame) -> pl.DataFrame:
    """Return one row per row and evidence it names, with that evidence; ``is_sound`` is false of a name without one.

    ``rows`` carries ``farm_id`` and ``column``: names set apart by semicolons.
    """
    named = (
        rows.lazy()
        .filter(pl.col(column).is_not_null())
        .with_columns(pl.col(column).str.split(";").alias("evidence_id"))
        .explode("evidence_id")
        .with_columns(pl.col("evidence_id").str.strip_chars())
        .filter(pl.col("evidence_id") != "")
        .join(states.lazy(), on=["farm_id", "evidence_id"], how="left", maintain_order="left")
        .with_columns(pl.col("is_sound").fill_null(value=False))
    )
    return collected(named, rows.height)


def supported(book: FrameBook, need: Need, states: pl.DataFrame) -> pl.DataFrame:
    """Return the rows of a need's kind with ``supported``: some evidence that a row names shows the fact."""
    records = book[need.kind]
    if records[need.column].null_count() == records.height:
        return records.with_columns(pl.lit(value=False).alias("supported"))
    rows = records.with_row_index("row")
    keys = ["unit_id"] if "unit_id" in rows.columns else []
    days = [name for name in (need.not_before, need.not_after, need.near) if name]
    cells = rows.select("row", "farm_id", need.column, *keys, *(pl.col(name).alias(f"_{name}") for name in days))
    fits = pl.col("is_sound") & pl.col("what").is_in(need.whats)
    if keys:
        fits = fits & ~(pl.col("evidence_unit") != pl.col("unit_id")).fill_null(value=False)
    named = links(cells, need.column, states).filter(fits)
    good = named.filter(~_of_other_day(need) & ~_shared(need, keys))["row"].unique()
    return rows.with_columns(pl.col("row").is_in(good.implode()).alias("supported")).drop("row")


def _shared(need: Need, keys: list[str]) -> pl.Expr:
    """Return where rows of several units rest on one record without a unit, or on one picture."""
    if not keys or not need.is_of_one_unit:
        return pl.lit(value=False)
    units, pictured = (pl.col("unit_id").n_unique().over("farm_id", name) for name in ("evidence_id", "content"))
    return (pl.col("evidence_unit").is_null() & (units > 1)) | (pictured > 1)


def _of_other_day(need: Need) -> pl.Expr:
    """Return where the evidence's own day cannot be; one without a day takes the day of its row."""
    taken = pl.col("taken_on")
    marks = [taken.is_null()] if need.needs_day else []
    if need.not_before:
        marks.append(taken < pl.col(f"_{need.not_before}"))
    if need.not_after:
        marks.append(taken > pl.col(f"_{need.not_after}"))
    if need.near:
        marks.append((taken - pl.col(f"_{need.near}")).dt.total_days().abs() > latest_whole(PAPER_DAYS))
    return v.any_mark(marks)
