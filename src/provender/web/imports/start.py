"""Starting the working process of an import, and asking how far it is."""

import fcntl
import json
import os
import shutil
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

from django.conf import settings
from django.utils import timezone

from provender.database.books import rows_of
from provender.database.deeds.uploads import path_of
from provender.database.models import BookImport, Upload
from provender.formats.parsed import decode, encode
from provender.rule.version import rule_version
from provender.web.imports.folder import write_folder
from provender.web.imports.request import Outcome, Request, Said
from provender.web.imports.work import BOOK, write_whole

FOLDER: Final = "imports"
NAME_BYTES: Final = 120
STARTING_SECONDS: Final = 20


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an import is.

    Attributes:
        file: at work, or empty.
        done, whole: files.
        lost: the working process is gone without an answer.
    """

    file: str = ""
    done: int = 0
    whole: int = 0
    lost: bool = False


def folder_of(begun: BookImport) -> Path:
    """Return the working folder of the present attempt."""
    return Path(settings.UPLOAD_FOLDER) / FOLDER / begun.handle / str(begun.attempt)


def said_of(begun: BookImport) -> Said:
    """Return what the person chose so far."""
    return cast("Said", decode(Said, begun.said))


def uploads_of(begun: BookImport) -> list[Upload]:
    """Return the files of an import that are not left out, in order."""
    left_out = set(said_of(begun).left_out)
    found = {one.handle: one for one in Upload.objects.filter(handle__in=begun.files)}
    return [found[handle] for handle in begun.files if handle in found and handle not in left_out]


def file_name(name: str) -> str:
    """Return a name that a file can have on any disk: short, and neither hidden nor a folder."""
    stem, dot, suffix = name.strip(". ").rpartition(".")
    stem, suffix = (stem, f".{suffix}") if dot else (suffix, "")
    short = stem.encode()[: NAME_BYTES - len(suffix.encode()[:20])].decode(errors="ignore")
    return f"{short or 'file'}{suffix[:20]}".replace("/", "-").replace("\0", "")


def start(begun: BookImport) -> None:
    """Lay the book and the files out in a new folder, and start the process that reads them; does not wait for it."""
    folder, uploads = folder_of(begun), uploads_of(begun)
    shutil.rmtree(folder.parent, ignore_errors=True)
    write_folder(rows_of(begun.book, begun.book_version), folder / BOOK)
    names = []
    for number, upload in enumerate(uploads):
        place = folder / "files" / str(number) / file_name(upload.name)
        place.parent.mkdir(parents=True)
        place.symlink_to(path_of(upload.sha256).absolute())
        names.append(str(place.relative_to(folder)))
    organisation, today = begun.book.organisation, timezone.now().date()
    limit = rule_version(today).boundary_difference_pct_max
    request = Request(today.isoformat(), organisation.handle, organisation.name, limit, names, said_of(begun))
    write_whole(folder / "request.json", encode(request))
    command = [sys.executable, "-I", "-B", "-m", "provender.web.imports.work", str(folder)]
    with (folder / "trouble.txt").open("wb") as trouble:
        process = subprocess.Popen(  # noqa: S603 - our own interpreter and module, no shell
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=trouble,
            env={"PATH": os.defpath, "LC_ALL": "C.UTF-8", "POLARS_MAX_THREADS": "1"},
            start_new_session=True,
        )
    # Nobody waits for the answer here, but a child that has ended must be waited for.
    threading.Thread(target=process.wait, daemon=True, name=f"import {begun.handle}").start()


def outcome(begun: BookImport) -> Outcome | None:
    """Return what came of the present attempt, or None while it is at work."""
    path = folder_of(begun) / "outcome.json"
    return cast("Outcome", decode(Outcome, json.loads(path.read_text("utf-8")))) if path.is_file() else None


def progress(begun: BookImport) -> Progress:
    """Return how far the present attempt is."""
    folder = folder_of(begun)
    try:
        found = json.loads((folder / "progress.json").read_text("utf-8"))
    except FileNotFoundError:
        found = {}
    return Progress(**found, lost=_is_lost(folder))


def _is_lost(folder: Path) -> bool:
    """Tell whether nobody holds the lock of a working process that had time to start."""
    if (folder / "outcome.json").is_file():
        return False
    try:
        age = timezone.now().timestamp() - (folder / "request.json").stat().st_mtime
        if age < STARTING_SECONDS and not (folder / "alive").exists():
            return False
        with (folder / "alive").open("r") as alive:
            fcntl.flock(alive, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except FileNotFoundError:
        return True
    return not (folder / "outcome.json").is_file()


def clear(begun: BookImport) -> None:
    """Remove the working folders of an import that has ended."""
    shutil.rmtree(folder_of(begun).parent, ignore_errors=True)
