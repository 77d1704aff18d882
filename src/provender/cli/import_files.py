"""``provender import``: workbooks, CSV, boundaries, photographs, yield logs and soil tests into a record book."""

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from dataclasses import replace as replaced
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.console import Console
from rich.progress import Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.table import Table

from provender.cli import output
from provender.cli.output import ALL_WELL, SOMETHING_TO_LOOK_AT, AsOf, Json, print_json, print_problems, today
from provender.formats.ahead import Ahead
from provender.formats.child import DEFAULT, Limits
from provender.formats.column_map import ColumnMap
from provender.formats.parsed import Parsed
from provender.problem import Place, Problem, Weight, refuse
from provender.rule.law import rule_version
from provender.schema import read

if TYPE_CHECKING:
    from provender.formats.importing.entries_asked import NewEntry
    from provender.formats.importing.incoming_files import Choices
    from provender.formats.importing.prepare import Plan
    from provender.records.folder import RejectedFile


app = typer.Typer(rich_markup_mode=None, add_completion=False)

SHOWN: Final = 12
FATES: Final = ("added", "completed", "replaced", "same", "waiting", "rejected")


Files = Annotated[list[Path], typer.Argument(metavar="FILES...", help="What to import, of any supported kind.")]
Into = Annotated[Path, typer.Option("--into", metavar="BOOK", help="The record book; begun if a file brings a farm.")]
KindOf = Annotated[str, typer.Option("--kind", help="The kind of record of a table whose name does not tell it.")]
Units = Annotated[
    list[str] | None,
    typer.Option("--unit", metavar="[NAME=]UNIT", help="The unit a file shows, or the unit a name in it means."),
]
Maps = Annotated[list[Path] | None, typer.Option("--map", metavar="MAP", help="A saved column map (JSON or TOML).")]
SaveMap = Annotated[bool, typer.Option("--save-map", help="Keep the column maps of these files in the book.")]
Skipped = Annotated[list[str] | None, typer.Option("--skip-sheet", help="A sheet that holds no records.")]
Accept = Annotated[bool, typer.Option("--accept", help="Let in what you have looked at: guessed columns, yields.")]
Replace = Annotated[bool, typer.Option("--replace", help="Let these files overrule the book where they differ.")]
Dates = Annotated[
    str, typer.Option("--dates", metavar="ORDER", help="How 5/4/2026 is meant: mdy (May 4) or dmy (April 5).")
]
Words = Annotated[
    list[str] | None,
    typer.Option("--word", metavar="NAME=LISTED", help="What a name means: burndown=Sprayer, kill crop."),
]
Typed = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="COLUMN=TEXT", help="What every row is that does not say it: version='1.0'."),
]
OfPaper = Annotated[
    str, typer.Option("--rows", metavar="3,5-8", help="Of a PDF, the rows that you held against the paper.")
]
EntryYear = Annotated[
    int, typer.Option("--year", help="Harvest year of the crop entry that a row with a unit alone is about.")
]
NewEntries = Annotated[
    list[str] | None,
    typer.Option(
        "--add-entry",
        metavar="UNIT,CROP,YEAR[,ENDING,DAY]",
        help="A crop entry that rows need and the book has not; without an ending it is not yet.",
    ),
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show what would happen and write nothing.")]


@app.command(name="import")
def import_files(
    files: Files,
    into: Into,
    kind: KindOf = "",
    unit: Units = None,
    maps: Maps = None,
    save_map: SaveMap = False,
    skip_sheet: Skipped = None,
    accept: Accept = False,
    replace: Replace = False,
    dates: Dates = "",
    word: Words = None,
    typed: Typed = None,
    rows: OfPaper = "",
    year: EntryYear = 0,
    add_entry: NewEntries = None,
    dry_run: DryRun = False,
    as_of: AsOf = None,
    json: Json = False,
) -> None:
    """Bring workbooks, CSV, boundaries, photographs, yield logs and soil tests into a record book.

    Rows that cannot be used lie in the book's folder rejected/ with the reason; until they are settled, what rests on
    them is not shown. Exit status 1 when there is something to look at.
    """
    from provender.formats.importing.incoming_files import Choices
    from provender.formats.importing.prepare import waits_or_fails

    day = as_of or today()
    kept = _kept_maps(into)
    choices = Choices(
        as_of=day,
        kind=_kind(kind),
        maps=(*(replaced(read_map(path), confirmed=True) for path in maps or []), *kept.values()),
        units=_units(unit or []),
        accept=accept or bool(rows),
        replace=replace,
        skip_sheets=frozenset(name.casefold() for name in skip_sheet or []),
        date_order=_order(dates),
        words=_words(word or []),
        constants=_typed(typed or [], _kind(kind)),
        rows=_rows(rows),
        new_entries=_new_entries(add_entry or []),
        harvest_year=year,
        boundary_limit_pct=rule_version(day).boundary_difference_pct_max,
    )
    plan = _prepared(files, into, choices)
    plan.problems += _kept_maps_used(plan, kept)
    written = [] if dry_run else _write(plan, save_maps=save_map, accept=accept)
    show = _print_data if json else _print
    show(plan, written, dry_run=dry_run)
    raise typer.Exit(SOMETHING_TO_LOOK_AT if waits_or_fails(plan, accepted=accept) else ALL_WELL)


def _prepared(files: Files, into: Into, choices: "Choices") -> "Plan":
    """Read the files and look at their rows, while a terminal names the file at work."""
    from provender.formats.importing.prepare import prepare

    with reading() as parse:
        return prepare(files, into, replaced(choices, parse=parse))


def _kind(name: str) -> str:
    from provender.formats.template_layout import kind_named
    from provender.records.kind import KINDS

    if not name:
        return ""
    found = kind_named(name)
    if found is None:
        raise refuse("--kind", f"There is no kind of record {name!r}.", f"Kinds are: {', '.join(KINDS)}.")
    return found.name


def _words(given: list[str]) -> dict[tuple[str, str], str]:
    """Read ``--word "disk=Disk, offset, heavy"``: the listed name tells what it is a name of."""
    from provender.catalog.tables import lookup_name
    from provender.catalog.words import About, listed_name, suggested

    found: dict[tuple[str, str], str] = {}
    for each in given:
        typed, _, name = each.partition("=")
        of = [(about, listed) for about in About if (listed := listed_name(about, name.strip()))]
        if not of or not typed.strip():
            near = [f"{one!r}" for about in About for one in suggested(about, name.strip(), 2)]
            remedy = f"Nearest: {', '.join(near[:4])}." if near else "See `provender stir --list`."
            raise refuse("--word", f"{name.strip()!r} is no name of a list.", remedy)
        found |= {(str(about), lookup_name(typed)): listed for about, listed in of}
    return found


def _typed(given: list[str], kind: str) -> dict[str, str]:
    """Read ``--set version=1.0``; the column must be one of the kind."""
    from provender.records.kind import KINDS

    pairs = dict(each.partition("=")[::2] for each in given)
    known = KINDS[kind].typed_fields if kind else {}
    for name in pairs:
        if name not in known:
            near = f"Columns are: {', '.join(known)}." if known else "Say the kind of record with --kind."
            raise refuse("--set", f"There is no column {name!r}.", near)
    return pairs


def _rows(text: str) -> frozenset[int]:
    """Read ``3,5-8``."""
    found: set[int] = set()
    for part in filter(None, (each.strip() for each in text.split(","))):
        first, _, last = part.partition("-")
        if not first.isdigit() or (last and not last.isdigit()):
            raise refuse("--rows", f"{part!r} is no row.", "Say rows as 3,5-8.")
        found |= set(range(int(first), int(last or first) + 1))
    return frozenset(found)


def _order(dates: str) -> str:
    if dates in ("", "mdy", "dmy"):
        return dates
    raise refuse("--dates", f"{dates!r} is no order of day and month.", "Say --dates mdy or --dates dmy.")


def _new_entries(given: list[str]) -> "dict[str, NewEntry]":
    """Read ``--add-entry "N40, corn, 2026"`` and ``--add-entry "N40, corn, 2025, harvested, 2025-10-02"``."""
    from provender.formats.importing.entries_asked import NewEntry, entry_name
    from provender.records.book import NOT_YET
    from provender.records.reading import CellError

    found = {}
    for each in given:
        unit, crop, year, ending, day, *more = [*(part.strip() for part in each.split(",")), *[""] * 4][:6]
        new = NewEntry(unit, crop, ending or NOT_YET, day)
        if not unit or not year.isdecimal() or any(more) or new.wrong:
            remedy = "Say UNIT, CROP, YEAR; of one that has ended also how and on which day."
            raise refuse("--add-entry", f"{each!r} is no crop entry.", remedy)
        try:
            found[entry_name(unit, crop, int(year))] = new.read()
        except CellError as wrong:
            raise refuse("--add-entry", f"{wrong.cause}.", wrong.remedy) from None
    return found


def _units(given: list[str]) -> dict[str, str]:
    """Read ``--unit N40`` and ``--unit "North forty=N40"``."""
    pairs = [each.rpartition("=") for each in given]
    return {name.strip(): unit.strip() for name, _, unit in pairs}


def read_map(path: Path) -> ColumnMap:
    """Read a saved column map; one that a person hands over counts as confirmed by that person.

    Raises:
        ProblemsError: it is no such map.
    """
    try:
        text = path.read_text("utf-8")
        if path.suffix.lower() == ".toml":
            return read(ColumnMap, tomllib.loads(text))
        return ColumnMap.from_text(text)
    except OSError as trouble:
        raise refuse(str(path), f"The map cannot be read: {trouble.strerror}.", "Check its name.") from None
    except (ValueError, TypeError, KeyError) as trouble:
        cause = f"this is not a saved column map ({trouble})."
        raise refuse(str(path), cause, "Make one with `provender import FILE --kind NAME --save-map`.") from trouble


def _kept_maps(book: Path) -> dict[str, ColumnMap]:
    """Return the column maps that the book keeps, by their path in it."""
    from provender.records.folder import MAPS

    folder = book / MAPS
    paths = sorted(folder.glob("*.json")) if folder.is_dir() else []
    return {f"{MAPS}/{path.name}": read_map(path) for path in paths}


def _kept_maps_used(plan: "Plan", kept: Mapping[str, ColumnMap]) -> list[Problem]:
    """Tell of each kept map through which a file was read: a wrong one would be wrong for every file to come."""
    told = []
    for path, one in kept.items():
        if one in plan.maps:
            columns = ", ".join(f"{rule.heading} is {rule.field}" for rule in one.columns)
            cause = f"a file was read through this column map, which an earlier import saved: {columns}."
            remedy = "If that is wrong, correct the map or delete it, and import the file again with --replace."
            told.append(Problem(Place(path), cause, remedy, weight=Weight.NOTE, code="saved_map_used"))
    return told


def _write(plan: "Plan", *, save_maps: bool, accept: bool) -> list[str]:
    from provender.formats.importing.write import commit
    from provender.records.folder import MAPS

    if save_maps:
        for one in plan.maps:
            name = re.sub(r"[^A-Za-z0-9]+", "-", one.name).strip("-").lower() or one.fingerprint
            saved = ColumnMap(**{**{key: getattr(one, key) for key in ColumnMap.__slots__}, "confirmed": accept})
            plan.files[f"{MAPS}/{name}.json"] = saved.to_text().encode()
    commit(plan)
    return sorted([*plan.files, *plan.kept])


def _data(plan: "Plan", written: list[str], *, dry_run: bool) -> dict[str, object]:
    return {
        "book": str(plan.folder),
        "dry_run": dry_run,
        "tables": [asdict(count) for count in plan.counts],
        "written": written,
        "settled": plan.removed,
        "column_maps": [asdict(one) for one in plan.maps],
        "to_confirm": [
            {"place": str(place), "row": place.row, "read": read_off} for place, read_off in plan.to_confirm
        ],
        "problems": [problem.as_json() for problem in plan.problems],
    }


def _print_data(plan: "Plan", written: list[str], *, dry_run: bool) -> None:
    print_json(_data(plan, written, dry_run=dry_run))


def _print(plan: "Plan", written: list[str], *, dry_run: bool) -> None:
    console = Console()
    if any(count.rows for count in plan.counts):
        console.print(_table(plan, dry_run=dry_run))
    for place, read_off in plan.to_confirm:
        console.print(f"{place}: {read_off}", highlight=False, soft_wrap=True, markup=False)
    if plan.to_confirm:
        text = "Hold each row against the paper; then name those that are right: --rows 3,5-8, or --accept for all."
        console.print(text, highlight=False, soft_wrap=True)
    print_problems(_some(plan.problems))
    lying = [name for name in written if name.startswith("rejected/")]
    for name in lying:
        text = f"Rejected rows lie in {plan.folder / name}. Correct them there and import that file, or delete it."
        console.print(text, highlight=False, soft_wrap=True)
    for name in () if dry_run else plan.removed:
        console.print(f"Settled: {name}.", highlight=False, soft_wrap=True)
    if dry_run:
        console.print("Nothing was written.", highlight=False)


def _some(problems: list[Problem]) -> list[Problem]:
    """Return the first problems of every table, and in place of the others how many they are."""
    shown: list[Problem] = []
    counts: Counter[tuple[str, str]] = Counter()
    for problem in sorted(problems, key=lambda one: (list(Weight).index(one.weight), one.place)):
        counts[problem.place.file, problem.place.sheet] += 1
        if counts[problem.place.file, problem.place.sheet] <= SHOWN:
            shown.append(problem)
    for (file, sheet), count in counts.items():
        if count > SHOWN:
            cause = f"{count - SHOWN} more things are to be said of this table."
            remedy = "Correct these first, or see all with --json."
            shown.append(Problem(Place(file, sheet), cause, remedy, weight=Weight.NOTE, code="more_problems"))
    return shown


def _table(plan: "Plan", *, dry_run: bool) -> Table:
    from provender.records.kind import KINDS

    title = "What would be imported" if dry_run else "What was imported"
    table = Table(title=title, title_justify="left", box=None)
    for heading in ("File", "Kind of record"):
        table.add_column(heading, overflow="fold")
    shown = [fate for fate in FATES if any(getattr(count, fate) for count in plan.counts)]
    for heading in ("rows", *shown):
        table.add_column(heading, justify="right")
    for count in (one for one in plan.counts if one.rows):
        label = KINDS[count.kind].label if count.kind in KINDS else "not known"
        cells = [str(getattr(count, fate) or "") for fate in shown]
        table.add_row(count.file, label, str(count.rows), *cells)
    return table


# ``provender rejects``: the rows of a book that no import could take, listed, mended and dismissed.

rejects_app = typer.Typer(rich_markup_mode=None, add_completion=False, no_args_is_help=True)

Book = Annotated[Path, typer.Argument(metavar="BOOK", help="The record book.")]
File = Annotated[str, typer.Argument(metavar="FILE", help="The file of rejected rows, as `list` shows it.")]
Row = Annotated[int, typer.Option("--row", metavar="N", help="The row in that file, as `list` shows it.")]
Rows = Annotated[
    list[int] | None, typer.Option("--row", metavar="N", help="A row in that file; all of them without it.")
]
UNREADABLE: Final = "the file cannot be read"


@rejects_app.command(name="list")
def list_rejects(book: Book, json: output.Json = False) -> None:
    """List every row that stayed out, with where it came from and why. Exit status 1 when there are any."""
    rows = [row for found in _files(book) for row in _row_numbers(found)]
    if json:
        output.print_json(rows)
    elif not rows:
        Console().print("No row of this book lies rejected.", highlight=False)
    else:
        table = Table(title="Rows that stay out", title_justify="left", box=None)
        for heading in ("File", "Row", "From", "Why", "Cells"):
            table.add_column(heading, justify="right" if heading == "Row" else "left")
        for row in rows:
            cells = ", ".join(f"{name}={text}" for name, text in row["cells"].items() if text)  # type: ignore[attr-defined]  # a mapping of texts
            table.add_row(str(row["file"]), str(row["row"]), str(row["from"]), str(row["why"]), cells)
        output.print_whole(table)
    raise typer.Exit(output.SOMETHING_TO_LOOK_AT if rows else output.ALL_WELL)


@rejects_app.command()
def mend(
    book: Book,
    file: File,
    row: Row,
    cells: Annotated[
        list[str], typer.Option("--set", metavar="COLUMN=TEXT", help="What the cell should say; once for each cell.")
    ],
    as_of: output.AsOf = None,
) -> None:
    """Correct cells of one row and bring it into the book; it stays rejected while it is still wrong."""
    from provender.formats.importing.incoming_files import Choices
    from provender.formats.importing.prepare import prepare
    from provender.formats.importing.write import commit
    from provender.records.folder import BECAUSE, FROM, write_csv
    from provender.rule.law import rule_version

    found = _file(book, file)
    if found.table is None:
        raise refuse(file, UNREADABLE, "Import the original again, then dismiss this file.")
    heading = found.table.heading
    wanted = dict(_cell(each, heading) for each in cells)
    if row not in {number for number, _ in found.table.rows}:
        raise refuse(file, f"there is no row {row}.", "See `provender rejects list`.")
    lines = []
    for (number, texts), reason in zip(found.table.rows, found.reasons, strict=True):
        padded = [*texts, *[""] * (len(heading) - len(texts))]
        now = [wanted.get(name, text) if number == row else text for name, text in zip(heading, padded, strict=False)]
        lines.append([*reason, *now])
    found.path.write_text(write_csv([[FROM, BECAUSE, *heading], *lines]), encoding="utf-8", newline="")
    day = as_of or output.today()
    limit = rule_version(day).boundary_difference_pct_max
    plan = prepare([found.path], book, Choices(as_of=day, boundary_limit_pct=limit, accept=True))
    commit(plan)
    _print_mended(plan, file)


def _print_mended(plan: "Plan", file: str) -> None:
    output.print_problems(plan.problems)
    left = sum(count.rejected for count in plan.counts)
    said = f"{left} of its rows still stay out." if left else f"All rows of {file} are in the book."
    Console().print(said, highlight=False, soft_wrap=True)
    raise typer.Exit(output.SOMETHING_TO_LOOK_AT if left else output.ALL_WELL)


@rejects_app.command()
def dismiss(book: Book, file: File, row: Rows = None) -> None:
    """Say that rows are not to count: they go, and what rests on them is judged without them."""
    from provender.records.folder import BECAUSE, FROM, write_csv

    found = _file(book, file)
    there = found.table.rows if found.table else ()
    unknown = sorted(set(row or ()) - {number for number, _ in there})
    if unknown:
        raise refuse(file, f"there is no row {unknown[0]}.", "See `provender rejects list`.")
    kept = [
        [*reason, *cells]
        for (number, cells), reason in zip(there, found.reasons, strict=True)
        if row and number not in row
    ]
    if kept and found.table:
        text = write_csv([[FROM, BECAUSE, *found.table.heading], *kept])
        found.path.write_text(text, encoding="utf-8", newline="")
    else:
        found.path.unlink()
    Console().print(f"{len(there) - len(kept)} rows of {file} do not count; {len(kept)} stay.", highlight=False)


def _files(book: Path) -> "list[RejectedFile]":
    from provender.records.folder import REJECTED, read_rejected

    if not (book / "farm.csv").is_file():
        raise refuse(str(book), "No record book is here: there is no farm.csv.", "Name the folder of the book.")
    inside = book / REJECTED
    paths = sorted(path for path in inside.iterdir() if not path.name.startswith(".")) if inside.is_dir() else []
    return [read_rejected(path) for path in paths]


def _file(book: Path, name: str) -> "RejectedFile":
    found = next((one for one in _files(book) if one.path.name == Path(name).name), None)
    if found is None:
        raise refuse(name, "no such file of rejected rows lies in this book.", f"See `provender rejects list {book}`.")
    return found


def _row_numbers(found: "RejectedFile") -> list[dict[str, object]]:
    if found.table is None:
        return [{"file": found.path.name, "row": 0, "from": "", "why": UNREADABLE, "cells": {}}]
    return [
        {
            "file": found.path.name, "row": number, "from": place, "why": why,
            "cells": dict(zip(found.table.heading, cells, strict=False)),
        }
        for (number, cells), (place, why) in zip(found.table.rows, found.reasons, strict=True)
    ]  # fmt: skip


def _cell(text: str, heading: tuple[str, ...]) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    known = {each.casefold(): each for each in heading}
    if not equals or name.strip().casefold() not in known:
        raise refuse("--set", f"{text!r} names no column of this row.", f"Its columns: {', '.join(heading)}.")
    return known[name.strip().casefold()], value.strip()


# What files an import reads, on a line of a terminal that goes away when it is done.


class Reading(Ahead):
    """Reads files in limited children, as an import does by itself, and names the one at work."""

    def __init__(self, shown: Progress, line: TaskID) -> None:
        super().__init__()
        self._shown, self._line = shown, line

    def __call__(
        self, reader: str, path: Path, *, name: str = "", limits: Limits = DEFAULT, **options: object
    ) -> Parsed[object]:
        """Read one file; see ``Ahead``."""
        called = name or path.name
        together = self.together(reader, path, called, options)
        words = f"Reading {called}" if together < 2 else f"Reading {together} files, {called} first"  # noqa: PLR2004
        self._shown.update(self._line, description=words, refresh=True)
        return super().__call__(reader, path, name=name, limits=limits, **options)


@contextmanager
def reading(console: Console | None = None) -> Iterator[Reading]:
    """Yield what reads files for an import and says on stderr which one, and how long it has taken so far."""
    out = console or Console(stderr=True)
    columns = TextColumn("{task.description}", markup=False), TimeElapsedColumn()
    with Progress(*columns, console=out, transient=True, disable=not out.is_terminal) as shown:
        yield Reading(shown, shown.add_task("Looking at the files"))
