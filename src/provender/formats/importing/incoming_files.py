"""What comes out of a file on its way into a book: tables with their source, their rows sound or not, files to be kept.

A row goes in whole or stays out whole, with every reason: one with an unreadable cell is not imported with that cell
blank, since a blank can say something ("the whole unit").
"""

import datetime as dt
import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from provender.days import UNITED_STATES
from provender.formats.child import BatchReader
from provender.formats.columns import VALUE, own_key, without_days_ahead
from provender.formats.happened import OF_WORK, says_undone
from provender.formats.importing.crop_entries import EntryAsked, NewEntry
from provender.formats.parsed import ColumnMap, MappedRow, MappedTable, Parsed, Sheet, doubt, note
from provender.formats.units import identifier
from provender.problem import Place, Problem, Weight, listed
from provender.records.book import HASH_SHOWN, RecordBook, grouped
from provender.records.folder import RejectedRow
from provender.records.kind import COMMON, KINDS, Kind, Record, check_rows
from provender.records.reading import TextTable, column_names, read_table

if TYPE_CHECKING:
    from provender.formats.detect import Kind as FileKind

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
    parse: Parse = field(default_factory=BatchReader)  # how foreign files are read: in a limited child process

    def announce(self, reader: str, files: Sequence[tuple[Path, str]], **options: object) -> None:
        """Say that files will be read with the same options, so that they can be read together."""
        if isinstance(self.parse, BatchReader):
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
    stored: str  # the name under which ``evidence/`` keeps it; of rows that are read again the hash of their file

    @property
    def evidence_id(self) -> str:
        """Return the identifier under which the file is named in records that rest on it."""
        return f"file-{self.sha256[:HASH_SHOWN]}"


class RowCells(NamedTuple):
    """Where a row stands that was made of several cells, and where each of its columns was typed."""

    row: Place
    columns: Mapping[str, Place]


@dataclass(slots=True, eq=False)
class IncomingTable:
    """A table of one kind of record, as text, and once it is sorted its rows."""

    kind: Kind | None  # of its rows; None where nobody can tell
    table: TextTable  # heading and rows as written; a foreign file's under the record's own column names
    source: Source  # the file
    # everything said of it; what the reader says as an error about a row rejects that row, any other error the table
    problems: list[Problem] = field(default_factory=list)
    waits: bool = False  # it rests on a guess, so its rows wait for a person's nod
    date_order: str = ""  # which of two numbers of a day is the month, as a person or another sheet of the file says
    # rows that take the place of what the book has: a log added to one that the book counts already
    overrules: set[int] = field(default_factory=set)
    made_keys: set[int] = field(default_factory=set)  # rows whose identifier no file gives: their content tells them
    # of rows that a short workbook stands for: where they stand, by number
    cells: dict[int, RowCells] = field(default_factory=dict)
    # what an elevator's list says of a load beside the record, by the number of the row: whose it is, which way it went
    beside: Mapping[int, Mapping[str, str]] = field(default_factory=dict)
    paper_of_rows: bool = False  # it keeps its file for the rows before it, and goes in only where one of them does
    accepted: bool = False  # a person has looked at what was asked of it
    headings: Mapping[str, str] = field(default_factory=dict)  # what the file calls a column

    rows: list[dict[str, object]] = field(default_factory=list)  # sound records, typed, in the order of the file
    repeats: list[int] = field(default_factory=list)  # numbers of rows that say the same as one above them
    # why lines stay out, by number; 0 for a table of which something was lost and no row is there
    rejected: dict[int, list[Problem]] = field(default_factory=dict)
    read: list[dict[str, object]] = field(default_factory=list)  # every row whose key could be read, sound or not
    # by line, how the crop entry of a row was found that does not name it
    chosen: dict[int, str] = field(default_factory=dict)
    asked: list[EntryAsked] = field(default_factory=list)  # rows of which nobody can tell the crop entry

    @property
    def columns(self) -> dict[str, int]:
        """Return where each column of the kind stands: the first of its name."""
        known = column_names(self.kind) if self.kind else {}
        headings = reversed([(at, known.get(heading.casefold())) for at, heading in enumerate(self.table.heading)])
        return {name: at for at, name in headings if name}

    def texts(self) -> Iterator[dict[str, str]]:
        """Yield the rows as texts by column of the kind."""
        where = self.columns
        return (
            {name: cells[at].strip() if at < len(cells) else "" for name, at in where.items()}
            for _, cells in self.table.rows
        )

    def numbered(self) -> Iterator[tuple[int, dict[str, str]]]:
        """Yield number and texts of each row."""
        return zip((number for number, _ in self.table.rows), self.texts(), strict=True)

    def set_rows(self, rows: Iterable[tuple[int, tuple[str, ...]]]) -> None:
        self.table = replace(self.table, rows=tuple(rows))

    def set_cells(self, change: Callable[[int, dict[str, str]], Mapping[str, str]], *, fill_up: bool = False) -> None:
        """Give the table other cells.

        ``change`` is given the number and the texts of each row and returns those that are to stand in it, by column. A
        column that the table lacks comes first, so that a row that is too short stays as short as it was: a cell
        behind its end is written only to ``fill_up``, where a person or this program names what stands there.
        """
        where = self.columns
        changes = [change(number, row) for number, row in self.numbered()]
        new = tuple(dict.fromkeys(name for one in changes for name in one if name not in where))
        rows = []
        for (number, cells), texts in zip(self.table.rows, changes, strict=True):
            own = list(cells)
            for name in where.keys() & texts.keys():
                if where[name] >= len(own) and not fill_up:
                    continue
                own += [""] * (where[name] + 1 - len(own))
                own[where[name]] = texts[name]
            rows.append((number, (*(texts.get(name, "") for name in new), *own)))
        self.table = replace(self.table, heading=(*new, *self.table.heading), rows=tuple(rows))

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
        return str(replace(self.place(number), column=""))

    def reject(self, number: int, *why: Problem) -> None:
        """Keep a line out with all rows that stand on it, for a short sheet's line has several."""
        self.rejected.setdefault(number, []).extend(one for one in why if one not in self.rejected[number])
        self.rows = [row for row in self.rows if row["source_row"] != number]
        self.repeats = [each for each in self.repeats if each != number]

    def rejected_rows(self) -> list[RejectedRow]:
        """Return the lines that stay out, in the order of the file."""
        kind, table = self.kind, self.table
        lines = [*table.rows, *([(0, ())] if 0 in self.rejected else [])]
        known = column_names(kind) if kind else {}
        made = {name for name in table.heading if kind and known.get(name.casefold()) == own_key(kind)}
        return [
            RejectedRow(
                kind.name if kind else "",
                replace(self.place(number), column=""),
                tuple(
                    (name, "" if name in made and number in self.made_keys else text)
                    for name, text in zip_longest(table.heading, cells, fillvalue="")
                ),
                tuple(self._by_column(number, one) for one in self.rejected[number]),
                self.source.sha256,
            )
            for number, cells in sorted(lines)
            if number in self.rejected
        ]

    def _by_column(self, number: int, why: Problem) -> Problem:
        """Return why a line stays out with the record's own name of the column, as its cells have it."""
        names = self.table.heading
        own = next((name for name in names if self.place(number, name) == why.place), why.place.column)
        return replace(why, place=replace(why.place, column=own)) if why.place.column else why


class SheetRead(NamedTuple):
    """A sheet as it was read."""

    file: str  # in which it stands
    sheet: Sheet
    kind: str  # of the records that its rows were taken for; empty where nobody can tell
    map: ColumnMap | None  # through which it was read; None where its headings are ours


@dataclass(slots=True, eq=False)
class Arrival:
    """One file on its way into a book: what it is, and everything that it brings."""

    source: Source  # the file
    choices: Choices  # what a person said of it
    book: RecordBook | None = None  # as it stands when the file is read
    path: Path | None = None  # where it lies; None where rejected rows of the book are read again
    form: "FileKind | None" = None  # what it is; None where nobody can tell, with the reason among the problems
    tables: list[IncomingTable] = field(default_factory=list)  # its tables
    # further files for the book by their path in it, such as ``boundaries/N40.geojson``
    files: dict[str, bytes] = field(default_factory=dict)
    outlines: dict[str, str] = field(default_factory=dict)  # the boundaries among them, as GeoJSON by management unit
    maps: list[ColumnMap] = field(default_factory=list)  # column maps that were suggested or used
    short: tuple[Sheet, ...] = ()  # sheets of a short workbook, whose rows need what the other files say
    problems: list[Problem] = field(default_factory=list)  # what belongs to no table
    # of a yield log: when and where its points lie, by the identifier of their harvest
    traces: dict[str, frozenset[str]] = field(default_factory=dict)
    alone: bool = False  # it is one table, as a laboratory's or an elevator's own export is
    lost: Kind | None = None  # nothing of it could be read and it may hold records of this kind: the book is marked
    keep: bool = True  # the file belongs into ``evidence/``
    sheets: list[SheetRead] = field(default_factory=list)  # those that may hold records

    @property
    def reader(self) -> str:
        """Return what reads it; empty where nothing does."""
        return self.form.reader if self.form is not None else ""

    def parse(self, reader: str, **options: object) -> Parsed[object]:
        if self.path is None:
            raise AssertionError("rows of the book are no file")
        return self.choices.parse(reader, self.path, name=self.source.name, **options)

    def read(self, reader: str, **options: object) -> object | None:
        """Return what a reader made of the file, None where it made nothing; what it said is the file's."""
        parsed = self.parse(reader, **options)
        self.problems += [one for one in parsed.problems if one not in self.problems]
        return parsed.result

    def place(self, row: int = 0, column: str = "") -> Place:
        return Place(self.source.name, row=row, column=column)

    def ask(self, place: Place, cause: str, remedy: str, code: str) -> None:
        """Tell what a person may settle by confirming."""
        self.problems.append(doubt(place, cause, remedy, code))

    def add(
        self,
        kind: str,
        rows: Iterable[MappedRow],
        *,
        sheet: str = "",
        told: Iterable[Problem] = (),
        waits: bool = False,
        on_file: bool = False,
    ) -> IncomingTable:
        """Add rows of a kind, with a person's units and keys of our own where none; return their table.

        Rows that are ``on_file`` name it as their evidence. Where the reading is a guess, they wait until a person
        accepts it.
        """
        read = MappedTable(self.source.name, sheet, kind, tuple(rows))
        mapped, future = without_days_ahead(read, self.choices.as_of)
        problems = [*told, *future]
        waits = waits and not self.choices.accept
        if waits:
            cause = "this reading of the file needs your confirmation; nothing of it was imported yet."
            remedy = "Look at what is asked above, then run the same command with --accept."
            problems.append(doubt(Place(self.source.name, sheet), cause, remedy, "waits"))
        names = tuple(name for name in KINDS[kind].typed_fields if name != "farm_id")
        common = {**self.choices.constants, **({"evidence": self.source.evidence_id} if on_file else {})}
        lines = tuple((row.number, self._cells(KINDS[kind], names, row, common)) for row in mapped.rows)
        table = TextTable(self.source.name, sheet, names, lines)
        made = IncomingTable(KINDS[kind], table, self.source, problems, waits)
        key_unnamed(made)
        self.tables.append(made)
        return made

    def _cells(self, kind: Kind, names: Iterable[str], row: MappedRow, common: Mapping[str, str]) -> tuple[str, ...]:
        values, own = {**common, **row.values}, own_key(kind)
        if "unit_id" in kind.fields and (unit := self.choices.unit_for(values.get("unit_id", ""))):
            values["unit_id"] = unit
        if kind.name in _ALWAYS_NAMED and own and not values.get(own):
            called = values.get("name") or values.get("file") or f"{Path(self.source.name).stem}-{row.number}"
            values[own] = identifier(called, "row")
        return tuple(values.get(name, "") for name in names)

    def keep_as(
        self, what: str, *, unit_id: str = "", told: Iterable[Problem] = (), waits: bool = False
    ) -> IncomingTable:
        """Keep the file as one row of ``evidence``, where it brings rows only with one of them; return its table."""
        rests = bool(self.tables)
        values = {
            "evidence_id": self.source.evidence_id, "file": self.source.stored, "what": what,
            "sha256": self.source.sha256, "note": f"Imported as {self.source.name}.",
            **({"unit_id": unit_id} if unit_id else {}),
        }  # fmt: skip
        made = self.add("evidence", [MappedRow(0, values)], told=told, waits=waits)
        made.paper_of_rows = rests
        return made


def tables_of(arrivals: Iterable[Arrival], kind: str) -> Iterator[IncomingTable]:
    return (table for one in arrivals for table in one.tables if table.kind is KINDS[kind])


def texts_of(arrivals: Iterable[Arrival], book: RecordBook | None, kind: str, column: str) -> Iterator[tuple[str, str]]:
    """Yield farm and text of a column, of the book and of every table that came in."""
    for row in book[kind] if book is not None else ():
        yield str(row["farm_id"]), str(row[column] or "")
    for table in tables_of(arrivals, kind):
        yield from ((row.get("farm_id", ""), row.get(column, "")) for row in table.texts())


_ALWAYS_NAMED: Final = frozenset({"farm", "unit", "producer", "related_party", "evidence"})
"""Kinds of which no record goes without a name of its own."""


MADE_KEY: Final = re.compile(r"row-[0-9a-f]{8}-\d+(?:-\d+)?")
"""Such a name."""


def key_unnamed(incoming: IncomingTable) -> None:
    """Give rows that name no record of their own a name by which others find them meanwhile."""
    kind, table = incoming.kind, incoming.table
    own = own_key(kind) if kind else ""
    if kind is None or not own or kind.name in _ALWAYS_NAMED:
        return
    mark = zlib.crc32(f"{incoming.source.sha256 or incoming.source.stored} {table.file} {table.sheet}".encode())

    made = Counter[int]()

    def named(number: int, row: Mapping[str, str]) -> dict[str, str]:
        if row.get(own) or not any(row.values()):
            return {}
        incoming.made_keys.add(number)
        made[number] += 1  # a row can be several records, as of several passes
        return {own: f"row-{mark:08x}-{number}{f'-{made[number]}' if made[number] > 1 else ''}"}

    incoming.set_cells(named, fill_up=True)


# Said of the headings of a table: without rows nothing is lost by them.
_HEADING_ONLY: Final = frozenset({"unknown_column", "missing_column", "double_column"})
_OPEN_QUOTE: Final = re.compile(r'^[^"]*(?<![\d ])"[^"]*$')
"""A quotation mark that nothing closes; behind a number it stands for inches."""
_ERROR_CELL: Final = re.compile(r"#(?:[A-Z0-9/]{2,12}[!?]|N/A)")


def number_of(row: Mapping[str, object]) -> int:
    """Return the number of the line on which a typed row stands."""
    return int(str(row["source_row"]))


def split_valid(
    incoming: IncomingTable,
    *,
    farm_id: str,
    farms: Collection[str],
    otherwise: str = "",
    zones: tuple[str, ...] = UNITED_STATES,
) -> IncomingTable:
    """Sort the rows of one table; ``farm_id`` fills a blank farm column, and rows of none of ``farms`` stay out."""
    kind, table = incoming.kind, incoming.table
    if kind is None:
        why = [problem for problem in incoming.problems if problem.weight is Weight.ERROR]
        incoming.rejected = {number: list(why) for number, _ in table.rows}
        return incoming
    reading = read_table(kind, table, farm_id=farm_id, order=incoming.date_order, otherwise=otherwise, zones=zones)
    incoming.read = [dict(row) for row in reading.rows]
    sound, further, _ = check_rows(kind, reading.rows)
    heading = [problem for problem in reading.problems if not problem.place.row and problem.weight is Weight.ERROR]
    # Where the headings do not fit, what is said of the cells below them would only bury that; so would a second word
    # about a cell of which the reader said why nobody can read it.
    if any(one.code == "no_headings" for one in incoming.problems):
        told = []
    else:
        said = {(one.place.row, one.place.column) for one in incoming.problems if one.weight is Weight.ERROR}
        cells = (one for one in (*reading.problems, *further)
                 if (one.place.row, incoming.headings.get(one.place.column, one.place.column)) not in said)  # fmt: skip
        told = heading or [*cells, *_error_cells(table)]
    told = [*incoming.problems, *told, *_undone(kind, sound, table)]
    told += [*_strangers(kind, sound, farms, table), *_blank_columns(kind, table)]
    rejected = incoming.rejected = _reasons(told, kind, table)
    for number in _doubled(kind, reading.rows):
        cause = "The identifier stands there more than once, with different records."
        remedy = "Give each record an identifier of its own."
        place = Place(table.file, table.sheet, number, own_key(kind))
        rejected.setdefault(number, []).append(Problem(place, cause, remedy, kind.cite, code="doubled"))
    incoming.problems = list(dict.fromkeys(map(incoming.located, told)))
    incoming.rows = [dict(row) for row in sound if row.source_row not in rejected]
    left = Counter(number for number, _ in table.rows if number not in rejected)
    incoming.repeats = sorted((left - Counter(map(number_of, incoming.rows))).elements())
    return incoming


def _blank_columns(kind: Kind, table: TextTable) -> list[Problem]:
    known = column_names(kind)
    has = {known.get(heading.casefold()) for heading in table.heading} | set(COMMON)
    lacks = [found for name, found in kind.typed_fields.items() if name not in has]
    if not lacks or not table.rows or any(found.required for found in lacks):
        return []
    cause = f"the table says nothing of {listed((found.label for found in lacks), most=20)}; that stays blank."
    place = Place(table.file, table.sheet)
    return [note(place, cause, "Nothing, if it is not known.", "blank_columns")]


def _reasons(problems: Iterable[Problem], kind: Kind, table: TextTable) -> dict[int, list[Problem]]:
    """Return why rows stay out, by row; what is said of the table as a whole keeps out each of them.

    A table without rows of which something was lost has its reason under row 0.
    """
    numbers = {number for number, _ in table.rows}
    reasons: dict[int, list[Problem]] = defaultdict(list)
    hidden = not numbers and _rows_in_heading(kind, table)
    for problem in problems:
        if problem.weight is not Weight.ERROR:
            continue
        if problem.place.row in numbers and problem.place.sheet == table.sheet:
            reasons[problem.place.row].append(problem)
        elif numbers:
            for number in numbers:
                reasons[number].insert(0, problem)
        elif hidden or problem.code not in _HEADING_ONLY:
            reasons[0].append(problem)
    return dict(reasons)


def _rows_in_heading(kind: Kind, table: TextTable) -> bool:
    """Tell whether rows stand in the line of the headings, as where a file lost the ends of its lines.

    An empty table is none of those, whatever its owner calls a column of their own. Rows are there where most headings
    are no column's name, where there are more headings than the kind has columns, where one is a number or a day,
    where a column's name and a word share a cell after which no column comes, and after a quotation mark that the last
    heading opens and nothing closes.
    """
    known = column_names(kind)
    strange = [at for at, heading in enumerate(table.heading) if heading and heading.casefold() not in known]
    filled = sum(bool(heading) for heading in table.heading)
    if not strange:
        return False
    first = strange[0]
    name, _, more = table.heading[first].partition(" ")
    joined = bool(more) and name in known and len(strange) == len([one for one in table.heading[first:] if one])
    return (
        2 * len(strange) > filled
        or len(table.heading) > len(kind.typed_fields)
        or any(VALUE.match(table.heading[at]) for at in strange)
        or (joined and len(strange) > 1)
        or (strange[-1] == len(table.heading) - 1 and bool(_OPEN_QUOTE.search(table.heading[-1])))
    )


def _doubled(kind: Kind, rows: Iterable[Record]) -> list[int]:
    """Return the rows that share a key and say different things."""
    by_key = grouped((tuple([row[name] for name in kind.key_columns]), row) for row in rows)
    return [
        number_of(row)
        for same in by_key.values()
        if len({tuple([row[name] for name in kind.typed_fields]) for row in same}) > 1
        for row in same
    ]


def _error_cells(table: TextTable) -> list[Problem]:
    """Find cells that show an error of a formula, or a formula without a result."""
    found = []
    for number, cells in table.rows:
        for index, cell in enumerate(cells):
            if _ERROR_CELL.fullmatch(cell.strip()):
                column = table.heading[index] if index < len(table.heading) else ""
                cause = f"the cell shows {cell.strip()}, so its value is not known."
                remedy = "Type the value instead of the formula."
                found.append(Problem(Place(table.file, table.sheet, number, column), cause, remedy, code="error_cell"))
    return found


def _undone(kind: Kind, rows: Iterable[Record], table: TextTable) -> Iterator[Problem]:
    """Yield what is asked of rows whose note says that nothing was done."""
    for row in rows if kind.name in OF_WORK else ():
        if says_undone(str(row["note"] or "")):
            cause = f"its note {str(row['note'])[:60]!r} may say that this was not done."
            place = Place(table.file, table.sheet, number_of(row), "note")
            yield Problem(place, cause, "Leave the row out, or write the note otherwise.", code="unknown_state")


def _strangers(kind: Kind, rows: Iterable[Record], farms: Collection[str], table: TextTable) -> list[Problem]:
    """Find rows of a farm that the book is not about."""
    if not farms:
        return []
    found = []
    for row in rows:
        if row.farm_id in farms:
            continue
        cause = f"the row is of farm {row.farm_id}; this book is of {', '.join(sorted(farms))}."
        remedy = "Import it into that farm's book, or leave the farm blank."
        place = Place(table.file, table.sheet, number_of(row), "farm_id")
        found.append(Problem(place, cause, remedy, kind.cite, code="other_farm"))
    return found
