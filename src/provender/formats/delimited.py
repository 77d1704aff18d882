"""Text files of rows and columns (CSV and its cousins), read as text with the row a person counts.

Encodings: a byte order mark decides; then UTF-8; then UTF-16 without a mark (every second byte zero); then Windows
code page 1252, which a person is asked to confirm. A better guess is only ever offered as a suggestion.
"""

import codecs
import csv
import io
from typing import Final

from charset_normalizer import from_bytes

from provender.formats.parsed import doubt
from provender.formats.sheet import Sheet, TextRow
from provender.problem import Place, Problem

MOST_ROWS: Final = 1_000_000
MOST_CELLS: Final = 8_000_000
DELIMITERS: Final = (",", ";", "\t", "|")

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def _zeros(data: bytes) -> str:
    """Name the UTF-16 order that zero bytes at even or odd places betray, or nothing."""
    sample = data[:2000]
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    if odd * 5 > len(sample) and even * 20 < len(sample):
        return "utf-16-le"
    if even * 5 > len(sample) and odd * 20 < len(sample):
        return "utf-16-be"
    return ""


def decode_text(data: bytes, name: str, encoding: str = "") -> tuple[str | None, list[Problem]]:
    """Return the text of a file, or None, and what is doubtful about it.

    Args:
        data: the whole file.
        name: for places of problems.
        encoding: what a saved column map states; tried first and alone.
    """
    place = Place(name)
    stated = encoding or next((label for mark, label in _MARKS if data.startswith(mark)), "") or _zeros(data)
    try:
        return data.decode(stated or "utf-8"), []
    except (UnicodeDecodeError, LookupError) as trouble:
        if stated:
            cause = f"the text is not {stated}, which its beginning or the column map says it is ({trouble})."
            return None, [Problem(place, cause, "Save it again as CSV UTF-8.", code="unreadable_encoding")]
        first = data[: trouble.start].count(b"\n") + 1 if isinstance(trouble, UnicodeDecodeError) else 1
    best = from_bytes(data[:100_000]).best()
    guess = f" (it looks like {best.encoding})" if best is not None else ""
    where = Place(name, row=first)
    try:
        text = data.decode("cp1252")
    except UnicodeDecodeError:
        cause = f"the letters are neither UTF-8 nor Windows-1252{guess}."
        return None, [Problem(where, cause, "Save it again as CSV UTF-8.", code="unreadable_encoding")]
    cause = f"the file is not UTF-8; it was read as Windows-1252{guess}. Accented letters and signs may be wrong."
    return text, [doubt(where, cause, "Check names with accents, or save it as CSV UTF-8.", "guessed_encoding")]


def guess_delimiter(text: str) -> str:
    """Return the separator on whose number of columns, above one, most of the first twenty rows agree.

    Ties go to the greater number of columns, then to the order listed. A first line ``sep=;`` decides alone.
    """
    sample = text[:20_000]
    declared = sample.split("\n", 1)[0].strip().lower()
    if declared.startswith("sep=") and len(declared) == 5:  # noqa: PLR2004 - "sep=" and one sign
        return declared[4]

    def agreement(delimiter: str) -> tuple[int, int]:
        counts: list[int] = []
        try:
            for row in csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter):
                if any(cell.strip() for cell in row):
                    counts.append(len(row))
                if len(counts) == 20:  # noqa: PLR2004 - see above
                    break
        except csv.Error:
            return 0, 0
        return max(((counts.count(columns), columns) for columns in set(counts) if columns > 1), default=(0, 0))

    return max(DELIMITERS, key=agreement)


def _clean(cells: list[str], name: str, number: int, problems: list[Problem]) -> tuple[str, ...]:
    if any("\x00" in cell for cell in cells):
        cause = "the row holds zero bytes, as a damaged file does."
        problems.append(Problem(Place(name, row=number), cause, "Export the file again.", code="zero_bytes"))
        cells = [cell.replace("\x00", "") for cell in cells]
    return tuple(cells)


def read_delimited(
    data: bytes, name: str, *, delimiter: str = "", encoding: str = ""
) -> tuple[Sheet | None, list[Problem]]:
    """Read a delimited text file as one sheet of text cells.

    Rows are numbered from 1 as a spreadsheet program shows them (a line break inside quotes does not count). Blank
    rows are left out, numbers kept. What follows a quotation mark that never closes is reported, not guessed at.
    """
    text, problems = decode_text(data, name, encoding)
    if text is None:
        return None, problems
    separator = delimiter or guess_delimiter(text)
    lines: list[TextRow] = []
    cells = number = 0
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        for number, row in enumerate(reader, start=1):
            cells += len(row)
            if number > MOST_ROWS or cells > MOST_CELLS:
                cause = f"the file holds more than is read at once ({MOST_ROWS} rows or {MOST_CELLS} cells)."
                problems.append(Problem(Place(name, row=number), cause, "Split the file.", code="too_many_rows"))
                break
            if any(cell.strip() for cell in row) and not (number == 1 and row[0].lower().startswith("sep=")):
                lines.append(TextRow(number, _clean(row, name, number, problems)))
    except csv.Error as trouble:
        cause = f"the rows from here on cannot be read ({trouble}); a quotation mark is probably left open."
        remedy = "Correct the quotation marks near this row, or export the file again."
        problems.append(Problem(Place(name, row=number + 1), cause, remedy, code="unreadable_rows"))
    return Sheet("", tuple(lines)), problems
