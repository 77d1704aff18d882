"""Home: the organisations a person works for, and those a verifier may look into today."""

from collections.abc import Sequence
from typing import Final

from django.http import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.formats import date_format
from django.views.decorators.http import require_GET

from provender.database.actor import today
from provender.services.accounts.people import signed_in
from provender.services.accounts.views import GrantView, PlaceView
from provender.services.clients import Progress
from provender.services.places import audits_of, places_by_need, reviews_of, visits_of
from provender.web.access import PersonRequest
from provender.web.organisation.next_steps import StepLink, address_at
from provender.web.tables import Cell, Column, Table, page_with_tables

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
    person = signed_in(request.user)
    places, visits = places_by_need(person, day), visits_of(person, day)
    tables = {}
    if len(places) > CARDS:
        tables["places"] = _places(places)
    if len(visits) > CARDS:
        tables["doors"] = _doors(visits)
    shown = [
        (one, progress, [StepLink(address_at(one.handle, part), part.words, part.why) for part in progress.parts])
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
    columns = [
        Column("Organization"),
        Column("Why it stands here"),
        Column("What it needs first"),
        Column("Role"),
        Column("You may"),
        Column("As consultant of"),
    ]
    rows = [
        [
            _link(one.name, one.handle),
            Cell(progress.why, note=progress.at_stake),
            _state(one.handle, progress),
            Cell(", ".join(one.roles)),
            Cell(one.may),
            Cell(one.consultant_of),
        ]
        for one, progress in places
    ]
    return Table("where you work", columns, rows)


def _state(handle: str, progress: Progress) -> Cell:
    """Return what a client needs first, which leads to where that is done, with the rest in small below it."""
    if not progress.parts:
        return Cell("")
    first, *rest = progress.parts
    return Cell(first.words, address_at(handle, first), note=" · ".join(one.words for one in rest))


def _doors(visits: Sequence[GrantView]) -> Table:
    columns = [Column("Organization"), Column("What for"), Column("For"), Column("Last day")]
    rows = [
        [
            _link(one.audited, one.code),
            Cell(one.purpose),
            Cell(one.verifier),
            Cell(date_format(one.last_day, "DATE_FORMAT")),
        ]
        for one in visits
    ]
    return Table("open to you", columns, rows)
