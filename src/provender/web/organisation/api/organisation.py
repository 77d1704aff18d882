"""The organisation a token opens: what it is, what it does next, and its log."""

from datetime import datetime
from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Query, Router, Schema, Status
from pydantic import Field, WithJsonSchema

from provender.database.choices import Role, Scope
from provender.services.accounts.log import deeds_in
from provender.services.accounts.organisations import change_organisation as do_change_organisation
from provender.services.accounts.views import OrganisationView, log_view, organisation_view
from provender.web.api.auth import Needs, caller_of
from provender.web.api.pages import Page, PageQuery, page_of, page_of_list
from provender.web.api.problems import REFUSALS
from provender.web.api.texts import OneLine
from provender.web.organisation.next_steps import StepLink, next_steps

router = Router(tags=["organisation"])
READ = Needs(Scope.ORGANISATION_READ)
AnyRole = Annotated[Role, WithJsonSchema({"type": "string", "enum": Role.values})]
"""Described where it stands: the shapes of the description know another role, that of an audited party."""


class OrganisationOut(Schema):
    """An organization."""

    code: str
    name: str
    county: str
    state: str
    roles: list[str]


class OrganisationIn(Schema):
    """Name, place and roles as they are to stand."""

    name: OneLine
    county: Annotated[str, Field(max_length=80, pattern=r"^[^\x00-\x1f\x7f]*$")] = ""
    state: Annotated[str, Field(pattern=r"^([A-Za-z]{2})?$", description="Two letters.")] = ""
    roles: Annotated[list[AnyRole], Field(min_length=1, max_length=len(Role))]


class NextStep(Schema):
    """One thing to do next: what, why, and on which page."""

    what: str
    why: str
    page: str


class LogOut(Schema):
    """One deed: who did what, when, by way of what, what stood before and after."""

    id: int
    at: datetime
    actor: str
    via: str
    deed: str
    about: str
    old: Any
    new: Any


def _organisation(row: OrganisationView) -> OrganisationOut:
    return OrganisationOut(**row._asdict())


@router.get("/organisation", response={200: OrganisationOut, **REFUSALS}, auth=READ, summary="Get Organization")
def get_organisation(request: HttpRequest) -> OrganisationOut:
    """Return the organization that the token opens."""
    return _organisation(organisation_view(caller_of(request).organisation))


@router.post(
    "/organisation",
    response={201: OrganisationOut, **REFUSALS},
    auth=Needs(Scope.ORGANISATION_WRITE),
    summary="Change Organization",
)
def change_organisation(request: HttpRequest, body: OrganisationIn) -> Status[OrganisationOut]:
    """Change name, place and roles."""
    caller = caller_of(request)
    changed = do_change_organisation(
        caller.organisation, name=body.name, roles=body.roles, county=body.county, state=body.state, actor=caller.actor
    )
    return Status(201, _organisation(organisation_view(changed)))


@router.get("/organisation/next", response={200: Page[NextStep], **REFUSALS}, auth=READ)
def list_next_steps(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List what the organization does next, the first thing first, as its overview says."""
    return page_of_list(next_steps(caller_of(request).access), page, _step)


def _step(step: StepLink) -> NextStep:
    return NextStep(what=step.words, why=step.why, page=step.href)


@router.get("/log", response={200: Page[LogOut], **REFUSALS}, auth=READ)
def list_log(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List what was done in the organization, the first deed first."""
    return page_of(deeds_in(caller_of(request).organisation), page, lambda row: LogOut(**log_view(row)._asdict()))
