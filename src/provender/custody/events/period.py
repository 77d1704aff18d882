"""The close of a period: claims against grain, surplus, statement (2100.034(b)-(d), interpretation 37)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import ClassVar

from provender.custody.events.allocation import proportional
from provender.custody.events.rules import MovementDraft, entity_of, require
from provender.custody.model.amounts import show_amount, unit_of
from provender.custody.model.balance_document import balance_document
from provender.custody.model.balances import Balance, Ending, Place, Span, balances, endings, held_on
from provender.custody.model.daily_shortfall import shortfalls
from provender.custody.model.entities import Entity
from provender.custody.model.event import Event, Party, event
from provender.custody.model.grain_book import grain_group
from provender.custody.model.lots import STOCK, Lot, LotState, Piece
from provender.custody.model.periods import Period, Surplus, first_open
from provender.custody.model.statuses import Refusal, Status
from provender.custody.model.store_view import CustodyStep, Decision, StoreView, steps_made
from provender.plain import field
from provender.quantity import ceil_div
from provender.rule import Crop, rule_version
from provender.signing.canonical import canonical_json
from provender.signing.hashes import sha256_hex
from provender.wire import Day, Name


@dataclass(frozen=True, slots=True)
class Closing:
    """A closed period as it was closed. Never restated: a restatement stands beside it.

    Attributes:
        entity: whose period.
        start: its first day.
        end: its last day.
        closed_on: the day it was closed.
        endings: what it leaves; the next period begins with exactly this.
        statement: the balance in canonical JSON.
        digest: its SHA-256, for the signature.
    """

    kind: ClassVar[str] = "closing"
    entity: str
    start: date
    end: date
    closed_on: date
    endings: tuple[Ending, ...]
    statement: str
    digest: str

    @property
    def key(self) -> str:
        """Return what the record is found by."""
        return f"{self.entity}/{self.start}"

    @property
    def group(self) -> str:
        """Closings are listed per entity."""
        return self.entity


@event("close", title="Close a period", verb="Close the period", everyone=True)
class CloseEvent(Event):
    """Closes the period that ends on ``day``. Its claims are then held against the grain at every site.

    A site with claims must have an entry of grain by then, if only a measurement of nothing. What is released there is
    spread over the carbon intensities by what is in stock of each, the oldest first within them.
    """

    entity: Name = field("Entity", help="Whose period.", party=Party.ENTERS)
    closed_on: Day = field("Closed on", help="Not before its last day, and not a day to come.")
    surplus: Surplus = field(
        "Surplus", help="What becomes of claims beyond the grain.", folded=True, default=Surplus.AS_RULED
    )
    day: Day = field(
        "Last day of the period",
        help="The period ends on it, such as 2026-03-31.",
    )


def decide_close(facts: StoreView, request: CloseEvent) -> Decision:
    """Close a period in its turn and keep its statement."""
    entity = entity_of(facts, request.entity)
    period = _period(facts, request)
    draft = MovementDraft(request)
    released = []
    places = sorted(claims_by_place(facts, entity.id, period.end).items())
    stocks = {place: _stock(facts, place, period) for place, _ in places}
    _check_sold(facts, entity, period)
    for place, own in places:
        pieces = _surplus(facts, request, place, own, period, stocks[place])
        if pieces:
            draft.move(pieces, state=LotState.RELEASED)
            released.append(f"{show_amount(sum(one.amount for one in pieces), unit_of(place[2]))} at {place[1]}")
    parents = {lot.id: lot for lots in _ended(facts, draft) for lot in lots}
    chosen = balance_of(facts, period, steps_made(request, draft.opened, parents))
    text = canonical_json(balance_document(chosen))
    days = (period.start, period.end, request.closed_on)
    closing = Closing(entity.id, *days, endings(chosen), text.decode(), sha256_hex(text))
    draft.state(replace(period, closed=request.closed_on), closing)
    said = f"Released without claim: {'; '.join(released)}." if released else ""
    late = f"It was declared late, on {period.declared}." if period.late else ""
    told = f"{period.start} to {period.end} is closed. {said} {late}"
    return draft.outcome(told.strip(), facts=(("digest", closing.digest),))


def _check_sold(facts: StoreView, entity: Entity, period: Period) -> None:
    """Refuse to close over claims that were sold without grain, until it has come (interpretation 77)."""
    for one in shortfalls(facts, entity, period.start, period.end):
        require(not one.left, Status.CLAIMS_EXCEED_GRAIN, one.said())


def _period(facts: StoreView, request: CloseEvent) -> Period:
    periods = facts.many(Period, request.entity)
    period = next((one for one in periods if one.end == request.day), None)
    if period is None:
        raise Refusal(Status.PERIOD_NOT_DECLARED, f"No period ends on {request.day}.")
    require(period.closed is None, Status.PERIOD_CLOSED, f"It was closed on {period.closed}.")
    due = first_open(periods)
    require(due == period, Status.CLOSE_OUT_OF_ORDER, f"{due.start if due else ''} is first.")
    require(request.closed_on >= period.end, Status.PERIOD_NOT_ENDED, f"It ends on {period.end}.")
    return period


def balance_of(facts: StoreView, period: Period, more: Sequence[CustodyStep] = ()) -> Balance:
    """Return the equations of one period, beginning with what the period before it was closed with.

    While that one is open, everything before the first day counts as the beginning.
    """
    before = [one for one in facts.many(Closing, period.entity) if one.end < period.start]
    adjacent = bool(before) and before[-1].end == period.start - timedelta(days=1)
    start = period.start if adjacent else None
    steps = [*facts.steps(period.entity, start), *more]
    opening = before[-1].endings if adjacent else ()
    return balances(steps, period.entity, [Span(period.start, period.end)], opening)[0]


def claims_by_place(facts: StoreView, entity: str, day: date) -> dict[Place, int]:
    """Return what an entity has in stock at the end of a day, by custodian, site and form, in the form's unit."""
    current = [lot for crop in Crop for lot in facts.lots_of(entity, crop)]
    later = facts.steps(entity, day + timedelta(days=1))
    return held_on(current, later, lambda lot: lot.owner == entity and lot.state in STOCK)


def claims_at(facts: StoreView, place: Place, day: date) -> int:
    """Return what all owners have in stock at a place at the end of a day, in the form's unit."""
    later = facts.steps(place[0], day + timedelta(days=1))
    return held_on(facts.lots_in(*place), later, lambda lot: _at(lot, place)).get(place, 0)


def _at(lot: Lot, place: Place) -> bool:
    return (lot.custodian, lot.site, lot.form) == place and lot.state in STOCK


def _stock(facts: StoreView, place: Place, period: Period) -> int:
    stock = facts.grain(grain_group(*place)).on(period.end)
    if stock is None:
        raise Refusal(Status.NO_GRAIN_BOOK, f"{place[1]}, {place[2]}.")
    return stock


def _surplus(facts: StoreView, request: CloseEvent, place: Place, own: int, period: Period, stock: int) -> list[Piece]:
    """Return the entity's share of the claims at a place beyond its grain; refuse what cannot be released."""
    claims = claims_at(facts, place, period.end)
    if claims <= stock:
        return []
    said = short_of_grain(request.entity, place, own, claims, stock)
    rule = rule_version(period.end).surplus_at_close
    choice = rule if request.surplus is Surplus.AS_RULED else str(request.surplus)
    require(choice == Surplus.RELEASED, Status.CLAIMS_EXCEED_GRAIN, said)
    part = min(own, ceil_div((claims - max(stock, 0)) * own, claims))
    free = [lot for lot in facts.lots_in(*place) if lot.owner == request.entity and lot.since <= period.end]
    free.sort(key=lambda lot: (lot.acquired, lot.origin, lot.start))
    have = sum(lot.amount for lot in free)
    require(have >= part, Status.CLAIMS_EXCEED_GRAIN, f"{said} What could be released has moved on.")
    return proportional(free, part)


def short_of_grain(asker: str, place: Place, own: int, claims: int, stock: int) -> str:
    """Say that the grain of a place is less than the claims on it.

    Args:
        asker: who is told; of another's house only that, for its grain and what others have there are not the asker's.
        place: custodian, site and form.
        own: the asker's claims there, thousandths of the form's unit.
        claims: those of all.
        stock: the grain.
    """
    house, site, form = place
    unit = unit_of(form)
    if house != asker:
        yours = show_amount(own, unit)
        return f"{house} {site} has less {form} than there are claims on it; yours are {yours}.".replace("  ", " ")
    return f"{site} holds {show_amount(stock, unit)}, claims are {show_amount(claims, unit)}."


def _ended(facts: StoreView, draft: MovementDraft) -> list[Sequence[Lot]]:
    spans = {(lot.origin, lot.start, lot.stop) for lot in draft.opened}
    return [facts.lots_at(*span) for span in sorted(spans)]
