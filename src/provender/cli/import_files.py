"""``provender import``: workbooks, CSV, boundaries, photographs, yield logs and soil tests into a record book."""

import re
import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict
from dataclasses import replace as replaced
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.console import Console
from rich.table import Table

from provender.cli.output import ALL_WELL, SOMETHING_TO_LOOK_AT, AsOf, Json, print_json, print_problems, today
from provender.formats.column_map import ColumnMap
from provender.problem import Place, Problem, Weight, refuse
from provender.rule.law import rule_version
from provender.schema import read

if TYPE_CHECKING:
    from provender.formats.importing.entries_asked import NewEntry
    from provender.formats.importing.incoming_files import Choices
    from provender.formats.importing.prepare import Plan
    from provender.services.reports.needed import Needed

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
        new_entries=_new_entries(add_entry or [], dates),
        harvest_year=year,
        boundary_limit_pct=rule_version(day).boundary_difference_pct_max,
    )
    plan = _prepared(files, into, choices)
    plan.problems += _kept_maps_used(plan, kept)
    written = [] if dry_run else _write(plan, save_maps=save_map, accept=accept)
    show = _print_data if json else _print
    show(plan, written, _needed(plan, day, dry_run=dry_run), dry_run=dry_run)
    raise typer.Exit(SOMETHING_TO_LOOK_AT if waits_or_fails(plan, accepted=accept) else ALL_WELL)


def _prepared(files: Files, into: Into, choices: "Choices") -> "Plan":
    """Read the files and look at their rows, while a terminal names the file at work."""
    from provender.cli.tables import reading
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
    from provender.catalog.names import lookup_name
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


def _new_entries(given: list[str], dates: str) -> "dict[str, NewEntry]":
    """Read ``--add-entry "N40, corn, 2026"`` and ``--add-entry "N40, corn, 2025, harvested, 2025-10-02"``."""
    from provender.catalog.plants import farm_crop
    from provender.formats.importing.entries_asked import NewEntry, entry_name
    from provender.records.harvest_years import NOT_YET
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


def _needed(plan: "Plan", day: date, *, dry_run: bool) -> "Needed | None":
    """Return what a season's book still lacks for a signed report, where a short workbook brought it."""
    from provender.formats.short_layout import BY_NAME
    from provender.services.reports.needed import still_needed

    short = any(count.sheet.casefold() in BY_NAME for count in plan.counts)
    return still_needed(plan.folder, day) if short and not dry_run and (plan.folder / "farm.csv").is_file() else None


def _data(plan: "Plan", written: list[str], needed: "Needed | None", *, dry_run: bool) -> dict[str, object]:
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
        **({"still_needed": list(needed.things)} if needed else {}),
    }


def _print_data(plan: "Plan", written: list[str], needed: "Needed | None", *, dry_run: bool) -> None:
    print_json(_data(plan, written, needed, dry_run=dry_run))


def _print(plan: "Plan", written: list[str], needed: "Needed | None", *, dry_run: bool) -> None:
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
    if needed:
        _print_needed(console, plan.folder, needed)


def _print_needed(console: Console, book: Path, needed: "Needed") -> None:
    of = f"signed reports of {needed.year}" if needed.year else "a signed report"
    if not needed.things:
        text = f"Nothing is missing for {of}: `provender report {book} --out FOLDER --key KEY` signs them."
        console.print(text, highlight=False, soft_wrap=True, markup=False)
        return
    console.print(
        f"Still needed for {of} (`provender check {book}` has the whole working):", highlight=False, soft_wrap=True
    )
    for thing in needed.things:
        console.print(f"- {thing}", highlight=False, soft_wrap=True, markup=False)


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
