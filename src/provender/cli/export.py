"""``provender export``: a period's signed statement, or a record book, as others' systems read it."""

import json
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from provender.cli import output
from provender.problem import Place, Problem, ProblemsError, Weight, refuse
from provender.whole_file import write_whole

if TYPE_CHECKING:
    from provender.records.kind import Kind


app = typer.Typer(rich_markup_mode=None, add_completion=False)


class View(StrEnum):
    """What it becomes."""

    EPCIS = "epcis"
    """A closed period as EPCIS events."""
    ADAPT = "adapt"
    """A record book as a data set of the ADAPT Standard."""


@app.command()
def export(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The signed statement of a period; or a record book.")],
    view: Annotated[View, typer.Option("--as", help="What it becomes.")],
    out: Annotated[Path, typer.Option("--out", help="The file to write, .json; for adapt .zip.")],
    book: Annotated[Path | None, typer.Option(help="For epcis: the book whose period it is, .jsonl.")] = None,
    terms: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Where you serve terms.jsonld; written out without it.")
    ] = "",
    as_of: output.AsOf = None,
) -> None:
    """Show a period's signed statement, or a record book, as others' systems read it.

    A statement becomes EPCIS 2.0 events that carry its hash; the statement governs. A record book becomes a data set
    of the ADAPT Standard 2.0.2, which `provender import` reads.
    """
    if view is View.ADAPT:
        _data_set(file, out)
        return
    try:
        made = _events(output.read_document(file), book, as_of, terms)
        output.write_new(out, f"{json.dumps(made, indent=1, ensure_ascii=False)}\n".encode())
    except ProblemsError as refused:
        raise output.stop(refused, as_json=False) from None
    Console().print(f"Written: {out}. The signed original governs.", markup=False, highlight=False, soft_wrap=True)


def _events(envelope: dict[str, Any], book: Path | None, as_of: output.AsOf, terms: str) -> dict[str, Any]:
    from provender.custody.book_file import open_book
    from provender.custody.documents.epcis import view_of_signed

    if book is None:
        raise refuse("--book", "A period's events come out of its book.", "Give the book, such as coop.jsonl.")
    with open_book(book) as opened:
        return view_of_signed(opened.store, opened.store.events(), envelope, as_of=as_of or output.today(), terms=terms)


def _data_set(folder: Path, out: Path) -> None:
    """Write a book as a data set, and say row by row what stays behind."""
    from provender.formats.adapt_out import data_set, packed
    from provender.formats.importing.foreign import outlines_of
    from provender.formats.importing.incoming_files import Choices
    from provender.records.folder import load_book

    book = load_book(folder)
    try:
        made = data_set(book, outlines_of(book, Choices(as_of=output.today())))
        output.write_new(out, packed(made.files))
    except ProblemsError as refused:
        raise output.stop(refused, as_json=False) from None
    console = Console()
    output.print_problems(made.left, console)
    console.print(f"Written: {out}.", markup=False, highlight=False, soft_wrap=True)
    if lost := len(book.incomplete_rows):
        said = f"{lost} rows of the book cannot be read and are not in it; `provender check` names them."
        console.print(said, markup=False, highlight=False, soft_wrap=True)
    if lost or any(each.weight is not Weight.NOTE for each in made.left):
        raise typer.Exit(output.SOMETHING_TO_LOOK_AT)


# ``provender template``: a workbook to fill in, a new record book, and what each kind of record asks for.

template_app = typer.Typer(rich_markup_mode=None, add_completion=False)


@template_app.command()
def template(
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE.xlsx", help="Write the workbook here.")] = None,
    short: Annotated[
        bool, typer.Option("--short", help="With --out: the short workbook, a season in eight sheets, many farms too.")
    ] = False,
    book: Annotated[Path | None, typer.Option("--book", metavar="FOLDER", help="Begin a record book here.")] = None,
    farm_id: Annotated[str, typer.Option("--farm-id", help="The farm's identifier, for --book.")] = "",
    name: Annotated[str, typer.Option("--name", help="The farm's name, for --book.")] = "",
    county: Annotated[str, typer.Option("--county", help="The farm's county, for --book.")] = "",
    county_fips: Annotated[str, typer.Option("--county-fips", help="Its five-digit code, for --book.")] = "",
    state: Annotated[str, typer.Option("--state", help="Two letters, for --book.")] = "",
    listing: Annotated[bool, typer.Option("--list", help="List all kinds of record.")] = False,
    kind: Annotated[str, typer.Option("--kind", help="Show one kind's columns; with --json, its JSON Schema.")] = "",
    as_of: output.AsOf = None,
    json: output.Json = False,
) -> None:
    """Write a workbook to fill in, begin a record book, or show what each kind of record asks for."""
    from provender.formats.template import short_workbook, template_workbook

    if out is None and book is None and not listing and not kind:
        typer.echo("Say what to make: --out FILE.xlsx, --book FOLDER, --list or --kind NAME.", err=True)
        raise typer.Exit(output.WRONGLY_CALLED)
    made: dict[str, str] = {}
    if out is not None:
        day = as_of or output.today()
        output.write_new(out, short_workbook(as_of=day) if short else template_workbook(as_of=day))
        made["workbook"] = str(out)
    if book is not None:
        cells = {"farm_id": farm_id, "name": name, "county_fips": county_fips, "county": county, "state": state}
        _begin_book(book, cells)
        made["book"] = str(book)
    console = Console()
    if kind:
        _show_kind(console, output.kind_of(kind), json=json)
    elif listing:
        _show_list(console, json=json)
    elif json:
        output.print_json(made)
    else:
        for what, where in made.items():
            console.print(f"Wrote the {what} {where}.", highlight=False, soft_wrap=True)
    raise typer.Exit(output.ALL_WELL)


def _begin_book(folder: Path, farm: dict[str, str]) -> None:
    """Write the empty files of a new book, with one farm in ``farm.csv``; the folder is left alone if it holds a book.

    Raises:
        ProblemsError: there is a book already, or the farm's identifier or name is missing or not well formed.
    """
    from provender.records.folder import headings, load_book, write_csv
    from provender.records.kind import KINDS

    place = Place(str(folder))
    if (folder / "farm.csv").exists():
        raise ProblemsError([Problem(place, "A record book is here already.", "Choose another folder.")])
    missing = [f"--{column.replace('_', '-')}" for column in ("farm_id", "name") if not farm[column].strip()]
    if missing:
        cause = f"A new book needs to know its farm: {' and '.join(missing)}."
        raise ProblemsError([Problem(place, cause, "For example --farm-id F1 --name 'Bluestem Farm'.")])
    fields = KINDS["farm"].typed_fields
    folder.mkdir(parents=True, exist_ok=True)
    for file, text in headings(KINDS.values()).items():
        if not (folder / file).exists():
            write_whole(folder / file, text.encode())
    row = [farm.get(column, "") for column in fields]
    write_whole(folder / "farm.csv", write_csv([list(fields), row]).encode())
    problems = [problem for problem in load_book(folder).problems if problem.place.file == "farm.csv"]
    if problems:
        (folder / "farm.csv").unlink()
        raise ProblemsError(problems)


def _show_list(console: Console, *, json: bool) -> None:
    from provender.records.kind import KINDS

    if json:
        output.print_json([_kind_data(kind) for kind in KINDS.values()])
        return
    table = Table(title="Kinds of record", title_justify="left", box=None)
    for heading in ("Kind", "What it holds", "7 CFR"):
        table.add_column(heading, no_wrap=heading != "What it holds")
    for kind in KINDS.values():
        table.add_row(kind.name, f"{kind.label}: {kind.help}", kind.cite)
    console.print(table)


def _kind_data(kind: "Kind") -> dict[str, Any]:
    from provender.formats.template_layout import sheet_name

    return {
        "kind": kind.name, "label": kind.label, "sheet": sheet_name(kind), "help": kind.help, "cite": kind.cite,
        "key": list(kind.key_columns), "columns": list(kind.typed_fields),
    }  # fmt: skip


def _show_kind(console: Console, kind: "Kind", *, json: bool) -> None:
    from provender.formats.template import columns_of, expected
    from provender.records.kind import record_schema

    if json:
        output.print_json(record_schema(kind))
        return
    table = Table(title=f"{kind.label}: {kind.help} ({kind.cite})", title_justify="left", box=None)
    for heading in ("Column", "Holds", "What to enter", "7 CFR"):
        table.add_column(heading, no_wrap=heading in ("Column", "7 CFR"), overflow="fold")
    for name, field in columns_of(kind):
        more = f" From {field.refers}." if field.refers else ""
        choices = f" One of: {', '.join(field.options)}." if field.options else ""
        table.add_row(name, expected(field), f"{field.label}. {field.help}{more}{choices}", field.cite)
    console.print(table)
