"""What to look at, what to keep until when, and the manual of the documented system."""

from collections import Counter
from collections.abc import Mapping
from typing import Final

from django.core.paginator import Paginator
from django.http import HttpResponseBase
from django.views.decorators.http import require_GET

from provender.custody.queries.alerts import Alert, AlertKind
from provender.paper.table import table_of
from provender.quantity import show
from provender.services.audits.days_said import yearly_said
from provender.services.audits.standing import cycle_of, trading_roles
from provender.services.custody import checks
from provender.services.custody.context import CustodyContext
from provender.services.custody.views import KeepView
from provender.web.access import PersonRequest
from provender.web.custody.forms import words
from provender.web.custody.pages.context import at, at_desk
from provender.web.download import download
from provender.web.tables import Cell, Column, Table, page_with_tables, rows_wanted
from provender.web.words import said_plainly

SETTLED_AT: Final[Mapping[AlertKind, str]] = {
    AlertKind.CLAIMS_WITHOUT_GRAIN: "custody_grain",
    AlertKind.DAILY_SHORTFALL: "custody_grain",
    AlertKind.CLAIMS_SOLD_BEYOND_SHIPMENTS: "custody_grain",
    AlertKind.OUTGOING_OVER_INCOMING: "custody_periods",
    AlertKind.IMPLAUSIBLE_YIELD: "custody_movements",
    AlertKind.NO_CONVERSION_RECORDS: "custody_movements",
    AlertKind.BATCH_OUT_OF_DAYS: "custody_movements",
    AlertKind.FUEL_FIGURE: "custody_movements",
    AlertKind.PURCHASE_BEFORE_SLIP: "custody_movements",
    AlertKind.CAMPAIGN_BEYOND_PRODUCT: "custody_movements",
    AlertKind.MIX_CHANGED: "custody_periods",
    AlertKind.INCOMING_JUMPED: "custody_periods",
    AlertKind.CIRCULAR_TRADE: "custody_movements",
    AlertKind.NO_CONTRACT: "custody_partners",
    AlertKind.NO_VERIFICATION: "custody_partners",
    AlertKind.VERIFICATION_LAPSES: "custody_partners",
    AlertKind.PERIOD_ENDS: "custody_periods",
    AlertKind.PERIOD_OVERDUE: "custody_periods",
    AlertKind.PERIOD_DECLARED_LATE: "custody_periods",
    AlertKind.PENDING_DUE: "custody_incoming",
    AlertKind.REPORT_CHANGED: "custody_movements",
    AlertKind.IN_DISPUTE: "custody_movements",
    AlertKind.OTHER_NAME_ON_TICKET: "custody_grain",
    AlertKind.CLOSED_SITE: "custody_partners",
}
"""The page on which a keeper does something about an alert."""


def _settled_at(desk: CustodyContext, alert: Alert) -> str:
    """Return the address of the entry that raised an alert, or of the page for its kind."""
    return at(desk, "custody_movement", id=alert.event) if alert.event else at(desk, SETTLED_AT[alert.kind])


@require_GET
@at_desk()
def custody_checks(request: PersonRequest, desk: CustodyContext) -> HttpResponseBase:
    """List alerts, most bushels at stake first, each with the page on which it is settled; those alike stand once."""
    columns = [Column("About"), Column("What"), Column("Bushels at stake", number=True)]
    rows = [
        [
            Cell(words(str(alert.kind)), _settled_at(desk, alert)),
            Cell(said_plainly(alert.said), saved=alert.said, note=f"{times} times" if times > 1 else ""),
            Cell(show(alert.bushels, group=True) if alert.bushels else ""),
        ]
        for alert, times in Counter(checks.alerts(desk)).items()
    ]
    table = Table("alerts", columns, rows, caption="Worth a look", empty="Nothing to look at today.")
    audited = trading_roles(desk.organisation)
    yearly = yearly_said(cycle_of(desk.organisation, desk.today)) if audited else None
    return page_with_tables(request, "custody/checks.html", {"alerts": table}, {"yearly": yearly})


@require_GET
@at_desk()
def custody_retention(request: PersonRequest, desk: CustodyContext) -> HttpResponseBase:
    """List what must be kept until when, newest first, a page at a time (2100.030(d))."""
    page = Paginator(checks.retention(desk), rows_wanted(request)).get_page(request.GET.get("page"))
    table = table_of(
        KeepView,
        page.object_list,
        name="retention",
        only=("day", "type", "until", "may_go"),
        caption="Documents to keep",
        empty="No movement yet, so there is nothing to keep.",
        cells={
            "type": lambda one: Cell(words(one.type), at(desk, "custody_movement", id=one.movement), note=one.movement),
            "until": lambda one: Cell(str(one.until) if one.until else "In stock: the years have not begun"),
            "may_go": lambda one: Cell("Yes" if one.may_go else "No"),
        },
    )
    return page_with_tables(request, "custody/retention.html", {"kept": table}, {"page": page})


@require_GET
@at_desk()
def custody_manual(request: PersonRequest, desk: CustodyContext) -> HttpResponseBase:
    """Give the manual of the documented system as a file (2100.032(a))."""
    del request
    name, text = checks.manual(desk)
    return download(text, f"{checks.MANUAL_TYPE}; charset=utf-8", name)
