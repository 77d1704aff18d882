"""Rows and columns from anyone: workbooks and delimited text, read as text with file, sheet and row kept."""

from pathlib import Path

from provender.formats.archive import OLE_MAGIC, ZIP_MAGIC
from provender.formats.delimited import read_delimited
from provender.formats.parsed import Parsed, refused
from provender.formats.sheet import WorkbookFile
from provender.formats.workbook import read_workbook
from provender.problem import Place, ProblemsError, Weight


def read_book(path: Path, name: str, *, delimiter: str = "", encoding: str = "") -> Parsed[WorkbookFile]:
    """Read a spreadsheet or text file by its content, whatever its name says.

    Args:
        path: the file.
        name: the name people know it by.
        delimiter: for text, where a saved column map states one; guessed otherwise.
        encoding: likewise.
    """
    data = path.read_bytes()
    if data.startswith((ZIP_MAGIC, OLE_MAGIC)):
        try:
            sheets, problems = read_workbook(data, name)
        except ProblemsError as trouble:
            return Parsed(None, trouble.problems)
        return Parsed(WorkbookFile(name, sheets), tuple(problems))
    if data.startswith(b"%PDF"):
        cause = "this is a PDF, whose tables cannot be read reliably."
        return refused(Place(name), cause, "Ask the sender for CSV or XLSX, or type the rows.", "pdf")
    sheet, problems = read_delimited(data, name, delimiter=delimiter, encoding=encoding)
    return Parsed(WorkbookFile(name, (sheet,)) if sheet is not None else None, tuple(problems))


def read_spreadsheet(path: Path, name: str, *, delimiter: str = "", encoding: str = "") -> Parsed[WorkbookFile]:
    """Read a file of rows for the child process; see ``read_book``. A book without any row is a problem.

    What hides all rows, such as a quotation mark left open in the first, is told instead: such a file is not empty.
    """
    parsed = read_book(path, name, delimiter=delimiter, encoding=encoding)
    if parsed.result is not None and not any(sheet.lines for sheet in parsed.result.sheets):
        if any(problem.weight is Weight.ERROR for problem in parsed.problems):
            return Parsed(None, parsed.problems)
        cause = "the file holds no rows."
        return refused(Place(name), cause, "Check that the right file was saved.", "no_rows")
    return parsed
