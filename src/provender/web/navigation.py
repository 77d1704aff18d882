"""The links of an organisation's pages, by role and right; and what every template knows."""

from typing import Final, NamedTuple

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from provender.catalog.time_zones import SPOKEN
from provender.database.models import Role
from provender.web.access import Access, To


class Link(NamedTuple):
    """One entry of the menu.

    Attributes:
        label: what it says.
        view: the name of the view; it takes the organisation's handle.
        roles: the roles that have it; empty for all.
        needs: the right that shows it.
        also: names of further views under which the entry is marked as current.
    """

    label: str
    view: str
    roles: tuple[Role, ...] = ()
    needs: To = "read"
    also: tuple[str, ...] = ()


TRADING: Final = (Role.FIRST_POINT, Role.INTERMEDIARY, Role.PROCESSOR, Role.REFINER)
"""Roles whose organisations have pages of the chain of custody."""
AUDITED: Final = tuple(role for role in Role if role is not Role.VERIFIER)
LED: Final = (
    "audit_accreditation", "audit_key", "audit", "audit_sample", "audit_work", "audit_package", "audit_package_work",
    "audit_result", "audit_findings", "audit_finding", "audit_statement",
)  # fmt: skip
"""Pages of one audit."""

LINKS: Final[tuple[Link, ...]] = (
    Link("Overview", "organisation"),
    Link("Farm records", "farm", (Role.FARM,), also=("farm_crop", "farm_records", "farm_kind", "farm_row")),
    Link("Evidence", "farm_evidence", (Role.FARM,)),
    Link("Map", "farm_map", (Role.FARM,), also=("farm_draw",)),
    Link("Upload files", "farm_imports", (Role.FARM,), also=("farm_import", "farm_import_row")),
    Link("Season", "farm_season", (Role.FARM,)),
    Link("Carbon intensity", "farm_intensity", (Role.FARM,)),
    Link("Plan", "farm_plan", (Role.FARM,)),
    Link("Reports", "farm_reports", (Role.FARM,), also=("farm_report", "farm_key")),
    Link("Sales", "farm_sales", (Role.FARM,)),
    Link("Stock", "custody_stock", TRADING, also=("custody_lots", "custody_grain")),
    Link("Incoming", "custody_incoming", TRADING, also=("custody_receive", "custody_tickets", "custody_settlements")),
    Link("Sales", "custody_sales", TRADING, also=("custody_document",)),
    Link("Movements", "custody_movements", TRADING, also=("custody_movement", "custody_enter")),
    Link("Periods", "custody_periods", TRADING, also=("custody_period", "custody_statement")),
    Link("Partners and sites", "custody_partners", TRADING),
    Link("Trace", "custody_trace", TRADING),
    Link("Checks", "custody_checks", TRADING, also=("custody_retention",)),
    Link("Audits", "audits", (Role.VERIFIER,), also=LED),
    Link("Audits of us", "audits_of_us", AUDITED, also=("audit_of_us", "audit_of_us_finding")),
    Link("Members", "members", also=("member",)),
    Link("Verifier access", "grants"),
    Link("Log", "log"),
    Link("API tokens", "tokens", needs="manage"),
    Link("Settings", "organisation_settings", needs="manage"),
)


def title_of(view: str) -> str:
    """Return under which entry of the menu a page stands; the view's own name in words where it stands under none."""
    found = next((link.label for link in LINKS if view in (link.view, *link.also)), "")
    return found or view.replace("_", " ")


class Entry(NamedTuple):
    """One link as the page shows it."""

    label: str
    href: str
    current: bool


def menu(access: Access, view: str) -> list[Entry]:
    """Return the menu of an organisation for somebody who stands in its door."""
    held = {row.role for row in access.organisation.roles.all()}
    return [
        Entry(link.label, reverse(link.view, args=(access.organisation.handle,)), view in (link.view, *link.also))
        for link in LINKS
        if (not link.roles or held & set(link.roles)) and _shown(access, link.needs)
    ]


def _shown(access: Access, needs: To) -> bool:
    if needs == "manage":
        return access.may_manage
    return needs == "read" or access.may_write


def for_page(request: HttpRequest) -> dict[str, object]:
    """Give templates the open door and its menu, where there is one."""
    access = getattr(request, "access", None)
    if access is None:
        return {
            "site_open": lambda: get_adapter().is_open_for_signup(request),
            "mail_works": settings.MAIL_WORKS,
        }
    match = request.resolver_match
    return {
        "access": access,
        "organisation": access.organisation,
        "zone": SPOKEN[timezone.get_current_timezone_name()],
        "menu": menu(access, match.view_name if match else ""),
    }
