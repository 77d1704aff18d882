"""One spoiled table sent through an import, or laid into a book by hand, and what must hold of it at once."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cache
from pathlib import Path
from random import Random
from typing import Final

from fuzz.files import csv_bytes, write
from fuzz.seasons import Met, met, readings, seasons, tables
from fuzz.spoil import Spoiled, spoiled
from provender.formats.child import parse_limited
from provender.formats.importing.import_book import ImportBook
from provender.formats.importing.incoming_files import Choices
from provender.formats.importing.plan import ImportPlan, plan_import, write_plan
from provender.formats.parsed import Parsed, find
from provender.problem import Problem, ProblemsError, Weight
from provender.records.book import HeldFiles, RecordBook
from provender.records.folder import UNKNOWN, rejected_in, rejected_marks
from provender.records.kind import KINDS, IncompleteRow, Record
from provender.records.reading import read_csv_table, read_table
from tests.standards.season import files_of

FARM: Final = "F1"
TODAY: Final = date(2026, 11, 21)
CHILD_EVERY: Final = 100
_EMPTY: Final = ("empty", "sheet_empty")
"""How a file is spoiled that holds nothing at all."""


@dataclass(slots=True)
class Case:
    """One case after it was run.

    Attributes:
        number: of the case.
        season: the clean book it began with.
        how: what was spoiled.
        records: the rows that the book holds afterwards, by kind.
        incomplete_rows: what could not be read.
        problems: what was said.
        faults: what did not hold; empty when all is well.
        without: the kind of record of a file that is empty: it is told and marks nothing, as if it had not come.
    """

    number: int
    season: str
    how: str
    records: dict[str, Sequence[Record]]
    incomplete_rows: list[IncompleteRow] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    without: str = ""


@cache
def clean() -> Mapping[str, Met]:
    """Return what each clean book meets."""
    return {name: met(whole(name)) for name in seasons()}


@cache
def lacking(season: str, kind: str) -> Met:
    """Return what a clean book meets without its records of one kind."""
    return met(base(season, kind)) if kind != "farm" else frozenset()


@cache
def whole(season: str) -> RecordBook:
    """Return a clean book."""
    rows = seasons()[season]
    return RecordBook.from_readings(readings(tables(rows)).items(), files=files_of(rows))


@cache
def telling(season: str) -> tuple[str, ...]:
    """Return the kinds in which a clean book differs from the one that meets everything: what makes it fail."""
    best = seasons()["all met"]
    return tuple(name for name, rows in seasons()[season].items() if rows != best.get(name))


def base(season: str, kind: str) -> RecordBook:
    """Return a clean book without the records of one kind."""
    return replace(whole(season), records={**whole(season).records, kind: ()})


def direct(reader: str, path: Path, *, name: str = "", **options: object) -> Parsed[object]:
    """Read a foreign file in this process, as the child would but without its limits."""
    return find(reader)(path, name or path.name, **options)


def run(seed: int, number: int, folder: Path) -> Case:
    """Run one case in an empty folder; the same seed and number give the same case."""
    random = Random(f"{seed}:{number}")
    season = random.choice(list(seasons()))
    rows = tables(seasons()[season])
    kind = random.choice([*rows, *telling(season) * len(rows)])
    by_hand, workbook = random.random() < 0.3, random.random() < 0.5
    sent = [list(rows[kind].heading), *(list(cells) for _, cells in rows[kind].rows)]
    table = spoiled(kind, sent, random, workbook=workbook and not by_hand)
    way = "by hand" if by_hand else "workbook" if workbook else "CSV"
    case = Case(number, season, f"{way} {kind}: {'; '.join(table.how)}", {})
    case.records = {name: whole(season)[name] for name in rows if name != kind}
    case.without = table.kind.name if table.file in _EMPTY else ""
    if by_hand:
        _lay(case, table, folder, random)
    else:
        parse: Callable[..., Parsed[object]] = parse_limited if number % CHILD_EVERY == 0 else direct
        _send(case, table, write(table, folder, random, workbook=workbook), parse)
    case.faults += [f"a problem lacks something: {one!r}" for one in case.problems if not _whole(one)]
    return case


def _whole(problem: Problem) -> bool:
    return bool(problem.place.file and problem.cause.strip() and problem.remedy.strip() and str(problem))


def _lay(case: Case, table: Spoiled, folder: Path, random: Random) -> None:
    """Put a table into the book as its owner might, with an editor."""
    path = folder / f"{table.kind.name}.csv"
    path.write_bytes(csv_bytes(table, random))
    _read_back(case, path)
    if table.kind is KINDS["farm"] and not case.records.get("farm"):
        case.records = {}


def _read_back(case: Case, path: Path) -> None:
    """Read one file of the book as ``load_book`` does."""
    kind = KINDS[path.stem]
    try:
        reading = read_table(kind, read_csv_table(path, path.name), farm_id=FARM)
    except ProblemsError as unusable:
        case.problems += unusable.problems
        case.incomplete_rows.append(IncompleteRow(kind.name, FARM))
        return
    case.problems += reading.problems
    case.incomplete_rows += reading.incomplete_rows
    case.records[kind.name] = [*case.records.get(kind.name, ()), *reading.rows]


def _send(case: Case, table: Spoiled, path: Path, parse: Callable[..., Parsed[object]]) -> None:
    """Import a file into a book that has everything else."""
    book = folder = path.parent / "book"
    book.mkdir()
    before = base(case.season, table.kind.name)
    into = ImportBook(folder, before.farm_ids[0], _read=before) if before.farm_ids else ImportBook(folder)
    plan = plan_import([path], into, Choices(as_of=TODAY, parse=parse))
    case.problems += plan.problems
    if any(problem.code == "waits" for problem in plan.problems):  # nothing of it is in the book until somebody nods
        case.without = table.kind.name
    _account(case, table, plan)
    write_plan(plan)
    for name in KINDS:
        if (book / f"{name}.csv").is_file():
            _read_back(case, book / f"{name}.csv")
    units = [(row.farm_id, row["unit_id"]) for row in case.records.get("unit", ())]
    told, marks = rejected_marks(rejected_in(book), FARM, units)
    case.problems += told
    case.incomplete_rows += marks
    lying = sum(count.rejected for count in plan.counts if count.kind != UNKNOWN)  # a stray marks nothing
    if lying and into.farm_id and not marks:
        case.faults.append(f"{lying} rows were rejected and the book bears no mark")
    if bool(rejected_in(book)) != bool(told):
        case.faults.append("rejected rows lie there and the book does not say so")


def _account(case: Case, table: Spoiled, plan: ImportPlan) -> None:
    """Every row sent is counted, or an error says why not; every rejected row lies in a file."""
    for count in plan.counts:
        fates = count.added + count.completed + count.replaced + count.same + count.waiting + count.rejected
        if plan.book.farm_id and fates != count.rows:
            case.faults.append(f"{count.rows} rows were read and {fates} have a fate: {count}")
    sent = sum(any(cell.strip() for cell in cells) for cells in table.rows[1:])
    read = sum(count.rows for count in plan.counts)
    errors = [problem for problem in plan.problems if problem.weight is Weight.ERROR]
    empty = table.file in _EMPTY
    if read < sent and not errors and not empty:
        case.faults.append(f"{sent} rows were sent, {read} were read, and nothing was said")
    if plan.book.farm_id and len(plan.book.rejected) < sum(count.rejected for count in plan.counts):
        case.faults.append("fewer rows are kept as rejected than were rejected")


def judged(cases: list[Case]) -> None:
    """Judge many cases as one book, each as a farm of its own, and note every verdict better than the clean one."""
    records: dict[str, list[Record]] = {}
    incomplete_rows = []
    for case in cases:
        own = f"C{case.number}"
        for name, rows in case.records.items():
            records.setdefault(name, []).extend(
                replace(row, farm_id=own if row.farm_id == FARM else f"{own}-{row.farm_id}") for row in rows
            )
        incomplete_rows += [mark._replace(farm_id=own) for mark in case.incomplete_rows]
    book = RecordBook.of(
        records,
        incomplete_rows=incomplete_rows,
        files=HeldFiles(
            {
                (f"C{case.number}", one["file"]): one["file"].encode
                for case in cases
                for one in seasons()[case.season]["evidence"]
            }
        ),
    )
    found = met(book)
    for case in cases:
        mine = {(FARM, *rest) for farm_id, *rest in found if farm_id == f"C{case.number}"}
        known = clean()[case.season] | (lacking(case.season, case.without) if case.without else frozenset())
        better = sorted(str(one[1:]) for one in mine - known)
        if better:
            case.faults.append(f"met although the clean book is not: {', '.join(better)}")
