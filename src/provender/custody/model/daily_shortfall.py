"""Claims sold by a day beyond the grain that was in by that day (interpretation 77): shown, listed, to be cured.

Of each crop the claims that left an entity's own sites (sold, on a document, processed, retired) are counted against
the grain that these sites had when the period began, what came in over the scale since and what a measurement found
beyond the book. A site without any entry had none. Grain that went straight from the farm to the buyer counts by the
tickets of its destination, which the sale names. What lies in another's house is tested there, at its close.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date, timedelta
from itertools import groupby
from typing import Final

from provender.custody.model.amounts import BUSHEL, show_amount, unit_of
from provender.custody.model.entities import Entity
from provender.custody.model.grain_book import DESTINATION, Direction, GrainEntry, grain_group, stock_on
from provender.custody.model.lots import STOCK, Lot
from provender.custody.model.periods import Period, period_of
from provender.custody.model.store_view import CustodyStep, Decision, StoreView, root_of
from provender.frozen import frozen
from provender.rule import Crop

GONE: Final = frozenset({"sale", "document", "process", "retire"})
"""Movements by which a claim goes on: grain must be behind it."""
BACK: Final = frozenset({"return", "reject", "settle"})
"""Movements by which it comes back to whoever sold it."""


@frozen
class Shortfall:
    """Days of a period on which an entity had sold more claims on a crop than grain had come.

    Attributes:
        crop: of which.
        by_day: for each day on which claims or grain moved, by how much; nothing below zero.
        first: the first day of the shortfall.
        worst: the most it came to, thousandths of a bushel.
        left: what is left of it at the end; 0 when it is cured.
    """

    crop: str
    by_day: tuple[tuple[date, int], ...]
    first: date
    worst: int
    left: int

    def on(self, day: date) -> int:
        """Return the shortfall at the end of a day."""
        return next((amount for moved, amount in reversed(self.by_day) if moved <= day), 0)

    def said(self) -> str:
        """Say it for people."""
        worst, left = show_amount(self.worst, BUSHEL), show_amount(self.left, BUSHEL)
        now = f"{left} are left of it" if self.left else "it is cured"
        return f"From {self.first} on claims on {worst} of {self.crop} were sold beyond the grain that was in; {now}."


def shortfalls(facts: StoreView, entity: Entity, start: date, end: date) -> list[Shortfall]:
    """Return the daily shortfalls of an entity from a day to another, by crop."""
    steps = [step for step in facts.steps(entity.id, start) if step.day <= end]
    found = []
    for crop in map(str, Crop):
        moved: dict[date, int] = defaultdict(int)
        for day, amount in _sold(facts, entity.id, crop, steps):
            moved[day] += amount
        if not moved:
            continue
        for day, amount in _came(facts, entity, crop, start, end):
            moved[max(day, start)] -= amount
        short, by_day = 0, []
        for day in sorted(moved):
            short += moved[day]
            by_day.append((day, max(short, 0)))
        worst = max(amount for _, amount in by_day)
        if worst:
            first = next(day for day, amount in by_day if amount)
            found.append(Shortfall(crop, tuple(by_day), first, worst, by_day[-1][1]))
    return found


def _sold(facts: StoreView, owner: str, crop: str, steps: Iterable[CustodyStep]) -> Iterator[tuple[date, int]]:
    """Yield what left an entity's own sites by trade or in a plant, and with a minus what came back of it."""

    def own(lot: Lot | None) -> bool:
        return lot is not None and (lot.owner, lot.custodian, lot.form) == (owner, owner, crop) and lot.state in STOCK

    for step in steps:
        was, now = own(step.before), own(step.after)
        if was == now or step.after.by != step.movement:
            continue
        kind = _kind(facts, step, owner)
        if was and kind in GONE:
            yield step.day, step.after.crop_amount
        elif now and (kind in GONE or kind in BACK):
            yield step.day, -step.after.crop_amount


def _kind(facts: StoreView, step: CustodyStep, owner: str) -> str:
    """Return the type of a movement; of a correction, of what of the owner's it takes back (or takes back anew)."""
    posted = facts.posted(step.movement) if step.type == "correct" else None
    if posted is None:
        return step.type
    root = root_of(facts, posted).request
    return root.type if owner in (getattr(root, "giver", ""), getattr(root, "entity", "")) else ""


def _came(facts: StoreView, entity: Entity, crop: str, start: date, end: date) -> Iterator[tuple[date, int]]:
    """Yield what grain there was at first, what came over the scale, and what a measurement found beyond the book."""
    books = {site: facts.many(GrainEntry, grain_group(entity.id, site, crop)) for site in entity.sites}
    out = (one for book in books.values() for one in book if one.direction is Direction.OUT and not one.void)
    sent = {one.key for one in out if one.day >= start}
    for book in books.values():
        entries = [one for one in book if not one.void]
        stock = max(stock_on(entries, start - timedelta(days=1)) or 0, 0)
        yield start, stock
        inside = sorted((one for one in entries if start <= one.day <= end), key=lambda one: one.day)
        for day, group in groupby(inside, key=lambda one: one.day):
            of_day = list(group)
            into = sum(one.amount for one in of_day if one.direction is Direction.IN)
            # What came from an own site stood in the grain of that site already.
            came = into - sum(one.amount for one in of_day if one.source in sent)
            stock += into - sum(one.amount for one in of_day if one.direction is Direction.OUT)
            measured = [one.amount for one in of_day if one.direction is Direction.MEASURED]
            if measured:
                came, stock = came + max(0, measured[-1] - stock), measured[-1]
            yield day, came
    for one in facts.many(GrainEntry, grain_group(entity.id, DESTINATION, crop)):
        if not one.void and start <= one.day <= end:
            yield one.day, one.amount


def told_with_sale(facts: StoreView, giver: str, crop: str, day: date, outcome: Decision) -> Decision:
    """Return the answer to a sale with the shortfall of its day, where there is one (interpretation 77)."""
    entity = facts.one(Entity, giver)
    period = period_of(facts.many(Period, giver), day)
    if entity is None or period is None or not outcome.status.well:
        return outcome
    amounts = [one.on(day) for one in shortfalls(facts, entity, period.start, day) if one.crop == crop]
    short = next(iter(amounts), 0)
    if not short:
        return outcome
    shown = show_amount(short, unit_of(crop))
    said = f"Claims on {shown} are sold beyond the grain that is in: the period cannot be closed until it has come."
    return replace(outcome, message=f"{outcome.message} {said}", facts=(*outcome.facts, ("daily_shortfall", shown)))
