"""Partners: contracts with their pinned keys, the verification of each seller, and the organisation's own sites."""

from collections import Counter
from dataclasses import replace
from typing import Final

from django.core.paginator import Paginator
from django.http import HttpResponseBase
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_GET

from provender.custody.queries.deliveries import ContractDeliveryView, deliveries
from provender.custody.queries.manual import KeepView
from provender.exact import show
from provender.paper.tables import Cell, Row, Table, heads, numeric, table_of
from provender.portfolio.report import county_map, tables
from provender.schema import infos
from provender.services.audits.standing import cycle_of, trading_roles, yearly_said
from provender.services.custody import checks
from provender.services.custody.checks import SupplierReportView, suppliers
from provender.services.custody.context import READER, CustodyContext
from provender.services.custody.periods import came_in_of
from provender.services.custody.views import ContractView, EventOffer, VerificationView, offer
from provender.web.access import PersonRequest
from provender.web.custody.forms import at, form_of, trader_view, words
from provender.web.custody.pages.movements import party_cell
from provender.web.custody.pages.periods import day_in, sums_table
from provender.web.inputs import said_plainly
from provender.web.tables import download, page_with_tables, rows_wanted

_PINNED: Final = infos(ContractView)["fingerprint"].label
NO_CONTRACT: Final = (
    "No contract is on file. Add your suppliers, recipients and service providers: 2100.032(a) asks for them."
)


@require_GET
@trader_view()
def custody_partners(request: PersonRequest, trader: CustodyContext) -> HttpResponseBase:
    """Show contracts, sites and the organisation's own verification."""
    contracts = table_of(
        ContractView,
        checks.contracts(trader),
        name="contracts",
        only=("name", "role", "number", "start", "end", "fingerprint", "verified_crops"),
        caption="Contracts",
        empty=NO_CONTRACT,
        cells={
            "name": lambda one: Cell(one.name, note=one.counterparty),
            "role": lambda one: Cell(words(one.role)),
            "number": lambda one: Cell(one.number, _change(trader, one)),
            "end": lambda one: Cell(str(one.end) if one.end else "runs on"),
            "fingerprint": lambda one: Cell(one.fingerprint or "none"),
            "verified_crops": _verification,
        },
    )
    contracts = replace(contracts, columns=[replace(one, file_only=one.short == _PINNED) for one in contracts.columns])
    statements = table_of(
        VerificationView,
        checks.verifications(trader),
        name="verification",
        caption="Your verification",
        empty="No statement covers you yet. In your first year, enter the contract for the first audit.",
        cells={
            "opinion": lambda one: Cell(words(one.opinion)),
            "crops": lambda one: Cell(", ".join(one.crops)),
        },
    )
    context = {
        "sites": [
            (site, trader.closed_sites.get(site), form_of(trader, _deed(trader, site))) for site in trader.entity.sites
        ],
        "roles": [words(role) for role in checks.entity(trader).roles],
        "first_audit": at(trader, "custody_enter", "statement", entity=trader.id, opinion="first_audit_contracted"),
    }
    return page_with_tables(
        request, "custody/partners.html", {"contracts": contracts, "statements": statements}, context
    )


def _deed(trader: CustodyContext, site: str) -> EventOffer:
    """Return what can be done about a site: it is closed, or its closing is taken back."""
    closing = trader.closed_sites.get(site)
    return offer("Open again", "correct", movement=closing.by) if closing else offer("Close", "close_site", site=site)


def _change(trader: CustodyContext, one: ContractView) -> str:
    """Return the address of the form that states a contract anew, such as with another key."""
    end = one.end.isoformat() if one.end else ""
    again = offer(
        "Change", "contract", counterparty=one.counterparty, role=one.role, number=one.number,
        start_day=one.start.isoformat(), end_day=end, signing_key=one.signing_key,
    )  # fmt: skip
    return form_of(trader, again)


def _verification(one: ContractView) -> Cell:
    if one.verified_crops is None:
        return Cell("not needed")
    crops = ", ".join(one.verified_crops)
    return Cell(crops, chip="met") if crops else Cell("none today", chip="not-shown")


# What an organisation's own suppliers reported: a map of counties, practices, gaps, findings, what is at stake.

_SHOWN: Final = {
    "Practices": ("practices", "Verdicts by practice, fields"),
    "Gaps": ("gaps", "What is not shown, by the bushels it holds back"),
    "Counties": ("counties", "Counties"),
    "Findings": ("findings", "Findings of the reports"),
    "Claims": ("stakes", "Claims at stake in your own book"),
}
"""Tables of the portfolio's report: the name and caption under which a page shows each."""


@require_GET
@trader_view()
def custody_suppliers(request: PersonRequest, trader: CustodyContext) -> HttpResponseBase:
    """Show what the reports behind the bought crop say."""
    found = suppliers(trader)
    if not found.reports:
        # All that is left would be the organisation's own book, and it is no supplier of its own.
        came = came_in_of(trader)
        sellers = sums_table(came, "Sellers whose deliveries came in", saved="save" in request.GET)
        return page_with_tables(request, "custody/suppliers.html", {"sellers": sellers}, {"span": came.span})
    shown = {one.name: one for one in tables(found.overview)}
    named = {name: _named(shown[key], name, caption) for key, (name, caption) in _SHOWN.items()}
    context = {
        # Drawn by us: names of counties in it are escaped where it is drawn.
        "map": mark_safe(county_map(found.overview.counties, shaded=True)),  # noqa: S308 - drawn by us, names escaped
        "reports_without": found.without,
    }
    reports = table_of(
        SupplierReportView,
        found.reports,
        name="reports",
        only=("name", "crop", "harvest_year", "county", "bought_bu", "reported_bu", "ci_g_per_bu", "version", "label"),
        caption="Reports behind what you bought",
        cells={
            "name": lambda one: Cell(one.name, note=one.farm),
            "crop": lambda one: Cell(words(one.crop)),
            "county": lambda one: Cell(one.county or "not recorded"),
        },
    )
    return page_with_tables(request, "custody/suppliers.html", {"reports": reports, **named}, context)


def _named(table: Table, name: str, caption: str) -> Table:
    columns = [replace(one, label=one.label[:1].upper() + one.label[1:]) for one in table.columns]
    rows = [[replace(one, text=said_plainly(one.text), saved=one.in_file) for one in row] for row in table.cells]
    return replace(table, name=name, caption=caption, columns=columns, rows=rows, empty=f"{caption}: none.")


# What to look at, what to keep until when, and the manual of the documented system.


@require_GET
@trader_view()
def custody_checks(request: PersonRequest, trader: CustodyContext) -> HttpResponseBase:
    """List alerts, most bushels at stake first, each with the page on which it is settled; those alike stand once."""
    columns = heads("About", "What", numeric("Bushels at stake"))
    rows: list[Row] = [
        [
            # The entry that raised it, or the page for its kind.
            Cell(
                words(str(alert.kind)),
                at(trader, "custody_movement", id=alert.event)
                if alert.event
                else at(trader, f"custody_{alert.kind.page}"),
            ),
            Cell(said_plainly(alert.said), saved=alert.said, note=f"{times} times" if times > 1 else ""),
            show(alert.bushels, group=True) if alert.bushels else "",
        ]
        for alert, times in Counter(checks.alerts(trader)).items()
    ]
    table = Table("alerts", columns, rows, caption="Worth a look", empty="Nothing to look at today.")
    audited = trading_roles(trader.organisation)
    yearly = yearly_said(cycle_of(trader.organisation, trader.today)) if audited else None
    return page_with_tables(request, "custody/checks.html", {"alerts": table}, {"yearly": yearly})


@require_GET
@trader_view()
def custody_retention(request: PersonRequest, trader: CustodyContext) -> HttpResponseBase:
    """List what must be kept until when, newest first, a page at a time (2100.030(d))."""
    page = Paginator(checks.retention(trader), rows_wanted(request)).get_page(request.GET.get("page"))
    table = table_of(
        KeepView,
        page.object_list,
        name="retention",
        only=("day", "type", "until", "may_go"),
        caption="Documents to keep",
        empty="No movement yet, so there is nothing to keep.",
        cells={
            "type": lambda one: Cell(
                words(one.type), at(trader, "custody_movement", id=one.movement), note=one.movement
            ),
            "until": lambda one: Cell(str(one.until) if one.until else "In stock: the years have not begun"),
            "may_go": lambda one: Cell("Yes" if one.may_go else "No"),
        },
    )
    return page_with_tables(request, "custody/retention.html", {"kept": table}, {"page": page})


@require_GET
@trader_view()
def custody_manual(request: PersonRequest, trader: CustodyContext) -> HttpResponseBase:
    """Give the manual of the documented system as a file (2100.032(a))."""
    del request
    name, text = checks.manual(trader)
    return download(text, f"{checks.MANUAL_TYPE}; charset=utf-8", name)


# Contracts about deliveries and what is still to deliver.


@require_GET
@trader_view()
def custody_deliveries(request: PersonRequest, trader: CustodyContext) -> HttpResponseBase:
    """List contracts about deliveries."""
    day = day_in(request.GET.get("on", "")) or trader.today
    with READER.reading() as store:
        store.know_steps(trader.id)
        store.know_events(trader.id)
        found = deliveries(store, trader.id, day)
    contracts = table_of(
        ContractDeliveryView, found, name="deliveries", caption=f"Contracts about deliveries on {day}",
        only=("contract", "partner", "form", "unit", "agreed_amount", "delivered_amount", "left_amount", "first",
              "last", "ci_min_g_per_bu", "ci_max_g_per_bu", "overdue"),
        empty="No contract is about deliveries. Put its amount on file with the contract.",
        cells={
            "partner": lambda one: party_cell(trader.partners, one.partner),
            "form": lambda one: Cell(words(one.form)),
            "overdue": lambda one: Cell("Overdue" if one.overdue else ""),
        },
    )  # fmt: skip
    return page_with_tables(request, "custody/deliveries.html", {"contracts": contracts}, {})
