"""The list a sample starts from, as CSV: supplying farms with their crops.

A damaged list is no population: a farm whose row cannot be read could never be drawn, so any error refuses the whole
list, with all its errors at once. Columns the draw does not know are tolerated and noted.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from provender.audit.sampling.population import CROPS, FarmCrop, Population, freeze
from provender.exact import CI_SCALE, SCALE, show
from provender.formats.parsed import Sheet, TextRow
from provender.formats.spreadsheet import read_delimited
from provender.problem import Place, Problem, ProblemsError, Weight
from provender.records.field import ColumnKind, Field
from provender.records.reading import CellError, Value, read_cell

CITE: Final = "2100.040(a)(3)(i)"
FIPS_DIGITS: Final = 5

FARM_COLUMNS: Final[Mapping[str, Field]] = {
    "farm_id": Field(ColumnKind.KEY, "Farm", required=True),
    "county_fips": Field(ColumnKind.TEXT, "County, five digits", required=True),
    "crop": Field(ColumnKind.CHOICE, "Crop", options=CROPS, required=True),
    "bushels": Field(ColumnKind.QUANTITY, "Bushels supplied", unit="bushels", scale=SCALE, required=True),
    "ci_g_per_bu": Field(ColumnKind.QUANTITY, "CI", unit="g CO2e/bu", scale=CI_SCALE, required=True),
    "acres": Field(ColumnKind.QUANTITY, "Acres of the crop", unit="acres", scale=SCALE, required=True),
    "first_year": Field(ColumnKind.YES_NO, "Supplies for the first time"),
    "earlier_findings": Field(ColumnKind.WHOLE, "Findings of earlier audits"),
    "late_evidence_pct": Field(ColumnKind.QUANTITY, "Bushels on late evidence", unit="percent", scale=SCALE),
}
OTHER_NAMES: Final[Mapping[str, str]] = {
    "field corn": "corn",
    "field_corn": "corn",
    "maize": "corn",
    "soybean": "soybeans",
    "grain sorghum": "sorghum",
    "milo": "sorghum",
}


@dataclass(slots=True)
class _Reader:
    file: str
    columns: Mapping[str, Field]
    problems: list[Problem] = field(default_factory=list)
    damaged: set[int] = field(default_factory=set)

    def tell(self, row: int, column: str, cause: str, remedy: str, code: str, weight: Weight = Weight.ERROR) -> None:
        place = Place(self.file, row=row, column=column)
        self.problems.append(Problem(place, cause, remedy, CITE, weight, code))
        if weight is Weight.ERROR:
            self.damaged.add(row)

    def head(self, line: TextRow) -> dict[str, int]:
        """Find the columns; report missing and doubled ones, and note unknown ones."""
        names = [cell.strip().casefold() for cell in line.cells]
        for name in dict.fromkeys(names):
            if name in self.columns and names.count(name) > 1:
                self.tell(
                    line.number, name, f"Column {name} stands there twice.", "Keep one of the two.", "double_column"
                )
            if name and name not in self.columns:
                cause = f"Column {name} is not used by the draw."
                self.tell(line.number, name, cause, "Nothing to do.", "unknown_column", Weight.NOTE)
        for name, found in self.columns.items():
            if found.required and name not in names:
                remedy = f"Add it; the columns are {', '.join(self.columns)}."
                self.tell(line.number, name, f"Column {name} is missing.", remedy, "missing_column")
        return {name: names.index(name) for name in self.columns if name in names}

    def row(self, line: TextRow, where: Mapping[str, int], width: int) -> dict[str, Value]:
        """Read one row; what cannot be read is reported and left out."""
        values: dict[str, Value] = {}
        if any(cell.strip() for cell in line.cells[width:]):
            cause, remedy = "The row has more cells than the heading.", "Put a text with a comma in quotation marks."
            self.tell(line.number, "", cause, remedy, "ragged_row")
        for name, index in where.items():
            text = line.cell(index)
            text = OTHER_NAMES.get(text.casefold(), text) if name == "crop" else text
            try:
                values[name] = read_cell(text, self.columns[name])
            except CellError as wrong:
                self.tell(line.number, name, f"{wrong.cause}.", wrong.remedy, f"unreadable_{name}")
                continue
            if values[name] is None and self.columns[name].required:
                self.tell(line.number, name, f"{self.columns[name].label} is blank.", "Fill it in.", "blank_required")
        return values


def _sheet(path: Path, reader: _Reader) -> Sheet:
    try:
        data = path.read_bytes()
    except OSError as trouble:
        cause, remedy = f"The file cannot be opened ({trouble.strerror}).", "Check the name of the file."
        raise ProblemsError([Problem(Place(reader.file), cause, remedy, CITE, code="no_file")]) from None
    sheet, problems = read_delimited(data, reader.file)
    reader.problems += problems
    if sheet is None or not sheet.lines:
        cause, remedy = "There are no rows in this file.", f"Write a heading ({', '.join(reader.columns)}) and rows."
        raise ProblemsError([*problems, Problem(Place(reader.file), cause, remedy, CITE, code="empty_file")])
    return sheet


def _rows(path: Path, reader: _Reader) -> list[tuple[int, dict[str, Value]]]:
    head, *lines = _sheet(path, reader).lines
    where = reader.head(head)
    return [(line.number, reader.row(line, where, len(head.cells))) for line in lines]


def _refuse_errors(problems: Sequence[Problem]) -> None:
    if any(problem.weight is Weight.ERROR for problem in problems):
        raise ProblemsError(problems)


def _bounds(reader: _Reader, number: int, row: Mapping[str, Any]) -> None:
    for name in ("bushels", "acres"):
        value = row.get(name)
        if value is not None and value <= 0:
            cause = f"{FARM_COLUMNS[name].label}: {show(value)} is not above zero."
            reader.tell(number, name, cause, "Correct it, or leave out a farm that supplied nothing.", "not_above_zero")
    late, findings = row.get("late_evidence_pct"), row.get("earlier_findings")
    if late is not None and not 0 <= late <= 100 * 10**SCALE:
        cause = f"{show(late)} is no share in percent."
        reader.tell(number, "late_evidence_pct", cause, "Write 0 to 100.", "out_of_bounds")
    if findings is not None and findings < 0:
        reader.tell(number, "earlier_findings", f"{findings} is below zero.", "Write 0 or more.", "out_of_bounds")


def _county(reader: _Reader, number: int, text: str) -> str:
    digits = text.zfill(FIPS_DIGITS)
    if not (digits.isascii() and digits.isdigit() and len(digits) == FIPS_DIGITS) or digits.startswith("00"):
        cause = f"{text!r} is no county number."
        reader.tell(number, "county_fips", cause, "Write five digits, state first, such as 19153.", "unreadable_county")
    elif digits != text:
        cause = f"County {text} has lost its leading zero; it was read as {digits}."
        reader.tell(number, "county_fips", cause, "Format the column as text.", "leading_zero", Weight.NOTE)
    return digits


def read_farms(path: Path, name: str = "") -> tuple[Population, list[Problem]]:
    """Read the list of supplying farms, one row for each farm and crop, and freeze it.

    Returns:
        The population, and notes; bushels are those supplied to this first point.

    Raises:
        ProblemsError: anything in the list cannot be used, or there is no row.
    """
    reader = _Reader(name or path.name, FARM_COLUMNS)
    found: dict[tuple[str, str], tuple[int, FarmCrop]] = {}
    rows = _rows(path, reader)
    for number, row in rows:
        _bounds(reader, number, row)
        county = _county(reader, number, str(row["county_fips"])) if row.get("county_fips") else ""
        if number in reader.damaged or any(one.required and name not in row for name, one in FARM_COLUMNS.items()):
            continue
        values: dict[str, Any] = {**row, "county_fips": county}
        made = FarmCrop(**values)
        key = (made.farm_id, made.crop)
        if key in found:
            cause = f"Farm {made.farm_id} already has a row for {made.crop} (row {found[key][0]})."
            reader.tell(number, "crop", cause, "Add the amounts up in one row.", "double_row")
        found.setdefault(key, (number, made))
    _one_county(reader, found)
    if not rows:
        reader.tell(0, "", "The list has a heading but no farm.", "List every supplying farm.", "no_farms")
    _refuse_errors(reader.problems)
    return freeze(made for _, made in found.values()), reader.problems


def _one_county(reader: _Reader, found: Mapping[tuple[str, str], tuple[int, FarmCrop]]) -> None:
    counties: dict[str, str] = {}
    for number, made in found.values():
        if counties.setdefault(made.farm_id, made.county_fips) != made.county_fips:
            cause = f"Farm {made.farm_id} stands in two counties; the county of its largest delivery counts."
            reader.tell(number, "county_fips", cause, "A farm has one place; correct it.", "two_counties", Weight.NOTE)
