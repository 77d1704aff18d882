"""Choosing how the files of an import are read, reading them again, and the two ends: written, or given up."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Annotated, Final, Literal

from django.http import HttpRequest
from ninja import Router, Schema, Status
from pydantic import Field
from pydantic.config import JsonDict

from provender.formats.importing.entries_asked import NewEntry
from provender.problem import Place, Problem, ProblemsError
from provender.records import KINDS
from provender.services.farm.book import FarmBook, farm_book_of, key_of
from provender.services.farm.edits import checked_texts
from provender.services.imports.choices import (
    Meaning,
    SheetChoice,
    choose_columns,
    choose_dates,
    choose_entry,
    choose_fill,
    choose_kind,
    choose_unit,
    choose_word,
    complete_row,
    correct_row,
    drop_row,
    widen,
)
from provender.services.imports.request import ImportChoices, ImportResult
from provender.services.imports.start import Reading
from provender.services.imports.steps import check_attempt, give_up, read_again, read_reading, write
from provender.services.imports.views import ImportView, import_of, import_view
from provender.web.api.auth import RECORDS_WRITE, caller_of
from provender.web.api.problems import REFUSALS
from provender.web.api.texts import Handle
from provender.web.farm.api.imports import IMPORT, NO_NUL

router = Router(tags=["imports"])
MOST = 500
Word = Annotated[str, Field(max_length=200, pattern=NO_NUL)]
Cell = Annotated[str, Field(max_length=2000, pattern=NO_NUL)]
ONLY: Final[JsonDict] = {"additionalProperties": False}
"""Said of fields by name: a name of another form is none, which the description would leave open."""
Number = Annotated[int, Field(ge=0, le=2**31 - 1)]
Attempt = Annotated[int, Field(ge=0, le=2**31 - 1, description="The attempt you have seen.")]


class KindChosen(Schema):
    """What the rows of a sheet are; null says that it holds no records."""

    sheet: Number
    kind: Annotated[str, Field(min_length=1, max_length=60)] | None


class ColumnChosen(Schema):
    """What a column is, by its number; the unit may be left out where the field's own is meant."""

    column: Number
    field: Word
    unit: Word = ""


class ColumnsChosen(Schema):
    """What the columns of a sheet are; one that is not named is left out. ``keep`` remembers it for the next file."""

    sheet: Number
    columns: Annotated[list[ColumnChosen], Field(min_length=1, max_length=MOST)]
    date_order: Literal["", "mdy", "dmy", "ymd"] = ""
    decimal: Literal[".", ","] = "."
    keep: bool = True


class FillChosen(Schema):
    """A text for the blank cells of a column in the rows of this import; an empty one is taken back."""

    kind: Word
    column: Word
    text: Cell


class RejectedChosen(Schema):
    """A rejected row: its cells corrected by heading, or, with ``drop``, not to count."""

    path: Word
    row: Number
    cells: Annotated[dict[Word, Cell], Field(json_schema_extra=ONLY)] = {}
    drop: bool = False


class RowChosen(Schema):
    """A row of the import completed or corrected: texts of the columns that change; its key stays."""

    kind: Word
    key: Annotated[str, Field(max_length=400)]
    row: Annotated[dict[Word, Cell], Field(json_schema_extra=ONLY)]


class WordChosen(Schema):
    """What a name in the files means; an empty meaning takes it back."""

    about: Literal["operation", "product", "species", "inhibitor"]
    typed: Word
    means: Word


class EntryChosen(Schema):
    """A crop entry that rows need and the book has not, by the name that a question gives; no ending takes it back."""

    name: Word
    crop: Word = ""
    ending: Literal["", "harvested", "terminated", "prevented", "fallow", "not_yet"] = "not_yet"
    day: Annotated[Word, Field(description="On which it ended, where it has.")] = ""


class ChoicesIn(Schema):
    """Choices that are kept together, or none of them; then the files are read again."""

    attempt: Attempt
    kinds: Annotated[list[KindChosen], Field(max_length=MOST)] = []
    columns: Annotated[list[ColumnsChosen], Field(max_length=MOST)] = []
    units: Annotated[
        dict[Word, Word],
        Field(description="Unit by the name a file has; empty takes it back.", json_schema_extra=ONLY),
    ] = {}
    words: Annotated[list[WordChosen], Field(max_length=MOST)] = []
    entries: Annotated[list[EntryChosen], Field(max_length=MOST)] = []
    dates: Annotated[
        Literal["mdy", "dmy"] | None, Field(description="How a day such as 5/4/2026 is meant, where nothing tells.")
    ] = None
    replace: Annotated[bool | None, Field(description="Where book and files differ, the files count.")] = None
    fills: Annotated[list[FillChosen], Field(max_length=MOST)] = []
    rejected: Annotated[list[RejectedChosen], Field(max_length=MOST)] = []
    widen: Annotated[list[Word], Field(max_length=MOST, description="Rejected files that lack columns.")] = []
    rows: Annotated[list[RowChosen], Field(max_length=MOST)] = []


class WriteIn(Schema):
    """The nod: which attempt was seen, and that what is to be confirmed was looked at."""

    attempt: Attempt
    looked: bool = False


class WrittenOut(Schema):
    """What the nod wrote."""

    code: str
    version: int
    hash: str
    rows: int


@router.post("/imports/{code}/choices", response={201: IMPORT, **REFUSALS}, auth=RECORDS_WRITE)
def choose_for_import(request: HttpRequest, code: Handle, body: ChoicesIn) -> Status[ImportView]:
    """Answer questions of an import; the files are read again with the answers. A problem keeps none of them."""
    caller = caller_of(request)
    farm = farm_book_of(caller.organisation)
    one = import_of(farm, code)
    reading = read_reading(one)
    check_attempt(one, body.attempt)
    problems: list[Problem] = []
    for place, choose in _choices(body, reading, farm):
        try:
            choose()
        except ProblemsError as wrong:
            problems += [replace(each, place=Place(place, column=each.place.column)) for each in wrong.problems]
    if problems:
        raise ProblemsError(problems)
    return Status(201, import_view(farm, read_again(one, actor=caller.actor, said=reading.said)))


def _choices(body: ChoicesIn, reading: Reading, farm: FarmBook) -> Iterator[tuple[str, Callable[[], None]]]:
    """Yield every choice with its place in the body, to be made before the next is asked for."""
    said, found = reading.said, reading.result
    for at, kind in enumerate(body.kinds):
        yield f"kinds.{at}", partial(choose_kind, said, reading.begun, found, kind.sheet, kind.kind or "")
    for at, sheet in enumerate(body.columns):
        yield f"columns.{at}", partial(choose_columns, said, found, sheet.sheet, _reading(sheet))
    yield from _names(body, said)
    for at, one in enumerate(body.entries):
        new = NewEntry("", one.crop or _crop_of(found, one.name), one.ending, one.day)
        yield f"entries.{at}", partial(choose_entry, said, found, one.name, new)
    if body.dates is not None:
        yield "dates", partial(choose_dates, said, body.dates)
    if body.replace is not None:
        said.replace = body.replace
    for at, fill in enumerate(body.fills):
        yield f"fills.{at}", partial(choose_fill, said, fill.kind, fill.column, fill.text.strip())
    for at, path in enumerate(body.widen):
        yield f"widen.{at}", partial(widen, said, found, path)
    for at, rejected in enumerate(body.rejected):
        yield f"rejected.{at}", partial(_rejected, said, found, rejected)
    for at, row in enumerate(body.rows):
        yield f"rows.{at}", partial(_row, said, farm, found, row)


def _names(body: ChoicesIn, said: ImportChoices) -> Iterator[tuple[str, Callable[[], None]]]:
    """Yield what names in the files mean: of units, and of implements, products, species."""
    for name, unit in body.units.items():
        yield "units", partial(choose_unit, said, name, unit)
    for at, word in enumerate(body.words):
        yield f"words.{at}", partial(choose_word, said, word.about, word.typed, word.means)


def _crop_of(found: ImportResult, name: str) -> str:
    return next((one.crop for one in found.offered if one.name == name), "")


def _reading(sheet: ColumnsChosen) -> SheetChoice:
    columns = tuple(Meaning(each.column, each.field, each.unit) for each in sheet.columns)
    return SheetChoice(columns, sheet.date_order, sheet.decimal, sheet.keep)


def _rejected(said: ImportChoices, found: ImportResult, row: RejectedChosen) -> None:
    if row.drop:
        drop_row(said, found, row.path, row.row)
    else:
        correct_row(said, found, row.path, row.row, row.cells)


def _row(said: ImportChoices, farm: FarmBook, found: ImportResult, chosen: RowChosen) -> None:
    """Put texts into a row of the import, checked as a whole row with what it has already.

    Raises:
        ProblemsError: there is no such row or column, or a text cannot stand in it.
    """
    rows = (each for each in found.rows if each.kind == chosen.kind)
    row = next((each for each in rows if key_of(KINDS[each.kind], each.texts) == chosen.key), None)
    if row is None:
        raise _unfit("key", "The import has no such row.", "See its rows.")
    kept = [name for name in KINDS[row.kind].key_columns if chosen.row.get(name, row.texts[name]) != row.texts[name]]
    if kept:
        raise _unfit(kept[0], "The key of a row stays as it is.", "Correct it in the file, or drop the row there.")
    whole = checked_texts(KINDS[row.kind], {**row.texts, **chosen.row}, farm, "rows")
    complete_row(said, row, {name: whole[name] for name in chosen.row})


def _unfit(column: str, cause: str, remedy: str) -> ProblemsError:
    return ProblemsError([Problem(Place("rows", column=column), cause, remedy, code="unfit_choice")])


@router.post("/imports/{code}/reading", response={201: IMPORT, **REFUSALS}, auth=RECORDS_WRITE)
def read_import_again(request: HttpRequest, code: Handle) -> Status[ImportView]:
    """Read the files again with the choices made so far: after a reading was lost, or when the book has changed."""
    caller = caller_of(request)
    farm = farm_book_of(caller.organisation)
    one = import_of(farm, code)
    return Status(201, import_view(farm, read_again(one, actor=caller.actor)))


@router.post("/imports/{code}/write", response={201: WrittenOut, **REFUSALS}, auth=RECORDS_WRITE)
def write_import(request: HttpRequest, code: Handle, body: WriteIn) -> Status[WrittenOut]:
    """Write what was seen as one change of the book. When the book changed meanwhile, read the files again first."""
    caller = caller_of(request)
    farm = farm_book_of(caller.organisation)
    one = import_of(farm, code)
    made = write(farm, one, attempt=body.attempt, looked=body.looked, actor=caller.actor)
    return Status(201, WrittenOut(code=one.handle, version=made.change.number, hash=made.change.hash, rows=made.rows))


@router.post("/imports/{code}/give-up", response={201: IMPORT, **REFUSALS}, auth=RECORDS_WRITE)
def give_up_import(request: HttpRequest, code: Handle) -> Status[ImportView]:
    """End an import and write nothing of it; its files stay stored."""
    caller = caller_of(request)
    farm = farm_book_of(caller.organisation)
    one = import_of(farm, code)
    give_up(one, actor=caller.actor)
    return Status(201, import_view(farm, one))
