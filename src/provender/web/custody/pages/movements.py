"""Movements: entering one, the list, newest first, and one with its lots, its document and what can be done."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date
from enum import StrEnum
from typing import Any, Final, NamedTuple, get_args, get_type_hints

from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.http import urlencode
from django.views.decorators.http import require_GET, require_http_methods

from provender.custody.model.event import Event, Status
from provender.custody.model.lots import BUSHEL, FORMS, unit_of
from provender.custody.model.store_view import Decision, printed
from provender.exact import CI_SCALE, Scaled, grouped, parse, show, show_whole, weighted_mean
from provender.paper.tables import Cell, Column, Row, Table, heads, numeric, quantity, table_of
from provender.problem import Problem, ProblemsError
from provender.schema import infos, types_of, wire_of
from provender.services.custody import movements as movement_service
from provender.services.custody import stock
from provender.services.custody.book_entry import OFFERS, POSTED_TYPES, offered
from provender.services.custody.checks import SuggestedFix, suggest_fix
from provender.services.custody.context import CustodyContext, parties_meant, party_names
from provender.services.custody.documents import has_consent
from provender.services.custody.entry import enter, lots_taken, preview, read_fields
from provender.services.custody.views import LotView, MovementView, is_unreadable
from provender.services.custody.views import refused as refused_answer
from provender.web.access import PersonRequest
from provender.web.custody import forms
from provender.web.custody.forms import at, form_of, labelled, serials_line, trader_view, words
from provender.web.inputs import back_to, number_in, said_plainly
from provender.web.tables import ROWS, all_said, page_with_tables, rows_wanted

# Entering one event: its form, a preview in which nothing is written, and the answer of the book at the form.

_AMOUNT_FIELDS: Final = ("bushels", "pounds")
_REFUSED: Final = 409
_UNREAD: Final = 422


_AFTER: Final[Mapping[str, str]] = {
    "sale": "custody_sales",
    **dict.fromkeys(("purchase", "purchase_pending", "assign", "accept", "reject"), "custody_incoming"),
    **dict.fromkeys(("storage", "document"), "custody_incoming"),
    **dict.fromkeys(("receipt", "shipment", "measurement"), "custody_grain"),
    "opening": "custody_stock",
    **dict.fromkeys(("period", "close"), "custody_periods"),
    **dict.fromkeys(("contract", "statement", "entity", "close_site"), "custody_partners"),
}
"""The page that is shown when an event is entered; for all others the list of movements."""


@require_http_methods(["GET", "POST"])
@trader_view("write")
def custody_enter(request: PersonRequest, trader: CustodyContext, kind: str) -> HttpResponseBase:
    """Show the form of an event; preview it or post it. Raises Http404: these pages offer no such event."""
    cls = OFFERS.get(kind.replace("-", "_"))
    if cls is None:
        raise Http404
    if request.method == "GET":
        begun = {**stock.defaults_from_previous(trader, cls, request.GET.get(forms.LIKE, "")), **request.GET.dict()}
        begun |= forms.typed_before(request, cls)
        return Entering(request, trader, forms.EventForm(cls, trader, initial=begun)).shown()
    page = Entering(request, trader, forms.EventForm(cls, trader, data=request.POST))
    if forms.LIKE in request.POST:
        # What is the same as last time comes in; all else stays as it was typed.
        begun = {
            **forms.typed_in(page.form, request.POST),
            **stock.defaults_from_previous(trader, cls, request.POST[forms.LIKE]),
        }
        return page._replace(form=forms.EventForm(cls, trader, initial=begun)).shown()
    if not page.form.is_valid():
        return page.shown(status=_UNREAD)
    event = read_fields(cls.type, page.form.plain())
    if isinstance(event, Decision):
        return page.refused(event)
    looks = request.POST.get("do") == "preview"
    try:
        outcome = preview(trader, event) if looks else enter(trader, event)
    except ProblemsError as refused:
        return page.told(refused.problems, _REFUSED, event)
    if not outcome.status.well:
        return page.refused(outcome, event)
    if looks:
        return page.shown(preview=_previewed(trader, event, outcome))
    forms.entered(request)
    again = outcome.status is Status.EXISTS
    messages.success(
        request, "This was entered before; nothing was entered twice." if again else said_plainly(outcome.message)
    )
    if event.type in _WITH_PAGE:
        return redirect(at(trader, "custody_movement", id=event.id))
    return redirect(page.after)


_WITH_PAGE: Final = frozenset({"sale", "process", "retire", "return", "true_up"})
"""Events after which people want to see what they did: its lots and its document."""


class Entering(NamedTuple):
    """The page of a form on which somebody enters an event."""

    request: PersonRequest
    desk: CustodyContext
    form: forms.EventForm

    @property
    def after(self) -> str:
        """Return the page that is shown when the event is entered."""
        return back_to(self.request) or at(self.desk, _AFTER.get(self.form.cls.type, "custody_movements"))

    def refused(self, outcome: Decision, event: Event | None = None) -> HttpResponse:
        """Show the form with the refusal of the book at its field."""
        if outcome.status is Status.ID_HAS_OTHER_CONTENT:
            self.form.renew()
        problem = refused_answer(outcome, file=self.form.cls.type, known=tuple(self.form.fields))
        return self.told((problem,), _UNREAD if is_unreadable(outcome) else _REFUSED, event)

    def told(self, problems: tuple[Problem, ...], status: int, event: Event | None = None) -> HttpResponse:
        """Show the form as it was sent, with every problem at its field, and what each leads to."""
        form, onward = self.form, []
        for way in [suggest_fix(self.desk, event, each) if event else SuggestedFix(each) for each in problems]:
            problem = way.problem
            column, law = problem.place.column, f" [7 CFR {problem.cite}]" if problem.cite else ""
            at_field = column if column in form.fields else None
            form.add_error(at_field, f"{problem.cause} {problem.remedy}{law}".strip())
            address = form_of(self.desk, way.offer)
            if way.offer and address:
                # It leads back to this form, filled in as it was.
                back = f"&{urlencode({'next': forms.leave(self.request, form)})}" if way.returns else ""
                onward.append((way.offer.what, f"{address}{back}"))
                if at_field:
                    form.fields[at_field].onward = onward[-1]  # type: ignore[attr-defined]
        return self.shown(status=status, onward=onward)

    def shown(
        self, *, status: int = 200, preview: object = None, onward: Sequence[tuple[str, str]] = ()
    ) -> HttpResponse:
        """Show the form, beside its boxes what is in stock and what is named."""
        form, cls, trader = self.form, self.form.cls, self.desk
        amount = next((form.fields[name] for name in _AMOUNT_FIELDS if name in form.fields), None)
        if cls.type in stock.USES and amount is not None:
            amount.beside = _in_stock(trader, _chosen(form))  # type: ignore[attr-defined]
            if "lots" in form.fields and (told := _lots_said(trader, str(form["lots"].value() or ""))):
                form.fields["lots"].beside = told  # type: ignore[attr-defined]
        at_fields = [getattr(each, "onward", None) for each in form.fields.values()]
        context = {
            "form": form,
            "title": cls.title,
            "verb": cls.verb,
            "said": cls.means,
            "preview": preview,
            "onward": onward,
            "loose": [one for one in onward if one not in at_fields],
            "before": [] if form.is_bound else stock.events_to_begin_with(trader, cls),
            "after": self.after,
            "no_sites": trader.lacks_site and "site" in form.fields,
            "no_partners": not trader.partners and cls.type in ("sale", "purchase", "purchase_pending", "return"),
        }
        return render(self.request, "custody/enter.html", context, status=status)


def _previewed(trader: CustodyContext, event: Event, outcome: Decision) -> dict[str, object]:
    """Return what a preview shows of what would be entered."""
    lots = lots_taken(trader, event, outcome)
    return {
        "taken": _in_one_look(stock.taken_view(lots, stock.defaults_of(trader))),
        "limits": _limits_said(*stock.limits_of(event)),
        "message": said_plainly(outcome.message.removeprefix(Status.POSTED.sentence).strip()),
        "facts": [(_FACTS.get(name, forms.words(name)), text) for name, text in outcome.details],
        "lots": lots_table("lots", lots, caption="Lots it takes"),
    }


def _in_one_look(taken: stock.Taken | None) -> dict[str, object] | None:
    """Write what an event takes in whole bushels and grams: exactness is in the lots below."""
    if taken is None:
        return None
    return {
        "bushels": show_whole(taken.bushels),
        "ci": show_whole(taken.mean_ci, CI_SCALE),
        "origins": taken.origins,
        "shares": [
            (one.band or ("others" if one.ci is None else f"CI {show_whole(one.ci, CI_SCALE)}"),
             show_whole(one.bushels), one.share)
            for one in taken.shares
        ],
    }  # fmt: skip


def _limits_said(least: int | None, most: int | None) -> str:
    """Say by which limits lots were chosen; empty where there are none."""
    low, high = ("" if end is None else f"{show(end, CI_SCALE, group=True)} g CO2e/bu" for end in (least, most))
    if low and high:
        return f"Only of CI {low} to {high}, by the limits of this entry or its contract."
    if not low and not high:
        return ""
    return f"Only of CI at {'most' if high else 'least'} {high or low}, by the limit of this entry or its contract."


def _in_stock(trader: CustodyContext, within: stock.Within) -> str:
    """Return what can be taken today of each crop and product: it stands beside the amount box."""
    sums = stock.available(trader, within)
    each = (
        f"{stock.takeable(amount)} {unit} of {forms.words(form).lower()} {year}"
        for (form, year, unit), amount in sums.items()
    )
    of = "" if within == stock.ALL else " of what is chosen here"
    return f"In stock{of}: {', '.join(each)}." if sums else f"Nothing{of} with a claim is in stock."


def _chosen(form: forms.EventForm) -> stock.Within:
    """Return the part of the stock that a form means by what stands in it; what cannot be read bounds nothing."""
    said = {name: str(form[name].value() or "") for name in stock.Within._fields if name in form.fields}
    ends: dict[str, int | None] = dict.fromkeys(("ci_min", "ci_max"))
    for name in ends:
        with suppress(ValueError):
            ends[name] = parse(forms.amount_text(said.get(name, "")), CI_SCALE)
    year = number_in(said.get("harvest_year", "")) or 0
    return stock.Within(said.get("crop", ""), year, said.get("site", ""), **ends)


_LOTS_SAID: Final = 5


def _lots_said(trader: CustodyContext, text: str) -> str:
    """Return what the lots are that a form names, as people call them; empty where none of its own is named."""
    spans: list[tuple[str, int, int]] = []
    for line in text.splitlines():
        with suppress(ValueError):
            if isinstance(read := forms.read_serials_line(line.strip()), dict):
                spans.append((read["origin"], parse(read["start"]), parse(read["stop"])))
    lots = stock.lots_named(trader, spans[:_LOTS_SAID])
    names = party_names(lot.supplier for lot in lots)
    told = [
        f"{forms.words(lot.form)} {lot.harvest_year}, CI {show(lot.ci_g_per_bu, CI_SCALE, group=True)}, "
        f"{shown_amount(lot)} in the lot, from {names.get(lot.supplier, 'yourself')}"
        for lot in lots
    ]
    left = f"; and {len(spans) - _LOTS_SAID} lines more" if len(spans) > _LOTS_SAID else ""
    return f"Named here: {'; '.join(told)}{left}." if told else ""


_FACTS: Final = {"ci": "By carbon intensity", "matched": "How claims are matched", "serials": "Serials (bu)"}


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
    store = {
        name: (
            labelled(said[name]),
            _called(str(value), parties, own) or _text(value, name, chosen, weighed if name in TICKETS else UNITS),
        )
        for name, value in plain.items()
    }
    mean = weighted_mean((lot.ci_g_per_bu, lot.stop_bu - lot.start_bu) for lot in lots)
    if mean is None or "bushels" not in said:
        return list(store.values())
    after = next((at for at, name in enumerate(store, 1) if name in ("bushels", "pounds")), len(store))
    told = ("Mean CI", f"{show(mean, CI_SCALE, group=True)} g CO2e/bu")
    return [*list(store.values())[:after], told, *list(store.values())[after:]]


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
    if _HASH.fullmatch(str(value)):
        return printed(str(value))
    return grouped(str(value)) if name in _AMOUNTS else str(value)


_SCALED: Final = frozenset(
    name for cls in POSTED_TYPES.values() for name, kind in types_of(cls).items() if isinstance(wire_of(kind), Scaled)
)
_AMOUNTS: Final = _SCALED | {"amount", "bushels", "pounds", "gallons", "ci", "spans", "start", "stop"}
"""Fields whose figures are amounts; all others with figures are numbers of papers, years or codes."""
_HASH: Final = re.compile(r"[0-9a-f]{40,}")
"""What nobody reads: a page names it as it does elsewhere, by its first signs."""
TICKETS: Final = frozenset({"tickets", "destination"})
"""Fields of scale tickets."""
UNITS: Final[Mapping[str, str]] = {"bushels": " bu", "pounds": " lb", "ci": " g CO2e/bu"}


_LOTS_SHOWN: Final = 100
_ENTRIES: Final = (
    ("Sell and move", ("sale", "move", "storage", "return")),
    ("Process", ("yield", "process", "convert", "crush", "true_up")),
    ("End claims", ("release", "loss", "retire")),
    ("Put right", ("correct", "settle", "opening")),
)


@require_GET
@trader_view()
def custody_movements(request: PersonRequest, trader: CustodyContext) -> HttpResponseBase:
    """List movements, a page at a time, and link to the form of every kind of entry."""
    asked = partner_asked(request, trader)
    page = page_asked(request, trader, asked)
    table = movements_table(
        trader, page.movements, name="movements", caption="Movements, newest first", of_all_kinds=True
    )
    offers = {title: offered(kinds, fuel=trader.makes_fuel) for title, kinds in _ENTRIES}
    links = {
        title: [(OFFERS[kind].title, at(trader, "custody_enter", kind)) for kind in of] for title, of in offers.items()
    }
    tables = {"movements": all_said(request, table, more=page.older is not None)}
    context = {**around(page, asked), "entries": links.items()}
    return page_with_tables(request, "custody/movements.html", tables, context)


class PartnerAsked(NamedTuple):
    """With whom the movements of a list are to be: what was typed, and whom it means."""

    text: str
    codes: frozenset[str]


_OF_PARTNER: Final = "With whom, by name or code"


def partner_asked(request: PersonRequest, trader: CustodyContext) -> PartnerAsked:
    """Return the partners that an address asks for; without a word in it every one is."""
    text = " ".join(request.GET.get("partner", "").split())
    return PartnerAsked(text, parties_meant(trader, text) if text else frozenset())


def page_asked(
    request: PersonRequest, trader: CustodyContext, asked: PartnerAsked, kinds: Sequence[str] = ()
) -> movement_service.MovementsPage:
    """Return the movements that an address asks for; a file or a list to print looks through the whole book."""
    size = rows_wanted(request)
    return movement_service.movements(
        trader, before=place_in(request), size=size, kinds=kinds, partners=asked.codes,
        scanned=movement_service.LOOKED_AT if size == ROWS else movement_service.WHOLE_BOOK,
    )  # fmt: skip


def around(page: movement_service.MovementsPage, asked: PartnerAsked) -> dict[str, object]:
    """Return what stands around a list of movements: the way to older ones, how far it looked, and with whom."""
    back_to = page.older and page.older.day
    return {"more": next_page(page, asked.text), "back_to": back_to, "partner": asked.text, "of_partner": _OF_PARTNER}


def next_page(page: movement_service.MovementsPage, partner: str = "") -> str:
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
    return DONE.get(kind) or words(kind)


def ci_span(lowest: int, highest: int) -> str:
    return " to ".join(show(end, CI_SCALE, group=True) for end in dict.fromkeys((lowest, highest)))


def movements_table(
    trader: CustodyContext,
    lines: Sequence[movement_service.Movement],
    *,
    name: str,
    caption: str,
    beside: Callable[[movement_service.Movement], Cell] | None = None,
    of_all_kinds: bool = False,
) -> Table:
    """Return movements as a table; names of others appear only beside the organisation's own hand.

    ``beside`` gives what stands at the end of a line on the page. Of all kinds there are some without giver and taker,
    which say where they were.
    """
    names = party_names(party for line in lines for party in (line.giver, line.taker, line.custodian))

    def place(line: movement_service.Movement) -> Cell:
        return Cell(", ".join(filter(None, (line.site, names.get(line.custodian, "")))), typed=True)

    return table_of(
        movement_service.Movement,
        lines,
        name=name,
        only=("day", "type", "giver", "taker", *(("site",) if of_all_kinds else ()), "form", "amount"),
        caption=caption,
        empty="No movement yet. Buy from a farm or accept a delivery, and it stands here.",
        cells={
            "type": lambda line: _done(line, at(trader, "custody_movement", id=line.event)),
            "giver": lambda line: party_cell(names, line.giver, own=trader.id),
            "taker": lambda line: party_cell(names, line.taker, own=trader.id),
            "form": lambda line: Cell(words(line.form)),
            "amount": lambda line: quantity(line.amount, unit_of(line.form)),
            **({"site": place} if of_all_kinds else {}),
            **({"": beside} if beside else {}),
        },
    )


def _done(line: movement_service.Movement, href: str) -> Cell:
    """Return what was done, in one word for page and file, and whether it was taken back."""
    word = done(line.type)
    if not line.corrected:
        return Cell(word, href)
    # What was taken back and then that taking back itself: the entry stands again.
    since = "Undone" if line.type == "correct" else "Taken back"
    return Cell(word, href, note=since, saved=f"{word}, {since.lower()}")


@require_GET
@trader_view()
def custody_movement(request: PersonRequest, trader: CustodyContext) -> HttpResponseBase:
    """Show one movement: what was asked, the lots as it left them, the document, and how to take it back.

    Raises:
        Http404: the organisation has no such movement.
    """
    own = movement_service.own_movement(trader, request.GET.get("id", ""))
    if own is None:
        raise Http404
    view = movement_service.movement_view(trader, own)
    is_own_sale = view.event["type"] == "sale" and view.event.get("giver") == trader.id
    context = {
        "event": {**view.event, "day": date.fromisoformat(view.event["day"])},
        "title": words(view.event["type"]),
        "said": facts_of(view.event, own=trader.id, lots=view.lots),
        "name": view.event.get("id", ""),
        "corrected_by": view.corrected_by,
        "answered_by": view.answered_by,
        "answer": DONE.get(view.answer, ""),
        "left_out": len(view.lots) - _LOTS_SHOWN,
        "document": is_own_sale and not view.corrected_by,
        "consent": not view.corrected_by and has_consent(trader, own.posted.event.id, own.posted.event.type),
        "back": [(each.what, form_of(trader, each)) for each in view.next_events] if trader.may_write else [],
    }
    sold = all(lot.owner != trader.id for lot in own.lots)
    known = any(trader.id in (lot.owner, lot.supplier) for lot in own.lots)
    trace = at(trader, "custody_trace") if known else ""
    if trace and context["name"]:
        context["trace"] = at(trader, "custody_trace", find=str(context["name"]))
    return page_with_tables(request, "custody/movement.html", _tables(view, trace, sold=sold), context)


def _tables(view: MovementView, trace: str, *, sold: bool) -> dict[str, Table]:
    caption = "Lots of this sale, with the buyer's answer" if any(view.lots_answered) else "Lots as it left them"
    if view.corrected_by and view.event["type"] == "sale":
        caption = "Lots of this sale, which was taken back"
    shown = _answered(view)[:_LOTS_SHOWN]
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
    columns = heads("Serials, bu", "What changed", numeric("Bushels of yours"))
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
