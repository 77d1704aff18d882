"""Passes over the ground from a plain CSV file, for ``provender stir``: every row answered or told why not."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from provender.catalog.tables import FieldOperation, find_operation
from provender.catalog.words import About, suggested
from provender.exact import parse, show
from provender.formats.parsed import TextRow
from provender.formats.spreadsheet import read_delimited
from provender.problem import Place, Problem, ProblemsError, Weight, refuse
from provender.standards.stir import PassStir, of_listed
from provender.verdicts.words import stir_working

OPERATION: Final = "operation"
AMOUNTS: Final = {"speed_mph": 40_000, "depth_in": 60_000, "surface_pct": 100_000}
"""The most that can be meant of each, thousandths; a greater number is a typing error."""
COLUMNS: Final = (OPERATION, *AMOUNTS)
UNKNOWN: Final = PassStir(None, "unknown")
_ALIKE: Final = 0.7


@dataclass(frozen=True, slots=True)
class Pass:
    """One row of the file."""

    row: int  # as a person counts it
    written: str  # the operation as written
    listed: FieldOperation | None  # what the list knows of it, or None
    recorded: PassStir  # STIR by the values of the row; its value is None where the row cannot be used
    published: PassStir  # STIR by the list's own values

    @property
    def working(self) -> str:
        """Return how the value comes about, with its units; empty where it is unknown."""
        return stir_working(self.listed, self.recorded)


def read_passes(path: Path) -> tuple[list[Pass], list[Problem]]:
    """Read a file of passes.

    Returns:
        One pass per row that is not blank, and every problem found, those of rows included.

    Raises:
        ProblemsError: nothing in the file can be used: it cannot be opened, is no text, is empty, or its columns are
            not the ones asked for.
    """
    name = str(path)
    try:
        data = path.read_bytes()
    except OSError as failed:
        cause = f"The file cannot be read: {failed.strerror or failed}."
        raise refuse(name, cause, "Check the name and the permissions.", code="unreadable_file") from None
    sheet, problems = read_delimited(data, name)
    if sheet is None:
        raise ProblemsError(problems)
    if not sheet.lines:
        remedy = "Write a first row with the column operation, then one row per pass."
        raise ProblemsError([*problems, Problem(Place(name), "The file is empty.", remedy, code="empty_file")])
    header, *body = sheet.lines
    columns, told = _columns(header, name)
    problems += told
    if any(problem.weight is Weight.ERROR for problem in told):
        raise ProblemsError(problems)
    if not body:
        remedy = "Write one row per pass below the column names."
        raise ProblemsError([*problems, Problem(Place(name), "The file has no passes.", remedy, code="no_rows")])
    passes = [_pass(line, columns, name, problems) for line in body]
    return passes, problems


def _columns(header: TextRow, file: str) -> tuple[list[str], list[Problem]]:
    """Name the columns; one that looks like a column of ours but is not would be lost, so it refuses the file."""
    problems = []
    names = [cell.strip().lower() for cell in header.cells]
    for name in COLUMNS:
        if names.count(name) > 1:
            cause, remedy = f"The column {name} stands there twice.", "Leave one of them."
            problems.append(Problem(Place(file, row=header.number, column=name), cause, remedy, code="column_twice"))
    for name in dict.fromkeys(names):
        if name in COLUMNS or not name:
            continue
        near = get_close_matches(name, COLUMNS, n=1, cutoff=_ALIKE)
        place = Place(file, row=header.number, column=name)
        if near:
            cause, remedy = f"The column {name!r} is not known.", f"Did you mean {near[0]}? Correct or remove it."
            problems.append(Problem(place, cause, remedy, code="unknown_column"))
        else:
            cause = f"The column {name!r} is not used."
            remedy = f"Used are: {', '.join(COLUMNS)}."
            problems.append(Problem(place, cause, remedy, weight=Weight.NOTE, code="unused_column"))
    if OPERATION not in names:
        place, cause = Place(file, row=header.number), "The column operation is missing."
        remedy = f"The first row names the columns: operation, and if you like {', '.join(AMOUNTS)}."
        problems.append(Problem(place, cause, remedy, code="missing_column"))
    return names, problems


def _pass(line: TextRow, columns: Sequence[str], file: str, problems: list[Problem]) -> Pass:
    cells = {name: line.cell(index) for index, name in enumerate(columns) if name in COLUMNS}
    written = cells[OPERATION]
    before = len(problems)
    if any(cell.strip() for cell in line.cells[len(columns) :]):
        cause = "The row has more cells than there are columns."
        remedy = 'Put names that contain a comma in quotation marks: "Disk, offset, heavy".'
        problems.append(Problem(Place(file, row=line.number), cause, remedy, code="extra_cells"))
    listed = _listed(written, Place(file, row=line.number, column=OPERATION), problems)
    # From the air or by water nothing is disturbed, at whatever speed.
    counted = AMOUNTS if listed is None or not listed.is_still else {}
    amounts = {
        name: _amount(cells.get(name, ""), most, Place(file, row=line.number, column=name), problems)
        for name, most in counted.items()
    }
    if listed is None:
        return Pass(line.number, written, None, UNKNOWN, UNKNOWN)
    usable = not any(problem.weight is Weight.ERROR for problem in problems[before:])
    recorded = of_listed(listed, *amounts.values()) if usable else UNKNOWN
    if usable and listed.several_tools:
        _tell_unused(amounts, listed, Place(file, row=line.number), problems)
    return Pass(line.number, written, listed, recorded, of_listed(listed))


def _listed(written: str, place: Place, problems: list[Problem]) -> FieldOperation | None:
    if not written:
        cause, remedy = "The row names no operation.", "Write a name of the list (provender stir --list)."
        problems.append(Problem(place, cause, remedy, "2100.051(c)(2)", code="missing_operation"))
        return None
    listed = find_operation(written)
    if listed is None:
        near = suggested(About.OPERATION, written)
        meant = f"Did you mean {' or '.join(repr(name) for name in near)}? " if near else ""
        remedy = f"{meant}All names: provender stir --list."
        cause = f"{written!r} is not in the operations list, so its STIR is not known."
        problems.append(Problem(place, cause, remedy, "2100.051(c)(2)", code="unknown_operation"))
    return listed


def _amount(text: str, most: int, place: Place, problems: list[Problem]) -> int | None:
    """Read one optional amount; blank and zero are not recorded."""
    if not text:
        return None
    try:
        value = parse(text)
    except ValueError as wrong:
        cause, remedy = f"{wrong}.", "Write a plain number such as 4.5, or leave the cell blank for the list's value."
        problems.append(Problem(place, cause, remedy, "2100.051(c)(3)", code="unreadable_number"))
        return None
    if value == 0:
        cause, remedy = "0 means not recorded; the list's value is used.", "Write what was measured, or leave it blank."
        problems.append(Problem(place, cause, remedy, weight=Weight.CONFIRM, code="zero_not_recorded"))
        return None
    if not 0 < value <= most:
        cause = f"{text} is not between 0 and {show(most)}."
        remedy = "Check the unit: miles per hour, inches, percent of the surface."
        problems.append(Problem(place, cause, remedy, "2100.051(c)(3)", code="out_of_range"))
        return None
    return value


def _tell_unused(amounts: dict[str, int | None], listed: FieldOperation, place: Place, problems: list[Problem]) -> None:
    if amounts["surface_pct"] is not None:
        cause = f"{listed.name!r} has several tools: its published STIR counts and surface_pct changes nothing."
        remedy = "Keep the values for the records; tools of your own implement are entered in a record book."
        problems.append(Problem(place, cause, remedy, weight=Weight.NOTE, code="several_tools"))
