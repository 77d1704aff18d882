"""The chain on one server: loaded once, its people given new passwords at each start.

What loads it is imported only where it is not there yet: a second start waits for nothing of it.
"""

import secrets
from collections.abc import Iterator
from datetime import date
from typing import Final

from django.contrib.auth.hashers import PBKDF2PasswordHasher, get_hasher, make_password
from django.db import transaction

from provender.database.models import Organisation, Person
from provender.demo.cast import CAST, PASSPHRASE, VERIFIER
from provender.demo.keys import FARMS

ROUNDS: Final = 1_000
"""Of hashing a password that was drawn at random."""


def load_demo(farms: int = FARMS, today: date | None = None) -> Iterator[str]:
    """Load the chain unless it is there, give the people of the cast new passwords, and yield lines that show them.

    Everything is made from one seed and written in one transaction. ``farms`` fewer than all are quicker.

    Args:
        farms: how many.
        today: nothing that the story dates later has happened yet, and the verifier has begun his audit; None tells
            the whole year without an audit. A day before the first period ended tells the whole year too.

    Raises:
        RuntimeError: the example does not stand on this server; nothing is written.
    """
    with transaction.atomic():
        if not Organisation.objects.filter(handle=CAST[0].handle).exists():
            from provender.demo.loading import load_chain

            load_chain(farms, today)
        lines = _sign_in()
    said = f"every farm, key, run and document is made up. Whoever signs does so with the passphrase '{PASSPHRASE}':"
    yield f"Demo accounts (e-mail, password, role, organization); {said}"
    yield from lines


def load_begun(today: date) -> Iterator[str]:
    """Load the example as it stands on a day, with the verifier's audit begun and the elevator's books asked for.

    They are asked for, packed and recomputed beside the server; the package is there soon after the server answers.
    """
    begun = Organisation.objects.filter(handle=VERIFIER).exists()
    yield from load_demo(today=today)
    if not begun:
        from provender.demo.asking import ask_soon

        ask_soon(today)


def _sign_in() -> list[str]:
    """Give everybody of the cast a new password, and return the lines that show them."""
    passwords = [secrets.token_urlsafe(9) for _ in CAST]
    for part, password in zip(CAST, passwords, strict=True):
        Person.objects.filter(email=part.email).update(password=_hashed(password))
    return [
        f"  {part.email:24} {password:14} {part.what:16} {part.organisation}"
        for part, password in zip(CAST, passwords, strict=True)
    ]


def _hashed(password: str) -> str:
    """Return the hash of a password of 72 random bits, made for this start, in few rounds: nobody guesses one.

    Many rounds, a quarter of a second each time by design, protect what people choose. When somebody signs in Django
    makes the hash anew with them.
    """
    hasher = get_hasher()
    if isinstance(hasher, PBKDF2PasswordHasher):
        return hasher.encode(password, hasher.salt(), iterations=ROUNDS)
    return make_password(password)
