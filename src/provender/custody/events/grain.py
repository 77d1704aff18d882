"""Scale tickets and measurements: entries of the physical book, each ticket once (interpretations 34, 37)."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import ClassVar, Final

from provender.custody.events.rules import MovementDraft, check_amounts, entity_of, record_of, require, site_of
from provender.custody.model import grain as grain_book
from provender.custody.model.entities import STORERS, Entity
from provender.custody.model.event import Event, Party, Refusal, RestsOn, Status, Ticket, event
from provender.custody.model.lots import BUSHEL, FORMS, show_amount, unit_of
from provender.custody.model.store_view import Decision, StoreView
from provender.exact import Amount, ticket_key, ticket_whole
from provender.problem import counted
from provender.schema import Name, Text, declared, field

OUT_OF: Final = "/out"
INTO: Final = "/in"
"""How the ids of two tickets end that are one move of grain between sites of one entity; they begin alike. What came so
is no grain of others. Claims that moved with it have the id without an ending."""


def ticket_records(
    store: StoreView, event: Event, entity: str, site: str, form: str, direction: grain_book.Direction
) -> list[grain_book.GrainEntry | grain_book.MovementTickets]:
    """Return the entries for the tickets behind a movement: new ones, or those at hand now tied to it.

    Tickets of the destination of a sale are entries of the seller, under the buyer's name (interpretation 77).

    Raises:
        Refusal: TICKET_DIFFERS or TICKET_USED.
    """
    tickets: tuple[Ticket, ...] = getattr(event, "tickets", ())
    there: tuple[Ticket, ...] = getattr(event, "destination", ())
    here = grain_book.GrainEntry(entity, site, form, "", event.day, direction, 0)
    away = replace(here, site=grain_book.DESTINATION, direction=grain_book.Direction.IN)
    made = [_entry(store, event, ticket, replace(here, number=ticket.number)) for ticket in tickets]
    of_buyer = ((ticket, f"{getattr(event, 'taker', '')}:{ticket.number}") for ticket in there)
    made += [_entry(store, event, ticket, replace(away, number=number)) for ticket, number in of_buyer]
    if not made:
        return []
    keys = [entry.key for entry in made]
    standing = [_entry_of_ticket(store, key) for key in keys]
    if not any(standing) and len(set(keys)) == len(keys):
        return [*made, grain_book.MovementTickets(event.id, tuple(keys))]  # all of them are new
    known = [one for one in standing if one]
    # No trade is behind grain that moved between sites of one party.
    own = {one.key for one in known if one.source} | {one.source for one in _came_of(store, known)}
    for place, (entry, held) in enumerate(zip(made, standing, strict=True)):
        named = f"Ticket {entry.number} at {entry.site}"
        same = held is None or replace(held, claim="", name="", source="") == replace(entry, claim="")
        require(same and entry.key not in keys[:place], Status.TICKET_DIFFERS, f"{named}.")
        require(entry.key not in own, Status.TICKET_DIFFERS, f"{named} is of a move between its own sites.")
    for entry, held in zip(made, standing, strict=True):
        claim = held.claim if held else ""
        require(not claim, Status.TICKET_USED, f"Ticket {entry.number} at {entry.site} stands behind {claim}.")
    made = [replace(held, claim=event.id) if held else one for one, held in zip(made, standing, strict=True)]
    return [*made, grain_book.MovementTickets(event.id, tuple(entry.key for entry in made))]


def _entry(store: StoreView, event: Event, ticket: Ticket, place: grain_book.GrainEntry) -> grain_book.GrainEntry:
    """Return the entry for a ticket: of the number and, where the trade says none, of the day that the book has."""
    held = _entry_of_ticket(store, place.key)
    day = ticket.day or (held.day if held and held.day <= event.day else event.day)
    number = held.number if held else place.number
    return replace(place, number=number, day=day, amount=ticket.bushels, claim=event.id)


def tickets_show(tickets: int, shown: int) -> str:
    """Say how much the tickets behind a purchase show, where that is less than it is of."""
    return f"{counted(tickets, 'ticket')} {'shows' if tickets == 1 else 'show'} {show_amount(shown, BUSHEL)}."


def _came_of(store: StoreView, tickets: Sequence[grain_book.GrainEntry]) -> Iterator[grain_book.GrainEntry]:
    """Yield the tickets by which the grain of tickets out came to another site of the same party."""
    out = {one.key for one in tickets if one.direction is grain_book.Direction.OUT}
    for name, form in {(one.entity, one.form) for one in tickets if one.key in out}:
        entity = store.one(Entity, name)
        for site in entity.sites if entity else ():
            grain = store.many(grain_book.GrainEntry, grain_book.grain_group(name, site, form))
            yield from (one for one in grain if one.source in out and not one.void)


def _entry_of_ticket(store: StoreView, key: str) -> grain_book.GrainEntry | None:
    """Return the entry of a ticket; one that is void leaves its number to the ticket that corrects it."""
    held = store.one(grain_book.GrainEntry, key)
    return None if held is None or held.void else held


@declared
class GrainEvent(Event):
    """Fields of every entry in the physical book of a site."""

    entity: Name = field("Entity", help="Whose site.", party=Party.ENTERS)
    form: Text = field("Crop or product", help="What moved, conventional or not.", choices="forms")
    amount: Amount = field("Amount", unit="bu or lb", help="Net, at most three decimals, such as 952.3.")
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
    direction: ClassVar[grain_book.Direction]


@event("receipt", RestsOn.SCALE, speaker="entity", title="Scale ticket in", verb="Enter the ticket")
class ReceiptEvent(GrainEvent):
    """Grain came to a site: a scale ticket in."""

    direction: ClassVar[grain_book.Direction] = grain_book.Direction.IN


@event("shipment", RestsOn.SCALE, speaker="entity", title="Scale ticket out", verb="Enter the ticket")
class ShipmentEvent(GrainEvent):
    """Grain left a site: a truck, a train, feed, waste."""

    direction: ClassVar[grain_book.Direction] = grain_book.Direction.OUT


@event("measurement", RestsOn.SCALE, speaker="entity", title="Measured stock", verb="Enter the measurement")
class MeasurementEvent(GrainEvent):
    """The whole stock of a site as measured at the end of a day. May be nothing at all."""

    direction: ClassVar[grain_book.Direction] = grain_book.Direction.MEASURED


def decide_grain(store: StoreView, event: GrainEvent) -> Decision:
    """Enter or void a ticket or measurement; the physical book never refuses what the scale said."""
    entity = entity_of(store, event.entity)
    require(entity.may(STORERS), Status.ROLE_NOT_ALLOWED, f"{entity.name} keeps no grain for the chain.")
    site = site_of(store, entity, event.site)
    key = grain_book.grain_key(entity.id, site, event.number)
    held = record_of(store, grain_book.GrainEntry, key) if event.void else store.one(grain_book.GrainEntry, key)
    if held is not None and event.void:
        require(not held.void, Status.ALREADY_ANSWERED, f"Ticket {held.number} is void.")
    require(event.form in FORMS, Status.FORM_NOT_POSSIBLE, f"{event.form!r}.")
    measured = event.direction is grain_book.Direction.MEASURED
    unit = unit_of(event.form)
    if not (measured and event.amount == 0):
        check_amounts((event.amount, unit))
    what = (event.form, event.number, event.day, event.direction, event.amount)
    place = (entity.id, site, *what)
    entry = grain_book.GrainEntry(*place, void=event.void, name=event.name)
    draft = MovementDraft(event)
    if held is not None and event.void:
        entry = replace(entry, name=held.name, source=held.source)
        require(replace(held, claim="", void=True) == entry, Status.TICKET_DIFFERS, f"Ticket {held.number}.")
        require(not held.claim, Status.TICKET_USED, f"It stands behind {held.claim}.")
        # The number may be taken again by grain that went elsewhere: what came of this ticket is not of that one.
        draft.state(entry, *(replace(one, source="") for one in _came_of(store, [held])))
        return draft.outcome(f"Ticket {held.number} is void.")
    require(held is None or held.void, Status.TICKET_DIFFERS, f"{site} has a ticket {held and held.number} already.")
    entry = replace(entry, source=_source(store, event, key))
    draft.state(entry)
    if not measured:
        moved = f"{show_amount(event.amount, unit)} of {event.form} {event.direction} at {site}"
        beside = "".join(
            f" Ticket {one.number} stands there too: make one of them void if it is a part of the other."
            for one in parts_beside(store, entry)
        )
        return draft.outcome(f"Ticket {event.number} of {event.day}: {moved}.{beside}")
    book = grain_book.grain_on(store, (entity.id, site, event.form), event.day, without=event.number)
    if book is None:
        return draft.outcome(f"{site} holds {show_amount(event.amount, unit)}; the book had no entry.")
    difference = event.amount - book
    return draft.outcome(
        f"{site} holds {show_amount(event.amount, unit)}; the book said {show_amount(book, unit)}.",
        details=(("difference", show_amount(difference, unit)),),
    )


def parts_beside(store: StoreView, entry: grain_book.GrainEntry) -> list[grain_book.GrainEntry]:
    """Return the whole ticket of which one may be a part, as ``1001`` of ``1001 A``, or the first part of a whole."""
    key = ticket_key(entry.number)
    whole = ticket_whole(key)
    others = [whole] if whole else [f"{key} A"] if key.isdecimal() else []
    held = (_entry_of_ticket(store, grain_book.grain_key(entry.entity, entry.site, number)) for number in others)
    return [one for one in held if one is not None]


def _source(store: StoreView, event: GrainEvent, key: str) -> str:
    """Return the entry of the ticket out with which grain came from a place of the same entity; empty for none."""
    stem, within, _ = event.id.rpartition(INTO)
    sent = store.posted(f"{stem}{OUT_OF}") if within and event.id.endswith(INTO) else None
    if sent is None or not isinstance(sent.event, ShipmentEvent) or not isinstance(event, ReceiptEvent):
        return ""
    out = sent.event
    if out.void or (out.entity, out.form) != (event.entity, event.form) or out.day > event.day:
        return ""
    entity = entity_of(store, out.entity)
    try:
        source = grain_book.grain_key(entity.id, site_of(store, entity, out.site), out.number)
    except Refusal:  # it was the only site then and is not now: no ticket in was ever refused for that
        return ""
    left = _entry_of_ticket(store, source)
    return "" if left is None or left.claim or source == key else source
