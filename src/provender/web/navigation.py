"""The links of an organisation's pages, by role and right; and what every template knows."""

from typing import Final, NamedTuple

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse

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


LINKS: Final[tuple[Link, ...]] = (
    Link("Overview", "organisation"),
    Link("Farm records", "farm", (Role.FARM,), also=("farm_crop", "farm_records", "farm_kind", "farm_row")),
    Link("Season", "farm_season", (Role.FARM,)),
    Link("Carbon intensity", "farm_intensity", (Role.FARM,)),
    Link("Plan", "farm_plan", (Role.FARM,)),
    Link("Members", "members", also=("member",)),
    Link("Verifier access", "grants"),
    Link("Log", "log"),
    Link("API tokens", "tokens", needs="manage"),
    Link("Settings", "organisation_settings", needs="manage"),
)


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
        "menu": menu(access, match.view_name if match else ""),
    }
