"""Packages of an audit: asked for, how far they are, their files, and what their recomputation found."""

from typing import Annotated, Any

from django.http import FileResponse, HttpRequest
from ninja import Path, Query, Router, Schema, Status
from pydantic import Field

from provender.audit.package.layout import Part
from provender.database.models import AuditEntry, EntryKind
from provender.database.store.audits import data_of, entries
from provender.services.audits.audits import today
from provender.services.audits.findings import raise_findings_from, raised_of
from provender.services.audits.package_asked import MAY_BE_ABSENT, ask_for_package
from provender.services.audits.packages import choices
from provender.web.api.auth import caller_of
from provender.web.api.file_answers import file_of
from provender.web.api.pages import Page, PageQuery, page_of_list
from provender.web.api.problems import REFUSALS
from provender.web.audit.api.door import READ, WRITE, Code, LineOrNone, Number, led
from provender.web.audit.api.findings import FindingOut, finding_out
from provender.web.audit.door import difference_of, entry_of
from provender.web.audit.package_progress import (
    PackageState,
    Standing,
    asked_for,
    do_take_away,
    standing_of,
    standings_of,
)

router = Router(tags=["audit packages"])
Index = Annotated[int, Path(ge=0, le=2**31 - 1, description="Place of the difference in the result, from 0.")]


class ChoiceOut(Schema):
    """What can be asked for today."""

    what: str
    label: str


class PackageIn(Schema):
    """A package to ask for; ``absent`` parts may be missing from it, for the reason given."""

    what: Annotated[str, Field(min_length=1, max_length=60, pattern=r"^[^\x00-\x1f\x7f]+$")]
    recompute: Annotated[bool, Field(description="Recompute it here; else it is made to be downloaded.")] = False
    absent: Annotated[
        list[Part],
        Field(max_length=len(MAY_BE_ABSENT), description=f"Of {', '.join(MAY_BE_ABSENT)}."),
    ] = []
    reason: Annotated[LineOrNone, Field(max_length=200)] = ""


class ProgressOut(Schema):
    """How far the work is; ``step`` is empty while it waits for a turn."""

    step: str
    done: int
    whole: int


class PackageOut(Schema):
    """A package that was asked for; ``result`` is the number of its result once it is recomputed."""

    number: int
    what: str
    recompute: bool
    asked_at: str
    asked_by: str
    state: PackageState
    progress: ProgressOut | None
    made: dict[str, Any] | None
    result: int | None
    problems: list[dict[str, Any]]
    downloadable: bool


class ResultLine(Schema):
    """A recomputation at a glance; ``clean`` where every number recomputes and nothing is missing."""

    number: int
    at: str
    what: str
    subject: str
    mark: str
    clean: bool
    differences: int


class ResultOut(ResultLine):
    """What a recomputation found: its checks, where to look first (most at stake first), what is not shown."""

    made: dict[str, Any]
    problems: list[dict[str, Any]]
    checks: list[dict[str, Any]]
    places: list[dict[str, Any]]
    not_shown: list[dict[str, Any]]


class DifferenceOut(Schema):
    """A claim that does not recompute, by its place in the result; bushels and grams are decimal text or null."""

    index: int
    code: str
    place: str
    claimed: str
    recomputed: str
    cite: str
    effect_bushels: str | None
    effect_g_co2e: str | None
    is_finding: bool


def _package(one: Standing) -> PackageOut:
    said, answer = data_of(one.asked), data_of(one.answer) if one.answer else {}
    recomputed = one.answer is not None and one.state is PackageState.RECOMPUTED
    made = answer.get("made") if recomputed else answer if one.state is PackageState.MADE else None
    far = one.progress
    return PackageOut(
        number=one.asked.number, what=said["what"], recompute=said["verify"], asked_at=one.asked.at.isoformat(),
        asked_by=str(one.asked.actor), state=one.state,
        progress=ProgressOut(step=far.step, done=far.done, whole=far.whole) if far else None, made=made,
        result=one.answer.number if one.answer is not None and recomputed else None,
        problems=answer.get("problems", []) if one.state is PackageState.NOT_POSSIBLE else [], downloadable=one.there,
    )  # fmt: skip


@router.get("/audits/{audit}/packages/choices", response={200: Page[ChoiceOut], **REFUSALS}, auth=READ)
def list_package_choices(request: HttpRequest, audit: Code, page: Query[PageQuery]) -> dict[str, object]:
    """List what packages can be asked for today: the party's period, the whole audit, drawn farms that let in."""
    rows = choices(led(caller_of(request), audit), today())
    return page_of_list(rows, page, lambda row: ChoiceOut(what=row[0], label=row[1]))


@router.get("/audits/{audit}/packages", response={200: Page[PackageOut], **REFUSALS}, auth=READ)
def list_packages(request: HttpRequest, audit: Code, page: Query[PageQuery]) -> dict[str, object]:
    """List the packages asked for, the last one first."""
    return page_of_list(standings_of(led(caller_of(request), audit)), page, _package)


@router.post("/audits/{audit}/packages", response={201: PackageOut, **REFUSALS}, auth=WRITE)
def ask_package(request: HttpRequest, audit: Code, body: PackageIn) -> Status[PackageOut]:
    """Ask for a package: it is made beside the server. Whose records it takes, sees it in the log."""
    caller = caller_of(request)
    asked = ask_for_package(
        led(caller, audit), body.what, "api:ask_package",
        verify=body.recompute, absent=body.absent, reason=body.reason, actor=caller.actor,
    )  # fmt: skip
    return Status(201, _package(standing_of(asked)))


@router.get("/audits/{audit}/packages/{number}", response={200: PackageOut, **REFUSALS}, auth=READ)
def get_package(request: HttpRequest, audit: Code, number: Number) -> PackageOut:
    """Return how a package stands; ask again until its state is no longer ``at work``."""
    return _package(standing_of(asked_for(led(caller_of(request), audit), number)))


@router.get(
    "/audits/{audit}/packages/{number}/file",
    response={200: None, **REFUSALS},
    auth=READ,
    openapi_extra=file_of("application/zip"),
)
def get_package_file(request: HttpRequest, audit: Code, number: Number) -> FileResponse:
    """Return the package; it is kept for a day, for whom the party lets in today, and each download is logged."""
    caller = caller_of(request)
    path = do_take_away(led(caller, audit), number, "api:get_package_file", actor=caller.actor)
    return FileResponse(path.open("rb"), as_attachment=True, filename=path.name, content_type="application/zip")


def _result(entry: AuditEntry) -> dict[str, Any]:
    said = data_of(entry)
    return {
        "number": entry.number,
        "at": entry.at.isoformat(),
        "what": said["what"],
        "subject": said["package"]["subject"],
        "mark": said["made"]["mark"],
        "clean": said["clean"],
        "differences": len(said["differences"]),
    }


@router.get("/audits/{audit}/results", response={200: Page[ResultLine], **REFUSALS}, auth=READ)
def list_results(request: HttpRequest, audit: Code, page: Query[PageQuery]) -> dict[str, object]:
    """List the recomputations, the last one first."""
    found = led(caller_of(request), audit)
    return page_of_list(list(reversed(entries(found, EntryKind.RESULT))), page, _result)


@router.get("/audits/{audit}/results/{number}", response={200: ResultOut, **REFUSALS}, auth=READ)
def get_result(request: HttpRequest, audit: Code, number: Number) -> ResultOut:
    """Return what a recomputation found; its differences come in pages of their own."""
    entry = entry_of(led(caller_of(request), audit), EntryKind.RESULT, number)
    said = data_of(entry)
    checks = [{name: value for name, value in one.items() if name != "differences"} for one in said["checks"]]
    eyes = said["needs_eyes"]
    return ResultOut(
        **_result(entry), made=said["made"], problems=said["problems"], checks=checks,
        places=eyes.get("places", []), not_shown=eyes["not_shown"],
    )  # fmt: skip


@router.get("/audits/{audit}/results/{number}/differences", response={200: Page[DifferenceOut], **REFUSALS}, auth=READ)
def list_differences(request: HttpRequest, audit: Code, number: Number, page: Query[PageQuery]) -> dict[str, object]:
    """List what differs, the most bushels at stake first."""
    found = led(caller_of(request), audit)
    rows = list(enumerate(raised_of(found, entry_of(found, EntryKind.RESULT, number))))
    return page_of_list(rows, page, lambda row: {"index": row[0], **row[1][0], "is_finding": row[1][1]})


@router.post(
    "/audits/{audit}/results/{number}/differences/{index}/finding",
    response={201: FindingOut, **REFUSALS},
    auth=WRITE,
)
def raise_finding_from(request: HttpRequest, audit: Code, number: Number, index: Index) -> Status[FindingOut]:
    """Make a difference a finding: its words, its bushels, its paragraph; major, due in a month."""
    caller = caller_of(request)
    found = led(caller, audit)
    one = difference_of(entry_of(found, EntryKind.RESULT, number), index)
    return Status(201, finding_out(raise_findings_from(found, one, actor=caller.actor)))
