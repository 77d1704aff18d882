"""Any day of the book: the day sheet with the light of the closing, and the balance as of any day or over a month."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Final, NamedTuple

from django.http import HttpResponseBase
from django.views.decorators.http import require_GET

from provender.custody.model.amounts import unit_of
from provender.custody.queries.day_differences import Difference, Why, said
from provender.custody.queries.day_sheet import DaySheet, Light, PlaceToday, band_said, sheet_text
from provender.database.choices import Area
from provender.paper.table import amount
from provender.problem import ProblemsError
from provender.services.custody import balances, periods
from provender.services.custody.context import CustodyContext
from provender.services.custody.parties import party_names
from provender.web.access import PersonRequest
from provender.web.custody.forms import words
from provender.web.custody.pages.context import at, at_desk
from provender.web.custody.pages.movements import party_cell
from provender.web.custody.pages.periods import balance_tables
from provender.web.custody.pages.stock import whole_cell
from provender.web.download import PDF, download
from provender.web.tables import Cell, Column, Table, days_said, page_with_tables
from provender.wire import YEARS

UNREAD: Final = 422
LIGHTS: Final = {Light.COVERED: "met", Light.SHORT: "not-met", Light.NO_GRAIN_BOOK: "not-shown"}


def day_in(text: str) -> date | None:
    """Return the day that an address asks for; None where it is none, or of no year that a book can be of."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if day.year in YEARS else None


@require_GET
@at_desk(areas=(Area.BOOKS,))
def custody_day(request: PersonRequest, desk: CustodyContext) -> HttpResponseBase:
    """Show the sheet of a day, today's without one; ``as=pdf`` gives it as paper."""
    day = day_in(request.GET.get("on", "")) or desk.today
    sheet = periods.day_sheet(desk, day)
    if request.GET.get("as") == "pdf":
        return download(balances.day_paper(sheet, desk.today), PDF, f"day-{day}.pdf")
    if request.GET.get("as") == "md":
        return download(sheet_text(sheet), "text/markdown; charset=utf-8", f"day-{day}.md")
    tables = {"places": _places(desk, sheet), "claims": _claims(sheet), "tickets": _tickets(sheet)}
    if any(one.untold for one in sheet.differences):
        tables["untold"] = _untold(desk, sheet)
    short = [one for one in sheet.places if one.light is not Light.COVERED]
    context = {"day": day, "short": len(short), "all": len(sheet.places), "paper": at(desk, "custody_day", on=day)}
    context |= {"differences": [_explained(desk, sheet, one) for one in sheet.differences]}
    forms = {one.place[2] for one in sheet.places if one.place[0] == desk.id}
    context["enter"] = _ticket(desk, sheet, "receipt", day, form=forms.pop() if len(forms) == 1 else "")
    return page_with_tables(request, "custody/day.html", tables, context)


class Explained(NamedTuple):
    """A difference in words, with the forms of what may be missing."""

    place: str
    said: Sequence[str]
    ways: Sequence[tuple[str, str]]


MISSING: Final = {"receipt": "Enter a ticket in", "shipment": "Enter a ticket out"}


def _explained(desk: CustodyContext, sheet: DaySheet, one: Difference) -> Explained:
    day = one.until if one.why is Why.MEASURED else sheet.day
    _, site, form = one.place
    found = [
        (MISSING[kind], _ticket(desk, sheet, kind, day, form=form, site=site))
        for kind in MISSING
        if kind in one.missing
    ]
    if one.why is Why.DAY and one.alone_in.tickets:
        found.append(("Incoming", at(desk, "custody_incoming")))
    told = [days_said(sentence) for sentence in said(one, _whole_said)]
    return Explained(f"{site}, {words(form).lower()}", told, [way for way in found if way[1]])


def _whole_said(value: int, unit: str) -> str:
    return whole_cell(value, unit).text


def _ticket(desk: CustodyContext, sheet: DaySheet, kind: str, day: date, **known: str) -> str:
    """Return the form of a ticket of a day, which leads back to the sheet; empty for who may not enter any."""
    if not desk.may_write:
        return ""
    told = {name: text for name, text in known.items() if text}
    back = at(desk, "custody_day", on=sheet.day)
    return at(desk, "custody_enter", kind, day=day, **told, next=back)


def _untold(desk: CustodyContext, sheet: DaySheet) -> Table:
    """Return the entries that moved crop without a ticket, each with the form of its ticket."""
    columns = [Column("Day"), Column("Entry"), Column("Number", file_only=True), Column("With"), Column("Site")]
    columns += [Column("What"), Column("Way")]
    names = party_names(one.party for each in sheet.differences for one in each.untold)
    columns += [Column("Amount", number=True), Column("Unit"), Column("", page_only=True)]
    rows = []
    for each in sheet.differences:
        _, site, form = each.place
        for one in each.untold:
            kind = "receipt" if one.came else "shipment"
            way = _ticket(desk, sheet, kind, one.day, form=form, site=site)
            rows.append([
                Cell(str(one.day)),
                Cell(words(one.type), at(desk, "custody_movement", id=one.movement), note=one.movement),
                Cell(one.movement), party_cell(names, one.party) if one.party else Cell(""), Cell(site),
                Cell(words(form)), Cell("In" if one.came else "Out"), _whole(one.amount), Cell(unit_of(form)),
                Cell("Enter its ticket", way) if way else Cell(""),
            ])  # fmt: skip
    return Table("untold", columns, rows, caption="Entries without a ticket")


def _places(desk: CustodyContext, sheet: DaySheet) -> Table:
    labels = ("In", "Out", "Grain", "Claims", "Measured less the book")
    columns = [Column("Site"), Column("What"), *(Column(label, number=True) for label in labels)]
    columns += [Column("Measured on", file_only=True), Column("Closing")]
    rows = [
        [
            Cell(one.place[1] if one.place[0] == desk.id else f"{desk.named(one.place[0])} {one.place[1]}".strip()),
            Cell(f"{words(one.place[2])}, {unit_of(one.place[2])}"),
            _whole(one.came), _whole(one.went),
            _known(one.grain, "none entered" if one.place[0] == desk.id else "its own"),
            _whole(one.claims), _measured(one), Cell(str(one.measured or "")),
            Cell(words(str(one.light)), chip=LIGHTS[one.light]),
        ]
        for one in sheet.places
    ]  # fmt: skip
    caption = "Grain by the tickets against claims by the book, at the end of the day"
    return Table("places", columns, rows, caption=caption, empty="No grain and no claims lie anywhere.")


def _known(value: int | None, missing: str) -> Cell:
    return Cell(missing, saved="") if value is None else _whole(value)


def _measured(one: PlaceToday) -> Cell:
    """Return what the last measurement was off, with its day: it may lie long before that of the sheet."""
    if one.measured is None:
        return _known(None, "not measured")
    return replace(_whole(one.off), note=f"on {days_said(str(one.measured))}")


def _whole(value: int) -> Cell:
    """Return an amount in whole units; a file has it exact."""
    return replace(amount(value), text=whole_cell(value).text)


def _claims(sheet: DaySheet) -> Table:
    columns = [Column("Crop"), Column("Carbon intensity")]
    columns += [Column(label, number=True) for label in ("In, bu", "Out, bu", "On hand, bu")]
    rows = [
        [Cell(f"{words(crop)} {year}"), Cell(band_said(reach)), *map(_whole, (came, went, left))]
        for (crop, year, reach), (came, went, left) in sheet.bands().items()
    ]
    return Table("claims", columns, rows, caption="Claims by carbon intensity", empty="No claims.", groups=True)


def _tickets(sheet: DaySheet) -> Table:
    columns = [Column("Ticket"), Column("Site"), Column("What"), Column("Way")]
    columns += [Column("Amount", number=True), Column("Unit"), Column("Stands behind")]
    rows = [
        [Cell(one.number), Cell(one.site), Cell(words(one.form)), Cell(words(str(one.direction))),
         amount(one.amount), Cell(unit_of(one.form)), Cell(one.claim or one.name)]
        for one in sheet.tickets
    ]  # fmt: skip
    return Table("tickets", columns, rows, caption="Tickets of the day", empty="No ticket of this day was entered.")


@require_GET
@at_desk(areas=(Area.BOOKS,))
def custody_balance(request: PersonRequest, desk: CustodyContext) -> HttpResponseBase:
    """Show the balance as of the end of any day, since a day, or over a month; ``as=pdf`` gives it as paper."""
    asked = request.GET
    problem, since, on = "", day_in(asked.get("since", "")), day_in(asked.get("on", "")) or desk.today
    try:
        if asked.get("month"):
            since, on = balances.month_of(asked["month"])
        document = periods.interim(desk, on, since)
    except ProblemsError as refused:
        problem, since = f"{refused.problems[0].cause} {refused.problems[0].remedy}", None
        document = periods.interim(desk, on)
    if asked.get("as") == "pdf" and not problem:
        printed = balances.interim_paper(document, desk.entity.name, desk.today)
        return download(printed, PDF, f"balance-{document['start']}-{document['end']}.pdf")
    first, last = document["start"], document["end"]
    paper = at(desk, "custody_balance", since=first, on=last)
    this, before = balances.months_at(desk.today)
    months = {
        "This month": at(desk, "custody_balance", month=this),
        "Last month": at(desk, "custody_balance", month=before),
    }
    context = {
        "document": document,
        "problem": problem,
        "month": asked.get("month", ""),
        "paper": paper,
        "months": months,
    }
    tables = balance_tables(desk, document)
    return page_with_tables(request, "custody/balance.html", tables, context, status=UNREAD if problem else 200)
