"""Keeping files under their hash, within limits, with the type their bytes show and never a type a browser runs."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from functools import partial
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from provender.database.actor import Actor, write_log
from provender.database.models.accounts import Organisation
from provender.database.models.farm import Book, Change, Upload
from provender.problem import Place, Problem
from provender.records.book import kept_as
from provender.services.accounts.access import owned
from provender.services.refused import RefusedError, refusal
from provender.signing.bags import collision_key
from provender.signing.canonical import sha256_hex
from provender.whole_file import write_whole

if TYPE_CHECKING:
    from django.core.files.base import File


MAX_BYTES: Final = 50 * 1024 * 1024
OPAQUE: Final = "application/octet-stream"

_SIGNATURES: Final = (
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"%PDF-", "application/pdf"),
    (b"PK\x03\x04", "application/zip"),
)


class StoredFile(Protocol):
    """A file that is kept: its code, the hash its bytes lie under, its name and its type."""

    @property
    def handle(self) -> str: ...
    @property
    def sha256(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def media_type(self) -> str: ...


def upload_of(organisation: Organisation, handle: str) -> Upload:
    """Return a file of an organisation; MissingError where it has no such one."""
    return owned(organisation, Upload, handle=handle)


def media_type_of(content: bytes) -> str:
    """Name the type that the first bytes show; everything else, HTML and SVG included, is opaque bytes."""
    return next((name for first, name in _SIGNATURES if content.startswith(first)), OPAQUE)


def path_of(sha256: str) -> Path:
    """Return where the bytes of a hash lie."""
    return Path(settings.UPLOAD_FOLDER) / sha256[:2] / sha256


def stored(organisation: Organisation, sha256: str) -> bytes:
    """Return the bytes that an organisation keeps under a hash; empty where it keeps none."""
    kept = Upload.objects.filter(organisation=organisation, sha256=sha256).exists()
    return path_of(sha256).read_bytes() if kept and path_of(sha256).is_file() else b""


def clean_name(name: str) -> str:
    """Return a file name without folders and control characters, at most 200 characters long."""
    last = PurePath(name.replace("\\", "/")).name
    return "".join(letter for letter in last if letter.isprintable())[:200] or "file"


@transaction.atomic
def store_upload(organisation: Organisation, name: str, content: bytes, *, actor: Actor) -> Upload:
    """Store a file and its row. The same bytes from the same organisation under the same name give the same row.

    Raises:
        RefusedError: the file is empty or too large.
    """
    if not content:
        raise refusal("empty_file", "The file is empty.", "Choose the file again.", column="file")
    if len(content) > MAX_BYTES:
        limit = MAX_BYTES // 1024 // 1024
        raise refusal(
            "too_large", f"The file is larger than {limit} MB.", "Split it, or make it smaller.", column="file"
        )
    digest, safe = sha256_hex(content), clean_name(name)
    known = Upload.objects.filter(organisation=organisation, sha256=digest, name=safe).first()
    if known is not None:
        return known
    if not path_of(digest).exists():
        write_whole(path_of(digest), content, durable=True, mode=0o600)  # before the row says that it is there
    upload = Upload.objects.create(
        organisation=organisation,
        sha256=digest,
        size=len(content),
        name=safe,
        media_type=media_type_of(content),
        at=timezone.now(),
        actor=actor.person,
    )
    write_log(actor, "store file", organisation=organisation, about=safe, new={"sha256": digest, "size": len(content)})
    return upload


def store_uploads(
    organisation: Organisation, files: "Iterable[File[bytes]]", *, actor: Actor
) -> tuple[list[Upload], list[Problem]]:
    """Keep every file that can be kept; say of the others why not."""
    uploads: list[Upload] = []
    problems: list[Problem] = []
    for file in files:
        name = file.name or "file"
        if (file.size or 0) > MAX_BYTES:
            cause = f"The file is larger than {MAX_BYTES // 2**20} MB."
            problems.append(Problem(Place(name), cause, "Export one field or one season.", code="too_large"))
            continue
        try:
            uploads.append(store_upload(organisation, name, file.read(), actor=actor))
        except RefusedError as refused:
            problems += [Problem(Place(name), each.cause, each.remedy, code=each.code) for each in refused.problems]
    if not uploads and not problems:
        problems.append(Problem(Place("files"), "No file was chosen.", "Choose one or more files.", code="no_file"))
    return uploads, problems


# The stored files that a book's records name, read again from the disk whenever verdicts are made anew.
#
# A row that carries a hash has the file of that hash. One that names a file and carries none has the file that the name
# stood for when the row was given it: the last one kept by then, or the first that came afterwards. What is uploaded
# later under the same name is kept beside it and never takes its place: rows that name it by its hash find it there.

MARK: Final = "sha256"


class Naming(NamedTuple):
    """Where rows of a book name files: the version of the book, the kind of record and its column."""

    book: Book
    version: int
    kind: str
    column: str


def stored_paths(farm_id: str, rows: Mapping[str, Mapping[str, object]], naming: Naming) -> dict[tuple[str, str], Path]:
    """Return where the files lie that rows name, by farm and the place each has in a book's folder.

    The place is the name that the row gives. Of files that share it, or names that some systems take for the same, the
    one of a row without a hash has it, else that of the first row; each other one lies beside it (``kept_as``).

    Args:
        farm_id: as the records name the farm.
        rows: of the kind, by key.
        naming: which book, kind and column.
    """
    if not any(row.get(naming.column) for row in rows.values()):
        return {}
    by_name: dict[str, dict[str, datetime]] = defaultdict(dict)
    uploads = Upload.objects.filter(organisation=naming.book.organisation).order_by("id")
    for digest, name, at in uploads.values_list("sha256", "name", "at"):
        by_name[name].setdefault(digest, at)
    kept = {digest for of_name in by_name.values() for digest in of_name}
    found: dict[str, str] = {}
    sure: list[tuple[str, str]] = []
    unsure: dict[str, tuple[str, str]] = {}
    for key, row in rows.items():
        file, digest = str(row.get(naming.column) or ""), str(row.get(MARK) or "").strip().lower()
        if digest in kept:
            sure.append((file, digest))
        elif file in by_name:
            unsure[key] = file, digest
    # With one file of a name there is nothing to tell apart.
    asked = {key: file for key, (file, _) in unsure.items() if len(by_name[file]) > 1}
    given = _given(naming, asked) if asked else {}
    for key, (file, digest) in unsure.items():
        held = _digest_meant(by_name[file], given.get(key))
        found[file] = found.get(file, held) if digest else held
    return {(farm_id, file): path_of(digest) for file, digest in _hashes_by_place(found, sure).items()}


def _hashes_by_place(found: Mapping[str, str], sure: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the hash at each place, with the files of rows that say which one they mean where they find them."""
    places = dict(found)
    taken = {collision_key(file): file for file in found}
    for file, digest in sure:
        alone = taken.setdefault(collision_key(file), file) == file
        if file and (not alone or places.setdefault(file, digest) != digest):
            places.setdefault(kept_as(file, digest), digest)
    return places


def _digest_meant(of_name: Mapping[str, datetime], given: datetime | None) -> str:
    """Return the hash of the file that a name stands for in a row that was given it at a time."""
    before = [digest for digest, at in of_name.items() if given is not None and at <= given]
    return before[-1] if before else next(iter(of_name))


def _given(naming: Naming, asked: Mapping[str, str]) -> dict[str, datetime]:
    """Return since when rows, by key, have named their files without a break: one pass over the changes for all."""
    since = dict.fromkeys(asked, datetime.max.replace(tzinfo=UTC))
    waiting = set(asked)
    changes = Change.objects.filter(book=naming.book, number__lte=naming.version).order_by("-number")
    for text, at in changes.values_list("text", "at").iterator():
        for edit in json.loads(text)["edits"]:
            key = edit["key"]
            if edit["kind"] != naming.kind or key not in waiting:
                continue
            if str((edit["row"] or {}).get(naming.column) or "") == asked[key]:
                since[key] = at
            else:
                waiting.discard(key)
        if not waiting:
            break
    return since


def readers(paths: Mapping[tuple[str, str], Path]) -> dict[tuple[str, str], Callable[[], bytes]]:
    """Return what reads each file from where it lies."""
    return {name: partial(_read, path) for name, path in paths.items()}


def as_they_lie(paths: Mapping[tuple[str, str], Path]) -> list[tuple[str, str, int, int, int]]:
    """Return of each file its name, its place, its size and when it was changed; of one that is gone, zeros.

    It moves when a file comes, goes or is written over, without reading any.
    """
    return [(file, path.name, *_stamp(path)) for (_, file), path in sorted(paths.items())]


def _stamp(path: Path) -> tuple[int, int, int]:
    try:
        now = path.stat()
    except OSError:
        return 0, 0, 0
    return now.st_size, now.st_mtime_ns, now.st_ctime_ns


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""
