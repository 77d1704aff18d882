"""Making an organisation, its overview, its settings and its log; one's own account."""

import re
from typing import Final

from allauth.mfa.utils import is_mfa_enabled
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods

from provender.database.actor import Actor
from provender.database.actor import today as today_here
from provender.database.models import LogRow, Role
from provender.services.accounts.organisations import change_organisation, create_organisation, describe
from provender.services.accounts.people import rename_person
from provender.services.expiry import endings
from provender.services.glance import KEY, price_of, tiles_of
from provender.web.access import Access, PersonRequest, of_organisation
from provender.web.inputs import OrganisationForm, PersonForm
from provender.web.navigation import title_of
from provender.web.organisation.next_steps import address, next_steps
from provender.web.tables import Cell, Column, Table, moment, page_with_tables, rows_wanted


@login_required
@require_http_methods(["GET", "POST"])
def new_organisation(request: PersonRequest) -> HttpResponseBase:
    """Make an organisation; its maker manages it."""
    form = OrganisationForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        organisation = create_organisation(
            data["name"],
            roles=[Role(role) for role in data["roles"]],
            county=data["county"],
            state=data["state"],
            manager=request.user,
            actor=Actor(request.user, "web"),
        )
        messages.success(request, f"{organisation} is ready. You manage it.")
        return redirect("organisation", organisation.handle)
    return render(request, "pages/organisation_new.html", {"form": form})


FIRST: Final = 3
"""Things to do that an overview names before it folds the others."""


@require_GET
@of_organisation("read")
def organisation_page(request: PersonRequest, access: Access) -> HttpResponseBase:
    """Show what the organisation is, what to do next and what happened last."""
    organisation = access.organisation
    latest = LogRow.objects.filter(organisation=organisation).select_related("actor").order_by("-id")[:6]
    price = price_of(request.GET.get(KEY, ""), request.session.get(KEY))
    if price is not None and KEY in request.GET:
        request.session[KEY] = price
    steps, day = next_steps(access), today_here()
    context = {
        "tiles": [(tile, address(access, tile)) for tile in tiles_of(access.organisation, price, day)],
        "endings": [(one, one.left(day), address(access, one)) for one in endings(organisation, day)],
        "price": price,
        "farm_prices": access.organisation.roles.filter(role=Role.FARM).exists(),
        "next_steps": steps,
        "first_steps": steps[:FIRST],
        "more_steps": steps[FIRST:],
        "latest": [(row, about_of(row)) for row in latest],
        "member_count": organisation.memberships.count(),
        "grant_count": organisation.grants_given.filter(revoked_at=None).count(),
    }
    return render(request, "pages/organisation.html", context)


@require_http_methods(["GET", "POST"])
@of_organisation("manage", to_post="manage")
def organisation_settings(request: PersonRequest, access: Access) -> HttpResponseBase:
    """Change name, place and roles."""
    form = OrganisationForm(request.POST or None, initial=describe(access.organisation))
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        change_organisation(
            access.organisation,
            name=data["name"],
            roles=[Role(role) for role in data["roles"]],
            county=data["county"],
            state=data["state"],
            actor=access.actor,
        )
        messages.success(request, "Saved.")
        return redirect("organisation", access.organisation.handle)
    return render(request, "pages/organisation_settings.html", {"form": form})


LOOK: Final = "look as verifier"
HASH: Final = re.compile(r"\b[0-9a-f]{64}\b")
COLUMNS: Final = (
    Column("When"),
    Column("Who"),
    Column("Did"),
    Column("About"),
    Column("Before"),
    Column("After"),
)


def _cell(value: object) -> Cell:
    """Show long hashes by their first digits; the saved file has them whole."""
    full = _plain(value)
    return Cell(HASH.sub(lambda found: f"{found[0][:12]}…", full), saved=full)


def _plain(value: object) -> str:
    if not isinstance(value, dict):
        return ""
    return "; ".join(
        f"{name.replace('_', ' ')}: {', '.join(map(str, one)) if isinstance(one, list) else one}"
        for name, one in value.items()
        if one not in ("", None)
    )


def about_of(row: LogRow) -> str:
    """Return what a deed was about, as people know it: of a verifier's look the page, not the name of its view."""
    return title_of(row.about) if row.deed == LOOK else row.about


def _row(row: LogRow) -> list[Cell]:
    return [
        Cell(moment(row.at)),
        Cell(str(row.actor) if row.actor else "provender", note=row.via),
        Cell(row.deed),
        Cell(about_of(row), saved=row.about or None),
        _cell(row.old),
        _cell(row.new),
    ]


@require_GET
@of_organisation("read")
def log(request: PersonRequest, access: Access) -> HttpResponseBase:
    """Show the log, newest first, a page at a time; saving takes all of it."""
    rows = LogRow.objects.filter(organisation=access.organisation).select_related("actor").order_by("-id")
    page = Paginator(rows, rows_wanted(request)).get_page(request.GET.get("page"))
    table = Table("log", COLUMNS, [_row(row) for row in page.object_list], empty="Nothing has happened yet.")
    return page_with_tables(request, "pages/log.html", {"log": table}, {"page": page})


@login_required
@require_http_methods(["GET", "POST"])
def account(request: PersonRequest) -> HttpResponseBase:
    """Show the account and change the name."""
    form = PersonForm(request.POST or None, initial={"name": request.user.name})
    if request.method == "POST" and form.is_valid():
        rename_person(request.user, form.cleaned_data["name"], actor=Actor(request.user, "web"))
        messages.success(request, "Saved.")
        return redirect("account")
    return render(request, "pages/account.html", {"form": form, "codes": is_mfa_enabled(request.user)})
