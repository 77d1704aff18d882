"""What is on its way in: deliveries to accept, sale slips to buy, purchases that wait for a report."""

from collections.abc import Sequence
from typing import Final

from django.http import HttpResponseBase
from django.views.decorators.http import require_GET

from provender.paper.table import quantity, table_of
from provender.quantity import CI_SCALE, show
from provender.services.custody.context import CustodyContext
from provender.services.custody.movements import LOOKED_AT, RECEIVED, WHOLE_BOOK, movements
from provender.services.custody.parties import party_names
from provender.services.custody.views import DeliveryView, PendingView, SlipView, offer
from provender.services.custody.waiting import by_sale, waiting
from provender.web.access import PersonRequest
from provender.web.custody.forms import words
from provender.web.custody.pages.context import at_desk, form_of
from provender.web.custody.pages.movements import movements_table, next_page, place_in
from provender.web.pagination import ROWS
from provender.web.tables import Cell, Column, Table, all_said, page_with_tables, rows_wanted

LATEST: Final = 12


@require_GET
@at_desk()
def custody_incoming(request: PersonRequest, desk: CustodyContext) -> HttpResponseBase:
    """Show everything that waits for the organisation, and what came in last."""
    view = waiting(desk)
    farms = [*(one.farm for one in view.slips), *(one.farm for one in view.pending)]
    names = party_names([*(one.seller for one in view.deliveries), *farms])
    tables = {
        "deliveries": _deliveries(desk, view.deliveries, names),
        "slips": _slips(desk, view.slips, names),
        "waiting": _pending(desk, view.pending, names),
    }
    # Of three lists those that are empty say nothing; that nothing waits at all is said once.
    tables = {name: table for name, table in tables.items() if table.rows}
    context: dict[str, object] = {"buys": desk.buys_from_farms, "no_sites": desk.lacks_site, "waits": bool(tables)}
    size = rows_wanted(request)
    latest = movements(
        desk, before=place_in(request), size=LATEST if size == ROWS else size, kinds=RECEIVED,
        scanned=LOOKED_AT if size == ROWS else WHOLE_BOOK,
    )  # fmt: skip
    table = movements_table(desk, latest.movements, name="received", caption="Came in last")
    tables["latest"] = all_said(request, table, more=latest.older is not None)
    context |= {"more": next_page(latest), "back_to": latest.older and latest.older.day}
    return page_with_tables(request, "custody/incoming.html", tables, context)


def _button(desk: CustodyContext, label: str, kind: str, **known: str) -> Cell:
    return Cell(label, form_of(desk, offer(label, kind, **known))) if desk.may_write else Cell("")


def _deliveries(desk: CustodyContext, sent: Sequence[DeliveryView], names: dict[str, str]) -> Table:
    columns = [
        Column("Sold on"), Column("Seller"), Column("What"), Column("Amount", number=True, measured=True),
        Column("CI (g CO2e/bu)", number=True), Column("", page_only=True),
    ]  # fmt: skip
    rows = []
    for one in by_sale(sent):
        lowest, highest = (show(ci, CI_SCALE, group=True) for ci in (one.lowest_ci_g_per_bu, one.highest_ci_g_per_bu))
        rows.append(
            [
                Cell(str(one.day)),
                Cell(names[one.seller], note=f"{one.seller} · {one.sale}", typed=True),
                Cell(f"{words(one.form)} {one.harvest_year}"),
                quantity(one.amount, one.unit),
                Cell(lowest if lowest == highest else f"{lowest} to {highest}"),
                _button(desk, "Accept", "accept", movement=one.sale),
            ]
        )
    return Table("deliveries", columns, rows, caption="On the way to you")


def _slips(desk: CustodyContext, slips: Sequence[SlipView], names: dict[str, str]) -> Table:
    return table_of(
        SlipView,
        slips,
        name="slips",
        only=("day", "farm", "crop", "bushels_left", "ci_g_per_bu"),
        caption="Sale slips of farms, with their report",
        cells={
            "farm": lambda one: Cell(names[one.farm], note=f"{one.farm} · {one.slip}", typed=True),
            "crop": lambda one: Cell(f"{words(one.crop)} {one.harvest_year}" if one.crop else ""),
            "bushels_left": lambda one: Cell(show(one.bushels_left, group=True)),
            "ci_g_per_bu": lambda one: Cell(
                "" if one.ci_g_per_bu is None else show(one.ci_g_per_bu, CI_SCALE, group=True)
            ),
            "": lambda one: _button(desk, "Buy", "purchase", slip=one.slip, giver=one.farm),
        },
    )


def _pending(desk: CustodyContext, pending: Sequence[PendingView], names: dict[str, str]) -> Table:
    return table_of(
        PendingView,
        pending,
        name="waiting",
        only=("day", "farm", "crop", "bushels_left", "site"),
        caption="Bought with CI pending",
        cells={
            "farm": lambda one: Cell(names[one.farm], note=f"{one.farm} · {one.purchase}", typed=True),
            "crop": lambda one: Cell(f"{words(one.crop)} {one.harvest_year}"),
            "bushels_left": lambda one: Cell(show(one.bushels_left, group=True)),
            "": lambda one: _button(desk, "Assign a slip", "assign", pending=one.purchase, giver=one.farm),
        },
    )
