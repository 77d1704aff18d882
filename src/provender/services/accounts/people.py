"""People's own accounts, and the first one of a new server."""

import secrets
from collections.abc import Collection

from django.core.exceptions import PermissionDenied
from django.db import transaction

from provender.database.actor import Actor, write_log
from provender.database.models import Person
from provender.services.names import clean_name


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
