"""What a person said about an import, and what comes of it, as the plain data that passes between two processes."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from provender.catalog.tables import lookup_name
from provender.catalog.words import About, listed_name, listed_names, meaning, suggested, with_facts
from provender.formats.column_map import ColumnMap, fingerprint
from provender.formats.columns import suggest, target
from provender.formats.importing.entries_asked import EntryAsked, NewEntry, Offered
from provender.formats.importing.prepare import Count, Plan
from provender.formats.importing.words import COLUMNS, NO_NAME
from provender.formats.parsed import Sheet, TextRow, WorkbookFile
from provender.problem import Problem
from provender.records.kind import KINDS


@dataclass(slots=True)
class ImportChoices:
    """What the person chose on the page."""

    # kind of record of a sheet that does not tell it, by ``file|sheet``
    kinds: dict[str, str] = field(default_factory=dict)
    # column maps that the person has looked at, as the text of ``ColumnMap``
    maps: list[str] = field(default_factory=list)
    # management unit by the name a file has for it; the empty name stands for every file
    units: dict[str, str] = field(default_factory=dict)
    skip: list[str] = field(default_factory=list)  # sheets that hold no records
    left_out: list[str] = field(default_factory=list)  # uploads that are to be left out, by handle
    replace: bool = False  # what the files say takes the place of what the book says
    # cells of rejected rows: path of the rejected rows, row, column, text
    corrected: dict[str, dict[str, dict[str, str]]] = field(default_factory=dict)
    # rejected rows that are not to count: path of the rejected rows, rows
    dropped: dict[str, list[int]] = field(default_factory=dict)
    # paths of rejected rows whose table lacks columns that are to be left blank
    widened: list[str] = field(default_factory=list)
    # text for the blank cells of a column in the rows of this import: kind, column, text
    fills: dict[str, dict[str, str]] = field(default_factory=dict)
    # whole rows as completed on a page: kind, key as JSON, column, text
    rows: dict[str, dict[str, dict[str, str]]] = field(default_factory=dict)
    dates: str = ""  # which of two numbers of a day is the month, where nothing else tells: ``mdy`` or ``dmy``
    # what names mean: name of the list by ``about|name``; remembered in the book
    words: dict[str, str] = field(default_factory=dict)
    # crop entries to be added for rows of the files: by name, columns of their record
    entries: dict[str, NewEntry] = field(default_factory=dict)
    keep_maps: bool = True  # the column maps are kept in the book for the next file of this layout


@dataclass(frozen=True, slots=True)
class ImportRequest:
    """What the working process is asked for."""

    as_of: str  # today, ISO
    farm: str  # the organisation's code, for a book without a farm's record
    name: str  # the organisation's name, likewise
    boundary_limit_pct: int  # see ``Choices``
    files: list[str]  # what to import, by path in the working folder
    said: ImportChoices  # the person's choices
    rows: dict[str, list[dict[str, str]]]  # of the book, as texts by column, by kind
    beside: dict[str, str]  # texts of the files that lie beside the records of the book, by path


@dataclass(frozen=True, slots=True)
class RowChange:
    """One row that would be written."""

    kind: str  # of the record
    texts: dict[str, str]  # the row as it would stand
    was: dict[str, str] = field(default_factory=dict)  # as it stands in the book; empty for a new row
    # where it came from; a corrected row has its whole first place in ``file``; no file where the page itself made the
    # row
    file: str = ""
    # where it came from; a corrected row has its whole first place in ``file``; no file where the page itself made the
    # row
    sheet: str = ""
    # where it came from; a corrected row has its whole first place in ``file``; no file where the page itself made the
    # row
    row: int = 0


@dataclass(frozen=True, slots=True)
class Layout:
    """A sheet whose columns a person should look at."""

    file: str  # which
    sheet: str  # which
    target: str  # the kind of record its rows are, or empty where nobody can tell
    map: str  # the column map used or suggested, as text; empty without a target
    confirmed: bool  # a person has looked at the map
    headings: tuple[str, ...]  # as written
    samples: tuple[tuple[str, ...], ...]  # for each heading the first cells below it that are not blank
    lines: int  # how many rows lie below the headings

    @property
    def how(self) -> "HowRead":
        """Return how the sheet is read by its map, or that nobody knows."""
        if not self.target:
            return HowRead({}, "", ".")
        map_ = ColumnMap.from_text(self.map)
        meanings = {rule.heading.strip(): (rule.field, rule.unit) for rule in map_.columns}
        return HowRead(meanings, map_.date_order, map_.decimal)


@dataclass(frozen=True, slots=True)
class HowRead:
    """How a sheet is read."""

    meanings: Mapping[str, tuple[str, str]]  # field and unit by heading
    date_order: str  # see ``ColumnMap``
    decimal: str  # see ``ColumnMap``


@dataclass(frozen=True, slots=True)
class Rejected:
    """A row that stays out."""

    path: str  # of the file of rejected rows it lies in
    row: int  # its number there
    kind: str  # of the record, or empty
    place: str  # where it came from, as text
    why: str  # the reasons
    cells: tuple[tuple[str, str], ...]  # (column as written, text)


@dataclass(frozen=True, slots=True)
class Counted:
    """One table with how many of its rows go which way; see ``prepare.Count``."""

    file: str
    sheet: str
    kind: str
    rows: int
    same: int


@dataclass(frozen=True, slots=True)
class ImportResult:
    """Everything the page shows and the nod writes."""

    rows: tuple[RowChange, ...]  # that would be written
    files: dict[str, str | None]  # texts of further files of the book by path; None where one goes
    sources: tuple[tuple[str, ...], ...]  # new rows of ``sources.csv``: kind, key, file, sheet, row, sha256, day
    kept: dict[str, int]  # files that the book keeps as evidence: path in the book and index into the request's files
    counts: tuple[Counted, ...]  # the tables
    layouts: tuple[Layout, ...]  # sheets whose columns a person should look at
    rejected: tuple[Rejected, ...]  # rows that stay out
    problems: tuple[Problem, ...]  # all that was said
    remain: tuple[Problem, ...]  # problems of the book as it would stand that it does not have now
    asked: tuple[EntryAsked, ...] = ()  # rows that stay out, since nobody can tell their crop entry

    def asked_of(self, row: Rejected) -> EntryAsked | None:
        """Return what is asked about the crop entry of a row that stays out."""
        return next((one for one in self.asked if one.place == row.place), None)

    @property
    def offered(self) -> tuple[Offered, ...]:
        """Return the crop entries that rows need and that could be added, each once."""
        return tuple(dict.fromkeys(one.offered for one in self.asked if one.offered))


# Names in the rows of an import of which nobody can tell, or only a person, what they mean.

_CHOICES = 8


@dataclass(frozen=True, slots=True)
class AskedWord:
    """A name to be settled."""

    about: str  # what it is a name of
    typed: str  # as typed
    choices: tuple[str, ...]  # listed names it can mean, or that are nearest to it; the whole list where none is
    rows: int  # how many rows have it

    @property
    def told(self) -> list[tuple[str, str]]:
        """Return each choice with what is said of it: a product with its grade."""
        return [(name, with_facts(About(self.about), name)) for name in self.choices]


def asked_words(found: ImportResult) -> list[AskedWord]:
    """Return the names that are asked about, each once, in the order of the rows."""
    counted: dict[tuple[About, str], list[str]] = {}
    for about, text in _names(found):
        counted.setdefault((about, lookup_name(text)), []).append(text)
    return [
        AskedWord(str(about), texts[0], _choices(about, texts[0]), len(texts)) for (about, _), texts in counted.items()
    ]


def _names(found: ImportResult) -> Iterator[tuple[About, str]]:
    for row in found.rows:
        for column, about in COLUMNS.get(row.kind, {}).items():
            text = row.texts.get(column, "")
            if text and text != row.was.get(column) and text.casefold() not in NO_NAME and not listed_name(about, text):
                yield about, text


def _choices(about: About, text: str) -> tuple[str, ...]:
    return meaning(about, text).names or suggested(about, text, _CHOICES) or listed_names(about)


def words_said(said: Mapping[str, str]) -> dict[tuple[str, str], str]:
    """Return the words of ``ImportChoices`` as readers of files take them."""
    pairs = ((key.partition("|"), means) for key, means in said.items())
    return {(about, lookup_name(typed)): means for (about, _, typed), means in pairs}


# Sheets whose columns a person should look at: which heading is taken for what, with a few cells as examples.

ASKED_BY: Final = frozenset({"unknown_column", "missing_column", "no_headings", "unknown_sheet", "double_column"})
SAMPLES: Final = 3
SEARCHED: Final = 30


def layouts(plan: Plan, books: Mapping[str, WorkbookFile], kinds: Mapping[str, str]) -> tuple[Layout, ...]:
    """Return the sheets of an import that are read through a column map, or need one.

    Args:
        plan: what the import found.
        books: every spreadsheet as text, by the file's name.
        kinds: what the person said of sheets that do not tell their kind, by ``file|sheet``.
    """
    asked = {(each.place.file, each.place.sheet) for each in plan.problems if each.code in ASKED_BY}
    found = []
    for book in books.values():
        for sheet in book.sheets:
            map_of = _mapped_by(sheet, plan.maps)
            if sheet.lines and (map_of is not None or (book.file, sheet.name) in asked):
                chosen = kinds.get(f"{book.file}|{sheet.name}") or _counted(plan.counts, book.file, sheet.name)
                found.append(_layout(book.file, sheet, map_of, chosen))
    return tuple(found)


def _mapped_by(sheet: Sheet, maps: Iterable[ColumnMap]) -> ColumnMap | None:
    prints = {fingerprint(line.cells) for line in sheet.lines[:SEARCHED]}
    return next((each for each in maps if each.fingerprint in prints and each.target in KINDS), None)


def _counted(counts: Iterable[Count], file: str, sheet: str) -> str:
    kinds = [count.kind for count in counts if (count.file, count.sheet) == (file, sheet)]
    return next((kind for kind in kinds if kind in KINDS), "")


def _layout(file: str, sheet: Sheet, known: ColumnMap | None, kind: str) -> Layout:
    guess = known
    if known is None and kind:
        suggested = suggest(sheet, target(kind), file)
        guess = suggested.map if suggested else None
    heading = _heading(sheet, guess)
    if guess is None and kind:
        guess = ColumnMap(f"{kind} from {file}", kind, fingerprint(heading.cells), ())
    headings = tuple(cell.strip() for cell in heading.cells)
    below = [line for line in sheet.lines if line.number > heading.number]
    samples = tuple(_first(below, lambda line, at=at: line.cell(at)) for at in range(len(headings)))  # type: ignore[misc]
    return Layout(
        file,
        sheet.name,
        guess.target if guess else "",
        guess.to_text() if guess else "",
        known is not None and known.confirmed,
        headings,
        samples,
        len(below),
    )


def _first(lines: Iterable[TextRow], cell: Callable[[TextRow], str]) -> tuple[str, ...]:
    texts = [text for line in lines if (text := cell(line))]
    return tuple(texts[:SAMPLES])


def _heading(sheet: Sheet, guess: ColumnMap | None) -> TextRow:
    """Return the row of the map's headings, else the first row with two cells, else the first row."""
    lines = sheet.lines[:SEARCHED]
    if guess is not None:
        fitting = (line for line in lines if fingerprint(line.cells) == guess.fingerprint)
        return next(fitting, lines[0])
    return next((line for line in lines if sum(bool(cell.strip()) for cell in line.cells) > 1), lines[0])
