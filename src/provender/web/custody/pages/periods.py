"""Mass balance time periods: declared, open, closed; the equation of each carbon intensity; restatements."""

from dataclasses import replace
from functools import partial
from typing import Any, Final

from django.http import Http404, HttpResponseBase
from django.views.decorators.http import require_GET

from provender.custody.model.periods import Period, first_open
from provender.database.choices import Area
from provender.paper.table import quantity, table_of
from provender.quantity import CI_SCALE, SCALE, parse, show, show_whole, to_decimal
from provender.services.custody import periods
from provender.services.custody.balances import BalanceSumView, KindSumView, kind_sums, sums
from provender.services.custody.context import CustodyContext
from provender.services.custody.next_steps import before_a_close
from provender.services.custody.views import PeriodView
from provender.web.access import PersonRequest
from provender.web.custody.forms import words
from provender.web.custody.pages.context import at, at_desk, form_of
from provender.web.tables import Cell, Column, Table, page_with_tables


@require_GET
@at_desk(areas=(Area.BOOKS,))
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
            "": lambda one: _next(desk, one, due),
        },
    )
    known = periods.next_period(desk).fields
    following = at(desk, "custody_enter", "period", **{name: known[name] for name in known if name != "entity"})
    return page_with_tables(
        request, "custody/periods.html", {"periods": table}, {"next": following, "makes_fuel": desk.makes_fuel}
    )


def _next(desk: CustodyContext, one: PeriodView, due: Period | None) -> Cell:
    if due and one.start == due.start:
        return Cell("Close", _close(desk))
    first = first_open(desk.periods)
    running = first is not None and first.start == one.start
    return Cell("What the close needs", at(desk, "custody_period", start=one.start)) if running else Cell("")


def _close(desk: CustodyContext) -> str:
    return form_of(desk, periods.closing(desk))


@require_GET
@at_desk(areas=(Area.BOOKS,))
def custody_period(request: PersonRequest, desk: CustodyContext) -> HttpResponseBase:
    """Show the equations of one period: as closed, or as they stand now.

    Raises:
        Http404: no period begins on that day.
    """
    period = next((one for one in desk.periods if one.start.isoformat() == request.GET.get("start")), None)
    if period is None:
        raise Http404
    tables = balance_tables(desk, periods.balance(desk, period))
    again = periods.restated(desk, period)
    if again is not None:
        tables["restated"] = _equations(again["lines"], name="restated", caption="Restated: as the reports stand now")
    context = {
        "period": period,
        "statement": at(desk, "custody_statement", start=period.start) if period.closed else "",
        "close": _close(desk) if period == periods.due_period(desk) else "",
        "policy": words(str(period.policy)).lower(),
        "trial": None if period.closed else periods.would_close(desk, period),
        "day": min(period.end, desk.today),
        "waits": [] if period.closed else [(at(desk, one.page), one) for one in before_a_close(desk)],
    }
    return page_with_tables(request, "custody/period.html", tables, context)


def _amount(text: object) -> str:
    return show(parse(str(text)), SCALE, group=True)


def _what(line: dict[str, Any]) -> Cell:
    return Cell(f"{words(line['crop'])} {line['harvest_year']}", note=f"CI {line['ci_g_per_bu']}")


def balance_tables(desk: CustodyContext, document: dict[str, Any]) -> dict[str, Table]:
    """Return the tables of a balance, of a period or of any days."""
    lines: list[dict[str, Any]] = document["lines"]
    bands = periods.bands(desk, document)
    return {
        "balance": _balance(sums(document)),
        **({"bands": _balance(bands, by_band=True)} if bands else {}),
        "equations": _equations(lines),
        "kind_sums": _kind_sums(kind_sums(document)),
        "kinds": _kinds(lines),
        "sheets": _sheets(lines),
    }


def _balance(rows: list[BalanceSumView], *, by_band: bool = False) -> Table:
    """Return a balance as one statement: a row for each crop and harvest year, or each band, in whole bushels."""
    equation = "Opening + in = retired + out + on hand, each rounded to whole bushels of crop"
    made = table_of(
        BalanceSumView,
        rows,
        name="bands" if by_band else "balance",
        only=BALANCE[:1] + ("band",) * by_band + BALANCE[1:],
        caption="The same against the national default" if by_band else equation,
        empty="Nothing with a claim came in, left or was in stock.",
        cells={
            "crop": lambda one: Cell(f"{words(one.crop)} {one.harvest_year}"),
            **{name: partial(_mean, name) for name in MEANS},
            **{name: partial(_whole, name) for name in BALANCE if name.endswith("_bu") and name not in MEANS},
        },
    )
    return replace(made, groups=by_band)


BALANCE: Final = (
    "crop", "beginning_bu", "incoming_bu", "retired_bu", "otherwise_bu", "ending_bu", "mean_ci_g_per_bu",
    "retired_mean_ci_g_per_bu", "intensities",
)  # fmt: skip
MEANS: Final = ("mean_ci_g_per_bu", "retired_mean_ci_g_per_bu")


def _whole(name: str, one: BalanceSumView) -> Cell:
    return Cell(show_whole(getattr(one, name)), saved=to_decimal(getattr(one, name)))


def _mean(name: str, one: BalanceSumView) -> Cell:
    mean = getattr(one, name)
    text = "—" if mean is None else show_whole(mean, CI_SCALE)
    return Cell(text, saved=text.replace(",", ""))


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


def _kind_sums(sums: list[KindSumView]) -> Table:
    return table_of(
        KindSumView,
        sums,
        name="kind sums",
        only=("crop", "way", "kind", "bushels"),
        caption="What came in and left in all, by kind",
        empty="Nothing moved.",
        cells={
            "crop": lambda one: Cell(f"{words(one.crop)} {one.harvest_year}"),
            "way": lambda one: Cell(one.way.capitalize()),
            "kind": lambda one: Cell(words(one.kind)),
            "bushels": lambda one: Cell(show(one.bushels, group=True)),
        },
    )


def _kinds(lines: list[dict[str, Any]]) -> Table:
    columns = [Column("Crop and CI (g CO2e/bu)"), Column("Way"), Column("Kind"), Column("Bushels", number=True)]
    rows = [
        [_full(line), Cell(way.capitalize()), Cell(words(kind)), Cell(_amount(amount))]
        for line in lines
        for way in ("incoming", "outgoing")
        for kind, amount in line[way].items()
    ]
    return Table("kinds", columns, rows, caption="The same by carbon intensity", empty="Nothing moved.")


def _sheets(lines: list[dict[str, Any]]) -> Table:
    amounts = ("Beginning", "Incoming", "Outgoing", "Ending")
    columns = [Column("Crop and CI (g CO2e/bu)"), Column("Form")]
    columns += [Column(label, number=True, measured=True) for label in amounts]
    parts = ("beginning", "incoming", "outgoing", "ending")
    rows = [
        [
            _full(line),
            Cell(words(sheet["form"])),
            *(quantity(parse(str(sheet[part])), sheet["unit"]) for part in parts),
        ]
        for line in lines
        for sheet in line["forms"]
    ]
    return Table("sheets", columns, rows, caption="Sheets per form", empty="No form was in stock.")
