"""Where a person can go: the organisations they work for, and those that they may look into as a verifier today."""

from datetime import date

from provender.database.models import Membership, Person, ReadGrant
from provender.services.accounts.views import GrantView, PlaceView, grant_view, place_view
from provender.services.farm.next_steps import state_of


def places_of(person: Person) -> list[PlaceView]:
    """Return the organisations a person works for, by name."""
    held = Membership.objects.filter(person=person).select_related("organisation", "on_behalf_of")
    rows = held.prefetch_related("organisation__roles").order_by("organisation__name")
    return list(map(place_view, rows))


def states_of(person: Person) -> dict[str, str]:
    """Return by code how far the records of each client of a consultant are."""
    held = Membership.objects.filter(person=person).exclude(on_behalf_of=None).select_related("organisation")
    return {one.organisation.handle: state_of(one.organisation) for one in held}


def visits_of(person: Person, day: date) -> list[GrantView]:
    """Return the grants through which a person of a verifier may look into others on a day, by their names."""
    grants = ReadGrant.objects.filter(
        verifier__memberships__person=person, revoked_at=None, first_day__lte=day, last_day__gte=day
    )
    return list(map(grant_view, grants.select_related("audited", "verifier").order_by("audited__name")))
