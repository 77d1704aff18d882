"""Packages of an audit: asked for, how far they are, their files, and what their recomputation found."""

from typing import Annotated, Any

from django.http import FileResponse, HttpRequest
from ninja import Path, Query, Router, Schema, Status
from pydantic import Field

from provender.audit.package.layout import Part
from provender.database.actor import today
from provender.services.audits.findings import finding_view, raise_findings_from
from provender.services.audits.lookup import difference_of, result_of
from provender.services.audits.package_requests import (
    MAY_BE_ABSENT,
    DifferenceView,
    PackageChoiceView,
    PackageState,
    PackageView,
    ProgressView,
    ResultLineView,
    ResultView,
    ask_for_package,
    asked_for,
    difference_views,
    package_view,
    result_lines,
    result_view,
    standing_of,
    standings_of,
    take_away,
)
from provender.services.audits.packages import choices
from provender.web.api.auth import caller_of
from provender.web.api.pages import PageQuery, page_of_list
from provender.web.api.problems import REFUSALS
from provender.web.api.view_schema import file_of, page_of_schema, schema_of, shared, shown
from provender.web.audit.api.door import READ, WRITE, Code, LineOrNone, Number, led
from provender.web.audit.api.findings import FINDING
from provender.web.download import ZIP

router = Router(tags=["audit packages"])
Index = Annotated[int, Path(ge=0, le=2**31 - 1, description="Place of the difference in the result, from 0.")]


shared(PackageState)
schema_of(ProgressView, name="ProgressOut")
CHOICE, PACKAGE = schema_of(PackageChoiceView, name="ChoiceOut"), schema_of(PackageView, name="PackageOut")
RESULT, DIFFERENCE = schema_of(ResultLineView, name="ResultLine"), schema_of(DifferenceView, name="DifferenceOut")


class PackageIn(Schema):
    """A package to ask for; ``absent`` parts may be missing from it, for the reason given."""

    what: Annotated[str, Field(min_length=1, max_length=60, pattern=r"^[^\x00-\x1f\x7f]+$")]
    recompute: Annotated[bool, Field(description="Recompute it here; else it is made to be downloaded.")] = False
    absent: Annotated[
        list[Part],
        Field(max_length=len(MAY_BE_ABSENT), description=f"Of {', '.join(MAY_BE_ABSENT)}."),
    ] = []
    reason: Annotated[LineOrNone, Field(max_length=200)] = ""


@router.get("/audits/{audit}/packages/choices", response={200: page_of_schema(CHOICE), **REFUSALS}, auth=READ)
def list_package_choices(request: HttpRequest, audit: Code, page: Query[PageQuery]) -> dict[str, object]:
    """List what packages can be asked for today: the party's period, the whole audit, drawn farms that let in."""
    return page_of_list(choices(led(request, audit), today()), page, lambda row: {"what": row[0], "label": row[1]})


@router.get("/audits/{audit}/packages", response={200: page_of_schema(PACKAGE), **REFUSALS}, auth=READ)
def list_packages(request: HttpRequest, audit: Code, page: Query[PageQuery]) -> dict[str, object]:
    """List the packages asked for, the last one first."""
    return page_of_list(standings_of(led(request, audit)), page, lambda standing: shown(package_view(standing)))


@router.post("/audits/{audit}/packages", response={201: PACKAGE, **REFUSALS}, auth=WRITE)
def ask_package(request: HttpRequest, audit: Code, body: PackageIn) -> Status[Any]:
    """Ask for a package: it is made beside the server. Whose records it takes, sees it in the log."""
    asked = ask_for_package(
        led(request, audit), body.what, "api:ask_package",
        verify=body.recompute, absent=body.absent, reason=body.reason, actor=caller_of(request).actor,
    )  # fmt: skip
    return Status(201, shown(package_view(standing_of(asked))))


@router.get("/audits/{audit}/packages/{number}", response={200: PACKAGE, **REFUSALS}, auth=READ)
def get_package(request: HttpRequest, audit: Code, number: Number) -> Any:  # noqa: ANN401 - JSON
    """Return how a package stands; ask again until its state is no longer ``at work``."""
    return shown(package_view(standing_of(asked_for(led(request, audit), number))))


@router.get(
    "/audits/{audit}/packages/{number}/file",
    response={200: None, **REFUSALS},
    auth=READ,
    openapi_extra=file_of(ZIP),
)
def get_package_file(request: HttpRequest, audit: Code, number: Number) -> FileResponse:
    """Return the package; it is kept for a day, for whom the party lets in today, and each download is logged."""
    path = take_away(led(request, audit), number, "api:get_package_file", actor=caller_of(request).actor)
    return FileResponse(path.open("rb"), as_attachment=True, filename=path.name, content_type=ZIP)


@router.get("/audits/{audit}/results", response={200: page_of_schema(RESULT), **REFUSALS}, auth=READ)
def list_results(request: HttpRequest, audit: Code, page: Query[PageQuery]) -> dict[str, object]:
    """List the recomputations, the last one first."""
    return page_of_list(result_lines(led(request, audit)), page, shown)


@router.get(
    "/audits/{audit}/results/{number}", response={200: schema_of(ResultView, name="ResultOut"), **REFUSALS}, auth=READ
)
def get_result(request: HttpRequest, audit: Code, number: Number) -> Any:  # noqa: ANN401 - JSON
    """Return what a recomputation found; its differences come in pages of their own."""
    return shown(result_view(result_of(led(request, audit), number)))


@router.get(
    "/audits/{audit}/results/{number}/differences", response={200: page_of_schema(DIFFERENCE), **REFUSALS}, auth=READ
)
def list_differences(request: HttpRequest, audit: Code, number: Number, page: Query[PageQuery]) -> dict[str, object]:
    """List what differs, the most bushels at stake first."""
    of_audit = led(request, audit)
    return page_of_list(difference_views(of_audit, result_of(of_audit, number)), page, shown)


@router.post(
    "/audits/{audit}/results/{number}/differences/{index}/finding",
    response={201: FINDING, **REFUSALS},
    auth=WRITE,
)
def raise_finding_from(request: HttpRequest, audit: Code, number: Number, index: Index) -> Status[Any]:
    """Make a difference a finding: its words, its bushels, its paragraph; major, due in a month."""
    of_audit = led(request, audit)
    difference = difference_of(result_of(of_audit, number), index)
    raised = raise_findings_from(of_audit, difference, actor=caller_of(request).actor)
    return Status(201, shown(finding_view(raised)))
