"""What a refusal leads to: the entry that lacks, filled in as far as it is known, in words for who is at the desk.

The book answers everybody in the same sentences, about giver and taker. Whoever entered is told of their own stock, and
where another entry has to come first it is offered.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from provender.custody.events.correction import CorrectEvent
from provender.custody.events.registration import ContractEvent
from provender.custody.model.entities import ContractKind
from provender.custody.model.event import Event
from provender.custody.model.grain_book import Direction, GrainEntry
from provender.custody.model.statuses import Status
from provender.problem import Place, Problem
from provender.quantity import show
from provender.services.custody.context import READER, CustodyContext
from provender.services.custody.views import EventOffer, GrainEntryView, offer

TICKETS: Final = {Direction.IN: "receipt", Direction.OUT: "shipment", Direction.MEASURED: "measurement"}
"""Which entry writes, and takes back, a ticket of each direction."""
PARTNERS: Final = {"sale": ("taker", ContractKind.RECIPIENT), "purchase": ("giver", ContractKind.SUPPLIER)}
"""With whom the contract of a trade is, and what that party is in it."""


@dataclass(frozen=True, slots=True)
class WayOn:
    """A refusal as whoever entered is told, and the entry that it leads to.

    Attributes:
        problem: the refusal.
        offer: the entry; None where there is none to offer.
        returns: whether what was refused may be entered again afterwards, as it was.
    """

    problem: Problem
    offer: EventOffer | None = None
    returns: bool = False


def way_on(context: CustodyContext, event: Event, problem: Problem) -> WayOn:
    """Return a refusal of an event with what it leads to; as it is where nothing is known of it."""
    return next((found for each in _WAYS if (found := each(context, event, problem)) is not None), WayOn(problem))


def voiding(site: str, form: str, entry: GrainEntry | GrainEntryView) -> EventOffer:
    """Return the entry that makes a ticket void: with its number, and the day and the amount that were entered."""
    kind = TICKETS[Direction(entry.direction)]
    known = {"day": entry.day.isoformat(), "amount": show(entry.amount), "number": entry.number}
    return offer("Void", kind, **known, form=form, site=site, void="on")


def _contract(context: CustodyContext, event: Event, problem: Problem) -> WayOn | None:
    """Lead to the form of a contract that a trade names and that is not on file."""
    number = getattr(event, "contract", "")
    known = {contract.id for contract in context.contracts}
    if problem.code != Status.RECORD_NOT_FOUND or event.type not in PARTNERS or not number or number in known:
        return None
    party, role = PARTNERS[event.type]
    partner = str(getattr(event, party))
    told = replace(
        problem,
        place=Place(problem.place.file, column="contract"),
        cause=f"No contract {number} is on file with you.",
        remedy="Put it on file first, or leave the contract out.",
    )
    lacks = offer(f"Put contract {number} on file", ContractEvent.type, counterparty=partner, role=role, number=number)
    return WayOn(told, lacks, returns=True)


def _ticket(context: CustodyContext, event: Event, problem: Problem) -> WayOn | None:
    """Lead from the number of an own ticket, which is no movement, to the entry that makes it void."""
    if not isinstance(event, CorrectEvent) or problem.code != "not_yours":
        return None
    entry = _numbered(context, event.movement)
    if entry is None:
        return None
    cause = f"{entry.number} is a scale ticket at {entry.site}, not an entry of claims."
    if entry.claim:
        remedy = f"It stands behind {entry.claim}: take that entry back, then make the ticket void."
        lead = offer(f"Take {entry.claim} back", CorrectEvent.type, movement=entry.claim)
    else:
        remedy = "A ticket is made void where tickets are entered."
        lead = replace(voiding(entry.site, entry.form, entry), what=f"Make ticket {entry.number} void")
    return WayOn(replace(problem, cause=cause, remedy=remedy), lead)


def _numbered(context: CustodyContext, number: str) -> GrainEntry | None:
    """Return an own ticket of a number that is not void, of whichever site has one."""
    with READER.reading() as facts:
        found = (facts.one(GrainEntry, f"{context.id}/{site}/{number.strip()}") for site in context.entity.sites)
        return next((one for one in found if one is not None and not one.void), None)


def _stock(context: CustodyContext, event: Event, problem: Problem) -> WayOn | None:
    """Speak to whoever takes of the own stock, which the book calls the giver's."""
    del context
    if problem.code != Status.EXCEEDS_STOCK or (event.type in PARTNERS and PARTNERS[event.type][0] == "giver"):
        return None
    cause = problem.cause.replace("The giver does not hold that much.", "You do not hold that much.")
    return WayOn(replace(problem, cause=cause.replace(" It holds ", " You hold ")))


_WAYS: Final[tuple[Callable[[CustodyContext, Event, Problem], WayOn | None], ...]] = (_contract, _ticket, _stock)
