"""An import by a person or a program: begun, its questions answered, written or given up.

A process beside the server reads the files and makes the plan (``services.imports.worker``); each answer makes it anew,
from what was read. Nothing of the book changes before the plan is written, as one change.
"""

import json
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final, cast

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from provender.database.actor import Actor, write_log
from provender.database.actor import today as today_here
from provender.database.models.accounts import Organisation
from provender.database.models.farm import Book, BookImport, Change, Upload, rows_of
from provender.formats.importing import questions
from provender.formats.importing.import_book import RowChange
from provender.formats.importing.questions import Answers
from provender.formats.parsed import decode, encode
from provender.problem import Place, Problem, ProblemsError
from provender.records.folder import RejectedRow, write_rejected
from provender.records.kind import KINDS
from provender.records.reading import CellError, column_names, read_cell
from provender.rule.law import rule_version
from provender.schema import field as labelled
from provender.schema import view
from provender.services.background import OUTCOME, REQUEST, Progress, is_lost, progress_in, spawn, stop, write_json
from provender.services.farm.book import Edit, FarmBook, change_book, head_of, key_of
from provender.services.farm.files import path_of, store_upload
from provender.services.farm.folder import FARM, FILE, SOURCE, for_page, rows_as_texts, side_files
from provender.services.imports.worker import READ, ImportRequest, ImportResult, is_small
from provender.services.refused import MissingError, refusal

FOLDER: Final = "imports"
NOT_READ: Final = "not_read"
CHOSEN_MEANWHILE: Final = "chosen_meanwhile"
NOT_LOOKED: Final = "not_looked"
BOOK_CHANGED: Final = "overtaken"
MOST_AT_WORK: Final = 5
_NAME_BYTES: Final = 120
LONGEST_REASON: Final = 200


@dataclass(frozen=True, slots=True)
class Written:
    """What was written: the change, and how many rows of records it holds."""

    change: Change
    rows: int


@transaction.atomic
def begin(
    book: Book, uploads: Iterable[Upload], *, actor: Actor, units: Mapping[str, str] | None = None,
    replace: bool = False,
) -> BookImport:  # fmt: skip
    """Begin an import and start reading its files; without files, the rejected rows of the book are read.

    ``units`` are by the name a file has for them, of a photograph by the file's name; with ``replace`` the files count
    where they differ from the book.
    """
    files = list(uploads)
    _check_number(book)
    said = {"units": dict(units or {}), "replace": replace, "said": encode(Answers())}
    handles = [one.handle for one in files]
    begun = BookImport.objects.create(
        book=book, actor=actor.person, files=handles, said=said, book_version=_version(book)
    )
    about = ", ".join(one.name for one in files) or "rejected rows"
    write_log(actor, "begin import", organisation=book.organisation, about=about, new={"import": begun.handle})
    _start(begun)
    return begun


def _check_number(book: Book) -> None:
    """Let nobody begin so many imports that their processes fill the machine's memory while they wait."""
    begun = [folder_of(one) for one in BookImport.objects.filter(book=book, ended_at=None)]
    at_work = [folder for folder in begun if not ((folder / OUTCOME).is_file() or is_lost(folder))]
    if len(at_work) >= MOST_AT_WORK:
        cause = f"{len(at_work)} imports of this farm are still being read."
        raise refusal("too_many_imports", cause, "Wait until one of them is read, or give one up.")


def folder_of(begun: BookImport) -> Path:
    """Return the working folder of the present attempt."""
    return Path(settings.UPLOAD_FOLDER) / FOLDER / begun.handle / str(begun.attempt)


def answers_of(begun: BookImport) -> Answers:
    return cast("Answers", decode(Answers, begun.said["said"]))


def uploads_of(begun: BookImport) -> list[Upload]:
    """Return the files of an import, in order, but for those that hold no records, as somebody answered."""
    said = answers_of(begun).answers
    found = {one.handle: one for one in Upload.objects.filter(handle__in=begun.files)}
    there = [found[handle] for handle in begun.files if handle in found]
    return [one for one in there if said.get(f"sheet|{file_name(one.name)}|") != questions.NONE]


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
    short = stem.encode()[: _NAME_BYTES - len(suffix.encode()[:20])].decode(errors="ignore")
    return f"{short or 'file'}{suffix[:20]}".replace("/", "-").replace("\0", "")


def _start(begun: BookImport) -> None:
    """Put the rows of the book and links to the files into a new folder, and start the process that reads them."""
    folder, uploads = folder_of(begun), uploads_of(begun)
    _stop(folder.parent)
    for old in folder.parent.iterdir() if folder.parent.is_dir() else ():
        if old.name != READ:
            shutil.rmtree(old, ignore_errors=True)
    names = []
    for number, upload in enumerate(uploads):
        place = folder / "files" / str(number) / file_name(upload.name)
        place.parent.mkdir(parents=True)
        place.symlink_to(path_of(upload.sha256).absolute())
        names.append(str(place.relative_to(folder)))
    organisation, today = begun.book.organisation, today_here()
    stored = rows_of(begun.book, begun.book_version)
    request = ImportRequest(
        today.isoformat(), organisation.handle, organisation.name, rule_version(today).boundary_difference_pct_max,
        tuple(names), begun.said["units"], begun.said["replace"], answers_of(begun), rows_as_texts(stored),
        side_files(stored.get(FILE, {})),
    )  # fmt: skip
    folder.mkdir(parents=True, exist_ok=True)
    write_json(folder / REQUEST, encode(request))
    spawn("provender.services.imports.worker", folder, is_small=is_small([folder / name for name in names]))


def outcome(begun: BookImport) -> ImportResult | None:
    """Return what came of the present attempt, or None while it is at work."""
    path = folder_of(begun) / OUTCOME
    return cast("ImportResult", decode(ImportResult, json.loads(path.read_text("utf-8")))) if path.is_file() else None


def read_outcome(begun: BookImport) -> ImportResult:
    """Return what came of the present attempt.

    Raises:
        RefusedError: the import has ended, or its files are not read yet.
    """
    _check_open(begun)
    found = outcome(begun)
    if found is None:
        cause, remedy = "The files are not read yet.", "Ask how far the import is, and come back when they are read."
        raise refusal(NOT_READ, cause, remedy)
    return found


def progress(begun: BookImport) -> Progress:
    """Return how far the present attempt is."""
    return progress_in(folder_of(begun))


def clear(begun: BookImport) -> None:
    """End the reading of an import that has ended, and remove its working folders."""
    _stop(folder_of(begun).parent)
    shutil.rmtree(folder_of(begun).parent, ignore_errors=True)


def _stop(whole: Path) -> None:
    """End what reads for any attempt of an import."""
    for attempt in whole.iterdir() if whole.is_dir() else ():
        stop(attempt)


def answer(begun: BookImport, given: Answers, *, actor: Actor) -> BookImport:
    """Keep what a person said, all of it or nothing, and make the plan anew from what was read.

    An empty answer and an empty text for blank cells are taken back.

    Raises:
        ProblemsError: something of it fits no question, row or column; nothing is kept.
        RefusedError: the import has ended, or its files are not read yet.
    """
    found, said = read_outcome(begun), answers_of(begun)
    questions.answer(said, found.questions, given.answers)
    rows = {str(row.place): row for row in found.rejected}
    for place, cells in given.corrected.items():
        said.corrected.setdefault(place, {}).update(_cells_of(rows.get(place), place, cells))
    unknown = [place for place in given.dropped if place not in rows]
    if unknown:
        raise _unfit(unknown[0], "No such row stays out.", "See the rows that stay out.")
    said.dropped = sorted({*said.dropped, *given.dropped})
    for kind, texts in given.fills.items():
        for column, text in texts.items():
            _fill(said, kind, column, text)
    return read_again(begun, actor=actor, said=said)


def _cells_of(row: RejectedRow | None, place: str, cells: Mapping[str, str]) -> dict[str, str]:
    """Return the cells that a person typed anew, by column of the record."""
    if row is None or not row.kind:
        raise _unfit(place, "No such row stays out.", "See the rows that stay out.")
    known, now = column_names(KINDS[row.kind]), dict(row.cells)
    typed = {}
    for name, text in cells.items():
        column = known.get(name.casefold())
        if column is None:
            raise _unfit(place, f"The row has no column {name[:60]!r}.", f"Its columns: {', '.join(now)}.")
        if text != now.get(name, ""):
            typed[column] = text
    return typed


def _fill(said: Answers, kind: str, column: str, text: str) -> None:
    """Fill a column wherever it is blank in the rows of this import."""
    found = KINDS.get(kind)
    if found is None or column not in found.typed_fields or column in found.key_columns or column == FARM:
        raise _unfit("fills", "No such column can be filled.", "Choose the column to fill.")
    if not text:
        said.fills.get(kind, {}).pop(column, None)
        return
    described = found.fields[column]
    words = {word.replace("_", " ").casefold(): word for word in described.options}
    try:
        read_cell(words.get(text.casefold(), text), described)
    except CellError as wrong:
        raise _unfit("fills", f"{described.label}: {wrong.cause}.", wrong.remedy) from None
    said.fills.setdefault(kind, {})[column] = words.get(text.casefold(), text)


def _unfit(place: str, cause: str, remedy: str) -> ProblemsError:
    return ProblemsError([Problem(Place("answers", column=place), cause, remedy, code="unfit_answer")])


@transaction.atomic
def read_again(begun: BookImport, *, actor: Actor, said: Answers | None = None) -> BookImport:
    """Make the plan anew, from the book as it is now, with what is said or was said before.

    Raises:
        RefusedError: the import has ended.
    """
    _check_open(begun)
    if said is not None:
        begun.said = {**begun.said, "said": encode(said)}
    begun.attempt, begun.book_version = begun.attempt + 1, _version(begun.book)
    begun.save(update_fields=["said", "attempt", "book_version"])
    new = {"import": begun.handle, "answers": len(answers_of(begun).answers)}
    write_log(actor, "choose for import", organisation=begun.book.organisation, about=str(begun), new=new)
    _start(begun)
    return begun


def check_attempt(begun: BookImport, attempt: int) -> None:
    """Let nobody act on rows that were read anew meanwhile.

    Raises:
        RefusedError: another attempt than the one that was seen is the present one.
    """
    if attempt != begun.attempt:
        cause = "The answers about these files were changed meanwhile."
        raise refusal(CHOSEN_MEANWHILE, cause, "Look at the rows again.")


@transaction.atomic
def write(farm: FarmBook, begun: BookImport, *, attempt: int, looked: bool, actor: Actor) -> Written:
    """Write what was seen as one change of the book.

    Raises:
        RefusedError: it has ended, is not read yet, was read anew since it was seen, is doubtful and nobody looked,
            the book changed since (``BOOK_CHANGED``), or nothing is to be written.
    """
    if begun.ended_at is None:
        check_attempt(begun, attempt)
    found = read_outcome(begun)
    if found.must_look and not looked:
        cause = "Nobody has said that they looked at what is to be confirmed."
        raise refusal(NOT_LOOKED, cause, "Look at it, and say so; then write the rows.")
    if farm.version != begun.book_version:
        cause = "The book changed since the files were read."
        raise refusal(BOOK_CHANGED, cause, "Read them again, and look once more.")
    uploads = uploads_of(begun)
    reason = f"Import of {', '.join(one.name for one in uploads) or 'corrected rows'}"[:LONGEST_REASON]
    edits = [*_edits(found, uploads, farm.farm_id), *_rejected_edits(found, farm)]
    change = change_book(begun.book, edits, reason=reason, actor=actor, after=begun.book_version)
    begun.change, begun.ended_at = change, timezone.now()
    begun.save(update_fields=["change", "ended_at"])
    clear(begun)
    return Written(change, len(found.rows))


def _edits(found: ImportResult, uploads: Sequence[Upload], farm_id: str) -> Iterator[Edit]:
    """Yield an edit for each row, each further file, each source and each file kept as evidence.

    In a book of the database every row is of the organisation's farm.
    """
    for row in found.rows:
        kind = KINDS[row.kind]
        texts = row.texts if kind.name == "farm" else {**row.texts, FARM: farm_id}
        yield Edit(kind.name, key_of(kind, texts), texts)
    for path, text in found.files.items():
        yield Edit(FILE, path, {"text": text})
    for path, index in found.kept.items():
        yield Edit(FILE, path, {"sha256": uploads[index].sha256, "upload": uploads[index].handle})
    for one in found.sources:
        said = {
            "kind": one.kind, "key": one.key, "file": one.place.file, "sheet": one.place.sheet,
            "row": str(one.place.row), "sha256": one.sha256,
        }  # fmt: skip
        yield Edit(SOURCE, json.dumps([*said.values()], ensure_ascii=False), {**said, "imported_on": one.imported_on})


def _rejected_edits(found: ImportResult, farm: FarmBook) -> Iterator[Edit]:
    """Yield an edit for each file of rows that stay out which is new, differs or goes.

    They are made here: in what a reading answers, such rows would stand twice.
    """
    stands = farm.rejected_files
    files = {**dict.fromkeys(stands), **write_rejected(found.rejected)}
    for path, text in files.items():
        if stands.get(path) != text:
            yield Edit(FILE, path, None if text is None else {"text": text})


@transaction.atomic
def give_up(begun: BookImport, *, actor: Actor) -> None:
    """End an import and write nothing of it; the files stay stored.

    Raises:
        RefusedError: it has ended.
    """
    _check_open(begun)
    begun.ended_at = timezone.now()
    begun.save(update_fields=["ended_at"])
    write_log(actor, "give up import", organisation=begun.book.organisation, about=str(begun))
    clear(begun)


def _version(book: Book) -> int:
    head = head_of(book)
    return head.number if head else 0


def _check_open(begun: BookImport) -> None:
    if begun.ended_at is not None:
        raise refusal("import_ended", "This import has ended.", "Upload the files again if something is missing.")


FEWEST_CORNERS: Final = 3
MOST_CORNERS: Final = 2000
_DIGITS: Final = 7
"""Of a degree: about a centimetre."""

Corner = tuple[float, float]
"""Longitude and latitude in degrees."""


def draw_boundary(farm: FarmBook, unit_id: str, corners: Sequence[Corner], *, actor: Actor) -> BookImport:
    """Draw or replace the boundary of a unit, or of a new one: it goes the way of every file that is handed in.

    The corners are in order around the field, ``FEWEST_CORNERS`` to ``MOST_CORNERS``; closed or not.
    """
    ring = [[round(longitude, _DIGITS), round(latitude, _DIGITS)] for longitude, latitude in corners]
    closed = ring if ring[0] == ring[-1] else [*ring, ring[0]]
    shape = {"type": "Polygon", "coordinates": [closed]}
    content = json.dumps({"type": "Feature", "properties": {"unit_id": unit_id}, "geometry": shape}).encode()
    upload = store_upload(farm.book.organisation, f"{unit_id} drawn.geojson", content, actor=actor)
    return begin(farm.book, [upload], actor=actor, replace=True)


# What pages and programs are shown of an import: how far it is, and what it would write, ask and leave out.


@view
class ImportBegunView:
    """An import; ``state`` is ``open``, ``written`` or ``given_up``."""

    id: int = labelled("Number")
    code: str = labelled("Code")
    began_at: datetime = labelled("Began (UTC)")
    by: str = labelled("By")
    files: tuple[str, ...] = labelled("Files")
    state: str = labelled("State")
    attempt: int = labelled("Attempt")
    version: int | None = labelled("Change", help="The change of the book that it wrote.")


@view
class QuestionView:
    """A question: ``POST .../answers`` takes an answer by its name; ``guess`` is the answer that is likely."""

    name: str = labelled("Name")
    about: str = labelled("About")
    says: str = labelled("Question")
    options: Mapping[str, str] = labelled("Answers", help="Each with how it is shown; empty where columns are asked.")
    guess: str = labelled("Guess")
    rows: int = labelled("Rows that it settles")
    example: str = labelled("Example")
    settled: bool = labelled("Settled", help="The guess is taken as long as nobody says otherwise.")


@view
class ImportCountsView:
    """What a read import holds; the parts have lists of their own."""

    rows: int = labelled("Rows")
    same: int = labelled("Rows that the book has already")
    problems: int = labelled("Problems")
    rejected: int = labelled("Rows that stay out")


@view
class ImportView(ImportBegunView):
    """An import and how far it is; ``found`` and ``questions`` are there once its files are ``read``."""

    read: bool = labelled("Read")
    lost: bool = labelled("Lost", help="The reading broke off: ask for another.")
    step: str = labelled("File at work")
    done: int = labelled("Files done")
    whole: int = labelled("Files in all")
    book_version: int = labelled("Version of the book")
    must_look: bool = labelled("To be looked at", help="Writing it must say that somebody looked.")
    found: ImportCountsView | None = labelled("What it holds")
    questions: tuple[QuestionView, ...] = labelled("Questions")


@view
class ImportRowView:
    """A row that would be written, as texts by column; ``was`` is how the book has it, empty for a new row."""

    kind: str = labelled("Kind")
    key: str = labelled("Row")
    row: Mapping[str, str] = labelled("Texts by column")
    was: Mapping[str, str] = labelled("As the book has it")
    file: str = labelled("File")
    sheet: str = labelled("Sheet")
    line: int = labelled("Line")


@view
class ImportProblemView:
    """What was said of the files; ``remains`` marks what the book would have and does not have now."""

    at: str = labelled("Where")
    cause: str = labelled("Cause")
    remedy: str = labelled("Remedy")
    cite: str = labelled("Paragraph")
    code: str = labelled("Code")
    weight: str = labelled("Weight")
    remains: bool = labelled("Of the book as it would stand")


@view
class RejectedRowView:
    """A row that stays out, why, and its cells by heading; it is corrected or dropped by its place."""

    place: str = labelled("Where it came from")
    kind: str = labelled("Kind")
    why: str = labelled("Why")
    cells: Mapping[str, str] = labelled("Cells")


def imports_of(farm: FarmBook) -> QuerySet[BookImport]:
    return BookImport.objects.filter(book=farm.book).select_related("actor", "change", "book__organisation")


def import_of(farm: FarmBook, code: str) -> BookImport:
    """Return an import of a farm's book.

    Raises:
        MissingError: the farm has no such import.
    """
    begun = imports_of(farm).filter(handle=code).first()
    if begun is None:
        raise MissingError
    return begun


def begun_view(begun: BookImport) -> ImportBegunView:
    return ImportBegunView(**_begun_parts(begun))


def _begun_parts(begun: BookImport) -> dict[str, Any]:
    state = "written" if begun.change is not None else "given_up" if begun.ended_at is not None else "open"
    return {
        "id": begun.pk, "code": begun.handle, "began_at": begun.began_at, "by": str(begun.actor or "provender"),
        "files": tuple(begun.files), "state": state, "attempt": begun.attempt,
        "version": begun.change.number if begun.change is not None else None,
    }  # fmt: skip


def import_view(begun: BookImport) -> ImportView:
    result = outcome(begun) if begun.ended_at is None else None
    far = progress(begun) if begun.ended_at is None else Progress()
    return ImportView(
        **_begun_parts(begun), read=result is not None, lost=far.lost, step=far.step, done=far.done, whole=far.whole,
        book_version=begun.book_version, must_look=result is not None and result.must_look,
        found=None if result is None else ImportCountsView(
            rows=len(result.rows), same=sum(each.same for each in result.counts),
            problems=len(result.problems) + len(result.remain), rejected=len(result.rejected),
        ),
        questions=tuple(
            QuestionView(
                name=one.name, about=one.about, says=one.says, options=dict(one.options), guess=one.guess,
                rows=one.rows, example=one.example, settled=one.settled,
            )
            for one in (result.questions if result is not None else ())
        ),
    )  # fmt: skip


def row_view(row: RowChange) -> ImportRowView:
    """Return a row that would be written, with the place it came from."""
    return ImportRowView(
        kind=row.kind, key=key_of(KINDS[row.kind], row.texts), row=row.texts, was=row.was, file=row.place.file,
        sheet=row.place.sheet, line=row.place.row,
    )  # fmt: skip


def problem_views(result: ImportResult) -> list[ImportProblemView]:
    """Return what was said of the files, and after it what the book would be told of."""
    return [
        *(_problem_view(each, remains=False) for each in result.problems),
        *(_problem_view(each, remains=True) for each in result.remain),
    ]


def _problem_view(problem: Problem, *, remains: bool) -> ImportProblemView:
    shown = for_page(problem)
    return ImportProblemView(
        at=str(shown.place), cause=shown.cause, remedy=shown.remedy, cite=shown.cite, code=shown.code,
        weight=str(shown.weight), remains=remains,
    )  # fmt: skip


def rejected_view(row: RejectedRow) -> RejectedRowView:
    return RejectedRowView(place=str(row.place), kind=row.kind, why=row.why, cells=dict(row.cells))
