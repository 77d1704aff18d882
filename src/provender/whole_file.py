"""Files written whole or not at all, also where the disk is full; and how a full disk shows in an error."""

import errno
import os
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Final

_LETTERS: Final = 50
"""Of the name, in that of the file beside it: names have at most 255 bytes."""


FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_FULL_SQLITE: Final = frozenset({13, 778})
"""SQLITE_FULL; SQLITE_IOERR_WRITE, which a write is that a limit of the process refuses."""
_FULL_POSTGRES: Final = "53100"


def is_full(error: BaseException | None) -> bool:
    """Tell whether an error comes of a disk, or a part of one that this program may use, that has no space left."""
    while error is not None:
        if isinstance(error, OSError) and error.errno in FULL:
            return True
        if getattr(error, "sqlite_errorcode", 0) in _FULL_SQLITE or getattr(error, "sqlstate", "") == _FULL_POSTGRES:
            return True
        error = error.__cause__ or error.__context__
    return False


def write_whole(path: Path, content: bytes, *, new: bool = False, durable: bool = False, mode: int = 0o666) -> None:
    """Write a file beside its place first, so that nobody ever finds half of it; its folders too.

    Args:
        path: where it goes. What is no plain file, such as a terminal, is written to directly.
        content: all of it.
        new: refuse to replace a file.
        durable: return only once it is on the disk.
        mode: who may read it, less what the user's mask takes away; a file that is replaced keeps its own.

    Raises:
        OSError: it cannot be written; then nothing is left of it. FileExistsError: ``new``, and there is one.
    """
    if path.exists() and not path.is_file():
        path.write_bytes(content)
        return
    path = path.resolve()  # through a link, to the file it leads to
    part = _write_beside(path, content, durable=durable, mode=mode)
    try:
        if new:
            os.link(part, path)
            part.unlink()
        else:
            part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise


def write_together(files: Mapping[Path, bytes]) -> None:
    """Write some files of one paper, or none of them; their folders too.

    Raises:
        OSError: one of them cannot be written; then each place has what it had before.
    """
    parts, before = dict[Path, Path](), dict[Path, Path | None]()
    try:
        for path, content in files.items():
            parts[path] = _write_beside(path, content)
        for path, part in parts.items():
            before[path] = path.replace(part.with_name(f"{part.name}.before")) if path.is_file() else None
            part.replace(path)
    except OSError:
        for path, kept in before.items():
            if kept:
                kept.replace(path)
            elif not parts[path].exists():  # it has taken its place
                path.unlink(missing_ok=True)
        for part in parts.values():
            part.unlink(missing_ok=True)
        raise
    for kept in filter(None, before.values()):
        kept.unlink()


def _write_beside(path: Path, content: bytes, *, durable: bool = False, mode: int = 0o666) -> Path:
    """Write a file beside the place that it is to take, to be read by whoever may read what is there, and return it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(path.parent)) from None
    part = path.with_name(f".{path.name[:_LETTERS]}.{os.getpid()}.{threading.get_ident()}")
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "wb") as stream:
            stream.write(content)
            stream.flush()
            if durable:
                os.fsync(stream.fileno())
        if path.is_file():
            part.chmod(path.stat().st_mode & 0o7777)
    except OSError:
        part.unlink(missing_ok=True)
        raise
    return part
