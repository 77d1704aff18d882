"""Keeping files under their hash, within limits, with the type their bytes show and never a type a browser runs."""

import os
import tempfile
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Final, Protocol

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from provender.database.actor import Actor, write_log
from provender.database.models import Organisation, Upload
from provender.problem import Place, Problem
from provender.services.accounts.access import owned
from provender.services.refused import RefusedError, refusal
from provender.signing.hashes import sha256_hex

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.core.files.base import File

MAX_BYTES: Final = 50 * 1024 * 1024
OPAQUE: Final = "application/octet-stream"

SIGNATURES: Final = (
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"%PDF-", "application/pdf"),
    (b"PK\x03\x04", "application/zip"),
)


class StoredFile(Protocol):
    """A file that is kept: its code, the hash its bytes lie under, its name and its type."""

    @property
    def handle(self) -> str: ...  # noqa: D102 - said above
    @property
    def sha256(self) -> str: ...  # noqa: D102
    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def media_type(self) -> str: ...  # noqa: D102


def upload_of(organisation: Organisation, handle: str) -> Upload:
    """Return a file of an organisation; MissingError where it has no such one."""
    return owned(organisation, Upload, handle=handle)


def media_type_of(content: bytes) -> str:
    """Name the type that the first bytes show; everything else, HTML and SVG included, is opaque bytes."""
    return next((name for first, name in SIGNATURES if content.startswith(first)), OPAQUE)


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
    _write(path_of(digest), content)
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


def _write(path: Path, content: bytes) -> None:
    """Write the bytes whole or not at all, and make sure they are on the disk before the row says so."""
    if path.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(handle, "wb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())
    Path(temporary).replace(path)


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
