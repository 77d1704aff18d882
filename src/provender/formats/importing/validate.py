"""Sound rows and unsound ones: a row goes in whole or stays out whole, with every reason.

A row with one unreadable cell is not imported with that cell blank, since a blank can say something ("the whole unit").
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Final

import polars as pl

from provender.formats.importing.entries_asked import EntryAsked
from provender.formats.importing.incoming_files import IncomingFile
from provender.problem import Place, Problem, Weight, listed
from provender.records.folder import BECAUSE, FROM
from provender.records.kind import COMMON, Kind, check_frame
from provender.records.reading import TextTable, column_names, read_table

# Said of the headings of a table: without rows nothing is lost by them.
_HEADING_ONLY: Final = frozenset({"unknown_column", "missing_column", "double_column"})
_VALUE: Final = re.compile(r"[-+$]?[.]?\d[\d.,/:-]*(?!\S)")
"""A number or a day in figures, which is no heading."""
_OPEN_QUOTE: Final = re.compile(r'^[^"]*(?<![\d ])"[^"]*$')
"""A quotation mark that nothing closes; behind a number it stands for inches."""
_ERROR_CELL: Final = re.compile(r"#(?:[A-Z0-9/]{2,12}[!?]|N/A)")


@dataclass(frozen=True, slots=True)
class RejectedRow:
    """One row that stays out: where it stood, its cells as written, and why."""

    number: int
    cells: tuple[str, ...]
    why: str


@dataclass(slots=True)
class Sifted:
    """One table, sorted."""

    incoming: IncomingFile  # the table
    rows: list[dict[str, object]] = field(default_factory=list)  # sound records, typed, in the order of the file
    repeats: list[int] = field(default_factory=list)  # numbers of rows that say the same as one above them
    rejected: list[RejectedRow] = field(default_factory=list)  # the others
    problems: list[Problem] = field(default_factory=list)  # everything said of the table
    read: list[dict[str, object]] = field(default_factory=list)  # every row whose key could be read, sound or not
    # by line, how the crop entry of a row was found that does not name it
    chosen: dict[int, str] = field(default_factory=dict)
    asked: list[EntryAsked] = field(default_factory=list)  # rows of which nobody can tell the crop entry

    def reject(self, numbers: Iterable[int], why: str) -> None:
        """Move lines to the rejected ones, once: all rows that stand on them, for a short sheet's line has several."""
        lines = set(numbers) - {row.number for row in self.rejected}
        self.rejected += [
            RejectedRow(number, cells, why) for number, cells in self.incoming.table.rows if number in lines
        ]
        self.rows = [row for row in self.rows if row["source_row"] not in lines]
        self.repeats = [number for number in self.repeats if number not in lines]


def sift(incoming: IncomingFile, *, farm_id: str, farms: Collection[str], otherwise: str = "") -> Sifted:
    """Sort the rows of one table.

    Args:
        incoming: the table.
        farm_id: fills a blank farm column.
        farms: the farms of the book; a row of another farm stays out. Empty for a new book.
        otherwise: see ``Choices``.
    """
    kind, table = incoming.kind, incoming.table
    found = Sifted(incoming, problems=list(incoming.problems))
    if kind is None:
        found.reject((number for number, _ in table.rows), "nobody can tell what kind of record this is")
        return found
    reading = read_table(kind, table, farm_id=farm_id, order=incoming.date_order, otherwise=otherwise)
    numbers = {number for number, _ in table.rows}
    found.read = reading.frame.rows(named=True)
    doubled = _doubled(kind, reading.frame)
    frame, further, _ = check_frame(kind, reading.frame)
    heading = [problem for problem in reading.problems if not problem.place.row and problem.weight is Weight.ERROR]
    # Where the headings do not fit, what is said of the cells below them would only bury that.
    told = heading or [*reading.problems, *further, *_error_cells(table)]
    found.problems += [*told, *_strangers(kind, frame, farms, table), *_blank_columns(kind, table)]
    reasons = _reasons(found.problems, kind, table)
    for number in doubled:
        reasons[number].append("its identifier stands there more than once, with different records")
    for number in sorted(reasons.keys() & numbers):
        found.reject([number], "; ".join(dict.fromkeys(reasons[number])))
    if not numbers and reasons:
        found.rejected.append(RejectedRow(0, (), reasons[0][0]))
    kept = frame.filter(~pl.col("source_row").is_in(list(reasons)))
    found.rows = kept.rows(named=True)
    left = Counter(number for number, _ in table.rows if number not in reasons)
    found.repeats = sorted((left - Counter(kept["source_row"].to_list())).elements())
    return found


def _blank_columns(kind: Kind, table: TextTable) -> list[Problem]:
    """Tell which columns the table does not have: each is an answer that is missing."""
    known = column_names(kind)
    has = {known.get(heading.casefold()) for heading in table.heading} | set(COMMON)
    lacks = [found for name, found in kind.typed_fields.items() if name not in has]
    if not lacks or not table.rows or any(found.required for found in lacks):
        return []
    cause = f"the table says nothing of {listed((found.label for found in lacks), most=20)}; that stays blank."
    place = Place(table.file, table.sheet)
    return [Problem(place, cause, "Nothing, if it is not known.", weight=Weight.NOTE, code="blank_columns")]


def _reasons(problems: Iterable[Problem], kind: Kind, table: TextTable) -> dict[int, list[str]]:
    """Return why rows stay out, by row; what is said of the table as a whole keeps out each of them.

    A table without rows of which something was lost has its reason under row 0.
    """
    numbers = {number for number, _ in table.rows}
    reasons: dict[int, list[str]] = defaultdict(list)
    hidden = not numbers and _rows_in_heading(kind, table)
    for problem in problems:
        if problem.weight is not Weight.ERROR:
            continue
        if problem.place.row in numbers and problem.place.sheet == table.sheet:
            reasons[problem.place.row].append(_said(problem))
        elif numbers:
            for number in numbers:
                reasons[number].insert(0, _said(problem))
        elif hidden or problem.code not in _HEADING_ONLY:
            reasons[0].append(_said(problem))
    return reasons


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
        or any(_VALUE.match(table.heading[at]) for at in strange)
        or (joined and len(strange) > 1)
        or (strange[-1] == len(table.heading) - 1 and bool(_OPEN_QUOTE.search(table.heading[-1])))
    )


def _said(problem: Problem) -> str:
    column = f"{problem.place.column}: " if problem.place.column else ""
    return f"{column}{problem.cause.rstrip('.')}"


def _doubled(kind: Kind, frame: pl.DataFrame) -> list[int]:
    """Return the rows that share a key and say different things."""
    keys = list(kind.key_columns)
    content = [name for name in kind.typed_fields if name in frame.columns]
    found: list[int] = []
    for _, same in frame.filter(pl.struct(keys).is_duplicated()).group_by(keys, maintain_order=True):
        if same.select(content).n_unique() > 1:
            found += same["source_row"].to_list()
    return found


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


def _strangers(kind: Kind, frame: pl.DataFrame, farms: Collection[str], table: TextTable) -> list[Problem]:
    """Find rows of a farm that the book is not about."""
    if not farms:
        return []
    found = []
    others = frame.filter(~pl.col("farm_id").is_in(list(farms)))
    for farm_id, number in others.select("farm_id", "source_row").iter_rows():
        cause = f"the row is of farm {farm_id}; this book is of {', '.join(sorted(farms))}."
        remedy = "Import it into that farm's book, or leave the farm blank."
        place = Place(table.file, table.sheet, number, "farm_id")
        found.append(Problem(place, cause, remedy, kind.cite, code="other_farm"))
    return found


def rejected_rows(found: Sifted) -> list[list[str]]:
    """Return the rejected rows of a table with their heading, as a file of ``rejected/`` holds them."""
    table = found.incoming.table
    rows = sorted(found.rejected, key=lambda one: one.number)
    places = [str(Place(table.file, table.sheet, row.number)) for row in rows]
    return [
        [FROM, BECAUSE, *table.heading],
        *([place, row.why, *row.cells] for place, row in zip(places, rows, strict=True)),
    ]
