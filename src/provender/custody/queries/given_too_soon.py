"""Serials that somebody may have given before they came: with days, a chain of hands has an order.

The sum over a serial's claims (``double_claims``) does not see days: who sells what it will only buy, sells twice what
one buyer brings back later, or trades in a circle what nobody gave to it, leaves the sum of an honest chain.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any, Final

import polars as pl

from provender.custody.queries.claims import ENDED

UNDOING: Final = ("correct", "reject")
"""Kinds of rows that say of a transfer that it never was: serials then never left, on whichever day that is entered."""
_LOW: Final = 2**24
"""A party of an origin is told by the upper bits, its day and whether it gave by these."""
_MIX: Final = 0x9E37_79B9_7F4A_7C15 - 2**64


def day_of_order() -> pl.Expr:
    """Return the day of a row as a number, null for one that undoes another."""
    day = pl.col("day").to_physical() + date(1970, 1, 1).toordinal()
    return pl.when(~pl.col("kind").is_in(UNDOING)).then(day).alias("day")


def too_soon(claims: pl.DataFrame) -> pl.DataFrame:
    """Return serials that a party gave before the last time it got them: few of them are honest, and all are looked at.

    Args:
        claims: ``origin``, ``start``, ``stop``, ``giver`` and ``taker`` (numbers), ``day`` (``day_of_order``).

    Returns:
        ``origin``, ``start``, ``stop``, sorted.
    """
    dated = claims.filter(pl.col("day").is_not_null()).with_columns(pl.col("day").cast(pl.Int64))
    gave = dated.select((_party("giver") | (pl.col("day") * 2 + 1)).alias("at"))
    got = dated.select((_party("taker") | (pl.col("day") * 2)).alias("at"))
    # Of one day what came stands before what went: within a day nobody knows the order.
    ordered = pl.concat([gave, got])["at"].sort()
    after = ordered.shift(-1)
    same = (ordered // _LOW) == (after // _LOW)
    parties = ordered.filter(same & (ordered % 2 == 1) & (after % 2 == 0)) // _LOW
    return _overlapping(dated, parties.unique())


def _party(side: str) -> pl.Expr:
    """Return the upper bits that tell a party of an origin; of a million few share them, which costs a look."""
    mixed = (pl.col("origin").cast(pl.Int64) * _MIX) + pl.col(side)
    return mixed - mixed % _LOW


def _overlapping(dated: pl.DataFrame, parties: pl.Series) -> pl.DataFrame:
    """Return the serials that these parties gave once before they got them, or moved more than once."""
    if parties.is_empty():
        return dated.select("origin", "start", "stop").clear()
    sides = []
    for side, got in (("giver", 0), ("taker", 1)):
        mine = dated.select("origin", "start", "stop", "day", (_party(side) // _LOW).alias("party"))
        rows = mine.filter(pl.col("party").is_in(parties.implode()))
        sides.append(rows.with_columns(pl.lit(got).alias("got"), pl.lit(1 - got).alias("gave"),
                                       (pl.col("day") * (2 * got - 1)).alias("late")))  # fmt: skip
    rows = pl.concat(sides)
    sums = ("got", "gave", "late")
    begins = rows.select("party", "origin", pl.col("start").alias("at"), *sums)
    ends = rows.select("party", "origin", pl.col("stop").alias("at"), *(-pl.col(name) for name in sums))
    ordered = pl.concat([begins, ends]).sort("party", "origin", "at").with_columns(pl.col(sums).cum_sum())
    several = (pl.col("got") > 1) | (pl.col("gave") > 1)
    early = (pl.col("got") == 1) & (pl.col("gave") == 1) & (pl.col("late") > 0)
    found = ordered.with_columns(pl.col("at").shift(-1).alias("stop")).filter(
        (several | early) & (pl.col("at") != pl.col("stop"))
    )
    return found.select("origin", pl.col("at").alias("start"), "stop").unique().sort("origin", "start", "stop")


def gave_too_soon(rows: Iterable[Mapping[str, Any]], root: str | None) -> dict[str, int]:
    """Return who gave a serial by the end of a day oftener than it had come, and by how often.

    Args:
        rows: every claim on the serial, which together leave one holder.
        root: who had it first; where it is not known, whoever gave it once oftener than it came, or first of all.
    """
    moves: defaultdict[str, list[tuple[date, int]]] = defaultdict(list)
    for row in rows:
        moves[row["giver"]].append((row["day"], -1))
        moves[row["taker"]].append((date.min if row["kind"] in UNDOING else row["day"], 1))
    first = root or min(moves, key=lambda party: (sum(by for _, by in moves[party]), min(moves[party])))
    found = {party: _lacked(sorted(days, key=lambda one: (one[0], -one[1])), 1 if party == first else 0)
             for party, days in moves.items() if party != ENDED}  # fmt: skip
    return {party: times for party, times in found.items() if times}


def _lacked(moves: Sequence[tuple[date, int]], held: int) -> int:
    """Return by how often a party gave more than it had at worst."""
    worst = 0
    for _, by in moves:
        held += by
        worst = min(worst, held)
    return -worst
