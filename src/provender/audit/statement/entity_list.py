"""The list of audited parties for the yearly rhythm, as CSV: id, name, role, handles_since, contract_until."""

from datetime import date
from pathlib import Path
from typing import Final

from provender.audit.statement.audit_cycle import Entity
from provender.audit.statement.statement import Role
from provender.formats.delimited import read_delimited
from provender.problem import Place, Problem, ProblemsError, Weight, refuse

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
