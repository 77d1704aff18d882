"""The one intake of scale tickets from another program's file, whichever interface they come by."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any, Final

from provender.custody.events.grain import parts_beside
from provender.custody.model.entities import Entity
from provender.custody.model.event import Status, plain_event
from provender.custody.model.grain import Direction, GrainEntry, grain_key, owners_on
from provender.custody.model.store_view import Decision, StoreView
from provender.custody.reconcile import ticket_rows
from provender.days import UNITED_STATES
from provender.exact import Bushels, show, ticket_key
from provender.formats.mapped import Mapped, import_table
from provender.formats.parsed import ColumnMap, MappedRow
from provender.problem import Place, Problem, Weight, listed
from provender.schema import field, view
from provender.services.custody.views import TicketView, Way

TICKET: Final = "ticket"
KEPT: Final = frozenset({
    "number", "site", "direction", "day", "customer", "split_pct", "crop", "gross_lb", "tare_lb", "net_lb",
    "moisture_pct", "net_bushels", "field", "void", "status",
})  # fmt: skip
"""Fields of a ticket that its entry in the grain book holds, or comes of."""
Parts = Mapping[tuple[str, str], list[ticket_rows.Split]]


@view
class LeftOutView:
    """A load of a file that is not taken; ``bushels`` are null where the file does not say them."""

    row: int = field("Row")
    ticket: str = field("Ticket")
    crop: str = field("Crop in the file")
    bushels: Bushels | None = field("Bushels")
    column: str = field("Column", help="As the file calls it; empty where it is of none.")
    cause: str = field("Why")
    remedy: str = field("What to do")


@dataclass(frozen=True, slots=True)
class TicketFile:
    """What a file says, as tickets."""

    tickets: Sequence[ticket_rows.ScaleTicket]  # one per row
    parts: Parts  # owners' parts by site and number
    problems: Sequence[Problem]  # what is doubtful or could not be read
    map: ColumnMap | None  # the column map used, None when no row looks like headings
    # loads that are not taken, in the order of their rows; the problems tell of each as well
    left_out: Sequence[ticket_rows.LeftOut] = ()


def read_tickets(
    path: Path,
    *,
    name: str,
    day: date,
    site: str,
    saved: Sequence[ColumnMap] = (),
    zones: tuple[str, ...] = UNITED_STATES,
    sites: Sequence[str] = (),
) -> TicketFile:
    """Read a file of tickets in a limited child, by a saved map or by a suggestion.

    A row without a site lies at ``site``; ``zones`` are those in which that can lie (``days.read_day``). ``sites`` are
    those of whose book it is, as far as that is known.
    """
    parsed = import_table(path, TICKET, as_of=day, name=name, saved=saved, zones=zones, otherwise="mdy")
    mapped, problems = parsed.result or Mapped((), ()), list(parsed.problems)
    tickets, left = [], []
    # What was wrong with a cell is told where it was read: a day that is still to come is an empty one afterwards.
    first = {each.place.row: each for each in reversed(problems) if each.weight is Weight.ERROR}
    words = ticket_rows.asked_words((row.values for each in mapped.tables for row in each.rows), sites)
    for file, row, ways in rows_with_ways(mapped):
        named = row.values.get("site", "")
        place = words.get("site", {}).get(named, named) or named
        values = {**row.values, "site": place or site}
        if (lost := first.get(row.number)) and lost.code == "lost_digits":
            left.append(ticket_rows.left_row(row.number, row.values, lost))
            continue
        ticket, doubts = ticket_rows.read_ticket(row.number, values, file, ways=ways)
        if ticket is None and not ticket_rows.is_load(row.values):
            problems.append(_no_load(file, row.number))
            continue
        if ticket and place and sites and place not in sites:
            ticket, doubts = None, [ticket_rows.no_site(row.number, named, sites, file)]
        problems += doubts
        tickets += [ticket] if ticket else []
        if ticket is None and doubts[0].weight is not Weight.NOTE:
            left.append(ticket_rows.left_row(row.number, row.values, first.get(row.number, doubts[0])))
    parts, doubts = ticket_rows.splits(tickets, name)
    problems += doubts
    left += ticket_rows.left_tickets(tickets, parts, problems)
    headings = {rule.field: rule.heading for each in mapped.maps for rule in each.columns}
    problems += _not_kept(mapped, name)
    left = [
        replace(one, heading=headings.get(one.problem.place.column or "", one.problem.place.column or ""))
        for one in left
    ]
    used = _with_answers(mapped.maps[0], words, problems) if mapped.maps else None
    return TicketFile(tickets, parts, problems, used, sorted(left, key=lambda one: one.row))


def _with_answers(used: ColumnMap, words: Mapping[str, Mapping[str, str]], problems: Sequence[Problem]) -> ColumnMap:
    """Return a map with what is to be asked once a layout: the words of its files, and how its days are written."""
    every = {name: {**words.get(name, {}), **used.words.get(name, {})} for name in (*words, *used.words)}
    order = "mdy" if any(each.code == "day_order" for each in problems) else used.date_order
    return replace(used, words=every, date_order=order)


def _not_kept(mapped: Mapped, file: str) -> list[Problem]:
    """Tell which columns are understood and yet stand in no entry: what a file says is never lost unsaid."""
    lost = dict.fromkeys(rule.heading for each in mapped.maps for rule in each.columns if rule.field not in KEPT)
    if not lost:
        return []
    cause = f"These columns stay in the file only: {listed(lost, most=40)}."
    return [Problem(Place(file), cause, "No action needed.", weight=Weight.NOTE, code="not_kept")]


def _no_load(file: str, row: int) -> Problem:
    cause = "The row names no ticket, day and crop: it is taken for a sum or a remark."
    return Problem(Place(file, row=row), cause, "Nothing to do if so.", weight=Weight.NOTE, code="no_load")


def missing_in(mapped: Mapped, needed: Sequence[str]) -> list[str]:
    """Return the needed fields of which it is not known which column holds them."""
    filled = {rule.field for each in mapped.maps for rule in each.columns}
    filled |= {field for each in mapped.maps for field in each.constants}
    return [field for field in needed if field not in filled]


def without_contract(parts: Parts) -> int:
    """Return the bushels of tickets in that no contract was applied to yet, thousandths."""
    every = (part for of in parts.values() for part in of)
    return sum(part.bushels for part in every if not (part.ticket.contract or part.ticket.void or part.ticket.outbound))


def rows_with_ways(mapped: Mapped) -> Iterator[tuple[str, MappedRow, bool]]:
    """Yield all rows, each with the name of its file and whether its sheet says of any row which way it went."""
    for table in mapped.tables:
        ways = ticket_rows.says_way(row.values for row in table.rows if ticket_rows.is_load(row.values))
        yield from ((table.file, row, ways) for row in table.rows)


def ticket_events(parts: Parts, store: StoreView, entity: str, *, prefix: str = "") -> Iterator[dict[str, Any]]:
    """Yield the events of tickets as plain data; a ticket that was void before the book ever had it is none.

    ``prefix`` begins the events' ids in a store that many share. What is void is taken back as the book has it, however
    it was entered there: a void row often has neither weights nor day.
    """
    for event in ticket_rows.grain_events(parts, entity):
        name = f"{prefix}{event['id']}"
        if not event.get("void"):
            yield _as_known({**event, "id": name}, store)
        elif (before := store.posted(name)) is not None:
            yield plain_event(before.event)
        elif (held := _entry_of(event, store, entity)) is not None:
            kind = "shipment" if held.direction is Direction.OUT else "receipt"
            taken = {"site": held.site, "day": held.day.isoformat(), "form": held.form, "amount": show(held.amount)}
            yield {**event, "id": name, "type": kind, **taken, "number": held.number}


def _entry_of(event: Mapping[str, Any], store: StoreView, entity: str) -> GrainEntry | None:
    """Return the entry that a void ticket takes back: at its site, or where it names none at the only one with it."""
    known = store.one(Entity, entity)
    sites = [event["site"]] if event.get("site") else known.sites if known else ()
    keys = [grain_key(entity, site, str(event["number"])) for site in sites]
    held = [one for key in keys if (one := store.one(GrainEntry, key)) and not one.void]
    return held[0] if len(held) == 1 else None


def ask_parts(parts: Parts, store: StoreView, entity: str, file: str) -> tuple[Parts, list[Problem]]:
    """Return the tickets without those of which the book has a part, or that are a part of one in the book: asked."""
    known, problems = store.one(Entity, entity), []
    only = known.sites[0] if known and len(known.sites) == 1 else ""
    for (site, _), split in parts.items():
        one = split[0].ticket
        entry = GrainEntry(entity, site or only, one.crop, one.number, date.min, Direction.IN, 0)
        held = store.one(GrainEntry, entry.key)
        if not one.void and (held is None or held.void) and (beside := parts_beside(store, entry)):
            problems.append(ticket_rows.part_beside(one, beside[0].number, file))
    asked = {each.place.row for each in problems}
    return {key: split for key, split in parts.items() if split[0].ticket.row not in asked}, problems


def _as_known(event: dict[str, Any], store: StoreView) -> dict[str, Any]:
    """Return a ticket that the book has with the number and without the field as they stand there.

    The list of a season comes again, from a spreadsheet perhaps that lost the zeros before the numbers.
    """
    known = store.posted(str(event["id"]))
    if known is None:
        return event
    number = str(getattr(known.event, "number", ""))
    if ticket_key(number) == ticket_key(str(event["number"])):
        event = {**event, "number": number}
    name, said = str(event.get("name", "")), str(getattr(known.event, "name", ""))
    if name == said or owners_on(name) != said:
        return event
    return {each: value for each, value in event.items() if each != "name"} | ({"name": said} if said else {})


def explained(decision: Decision, event: Mapping[str, Any], store: StoreView) -> Decision:
    """Return the answer to a ticket; where the book has it with other content, the answer says what differs."""
    if decision.status is not Status.ID_HAS_OTHER_CONTENT:
        return decision
    before = store.posted(str(event["id"]))
    if before is None:
        return decision
    known = plain_event(before.event)
    names = [name for name in ("day", "form", "amount", "name", "type") if event.get(name) != known.get(name)]
    differ = "; ".join(
        f"{name} {event.get(name, 'none')!s} here, {known.get(name, 'none')!s} in the book" for name in names
    )
    remedy = "Nothing was changed. Mark the old ticket void in the file and enter its replacement under a new number."
    message = f"Ticket {event['number']} is in the book with other content: {differ}. {remedy}"
    return replace(decision, message=message)


def ticket_view(ticket: ticket_rows.ScaleTicket) -> TicketView:
    return TicketView(
        number=ticket.number, day=ticket.day, site=ticket.site, crop=str(ticket.crop), customer=ticket.customer,
        farm=ticket.farm, way=Way.VOID if ticket.void else Way.OUT if ticket.outbound else Way.IN,
        printed_bu=ticket.printed, ours_bu=ticket.ours,
    )  # fmt: skip


def left_out_view(one: ticket_rows.LeftOut) -> LeftOutView:
    return LeftOutView(
        row=one.row, ticket=one.number, crop=one.crop, bushels=one.bushels, column=one.heading,
        cause=one.problem.cause, remedy=one.problem.remedy,
    )  # fmt: skip
