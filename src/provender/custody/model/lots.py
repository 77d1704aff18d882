"""Lots: half-open ranges of the serial numbers of one origin, held by one owner in one form.

A lot is never changed. A movement ends lots and opens others over the same serials; every lot but the first of its
origin names the lot it was cut from, so a claim is its own chain back to the farm's report.
"""

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from datetime import date
from enum import StrEnum
from heapq import heappop, heappush
from itertools import pairwise
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from sortedcontainers import SortedDict

from provender.custody.model.event import Record
from provender.exact import RATE_SCALE, ceil_div, floor_div, show
from provender.rule.crops import Crop
from provender.schema import When, frozen
from provender.signing.canonical import blinded

# Amounts of crop and product, and the two conversions between them (2100.033(a)(2), 2100.034(d)(2)).
#
# Crop is whole thousandths of a bushel, product whole thousandths of a pound, a yield whole millionths of a pound per
# bushel (or per pound, for a step that refines a product further). Product rounds down and crop used rounds up, so a
# conversion never makes a claim; what rounding leaves over is booked as a loss.

RATE_ONE: Final = 10**RATE_SCALE

SPAN_BITS: Final = 36
SPAN_MAX: Final = 2**SPAN_BITS
"""Serials of one origin, in thousandths of a bushel: 68.7 million bushels, more than any farm grows."""

BUSHEL: Final = "bu"
POUND: Final = "lb"


@frozen
class Form:
    """What a bushel can become."""

    name: str  # the word that events use
    crop: str  # the crop it comes from
    unit: str  # ``bu`` or ``lb``
    made_from: tuple[str, ...] = ()  # the form it is made from; empty for the crop itself
    # whether it may carry the claim. One output per bushel does; co-products are listed without one.
    claims: bool = True


_CORN, _SOY, _SORGHUM = (str(one) for one in (Crop.field_corn, Crop.soybeans, Crop.sorghum))

FORMS: Final = {
    form.name: form
    for form in (
        Form(_CORN, _CORN, BUSHEL),
        Form(_SOY, _SOY, BUSHEL),
        Form(_SORGHUM, _SORGHUM, BUSHEL),
        Form("soybean_oil", _SOY, POUND, (_SOY,)),
        Form("degummed_soybean_oil", _SOY, POUND, (_SOY, "soybean_oil")),
        Form("refined_soybean_oil", _SOY, POUND, (_SOY, "soybean_oil", "degummed_soybean_oil")),
        Form("ground_corn", _CORN, POUND, (_CORN,)),
        Form("corn_starch", _CORN, POUND, (_CORN, "ground_corn")),
        Form("ground_sorghum", _SORGHUM, POUND, (_SORGHUM,)),
        Form("soybean_meal", _SOY, POUND, (_SOY,), claims=False),
        Form("soybean_hulls", _SOY, POUND, (_SOY,), claims=False),
        Form("gums", _SOY, POUND, (_SOY, "soybean_oil"), claims=False),
        Form("distillers_grains", _CORN, POUND, (_CORN, "ground_corn"), claims=False),
        Form("distillers_corn_oil", _CORN, POUND, (_CORN, "ground_corn"), claims=False),
    )
}


_CROPS: Final = ("", *(form.name for form in FORMS.values() if form.unit == BUSHEL))
OF_CROP: Final = When("form", _CROPS)
OF_PRODUCT: Final = When("form", _CROPS, hides=True)
"""A form that is left out is the crop itself."""


def unit_of(form: str) -> str:
    """Return ``bu`` for a crop and ``lb`` for a product."""
    return FORMS[form].unit


def can_be_made_of(form: str, earlier: str) -> bool:
    """Tell whether a form may be made of an earlier one, in one step or several."""
    made_from = FORMS[form].made_from
    return earlier in made_from or any(can_be_made_of(one, earlier) for one in made_from)


def product_of(crop: int, rate: int) -> int:
    """Return the product that an amount of crop supports: thousandths in, thousandths out, rounded down."""
    return floor_div(crop * rate, RATE_ONE)


def crop_for(product: int, rate: int) -> int:
    """Return the crop that an amount of product uses up, rounded up. Raises ZeroDivisionError: the yield is zero."""
    return ceil_div(product * RATE_ONE, rate)


def rate_of(product: int, crop: int) -> int:
    """Return the yield behind a product whose paper names none, rounded up: its crop supports at least that product."""
    return ceil_div(product * RATE_ONE, crop)


def chained(first: int, second: int) -> int:
    """Return the yield of two steps one after the other, rounded down: more crop per pound, never less."""
    return floor_div(first * second, RATE_ONE)


def show_amount(amount: int, unit: str) -> str:
    """Write an amount with its unit for messages, such as ``1,234.5 bu``."""
    return f"{show(amount, group=True)} {unit}"


T = TypeVar("T")
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
    """A range of serials as one movement left it."""

    id: str  # the movement's id and a running number, ``m12/1``
    parent: str  # the lot it was cut from; empty only where the serials enter this store
    origin: str  # whose serials these are
    crop: str  # ``corn``, ``soybeans`` or ``sorghum``
    harvest_year: int  # year of harvest
    start: int  # first serial, in thousandths of a bushel
    stop: int  # the serial after the last
    owner: str  # who holds title
    custodian: str  # at whose site the crop lies
    site: str  # which site; empty in transit
    form: str  # the crop or a product (``FORMS``)
    product: int  # thousandths of a pound for a product, 0 for the crop
    rate: int  # millionths of a pound of product per bushel, 0 for the crop
    ci: int  # whole hundredths of a gram CO2e per bushel
    state: LotState  # held, unverified, in transit, or how the claim ended
    since: date  # the day from which this is so
    acquired: date  # the day the owner's stock received it
    titled: date  # the day title passed to the owner
    supplier: str  # from whom the owner has it; empty at the farm
    batch: str  # the plant's campaign that made the product; empty otherwise
    by: str  # the movement that made the lot

    @property
    def crop_amount(self) -> int:
        """Return the lot in crop equivalents: thousandths of a bushel."""
        return self.stop - self.start

    @property
    def amount(self) -> int:
        return self.product if _IS_PRODUCT[self.form] else self.stop - self.start

    @property
    def is_product(self) -> bool:
        return _IS_PRODUCT[self.form]

    def changed(self, changes: Mapping[str, Any]) -> "Lot":
        """Return the lot with other fields; ``dataclasses.replace`` takes thrice as long."""
        values = [*_values(self)]
        for name, value in changes.items():
            values[_PLACES[name]] = value
        return Lot(*values)


_PLACES: Final = {each.name: place for place, each in enumerate(fields(Lot))}
_values = attrgetter(*_PLACES)


@frozen
class Piece:
    """A part of a lot: its serials and, for a product, its pounds."""

    lot: Lot  # the lot it is part of
    start: int  # first serial
    stop: int  # the serial after the last
    product: int  # thousandths of a pound, 0 for the crop

    @property
    def amount(self) -> int:
        """Return the piece in the unit of its form."""
        return self.product if self.lot.is_product else self.stop - self.start

    @property
    def crop_amount(self) -> int:
        """Return the piece in thousandths of a bushel."""
        return self.stop - self.start


def whole(lot: Lot) -> Piece:
    return Piece(lot, lot.start, lot.stop, lot.product)


def cut(piece: Piece, amount: int) -> Piece:
    """Return the front of a piece that holds ``amount``, less than it has, in the unit of its form.

    A product uses up its crop rounded up.
    """
    used = crop_for(amount, piece.lot.rate) if piece.lot.is_product else amount
    return Piece(piece.lot, piece.start, min(piece.stop, piece.start + used), amount if piece.lot.is_product else 0)


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
        for start, stop in subtract_spans([(lot.start, lot.stop)], ((piece.start, piece.stop) for piece in pieces)):
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
    apart = joined(taken)
    return [part for span in spans for part in left_of(span, apart)]


def left_of(span: Span, taken: Sequence[Span]) -> Iterator[Span]:
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


def overlaps(spans: Iterable[Span], others: Sequence[Span]) -> list[Span]:
    """Return what each of some spans has in common with each of others, in their order."""
    return [
        (max(low, start), min(high, stop))
        for low, high in spans
        for start, stop in others
        if low < stop and start < high
    ]


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
    return sum([stop - start for start, stop in spans])


# An owner's stock of one form, kept by what movements ask for: how much of what lies where, and how old the lots are.
#
# A sale looks at a few sums and at the lots that it takes, never at every lot of the stock.


def age(lot: Lot) -> tuple[date, str, int]:
    return lot.acquired, lot.origin, lot.start


if TYPE_CHECKING:
    ByAge = SortedDict[tuple[date, str, int], Lot]


class StockBucket(NamedTuple):
    """What lots of a stock have in common that are alike in all but age."""

    custodian: str
    site: str
    state: LotState
    harvest_year: int
    ci: int


class Stock:
    """The current lots of one owner and form that are in stock (held, unverified).

    Attributes:
        shelves: how much lies on each, in the unit of the form.
    """

    def __init__(self, lots: Iterable[Lot] = ()) -> None:
        self.shelves: dict[StockBucket, int] = {}
        self._by_age: ByAge = SortedDict()
        self._latest = date.min
        self._by_origin: dict[str, dict[str, Lot]] = {}
        for lot in lots:
            self.add(lot)

    @property
    def lots(self) -> Collection[Lot]:
        """Return the lots, oldest first; no two have serials in common, so no two are of one age."""
        return self._by_age.values()

    @property
    def origins(self) -> Collection[str]:
        """Return whose serials lie in the stock."""
        return self._by_origin.keys()

    def of_origin(self, origin: str) -> Collection[Lot]:
        """Return the lots of an origin, in no order."""
        return self._by_origin.get(origin, {}).values()

    def later_than(self, day: date) -> Collection[Lot]:
        return [lot for lot in self.lots if lot.since > day] if self._latest > day else ()

    def add(self, lot: Lot) -> None:
        self._by_age[age(lot)] = lot
        self._latest = max(self._latest, lot.since)
        self._by_origin.setdefault(lot.origin, {})[lot.id] = lot
        shelf = bucket_of(lot)
        self.shelves[shelf] = self.shelves.get(shelf, 0) + lot.amount

    def remove(self, lot: Lot) -> None:
        """Take a lot out; it must be there."""
        del self._by_age[age(lot)]
        del self._by_origin[lot.origin][lot.id]
        if not self._by_origin[lot.origin]:
            del self._by_origin[lot.origin]
        shelf = bucket_of(lot)
        self.shelves[shelf] -= lot.amount
        if not self.shelves[shelf]:
            del self.shelves[shelf]


def bucket_of(lot: Lot) -> StockBucket:
    return StockBucket(lot.custodian, lot.site, lot.state, lot.harvest_year, lot.ci)


# Origins: the bushels of one farm, crop and harvest year, under the versions of one Biofuel Feedstock Report.


class OriginKind(StrEnum):
    """How an origin came into this store."""

    REPORT = "report"
    """A farm's own report: the serials tile from 0 to its bushels."""
    DOCUMENT = "document"
    """Seen on a transfer document with blinded serials: only the ranges seen are known."""
    FOREIGN = "foreign"
    """A document under 2100.032(c) without serials: issuer and number are the key (interpretation 45)."""
    OPENING = "opening"
    """Stock declared at the start of the first period (interpretation 51)."""


class ReportStanding(StrEnum):
    """Whether the report behind an origin stands."""

    ACTIVE = "active"
    SUSPENDED = "suspended"
    WITHDRAWN = "withdrawn"


@frozen
class Version:
    """One version of a report."""

    number: int  # 1, 2, ..
    day: date  # the day it was signed
    bushels: int  # thousandths of a bushel
    ci: int  # hundredths of a gram CO2e per bushel
    report: str  # hash of the signed report; empty when the report is not at hand
    # the serials it is about, where a giver's notice named some; empty where it is about all of them
    spans: tuple[Span, ...] = ()
    by: str = ""  # the event that entered it

    def is_about(self, start: int, stop: int) -> bool:
        """Tell whether it is about any of some serials."""
        return not self.spans or any(start < high and low < stop for low, high in self.spans)


@frozen
class Origin(Record, kind="origin", key="id"):
    """Where serials come from."""

    id: str  # what lots and events call it: blinded when the farm's salt is known
    form: str  # the crop, or the product a foreign document is about
    issuer: str  # the farm, or who wrote the document or the declaration
    crop: str  # ``corn``, ``soybeans`` or ``sorghum``
    harvest_year: int  # year of harvest
    source: OriginKind  # how it came here
    number: str  # the document's number; empty for a report
    standing: ReportStanding  # active, suspended or withdrawn
    versions: tuple[Version, ...]  # at least one, oldest first
    issued: int  # the serial after the last one ever issued, thousandths of a bushel
    # serials that rest because whoever gave them gave notice of a suspension; the others do not
    resting: tuple[Span, ...] = ()

    @property
    def group(self) -> str:
        """Origins are listed per farm, crop and year, which holds one report at most (interpretation 34)."""
        return origin_name(self.issuer, self.crop, self.harvest_year) if self.source is OriginKind.REPORT else ""

    @property
    def current(self) -> Version:
        return self.versions[-1]

    @property
    def version(self) -> int:
        return self.current.number

    @property
    def is_doubtful(self) -> bool:
        """Tell whether the report is not in force for all of its serials."""
        return self.standing is not ReportStanding.ACTIVE or bool(self.resting)

    def rests(self, start: int, stop: int) -> bool:
        """Tell whether the report is suspended for any of some serials."""
        noticed = any(start < high and low < stop for low, high in self.resting)
        return self.standing is ReportStanding.SUSPENDED or noticed

    def worst_since(self, piece: Piece) -> int:
        """Return the worst CI stated of any serial of a piece since its lot's owner has it (interpretation 35).

        A farm's own bushels follow its report: of what that says, only the version in force counts.
        """
        lot = piece.lot
        if self.source is OriginKind.REPORT and lot.owner == self.issuer:
            return max(lot.ci, self.current.ci)
        later = [one for one in self.versions[1:] if one.day >= lot.since]
        return max([lot.ci, *(one.ci for one in later if one.is_about(piece.start, piece.stop))])

    @property
    def span(self) -> Span:
        """Return the serials there are or were: bushels that a later version dropped stay as void lots."""
        return (0, self.issued)


def origin_name(farm: str, crop: str, harvest_year: int) -> str:
    """Return the readable key of an origin, ``farm/crop/year``."""
    return f"{farm}/{crop}/{harvest_year}"


def origin_id(farm: str, crop: str, harvest_year: int, salt: str) -> str:
    """Return the id under which every book knows the origin: blinded with the salt that stands in the farm's report.

    Without a salt the readable key is the id: for books that never leave one party.

    Raises:
        ValueError: the salt is too short to hide anything.
    """
    name = origin_name(farm, crop, harvest_year)
    return blinded(name, salt) if salt else name


def slip_number(slip: str, giver: str) -> str:
    """Return the number on a farm's slip, which a book that knows another's under it calls after its farm, too."""
    return slip.removesuffix(f" of {giver}")


@frozen
class Slip(Record, kind="slip", key="id", group="origin"):
    """A sale slip signed by the farm: the only thing that assigns serials."""

    id: str  # the slip's id
    giver: str  # who sells: the farm, or the landowner for a share
    taker: str  # who buys
    origin: str  # whose serials
    spans: tuple[Span, ...]  # which serials
    day: date  # the day it was signed
    open_spans: tuple[Span, ...]  # what has not been purchased yet; none left when the slip is used up or voided
    returned: str = ""  # an earlier slip whose buyer gave these serials back to the giver, where the giver says so

    @property
    def open_bushels(self) -> int:
        """Return how much has not been purchased yet, thousandths of a bushel."""
        return length(self.open_spans)
