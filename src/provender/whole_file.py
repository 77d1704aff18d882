"""Files written whole or not at all, also where the disk is full."""

import os
import threading
from pathlib import Path
from typing import Final

LETTERS: Final = 50
"""Of the name, in that of the file beside it: names have at most 255 bytes."""


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
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name[:LETTERS]}.{os.getpid()}.{threading.get_ident()}")
    try:
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "wb") as stream:
            stream.write(content)
            stream.flush()
            if durable:
                os.fsync(stream.fileno())
        if new:
            os.link(beside, path)
            beside.unlink()
        else:
            if path.exists():
                beside.chmod(path.stat().st_mode & 0o7777)
            beside.replace(path)
    except OSError:
        beside.unlink(missing_ok=True)
        raise
