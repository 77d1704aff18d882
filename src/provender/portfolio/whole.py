"""Files and folders that are either there whole or not at all: written aside, then renamed."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

ASIDE: Final = "_making-"
"""Begins the name of what is still being written; readers of Parquet folders pass such names over."""
_OLD: Final = "_old-"


@contextmanager
def whole_folder(folder: Path) -> Iterator[Path]:
    """Yield an empty folder to write into, which becomes ``folder`` when the block ends without an error.

    What was there before is replaced. A killed process leaves a folder under another name, which the next one clears.
    """
    aside, old = folder.with_name(ASIDE + folder.name), folder.with_name(_OLD + folder.name)
    shutil.rmtree(aside, ignore_errors=True)
    aside.mkdir(parents=True)
    yield aside
    shutil.rmtree(old, ignore_errors=True)
    if folder.exists():
        folder.rename(old)
    aside.rename(folder)
    shutil.rmtree(old, ignore_errors=True)


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that nobody ever finds half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(ASIDE + path.name)
    aside.write_bytes(data)
    aside.replace(path)


def unfinished(path: Path, out: Path) -> bool:
    """Tell whether a path inside a folder is of what is still being written, or was when its process died."""
    return any(part.startswith("_") for part in path.relative_to(out).parts)
