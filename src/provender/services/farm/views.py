"""What interfaces show of a farm: its book, rows, changes, evidence, stored files and keys."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from provender.database.models.accounts import Organisation
from provender.database.models.farm import Change, ProducerKey, Upload
from provender.records.kind import KINDS, Kind
from provender.schema import field, view
from provender.services.farm.book import FarmBook, head_of, texts_of
from provender.services.farm.edits import history_of
from provender.signing.keys import PublicKey


@view
class BookView:
    """A record book and its head."""

    book: str = field("Book")
    version: int = field("Version")
    hash: str = field("Hash of its last change")
    rows: Mapping[str, int] = field("Rows", help="By kind of record.")


@view
class KindView:
    """A kind of record; ``schema`` of its rows is at ``/records/kinds/{kind}``."""

    name: str = field("Kind")
    label: str = field("Records")
    help: str = field("What they are")
    cite: str = field("Paragraph")
    rows: int = field("Rows")


@view
class RowView:
    """One row: its key in its kind, and its columns as texts."""

    key: str = field("Row")
    row: Mapping[str, str] = field("Texts by column")


@view
class ChangeView:
    """A change as written."""

    version: int = field("Version")
    hash: str = field("Hash")
    previous: str = field("Hash of the change before")
    at: str = field("When (UTC)")


@view
class RowChangeView:
    """A change of one row: who, when, why, and the texts of the columns that it changed; null where it was not there.

    ``before`` is null for a new row, ``after`` for one that was taken out.
    """

    version: int = field("Version")
    at: str = field("When (UTC)")
    actor: str = field("Who")
    reason: str = field("Why")
    before: Mapping[str, str] | None = field("Before")
    after: Mapping[str, str] | None = field("After")


@view
class FileView:
    """A stored file. A row of evidence names it by ``name`` and ``sha256``."""

    file: str = field("File")
    name: str = field("Name")
    sha256: str = field("SHA-256")
    size: int = field("Size", unit="bytes")
    media_type: str = field("Media type")
    at: datetime = field("Stored (UTC)")


@view
class KeyView:
    """A key on file. Compare ``short`` by telephone; ``in_force`` is the key that the producer's record names.

    ``sealed_here`` tells that its private half lies here sealed under the holder's passphrase; no call gives it out.
    """

    id: int = field("Number")
    producer_id: str = field("Producer")
    fingerprint: str = field("Fingerprint")
    short: str = field("Key")
    public: Mapping[str, Any] = field("Public key")
    holder: str = field("By")
    at: datetime = field("Registered (UTC)")
    replaces: str = field("Key before")
    sealed_here: bool = field("Private half is sealed here")
    in_force: bool = field("Signs now")


def book_view(farm: FarmBook) -> BookView:
    """Return a book with its head and the number of rows of each kind."""
    head = head_of(farm.book)
    rows = {name: len(farm.of(kind)) for name, kind in KINDS.items()}
    return BookView(book=farm.book.handle, version=farm.version, hash=head.hash if head else "", rows=rows)


def kind_views(farm: FarmBook) -> list[KindView]:
    """Return every kind of record with how many rows there are."""
    return [
        KindView(name=kind.name, label=kind.label, help=kind.help, cite=kind.cite, rows=len(farm.of(kind)))
        for kind in KINDS.values()
    ]


def row_views(farm: FarmBook, kind: Kind) -> list[RowView]:
    """Return the rows of a kind, in the order in which they were first written."""
    return [RowView(key=key, row=texts_of(kind, row)) for key, row in farm.of(kind).items()]


def changes_of(farm: FarmBook) -> QuerySet[Change]:
    return Change.objects.filter(book=farm.book)


def change_view(change: Change) -> ChangeView:
    return ChangeView(
        version=change.number, hash=change.hash, previous=change.previous, at=change.at.isoformat()
    )  # fmt: skip


def row_history(farm: FarmBook, kind: Kind, key: str) -> Iterator[RowChangeView]:
    """Yield every change that touched a row, the first one first."""
    for each in history_of(farm, kind, key):
        yield RowChangeView(
            version=each.change.number,
            at=each.change.at.isoformat(),
            actor=str(each.change.actor or "provender"),
            reason=each.reason,
            before={name: each.before[name] for name in each.columns} if each.before else None,
            after={name: each.after[name] for name in each.columns} if each.after else None,
        )


def files_of(organisation: Organisation) -> QuerySet[Upload]:
    return Upload.objects.filter(organisation=organisation)


def file_view(upload: Upload) -> FileView:
    return FileView(
        file=upload.handle, name=upload.name, sha256=upload.sha256, size=upload.size, media_type=upload.media_type,
        at=upload.at,
    )  # fmt: skip


def key_view(key: ProducerKey, in_force: frozenset[str]) -> KeyView:
    """Return a key on file; ``in_force`` are the fingerprints that the producers' records name."""
    public = PublicKey.from_jwk(key.public)
    return KeyView(
        id=key.pk, producer_id=key.producer_id, fingerprint=key.fingerprint, short=public.short, public=public.jwk,
        holder=str(key.holder), at=key.at, replaces=key.replaces, sealed_here=bool(key.sealed),
        in_force=key.fingerprint in in_force,
    )  # fmt: skip
