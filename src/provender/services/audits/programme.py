"""The work programme of an audit: generated from the rule, prefilled by recomputation, marked line by line."""

from enum import StrEnum
from typing import Any

from provender.audit.findings.calendar import Visit, season_calendar
from provender.audit.findings.field_priorities import FieldPriority, read_place
from provender.audit.findings.programme import Item, programme
from provender.audit.recompute.checks import CheckResult, State
from provender.audit.statement.statement import Role as AuditRole
from provender.database.actor import Actor
from provender.database.models import Audit, AuditEntry, EntryKind
from provender.database.store.audits import data_of, entries
from provender.rule.version import rule_version
from provender.services.audits.audits import add_entry
from provender.signing.hashes import document_hash


class Mark(StrEnum):
    """What became of a line."""

    DONE = "done"
    NOT_NEEDED = "not needed"
    OPEN = "open"
    """Opened again."""


def roles_in(audit: Audit) -> list[AuditRole]:
    """Return the roles whose programme an audit has: a first point's includes that of its farms."""
    role = AuditRole(audit.role)
    return [role, AuditRole.FARM] if role is AuditRole.FIRST_POINT else [role]


def outcomes_of(audit: Audit) -> list[CheckResult]:
    """Return what the last recomputation of each package answered."""
    latest = {data_of(one)["what"]: data_of(one) for one in entries(audit, EntryKind.RESULT)}
    return [_outcome(check) for result in latest.values() for check in result["checks"]]


def places_of(audit: Audit) -> list[FieldPriority]:
    """Return the ground to look at first, by the last recomputation that held a farm; empty before there is one."""
    held = [found for one in entries(audit, EntryKind.RESULT) if (found := data_of(one)["needs_eyes"].get("places"))]
    return [read_place(one) for one in held[-1]] if held else []


def _outcome(check: dict[str, Any]) -> CheckResult:
    """Read a check back as far as its state needs: differences count, their content stays with the result."""
    differs = ("it differs; see the result",) if check["differences"] else ()
    found = CheckResult(check["check"], tuple(check["cites"]), check["computed"], not_shown=tuple(check["not_shown"]))
    return found if not differs else Differing(found.check, found.cites, found.computed, not_shown=differs)


class Differing(CheckResult):
    """An outcome that differs, without the differences themselves."""

    @property
    def state(self) -> State:
        """Return that it differs."""
        return State.DIFFERS


def items_of(audit: Audit) -> tuple[list[Item], list[Visit]]:
    """Return the lines of the programme, and the season calendar."""
    items = programme(roles_in(audit), outcomes_of(audit))
    rule = rule_version(audit.covered_last)
    return items, season_calendar(items, audit.harvest_year, rule, audit.audited.state)


def line_of(item: Item) -> str:
    """Return the name of a line: stable as long as its words are."""
    return document_hash({"kind": item.kind, "role": str(item.role), "cite": item.cite, "text": item.text})[:16]


def item_named(audit: Audit, line: str) -> Item | None:
    """Return a line of the programme by its name, or None."""
    items, _ = items_of(audit)
    return next((item for item in items if line_of(item) == line), None)


def marks_of(audit: Audit) -> dict[str, tuple[AuditEntry, dict[str, Any]]]:
    """Return the last mark of each line."""
    return {data_of(one)["line"]: (one, data_of(one)) for one in entries(audit, EntryKind.TASK)}


def mark_lines(audit: Audit, item: Item, mark: Mark, note: str, evidence: str = "", *, actor: Actor) -> AuditEntry:
    """Mark a line of the programme with what was seen, and where it shows; errors as ``add_entry``."""
    said = {"line": line_of(item), "state": str(mark), "note": note, "evidence": evidence}
    return add_entry(audit, EntryKind.TASK, said, actor=actor, about=item.cite)
