"""Letting one person from outside read some of an organisation's pages for a time: a buyer's or authority's reviewer.

An organisation decides who, which areas and until when; the person comes by the link of an invitation, signs in as
anybody does, may write nothing, and sees no more than the areas named. Each look stands in the organisation's log.
"""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from provender.database.actor import Actor, today, write_log
from provender.database.choices import Area, Role
from provender.database.models import Invitation, Organisation, Review
from provender.services.accounts.access import owned
from provender.services.accounts.invitations import write_invitation
from provender.services.names import clean_line, clean_name
from provender.services.refused import check_not_past, refusal

LONGEST: Final = timedelta(days=366)
"""Nobody is let in for more than a year at once: access that nobody thinks of any more ends by itself."""
LONGEST_PURPOSE: Final = 200
TRADES: Final = frozenset({Role.FIRST_POINT, Role.INTERMEDIARY, Role.PROCESSOR, Role.REFINER})
HOLDERS: Final = {
    Area.REPORTS: frozenset({Role.FARM}),
    Area.RECORDS: frozenset({Role.FARM}),
    Area.BOOKS: TRADES,
    Area.AUDITS: TRADES | {Role.FARM},
    Area.ACCREDITATION: frozenset({Role.VERIFIER}),
}
"""Whose pages each area is of. The audits that a verifier leads are no area: what stands there is other houses'."""


def areas_of(organisation: Organisation) -> list[Area]:
    """Return the areas that an organisation has, by its roles."""
    held = set(organisation.roles.values_list("role", flat=True))
    return [area for area in Area if held & {str(role) for role in HOLDERS[area]}]


@transaction.atomic
def let_reviewer_in(
    organisation: Organisation, *, label: str, kind: str, areas: Sequence[str], purpose: str, last_day: date,
    actor: Actor,
) -> tuple[Review, str]:  # fmt: skip
    """Let a person from outside read some areas until a day; return the review and the secret of its link.

    Args:
        organisation: whose pages.
        label: who it is for, for the organisation's own list.
        kind: one of ``ReviewerKind``.
        areas: of ``areas_of``; at least one.
        purpose: what for.
        last_day: included; within a year.
        actor: who decides.

    Raises:
        RefusedError: no area or one the organisation does not have, a day that has passed or lies beyond a year, or a
            text that cannot be read.
    """
    if actor.person is None:
        raise refusal("nobody_acts", "Only a person can do this.", "Sign in first.")
    known = areas_of(organisation)
    if not areas or not set(areas) <= set(known):
        remedy = f"Choose from {', '.join(known)}." if known else "Say first in the settings what the organization is."
        raise refusal("areas_unknown", "A reviewer needs areas that the organization has.", remedy, column="areas")
    day = today()
    check_not_past(last_day, day, column="last_day")
    if last_day > day + LONGEST:
        cause = "A reviewer is let in for a year at most."
        raise refusal("too_long", cause, "Choose an earlier day, and let them in anew.", column="last_day")
    review = Review.objects.create(
        organisation=organisation,
        label=clean_name(label, column="label"),
        kind=kind,
        areas=[area for area in known if area in set(areas)],
        purpose=clean_line(purpose, most=LONGEST_PURPOSE, column="purpose"),
        last_day=last_day,
        given_by=actor.person,
    )
    _, secret = write_invitation(organisation, label=review.label, by=actor.person, review=review)
    new = {"areas": review.areas, "last_day": str(last_day), "purpose": review.purpose, "kind": kind}
    write_log(actor, "let reviewer in", organisation=organisation, about=review.label, new=new)
    return review, secret


def reviews_given(organisation: Organisation) -> QuerySet[Review]:
    """Return the reviewers that an organisation ever let in, newest first."""
    return organisation.reviews.select_related("person", "organisation")


def review_given(organisation: Organisation, number: int) -> Review:
    """Return a review of an organisation; MissingError where it gave no such one."""
    return owned(organisation, Review, pk=number)


@transaction.atomic
def end_review(review: Review, *, actor: Actor) -> None:
    """Take a reviewer's access back now, and close its link. Doing it twice changes nothing."""
    # First the invitation, as whoever opens the link does: neither waits for the other.
    link = Invitation.objects.select_for_update().get(review=review)
    if Review.objects.select_for_update().get(pk=review.pk).revoked_at is not None:
        return
    review.revoked_at = timezone.now()
    review.save(update_fields=["revoked_at"])
    if link.accepted_by_id is None:
        link.withdrawn_at = review.revoked_at
        link.save(update_fields=["withdrawn_at"])
    old = {"areas": review.areas, "last_day": str(review.last_day)}
    write_log(actor, "end review", organisation=review.organisation, about=review.label, old=old)
