"""Mass balance time periods: declared, open, closed; the equation of each carbon intensity; restatements."""

from typing import Any

from django.http import Http404, HttpResponseBase
from django.views.decorators.http import require_GET

from provender.paper.table import table_of
from provender.quantity import CI_SCALE, SCALE, half_even, parse, show
from provender.services.custody import periods
from provender.services.custody.context import CustodyContext
from provender.services.custody.views import PeriodView
from provender.services.glance import whole
from provender.web.access import PersonRequest
from provender.web.custody.forms import words
from provender.web.custody.pages.context import at, at_desk, form_of
from provender.web.tables import Cell, Column, Table, page_with_tables


@require_GET
@at_desk()
def custody_periods(request: PersonRequest, desk: CustodyContext) -> HttpResponseBase:
    """List the periods, with what to do next about them."""
    due = periods.due_period(desk) if desk.may_write else None
    table = table_of(
        PeriodView,
        periods.periods(desk)[::-1],
        name="periods",
        only=("start", "end", "policy", "standing"),
        caption="Mass balance time periods, newest first",
        empty="No period yet. Declare the first one before it begins; it may last three months.",
        cells={
            "start": lambda one: Cell(str(one.start), at(desk, "custody_period", start=one.start)),
            "policy": lambda one: Cell(words(one.policy)),
            "": lambda one: Cell("Close", _close(desk)) if due and one.start == due.start else Cell(""),
        },
    )
    known = periods.next_period(desk).fields
    following = at(desk, "custody_enter", "period", **{name: known[name] for name in known if name != "entity"})
    return page_with_tables(request, "custody/periods.html", {"periods": table}, {"next": following})


def _close(desk: CustodyContext) -> str:
    return form_of(desk, periods.closing(desk))


@require_GET
@at_desk()
def custody_period(request: PersonRequest, desk: CustodyContext) -> HttpResponseBase:
    """Show the equations of one period: as closed, or as they stand now.

    Raises:
        Http404: no period begins on that day.
    """
    period = next((one for one in desk.periods if one.start.isoformat() == request.GET.get("start")), None)
    if period is None:
        raise Http404
    lines: list[dict[str, Any]] = periods.balance(desk, period)["lines"]
    tables = {
        "balance": _balance(lines),
        "equations": _equations(lines),
        "kinds": _kinds(lines),
        "sheets": _sheets(lines),
    }
    again = periods.restated(desk, period)
    if again is not None:
        tables["restated"] = _equations(again["lines"], name="restated", caption="Restated: as the reports stand now")
    context = {
        "period": period,
        "statement": at(desk, "custody_statement", start=period.start) if period.closed else "",
        "close": _close(desk) if period == periods.due_period(desk) else "",
        "policy": words(str(period.policy)).lower(),
    }
    return page_with_tables(request, "custody/period.html", tables, context)


def _amount(text: object) -> str:
    return show(parse(str(text)), SCALE, group=True)


def _what(line: dict[str, Any]) -> Cell:
    return Cell(f"{words(line['crop'])} {line['harvest_year']}", note=f"CI {line['ci_g_per_bu']}")


def _balance(lines: list[dict[str, Any]]) -> Table:
    """Return the period as one statement: a row for each crop and harvest year, and all of them together."""
    labels = ("Opening", "In", "Processed", "Out otherwise", "On hand", "Mean CI, g CO2e/bu", "Intensities")
    columns = [Column("Crop"), *(Column(label, number=True) for label in labels)]
    crops: dict[str, list[dict[str, Any]]] = {}
    for line in lines:
        crops.setdefault(f"{words(line['crop'])} {line['harvest_year']}", []).append(line)
    rows = [_balance_row(name, of) for name, of in crops.items()]
    if len(rows) > 1:
        rows.append(_balance_row("Total", lines))
    caption = "Opening + in = processed + out + on hand, whole bushels of crop"
    return Table("balance", columns, rows, caption=caption, empty="Nothing with a claim came in, left or was in stock.")


def _balance_row(name: str, lines: list[dict[str, Any]]) -> list[Cell]:
    def total(part: str) -> int:
        return sum(parse(str(line[part])) for line in lines)

    processed = sum(parse(str(line["outgoing"].get("process", "0"))) for line in lines)
    ending = total("ending_bu")
    weighed = sum(parse(str(line["ending_bu"])) * parse(str(line["ci_g_per_bu"]), CI_SCALE) for line in lines)
    mean = whole(half_even(weighed, ending), CI_SCALE) if ending else "—"
    amounts = (total("beginning_bu"), total("incoming_bu"), processed, total("outgoing_bu") - processed, ending)
    return [Cell(name), *(Cell(whole(each)) for each in amounts), Cell(mean), Cell(str(len(lines)))]


def _equations(
    lines: list[dict[str, Any]],
    *,
    name: str = "equations",
    caption: str = "Beginning + incoming = outgoing + ending, bushels of crop",
) -> Table:
    amounts = ("Beginning", "Incoming", "Outgoing", "Ending", "Unverified")
    columns = [Column("Crop and CI (g CO2e/bu)"), *(Column(label, number=True) for label in amounts)]
    parts = ("beginning_bu", "incoming_bu", "outgoing_bu", "ending_bu", "unverified_bu")
    rows = [[_full(line), *(Cell(_amount(line[part])) for part in parts)] for line in lines]
    empty = "Nothing with a claim came in or left, and none was in stock."
    return Table(name, columns, rows, caption=caption, empty=empty)


def _full(line: dict[str, Any]) -> Cell:
    cell = _what(line)
    return Cell(cell.text, note=cell.note, saved=f"{cell.text}, {cell.note}")


def _kinds(lines: list[dict[str, Any]]) -> Table:
    columns = [Column("Crop and CI (g CO2e/bu)"), Column("Way"), Column("Kind"), Column("Bushels", number=True)]
    rows = [
        [_full(line), Cell(way.capitalize()), Cell(words(kind)), Cell(_amount(amount))]
        for line in lines
        for way in ("incoming", "outgoing")
        for kind, amount in line[way].items()
    ]
    return Table("kinds", columns, rows, caption="What came in and left, by kind", empty="Nothing moved.")


def _sheets(lines: list[dict[str, Any]]) -> Table:
    amounts = ("Beginning", "Incoming", "Outgoing", "Ending")
    columns = [Column("Crop and CI (g CO2e/bu)"), Column("Form"), *(Column(label, number=True) for label in amounts)]
    parts = ("beginning", "incoming", "outgoing", "ending")
    rows = [
        [
            _full(line),
            Cell(words(sheet["form"])),
            *(Cell(f"{_amount(sheet[part])} {sheet['unit']}") for part in parts),
        ]
        for line in lines
        for sheet in line["forms"]
    ]
    return Table("sheets", columns, rows, caption="Sheets per form", empty="No form was in stock.")
