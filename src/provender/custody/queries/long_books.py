"""Balances of whole books in columns: the equation of 2100.034(d) over millions of movements, in time linear in them.

A row of legs is a flow by itself: it came when its owner has it in stock and did not have it before in the same
equation, it left in the mirror case. So no row needs another, and the sums need no lots.
"""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import polars as pl

from provender.custody.model.balances import Balance, Key
from provender.custody.model.periods import Period
from provender.custody.queries.columns import Legs
from provender.records.runs import begins

PERIODS: Final[Mapping[str, pl.DataType | type[pl.DataType]]] = {
    "owner": pl.Int32,
    "start": pl.Date,
    "end": pl.Date,
}
"""Columns of declared periods: number of the party, first and last day."""


def periods_frame(legs: Legs, periods: Sequence[Period]) -> pl.DataFrame:
    """Return declared periods of parties of a book; see ``PERIODS``."""
    numbers = {name: number for number, name in enumerate(legs.parties)}
    rows = [(numbers[one.entity], one.start, one.end) for one in periods if one.entity in numbers]
    return pl.DataFrame(rows, schema=dict(PERIODS), orient="row")


def flows(frame: pl.DataFrame) -> pl.DataFrame:
    """Return what came to and left each party's stock, per equation and day.

    Columns: ``owner``, ``key``, ``day``, ``came``, ``went`` (thousandths of a bushel).
    """
    same = pl.col("giver_stock").fill_null(value=False) & pl.col("stock")
    same &= (pl.col("giver") == pl.col("owner")) & (pl.col("giver_key") == pl.col("key"))
    moved = frame.lazy().filter(~same.fill_null(value=False))
    amount = (pl.col("stop") - pl.col("start")).cast(pl.Int64)
    zero = pl.lit(0, dtype=pl.Int64)
    came = moved.filter(pl.col("stock")).select("owner", "key", "day", amount.alias("came"), zero.alias("went"))
    went = moved.filter(pl.col("giver_stock")).select(
        pl.col("giver").alias("owner"),
        pl.col("giver_key").alias("key"),
        "day",
        zero.alias("came"),
        amount.alias("went"),
    )
    groups = [
        one.group_by("owner", "key", "day").agg(pl.col("came").sum(), pl.col("went").sum()) for one in (came, went)
    ]
    return pl.concat(groups).group_by("owner", "key", "day").agg(pl.col("came").sum(), pl.col("went").sum()).collect()


def column_balances(frame: pl.DataFrame, periods: pl.DataFrame) -> pl.DataFrame:
    """Return the equations of every party that declared periods.

    Args:
        frame: legs; see ``columns.SCHEMA``.
        periods: declared periods; see ``PERIODS``.

    Returns:
        ``owner``, ``key``, ``start``, ``end``, ``beginning``, ``incoming``, ``outgoing``, ``ending``: one row per
        equation and period from the first in which it moved or held anything. What came before the first period is its
        beginning; what comes after the last is left out.
    """
    return balances_of_days(flows(frame), periods)


def balances_of_days(days: pl.DataFrame, periods: pl.DataFrame) -> pl.DataFrame:
    """Return the equations of ``column_balances`` from what came and went by owner, key and day (``flows``)."""
    days = days.join(periods.select("owner").unique(), on="owner", how="semi")
    first = periods.group_by("owner").agg(pl.col("start").min().alias("first"), pl.col("end").max().alias("last"))
    placed = (
        days.sort("day")
        .join_asof(
            periods.sort("start"),
            left_on="day",
            right_on="start",
            by="owner",
            strategy="backward",
            check_sortedness=False,
        )
        .join(first, on="owner")
        .filter(pl.col("day") <= pl.col("last"))
    )
    early = placed.filter(pl.col("start").is_null()).group_by("owner", "key")
    opening = early.agg((pl.col("came") - pl.col("went")).sum().alias("opening"))
    within = placed.filter(pl.col("start").is_not_null()).group_by("owner", "key", "start")
    sums = within.agg(pl.col("came").sum().alias("incoming"), pl.col("went").sum().alias("outgoing"))
    every = placed.select("owner", "key").unique().join(periods, on="owner")
    lines = (
        every.join(sums, on=["owner", "key", "start"], how="left")
        .join(opening, on=["owner", "key"], how="left")
        .with_columns(pl.col("incoming", "outgoing", "opening").fill_null(0))
        .sort("owner", "key", "start")
    )
    # Lines of an equation lie beside each other: one running sum, less what it was before the first of them, takes a
    # tenth of the time of a window for each.
    net = pl.col("incoming") - pl.col("outgoing")
    before = pl.when(begins("owner", "key")).then(net.cum_sum() - net).forward_fill().fill_null(0)
    lines = lines.with_columns((pl.col("opening") + net.cum_sum() - before).alias("ending"))
    lines = lines.with_columns((pl.col("ending") - pl.col("incoming") + pl.col("outgoing")).alias("beginning"))
    moved = pl.any_horizontal(pl.col("beginning", "incoming", "outgoing") != 0)
    return lines.filter(moved).select("owner", "key", "start", "end", "beginning", "incoming", "outgoing", "ending")


def negative(balances: pl.DataFrame) -> pl.DataFrame:
    """Return the equations that end below zero: more went than there was. A sound book has none, key by key."""
    return balances.filter(pl.col("ending") < 0)


class DifferingLine(NamedTuple):
    """One equation that ends otherwise by the lots; thousandths of a bushel."""

    period: str
    key: Key
    claimed: int
    summed: int


def differing_lines(legs: Legs, entity: str, balances: Sequence[Balance]) -> list[DifferingLine]:
    """Hold balances of an entity against the sums over its book in columns; equal ones return an empty list."""
    if entity not in legs.parties:
        return []
    number = legs.parties.index(entity)
    spans = [(number, balance.start, balance.end) for balance in balances]
    table = column_balances(legs.frame, pl.DataFrame(spans, schema=dict(PERIODS), orient="row"))
    summed = {(row["start"], legs.keys[row["key"]]): row["ending"] for row in table.iter_rows(named=True)}
    claimed = {(balance.start, line.key): line.ending for balance in balances for line in balance.lines}
    return [
        DifferingLine(f"period from {start}", key, claimed.get((start, key), 0), summed.get((start, key), 0))
        for start, key in sorted({*summed, *claimed})
        if claimed.get((start, key), 0) != summed.get((start, key), 0)
    ]
