"""Inviting people by a secret link that is handed over once and of which only the hash is kept."""

import secrets
from datetime import timedelta
from typing import Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from provender.database.actor import Actor, write_log
from provender.database.models import Invitation, Membership, Organisation, Person
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
    secret = secrets.token_urlsafe(24)
    invitation = Invitation.objects.create(
        organisation=organisation,
        label=clean_name(label, column="label"),
        right=right,
        as_consultant_of=firm.handle if firm else "",
        secret_hash=sha256_hex(secret.encode()),
        invited_by=actor.person,
        expires_at=timezone.now() + OPEN_FOR,
    )
    write_log(actor, "invite", organisation=organisation, about=invitation.label, new={"right": right})
    return invitation, secret


def open_invitations(organisation: Organisation) -> QuerySet[Invitation]:
    """Return an organisation's invitations that can still be accepted."""
    return organisation.invitations.filter(accepted_by=None, withdrawn_at=None, expires_at__gt=timezone.now())


def invitation_of(organisation: Organisation, number: int) -> Invitation:
    """Return an invitation of an organisation; MissingError where it has no such one."""
    return owned(organisation, Invitation, pk=number)


def open_invitation(secret: str) -> Invitation | None:
    """Find an invitation that can still be accepted, or None."""
    return (
        Invitation.objects.select_related("organisation", "invited_by")
        .filter(
            secret_hash=sha256_hex(secret.encode()),
            accepted_by=None,
            withdrawn_at=None,
            expires_at__gt=timezone.now(),
        )
        .first()
    )


@transaction.atomic
def accept_invitation(invitation: Invitation, person: Person, *, actor: Actor) -> Membership:
    """Make the person a member as offered.

    Raises:
        RefusedError: somebody accepted it meanwhile, the person is a member already, or their membership would break
            the independence of a verifier with access (interpretation 55).
    """
    locked = Invitation.objects.select_for_update().get(pk=invitation.pk)
    if locked.accepted_by_id is not None or locked.withdrawn_at is not None:
        raise refusal("invitation_used", "This invitation was used or withdrawn.", "Ask for a new one.")
    organisation = locked.organisation
    firm = Organisation.objects.filter(handle=locked.as_consultant_of).first() if locked.as_consultant_of else None
    hindrances = hindrances_of_member(organisation, person, firm)
    if hindrances:
        raise refusal(
            "not_independent",
            hindrances[0],
            "End the verifier's access first, or let somebody else join.",
            cite="2100.041",
        )
    membership = add_member(organisation, person, locked.right, actor=actor, on_behalf_of=firm)
    locked.accepted_by = person
    locked.save(update_fields=["accepted_by"])
    return membership


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
