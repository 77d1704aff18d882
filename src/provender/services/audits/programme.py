"""The work programme of an audit: generated from the rule, prefilled by recomputation, marked line by line."""

from datetime import date, datetime
from enum import StrEnum
from typing import Any, Literal, NamedTuple

from provender.audit.fieldwork.field_priorities import FieldPriority, read_place
from provender.audit.fieldwork.programme_print import Heading, programme_pdf, programme_xlsx
from provender.audit.outcome import CheckResult, State
from provender.audit.programme.calendar import Visit, season_calendar
from provender.audit.programme.items import Item, programme
from provender.audit.programme.items import Role as AuditRole
from provender.audit.programme.items import roles_in as roles_of_programme
from provender.database.actor import Actor
from provender.database.models import Audit, AuditEntry, EntryKind
from provender.database.store.audits import data_of, entries
from provender.plain import field, view
from provender.rule.version import rule_version
from provender.services.audits.audits import add_entry


class Mark(StrEnum):
    """What became of a line."""

    DONE = "done"
    NOT_NEEDED = "not needed"
    OPEN = "open"
    """Opened again."""


@view
class MarkView:
    """The last mark of a line."""

    state: Mark = field("Result")
    note: str = field("What was seen")
    evidence: str = field("Evidence", help="File, photograph or document number.")
    by: str = field("By")
    at: str = field("When (UTC)")


@view
class WorkLineView:
    """A line of the program: what is verified by which paragraph, what recomputation says, what people noted."""

    line: str = field("Line")
    kind: str = field("Kind")
    role: str = field("Role")
    cite: str = field("Paragraph")
    text: str = field("What to do")
    how: str = field("How")
    state: State = field("Recomputation")
    left: str = field("What is left")
    window: str = field("When it can be seen")
    mark: MarkView | None = field("Mark")


@view
class VisitView:
    """A stretch of days in which something can be seen, and the tasks that wait for it."""

    window: str = field("Window")
    label: str = field("What can be seen")
    first: date = field("First day")
    last: date = field("Last day")
    source: str = field("Window from")
    tasks: tuple[str, ...] = field("Tasks")
    when: str = field("As of this day")


def roles_in(audit: Audit) -> list[AuditRole]:
    """Return the roles whose program an audit has: a first point's includes that of its farms."""
    return list(roles_of_programme(AuditRole(audit.role)))


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
    """Return the lines of the program, and the season calendar."""
    items = programme(roles_in(audit), outcomes_of(audit))
    rule = rule_version(audit.covered_last)
    return items, season_calendar(items, audit.harvest_year, rule, audit.audited.state)


class Marked(NamedTuple):
    """The last mark of a line: when, by whom, and what it says."""

    at: datetime
    actor: str
    said: dict[str, Any]


def marks_of(audit: Audit) -> dict[str, Marked]:
    """Return the last mark of each line."""
    marks = (Marked(one.at, str(one.actor), data_of(one)) for one in entries(audit, EntryKind.TASK))
    return {mark.said["line"]: mark for mark in marks}


def mark_lines(audit: Audit, item: Item, mark: Mark, note: str, evidence: str = "", *, actor: Actor) -> AuditEntry:
    """Mark a line of the program with what was seen, and where it shows; errors as ``add_entry``."""
    said = {"line": item.line, "state": str(mark), "note": note, "evidence": evidence}
    return add_entry(audit, EntryKind.TASK, said, actor=actor, about=item.cite)


def work_lines(audit: Audit) -> list[WorkLineView]:
    """Return the program with the last mark of each line."""
    items, _ = items_of(audit)
    marks = marks_of(audit)
    return [_work_line(item, marks) for item in items]


def _work_line(item: Item, marks: dict[str, Marked]) -> WorkLineView:
    line = item.line
    made, mark = marks.get(line), None
    if made is not None:
        said, by, at = made.said, made.actor, made.at.isoformat()
        mark = MarkView(state=Mark(said["state"]), note=said["note"], evidence=said["evidence"], by=by, at=at)
    return WorkLineView(
        line=line, kind=item.kind, role=str(item.role), cite=item.cite, text=item.text, how=item.how,
        state=item.state, left=item.left, window=item.window, mark=mark,
    )  # fmt: skip


def visit_view(visit: Visit, day: date) -> VisitView:
    """Return a stretch of days as it stands on a day."""
    return VisitView(
        window=visit.window, label=visit.label, first=visit.first, last=visit.last, source=visit.source,
        tasks=visit.tasks, when=visit.when(day),
    )  # fmt: skip


def programme_file(audit: Audit, ending: Literal["xlsx", "pdf"], day: date) -> bytes:
    """Return the program to carry along: a workbook to fill in, or a PDF."""
    items, calendar = items_of(audit)
    heading = Heading(str(audit.audited), str(audit.verifier), audit.harvest_year, day)
    write = programme_xlsx if ending == "xlsx" else programme_pdf
    return write(heading, items, calendar, places_of(audit))
