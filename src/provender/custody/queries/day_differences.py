"""What the differences of a day sheet are made of, as far as the records tell (2100.034(c), interpretation 37).

Grain is what tickets and measurements say. Entries that moved crop without a ticket, tickets out behind which no claim
left, and what neither explains: each is said, so that whoever looks for a difference knows where to begin.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from typing import Final, NamedTuple

from provender.custody.events.ticket import OUT_OF
from provender.custody.model.amounts import counted, show_amount, unit_of
from provender.custody.model.balances import Place
from provender.custody.model.grain_book import Direction, GrainEntry, MovementTickets
from provender.custody.model.lots import LIVE, STOCK, Lot, LotState
from provender.custody.model.store_view import CustodyStep, StoreView
from provender.quantity import show

GONE: Final = frozenset({*LIVE, LotState.LOST})
"""How a lot may have left a place with its grain; where only the claim ended, the grain still lies there."""
UNEXPLAINED: Final = "a load whose ticket was not entered, shrink, or a figure typed wrongly"


class Why(StrEnum):
    """Which difference it is."""

    MEASURED = "measured"
    """What was measured is not what the tickets say."""
    SHORT = "short"
    """The claims are more than the grain."""
    NO_GRAIN_BOOK = "no grain book"
    """There are claims, and nobody entered any grain."""
    DAY = "day"
    """None; but entries and tickets of the day stand without each other."""


class Untold(NamedTuple):
    """An entry that moved crop to or from a place without a ticket; ``amount`` in thousandths of the form's unit.

    ``party`` is with whom, by code; empty for an entry about nobody else.
    """

    movement: str
    type: str
    day: date
    came: bool
    amount: int
    party: str = ""


class Alone(NamedTuple):
    """Tickets behind no entry: how many, and thousandths of the form's unit."""

    tickets: int
    amount: int


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference at a place, and what it is made of.

    Attributes:
        place: custodian, site and form.
        why: which difference.
        amount: measured less the book, or claims less grain; 0 for none.
        since: after this day; None from the first entry on.
        until: to the end of this day.
        came: on tickets in, in these days.
        went: on tickets out.
        untold: entries of these days without a ticket.
        alone_in: tickets in behind no entry.
        alone_out: tickets out behind no entry.
    """

    place: Place
    why: Why
    amount: int
    since: date | None
    until: date
    came: int
    went: int
    untold: tuple[Untold, ...]
    alone_in: Alone
    alone_out: Alone

    @property
    def told(self) -> int:
        """Return by how much the tickets that are missing would raise the grain."""
        return sum(one.amount if one.came else -one.amount for one in self.untold)

    @property
    def rest(self) -> int:
        """Return what would be left of the difference with those tickets."""
        return self.amount - self.told

    @property
    def missing(self) -> set[str]:
        """Return the kinds of ticket, by the event that enters one, that may be missing."""
        found = {"receipt" if one.came else "shipment" for one in self.untold}
        if self.amount:
            found.add("shipment" if self.why is Why.MEASURED and self.amount < 0 else "receipt")
        return found


class Asked(NamedTuple):
    """A difference that is to be looked into."""

    place: Place
    why: Why
    amount: int
    since: date | None
    until: date


def differences(
    facts: StoreView, entity: str, asked: Sequence[Asked], entries: Mapping[Place, Sequence[GrainEntry]]
) -> list[Difference]:
    """Return what differences are made of; of a day without one only if something stands without the other.

    Args:
        facts: the book.
        entity: whose places they are.
        asked: which differences.
        entries: of the grain book, by place.
    """
    if not asked:
        return []
    starts = [one.since for one in asked]
    known = [each for each in starts if each is not None]
    start = min(known) + timedelta(days=1) if len(known) == len(starts) else None
    steps = [step for step in facts.steps(entity, start) if _is_own(facts, step, entity)]
    # Grain that came to another place of the house left this one with no claim of anybody.
    moved = {one.source for of in entries.values() for one in of if one.source and not one.void}
    found = [_difference(facts, one, entries.get(one.place, ()), steps, moved) for one in asked]
    return [one for one in found if one.amount or one.untold or one.alone_in.tickets or one.alone_out.tickets]


def _is_own(facts: StoreView, step: CustodyStep, entity: str) -> bool:
    """Tell whether an entry that stands is the entity's to know: what others do with their own lots here is not."""
    posted = facts.posted(step.movement)
    if posted is None or posted.corrected_by or step.type == "correct":
        return False
    owners = {step.after.owner, step.before.owner if step.before else ""}
    return entity in owners or entity in posted.request.parties()


def _difference(
    facts: StoreView,
    asked: Asked,
    entries: Sequence[GrainEntry],
    steps: Sequence[CustodyStep],
    moved: Collection[str],
) -> Difference:
    tickets = [
        one for one in entries if not one.void and one.direction is not Direction.MEASURED and _within(asked, one.day)
    ]
    came = [one for one in tickets if one.direction is Direction.IN]
    went = [one for one in tickets if one.direction is Direction.OUT]
    untold: dict[tuple[str, bool], Untold] = {}
    for one in _moved(asked, steps):
        key = (one.movement, one.came)
        if facts.posted(f"{one.movement}{OUT_OF}") is not None:
            continue  # a move of the grain itself was entered with it
        before = untold.get(key)
        party = before.party if before else _other(facts, one.movement, asked.place[0])
        untold[key] = one._replace(amount=one.amount + (before.amount if before else 0), party=party)
    lacking = ((one, one.amount - _told_by(facts, one.movement)) for one in untold.values())
    return Difference(
        *asked,
        came=sum(one.amount for one in came),
        went=sum(one.amount for one in went),
        untold=tuple(one._replace(amount=left) for one, left in lacking if left > 0),
        alone_in=_alone(one for one in came if not one.source),
        alone_out=_alone(one for one in went if one.key not in moved),
    )


def _within(asked: Asked, day: date) -> bool:
    return (asked.since is None or asked.since < day) and day <= asked.until


def _alone(tickets: Iterable[GrainEntry]) -> Alone:
    amounts = [one.amount for one in tickets if not one.claim]
    return Alone(len(amounts), sum(amounts))


def _told_by(facts: StoreView, movement: str) -> int:
    """Return what the tickets of an entry say, be they of another place."""
    behind = facts.one(MovementTickets, movement)
    named = (facts.one(GrainEntry, key) for key in (behind.tickets if behind else ()))
    return sum(one.amount for one in named if one and not one.void and one.claim == movement)


def _other(facts: StoreView, movement: str, house: str) -> str:
    """Return with whom an entry was, as giver or taker."""
    posted = facts.posted(movement)
    hands = [str(getattr(posted.request, name, "")) for name in ("giver", "taker")] if posted else []
    return next((one for one in hands if one not in ("", house)), "")


def _moved(asked: Asked, steps: Sequence[CustodyStep]) -> Iterator[Untold]:
    """Yield what came to a place or left it, piece by piece."""
    for step in steps:
        if not _within(asked, step.day):
            continue
        was, is_now = _lies(step.before, asked.place), _lies(step.after, asked.place)
        form, after = asked.place[2], step.after
        amount = after.stop - after.start if unit_of(form) == "bu" else after.product
        if is_now and not was:
            yield Untold(step.movement, step.type, step.day, came=True, amount=amount)
        elif was and not is_now and after.state in GONE:
            yield Untold(step.movement, step.type, step.day, came=False, amount=amount)


def _lies(lot: Lot | None, place: Place) -> bool:
    return lot is not None and lot.state in STOCK and (lot.custodian, lot.site, lot.form) == place


def said(one: Difference, write: Callable[[int, str], str] = show_amount) -> list[str]:
    """Return a difference and what it is made of, in whole sentences; ``write`` writes an amount with its unit."""
    unit = unit_of(one.place[2])
    return list(_said(one, lambda amount: write(abs(amount), unit)))


def _said(one: Difference, write: Callable[[int], str]) -> Iterator[str]:
    yield from _what(one, write)
    for came, way in ((True, "brought {} here"), (False, "took {} away")):
        amounts = [each.amount for each in one.untold if each.came is came]
        if amounts:
            many = "1 entry" if len(amounts) == 1 else f"{len(amounts)} entries"
            yield f"{many} {way.format(write(sum(amounts)))} without a ticket."
    yield from _left(one, write)
    if one.alone_out.tickets:
        alone = f"{counted(one.alone_out.tickets, 'ticket')} out, {write(one.alone_out.amount)}"
        yield f"Behind no sale: {alone}. That grain left, and no claim with it."
    if one.alone_in.tickets and one.why is Why.DAY:
        alone = f"{counted(one.alone_in.tickets, 'ticket')} in, {write(one.alone_in.amount)}"
        yield f"Behind no purchase: {alone}. It is grain without claims, or its purchase is still to be entered."


def _what(one: Difference, write: Callable[[int], str]) -> Iterator[str]:
    """Say which difference it is."""
    amount = write(one.amount)
    if one.why is Why.MEASURED:
        days = f"after the measurement of {one.since}" if one.since else "from the first one on"
        yield f"What was measured on {one.until} is {amount} {_way(one.amount)} than the tickets say."
        yield f"Tickets {days} brought {write(one.came)} and took {write(one.went)}."
    elif one.why is Why.SHORT:
        yield f"The claims are {amount} more than the grain."
    elif one.why is Why.NO_GRAIN_BOOK:
        yield f"There are claims on {amount}, and no ticket and no measurement was entered."


def _left(one: Difference, write: Callable[[int], str]) -> Iterator[str]:
    """Say what is left of a difference once the tickets that are missing are entered."""
    if not one.amount:
        return
    if not one.untold:
        yield f"No entry lacks its ticket. Look for {UNEXPLAINED}."
    elif not one.rest:
        yield "With their tickets nothing is left of the difference."
    elif one.why is Why.MEASURED:
        left = f"{write(one.rest)} {_way(one.rest)}"
        yield f"With their tickets {left} would be left that no entry explains. Look for {UNEXPLAINED}."
    elif one.rest > 0:
        yield f"With their tickets the claims would still be {write(one.rest)} more. Look for {UNEXPLAINED}."
    else:
        yield "With their tickets the grain would be enough."


def _way(amount: int) -> str:
    return "more" if amount > 0 else "less"


def difference_document(one: Difference) -> dict[str, object]:
    """Return a difference as plain data."""
    return {
        "site": one.place[1], "form": one.place[2], "unit": unit_of(one.place[2]), "why": str(one.why),
        "amount": show(one.amount), "after": one.since.isoformat() if one.since else None,
        "until": one.until.isoformat(), "in_amount": show(one.came), "out_amount": show(one.went),
        "without_ticket": [
            {
                "entry": each.movement, "type": each.type, "day": each.day.isoformat(),
                "direction": str(Direction.IN if each.came else Direction.OUT), "amount": show(each.amount),
                "party": each.party,
            }
            for each in one.untold
        ],
        "tickets_in_alone": one.alone_in.tickets, "in_alone_amount": show(one.alone_in.amount),
        "tickets_out_alone": one.alone_out.tickets, "out_alone_amount": show(one.alone_out.amount),
        "left_amount": show(one.rest), "said": " ".join(said(one)),
    }  # fmt: skip
