"""Beginning an import, choosing how its files are read, and ending it; each leaves its row in the log."""

from collections.abc import Iterable, Mapping

from django.db import transaction
from django.utils import timezone

from provender.database.actor import Actor, write_log
from provender.database.models import Book, BookImport, Change, Upload
from provender.services.farm.book import Edit, change_book, head_of
from provender.services.refused import refusal


@transaction.atomic
def begin_import(
    book: Book, uploads: Iterable[Upload], *, actor: Actor, said: Mapping[str, object] | None = None
) -> BookImport:
    """Begin an import of files that lie stored, with what is said of them already; nothing of the book changes."""
    files = list(uploads)
    begun = BookImport.objects.create(
        book=book,
        actor=actor.person,
        files=[one.handle for one in files],
        said=dict(said or {}),
        book_version=_version(book),
    )
    about = ", ".join(one.name for one in files) or "rejected rows"
    write_log(actor, "begin import", organisation=book.organisation, about=about, new={"import": begun.handle})
    return begun


@transaction.atomic
def choose_for_import(begun: BookImport, said: Mapping[str, object], *, actor: Actor) -> BookImport:
    """Keep what a person chose, and count one attempt more: the files are read again from the book as it is now.

    Raises:
        RefusedError: the import has ended.
    """
    _check_open(begun)
    old = begun.said
    begun.said, begun.attempt, begun.book_version = dict(said), begun.attempt + 1, _version(begun.book)
    begun.save(update_fields=["said", "attempt", "book_version"])
    changed = sorted(name for name in {*old, *said} if old.get(name) != said.get(name))
    new = {"import": begun.handle, "chosen": changed}
    write_log(actor, "choose for import", organisation=begun.book.organisation, about=str(begun), new=new)
    return begun


@transaction.atomic
def write_import(begun: BookImport, edits: Iterable[Edit], *, reason: str, actor: Actor) -> Change:
    """Write what the person nodded to, as one change of the book.

    Raises:
        RefusedError: the import has ended, nothing is to be written, or the book changed since the files were read.
    """
    _check_open(begun)
    change = change_book(begun.book, edits, reason=reason, actor=actor, after=begun.book_version)
    begun.change, begun.ended_at = change, timezone.now()
    begun.save(update_fields=["change", "ended_at"])
    return change


@transaction.atomic
def give_up_import(begun: BookImport, *, actor: Actor) -> None:
    """End an import without writing anything of it; the files stay stored.

    Raises:
        RefusedError: the import has ended.
    """
    _check_open(begun)
    begun.ended_at = timezone.now()
    begun.save(update_fields=["ended_at"])
    write_log(actor, "give up import", organisation=begun.book.organisation, about=str(begun))


def _version(book: Book) -> int:
    head = head_of(book)
    return head.number if head else 0


def _check_open(begun: BookImport) -> None:
    if begun.ended_at is not None:
        raise refusal("import_ended", "This import has ended.", "Upload the files again if something is missing.")
