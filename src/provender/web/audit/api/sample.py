"""The farm sample of an audit: farms frozen, seed committed, decisions, and what the sample can find."""

from typing import Annotated, Any

from django.http import Http404, HttpRequest
from ninja import Query, Router, Schema, Status
from pydantic import Field

from provender.audit.sampling.chances import table
from provender.audit.sampling.drawn_farms import Extent
from provender.audit.sampling.minimum import minimum_farms
from provender.database.models import Organisation
from provender.database.store.audit_draw import sample_of
from provender.database.store.audits import open_to, population_of
from provender.services.audits.audits import today
from provender.services.audits.sample import Borrowed, commit_seed, freeze_farms
from provender.services.audits.sample import borrow_audit as do_borrow_audit
from provender.services.audits.sample import fail_farm as do_fail_farm
from provender.services.audits.visits import record_visit
from provender.web.api.auth import caller_of
from provender.web.api.pages import Page, PageQuery, page_of_list
from provender.web.api.problems import REFUSALS
from provender.web.api.texts import OneLine
from provender.web.audit.api.audits import EntryOut, entry_out
from provender.web.audit.api.door import READ, WRITE, Code, Line, LineOrNone, sampled

router = Router(tags=["audit sample"])
Farm = Annotated[str, Field(max_length=120, pattern=r"^[^\x00-\x1f\x7f]+$", description="Code of a drawn farm.")]


class PopulationOut(Schema):
    """The frozen farms: a row for each farm and crop, their hash, and what the least sample can find."""

    rows: list[dict[str, Any]]
    sha256: str
    farms: int
    minimum: Annotated[int, Field(description="Farms that the rule has drawn at least.")]
    detection: Annotated[list[dict[str, Any]], Field(description="Chances with the least sample.")]


class DrawnOut(Schema):
    """A farm of the sample; ``decision`` is the borrowed audit that stands for it, null where it is visited."""

    farm: str
    name: str
    stratum: str
    risk: dict[str, Any]
    decision: dict[str, Any] | None
    lets_in: bool


class SeedIn(Schema):
    """The committed seed; ``size`` asks for more farms than the minimum."""

    seed: OneLine
    size: Annotated[int | None, Field(ge=1, le=1_000_000)] = None


class TreatmentIn(Schema):
    """A completed audit that stands for a drawn farm's, wholly or in part (2100.040(b)(2))."""

    farm: Farm
    extent: Extent
    borrowed_audit: Annotated[Line, Field(description="Number or hash of its statement.")]
    verifier: Annotated[Line, Field(description="Who completed it.")]
    reason: Annotated[Line, Field(description="Why it is accepted.")]
    still_to_do: Annotated[LineOrNone, Field(description="For a part: what is audited all the same.")] = ""


class FailureIn(Schema):
    """A drawn farm that failed; ``more`` farms are added, null for as many as its stratum drew (interpretation 56)."""

    farm: Farm
    reason: Line
    more: Annotated[int | None, Field(ge=0, le=1_000_000)] = None


@router.get("/audits/{audit}/population", response={200: PopulationOut, **REFUSALS}, auth=READ)
def get_population(request: HttpRequest, audit: Code) -> PopulationOut:
    """Return the frozen farms."""
    frozen = population_of(sampled(caller_of(request), audit))
    if frozen is None:
        raise Http404
    farms = len(frozen.farms)
    least = minimum_farms(farms)
    rows = [one.document() for one in frozen.rows]
    return PopulationOut(rows=rows, sha256=frozen.sha256, farms=farms, minimum=least, detection=table(farms, least))


@router.post("/audits/{audit}/population", response={201: EntryOut, **REFUSALS}, auth=WRITE)
def freeze(request: HttpRequest, audit: Code) -> Status[EntryOut]:
    """Freeze and hash the farms of the audited party's incoming lots, before any seed is committed."""
    caller = caller_of(request)
    found = sampled(caller, audit)
    record_visit(found, [found.audited], "api:freeze", actor=caller.actor)
    return Status(201, entry_out(freeze_farms(found, actor=caller.actor)))


@router.post("/audits/{audit}/seed", response={201: EntryOut, **REFUSALS}, auth=WRITE)
def draw(request: HttpRequest, audit: Code, body: SeedIn) -> Status[EntryOut]:
    """Commit the seed and draw the sample."""
    caller = caller_of(request)
    return Status(201, entry_out(commit_seed(sampled(caller, audit), body.seed, body.size, actor=caller.actor)))


@router.get("/audits/{audit}/sample", response={200: dict[str, Any], **REFUSALS}, auth=READ)
def get_sample(request: HttpRequest, audit: Code) -> dict[str, Any]:
    """Return the sample file: everything that is needed to draw it again."""
    return sample_of(sampled(caller_of(request), audit))


@router.get("/audits/{audit}/sample/farms", response={200: Page[DrawnOut], **REFUSALS}, auth=READ)
def list_drawn(request: HttpRequest, audit: Code, page: Query[PageQuery]) -> dict[str, object]:
    """List the farms of the sample with stratum, risk and decision, and whether each lets the verifier in today."""
    found = sampled(caller_of(request), audit)
    document = sample_of(found)
    farms: list[str] = document["sample"]
    names = dict(Organisation.objects.filter(handle__in=farms).values_list("handle", "name"))
    open_today = open_to(found.verifier, farms, today())
    risks = {one["farm_id"]: one for one in document["risk"]}
    decided = {one["farm_id"]: one for one in document["treatments"]}
    strata = {farm: one["name"] for one in document["strata"] for farm in [*one["sample"], *one["next_in_line"]]}

    def shape(farm: str) -> DrawnOut:
        return DrawnOut(
            farm=farm, name=names.get(farm, farm), stratum=strata[farm], risk=risks[farm],
            decision=decided.get(farm), lets_in=farm in open_today,
        )  # fmt: skip

    return page_of_list(farms, page, shape)


@router.post("/audits/{audit}/sample/treatments", response={201: EntryOut, **REFUSALS}, auth=WRITE)
def borrow_audit(request: HttpRequest, audit: Code, body: TreatmentIn) -> Status[EntryOut]:
    """Decide that a completed audit of the same year stands for a drawn farm's; the farm stays in the sample."""
    caller = caller_of(request)
    borrowed = Borrowed(body.extent, body.borrowed_audit, body.verifier, body.reason, body.still_to_do)
    made = do_borrow_audit(sampled(caller, audit), body.farm, borrowed, actor=caller.actor)
    return Status(201, entry_out(made))


@router.post("/audits/{audit}/sample/failures", response={201: EntryOut, **REFUSALS}, auth=WRITE)
def fail_farm(request: HttpRequest, audit: Code, body: FailureIn) -> Status[EntryOut]:
    """Decide that a drawn farm failed: the sample is extended inside its stratum."""
    caller = caller_of(request)
    made = do_fail_farm(sampled(caller, audit), body.farm, body.reason, body.more, actor=caller.actor)
    return Status(201, entry_out(made))
