"""Who may put another key in the place of one in use: whoever signs with it, or a member who manages.

A rotation needs no such leave: in it the key in use says itself which one takes over.
"""

from provender.database.actor import Actor
from provender.database.choices import Right
from provender.database.models import Organisation, Person
from provender.services.accounts.access import membership_of
from provender.services.refused import refusal


def may_replace(organisation: Organisation, person: Person, holder: Person | None) -> bool:
    """Tell whether a person may replace a key in use.

    Args:
        organisation: whose key it is.
        person: who would.
        holder: who signs with the key in use; None where a program brought it.
    """
    if holder is not None and holder.pk == person.pk:
        return True
    member = membership_of(organisation, person)
    return member is not None and not member.is_consultant and member.may(Right.MANAGE)


def check_replaces(organisation: Organisation, actor: Actor, holder: Person | None, *, cite: str) -> None:
    """Refuse to replace somebody else's key without its word; what no person does, such as an example, is let through.

    Raises:
        RefusedError: another person signs with the key in use, and the actor does not manage the organisation.
    """
    if actor.person is not None and not may_replace(organisation, actor.person, holder):
        cause, remedy = (
            "A program signs with the key in use.",
            "Ask a member who manages the organization to replace it.",
        )
        if holder is not None:
            cause = f"{holder} signs with the key in use."
            remedy = f"Ask {holder}, or a member who manages the organization, to replace it."
        raise refusal("not_your_key", cause, remedy, cite=cite)
