"""``portfolio book``: balances of every entity, crop, year, CI and period, against the signed period statements.

Movements are grouped by day as they are scanned, in bounded memory; what is left is small, and the equation of
2100.034(d) runs over it as over one book (``custody.queries.long_books``).
"""

from typing import Final

import polars as pl

from provender.custody.queries.long_books import balances_of_days
from provender.portfolio.claims import table
from provender.portfolio.custody import EQUATION, MOVEMENT, PERIOD, STATEMENT
from provender.portfolio.jobs import Portfolio

BALANCE: Final = {
    "entity": pl.String, "crop": pl.String, "crop_year": pl.Int32, "ci": pl.Int64, "start": pl.Date, "end": pl.Date,
    "beginning": pl.Int64, "incoming": pl.Int64, "outgoing": pl.Int64, "ending": pl.Int64, "stated": pl.Int64,
    "differs": pl.Boolean,
}  # fmt: skip
"""``stated``: ending of the period's statement, null where none is at hand; ``differs``: it is another than ours."""
_KEY: Final = ("entity", "start", *EQUATION)


def balances(portfolio: Portfolio) -> pl.DataFrame:
    """Return the equations of every entity that declared periods; see ``BALANCE``."""
    declared = table(portfolio, PERIOD).select("entity", "start", "end").unique().collect()
    moved = table(portfolio, MOVEMENT)
    days = (
        moved.join(_stretches(moved, declared), on="day")
        .group_by("entity", *EQUATION, "stretch")
        .agg(pl.col("came").sum(), pl.col("went").sum())
        .rename({"stretch": "day"})
        .collect(engine="streaming")
    )
    owners = _numbered(pl.concat([days.select("entity"), declared.select("entity")]), "owner")
    keys = _numbered(days.select(EQUATION), "key")
    found = balances_of_days(
        days.join(owners, on="entity")
        .join(keys, on=EQUATION, nulls_equal=True)
        .select("owner", "key", "day", "came", "went"),
        declared.join(owners, on="entity").select("owner", "start", "end").sort("owner", "start"),
    )
    named = found.join(owners, on="owner").join(keys, on="key").drop("owner", "key")
    return _against_statements(portfolio, named)


def _stretches(moved: pl.LazyFrame, declared: pl.DataFrame) -> pl.LazyFrame:
    """Return for each day of a movement the first such day since which no period of anybody began or ended.

    What moved in such a stretch lies in the same period, whoever's it is, so it is summed up before anything is sorted.
    """
    borders = pl.concat([declared["start"], declared["end"].dt.offset_by("1d")]).unique().sort()
    days = moved.select("day").unique().collect(engine="streaming").sort("day")
    stretch = pl.Series(borders.search_sorted(days["day"], side="right"))
    return days.with_columns(pl.col("day").min().over(stretch).alias("stretch")).lazy()


def _numbered(rows: pl.DataFrame, name: str) -> pl.DataFrame:
    found = rows.unique().sort(rows.columns)
    return found.with_columns(pl.Series(name, range(found.height), dtype=pl.Int32))


def _against_statements(portfolio: Portfolio, ours: pl.DataFrame) -> pl.DataFrame:
    """Put the stated ending beside ours; an equation that only one of the two has counts as zero in the other."""
    stated = table(portfolio, STATEMENT).collect()
    ends = stated.group_by(_KEY).agg(
        pl.col("end").first().alias("stated_end"), pl.col("ending").first().alias("stated")
    )
    closed = stated.select("entity", "start").unique().with_columns(pl.lit(value=True).alias("closed"))
    both = ours.join(ends, on=_KEY, how="full", coalesce=True, nulls_equal=True).join(
        closed, on=["entity", "start"], how="left"
    )
    amounts = ("beginning", "incoming", "outgoing", "ending")
    filled = both.with_columns(
        pl.col(amounts).fill_null(0),
        pl.coalesce("end", "stated_end").alias("end"),
        pl.when("closed").then(pl.col("stated").fill_null(0)).alias("stated"),
    )
    differs = (pl.col("stated") != pl.col("ending")).fill_null(value=False)
    return filled.with_columns(differs.alias("differs")).select(list(BALANCE)).sort(_KEY)
