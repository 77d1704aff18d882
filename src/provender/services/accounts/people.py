"""People's own accounts, and the first one of a new server."""

import secrets

from django.db import transaction

from provender.database.actor import Actor, write_log
from provender.database.models import Person


@transaction.atomic
def rename_person(person: Person, name: str, *, actor: Actor) -> None:
    """Change the name that stands beside what a person writes."""
    old, person.name = person.name, name.strip()
    person.save(update_fields=["name"])
    write_log(actor, "rename person", organisation=None, about=str(person.pk), old={"name": old}, new={"name": name})


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
