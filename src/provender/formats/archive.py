"""Zip files from strangers: listed and read in memory within limits, never unpacked to disk.

One that is damaged or hostile raises ``ProblemsError`` through every reader of files up to the one that answers.
"""

import io
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from provender.formats.child import MEBIBYTE
from provender.problem import Place, Problem, ProblemsError

ZIP_MAGIC: Final = b"PK\x03\x04"
OLE_MAGIC: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

_MOST_MEMBERS: Final = 5000
_MOST_BYTES: Final = 512 * MEBIBYTE
_MOST_OF_ONE: Final = 256 * MEBIBYTE
_RATIO_FROM: Final = 16 * MEBIBYTE
_MOST_RATIO: Final = 200

_BROKEN: Final = (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError, RuntimeError)
_MAKE_AGAIN: Final = "Make the zip file again from the original folder, and leave out what does not belong to it."


@dataclass(frozen=True, slots=True)
class Archive:
    """An open zip file that has passed the limits."""

    name: str  # what to call it in problems
    members: tuple[str, ...]  # names of its files (no folders, no macOS shadow files), with forward slashes
    handle: zipfile.ZipFile

    def read(self, member: str, most: int = -1) -> bytes:
        """Return the bytes of one member, or those from its beginning.

        Raises:
            ProblemsError: it is damaged, encrypted or packed in a way that cannot be read here.
        """
        try:
            with self.handle.open(member) as stream:
                return stream.read(most)
        except _BROKEN as trouble:
            raise _refusal(f"{self.name}/{member}", f"this part of the zip cannot be read ({trouble}).") from trouble


def _refusal(file: str, cause: str) -> ProblemsError:
    return ProblemsError([Problem(Place(file), cause, _MAKE_AGAIN, code="bad_archive")])


def _outside(name: str) -> bool:
    parts = name.replace("\\", "/").split("/")
    return name.startswith(("/", "\\")) or ".." in parts or ":" in parts[0]


def _check(entries: list[zipfile.ZipInfo], name: str) -> None:
    if len(entries) > _MOST_MEMBERS:
        raise _refusal(name, f"the zip holds more than {_MOST_MEMBERS} files.")
    total = sum(entry.file_size for entry in entries)
    packed = sum(entry.compress_size for entry in entries)
    if total > _MOST_BYTES or any(entry.file_size > _MOST_OF_ONE for entry in entries):
        raise _refusal(name, f"the zip would unpack to {total // MEBIBYTE} MiB, more than is read here.")
    if total > _RATIO_FROM and total > packed * _MOST_RATIO:
        raise _refusal(name, "the zip unpacks to hundreds of times its size, as no real export does.")
    for entry in entries:
        if _outside(entry.filename):
            raise _refusal(name, f"the zip holds the path {entry.filename!r}, which points outside of it.")
        if entry.flag_bits & 1:
            raise _refusal(name, f"{entry.filename!r} in the zip is locked with a password.")


def is_zip(path: Path) -> bool:
    """Tell whether a file begins as zip files do."""
    with path.open("rb") as stream:
        return stream.read(4) == ZIP_MAGIC


@contextmanager
def opened(source: Path | bytes, name: str) -> Iterator[Archive]:
    """Open a zip file within the limits.

    Sizes are those the zip declares; the reading library never gives out more than declared, so a lie ends as a
    damaged member.

    Raises:
        ProblemsError: not a zip, damaged, too many or too large members, a path that points outside, a password.
    """
    try:
        handle = zipfile.ZipFile(io.BytesIO(source) if isinstance(source, bytes) else source)
    except _BROKEN as trouble:
        raise _refusal(name, f"this is not a sound zip file ({trouble}).") from trouble
    with handle:
        entries = [entry for entry in handle.infolist() if not entry.is_dir()]
        _check(entries, name)
        members = tuple(
            entry.filename.replace("\\", "/")
            for entry in entries
            if not (entry.filename.startswith("__MACOSX/") or entry.filename.rpartition("/")[2].startswith("._"))
        )
        yield Archive(name, members, handle)
