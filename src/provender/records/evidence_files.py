"""The files that evidence records name: where they lie now and what their content hashes to (interpretation 59).

A record names a file; only the file is evidence. Verdicts ask here whether it is there and what it holds today, and
compare that with the hash that was recorded when it came in.

Telephones write ``IMG_0001.jpg`` twice. The first file lies under the name that the records give it; another of the
same name, or of one that some systems take for the same, lies beside it under a name with its hash (``kept_as``). A row
that records a hash finds the file of that hash in either place.
"""

import re
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path, PurePath
from typing import Final, Protocol

from provender.signing.hashes import hash_file, sha256_hex

HASH_SHOWN: Final = 12
"""So many digits of its hash stand in the name of a file that is kept beside others."""


def kept_as(name: str, sha256: str) -> str:
    """Return the name under which a file lies beside others that may bear its own, such as ``IMG-0a1b2c3d4e5f.jpg``."""
    path = PurePath(name.replace("\\", "/"))
    stem = re.sub(r"[^A-Za-z0-9._-]+", "-", path.stem).strip("-.") or "file"
    return f"{stem}-{sha256[:HASH_SHOWN]}{re.sub(r'[^a-z0-9.]', '', path.suffix.lower())}"


def place_of(file: str, recorded: str | None, hash_at: Callable[[str], str]) -> str:
    """Return the name under which the file of a row lies.

    Args:
        file: the name that the row gives it.
        recorded: the SHA-256 that the row gives, in any case; without one the name is all there is.
        hash_at: gives the SHA-256 of what lies under a name; empty where nothing does.
    """
    wanted = (recorded or "").strip().lower()
    if wanted and hash_at(file) != wanted and hash_at(beside := kept_as(file, wanted)) == wanted:
        return beside
    return file


class EvidenceFiles(Protocol):
    """Where the files of a book's evidence lie."""

    def hash_of(self, farm_id: str, file: str, recorded: str | None = None) -> str:
        """Return the SHA-256 of a file as it is now, that of the recorded one if it is there; empty for none."""

    def content_of(self, farm_id: str, file: str, recorded: str | None = None) -> bytes:
        """Return the bytes of a file, of the recorded one if it is there; empty for none."""


def file_inside(folder: Path, name: str) -> Path | None:
    """Return the file of a name inside a folder; None where none is there, or the name is none or leads out of it."""
    try:
        inside = folder.resolve()
        path = (inside / name).resolve()
        return path if path.is_relative_to(inside) and path.is_file() else None
    except (OSError, ValueError):  # a name too long for the disk, or with a NUL
        return None


class FolderFiles:
    """Files in one folder, whichever farm they belong to; each is hashed once.

    Files that a verifier allowed to be left out of a package count with the hash that the package states for them.
    """

    def __init__(self, folder: Path, left_out: Mapping[str, str] | None = None) -> None:
        self._folder, self._left_out = folder, left_out or {}
        self._hashes: dict[str, str] = {}

    def hash_of(self, farm_id: str, file: str, recorded: str | None = None) -> str:  # noqa: ARG002 - of one farm
        """Return the hash of a file inside the folder; a name that leads out of it is not there."""
        return self._hash_at(place_of(file, recorded, self._hash_at))

    def content_of(self, farm_id: str, file: str, recorded: str | None = None) -> bytes:  # noqa: ARG002 - of one farm
        """Return the bytes of a file inside the folder."""
        path = self.path_of(file, recorded)
        return path.read_bytes() if path else b""

    def path_of(self, file: str, recorded: str | None = None) -> Path | None:
        """Return where a file lies, the recorded one if it is there; None where none does."""
        return file_inside(self._folder, place_of(file, recorded, self._hash_at))

    def _hash_at(self, file: str) -> str:
        if file not in self._hashes:
            path = file_inside(self._folder, file)
            self._hashes[file] = hash_file(path) if path else self._left_out.get(file, "")
        return self._hashes[file]


class Memory(Protocol):
    """What was read out of files before, where reading is dear, by what tells file and reading from others."""

    def get(self, key: str) -> str | None:
        """Return what was read, or None where it was not or is forgotten."""

    def put(self, key: str, text: str) -> None:
        """Remember what was read, for a while."""


class HeldFiles:
    """Files of several farms that somebody else keeps: by farm and name, with a way to read each.

    Attributes:
        memory: what was read out of them before, kept by the same somebody; None where nothing is.
    """

    def __init__(self, files: Mapping[tuple[str, str], Callable[[], bytes]], memory: Memory | None = None) -> None:
        self._files, self.memory = files, memory
        self._hashes: dict[tuple[str, str], str] = {}

    def hash_of(self, farm_id: str, file: str, recorded: str | None = None) -> str:
        """Return the hash of what is kept."""
        return self._hash_at(farm_id, self._place(farm_id, file, recorded))

    def content_of(self, farm_id: str, file: str, recorded: str | None = None) -> bytes:
        """Return what is kept."""
        return self._read(farm_id, self._place(farm_id, file, recorded))

    def _place(self, farm_id: str, file: str, recorded: str | None) -> str:
        return place_of(file, recorded, partial(self._hash_at, farm_id))

    def _hash_at(self, farm_id: str, file: str) -> str:
        key = farm_id, file
        if key not in self._hashes:
            content = self._read(farm_id, file)
            self._hashes[key] = sha256_hex(content) if content else ""
        return self._hashes[key]

    def _read(self, farm_id: str, file: str) -> bytes:
        read = self._files.get((farm_id, file))
        return b"" if read is None else read()


NO_FILES: Final = HeldFiles({})
"""Of a book that lies nowhere: no file is there."""
