"""Lots: half-open ranges of the serial numbers of one origin, held by one owner in one form.

A lot is never changed. A movement ends lots and opens others over the same serials; every lot but the first of its
origin names the lot it was cut from, so a claim is its own chain back to the farm's report.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from datetime import date
from enum import StrEnum
from heapq import heappop, heappush
from itertools import pairwise
from operator import attrgetter
from typing import Any, Final, TypeVar

from provender.custody.model.amounts import FORMS, crop_for, product_of
from provender.frozen import frozen

T = TypeVar("T")
FEW: Final = 64
"""Pairs of spans that are compared each with each; of more they are sorted first."""
Span = tuple[int, int]
"""Serials from the first up to, but not with, the second: whole thousandths of a bushel."""


class LotState(StrEnum):
    """Where the claim of a lot stands."""

    HELD = "held"
    UNVERIFIED = "unverified"
    IN_TRANSIT = "in_transit"
    DISPUTED = "disputed"
    """Taken back in another's name without the other's paper: in nobody's stock until that is settled."""
    RELEASED = "released"
    LOST = "lost"
    RETIRED = "retired"
    VOID = "void"


_IS_PRODUCT: Final = {name: bool(form.made_from) for name, form in FORMS.items()}
STOCK: Final = frozenset({LotState.HELD, LotState.UNVERIFIED})
"""States in which a claim is in its owner's stock; in transit it is in nobody's."""
LIVE: Final = STOCK | {LotState.IN_TRANSIT, LotState.DISPUTED}
"""States from which a claim can still move."""


@frozen
class Lot:
    """A range of serials as one movement left it.

    Attributes:
        id: the movement's id and a running number, ``m12/1``.
        parent: the lot it was cut from; empty only where the serials enter this store.
        origin: whose serials these are.
        crop: ``corn``, ``soybeans`` or ``sorghum``.
        harvest_year: year of harvest.
        start: first serial, in thousandths of a bushel.
        stop: the serial after the last.
        owner: who holds title.
        custodian: at whose site the crop lies.
        site: which site; empty in transit.
        form: the crop or a product (``FORMS``).
        product: thousandths of a pound for a product, 0 for the crop.
        rate: millionths of a pound of product per bushel, 0 for the crop.
        ci: whole hundredths of a gram CO2e per bushel.
        state: held, unverified, in transit, or how the claim ended.
        since: the day from which this is so.
        acquired: the day the owner's stock received it.
        titled: the day title passed to the owner.
        supplier: from whom the owner has it; empty at the farm.
        batch: the plant's campaign that made the product; empty otherwise.
        by: the movement that made the lot.
    """

    id: str
    parent: str
    origin: str
    crop: str
    harvest_year: int
    start: int
    stop: int
    owner: str
    custodian: str
    site: str
    form: str
    product: int
    rate: int
    ci: int
    state: LotState
    since: date
    acquired: date
    titled: date
    supplier: str
    batch: str
    by: str

    @property
    def crop_amount(self) -> int:
        """Return the lot in crop equivalents: thousandths of a bushel."""
        return self.stop - self.start

    @property
    def amount(self) -> int:
        """Return the lot in the unit of its form: thousandths of a bushel, or of a pound for a product."""
        return self.product if _IS_PRODUCT[self.form] else self.stop - self.start

    @property
    def is_product(self) -> bool:
        """Tell whether the lot is a product and not the crop."""
        return _IS_PRODUCT[self.form]

    def goes_freely(self, owner: str, form: str, day: date) -> bool:
        """Tell whether an owner holds it on a day, verified and in a form, or in any where none is asked for."""
        return self.owner == owner and self.state is LotState.HELD and self.since <= day and form in ("", self.form)

    def changed(self, changes: Mapping[str, Any]) -> "Lot":
        """Return the lot with other fields; every movement does it, and ``dataclasses.replace`` takes thrice as long.

        Raises:
            KeyError: it has no such field.
        """
        values = [*_values(self)]
        for name, value in changes.items():
            values[_PLACES[name]] = value
        return Lot(*values)


_NAMES: Final = tuple(each.name for each in fields(Lot))
_PLACES: Final = {name: place for place, name in enumerate(_NAMES)}
_values = attrgetter(*_NAMES)


@frozen
class Piece:
    """A part of a lot: its serials and, for a product, its pounds.

    Attributes:
        lot: the lot it is part of.
        start: first serial.
        stop: the serial after the last.
        product: thousandths of a pound, 0 for the crop.
    """

    lot: Lot
    start: int
    stop: int
    product: int

    @property
    def amount(self) -> int:
        """Return the piece in the unit of its form."""
        return self.product if self.lot.is_product else self.stop - self.start

    @property
    def crop_amount(self) -> int:
        """Return the piece in thousandths of a bushel."""
        return self.stop - self.start


def whole(lot: Lot) -> Piece:
    """Return a lot as one piece."""
    return Piece(lot, lot.start, lot.stop, lot.product)


def cut(lot: Lot, amount: int) -> Piece:
    """Return the piece with the lowest serials that holds ``amount`` in the unit of the lot's form.

    A product uses up its crop rounded up; asking for all pounds takes all serials.
    """
    if not lot.is_product:
        return Piece(lot, lot.start, lot.start + amount, 0)
    if amount == lot.product:
        return whole(lot)
    return Piece(lot, lot.start, min(lot.stop, lot.start + crop_for(amount, lot.rate)), amount)


def part(lot: Lot, start: int, stop: int) -> Piece:
    """Return the piece of a lot between two serials; its pounds are what the serials support, rounded down."""
    start, stop = max(start, lot.start), min(stop, lot.stop)
    if (start, stop) == (lot.start, lot.stop):
        return whole(lot)
    product = min(lot.product, product_of(stop - start, lot.rate)) if lot.is_product else 0
    return Piece(lot, start, stop, product)


def rests(taken: Sequence[Piece]) -> list[Piece]:
    """Return what stays of the lots that pieces are taken from, pounds rounded down.

    The pieces may lie anywhere in their lots but do not overlap. Pounds that neither the pieces nor the rests carry
    are the rounding loss.
    """
    if len(taken) == 1 and not taken[0].lot.is_product:
        (one,) = taken  # what nearly every movement takes
        spans = ((one.lot.start, one.start), (one.stop, one.lot.stop))
        return [Piece(one.lot, start, stop, 0) for start, stop in spans if start < stop]
    by_lot: dict[str, list[Piece]] = {}
    for piece in taken:
        by_lot.setdefault(piece.lot.id, []).append(piece)
    left: list[Piece] = []
    for pieces in by_lot.values():
        lot = pieces[0].lot
        spare = lot.product - sum(piece.product for piece in pieces)
        starts = [lot.start, *(piece.stop for piece in sorted(pieces, key=lambda one: one.start))]
        stops = [*sorted(piece.start for piece in pieces), lot.stop]
        for start, stop in zip(starts, stops, strict=True):
            if start < stop:
                product = min(spare, product_of(stop - start, lot.rate)) if lot.is_product else 0
                spare -= product
                left.append(Piece(lot, start, stop, product))
    return left


def with_parents(pieces: Iterable[Piece], parents: Sequence[Lot]) -> list[tuple[Piece, Lot | None]]:
    """Return pieces split where a movement had joined them from several lots, each with the lot it came from.

    A piece without a parent entered the store with that movement.
    """
    found: list[tuple[Piece, Lot | None]] = []
    for piece in pieces:
        meeting = [lot for lot in parents if lot.origin == piece.lot.origin]
        meeting = [lot for lot in meeting if max(lot.start, piece.start) < min(lot.stop, piece.stop)]
        for lot in meeting:
            start, stop = max(lot.start, piece.start), min(lot.stop, piece.stop)
            product = piece.product * (stop - start) // piece.crop_amount
            found.append((Piece(piece.lot, start, stop, product), lot))
        if not meeting:
            found.append((piece, None))
    return found


def joined(spans: Iterable[Span]) -> list[Span]:
    """Return spans sorted, with those that touch or overlap made one."""
    merged: list[Span] = []
    for start, stop in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(stop, merged[-1][1]))
        else:
            merged.append((start, stop))
    return merged


def subtract_spans(spans: Iterable[Span], taken: Iterable[Span]) -> list[Span]:
    """Return what of spans lies in none of those taken, in the order of the spans."""
    left, gone = list(spans), list(taken)
    if len(left) * len(gone) > FEW:
        apart = joined(gone)
        return [part for span in left for part in _left_of(span, apart)]
    for start, stop in gone:
        parts = (part for low, high in left for part in ((low, min(high, start)), (max(low, stop), high)))
        left = [(low, high) for low, high in parts if low < high]
    return left


def _left_of(span: Span, taken: Sequence[Span]) -> Iterator[Span]:
    """Yield what of a span lies in none of those taken, which are sorted and apart."""
    low, high = span
    place = max(bisect_right(taken, (low, low)) - 1, 0)
    while place < len(taken) and taken[place][0] < high:
        start, stop = taken[place]
        if low < start:
            yield low, start
        low, place = max(low, stop), place + 1
    if low < high:
        yield low, high


def common_spans(spans: Iterable[Span], others: Iterable[Span]) -> list[Span]:
    """Return what lies in spans and in others, sorted and joined."""
    mine = joined(spans)
    return subtract_spans(mine, subtract_spans(mine, others))


def layers(rows: Sequence[tuple[int, int, T]]) -> Iterator[tuple[int, int, list[T]]]:
    """Yield the stretches between all borders on which something lies, from the lowest on, with what lies there.

    Args:
        rows: first serial, the serial after the last, and what lies there; it is told in the order of the rows.
    """
    waiting = sorted(
        (place for place, row in enumerate(rows) if row[0] < row[1]), key=lambda place: rows[place][0], reverse=True
    )
    ends: list[tuple[int, int]] = []
    here: dict[int, T] = {}
    for low, high in pairwise(sorted({border for start, stop, _ in rows for border in (start, stop)})):
        while ends and ends[0][0] <= low:
            del here[heappop(ends)[1]]
        while waiting and rows[waiting[-1]][0] <= low:
            place = waiting.pop()
            here[place] = rows[place][2]
            heappush(ends, (rows[place][1], place))
        if here:
            yield low, high, [here[place] for place in sorted(here)]


def length(spans: Iterable[Span]) -> int:
    """Return the bushels of spans that do not overlap, in thousandths."""
    return sum([stop - start for start, stop in spans])
