"""How audits stand: state, steps and entries of one; the yearly cycle of a party; who lets a verifier in today."""

from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from typing import Any, Final

from provender.audit.findings.log import Finding, Stage
from provender.audit.programme.items import Role as AuditRole
from provender.audit.statement.audit_cycle import Alert, Entity, rhythm
from provender.audit.statement.engagement import Answer, Engagement, read_part
from provender.audit.statement.statement import Opinion
from provender.database.models import Audit, AuditEntry, EntryKind, Organisation, ReadGrant
from provender.database.store.audits import (
    KEPT,
    contracted_until,
    data_of,
    drawn_farms,
    entries,
    findings_of,
    first_handled,
    last,
    open_grant,
    roles_of,
    statement_of,
    statements_about,
)
from provender.plain import field, view
from provender.rule.version import rule_version
from provender.services.audits.audits import Opening
from provender.services.audits.engagement import lines_answered
from provender.services.audits.programme import items_of
from provender.services.audits.verifier import KEYS

SOON: Final = timedelta(days=14)
"""So long before the day agreed for a statement that day is called near."""


@view
class AuditView(Opening):
    """An audit, as both sides see it."""

    role: str = field("As what")  # type: ignore[assignment]  # as it is stored: the description names no roles here
    audit: str = field("Code")
    verifier: str = field("Verifier")
    audited: str = field("Party")
    state: str = field("State", help="As lists on pages say it.")
    findings_open: int = field("Findings open")
    statement_signed: bool = field("Statement signed")
    verifier_key: str = field("Verifier's key", help="Fingerprint of the key under which the verifier signs now.")


@view
class AuditStep:
    """One step of an audit; ``done`` is null where nothing was begun."""

    step: str = field("Step")
    stands: str = field("How it stands")
    done: bool | None = field("Done")


@view
class StandingView:
    """How an audit stands for its verifier."""

    steps: tuple[AuditStep, ...] = field("Steps")
    days_left: int = field("Days to the agreed day", help="Until the day agreed for the statement; negative after it.")
    access_until: date | None = field("Access until", help="Null where the party does not let the verifier in today.")


@view
class CycleView:
    """Where a party stands in the yearly rhythm of audits; ``uncovered`` are first and last days without statement."""

    role: AuditRole = field("As")
    alert: Alert = field("Yearly audit")
    due_on: date | None = field("Yearly statement due by the rule")
    last_statement: str = field("Last statement")
    uncovered: tuple[tuple[date, date], ...] = field("Days no statement covers")
    cite: str = field("Paragraph")


@view
class PartyView:
    """A party that lets the verifier in today; farms have no yearly rhythm of their own."""

    party: str = field("Code")
    name: str = field("Party")
    roles: tuple[AuditRole, ...] = field("As")
    access_until: date = field("Access ends")
    rhythm: CycleView | None = field("Yearly audit")


@view
class EntryView:
    """Something that happened in an audit."""

    number: int = field("Number")
    kind: str = field("Kind")
    at: str = field("When (UTC)")
    said: dict[str, Any] = field("What it says")


def audit_view(audit: Audit, day: date) -> AuditView:
    """Return an audit as both sides see it on a day."""
    held = KEYS.in_use(audit.verifier)
    return AuditView(
        audit=audit.handle, number=audit.number, verifier=str(audit.verifier), audited=str(audit.audited),
        role=audit.role, harvest_year=audit.harvest_year, covered_first=audit.covered_first,
        covered_last=audit.covered_last, due_on=audit.due_on, state=state_of(audit, day),
        findings_open=len(unresolved(findings_of(audit))), statement_signed=statement_of(audit) is not None,
        verifier_key=held.fingerprint if held else "",
    )  # fmt: skip


def state_of(audit: Audit, day: date) -> str:
    """Say whether the statement is out, or how the day agreed for it stands; the rule's day is the rhythm's."""
    signed = statement_of(audit)
    if signed:
        return f"Stated: {_opinion(signed)}"
    if day > audit.due_on:
        return "Past the agreed day"
    return "Agreed day is near" if audit.due_on - day <= SOON else "Running"


def _opinion(signed: Mapping[str, Any]) -> str:
    return Opinion(signed["document"]["opinion"]).words


def entry_view(entry: AuditEntry) -> EntryView:
    """Return an entry of an audit."""
    said = {name: value for name, value in data_of(entry).items() if name != KEPT}
    return EntryView(number=entry.number, kind=entry.kind, at=entry.at.isoformat(), said=said)


def standing_of(audit: Audit, day: date) -> StandingView:
    """Return what is done in an audit, what comes next, and until when the party lets its verifier in."""
    grant = open_grant(audit.verifier, audit.audited, day)
    return StandingView(
        steps=tuple(steps_of(audit, day)),
        days_left=(audit.due_on - day).days,
        access_until=grant.last_day if grant else None,
    )


def steps_of(audit: Audit, day: date) -> list[AuditStep]:
    """Return the steps of an audit in their order."""
    sample = [_sample(audit)] if audit.role == AuditRole.FIRST_POINT else []
    return [
        _engagement(audit),
        *sample,
        _work(audit),
        _packages(audit),
        _findings(findings_of(audit), day),
        _statement(audit),
    ]


def next_step(steps: Iterable[AuditStep]) -> AuditStep | None:
    """Return what the verifier has begun before what is to begin, each in order; None where all is done.

    Open findings wait for those who answer them, and a statement for all the rest; where no finding was raised none
    waits.
    """
    left = [step for step in steps if not step.done and (step.step != "Findings" or step.done is False)]
    begun = [step for step in left if step.done is False and step.step not in ("Findings", "Statement")]
    return next(iter([*begun, *left]), None)


def _engagement(audit: Audit) -> AuditStep:
    said, seen = last(audit, EntryKind.ENGAGEMENT), len(entries(audit, EntryKind.VISIT))
    missing = [words for _, words in read_part(Engagement, data_of(said))[1]] if said else []
    words = f"parts missing: {len(missing)}" if missing else "said" if said else "to begin"
    visits = f", {seen} visit{'s'[: seen != 1]} logged" if seen else ""
    return AuditStep(step="Engagement", stands=words + visits, done=not missing if said else None)


def _sample(audit: Audit) -> AuditStep:
    frozen, drawn = last(audit, EntryKind.POPULATION), drawn_farms(audit)
    words = f"farms drawn: {len(drawn)}" if drawn else "farms frozen, seed open" if frozen else "to begin"
    return AuditStep(step="Farm sample", stands=words, done=bool(drawn) if frozen else None)


def _work(audit: Audit) -> AuditStep:
    # Counted as the statement counts: what recomputation settled is answered too.
    rows, whole = lines_answered(audit), len(items_of(audit)[0])
    alone = sum(row["answer"] == Answer.RECOMPUTED for row in rows)
    words = f"{len(rows)} of {whole} lines answered" + (f", {alone} of them by recomputation" if alone else "")
    return AuditStep(
        step="Work program", stands=words if rows else "to begin", done=len(rows) == whole if rows else None
    )


def _packages(audit: Audit) -> AuditStep:
    result, asked = last(audit, EntryKind.RESULT), last(audit, EntryKind.ASKED)
    words, clean = "asked for" if asked else "to begin", False if asked else None
    if result:
        said = data_of(result)
        count, clean = len(said["differences"]), said["clean"]
        words = f"{count} difference{'s'[: count != 1]} in the last one" if count else "nothing differs in the last one"
    return AuditStep(step="Packages and recomputation", stands=words, done=clean)


def _findings(findings: list[Finding], day: date) -> AuditStep:
    left = unresolved(findings)
    late = [finding for finding in left if finding.overdue(day)]
    words = f"{len(left)} of {len(findings)} open" + (f", {len(late)} overdue" if late else "")
    return AuditStep(step="Findings", stands=words if findings else "none", done=not left if findings else None)


def _statement(audit: Audit) -> AuditStep:
    signed, draft = statement_of(audit), last(audit, EntryKind.DRAFT)
    words = f"signed, {_opinion(signed)}" if signed else "drafted, to be signed" if draft else "to begin"
    return AuditStep(step="Statement", stands=words, done=bool(signed) if signed or draft else None)


def unresolved(findings: list[Finding]) -> list[Finding]:
    """Return the findings that are not resolved."""
    return [finding for finding in findings if finding.stage is not Stage.RESOLVED]


def trading_roles(party: Organisation) -> list[AuditRole]:
    """Return the roles of a party that are audited yearly; a farm alone has none."""
    return [role for role in roles_of(party) if role is not AuditRole.FARM]


def cycle_of(party: Organisation, day: date) -> CycleView:
    """Return how a party stands in the yearly cycle; of several roles the last in the order of the rule counts."""
    roles = trading_roles(party)
    entity = Entity(party.name, AuditRole.FARM, None)
    if roles:
        entity = Entity(party.name, roles[-1], first_handled(party.handle), contracted_until(party.handle))
    cycle = rhythm(entity, [statement for _, statement in statements_about(party)], day, rule_version(day))
    return CycleView(
        role=entity.role, alert=cycle.alert, due_on=cycle.due_on, last_statement=cycle.last_statement,
        uncovered=cycle.uncovered, cite=cycle.cite,
    )  # fmt: skip


def days_past_rule(audit: Audit, cycle: CycleView) -> int:
    """Return by how many days the statement is agreed for after the rule's last day; 0 where it is not, or is out."""
    if cycle.due_on is None or audit.role == AuditRole.FARM or statement_of(audit) is not None:
        return 0
    return max(0, (audit.due_on - cycle.due_on).days)


def party_view(grant: ReadGrant, day: date) -> PartyView:
    """Return the party of a grant."""
    party = grant.audited
    cycle = cycle_of(party, day) if trading_roles(party) else None
    return PartyView(
        party=party.handle, name=party.name, roles=tuple(roles_of(party)), access_until=grant.last_day, rhythm=cycle
    )
