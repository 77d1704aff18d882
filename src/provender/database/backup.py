"""One archive with everything a server keeps: the database as of one moment, and every stored file.

The database is copied first and the files after it. A file is on the disk before the row that names it is written and
is never changed, so every row of the copy finds its file, however busy the server is meanwhile. The archive is a
gzipped tar whose last member, ``manifest.json``, has size and SHA-256 of every other.
"""

import hashlib
import json
import os
import re
import shutil
import sqlite3
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, Final, cast

from django.conf import settings
from django.db import connection

from provender import __version__
from provender.problem import refuse

_FORMAT: Final = "provender backup 1"
_MANIFEST: Final = "manifest.json"
DATABASE: Final = {"sqlite": "database.sqlite3", "postgresql": "database.pgdump"}
_UPLOAD: Final = re.compile(r"uploads/[0-9a-f]{2}/([0-9a-f]{64})")
SPEED: Final = 3
"""How hard gzip tries: photographs do not shrink, tables shrink at once."""
_PIECE: Final = 1 << 20
_POSTGRES_VARIABLES: Final[Mapping[str, str]] = {
    "sslmode": "PGSSLMODE",
    "sslrootcert": "PGSSLROOTCERT",
    "sslcert": "PGSSLCERT",
    "sslkey": "PGSSLKEY",
}


@dataclass(frozen=True, slots=True)
class Copied:
    """What an archive holds: number of files besides the database, and bytes before packing."""

    files: int
    size: int


class _Hashing:
    """Reads a file and hashes what passes."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream, self._hash = stream, hashlib.sha256()

    def read(self, size: int = -1) -> bytes:
        piece = self._stream.read(size)
        self._hash.update(piece)
        return piece

    @property
    def sha256(self) -> str:
        """Return the hash of what was read so far."""
        return self._hash.hexdigest()


def write_backup(archive: Path) -> Copied:
    """Write the archive; while it is not whole it has another name, and no other user may read it.

    Raises:
        ProblemsError: the archive exists already, a stored file is damaged, or PostgreSQL's own program is not there
            or fails.
    """
    if archive.exists():
        raise refuse(str(archive), "There is a file of this name.", "Give the archive another name.")
    unfinished = archive.with_name(f".{archive.name}.unfinished")
    with tempfile.TemporaryDirectory(dir=archive.parent) as name:
        database = Path(name) / DATABASE[connection.vendor]
        _copy_database(database)
        handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            with os.fdopen(handle, "wb") as stream:
                members = _pack(stream, database)
                stream.flush()
                os.fsync(stream.fileno())
            unfinished.rename(archive)
        finally:
            unfinished.unlink(missing_ok=True)
    return Copied(len(members) - 1, sum(size for size, _ in members.values()))


def _pack(stream: IO[bytes], database: Path) -> dict[str, tuple[int, str]]:
    members: dict[str, tuple[int, str]] = {}
    with tarfile.open(fileobj=stream, mode="w:gz", compresslevel=SPEED) as tar:
        members[database.name] = _add(tar, database.name, database)
        for path in _stored_files():
            name = f"uploads/{path.parent.name}/{path.name}"
            members[name] = _add(tar, name, path)
            if members[name][1] != path.name:
                raise refuse(str(path), "The stored file is damaged.", "Put it back from an older backup, then repeat.")
        listed = {name: {"size": size, "sha256": sha256} for name, (size, sha256) in members.items()}
        made_at = datetime.now(tz=UTC).isoformat(timespec="seconds")
        said = {"format": _FORMAT, "provender": __version__, "made_at": made_at, "members": listed}
        with tempfile.TemporaryFile() as manifest:
            manifest.write(json.dumps(said, indent=1).encode())
            info = tarfile.TarInfo(_MANIFEST)
            info.size = manifest.tell()
            manifest.seek(0)
            tar.addfile(info, manifest)
    return members


def _add(tar: tarfile.TarFile, name: str, path: Path) -> tuple[int, str]:
    info = tarfile.TarInfo(name)
    info.size, info.mode = path.stat().st_size, 0o600
    with path.open("rb") as stream:
        hashing = _Hashing(stream)
        tar.addfile(info, cast("IO[bytes]", hashing))  # tarfile only reads
    return info.size, hashing.sha256


def _stored_files() -> Iterator[Path]:
    """Yield the stored files by name; one that is still being written has no hash for a name."""
    folder = Path(settings.UPLOAD_FOLDER)
    for path in sorted(folder.glob("??/*")) if folder.is_dir() else ():
        if _UPLOAD.fullmatch(f"uploads/{path.parent.name}/{path.name}"):
            yield path


def _copy_database(target: Path) -> None:
    if connection.vendor == "sqlite":
        with (
            closing(sqlite3.connect(str(connection.settings_dict["NAME"]))) as source,
            closing(sqlite3.connect(target)) as copy,
        ):
            source.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")
        return
    _postgres_program("pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={target}")


def _postgres_program(program: str, *arguments: str) -> None:
    """Run a program of PostgreSQL on our database; the password travels in its environment, never in its arguments."""
    found = shutil.which(program)
    if found is None:
        raise refuse(program, "This program of PostgreSQL is not on the path.", "Install PostgreSQL's client programs.")
    said: dict[str, Any] = connection.settings_dict
    known = _POSTGRES_VARIABLES
    options = {known[name]: str(value) for name, value in said["OPTIONS"].items() if name in known}
    variables = {
        "PGHOST": str(said["HOST"] or ""),
        "PGPORT": str(said["PORT"] or ""),
        "PGUSER": str(said["USER"] or ""),
        "PGPASSWORD": str(said["PASSWORD"] or ""),
        **options,
    }
    environment = {**os.environ, **{name: value for name, value in variables.items() if value}}
    done = subprocess.run(  # noqa: S603 - a program of PostgreSQL, our own arguments
        [found, *arguments, f"--dbname={said['NAME']}"], env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise refuse(program, f"It failed: {done.stderr.strip()[-500:]}", "Mend what it says, then repeat.")


def restore_backup(archive: Path) -> Copied:
    """Put an archive back into a server that holds nothing yet.

    Raises:
        ProblemsError: there is a database or a file already, the archive is no backup, another kind of database, or
            damaged: then nothing was put anywhere.
    """
    _check_empty()
    folder = Path(settings.UPLOAD_FOLDER).parent
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as name:
        members = _unpack(archive, Path(name))
        database = Path(name) / DATABASE[connection.vendor]
        if not database.exists():
            cause = f"The archive holds no {connection.vendor} database."
            raise refuse(str(archive), cause, "Restore it with the setting PROVENDER_DATABASE_URL it was made with.")
        if (Path(name) / "uploads").exists():
            (Path(name) / "uploads").rename(settings.UPLOAD_FOLDER)
        if connection.vendor == "sqlite":
            _check_sqlite(database)
            database.rename(str(connection.settings_dict["NAME"]))
        else:
            _postgres_program(
                "pg_restore", "--no-owner", "--no-privileges", "--single-transaction", "--exit-on-error", str(database)
            )
    return Copied(len(members) - 1, sum(members.values()))


def _check_empty() -> None:
    file = Path(str(connection.settings_dict["NAME"]))
    if connection.vendor == "sqlite":
        taken = file.exists()
    else:
        taken = bool(connection.introspection.table_names())
        connection.close()
    if taken or Path(settings.UPLOAD_FOLDER).exists():
        cause = "There is a server's database or its files already."
        raise refuse(str(file), cause, "Restore into a new folder, or an empty database, and look at it first.")


def _check_sqlite(database: Path) -> None:
    with closing(sqlite3.connect(database)) as copy:
        found = copy.execute("PRAGMA integrity_check").fetchone()[0]
    if found != "ok":
        raise refuse(database.name, f"SQLite finds it damaged: {found}", "Take another backup.")


def _unpack(archive: Path, folder: Path) -> dict[str, int]:
    """Write the members into a folder and hold each against the manifest; return their sizes."""
    wrong = "This is no whole backup of provender."
    remedy = "Fetch the archive again, or take another."
    found: dict[str, tuple[int, str]] = {}
    said: Any = None
    try:
        with tarfile.open(archive, "r:gz") as tar:
            for info in tar:
                stream = tar.extractfile(info) if info.isreg() else None
                if stream is None:
                    raise refuse(str(archive), wrong, remedy)
                if info.name == _MANIFEST:
                    said = json.load(stream)
                    continue
                if info.name not in DATABASE.values() and not _UPLOAD.fullmatch(info.name):
                    raise refuse(str(archive), wrong, remedy)
                found[info.name] = (info.size, _write(stream, folder / info.name))
    except (tarfile.TarError, EOFError, ValueError, OSError) as broken:
        if isinstance(broken, FileNotFoundError):
            raise
        raise refuse(str(archive), wrong, remedy) from None
    listed = said.get("members", {}) if isinstance(said, dict) and said.get("format") == _FORMAT else {}
    if not found or {name: {"size": size, "sha256": sha256} for name, (size, sha256) in found.items()} != listed:
        raise refuse(str(archive), wrong, remedy)
    return {name: size for name, (size, _) in found.items()}


def _write(stream: IO[bytes], path: Path) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    hashing = _Hashing(stream)
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as out:
        while piece := hashing.read(_PIECE):
            out.write(piece)
        out.flush()
        os.fsync(out.fileno())
    return hashing.sha256
