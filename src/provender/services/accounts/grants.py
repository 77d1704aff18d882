"""Letting a verifier in for a time, and out again; contracts of supply."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Final

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from provender.database.actor import Actor, today, write_log
from provender.database.choices import Area, Role
from provender.database.models.accounts import Invitation, Organisation, ReadGrant, Review, SupplyContract
from provender.services.accounts.access import Access, acting_manager, acting_person, check_independent, owned
from provender.services.accounts.organisations import write_invitation
from provender.services.refused import check_not_past, clean_line, clean_name, refusal

_LONGEST_PURPOSE: Final = 200


@transaction.atomic
def grant_reading(
    audited: Organisation, verifier: Organisation, *, first_day: date, last_day: date, purpose: str, actor: Actor
) -> ReadGrant:
    """Let a verifier read an organisation's records from a first to a last day, both included.

    Raises:
        RefusedError: the other is no verifier, the days are out of order, it is not independent (interpretation 55),
            or the purpose cannot be read.
    """
    person = acting_manager(audited, actor)
    if not verifier.roles.filter(role=Role.VERIFIER).exists():
        raise refusal(
            "not_a_verifier", f"{verifier} is not a verifier here.", "Check the code with them.", column="verifier"
        )
    if last_day < first_day:
        raise refusal(
            "days_out_of_order", "The last day is before the first.", "Choose a later last day.", column="last_day"
        )
    check_independent(verifier, audited, column="verifier")
    grant = ReadGrant.objects.create(
        audited=audited,
        verifier=verifier,
        first_day=first_day,
        last_day=last_day,
        purpose=clean_line(purpose, most=_LONGEST_PURPOSE, column="purpose"),
        granted_by=person,
    )
    new = {"verifier": verifier.name, "first_day": str(first_day), "last_day": str(last_day), "purpose": grant.purpose}
    write_log(actor, "grant reading", organisation=audited, about=verifier.name, new=new)
    write_log(actor, "receive reading", organisation=verifier, about=audited.name, new=new)
    return grant


def grant_given(audited: Organisation, number: int) -> ReadGrant:
    """Return a grant that an organisation gave; MissingError where it gave no such one."""
    return owned(audited, ReadGrant, owner="audited", pk=number)


def grants_given(audited: Organisation) -> QuerySet[ReadGrant]:
    """Return the grants that an organisation ever gave, newest first."""
    return audited.grants_given.select_related("verifier", "audited")


def grants_held(verifier: Organisation) -> QuerySet[ReadGrant]:
    """Return the grants that a verifier ever got, newest first."""
    return verifier.grants_held.select_related("verifier", "audited")


@transaction.atomic
def revoke_reading(grant: ReadGrant, *, actor: Actor) -> None:
    """End a grant now. Doing it twice changes nothing."""
    if grant.revoked_at is not None:
        return
    grant.revoked_at = timezone.now()
    grant.save(update_fields=["revoked_at"])
    old = {"last_day": str(grant.last_day)}
    write_log(actor, "revoke reading", organisation=grant.audited, about=grant.verifier.name, old=old)
    write_log(actor, "lose reading", organisation=grant.verifier, about=grant.audited.name, old=old)


def log_look(grant: ReadGrant, what: str, *, actor: Actor) -> None:
    """Note in the audited party's log that the verifier looked at something."""
    write_log(actor, "look as verifier", organisation=grant.audited, about=what, new={"verifier": grant.verifier.name})


def log_visit(access: Access, what: str) -> None:
    """Note in an organisation's log what a verifier or reviewer looked at; of its own members nothing."""
    if access.grant is not None:
        log_look(access.grant, what, actor=access.actor)
    elif access.review is not None:
        new = {"reviewer": access.review.label}
        write_log(access.actor, "look as reviewer", organisation=access.organisation, about=what, new=new)


@transaction.atomic
def enter_contract(
    seller: Organisation, buyer: Organisation, *, number: str, signed_on: date, actor: Actor
) -> SupplyContract:
    """Enter a contract of supply in the buyer's register.

    Raises:
        RefusedError: the number stands already, or both are the same.
    """
    if seller == buyer:
        raise refusal("supplies_itself", "Nobody supplies itself.", "Enter the seller's code.", column="seller")
    try:
        with transaction.atomic():
            contract = SupplyContract.objects.create(
                seller=seller, buyer=buyer, number=number.strip(), signed_on=signed_on, entered_by=acting_person(actor)
            )
    except IntegrityError:
        raise refusal(
            "contract_exists", f"Contract {number} with {seller} is entered already.", "Open it.", column="number"
        ) from None
    new = {"number": contract.number, "signed_on": str(signed_on), "seller": seller.name, "buyer": buyer.name}
    write_log(actor, "enter contract", organisation=buyer, about=contract.number, new=new)
    write_log(actor, "enter contract", organisation=seller, about=contract.number, new=new)
    return contract


def open_grants(verifier: Organisation, day: date) -> list[ReadGrant]:
    """Return the grants through which a verifier may read on a day, one per party."""
    grants = verifier.grants_held.select_related("audited").prefetch_related("audited__roles")
    grants = grants.filter(revoked_at=None, first_day__lte=day, last_day__gte=day)
    return list({grant.audited_id: grant for grant in grants.order_by("audited__name", "last_day")}.values())


# Letting one person from outside read some of an organisation's pages for a time: a buyer's or authority's reviewer.
#
# An organisation decides who, which areas and until when; the person comes by the link of an invitation, signs in as
# anybody does, may write nothing, and sees no more than the areas named. Each look stands in the organisation's log.

_LONGEST: Final = timedelta(days=366)
"""Nobody is let in for more than a year at once: access that nobody thinks of any more ends by itself."""
_TRADES: Final = frozenset({Role.FIRST_POINT, Role.INTERMEDIARY, Role.PROCESSOR, Role.REFINER})
_HOLDERS: Final = {
    Area.REPORTS: frozenset({Role.FARM}),
    Area.RECORDS: frozenset({Role.FARM}),
    Area.BOOKS: _TRADES,
    Area.AUDITS: _TRADES | {Role.FARM},
    Area.ACCREDITATION: frozenset({Role.VERIFIER}),
}
"""Whose pages each area is of. The audits that a verifier leads are no area: what stands there is other houses'."""


def areas_of(organisation: Organisation) -> list[Area]:
    held = set(organisation.roles.values_list("role", flat=True))
    return [area for area in Area if held & {str(role) for role in _HOLDERS[area]}]


@transaction.atomic
def let_reviewer_in(
    organisation: Organisation, *, label: str, kind: str, areas: Sequence[str], purpose: str, last_day: date,
    actor: Actor,
) -> tuple[Review, str]:  # fmt: skip
    """Let a person from outside read some areas until a day; return the review and the secret of its link.

    Raises:
        RefusedError: no area or one the organisation does not have, a day that has passed or lies beyond a year, or a
            text that cannot be read.
    """
    person = acting_manager(organisation, actor)
    known = areas_of(organisation)
    if not areas or not set(areas) <= set(known):
        remedy = f"Choose from {', '.join(known)}." if known else "Say first in the settings what the organization is."
        raise refusal("areas_unknown", "A reviewer needs areas that the organization has.", remedy, column="areas")
    day = today()
    check_not_past(last_day, day, column="last_day")
    if last_day > day + _LONGEST:
        cause = "A reviewer is let in for a year at most."
        raise refusal("too_long", cause, "Choose an earlier day, and let them in anew.", column="last_day")
    review = Review.objects.create(
        organisation=organisation,
        label=clean_name(label, column="label"),
        kind=kind,
        areas=[area for area in known if area in set(areas)],
        purpose=clean_line(purpose, most=_LONGEST_PURPOSE, column="purpose"),
        last_day=last_day,
        given_by=person,
    )
    _, secret = write_invitation(organisation, label=review.label, by=person, review=review)
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
