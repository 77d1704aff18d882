"""The yearly rhythm of audits: when the next statement is due, and which days no statement covers (2100.040).

First points, intermediaries and refiners are audited annually. A year is counted from anniversary to anniversary: the
first statement is due one year after the entity first handled reduced-CI crop, each next one a year after the last was
issued. Until the first is due, a contract for the audit stands in (interpretation 46). Covered periods should meet; a
day on which the entity handled reduced-CI crop and that no favourable statement covers is named.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from provender.audit.programme.items import Role
from provender.audit.statement.statement import VerificationStatement, favourable
from provender.formats.delimited import read_delimited
from provender.problem import Place, Problem, ProblemsError, Weight, refuse
from provender.rule.version import RuleVersion

CITES: Final = {
    Role.FIRST_POINT: "2100.040(a)(1)",
    Role.INTERMEDIARY: "2100.040(c)(1)",
    Role.PROCESSOR: "2100.040(c)(1)",
    Role.REFINER: "2100.040(f)(1)",
}
SOON_DAYS: Final = 90
"""How long before the due day to remind: time to hire a verifier and make the package."""


class Alert(StrEnum):
    """How an entity stands, worst last."""

    NOT_NEEDED = "not needed"
    """A farm, or an entity that has handled no reduced-CI crop yet."""
    ON_TIME = "on time"
    DUE_SOON = "due soon"
    NO_CONTRACT = "no contract"
    """First year, no statement yet, and no contract for the first audit."""
    OVERDUE = "overdue"


@dataclass(frozen=True, slots=True)
class Entity:
    """What the rhythm needs to know of an audited party.

    Attributes:
        name: for people.
        role: farms have no rhythm of their own.
        handles_since: first day it took in reduced-CI crop or product, None before.
        contract_until: last day for which a contract for the first audit is shown, None without.
    """

    name: str
    role: Role
    handles_since: date | None
    contract_until: date | None = None


@dataclass(frozen=True, slots=True)
class Rhythm:
    """How an entity stands on a day.

    Attributes:
        entity: the entity.
        alert: the verdict.
        due_on: the last day for the next statement; None where none is needed.
        last_statement: number of the latest statement that counts, empty without.
        uncovered: (first, last) days handled and covered by no statement that counts, up to the day asked about.
        cite: the paragraph, empty for a farm.
    """

    entity: Entity
    alert: Alert
    due_on: date | None
    last_statement: str
    uncovered: tuple[tuple[date, date], ...]
    cite: str

    def document(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "entity": self.entity.name,
            "role": str(self.entity.role),
            "alert": str(self.alert),
            "due_on": self.due_on.isoformat() if self.due_on else None,
            "last_statement": self.last_statement,
            "uncovered": [[first.isoformat(), last.isoformat()] for first, last in self.uncovered],
            "cite": self.cite,
        }


def years_later(day: date, years: int) -> date:
    """Return the same date some years on; 29 February falls back to the 28th."""
    try:
        return day.replace(year=day.year + years)
    except ValueError:
        return day.replace(year=day.year + years, day=28)


def rhythm(entity: Entity, statements: Iterable[VerificationStatement], as_of: date, rule: RuleVersion) -> Rhythm:
    """Judge one entity on a day; only sound, favourable statements about it and issued by then count.

    Args:
        entity: the entity.
        statements: those it received about itself, checked (``statement.check_statement``).
        as_of: the day.
        rule: gives the interval in years.
    """
    counting = sorted(
        (one for one in statements if favourable([], one) and one.issued_on <= as_of and one.role is not Role.FARM),
        key=lambda one: one.issued_on,
    )
    since = entity.handles_since
    if entity.role is Role.FARM or since is None or since > as_of:
        return Rhythm(entity, Alert.NOT_NEEDED, None, "", (), CITES.get(entity.role, ""))
    last = counting[-1] if counting else None
    due = years_later(last.issued_on if last else since, rule.audit_interval_years)
    alert = _alert(entity, last, due, as_of)
    number = last.number if last else ""
    return Rhythm(entity, alert, due, number, uncovered_days(since, as_of, counting), CITES[entity.role])


def _alert(entity: Entity, last: VerificationStatement | None, due: date, as_of: date) -> Alert:
    if as_of > due:
        return Alert.OVERDUE
    if last is None and (entity.contract_until is None or entity.contract_until < as_of):
        return Alert.NO_CONTRACT
    return Alert.DUE_SOON if due - as_of <= timedelta(days=SOON_DAYS) else Alert.ON_TIME


def uncovered_days(
    since: date, until: date, statements: Sequence[VerificationStatement]
) -> tuple[tuple[date, date], ...]:
    """Return the stretches from ``since`` to ``until``, both included, that no statement covers."""
    gaps = []
    at = since
    for first, last in sorted((one.covered_first, one.covered_last) for one in statements):
        if first > until:
            break
        if first > at:
            gaps.append((at, first - timedelta(days=1)))
        at = max(at, last + timedelta(days=1))
    if at <= until:
        gaps.append((at, until))
    return tuple(gaps)


COLUMNS: Final = ("id", "name", "role", "handles_since", "contract_until")
CITE: Final = "2100.040"


def read_entities(path: Path) -> tuple[dict[str, Entity], list[Problem]]:
    """Read parties by id; ``handles_since`` and ``contract_until`` may be blank.

    Raises:
        ProblemsError: a row cannot be used: a party left out would never be overdue.
    """
    try:
        data = path.read_bytes()
    except OSError as trouble:
        raise refuse(path.name, f"The file cannot be opened ({trouble.strerror}).", "Check its name.") from None
    sheet, problems = read_delimited(data, path.name)
    if sheet is None or not sheet.lines:
        raise ProblemsError([*problems, *refuse(path.name, "The list is empty.", "List the parties.").problems])
    head, *lines = sheet.lines
    names = [cell.strip().casefold() for cell in head.cells]
    missing = [name for name in COLUMNS if name not in names]
    if missing:
        raise refuse(path.name, f"Columns missing: {', '.join(missing)}.", f"Columns are {', '.join(COLUMNS)}.")
    found: dict[str, Entity] = {}
    for line in lines:
        row = {name: line.cell(names.index(name)) for name in COLUMNS}
        try:
            if not row["id"] or row["id"] in found:
                problems.append(_problem(path, line.number, "The id is blank or stands twice."))
            found[row["id"]] = Entity(
                row["name"], Role(row["role"]), _day(row["handles_since"]), _day(row["contract_until"])
            )
        except ValueError as wrong:
            problems.append(_problem(path, line.number, f"{wrong}."))
    if any(problem.weight is Weight.ERROR for problem in problems):
        raise ProblemsError(problems)
    return found, problems


def _day(text: str) -> date | None:
    return date.fromisoformat(text) if text else None


def _problem(path: Path, number: int, cause: str) -> Problem:
    roles = ", ".join(role.value for role in Role)
    remedy = f"Roles are {roles}; days are written like 2026-12-31."
    return Problem(Place(path.name, row=number), cause, remedy, CITE, code="unreadable_entity")
