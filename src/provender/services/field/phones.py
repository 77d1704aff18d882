"""Whose phone it is: what it calls an account, the key it seals under, and the farms it may write for."""

from base64 import b64encode

from django.utils.crypto import salted_hmac

from provender.database.choices import Right, Role
from provender.database.models import BookKind, Membership, Organisation, Person
from provender.signing.hashes import sha256_hex


def account_of(person: Person) -> str:
    """Return what a phone calls an account: nothing that tells whose it is."""
    return sha256_hex(f"field account {_about(person)}".encode())[:24]


def seal_of(person: Person) -> str:
    """Return the key under which this person's phones seal, 32 bytes as base64: the same after each sign-in."""
    return b64encode(salted_hmac("provender.field", _about(person), algorithm="sha256").digest()).decode()


def farms_of(person: Person) -> list[Organisation]:
    """Return the farms with an open book for which a person may write."""
    held = Membership.objects.select_related("organisation").filter(
        person=person, organisation__roles__role=Role.FARM, organisation__books__kind=BookKind.FARM
    )
    return [one.organisation for one in held if one.may(Right.WRITE)]


def _about(person: Person) -> str:
    return f"{person.pk} {person.created_at.isoformat()}"
