"""A record from the field becomes a row of the book: new, or the correction of a row that still says what was seen."""

from dataclasses import asdict
from typing import Final

from provender.database.actor import Actor
from provender.database.models import Book, Person
from provender.problem import Place, Problem, ProblemsError
from provender.records import KINDS, Kind
from provender.services.farm.asked import asked_of
from provender.services.farm.book import Edit, FarmBook, called, change_book, key_of, kind_named, latest
from provender.services.farm.edits import checked_texts
from provender.services.farm.last_time import free_key, numbered
from provender.services.field.deeds import AskedError, ConflictError, Deed, Taken, mark_of, once

LONGEST_REASON: Final = 200


def take_record(book: Book, deed: Deed, *, person: Person, actor: Actor) -> Taken:
    """Write a record that a phone kept, at most once.

    Raises:
        ConflictError: the row says something else than what the phone had seen, or another has its identifier.
        AskedError: it is a second row of its crop or has a name that no list has, and nobody has looked.
        ProblemsError: a cell cannot be read or is out of bounds, or names a record that is not in the book.
        MissingError: there is no such kind.
        RefusedError: the deed's name was used for another.
    """
    kind = kind_named(deed.kind)
    # An answer to a question changes nothing of what is written, so that one deed stays one.
    content = {name: each for name, each in asdict(deed).items() if name != "looked"}
    return once(book, person, deed.id, content, lambda: _write(latest(book), kind, deed, actor))


def _write(farm: FarmBook, kind: Kind, deed: Deed, actor: Actor) -> Taken:
    own = {name: free_key(farm, kind) for name in numbered(kind)} if not deed.key else {}
    texts = checked_texts(kind, {**deed.row, **own}, farm, "row")
    _check_named(farm, kind, texts)
    key = key_of(kind, texts)
    if deed.key and key != deed.key:
        cause = f"The identifier of {called(kind, deed.key)} cannot be changed."
        raise ProblemsError([Problem(Place("row"), cause, "Remove the row on its page and write a new one.")])
    now = farm.texts(kind, key)
    if now is not None and mark_of(now) == mark_of(texts):
        return Taken(kind.name, key, farm.version)  # the book says it already, whoever wrote it
    _check_seen(kind, deed, key, now)
    reason = f"{deed.why}. {deed.moment.said()}" if deed.why else deed.moment.said()
    edit = Edit(kind.name, key, texts)
    if asked := [] if deed.looked else asked_of(farm, [edit]):
        raise AskedError(asked)
    made = change_book(farm.book, [edit], reason=reason[:LONGEST_REASON], actor=actor, after=farm.version)
    return Taken(kind.name, key, made.number)


def _check_seen(kind: Kind, deed: Deed, key: str, now: dict[str, str] | None) -> None:
    """Let nothing be overwritten that the phone had not seen."""
    name = called(kind, key)
    if not deed.key and now is not None:
        cause = f"There is a row {name} already, and it says something else."
        raise ConflictError(cause, "Keep that one, or write yours over it.", key, now)
    if deed.key and now is None:
        cause = f"{name} was removed on the server after this phone had seen it."
        raise ConflictError(cause, "Leave it removed, or put yours back as a new row.", key, None)
    if deed.key and now is not None and mark_of(now) != deed.seen:
        cause = f"{name} was changed on the server after this phone had seen it."
        raise ConflictError(cause, "Compare the two; keep one of them.", key, now)


def _check_named(farm: FarmBook, kind: Kind, texts: dict[str, str]) -> None:
    """Refuse names of records that the book does not hold, such as a field that was removed meanwhile."""
    problems = []
    for name, found in kind.typed_fields.items():
        others = farm.of(KINDS[found.refers]) if found.refers else {}
        if others and texts[name] and texts[name] not in others:
            label = KINDS[found.refers].label.lower()
            cause = f"{found.label}: the book has no {texts[name]!r} among its {label} now."
            problems.append(Problem(Place("row", column=name), cause, "Choose another.", code="unknown_name"))
    if problems:
        raise ProblemsError(problems)
