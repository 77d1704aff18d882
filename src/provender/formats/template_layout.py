"""How the template workbook is laid out, for the writer that makes it and the reader that takes it back.

A sheet of records has three rows of heading: what the sheet is for, a label with unit for every column, and the names
of the columns, by which it is read. Sheets of help hold no records and begin with a text of their own.
"""

from typing import Final

from provender.formats.parsed import Sheet, TextRow
from provender.problem import Place, Problem, listed
from provender.records.kind import KINDS, Kind
from provender.records.reading import TextTable

GUIDE: Final = "Start here"
LISTS: Final = "Lists"
FIRST_CELL: Final = {GUIDE: "Field records for 7 CFR part 2100", LISTS: "Names that are known"}
MOST_NAME: Final = 31
HEADING_SEARCHED: Final = 10


def sheet_name(kind: Kind) -> str:
    """Return the name of a kind's sheet: its label where a tab can hold that, otherwise its name."""
    return kind.label if len(kind.label) <= MOST_NAME else kind.name


def kind_named(name: str) -> Kind | None:
    """Return the kind of record that a sheet or a file is named after (name or label, case aside), or None.

    One and several are alike: ``Farms`` is the sheet ``Farm``, ``Scale ticket`` is ``Scale tickets``.
    """
    wanted = " ".join(name.split()).casefold()
    known = {text: kind for kind in KINDS.values() for text in (kind.name, kind.label.casefold())}
    return known.get(wanted) or known.get(f"{wanted}s") or known.get(wanted.removesuffix("s"))


def is_help(sheet: Sheet) -> bool:
    """Tell whether a sheet is one of the template's own sheets of help."""
    return bool(sheet.lines) and FIRST_CELL.get(sheet.name) == sheet.lines[0].cell(0)


def title_of(kind: Kind) -> str:
    """Return the first cell of a kind's sheet."""
    return f"{kind.label}. {kind.help}"


def column_of(cell: str) -> str:
    """Return the part of a heading cell that names a column: its first line."""
    return cell.strip().partition("\n")[0].strip()


def table_of(sheet: Sheet, kind: Kind, file: str) -> tuple[TextTable | None, list[Problem]]:
    """Return one sheet as a table of a kind; None where no row names a column of it."""
    heading = _heading_of(sheet, kind)
    if heading is None:
        cause = f"no row names a column of {kind.label.lower()}; the {len(sheet.lines)} rows were not read."
        remedy = f"Put the column names above the rows: {', '.join(kind.typed_fields)}."
        return None, [Problem(Place(file, sheet.name), cause, remedy, code="no_headings")]
    problems = []
    above = _rows_above(sheet, kind, heading)
    if above:
        cause = f"rows stand above the headings and were not read: row {listed(above)}."
        remedy = "Move them below the row with the column names, or remove them."
        problems.append(Problem(Place(file, sheet.name), cause, remedy, code="rows_above"))
    lines = tuple((line.number, line.cells) for line in sheet.lines if line.number > heading.number)
    return TextTable(file, sheet.name, tuple(column_of(cell) for cell in heading.cells), lines), problems


def _heading_of(sheet: Sheet, kind: Kind) -> TextRow | None:
    """Return the row that names most columns of a kind, the lower one of equals; None where no row names any."""
    known = {*kind.typed_fields, *(field.label.casefold() for field in kind.typed_fields.values())}

    def count(line: TextRow) -> int:
        return sum(column_of(cell).casefold() in known for cell in line.cells if cell.strip())

    best = max(reversed(sheet.lines[:HEADING_SEARCHED]), key=count, default=None)
    return best if best is not None and count(best) else None


def _rows_above(sheet: Sheet, kind: Kind, heading: TextRow) -> list[int]:
    """Return the numbers of rows above the heading that are not the template's own: they may be records."""

    def own(line: TextRow) -> bool:
        return line.cell(0) == title_of(kind) or all("\n" in cell.strip() for cell in line.cells if cell.strip())

    return [line.number for line in sheet.lines if line.number < heading.number and not own(line)]
