"""Mass balance time periods: declared, open, closed; the equation of each carbon intensity; restatements."""

from datetime import date, timedelta
from typing import Any, Final

from django.core.cache import cache
from django.http import Http404, HttpResponseBase
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_GET

from provender.custody.events.period import Closing, balance_of
from provender.custody.model.periods import Period, first_open, latest_end
from provender.custody.queries.period_restatement import restatements
from provender.custody.queries.statements import balance_document
from provender.database.store.custody_lists import reports_changed, steps_watermark
from provender.quantity import SCALE, parse, show
from provender.signing.canonical import read_json
from provender.web.access import PersonRequest
from provender.web.custody.forms import words
from provender.web.custody.pages.context import READER, CustodyContext, at_desk
from provender.web.tables import Cell, Column, Table, page_with_tables

KEPT_SECONDS: Final = 3600


@require_GET
@at_desk()
def custody_periods(request: PersonRequest, desk: CustodyContext) -> HttpResponseBase:
    """List the periods, with what to do next about them."""
    due = due_period(desk)
    columns = [
        Column("First day"),
        Column("Last day"),
        Column("Sales take"),
        Column("State"),
        Column("", page_only=True),
    ]
    rows = [
        [
            Cell(str(one.start), period_address(desk, one)),
            Cell(str(one.end)),
            Cell(words(str(one.policy))),
            Cell(standing_of(desk, one)),
            Cell("Close", _close(desk, one)) if one == due and desk.access.may_write else Cell(""),
        ]
        for one in reversed(desk.periods)
    ]
    empty = "No period yet. Declare the first one before it begins; it may last three months."
    table = Table("periods", columns, rows, caption="Mass balance time periods, newest first", empty=empty)
    return page_with_tables(request, "custody/periods.html", {"periods": table}, {"next": _next(desk)})


def standing_of(desk: CustodyContext, period: Period) -> str:
    """Return in words where a period stands today."""
    if period.closed:
        return f"Closed on {period.closed}"
    if period.holds(desk.today):
        return "Open"
    return "Not begun" if period.start > desk.today else "Ended, to be closed"


def due_period(desk: CustodyContext) -> Period | None:
    """Return the first period that is open and over: the one to close."""
    due = first_open(desk.periods)
    return due if due is not None and due.end <= desk.today else None


def closing_of(desk: CustodyContext, period: Period) -> dict[str, str]:
    """Return the fields of the event that closes a period today."""
    return {"day": period.end.isoformat(), "closed_on": desk.today.isoformat()}


def _close(desk: CustodyContext, period: Period) -> str:
    given = closing_of(desk, period)
    return f"{reverse('custody_enter', args=(desk.id, 'close'))}?{urlencode(given)}"


def _next(desk: CustodyContext) -> str:
    """Return the address of the form that declares the next period, filled in."""
    return f"{reverse('custody_enter', args=(desk.id, 'period'))}?{urlencode(next_period(desk))}"


def next_period(desk: CustodyContext) -> dict[str, str]:
    """Return the fields of the event that declares the next period, from the day after the last one, or tomorrow."""
    start = desk.periods[-1].end + timedelta(days=1) if desk.periods else desk.today + timedelta(days=1)
    given = {"start_day": start.isoformat(), "end_day": latest_end(start).isoformat()}
    return given | ({"policy": str(desk.periods[-1].policy)} if desk.periods else {})


def period_address(desk: CustodyContext, period: Period) -> str:
    """Return the address of a period's page."""
    return f"{reverse('custody_period', args=(desk.id,))}?{urlencode({'start': period.start.isoformat()})}"


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
    document = period_document(desk, period)
    lines: list[dict[str, Any]] = document["lines"]
    tables = {"equations": _equations(lines), "kinds": _kinds(lines), "sheets": _sheets(lines)}
    again = restated(desk, period.start) if period.closed else None
    if again is not None:
        tables["restated"] = _equations(again["lines"], name="restated", caption="Restated: as the reports stand now")
    statement = f"{reverse('custody_statement', args=(desk.id,))}?{urlencode({'start': period.start.isoformat()})}"
    context = {
        "period": period,
        "statement": statement if period.closed else "",
        "close": _close(desk, period) if period == due_period(desk) and desk.access.may_write else "",
        "policy": words(str(period.policy)).lower(),
    }
    return page_with_tables(request, "custody/period.html", tables, context)


def period_document(desk: CustodyContext, period: Period) -> dict[str, Any]:
    """Return the balance of a period: a closed one as it was closed, an open one kept until something moves."""
    with READER.reading() as facts:
        closing = facts.one(Closing, period.key)
        if closing is not None:
            found: Any = read_json(closing.statement.encode())
            return dict(found)
        name = f"custody-balance-{desk.id}-{period.start}-{steps_watermark(desk.id)}"
        kept = cache.get(name)
        if kept is None:
            kept = balance_document(balance_of(facts, period))
            cache.set(name, kept, KEPT_SECONDS)
    return dict(kept)


def restated(desk: CustodyContext, start: date) -> dict[str, Any] | None:
    """Return the balance of a closed period as the farms' reports stand now; None where nothing changed since."""
    name = f"custody-restated-{desk.id}-{steps_watermark(desk.id)}-{len(desk.periods)}"
    kept = cache.get(name)
    if kept is None:
        kept = {}
        if reports_changed(desk.id):
            with READER.reading() as facts:
                kept = {str(one["start"]): one for one in restatements(facts, desk.id)}
        cache.set(name, kept, KEPT_SECONDS)
    found: dict[str, Any] | None = kept.get(start.isoformat())
    return found


def _amount(text: object) -> str:
    return show(parse(str(text)), SCALE, group=True)


def _what(line: dict[str, Any]) -> Cell:
    return Cell(f"{words(line['crop'])} {line['harvest_year']}", note=f"CI {line['ci_g_per_bu']}")


def _equations(
    lines: list[dict[str, Any]],
    *,
    name: str = "equations",
    caption: str = "Beginning + incoming = outgoing + ending, bushels of crop",
) -> Table:
    columns = [
        Column("Crop and CI (g CO2e/bu)"),
        Column("Beginning", number=True),
        Column("Incoming", number=True),
        Column("Outgoing", number=True),
        Column("Ending", number=True),
        Column("Unverified", number=True),
    ]
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
    columns = [
        Column("Crop and CI (g CO2e/bu)"),
        Column("Form"),
        Column("Beginning", number=True),
        Column("Incoming", number=True),
        Column("Outgoing", number=True),
        Column("Ending", number=True),
    ]
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
