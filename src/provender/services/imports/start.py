"""Starting the working process of an import, and asking how far it is."""

import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

from django.conf import settings

from provender.database.actor import today as today_here
from provender.database.models import BookImport, Organisation, Upload
from provender.database.store.record_books import rows_of
from provender.formats.parsed import decode, encode
from provender.problem import Place, Problem, ProblemsError
from provender.rule.version import rule_version
from provender.services.background import OUTCOME, REQUEST, Progress, progress_in, spawn, write_whole
from provender.services.farm.folder import FILE, rows_as_texts, side_files
from provender.services.farm.uploads import path_of
from provender.services.imports.request import ImportChoices, ImportRequest, ImportResult

FOLDER: Final = "imports"
NAME_BYTES: Final = 120


def folder_of(begun: BookImport) -> Path:
    """Return the working folder of the present attempt."""
    return Path(settings.UPLOAD_FOLDER) / FOLDER / begun.handle / str(begun.attempt)


def said_of(begun: BookImport) -> ImportChoices:
    """Return what the person chose so far."""
    return cast("ImportChoices", decode(ImportChoices, begun.said))


def uploads_of(begun: BookImport) -> list[Upload]:
    """Return the files of an import that are not left out, in order."""
    left_out = set(said_of(begun).left_out)
    found = {one.handle: one for one in Upload.objects.filter(handle__in=begun.files)}
    return [found[handle] for handle in begun.files if handle in found and handle not in left_out]


def files_by_code(organisation: Organisation, codes: Sequence[str]) -> list[Upload]:
    """Return stored files of an organisation by their codes, each once.

    Raises:
        ProblemsError: it has no stored file of such a code.
    """
    stored = {each.handle: each for each in Upload.objects.filter(organisation=organisation, handle__in=codes)}
    unknown = [code for code in codes if code not in stored]
    if unknown:
        cause = f"No stored file has the code {unknown[0]!r}."
        raise ProblemsError([Problem(Place("files"), cause, "Store it first: POST /files.", code="no_file")])
    return [stored[code] for code in dict.fromkeys(codes)]


def file_name(name: str) -> str:
    """Return a name that a file can have on any disk: short, and neither hidden nor a folder."""
    stem, dot, suffix = name.strip(". ").rpartition(".")
    stem, suffix = (stem, f".{suffix}") if dot else (suffix, "")
    short = stem.encode()[: NAME_BYTES - len(suffix.encode()[:20])].decode(errors="ignore")
    return f"{short or 'file'}{suffix[:20]}".replace("/", "-").replace("\0", "")


def start(begun: BookImport) -> None:
    """Put the rows of the book and links to the files into a new folder, and start the process that reads them."""
    folder, uploads = folder_of(begun), uploads_of(begun)
    shutil.rmtree(folder.parent, ignore_errors=True)
    names = []
    for number, upload in enumerate(uploads):
        place = folder / "files" / str(number) / file_name(upload.name)
        place.parent.mkdir(parents=True)
        place.symlink_to(path_of(upload.sha256).absolute())
        names.append(str(place.relative_to(folder)))
    organisation, today = begun.book.organisation, today_here()
    limit = rule_version(today).boundary_difference_pct_max
    stored = rows_of(begun.book, begun.book_version)
    request = ImportRequest(
        today.isoformat(), organisation.handle, organisation.name, limit, names, said_of(begun), rows_as_texts(stored),
        side_files(stored.get(FILE, {})),
    )  # fmt: skip
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / REQUEST, encode(request))
    spawn("provender.services.imports.worker", folder)


def outcome(begun: BookImport) -> ImportResult | None:
    """Return what came of the present attempt, or None while it is at work."""
    path = folder_of(begun) / OUTCOME
    return cast("ImportResult", decode(ImportResult, json.loads(path.read_text("utf-8")))) if path.is_file() else None


@dataclass(frozen=True, slots=True)
class Reading:
    """An import whose files are read: what was chosen before, and what came of it."""

    begun: BookImport
    said: ImportChoices
    result: ImportResult


def reading_of(begun: BookImport) -> Reading | None:
    """Return what came of the present attempt with the choices so far, or None while it is at work."""
    result = outcome(begun)
    return None if result is None else Reading(begun, said_of(begun), result)


def progress(begun: BookImport) -> Progress:
    """Return how far the present attempt is."""
    return progress_in(folder_of(begun))


def clear(begun: BookImport) -> None:
    """Remove the working folders of an import that has ended."""
    shutil.rmtree(folder_of(begun).parent, ignore_errors=True)
