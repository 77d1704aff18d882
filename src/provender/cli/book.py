"""What the verbs on one record book show: evidence, deliveries, growing crops, corrections, the report."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from rich.console import Console

from provender.cli import output
from provender.cli.output import console
from provender.exact import parse, show
from provender.intensity import OFFICIAL
from provender.problem import ProblemsError, refuse

if TYPE_CHECKING:
    from provender.paper.tables import Table
    from provender.services.farm.growing import GrowingAsk, GrowingCrop
    from provender.services.reports.change_report import Removal


evidence_app = typer.Typer(rich_markup_mode=None, add_completion=False)


@evidence_app.command()
def evidence(
    book: output.Book,
    record: Annotated[
        bool, typer.Option("--record", help="Write the SHA-256 of files that have none on record into evidence.csv.")
    ] = False,
    json: output.Json = False,
) -> None:
    """List the evidence of a record book: which files are there and hold what was recorded (2100.030(d)).

    A hash on record is never written over: a file that was changed stays told. Exit status 1 when a file is missing,
    changed or without a hash.
    """
    from rich.table import Table

    from provender.report.supporting import evidence_index, record_hashes

    written = record_hashes(book) if record else 0
    rows, problems = evidence_index(book)
    if json:
        output.print_json({"recorded": written, "evidence": rows, "problems": [one.as_json() for one in problems]})
    else:
        table = Table("evidence", "file", "what it is", "standing")
        for row in rows:
            what = str(row["what"]).replace("_", " ")
            table.add_row(row["evidence_id"], row["file"], what, row["standing"] or "there, unchanged")
        output.print_whole(table)
        output.print_problems(problems)
    well = not problems and all(row["standing"] is None for row in rows)
    raise typer.Exit(output.ALL_WELL if well else output.SOMETHING_TO_LOOK_AT)


# ``provender deliver``: who is to have the report, and the recording of a delivery (2100.031(c)).

deliver_app = typer.Typer(rich_markup_mode=None, add_completion=False)


@deliver_app.command()
def deliver(
    book: output.Book,
    buyer: Annotated[str, typer.Option("--to", metavar="BUYER", help="Record that this buyer was given it.")] = "",
    how: Annotated[str, typer.Option(help="in_person, by_post, by_email or by_link.")] = "in_person",
    evidence: Annotated[str, typer.Option(help="Id of the receipt among the evidence, if there is one.")] = "",
    as_of: output.AsOf = None,
    as_json: output.Json = False,
) -> None:
    """List to whom the report was given; with --to, record that a buyer has it from the day of --as-of.

    Exit status 1 while a buyer of reduced-CI crop has none on file.
    """
    from provender.paper.tables import table_of
    from provender.records.kinds.quantification import HANDED
    from provender.report.versions import Delivery, deliveries_of, record_delivery
    from provender.schema import write

    try:
        if how not in HANDED:
            raise refuse("how", f"{how!r} is no way to give a report.", f"Write one of {', '.join(HANDED)}.")
        if buyer:
            record_delivery(book, buyer, how, as_of or output.today(), evidence=evidence)
        every = deliveries_of(book)
    except ProblemsError as refused:
        raise output.stop(refused, as_json=as_json) from None
    if as_json:
        output.print_json({"deliveries": [write(one, whole=True) for one in every]})
    else:
        shown = ("farm", "crop", "harvest_year", "buyer", "sold_on", "given_on", "how")
        output.print_table(console(), table_of(Delivery, every, name="deliveries", only=shown))
    raise typer.Exit(output.ALL_WELL if all(one.given_on for one in every) else output.SOMETHING_TO_LOOK_AT)


# ``provender growing``: the crops of a record book that are not harvested yet, and what each asks for.

growing_app = typer.Typer(rich_markup_mode=None, add_completion=False)


@growing_app.command()
def growing(
    book: output.Book,
    unit: Annotated[str, typer.Option("--unit", help="Only this management unit.")] = "",
    csv: output.Csv = None,
    xlsx: output.Xlsx = None,
    as_of: output.AsOf = None,
    json: output.Json = False,
) -> None:
    """List the crops that are not harvested yet and the records that each asks for: now, by a day, or later.

    No verdict and no report waits for any of it. Exit status 1 when something is asked for now or by a day.
    """
    from provender.schema import write

    day = as_of or output.today()
    with output.services():
        from provender.database.actor import on_day
        from provender.services.farm.edits import FolderBook
        from provender.services.farm.growing import growing_views

        with on_day(day):
            found = [one for one in growing_views(FolderBook.at(book)) if unit in ("", one.unit_id)]
        tables = [_crops(found), _asks(found)]
        if json:
            output.print_json({"as_of": day.isoformat(), "growing": [write(one, whole=True) for one in found]})
        elif found:
            for table in tables:
                output.print_table(console(), table)
        else:
            console().print("No crop is growing: every crop entry is harvested or given up.", markup=False)
    output.save(tables, csv=csv, xlsx=xlsx, title="Growing crops", as_of=day)
    asked = any(one.asks or one.unsaid or one.wrong for one in found)
    raise typer.Exit(output.SOMETHING_TO_LOOK_AT if asked else output.ALL_WELL)


def _crops(found: "Sequence[GrowingCrop]") -> "Table":
    from provender.paper.tables import Cell, Table, heads

    columns = heads("Field", "Crop", "Crop entry", "How its practices stand so far")
    rows: list[list[Cell | str]] = [
        [one.unit_id, one.name, one.harvest_id, "; ".join(_practice_lines(one))] for one in found
    ]  # fmt: skip
    return Table("growing crops", columns, rows)


def _practice_lines(one: "GrowingCrop") -> Iterator[str]:
    for each in one.practices:
        stands = each.standing.replace("_", " ")
        yield f"{each.label}: {stands} ({each.against})" if each.against else f"{each.label}: {stands}"
    if one.unsaid:
        yield "nothing is said of what it claims"


def _asks(found: "Sequence[GrowingCrop]") -> "Table":
    from provender.paper.tables import Cell, Table, heads

    columns = heads("Field", "Crop", "By", "What to do", "Row", "Why", "7 CFR")  # fmt: skip
    rows: list[list[Cell | str]] = [
        [one.unit_id, one.name, _by(ask), ask.words, _row(ask), ask.why, ask.cite]
        for one in found for ask in (*one.asks, *one.later)
    ]  # fmt: skip
    return Table("what they ask for", columns, rows)


def _row(ask: "GrowingAsk") -> str:
    from provender.records.kind import KINDS
    from provender.services.farm.book import called_in_file

    return called_in_file(KINDS[ask.kind], ask.row) if ask.row else ""


def _by(ask: "GrowingAsk") -> str:
    parts = [str(ask.day)] if ask.day else []
    return ", ".join([*parts, ask.until] if ask.until else parts) or str(ask.when)


# ``provender preview``: what the correction of a row of a record book would change, before anybody saves it.

preview_app = typer.Typer(rich_markup_mode=None, add_completion=False)
NOTHING: Final = "No verdict and no carbon intensity changes, and no row names it."


@preview_app.command()
def preview(
    book: output.Book,
    kind: Annotated[str, typer.Argument(help="Kind of record, such as operation.")],
    key: Annotated[str, typer.Argument(help="The row, such as N40-01.")],
    texts: Annotated[list[str] | None, typer.Argument(metavar="[COLUMN=TEXT]...", help="What it would say.")] = None,
    remove: Annotated[bool, typer.Option("--remove", help="The row would be taken out.")] = False,
    as_of: output.AsOf = None,
    json: output.Json = False,
) -> None:
    """Say which verdicts and carbon intensities would change with a row, before and after; nothing is written.

    Exit status 1 when something that is shown today would say something else. Signed reports lie elsewhere: `provender
    report --amends` tells what changed since one.
    """
    from provender.schema import write

    typed = dict(_typed(one) for one in texts or ())
    if bool(typed) is remove:
        raise typer.BadParameter("say what the row would say, as COLUMN=TEXT, or --remove.")
    with output.services():
        from provender.database.actor import on_day
        from provender.services.farm.edits import FolderBook, edit_of, kind_called
        from provender.services.reports.change_report import preview_of

        with on_day(as_of or output.today()):
            farm = FolderBook.at(book)
            found = preview_of(farm, [edit_of(farm, kind_called(kind), key, None if remove else typed)])
        would = found.would_change
        if json:
            output.print_json({"asks_first": found.asks_first, "would_change": write(would, whole=True)})
        for table in () if json else _tables(would):
            output.print_table(console(), table)
        if would.is_nothing and not json:
            console().print(NOTHING, markup=False)
    raise typer.Exit(output.SOMETHING_TO_LOOK_AT if found.asks_first else output.ALL_WELL)


def _typed(text: str) -> tuple[str, str]:
    name, equals, said = text.partition("=")
    if not equals:
        raise typer.BadParameter(f"{text!r} is not COLUMN=TEXT, such as bushels=7300.")
    return name, said


def _tables(would: "Removal") -> "Iterator[Table]":
    """Yield what would change as tables, each where it has something to show."""
    from provender.paper.tables import table_of
    from provender.services.reports import change_report

    for cls, rows, caption in (
        (change_report.FallenVerdict, would.verdicts, "Practices judged otherwise"),
        (change_report.IntensityChange, would.intensities, "Carbon intensity, g CO2e/bu"),
        (change_report.Orphans, would.orphans, "Rows that name it"),
    ):
        if rows:
            yield table_of(cls, rows, name=caption, caption=caption)


# ``provender report``: the Biofuel Feedstock Report of a crop and harvest year, as PDF and JSON, signed or not.

report_app = typer.Typer(rich_markup_mode=None, add_completion=False)


@report_app.command()
def report(
    book: output.Book,
    out: Annotated[Path, typer.Option("--out", help="Folder for the PDF and the JSON.")],
    crop: output.OneCrop = None,
    year: output.Year = None,
    calculator: output.Calculator = OFFICIAL,
    calculators: output.Calculators = None,
    key: Annotated[Path | None, typer.Option("--key", help="Sign with this key (`provender keys new`).")] = None,
    passphrase_file: output.PassphraseFile = None,
    amends: Annotated[
        Path | None, typer.Option("--amends", help="The earlier report (JSON) that this one replaces.")
    ] = None,
    under: Annotated[
        str,
        typer.Option("--under", metavar="TEXT", help="Sign a later harvest under this text, such as interim-2025."),
    ] = "",
    as_of: output.AsOf = None,
    json: output.Json = False,
) -> None:
    """Make the report of each crop and harvest year; with --key the farm producer signs it.

    A report that may not be signed is still written, marked ESTIMATE, PRELIMINARY or DRAFT on every page and in its
    file name; the reasons are printed. Exit status 1 when a report could not be official.
    """
    from provender.services.farm.check import judged, quantified
    from provender.services.reports.on_disk import ReportTask

    day = as_of or output.today()
    if day > output.today():
        raise refuse(
            "--as-of", f"{day} is in the future.", "A report bears the day on which it is made.", cite="2100.031"
        )
    from provender.cli.keys import open_key

    signer = None if key is None else open_key(key, passphrase_file)
    assessment = judged(book)
    chosen = quantified(assessment, crop, year, calculator, calculators)
    if amends is not None and len(chosen) != 1:
        raise refuse(str(amends), "One report replaces one.", "Name the crop and year with --crop and --year.")
    task = ReportTask(assessment, day, out, signer, amends, under)
    written = [task.write(one) for one in chosen]
    if json:
        output.print_json({"as_of": day.isoformat(), "reports": written})
    else:
        for one in written:
            _print_reports(Console(), one)
    raise typer.Exit(
        output.SOMETHING_TO_LOOK_AT if any(one["not_official_because"] for one in written) else output.ALL_WELL
    )


def _print_reports(console: Console, one: dict[str, Any]) -> None:
    bushels = "bushels not all recorded" if one["total_bushels"] is None else f"{_amount(one['total_bushels'])} bu"
    ci = "no farm CI" if one["farm_ci_g_per_bu"] is None else f"{one['farm_ci_g_per_bu']} g CO2e/bu"
    key = f"{one['crop']} {one['harvest_year']}, farm {one['farm_id']}"
    lines = [
        *([f"{key}: {one['rule_state']}"] if one["rule_state"] else []),
        f"{key}: {one['state']}, version {one['version']}, {bushels}, {ci}",
        f"  {one['pdf']}",
        f"  {one['json']}",
        *(f"  changed: {text}" for text in one["changes"]),
        *(f"  not official: {p['cause']} [7 CFR {p['cite']}] {p['remedy']}" for p in one["not_official_because"]),
    ]
    for line in lines:
        console.print(line, markup=False, highlight=False, soft_wrap=True)


def _amount(text: str) -> str:
    return show(parse(text), group=True)
