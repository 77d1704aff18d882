"""Where a person can go: the organisations they work for, and those they may look into as verifier or reviewer."""

from datetime import date

from provender.database.choices import Role
from provender.database.models import Membership, Person, ReadGrant, Review
from provender.services.accounts.views import (
    GrantView,
    PlaceView,
    ReviewView,
    grant_view,
    place_view,
    review_view,
)
from provender.services.audits.next_steps import answers_to_judge, open_audits
from provender.services.clients import Progress, client_progress
from provender.services.steps import NextStep


def places_of(person: Person) -> list[PlaceView]:
    """Return the organisations a person works for, by name."""
    held = Membership.objects.filter(person=person).select_related("organisation", "on_behalf_of")
    rows = held.prefetch_related("organisation__roles").order_by("organisation__name")
    return list(map(place_view, rows))


def places_by_need(person: Person, day: date) -> list[tuple[PlaceView, Progress]]:
    """Return the organisations a person works for, each client with how far it is on a day, and where they go on.

    The clients of a consultant stand first, by what is most urgent, then one's own, all of them by name among equals.
    """
    held = Membership.objects.filter(person=person).exclude(on_behalf_of=None).select_related("organisation")
    clients = {one.organisation.handle: client_progress(one.organisation, day) for one in held}
    places = [(one, clients.get(one.handle, Progress())) for one in places_of(person)]
    return sorted(places, key=lambda each: (each[0].handle not in clients, each[1].order))


def audits_of(person: Person, day: date) -> list[tuple[str, NextStep]]:
    """Return what waits for a verifier a person works for: answers to judge, then open audits, each with its code."""
    held = Membership.objects.filter(person=person, organisation__roles__role=Role.VERIFIER)
    verifiers = [one.organisation for one in held.select_related("organisation").order_by("organisation__name")]
    return [
        (verifier.handle, step)
        for verifier in verifiers
        for step in (*answers_to_judge(verifier), *open_audits(verifier, day))
    ]


def visits_of(person: Person, day: date) -> list[GrantView]:
    """Return the grants through which a person of a verifier may look into others on a day, by their names."""
    grants = ReadGrant.objects.filter(
        verifier__memberships__person=person, revoked_at=None, first_day__lte=day, last_day__gte=day
    )
    return list(map(grant_view, grants.select_related("audited", "verifier").order_by("audited__name")))


def reviews_of(person: Person, day: date) -> list[ReviewView]:
    """Return what a person may review on a day, by the organisations' names."""
    reviews = Review.objects.filter(person=person, revoked_at=None, last_day__gte=day)
    return list(map(review_view, reviews.select_related("organisation", "person").order_by("organisation__name", "pk")))


def destinations(person: Person, day: date) -> list[str]:
    """Return the codes of the organisations that a person can go to on a day, each once."""
    ways = (
        *(one.handle for one in places_of(person)),
        *(one.code for one in visits_of(person, day)),
        *(one.code for one in reviews_of(person, day)),
    )
    return [*dict.fromkeys(ways)]
