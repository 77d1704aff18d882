"""The restatement of a closed period, to stand beside its original statement (READINGS 35).

The original is never touched. The restatement is what the period would have said had the present report been known:
each claim at the worse of the carbon intensity it was booked at and the one its report has now, and without bushels
that the report no longer has.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from provender.custody.balances import Balance, Span, balances
from provender.custody.closing import Closing
from provender.custody.facts import Facts, Step
from provender.custody.lots import Lot, LotState
from provender.custody.lots import Span as Serials
from provender.custody.origins import Origin
from provender.custody.statements import balance_document
from provender.signing.canonical import read_json


def restated(facts: Facts, closing: Closing) -> Balance:
    """Return the equations of a closed period as the reports stand now."""
    versions: dict[str, Origin | None] = {}
    voids: dict[str, list[Serials]] = {}
    steps: list[Step] = []
    for step in facts.steps(closing.entity):
        name = step.after.origin
        if name not in versions:
            versions[name] = facts.one(Origin, name)
            voids[name] = _voided(facts, versions[name])
        steps.extend(_as_known_now(step, versions[name], voids[name]))
    return balances(steps, closing.entity, [Span(closing.start, closing.end)])[0]


def restatements(facts: Facts, entity: str) -> list[dict[str, object]]:
    """Return the restatement of every closed period that differs from its statement, as documents."""
    found = []
    for closing in facts.many(Closing, entity):
        document = balance_document(restated(facts, closing))
        if document != read_json(closing.statement.encode(), file="statement"):
            found.append({**document, "restates": closing.digest})
    return found


def _voided(facts: Facts, origin: Origin | None) -> list[Serials]:
    if origin is None:
        return []
    lots = facts.lots_at(origin.id, *origin.span)
    return [(lot.start, lot.stop) for lot in lots if lot.state is LotState.VOID]


def _as_known_now(step: Step, origin: Origin | None, voids: Sequence[Serials]) -> Iterator[Step]:
    """Return a step without voided serials, its lots at the carbon intensity known now."""
    after = step.after
    for start, stop in _without((after.start, after.stop), voids):
        before = _known(step.before, origin, start, stop) if step.before else None
        known = _known(after, origin, start, stop)
        yield replace(step, before=before, after=known)


def _known(lot: Lot, origin: Origin | None, start: int, stop: int) -> Lot:
    ci = max(lot.ci, origin.current.ci) if origin else lot.ci
    product = lot.product * (stop - start) // lot.crop_amount
    return replace(lot, id=f"{lot.id}:{start}", start=start, stop=stop, product=product, ci=ci)


def _without(span: Serials, voids: Sequence[Serials]) -> Iterator[Serials]:
    """Return what is left of a span, outside voids that are sorted and do not overlap."""
    cursor, stop = span
    for low, high in voids:
        if high <= cursor or stop <= low:
            continue
        if cursor < low:
            yield cursor, low
        cursor = max(cursor, high)
    if cursor < stop:
        yield cursor, stop
