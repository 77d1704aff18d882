"""``provender report``: the Biofuel Feedstock Report of a crop and harvest year, as PDF and JSON, signed or not."""

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from provender.cli import output
from provender.cli.keys import PassphraseFile, open_key
from provender.exact import parse, show
from provender.intensity.calculator import OFFICIAL
from provender.problem import refuse

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def report(
    book: output.Book,
    out: Annotated[Path, typer.Option("--out", help="Folder for the PDF and the JSON.")],
    crop: output.OneCrop = None,
    year: output.Year = None,
    calculator: output.Calculator = OFFICIAL,
    calculators: output.Calculators = None,
    key: Annotated[Path | None, typer.Option("--key", help="Sign with this key (`provender keys new`).")] = None,
    passphrase_file: PassphraseFile = None,
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
            _print(Console(), one)
    raise typer.Exit(
        output.SOMETHING_TO_LOOK_AT if any(one["not_official_because"] for one in written) else output.ALL_WELL
    )


def _print(console: Console, one: dict[str, Any]) -> None:
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
