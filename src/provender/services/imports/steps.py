"""The steps of an import, for pages and programs alike: begin it, read again, write it, give it up."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from provender.database.actor import Actor
from provender.database.models import Book, BookImport, Change, Upload
from provender.formats.parsed import encode
from provender.services.farm.book import FarmBook
from provender.services.imports.changes import edits_of
from provender.services.imports.imports import begin_import, choose_for_import, give_up_import, write_import
from provender.services.imports.questions import must_look
from provender.services.imports.request import ImportChoices, ImportResult
from provender.services.imports.start import Reading, clear, outcome, said_of, start, uploads_of
from provender.services.refused import refusal

NOT_READ: Final = "not_read"
CHOSEN_MEANWHILE: Final = "chosen_meanwhile"
NOT_LOOKED: Final = "not_looked"
BOOK_CHANGED: Final = "overtaken"
LONGEST_REASON: Final = 200


@dataclass(frozen=True, slots=True)
class Written:
    """What a nod wrote: the change, and how many rows of records it holds."""

    change: Change
    rows: int


def begin(
    book: Book, uploads: Iterable[Upload], *, actor: Actor, said: Mapping[str, object] | None = None
) -> BookImport:
    """Begin an import and start reading its files; without files, the rejected rows of the book are read."""
    begun = begin_import(book, uploads, actor=actor, said=said)
    start(begun)
    return begun


def read_again(begun: BookImport, *, actor: Actor, said: ImportChoices | None = None) -> BookImport:
    """Read the files again, from the book as it is now, with what is said or was said before.

    Raises:
        RefusedError: the import has ended.
    """
    plain = encode(said_of(begun) if said is None else said)
    if not isinstance(plain, dict):
        raise TypeError("a dataclass becomes a mapping")
    again = choose_for_import(begun, plain, actor=actor)
    start(again)
    return again


def read_outcome(begun: BookImport) -> ImportResult:
    """Return what came of the present attempt.

    Raises:
        RefusedError: the import has ended, or its files are not read yet.
    """
    if begun.ended_at is not None:
        raise refusal("import_ended", "This import has ended.", "Upload the files again if something is missing.")
    found = outcome(begun)
    if found is None:
        cause, remedy = "The files are not read yet.", "Ask how far the import is, and come back when they are read."
        raise refusal(NOT_READ, cause, remedy)
    return found


def read_reading(begun: BookImport) -> Reading:
    """Return what came of the present attempt, with the choices so far.

    Raises:
        RefusedError: the import has ended, or its files are not read yet.
    """
    return Reading(begun, said_of(begun), read_outcome(begun))


def check_attempt(begun: BookImport, attempt: int) -> None:
    """Let nobody act on rows that were read anew meanwhile.

    Raises:
        RefusedError: another attempt than the one that was seen is the present one.
    """
    if attempt != begun.attempt:
        cause = "The choices for these files were changed meanwhile."
        raise refusal(CHOSEN_MEANWHILE, cause, "Look at the rows again.")


def write(farm: FarmBook, begun: BookImport, *, attempt: int, looked: bool, actor: Actor) -> Written:
    """Write what was seen as one change of the book.

    Args:
        farm: the version of the book as it is now.
        begun: the import.
        attempt: the attempt that was seen.
        looked: what is doubtful was looked at.
        actor: whose nod it is.

    Raises:
        RefusedError: it has ended, is not read yet, was read anew since it was seen, is doubtful and nobody looked,
            the book changed since (``BOOK_CHANGED``), or nothing is to be written.
    """
    if begun.ended_at is None:
        check_attempt(begun, attempt)
    found = read_outcome(begun)
    if must_look(found) and not looked:
        cause = "Nobody has said that they looked at what is to be confirmed."
        raise refusal(NOT_LOOKED, cause, "Look at it, and say so; then write the rows.")
    if farm.version != begun.book_version:
        cause = "The book changed since the files were read."
        raise refusal(BOOK_CHANGED, cause, "Read them again, and look once more.")
    uploads = uploads_of(begun)
    reason = f"Import of {', '.join(one.name for one in uploads) or 'corrected rows'}"[:LONGEST_REASON]
    change = write_import(begun, list(edits_of(found, uploads, farm.farm_id)), reason=reason, actor=actor)
    clear(begun)
    return Written(change, len(found.rows))


def give_up(begun: BookImport, *, actor: Actor) -> None:
    """End an import and write nothing of it.

    Raises:
        RefusedError: it has ended.
    """
    give_up_import(begun, actor=actor)
    clear(begun)
