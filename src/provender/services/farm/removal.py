"""Taking a row out of a farm's book, and putting it or an earlier state of it back."""

from provender.database.actor import Actor
from provender.database.models import Change
from provender.records import Kind
from provender.services.farm.book import Edit, FarmBook, called, change_book
from provender.services.farm.row_history import history_of
from provender.services.refused import MissingError


def remove_row(farm: FarmBook, kind: Kind, key: str, *, after: int | None, actor: Actor) -> Change:
    """Take a row out of the book; it stays in the history, and its page offers to put it back.

    Raises:
        MissingError: there is no such row.
        RefusedError: somebody changed the book meanwhile.
    """
    if key not in farm.of(kind):
        raise MissingError
    reason = f"{kind.label}: {called(kind, key)} removed"
    return change_book(farm.book, [Edit(kind.name, key, None)], reason=reason, actor=actor, after=after)


def removed_texts(farm: FarmBook, kind: Kind, key: str) -> dict[str, str] | None:
    """Return what a row said that was taken out; None where it stands, or was never there."""
    if key in farm.of(kind):
        return None
    changes = list(history_of(farm, kind, key))
    return changes[-1].before if changes else None


def restore_row(farm: FarmBook, kind: Kind, key: str, *, after: int | None, actor: Actor) -> Change:
    """Put a row back that was taken out, with all it said.

    Raises:
        MissingError: no such row was taken out.
        RefusedError: somebody changed the book meanwhile.
    """
    texts = removed_texts(farm, kind, key)
    if texts is None:
        raise MissingError
    reason = f"{kind.label}: {called(kind, key)} put back"
    return change_book(farm.book, [Edit(kind.name, key, texts)], reason=reason, actor=actor, after=after)


def texts_at(farm: FarmBook, kind: Kind, key: str, version: int | None) -> dict[str, str]:
    """Return what a row said after one of its changes.

    Raises:
        MissingError: the row stands no more, or that change left none of it.
    """
    if key in farm.of(kind):
        for one in history_of(farm, kind, key):
            if one.change.number == version and one.after:
                return one.after
    raise MissingError


def put_back(farm: FarmBook, kind: Kind, key: str, version: int | None, *, after: int | None, actor: Actor) -> Change:
    """Write what a row said after one of its changes as a new change.

    Raises:
        MissingError: the row stands no more, or that change left none of it.
        RefusedError: somebody changed the book meanwhile.
    """
    texts = texts_at(farm, kind, key, version)
    reason = f"{kind.label}: {called(kind, key)} put back as of version {version}"
    return change_book(farm.book, [Edit(kind.name, key, texts)], reason=reason, actor=actor, after=after)
