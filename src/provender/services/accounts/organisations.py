"""Making organisations, and changing who works in them."""

from collections.abc import Iterable
from typing import Final

from django.db import transaction
from django.db.models import QuerySet

from provender.database.actor import Actor, write_log
from provender.database.choices import Right, Role
from provender.database.models import Membership, Organisation, OrganisationRole, Person
from provender.database.models.base import new_handle
from provender.services.accounts.access import owned
from provender.services.names import clean_line, clean_name
from provender.services.refused import refusal

LONGEST_COUNTY: Final = 80
LONGEST_STATE: Final = 2


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
        "county": clean_line(county, most=LONGEST_COUNTY, column="county"),
        "state": clean_line(state, most=LONGEST_STATE, column="state").upper(),
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
    """Return what the log keeps of an organisation."""
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
    """
    if right != Right.MANAGE:
        _keep_a_manager(membership)
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

    Raises:
        RefusedError: nobody would be left to manage the organisation.
    """
    _keep_a_manager(membership)
    write_log(
        actor,
        "remove member",
        organisation=membership.organisation,
        about=str(membership.person),
        old={"right": membership.right, "firm": str(membership.on_behalf_of or "")},
    )
    membership.delete()


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
