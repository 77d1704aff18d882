"""How long each holder must keep what: five years from its own sale (2100.030(d), interpretation 47)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from provender.custody.model.lots import STOCK
from provender.custody.model.periods import months_on
from provender.custody.model.store_view import CustodyStep
from provender.rule import rule_version

MONTHS = 12


@dataclass(frozen=True, slots=True)
class Keep:
    """Until when an entity keeps the documents of one movement.

    Attributes:
        movement: the event.
        type: what it was.
        day: its day.
        until: the last day; None while any of it is still in stock, because the years have not begun.
    """

    movement: str
    type: str
    day: date
    until: date | None

    def may_go(self, as_of: date) -> bool:
        """Tell whether the documents need not be kept any more on a day."""
        return self.until is not None and as_of > self.until


def kept_until(sold: date) -> date:
    """Return the last day on which the documents of a sale must be kept."""
    return months_on(sold, MONTHS * rule_version(sold).retention_years)


def retention(steps: Sequence[CustodyStep], entity: str) -> list[Keep]:
    """Return what an entity must keep and until when, movement by movement.

    A movement's documents are kept until the last of what it brought has been sold (or lost, released, retired) and
    the years since that have passed. What is in stock keeps all movements behind it.
    """
    brought = {step.after.id: step for step in steps}
    ended = {step.before.id for step in steps if step.before is not None}
    last: dict[str, date] = {}
    stays: set[str] = set()
    for step in steps:
        if step.after.owner == entity and step.after.state in STOCK:
            if step.after.id not in ended:
                stays.update(one.movement for one in _behind(brought, step, entity) if not _rest(one))
        elif step.before is not None and step.before.owner == entity:
            for one in _behind(brought, step, entity):
                if not _rest(one):
                    last[one.movement] = max(last.get(one.movement, one.day), step.day)
    seen = {step.movement: step for step in steps if entity in _owners(step)}
    return [
        Keep(name, step.type, step.day, None if name in stays else kept_until(last.get(name, step.day)))
        for name, step in seen.items()
    ]


def _owners(step: CustodyStep) -> set[str]:
    return {step.after.owner} | ({step.before.owner} if step.before else set())


def _rest(step: CustodyStep) -> bool:
    """Tell whether a step is only what a movement left of a lot: the movement's papers say nothing about that rest."""
    before, after = step.before, step.after
    if before is None or before.owner != after.owner:
        return False
    same = replace(after, id=before.id, parent=before.parent, by=before.by, product=before.product)
    return replace(same, start=before.start, stop=before.stop) == before


def _behind(brought: dict[str, CustodyStep], step: CustodyStep, entity: str) -> list[CustodyStep]:
    """Return a step and those behind it, back to where the entity received the serials."""
    chain = [step]
    while (before := chain[-1].before) is not None and before.owner == entity and before.id in brought:
        chain.append(brought[before.id])
    return chain
