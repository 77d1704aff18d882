"""Making an organisation, its overview, its settings and its log; one's own account."""

import re
from collections.abc import Sequence
from itertools import groupby
from typing import Any, Final

from allauth.mfa.utils import is_mfa_enabled
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.formats import date_format
from django.views.decorators.http import require_GET, require_http_methods

from provender.database.actor import Actor, today
from provender.database.actor import today as today_here
from provender.database.choices import Area, Role
from provender.paper.tables import Cell, Row, Table, heads
from provender.services.accounts import organisations
from provender.services.accounts.access import Access, deeds_in
from provender.services.accounts.views import GrantView, LogView, PlaceView, log_view
from provender.services.clients import Progress, audits_of, places_by_need, reviews_of, visits_of
from provender.services.dashboard import KEY, dollars, endings, keep_price, price_of, tiles_of
from provender.services.refused import MissingError
from provender.services.search import search
from provender.web.access import PersonRequest, of_organisation
from provender.web.inputs import OrganisationForm, PersonForm, attempt
from provender.web.organisation import deeds
from provender.web.tables import moment, page_with_tables, rows_wanted


@login_required
@require_http_methods(["GET", "POST"])
def new_organisation(request: PersonRequest) -> HttpResponseBase:
    """Make an organisation; its maker manages it."""
    form = OrganisationForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        person = organisations.signed_in(request.user)
        by = Actor(person, "web")
        organisation = attempt(
            form, lambda: organisations.create_organisation(manager=person, actor=by, **_form_values(form))
        )
        if organisation is not None:
            messages.success(request, f"{organisation} is ready. You manage it.")
            return redirect("organisation", organisation.handle)
    return render(request, "pages/organisation_new.html", {"form": form})


def _form_values(form: OrganisationForm) -> dict[str, Any]:
    return {**form.cleaned_data, "roles": [Role(role) for role in form.cleaned_data["roles"]]}


_FIRST: Final = 3
"""Things to do that an overview names before it folds the others."""


@require_http_methods(["GET", "POST"])
@of_organisation("read", to_post="read", areas=tuple(Area))
def organisation_page(request: PersonRequest, access: Access) -> HttpResponseBase:
    """Show what the organisation is, what to do next and what happened last; a member's POST keeps their price.

    Raises:
        MissingError: who posts only visits.
        RefusedError: it is no price.
    """
    organisation = access.organisation
    if request.method == "POST":
        if access.membership is None:
            raise MissingError
        keep_price(access.membership, request.POST.get(KEY, ""))
        return redirect("organisation", organisation.handle)
    if access.review is not None:
        return redirect("review", organisation.handle)
    latest = map(log_view, deeds_in(organisation)[:6])
    price = price_of(access.membership)
    steps, day = deeds.next_steps(access), today_here()
    context = {
        "tiles": [(tile, deeds.address(access, tile)) for tile in tiles_of(access.organisation, price, day)],
        "endings": [(one, one.left(day), deeds.address(access, one)) for one in endings(organisation, day)],
        "price": "" if price is None else dollars(price),
        "farm_prices": access.membership is not None and organisation.roles.filter(role=Role.FARM).exists(),
        "next_steps": steps,
        "first_steps": steps[:_FIRST],
        "more_steps": steps[_FIRST:],
        "latest": [(row, deeds.deed_said(row.deed), deeds.latest_said(row)) for row in latest],
        "member_count": organisation.memberships.count(),
        "grant_count": organisation.grants_given.filter(revoked_at=None).count(),
    }
    return render(request, "pages/organisation.html", context)


@require_http_methods(["GET", "POST"])
@of_organisation("manage", to_post="manage")
def organisation_settings(request: PersonRequest, access: Access) -> HttpResponseBase:
    """Change name, place and roles."""
    form = OrganisationForm(request.POST or None, initial=organisations.describe(access.organisation))
    by = access.actor
    if request.method == "POST" and form.is_valid():
        changed = attempt(
            form, lambda: organisations.change_organisation(access.organisation, actor=by, **_form_values(form))
        )
        if changed is not None:
            messages.success(request, "Saved.")
            return redirect("organisation", access.organisation.handle)
    return render(request, "pages/organisation_settings.html", {"form": form})


_HASH: Final = re.compile(r"\b[0-9a-f]{64}\b")
COLUMNS: Final = heads("When", "Who", "Did", "About", "Before", "After")


def _cell(value: object) -> Cell:
    """Show long hashes by their first digits; the saved file has them whole."""
    return Cell(_HASH.sub(lambda found: f"{found[0][:12]}…", deeds.values_said(value)), saved=deeds.values_kept(value))


def _row(row: LogView) -> Row:
    return [
        Cell(moment(row.at), note="dated before its predecessor" if row.dated_before_predecessor else ""),
        Cell(row.actor or "provender", note=row.via),
        Cell(deeds.deed_said(row.deed), saved=row.deed),
        Cell(deeds.about_of(row), saved=row.about or None),
        _cell(row.old),
        _cell(row.new),
    ]


@require_GET
@of_organisation("read")
def log(request: PersonRequest, access: Access) -> HttpResponseBase:
    """Show the log, newest first, a page at a time; saving takes all of it."""
    page = Paginator(deeds_in(access.organisation), rows_wanted(request)).get_page(request.GET.get("page"))
    table = Table("log", COLUMNS, [_row(log_view(row)) for row in page.object_list], empty="Nothing has happened yet.")
    return page_with_tables(request, "pages/log.html", {"log": table}, {"page": page})


@login_required
@require_http_methods(["GET", "POST"])
def account(request: PersonRequest) -> HttpResponseBase:
    """Show the account and change the name."""
    person = organisations.signed_in(request.user)
    form = PersonForm(request.POST or None, initial={"name": person.name})
    if request.method == "POST" and form.is_valid():
        by = Actor(person, "web")
        if attempt(form, lambda: organisations.rename_person(person, form.cleaned_data["name"], actor=by)):
            messages.success(request, "Saved.")
            return redirect("account")
    return render(request, "pages/account.html", {"form": form, "codes": is_mfa_enabled(person)})


# Home: the organisations a person works for, and those a verifier may look into today.

CARDS: Final = 12
"""Up to so many organisations are cards; more are a table, which can be searched."""


def home(request: PersonRequest) -> HttpResponseBase:
    """Show where the person can go.

    Whoever has yet to sign in arrives where the sign-in leads by itself: the list may be of one place.
    """
    if not request.user.is_authenticated:
        return redirect("account_login")
    return _where_to_go(request)


@require_GET
def _where_to_go(request: PersonRequest) -> HttpResponseBase:
    day = today()
    person = organisations.signed_in(request.user)
    places, visits = places_by_need(person, day), visits_of(person, day)
    tables = {}
    if len(places) > CARDS:
        tables["places"] = _places(places)
    if len(visits) > CARDS:
        tables["visited"] = _visits_table(visits)
    shown = [
        (
            one,
            progress,
            [deeds.StepLink(deeds.address_at(one.handle, part), part.words, part.why) for part in progress.parts],
        )
        for one, progress in places
    ]
    context: dict[str, object] = {"memberships": shown, "visits": visits}
    context["by_need"] = sum(bool(progress.why) for _, progress in places) > 1
    context["reviews"] = reviews_of(person, day)
    context["audits"] = [
        (reverse(step.page, args=(verifier, *step.about)), step) for verifier, step in audits_of(person, day)
    ]
    return page_with_tables(request, "pages/home.html", tables, context)


def _link(name: str, handle: str) -> Cell:
    return Cell(name, reverse("organisation", args=(handle,)))


def _places(places: Sequence[tuple[PlaceView, Progress]]) -> Table:
    columns = heads("Organization", "Why it stands here", "What it needs first", "Role", "You may", "As consultant of")
    rows: list[Row] = [
        [_link(one.name, one.handle), Cell(progress.why, note=progress.at_stake), _state(one.handle, progress),
         ", ".join(one.roles), one.may, one.consultant_of]
        for one, progress in places
    ]  # fmt: skip
    return Table("where you work", columns, rows)


def _state(handle: str, progress: Progress) -> Cell:
    """Return what a client needs first, which leads to where that is done, with the rest in small below it."""
    if not progress.parts:
        return Cell("")
    first, *rest = progress.parts
    return Cell(first.words, deeds.address_at(handle, first), note=" · ".join(one.words for one in rest))


def _visits_table(visits: Sequence[GrantView]) -> Table:
    rows: list[Row] = [
        [_link(one.audited, one.code), one.purpose, one.verifier, date_format(one.last_day, "DATE_FORMAT")]
        for one in visits
    ]
    return Table("open to you", heads("Organization", "What for", "For", "Last day"), rows)


# The search of an organisation: what its menu offers, what may be done, and what it has, by a few letters.

_LONGEST: Final = 80


@require_GET
@of_organisation("read")
def organisation_search(request: PersonRequest, access: Access) -> HttpResponseBase:
    """Show what has the words asked for: pages first, then what may be done, fields, rows, lots and papers."""
    text = " ".join(request.GET.get("q", "")[:_LONGEST].split())
    found = search(access.organisation, text)
    groups = [
        (name, [(one, deeds.address(access, one)) for one in ones])
        for name, ones in groupby(found, lambda one: one.group)
    ]
    context = {
        "sought": text,
        "pages": deeds.pages_found(access, text),
        "doings": deeds.doings_found(access, text),
        "groups": groups,
    }
    return render(request, "pages/search.html", context)
