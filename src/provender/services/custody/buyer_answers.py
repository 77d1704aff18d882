"""What the buyer of a sale entered about it, as it stands: the seller's business too, though not the entry itself."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from provender.custody.events.sale import sale_in_transit
from provender.custody.model.lots import LotState
from provender.custody.model.store_view import CustodyStep, Posted, StoreView, taken_back_by

ANSWERS: Final = ("accept", "reject")


class Answered(NamedTuple):
    """Serials of a sale with the entry that answers it."""

    step: CustodyStep
    entry: Posted

    def about(self, start: int, stop: int) -> bool:
        """Tell whether it is about some of these serials."""
        return self.step.after.start < stop and start < self.step.after.stop


def answers_to(facts: StoreView, movement: str, origins: Iterable[str]) -> list[Answered]:
    """Return the answers to what a sale or document left in transit, of some origins, that nobody took back."""
    found: list[Answered] = []
    for step in (each for origin in origins for each in facts.steps_of(origin)):
        before = step.before
        if step.type not in ANSWERS or before is None or before.state is not LotState.IN_TRANSIT:
            continue
        if movement not in (before.by, sale_in_transit(facts, before.by)):
            continue
        entry = facts.posted(step.movement)
        if entry is not None and not taken_back_by(facts, entry):
            found.append(Answered(step, entry))
    return found
