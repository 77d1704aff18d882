"""The farm sample of an audit: farms frozen, seed committed, decisions, and what the sample can find."""

from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Query, Router, Schema, Status
from pydantic import Field

from provender.audit.sampling.drawn_farms import Extent
from provender.audit.sampling.seed import Side
from provender.services.audits import sample
from provender.services.audits.audits import record_visit
from provender.services.audits.sample import DrawnFarmView, PopulationView
from provender.services.audits.standing import entry_view
from provender.services.refused import MissingError
from provender.web.api.auth import caller_of
from provender.web.api.pages import PageQuery, page_of_list
from provender.web.api.problems import REFUSALS
from provender.web.api.texts import OneLine
from provender.web.api.view_schema import page_of_schema, schema_of, shown
from provender.web.audit.api.audits import ENTRY
from provender.web.audit.api.door import READ, WRITE, Code, Line, LineOrNone, of_us, sampled, seen

DRAWN = schema_of(DrawnFarmView, name="DrawnOut")
router = Router(tags=["audit sample"])
Farm = Annotated[str, Field(max_length=120, pattern=r"^[^\x00-\x1f\x7f]+$", description="Code of a drawn farm.")]


class CommitmentIn(Schema):
    """A side's own commitment to its part of the seed, as ``provender audit seed`` shows it."""

    commitment: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class OpeningIn(Schema):
    """The secret behind the audited party's commitment."""

    secret: OneLine


class SeedIn(Schema):
    """The secret behind the verifier's own commitment; empty where the server made its part of the seed.

    ``size`` asks for more farms than the minimum; ``without_party`` records that the party does not open its part.
    """

    seed: LineOrNone = ""
    without_party: bool = False
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


@router.get(
    "/audits/{audit}/population", response={200: schema_of(PopulationView, name="PopulationOut"), **REFUSALS}, auth=READ
)
def get_population(request: HttpRequest, audit: Code) -> Any:  # noqa: ANN401 - JSON
    """Return the frozen farms."""
    frozen = sample.frozen_farms(sampled(request, audit))
    if frozen is None:
        raise MissingError
    return shown(sample.population_view(frozen))


@router.post("/audits/{audit}/population", response={201: ENTRY, **REFUSALS}, auth=WRITE)
def freeze(request: HttpRequest, audit: Code) -> Status[Any]:
    """Freeze and hash the farms of the audited party's incoming lots, before any seed is committed."""
    of_audit, actor = sampled(request, audit), caller_of(request).actor
    record_visit(of_audit, [of_audit.audited], "api:freeze", actor=actor)
    return Status(201, shown(entry_view(sample.freeze_farms(of_audit, actor=actor))))


@router.post("/audits/{audit}/seed", response={201: ENTRY, **REFUSALS}, auth=WRITE)
def draw(request: HttpRequest, audit: Code, body: SeedIn) -> Status[Any]:
    """Open the seed and draw the sample."""
    entry = sample.commit_seed(
        sampled(request, audit), body.seed, body.size, without_party=body.without_party, actor=caller_of(request).actor
    )
    return Status(201, shown(entry_view(entry)))


@router.post("/audits/{audit}/seed/commitment", response={201: ENTRY, **REFUSALS}, auth=WRITE)
def commit_part(request: HttpRequest, audit: Code, body: CommitmentIn) -> Status[Any]:
    """Hand over your own commitment, before the farms are frozen: as the verifier, or as the audited party."""
    caller = caller_of(request)
    of_audit = seen(request, audit)
    side = Side.VERIFIER if of_audit.verifier == caller.organisation else Side.AUDITED
    return Status(201, shown(entry_view(sample.commit_part(of_audit, side, body.commitment, actor=caller.actor))))


@router.post("/audits/{audit}/seed/opening", response={201: ENTRY, **REFUSALS}, auth=WRITE)
def open_part(request: HttpRequest, audit: Code, body: OpeningIn) -> Status[Any]:
    """Open your own part of the seed as the audited party, after the farms are frozen."""
    entry = sample.open_part(of_us(request, audit), body.secret, actor=caller_of(request).actor)
    return Status(201, shown(entry_view(entry)))


@router.get("/audits/{audit}/sample", response={200: dict[str, Any], **REFUSALS}, auth=READ)
def get_sample(request: HttpRequest, audit: Code) -> dict[str, Any]:
    """Return the sample file: everything that is needed to draw it again."""
    return sample.whole_sample(sampled(request, audit))


@router.get("/audits/{audit}/sample/farms", response={200: page_of_schema(DRAWN), **REFUSALS}, auth=READ)
def list_drawn(request: HttpRequest, audit: Code, page: Query[PageQuery]) -> dict[str, object]:
    """List the farms of the sample with stratum, risk and decision, and whether each lets the verifier in today."""
    return page_of_list(sample.drawn_farm_views(sampled(request, audit)), page, shown)


@router.post("/audits/{audit}/sample/treatments", response={201: ENTRY, **REFUSALS}, auth=WRITE)
def borrow_audit(request: HttpRequest, audit: Code, body: TreatmentIn) -> Status[Any]:
    """Decide that a completed audit of the same year stands for a drawn farm's; the farm stays in the sample."""
    borrowed = sample.Borrowed(**body.model_dump(exclude={"farm"}))
    entry = sample.borrow_audit(sampled(request, audit), body.farm, borrowed, actor=caller_of(request).actor)
    return Status(201, shown(entry_view(entry)))


@router.post("/audits/{audit}/sample/failures", response={201: ENTRY, **REFUSALS}, auth=WRITE)
def fail_farm(request: HttpRequest, audit: Code, body: FailureIn) -> Status[Any]:
    """Decide that a drawn farm failed: the sample is extended inside its stratum."""
    of_audit, actor = sampled(request, audit), caller_of(request).actor
    return Status(201, shown(entry_view(sample.fail_farm(of_audit, body.farm, body.reason, body.more, actor=actor))))
