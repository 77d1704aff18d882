"""Writing record books: one change per write, each bound to the one before by its hash."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db import IntegrityError, transaction
from django.utils import timezone

from provender.database.actor import Actor, write_log
from provender.database.models import Book, BookKind, Change, Organisation
from provender.database.store.record_books import FORMAT
from provender.services.refused import refusal
from provender.signing.canonical import canonical_json
from provender.signing.hashes import sha256_hex


@dataclass(frozen=True, slots=True)
class Edit:
    """One row put into a book, or taken out of it when ``row`` is None. Putting a key again is a correction.

    ``row`` is plain JSON data; amounts are whole scaled numbers or decimal text, never floats.
    """

    kind: str
    key: str
    row: Mapping[str, object] | None

    def as_json(self) -> dict[str, object]:
        """Return the edit as it stands in the text of a change."""
        return {"kind": self.kind, "key": self.key, "row": None if self.row is None else dict(self.row)}


@transaction.atomic
def open_book(organisation: Organisation, kind: BookKind, *, actor: Actor) -> Book:
    """Return the organisation's book of a kind; make it when there is none."""
    book = Book.objects.filter(organisation=organisation, kind=kind).first()
    if book is None:
        book = Book.objects.create(organisation=organisation, kind=kind)
        write_log(actor, "open book", organisation=organisation, about=str(book.get_kind_display()))
    return book


@transaction.atomic
def change_book(book: Book, edits: Iterable[Edit], *, reason: str, actor: Actor, after: int | None = None) -> Change:
    """Write one change with all its edits.

    Args:
        book: the book.
        edits: at least one; all of them or none are written.
        reason: why, in the words of the person or program.
        actor: who writes.
        after: the number of the change the writer had seen; the write is refused when another came between.

    Raises:
        RefusedError: nothing to write, or somebody else wrote first.
    """
    rows = [edit.as_json() for edit in edits]
    if not rows:
        raise refusal("nothing_to_write", "There is nothing to write.", "Change something first.")
    head = head_of(book)
    seen = head.number if head else 0
    if after is not None and after != seen:
        raise _overtaken()
    at = timezone.now()
    text = _change_text(book, head, rows, actor=actor, at=at, reason=reason)
    try:
        with transaction.atomic():
            change = Change.objects.create(
                book=book,
                number=seen + 1,
                previous=head.hash if head else "",
                hash=sha256_hex(text),
                text=text.decode(),
                at=at,
                actor=actor.person,
                prepared_by=actor.for_firm,
            )
    except IntegrityError:
        raise _overtaken() from None
    new = {"number": change.number, "hash": change.hash, "rows": len(rows)}
    write_log(actor, "change book", organisation=book.organisation, about=reason, old={"number": seen}, new=new)
    return change


def _change_text(
    book: Book, head: Change | None, rows: list[dict[str, object]], *, actor: Actor, at: datetime, reason: str
) -> bytes:
    """Return what a change hashes: all of it, and the hash of the change before."""
    return canonical_json(
        {
            "format": FORMAT,
            "book": book.handle,
            "number": head.number + 1 if head else 1,
            "previous": head.hash if head else "",
            "actor": actor.person.pk if actor.person else None,
            "via": actor.via,
            "at": at.isoformat(),
            "reason": reason,
            "edits": rows,
        }
    )


def _overtaken() -> Exception:
    return refusal(
        "overtaken", "Somebody else changed this book a moment ago.", "Look at their change, then write yours again."
    )


def head_of(book: Book) -> Change | None:
    """Return the last change of a book, or None for an empty one."""
    return Change.objects.filter(book=book).order_by("-number").first()
