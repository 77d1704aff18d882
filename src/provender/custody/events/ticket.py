"""Scale tickets and measurements: entries of the physical book, each ticket once (interpretations 34, 37)."""

from dataclasses import replace
from typing import ClassVar, Final

from provender.custody.events.rules import MovementDraft, check_amounts, entity_of, record_of, require, site_of
from provender.custody.model.amounts import FORMS, show_amount, unit_of
from provender.custody.model.entities import STORERS
from provender.custody.model.event import Event, Party, Ticket, event
from provender.custody.model.grain_book import Direction, GrainEntry, MovementTickets, book_stock_before, grain_group
from provender.custody.model.statuses import Status
from provender.custody.model.store_view import Decision, StoreView
from provender.plain import declared, field
from provender.quantity import Amount
from provender.wire import Name, Text

DESTINATION: Final = "at the destination"
"""In place of a site: the tickets of buyers' houses for grain that a seller's own sites never saw."""


def ticket_records(
    facts: StoreView, request: Event, entity: str, site: str, form: str, direction: Direction
) -> list[GrainEntry | MovementTickets]:
    """Return the entries for the tickets behind a movement: new ones, or those at hand now tied to it.

    Tickets of the destination of a sale are entries of the seller, under the buyer's name (interpretation 77).

    Raises:
        Refusal: TICKET_DIFFERS or TICKET_USED.
    """
    tickets: tuple[Ticket, ...] = getattr(request, "tickets", ())
    there: tuple[Ticket, ...] = getattr(request, "destination", ())
    made = []
    for ticket in tickets:
        day = ticket.day or request.day
        made.append(GrainEntry(entity, site, form, ticket.number, day, direction, ticket.bushels, request.id))
    for ticket in there:
        number, day = f"{getattr(request, 'taker', '')}:{ticket.number}", ticket.day or request.day
        came = (number, day, Direction.IN, ticket.bushels, request.id)
        made.append(GrainEntry(entity, DESTINATION, form, *came))
    for status in (Status.TICKET_DIFFERS, Status.TICKET_USED):
        numbers: set[str] = set()
        for entry in made:
            held = _standing(facts, entry.key)
            if status is Status.TICKET_DIFFERS:
                same = held is None or replace(held, claim="", name="") == replace(entry, claim="")
                require(same and entry.key not in numbers, status, f"Ticket {entry.number} at {entry.site}.")
                numbers.add(entry.key)
            else:
                free = held is None or not held.claim
                require(
                    free, status, f"Ticket {entry.number} at {entry.site} stands behind {held.claim if held else ''}."
                )
    made = [replace(one, name=held.name) if (held := _standing(facts, one.key)) else one for one in made]
    return [*made, MovementTickets(request.id, tuple(entry.key for entry in made))] if made else []


def _standing(facts: StoreView, key: str) -> GrainEntry | None:
    """Return the entry of a ticket; one that is void leaves its number to the ticket that corrects it."""
    held = facts.one(GrainEntry, key)
    return None if held is None or held.void else held


@declared
class GrainEvent(Event):
    """Fields of every entry in the physical book of a site."""

    entity: Name = field("Entity", help="Whose site.", party=Party.ENTERS)
    form: Text = field("Form", help="The crop or product that moved, conventional or not.", choices="forms")
    amount: Amount = field("Amount", unit="bu or lb", help="Net, thousandths of a bushel, of a pound for a product.")
    number: Name = field(
        "Number", help="The ticket's number, unique at the site; what replaces a void ticket may have its number."
    )
    site: Name = field("Site", help="Which site; may be left out by an entity with one.", choices="sites", default="")
    void: bool = field(
        "Void",
        help=("Takes the entry with this number back; amount and day are those of the entry."),
        folded=True,
        default=False,
    )
    name: Text = field("Name", help="Whose grain the ticket says it is.", default="")
    direction: ClassVar[Direction]


@event("receipt", title="Scale ticket in", verb="Enter the ticket")
class ReceiptEvent(GrainEvent):
    """Grain came to a site: a scale ticket in."""

    direction: ClassVar[Direction] = Direction.IN


@event("shipment", title="Scale ticket out", verb="Enter the ticket")
class ShipmentEvent(GrainEvent):
    """Grain left a site: a truck, a train, feed, waste."""

    direction: ClassVar[Direction] = Direction.OUT


@event("measurement", title="Measured stock", verb="Enter the measurement")
class MeasurementEvent(GrainEvent):
    """The whole stock of a site as measured at the end of a day. May be nothing at all."""

    direction: ClassVar[Direction] = Direction.MEASURED


def decide_grain(facts: StoreView, request: GrainEvent) -> Decision:
    """Enter or void a ticket or measurement; the physical book never refuses what the scale said."""
    entity = entity_of(facts, request.entity)
    require(entity.may(STORERS), Status.ROLE_NOT_ALLOWED, f"{entity.name} keeps no grain for the chain.")
    site = site_of(facts, entity, request.site)
    key = f"{entity.id}/{site}/{request.number}"
    held = record_of(facts, GrainEntry, key) if request.void else facts.one(GrainEntry, key)
    if held is not None and request.void:
        require(not held.void, Status.ALREADY_ANSWERED, f"Ticket {held.number} is void.")
    require(request.form in FORMS, Status.FORM_NOT_POSSIBLE, f"{request.form!r}.")
    measured = request.direction is Direction.MEASURED
    unit = unit_of(request.form)
    if not (measured and request.amount == 0):
        check_amounts((request.amount, unit))
    what = (request.form, request.number, request.day, request.direction, request.amount)
    entry = GrainEntry(entity.id, site, *what, void=request.void, name=request.name)
    draft = MovementDraft(request)
    if held is not None and request.void:
        entry = replace(entry, name=held.name)
        require(replace(held, claim="", void=True) == entry, Status.TICKET_DIFFERS, f"Ticket {held.number}.")
        require(not held.claim, Status.TICKET_USED, f"It stands behind {held.claim}.")
        draft.state(entry)
        return draft.outcome(f"Ticket {held.number} is void.")
    require(held is None or held.void, Status.TICKET_DIFFERS, f"{site} has a ticket {request.number} already.")
    draft.state(entry)
    if not measured:
        return draft.outcome(f"{show_amount(request.amount, unit)} {request.direction} at {site}.")
    book = book_stock_before(facts.many(GrainEntry, grain_group(entity.id, site, request.form)), entry)
    if book is None:
        return draft.outcome(f"{site} holds {show_amount(request.amount, unit)}; the book had no entry.")
    difference = request.amount - book
    return draft.outcome(
        f"{site} holds {show_amount(request.amount, unit)}; the book said {show_amount(book, unit)}.",
        facts=(("difference", show_amount(difference, unit)),),
    )
