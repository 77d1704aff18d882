"""A book in columns: one row per lot opened, for checks and balances over millions of movements.

The object model answers one request at a time; whole books are checked here, by Polars, from plain integers. Parties,
origins and equations (crop, harvest year, carbon intensity) are numbers into lists, so that a row is all integers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import polars as pl

from provender.custody.model.balances import Key
from provender.custody.model.lots import STOCK, Lot
from provender.custody.model.store_view import Posted, StoreView

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
    """A book in columns.

    Attributes:
        frame: one row per lot opened, in the order of the book; see ``SCHEMA``.
        parties: names by number.
        keys: crop, harvest year and carbon intensity by number.
        origins: ids by number.
    """

    frame: pl.DataFrame
    parties: tuple[str, ...]
    keys: tuple[Key, ...]
    origins: tuple[str, ...]


def legs_of(facts: StoreView, events: Sequence[Posted]) -> Legs:
    """Return a whole book in columns, from what its store holds."""
    parties: dict[str, int] = {}
    keys: dict[Key, int] = {}
    origins: dict[str, int] = {}
    lots: dict[str, tuple[int, Lot]] = {}
    rows: list[tuple[object, ...]] = []
    for posted in events:
        for lot in facts.lots_by(posted.request.id):
            number = len(rows)
            lots[lot.id] = (number, lot)
            parent, before = lots.get(lot.parent, (None, None))
            origin = origins.setdefault(lot.origin, len(origins))
            head = (posted.number, posted.request.day, number, parent, origin, lot.start, lot.stop, lot.since)
            side = _side(before, parties, keys) if before else (None, None, None)
            rows.append((*head, *_side(lot, parties, keys), *side))
    frame = pl.DataFrame(rows, schema=dict(SCHEMA), orient="row")
    return Legs(frame, tuple(parties), tuple(keys), tuple(origins))


def _side(lot: Lot, parties: dict[str, int], keys: dict[Key, int]) -> tuple[int, int, bool]:
    key = Key(lot.crop, lot.harvest_year, lot.ci)
    owner = parties.setdefault(lot.owner, len(parties))
    return owner, keys.setdefault(key, len(keys)), lot.state in STOCK
