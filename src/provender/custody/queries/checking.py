"""Checks of a whole book in columns: chain, tiling, time. They share no code with the decisions that made it.

By induction over the book, what every movement ends and opens covers the same serials: a lot is cut only from one
parent, by one later movement, and the parts of a parent tile it. So the lots of an origin always tile its range, each
giver is the previous taker, and no serial is in two places.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import polars as pl

from provender.custody.queries.columns import Legs
from provender.quantity import show


class FaultKind(StrEnum):
    """What is wrong with a book."""

    EMPTY_LOT = "empty_lot"
    NO_PARENT = "no_parent"
    OTHER_GIVER = "other_giver"
    CUT_TWICE = "cut_twice"
    BEFORE_PARENT = "before_parent"
    OVERLAP = "overlap"
    NOT_TILED = "not_tiled"


SENTENCES: Final = {
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
    """One fault of a book.

    Attributes:
        kind: what is wrong.
        movement: the movement's place in the book.
        origin: whose serials.
        start: first serial concerned, thousandths of a bushel.
        stop: the serial after the last.
    """

    kind: FaultKind
    movement: int
    origin: str
    start: int
    stop: int

    def __str__(self) -> str:
        """Write the fault as one sentence."""
        serials = f"{self.origin}, bushels {show(self.start, group=True)} to {show(self.stop, group=True)}"
        return f"Movement {self.movement}: {SENTENCES[self.kind]} ({serials})."


def faults(legs: Legs) -> list[Fault]:
    """Return every fault of a book in columns; a book without any returns an empty list."""
    frame = legs.frame
    joined = _with_parents(frame)
    found = [
        *_rows(legs, FaultKind.EMPTY_LOT, frame.filter(pl.col("start") >= pl.col("stop"))),
        *_rows(legs, FaultKind.NO_PARENT, joined.filter(pl.col("parent").is_not_null() & pl.col("p_lot").is_null())),
        *_rows(legs, FaultKind.OTHER_GIVER, joined.filter(_other_giver())),
        *_rows(legs, FaultKind.CUT_TWICE, joined.filter(pl.col("movement") != pl.col("first_cut"))),
        *_rows(legs, FaultKind.BEFORE_PARENT, joined.filter(_too_early())),
        *_rows(legs, FaultKind.OVERLAP, _overlaps(frame)),
        *_rows(legs, FaultKind.NOT_TILED, joined.filter(_not_tiled())),
    ]
    return sorted(found, key=lambda fault: (fault.movement, fault.start))


def _rows(legs: Legs, kind: FaultKind, frame: pl.DataFrame) -> Iterator[Fault]:
    for movement, origin, start, stop in frame.select("movement", "origin", "start", "stop").iter_rows():
        yield Fault(kind, movement, legs.origins[origin], start, stop)


def _with_parents(frame: pl.DataFrame) -> pl.DataFrame:
    """Return the legs that have a parent, with its columns (``p_...``), and what all parts of it come to."""
    names = ("lot", "movement", "origin", "start", "stop", "since", "owner", "key", "stock")
    parents = frame.select(pl.col(names).name.prefix("p_"))
    sums = frame.group_by("parent").agg(
        (pl.col("stop") - pl.col("start")).sum().alias("given_back"),
        pl.col("movement").min().alias("first_cut"),
    )
    cut = frame.filter(pl.col("parent").is_not_null())
    cut = cut.join(parents, left_on="parent", right_on="p_lot", how="left", coalesce=False)
    return cut.join(sums, on="parent", how="left")


def _other_giver() -> pl.Expr:
    pairs = (("giver", "p_owner"), ("giver_key", "p_key"), ("giver_stock", "p_stock"), ("origin", "p_origin"))
    return pl.any_horizontal(pl.col(one) != pl.col(other) for one, other in pairs)


def _too_early() -> pl.Expr:
    return (pl.col("movement") <= pl.col("p_movement")) | (pl.col("day") < pl.col("p_since"))


def _not_tiled() -> pl.Expr:
    inside = (pl.col("start") >= pl.col("p_start")) & (pl.col("stop") <= pl.col("p_stop"))
    return ~inside | (pl.col("given_back") != pl.col("p_stop") - pl.col("p_start"))


def _overlaps(frame: pl.DataFrame) -> pl.DataFrame:
    """Return lots that overlap another one cut from the same parent, or another one entering the same origin."""
    ordered = frame.sort("parent", "origin", "start")
    same = (pl.col("parent").eq_missing(pl.col("parent").shift())) & (pl.col("origin") == pl.col("origin").shift())
    return ordered.filter(same & (pl.col("start") < pl.col("stop").shift()))
