"""The harvest year of each crop entry of many farms, in columns (2100.020), as ``records.book.harvests`` says it."""

from collections.abc import Callable, Sequence
from typing import Final

import polars as pl

from provender.portfolio.frames import at_once
from provender.records.book import ENDINGS, TERMINATED, over_new_year_days

_UNIT: Final = ("farm_id", "unit_id")
HARVEST_COLUMNS: Final = (*_UNIT, "harvest_id", "crop", "ending", "first_day", "last_day")
_OWN: Final = pl.coalesce("last_day", "first_day").dt.year().cast(pl.Int32)
_DAYS: Final = 2**32
"""More than there are days."""


def with_both_days(harvest: pl.DataFrame) -> pl.DataFrame:
    """Return the entries that end a crop; where one of their two days is recorded, it is both."""
    return harvest.filter(pl.col("ending").cast(pl.String).is_in(ENDINGS)).with_columns(
        pl.coalesce("first_day", "last_day").alias("first_day"),
        pl.coalesce("last_day", "first_day").alias("last_day"),
    )


def with_harvest_years(ended: pl.DataFrame, planting: pl.DataFrame, over: int, unit: Sequence[str]) -> pl.DataFrame:
    """Add ``planted_on`` (the first one), ``harvest_year``, and ``part``: an entry goes on with the one before.

    Args:
        ended: entries that end a crop, sorted by ``unit`` and their days.
        planting: ``planting`` records; what was planted after the entry before was cut is a crop of its own.
        over: days that a harvest over New Year takes at most.
        unit: columns that name a management unit.
    """
    planted = planting.lazy().group_by("farm_id", "harvest_id").agg(pl.col("planted_on").min())
    rows = ended.lazy().join(planted, on=["farm_id", "harvest_id"], how="left", maintain_order="left")
    harvested = pl.col("ending").cast(pl.String) != TERMINATED
    same = pl.all_horizontal((pl.col(name) == pl.col(name).shift(1)).fill_null(False) for name in (*unit, "crop"))
    planted_between = (pl.col("planted_on") >= pl.col("first_day").shift(1)).fill_null(False)
    follows = same & harvested & harvested.shift(1, fill_value=False) & ~planted_between
    dated = rows.with_columns(follows.alias("_follows")).with_columns(_harvest_year(over).alias("harvest_year"))
    same_year = (pl.col("harvest_year") == pl.col("harvest_year").shift(1)).fill_null(False)
    return at_once(dated.select(pl.exclude("_follows"), (pl.col("_follows") & same_year).alias("part")))


def with_year_of_many(harvest: pl.DataFrame, planting: Callable[[], pl.DataFrame]) -> pl.DataFrame:
    """Add ``harvest_year`` alone, as ``records.book.years_of`` says it, to the records of many farms.

    Args:
        harvest: ``harvest`` records, with ``HARVEST_COLUMNS`` at least.
        planting: reads the ``planting`` records; asked only where something may have run over New Year.
    """
    rows = harvest.with_row_index("_row")
    # What was not cut early in a year cannot have run over New Year: few units are worth being put in order.
    early = with_both_days(rows).filter(pl.col("last_day").dt.ordinal_day() <= over_new_year_days())
    if early.is_empty():
        return harvest.with_columns(_OWN.alias("harvest_year"))
    return _with(rows, rows.join(early, on=_UNIT, how="semi"), planting()).drop("_row", "part")


def _with(rows: pl.DataFrame, turned: pl.DataFrame, planting: pl.DataFrame) -> pl.DataFrame:
    ended = with_both_days(turned).sort(*_UNIT, "first_day", "last_day", nulls_last=True)
    found = with_harvest_years(ended, planting, over_new_year_days(), _UNIT).select("_row", "harvest_year", "part")
    return rows.join(found, on="_row", how="left", maintain_order="left").with_columns(
        pl.coalesce("harvest_year", _OWN).alias("harvest_year"), pl.col("part").fill_null(value=False)
    )


def _harvest_year(over: int) -> pl.Expr:
    """Return the year of a harvest: of its last day, or of its first one where it ran over New Year.

    A row whose crop also ``_follows`` ran over it with what was last cut before; the next crop does not, though nobody
    recorded its planting.
    """
    first, last = pl.col("first_day"), pl.col("last_day")
    turned = first.dt.year() != first.dt.year().shift(1)
    cut = pl.when(~pl.col("_follows")).then(pl.date(1, 1, 1)).when(turned).then(first.shift(1)).forward_fill()
    until = _latest_so_far(last, (~pl.col("_follows")).cum_sum())
    own = pl.when(_over_new_year(first, last, over)).then(first.dt.year()).otherwise(last.dt.year())
    return pl.when(_over_new_year(cut, until, over)).then(cut.dt.year()).otherwise(own).cast(pl.Int32)


def _latest_so_far(day: pl.Expr, run: pl.Expr) -> pl.Expr:
    """Return the latest day of a run of rows up to each; null where the row's own is. Runs are numbered upwards.

    Run and day are one number that only grows from run to run, so that no rows are grouped: most runs are one row.
    """
    both = run.cast(pl.Int64) * _DAYS + day.cast(pl.Int32).cast(pl.Int64) + _DAYS // 2
    return (both.cum_max() % _DAYS - _DAYS // 2).cast(pl.Int32).cast(pl.Date)


def _over_new_year(first: pl.Expr, last: pl.Expr, over: int) -> pl.Expr:
    return (last.dt.year() == first.dt.year() + 1) & (last - first <= pl.duration(days=over))
