"""The links of an organisation's pages, by role and right; and what every template knows."""

from typing import Final, NamedTuple

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from provender.catalog.places import SPOKEN
from provender.database.choices import Role
from provender.services.accounts.access import Access, To
from provender.services.custody.context import TRADING
from provender.web.access import is_open


class Link(NamedTuple):
    """One entry of the menu."""

    label: str  # what it says
    view: str  # the name of the view; it takes the organisation's handle
    roles: tuple[Role, ...] = ()  # the roles that have it; empty for all
    needs: To = "read"  # the right that shows it
    also: tuple[str, ...] = ()  # names of further views under which the entry is marked as current
    group: str = ""  # under which heading it stands; empty above all of them
    icon: str = ""  # the name of its drawing in ``ICONS``


RECORDS, _RESULTS, _TRADE, BOOKS, CHECKED, _ACCOUNT = "Records", "Results", "Trade", "Books", "Checked", "Account"
ICONS: Final = {
    "home": "M3 9l6-6 6 6M5 8v7h8V8",
    "book": "M4 3h9a1 1 0 0 1 1 1v11H5a1 1 0 0 1-1-1zM7 6h4M7 9h4",
    "map": "M3 4l4-1 4 2 4-1v10l-4 1-4-2-4 1zM7 3v10M11 5v10",
    "lanes": "M3 5h12M3 9h12M3 13h12M6 3v4M11 7v4M8 11v4",
    "phone": "M6 2h6v14H6zM8 13.5h2",
    "photo": "M3 6h3l1-2h4l1 2h3v8H3zM9 12a2 2 0 1 0 0-4 2 2 0 0 0 0 4",
    "up": "M9 12V4M6 7l3-3 3 3M3 14h12",
    "bars": "M4 15V9M9 15V4M14 15v-8",
    "plan": "M4 5h10M4 9h10M4 13h10M7 3v4M11 7v4M6 11v4",
    "paper": "M5 3h6l3 3v9H5zM8 9h4M8 12h4",
    "out": "M3 9h10M9 5l4 4-4 4M15 4v10",
    "in": "M15 9H5M9 5L5 9l4 4M3 4v10",
    "people": "M7 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5M2 15c0-3 2-5 5-5s5 2 5 5M12 4a2 2 0 0 1 0 4M13 10c2 1 3 3 3 5",
    "chain": "M4 9a2 2 0 1 0 0 .1M14 4a2 2 0 1 0 0 .1M14 14a2 2 0 1 0 0 .1M6 8l6-3M6 10l6 3",
    "check": "M3 9l4 4 8-9",
    "eye": "M2 9c2-4 5-5 7-5s5 1 7 5c-2 4-5 5-7 5s-5-1-7-5zM9 11a2 2 0 1 0 0-4 2 2 0 0 0 0 4",
    "key": "M11 7a3 3 0 1 0-2.5 3L15 15M12.5 12.5L11 14",
    "bell": "M4 13h10l-1.5-2V8a3.5 3.5 0 0 0-7 0v3zM7.5 15.5h3",
    "more": "M4 9h.1M9 9h.1M14 9h.1",
}
"""Line drawings of 18 units, drawn in the colour of the text."""
AUDITED: Final = tuple(role for role in Role if role is not Role.VERIFIER)
_LED: Final = (
    "audit_accreditation", "audit_key", "audit", "audit_sample", "audit_work", "audit_package", "audit_package_work",
    "audit_result", "audit_findings", "audit_finding", "audit_engagement", "audit_statement",
)  # fmt: skip
"""Pages of one audit."""

LINKS: Final[tuple[Link, ...]] = (
    Link("Overview", "organisation", icon="home"),
    Link("Farm records", "farm", (Role.FARM,), also=("farm_claims", "farm_crop", "farm_exchange", "farm_records",
         "farm_kind", "farm_row", "farm_row_remove", "farm_row_put_back"), group=RECORDS, icon="book"),
    Link("Map", "farm_map", (Role.FARM,), also=("farm_draw",), group=RECORDS, icon="map"),
    Link("Season", "farm_season", (Role.FARM,), group=RECORDS, icon="lanes"),
    Link("In the field", "farm_field", (Role.FARM,), needs="write", group=RECORDS, icon="phone"),
    Link("Evidence", "farm_evidence", (Role.FARM,), group=RECORDS, icon="photo"),
    Link("Upload files", "farm_imports", (Role.FARM,), also=("farm_import",), group=RECORDS,
         icon="up"),
    Link("To do", "farm_todo", (Role.FARM,), group=_RESULTS, icon="check"),
    Link("Carbon intensity", "farm_intensity", (Role.FARM,), group=_RESULTS, icon="bars"),
    Link("Plan", "farm_plan", (Role.FARM,), group=_RESULTS, icon="plan"),
    Link("Reports", "farm_reports", (Role.FARM,), also=("farm_report", "farm_key"), group=_RESULTS, icon="paper"),
    Link("Sales", "farm_sales", (Role.FARM,), group=_TRADE, icon="out"),
    Link("Incoming", "custody_incoming", TRADING, group=_TRADE, icon="in",
         also=("custody_came_in", "custody_receive", "custody_tickets")),
    Link("Stock", "custody_stock", TRADING, also=("custody_lots", "custody_grain"), group=_TRADE, icon="bars"),
    Link("Sales", "custody_sales", TRADING,
         also=("custody_document", "custody_deliveries", "custody_notices", "custody_notice"),
         group=_TRADE, icon="out"),
    Link("Periods", "custody_periods", TRADING,
         also=("custody_period", "custody_statement", "custody_day", "custody_balance", "custody_figures"),
         group=_TRADE, icon="lanes"),
    Link("Movements", "custody_movements", TRADING, also=("custody_movement", "custody_enter", "custody_consent"),
         group=BOOKS,
         icon="book"),
    Link("Partners and sites", "custody_partners", TRADING, group=BOOKS, icon="people"),
    Link("Signing key", "custody_key", TRADING, group=BOOKS, icon="key"),
    Link("Suppliers", "custody_suppliers", TRADING, group=CHECKED, icon="bars"),
    Link("Trace", "custody_trace", TRADING, group=CHECKED, icon="chain"),
    Link("Checks", "custody_checks", TRADING, also=("custody_retention",), group=CHECKED, icon="check"),
    Link("Audits", "audits", (Role.VERIFIER,), also=_LED, icon="check"),
    Link("Audits of us", "audits_of_us", AUDITED, also=("audit_of_us", "audit_of_us_finding"), group=CHECKED,
         icon="eye"),
    Link("Members", "members", also=("member",), group=_ACCOUNT, icon="people"),
    Link("Verifier access", "grants", group=_ACCOUNT, icon="key"),
    Link("Reviewers", "reviewers", also=("review",), group=_ACCOUNT, icon="eye"),
    Link("Notices", "notices", also=("hooks",), group=_ACCOUNT, icon="bell"),
    Link("Log", "log", group=_ACCOUNT, icon="book"),
    Link("Transparency log", "transparency", group=_ACCOUNT, icon="chain"),
    Link("API tokens", "tokens", needs="manage", group=_ACCOUNT, icon="key"),
    Link("Settings", "organisation_settings", needs="manage", group=_ACCOUNT, icon="plan"),
)  # fmt: skip
SLOTS: Final = ("organisation", "farm", "custody_stock", "audits", "farm_field", "farm_todo", "farm_evidence",
                "custody_incoming", "farm_reports", "custody_sales")  # fmt: skip
"""Entries of the bar at the foot of a phone, for whoever has them; the whole menu is the last."""
_MOST_SLOTS: Final = 4


def title_of(view: str) -> str:
    """Return under which entry of the menu a page stands; the view's own name in words where it stands under none."""
    found = next((link.label for link in LINKS if view in (link.view, *link.also)), "")
    return found or view.replace("_", " ")


class Entry(NamedTuple):
    """One link as the page shows it."""

    label: str
    href: str
    current: bool
    icon: str
    view: str


class Group(NamedTuple):
    """Entries under one heading; the first group has none."""

    label: str
    entries: list[Entry]


def menu(access: Access, view: str) -> list[Group]:
    held = {row.role for row in access.organisation.roles.all()}
    groups: dict[str, list[Entry]] = {}
    for link in LINKS:
        if (link.roles and not held & set(link.roles)) or not _shown(access, link.needs):
            continue
        href, current = reverse(link.view, args=(access.organisation.handle,)), view in (link.view, *link.also)
        if not is_open(access, href):
            continue
        groups.setdefault(link.group, []).append(Entry(link.label, href, current, ICONS[link.icon], link.view))
    return [Group(label, entries) for label, entries in groups.items()]


def bar(groups: list[Group]) -> list[Entry]:
    """Return the entries for the foot of a phone: those that are used in the field and at the scale."""
    known = {entry.view: entry for group in groups for entry in group.entries}
    return [known[view] for view in SLOTS if view in known][:_MOST_SLOTS]


ANY_FARM: Final = "FARM"
"""Stands in an address for the farm that is chosen on the phone."""


def bar_in_the_field() -> list[Entry]:
    """Return the bar of a farm for the page of the field, which is kept on phones and knows no farm itself."""
    here = "farm_field"
    known = {link.view: link for link in LINKS if not link.roles or Role.FARM in link.roles}
    return [
        Entry(link.label, reverse("field") if view == here else reverse(view, args=(ANY_FARM,)), view == here,
              ICONS[link.icon], view)
        for view in [one for one in SLOTS if one in known][:_MOST_SLOTS] for link in (known[view],)
    ]  # fmt: skip


def _shown(access: Access, needs: To) -> bool:
    if needs == "manage":
        return access.may_manage
    return needs == "read" or access.may_write


def for_page(request: HttpRequest) -> dict[str, object]:
    """Give templates the access and its menu, where there is one."""
    access = getattr(request, "access", None)
    if access is None:
        return {
            "site_open": lambda: get_adapter().is_open_for_signup(request),
            "mail_works": settings.MAIL_WORKS,
        }
    match = request.resolver_match
    groups = menu(access, match.view_name if match else "")
    return {
        "access": access,
        "organisation": access.organisation,
        "zone": SPOKEN[timezone.get_current_timezone_name()],
        "menu": groups,
        "bar": bar(groups),
        "more_icon": ICONS["more"],
    }
