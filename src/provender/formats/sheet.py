"""A table as a person sees it: sheets of rows of text, each with the number the row has on the screen."""

from dataclasses import dataclass

from provender.frozen import frozen
from provender.problem import Place


@frozen
class TextRow:
    """One row that is not blank.

    Attributes:
        number: the row's number, from 1.
        cells: its text, from the first column on; a missing cell is empty text.
    """

    number: int
    cells: tuple[str, ...]

    def cell(self, index: int) -> str:
        """Return the text of one cell without outer blanks; empty past the end of the row."""
        return self.cells[index].strip() if index < len(self.cells) else ""


@dataclass(frozen=True, slots=True)
class Sheet:
    """One sheet; a text file is one sheet without a name.

    Attributes:
        name: as on its tab.
        lines: the rows that are not blank, in order.
        hidden: the person may not know that it is there.
    """

    name: str
    lines: tuple[TextRow, ...]
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class WorkbookFile:
    """A file of rows and columns.

    Attributes:
        file: the name people know it by.
        sheets: in the file's order.
    """

    file: str
    sheets: tuple[Sheet, ...]


def letters(index: int) -> str:
    """Return the letters a spreadsheet writes over a column counted from 0: A, B, ..., Z, AA."""
    text = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        text = chr(ord("A") + rest) + text
    return text


def place_of(file: str, sheet: str, row: int = 0, column: int | str = "") -> Place:
    """Return a place; a column may be its index from 0 or its heading."""
    return Place(file, sheet, row, letters(column) if isinstance(column, int) else column)
