"""Making organisations, and changing who works in them."""

import secrets
from collections.abc import Collection, Iterable
from datetime import timedelta
from typing import Final

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from provender.audit.statement.statement import INDEPENDENCE_CITE
from provender.database.actor import Actor, day_at, write_log
from provender.database.choices import Right, Role
from provender.database.models.accounts import Invitation, Membership, Organisation, OrganisationRole, Person, Review
from provender.database.models.base import new_handle
from provender.services.accounts.access import acting_manager, hindrances_of_member, owned
from provender.services.accounts.tokens import end_hook, revoke_token
from provender.services.refused import MissingError, clean_line, clean_name, refusal
from provender.signing.canonical import sha256_hex

_LONGEST_COUNTY: Final = 80
_LONGEST_STATE: Final = 2


@transaction.atomic
def create_organisation(
    name: str,
    *,
    roles: Iterable[Role],
    manager: Person | None,
    actor: Actor,
    county: str = "",
    state: str = "",
    handle: str = "",
) -> Organisation:
    """Create an organisation with its roles and, unless None, its first manager.

    ``handle`` is a code in place of a random one, for examples in which documents name it.

    Raises:
        RefusedError: the name is empty, or a text is too long or has a character that nobody sees.
    """
    organisation = Organisation.objects.create(
        name=clean_name(name), **_place(county, state), handle=handle or new_handle()
    )
    held = [role for role in Role if role in set(roles)]
    OrganisationRole.objects.bulk_create(OrganisationRole(organisation=organisation, role=role) for role in held)
    new = {"name": organisation.name, "roles": [str(role) for role in held]}
    write_log(actor, "create organisation", organisation=organisation, about=organisation.name, new=new)
    if manager is not None:
        add_member(organisation, manager, Right.MANAGE, actor=actor)
    return organisation


@transaction.atomic
def change_organisation(
    organisation: Organisation, *, name: str, roles: Iterable[Role], county: str, state: str, actor: Actor
) -> Organisation:
    """Change the name, the place and the roles.

    Raises:
        RefusedError: the name is empty, or a text is too long or has a character that nobody sees.
    """
    old = describe(organisation)
    organisation.name, place = clean_name(name), _place(county, state)
    organisation.county, organisation.state = place["county"], place["state"]
    organisation.save()
    wanted = {str(role) for role in roles}
    organisation.roles.exclude(role__in=wanted).delete()
    for role in wanted:
        OrganisationRole.objects.get_or_create(organisation=organisation, role=role)
    write_log(
        actor,
        "change organisation",
        organisation=organisation,
        about=organisation.name,
        old=old,
        new=describe(organisation),
    )
    return organisation


def _place(county: str, state: str) -> dict[str, str]:
    return {
        "county": clean_line(county, most=_LONGEST_COUNTY, column="county"),
        "state": clean_line(state, most=_LONGEST_STATE, column="state").upper(),
    }


def organisation_coded(text: str, *, column: str) -> Organisation:
    """Find another organisation of this server by its code as people write it: case, blanks and hyphens aside.

    Raises:
        RefusedError: none has this code; the problem stands at ``column``.
    """
    code = text.strip().lower().replace(" ", "").replace("-", "")
    found = Organisation.objects.filter(handle=code).first()
    if found is None:
        cause, remedy = "No organization has this code.", "It stands on their overview page."
        raise refusal("code_unknown", cause, remedy, column=column)
    return found


def describe(organisation: Organisation) -> dict[str, object]:
    return {
        "name": organisation.name,
        "county": organisation.county,
        "state": organisation.state,
        "roles": sorted(OrganisationRole.objects.filter(organisation=organisation).values_list("role", flat=True)),
    }


@transaction.atomic
def add_member(
    organisation: Organisation,
    person: Person,
    right: str,
    *,
    actor: Actor,
    on_behalf_of: Organisation | None = None,
) -> Membership:
    """Make a person a member.

    Raises:
        RefusedError: they are one already.
    """
    if Membership.objects.filter(organisation=organisation, person=person).exists():
        raise refusal("already_member", "This person is a member already.", "Change their right instead.")
    membership = Membership.objects.create(
        organisation=organisation, person=person, right=right, on_behalf_of=on_behalf_of
    )
    firm = on_behalf_of.name if on_behalf_of else ""
    write_log(actor, "add member", organisation=organisation, about=str(person), new={"right": right, "firm": firm})
    return membership


def members_with_names(organisation: Organisation) -> QuerySet[Membership]:
    """Return the members of an organisation with who they are and the firms they work for."""
    return organisation.memberships.select_related("person", "on_behalf_of")


def member_of(organisation: Organisation, number: int) -> Membership:
    """Return a member of an organisation; MissingError where it has no such one."""
    return owned(organisation, Membership, pk=number)


@transaction.atomic
def change_member(membership: Membership, right: str, *, actor: Actor) -> None:
    """Change a member's right.

    Raises:
        RefusedError: nobody would be left to manage the organisation.
        MissingError: they are no member any more.
    """
    if right == Right.MANAGE:
        _hold(membership)
    else:
        _begin_to_leave(membership, actor)
    old = membership.right
    membership.right = right
    membership.save(update_fields=["right"])
    write_log(
        actor,
        "change member",
        organisation=membership.organisation,
        about=str(membership.person),
        old={"right": old},
        new={"right": right},
    )


@transaction.atomic
def remove_member(membership: Membership, *, actor: Actor) -> None:
    """End a membership. What the person wrote stays, with their name.

    Whatever would let them or their programs in again ends for good: tokens, links that nobody opened, webhooks.

    Raises:
        RefusedError: nobody would be left to manage the organisation.
        MissingError: they are no member any more.
    """
    _begin_to_leave(membership, actor)
    organisation, person = membership.organisation, membership.person
    for token in organisation.tokens.filter(created_by=person, revoked_at=None):
        revoke_token(token, actor=actor)
    for hook in organisation.hooks.filter(made_by=person, ended_at=None):
        end_hook(hook, actor=actor)
    write_log(
        actor,
        "remove member",
        organisation=membership.organisation,
        about=str(membership.person),
        old={"right": membership.right, "firm": str(membership.on_behalf_of or "")},
    )
    membership.delete()


def _begin_to_leave(leaving: Membership, actor: Actor) -> None:
    """Withdraw what somebody offered as a manager: they may have kept the links. What they just make is awaited."""
    from provender.services.accounts.grants import end_review

    _keep_a_manager(leaving)
    _hold(leaving)
    for invitation in open_invitations(leaving.organisation).filter(invited_by=leaving.person).select_for_update():
        withdraw_invitation(invitation, actor=actor)
    for review in leaving.organisation.reviews.filter(given_by=leaving.person, person=None, revoked_at=None):
        end_review(review, actor=actor)


def _hold(membership: Membership) -> None:
    """Let nobody else change or end a membership until the transaction ends. MissingError: somebody ended it."""
    if Membership.objects.select_for_update().filter(pk=membership.pk).first() is None:
        raise MissingError


def _keep_a_manager(leaving: Membership) -> None:
    # Lock the managers, so that two of them who leave at the same moment cannot both find the other still there.
    managers = Membership.objects.select_for_update().filter(
        organisation=leaving.organisation, right=Right.MANAGE, on_behalf_of=None
    )
    if not [one for one in managers if one.pk != leaving.pk]:
        raise refusal(
            "last_manager",
            "This is the last member of the organization who may manage it.",
            "Let somebody else of the organization manage it first.",
        )


# Inviting people by a secret link that is handed over once and of which only the hash is kept.

_OPEN_FOR: Final = timedelta(days=14)


@transaction.atomic
def invite_person(
    organisation: Organisation, *, label: str, right: str, actor: Actor, firm: Organisation | None = None
) -> tuple[Invitation, str]:
    """Write an invitation; return it and the secret of its link, which nobody can read again.

    Raises:
        RefusedError: the program itself cannot invite, or the label is none.
    """
    by = acting_manager(organisation, actor, "invite")
    invitation, secret = write_invitation(organisation, label=label, right=right, firm=firm, by=by)
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
        expires_at=timezone.now() + _OPEN_FOR,
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
            cite=INDEPENDENCE_CITE,
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


# People's own accounts, and the first one of a new server.


def signed_in(user: object) -> Person:
    """Return who asks.

    Raises:
        PermissionDenied: nobody has signed in.
    """
    if not isinstance(user, Person):
        raise PermissionDenied
    return user


def exists_any() -> bool:
    """Tell whether anybody has an account on this server."""
    return Person.objects.exists()


def is_among(people: Collection[int], email: str) -> bool:
    """Tell whether the account of an address, whatever its case, is one of those with these keys."""
    return Person.objects.filter(pk__in=people, email__iexact=email.strip()).exists()


@transaction.atomic
def rename_person(person: Person, name: str, *, actor: Actor) -> Person:
    """Change the name that stands beside what a person writes.

    Raises:
        RefusedError: the name is empty, too long, or has a character that nobody sees.
    """
    old, person.name = person.name, clean_name(name)
    person.save(update_fields=["name"])
    new = {"name": person.name}
    write_log(actor, "rename person", organisation=None, about=str(person.pk), old={"name": old}, new=new)
    return person


@transaction.atomic
def create_person(email: str, *, name: str, password: str | None, actor: Actor) -> Person:
    """Create a person who may sign in when a password is given."""
    person = Person.objects.create_user(email, password, name=name)
    write_log(actor, "create person", organisation=None, about=str(person.pk), new={"name": name})
    return person


def create_first_person(email: str, *, actor: Actor) -> tuple[Person, str] | None:
    """Create the first account of a server with a random password, and return both; None when there is one already."""
    with transaction.atomic():
        if Person.objects.exists():
            return None
        password = secrets.token_urlsafe(12)
        return create_person(email, name="", password=password, actor=actor), password
