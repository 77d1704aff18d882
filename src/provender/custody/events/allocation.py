"""Which claims a movement takes: the lots named, or the declared policy over the stock (interpretation 44)."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from provender.custody.events import rules
from provender.custody.model import lots as serials
from provender.custody.model.entities import Entity, Period, Policy
from provender.custody.model.event import Event, Range, Refusal, Status, ticket_amounts
from provender.custody.model.store_view import StoreView
from provender.exact import CI_SCALE, Bushels, Ci, Pounds, show
from provender.schema import Name, Text, Whole, declared, field, frozen


@declared
class TakesFromStock(Event):
    """Fields of every movement that takes claims out of a stock."""

    crop: Text = field("Crop", help="The crop behind the claims.", choices="crops")
    form: Text = field("Form", help="The product. Leave empty for the crop.", choices="forms", default="")
    bushels: Bushels = field("Bushels", help="How much, for a crop.", when=serials.OF_CROP, default=0)
    pounds: Pounds = field("Pounds of product", help="How much, for a product.", when=serials.OF_PRODUCT, default=0)
    harvest_year: Whole = field("Harvest year", help="Only this harvest year. Empty: any.", folded=True, default=0)
    site: Name = field("Site", help="Only from this site of the giver; empty for any.", choices="sites", default="")
    lots: tuple[Range, ...] = field(
        "Lots named", help="Exactly these serials, in this order; the policy is not asked.", folded=True, default=()
    )
    ci_min: Ci | None = field(
        "Carbon intensity at least", help="Nothing below this carbon intensity.", folded=True, default=None
    )
    ci_max: Ci | None = field("Carbon intensity at most", help="Highest CI to take. Empty: no limit.", default=None)

    while_suspended: ClassVar[bool] = False
    """Whether it may take claims whose report is suspended: what happens to the grain happens all the same."""
    from_closed: ClassVar[bool] = True
    """Whether it may take what lies at a closed site: by a sale nothing goes from there, by a move it is emptied."""

    @property
    def of_form(self) -> str:
        """Return the form taken: the crop unless a product is named."""
        return self.form or self.crop

    @property
    def wanted(self) -> int:
        """Return the amount in the unit of the form; 0 means all of the lots named."""
        return self.pounds if serials.unit_of(self.of_form) == "lb" else self.bushels


@frozen
class Choice:
    """The claims a movement takes."""

    pieces: tuple[serials.Piece, ...]  # parts of lots, in the order they were chosen
    how: str  # in words, for the document

    @property
    def amount(self) -> int:
        return sum(piece.amount for piece in self.pieces)

    @property
    def crop_amount(self) -> int:
        """Return the sum in thousandths of a bushel."""
        return sum(piece.crop_amount for piece in self.pieces)


def check_choosing(event: TakesFromStock, *more: tuple[int, str], amount_said: bool = False) -> None:
    """Refuse what no stock can answer: a form that is not the crop's, an amount of nothing or in the other unit.

    ``more`` are further amounts with their units, to be checked with the event's own. Lots that are named may stand for
    their whole amount, unless the amount has to be said.
    """
    rules.check_crop(event.crop)
    rules.check_form(event.of_form, event.crop)
    unit = serials.unit_of(event.of_form)
    other = event.bushels if unit == "lb" else event.pounds
    rules.require(other == 0, Status.AMOUNT_NOT_POSITIVE, f"{event.of_form} is counted in {unit}.")
    amounts = [(event.wanted, unit)] if event.wanted or amount_said or not event.lots else []
    rules.check_amounts(*amounts, *more, *ticket_amounts(getattr(event, "tickets", ()), unit))
    rules.check_amounts(*ticket_amounts(getattr(event, "destination", ()), unit))
    rules.check_ranges(event.lots)


StockBuckets = Mapping[serials.StockBucket, int]

Place = tuple[str, str]
"""A custodian and one of its sites."""


def choose(store: StoreView, giver: str, event: TakesFromStock, period: Period | None, place: Place | None) -> Choice:
    """Return the claims that a movement takes from a giver's stock.

    The request was checked (``check_choosing``); growers, who have no periods, go oldest first. Without a place what
    lies anywhere may go.

    Raises:
        Refusal: from ``REPORT_WITHDRAWN`` down to ``LOTS_NOT_NAMED``.
    """
    if event.lots:
        return _named(store, giver, event, place)
    return _by_policy(store, giver, event, period.policy if period else None, place)


def taken(store: StoreView, entity: Entity, event: TakesFromStock, site: str, *more: tuple[int, str]) -> Choice:
    """Return what a movement takes of an entity's own stock in its open period: at one of its sites, or anywhere."""
    check_choosing(event, *more)
    period = rules.open_period(store, entity, event.day)
    return choose(store, entity.id, event, period, (entity.id, site) if site else None)


def pieces_at(store: StoreView, ranges: Iterable[Range]) -> list[serials.Piece]:
    """Return the current pieces behind named serials, or refuse serials their origin does not have."""
    pieces: list[serials.Piece] = []
    origins: dict[str, serials.Origin] = {}
    for one in ranges:
        origin = origins.get(one.origin) or store.one(serials.Origin, one.origin)
        if origin is None:
            raise Refusal(Status.OUTSIDE_ORIGIN, f"There is no origin {one.origin!r}.")
        origins[one.origin] = origin
        found = [serials.part(lot, one.start, one.stop) for lot in store.lots_at(one.origin, one.start, one.stop)]
        covered = sum(piece.crop_amount for piece in found)
        if covered != one.stop - one.start:
            raise Refusal(Status.OUTSIDE_ORIGIN, f"{one.origin}, {rules.show_span(*origin.span)}.")
        pieces.extend(_carrying(found, one.pounds))
    return pieces


def _carrying(pieces: list[serials.Piece], pounds: int) -> list[serials.Piece]:
    """Return pieces with so many pounds at most, which are given for one lot; 0 leaves them as they are."""
    if not pounds:
        return pieces
    rules.require(len(pieces) == 1, Status.SPAN_NOT_POSSIBLE, "Pounds are given lot by lot.")
    return [replace(piece, product=min(piece.product, pounds)) for piece in pieces]


def check_pieces(
    pieces: Sequence[serials.Piece],
    owner: str,
    event: Event,
    *,
    form: str = "",
    place: Place | None = None,
    states: Iterable[serials.LotState],
) -> None:
    """Refuse pieces that an owner cannot give, in order of precedence over all pieces.

    Raises:
        Refusal: NOT_HELD, IN_TRANSIT, IN_DISPUTE, OTHER_FORM, OTHER_SITE, UNVERIFIED or NOT_HELD_YET, saying where
            the lot is.
    """
    allowed = frozenset(states)
    tests: tuple[tuple[Status, Callable[[serials.Lot], bool]], ...] = (
        (Status.NOT_HELD, lambda lot: lot.owner == owner and lot.state in serials.LIVE),
        (Status.IN_TRANSIT, lambda lot: lot.state is not serials.LotState.IN_TRANSIT or lot.state in allowed),
        (Status.IN_DISPUTE, lambda lot: lot.state is not serials.LotState.DISPUTED or lot.state in allowed),
        (Status.OTHER_FORM, lambda lot: not form or lot.form == form),
        (Status.OTHER_SITE, lambda lot: place in (None, (lot.custodian, lot.site))),
        (Status.UNVERIFIED, lambda lot: lot.state is not serials.LotState.UNVERIFIED or lot.state in allowed),
        (Status.NOT_HELD_YET, lambda lot: lot.since <= event.day),
    )
    for status, test in tests:
        for piece in pieces:
            if not test(piece.lot):
                rules.require(condition=False, status=status, detail=rules.lot_location(piece.lot))


def check_origins(store: StoreView, pieces: Iterable[serials.Piece], *, suspended: bool = False) -> None:
    """Refuse claims whose report was withdrawn, or is suspended unless such may be taken."""
    known = [(piece, store.one(serials.Origin, piece.lot.origin)) for piece in pieces]
    for piece, origin in known:
        if origin is not None and origin.standing is serials.ReportStanding.WITHDRAWN:
            rules.require(condition=False, status=Status.REPORT_WITHDRAWN, detail=f"Origin {piece.lot.origin}.")
    for piece, origin in known if not suspended else ():
        if origin is not None and origin.rests(piece.start, piece.stop):
            rules.require(condition=False, status=Status.REPORT_SUSPENDED, detail=f"Origin {piece.lot.origin}.")


def stands(origin: serials.Origin, lot: serials.Lot) -> bool:
    """Tell whether the report behind a lot is in force for all of it."""
    return origin.standing is not serials.ReportStanding.WITHDRAWN and not origin.rests(lot.start, lot.stop)


def _named(store: StoreView, giver: str, event: TakesFromStock, place: Place | None) -> Choice:
    pieces = pieces_at(store, event.lots)
    check_origins(store, pieces, suspended=event.while_suspended)
    check_pieces(pieces, giver, event, form=event.of_form, place=place, states=_giving(event))
    inside = all(_in_ci(piece.lot.ci, event) for piece in pieces)
    rules.require(inside, Status.OUTSIDE_CI_RANGE, "A lot named lies outside the range.")
    if not event.wanted:
        return Choice(tuple(pieces), "lots named")
    have = sum(piece.amount for piece in pieces)
    rules.require(have >= event.wanted, Status.EXCEEDS_STOCK, f"The lots named hold {_shown(have, event)}.")
    return Choice(tuple(take(pieces, event.wanted)), "lots named")


def _giving(event: TakesFromStock) -> frozenset[serials.LotState]:
    return getattr(type(event), "giving", frozenset({serials.LotState.HELD}))


def _in_ci(ci: int, event: TakesFromStock) -> bool:
    low = event.ci_min is None or ci >= event.ci_min
    return low and (event.ci_max is None or ci <= event.ci_max)


def available_lots(store: StoreView, giver: str, event: TakesFromStock, place: Place | None) -> list[serials.Lot]:
    """Return the lots that a movement may take by the policy, oldest first, whatever amount it asks for."""
    free = _available_stock(store, giver, replace(event, bushels=0, pounds=0), place)
    _leave_closed(store, free, event)
    return list(free.oldest())


def _available_stock(store: StoreView, giver: str, event: TakesFromStock, place: Place | None) -> "_AvailableStock":
    """Return what of a stock can go by its lots' own standing, or refuse in the order of precedence."""
    stock = store.stock(giver, event.crop, event.of_form)
    doubtful = store.doubtful_origins(() if event.while_suspended else stock.origins)
    resting = [lot for one in doubtful for lot in stock.of_origin(one.id) if not stands(one, lot)]
    giving = _giving(event)
    free = _AvailableStock(event, stock)
    free.leave(resting, Status.REPORT_SUSPENDED)
    if place is not None:
        free.keep(lambda key: place == key[:2], Status.OTHER_SITE)
    free.keep(lambda key: key.state in giving, Status.UNVERIFIED)
    free.leave(stock.later_than(event.day), Status.NOT_HELD_YET)
    if (event.ci_min, event.ci_max) != (None, None):
        free.keep(lambda key: _in_ci(key.ci, event), Status.OUTSIDE_CI_RANGE)
    return free


def _leave_closed(store: StoreView, free: "_AvailableStock", event: TakesFromStock) -> None:
    """Leave what lies at closed sites, which another party gave back there: it is moved before it is sold."""
    custodians = () if event.from_closed else {key.custodian for key in free.stock.shelves}
    shut = {custodian: closed for custodian in custodians if (closed := rules.closed_sites(store, custodian))}
    found = {key: shut[key.custodian].get(key.site) for key in free.shelves if key.custodian in shut} if shut else {}
    if shelves := [key for key, closing in found.items() if closing and closing.shuts(event.day)]:
        said = {f"{key.site} is closed since {shut[key.custodian][key.site].closed}." for key in shelves}
        free.keep(lambda key: key not in shelves, Status.SITE_CLOSED, " ".join(sorted(said)))


def _by_policy(
    store: StoreView, giver: str, event: TakesFromStock, policy: Policy | None, place: Place | None
) -> Choice:
    free = _available_stock(store, giver, event, place)
    rules.require(free.enough, Status.EXCEEDS_STOCK, lambda: f"It holds {_shown(free.have, event)}.")
    rules.require(
        policy is not Policy.NAMED, Status.LOTS_NOT_NAMED, "The period's policy is that every sale names its lots."
    )
    _leave_closed(store, free, event)
    if policy is Policy.PROPORTIONAL:
        return Choice(tuple(proportional(free.oldest(), event.wanted)), "proportional over carbon intensities")
    return Choice(tuple(take(map(serials.whole, free.oldest()), event.wanted)), "oldest first")


class _AvailableStock:
    """What of a stock can still go, while one reason after the other takes lots out.

    Attributes:
        stock: all of it.
        shelves: what may go.
        have: the stock of the harvest year asked for, in the unit of the form.
        enough: whether that is what was asked for.
    """

    def __init__(self, event: TakesFromStock, stock: serials.Stock) -> None:
        self._request = event
        self.stock = stock
        self._out: dict[str, serials.Lot] = {}
        self.shelves: StockBuckets = stock.shelves
        if event.harvest_year:
            year = event.harvest_year
            self.shelves = {shelf: amount for shelf, amount in stock.shelves.items() if shelf.harvest_year == year}
        self.have = self.amount(self.shelves)
        self.enough = self.have >= event.wanted

    def amount(self, shelves: StockBuckets) -> int:
        """Return what lies on some shelves but for the lots that cannot go."""
        gone = sum(lot.amount for lot in self._out.values() if serials.bucket_of(lot) in shelves)
        return sum(shelves.values()) - gone

    def oldest(self) -> Iterator[serials.Lot]:
        return (lot for lot in self.stock.lots if lot.id not in self._out and serials.bucket_of(lot) in self.shelves)

    def keep(self, fits: Callable[[serials.StockBucket], bool], status: Status, said: str = "") -> None:
        """Leave the shelves that do not fit; refuse when that leaves too little of enough."""
        if not all(map(fits, self.shelves)):
            self.shelves = {shelf: amount for shelf, amount in self.shelves.items() if fits(shelf)}
            self._check(status, said)

    def leave(self, lots: Iterable[serials.Lot], status: Status) -> None:
        """Leave some lots; refuse when that leaves too little of enough."""
        if lots:
            self._out |= {lot.id: lot for lot in lots}
            self._check(status)

    def _check(self, status: Status, said: str = "") -> None:
        left = self.amount(self.shelves) if self.enough else self._request.wanted
        told = f"{said} What may be taken is {_shown(left, self._request)}."
        rules.require(left >= self._request.wanted, status, told.strip())


def _shown(amount: int, event: TakesFromStock) -> str:
    return serials.show_amount(amount, serials.unit_of(event.of_form))


def take(pieces: Iterable[serials.Piece], wanted: int) -> list[serials.Piece]:
    """Return pieces from the front that add up to what is wanted; the last one is cut."""
    taken: list[serials.Piece] = []
    for piece in pieces:
        if wanted <= 0:
            break
        if piece.amount <= wanted:
            taken.append(piece)
            wanted -= piece.amount
        else:
            taken.append(serials.cut(piece, wanted))
            wanted = 0
    return taken


def shares(weights: dict[int, int], wanted: int) -> dict[int, int]:
    """Split an amount in proportion to weights, to the thousandth: largest remainder, ties to the lower key.

    No share exceeds its weight as long as the amount does not exceed their sum.
    """
    total = sum(weights.values())
    exact = {key: divmod(weight * wanted, total) for key, weight in weights.items()}
    split = {key: whole_part for key, (whole_part, _) in exact.items()}
    short = wanted - sum(split.values())
    for key in sorted(exact, key=lambda one: (-exact[one][1], one))[:short]:
        split[key] += 1
    return split


def proportional(ordered: Iterable[serials.Lot], wanted: int) -> list[serials.Piece]:
    """Return pieces that take from every carbon intensity its share of the stock, oldest first within each."""
    by_ci: dict[int, list[serials.Lot]] = {}
    for lot in ordered:
        by_ci.setdefault(lot.ci, []).append(lot)
    split = shares({ci: sum(lot.amount for lot in lots) for ci, lots in by_ci.items()}, wanted)
    taken: list[serials.Piece] = []
    for ci in sorted(by_ci):
        taken.extend(take(map(serials.whole, by_ci[ci]), split[ci]))
    return taken


def matched(choice: Choice) -> tuple[tuple[str, str], ...]:
    """Return how claims were matched, and the carbon intensities, for the movement's facts and documents."""
    by_ci: dict[int, int] = {}
    for piece in choice.pieces:
        by_ci[piece.lot.ci] = by_ci.get(piece.lot.ci, 0) + piece.amount
    listed = "; ".join(f"{show(amount)} at CI {show(ci, CI_SCALE)}" for ci, amount in sorted(by_ci.items()))
    return (("matched", choice.how), ("ci", listed))
