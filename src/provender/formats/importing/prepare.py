"""What an import would do: every file recognised and read, every row given its fate. Nothing is written here."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Final

import polars as pl

from provender.catalog.words import remembered_words
from provender.days import order_of_country
from provender.formats.column_map import ColumnMap
from provender.formats.importing import tables
from provender.formats.importing.arrive import read_files
from provender.formats.importing.differing import called, leave_out_differing, place_of
from provender.formats.importing.entries_asked import EntryAsked, new_rows
from provender.formats.importing.farms import with_farms
from provender.formats.importing.incoming_files import PAPER_READ, Arrival, Choices, IncomingFile, Source
from provender.formats.importing.kind_file import KindFile, RowResult
from provender.formats.importing.references import known_records, settle_references
from provender.formats.importing.returned import with_first_writing
from provender.formats.importing.settle import Landed, landed_rows, settled_files
from provender.formats.importing.shares import with_shares
from provender.formats.importing.validate import Sifted, rejected_rows, sift
from provender.formats.importing.words import settle_words
from provender.formats.parsed import doubt
from provender.problem import Place, Problem, Weight
from provender.records.book import RecordBook, another_row, asks, with_year
from provender.records.folder import (
    BECAUSE,
    EVIDENCE,
    FROM,
    REJECTED,
    SOURCES,
    UNKNOWN,
    country_of,
    load_book,
    write_cell,
    write_csv,
)
from provender.records.kind import KINDS
from provender.records.reading import TextTable, read_csv_table, read_table

SOURCE_COLUMNS: Final = ("kind", "key", "file", "sheet", "row", "sha256", "imported_on")


@dataclass(slots=True)
class Count:
    """How many rows of one table went which way; ``rows`` is always the sum of the others."""

    file: str  # the table
    sheet: str  # the table
    kind: str  # its kind of record, or ``unknown``
    rows: int  # rows below the heading
    added: int = 0  # new records
    completed: int = 0  # records of the book that gained cells
    replaced: int = 0  # records of the book that changed, since a person asked for it
    same: int = 0  # the book, or a row above, says so already
    waiting: int = 0  # rows that need a person's nod
    rejected: int = 0  # rows that lie in ``rejected/``


@dataclass(slots=True)
class Plan:
    """Everything an import would write."""

    folder: Path  # the book
    files: dict[str, bytes] = field(default_factory=dict)  # content by path in the book
    kept: dict[str, Path] = field(default_factory=dict)  # files to be copied into the book, by their path in it
    removed: list[str] = field(default_factory=list)  # paths in the book that are settled and go
    counts: list[Count] = field(default_factory=list)  # one for each table
    maps: list[ColumnMap] = field(default_factory=list)  # column maps that were suggested or used
    problems: list[Problem] = field(default_factory=list)  # all of them
    # rows read off papers that wait, each with what was read
    to_confirm: list[tuple[Place, str]] = field(default_factory=list)
    asked: list[EntryAsked] = field(default_factory=list)  # rows that stay out, since nobody can tell their crop entry


@dataclass(slots=True)
class _Work:
    """An import at work."""

    plan: Plan
    choices: Choices
    book: RecordBook | None
    farm_id: str
    farms: tuple[str, ...]
    files: dict[str, KindFile] = field(default_factory=dict)
    sources: list[list[str]] = field(default_factory=list)
    landed: list[Landed] = field(default_factory=list)

    def file_of(self, kind: str) -> KindFile:
        """Return the file of a kind, read once."""
        if kind not in self.files:
            self.files[kind] = KindFile.load(KINDS[kind], self.plan.folder, self.farm_id)
        return self.files[kind]


def prepare(paths: Sequence[Path], folder: Path, choices: Choices, book: RecordBook | None = None) -> Plan:
    """Work out what importing files into a book would do.

    Args:
        paths: the files.
        folder: the book's, which need not exist yet.
        choices: what a person said about them.
        book: the book, where it was read already.

    Raises:
        ProblemsError: there is a book, and it cannot be read at all.
    """
    plan = Plan(folder)
    if book is None and (folder / "farm.csv").is_file():
        book = load_book(folder)
    if book is not None:
        order = choices.otherwise or order_of_country(_country(book, ()))
        choices = replace(choices, otherwise=order, fields=_fields(book), entries=tuple(_entries(book)))
    arrivals = read_files(paths, choices, folder, book)
    farms = book.farm_ids if book is not None and book.farm_ids else _farms_brought(arrivals)
    farms = farms[:1] if choices.one_farm else farms
    farm_id = farms[0] if farms else ""
    with_first_writing(arrivals, folder)
    with_farms(arrivals, farms, book)
    choices = replace(choices, otherwise=choices.otherwise or order_of_country(_country(book, arrivals)))
    work = _Work(plan, choices, book, farm_id, farms)
    if not farm_id:
        cause = "there is no record book yet, and no file brings a farm."
        remedy = "Begin one with `provender template --book FOLDER`, or fill in the sheet Farm."
        plan.problems.append(Problem(Place(str(folder)), cause, remedy, "2100.031(c)(1)", code="no_farm"))
        plan.problems += [problem for one in arrivals for problem in one.problems]
        plan.counts = [_count(table) for one in arrivals for table in one.tables]
        return plan
    found = [[_sifted(work, table) for table in one.tables] for one in arrivals]
    known = known_records(book, chain.from_iterable(found), {"unit": choices.unit_said})
    known.year = choices.harvest_year
    known.add("unit", ({"farm_id": farm_id, "unit_id": unit} for unit in choices.expected_units))
    for new in new_rows(choices.new_entries, farm_id):
        work.file_of("harvest").put(new)
        known.add("harvest", [new])
    for each in chain.from_iterable(found):
        settle_references(each, known)
        plan.asked += each.asked
    _settle_words(work, chain.from_iterable(found))
    for path, one, tables_of in zip(paths, arrivals, found, strict=True):
        _take(work, one, path, tables_of)
    _settle_rows(work)
    plan.maps = tables.used_maps(arrivals)
    for name, file in work.files.items():
        if file.changed:
            plan.files[f"{name}.csv"] = file.text().encode()
    if work.sources:
        plan.files[SOURCES] = _sources(folder, work.sources)
    return plan


def _fields(book: RecordBook) -> dict[str, str]:
    acres = KINDS["unit"].fields["acres"]
    return {str(row["unit_id"]): write_cell(row["acres"], acres) for row in book["unit"].iter_rows(named=True)}


def _entries(book: RecordBook) -> Iterable[tuple[str, str, str, str]]:
    """Yield unit, crop, harvest year and name of each crop of the book; of parts the first one alone."""
    for row in with_year(book["harvest"], book["planting"]).filter(~pl.col("part")).iter_rows(named=True):
        year = row["harvest_year"]
        yield str(row["unit_id"]), str(row["crop"]), "" if year is None else str(year), str(row["harvest_id"])


def _farms_brought(arrivals: Iterable[Arrival]) -> tuple[str, ...]:
    """Return the farms that files bring to a new book, the first one first."""
    named: list[str] = []
    for table in (table for one in arrivals for table in one.tables if table.kind is KINDS["farm"]):
        frame = read_table(KINDS["farm"], table.table, farm_id="").frame
        named += [str(farm_id) for farm_id in frame["farm_id"].to_list() if farm_id]
    return tuple(dict.fromkeys(named))


def _country(book: RecordBook | None, arrivals: Iterable[Arrival]) -> str:
    """Return the country of the farm, which says how its days are written; empty where nobody said."""
    told = list(book["farm"]["country"]) if book is not None else []
    brought = [country_of(table.table) for one in arrivals for table in one.tables if table.kind is KINDS["farm"]]
    return next((str(country) for country in [*told, *brought] if country), "")


def _take(work: _Work, one: Arrival, path: Path, sifted: list[Sifted]) -> None:
    """Bring one file's tables into the plan."""
    work.plan.problems += one.problems
    if one.lost:
        _lost(work, one)
    guesses = _guesses_days(work, one, sifted)
    taken = [_table(work, each, waits=guesses or each.incoming.waits) for each in sifted]
    waits = guesses or any(table.waits for table in one.tables)
    if one.files and not waits:
        taken.append(_side_files(work, one))
    if one.keep and any(taken):
        work.plan.kept[f"{EVIDENCE}/{one.source.stored}"] = path
    if not waits and not one.lost:
        _settle(work, one.source)


def _settle(work: _Work, source: Source) -> None:
    """Let go what an earlier import of the very same file rejected: this one says how its rows stand now."""
    inside = work.plan.folder / REJECTED
    earlier = sorted(inside.glob(f"*--{Path(source.stored).stem}*")) if inside.is_dir() else []
    names = {f"{REJECTED}/{path.name}" for path in earlier}
    if source.name.startswith(f"{REJECTED}/"):
        names.add(source.name)
    work.plan.removed += sorted(names - work.plan.files.keys() - set(work.plan.removed))


def _count(incoming: IncomingFile) -> Count:
    kind = incoming.kind.name if incoming.kind else UNKNOWN
    return Count(incoming.source.name, incoming.table.sheet, kind, len(incoming.table.rows))


def _settle_words(work: _Work, sifted: Iterable[Sifted]) -> None:
    """Take names for those of the lists; what a person said of one is remembered in the book."""
    remembered = remembered_words(work.book["word"].iter_rows(named=True)) if work.book is not None else {}
    used = set()
    for each in sifted:
        used |= settle_words(each, {**remembered, **work.choices.words}, work.plan.problems)
    kind = KINDS["word"]
    for about, typed in sorted(used & work.choices.words.keys()):
        texts = {"farm_id": work.farm_id, "about": about, "typed": typed, "means": work.choices.words[about, typed]}
        work.file_of("word").put(dict.fromkeys(kind.typed_fields) | texts, replace=True)


def _sifted(work: _Work, incoming: IncomingFile) -> Sifted:
    whole = with_shares(incoming, accept=work.choices.accept)
    return sift(whole, farm_id=work.farm_id, farms=work.farms, otherwise=work.choices.otherwise)


def _table(work: _Work, sifted: Sifted, *, waits: bool) -> bool:
    """Give every row of one table its fate; return whether anything of it goes in."""
    count = _count(sifted.incoming)
    work.plan.counts.append(count)
    if waits:
        if any(problem.code == PAPER_READ for problem in sifted.incoming.problems):
            work.plan.to_confirm += _read_off(sifted)
        count.waiting = count.rows
        work.plan.problems += sifted.problems
        return False
    added = []
    if sifted.incoming.kind is not None:
        file = work.file_of(sifted.incoming.kind.name)
        leave_out_differing(sifted, file, replace=work.choices.replace)
    for row in sifted.rows:
        before = count.added + count.completed + count.replaced
        _row(work, sifted, row, count)
        if count.added + count.completed + count.replaced > before:
            added.append(int(str(row["source_row"])))
    work.landed += landed_rows(sifted, added)
    count.same += len(sifted.repeats)
    count.rejected = sum(1 for row in sifted.rejected if row.number)
    work.plan.problems += sifted.problems
    if sifted.rejected:
        _reject(work, sifted)
    return bool(count.added or count.completed or count.replaced or count.rejected)


def _read_off(sifted: Sifted) -> Iterable[tuple[Place, str]]:
    """Yield each row of a paper with everything that was read off it."""
    table = sifted.incoming.table
    for number, cells in table.rows:
        said = "; ".join(f"{name} {cell}" for name, cell in zip(table.heading, cells, strict=False) if cell.strip())
        yield Place(table.file, table.sheet, number), said


def _guesses_days(work: _Work, one: Arrival, sifted: list[Sifted]) -> bool:
    """Tell whether a file waits for a nod, since only the farm's country says how its days are read; ask it once."""
    guessing = [each for each in sifted if any(problem.code == "day_order" for problem in each.problems)]
    for each in guessing[1:]:
        each.problems = [problem for problem in each.problems if problem.code != "day_order"]
    if not guessing or work.choices.accept:
        return False
    cause = "the days of this file can be read two ways; its rows wait for your nod."
    remedy = "Run the same command with --accept, or with --dates dmy where the day comes first."
    work.plan.problems.append(doubt(Place(one.source.name), cause, remedy, "waits"))
    return True


def _settle_rows(work: _Work) -> None:
    """Let go of rejected rows that this import brought again, sound or rejected anew, and keep the others."""
    written = [*work.plan.files, *work.plan.removed]
    for name, text in settled_files(work.plan.folder, work.landed, written).items():
        if text is None:
            work.plan.removed.append(name)
        else:
            work.plan.files[name] = text


def _row(work: _Work, sifted: Sifted, row: dict[str, object], count: Count) -> None:
    """Put one sound row into the file of its kind."""
    incoming = sifted.incoming
    kind = incoming.kind
    if kind is None:
        return
    file = work.file_of(kind.name)
    key, place = called(kind.key_columns, row), place_of(sifted, row)
    if place.row in sifted.chosen and file.record(file.key_of(row)) is None:
        row["note"] = " ".join(filter(None, (str(row["note"] or ""), sifted.chosen[place.row])))
    told = another_row(kind, row, file.near(row)) if asks(kind) else None
    fate, columns = file.put(row, replace=work.choices.replace or place.row in incoming.overrules)
    match fate:
        case RowResult.ADDED:
            count.added += 1
            if told:
                sifted.problems.append(replace(told, place=place))
        case RowResult.COMPLETED:
            count.completed += 1
        case RowResult.REPLACED:
            count.replaced += 1
        case RowResult.SAME:
            count.same += 1
            return
        case RowResult.DIFFERS:
            raise AssertionError(place, key)  # who differs is asked about, and stays out, before this
    if fate is not RowResult.ADDED:
        cause = f"{key} stood in the book; {fate} in {', '.join(columns)}."
        sifted.problems.append(Problem(place, cause, "Nothing to do.", weight=Weight.NOTE, code=f"row_{fate}"))
    stamp = [incoming.source.sha256, work.choices.as_of.isoformat()]
    work.sources.append([kind.name, key, incoming.source.name, incoming.table.sheet, str(place.row), *stamp])


def _reject(work: _Work, sifted: Sifted) -> None:
    """Keep the rejected rows of a table in a file of their own; a corrected file of rejected rows keeps its name."""
    incoming = sifted.incoming
    if incoming.source.name.startswith(f"{REJECTED}/"):
        name = incoming.source.name
    else:
        kind = incoming.kind.name if incoming.kind else UNKNOWN
        parts = (Path(incoming.source.stored).stem, re.sub(r"[^A-Za-z0-9]+", "-", incoming.table.sheet).strip("-"))
        name = f"{REJECTED}/{kind}--{'-'.join(part for part in parts if part)}.csv"
        count = 2
        while name in work.plan.files:
            name = f"{REJECTED}/{kind}--{'-'.join(part for part in parts if part)}-{count}.csv"
            count += 1
    work.plan.files[name] = write_csv(rejected_rows(sifted)).encode()


def _lost(work: _Work, one: Arrival) -> None:
    """Leave a mark for a file of a known kind that cannot be read at all; a stray file is told and marks nothing."""
    if one.kind is None:
        return
    why = "; ".join(problem.cause.rstrip(".") for problem in one.problems) or "the file cannot be read"
    text = write_csv([[FROM, BECAUSE], [one.source.name, why]])
    if not one.source.name.startswith(f"{REJECTED}/"):
        work.plan.files[f"{REJECTED}/{one.kind.name}--{one.source.stored}.csv"] = text.encode()


def _side_files(work: _Work, one: Arrival) -> bool:
    """Put a file's boundaries beside the records; one that is there and differs stays, unless it is to be replaced."""
    new = False
    for path, content in one.files.items():
        there = work.plan.folder / path
        old = there.read_bytes() if there.is_file() else None
        if old == content:
            continue
        if old is not None and not work.choices.replace:
            cause = f"{path} is in the book already and is another boundary; it stays."
            remedy = "Import with --replace to take the new one."
            work.plan.problems.append(Problem(Place(one.source.name), cause, remedy, code="other_boundary"))
            continue
        work.plan.files[path] = content
        new = True
    return new


def _sources(folder: Path, rows: list[list[str]]) -> bytes:
    """Return the book's list of sources with the new rows at its end."""
    path = folder / SOURCES
    table = read_csv_table(path, SOURCES) if path.is_file() else TextTable(SOURCES, "", SOURCE_COLUMNS, ())
    return write_csv([list(SOURCE_COLUMNS), *(cells for _, cells in table.rows), *rows]).encode()


def waits_or_fails(plan: Plan, *, accepted: bool = False) -> bool:
    """Tell whether somebody has something to look at; what a person accepted, they have looked at."""
    settled = (Weight.NOTE, Weight.CONFIRM) if accepted else (Weight.NOTE,)
    return any(problem.weight not in settled for problem in plan.problems)
