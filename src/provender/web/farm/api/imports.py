"""Files on their way into a farm's book: beginning an import, how far it is, and what it would write, ask and refuse.

Nothing of the book changes before the import is written. Each choice reads the files again and counts one attempt more.
"""

from base64 import b64decode
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Annotated, Any, Final, Literal

from django.http import FileResponse, HttpRequest
from ninja import File, Query, Router, Schema, Status
from ninja.files import UploadedFile
from pydantic import Field
from pydantic.config import JsonDict
from pydantic_core import CoreSchema

from provender.formats.importing.entries_asked import NewEntry
from provender.problem import Place, Problem, ProblemsError
from provender.records.kind import KINDS
from provender.services.farm.book import FarmBook, farm_book_of, key_of
from provender.services.farm.boundaries import UNIT, UnitPlace, place_of
from provender.services.farm.edits import checked_texts
from provender.services.farm.files import MAX_BYTES, OPAQUE, store_upload, upload_of
from provender.services.farm.views import FileView, file_view, files_of
from provender.services.imports import choices, steps, views
from provender.services.imports.request import ImportChoices, ImportResult
from provender.web.api import schema
from provender.web.api.problems import FILES_WRITE, RECORDS_READ, RECORDS_WRITE, REFUSALS, Handle, OneLine, caller_of
from provender.web.farm.api.records import book_of
from provender.web.tables import stored

router = Router(tags=["imports"])
MOST_FILES = 100
NO_NUL = r"^[^\x00]*$"
"""PostgreSQL keeps no NUL."""
Name = Annotated[str, Field(max_length=200, pattern=NO_NUL)]


class ImportIn(Schema):
    """What to begin: stored files, by the codes that ``POST /files`` gave."""

    files: Annotated[list[Annotated[str, Field(max_length=60)]], Field(min_length=1, max_length=MOST_FILES)]
    replace: Annotated[bool, Field(description="Where book and files differ, the files count.")] = False
    units: Annotated[
        dict[Name, Name],
        Field(description="Management unit by the name a file has for it; of a photograph, by the file's name."),
    ] = {}


schema.schema_of(views.ImportCountsView, name="Counts"), schema.schema_of(views.QuestionView, name="QuestionOut")
schema.schema_of(views.SheetColumnView, name="SheetColumn")
IMPORT, BEGUN = (
    schema.schema_of(views.ImportView, name="ImportOut"),
    schema.schema_of(views.ImportBegunView, name="Begun"),
)
ROW, PROBLEM = (
    schema.schema_of(views.ImportRowView, name="ImportRow"),
    schema.schema_of(views.ImportProblemView, name="ImportProblem"),
)
SHEET, REJECTED = (
    schema.schema_of(views.SheetView, name="SheetOut"),
    schema.schema_of(views.RejectedRowView, name="RejectedRow"),
)


@router.get("/imports", response={200: schema.page_of_schema(BEGUN), **REFUSALS}, auth=RECORDS_READ)
def list_imports(request: HttpRequest, page: Query[schema.PageQuery]) -> dict[str, object]:
    """List the imports of the farm, the first one first."""
    return schema.page_of(views.imports_of(book_of(request)), page, views.begun_view)


@router.post("/imports", response={201: IMPORT, **REFUSALS}, auth=RECORDS_WRITE)
def begin_import(request: HttpRequest, body: ImportIn) -> Status[views.ImportView]:
    """Begin an import and start reading its files; ask for it until they are read."""
    caller = caller_of(request)
    farm = farm_book_of(caller.organisation)
    files = steps.files_by_code(farm.book.organisation, body.files)
    said = {"replace": body.replace, "units": body.units}
    return Status(201, views.import_view(farm, steps.begin(farm.book, files, actor=caller.actor, said=said)))


@router.post("/imports/rejected", response={201: IMPORT, **REFUSALS}, auth=RECORDS_WRITE)
def begin_import_of_rejected(request: HttpRequest) -> Status[views.ImportView]:
    """Begin an import of the book's own rejected rows: to correct them, or to say that they do not count."""
    caller = caller_of(request)
    farm = farm_book_of(caller.organisation)
    return Status(201, views.import_view(farm, steps.begin(farm.book, [], actor=caller.actor)))


@router.get("/imports/{code}", response={200: IMPORT, **REFUSALS}, auth=RECORDS_WRITE)
def get_import(request: HttpRequest, code: Handle) -> views.ImportView:
    """Return one import: how far it is, and once it is read what it holds and what it asks."""
    farm = book_of(request)
    return views.import_view(farm, views.import_of(farm, code))


def _result(request: HttpRequest, code: str) -> ImportResult:
    return steps.read_outcome(views.import_of(book_of(request), code))


@router.get("/imports/{code}/rows", response={200: schema.page_of_schema(ROW), **REFUSALS}, auth=RECORDS_WRITE)
def list_import_rows(request: HttpRequest, code: Handle, page: Query[schema.PageQuery]) -> dict[str, object]:
    """List the rows that the import would write, each with the place it came from."""
    return schema.page_of_list(_result(request, code).rows, page, views.row_view)


@router.get("/imports/{code}/problems", response={200: schema.page_of_schema(PROBLEM), **REFUSALS}, auth=RECORDS_WRITE)
def list_import_problems(request: HttpRequest, code: Handle, page: Query[schema.PageQuery]) -> dict[str, object]:
    """List what was said of the files, and after it what the book would be told of."""
    return schema.page_of_list(views.problem_views(_result(request, code)), page, schema.itself)


@router.get("/imports/{code}/sheets", response={200: schema.page_of_schema(SHEET), **REFUSALS}, auth=RECORDS_WRITE)
def list_import_sheets(request: HttpRequest, code: Handle, page: Query[schema.PageQuery]) -> dict[str, object]:
    """List the sheets that are read column by column: what each column is taken for, and its first cells."""
    return schema.page_of_list(views.sheet_views(_result(request, code)), page, schema.itself)


@router.get("/imports/{code}/rejected", response={200: schema.page_of_schema(REJECTED), **REFUSALS}, auth=RECORDS_WRITE)
def list_import_rejected(request: HttpRequest, code: Handle, page: Query[schema.PageQuery]) -> dict[str, object]:
    """List the rows that stay out, with the reasons and the cells as written."""
    found = _result(request, code)
    return schema.page_of_list(found.rejected, page, partial(views.rejected_view, found))


# Choosing how the files of an import are read, reading them again, and the two ends: written, or given up.

import_choices_router = Router(tags=["imports"])
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
    decimal: Literal[".", ",", ""] = "."
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


@import_choices_router.post("/imports/{code}/choices", response={201: IMPORT, **REFUSALS}, auth=RECORDS_WRITE)
def choose_for_import(request: HttpRequest, code: Handle, body: ChoicesIn) -> Status[views.ImportView]:
    """Answer questions of an import; the files are read again with the answers. A problem keeps none of them."""
    caller = caller_of(request)
    farm = farm_book_of(caller.organisation)
    one = views.import_of(farm, code)
    reading = steps.read_reading(one)
    steps.check_attempt(one, body.attempt)
    problems: list[Problem] = []
    for place, choose in _choices(body, reading, farm):
        try:
            choose()
        except ProblemsError as wrong:
            problems += [replace(each, place=Place(place, column=each.place.column)) for each in wrong.problems]
    if problems:
        raise ProblemsError(problems)
    return Status(201, views.import_view(farm, steps.read_again(one, actor=caller.actor, said=reading.said)))


def _choices(body: ChoicesIn, reading: steps.Reading, farm: FarmBook) -> Iterator[tuple[str, Callable[[], None]]]:
    """Yield every choice with its place in the body, to be made before the next is asked for."""
    said, found = reading.said, reading.result
    for at, kind in enumerate(body.kinds):
        yield f"kinds.{at}", partial(choices.choose_kind, said, reading.begun, found, kind.sheet, kind.kind or "")
    for at, sheet in enumerate(body.columns):
        yield f"columns.{at}", partial(choices.choose_columns, said, found, sheet.sheet, _reading(sheet))
    yield from _names(body, said)
    for at, one in enumerate(body.entries):
        new = NewEntry("", one.crop or _crop_of(found, one.name), one.ending, one.day)
        yield f"entries.{at}", partial(choices.choose_entry, said, found, one.name, new)
    if body.dates is not None:
        yield "dates", partial(choices.choose_dates, said, body.dates)
    if body.replace is not None:
        said.replace = body.replace
    for at, fill in enumerate(body.fills):
        yield f"fills.{at}", partial(choices.choose_fill, said, fill.kind, fill.column, fill.text.strip())
    for at, path in enumerate(body.widen):
        yield f"widen.{at}", partial(choices.widen, said, found, path)
    for at, rejected in enumerate(body.rejected):
        yield f"rejected.{at}", partial(_rejected, said, found, rejected)
    for at, row in enumerate(body.rows):
        yield f"rows.{at}", partial(_row, said, farm, found, row)


def _names(body: ChoicesIn, said: ImportChoices) -> Iterator[tuple[str, Callable[[], None]]]:
    """Yield what names in the files mean: of units, and of implements, products, species."""
    for name, unit in body.units.items():
        yield "units", partial(choices.choose_unit, said, name, unit)
    for at, word in enumerate(body.words):
        yield f"words.{at}", partial(choices.choose_word, said, word.about, word.typed, word.means)


def _crop_of(found: ImportResult, name: str) -> str:
    return next((one.crop for one in found.offered if one.name == name), "")


def _reading(sheet: ColumnsChosen) -> choices.SheetChoice:
    columns = tuple(choices.Meaning(each.column, each.field, each.unit) for each in sheet.columns)
    return choices.SheetChoice(columns, sheet.date_order, sheet.decimal, sheet.keep)


def _rejected(said: ImportChoices, found: ImportResult, row: RejectedChosen) -> None:
    if row.drop:
        choices.drop_row(said, found, row.path, row.row)
    else:
        choices.correct_row(said, found, row.path, row.row, row.cells)


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
    choices.complete_row(said, row, {name: whole[name] for name in chosen.row})


def _unfit(column: str, cause: str, remedy: str) -> ProblemsError:
    return ProblemsError([Problem(Place("rows", column=column), cause, remedy, code="unfit_choice")])


@import_choices_router.post("/imports/{code}/reading", response={201: IMPORT, **REFUSALS}, auth=RECORDS_WRITE)
def read_import_again(request: HttpRequest, code: Handle) -> Status[views.ImportView]:
    """Read the files again with the choices made so far: after a reading was lost, or when the book has changed."""
    caller = caller_of(request)
    farm = farm_book_of(caller.organisation)
    one = views.import_of(farm, code)
    return Status(201, views.import_view(farm, steps.read_again(one, actor=caller.actor)))


@import_choices_router.post("/imports/{code}/write", response={201: WrittenOut, **REFUSALS}, auth=RECORDS_WRITE)
def write_import(request: HttpRequest, code: Handle, body: WriteIn) -> Status[WrittenOut]:
    """Write what was seen as one change of the book. When the book changed meanwhile, read the files again first."""
    caller = caller_of(request)
    farm = farm_book_of(caller.organisation)
    one = views.import_of(farm, code)
    made = steps.write(farm, one, attempt=body.attempt, looked=body.looked, actor=caller.actor)
    return Status(201, WrittenOut(code=one.handle, version=made.change.number, hash=made.change.hash, rows=made.rows))


@import_choices_router.post("/imports/{code}/give-up", response={201: IMPORT, **REFUSALS}, auth=RECORDS_WRITE)
def give_up_import(request: HttpRequest, code: Handle) -> Status[views.ImportView]:
    """End an import and write nothing of it; its files stay stored."""
    caller = caller_of(request)
    farm = farm_book_of(caller.organisation)
    one = views.import_of(farm, code)
    steps.give_up(one, actor=caller.actor)
    return Status(201, views.import_view(farm, one))


# The boundaries of a farm's management units, as GeoJSON, and drawing one by its corners.

boundaries_router = Router(tags=["map"])


class UnitFacts(Schema):
    """What is known of a unit beside its boundary: acres as the book says and as measured, the county by its FIPS."""

    unit_id: str
    name: str
    acres: str
    measured_acres: str
    county_fips: str


class UnitFeature(Schema):
    """A management unit as a GeoJSON feature; ``geometry`` is null while no boundary is in the book."""

    type: Literal["Feature"] = "Feature"
    properties: UnitFacts
    geometry: dict[str, Any] | None


class Corner(Schema):
    """A corner of a field, in degrees (WGS 84)."""

    longitude: Annotated[float, Field(ge=-180, le=180, allow_inf_nan=False)]
    latitude: Annotated[float, Field(ge=-90, le=90, allow_inf_nan=False)]


class BoundaryIn(Schema):
    """A boundary to draw: a unit of the book or the name of a new one, and its corners in order around the field."""

    unit_id: Annotated[OneLine, Field(max_length=80)]
    corners: Annotated[list[Corner], Field(min_length=steps.FEWEST_CORNERS, max_length=steps.MOST_CORNERS)]


@boundaries_router.get("/boundaries", response={200: schema.Page[UnitFeature], **REFUSALS}, auth=RECORDS_READ)
def list_boundaries(request: HttpRequest, page: Query[schema.PageQuery]) -> dict[str, object]:
    """List the management units with their boundaries."""
    farm = book_of(request)
    return schema.page_of_list(list(farm.of(UNIT)), page, lambda unit: _feature(place_of(farm, unit)))


def _feature(one: UnitPlace) -> UnitFeature:
    facts = UnitFacts(
        unit_id=one.unit, name=one.name, acres=one.acres, measured_acres=one.measured, county_fips=one.county
    )
    return UnitFeature(properties=facts, geometry=one.geometry)


@boundaries_router.post("/boundaries", response={201: IMPORT, **REFUSALS}, auth=RECORDS_WRITE)
def draw_unit(request: HttpRequest, body: BoundaryIn) -> Status[views.ImportView]:
    """Draw or replace a boundary: an import is begun, which asks where acres or neighbors do not fit.

    Boundaries of several parts, or with islands, come as a GeoJSON file through ``POST /files`` and ``POST /imports``.
    """
    caller = caller_of(request)
    farm = farm_book_of(caller.organisation)
    corners = [(one.longitude, one.latitude) for one in body.corners]
    return Status(201, views.import_view(farm, steps.draw_boundary(farm, body.unit_id, corners, actor=caller.actor)))


# Files of an organisation, such as evidence: what is stored, their bytes, and storing one more under its hash.

files_router = Router(tags=["files"])
FILE = schema.schema_of(FileView, name="FileOut")


class FileIn(Schema):
    """A file to store: its name, and its bytes in Base64."""

    name: OneLine
    content: Annotated[
        str,
        Field(
            min_length=4,
            pattern=r"^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)$",
            description="Base64. The whole call holds at most 5 MB; a larger file goes through `/files/upload`.",
        ),
    ]


class SentFile(UploadedFile):
    """A file sent as a form sends it. An empty one is refused, and the description says so."""

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: Callable[..., Any]) -> dict[str, Any]:
        return {**super().__get_pydantic_json_schema__(core_schema, handler), "minLength": 1}


@files_router.get("/files", response={200: schema.page_of_schema(FILE), **REFUSALS}, auth=RECORDS_READ)
def list_files(request: HttpRequest, page: Query[schema.PageQuery]) -> dict[str, object]:
    """List the stored files of the organization."""
    return schema.page_of(files_of(caller_of(request).organisation), page, file_view)


@files_router.post("/files", response={201: FILE, **REFUSALS}, auth=FILES_WRITE)
def store_file(request: HttpRequest, body: FileIn) -> Status[FileView]:
    """Store a file under the hash of its bytes."""
    caller = caller_of(request)
    made = store_upload(caller.organisation, body.name, b64decode(body.content), actor=caller.actor)
    return Status(201, file_view(made))


@files_router.post(
    "/files/upload",
    response={201: FILE, **REFUSALS},
    auth=FILES_WRITE,
)
def upload_file(request: HttpRequest, file: File[SentFile]) -> Status[FileView]:
    """Store a file of up to 50 MB, sent as a form sends it, under the hash of its bytes."""
    caller = caller_of(request)
    content = file.read(MAX_BYTES + 1)
    return Status(201, file_view(store_upload(caller.organisation, file.name or "file", content, actor=caller.actor)))


@files_router.get("/files/{file}", response={200: FILE, **REFUSALS}, auth=RECORDS_READ)
def get_file(request: HttpRequest, file: Handle) -> FileView:
    """Return what is known of a stored file."""
    return file_view(upload_of(caller_of(request).organisation, file))


@files_router.get(
    "/files/{file}/content",
    response={200: None, **REFUSALS},
    auth=RECORDS_READ,
    openapi_extra=schema.file_of(OPAQUE),
)
def get_file_content(request: HttpRequest, file: Handle) -> FileResponse:
    """Return the bytes of a stored file, as plain bytes whatever they are."""
    found = upload_of(caller_of(request).organisation, file)
    return stored(found, media_type=OPAQUE)
