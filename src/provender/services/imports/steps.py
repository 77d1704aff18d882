"""The steps of an import, for pages and programs alike: begin it, read again, write it, give it up."""

import json
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from provender.database.actor import Actor, write_log
from provender.database.actor import today as today_here
from provender.database.models.accounts import Organisation
from provender.database.models.farm import Book, BookImport, Change, Upload
from provender.database.store.record_books import rows_of
from provender.formats.parsed import decode, encode
from provender.problem import Place, Problem, ProblemsError, Weight
from provender.records.kind import KINDS
from provender.records.reading import column_names
from provender.rule.law import rule_version
from provender.services.background import OUTCOME, REQUEST, Progress, progress_in, spawn, write_whole
from provender.services.farm.book import Edit, FarmBook, change_book, head_of, key_of
from provender.services.farm.files import path_of, store_upload
from provender.services.farm.folder import FARM, FILE, SOURCE, rows_as_texts, side_files
from provender.services.imports.request import ImportChoices, ImportRequest, ImportResult, RowChange, asked_words
from provender.services.refused import refusal

# Starting the working process of an import, and asking how far it is.

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


# What an import asks of a person or a program before it is written.

CHOOSABLE: Final = frozenset({"differs_from_book", "other_boundary"})


@dataclass(frozen=True, slots=True)
class Question:
    """Something that can be chosen."""

    # ``kinds``, ``columns``, ``units``, ``words``, ``entries``, ``dates``, ``replace``, ``rejected`` or ``looked``
    about: str
    subject: str  # which sheet, name or row, as text; empty where it is about the whole import
    says: str  # the question


def must_look(found: ImportResult) -> bool:
    """Tell whether something is doubtful, so that the person has to say that they looked at it."""
    return any(one.weight is Weight.CONFIRM for one in [*found.problems, *found.remain])


def differs(found: ImportResult) -> bool:
    """Tell whether book and files say different things about the same row."""
    return any(one.code in CHOOSABLE for one in found.problems)


def asks_dates(found: ImportResult) -> bool:
    """Tell whether days were read as the farm's country writes them, since nothing else said how."""
    return any(one.code == "day_order" for one in found.problems)


def unit_choices(farm: FarmBook, found: ImportResult) -> list[str]:
    """Return the management units of the book and those that come with the import."""
    new = [row.texts["unit_id"] for row in found.rows if row.kind == "unit"]
    return list(dict.fromkeys([*farm.of(KINDS["unit"]), *new]))


def unknown_names(farm: FarmBook, found: ImportResult) -> list[str]:
    """Return names that the files have for fields and that are no unit, and photographs that name none."""
    known = set(unit_choices(farm, found))
    names = [row.texts["unit_id"] for row in found.rows if row.kind != "unit" and "unit_id" in row.texts]
    photos = [
        row.file
        for row in found.rows
        if row.texts.get("what") == "photograph" and not row.texts["unit_id"] and row.file
    ]
    lost = list(_units_lost(found))
    return list(dict.fromkeys([*(name for name in [*names, *lost] if name and name not in known), *photos]))


def _units_lost(found: ImportResult) -> Iterator[str]:
    """Yield what rows that stay out name as their unit, where that is why they stay out."""
    for row in found.rejected:
        kind = KINDS.get(row.kind)
        if kind is None or "unit_id" not in row.why:
            continue
        names = column_names(kind)
        yield from (text for heading, text in row.cells if names.get(heading.casefold()) == "unit_id")


def questions(farm: FarmBook, found: ImportResult) -> list[Question]:
    """Return everything that waits for a choice."""
    return list(_questions(farm, found))


def _questions(farm: FarmBook, found: ImportResult) -> Iterator[Question]:
    for number, one in enumerate(found.layouts):
        where = ", ".join(part for part in (one.file, one.sheet) if part)
        if not one.target:
            yield Question("kinds", str(number), f"{where}: what are its rows?")
        elif not one.confirmed:
            yield Question("columns", str(number), f"{where}: is each of its columns what it was taken for?")
    for name in unknown_names(farm, found):
        yield Question("units", name, f"Which management unit is {name}?")
    for word in asked_words(found):
        says = (
            f"What is {word.typed!r} in the list of the {word.about}s: {'; '.join(word.choices) or 'nothing is near'}?"
        )
        yield Question("words", f"{word.about}|{word.typed}", says)
    yield from _entries(found)
    if asks_dates(found):
        yield Question("dates", "", "The days can be read two ways: does the month come first (mdy) or the day (dmy)?")
    if differs(found):
        yield Question("replace", "", "Book and files differ: whose values count?")
    for row in found.rejected:
        yield Question("rejected", f"{row.path}, row {row.row}", f"{row.place} stays out: is it corrected or dropped?")
    if must_look(found):
        yield Question("looked", "", "Did somebody look at the problems that are to be confirmed?")


def _entries(found: ImportResult) -> Iterator[Question]:
    for one in found.offered:
        crop = one.crop.replace("_", " ") or "a crop that is not said"
        says = f"No crop entry fits some rows: add {one.name}, {crop} on {one.unit}, harvest year {one.year}?"
        yield Question("entries", one.name, says)


# Beginning an import, choosing how its files are read, and ending it; each leaves its row in the log.


@transaction.atomic
def begin_import(
    book: Book, uploads: Iterable[Upload], *, actor: Actor, said: Mapping[str, object] | None = None
) -> BookImport:
    """Begin an import of files that lie stored, with what is said of them already; nothing of the book changes."""
    files = list(uploads)
    begun = BookImport.objects.create(
        book=book,
        actor=actor.person,
        files=[one.handle for one in files],
        said=dict(said or {}),
        book_version=_version(book),
    )
    about = ", ".join(one.name for one in files) or "rejected rows"
    write_log(actor, "begin import", organisation=book.organisation, about=about, new={"import": begun.handle})
    return begun


@transaction.atomic
def choose_for_import(begun: BookImport, said: Mapping[str, object], *, actor: Actor) -> BookImport:
    """Keep what a person chose, and count one attempt more: the files are read again from the book as it is now.

    Raises:
        RefusedError: the import has ended.
    """
    _check_open(begun)
    old = begun.said
    begun.said, begun.attempt, begun.book_version = dict(said), begun.attempt + 1, _version(begun.book)
    begun.save(update_fields=["said", "attempt", "book_version"])
    changed = sorted(name for name in {*old, *said} if old.get(name) != said.get(name))
    new = {"import": begun.handle, "chosen": changed}
    write_log(actor, "choose for import", organisation=begun.book.organisation, about=str(begun), new=new)
    return begun


@transaction.atomic
def write_import(begun: BookImport, edits: Iterable[Edit], *, reason: str, actor: Actor) -> Change:
    """Write what the person nodded to, as one change of the book.

    Raises:
        RefusedError: the import has ended, nothing is to be written, or the book changed since the files were read.
    """
    _check_open(begun)
    change = change_book(begun.book, edits, reason=reason, actor=actor, after=begun.book_version)
    begun.change, begun.ended_at = change, timezone.now()
    begun.save(update_fields=["change", "ended_at"])
    return change


@transaction.atomic
def give_up_import(begun: BookImport, *, actor: Actor) -> None:
    """End an import without writing anything of it; the files stay stored.

    Raises:
        RefusedError: the import has ended.
    """
    _check_open(begun)
    begun.ended_at = timezone.now()
    begun.save(update_fields=["ended_at"])
    write_log(actor, "give up import", organisation=begun.book.organisation, about=str(begun))


def _version(book: Book) -> int:
    head = head_of(book)
    return head.number if head else 0


def _check_open(begun: BookImport) -> None:
    if begun.ended_at is not None:
        raise refusal("import_ended", "This import has ended.", "Upload the files again if something is missing.")


# What a nod writes: the edits of one change, from what an import found.


def edits_of(found: ImportResult, uploads: Sequence[Upload], farm_id: str) -> Iterator[Edit]:
    """Yield an edit for each row, each further file, each source and each file kept as evidence."""
    for row in found.rows:
        yield row_edit(row, farm_id)
    for path, text in found.files.items():
        yield Edit(FILE, path, None if text is None else {"text": text})
    for path, index in found.kept.items():
        yield Edit(FILE, path, {"sha256": uploads[index].sha256, "upload": uploads[index].handle})
    yield from _source_edits(found.sources)


def row_edit(row: RowChange, farm_id: str) -> Edit:
    """Return the edit of one row; in a book of the database every row is of the organisation's farm."""
    kind = KINDS[row.kind]
    texts = {**row.texts} if kind.name == "farm" else {**row.texts, FARM: farm_id}
    return Edit(kind.name, key_of(kind, texts), texts)


def _source_edits(sources: Iterable[tuple[str, ...]]) -> Iterator[Edit]:
    for kind, key, file, sheet, row, sha256, day in sources:
        name = json.dumps([kind, key, file, sheet, row, sha256], ensure_ascii=False)
        said = {"kind": kind, "key": key, "file": file, "sheet": sheet, "row": row, "sha256": sha256}
        yield Edit(SOURCE, name, {**said, "imported_on": day})


NOT_READ: Final = "not_read"
CHOSEN_MEANWHILE: Final = "chosen_meanwhile"
NOT_LOOKED: Final = "not_looked"
BOOK_CHANGED: Final = "overtaken"
LONGEST_REASON: Final = 200


@dataclass(frozen=True, slots=True)
class Written:
    """What a nod wrote: the change, and how many rows of records it holds."""

    change: Change
    rows: int


def begin(
    book: Book, uploads: Iterable[Upload], *, actor: Actor, said: Mapping[str, object] | None = None
) -> BookImport:
    """Begin an import and start reading its files; without files, the rejected rows of the book are read."""
    begun = begin_import(book, uploads, actor=actor, said=said)
    start(begun)
    return begun


def read_again(begun: BookImport, *, actor: Actor, said: ImportChoices | None = None) -> BookImport:
    """Read the files again, from the book as it is now, with what is said or was said before.

    Raises:
        RefusedError: the import has ended.
    """
    plain = encode(said_of(begun) if said is None else said)
    if not isinstance(plain, dict):
        raise TypeError("a dataclass becomes a mapping")
    again = choose_for_import(begun, plain, actor=actor)
    start(again)
    return again


def read_outcome(begun: BookImport) -> ImportResult:
    """Return what came of the present attempt.

    Raises:
        RefusedError: the import has ended, or its files are not read yet.
    """
    if begun.ended_at is not None:
        raise refusal("import_ended", "This import has ended.", "Upload the files again if something is missing.")
    found = outcome(begun)
    if found is None:
        cause, remedy = "The files are not read yet.", "Ask how far the import is, and come back when they are read."
        raise refusal(NOT_READ, cause, remedy)
    return found


def read_reading(begun: BookImport) -> Reading:
    """Return what came of the present attempt, with the choices so far.

    Raises:
        RefusedError: the import has ended, or its files are not read yet.
    """
    return Reading(begun, said_of(begun), read_outcome(begun))


def check_attempt(begun: BookImport, attempt: int) -> None:
    """Let nobody act on rows that were read anew meanwhile.

    Raises:
        RefusedError: another attempt than the one that was seen is the present one.
    """
    if attempt != begun.attempt:
        cause = "The choices for these files were changed meanwhile."
        raise refusal(CHOSEN_MEANWHILE, cause, "Look at the rows again.")


def write(farm: FarmBook, begun: BookImport, *, attempt: int, looked: bool, actor: Actor) -> Written:
    """Write what was seen as one change of the book.

    Args:
        farm: the version of the book as it is now.
        begun: the import.
        attempt: the attempt that was seen.
        looked: what is doubtful was looked at.
        actor: whose nod it is.

    Raises:
        RefusedError: it has ended, is not read yet, was read anew since it was seen, is doubtful and nobody looked,
            the book changed since (``BOOK_CHANGED``), or nothing is to be written.
    """
    if begun.ended_at is None:
        check_attempt(begun, attempt)
    found = read_outcome(begun)
    if must_look(found) and not looked:
        cause = "Nobody has said that they looked at what is to be confirmed."
        raise refusal(NOT_LOOKED, cause, "Look at it, and say so; then write the rows.")
    if farm.version != begun.book_version:
        cause = "The book changed since the files were read."
        raise refusal(BOOK_CHANGED, cause, "Read them again, and look once more.")
    uploads = uploads_of(begun)
    reason = f"Import of {', '.join(one.name for one in uploads) or 'corrected rows'}"[:LONGEST_REASON]
    change = write_import(begun, list(edits_of(found, uploads, farm.farm_id)), reason=reason, actor=actor)
    clear(begun)
    return Written(change, len(found.rows))


def give_up(begun: BookImport, *, actor: Actor) -> None:
    """End an import and write nothing of it.

    Raises:
        RefusedError: it has ended.
    """
    give_up_import(begun, actor=actor)
    clear(begun)


# Drawing the boundary of a management unit by its corners: it goes the way of every file that is handed in.

FEWEST_CORNERS: Final = 3
MOST_CORNERS: Final = 2000
DIGITS: Final = 7
"""Of a degree: about a centimetre."""

Corner = tuple[float, float]
"""Longitude and latitude in degrees."""


def draw_boundary(farm: FarmBook, unit_id: str, corners: Sequence[Corner], *, actor: Actor) -> BookImport:
    """Draw or replace the boundary of a unit: it goes the way of every file that is handed in.

    Args:
        farm: the version of the book.
        unit_id: a unit of the book, or the name of a new one.
        corners: in order around the field, ``FEWEST_CORNERS`` to ``MOST_CORNERS``; closed or not.
        actor: who draws.
    """
    ring = [[round(longitude, DIGITS), round(latitude, DIGITS)] for longitude, latitude in corners]
    closed = ring if ring[0] == ring[-1] else [*ring, ring[0]]
    feature = {
        "type": "Feature",
        "properties": {"unit_id": unit_id},
        "geometry": {"type": "Polygon", "coordinates": [closed]},
    }
    content = json.dumps(feature).encode()
    upload = store_upload(farm.book.organisation, f"{unit_id} drawn.geojson", content, actor=actor)
    return begin(farm.book, [upload], actor=actor, said={"replace": True})
