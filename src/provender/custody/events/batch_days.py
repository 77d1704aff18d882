"""Batches of a plant that leave the days they count for: those of their yield, and those of one period (reading 71).

What was measured is never refused: it is told with the answer, and listed for the verifier.
"""

from collections.abc import Iterator

from provender.custody.events.campaign import Conversion, Yield
from provender.custody.model.periods import Period, period_of
from provender.custody.model.store_view import StoreView


def out_of_days(facts: StoreView, entity: str, batch: Conversion, campaign: str) -> str:
    """Return what a batch is told for; empty where it lies within its yield's days and within one period.

    Args:
        facts: the book.
        entity: whose plant.
        batch: the conversion record.
        campaign: the run, as its yields name it.
    """
    said = []
    of_run = [one for one in facts.many(Yield, batch.batch.rpartition("/")[0]) if one.campaign == campaign]
    if of_run and not any(one.start <= batch.start and batch.end <= one.end for one in of_run):
        days = f"{of_run[-1].start} to {of_run[-1].end}"
        said.append(f"its yield is stated for {days}: it says nothing of other days.")
    periods = facts.many(Period, entity)
    first, last = (period_of(periods, day) for day in (batch.start, batch.end))
    if first != last:
        said.append("it lies in two periods, and each statement covers its own: record it in parts.")
    return f"Batch {batch.number} of {campaign}, {batch.start} to {batch.end}: {' '.join(said)}" if said else ""


def stray_batches(facts: StoreView, one: Yield) -> Iterator[tuple[str, int]]:
    """Yield what is told of the batches of a run, with the crop put in, for its first stated yield alone."""
    if one.key != next(each.key for each in facts.many(Yield, one.group) if each.campaign == one.campaign):
        return
    for batch in facts.many(Conversion, one.batch):
        if not batch.void and (said := out_of_days(facts, one.entity, batch, one.campaign)):
            yield said, batch.used
