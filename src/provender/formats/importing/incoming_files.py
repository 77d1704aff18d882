"""What comes out of a file on its way into a book: tables of one kind with their source, and files to be kept."""

import datetime as dt
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, NamedTuple

from provender.days import UNITED_STATES
from provender.formats.child import Ahead
from provender.formats.column_map import ColumnMap
from provender.formats.importing.crop_entries import Crop
from provender.formats.importing.entries_asked import NewEntry
from provender.formats.parsed import Parsed, Sheet, WorkbookFile
from provender.problem import Place, Problem
from provender.records.kind import Kind
from provender.records.reading import TextTable, column_names

PAPER_READ: Final = "pdf_read"
"""Said of rows that were read off a paper: a person holds each against it."""
Parse = Callable[..., Parsed[object]]


@dataclass(frozen=True, slots=True)
class Choices:
    """What a person said about the files."""

    as_of: dt.date  # today
    kind: str = ""  # the kind of record of a table whose name does not tell it, or empty
    kinds: Mapping[str, str] = field(default_factory=dict)  # likewise of one table, by ``file|sheet``
    maps: tuple[ColumnMap, ...] = ()  # column maps that people confirmed
    # management unit by the name a file has for it; the empty name stands for every file
    units: Mapping[str, str] = field(default_factory=dict)
    accept: bool = False  # readings of foreign files that need a person's nod may go in
    replace: bool = False  # a record that differs from the book's takes its place
    skip_sheets: frozenset[str] = frozenset()  # sheets that hold no records, case aside
    date_order: str = ""  # which of two numbers of a day is the month, where a person said so: ``mdy`` or ``dmy``
    otherwise: str = ""  # likewise, as the farm's country writes days; it is told and asked about
    zones: tuple[str, ...] = UNITED_STATES  # in which the farm can lie; see ``days.read_day``
    boundary_limit_pct: int = 0  # difference of acres above which a person is asked, thousandths of a percent
    # boundaries that other files of the same import bring, as GeoJSON by management unit
    outlines: Mapping[str, str] = field(default_factory=dict)
    expected_units: frozenset[str] = frozenset()  # units that files of the same import bring later
    one_farm: bool = False  # the book is one farm's; rows of another stay out
    # what a person typed once for every row that does not say it, by column
    constants: Mapping[str, str] = field(default_factory=dict)
    rows: frozenset[int] = frozenset()  # of a paper, the rows that a person confirmed; empty for all
    harvest_year: int = 0  # of the crop entry that is meant where a row names its unit only
    # the acres, as text, of each management unit that the book has
    fields: Mapping[str, str] = field(default_factory=dict)
    entries: tuple[Crop, ...] = ()  # that the book has
    # crop entries that a person adds for rows of these files, by name
    new_entries: Mapping[str, NewEntry] = field(default_factory=dict)
    # which crop entry rows are of that several fit, by ``text|entries``: what they name, and the entries with a blank
    entries_said: Mapping[str, str] = field(default_factory=dict)
    # what a person said a name means: name of the list by (what it is a name of, folded name)
    words: Mapping[tuple[str, str], str] = field(default_factory=dict)
    # of rows that are like a record of the book but for a cell, or that stand twice in a file: ``once`` where they are
    # the same, ``each`` where each is a record of its own; empty where nobody said
    twins: str = ""
    # cells of rows as a person corrected them, by column, and rows that are not to count: by place, as text
    corrected: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    dropped: frozenset[str] = frozenset()
    parse: Parse = field(default_factory=Ahead)  # how foreign files are read: in a limited child process

    def announce(self, reader: str, files: Sequence[tuple[Path, str]], **options: object) -> None:
        """Say that files will be read with the same options, so that they can be read together."""
        if isinstance(self.parse, Ahead):
            self.parse.announce(reader, files, **options)

    def unit_said(self, name: str) -> str:
        """Return the management unit that a person said a name means, or empty."""
        wanted = name.casefold()
        return next((unit for known, unit in self.units.items() if known and known.casefold() == wanted), "")

    def unit_for(self, name: str) -> str:
        """Return the management unit a person named for a field of a file, or empty."""
        return self.unit_said(name) or self.units.get("", "")


@dataclass(frozen=True, slots=True)
class Source:
    """One file as it arrived."""

    name: str  # the name people know it by
    sha256: str  # of its bytes, in hexadecimal
    stored: str  # the name under which ``evidence/`` keeps it


class RowCells(NamedTuple):
    """Where a row stands that was made of several cells, and where each of its columns was typed."""

    row: Place
    columns: Mapping[str, Place]


@dataclass(frozen=True, slots=True)
class IncomingFile:
    """A table of one kind of record, as text."""

    kind: Kind | None  # of its rows; None where nobody can tell
    table: TextTable  # heading and rows as written; a foreign file's under the record's own column names
    source: Source  # the file
    # what the reader said of it; an error about a row rejects that row, any other error the table
    problems: tuple[Problem, ...] = ()
    waits: bool = False  # it rests on a guess, so its rows wait for a person's nod
    date_order: str = ""  # which of two numbers of a day is the month, as a person or another sheet of the file says
    # rows that take the place of what the book has: a log added to one that the book counts already
    overrules: frozenset[int] = frozenset()
    made_keys: frozenset[int] = frozenset()  # rows whose identifier the file does not give: their content tells them
    # of rows that a short workbook stands for: where they stand, by number
    cells: Mapping[int, RowCells] = field(default_factory=dict)
    # what an elevator's list says of a load beside the record, by the number of the row: whose it is, which way it went
    beside: Mapping[int, Mapping[str, str]] = field(default_factory=dict)
    paper_of_rows: bool = False  # it keeps its file for the rows before it, and goes in only where one of them does
    accepted: bool = False  # a person has looked at what was asked of it

    headings: Mapping[str, str] = field(default_factory=dict)  # what the file calls a column

    @property
    def columns(self) -> dict[str, int]:
        """Return where each column of the kind stands: the first of its name."""
        known = column_names(self.kind) if self.kind else {}
        headings = reversed(list(enumerate(self.table.heading)))
        return {known.get(heading.casefold(), ""): at for at, heading in headings}

    def texts(self) -> Iterator[dict[str, str]]:
        """Yield the rows as texts by column of the kind."""
        where = self.columns
        return ({name: cell_at(cells, at) for name, at in where.items()} for _, cells in self.table.rows)

    def with_rows(self, rows: Iterable[tuple[int, tuple[str, ...]]]) -> "IncomingFile":
        """Return the table with other rows."""
        return replace(self, table=replace(self.table, rows=tuple(rows)))

    def place(self, number: int, column: str = "") -> Place:
        """Return where a row, or a cell of it, stands in the person's own program."""
        made = self.cells.get(number)
        if made is None:
            return Place(self.table.file, self.table.sheet, number, self.headings.get(column, column))
        return made.columns.get(column, made.row)

    def located(self, problem: Problem) -> Problem:
        """Return what was told of a row by its number with the place where that stands."""
        at = problem.place
        ours = (at.file, at.sheet) == (self.table.file, self.table.sheet)
        return replace(problem, place=self.place(at.row, at.column)) if ours else problem

    def place_text(self, number: int) -> str:
        """Return where a row stands, as text."""
        return str(replace(self.place(number), column=""))


def cell_at(cells: Sequence[str], at: int | None) -> str:
    """Return the text of a cell; empty where the row has none there."""
    return cells[at].strip() if at is not None and at < len(cells) else ""


@dataclass(slots=True)
class Arrival:
    """Everything one file brings."""

    source: Source  # the file
    what: str = ""  # what it is, in words
    tables: list[IncomingFile] = field(default_factory=list)  # its tables
    # further files for the book by their path in it, such as ``boundaries/N40.geojson``
    files: dict[str, bytes] = field(default_factory=dict)
    outlines: dict[str, str] = field(default_factory=dict)  # the boundaries among them, as GeoJSON by management unit
    maps: list[ColumnMap] = field(default_factory=list)  # column maps that were suggested or used
    short: tuple[Sheet, ...] = ()  # sheets of a short workbook, whose rows need what the other files say
    problems: list[Problem] = field(default_factory=list)  # what belongs to no table
    # of a yield log: when and where its points lie, by the identifier of their harvest
    traces: dict[str, frozenset[str]] = field(default_factory=dict)
    alone: bool = False  # it is one table, as a laboratory's or an elevator's own export is
    lost: bool = False  # nothing of it could be read and it may hold records: the book is marked
    kind: Kind | None = None  # of the records that were lost, where the file's name tells it
    keep: bool = True  # the file belongs into ``evidence/``
    workbook: WorkbookFile | None = None  # its rows and columns as text, where it has some
