"""What every reader of this package returns: a typed result, or none, beside all problems; and maps of columns.

The result crosses from a child process as JSON, so it is built from frozen dataclasses whose fields are text, whole
numbers, coordinates (floats), truth values, dates, string enumerations, tuples, mappings with text keys, and
dataclasses again: what ``plain`` writes and reads.
"""

import datetime as dt
import hashlib
import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache, wraps
from importlib import import_module
from pathlib import Path
from typing import Concatenate, Final, Generic, Never, ParamSpec, TypeVar, cast, get_args, get_type_hints

from provender.problem import Place, Problem, ProblemsError, Weight, listed
from provender.schema import frozen, read, write

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
Options = ParamSpec("Options")


@dataclass(frozen=True, slots=True)
class Parsed(Generic[T_co]):
    """What a reader made of one file."""

    result: T_co | None  # what could be read; None where nothing could
    problems: tuple[Problem, ...] = ()  # everything a person must fix or confirm, in the order of the file


def refused(place: Place, cause: str, remedy: str, code: str) -> Parsed[Never]:
    """Return a file of which nothing can be used, for one reason."""
    return Parsed(None, (Problem(place, cause, remedy, code=code),))


def doubt(place: Place, cause: str, remedy: str, code: str) -> Problem:
    """Return a problem that a person may settle by confirming."""
    return Problem(place, cause, remedy, weight=Weight.CONFIRM, code=code)


def note(place: Place, cause: str, remedy: str, code: str) -> Problem:
    """Return something worth knowing that asks for nothing."""
    return Problem(place, cause, remedy, weight=Weight.NOTE, code=code)


@dataclass(frozen=True, slots=True)
class Problems:
    """What a reader finds, in the order of the file; each is told of the place at which the reader is."""

    place: Place
    found: list[Problem] = field(default_factory=list)

    def at(self, place: Place) -> "Problems":
        """Return the same problems, those to come at another place."""
        return Problems(place, self.found)

    def row(self, number: int) -> "Problems":
        """Return the same problems, those to come in a row."""
        return self.at(replace(self.place, row=number))

    def cell(self, row: int, column: int) -> "Problems":
        """Return the same problems, those to come in a cell; columns are counted from 0."""
        return self.at(replace(self.place, row=row, column=letters(column)))

    def error(self, cause: str, remedy: str, code: str) -> None:
        """Tell of something that cannot be used."""
        self.found.append(Problem(self.place, cause, remedy, code=code))

    def doubt(self, cause: str, remedy: str, code: str) -> None:
        """Tell of something that a person may settle by confirming."""
        self.found.append(doubt(self.place, cause, remedy, code))

    def note(self, cause: str, remedy: str, code: str) -> None:
        """Tell of something worth knowing that asks for nothing."""
        self.found.append(note(self.place, cause, remedy, code))

    def refusal(self, cause: str, remedy: str, code: str) -> ProblemsError:
        """Return the error for a file of which nothing can be used: it alone is told then."""
        return ProblemsError([Problem(self.place, cause, remedy, code=code)])


def reader(
    read_file: Callable[Concatenate[Path, Problems, Options], T | None],
) -> Callable[Concatenate[Path, str, Options], Parsed[T]]:
    """Make a reader of a function that tells what it finds as it goes, and raises where nothing can be used.

    The file's name is that of the place of its problems.
    """

    @wraps(read_file)
    def parsed(path: Path, name: str, /, *args: Options.args, **options: Options.kwargs) -> Parsed[T]:
        problems = Problems(Place(name))
        try:
            return Parsed(read_file(path, problems, *args, **options), tuple(problems.found))
        except ProblemsError as trouble:
            return Parsed(None, trouble.problems)

    return parsed


def grouped(problems: Iterable[Problem]) -> list[Problem]:
    """Join problems that say the same of several rows into one at the first of them, naming how many rows there are."""
    groups: dict[tuple[object, ...], list[Problem]] = {}
    for each in problems:
        key = (each.place.file, each.place.column, each.cause, each.remedy, each.weight, each.code)
        groups.setdefault(key, []).append(each)
    joined = []
    for same in groups.values():
        rows = [each.place.row for each in same]
        more = f" The same holds for {len(rows) - 1} more: row {listed(rows[1:])}." if len(rows) > 1 else ""
        joined.append(replace(same[0], cause=same[0].cause + more))
    return joined


def encode(value: object) -> object:
    """Return plain JSON data for a value of the kinds above; TypeError for another."""
    return write(value, whole=True)


def decode(kind: type[object], data: object) -> object:
    """Return the value of a type that ``encode`` wrote; UnreadableError for anything else."""
    return read(kind, data)


def decode_parsed(result: object, data: Mapping[str, object]) -> Parsed[object]:
    """Build a ``Parsed`` whose result is of the type ``result``.

    Raises:
        UnreadableError, KeyError: the data is of another shape; a child that was taken over could send it.
    """
    problems = read(tuple[Problem, ...], data["problems"])
    return Parsed(None if data["result"] is None else read(cast("type[object]", result), data["result"]), problems)


# Which readers there are: a name, and the function that is imported only when the name is asked for.
#
# A reader is ``read(path, name, **options) -> Parsed[T]``: the file, the name a person knows it by (an upload is stored
# under another), and options that are plain JSON data. It never raises for what the file holds.

READERS: Final[dict[str, str]] = {
    "acreage": "provender.formats.summaries:read_acreage",
    "adapt": "provender.formats.adapt:read_adapt",
    "applied_points": "provender.formats.point_totals:read_applied",
    "boundaries": "provender.formats.boundaries:read_boundaries",
    "crop_sequence": "provender.formats.crop_sequence:read_crop_sequence",
    "farmos": "provender.formats.farmos:read_farmos",
    "fieldview": "provender.formats.summaries:read_plantings",
    "isoxml": "provender.formats.isoxml.passes:read_isoxml",
    "lab_soil": "provender.formats.labs:read_lab_soil",
    "leaf": "provender.formats.summaries:read_leaf",
    "pdf_text": "provender.formats.pdf_text:read_pdf_text",
    "photo": "provender.formats.photos:read_photo",
    "sniff": "provender.formats.detect:read_kind",
    "spreadsheet": "provender.formats.spreadsheet:read_spreadsheet",
    "yield_log": "provender.formats.point_totals:read_yield_log",
}


def find(name: str) -> Callable[..., Parsed[object]]:
    """Import a reader by its name.

    Raises:
        KeyError: there is no such reader.
    """
    module, _, function = READERS[name].partition(":")
    found: Callable[..., Parsed[object]] = getattr(import_module(module), function)
    return found


def result_type(reader: Callable[..., Parsed[object]]) -> object:
    """Return T of a reader declared to return ``Parsed[T]`` or, under ``reader``, ``T | None``."""
    return get_args(get_type_hints(reader)["return"])[0]


# A table as a person sees it: sheets of rows of text, each with the number the row has on the screen.


@frozen
class TextRow:
    """One row that is not blank."""

    number: int  # the row's number, from 1
    cells: tuple[str, ...]  # its text, from the first column on; a missing cell is empty text

    def cell(self, index: int) -> str:
        """Return the text of one cell without outer blanks; empty past the end of the row."""
        return self.cells[index].strip() if index < len(self.cells) else ""


@dataclass(frozen=True, slots=True)
class Sheet:
    """One sheet; a text file is one sheet without a name."""

    name: str  # as on its tab
    lines: tuple[TextRow, ...]  # the rows that are not blank, in order


@dataclass(frozen=True, slots=True)
class WorkbookFile:
    """A file of rows and columns."""

    file: str  # the name people know it by
    sheets: tuple[Sheet, ...]  # in the file's order


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


# Rows of a target as text, however they were made: by a column map, or from a format whose meaning is fixed.


@frozen
class MappedRow:
    """One row of the target: its number in the file and the text of each field that has one."""

    number: int
    values: dict[str, str]


@dataclass(frozen=True, slots=True)
class MappedTable:
    """Rows of a target as text: quantities in the target's units, days as year-month-day."""

    file: str  # the file's name
    sheet: str  # the sheet, or empty
    target: str  # what the rows are
    rows: tuple[MappedRow, ...]  # in the file's order


def without_future(table: MappedTable, days: Iterable[str], as_of: dt.date) -> tuple[MappedTable, list[Problem]]:
    """Take out days after ``as_of``, since they are certainly wrong and would make a test look younger than it is."""
    problems: list[Problem] = []
    rows: list[MappedRow] = []
    names = tuple(days)
    for row in table.rows:
        wrong = [name for name in names if _day(row.values.get(name, "")) > as_of]
        if not wrong:
            rows.append(row)
            continue
        for name in sorted(wrong):
            cause = f"{row.values[name]} is after {as_of}; a day that is still to come shows nothing."
            remedy = "Ask the sender for the right day, and type it."
            place = Place(table.file, table.sheet, row.number, name)
            problems.append(Problem(place, cause, remedy, code="future_day"))
        kept = {name: text for name, text in row.values.items() if name not in wrong}
        rows.append(MappedRow(row.number, kept))
    return MappedTable(table.file, table.sheet, table.target, tuple(rows)), problems


@lru_cache(maxsize=1_024)
def _day(text: str) -> dt.date:
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        return dt.date.min


# A saved answer to the question what the columns of someone's file mean.


@dataclass(frozen=True, slots=True)
class ColumnRule:
    """What one column means."""

    heading: str  # as written in the file
    field: str  # the field of the target it fills
    unit: str = ""  # the unit its numbers are in; empty: the field's own


@dataclass(frozen=True, slots=True)
class ColumnMap:
    """How a table of one layout becomes rows of one target."""

    name: str  # for people, such as ``UGA soil laboratory``
    target: str  # a kind of record or an elevator document, such as ``soil_test`` or ``ticket``
    # of the headings; see ``fingerprint``. Empty: any table that has the headings of ``columns``.
    fingerprint: str = ""
    columns: tuple[ColumnRule, ...] = ()  # those that are used
    ignored: tuple[str, ...] = ()  # headings that are left out on purpose
    # rows whose first cell begins so, case aside, hold no data (units, comments, totals)
    skip_marks: tuple[str, ...] = ()
    date_order: str = ""  # ``mdy``, ``dmy``, ``ymd``, or empty where dates leave no doubt
    decimal: str = "."  # the sign before a fraction; empty where the file writes both
    constants: dict[str, str] = field(default_factory=dict)  # fields that the file does not have, the same for each row
    # for a field, what the file's words mean in ours (``YC`` is ``corn``); empty while nobody has said it
    words: dict[str, dict[str, str]] = field(default_factory=dict)
    confirmed: bool = False  # a person has looked at it
    # headings that tell the layout of a map that ships, which may name columns that a file does not have
    known_by: tuple[str, ...] = ()

    def to_text(self) -> str:
        """Return the map as JSON text to be saved."""
        return json.dumps(write(self, whole=True), indent=2, ensure_ascii=False) + "\n"

    @classmethod
    def from_text(cls, text: str) -> "ColumnMap":
        """Read a saved map.

        Raises:
            ValueError, TypeError, KeyError: the text is not a saved map.
        """
        return read(cls, json.loads(text))


def plain_heading(text: str) -> str:
    """Return a heading for comparing: case, accents of width, signs and runs of blanks do not count."""
    if text.isascii() and text.isalnum():
        return text.lower()  # such as most numbers of tickets
    folded = unicodedata.normalize("NFKC", text).casefold()
    return re.sub(r"[^\w%#$/]+", " ", folded.replace("_", " ")).strip()


BY_POSITION: Final = "by-position"
"""The layout of every table without headings."""


def position_names(count: int) -> tuple[str, ...]:
    """Return what columns without headings are called: ``Column A``, ``Column B``."""
    return tuple(f"Column {letters(at)}" for at in range(count))


def fingerprint(headings: Iterable[str]) -> str:
    """Return a short name for a layout: the same headings in the same order give the same name."""
    headings = tuple(headings)
    if headings and headings == position_names(len(headings)):
        return BY_POSITION
    joined = "\x1f".join(plain_heading(each) for each in headings).rstrip("\x1f")
    return hashlib.sha256(joined.encode()).hexdigest()[:16]
