"""The server's transparency log for programs: its head, and proofs of documents and of growth."""

from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Query, Router
from pydantic import Field

from provender.services import transparency as service
from provender.web.api.problems import REFUSALS
from provender.web.api.view_schema import schema_of, shown
from provender.web.organisation.api.organisation import READ

router = Router(tags=["transparency"])
Mark = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$", description="Hash of the document as the log names it.")]
Since = Annotated[
    list[Annotated[int, Field(ge=1, le=2**53)]],
    Query(max_length=100, description="Size of a head that you hold; repeat for another."),
]


@router.get("/log/state", response={200: schema_of(service.LogState, name="LogStateOut"), **REFUSALS}, auth=READ)
def get_log_state(request: HttpRequest) -> Any:  # noqa: ANN401 - JSON
    """Return how many documents stand in the log, and its newest signed head."""
    return shown(service.state())


@router.get("/log/head", response={200: dict[str, Any], **REFUSALS}, auth=READ)
def get_log_head(request: HttpRequest) -> dict[str, Any]:
    """Return the newest signed head, as `provender log` signs one."""
    return service.signed_head()


@router.get("/log/proof/{mark}", response={200: dict[str, Any], **REFUSALS}, auth=READ)
def get_log_proof(request: HttpRequest, mark: Mark, since: Since = []) -> dict[str, Any]:  # noqa: B006 - read only
    """Return the proof that a document stands in the log, to lie beside it in a package."""
    return service.proof(mark, since)


@router.get("/log/consistency", response={200: dict[str, Any], **REFUSALS}, auth=READ)
def get_log_consistency(request: HttpRequest, since: Since) -> dict[str, Any]:
    """Return what shows that the log grew out of heads of these sizes."""
    return service.growth(since)
