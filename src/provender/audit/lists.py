"""Lists that people keep as CSV beside their books: supplying farms, parties with their roles, members of forums."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from provender.custody.model.grain import plain_name
from provender.formats.parsed import TextRow
from provender.formats.spreadsheet import read_delimited
from provender.problem import Place, Problem, ProblemsError, Weight, refuse
from provender.records.field import Field
from provender.records.reading import CellError, read_cell


@dataclass(slots=True)
class ListReader:
    """Reads one list, and tells everything that is wrong with it by row and column."""

    file: str  # what to call it in problems
    columns: Mapping[str, Field]
    cite: str  # the paragraph that its problems cite
    names: Mapping[
        str, Mapping[str, str]
    ]  # by column: how people write a choice, as ``plain_name`` spells it, and what it is
    whole: bool = False  # every column must be there, though its cells may be blank
    problems: list[Problem] = field(default_factory=list)
    damaged: set[int] = field(default_factory=set)  # numbers of rows that cannot be used

    def tell(self, row: int, column: str, cause: str, remedy: str, code: str, weight: Weight = Weight.ERROR) -> None:
        place = Place(self.file, row=row, column=column)
        self.problems.append(Problem(place, cause, remedy, self.cite, weight, code))
        if weight is Weight.ERROR:
            self.damaged.add(row)

    def refuse_errors(self) -> None:
        """Raise everything that was told, where an error is among it.

        Raises:
            ProblemsError: the list cannot be used.
        """
        if any(problem.weight is Weight.ERROR for problem in self.problems):
            raise ProblemsError(self.problems)

    def rows(self, source: Path | bytes) -> list[tuple[int, dict[str, Any]]]:
        """Return the rows with their numbers; what cannot be read in one is told and left out of it.

        Raises:
            ProblemsError: there is no such file, or nothing in it.
        """
        try:
            data = source if isinstance(source, bytes) else source.read_bytes()
        except OSError as trouble:
            cause, remedy = f"The file cannot be opened ({trouble.strerror}).", "Check the name of the file."
            raise refuse(self.file, cause, remedy, cite=self.cite, code="no_file") from None
        sheet, problems = read_delimited(data, self.file)
        self.problems += problems
        if sheet is None or not sheet.lines:
            cause, remedy = "There are no rows in this file.", f"Write a heading ({', '.join(self.columns)}) and rows."
            raise ProblemsError([*problems, Problem(Place(self.file), cause, remedy, self.cite, code="empty_file")])
        head, *lines = sheet.lines
        where = self._head(head)
        if not lines:
            self.tell(0, "", "The list has a heading but no row.", "List all of them.", "no_rows")
        return [(line.number, self._row(line, where, len(head.cells))) for line in lines]

    def _head(self, line: TextRow) -> dict[str, int]:
        """Find the columns; report missing and doubled ones, and note unknown ones."""
        names = [cell.strip().casefold() for cell in line.cells]
        for name in dict.fromkeys(names):
            if name in self.columns and names.count(name) > 1:
                cause = f"Column {name} stands there twice."
                self.tell(line.number, name, cause, "Keep one of the two.", "double_column")
            if name and name not in self.columns:
                cause = f"Column {name} is not used here."
                self.tell(line.number, name, cause, "Nothing to do.", "unknown_column", Weight.NOTE)
        for name, found in self.columns.items():
            if (found.required or self.whole) and name not in names:
                remedy = f"Add it; the columns are {', '.join(self.columns)}."
                self.tell(line.number, name, f"Column {name} is missing.", remedy, "missing_column")
        return {name: names.index(name) for name in self.columns if name in names}

    def _row(self, line: TextRow, where: Mapping[str, int], width: int) -> dict[str, Any]:
        """Read one row; what cannot be read is reported and left out."""
        values: dict[str, Any] = {}
        if any(cell.strip() for cell in line.cells[width:]):
            cause, remedy = "The row has more cells than the heading.", "Put a text with a comma in quotation marks."
            self.tell(line.number, "", cause, remedy, "ragged_row")
        for name, index in where.items():
            text = line.cell(index)
            try:
                known = self.names.get(name, {}).get(plain_name(text))
                values[name] = known or read_cell(text, self.columns[name])
            except CellError as wrong:
                self.tell(line.number, name, f"{wrong.cause}.", wrong.remedy, f"unreadable_{name}")
                continue
            if values[name] is None and self.columns[name].required:
                self.tell(line.number, name, f"{self.columns[name].label} is blank.", "Fill it in.", "blank_required")
        return values
