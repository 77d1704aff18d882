"""The farm's record book: its kinds, rows, changes and history. Rows are texts as in a file, checked as a file is."""

from datetime import date
from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse
from ninja import Path, Query, Router, Schema, Status
from pydantic import Field

from provender.formats.adapt_out import packed
from provender.records.kind import record_schema
from provender.services.farm import views
from provender.services.farm.book import Edit, FarmBook, check_asked, farm_book_of, kind_named, open_farm_book
from provender.services.farm.book import change_book as do_change_book
from provender.services.farm.boundaries import exchange_of, left_first
from provender.services.farm.check import PracticeTotal
from provender.services.farm.edits import checked_edit
from provender.services.farm.files import upload_of
from provender.services.farm.growing import GrowingCrop, growing_views
from provender.services.farm.intensity import intensities_of, plans_of
from provender.services.farm.verdicts import overview_of, seasons_of, totals_of, verdicts_of, with_shown
from provender.services.imports.evidence import EvidenceDetails, evidence_of, store_evidence
from provender.services.refused import MissingError
from provender.services.reports.change_report import ChangePreview, Removal, preview_of, removal_of
from provender.services.reports.checklist import ReportView, standings_of
from provender.services.reports.drafts import crop_label, draft_of, envelope_of, version_numbered
from provender.services.reports.files import VersionView, version_view
from provender.services.reports.signing import keep_signed
from provender.web.api import problems, schema
from provender.web.tables import ZIP, download

router = Router(tags=["records"])
_MOST_EDITS = 500
BOOK, CHANGE = schema.schema_of(views.BookView, name="BookOut"), schema.schema_of(views.ChangeView, name="ChangeOut")
KIND, _ROW = schema.schema_of(views.KindView, name="KindOut"), schema.schema_of(views.RowView, name="RowOut")
_ROW_CHANGE, _REMOVAL = (
    schema.schema_of(views.RowChangeView, name="RowChangeOut"),
    schema.schema_of(Removal, name="RemovalOut"),
)
_PREVIEW = schema.schema_of(ChangePreview, name="ChangePreviewOut")


class EditIn(Schema):
    """A row to put into the book, or to take out of it where ``row`` is null. Putting a key again corrects the row."""

    kind: Annotated[str, Field(max_length=60)]
    key: Annotated[str, Field(max_length=400, description="Only to take a row out.")] = ""
    row: Annotated[dict[str, Annotated[str, Field(max_length=2000)]] | None, Field(description="Texts by column.")]


Edits = Annotated[list[EditIn], Field(min_length=1, max_length=_MOST_EDITS)]
Looked = Annotated[
    bool,
    Field(
        description=(
            "Second plantings, covers, budgets and entries of a crop and year are meant, and names that no list has"
            " are right as they are typed."
        )
    ),
]


class ChangeIn(Schema):
    """One change: all its edits are written or none."""

    reason: problems.OneLine
    after: Annotated[int, Field(ge=0, le=2**31 - 1, description="The version you have seen.")]
    edits: Edits
    looked: Looked = False


class EditsIn(Schema):
    """The edits of one change, before anybody writes them."""

    edits: Edits
    looked: Looked = False


def reads(answer: object, *, sends: str = "") -> dict[str, Any]:
    """Return what a call declares that reads records: the shape of its answer, or the media type of what it sends."""
    file = {"openapi_extra": schema.file_of(sends)} if sends else {}
    return {"response": {200: answer, **problems.REFUSALS}, "auth": problems.RECORDS_READ, **file}


def book_of(request: HttpRequest) -> FarmBook:
    """Return the record book of the farm whose token this is.

    Raises:
        MissingError: the organization is no farm, or has not opened its book.
    """
    return farm_book_of(problems.caller_of(request).organisation)


@router.get("/records", **reads(BOOK))
def get_book(request: HttpRequest) -> views.BookView:
    """Return version and head of the record book, with the number of rows of each kind."""
    return views.book_view(book_of(request))


@router.post("/records", response={201: BOOK, **problems.REFUSALS}, auth=problems.RECORDS_WRITE)
def open_book(request: HttpRequest) -> Status[views.BookView]:
    """Open the farm's record book; one that is open is returned as it is."""
    caller = problems.caller_of(request)
    return Status(201, views.book_view(open_farm_book(caller.organisation, actor=caller.actor)))


@router.get("/records/kinds", **reads(schema.page_of_schema(KIND)))
def list_kinds(request: HttpRequest, page: Query[schema.PageQuery]) -> dict[str, object]:
    """List the kinds of record."""
    return schema.page_of_list(views.kind_views(book_of(request)), page, schema.itself)


@router.get("/records/kinds/{kind}", **reads(dict[str, Any]))
def get_kind(request: HttpRequest, kind: str) -> dict[str, Any]:
    """Return the JSON Schema of the rows of a kind, with units and paragraphs."""
    return record_schema(kind_named(kind))


@router.get("/records/kinds/{kind}/rows", **reads(schema.page_of_schema(_ROW)))
def list_rows(request: HttpRequest, kind: str, page: Query[schema.PageQuery]) -> dict[str, object]:
    """List the rows of a kind in the order in which they were first written."""
    return schema.page_of_list(views.row_views(book_of(request), kind_named(kind)), page, schema.itself)


@router.get("/records/kinds/{kind}/history", **reads(schema.page_of_schema(_ROW_CHANGE)))
def list_row_history(
    request: HttpRequest, kind: str, key: Annotated[str, Query(max_length=400)], page: Query[schema.PageQuery]
) -> dict[str, object]:
    """List every change of one row, by its key, the first one first; a row that was taken out keeps its history."""
    found = list(views.row_history(book_of(request), kind_named(kind), key))
    if not found:
        raise MissingError
    return schema.page_of_list(found, page, schema.itself)


@router.get("/records/kinds/{kind}/removal", **reads(_REMOVAL))
def get_removal(request: HttpRequest, kind: str, key: Annotated[str, Query(max_length=400)]) -> Removal:
    """Tell what taking one row out, by its key, would take with it; nothing is written."""
    return removal_of(book_of(request), kind_named(kind), key)


@router.get("/records/changes", **reads(schema.page_of_schema(CHANGE)))
def list_changes(request: HttpRequest, page: Query[schema.PageQuery]) -> dict[str, object]:
    """List the changes of the book, the first one first; each names the hash of the one before."""
    return schema.page_of(views.changes_of(book_of(request)), page, views.change_view)


@router.post("/records/changes/preview", response={200: _PREVIEW, **problems.REFUSALS}, auth=problems.RECORDS_WRITE)
def preview_change(request: HttpRequest, body: EditsIn) -> ChangePreview:
    """Tell what a change would do to verdicts, carbon intensities and signed reports; nothing is written.

    Every row is checked, and refused, as the change itself would be.
    """
    farm = book_of(request)
    return preview_of(farm, _checked(farm, body))


@router.post("/records/changes", response={201: CHANGE, **problems.REFUSALS}, auth=problems.RECORDS_WRITE)
def change_book(request: HttpRequest, body: ChangeIn) -> Status[views.ChangeView]:
    """Write one change. Every row is checked first; problems name edit and column, and nothing is written."""
    caller = problems.caller_of(request)
    farm = farm_book_of(caller.organisation)
    edits = _checked(farm, body)
    made = do_change_book(farm.book, edits, reason=body.reason, actor=caller.actor, after=body.after)
    return Status(201, views.change_view(made))


def _checked(farm: FarmBook, body: ChangeIn | EditsIn) -> list[Edit]:
    """Return the edits as they would be written.

    Raises:
        ProblemsError: a row that cannot be written, or of which something is asked that nobody has looked at.
    """
    edits = [checked_edit(farm, one.kind, one.key, one.row, at) for at, one in enumerate(body.edits)]
    check_asked(farm, edits, looked=body.looked)
    return edits


# What follows from a farm's records: verdicts, carbon intensity, what other practices would do, reports.

season_router = Router(tags=["season"])
Crop = Annotated[str, Path(max_length=40, pattern=r"^[a-z_]+$")]
Year = Annotated[int, Path(ge=2000, le=2100)]
Unit = Annotated[str, Query(max_length=80)]
Number = Annotated[int, Path(ge=1, le=10_000)]
Under = Annotated[
    str,
    Query(max_length=80, description="The text under which it is to be signed, where that must be named (standing)."),
]
_TOTAL = schema.schema_of(PracticeTotal, name="PracticeTotalOut")
_GROWING = schema.schema_of(GrowingCrop, name="GrowingCropOut")
REPORT, _VERSION = schema.schema_of(ReportView, name="ReportOut"), schema.schema_of(VersionView, name="VersionOut")


class SignedIn(Schema):
    """A report signed on the producer's own machine: the file that `provender keys sign` writes."""

    document: dict[str, Any]
    signature: Annotated[str, Field(min_length=1, max_length=20_000)]


@season_router.get("/verdicts", **reads(schema.Page[dict[str, Any]]))
def list_verdicts(request: HttpRequest, page: Query[schema.PageQuery]) -> dict[str, object]:
    """List every crop on every unit: practices, requirements, and the records that their verdicts rest on.

    A verdict is met, not met or not shown. What speaks against a requirement, what is missing and what shows it names
    kind, row and column of the record.
    """
    book = book_of(request)
    return schema.page_of_list(verdicts_of(book)["intervals"], page, lambda one: with_shown(book, one))


@season_router.get("/growing", **reads(schema.page_of_schema(_GROWING)))
def list_growing(request: HttpRequest, page: Query[schema.PageQuery]) -> dict[str, object]:
    """List every crop that is not harvested yet: how its practices stand so far, and the records that it asks for.

    Each record says whether it is due now, by a day, or later. No verdict and no report waits for any of it.
    """
    return schema.page_of_list(growing_views(book_of(request)), page, schema.shown)


@season_router.get("/practice-totals", **reads(schema.page_of_schema(_TOTAL)))
def list_practice_totals(request: HttpRequest, page: Query[schema.PageQuery]) -> dict[str, object]:
    """List the totals of each practice across the operation, by harvest year: crops on units, acres, bushels.

    What counts are crops that meet the standard, their records open or not. An amount is null where one of them lacks
    it.
    """
    return schema.page_of_list(totals_of(book_of(request)), page, schema.shown)


@season_router.get("/problems", **reads(schema.Page[dict[str, Any]]))
def list_problems(request: HttpRequest, page: Query[schema.PageQuery]) -> dict[str, object]:
    """List what a person must look at in the records: place, cause, remedy, paragraph."""
    return schema.page_of_list(overview_of(book_of(request))["problems"], page, dict)


@season_router.get("/season", **reads(schema.Page[dict[str, Any]]))
def list_season(request: HttpRequest, page: Query[schema.PageQuery], unit: Unit = "") -> dict[str, object]:
    """List every crop interval day by day with STIR as it builds up, of the whole farm or of one unit."""
    found = [one for one in seasons_of(book_of(request)) if not unit or one["unit_id"] == unit]
    return schema.page_of_list(found, page, dict)


@season_router.get("/intensity", **reads(schema.Page[dict[str, Any]]))
def list_intensity(request: HttpRequest, page: Query[schema.PageQuery]) -> dict[str, object]:
    """List the farm-level carbon intensity of each crop and harvest year: official runs, and the open model."""
    return schema.page_of_list(intensities_of(book_of(request)), page, _without_charts)


def _without_charts(one: dict[str, Any]) -> dict[str, Any]:
    sides = {
        name: {key: value for key, value in one[name].items() if key != "chart"} for name in ("official", "estimate")
    }
    return {**one, **sides}


@season_router.get("/plan", **reads(schema.Page[dict[str, Any]]))
def list_plan(request: HttpRequest, page: Query[schema.PageQuery]) -> dict[str, object]:
    """List each unit's carbon intensity under every combination of practices its crop may claim: estimates."""
    return schema.page_of_list(plans_of(book_of(request)), page, dict)


@season_router.get("/reports", **reads(schema.page_of_schema(REPORT)))
def list_reports(request: HttpRequest, page: Query[schema.PageQuery]) -> dict[str, object]:
    """List the report of every crop and harvest year of the book."""
    return schema.page_of_list(standings_of(book_of(request)), page, schema.shown)


@season_router.get("/reports/{crop}/{year}", **reads(dict[str, Any]))
def get_report(request: HttpRequest, crop: Crop, year: Year, under: Under = "") -> dict[str, Any]:
    """Return the next version of a report as it would be signed today: the document that a key signs."""
    crop_label(crop)
    return draft_of(book_of(request), crop, year, under=under).document


@season_router.get("/reports/{crop}/{year}/versions", **reads(schema.page_of_schema(_VERSION)))
def list_report_versions(
    request: HttpRequest, crop: Crop, year: Year, page: Query[schema.PageQuery]
) -> dict[str, object]:
    """List the signed versions of a report, the first one first."""
    crop_label(crop)
    return schema.page_of_list(draft_of(book_of(request), crop, year).versions, page, version_view)


@season_router.post(
    "/reports/{crop}/{year}/versions", response={201: _VERSION, **problems.REFUSALS}, auth=problems.RECORDS_WRITE
)
def keep_report(request: HttpRequest, crop: Crop, year: Year, body: SignedIn) -> Status[VersionView]:
    """Hand in a report that the producer signed: verified against the key on file before anything is kept."""
    caller = problems.caller_of(request)
    caller.require_signer()
    crop_label(crop)
    draft = draft_of(farm_book_of(caller.organisation), crop, year)
    made = keep_signed(draft, {"document": body.document, "signature": body.signature}, actor=caller.actor)
    return Status(201, version_view(made))


@season_router.get("/reports/{crop}/{year}/versions/{number}", **reads(dict[str, Any]))
def get_report_version(request: HttpRequest, crop: Crop, year: Year, number: Number) -> dict[str, Any]:
    """Return a signed version: the document and its detached signature."""
    return envelope_of(version_numbered(book_of(request).book, crop, year, number))


# Evidence of a farm: what stands in the book with its stored file, and taking a stored file in.

evidence_router = Router(tags=["evidence"])
Text = Annotated[str, Field(max_length=500, pattern=r"^[^\x00-\x1f\x7f]*$")]


class EvidenceOut(Schema):
    """A row of evidence; ``file`` is the code of its stored file, empty where none is stored here."""

    key: str
    row: dict[str, str]
    file: str


class EvidenceIn(Schema):
    """A stored file to take in: what it is, which unit it is about, and the record it is for by kind and key."""

    file: Annotated[str, Field(max_length=60)]
    what: Annotated[str, Field(max_length=60, description="A word of the column `what` of kind `evidence`.")]
    unit_id: Annotated[Text, Field(max_length=80)] = ""
    taken_on: date | None = None
    note: Text = ""
    kind: Annotated[str, Field(max_length=60)] = ""
    key: Annotated[Text, Field(max_length=400)] = ""


class TakenIn(Schema):
    """What came of it: the change that keeps it or, for a photograph, the import that reads its place and time."""

    version: int | None
    import_code: str


@evidence_router.get("/evidence", **reads(schema.Page[EvidenceOut]))
def list_evidence(request: HttpRequest, page: Query[schema.PageQuery]) -> dict[str, object]:
    """List the evidence in the book."""
    found = list(evidence_of(book_of(request)))
    return schema.page_of_list(found, page, lambda one: EvidenceOut(key=one[0], row=one[1], file=one[2]))


@evidence_router.post("/evidence", response={201: TakenIn, **problems.REFUSALS}, auth=problems.RECORDS_WRITE)
def take_evidence(request: HttpRequest, body: EvidenceIn) -> Status[TakenIn]:
    """Keep a stored file as evidence, and name it in the record it is for; a photograph is read first."""
    caller = problems.caller_of(request)
    farm = farm_book_of(caller.organisation)
    stored = upload_of(caller.organisation, body.file)
    told = EvidenceDetails(body.what, body.unit_id, body.taken_on, body.note, body.kind, body.key)
    made = store_evidence(farm, stored, told, actor=caller.actor)
    return Status(201, TakenIn(version=made.version, import_code=made.import_code))


# A farm's book for another system: the data set of the ADAPT Standard, and what of the book stays behind.

exchange_router = Router(tags=["records"])


@exchange_router.get("/exchange/left", **reads(list[problems.OneProblem]))
def list_left_out(request: HttpRequest) -> list[problems.OneProblem]:
    """List what of the book does not go into the data set, row by row with its reason."""
    return [problems.one_problem(each) for each in left_first(exchange_of(book_of(request)))]


@exchange_router.get("/exchange/adapt", **reads(None, sends=ZIP))
def get_data_set(request: HttpRequest) -> HttpResponse:
    """Return the book as a data set of the ADAPT Standard 2.0.2 in a zip."""
    return download(packed(exchange_of(book_of(request)).files), ZIP, "adapt.zip")
