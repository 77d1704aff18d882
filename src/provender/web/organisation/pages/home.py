"""Home: the organisations a person works for, and those a verifier may look into today."""

from collections.abc import Sequence
from typing import Final

from django.contrib.auth.decorators import login_required
from django.http import HttpResponseBase
from django.urls import reverse
from django.utils.formats import date_format
from django.views.decorators.http import require_GET

from provender.database.actor import today
from provender.database.models import Membership, Organisation, ReadGrant
from provender.services.farm.next_steps import state_of
from provender.web.access import PersonRequest
from provender.web.tables import Cell, Column, Table, page_with_tables

CARDS: Final = 12
"""Up to so many organisations are cards; more are a table, which can be searched."""


@login_required
@require_GET
def home(request: PersonRequest) -> HttpResponseBase:
    """Show where the person can go."""
    day = today()
    memberships = list(
        Membership.objects.filter(person=request.user)
        .select_related("organisation", "on_behalf_of")
        .prefetch_related("organisation__roles")
        .order_by("organisation__name")
    )
    visits = list(
        ReadGrant.objects.filter(
            verifier__memberships__person=request.user, revoked_at=None, first_day__lte=day, last_day__gte=day
        )
        .select_related("audited", "verifier")
        .order_by("audited__name")
    )
    tables = {}
    if len(memberships) > CARDS:
        tables["places"] = _places(memberships)
    if len(visits) > CARDS:
        tables["doors"] = _doors(visits)
    return page_with_tables(
        request,
        "pages/home.html",
        tables,
        {"memberships": [(one, "" if tables.get("places") else _state(one)) for one in memberships], "visits": visits},
    )


def _state(membership: Membership) -> str:
    """Return how far a client's records are; nothing for an organisation of one's own."""
    return state_of(membership.organisation) if membership.on_behalf_of else ""


def _link(organisation: Organisation) -> Cell:
    return Cell(str(organisation), reverse("organisation", args=(organisation.handle,)))


def _places(memberships: Sequence[Membership]) -> Table:
    columns = [Column("Organization"), Column("Role"), Column("You may"), Column("As consultant of"), Column("State")]
    rows = [
        [
            _link(one.organisation),
            Cell(", ".join(str(role) for role in one.organisation.roles.all())),
            Cell(one.get_right_display()),
            Cell(str(one.on_behalf_of or "")),
            Cell(_state(one)),
        ]
        for one in memberships
    ]
    return Table("where you work", columns, rows)


def _doors(visits: Sequence[ReadGrant]) -> Table:
    columns = [Column("Organization"), Column("What for"), Column("For"), Column("Last day")]
    rows = [
        [
            _link(one.audited),
            Cell(one.purpose),
            Cell(str(one.verifier)),
            Cell(date_format(one.last_day, "DATE_FORMAT")),
        ]
        for one in visits
    ]
    return Table("open to you", columns, rows)
