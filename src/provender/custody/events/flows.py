"""What no movement may do, whatever its own decision asked: move a closed balance, take what was not there yet.

Every store keeps the same again by itself when it writes: the one in memory by ``flows_against``, a database by its
triggers (``provender.database.guards``). So a mistake of one decision stays a refusal (2100.034(b) to (d)).
"""

from collections.abc import Iterable

from provender.custody.events.rules import lot_location
from provender.custody.model.event import Event
from provender.custody.model.lots import Lot
from provender.custody.model.periods import Period, last_closed
from provender.custody.model.statuses import Refusal, Status
from provender.custody.model.store_view import Decision, StoreView, flow_of, with_before


def check_flows(facts: StoreView, request: Event, outcome: Decision) -> None:
    """Refuse a movement that would change what a closed period left, or takes a claim from before its day.

    Raises:
        Refusal: PERIOD_CLOSED or NOT_HELD_YET.
    """
    if not outcome.opened:
        return
    moved = with_before(outcome.opened, facts.lots_named(outcome.ended))
    if wrong := flows_against(facts, request, moved):
        raise Refusal(*min(wrong, key=lambda pair: pair[0].rank))


def flows_against(
    facts: StoreView, request: Event, moved: Iterable[tuple[Lot | None, Lot]]
) -> list[tuple[Status, str]]:
    """Return why a movement may not be written: for each flow into or out of a stock that is against the rules.

    Args:
        facts: the store.
        request: the movement.
        moved: each lot it opened, behind the one it was cut from.
    """
    day, closed, wrong = request.day, dict[str, Period | None](), list[tuple[Status, str]]()
    for before, after in moved:
        left, came = flow_of(before, after)
        source = before if left else None
        for lot in (source, after if came else None):
            if lot is None:
                continue
            if (owner := lot.owner) not in closed:
                closed[owner] = last_closed(facts.many(Period, owner))
            last = closed[owner]
            if last is not None and day <= last.end:
                wrong.append((Status.PERIOD_CLOSED, f"{owner}, {last.start} to {last.end}."))
        if source is not None and source.since > day:
            wrong.append((Status.NOT_HELD_YET, lot_location(source)))
    return wrong
