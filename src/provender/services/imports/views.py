"""What pages and programs are shown of an import: how far it is, and what it would write, ask and leave out."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from provender.database.models.farm import BookImport
from provender.formats.importing.import_book import RowChange
from provender.formats.importing.questions import Question
from provender.problem import Problem
from provender.records.kind import KINDS
from provender.records.rejected import RejectedRow
from provender.schema import field as labelled
from provender.schema import view
from provender.services.background import Progress
from provender.services.farm.book import FarmBook, key_of
from provender.services.farm.folder import for_page
from provender.services.imports.job import outcome, progress
from provender.services.imports.worker import ImportResult
from provender.services.refused import MissingError


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
    """Return the imports of a farm's book."""
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
    """Return an import as a list shows it."""
    return ImportBegunView(**_begun(begun))


def _begun(begun: BookImport) -> dict[str, Any]:
    state = "written" if begun.change is not None else "given_up" if begun.ended_at is not None else "open"
    return {
        "id": begun.pk, "code": begun.handle, "began_at": begun.began_at, "by": str(begun.actor or "provender"),
        "files": tuple(begun.files), "state": state, "attempt": begun.attempt,
        "version": begun.change.number if begun.change is not None else None,
    }  # fmt: skip


def import_view(begun: BookImport) -> ImportView:
    """Return an import and how far it is."""
    result = outcome(begun) if begun.ended_at is None else None
    far = progress(begun) if begun.ended_at is None else Progress()
    return ImportView(
        **_begun(begun), read=result is not None, lost=far.lost, step=far.step, done=far.done, whole=far.whole,
        book_version=begun.book_version, must_look=result is not None and result.must_look,
        found=None if result is None else _counts(result),
        questions=() if result is None else tuple(_question(one) for one in result.questions),
    )  # fmt: skip


def _question(one: Question) -> QuestionView:
    return QuestionView(
        name=one.name, about=one.about, says=one.says, options=dict(one.options), guess=one.guess, rows=one.rows,
        example=one.example, settled=one.settled,
    )  # fmt: skip


def _counts(result: ImportResult) -> ImportCountsView:
    return ImportCountsView(
        rows=len(result.rows), same=sum(each.same for each in result.counts),
        problems=len(result.problems) + len(result.remain), rejected=len(result.rejected),
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
        *(_problem(each, remains=False) for each in result.problems),
        *(_problem(each, remains=True) for each in result.remain),
    ]


def _problem(problem: Problem, *, remains: bool) -> ImportProblemView:
    shown = for_page(problem)
    return ImportProblemView(
        at=str(shown.place), cause=shown.cause, remedy=shown.remedy, cite=shown.cite, code=shown.code,
        weight=str(shown.weight), remains=remains,
    )  # fmt: skip


def rejected_view(row: RejectedRow) -> RejectedRowView:
    """Return a row that stays out."""
    return RejectedRowView(place=str(row.place), kind=row.kind, why=row.why, cells=dict(row.cells))
