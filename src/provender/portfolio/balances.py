"""``portfolio book``: balances of every entity, crop, year, CI and period, against the signed period statements.

Movements are grouped by day as they are scanned, in bounded memory; what is left is small, and the equation of
2100.034(d) runs over it as over one book (``custody.queries.long_books``).
"""

from collections.abc import Callable, Mapping
from math import prod
from typing import Final, NamedTuple

import polars as pl

from provender.custody.queries.long_books import balances_of_days
from provender.portfolio.custody import EQUATION, MOVEMENT, PERIOD, SCHEMAS, STATEMENT
from provender.portfolio.custody_rows import custody_problems, table, whole_table
from provender.portfolio.on_disk import Portfolio
from provender.portfolio.unreadable import among_sound
from provender.problem import Problem

BALANCE: Final = {
    "entity": pl.String, "crop": pl.String, "crop_year": pl.Int32, "ci": pl.Int64, "start": pl.Date, "end": pl.Date,
    "beginning": pl.Int64, "incoming": pl.Int64, "outgoing": pl.Int64, "ending": pl.Int64, "stated": pl.Int64,
    "differs": pl.Boolean,
}  # fmt: skip
"""``stated``: ending of the period's statement, null where none is at hand; ``differs``: it says other than ours."""
_AMOUNTS: Final = ("beginning", "incoming", "outgoing", "ending")
_MOST: Final = 2**62
_KEY: Final = ("entity", "start", *EQUATION)


Sums = Callable[[Portfolio, pl.DataFrame], pl.DataFrame]
"""What sums up the movements of entities with periods (``entity``, ``start``, ``end``): ``came`` and ``went`` by
``entity``, equation and ``day``, a day of each stretch in which no period begins or ends."""


def here(portfolio: Portfolio, declared: pl.DataFrame) -> pl.DataFrame:
    """Sum up on this machine."""
    moved, all_of_it = table(portfolio, MOVEMENT), whole_table(portfolio, MOVEMENT)
    people, stretches = declared["entity"].unique().sort(), _stretches(all_of_it, declared)
    return _sums(moved, people, stretches, _places(all_of_it, people, stretches))


def balances_and_problems(portfolio: Portfolio, *, sums: Sums = here) -> tuple[pl.DataFrame, list[Problem]]:
    """Return the equations over the files that can be read, and all that is wrong with files and rows."""
    lines, sound, broken = among_sound(portfolio, lambda one: balances(one, sums=sums))
    return lines, [*portfolio.problems, *broken, *custody_problems(sound)]


def balances(portfolio: Portfolio, *, sums: Sums = here) -> pl.DataFrame:
    """Return the equations of every entity that declared periods; see ``BALANCE``."""
    # A period that lacks one of the three bounds nothing; what its entity states then has no equation beside it.
    declared = table(portfolio, PERIOD).select("entity", "start", "end").drop_nulls().unique().collect()
    days = sums(portfolio, declared)
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
    days = moved.select("day").unique().drop_nulls().collect(engine="streaming").sort("day")
    stretch = pl.Series(borders.search_sorted(days["day"], side="right"))
    return days.with_columns(pl.col("day").min().over(stretch).alias("stretch")).lazy()


class _Place(NamedTuple):
    """A column as whole numbers from 0: what is taken off, how many there are, and their names where it is text."""

    least: int
    width: int
    names: pl.Series | None = None

    def code(self, column: str) -> pl.Expr:
        """Return the number of each value; ``width`` for none."""
        value = pl.col(column)
        if self.names is None:
            number = value.to_physical().cast(pl.Int64) - self.least
        else:
            number = value.cast(pl.Enum(self.names), strict=False).to_physical().cast(pl.Int64)
        return number.fill_null(self.width)

    def values(self, code: pl.Series, of: pl.DataType | type[pl.DataType]) -> pl.Series:
        """Return the values of numbers."""
        known = pl.select(pl.when(code != self.width).then(code)).to_series()
        return (known + self.least).cast(of) if self.names is None else self.names.gather(known)


def _sums(
    moved: pl.LazyFrame, people: pl.Series, stretches: pl.LazyFrame, places: Mapping[str, _Place]
) -> pl.DataFrame:
    """Return what came to and went from people, by equation and first day of each stretch.

    What a sum is about is packed into one whole number, which groups several times faster than its five columns.
    """
    placed = moved.join(stretches, on="day").drop("day").rename({"stretch": "day"})
    key = ("entity", *EQUATION, "day")
    amounts = (pl.col("came").sum(), pl.col("went").sum())
    if prod(one.width + 1 for one in places.values()) >= _MOST:
        mine = placed.filter(pl.col("entity").is_in(people.implode()))
        return mine.group_by(key).agg(amounts).collect(engine="streaming")
    whole = pl.lit(0, pl.Int64)
    for name in key:
        whole = whole * (places[name].width + 1) + places[name].code(name)
    sums = placed.select(whole.alias("whole"), "came", "went").group_by("whole").agg(amounts)
    found = sums.collect(engine="streaming")
    rest, columns = found["whole"], []
    for name in reversed(key):
        wide = places[name].width + 1
        columns.append(places[name].values(rest % wide, SCHEMAS[MOVEMENT][name]).alias(name))
        rest = rest // wide
    return found.drop("whole").with_columns(columns).filter(pl.col("entity").is_not_null())


def _places(moved: pl.LazyFrame, people: pl.Series, stretches: pl.LazyFrame) -> dict[str, _Place]:
    """Return how each column of a sum's key is numbered; more values than the sums have do no harm."""
    crops = moved.select("crop").unique().collect(engine="streaming")["crop"].drop_nulls().sort()
    numbers = ("crop_year", "ci")
    ends = moved.select(
        *(pl.col(name).min().alias(f"{name} least") for name in numbers),
        *(pl.col(name).max().alias(f"{name} most") for name in numbers),
    ).collect(engine="streaming").row(0, named=True)  # fmt: skip
    days = stretches.select(pl.col("stretch").to_physical()).collect()["stretch"]
    spans = {name: (ends[f"{name} least"] or 0, ends[f"{name} most"] or 0) for name in numbers}
    spans["day"] = (int(str(days.min() or 0)), int(str(days.max() or 0)))
    texts = {"entity": _Place(0, people.len(), people), "crop": _Place(0, crops.len(), crops)}
    return texts | {name: _Place(low, high - low + 1) for name, (low, high) in spans.items()}


def _numbered(rows: pl.DataFrame, name: str) -> pl.DataFrame:
    found = rows.unique().sort(rows.columns)
    return found.with_columns(pl.Series(name, range(found.height), dtype=pl.Int32))


def _against_statements(portfolio: Portfolio, ours: pl.DataFrame) -> pl.DataFrame:
    """Put the stated ending beside ours; an equation that only one of the two has counts as zero in the other.

    It differs where any of the four amounts does, in any of the statements where there are several.
    """
    stated = table(portfolio, STATEMENT).collect()
    bounds = {f"{name} {bound}": name for name in _AMOUNTS for bound in ("least", "most")}
    ends = stated.group_by(_KEY).agg(
        pl.col("end").first().alias("stated_end"), pl.col("ending").first().alias("stated"),
        *(pl.col(name).min().alias(f"{name} least") for name in _AMOUNTS),
        *(pl.col(name).max().alias(f"{name} most") for name in _AMOUNTS),
    )  # fmt: skip
    closed = stated.select("entity", "start").unique().with_columns(pl.lit(value=True).alias("closed"))
    both = ours.join(ends, on=_KEY, how="full", coalesce=True, nulls_equal=True).join(
        closed, on=["entity", "start"], how="left"
    )
    filled = both.with_columns(
        pl.col(_AMOUNTS).fill_null(0),
        pl.coalesce("end", "stated_end").alias("end"),
        pl.when("closed").then(pl.col("stated").fill_null(0)).alias("stated"),
        # Of what it leaves out only the ending is nothing: it need not tell what came and went whole.
        pl.when(pl.col("closed") & pl.col("stated").is_null()).then(0)
        .otherwise(pl.col("ending least", "ending most")).name.keep(),
    )  # fmt: skip
    differs = pl.any_horizontal((pl.col(said) != pl.col(name)).fill_null(value=False) for said, name in bounds.items())
    return filled.with_columns(differs.alias("differs")).select(list(BALANCE)).sort(_KEY)
