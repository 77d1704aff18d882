"""The answer given to each POST of a program, kept in the transaction of its deed, so that a repeat gets the same.

Beside it stands by which rights it was given: a repeat gets it only while they still hold.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

from provender.database.models.accounts import IdempotentAnswer

_used: ContextVar[list[str] | None] = ContextVar("_used", default=None)


@contextmanager
def rights_used() -> Iterator[list[str]]:
    """Collect what ``note_right`` is told meanwhile."""
    rights: list[str] = []
    before = _used.set(rights)
    try:
        yield rights
    finally:
        _used.reset(before)


def note_right(right: str) -> None:
    """Note that a deed rests on a right beyond the scope and the maker of its token: ``KIND`` or ``KIND:WHAT``."""
    rights = _used.get()
    if rights is not None and right not in rights:
        rights.append(right)


class Deed(NamedTuple):
    """What a program asked for: who asked, under which key, and what tells the call from another."""

    caller: str
    key: str
    request_hash: str

    @property
    def context(self) -> bytes:
        """Return what the kept answer is sealed for."""
        return f"{self.caller} {self.key} {self.request_hash}".encode()


class GivenAnswer(NamedTuple):
    """The answer that a deed got; ``body`` is sealed. ``rights`` are those of ``note_right``."""

    status: int
    content_type: str
    body: bytes
    rights: list[str]


def begin_deed(deed: Deed) -> None:
    """Take a key for a deed; IntegrityError where it is taken."""
    IdempotentAnswer.objects.create(**deed._asdict())


def keep_answer(deed: Deed, answer: GivenAnswer) -> None:
    """Keep the answer beside the deed that took the key."""
    IdempotentAnswer.objects.filter(caller=deed.caller, key=deed.key).update(**answer._asdict())


def answer_before(deed: Deed) -> GivenAnswer | None:
    """Return the answer that was given under a key; None where the key was used for another deed."""
    row = IdempotentAnswer.objects.get(caller=deed.caller, key=deed.key)
    if row.request_hash != deed.request_hash:
        return None
    return GivenAnswer(row.status, row.content_type, bytes(row.body), row.rights)
