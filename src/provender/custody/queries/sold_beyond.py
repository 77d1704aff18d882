"""Claims sold from a site beyond what the scale says left it, and which sales have no ticket out behind them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from provender.custody.model.amounts import show_amount, unit_of
from provender.custody.model.balances import Place
from provender.custody.model.entities import Entity
from provender.custody.model.grain_book import GrainEntry, grain_group
from provender.custody.model.periods import Period
from provender.custody.model.store_view import CustodyStep, StoreView, taken_back_by
from provender.custody.queries.bins import shipped_from
from provender.custody.queries.day_differences import has_tickets

NAMED: Final = 3
"""Sales that a sentence names, those of the largest amount; the others are counted."""


class Sale(NamedTuple):
    """A sale without a ticket out; ``amount`` in thousandths of the form's unit."""

    movement: str
    taker: str
    amount: int
    said: str


@dataclass(frozen=True, slots=True)
class SoldBeyond:
    """Claims sold from a place in a period beyond what was shipped from it.

    Attributes:
        said: in whole sentences.
        amount: by how much, thousandths of the form's unit.
        event: the largest sale without a ticket out; empty where every one has its tickets.
    """

    said: str
    amount: int
    event: str


def sold_beyond(facts: StoreView, period: Period) -> Iterator[SoldBeyond]:
    """Compare what was sold from each site with what the scale says left it."""
    sold: dict[Place, dict[str, list[CustodyStep]]] = {}
    for step in facts.steps(period.entity, period.start):
        before = step.before
        if step.type == "sale" and step.left and before and before.owner == period.entity and step.day <= period.end:
            place = (before.custodian, before.site, before.form)
            sold.setdefault(place, {}).setdefault(step.movement, []).append(step)
    for place, sales in sorted(sold.items()):
        left = shipped_from(facts, place, period)
        standing = {movement: of for movement, of in sales.items() if _stands(facts, movement)}
        amount = sum(step.after.amount for of in standing.values() for step in of)
        if left is not None and amount > left:
            unit = unit_of(place[2])
            flows = f"claims on {show_amount(amount, unit)} were sold, {show_amount(left, unit)} were shipped"
            bare = _without_tickets(facts, place, standing)
            said = f"In the period from {period.start}, at {place[1]}: {flows}.{_named(bare)}"
            yield SoldBeyond(said, amount - left, bare[0].movement if bare else "")


def _stands(facts: StoreView, movement: str) -> bool:
    posted = facts.posted(movement)
    return posted is not None and not taken_back_by(facts, posted)


def _without_tickets(facts: StoreView, place: Place, sales: dict[str, list[CustodyStep]]) -> list[Sale]:
    """Return the sales behind which no ticket stands, the largest first."""
    behind = {one.claim for one in facts.many(GrainEntry, grain_group(*place)) if not one.void}
    found = []
    for movement, steps in sales.items():
        if movement in behind or has_tickets(facts, movement):
            continue
        taker = str(getattr(getattr(facts.posted(movement), "request", None), "taker", ""))
        entity = facts.one(Entity, taker)
        amount = sum(step.after.amount for step in steps)
        name, shown = entity.name if entity else taker, show_amount(amount, unit_of(place[2]))
        found.append(Sale(movement, taker, amount, f"{movement} of {steps[0].day} to {name}, {shown}"))
    return sorted(found, key=lambda one: (-one.amount, one.movement))


def _named(sales: list[Sale]) -> str:
    if not sales:
        return ""
    more = f"; and {len(sales) - NAMED} more" if len(sales) > NAMED else ""
    return f" No ticket out stands behind: {'; '.join(one.said for one in sales[:NAMED])}{more}."
