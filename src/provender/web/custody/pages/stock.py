"""Stock with claims: sums by carbon intensity, a chart over time, the lots one by one; and opening the book."""

from collections.abc import Callable
from datetime import date, timedelta
from typing import Final

from django.contrib import messages
from django.core.cache import cache
from django.http import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_GET, require_POST

from provender.custody.model.amounts import unit_of
from provender.custody.model.lots import LotState
from provender.custody.queries.balances import Key
from provender.custody.queries.pictures import stock_series
from provender.database.store.custody_lists import (
    StockRow,
    lots_page,
    names_of,
    points_of,
    steps_watermark,
    stock_changes,
    stock_of,
)
from provender.paper.charts import in_two_widths, stacked_chart
from provender.quantity import CI_SCALE, show
from provender.services.custody.entry import register_entity
from provender.web.access import Access, PersonRequest, of_organisation
from provender.web.custody.forms import words
from provender.web.custody.pages.context import CustodyContext, at_desk, require_trader
from provender.web.custody.pages.entry import lots_table
from provender.web.tables import Cell, Column, Table, page_with_tables, rows_wanted

CHART_DAYS: Final = 183
KEPT_SECONDS: Final = 3600


@require_POST
@of_organisation("write")
def custody_open(request: PersonRequest, access: Access) -> HttpResponseBase:
    """Open the organisation's part of the book, or add sites to it."""
    require_trader(access)
    sites = request.POST.get("sites", "").splitlines()
    done = register_entity(access.organisation, day=timezone.now().date(), sites=sites, actor=access.actor)
    said = "The book says the same already." if done is None else "The book is open." if done.status.well else ""
    (messages.success if said else messages.error)(request, said or (done.message if done else ""))
    return redirect("custody_stock", access.organisation.handle)


@require_GET
@at_desk()
def custody_stock(request: PersonRequest, desk: CustodyContext) -> HttpResponseBase:
    """Show what is in stock by crop, year, carbon intensity and site."""
    rows = stock_of(desk.id)
    table = _table(desk, rows)
    bushels = sum(row.bushels for row in rows)
    unverified = sum(row.bushels for row in rows if row.state is LotState.UNVERIFIED)
    context = {
        "chart": _chart(desk, rows),
        "bushels": show(bushels, group=True),
        "unverified": show(unverified, group=True) if unverified else "",
        "period": desk.period,
        "periods": desk.periods,
        "begin": f"{reverse('custody_enter', args=(desk.id, 'period'))}",
    }
    return page_with_tables(request, "custody/stock.html", {"stock": table}, context)


def _table(desk: CustodyContext, rows: list[StockRow]) -> Table:
    houses = names_of(row.custodian for row in rows)
    # What is crop already says its bushels once.
    products = any(row.form != row.key.crop for row in rows)
    columns = [
        Column("What"),
        Column("CI (g CO2e/bu)", number=True),
        Column("Site"),
        Column("State"),
        Column("Amount", number=True),
        *([Column("As crop (bu)", number=True)] if products else []),
        Column("Lots", number=True),
    ]
    lots = reverse("custody_lots", args=(desk.id,))
    shown = [
        [
            _what(row),
            Cell(show(row.key.ci, CI_SCALE, group=True)),
            Cell(row.site if row.custodian == desk.id else f"{houses[row.custodian]}, {row.site}"),
            Cell(words(str(row.state)), chip="plain" if row.state is LotState.UNVERIFIED else ""),
            Cell(f"{show(row.amount, group=True)} {unit_of(row.form)}"),
            *([Cell(show(row.bushels, group=True))] if products else []),
            Cell(str(row.lots), f"{lots}?{urlencode(_question(row))}"),
        ]
        for row in rows
    ]
    empty = "Nothing with a claim is in stock. Buy from a farm, or take in a delivery, and it shows here."
    return Table("stock", columns, shown, caption="Stock by carbon intensity", empty=empty)


def _what(row: StockRow) -> Cell:
    """Name crop and year, and for a product what it is."""
    crop = f"{words(row.key.crop)} {row.key.harvest_year}"
    if row.form == row.key.crop:
        return Cell(crop)
    return Cell(words(row.form), note=f"from {crop.lower()}", saved=f"{words(row.form)} from {crop.lower()}")


def _question(row: StockRow) -> dict[str, str | int]:
    return {"crop": row.key.crop, "year": row.key.harvest_year, "ci": row.key.ci, "form": row.form, "site": row.site}


def _chart(desk: CustodyContext, rows: list[StockRow]) -> str:
    """Return the chart of the last half year; kept until something moves."""
    name = f"custody-chart-{desk.id}-{steps_watermark(desk.id)}-{desk.today}"
    kept = cache.get(name)
    if kept is None:
        kept = draw_stock(desk, rows, in_two_widths)
        cache.set(name, kept, KEPT_SECONDS)
    return str(kept)


def first_day(desk: CustodyContext) -> date:
    """Return the first day that the chart shows."""
    return desk.today - timedelta(days=CHART_DAYS)


def stock_by_day(rows: list[StockRow], since: date, until: date, owner: str) -> dict[Key, list[tuple[date, int]]]:
    """Return an owner's stock from day to day by crop, year and carbon intensity, thousandths of a bushel.

    Keys of which there was none in that time are left out.
    """
    points = points_of(rows, stock_changes(owner, since), until)
    dated = {key: [(max(day, since), amount) for day, amount in found] for key, found in points.items()}
    return {key: found for key, found in dated.items() if any(amount > 0 for _, amount in found)}


Widths = Callable[[Callable[[float], str]], str]


def draw_stock(desk: CustodyContext, rows: list[StockRow], widths: Widths) -> str:
    """Draw the stock by carbon intensity from day to day; empty when there was none before today."""
    name, since, until, owner = desk.entity.name, first_day(desk), desk.today, desk.id
    dated = stock_by_day(rows, since, until, owner)
    series = stock_series(dated)
    # A line needs two days: what first came in on the last one shows in the table.
    if all(day >= until for one in series for day, _ in one.points):
        return ""
    said = f"Stock of {name} with claims, bushels of crop, by crop and carbon intensity."
    title = "Stock over the last six months"
    return widths(
        lambda width: stacked_chart(series, title=title, description=said, unit="bu", until=until, width=width)
    )


@require_GET
@at_desk()
def custody_lots(request: PersonRequest, desk: CustodyContext) -> HttpResponseBase:
    """List the lots behind a row of the stock, a page at a time, with what can be done with each."""
    asked = request.GET
    where: dict[str, str | int] = {}
    for name, column in (("crop", "crop"), ("form", "form"), ("site", "site")):
        if asked.get(name):
            where[column] = asked[name]
    for name, column in (("year", "harvest_year"), ("ci", "ci")):
        if asked.get(name, "").lstrip("-").isdecimal():
            where[column] = int(asked[name])
    after = asked.get("after", "")
    size = rows_wanted(request)
    found = lots_page(desk.id, after=int(after) if after.isdecimal() else 0, size=size + 1, where=where)
    lots = [lot for _, lot in found[:size]]
    empty = "No lots in stock here. Lots come from purchases and accepted deliveries."
    table = lots_table(
        "lots", lots, caption="Lots in stock", trace=reverse("custody_trace", args=(desk.id,)), empty=empty
    )
    more = ""
    if len(found) > size:
        more = "?" + urlencode({**asked.dict(), "after": str(found[size - 1][0])})
    chosen = [(words(name), str(text)) for name, text in where.items() if name != "ci"]
    if "ci" in where:
        chosen.append(("CI", show(int(str(where["ci"])), CI_SCALE, group=True)))
    context = {"more": more, "chosen": chosen}
    return page_with_tables(request, "custody/lots.html", {"lots": table}, context)
