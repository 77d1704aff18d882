"""Movements: the list, newest first, and one movement with its lots, its document and what can be done about it."""

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from enum import StrEnum
from typing import Final, NamedTuple, get_args, get_type_hints

from django.http import Http404, HttpResponseBase
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_GET

from provender.custody.digest import plain_event
from provender.custody.events.changed_report import Notice
from provender.custody.events.correction import CORRECTABLE
from provender.custody.model.amounts import unit_of
from provender.custody.model.event import Event
from provender.custody.model.lots import Lot, LotState
from provender.custody.model.store_view import Posted, taken_back_by
from provender.custody.queries.report_changes import event_of
from provender.database.store.custody_lists import names_of
from provender.database.store.custody_movements import Cursor, Movement, MovementsPage, movements_page
from provender.plain import infos
from provender.quantity import show
from provender.web.access import PersonRequest
from provender.web.custody.forms import labelled, words
from provender.web.custody.pages.context import READER, CustodyContext, at_desk
from provender.web.custody.pages.entry import OFFERS, lots_table
from provender.web.tables import Cell, Column, Table, page_with_tables, rows_wanted

LOTS_SHOWN: Final = 100
ENTRIES: Final = (
    ("Sell and move", ("sale", "move", "storage", "return")),
    ("Process", ("yield", "process", "crush", "true_up")),
    ("End claims", ("release", "loss", "retire")),
    ("Put right", ("correct", "opening")),
)


@require_GET
@at_desk()
def custody_movements(request: PersonRequest, desk: CustodyContext) -> HttpResponseBase:
    """List movements, a page at a time, and link to the form of every kind of entry."""
    page = movements_page(desk.id, before=place_in(request), size=rows_wanted(request))
    table = movements_table(desk, page.movements, name="movements", caption="Movements, newest first")
    entries = [
        (title, [(OFFERS[kind].title, reverse("custody_enter", args=(desk.id, kind))) for kind in _of(desk, kinds)])
        for title, kinds in ENTRIES
    ]
    return page_with_tables(
        request, "custody/movements.html", {"movements": table}, {"more": next_page(page), "entries": entries}
    )


def _of(desk: CustodyContext, kinds: Sequence[str]) -> list[str]:
    return [kind for kind in kinds if kind != "retire" or desk.makes_fuel]


def next_page(page: MovementsPage) -> str:
    """Return the query that leads to the next page of movements; empty at the end."""
    return f"?before={page.older.day.isoformat()}_{page.older.lot}" if page.older else ""


def place_in(request: PersonRequest) -> Cursor | None:
    """Return the place from which a page of movements goes on."""
    day, _, lot = request.GET.get("before", "").partition("_")
    try:
        return Cursor(date.fromisoformat(day), int(lot))
    except ValueError:
        return None


def movement_address(desk: CustodyContext, event: str) -> str:
    """Return the address of one movement's page."""
    return f"{reverse('custody_movement', args=(desk.id,))}?{urlencode({'id': event})}"


def movements_table(desk: CustodyContext, found: Sequence[Movement], *, name: str, caption: str) -> Table:
    """Return movements as a table; names of others appear only beside the organisation's own hand."""
    names = names_of(party for one in found for party in (one.giver, one.taker))
    columns = [
        Column("Day"),
        Column("Movement"),
        Column("From"),
        Column("To"),
        Column("What"),
        Column("Amount", number=True),
    ]
    rows = [
        [
            Cell(str(one.day)),
            Cell(words(one.type), movement_address(desk, one.event), note="Taken back" if one.corrected else ""),
            Cell(names.get(one.giver, "")),
            Cell(names.get(one.taker, "")),
            Cell(words(one.form)),
            Cell(f"{show(one.amount, group=True)} {unit_of(one.form)}"),
        ]
        for one in found
    ]
    empty = "No movement yet. Buy from a farm or accept a delivery, and it stands here."
    return Table(name, columns, rows, caption=caption, empty=empty)


def own_movement(desk: CustodyContext, event: str) -> tuple[Posted, list[Lot]]:
    """Return an event of the book that concerns the organisation, and the lots it opened.

    Raises:
        Http404: there is none, or it concerns others only.
    """
    with READER.reading() as facts:
        posted = facts.posted(event)
        if posted is None:
            raise Http404
        lots = [lot for lot in facts.lots_by(event) if lot.by == event or posted.request.type == "true_up"]
        before = {party for lot in facts.parents(event) for party in (lot.owner, lot.custodian)}
        told = any(event_of(one) == event for one in facts.many(Notice, desk.id))
    after = {party for lot in lots for party in (lot.owner, lot.custodian)}
    if not told and desk.id not in {*posted.request.parties(), *before, *after}:
        raise Http404
    return posted, lots


@require_GET
@at_desk()
def custody_movement(request: PersonRequest, desk: CustodyContext) -> HttpResponseBase:
    """Show one movement: what was asked, the lots as it left them, the document, and how to take it back.

    Raises:
        Http404: the organisation has no such movement.
    """
    posted, lots = own_movement(desk, request.GET.get("id", ""))
    event = posted.request
    known = knows(desk, posted, lots)
    changes = _changes(desk, event.id)
    with READER.reading() as facts:
        taken_back = taken_back_by(facts, posted)
    table = lots_table(
        "lots",
        lots[:LOTS_SHOWN],
        caption="Lots as it left them",
        trace=reverse("custody_trace", args=(desk.id,)) if any(lot.owner == desk.id for lot in lots) else "",
    )
    context = {
        "event": event,
        "title": words(event.type),
        "said": facts_of(event, only=None if known else OF_ANYBODY),
        "name": event.id if known else "",
        "corrected_by": taken_back,
        "left_out": len(lots) - LOTS_SHOWN,
        "document": event.type == "sale" and getattr(event, "giver", "") == desk.id and not taken_back,
        "back": _back(desk, posted, lots),
    }
    tables = {"lots": table} if changes is None or lots else {}
    return page_with_tables(
        request, "custody/movement.html", tables | ({"changes": changes} if changes else {}), context
    )


def knows(desk: CustodyContext, posted: Posted, lots: Sequence[Lot]) -> bool:
    """Tell whether the organisation deals with a party of an entry: a farm's name stays a secret (interpretation 45).

    It does where it is one, has a contract with one, or bought the lots from one.
    """
    parties = set(posted.request.parties())
    dealt = {one.counterparty for one in desk.contracts} | {lot.supplier for lot in lots if lot.owner == desk.id}
    return desk.id in parties or not parties.isdisjoint(dealt)


def changes_of(desk: CustodyContext, event: str) -> list[Notice]:
    """Return which of the organisation's serials a changed report is about; none where the entry changed none."""
    with READER.reading() as facts:
        return [one for one in facts.many(Notice, desk.id) if event_of(one) == event]


def _changes(desk: CustodyContext, event: str) -> Table | None:
    notices = changes_of(desk, event)
    if not notices:
        return None
    columns = [Column("Serials, bu"), Column("What changed"), Column("Bushels of yours", number=True)]
    rows = [
        [
            Cell(f"{show(one.start, group=True)} to {show(one.stop, group=True)}", note=f"{one.origin[:12]}…"),
            Cell(one.said),
            Cell(show(one.stop - one.start, group=True)),
        ]
        for one in notices
    ]
    return Table("changes", columns, rows, caption="What it changes for you")


OF_ANYBODY: Final = frozenset(
    {"day", "crop", "harvest_year", "bushels", "ci", "version", "origin", "reason", "start_day", "end_day"}
)
"""What an entry says to somebody whose lots it touches and who deals with none of its parties."""


def facts_of(event: Event, *, only: Collection[str] | None = None) -> list[tuple[str, str]]:
    """Return what was asked for, as people read it: names for parties, words for forms, crops and other choices.

    ``only`` limits it to some fields.
    """
    plain = {
        name: value
        for name, value in plain_event(event).items()
        if name not in ("type", "actor") and (only is None or name in only)
    }
    said = infos(type(event))
    parties = names_of(str(value) for name, value in plain.items() if said[name].party or name == "counterparty")
    chosen = {name for name, hint in get_type_hints(type(event)).items() if _is_choice(hint)} | CODED
    return [
        (labelled(said[name]), parties.get(str(value), "") or _text(value, name, chosen))
        for name, value in plain.items()
    ]


CODED: Final = frozenset({"form", "crop", "crops", "made_of", "output"})
"""Fields that hold words of the book besides those of fixed choices."""


def _is_choice(hint: object) -> bool:
    return any(isinstance(one, type) and issubclass(one, StrEnum) for one in (hint, *get_args(hint)))


def _text(value: object, name: str, chosen: Collection[str]) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return "; ".join(_text(one, name, chosen) for one in value)
    if isinstance(value, dict):
        return ", ".join(_part(str(each), one, chosen) for each, one in value.items())
    return words(str(value)) if name in chosen else str(value)


UNITS: Final[Mapping[str, str]] = {"bushels": " bu", "pounds": " lb", "ci": " g CO2e/bu"}


def _part(name: str, value: object, chosen: Collection[str]) -> str:
    """Write one part of a ticket, lot or line, with its unit."""
    return f"{_text(value, name, chosen)}{UNITS.get(name, '')}"


def _back(desk: CustodyContext, posted: Posted, lots: Sequence[Lot]) -> list[tuple[str, str]]:
    """Return what can be done about a movement, as links."""
    return [
        (one.label, f"{reverse('custody_enter', args=(desk.id, one.kind))}?{urlencode(one.fields)}")
        for one in (follow_ups(desk, posted, lots) if desk.access.may_write else ())
    ]


class FollowUp(NamedTuple):
    """An event that may be entered about another.

    Attributes:
        label: what it does.
        kind: of the event.
        fields: what is known of it.
    """

    label: str
    kind: str
    fields: dict[str, str]


def follow_ups(desk: CustodyContext, posted: Posted, lots: Sequence[Lot]) -> list[FollowUp]:
    """Return what can be done about a movement: accepted, sent back, returned, taken back."""
    event = posted.request
    if posted.corrected_by:
        return []
    offers, name = [], event.id
    waiting = any(lot.state is LotState.IN_TRANSIT and lot.by == name for lot in lots)
    if event.type == "sale" and getattr(event, "taker", "") == desk.id and waiting:
        offers.append(FollowUp("Accept", "accept", {"movement": name}))
        giver = getattr(event, "giver", "")
        offers.append(FollowUp("Send it back", "reject", {"movement": name, "giver": giver}))
    if event.type in ("purchase", "assign", "accept") and getattr(event, "taker", "") == desk.id:
        sale, seller = getattr(event, "movement", "") or name, lots[0].supplier if lots else ""
        offers.append(FollowUp("Return to the seller", "return", {"movement": sale, "taker": seller}))
    if event.type in CORRECTABLE:
        offers.append(FollowUp("Take it back as entered in error", "correct", {"movement": name}))
    return offers
