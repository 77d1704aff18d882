"""Claims sold from a site behind which no ticket out stands: each sale is held against tickets that may be its own.

A ticket counts for a sale as far as site, form, party and period let it: grain of somebody else, of an own move, of
another trade or of another buyer is never set off against it. Shipments and claims are two records that must meet by
the close (interpretation 44), so that a ticket that names no trade may be of any day of the period.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from provender.custody.model.amounts import counted, show_amount, unit_of
from provender.custody.model.balances import Place
from provender.custody.model.entities import Entity
from provender.custody.model.grain_book import Direction, GrainEntry, MovementTickets, grain_group
from provender.custody.model.periods import Period
from provender.custody.model.store_view import StoreView, taken_back_by
from provender.custody.model.ticket_names import may_be_of

NAMED: Final = 3
"""Sales that a sentence names, those of the largest amount; the others are counted."""


@dataclass(slots=True)
class Sale:
    """A sale as far as it goes from one place; amounts in thousandths of the form's unit.

    Attributes:
        movement: the sale.
        day: on which title passed.
        parties: buyer and seller, under whose names a ticket may be.
        amount: sold.
        bare: of that, behind which no ticket stands.
    """

    movement: str
    day: date
    parties: tuple[Entity, ...]
    amount: int = 0
    bare: int = 0

    def said(self, unit: str) -> str:
        """Return the sale in words, with what its tickets leave open."""
        whole = f" of {show_amount(self.amount, unit)}" if self.bare < self.amount else ""
        buyer = self.parties[0].name if self.parties else "nobody known"
        return f"{self.movement} of {self.day} to {buyer}, {show_amount(self.bare, unit)}{whole}"


@dataclass(frozen=True, slots=True)
class SoldBeyond:
    """Claims sold from a place in a period behind which no ticket out stands.

    Attributes:
        said: in whole sentences.
        amount: how much, thousandths of the form's unit.
        event: the sale with the largest part of it.
    """

    said: str
    amount: int
    event: str


def sold_beyond(facts: StoreView, period: Period) -> Iterator[SoldBeyond]:
    """Hold each sale of a period against the tickets out that may stand behind it."""
    sold = _sold(facts, period)
    _take_named(facts, period, sold)
    for place in sorted(sold):
        entries = _shipments_from(facts, place, period)
        if entries is None:
            continue
        sales = list(sold[place].values())
        left = [one for one in _taken([one for one in entries if not one.claim], sales) if one]
        bare = sorted((one for one in sales if one.bare), key=lambda one: (-one.bare, one.movement))
        if bare:
            yield SoldBeyond(_said(period, place, sales, bare, left), sum(one.bare for one in bare), bare[0].movement)


def _shipments_from(facts: StoreView, place: Place, period: Period) -> list[GrainEntry] | None:
    """Return the tickets by which grain left a site for others in a period; None where the site has no grain book.

    What came to another site of the same house nobody else got.
    """
    house, site, form = place
    if not facts.many(GrainEntry, grain_group(*place)):
        return None
    entity = facts.one(Entity, house)
    sites = entity.sites if entity else ()
    entries = [one for each in sites for one in facts.many(GrainEntry, grain_group(house, each, form)) if not one.void]
    moved = {one.source for one in entries}
    out = (one for one in entries if one.direction is Direction.OUT and one.site == site and period.holds(one.day))
    return [one for one in out if one.key not in moved]


def _sold(facts: StoreView, period: Period) -> dict[Place, dict[str, Sale]]:
    """Return the sales of a period that stand, by the place that they went from."""
    sold: dict[Place, dict[str, Sale]] = {}
    stands: dict[str, bool] = {}
    for step in facts.steps(period.entity, period.start):
        before = step.before
        if not (step.type == "sale" and step.left and before and before.owner == period.entity):
            continue
        if step.day > period.end or not stands.setdefault(step.movement, _stands(facts, step.movement)):
            continue
        sales = sold.setdefault((before.custodian, before.site, before.form), {})
        if step.movement not in sales:
            sales[step.movement] = Sale(step.movement, step.day, _parties(facts, step.movement))
        sales[step.movement].amount += step.after.amount
        sales[step.movement].bare += step.after.amount
    return sold


def _stands(facts: StoreView, movement: str) -> bool:
    posted = facts.posted(movement)
    return posted is not None and not taken_back_by(facts, posted)


def _parties(facts: StoreView, movement: str) -> tuple[Entity, ...]:
    request = getattr(facts.posted(movement), "request", None)
    found = (facts.one(Entity, str(getattr(request, name, ""))) for name in ("taker", "giver"))
    return tuple(one for one in found if one)


def _take_named(facts: StoreView, period: Period, sold: dict[Place, dict[str, Sale]]) -> None:
    """Set the tickets that a sale names against it: of its own places first, then those of the buyer's house."""
    parts: dict[str, list[tuple[Place, Sale]]] = {}
    for place, sales in sold.items():
        for movement, sale in sales.items():
            parts.setdefault(movement, []).append((place, sale))
    for movement, of in parts.items():
        rest = 0
        behind = facts.one(MovementTickets, movement)
        for key in behind.tickets if behind else ():
            one = facts.one(GrainEntry, key)
            if one is None or not _counts(one, movement, period, of):
                continue
            left = one.amount
            for place, sale in of:
                if place[:2] == (one.entity, one.site):
                    left = _set_off(sale, left)
            rest += left
        for _, sale in of:
            rest = _set_off(sale, rest)


def _counts(one: GrainEntry, movement: str, period: Period, of: Sequence[tuple[Place, Sale]]) -> bool:
    """Tell whether a ticket that a sale names is of its grain, its parties and its period."""
    (_, _, form), sale = of[0]
    stands = not one.void and one.claim == movement and one.direction is not Direction.MEASURED
    return stands and one.form == form and period.holds(one.day) and may_be_of(one, sale.parties)


def _set_off(sale: Sale, amount: int) -> int:
    """Set an amount against what is bare of a sale; return what is left of the amount."""
    taken = min(sale.bare, amount)
    sale.bare -= taken
    return amount - taken


def _taken(loose: list[GrainEntry], sales: list[Sale]) -> Iterator[int]:
    """Set tickets that name no trade against sales; yield what is left of each.

    A ticket is one load and went to one buyer: what is left of it is never another buyer's. Those that name somebody
    choose first, for others may do without them; each prefers the amount that it is, then the nearest day.
    """
    for one in sorted(loose, key=lambda one: (not one.name, one.day, one.number)):
        fits = [sale for sale in sales if sale.bare and may_be_of(one, sale.parties)]
        fits.sort(key=lambda sale: (sale.bare != one.amount, abs(sale.day - one.day), -sale.bare, sale.movement))
        left = one.amount
        for sale in fits:
            if sale.parties[:1] == fits[0].parties[:1]:
                left = _set_off(sale, left)
        yield left


def _said(period: Period, place: Place, sales: list[Sale], bare: list[Sale], left: list[int]) -> str:
    """Say what was sold, which of it no ticket stands behind, and which tickets are behind none of it."""
    unit = unit_of(place[2])
    sold, lacking = sum(one.amount for one in sales), sum(one.bare for one in bare)
    flows = f"claims on {show_amount(sold, unit)} were sold, {show_amount(sold - lacking, unit)} of them with a ticket"
    more = f"; and {len(bare) - NAMED} more" if len(bare) > NAMED else ""
    names = "; ".join(one.said(unit) for one in bare[:NAMED])
    alone = f" Behind no sale: {counted(len(left), 'ticket')} out, {show_amount(sum(left), unit)}." if left else ""
    where = f"In the period from {period.start}, at {place[1]}"
    return f"{where}: {flows}. No ticket out stands behind: {names}{more}.{alone}"
