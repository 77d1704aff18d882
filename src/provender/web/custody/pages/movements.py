"""Movements: the list, newest first, and one movement with its lots, its document and what can be done about it."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from enum import StrEnum
from typing import Any, Final, NamedTuple, get_args, get_type_hints

from django.http import Http404, HttpResponseBase
from django.utils.http import urlencode
from django.views.decorators.http import require_GET

from provender.custody.model.lots import BUSHEL, FORMS, unit_of
from provender.custody.model.store_view import printed
from provender.exact import CI_SCALE, Scaled, grouped, show, weighted_mean
from provender.paper.tables import Cell, Column, Row, Table, heads, quantity, table_of
from provender.schema import infos, types_of, wire_of
from provender.services.custody.book_entry import OFFERS, POSTED_TYPES, offered
from provender.services.custody.context import CustodyContext, parties_meant, party_names
from provender.services.custody.documents import has_consent
from provender.services.custody.movements import (
    LOOKED_AT,
    WHOLE_BOOK,
    Movement,
    MovementsPage,
    movement_view,
    movements,
    own_movement,
)
from provender.services.custody.views import LotView, MovementView
from provender.web.access import PersonRequest
from provender.web.custody.forms import at, form_of, labelled, serials_line, trader_view, words
from provender.web.inputs import number_in
from provender.web.tables import ROWS, all_said, page_with_tables, rows_wanted

# What was entered by an event, as people read it: its fields in words, amounts with their thousands grouped.


def facts_of(event: Mapping[str, Any], *, own: str = "", lots: Sequence[LotView] = ()) -> list[tuple[str, str]]:
    """Return what was entered, as people read it: names for parties, words for forms, crops and other choices.

    Lots that stand in a table below are not said twice; what was moved has their mean carbon intensity.
    """
    left_out = ("type", "actor", "lots") if lots else ("type", "actor")
    plain = {name: value for name, value in event.items() if name not in left_out}
    cls = POSTED_TYPES[event["type"]]
    said = infos(cls)
    parties = party_names(str(value) for name, value in plain.items() if said[name].party or name == "counterparty")
    chosen = {
        name
        for name, hint in get_type_hints(cls).items()
        if any(isinstance(one, type) and issubclass(one, StrEnum) for one in (hint, *get_args(hint)))
    } | CODED
    # A scale weighs a product in pounds, in the column of bushels.
    form = str(event.get("form") or "")
    weighed = {**UNITS, "bushels": f" {lots[0].unit if lots else unit_of(form) if form in FORMS else BUSHEL}"}
    facts = {
        name: (
            labelled(said[name]),
            _called(str(value), parties, own) or _text(value, name, chosen, weighed if name in TICKETS else UNITS),
        )
        for name, value in plain.items()
    }
    mean = weighted_mean((lot.ci_g_per_bu, lot.stop_bu - lot.start_bu) for lot in lots)
    if mean is None or "bushels" not in said:
        return list(facts.values())
    after = next((at for at, name in enumerate(facts, 1) if name in ("bushels", "pounds")), len(facts))
    told = ("Mean CI", f"{show(mean, CI_SCALE, group=True)} g CO2e/bu")
    return [*list(facts.values())[:after], told, *list(facts.values())[after:]]


def _called(code: str, parties: Mapping[str, str], own: str) -> str:
    """Write a party as its name with its code, oneself as the name alone; empty for what is no party."""
    name = parties.get(code, "")
    return name if code == own or name in ("", code) else f"{name} ({code})"


CODED: Final = frozenset({"form", "crop", "crops", "made_of", "output"})
"""Fields that hold words of the book besides those of fixed choices."""


def _text(value: object, name: str, chosen: Collection[str], units: Mapping[str, str]) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return "; ".join(_text(one, name, chosen, units) for one in value)
    if isinstance(value, dict):
        return ", ".join(f"{_text(one, each, chosen, units)}{units.get(each, '')}" for each, one in value.items())
    if name in chosen:
        return words(str(value))
    if HASH.fullmatch(str(value)):
        return printed(str(value))
    return grouped(str(value)) if name in AMOUNTS else str(value)


SCALED: Final = frozenset(
    name for cls in POSTED_TYPES.values() for name, kind in types_of(cls).items() if isinstance(wire_of(kind), Scaled)
)
AMOUNTS: Final = SCALED | {"amount", "bushels", "pounds", "gallons", "ci", "spans", "start", "stop"}
"""Fields whose figures are amounts; all others with figures are numbers of papers, years or codes."""
HASH: Final = re.compile(r"[0-9a-f]{40,}")
"""What nobody reads: a page names it as it does elsewhere, by its first signs."""
TICKETS: Final = frozenset({"tickets", "destination"})
"""Fields of scale tickets."""
UNITS: Final[Mapping[str, str]] = {"bushels": " bu", "pounds": " lb", "ci": " g CO2e/bu"}


LOTS_SHOWN: Final = 100
ENTRIES: Final = (
    ("Sell and move", ("sale", "move", "storage", "return")),
    ("Process", ("yield", "process", "convert", "crush", "true_up")),
    ("End claims", ("release", "loss", "retire")),
    ("Put right", ("correct", "settle", "opening")),
)


@require_GET
@trader_view()
def custody_movements(request: PersonRequest, desk: CustodyContext) -> HttpResponseBase:
    """List movements, a page at a time, and link to the form of every kind of entry."""
    asked = partner_asked(request, desk)
    page = page_asked(request, desk, asked)
    table = movements_table(
        desk, page.movements, name="movements", caption="Movements, newest first", of_all_kinds=True
    )
    offers = {title: offered(kinds, fuel=desk.makes_fuel) for title, kinds in ENTRIES}
    links = {
        title: [(OFFERS[kind].title, at(desk, "custody_enter", kind)) for kind in of] for title, of in offers.items()
    }
    tables = {"movements": all_said(request, table, more=page.older is not None)}
    context = {**around(page, asked), "entries": links.items()}
    return page_with_tables(request, "custody/movements.html", tables, context)


class PartnerAsked(NamedTuple):
    """With whom the movements of a list are to be: what was typed, and whom it means."""

    text: str
    codes: frozenset[str]


OF_PARTNER: Final = "With whom, by name or code"


def partner_asked(request: PersonRequest, desk: CustodyContext) -> PartnerAsked:
    """Return the partners that an address asks for; without a word in it every one is."""
    text = " ".join(request.GET.get("partner", "").split())
    return PartnerAsked(text, parties_meant(desk, text) if text else frozenset())


def page_asked(
    request: PersonRequest, desk: CustodyContext, asked: PartnerAsked, kinds: Sequence[str] = ()
) -> MovementsPage:
    """Return the movements that an address asks for; a file or a list to print looks through the whole book."""
    size = rows_wanted(request)
    return movements(
        desk, before=place_in(request), size=size, kinds=kinds, partners=asked.codes,
        scanned=LOOKED_AT if size == ROWS else WHOLE_BOOK,
    )  # fmt: skip


def around(page: MovementsPage, asked: PartnerAsked) -> dict[str, object]:
    """Return what stands around a list of movements: the way to older ones, how far it looked, and with whom."""
    back_to = page.older and page.older.day
    return {"more": next_page(page, asked.text), "back_to": back_to, "partner": asked.text, "of_partner": OF_PARTNER}


def next_page(page: MovementsPage, partner: str = "") -> str:
    """Return the query that leads to the next page of movements, with somebody or all; empty at the end."""
    if page.older is None:
        return ""
    told = {"partner": partner} if partner else {}
    return "?" + urlencode({**told, "before": f"{page.older.day.isoformat()}_{page.older.lot}"})


def party_cell(names: Mapping[str, str], party: str, *, own: str = "") -> Cell:
    """Return a party by its name with its code below; oneself needs none. In a file both stand in one text."""
    name = names.get(party, "")
    if party == own or name in ("", party):
        return Cell(name, typed=True)
    return Cell(name, note=party, saved=f"{name} ({party})", typed=True)


def place_in(request: PersonRequest) -> tuple[date, int] | None:
    """Return the place from which a page of movements goes on."""
    day, _, lot = request.GET.get("before", "").partition("_")
    place = number_in(lot)
    try:
        return None if place is None else (date.fromisoformat(day), place)
    except ValueError:
        return None


DONE: Final[Mapping[str, str]] = {
    "accept": "Accepted",
    "reject": "Sent back",
    "return": "Returned",
    "correct": "Taken back",
    "settle": "Dispute settled",
    "file": "File put on record",
    "show": "Signed paper received",
    "assign": "Slip assigned",
    "move": "Moved",
    "retire": "Retired",
    "release": "Released",
    "purchase_pending": "Bought with CI pending",
}
"""What was done, where the word of an event reads like something that is still to be done."""


def done(kind: str) -> str:
    """Say what an event of a type did."""
    return DONE.get(kind) or words(kind)


def ci_span(lowest: int, highest: int) -> str:
    """Write the span of carbon intensities, one where both are alike."""
    return " to ".join(show(end, CI_SCALE, group=True) for end in dict.fromkeys((lowest, highest)))


def movements_table(
    desk: CustodyContext,
    lines: Sequence[Movement],
    *,
    name: str,
    caption: str,
    beside: Callable[[Movement], Cell] | None = None,
    of_all_kinds: bool = False,
) -> Table:
    """Return movements as a table; names of others appear only beside the organisation's own hand.

    ``beside`` gives what stands at the end of a line on the page. Of all kinds there are some without giver and taker,
    which say where they were.
    """
    names = party_names(party for line in lines for party in (line.giver, line.taker, line.house))

    def place(line: Movement) -> Cell:
        return Cell(", ".join(filter(None, (line.site, names.get(line.house, "")))), typed=True)

    return table_of(
        Movement,
        lines,
        name=name,
        only=("day", "type", "giver", "taker", *(("site",) if of_all_kinds else ()), "form", "amount"),
        caption=caption,
        empty="No movement yet. Buy from a farm or accept a delivery, and it stands here.",
        cells={
            "type": lambda line: _done(line, at(desk, "custody_movement", id=line.event)),
            "giver": lambda line: party_cell(names, line.giver, own=desk.id),
            "taker": lambda line: party_cell(names, line.taker, own=desk.id),
            "form": lambda line: Cell(words(line.form)),
            "amount": lambda line: quantity(line.amount, unit_of(line.form)),
            **({"site": place} if of_all_kinds else {}),
            **({"": beside} if beside else {}),
        },
    )


def _done(line: Movement, href: str) -> Cell:
    """Return what was done, in one word for page and file, and whether it was taken back."""
    word = done(line.type)
    if not line.corrected:
        return Cell(word, href)
    # What was taken back and then that taking back itself: the entry stands again.
    since = "Undone" if line.type == "correct" else "Taken back"
    return Cell(word, href, note=since, saved=f"{word}, {since.lower()}")


@require_GET
@trader_view()
def custody_movement(request: PersonRequest, desk: CustodyContext) -> HttpResponseBase:
    """Show one movement: what was asked, the lots as it left them, the document, and how to take it back.

    Raises:
        Http404: the organisation has no such movement.
    """
    own = own_movement(desk, request.GET.get("id", ""))
    if own is None:
        raise Http404
    view = movement_view(desk, own)
    is_own_sale = view.event["type"] == "sale" and view.event.get("giver") == desk.id
    context = {
        "event": {**view.event, "day": date.fromisoformat(view.event["day"])},
        "title": words(view.event["type"]),
        "said": facts_of(view.event, own=desk.id, lots=view.lots),
        "name": view.event.get("id", ""),
        "corrected_by": view.corrected_by,
        "answered_by": view.answered_by,
        "answer": DONE.get(view.answer, ""),
        "left_out": len(view.lots) - LOTS_SHOWN,
        "document": is_own_sale and not view.corrected_by,
        "consent": not view.corrected_by and has_consent(desk, own.posted.request.id, own.posted.request.type),
        "back": [(each.what, form_of(desk, each)) for each in view.next_events] if desk.may_write else [],
    }
    sold = all(lot.owner != desk.id for lot in own.lots)
    known = any(desk.id in (lot.owner, lot.supplier) for lot in own.lots)
    trace = at(desk, "custody_trace") if known else ""
    if trace and context["name"]:
        context["trace"] = at(desk, "custody_trace", find=str(context["name"]))
    return page_with_tables(request, "custody/movement.html", _tables(view, trace, sold=sold), context)


def _tables(view: MovementView, trace: str, *, sold: bool) -> dict[str, Table]:
    caption = "Lots of this sale, with the buyer's answer" if any(view.lots_answered) else "Lots as it left them"
    if view.corrected_by and view.event["type"] == "sale":
        caption = "Lots of this sale, which was taken back"
    shown = _answered(view)[:LOTS_SHOWN]
    lots = lots_table("lots", shown, caption=caption, trace=trace, by_serials=sold)
    if not view.changes:
        return {"lots": lots}
    rows: list[Row] = [
        [
            Cell(f"{show(one.start_bu, group=True)} to {show(one.stop_bu, group=True)}", note=printed(one.origin)),
            one.said,
            show(one.stop_bu - one.start_bu, group=True),
        ]
        for one in view.changes
    ]
    columns = heads("Serials, bu", "What changed", "Bushels of yours", numbers=("Bushels of yours",))
    changes = Table("changes", columns, rows, caption="What it changes for you")
    return {"lots": lots, "changes": changes} if view.lots else {"changes": changes}


def _answered(view: MovementView) -> list[LotView]:
    """Return the lots of an entry as they stand on its page.

    What the buyer answered, or what was taken back, is not on its way any more, and the seller, who stands above, is
    not named at each.
    """
    if view.event["type"] != "sale":
        return list(view.lots)
    answers = ("correct",) * len(view.lots) if view.corrected_by else view.lots_answered or ("",) * len(view.lots)
    return [
        replace(lot, supplier="", state=DONE[answer] if answer else lot.state)
        for lot, answer in zip(view.lots, answers, strict=True)
    ]


def shown_amount(lot: LotView) -> str:
    """Write a lot's amount with its unit."""
    return f"{show(lot.amount, group=True)} {lot.unit}"


def lots_table(
    name: str,
    lots: Iterable[LotView],
    *,
    caption: str,
    trace: str = "",
    by_serials: bool = False,
    empty: str = "No lots.",
    beside: Callable[[LotView], Cell] | None = None,
) -> Table:
    """Return lots as a table: crop and year first, under which a code helps to tell one from another.

    Without the address of the ``trace`` page nothing is linked. ``by_serials`` asks there by origin and serials: a lot
    that was sold is the buyer's, its serials were the seller's. ``beside`` stands at the end of a line on the page.
    """
    shown = list(lots)
    suppliers = party_names(lot.supplier for lot in shown)
    columns = [
        Column("Lot"), Column("Origin", file_only=True), Column("From"), Column("Amount", number=True, measured=True),
        Column("CI (g CO2e/bu)", number=True), *heads("Site", "Serials (bu)", "State", *([""] if beside else [])),
    ]  # fmt: skip
    rows: list[Row] = [
        [
            Cell(
                f"{words(lot.form)} {lot.harvest_year}",
                f"{trace}?{urlencode({'lot': serials_line(lot) if by_serials else lot.lot})}"
                if trace and lot.lot
                else "",
                note=printed(lot.origin),
            ),
            lot.origin,
            party_cell(suppliers, lot.supplier),
            quantity(lot.amount, lot.unit),
            show(lot.ci_g_per_bu, CI_SCALE, group=True),
            lot.site,
            f"{show(lot.start_bu, group=True)}-{show(lot.stop_bu, group=True)}",
            words(lot.state),
            *([beside(lot)] if beside else []),
        ]
        for lot in shown
    ]
    return Table(name, columns, rows, caption=caption, empty=empty)
