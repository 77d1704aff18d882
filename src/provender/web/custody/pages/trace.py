"""The chain behind a claim, drawn and in words: from its holder back to the farm's report (2100.032(a))."""

from dataclasses import replace
from typing import Final

from django.http import HttpResponseBase
from django.views.decorators.http import require_GET

from provender.custody.model.lot_names import printed
from provender.custody.model.lots import LotState
from provender.paper.table import quantity, table_of
from provender.quantity import CI_SCALE, show, weighted_mean
from provender.services.custody.context import CustodyContext
from provender.services.custody.offers import OFFERS
from provender.services.custody.stations import FarmShareView, StationView
from provender.services.custody.trace import Trace, trace
from provender.services.custody.views import LotDetailView
from provender.web.access import PersonRequest
from provender.web.custody.forms import words
from provender.web.custody.pages.context import at, at_desk
from provender.web.custody.pages.movements import DONE, shown_amount
from provender.web.custody.pages.stock import whole_cell
from provender.web.tables import Cell, Table, page_with_tables

PASSING: Final = frozenset({LotState.HELD, LotState.IN_TRANSIT})
"""States that end where a lot goes on."""


@require_GET
@at_desk()
def custody_trace(request: PersonRequest, desk: CustodyContext) -> HttpResponseBase:
    """Show the chain of a lot, or of the lots of a movement or document; without either ask for one."""
    asked = (request.GET.get("lot") or request.GET.get("find") or "").strip()
    context: dict[str, object] = {"asked": asked}
    if not asked:
        return page_with_tables(request, "custody/trace.html", {}, context)
    found = trace(desk, asked)
    if found is None:
        return page_with_tables(request, "custody/trace.html", {}, {**context, "missing": True})
    context |= {"found": found, "picture": found.picture, "lots": found.lots, "went_on": found.went_on}
    if found.lot is not None:
        context["facts"] = _facts(found.lot)
        if found.lots == 1 and desk.may_write:
            context["uses"] = _uses(desk, found.lot)
    tables = {"farms": _farms(found), "links": _table(found)}
    return page_with_tables(request, "custody/trace.html", tables, context)


def _uses(desk: CustodyContext, detail: LotDetailView) -> list[tuple[str, str]]:
    """Return what can be done with a lot, as links to forms that name it."""
    lot = detail.lot
    known = {
        "crop": lot.crop,
        "form": lot.form if lot.form != lot.crop else "",
        "site": lot.site,
        "lots": f"{lot.origin} {show(lot.start_bu)}-{show(lot.stop_bu)}",
    }
    return [(OFFERS[kind].title, at(desk, "custody_enter", kind, **known)) for kind in detail.uses]


def _facts(detail: LotDetailView) -> list[tuple[str, str]]:
    """Return what stands behind a lot: origin, report, carbon intensity, amount."""
    lot = detail.lot
    facts = [
        ("Origin", printed(lot.origin)),
        ("Serials", f"{show(lot.start_bu, group=True)} to {show(lot.stop_bu, group=True)} bu"),
        ("What", f"{words(lot.form)} {lot.harvest_year}, {shown_amount(lot)}"),
        ("Carbon intensity", f"{show(lot.ci_g_per_bu, CI_SCALE, group=True)} g CO2e/bu"),
    ]
    if detail.report_version is not None:
        mark = printed(detail.report_hash) if detail.report_hash else "not at hand"
        known = f"version {detail.report_version}, {detail.report_standing}; hash {mark}"
        facts.append(("Farm's report", known))
    return facts


def _farms(found: Trace) -> Table:
    """Return what each farm has of the bushels, with their sum: the numbers of the drawing."""
    table = table_of(
        FarmShareView,
        found.farms,
        name="farms",
        caption="By farm of origin",
        cells={
            "origin": lambda one: Cell(printed(one.origin), saved=one.origin),
            "harvest_year": lambda one: Cell(str(one.harvest_year)),
            "bushels": lambda one: quantity(one.bushels, "bu"),
            "share_pct": lambda one: Cell(one.share_pct),
            "ci_g_per_bu": lambda one: Cell(
                "" if one.ci_g_per_bu is None else show(one.ci_g_per_bu, CI_SCALE, group=True)
            ),
        },
    )
    together = quantity(found.bushels, "bu")
    foot = [Cell("Together"), Cell(""), Cell(""), together, Cell("100.0"), Cell(_mean(found))]
    return replace(_aligned(table, "Share (%)", number=True), rows=[*table.rows, foot], totals=1)


def _aligned(table: Table, label: str, *, number: bool) -> Table:
    """Return a table one of whose columns is of numbers, or is not: a share is a text to its view, serials are two."""
    columns = [replace(one, number=number) if one.label == label else one for one in table.columns]
    return replace(table, columns=columns)


def _mean(found: Trace) -> str:
    """Return the mean carbon intensity of all farms, weighted by bushels; nothing where one is not the viewer's."""
    known = [(one.ci_g_per_bu, one.bushels) for one in found.farms if one.ci_g_per_bu is not None]
    mean = weighted_mean(known) if len(known) == len(found.farms) else None
    return "" if mean is None else show(mean, CI_SCALE, group=True)


def _table(found: Trace) -> Table:
    """Return every station in words: the same as the picture, lot by lot. What went on lies and travels no more."""
    last = {(one.lot, one.start_bu): one for one in found.stations}

    def state(one: StationView) -> str:
        gone_on = one.state in PASSING and last[one.lot, one.start_bu] is not one
        return "" if gone_on or not one.state else words(one.state)

    table = table_of(
        StationView,
        found.stations,
        name="chain",
        only=("day", "type", "giver", "taker", "origin", "start_bu", "bushels", "form"),
        caption="Every station, lot by lot, the oldest first",
        cells={
            "type": lambda one: Cell(DONE.get(one.type) or words(one.type)),
            "giver": lambda one: Cell(one.giver or "The farm's report"),
            "origin": lambda one: Cell(printed(one.origin), saved=one.origin),
            "start_bu": lambda one: Cell(f"{show(one.start_bu, group=True)}-{show(one.stop_bu, group=True)}"),
            "bushels": lambda one: whole_cell(one.bushels, "bu"),
            "form": lambda one: Cell(words(one.form), note=state(one)),
        },
    )
    return _aligned(table, "Serials (bu)", number=False)
