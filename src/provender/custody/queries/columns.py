"""A book in columns: one row per lot opened, for checks and balances over millions of movements.

The object model answers one request at a time; whole books are checked here, by Polars, from plain integers. Parties,
origins and equations (crop, harvest year, carbon intensity) are numbers into lists, so that a row is all integers.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

import polars as pl

from provender.custody.model.balances import Balance, Key
from provender.custody.model.lots import STOCK, Lot
from provender.custody.model.store_view import Posted, StoreView
from provender.exact import show

SCHEMA: Final[Mapping[str, pl.DataType | type[pl.DataType]]] = {
    "movement": pl.Int64,
    "day": pl.Date,
    "lot": pl.Int64,
    "parent": pl.Int64,
    "origin": pl.Int32,
    "start": pl.Int64,
    "stop": pl.Int64,
    "since": pl.Date,
    "owner": pl.Int32,
    "key": pl.Int32,
    "stock": pl.Boolean,
    "giver": pl.Int32,
    "giver_key": pl.Int32,
    "giver_stock": pl.Boolean,
}
"""Columns of a leg. ``movement``: place in the book, from 1. ``day``: of the movement. ``lot``: number of the lot
opened, upward. ``parent``: number of the lot it was cut from, null where serials enter the book. ``origin``: number of
the origin. ``start``, ``stop``: serials, thousandths of a bushel, half open. ``since``: day from which the lot counts.
``owner``, ``key``, ``stock``: whose, in which equation, in stock or not. ``giver``, ``giver_key``, ``giver_stock``: the
same of the parent, null without one."""


@dataclass(frozen=True, slots=True)
class Legs:
    """A book in columns."""

    frame: pl.DataFrame  # one row per lot opened, in the order of the book; see ``SCHEMA``
    parties: tuple[str, ...]  # names by number
    keys: tuple[Key, ...]  # crop, harvest year and carbon intensity by number
    origins: tuple[str, ...]  # ids by number


def legs_of(store: StoreView, events: Sequence[Posted]) -> Legs:
    """Return a whole book in columns, from what its store holds."""
    parties: dict[str, int] = {}
    keys: dict[Key, int] = {}
    origins: dict[str, int] = {}
    lots: dict[str, tuple[int, Lot]] = {}
    rows: list[tuple[object, ...]] = []
    for posted in events:
        for lot in store.lots_by(posted.event.id):
            number = len(rows)
            lots[lot.id] = (number, lot)
            parent, before = lots.get(lot.parent, (None, None))
            origin = origins.setdefault(lot.origin, len(origins))
            head = (posted.number, posted.event.day, number, parent, origin, lot.start, lot.stop, lot.since)
            side = _side(before, parties, keys) if before else (None, None, None)
            rows.append((*head, *_side(lot, parties, keys), *side))
    frame = pl.DataFrame(rows, schema=dict(SCHEMA), orient="row")
    return Legs(frame, tuple(parties), tuple(keys), tuple(origins))


def _side(lot: Lot, parties: dict[str, int], keys: dict[Key, int]) -> tuple[int, int, bool]:
    key = Key(lot.crop, lot.harvest_year, lot.ci)
    owner = parties.setdefault(lot.owner, len(parties))
    return owner, keys.setdefault(key, len(keys)), lot.state in STOCK


# Balances of whole books in columns: the equation of 2100.034(d) over millions of movements, in time linear in them.
#
# A row of legs is a flow by itself: it came when its owner has it in stock and did not have it before in the same
# equation, it left in the mirror case. So no row needs another, and the sums need no lots.

PERIODS: Final[Mapping[str, pl.DataType | type[pl.DataType]]] = {"owner": pl.Int32, "start": pl.Date, "end": pl.Date}
"""Columns of declared periods: number of the party, first and last day."""


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
    """Return the equations of every party that declared periods, from legs (``SCHEMA``) and periods (``PERIODS``)."""
    return balances_of_days(flows(frame), periods)


def balances_of_days(days: pl.DataFrame, periods: pl.DataFrame) -> pl.DataFrame:
    """Return the equations of ``PERIODS`` from what came and went by owner, key and day (``flows``).

    ``owner``, ``key``, ``start``, ``end``, ``beginning``, ``incoming``, ``outgoing``, ``ending``: one row per equation
    and period from the first in which it moved or held anything. What came before the first period is its beginning;
    what comes after the last is left out.
    """
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


def begins(*names: str) -> pl.Expr:
    """Return where a row differs from the one before in one of these columns; a null is like another.

    The first row begins a run unless all of its are null. Never null itself.
    """
    return pl.any_horizontal(pl.col(name).ne_missing(pl.col(name).shift(1)) for name in names)


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


# Checks of a whole book in columns: chain, tiling, time. They share no code with the decisions that made it.
#
# By induction over the book, what every movement ends and opens covers the same serials: a lot is cut only from one
# parent, by one later movement, and the parts of a parent tile it. So the lots of an origin always tile its range, each
# giver is the previous taker, and no serial is in two places.


class FaultKind(StrEnum):
    """What is wrong with a book."""

    EMPTY_LOT = "empty_lot"
    NO_PARENT = "no_parent"
    OTHER_GIVER = "other_giver"
    CUT_TWICE = "cut_twice"
    BEFORE_PARENT = "before_parent"
    OVERLAP = "overlap"
    NOT_TILED = "not_tiled"


_SENTENCES: Final = {
    FaultKind.EMPTY_LOT: "a lot holds no serials",
    FaultKind.NO_PARENT: "a lot was cut from one that the book does not have",
    FaultKind.OTHER_GIVER: "the giver is not who had the serials before",
    FaultKind.CUT_TWICE: "a lot was ended by two movements",
    FaultKind.BEFORE_PARENT: "serials moved before their holder had them",
    FaultKind.OVERLAP: "two lots hold the same serials",
    FaultKind.NOT_TILED: "a movement did not give all serials back that it took",
}


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of a book."""

    kind: FaultKind  # what is wrong
    movement: int  # the movement's place in the book
    origin: str  # whose serials
    start: int  # first serial concerned, thousandths of a bushel
    stop: int  # the serial after the last

    def __str__(self) -> str:
        """Write the fault as one sentence."""
        serials = f"{self.origin}, bushels {show(self.start, group=True)} to {show(self.stop, group=True)}"
        return f"Movement {self.movement}: {_SENTENCES[self.kind]} ({serials})."


def faults(legs: Legs) -> list[Fault]:
    """Return every fault of a book in columns; a book without any returns an empty list."""
    frame = legs.frame
    joined = _with_parents(frame)
    found = [
        *_faults_in(legs, FaultKind.EMPTY_LOT, frame.filter(pl.col("start") >= pl.col("stop"))),
        *_faults_in(
            legs, FaultKind.NO_PARENT, joined.filter(pl.col("parent").is_not_null() & pl.col("p_lot").is_null())
        ),
        *_faults_in(legs, FaultKind.OTHER_GIVER, joined.filter(_other_giver())),
        *_faults_in(legs, FaultKind.CUT_TWICE, joined.filter(pl.col("movement") != pl.col("first_cut"))),
        *_faults_in(
            legs,
            FaultKind.BEFORE_PARENT,
            joined.filter((pl.col("movement") <= pl.col("p_movement")) | (pl.col("day") < pl.col("p_since"))),
        ),
        *_faults_in(legs, FaultKind.OVERLAP, _overlaps(frame)),
        *_faults_in(legs, FaultKind.NOT_TILED, joined.filter(_not_tiled())),
    ]
    return sorted(found, key=lambda fault: (fault.movement, fault.start))


def _faults_in(legs: Legs, kind: FaultKind, frame: pl.DataFrame) -> Iterator[Fault]:
    for movement, origin, start, stop in frame.select("movement", "origin", "start", "stop").iter_rows():
        yield Fault(kind, movement, legs.origins[origin], start, stop)


def _with_parents(frame: pl.DataFrame) -> pl.DataFrame:
    """Return the legs that have a parent, with its columns (``p_...``), and what all parts of it come to."""
    names = ("lot", "movement", "origin", "start", "stop", "since", "owner", "key", "stock")
    parents = frame.select(pl.col(names).name.prefix("p_"))
    sums = frame.group_by("parent").agg(
        (pl.col("stop") - pl.col("start")).sum().alias("given_back"), pl.col("movement").min().alias("first_cut")
    )
    cut = frame.filter(pl.col("parent").is_not_null())
    cut = cut.join(parents, left_on="parent", right_on="p_lot", how="left", coalesce=False)
    return cut.join(sums, on="parent", how="left")


def _other_giver() -> pl.Expr:
    pairs = (("giver", "p_owner"), ("giver_key", "p_key"), ("giver_stock", "p_stock"), ("origin", "p_origin"))
    return pl.any_horizontal(pl.col(one) != pl.col(other) for one, other in pairs)


def _not_tiled() -> pl.Expr:
    inside = (pl.col("start") >= pl.col("p_start")) & (pl.col("stop") <= pl.col("p_stop"))
    return ~inside | (pl.col("given_back") != pl.col("p_stop") - pl.col("p_start"))


def _overlaps(frame: pl.DataFrame) -> pl.DataFrame:
    """Return lots that overlap another one cut from the same parent, or another one entering the same origin."""
    ordered = frame.sort("parent", "origin", "start")
    same = (pl.col("parent").eq_missing(pl.col("parent").shift())) & (pl.col("origin") == pl.col("origin").shift())
    return ordered.filter(same & (pl.col("start") < pl.col("stop").shift()))
