"""Files on their way into a farm's book: beginning an import, how far it is, and what it would write, ask and refuse.

Nothing of the book changes before the import is written. Each answer makes its plan anew and counts one attempt more.
"""

from base64 import b64decode
from collections.abc import Callable
from typing import Annotated, Any, Final, Literal

from django.http import FileResponse, HttpRequest
from ninja import File, Query, Router, Schema, Status
from ninja.files import UploadedFile
from pydantic import Field
from pydantic.config import JsonDict
from pydantic_core import CoreSchema

from provender.formats.importing.questions import Answers
from provender.services.farm.book import farm_book_of
from provender.services.farm.boundaries import UNIT, UnitPlace, place_of
from provender.services.farm.files import MAX_BYTES, OPAQUE, store_upload, upload_of
from provender.services.farm.views import FileView, file_view, files_of
from provender.services.imports import job
from provender.services.imports.worker import ImportResult
from provender.web.api import schema
from provender.web.api.problems import FILES_WRITE, RECORDS_READ, RECORDS_WRITE, REFUSALS, Handle, OneLine, caller_of
from provender.web.farm.api.records import book_of
from provender.web.tables import stored

router = Router(tags=["imports"])
_MOST_FILES = 100
_NO_NUL = r"^[^\x00]*$"
"""PostgreSQL keeps no NUL."""
Name = Annotated[str, Field(max_length=200, pattern=_NO_NUL)]


class ImportIn(Schema):
    """What to begin: stored files, by the codes that ``POST /files`` gave."""

    files: Annotated[list[Annotated[str, Field(max_length=60)]], Field(min_length=1, max_length=_MOST_FILES)]
    replace: Annotated[bool, Field(description="Where book and files differ, the files count.")] = False
    units: Annotated[
        dict[Name, Name],
        Field(description="Management unit by the name a file has for it; of a photograph, by the file's name."),
    ] = {}


schema.schema_of(job.ImportCountsView, name="Counts"), schema.schema_of(job.QuestionView, name="QuestionOut")
_IMPORT = schema.schema_of(job.ImportView, name="ImportOut")
_BEGUN = schema.schema_of(job.ImportBegunView, name="Begun")
_ROW = schema.schema_of(job.ImportRowView, name="ImportRow")
_PROBLEM = schema.schema_of(job.ImportProblemView, name="ImportProblem")
_REJECTED = schema.schema_of(job.RejectedRowView, name="RejectedRow")


@router.get("/imports", response={200: schema.page_of_schema(_BEGUN), **REFUSALS}, auth=RECORDS_READ)
def list_imports(request: HttpRequest, page: Query[schema.PageQuery]) -> dict[str, object]:
    """List the imports of the farm, the first one first."""
    return schema.page_of(job.imports_of(book_of(request)), page, job.begun_view)


@router.post("/imports", response={201: _IMPORT, **REFUSALS}, auth=RECORDS_WRITE)
def begin_import(request: HttpRequest, body: ImportIn) -> Status[job.ImportView]:
    """Begin an import and start reading its files; ask for it until they are read.

    A table of records may have 50,000 rows, 500 columns and 2,000,000 cells. What takes more than 120 seconds of the
    processor, 2 GB of memory or 64 MB to show is not read to its end. Five imports of a farm are read in turn: a sixth
    is refused until one is read.
    """
    caller = caller_of(request)
    farm = farm_book_of(caller.organisation)
    files = job.files_by_code(farm.book.organisation, body.files)
    begun = job.begin(farm.book, files, actor=caller.actor, units=body.units, replace=body.replace)
    return Status(201, job.import_view(begun))


@router.post("/imports/rejected", response={201: _IMPORT, **REFUSALS}, auth=RECORDS_WRITE)
def begin_import_of_rejected(request: HttpRequest) -> Status[job.ImportView]:
    """Begin an import of the book's own rejected rows: to correct them, or to say that they do not count."""
    caller = caller_of(request)
    farm = farm_book_of(caller.organisation)
    return Status(201, job.import_view(job.begin(farm.book, [], actor=caller.actor)))


@router.get("/imports/{code}", response={200: _IMPORT, **REFUSALS}, auth=RECORDS_WRITE)
def get_import(request: HttpRequest, code: Handle) -> job.ImportView:
    """Return one import: how far it is, and once it is read what it holds and what it asks."""
    return job.import_view(job.import_of(book_of(request), code))


def _result(request: HttpRequest, code: str) -> ImportResult:
    return job.read_outcome(job.import_of(book_of(request), code))


@router.get("/imports/{code}/rows", response={200: schema.page_of_schema(_ROW), **REFUSALS}, auth=RECORDS_WRITE)
def list_import_rows(request: HttpRequest, code: Handle, page: Query[schema.PageQuery]) -> dict[str, object]:
    """List the rows that the import would write, each with the place it came from."""
    return schema.page_of_list(_result(request, code).rows, page, job.row_view)


@router.get("/imports/{code}/problems", response={200: schema.page_of_schema(_PROBLEM), **REFUSALS}, auth=RECORDS_WRITE)
def list_import_problems(request: HttpRequest, code: Handle, page: Query[schema.PageQuery]) -> dict[str, object]:
    """List what was said of the files, and after it what the book would be told of."""
    return schema.page_of_list(job.problem_views(_result(request, code)), page, schema.itself)


@router.get(
    "/imports/{code}/rejected", response={200: schema.page_of_schema(_REJECTED), **REFUSALS}, auth=RECORDS_WRITE
)
def list_import_rejected(request: HttpRequest, code: Handle, page: Query[schema.PageQuery]) -> dict[str, object]:
    """List the rows that stay out, with the reasons and the cells as written."""
    return schema.page_of_list(_result(request, code).rejected, page, job.rejected_view)


# Answering what an import asks, reading its files again, and the two ends: written, or given up.

import_answers_router = Router(tags=["imports"])
_MOST = 2000
Word = Annotated[str, Field(max_length=300, pattern=_NO_NUL)]
Cell = Annotated[str, Field(max_length=2000, pattern=_NO_NUL)]
_ONLY: Final[JsonDict] = {"additionalProperties": False}
"""Said of fields by name: a name of another form is none, which the description would leave open."""
Attempt = Annotated[int, Field(ge=0, le=2**31 - 1, description="The attempt you have seen.")]


class FillIn(Schema):
    """A text for the blank cells of a column in the rows of this import; an empty one is taken back."""

    kind: Word
    column: Word
    text: Cell


class AnswersIn(Schema):
    """Answers that are kept together, or none of them; then the plan is made anew from what was read."""

    attempt: Attempt
    answers: Annotated[
        dict[Word, Annotated[str, Field(max_length=20_000, pattern=_NO_NUL)]],
        Field(description="By the names of the questions; an empty answer is taken back.", json_schema_extra=_ONLY),
    ] = {}
    corrected: Annotated[
        dict[Word, dict[Word, Cell]],
        Field(description="Cells by heading of rows that stay out, by place.", json_schema_extra=_ONLY),
    ] = {}
    dropped: Annotated[
        list[Word], Field(max_length=_MOST, description="Places of rows that stay out and are not to count.")
    ] = []
    fills: Annotated[list[FillIn], Field(max_length=_MOST)] = []


class WriteIn(Schema):
    """Which attempt was seen, and that what is to be confirmed was looked at."""

    attempt: Attempt
    looked: bool = False


class WrittenOut(Schema):
    """What was written."""

    code: str
    version: int
    hash: str
    rows: int


@import_answers_router.post("/imports/{code}/answers", response={201: _IMPORT, **REFUSALS}, auth=RECORDS_WRITE)
def answer_import(request: HttpRequest, code: Handle, body: AnswersIn) -> Status[job.ImportView]:
    """Answer questions of an import, correct rows that stay out or let them go. A problem keeps none of it."""
    begun = job.import_of(book_of(request), code)
    job.read_outcome(begun)
    job.check_attempt(begun, body.attempt)
    fills: dict[str, dict[str, str]] = {}
    for one in body.fills:
        fills.setdefault(one.kind, {})[one.column] = one.text.strip()
    given = Answers(body.answers, body.corrected, body.dropped, fills)
    return Status(201, job.import_view(job.answer(begun, given, actor=caller_of(request).actor)))


@import_answers_router.post("/imports/{code}/reading", response={201: _IMPORT, **REFUSALS}, auth=RECORDS_WRITE)
def read_import_again(request: HttpRequest, code: Handle) -> Status[job.ImportView]:
    """Read the files again with the answers so far: after a reading was lost, or when the book has changed."""
    begun = job.import_of(book_of(request), code)
    return Status(201, job.import_view(job.read_again(begun, actor=caller_of(request).actor)))


@import_answers_router.post("/imports/{code}/write", response={201: WrittenOut, **REFUSALS}, auth=RECORDS_WRITE)
def write_import(request: HttpRequest, code: Handle, body: WriteIn) -> Status[WrittenOut]:
    """Write what was seen as one change of the book. When the book changed meanwhile, read the files again first."""
    caller = caller_of(request)
    farm = farm_book_of(caller.organisation)
    one = job.import_of(farm, code)
    made = job.write(farm, one, attempt=body.attempt, looked=body.looked, actor=caller.actor)
    return Status(201, WrittenOut(code=one.handle, version=made.change.number, hash=made.change.hash, rows=made.rows))


@import_answers_router.post("/imports/{code}/give-up", response={201: _IMPORT, **REFUSALS}, auth=RECORDS_WRITE)
def give_up_import(request: HttpRequest, code: Handle) -> Status[job.ImportView]:
    """End an import and write nothing of it; its files stay stored."""
    begun = job.import_of(book_of(request), code)
    job.give_up(begun, actor=caller_of(request).actor)
    return Status(201, job.import_view(begun))


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
    corners: Annotated[list[Corner], Field(min_length=job.FEWEST_CORNERS, max_length=job.MOST_CORNERS)]


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


@boundaries_router.post("/boundaries", response={201: _IMPORT, **REFUSALS}, auth=RECORDS_WRITE)
def draw_unit(request: HttpRequest, body: BoundaryIn) -> Status[job.ImportView]:
    """Draw or replace a boundary: an import is begun, which asks where acres or neighbors do not fit.

    Boundaries of several parts, or with islands, come as a GeoJSON file through ``POST /files`` and ``POST /imports``.
    """
    caller = caller_of(request)
    farm = farm_book_of(caller.organisation)
    corners = [(one.longitude, one.latitude) for one in body.corners]
    return Status(201, job.import_view(job.draw_boundary(farm, body.unit_id, corners, actor=caller.actor)))


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


@files_router.post("/files/upload", response={201: FILE, **REFUSALS}, auth=FILES_WRITE)
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
