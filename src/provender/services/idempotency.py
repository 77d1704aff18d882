"""The answer given to each POST of a program, kept in the transaction of its deed, so that a repeat gets the same."""

from typing import NamedTuple

from provender.database.models.accounts import IdempotentAnswer


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
    """The answer that a deed got; ``body`` is sealed."""

    status: int
    content_type: str
    body: bytes


def begin_deed(deed: Deed) -> None:
    """Take a key for a deed; IntegrityError where it is taken."""
    IdempotentAnswer.objects.create(**deed._asdict())


def keep_answer(deed: Deed, answer: GivenAnswer) -> None:
    """Keep the answer beside the deed that took the key."""
    IdempotentAnswer.objects.filter(caller=deed.caller, key=deed.key).update(**answer._asdict())


def answer_before(deed: Deed) -> GivenAnswer | None:
    """Return the answer that was given under a key; None where the key was used for another deed."""
    row = IdempotentAnswer.objects.get(caller=deed.caller, key=deed.key)
    return GivenAnswer(row.status, row.content_type, bytes(row.body)) if row.request_hash == deed.request_hash else None
