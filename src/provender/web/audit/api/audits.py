"""Audits: those an organisation leads and those of it, how they stand, their entries; the yearly cycle."""

from collections.abc import Callable
from datetime import date
from typing import Annotated, Any, Final, TypeVar

from django.http import HttpRequest
from ninja import Path, Query, Router, Schema, Status
from pydantic import Field

from provender.audit.programme import Role as AuditRole
from provender.audit.statement.accreditation import Accreditation, Forum, Membership
from provender.audit.statement.statement import Alert, Rhythm
from provender.database.actor import today
from provender.database.choices import Scope
from provender.problem import Weight
from provender.services.accounts.grants import open_grants
from provender.services.audits import audits, programme, standing
from provender.services.audits.deeds import Opening
from provender.services.audits.programme import audits_seen, check_verifies, entries_of, party_to_audit
from provender.web.api import schema
from provender.web.api.problems import REFUSALS, Needs, OneLine, caller_of

# What the calls of audits share: scopes, the parts of their addresses, texts, and audits of whoever calls.

schema.shared(Weight)
READ: Final = Needs(Scope.AUDIT_READ)
WRITE: Final = Needs(Scope.AUDIT_WRITE)
Code = Annotated[str, Path(max_length=12, pattern=r"^[A-Za-z0-9_-]+$", description="Code of the audit.")]
Number = Annotated[int, Path(ge=1, le=2**31 - 1)]
Line = Annotated[str, Field(max_length=400, pattern=r"^[^\x00-\x1f\x7f]*\S[^\x00-\x1f\x7f]*$")]
LineOrNone = Annotated[str, Field(max_length=400, pattern=r"^[^\x00-\x1f\x7f]*$")]


def says(cls: type[Any], name: str, *, partly: bool = False) -> Any:  # noqa: ANN401 - a type made at run time
    """Return what a caller says of a deed as a schema, made of its declaration."""
    return schema.schema_of(cls, name=name, open_ended=True, partly=partly)


def said(body: Any) -> dict[str, Any]:  # noqa: ANN401 - of a type made at run time
    """Return what a caller said as plain JSON, for the service to read."""
    found: dict[str, Any] = body.model_dump(mode="json", exclude_none=True)
    return found


Found = TypeVar("Found")


def _of_caller(find: Callable[[Any, str], Found]) -> Callable[[HttpRequest, str], Found]:
    """Make what finds an audit of an organisation find one of whoever calls."""
    return lambda request, code: find(caller_of(request).organisation, code)


seen = _of_caller(programme.audit_seen)
led = _of_caller(programme.audit_led)
sampled = _of_caller(programme.audit_sampled)
of_us = _of_caller(programme.audit_of_us)
to_answer = _of_caller(programme.audit_to_answer)
with_findings = _of_caller(programme.audit_with_findings)


def reads(router: Router, path: str, answer: Any, **more: Any) -> Callable[..., Any]:  # noqa: ANN401 - as Ninja takes it
    """Return what makes a call of one that reads an audit, or what lies below it."""
    return router.get(f"/audits/{{audit}}{path}", response={200: answer, **REFUSALS}, auth=READ, **more)


def writes(router: Router, path: str, answer: Any) -> Callable[..., Any]:  # noqa: ANN401 - as Ninja takes it
    return router.post(f"/audits/{{audit}}{path}", response={201: answer, **REFUSALS}, auth=WRITE)


def gives_file(router: Router, path: str, *media_types: str) -> Callable[..., Any]:
    """Return the same of one whose answer is a file."""
    return reads(router, path, None, openapi_extra=schema.file_of(*media_types))


router = Router(tags=["audits"])
schema.shared(AuditRole, Alert)
AUDIT, ENTRY = (
    schema.schema_of(standing.AuditView, name="AuditOut"),
    schema.schema_of(standing.EntryView, name="EntryOut"),
)
CYCLE = schema.schema_of(Rhythm, name="RhythmOut")


class AuditIn(Schema):
    """An audit to open: of whom, in which role, over which days."""

    audited: Annotated[str, Field(max_length=60, pattern=r"^[^\x00]*$", description="The party's code.")]
    role: AuditRole
    number: OneLine
    harvest_year: Annotated[int, Field(ge=audits.HARVESTS[0], le=audits.HARVESTS[1])]
    covered_first: date
    covered_last: date
    due_on: date


@router.get("/audits", response={200: schema.page_of_schema(AUDIT), **REFUSALS}, auth=READ)
def list_audits(request: HttpRequest, page: Query[schema.PageQuery]) -> dict[str, object]:
    """List the audits that the organization leads and those of it."""
    return schema.page_of(
        audits_seen(caller_of(request).organisation),
        page,
        lambda audit: schema.shown(standing.audit_view(audit, today())),
    )


@router.post("/audits", response={201: AUDIT, **REFUSALS}, auth=WRITE)
def open_audit(request: HttpRequest, body: AuditIn) -> Status[Any]:
    """Open an audit of a party that lets the verifier in today (2100.041)."""
    caller = caller_of(request)
    audited = party_to_audit(caller.organisation, body.audited)
    opening = Opening(**body.model_dump(exclude={"audited"}))
    opened = audits.open_audit(caller.organisation, audited, opening, actor=caller.actor)
    return Status(201, schema.shown(standing.audit_view(opened, today())))


@reads(router, "", AUDIT)
def get_audit(request: HttpRequest, audit: Code) -> Any:  # noqa: ANN401 - JSON
    """Return one audit."""
    return schema.shown(standing.audit_view(seen(request, audit), today()))


@reads(router, "/standing", schema.schema_of(standing.StandingView, name="StandingOut"))
def get_standing(request: HttpRequest, audit: Code) -> Any:  # noqa: ANN401 - JSON
    """Return how an audit stands: what is done, what comes next, until when the party lets its verifier in."""
    return schema.shown(standing.standing_of(led(request, audit), today()))


@reads(router, "/entries", schema.page_of_schema(ENTRY))
def list_entries(request: HttpRequest, audit: Code, page: Query[schema.PageQuery]) -> dict[str, object]:
    """List what happened in an audit; its verifier alone sees this log."""
    return schema.page_of(entries_of(led(request, audit)), page, lambda entry: schema.shown(standing.entry_view(entry)))


@router.get("/rhythm", response={200: CYCLE, **REFUSALS}, auth=READ)
def get_rhythm(request: HttpRequest) -> Any:  # noqa: ANN401 - JSON
    """Return when the organization's own next verification statement is due, and what no statement covers."""
    return schema.shown(standing.cycle_of(caller_of(request).organisation, today()))


# What a verifier shows of itself: its accreditation and the public key it signs with; and who lets it in today.

verifier_router = Router(tags=["verifier"])
schema.schema_of(audits.Doubt, name="NeedOut")
ACCREDITATION = schema.schema_of(audits.AccreditationView, name="AccreditationOut")
PARTY = schema.schema_of(standing.PartyView, name="PartyOut")


class Suspension(Schema):
    """Days on which the accreditation was suspended; ``last`` is null while that lasts."""

    first: date
    last: date | None = None


class ForumPlace(Schema):
    """The accreditation body's place in a forum; ``source`` says where it was looked up, and when."""

    forum: Forum
    first: date
    last: date | None = None
    source: Line


class AccreditationIn(Schema):
    """What a verifier shows of its accreditation to ISO 14065 (2100.041)."""

    standard: Annotated[OneLine, Field(description="Such as ISO 14065:2020.")]
    scope: Annotated[LineOrNone, Field(description="In the words of the certificate.")] = ""
    body: OneLine
    number: OneLine
    first: date
    last: date
    suspended: Annotated[list[Suspension], Field(max_length=50)] = []
    memberships: Annotated[list[ForumPlace], Field(min_length=1, max_length=20)]


@verifier_router.get("/verifier/accreditation", response={200: ACCREDITATION, **REFUSALS}, auth=READ)
def get_accreditation(request: HttpRequest) -> Any:  # noqa: ANN401 - JSON
    """Return the accreditation that the verifier shows, and what stands against it today."""
    return schema.shown(audits.accreditation_view(check_verifies(caller_of(request).organisation), today()))


@verifier_router.post("/verifier/accreditation", response={201: ACCREDITATION, **REFUSALS}, auth=WRITE)
def state_accreditation(request: HttpRequest, body: AccreditationIn) -> Status[Any]:
    """State the accreditation; what was shown before stays readable. The token's maker must manage the verifier."""
    caller = caller_of(request)
    owner = check_verifies(caller.organisation)
    caller.require_manager()
    stated = Accreditation(
        owner.name, body.standard, body.body, body.number, body.first, body.last,
        tuple((each.first, each.last) for each in body.suspended),
        tuple(Membership(each.forum, each.first, each.last, each.source) for each in body.memberships), body.scope,
        owner.handle,
    )  # fmt: skip
    audits.record_accreditation(owner, stated, actor=caller.actor)
    return Status(201, schema.shown(audits.accreditation_view(owner, today())))


@verifier_router.get("/verifier/keys", response={200: schema.page_of_schema(schema.KEY), **REFUSALS}, auth=READ)
def list_verifier_keys(request: HttpRequest, page: Query[schema.PageQuery]) -> dict[str, object]:
    """List the public keys that the verifier registered, the first one first; the last one signs."""
    owner = check_verifies(caller_of(request).organisation)
    return schema.page_of(audits.KEYS.of(owner), page, lambda key: schema.shown(audits.KEYS.view(owner, key)))


@verifier_router.post("/verifier/keys", response={201: schema.KEY, **REFUSALS}, auth=WRITE)
def register_verifier_key(request: HttpRequest, body: schema.KeyIn) -> Status[Any]:
    """Register a public key, or the next one by rotation. A private key is refused; the token's maker must manage."""
    caller = caller_of(request)
    owner = check_verifies(caller.organisation)
    caller.require_manager()
    made = audits.KEYS.register(owner, body.shown, reason=body.reason, today=today(), actor=caller.actor)
    return Status(201, schema.shown(audits.KEYS.view(owner, made)))


@verifier_router.get("/verifier/parties", response={200: schema.page_of_schema(PARTY), **REFUSALS}, auth=READ)
def list_parties(request: HttpRequest, page: Query[schema.PageQuery]) -> dict[str, object]:
    """List who lets the verifier in today, with when each one's next statement is due."""
    grants = open_grants(check_verifies(caller_of(request).organisation), today())
    return schema.page_of_list(grants, page, lambda grant: schema.shown(standing.party_view(grant, today())))
