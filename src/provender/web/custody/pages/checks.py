"""What to look at, what to keep until when, and the manual of the documented system."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final, TypeVar

from django.core.cache import cache
from django.core.paginator import Paginator
from django.http import HttpResponseBase
from django.urls import reverse
from django.views.decorators.http import require_GET

from provender.custody.queries.alerts import Alert, AlertKind, alerts
from provender.custody.queries.manual import manual
from provender.custody.queries.retention import Keep, retention
from provender.database.models import LogRow
from provender.database.store.custody_lists import steps_watermark
from provender.database.store.custody_rows import POSTED
from provender.database.store.custody_view import SqlFacts
from provender.quantity import show
from provender.web.access import PersonRequest
from provender.web.custody.forms import words
from provender.web.custody.pages.context import READER, CustodyContext, at_desk
from provender.web.custody.pages.movements import movement_address
from provender.web.download import download
from provender.web.tables import Cell, Column, Table, page_with_tables, rows_wanted

KEPT_SECONDS: Final = 3600
MANUAL_TYPE: Final = "text/markdown"
T = TypeVar("T")
SETTLED_AT: Final[Mapping[AlertKind, str]] = {
    AlertKind.CLAIMS_WITHOUT_GRAIN: "custody_grain",
    AlertKind.CLAIMS_SOLD_BEYOND_SHIPMENTS: "custody_grain",
    AlertKind.OUTGOING_OVER_INCOMING: "custody_periods",
    AlertKind.IMPLAUSIBLE_YIELD: "custody_movements",
    AlertKind.CAMPAIGN_BEYOND_PRODUCT: "custody_movements",
    AlertKind.MIX_CHANGED: "custody_periods",
    AlertKind.INCOMING_JUMPED: "custody_periods",
    AlertKind.CIRCULAR_TRADE: "custody_movements",
    AlertKind.NO_CONTRACT: "custody_partners",
    AlertKind.NO_VERIFICATION: "custody_partners",
    AlertKind.VERIFICATION_LAPSES: "custody_partners",
    AlertKind.PERIOD_ENDS: "custody_periods",
    AlertKind.PERIOD_OVERDUE: "custody_periods",
    AlertKind.PENDING_DUE: "custody_incoming",
    AlertKind.REPORT_CHANGED: "custody_movements",
    AlertKind.OTHER_NAME_ON_TICKET: "custody_grain",
}
"""The page on which a keeper does something about an alert."""


def _kept(desk: CustodyContext, what: str, mark: int | str, compute: Callable[[SqlFacts], T]) -> T:
    """Return what was computed from the whole of a party's book, again only when something changed."""
    name = f"custody-{what}-{desk.id}-{mark}-{desk.today}"
    found: T | None = cache.get(name)
    if found is None:
        with READER.reading() as facts:
            found = compute(facts)
        cache.set(name, found, KEPT_SECONDS)
    return found


def alerts_of(desk: CustodyContext) -> list[Alert]:
    """Return what to look at today, those with most bushels at stake first."""

    def look(facts: SqlFacts) -> list[Alert]:
        facts.know_steps(desk.id)  # every sum over periods asks for them anew
        return list(alerts(facts, desk.entity, desk.today))

    found = _kept(desk, "alerts", touched(desk), look)
    return sorted(found, key=lambda one: -one.bushels)


def touched(desk: CustodyContext) -> str:
    """Return a mark that moves with everything posted that names the party, moves lots it had, or may touch anybody.

    Contracts, tickets and statements raise and end alerts too, and make no step of their own: the log has them. What
    others trade among themselves does not move it.
    """
    named = LogRow.objects.filter(organisation=desk.access.organisation, deed=POSTED)
    everybody = LogRow.objects.filter(organisation=None, deed=POSTED)
    last = [rows.order_by("-id").values_list("id", flat=True).first() or 0 for rows in (named, everybody)]
    return f"{last[0]}-{last[1]}-{steps_watermark(desk.id)}"


def _settled_at(desk: CustodyContext, one: Alert) -> str:
    """Return the address of the entry that raised an alert, or of the page for its kind."""
    return movement_address(desk, one.event) if one.event else reverse(SETTLED_AT[one.kind], args=(desk.id,))


@require_GET
@at_desk()
def custody_checks(request: PersonRequest, desk: CustodyContext) -> HttpResponseBase:
    """List alerts, most bushels at stake first, each with the page on which it is settled; those alike stand once."""
    columns = [Column("About"), Column("What"), Column("Bushels at stake", number=True)]
    rows = [
        [
            Cell(words(str(one.kind)), _settled_at(desk, one)),
            Cell(one.said, note=f"{times} times" if times > 1 else ""),
            Cell(show(one.bushels, group=True) if one.bushels else ""),
        ]
        for one, times in Counter(alerts_of(desk)).items()
    ]
    table = Table("alerts", columns, rows, caption="Worth a look", empty="Nothing to look at today.")
    return page_with_tables(request, "custody/checks.html", {"alerts": table}, {})


def retention_of(desk: CustodyContext) -> list[Keep]:
    """Return what must be kept until when, newest first (2100.030(d))."""
    kept: list[Keep] = _kept(
        desk, "retention", steps_watermark(desk.id), lambda facts: retention(facts.steps(desk.id), desk.id)
    )
    return kept[::-1]


@require_GET
@at_desk()
def custody_retention(request: PersonRequest, desk: CustodyContext) -> HttpResponseBase:
    """List what must be kept until when, newest first, a page at a time (2100.030(d))."""
    page = Paginator(retention_of(desk), rows_wanted(request)).get_page(request.GET.get("page"))
    columns = [Column("Day"), Column("Movement"), Column("Keep until"), Column("May go")]
    rows = [
        [
            Cell(str(one.day)),
            Cell(words(one.type), movement_address(desk, one.movement), note=one.movement),
            Cell(str(one.until) if one.until else "In stock: the years have not begun"),
            Cell("Yes" if one.may_go(desk.today) else "No"),
        ]
        for one in page.object_list
    ]
    empty = "No movement yet, so there is nothing to keep."
    table = Table("retention", columns, rows, caption="Documents to keep", empty=empty)
    return page_with_tables(request, "custody/retention.html", {"kept": table}, {"page": page})


@require_GET
@at_desk()
def custody_manual(request: PersonRequest, desk: CustodyContext) -> HttpResponseBase:
    """Give the manual of the documented system as a file (2100.032(a))."""
    del request
    name, text = manual_of(desk)
    return download(text, f"{MANUAL_TYPE}; charset=utf-8", name)


def manual_of(desk: CustodyContext) -> tuple[str, str]:
    """Return the manual as of today: the name of its file, and its text."""
    with READER.reading() as facts:
        return f"chain-of-custody-{desk.today}.md", manual(facts, desk.entity, desk.today)
