"""What is on its way in: deliveries to accept, sale slips to buy, purchases that wait for a report."""

from collections.abc import Sequence
from typing import Final

from django.http import HttpResponseBase
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_GET

from provender.custody.model.lots import Lot, length
from provender.custody.model.origins import Origin
from provender.database.store.custody_lists import in_transit_to, names_of, open_pending, open_slips, sales_behind
from provender.database.store.custody_movements import movements_page
from provender.quantity import CI_SCALE, show
from provender.web.access import PersonRequest
from provender.web.custody.forms import words
from provender.web.custody.pages.context import READER, CustodyContext, at_desk
from provender.web.custody.pages.entry import shown_amount
from provender.web.custody.pages.movements import movements_table
from provender.web.tables import Cell, Column, Table, page_with_tables

RECEIVED: Final = ("purchase", "assign", "accept", "storage", "opening")
LATEST: Final = 12


@require_GET
@at_desk()
def custody_incoming(request: PersonRequest, desk: CustodyContext) -> HttpResponseBase:
    """Show everything that waits for the organisation, and what came in last."""
    tables = {"deliveries": _deliveries(desk, in_transit_to(desk.id))}
    if desk.buys_from_farms:
        tables |= {"slips": _slips(desk), "waiting": _waiting(desk)}
    # Of three lists those that are empty say nothing; that nothing waits at all is said once.
    tables = {name: table for name, table in tables.items() if table.rows}
    context = {"buys": desk.buys_from_farms, "no_sites": desk.lacks_site, "waits": bool(tables)}
    latest = movements_page(desk.id, size=LATEST, kinds=RECEIVED)
    tables["latest"] = movements_table(desk, latest.movements, name="received", caption="Came in last")
    return page_with_tables(request, "custody/incoming.html", tables, context)


def _enter(desk: CustodyContext, kind: str, **initial: str) -> str:
    return f"{reverse('custody_enter', args=(desk.id, kind))}?{urlencode(initial)}"


def _deliveries(desk: CustodyContext, lots: Sequence[Lot]) -> Table:
    suppliers = names_of(lot.supplier for lot in lots)
    columns = [
        Column("Sold on"),
        Column("Seller"),
        Column("What"),
        Column("Amount", number=True),
        Column("CI (g CO2e/bu)"),
        Column("", page_only=True),
    ]
    with READER.reading() as facts:
        sales = sales_behind(facts, lots)
    deliveries: dict[str, list[Lot]] = {}
    for lot in lots:
        deliveries.setdefault(sales[lot.by], []).append(lot)
    rows = []
    for sale, sent in deliveries.items():
        cis = sorted({lot.ci for lot in sent})
        shown = show(cis[0], CI_SCALE, group=True)
        amount = sum(lot.amount for lot in sent)
        rows.append(
            [
                Cell(str(sent[0].since)),
                Cell(suppliers[sent[0].supplier], note=sale),
                Cell(f"{words(sent[0].form)} {sent[0].harvest_year}"),
                Cell(f"{show(amount, group=True)} {shown_amount(sent[0]).rpartition(' ')[2]}"),
                Cell(shown if len(cis) == 1 else f"{shown} to {show(cis[-1], CI_SCALE, group=True)}"),
                Cell("Accept", _enter(desk, "accept", movement=sale)) if desk.access.may_write else Cell(""),
            ]
        )
    return Table("deliveries", columns, rows, caption="On the way to you")


def _slips(desk: CustodyContext) -> Table:
    slips = open_slips(desk.id)
    sellers = names_of(slip.giver for slip in slips)
    with READER.reading() as facts:
        origins = {slip.origin: facts.one(Origin, slip.origin) for slip in slips}
    columns = [
        Column("Day"),
        Column("Farm"),
        Column("Crop"),
        Column("Bushels left", number=True),
        Column("CI (g CO2e/bu)", number=True),
        Column("", page_only=True),
    ]
    rows = []
    for slip in slips:
        origin = origins[slip.origin]
        buy = _enter(desk, "purchase", slip=slip.id, giver=slip.giver)
        rows.append(
            [
                Cell(str(slip.day)),
                Cell(sellers[slip.giver], note=slip.id),
                Cell(f"{words(origin.crop)} {origin.harvest_year}" if origin else ""),
                Cell(show(length(slip.open_spans), group=True)),
                Cell(show(origin.current.ci, CI_SCALE, group=True) if origin else ""),
                Cell("Buy", buy) if desk.access.may_write else Cell(""),
            ]
        )
    return Table("slips", columns, rows, caption="Sale slips of farms, with their report")


def _waiting(desk: CustodyContext) -> Table:
    pending = open_pending(desk.id)
    sellers = names_of(one.giver for one in pending)
    columns = [
        Column("Bought on"),
        Column("Farm"),
        Column("Crop"),
        Column("Bushels pending", number=True),
        Column("Site"),
        Column("", page_only=True),
    ]
    rows = [
        [
            Cell(str(one.day)),
            Cell(sellers[one.giver], note=one.id),
            Cell(f"{words(one.crop)} {one.harvest_year}"),
            Cell(show(one.left, group=True)),
            Cell(one.site),
            Cell("Assign a slip", _enter(desk, "assign", pending=one.id, giver=one.giver))
            if desk.access.may_write
            else Cell(""),
        ]
        for one in pending
    ]
    return Table("waiting", columns, rows, caption="Bought with CI pending")
