"""The files that evidence records name: where they lie now and what their content hashes to (interpretation 59).

A record names a file; only the file is evidence. Verdicts ask here whether it is there and what it holds today, and
compare that with the hash that was recorded when it came in.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, Protocol

from provender.signing.hashes import hash_file, sha256_hex


class EvidenceFiles(Protocol):
    """Where the files of a book's evidence lie."""

    def hash_of(self, farm_id: str, file: str) -> str:
        """Return the SHA-256 of a file as it is now; empty where it is not there."""

    def content_of(self, farm_id: str, file: str) -> bytes:
        """Return the bytes of a file; empty where it is not there."""


class FolderFiles:
    """Files in one folder, whichever farm they belong to; each is hashed once.

    Files that a verifier allowed to be left out of a package count with the hash that the package states for them.
    """

    def __init__(self, folder: Path, left_out: Mapping[str, str] | None = None) -> None:
        self._folder, self._left_out = folder, left_out or {}
        self._hashes: dict[str, str] = {}

    def hash_of(self, farm_id: str, file: str) -> str:  # noqa: ARG002 - one folder holds one farm
        """Return the hash of a file inside the folder; a name that leads out of it is not there."""
        if file not in self._hashes:
            path = self._path(file)
            self._hashes[file] = hash_file(path) if path else self._left_out.get(file, "")
        return self._hashes[file]

    def content_of(self, farm_id: str, file: str) -> bytes:  # noqa: ARG002 - one folder holds one farm
        """Return the bytes of a file inside the folder."""
        path = self._path(file)
        return path.read_bytes() if path else b""

    def _path(self, file: str) -> Path | None:
        inside = self._folder.resolve()
        path = (inside / file).resolve()
        return path if path.is_relative_to(inside) and path.is_file() else None


class HeldFiles:
    """Files of several farms that somebody else keeps: by farm and name, with a way to read each."""

    def __init__(self, files: Mapping[tuple[str, str], Callable[[], bytes]]) -> None:
        self._files = files
        self._hashes: dict[tuple[str, str], str] = {}

    def hash_of(self, farm_id: str, file: str) -> str:
        """Return the hash of what is kept."""
        key = farm_id, file
        if key not in self._hashes:
            content = self.content_of(farm_id, file)
            self._hashes[key] = sha256_hex(content) if content else ""
        return self._hashes[key]

    def content_of(self, farm_id: str, file: str) -> bytes:
        """Return what is kept."""
        read = self._files.get((farm_id, file))
        return b"" if read is None else read()


NO_FILES: Final = HeldFiles({})
"""Of a book that lies nowhere: no file is there."""
