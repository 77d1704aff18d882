"""Mass balance time periods: declared, open, closed; the equation of each carbon intensity; restatements."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from itertools import groupby
from typing import Any, Final, NamedTuple

from django.http import Http404, HttpResponse, HttpResponseBase
from django.views.decorators.http import require_GET

from provender.custody.model.entities import Period, first_open
from provender.custody.model.lots import unit_of
from provender.custody.queries import day_sheet
from provender.custody.queries.deliveries import CameIn, CameInSumView, CameInView
from provender.database.choices import Area
from provender.exact import CI_SCALE, grouped, parse, show, show_whole, to_decimal
from provender.paper.tables import Cell, Column, Row, Table, amount, heads, numeric, quantity, table_of, year_cell
from provender.problem import ProblemsError
from provender.schema import YEARS
from provender.services.custody import balances, periods
from provender.services.custody.balances import BalanceSumView, sums
from provender.services.custody.checks import before_a_close
from provender.services.custody.context import CustodyContext, party_names
from provender.services.custody.periods import came_in_of
from provender.services.custody.stock import printed_bands, whole_parts
from provender.services.custody.views import PeriodView
from provender.web.access import PersonRequest
from provender.web.custody.forms import at, form_of, trader_view, words
from provender.web.custody.pages.movements import ci_span, done, party_cell
from provender.web.custody.pages.stock import whole_cell
from provender.web.tables import PDF, days_said, download, page_with_tables


@require_GET
@trader_view(areas=(Area.BOOKS,))
def custody_periods(request: PersonRequest, trader: CustodyContext) -> HttpResponseBase:
    """List the periods, with what to do next about them."""
    due = periods.due_period(trader) if trader.may_write else None
    table = table_of(
        PeriodView,
        periods.periods(trader)[::-1],
        name="periods",
        only=("start", "end", "policy", "standing"),
        caption="Mass balance time periods, newest first",
        empty="No period yet. Declare the first one before it begins; it may last three months.",
        cells={
            "start": lambda one: Cell(str(one.start), at(trader, "custody_period", start=one.start)),
            "policy": lambda one: Cell(words(one.policy)),
            "": lambda one: _next(trader, one, due),
        },
    )
    known = periods.next_period(trader).fields
    following = at(trader, "custody_enter", "period", **{name: known[name] for name in known if name != "entity"})
    return page_with_tables(
        request, "custody/periods.html", {"periods": table}, {"next": following, "makes_fuel": trader.makes_fuel}
    )


def _next(trader: CustodyContext, one: PeriodView, due: Period | None) -> Cell:
    if due and one.start == due.start:
        return Cell("Close", _close(trader))
    first = first_open(trader.periods)
    running = first is not None and first.start == one.start
    return Cell("What the close needs", at(trader, "custody_period", start=one.start)) if running else Cell("")


def _close(trader: CustodyContext) -> str:
    return form_of(trader, periods.closing(trader))


@require_GET
@trader_view(areas=(Area.BOOKS,))
def custody_period(request: PersonRequest, trader: CustodyContext) -> HttpResponseBase:
    """Show the equations of one period: as closed, or as they stand now.

    Raises:
        Http404: no period begins on that day.
    """
    start = day_in(request.GET.get("start", ""))
    period = periods.period_at(trader, start) if start else None
    if period is None:
        raise Http404
    tables = _balance_tables(trader, periods.balance(trader, period))
    again = periods.restated(trader, period)
    if again is not None:
        tables["restated"] = _equations(again["lines"], name="restated", caption="Restated: as the reports stand now")
    context = {
        "period": period,
        "statement": at(trader, "custody_statement", start=period.start) if period.closed else "",
        "close": _close(trader) if period == periods.due_period(trader) else "",
        "policy": words(str(period.policy)).lower(),
        "trial": None if period.closed else periods.would_close(trader, period),
        "day": min(period.end, trader.today),
        "waits": [] if period.closed else [(at(trader, one.page), one) for one in before_a_close(trader)],
    }
    return page_with_tables(request, "custody/period.html", tables, context)


def _balance_tables(trader: CustodyContext, document: dict[str, Any]) -> dict[str, Table]:
    lines: list[dict[str, Any]] = document["lines"]
    bands = periods.bands(trader, document)
    return {
        "balance": _balance(sums(document)),
        **({"bands": _balance(bands, by_band=True)} if bands else {}),
        "equations": _equations(lines),
        "kind_sums": _kinds(lines, "kind sums", "What came in and left in all, by kind", "Crop", _crop),
        "kinds": _kinds(lines, "kinds", "The same by carbon intensity", _OF_LINE, _line),
        "sheets": _sheets(lines),
    }


def _balance(rows: list[BalanceSumView], *, by_band: bool = False) -> Table:
    """Return a balance as one statement: a row for each crop and harvest year, or each band, in whole bushels."""
    equation = "Opening + in = retired + out + on hand, each rounded to whole bushels of crop"
    made = table_of(
        BalanceSumView,
        rows,
        name="bands" if by_band else "balance",
        only=("crop", *(("band",) if by_band else ()), *_AMOUNTS, *_MEANS, "intensities"),
        caption="The same against the national default" if by_band else equation,
        empty="Nothing with a claim came in, left or was in stock.",
        cells={
            "crop": lambda one: Cell(f"{words(one.crop)} {one.harvest_year}"),
            **{name: partial(_mean, name) for name in _MEANS},
            **{name: partial(_whole_cell, name, printed_bands(rows, name)) for name in _AMOUNTS},
        },
    )
    return replace(made, groups=by_band)


_AMOUNTS: Final = ("beginning_bu", "incoming_bu", "retired_bu", "otherwise_bu", "ending_bu")
_MEANS: Final = ("mean_ci_g_per_bu", "retired_mean_ci_g_per_bu")


def _whole_cell(name: str, printed: Mapping[tuple[str, int, str], int], one: BalanceSumView) -> Cell:
    text = f"{printed[one.crop, one.harvest_year, one.band]:,}"
    return Cell(text, saved=to_decimal(getattr(one, name)))


def _mean(name: str, one: BalanceSumView) -> Cell:
    mean = getattr(one, name)
    text = "—" if mean is None else show_whole(mean, CI_SCALE)
    return Cell(text, saved=text.replace(",", ""))


_OF_LINE: Final = "Crop and CI (g CO2e/bu)"


def _line(line: dict[str, Any]) -> Cell:
    """Return what a line of a balance is of: crop and year with the carbon intensity below, in a file beside it."""
    crop, ci = _crop(line).text, f"CI {line['ci_g_per_bu']}"
    return Cell(crop, note=ci, saved=f"{crop}, {ci}")


def _crop(line: dict[str, Any]) -> Cell:
    return Cell(f"{words(line['crop'])} {line['harvest_year']}")


def _equations(
    lines: list[dict[str, Any]],
    *,
    name: str = "equations",
    caption: str = "Beginning + incoming = outgoing + ending, bushels of crop",
) -> Table:
    parts = ("Beginning", "Incoming", "Outgoing", "Ending", "Unverified")
    rows: list[Row] = [[_line(line), *(grouped(line[f"{part.lower()}_bu"]) for part in parts)] for line in lines]
    empty = "Nothing with a claim came in or left, and none was in stock."
    return Table(name, heads(_OF_LINE, *map(numeric, parts)), rows, caption=caption, empty=empty)


def _kinds(lines: list[dict[str, Any]], name: str, caption: str, heading: str, what: Callable[[Any], Cell]) -> Table:
    """Return what came in and left by what it was, the lines that ``what`` names alike together."""
    sums: Counter[tuple[Cell, str, str]] = Counter()
    for line in lines:
        for way in ("incoming", "outgoing"):
            for kind, moved in line[way].items():
                sums[what(line), way, kind] += parse(str(moved))
    rows: list[Row] = [
        [of, way.capitalize(), words(kind), show(moved, group=True)] for (of, way, kind), moved in sums.items()
    ]
    columns = heads(heading, "Way", "Kind", numeric("Bushels"))
    return Table(name, columns, rows, caption=caption, empty="Nothing moved.")


def _sheets(lines: list[dict[str, Any]]) -> Table:
    parts = ("Beginning", "Incoming", "Outgoing", "Ending")
    columns = [*heads(_OF_LINE, "Form"), *(Column(part, number=True, measured=True) for part in parts)]
    rows: list[Row] = [
        [
            _line(line),
            words(sheet["form"]),
            *(quantity(parse(str(sheet[part.lower()])), sheet["unit"]) for part in parts),
        ]
        for line in lines
        for sheet in line["forms"]
    ]
    return Table("sheets", columns, rows, caption="Sheets per form", empty="No form was in stock.")


# Any day of the book: the day sheet with the light of the closing, and the balance as of any day or over a month.

_UNREAD: Final = 422
_LIGHTS: Final = {
    day_sheet.Light.COVERED: "met",
    day_sheet.Light.SHORT: "not-met",
    day_sheet.Light.NO_GRAIN_BOOK: "not-shown",
}


def day_in(text: str) -> date | None:
    """Return the day that an address asks for; None where it is none, or of no year that a book can be of."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if day.year in YEARS else None


@require_GET
@trader_view(areas=(Area.BOOKS,))
def custody_day(request: PersonRequest, trader: CustodyContext) -> HttpResponseBase:
    """Show the sheet of a day, today's without one; ``as=pdf`` gives it as paper."""
    day = day_in(request.GET.get("on", "")) or trader.today
    sheet = periods.day_sheet(trader, day)
    if request.GET.get("as") == "pdf":
        return download(balances.day_paper(sheet, trader.today), PDF, f"day-{day}.pdf")
    if request.GET.get("as") == "md":
        return download(day_sheet.sheet_text(sheet), "text/markdown; charset=utf-8", f"day-{day}.md")
    tables = {"places": _places(trader, sheet), "claims": _claims(sheet), "tickets": _tickets(sheet)}
    if any(one.untold for one in sheet.differences):
        tables["untold"] = _untold(trader, sheet)
    short = [one for one in sheet.places if one.light is not day_sheet.Light.COVERED]
    context = {"day": day, "short": len(short), "all": len(sheet.places), "paper": at(trader, "custody_day", on=day)}
    context |= {"differences": [_explained(trader, sheet, one) for one in sheet.differences]}
    forms = {one.place[2] for one in sheet.places if one.place[0] == trader.id}
    context["enter"] = _ticket(trader, sheet, "receipt", day, form=forms.pop() if len(forms) == 1 else "")
    return page_with_tables(request, "custody/day.html", tables, context)


class Explained(NamedTuple):
    """A difference in words, with the forms of what may be missing."""

    place: str
    said: Sequence[str]
    ways: Sequence[tuple[str, str]]


MISSING: Final = {"receipt": "Enter a ticket in", "shipment": "Enter a ticket out"}


def _explained(trader: CustodyContext, sheet: day_sheet.DaySheet, one: day_sheet.Difference) -> Explained:
    day = one.until if one.why is day_sheet.Why.MEASURED else sheet.day
    _, site, form = one.place
    missing = [kind for kind in MISSING if kind in one.missing]
    found = [(MISSING[kind], _ticket(trader, sheet, kind, day, form=form, site=site)) for kind in missing]
    if one.why is day_sheet.Why.DAY and one.alone_in.tickets:
        found.append(("Incoming", at(trader, "custody_incoming")))
    told = [days_said(sentence) for sentence in day_sheet.said(one, lambda value, unit: whole_cell(value, unit).text)]
    return Explained(f"{site}, {words(form).lower()}", told, [way for way in found if way[1]])


def _ticket(trader: CustodyContext, sheet: day_sheet.DaySheet, kind: str, day: date, **known: str) -> str:
    """Return the form of a ticket of a day, which leads back to the sheet; empty for who may not enter any."""
    if not trader.may_write:
        return ""
    told = {name: text for name, text in known.items() if text}
    back = at(trader, "custody_day", on=sheet.day)
    return at(trader, "custody_enter", kind, day=day, **told, next=back)


def _untold(trader: CustodyContext, sheet: day_sheet.DaySheet) -> Table:
    """Return the entries that moved crop without a ticket, each with the form of its ticket."""
    columns = [*heads("Day", "Entry"), Column("Number", file_only=True)]
    columns += heads("With", "Site", "What", "Way", numeric("Amount"), "Unit", "")
    names = party_names(one.party for each in sheet.differences for one in each.untold)
    rows: list[Row] = []
    for each in sheet.differences:
        _, site, form = each.place
        for one in each.untold:
            kind, way = ("receipt", "In") if one.came else ("shipment", "Out")
            to = _ticket(trader, sheet, kind, one.day, form=form, site=site)
            rows.append([
                str(one.day), Cell(words(one.type), at(trader, "custody_movement", id=one.movement), note=one.movement),
                one.movement, party_cell(names, one.party), site, words(form), way, _days_whole(one.amount),
                unit_of(form), Cell("Enter its ticket", to) if to else "",
            ])  # fmt: skip
    return Table("untold", columns, rows, caption="Entries without a ticket")


def _places(trader: CustodyContext, sheet: day_sheet.DaySheet) -> Table:
    numbers = ("In", "Out", "Grain", "Claims", "Measured less the book")
    columns = heads("Site", "What", *map(numeric, numbers))
    columns += [Column("Measured on", file_only=True), Column("Closing")]
    rows: list[Row] = []
    for one in sheet.places:
        custodian, site, form = one.place
        own = custodian == trader.id
        off = _whole_or(one.off if one.measured else None, "not measured")
        rows.append([
            site if own else f"{trader.named(custodian)} {site}".strip(), f"{words(form)}, {unit_of(form)}",
            _days_whole(one.came), _days_whole(one.went), _whole_or(one.grain, "none entered" if own else "its own"),
            _days_whole(one.claims),
            # It may lie long before the day of the sheet.
            replace(off, note=f"on {days_said(str(one.measured))}") if one.measured else off,
            str(one.measured or ""), Cell(words(str(one.light)), chip=_LIGHTS[one.light]),
        ])  # fmt: skip
    caption = "Grain by the tickets against claims by the book, at the end of the day"
    return Table("places", columns, rows, caption=caption, empty="No grain and no claims lie anywhere.")


def _whole_or(value: int | None, missing: str) -> Cell:
    return Cell(missing, saved="") if value is None else _days_whole(value)


def _days_whole(value: int) -> Cell:
    """Return an amount in whole units; a file has it exact."""
    return replace(amount(value), text=whole_cell(value).text)


def _claims(sheet: day_sheet.DaySheet) -> Table:
    numbers = ("In, bu", "Out, bu", "On hand, bu")
    rows: list[Row] = []
    for (crop, year), of in groupby(sheet.bands().items(), key=lambda one: one[0][:2]):
        bands = list(of)
        columns_of = zip(*(amounts for _, amounts in bands), strict=True)
        printed = zip(*map(whole_parts, columns_of), strict=True)
        for ((_, _, reach), amounts), wholes in zip(bands, printed, strict=True):
            shown = [replace(amount(each), text=whole_cell(each, whole=one).text)
                     for each, one in zip(amounts, wholes, strict=True)]  # fmt: skip
            rows.append([f"{words(crop)} {year}", day_sheet.band_said(reach), *shown])
    columns = heads("Crop", "Carbon intensity", *map(numeric, numbers))
    return Table("claims", columns, rows, caption="Claims by carbon intensity", empty="No claims.", groups=True)


def _tickets(sheet: day_sheet.DaySheet) -> Table:
    rows: list[Row] = [
        [one.number, one.site, words(one.form), words(str(one.direction)), amount(one.amount), unit_of(one.form),
         one.claim or one.name]
        for one in sheet.tickets
    ]  # fmt: skip
    columns = heads("Ticket", "Site", "What", "Way", numeric("Amount"), "Unit", "Stands behind")
    return Table("tickets", columns, rows, caption="Tickets of the day", empty="No ticket of this day was entered.")


@require_GET
@trader_view(areas=(Area.BOOKS,))
def custody_balance(request: PersonRequest, trader: CustodyContext) -> HttpResponseBase:
    """Show the balance as of the end of any day, since a day, or over a month; ``as=pdf`` gives it as paper."""
    asked = request.GET
    problem, since, on = "", day_in(asked.get("since", "")), day_in(asked.get("on", "")) or trader.today
    try:
        if asked.get("month"):
            since, on = balances.month_of(asked["month"])
        document = periods.cached_interim(trader, on, since)
    except ProblemsError as refused:
        problem, since = f"{refused.problems[0].cause} {refused.problems[0].remedy}", None
        document = periods.cached_interim(trader, on)
    if asked.get("as") == "pdf" and not problem:
        printed = balances.interim_paper(document, trader.entity.name, trader.today)
        return download(printed, PDF, f"balance-{document['start']}-{document['end']}.pdf")
    first, last = document["start"], document["end"]
    months = zip(("This month", "Last month"), balances.months_at(trader.today), strict=True)
    context = {
        "document": document,
        "problem": problem,
        "month": asked.get("month", ""),
        "paper": at(trader, "custody_balance", since=first, on=last),
        "months": {label: at(trader, "custody_balance", month=month) for label, month in months},
    }
    tables = _balance_tables(trader, document)
    return page_with_tables(request, "custody/balance.html", tables, context, status=_UNREAD if problem else 200)


# What came in over some days, from whom, and at which mean carbon intensity; its file holds rows and totals.

_CI_COLUMNS: Final = ("mean_ci_g_per_bu", "lowest_ci_g_per_bu", "highest_ci_g_per_bu")
_IN_FILE: Final = "came in"
EMPTY: Final = "Nothing was bought or accepted in these days."


@require_GET
@trader_view()
def custody_came_in(request: PersonRequest, trader: CustodyContext) -> HttpResponse:
    """Show what came in between two days, without them in the open period: mean by crop and supplier, and each entry.

    A file of the entries holds the total of each crop below them.
    """
    asked, problem = request.GET, ""
    try:
        found = came_in_of(trader, day_in(asked.get("since", "")), day_in(asked.get("on", "")))
    except ProblemsError as refused:
        problem = f"{refused.problems[0].cause} {refused.problems[0].remedy}"
        found = came_in_of(trader)
    entries = _file(found) if asked.get("save") else _entries(trader, found)
    tables = {"sums": sums_table(found, "By crop and supplier", saved="save" in asked), "entries": entries}
    context = {
        "span": found.span,
        "problem": problem,
        "leads": [_lead(found, one) for one in found.in_all],
        "asked": any(asked.get(name) for name in ("since", "on")),
    }
    return page_with_tables(request, "custody/came_in.html", tables, context, status=_UNREAD if problem else 200)


def _lead(found: CameIn, one: CameInSumView) -> tuple[str, str, str, int]:
    """Return what leads the page for a crop: its name, bushels, mean and how many supplied it."""
    suppliers = sum(part.form == one.form for part in found.by_supplier)
    return words(one.form), whole_cell(one.bushels).text, show(one.mean_ci_g_per_bu, CI_SCALE, group=True), suppliers


def sums_table(found: CameIn, caption: str, *, saved: bool) -> Table:
    """Return what came in by crop and supplier, with the sum of each crop below; a file says of which days."""
    # Of one supplier alone the sum of the crop says the same again: a file has it all the same.
    alone = len(found.by_supplier) == len(found.in_all) and not saved
    totals = [] if alone else found.in_all
    made = table_of(
        CameInSumView,
        [*found.by_supplier, *totals],
        name="came in by supplier",
        only=("form", "supplier", "entries", "bushels", *_CI_COLUMNS),
        caption=f"{caption}, each rounded to whole bushels of crop; means weighted by bushels",
        empty=EMPTY,
        cells={
            "form": lambda one: Cell(words(one.form) if one.supplier else f"All {words(one.form).lower()}"),
            "supplier": lambda one: party_cell({one.supplier: one.name}, one.supplier),
            "bushels": lambda one: whole_cell(one.bushels),
        },
    )
    return _of_days(found, replace(made, totals=len(totals)))


def _of_days(found: CameIn, table: Table) -> Table:
    """Return a table whose file names the days it is of, in its name and in each row."""
    days = [Cell(str(found.span.start)), Cell(str(found.span.end))]
    columns = [Column("First day", file_only=True), Column("Last day", file_only=True), *table.columns]
    file = f"{table.name} {found.span.start} to {found.span.end}"
    return replace(table, columns=columns, rows=[[*days, *row] for row in table.cells], file=file)


def _entries(trader: CustodyContext, found: CameIn) -> Table:
    """Return each entry with its mean; the file has it by carbon intensity."""
    numbers = ("Bushels", "Mean CI (g CO2e/bu)", "Lowest to highest")
    columns = heads("Day", "Entry", "From", "What", *map(numeric, numbers))
    rows: list[Row] = [
        [
            str(one.day), Cell(done(one.type), at(trader, "custody_movement", id=one.entry)),
            party_cell({one.supplier: one.name}, one.supplier), words(one.form), whole_cell(whole.bushels),
            amount(whole.mean_ci_g_per_bu, CI_SCALE), ci_span(whole.lowest_ci_g_per_bu, whole.highest_ci_g_per_bu),
        ]
        for one, whole in found.entries
    ]  # fmt: skip
    caption = "Each entry, newest first, in whole bushels; a file has each by carbon intensity, and the total below"
    return Table(_IN_FILE, columns, rows, caption=caption, empty=EMPTY, sorts=True)


def _file(found: CameIn) -> Table:
    """Return what a file holds: each entry by carbon intensity, exact, and at the end the total of each crop, once.

    Whoever sums a column must not count an entry a third time: by supplier there is a file of its own.
    """
    made = table_of(
        CameInView,
        found.rows,
        name=_IN_FILE,
        only=("day", "entry", "type", "supplier", "form", "harvest_year", "bushels", "ci_g_per_bu"),
        cells={
            "type": lambda one: Cell(done(one.type)),
            "supplier": lambda one: party_cell({one.supplier: one.name}, one.supplier),
            "form": lambda one: Cell(words(one.form)),
            "harvest_year": lambda one: year_cell(one.harvest_year),
            "bushels": lambda one: whole_cell(one.bushels),
        },
    )
    sums = [
        [*map(Cell, ("Total", "", "", "All", words(one.form), "")), whole_cell(one.bushels),
         amount(one.mean_ci_g_per_bu, CI_SCALE)]
        for one in found.in_all
    ]  # fmt: skip
    return _of_days(found, replace(made, rows=[*made.cells, *sums], totals=len(sums)))
