"""``provender import``: workbooks, CSV, boundaries, photographs, yield logs and soil tests into a record book."""

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from dataclasses import replace as replaced
from datetime import date
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.console import Console
from rich.progress import Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from provender.cli import output
from provender.cli.output import ALL_WELL, SOMETHING_TO_LOOK_AT, AsOf, Json, print_json, print_problems, today
from provender.formats.child import BatchReader
from provender.formats.parsed import ColumnMap, encode
from provender.problem import Place, Problem, Weight, listed, refuse
from provender.rule.law import rule_version
from provender.schema import read

if TYPE_CHECKING:
    from provender.formats.importing.crop_entries import NewEntry
    from provender.formats.importing.import_book import ImportBook
    from provender.formats.importing.incoming_files import Choices
    from provender.formats.importing.plan import ImportPlan
    from provender.formats.importing.questions import Question
    from provender.records.folder import RejectedRow
    from provender.services.farm.check import Needed

app = typer.Typer(rich_markup_mode=None, add_completion=False)

_OPTIONS: Final = 8
_COLUMNS: Final = 40
_OWN_WAY: Final = {
    "columns": "--accept where they are right, else with --map.", "sheet": "--kind KIND, or --skip-sheet SHEET.",
    "dates": "--dates mdy or --dates dmy.", "twins": "--twins once or --twins each.",
    "differs": "--replace where the file counts, or --twins each where both do.",
}  # fmt: skip
"""How questions are answered that have an option of their own."""
_FATES: Final = ("added", "completed", "replaced", "same", "waiting", "rejected")


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
Twins = Annotated[
    str,
    typer.Option("--twins", metavar="once|each", help="Whether rows that stand twice, or almost, are one."),
]
Answered = Annotated[
    list[str] | None,
    typer.Option("--answer", metavar="NAME=ANSWER", help="An answer to a question of an import before, by its name."),
]
Notes = Annotated[bool, typer.Option("--notes", help="Print what asks for nothing, too.")]
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
    twins: Twins = "",
    answer: Answered = None,
    notes: Notes = False,
    dry_run: DryRun = False,
    as_of: AsOf = None,
    json: Json = False,
) -> None:
    """Bring workbooks, CSV, boundaries, photographs, yield logs and soil tests into a record book.

    Rows that cannot be used stay out with the reason; until they are settled, what rests on them is not shown. What
    the book has already is recognized by what it says. Exit status 1 when there is something to look at.
    """
    from provender.formats.importing.incoming_files import Choices
    from provender.formats.importing.plan import waits_or_fails
    from provender.formats.importing.questions import Answers, with_answers

    day, kept, kind = as_of or today(), _kept_maps(into), output.kind_of(kind).name if kind else ""
    chosen = Choices(
        as_of=day,
        kind=kind,
        maps=(*(replaced(_read_map(path), confirmed=True) for path in maps or []), *kept.values()),
        units={name.strip(): meant.strip() for name, _, meant in (each.rpartition("=") for each in unit or [])},
        accept=accept or bool(rows),
        replace=replace,
        skip_sheets=frozenset(name.casefold() for name in skip_sheet or []),
        date_order=_one_of("--dates", dates, ("mdy", "dmy"), "is no order of day and month"),
        words=_read_words(word or []),
        constants=_typed(typed or [], kind),
        rows=_read_row_numbers(rows),
        new_entries=_new_entries(add_entry or [], dates),
        harvest_year=year,
        twins=_one_of("--twins", twins, ("once", "each"), "is not an answer"),
        boundary_limit_pct=rule_version(day).boundary_difference_pct_max,
    )
    choices = with_answers(chosen, Answers(_answers(answer or [])))
    plan = _planned(files, into, choices)
    plan.problems += _kept_maps_used(plan, kept)
    written = [] if dry_run else _write(plan, save_maps=save_map, accept=accept)
    needed = _needed(plan, day, dry_run=dry_run)
    if json:
        print_json(_data(plan, choices, written, needed, dry_run=dry_run))
    else:
        _print(plan, choices, needed, dry_run=dry_run, notes=notes)
    raise typer.Exit(SOMETHING_TO_LOOK_AT if waits_or_fails(plan, accepted=accept) else ALL_WELL)


def _planned(files: list[Path], into: Path, choices: "Choices") -> "ImportPlan":
    from provender.formats.importing.import_book import ImportBook
    from provender.formats.importing.plan import plan_import

    with reading() as parse:
        return plan_import(files, ImportBook.in_folder(into), replaced(choices, parse=parse))


def _read_words(given: list[str]) -> dict[tuple[str, str], str]:
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


def _read_row_numbers(text: str) -> frozenset[int]:
    """Read ``3,5-8``."""
    found: set[int] = set()
    for part in filter(None, (each.strip() for each in text.split(","))):
        first, _, last = part.partition("-")
        if not first.isdigit() or (last and not last.isdigit()):
            raise refuse("--rows", f"{part!r} is no row.", "Say rows as 3,5-8.")
        found |= set(range(int(first), int(last or first) + 1))
    return frozenset(found)


def _one_of(option: str, said: str, words: tuple[str, str], wrong: str) -> str:
    if said in ("", *words):
        return said
    raise refuse(option, f"{said!r} {wrong}.", f"Say {' or '.join(f'{option} {word}' for word in words)}.")


def _answers(given: list[str]) -> dict[str, str]:
    """Read ``--answer 'word|operation|disk=Disk, offset, heavy'``."""
    from provender.catalog.words import About, listed_name

    found = {}
    for each in given:
        name, _, text = each.rpartition("=")
        about, _, subject = name.partition("|")
        of = subject.partition("|")[0]
        if not subject or (about == "word" and (of not in set(About) or not listed_name(About(of), text))):
            raise refuse(
                "--answer", f"{each!r} answers no question.", "Copy the name of the question as it is printed."
            )
        found[name] = text
    return found


def _new_entries(given: list[str], dates: str) -> "dict[str, NewEntry]":
    """Read ``--add-entry "N40, corn, 2026"`` and ``--add-entry "N40, corn, 2025, harvested, 2025-10-02"``."""
    from provender.catalog.materials import farm_crop
    from provender.formats.importing.crop_entries import NewEntry, entry_name
    from provender.records.book import NOT_YET
    from provender.records.reading import CellError

    found = {}
    for each in given:
        unit, crop, year, ending, *days = [*(part.strip() for part in each.split(",")), *[""] * 4]
        day = ", ".join(filter(None, days))  # as in October 2, 2025
        named = farm_crop(crop)
        crop = named.crop if named else crop.casefold().replace(" ", "_")
        new = NewEntry(
            unit, crop, ending.casefold().replace(" ", "_") or NOT_YET, day, int(year) if year.isdecimal() else 0
        )
        if not unit or not year.isdecimal() or new.wrong:
            remedy = "Say UNIT, CROP, YEAR; of one that has ended also how and on which day."
            raise refuse("--add-entry", f"{each!r} is no crop entry.", remedy)
        try:
            new = new.read(dates)
        except CellError as wrong:
            raise refuse("--add-entry", f"{wrong.cause}.", wrong.remedy) from None
        if new.day and int(new.day[:4]) not in (new.year, new.year + 1):
            cause = f"{each!r} ends on {new.day}, which is no day of the harvest of {new.year}."
            raise refuse("--add-entry", cause, "Correct the year or the day.")
        found[entry_name(unit, crop, new.year)] = new
    return found


def _read_map(path: Path) -> ColumnMap:
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
    from provender.records.folder import MAPS

    folder = book / MAPS
    paths = sorted(folder.glob("*.json")) if folder.is_dir() else []
    return {f"{MAPS}/{path.name}": _read_map(path) for path in paths}


def _kept_maps_used(plan: "ImportPlan", kept: Mapping[str, ColumnMap]) -> list[Problem]:
    """Tell of each kept map through which a file was read: a wrong one would be wrong for every file to come."""
    told = []
    for path, one in kept.items():
        if one in plan.maps:
            columns = ", ".join(f"{rule.heading} is {rule.field}" for rule in one.columns)
            cause = f"a file was read through this column map, which an earlier import saved: {columns}."
            remedy = "If that is wrong, correct the map or delete it, and import the file again with --replace."
            told.append(Problem(Place(path), cause, remedy, weight=Weight.NOTE, code="saved_map_used"))
    return told


def _write(plan: "ImportPlan", *, save_maps: bool, accept: bool) -> list[str]:
    from provender.formats.importing.plan import write_plan
    from provender.records.folder import MAPS

    kept: dict[str, bytes] = {}
    if save_maps:
        for one in plan.maps:
            name = re.sub(r"[^A-Za-z0-9]+", "-", one.name).strip("-").lower() or one.fingerprint
            saved = ColumnMap(**{**{key: getattr(one, key) for key in ColumnMap.__slots__}, "confirmed": accept})
            kept[f"{MAPS}/{name}.json"] = saved.to_text().encode()
    return write_plan(plan, kept)


def _needed(plan: "ImportPlan", day: date, *, dry_run: bool) -> "Needed | None":
    """Return what a season's book still lacks for a signed report, where a short workbook brought it."""
    from provender.formats.template_layout import BY_NAME
    from provender.services.farm.check import still_needed

    short = any(count.sheet.casefold() in BY_NAME for count in plan.counts)
    book = plan.book.folder
    return still_needed(book, day) if short and not dry_run and (book / "farm.csv").is_file() else None


def _data(
    plan: "ImportPlan", choices: "Choices", written: list[str], needed: "Needed | None", *, dry_run: bool
) -> dict[str, object]:
    from provender.formats.importing.questions import asked_of

    return {
        "book": str(plan.book.folder),
        "dry_run": dry_run,
        "tables": [asdict(count) for count in plan.counts],
        "written": written,
        "settled": [str(row.place) for row in plan.settled],
        "rejected": [encode(row) for row in plan.book.rejected],
        "column_maps": [asdict(one) for one in plan.maps],
        "to_confirm": [
            {"place": str(place), "row": place.row, "read": read_off} for place, read_off in plan.to_confirm
        ],
        "questions": [{"name": one.name, **asdict(one)} for one in asked_of(plan, choices)],
        "problems": [problem.as_json() for problem in plan.problems],
        **({"still_needed": list(needed.things)} if needed else {}),
    }


def _print(plan: "ImportPlan", choices: "Choices", needed: "Needed | None", *, dry_run: bool, notes: bool) -> None:
    from provender.formats.importing.questions import ASKED, asked_of, causes_first

    if any(count.rows for count in plan.counts):
        Console().print(_table(plan, dry_run=dry_run))
    console = Console(highlight=False, soft_wrap=True, markup=False)
    for place, read_off in plan.to_confirm:
        console.print(f"{place}: {read_off}")
    if plan.to_confirm:
        console.print(
            "Hold each row against the paper; then name those that are right: --rows 3,5-8, or --accept for all."
        )
    asked = [one for one in asked_of(plan, choices) if not one.settled]
    told = [one for one in causes_first(plan.problems) if one.code not in ASKED]
    print_problems([one for one in told if notes or one.weight is not Weight.NOTE])
    if asked:
        _print_questions(asked, console)
    if not notes and (left := sum(one.weight is Weight.NOTE for one in told)):
        console.print(
            "1 more note: see it with --notes." if left == 1 else f"{left} more notes: see them with --notes."
        )
    if plan.book.rejected:
        count = len(plan.book.rejected)
        out = "1 row stays out: correct it" if count == 1 else f"{count} rows stay out: correct them"
        console.print(f"{out} in the file and import the file again, or see `provender rejects list BOOK`.")
    for row in plan.settled:
        console.print(f"Settled: {row.place}.")
    if dry_run:
        console.print("Nothing was written.")
    if needed:
        _print_needed(console, plan.book.folder, needed)


def _print_needed(console: Console, book: Path, needed: "Needed") -> None:
    of = f"signed reports of {needed.year}" if needed.year else "a signed report"
    if not needed.things:
        console.print(f"Nothing is missing for {of}: `provender report {book} --out FOLDER --key KEY` signs them.")
        return
    console.print(f"Still needed for {of} (`provender check {book}` has the whole working):")
    for thing in needed.things:
        console.print(f"- {thing}")


def _print_questions(asked: "list[Question]", out: Console) -> None:
    """Print what is asked, each with its answers and how to give one; all sheets of columns are one question."""
    from provender.formats.columns import target

    sheets = [one for one in asked if one.about == "columns"]
    others = [one for one in asked if one not in sheets]
    count = len(others) + bool(sheets)
    out.print("One question:" if count == 1 else f"{count} questions:", highlight=False)
    if sheets:
        out.print("1. Is each column what it was taken for?", highlight=False)
        for one in sheets:
            meant = [f"{each.heading} = {target(one.target).called(each.field)}" for each in one.columns if each.field]
            said = f"   {', '.join(filter(None, one.subject.split('|')))}: {listed(meant, _COLUMNS)}."
            out.print(said, highlight=False, soft_wrap=True, markup=False)
        out.print(f"   Say it with {_OWN_WAY['columns']}", highlight=False, soft_wrap=True, markup=False)
    for number, one in enumerate(others, 1 + bool(sheets)):
        rows = "1 row" if one.rows == 1 else f"{one.rows} rows"
        such = f", such as {one.example}" if one.example else ""
        out.print(f"{number}. {one.says} ({rows}{such})")
        shown = [label if label == value else f"{value} ({label})" for value, label in one.options]
        if one.guess in dict(one.options):
            out.print(f"   Probably {one.guess}.")
        elif one.about not in _OWN_WAY:
            out.print(f"   {listed(shown, _OPTIONS)}")
        said = f"{one.name}={one.guess or 'ANSWER'}"
        out.print(f"   Say it with {_OWN_WAY.get(one.about, f'--answer {quote(said)}')}")


def _table(plan: "ImportPlan", *, dry_run: bool) -> Table:
    from provender.records.kind import KINDS

    title = "What would be imported" if dry_run else "What was imported"
    table = Table(title=title, title_justify="left", box=None)
    for heading in ("File", "Kind of record"):
        table.add_column(heading, overflow="fold")
    shown = [fate for fate in _FATES if any(getattr(count, fate) for count in plan.counts)]
    for heading in ("rows", *shown):
        table.add_column(heading, justify="right")
    sums: dict[tuple[str, str], Counter[str]] = {}
    for count in (one for one in plan.counts if one.rows):
        sums.setdefault((count.file, count.kind), Counter()).update(
            {one: getattr(count, one) for one in ("rows", *shown)}
        )
    for (file, kind), fates in sums.items():
        label = KINDS[kind].label if kind in KINDS else "not known"
        table.add_row(file, label, *(str(fates[one] or "") for one in ("rows", *shown)))
    return table


# ``provender rejects``: the rows of a book that no import could take, listed, corrected and dismissed.

rejects_app = typer.Typer(rich_markup_mode=None, add_completion=False, no_args_is_help=True)

Book = Annotated[Path, typer.Argument(metavar="BOOK", help="The record book.")]
Number = Annotated[int, typer.Argument(metavar="NUMBER", help="The row's number, as `list` shows it.")]
Numbers = Annotated[list[int] | None, typer.Argument(metavar="[NUMBER...]", help="Rows; all of them without it.")]


@rejects_app.command(name="list")
def list_rejects(book: Book, json: output.Json = False) -> None:
    """List every row that stayed out, with where it came from and why. Exit status 1 when there are any."""
    rows = [
        {"number": number, "kind": row.kind, "from": str(row.place), "why": row.why, "cells": dict(row.cells)}
        for number, row in enumerate(_book(book).rejected, 1)
    ]
    if json:
        output.print_json(rows)
    elif not rows:
        Console().print("No row of this book stays out.", highlight=False)
    else:
        table = Table(title="Rows that stay out", title_justify="left", box=None)
        for heading in ("Number", "From", "Why", "Cells"):
            table.add_column(heading, justify="right" if heading == "Number" else "left")
        for row in rows:
            cells = ", ".join(f"{name}={text}" for name, text in row["cells"].items() if text)  # type: ignore[attr-defined]  # a mapping of texts
            table.add_row(str(row["number"]), str(row["from"]), str(row["why"]), cells)
        output.print_whole(table)
    raise typer.Exit(output.SOMETHING_TO_LOOK_AT if rows else output.ALL_WELL)


@rejects_app.command()
def mend(
    book: Book,
    number: Number,
    cells: Annotated[
        list[str], typer.Option("--set", metavar="COLUMN=TEXT", help="What the cell should say; once for each cell.")
    ],
    as_of: output.AsOf = None,
) -> None:
    """Correct cells of one row and bring it into the book; it stays out while it is still wrong."""
    from provender.formats.importing.incoming_files import Choices
    from provender.formats.importing.plan import plan_import, write_plan

    into, day = _book(book), as_of or output.today()
    (row,) = _numbered(into, [number])
    if not row.kind or not row.cells:
        raise refuse(str(number), "Nobody can tell what this row is.", "Import its file again with --kind.")
    said = dict(_cell(each, row) for each in cells)
    others = [
        one  # of a file of the same name
        for one in into.rejected
        if (one.place, one.kind) == (row.place, row.kind) and one is not row
    ]
    into.rejected = [one for one in into.rejected if one not in others]
    limit = rule_version(day).boundary_difference_pct_max
    choices = Choices(as_of=day, boundary_limit_pct=limit, accept=True, corrected={str(row.place): said})
    plan = plan_import([], into, choices)
    into.rejected += others
    write_plan(plan)
    output.print_problems(plan.problems)
    left = sum(count.rejected for count in plan.counts)
    said_of = "The row still stays out." if left else f"The row of {row.place} is in the book."
    Console().print(said_of, highlight=False, soft_wrap=True)
    raise typer.Exit(output.SOMETHING_TO_LOOK_AT if left else output.ALL_WELL)


@rejects_app.command()
def dismiss(book: Book, numbers: Numbers = None) -> None:
    """Say that rows are not to count: they go, and what rests on them is judged without them."""
    from provender.formats.importing.plan import ImportPlan, write_plan

    into = _book(book)
    gone = _numbered(into, numbers or range(1, len(into.rejected) + 1))
    into.rejected = [row for row in into.rejected if row not in gone]
    kept = len(into.rejected)
    write_plan(ImportPlan(into))
    Console().print(f"{len(gone)} rows do not count; {kept} stay out.", highlight=False)


def _book(book: Path) -> "ImportBook":
    from provender.formats.importing.import_book import ImportBook

    if not (book / "farm.csv").is_file():
        raise refuse(str(book), "No record book is here: there is no farm.csv.", "Name the folder of the book.")
    return ImportBook.in_folder(book)


def _numbered(book: "ImportBook", numbers: "range | list[int]") -> "list[RejectedRow]":
    unknown = [number for number in numbers if not 1 <= number <= len(book.rejected)]
    if unknown:
        raise refuse(str(unknown[0]), "There is no row of this number.", "See `provender rejects list BOOK`.")
    return [book.rejected[number - 1] for number in numbers]


def _cell(text: str, row: "RejectedRow") -> tuple[str, str]:
    from provender.records.kind import KINDS
    from provender.records.reading import column_names

    name, equals, value = text.partition("=")
    column = column_names(KINDS[row.kind]).get(name.strip().casefold())
    if not equals or column is None:
        columns = ", ".join(KINDS[row.kind].typed_fields)
        raise refuse("--set", f"{text!r} names no column of this row.", f"Its columns: {columns}.")
    return column, value.strip()


@contextmanager
def reading(console: Console | None = None) -> Iterator[BatchReader]:
    """Yield what reads files for an import and says on stderr which one, and how long it has taken so far."""
    out = console or Console(stderr=True)
    columns = TextColumn("{task.description}", markup=False), TimeElapsedColumn()
    with Progress(*columns, console=out, transient=True, disable=not out.is_terminal) as shown:
        line = shown.add_task("Looking at the files")

        def tell(_reader: str, name: str, together: int) -> None:
            words = f"Reading {name}" if together < 2 else f"Reading {together} files, {name} first"  # noqa: PLR2004
            shown.update(line, description=words, refresh=True)

        yield BatchReader(tell=tell)
