"""Audits: those an organisation leads and those of it, how they stand, their entries; the yearly cycle."""

import json
from collections.abc import Callable
from typing import Annotated, Any, Final, Literal, TypeVar

from django.http import FileResponse, HttpRequest, HttpResponse
from ninja import Path, Query, Router, Schema, Status
from pydantic import Field

from provender.audit.fieldwork import FieldPriority
from provender.audit.findings import Bearing, Changed, Deed, Raised, Reopened, Resolution, Resolved, Responded, Severity
from provender.audit.outcome import State
from provender.audit.programme import NotNeeded, Visit
from provender.audit.programme import Role as AuditRole
from provender.audit.sampling.draw import Side
from provender.audit.statement.opinion import Engagement, Way
from provender.audit.statement.statement import Alert, Certificate, Forum, Rhythm
from provender.database.actor import today
from provender.database.choices import Scope
from provender.problem import Weight, refuse
from provender.services.accounts.grants import open_grants
from provender.services.audits import audits, package_requests, programme, sample, standing, statement
from provender.services.audits.package_requests import papers_file
from provender.services.audits.packages import choices
from provender.services.audits.sample import DrawnFarmView, PopulationView
from provender.services.audits.standing import entry_view
from provender.services.refused import MissingError
from provender.web.api.problems import REFUSALS, Needs, caller_of
from provender.web.api.schema import (
    KEY,
    KeyIn,
    Page,
    PageQuery,
    file_of,
    page_of,
    page_of_list,
    page_of_schema,
    schema_of,
    shared,
    shown,
)
from provender.web.audit.forms import view_of
from provender.web.tables import PDF, XLSX, ZIP, download

# What the calls of audits share: scopes, the parts of their addresses, texts, and audits of whoever calls.

shared(Weight)
READ: Final = Needs(Scope.AUDIT_READ)
WRITE: Final = Needs(Scope.AUDIT_WRITE)
Code = Annotated[str, Path(max_length=12, pattern=r"^[A-Za-z0-9_-]+$", description="Code of the audit.")]
Number = Annotated[int, Path(ge=1, le=2**31 - 1)]


def says(cls: type[Any], name: str, *, partly: bool = False) -> Any:  # noqa: ANN401 - a type made at run time
    """Return what a caller says of a deed as a schema, made of its declaration."""
    return schema_of(cls, name=name, open_ended=True, partly=partly)


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


def _gives_file(router: Router, path: str, *media_types: str) -> Callable[..., Any]:
    """Return the same of one whose answer is a file."""
    return reads(router, path, None, openapi_extra=file_of(*media_types))


router = Router(tags=["audits"])
shared(AuditRole, Alert)
AUDIT, _ENTRY = (
    schema_of(standing.AuditView, name="AuditOut"),
    schema_of(standing.EntryView, name="EntryOut"),
)
_CYCLE = schema_of(Rhythm, name="RhythmOut")


AuditIn = says(audits.AuditToOpen, "AuditIn")


@router.get("/audits", response={200: page_of_schema(AUDIT), **REFUSALS}, auth=READ)
def list_audits(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List the audits that the organization leads and those of it."""
    return page_of(
        programme.audits_seen(caller_of(request).organisation),
        page,
        lambda audit: shown(standing.audit_view(audit, today())),
    )


@router.post("/audits", response={201: AUDIT, **REFUSALS}, auth=WRITE)
def open_audit(request: HttpRequest, body: AuditIn) -> Status[Any]:  # type: ignore[valid-type]  # made at run time
    """Open an audit of a party that lets the verifier in today (2100.041)."""
    caller = caller_of(request)
    opening = audits.read_said(audits.AuditToOpen, said(body), "audit")
    audited = programme.party_to_audit(caller.organisation, opening.audited)
    opened = audits.open_audit(caller.organisation, audited, opening, actor=caller.actor)
    return Status(201, shown(standing.audit_view(opened, today())))


@reads(router, "", AUDIT)
def get_audit(request: HttpRequest, audit: Code) -> Any:  # noqa: ANN401 - JSON
    """Return one audit."""
    return shown(standing.audit_view(seen(request, audit), today()))


@reads(router, "/standing", schema_of(standing.StandingView, name="StandingOut"))
def get_standing(request: HttpRequest, audit: Code) -> Any:  # noqa: ANN401 - JSON
    """Return how an audit stands: what is done, what comes next, until when the party lets its verifier in."""
    return shown(standing.standing_of(led(request, audit), today()))


@reads(router, "/entries", page_of_schema(_ENTRY))
def list_entries(request: HttpRequest, audit: Code, page: Query[PageQuery]) -> dict[str, object]:
    """List what happened in an audit; its verifier alone sees this log."""
    return page_of(led(request, audit).entries.all(), page, lambda entry: shown(standing.entry_view(entry)))


@router.get("/rhythm", response={200: _CYCLE, **REFUSALS}, auth=READ)
def get_rhythm(request: HttpRequest) -> Any:  # noqa: ANN401 - JSON
    """Return when the organization's own next verification statement is due, and what no statement covers."""
    return shown(standing.cycle_of(caller_of(request).organisation, today()))


# What a verifier shows of itself: its accreditation and the public key it signs with; and who lets it in today.

verifier_router = Router(tags=["verifier"])
schema_of(audits.Doubt, name="NeedOut")
ACCREDITATION = schema_of(audits.AccreditationView, name="AccreditationOut")
_PARTY = schema_of(standing.PartyView, name="PartyOut")


shared(Forum)
AccreditationIn = says(Certificate, "AccreditationIn")


@verifier_router.get("/verifier/accreditation", response={200: ACCREDITATION, **REFUSALS}, auth=READ)
def get_accreditation(request: HttpRequest) -> Any:  # noqa: ANN401 - JSON
    """Return the accreditation that the verifier shows, and what stands against it today."""
    return shown(audits.accreditation_view(programme.check_verifies(caller_of(request).organisation), today()))


@verifier_router.post("/verifier/accreditation", response={201: ACCREDITATION, **REFUSALS}, auth=WRITE)
def state_accreditation(request: HttpRequest, body: AccreditationIn) -> Status[Any]:  # type: ignore[valid-type]  # made at run time
    """State the accreditation; what was shown before stays readable. The token's maker must manage the verifier."""
    caller = caller_of(request)
    owner = programme.check_verifies(caller.organisation)
    caller.require_manager()
    audits.state_accreditation(owner, said(body), actor=caller.actor)
    return Status(201, shown(audits.accreditation_view(owner, today())))


@verifier_router.get("/verifier/keys", response={200: page_of_schema(KEY), **REFUSALS}, auth=READ)
def list_verifier_keys(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List the public keys that the verifier registered, the first one first; the last one signs."""
    owner = programme.check_verifies(caller_of(request).organisation)
    return page_of(audits.KEYS.of(owner), page, lambda key: shown(audits.KEYS.view(owner, key)))


@verifier_router.post("/verifier/keys", response={201: KEY, **REFUSALS}, auth=WRITE)
def register_verifier_key(request: HttpRequest, body: KeyIn) -> Status[Any]:
    """Register a public key, or the next one by rotation. A private key is refused; the token's maker must manage."""
    caller = caller_of(request)
    owner = programme.check_verifies(caller.organisation)
    caller.require_manager()
    made = audits.KEYS.register(owner, body.shown, reason=body.reason, today=today(), actor=caller.actor)
    return Status(201, shown(audits.KEYS.view(owner, made)))


@verifier_router.get("/verifier/parties", response={200: page_of_schema(_PARTY), **REFUSALS}, auth=READ)
def list_parties(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List who lets the verifier in today, with when each one's next statement is due."""
    grants = open_grants(programme.check_verifies(caller_of(request).organisation), today())
    return page_of_list(grants, page, lambda grant: shown(standing.party_view(grant, today())))


# Findings of an audit: raised and ended by the verifier, answered by the party; both sides see every event.

findings_router = Router(tags=["findings"])
Named = Annotated[str, Path(max_length=10, pattern=r"^[0-9]+$", description="Number of the finding.")]


shared(Severity, Bearing, Resolution)
FINDING = schema_of(programme.FindingView, name="FindingOut")


Finder = Callable[[HttpRequest, str], Any]


FindingIn, ResponseIn = says(Raised, "FindingIn"), says(Responded, "ResponseIn")
ResolutionIn, ReopeningIn = says(Resolved, "ResolutionIn"), says(Reopened, "ReopeningIn")
FindingChangeIn = says(Changed, "FindingChangeIn")


def _texts(body: Schema) -> dict[str, str]:
    return {name: str(value) for name, value in body.model_dump(mode="json").items() if value is not None}


def _add(find: Finder, request: HttpRequest, audit: str, deed: Deed, number: str, body: Schema) -> Status[Any]:
    """Add an event to a finding that is there, of an audit that whoever calls may find so."""
    of_audit = find(request, audit)
    finding, _ = programme.finding_named(of_audit, number)
    actor = caller_of(request).actor
    after = programme.add_finding_event(of_audit, deed, finding.number, _texts(body), actor=actor)
    return Status(201, shown(programme.finding_view(after)))


@reads(findings_router, "/findings", page_of_schema(FINDING))
def list_findings(request: HttpRequest, audit: Code, page: Query[PageQuery]) -> dict[str, object]:
    """List the findings as they stand; both sides see them, and a party that must answer some sees those."""
    found = programme.findings_seen(caller_of(request).organisation, with_findings(request, audit))
    return page_of_list(found, page, lambda finding: shown(programme.finding_view(finding)))


@writes(findings_router, "/findings", FINDING)
def raise_finding(request: HttpRequest, audit: Code, body: FindingIn) -> Status[Any]:  # type: ignore[valid-type]  # made at run time
    """Raise a finding."""
    raised = programme.raise_finding(led(request, audit), _texts(body), actor=caller_of(request).actor)
    return Status(201, shown(programme.finding_view(raised)))


@reads(findings_router, "/findings/{number}", schema_of(programme.FindingWholeView, name="FindingWhole"))
def get_finding(request: HttpRequest, audit: Code, number: Named) -> Any:  # noqa: ANN401 - JSON
    """Return a finding with everything that was said about it; both sides see it, and the party that must answer."""
    of_audit = with_findings(request, audit)
    return shown(programme.finding_whole(*programme.finding_seen(caller_of(request).organisation, of_audit, number)))


@writes(findings_router, "/findings/{number}/response", FINDING)
def respond(request: HttpRequest, audit: Code, number: Named, body: ResponseIn) -> Status[Any]:  # type: ignore[valid-type]  # made at run time
    """Answer a finding, as the audited party or as the party it names."""
    caller = caller_of(request)
    of_audit = to_answer(request, audit)
    finding, _ = programme.finding_seen(caller.organisation, of_audit, number)
    after = programme.answer_finding(of_audit, finding, _texts(body), caller.organisation, actor=caller.actor)
    return Status(201, shown(programme.finding_view(after)))


@writes(findings_router, "/findings/{number}/resolution", FINDING)
def resolve(request: HttpRequest, audit: Code, number: Named, body: ResolutionIn) -> Status[Any]:  # type: ignore[valid-type]  # made at run time
    """End a finding, as the verifier."""
    return _add(led, request, audit, Deed.RESOLVED, number, body)


@writes(findings_router, "/findings/{number}/reopening", FINDING)
def reopen_finding(request: HttpRequest, audit: Code, number: Named, body: ReopeningIn) -> Status[Any]:  # type: ignore[valid-type]  # made at run time
    """Open a finding again that was ended, as the verifier."""
    return _add(led, request, audit, Deed.REOPENED, number, body)


@writes(findings_router, "/findings/{number}/changes", FINDING)
def change_finding(request: HttpRequest, audit: Code, number: Named, body: FindingChangeIn) -> Status[Any]:  # type: ignore[valid-type]  # made at run time
    """Change weight, paragraph, owner or due date of a finding with a reason; what it said before stays."""
    of_audit = led(request, audit)
    finding, _ = programme.finding_named(of_audit, number)
    changed = programme.change_finding(of_audit, finding, _texts(body), actor=caller_of(request).actor)
    return Status(201, shown(programme.finding_view(changed)))


# The work programme of an audit: its lines with what recomputation says, marks, calendar, and the papers of it.

programme_router = Router(tags=["audit work"])
ProgrammeNamed = Annotated[str, Path(pattern=r"^[0-9a-f]{16}$")]


shared(audits.Mark, State, NotNeeded)
schema_of(programme.MarkView, name="MarkOut")
LINE, _VISIT_FIELDS = (
    schema_of(programme.WorkLineView, name="LineOut"),
    schema_of(Visit, name="VisitOut"),
)


MarkIn = says(audits.LineMark, "MarkIn")


@reads(programme_router, "/work", page_of_schema(LINE))
def list_work(request: HttpRequest, audit: Code, page: Query[PageQuery]) -> dict[str, object]:
    """List the work program, generated from the rule and prefilled by the last recomputation of each package."""
    return page_of_list(programme.work_lines(led(request, audit)), page, shown)


@reads(programme_router, "/work/calendar", page_of_schema(_VISIT_FIELDS))
def list_visits(request: HttpRequest, audit: Code, page: Query[PageQuery]) -> dict[str, object]:
    """List the stretches of days in which stands, burndown and residue can be seen, by first day."""
    return page_of_list(programme.calendar_of(led(request, audit), today()), page, shown)


@reads(programme_router, "/work/places", Page[dict[str, Any]])
def list_places(request: HttpRequest, audit: Code, page: Query[PageQuery]) -> dict[str, object]:
    """List the ground to look at, most at stake first, by the last recomputation that held a farm."""
    return page_of_list(programme.places_of(led(request, audit)), page, FieldPriority.document)


@writes(programme_router, "/work/{line}/marks", _ENTRY)
def mark_line(request: HttpRequest, audit: Code, line: ProgrammeNamed, body: MarkIn) -> Status[Any]:  # type: ignore[valid-type]  # made at run time
    """Mark a line with what was seen; earlier marks stay in the entries."""
    of_audit = led(request, audit)
    item, mark = programme.work_line(of_audit, line), audits.read_said(audits.LineMark, said(body), "line")
    entry = programme.mark_line(of_audit, item, mark, actor=caller_of(request).actor)
    return Status(201, shown(entry_view(entry)))


@_gives_file(programme_router, "/work/file/{ending}", XLSX, "application/pdf")
def get_work_file(request: HttpRequest, audit: Code, ending: Literal["xlsx", "pdf"]) -> HttpResponse:
    """Return the program to carry along: a workbook to fill in, or a PDF."""
    content = programme.programme_file(led(request, audit), ending, today())
    return download(content, XLSX if ending == "xlsx" else PDF, f"program-{audit}.{ending}")


# The verification statement of an audit: drafted here, signed on the verifier's own machine, read by both sides.

statements_router = Router(tags=["statements"])
_DOUBT = schema_of(audits.Doubt, name="NeedOut")
shared(Way)
ENGAGEMENT, _LATER_FIELDS = (
    schema_of(statement.EngagementView, name="EngagementOut"),
    schema_of(statement.SeenView, name="SeenOut"),
)
WordsIn, VisitIn = says(audits.Words, "WordsIn"), says(audits.Visited, "SeenIn")
EngagementIn = says(Engagement, "EngagementIn", partly=True)
DRAFT, LATER = schema_of(statement.DraftView, name="DraftOut"), schema_of(statement.LaterView, name="LaterOut")


class EnvelopeIn(Schema):
    """A document signed on the verifier's own machine, as ``provender audit statement sign`` or ``add`` writes it."""

    document: dict[str, Any]
    signature: Annotated[str, Field(min_length=1, max_length=20_000)]


@reads(statements_router, "/statement/draft", DRAFT)
def get_draft(request: HttpRequest, audit: Code) -> Any:  # noqa: ANN401 - JSON
    """Return the statement as it is to be signed: ``document`` goes to ``provender audit statement sign``."""
    return shown(statement.draft_view(led(request, audit)))


@writes(statements_router, "/statement/draft", DRAFT)
def save_draft(request: HttpRequest, audit: Code, body: WordsIn) -> Status[Any]:  # type: ignore[valid-type]  # made at run time
    """Save a draft of the statement; the last one counts."""
    of_audit = led(request, audit)
    statement.draft_statement(of_audit, said(body), actor=caller_of(request).actor)
    return Status(201, shown(statement.draft_view(of_audit)))


@reads(statements_router, "/statement/needs", list[_DOUBT])  # type: ignore[valid-type]
def list_needs(request: HttpRequest, audit: Code) -> Any:  # noqa: ANN401 - JSON
    """List what a favorable opinion still needs: before, it is neither drafted nor signed."""
    return [shown(doubt) for doubt in statement.needs_of(led(request, audit))]


@reads(statements_router, "/engagement", ENGAGEMENT)
def get_engagement(request: HttpRequest, audit: Code) -> Any:  # noqa: ANN401 - JSON
    """Return what was agreed and planned, as it was said last."""
    return shown(statement.EngagementView(said=statement.engagement_of(led(request, audit))))


@writes(statements_router, "/engagement", ENGAGEMENT)
def say_engagement(request: HttpRequest, audit: Code, body: EngagementIn) -> Status[Any]:  # type: ignore[valid-type]  # made at run time
    """Say what was agreed and planned; parts that are not known yet may be left out, and every version stays."""
    of_audit = led(request, audit)
    statement.record_engagement(of_audit, said(body), actor=caller_of(request).actor)
    return Status(201, shown(statement.EngagementView(said=statement.engagement_of(of_audit))))


@reads(statements_router, "/visits", page_of_schema(_LATER_FIELDS))
def list_seen(request: HttpRequest, audit: Code, page: Query[PageQuery]) -> dict[str, object]:
    """List the sites and drawn farms that were audited, in the order in which they were logged."""
    return page_of_list(statement.seen_in(led(request, audit)), page, shown)


@writes(statements_router, "/visits", _LATER_FIELDS)
def log_seen(request: HttpRequest, audit: Code, body: VisitIn) -> Status[Any]:  # type: ignore[valid-type]  # made at run time
    """Log a site or a drawn farm that was audited."""
    entry = statement.log_visit(led(request, audit), said(body), actor=caller_of(request).actor)
    return Status(201, shown(statement.visit_view(entry)))


@reads(statements_router, "/statement", dict[str, Any])
def get_statement(request: HttpRequest, audit: Code) -> dict[str, Any]:
    """Return the signed verification statement; both sides keep it."""
    signed = audits.statement_of(seen(request, audit))
    if signed is None:
        raise MissingError
    return signed


@writes(statements_router, "/statement", dict[str, Any])
def hand_in_statement(request: HttpRequest, audit: Code, body: EnvelopeIn) -> Status[dict[str, Any]]:
    """Hand in the signed statement: taken in when it is the draft as it stands, under the verifier's key on file."""
    of_audit = led(request, audit)
    return Status(201, statement.receive_statement(of_audit, _file_of(body), actor=caller_of(request).actor).said)


def _file_of(body: EnvelopeIn) -> bytes:
    """Return the bytes of the file that the caller holds.

    Raises:
        ProblemsError: it is nested too deeply to be a document.
    """
    try:
        return json.dumps(body.model_dump()).encode()
    except RecursionError:
        raise refuse("signed statement", "This is no statement.", "Sign the document as it was drafted.") from None


@_gives_file(statements_router, "/statement/papers", ZIP)
def get_statement_papers(request: HttpRequest, audit: Code) -> FileResponse:
    """Return the unsigned statement in one zip with the papers that it is held against when it is signed."""
    name, papers = papers_file(led(request, audit), view_of(request), actor=caller_of(request).actor)
    return FileResponse(papers, as_attachment=True, filename=name, content_type=ZIP)


@_gives_file(statements_router, "/statement/pdf", PDF)
def get_statement_pdf(request: HttpRequest, audit: Code) -> HttpResponse:
    """Return the statement as a PDF; before it is signed its verifier reads the draft, the party nothing."""
    of_audit = seen(request, audit)
    if audits.statement_of(of_audit) is None:
        led(request, audit)
    name, content = statement.statement_file(of_audit, "pdf")
    return download(content, PDF, name)


@reads(statements_router, "/statement/later", page_of_schema(LATER))
def list_later(request: HttpRequest, audit: Code, page: Query[PageQuery]) -> dict[str, object]:
    """List the facts found after the statement was signed; both sides keep them."""
    return page_of_list(
        programme.addenda_of(seen(request, audit)), page, lambda entry: shown(statement.later_view(entry))
    )


@writes(statements_router, "/statement/later", LATER)
def hand_in_later(request: HttpRequest, audit: Code, body: EnvelopeIn) -> Status[Any]:
    """Hand in a signed fact found later: the statement stands, is replaced or withdrawn; it is never edited."""
    entry = statement.receive_later_statement(led(request, audit), _file_of(body), actor=caller_of(request).actor)
    return Status(201, shown(statement.later_view(entry)))


@reads(statements_router, "/statement/later/{number}", LATER)
def get_later(request: HttpRequest, audit: Code, number: Number) -> Any:  # noqa: ANN401 - JSON
    """Return one fact found later, as it was signed."""
    return shown(statement.later_view(programme.addendum_of(seen(request, audit), number)))


# Packages of an audit: asked for, how far they are, their files, and what their recomputation found.

packages_router = Router(tags=["audit packages"])
Index = Annotated[int, Path(ge=0, le=2**31 - 1, description="Place of the difference in the result, from 0.")]


shared(package_requests.PackageState)
schema_of(package_requests.ProgressView, name="ProgressOut")
CHOICE, PACKAGE = (
    schema_of(package_requests.PackageChoiceView, name="ChoiceOut"),
    schema_of(package_requests.PackageView, name="PackageOut"),
)
RESULT, _DIFFERENCE = (
    schema_of(package_requests.ResultLineView, name="ResultLine"),
    schema_of(package_requests.DifferenceView, name="DifferenceOut"),
)


PackageIn = says(audits.PackageToMake, "PackageIn")


@reads(packages_router, "/packages/choices", page_of_schema(CHOICE))
def list_package_choices(request: HttpRequest, audit: Code, page: Query[PageQuery]) -> dict[str, object]:
    """List what packages can be asked for today: the party's period, the whole audit, drawn farms that let in."""
    return page_of_list(choices(led(request, audit), today()), page, lambda row: {"what": row[0], "label": row[1]})


@reads(packages_router, "/packages", page_of_schema(PACKAGE))
def list_packages(request: HttpRequest, audit: Code, page: Query[PageQuery]) -> dict[str, object]:
    """List the packages asked for, the last one first."""
    return page_of_list(
        package_requests.standings_of(led(request, audit)),
        page,
        lambda standing: shown(package_requests.package_view(standing)),
    )


@writes(packages_router, "/packages", PACKAGE)
def ask_package(request: HttpRequest, audit: Code, body: PackageIn) -> Status[Any]:  # type: ignore[valid-type]  # made at run time
    """Ask for a package: it is made beside the server. Whose records it takes, sees it in the log."""
    of_audit, wanted = led(request, audit), audits.read_said(audits.PackageToMake, said(body), "package")
    actor = caller_of(request).actor
    asked = package_requests.ask_for_package(of_audit, wanted, "api:ask_package", verify=wanted.recompute, actor=actor)
    return Status(201, shown(package_requests.package_view(package_requests.standing_of(asked))))


@reads(packages_router, "/packages/{number}", PACKAGE)
def get_package(request: HttpRequest, audit: Code, number: Number) -> Any:  # noqa: ANN401 - JSON
    """Return how a package stands; ask again until its state is no longer ``at work``."""
    return shown(
        package_requests.package_view(
            package_requests.standing_of(package_requests.asked_for(led(request, audit), number))
        )
    )


@_gives_file(packages_router, "/packages/{number}/file", ZIP)
def get_package_file(request: HttpRequest, audit: Code, number: Number) -> FileResponse:
    """Return the package; it is kept for a day, for whom the party lets in today, and each download is logged."""
    path = package_requests.take_away(
        led(request, audit), number, "api:get_package_file", actor=caller_of(request).actor
    )
    return FileResponse(path.open("rb"), as_attachment=True, filename=path.name, content_type=ZIP)


@reads(packages_router, "/results", page_of_schema(RESULT))
def list_results(request: HttpRequest, audit: Code, page: Query[PageQuery]) -> dict[str, object]:
    """List the recomputations, the last one first."""
    return page_of_list(package_requests.result_lines(led(request, audit)), page, shown)


@reads(packages_router, "/results/{number}", schema_of(package_requests.ResultView, name="ResultOut"))
def get_result(request: HttpRequest, audit: Code, number: Number) -> Any:  # noqa: ANN401 - JSON
    """Return what a recomputation found; its differences come in pages of their own."""
    return shown(package_requests.result_view(programme.result_of(led(request, audit), number)))


@reads(packages_router, "/results/{number}/differences", page_of_schema(_DIFFERENCE))
def list_differences(request: HttpRequest, audit: Code, number: Number, page: Query[PageQuery]) -> dict[str, object]:
    """List what differs, the most bushels at stake first."""
    of_audit = led(request, audit)
    result = programme.result_of(of_audit, number)
    return page_of_list(package_requests.difference_views(of_audit, result), page, shown)


@writes(packages_router, "/results/{number}/differences/{index}/finding", FINDING)
def raise_finding_from(request: HttpRequest, audit: Code, number: Number, index: Index) -> Status[Any]:
    """Make a difference a finding: its words, its bushels, its paragraph; major, due in a month."""
    of_audit = led(request, audit)
    difference = programme.difference_of(programme.result_of(of_audit, number), index)
    raised = programme.raise_findings_from(of_audit, difference, actor=caller_of(request).actor)
    return Status(201, shown(programme.finding_view(raised)))


# The farm sample of an audit: farms frozen, seed committed, decisions, and what the sample can find.

DRAWN = schema_of(DrawnFarmView, name="DrawnOut")
sample_router = Router(tags=["audit sample"])
CommitmentIn, OpeningIn = says(audits.Committed, "CommitmentIn"), says(audits.PartOpened, "OpeningIn")
SeedIn, TreatmentIn = says(audits.SeedOpened, "SeedIn"), says(audits.Borrowed, "TreatmentIn")
FailureIn = says(audits.Failed, "FailureIn")


class ProofIn(Schema):
    """A signed statement of an earlier year about the point, and the sample file whose hash it names."""

    statement: dict[str, Any]
    sample: dict[str, Any]


@reads(sample_router, "/population", schema_of(PopulationView, name="PopulationOut"))
def get_population(request: HttpRequest, audit: Code) -> Any:  # noqa: ANN401 - JSON
    """Return the frozen farms."""
    frozen = audits.population_of(sampled(request, audit))
    if frozen is None:
        raise MissingError
    return shown(sample.population_view(frozen))


@writes(sample_router, "/population", _ENTRY)
def freeze(request: HttpRequest, audit: Code) -> Status[Any]:
    """Freeze and hash the farms of the audited party's incoming lots, before any seed is committed."""
    of_audit, actor = sampled(request, audit), caller_of(request).actor
    audits.record_visit(of_audit, [of_audit.audited], "api:freeze", actor=actor)
    return Status(201, shown(entry_view(sample.freeze_farms(of_audit, actor=actor))))


@writes(sample_router, "/seed", _ENTRY)
def draw(request: HttpRequest, audit: Code, body: SeedIn) -> Status[Any]:  # type: ignore[valid-type]  # made at run time
    """Open the seed and draw the sample."""
    seed = audits.read_said(audits.SeedOpened, said(body), "seed")
    entry = sample.commit_seed(sampled(request, audit), seed, actor=caller_of(request).actor)
    return Status(201, shown(entry_view(entry)))


@writes(sample_router, "/seed/commitment", _ENTRY)
def commit_part(request: HttpRequest, audit: Code, body: CommitmentIn) -> Status[Any]:  # type: ignore[valid-type]  # made at run time
    """Hand over your own commitment, before the farms are frozen: as the verifier, or as the audited party."""
    caller = caller_of(request)
    of_audit = seen(request, audit)
    part = audits.read_said(audits.Committed, said(body), "seed")
    side = Side.VERIFIER if of_audit.verifier == caller.organisation else Side.AUDITED
    return Status(201, shown(entry_view(sample.commit_part(of_audit, side, part.commitment, actor=caller.actor))))


@writes(sample_router, "/seed/opening", _ENTRY)
def open_part(request: HttpRequest, audit: Code, body: OpeningIn) -> Status[Any]:  # type: ignore[valid-type]  # made at run time
    """Open your own part of the seed as the audited party, after the farms are frozen."""
    part = audits.read_said(audits.PartOpened, said(body), "seed")
    entry = sample.open_part(of_us(request, audit), part.secret, actor=caller_of(request).actor)
    return Status(201, shown(entry_view(entry)))


@writes(sample_router, "/sample/proofs", _ENTRY)
def bring_proof(request: HttpRequest, audit: Code, body: ProofIn) -> Status[Any]:
    """Bring what proves that farms were audited before, in an audit not led here; not once they are frozen."""
    of_audit, actor = sampled(request, audit), caller_of(request).actor
    return Status(201, shown(entry_view(sample.bring_proof(of_audit, body.statement, body.sample, actor=actor))))


@reads(sample_router, "/sample", dict[str, Any])
def get_sample(request: HttpRequest, audit: Code) -> dict[str, Any]:
    """Return the sample file: everything that is needed to draw it again."""
    return audits.sample_of(sampled(request, audit))


@reads(sample_router, "/sample/farms", page_of_schema(DRAWN))
def list_drawn(request: HttpRequest, audit: Code, page: Query[PageQuery]) -> dict[str, object]:
    """List the farms of the sample with stratum, risk and decision, and whether each lets the verifier in today."""
    return page_of_list(sample.drawn_farm_views(sampled(request, audit)), page, shown)


@writes(sample_router, "/sample/treatments", _ENTRY)
def borrow_audit(request: HttpRequest, audit: Code, body: TreatmentIn) -> Status[Any]:  # type: ignore[valid-type]  # made at run time
    """Decide that a completed audit of the same year stands for a drawn farm's; the farm stays in the sample."""
    borrowed = audits.read_said(audits.Borrowed, said(body), "sample")
    entry = sample.borrow_audit(sampled(request, audit), borrowed, actor=caller_of(request).actor)
    return Status(201, shown(entry_view(entry)))


@writes(sample_router, "/sample/failures", _ENTRY)
def fail_farm(request: HttpRequest, audit: Code, body: FailureIn) -> Status[Any]:  # type: ignore[valid-type]  # made at run time
    """Decide that a drawn farm failed: the sample is extended inside its stratum."""
    failed = audits.read_said(audits.Failed, said(body), "sample")
    entry = sample.fail_farm(sampled(request, audit), failed, actor=caller_of(request).actor)
    return Status(201, shown(entry_view(entry)))
