"""Inviting people by a secret link that is handed over once and of which only the hash is kept."""

import secrets
from datetime import timedelta
from typing import Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from provender.audit.statement.independence import CITE
from provender.database.actor import Actor, day_at, write_log
from provender.database.choices import Right
from provender.database.models import Invitation, Membership, Organisation, Person, Review
from provender.services.accounts.access import owned
from provender.services.accounts.independence import hindrances_of_member
from provender.services.accounts.organisations import add_member
from provender.services.names import clean_name
from provender.services.refused import refusal
from provender.signing.hashes import sha256_hex

OPEN_FOR: Final = timedelta(days=14)


@transaction.atomic
def invite_person(
    organisation: Organisation, *, label: str, right: str, actor: Actor, firm: Organisation | None = None
) -> tuple[Invitation, str]:
    """Write an invitation; return it and the secret of its link, which nobody can read again.

    Raises:
        RefusedError: the program itself cannot invite, or the label is none.
    """
    if actor.person is None:
        raise refusal("nobody_invites", "Only a person can invite.", "Sign in first.")
    invitation, secret = write_invitation(organisation, label=label, right=right, firm=firm, by=actor.person)
    write_log(actor, "invite", organisation=organisation, about=invitation.label, new={"right": right})
    return invitation, secret


def write_invitation(
    organisation: Organisation,
    *,
    label: str,
    by: Person,
    right: str = Right.READ,
    firm: Organisation | None = None,
    review: Review | None = None,
) -> tuple[Invitation, str]:
    """Write an invitation to membership or, with ``review``, to that; return it and its secret."""
    secret = secrets.token_urlsafe(24)
    invitation = Invitation.objects.create(
        organisation=organisation,
        label=clean_name(label, column="label"),
        right=right,
        as_consultant_of=firm.handle if firm else "",
        secret_hash=sha256_hex(secret.encode()),
        invited_by=by,
        expires_at=timezone.now() + OPEN_FOR,
        review=review,
    )
    return invitation, secret


def open_invitations(organisation: Organisation) -> QuerySet[Invitation]:
    """Return an organisation's invitations to membership that can still be accepted."""
    return organisation.invitations.filter(
        accepted_by=None, withdrawn_at=None, expires_at__gt=timezone.now(), review=None
    )


def invitation_of(organisation: Organisation, number: int) -> Invitation:
    """Return an invitation to membership of an organisation; MissingError where it has no such one."""
    return owned(organisation, Invitation, pk=number, review=None)


def open_invitation(secret: str) -> Invitation | None:
    """Find an invitation that can still be accepted, or None."""
    return (
        Invitation.objects.select_related("organisation", "invited_by", "review")
        .filter(
            secret_hash=sha256_hex(secret.encode()),
            accepted_by=None,
            withdrawn_at=None,
            expires_at__gt=timezone.now(),
        )
        .first()
    )


@transaction.atomic
def accept_invitation(invitation: Invitation, person: Person, *, actor: Actor) -> Membership | Review:
    """Make the person a member, or the organisation's reviewer, as offered.

    Raises:
        RefusedError: somebody accepted it meanwhile, the person is a member already, their membership would break
            the independence of a verifier with access (interpretation 55), or the review is over.
    """
    locked = Invitation.objects.select_for_update().get(pk=invitation.pk)
    if locked.accepted_by_id is not None or locked.withdrawn_at is not None:
        raise refusal("invitation_used", "This invitation was used or withdrawn.", "Ask for a new one.")
    if locked.review_id is not None:
        begun = _begin_review(locked.review_id, person, actor=actor)
        _accepted(locked, person)
        return begun
    organisation = locked.organisation
    firm = Organisation.objects.filter(handle=locked.as_consultant_of).first() if locked.as_consultant_of else None
    hindrances = hindrances_of_member(organisation, person, firm)
    if hindrances:
        raise refusal(
            "not_independent",
            hindrances[0],
            "End the verifier's access first, or let somebody else join.",
            cite=CITE,
        )
    membership = add_member(organisation, person, locked.right, actor=actor, on_behalf_of=firm)
    _accepted(locked, person)
    return membership


def _accepted(locked: Invitation, person: Person) -> None:
    locked.accepted_by = person
    locked.save(update_fields=["accepted_by"])


def _begin_review(number: int, person: Person, *, actor: Actor) -> Review:
    """Tie a review to whoever opened its link."""
    review = Review.objects.select_for_update().select_related("organisation").get(pk=number)
    if not review.opens_on(day_at(review.organisation)):
        raise refusal("review_over", "This access was taken back or has ended.", "Ask for a new one.")
    if Membership.objects.filter(organisation=review.organisation, person=person).exists():
        raise refusal("already_member", "You work for this organization already.", "Let somebody else open the link.")
    review.person = person
    review.save(update_fields=["person"])
    write_log(actor, "begin review", organisation=review.organisation, about=review.label, new={"person": str(person)})
    return review


@transaction.atomic
def withdraw_invitation(invitation: Invitation, *, actor: Actor) -> None:
    """Close an invitation that nobody has accepted yet. Doing it twice changes nothing.

    Raises:
        RefusedError: somebody accepted it.
    """
    locked = Invitation.objects.select_for_update().get(pk=invitation.pk)
    if locked.accepted_by_id is not None:
        raise refusal(
            "invitation_used", "Somebody accepted this invitation.", "End their membership on the page of members."
        )
    if locked.withdrawn_at is not None:
        return
    invitation.withdrawn_at = timezone.now()
    invitation.save(update_fields=["withdrawn_at"])
    write_log(actor, "withdraw invitation", organisation=invitation.organisation, about=invitation.label)
