"""The restatement of a closed period, to stand beside its original statement (interpretation 35).

The original is never touched. The restatement is what the period would have said had the present report been known:
each claim at the worst of the carbon intensity it was booked at and those that later versions of its report say of its
serials, and without bushels that the report no longer has. A version before the movement says nothing about it: what
the farm sold later, at a better one, stays as it was sold.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from itertools import pairwise
from typing import Any

from provender.custody.documents.build import RESTATEMENT, period_document
from provender.custody.events.period import Closing
from provender.custody.model.balance_document import balance_document
from provender.custody.model.balances import Balance, Span, balances
from provender.custody.model.lots import Lot, LotState, subtract_spans
from provender.custody.model.lots import Span as Serials
from provender.custody.model.origins import Origin
from provender.custody.model.store_view import CustodyStep, StoreView
from provender.problem import refuse
from provender.signing.canonical import canonical_json, read_json
from provender.signing.hashes import sha256_hex


def restated(facts: StoreView, closing: Closing) -> Balance:
    """Return the equations of a closed period as the reports stand now."""
    versions: dict[str, Origin | None] = {}
    voids: dict[str, list[Serials]] = {}
    steps: list[CustodyStep] = []
    for step in facts.steps(closing.entity):
        name = step.after.origin
        if name not in versions:
            versions[name] = facts.one(Origin, name)
            voids[name] = _voided(facts, versions[name])
        steps.extend(_as_known_now(step, versions[name], voids[name]))
    return balances(steps, closing.entity, [Span(closing.start, closing.end)])[0]


def restatements(facts: StoreView, entity: str) -> list[dict[str, object]]:
    """Return the restatement of every closed period that differs from its statement, as documents."""
    found = []
    for closing in facts.many(Closing, entity):
        document = balance_document(restated(facts, closing))
        if document != read_json(closing.statement.encode(), file="statement"):
            found.append({**document, "restates": closing.digest})
    return found


def restatement_document(facts: StoreView, entity: str, start: date, *, as_of: date) -> dict[str, Any]:
    """Return the restatement of a closed period as a document to be signed beside its statement (interpretation 35).

    Its number is made of what it says: the same on any day, another one when a report changes again.

    Args:
        facts: the store.
        entity: whose period.
        start: its first day.
        as_of: the day on which the reports are as they are.

    Raises:
        ProblemsError: the book has no closed period of that entity with that first day, or nothing in it changed.
    """
    statement = period_document(facts, entity, start)
    found = next((one for one in restatements(facts, entity) if one["start"] == start.isoformat()), None)
    if found is None:
        cause = f"No report behind the period from {start} changed since it was closed."
        raise refuse("restatement", cause, "The statement made at the close stands: use that.", cite="2100.034(c)")
    balance = {name: value for name, value in found.items() if name != "restates"}
    digest = sha256_hex(canonical_json(balance))
    return {
        **statement,
        "type": RESTATEMENT,
        "number": f"{statement['number']}/{digest[:8]}",
        "made_on": as_of.isoformat(),
        "restates": found["restates"],
        "balance": balance,
        "balance_sha256": digest,
    }


def _voided(facts: StoreView, origin: Origin | None) -> list[Serials]:
    if origin is None:
        return []
    lots = facts.lots_at(origin.id, *origin.span)
    return [(lot.start, lot.stop) for lot in lots if lot.state is LotState.VOID]


def _as_known_now(step: CustodyStep, origin: Origin | None, voids: Sequence[Serials]) -> Iterator[CustodyStep]:
    """Return a step without voided serials, its lots at the carbon intensity known now."""
    after = step.after
    later = [one for one in origin.versions[1:] if one.day >= step.day] if origin else []
    edges = sorted({place for version in later for span in version.spans for place in span})
    for low, high in subtract_spans([(after.start, after.stop)], voids):
        inside = [low, *(place for place in edges if low < place < high), high]
        for start, stop in pairwise(inside):
            about = [one.ci for one in later if one.is_about(start, stop)]
            before = _known(step.before, start, stop, about) if step.before else None
            yield replace(step, before=before, after=_known(after, start, stop, about))


def _known(lot: Lot, start: int, stop: int, later: Iterable[int]) -> Lot:
    product = lot.product * (stop - start) // lot.crop_amount
    return replace(lot, id=f"{lot.id}:{start}", start=start, stop=stop, product=product, ci=max([lot.ci, *later]))
