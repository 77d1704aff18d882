"""Packages of an audit: asked for, how far they are, their files, and what their recomputation found."""

from typing import Annotated, Any

from django.http import FileResponse, HttpRequest
from ninja import Path, Query, Router, Schema, Status

from provender.audit.sampling.seed import Side
from provender.database.actor import today
from provender.services.audits import package_requests, records, sample
from provender.services.audits.audits import record_visit
from provender.services.audits.deeds import (
    Borrowed,
    Committed,
    Failed,
    PackageToMake,
    PartOpened,
    SeedOpened,
    read_said,
)
from provender.services.audits.findings import finding_view, raise_findings_from
from provender.services.audits.packages import choices
from provender.services.audits.programme import difference_of, result_of
from provender.services.audits.sample import DrawnFarmView, PopulationView
from provender.services.audits.standing import entry_view
from provender.services.refused import MissingError
from provender.web.api.problems import caller_of
from provender.web.api.schema import PageQuery, page_of_list, page_of_schema, schema_of, shared, shown
from provender.web.audit.api import audits
from provender.web.audit.api.findings import FINDING
from provender.web.tables import ZIP

router = Router(tags=["audit packages"])
Index = Annotated[int, Path(ge=0, le=2**31 - 1, description="Place of the difference in the result, from 0.")]


shared(package_requests.PackageState)
schema_of(package_requests.ProgressView, name="ProgressOut")
CHOICE, PACKAGE = (
    schema_of(package_requests.PackageChoiceView, name="ChoiceOut"),
    schema_of(package_requests.PackageView, name="PackageOut"),
)
RESULT, DIFFERENCE = (
    schema_of(package_requests.ResultLineView, name="ResultLine"),
    schema_of(package_requests.DifferenceView, name="DifferenceOut"),
)


PackageIn = audits.says(PackageToMake, "PackageIn")


@audits.reads(router, "/packages/choices", page_of_schema(CHOICE))
def list_package_choices(request: HttpRequest, audit: audits.Code, page: Query[PageQuery]) -> dict[str, object]:
    """List what packages can be asked for today: the party's period, the whole audit, drawn farms that let in."""
    return page_of_list(
        choices(audits.led(request, audit), today()), page, lambda row: {"what": row[0], "label": row[1]}
    )


@audits.reads(router, "/packages", page_of_schema(PACKAGE))
def list_packages(request: HttpRequest, audit: audits.Code, page: Query[PageQuery]) -> dict[str, object]:
    """List the packages asked for, the last one first."""
    return page_of_list(
        package_requests.standings_of(audits.led(request, audit)),
        page,
        lambda standing: shown(package_requests.package_view(standing)),
    )


@audits.writes(router, "/packages", PACKAGE)
def ask_package(request: HttpRequest, audit: audits.Code, body: PackageIn) -> Status[Any]:  # type: ignore[valid-type]  # made at run time
    """Ask for a package: it is made beside the server. Whose records it takes, sees it in the log."""
    of_audit, said = audits.led(request, audit), read_said(PackageToMake, audits.said(body), "package")
    actor = caller_of(request).actor
    asked = package_requests.ask_for_package(of_audit, said, "api:ask_package", verify=said.recompute, actor=actor)
    return Status(201, shown(package_requests.package_view(package_requests.standing_of(asked))))


@audits.reads(router, "/packages/{number}", PACKAGE)
def get_package(request: HttpRequest, audit: audits.Code, number: audits.Number) -> Any:  # noqa: ANN401 - JSON
    """Return how a package stands; ask again until its state is no longer ``at work``."""
    return shown(
        package_requests.package_view(
            package_requests.standing_of(package_requests.asked_for(audits.led(request, audit), number))
        )
    )


@audits.gives_file(router, "/packages/{number}/file", ZIP)
def get_package_file(request: HttpRequest, audit: audits.Code, number: audits.Number) -> FileResponse:
    """Return the package; it is kept for a day, for whom the party lets in today, and each download is logged."""
    path = package_requests.take_away(
        audits.led(request, audit), number, "api:get_package_file", actor=caller_of(request).actor
    )
    return FileResponse(path.open("rb"), as_attachment=True, filename=path.name, content_type=ZIP)


@audits.reads(router, "/results", page_of_schema(RESULT))
def list_results(request: HttpRequest, audit: audits.Code, page: Query[PageQuery]) -> dict[str, object]:
    """List the recomputations, the last one first."""
    return page_of_list(package_requests.result_lines(audits.led(request, audit)), page, shown)


@audits.reads(router, "/results/{number}", schema_of(package_requests.ResultView, name="ResultOut"))
def get_result(request: HttpRequest, audit: audits.Code, number: audits.Number) -> Any:  # noqa: ANN401 - JSON
    """Return what a recomputation found; its differences come in pages of their own."""
    return shown(package_requests.result_view(result_of(audits.led(request, audit), number)))


@audits.reads(router, "/results/{number}/differences", page_of_schema(DIFFERENCE))
def list_differences(
    request: HttpRequest, audit: audits.Code, number: audits.Number, page: Query[PageQuery]
) -> dict[str, object]:
    """List what differs, the most bushels at stake first."""
    of_audit = audits.led(request, audit)
    return page_of_list(package_requests.difference_views(of_audit, result_of(of_audit, number)), page, shown)


@audits.writes(router, "/results/{number}/differences/{index}/finding", FINDING)
def raise_finding_from(request: HttpRequest, audit: audits.Code, number: audits.Number, index: Index) -> Status[Any]:
    """Make a difference a finding: its words, its bushels, its paragraph; major, due in a month."""
    of_audit = audits.led(request, audit)
    difference = difference_of(result_of(of_audit, number), index)
    raised = raise_findings_from(of_audit, difference, actor=caller_of(request).actor)
    return Status(201, shown(finding_view(raised)))


# The farm sample of an audit: farms frozen, seed committed, decisions, and what the sample can find.

DRAWN = schema_of(DrawnFarmView, name="DrawnOut")
sample_router = Router(tags=["audit sample"])
CommitmentIn, OpeningIn = audits.says(Committed, "CommitmentIn"), audits.says(PartOpened, "OpeningIn")
SeedIn, TreatmentIn = audits.says(SeedOpened, "SeedIn"), audits.says(Borrowed, "TreatmentIn")
FailureIn = audits.says(Failed, "FailureIn")


class ProofIn(Schema):
    """A signed statement of an earlier year about the point, and the sample file whose hash it names."""

    statement: dict[str, Any]
    sample: dict[str, Any]


@audits.reads(sample_router, "/population", schema_of(PopulationView, name="PopulationOut"))
def get_population(request: HttpRequest, audit: audits.Code) -> Any:  # noqa: ANN401 - JSON
    """Return the frozen farms."""
    frozen = records.population_of(audits.sampled(request, audit))
    if frozen is None:
        raise MissingError
    return shown(sample.population_view(frozen))


@audits.writes(sample_router, "/population", audits.ENTRY)
def freeze(request: HttpRequest, audit: audits.Code) -> Status[Any]:
    """Freeze and hash the farms of the audited party's incoming lots, before any seed is committed."""
    of_audit, actor = audits.sampled(request, audit), caller_of(request).actor
    record_visit(of_audit, [of_audit.audited], "api:freeze", actor=actor)
    return Status(201, shown(entry_view(sample.freeze_farms(of_audit, actor=actor))))


@audits.writes(sample_router, "/seed", audits.ENTRY)
def draw(request: HttpRequest, audit: audits.Code, body: SeedIn) -> Status[Any]:  # type: ignore[valid-type]  # made at run time
    """Open the seed and draw the sample."""
    said = read_said(SeedOpened, audits.said(body), "seed")
    entry = sample.commit_seed(audits.sampled(request, audit), said, actor=caller_of(request).actor)
    return Status(201, shown(entry_view(entry)))


@audits.writes(sample_router, "/seed/commitment", audits.ENTRY)
def commit_part(request: HttpRequest, audit: audits.Code, body: CommitmentIn) -> Status[Any]:  # type: ignore[valid-type]  # made at run time
    """Hand over your own commitment, before the farms are frozen: as the verifier, or as the audited party."""
    caller = caller_of(request)
    of_audit = audits.seen(request, audit)
    said = read_said(Committed, audits.said(body), "seed")
    side = Side.VERIFIER if of_audit.verifier == caller.organisation else Side.AUDITED
    return Status(201, shown(entry_view(sample.commit_part(of_audit, side, said.commitment, actor=caller.actor))))


@audits.writes(sample_router, "/seed/opening", audits.ENTRY)
def open_part(request: HttpRequest, audit: audits.Code, body: OpeningIn) -> Status[Any]:  # type: ignore[valid-type]  # made at run time
    """Open your own part of the seed as the audited party, after the farms are frozen."""
    said = read_said(PartOpened, audits.said(body), "seed")
    entry = sample.open_part(audits.of_us(request, audit), said.secret, actor=caller_of(request).actor)
    return Status(201, shown(entry_view(entry)))


@audits.writes(sample_router, "/sample/proofs", audits.ENTRY)
def bring_proof(request: HttpRequest, audit: audits.Code, body: ProofIn) -> Status[Any]:
    """Bring what proves that farms were audited before, in an audit not led here; not once they are frozen."""
    of_audit, actor = audits.sampled(request, audit), caller_of(request).actor
    return Status(201, shown(entry_view(sample.bring_proof(of_audit, body.statement, body.sample, actor=actor))))


@audits.reads(sample_router, "/sample", dict[str, Any])
def get_sample(request: HttpRequest, audit: audits.Code) -> dict[str, Any]:
    """Return the sample file: everything that is needed to draw it again."""
    return records.sample_of(audits.sampled(request, audit))


@audits.reads(sample_router, "/sample/farms", page_of_schema(DRAWN))
def list_drawn(request: HttpRequest, audit: audits.Code, page: Query[PageQuery]) -> dict[str, object]:
    """List the farms of the sample with stratum, risk and decision, and whether each lets the verifier in today."""
    return page_of_list(sample.drawn_farm_views(audits.sampled(request, audit)), page, shown)


@audits.writes(sample_router, "/sample/treatments", audits.ENTRY)
def borrow_audit(request: HttpRequest, audit: audits.Code, body: TreatmentIn) -> Status[Any]:  # type: ignore[valid-type]  # made at run time
    """Decide that a completed audit of the same year stands for a drawn farm's; the farm stays in the sample."""
    borrowed = read_said(Borrowed, audits.said(body), "sample")
    entry = sample.borrow_audit(audits.sampled(request, audit), borrowed, actor=caller_of(request).actor)
    return Status(201, shown(entry_view(entry)))


@audits.writes(sample_router, "/sample/failures", audits.ENTRY)
def fail_farm(request: HttpRequest, audit: audits.Code, body: FailureIn) -> Status[Any]:  # type: ignore[valid-type]  # made at run time
    """Decide that a drawn farm failed: the sample is extended inside its stratum."""
    failed = read_said(Failed, audits.said(body), "sample")
    entry = sample.fail_farm(audits.sampled(request, audit), failed, actor=caller_of(request).actor)
    return Status(201, shown(entry_view(entry)))
