"""``provender check``: which practice standards each unit meets, with paragraph, working and what is missing."""

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from provender.cli.output import ALL_WELL, SOMETHING_TO_LOOK_AT, AsOf, Json, print_json, print_problems
from provender.practices.assess import Assessment, assess
from provender.practices.explain import IntervalVerdict, PracticeVerdict
from provender.practices.verdict import Verdict
from provender.problem import Weight
from provender.records.folder import load_book

app = typer.Typer(rich_markup_mode=None, add_completion=False)

MARKS = {Verdict.MET: "met", Verdict.NOT_MET: "NOT MET", Verdict.NOT_SHOWN: "not shown"}
STYLES = {Verdict.MET: "green", Verdict.NOT_MET: "red", Verdict.NOT_SHOWN: "yellow"}


@app.command()
def check(
    book: Annotated[Path, typer.Argument(metavar="BOOK", help="A record book folder.")],
    unit: Annotated[str, typer.Option("--unit", help="Only this management unit, with its whole working.")] = "",
    year: Annotated[int, typer.Option("--year", help="Only this harvest year.")] = 0,
    as_of: AsOf = None,
    json: Json = False,
) -> None:
    """Judge every practice standard on every unit of a record book.

    Exit status 0 when every practice that a unit's crop may claim is met and nothing is wrong with the records.
    """
    assessment = assess(load_book(book))
    chosen = tuple(one for one in assessment.intervals if unit in ("", one.unit_id) and year in (0, one.harvest_year))
    if json:
        print_json(as_data(assessment, chosen, as_of.isoformat() if as_of else None))
    else:
        _print(Console(), assessment, chosen, whole=bool(unit))
    raise typer.Exit(_status(assessment, chosen))


def _status(assessment: Assessment, chosen: tuple[IntervalVerdict, ...]) -> int:
    unmet = any(p.implementation is not Verdict.MET for one in chosen for p in one.practices if p.claimable)
    wrong = any(problem.weight is not Weight.NOTE for problem in assessment.problems)
    return SOMETHING_TO_LOOK_AT if unmet or wrong or not chosen else ALL_WELL


def as_data(assessment: Assessment, chosen: tuple[IntervalVerdict, ...], as_of: str | None) -> dict[str, Any]:
    """Return the verdicts as JSON data."""
    return {
        "as_of": as_of,
        "intervals": [
            {
                "farm_id": one.farm_id,
                "unit_id": one.unit_id,
                "harvest_id": one.harvest_id,
                "crop": str(one.crop),
                "harvest_year": one.harvest_year,
                "rule": one.rule.id,
                "warning": one.rule.warning,
                "practices": {str(p.practice): _practice(p) for p in one.practices},
            }
            for one in chosen
        ],
        "problems": [problem.as_json() for problem in assessment.problems],
    }


def _practice(found: PracticeVerdict) -> dict[str, Any]:
    return {
        "claimable": found.claimable,
        "implementation": str(found.implementation),
        "records": str(found.records),
        "missing": list(found.missing) if found.claimable else [],
        "requirements": {
            one.requirement: {
                "cite": one.cite, "part": str(one.part), "verdict": str(one.verdict), "observed": one.observed,
                "limit": one.limit, "gap": one.gap, "missing": list(one.missing),
            }
            for one in found.findings
        },
    }  # fmt: skip


def _print(console: Console, assessment: Assessment, chosen: tuple[IntervalVerdict, ...], *, whole: bool) -> None:
    table = Table(title="Practice standards by management unit", title_justify="left")
    for heading in ("Unit", "Crop", "Year"):
        table.add_column(heading, no_wrap=True)
    labels = [p.practice.label for p in chosen[0].practices] if chosen else []
    for label in labels:
        table.add_column(label, justify="center")
    for one in chosen:
        table.add_row(one.unit_id, one.crop.label, str(one.harvest_year), *(_cell(p) for p in one.practices))
    console.print(table)
    if any(one.rule.warning for one in chosen):
        console.print(f"Note: {next(one.rule.warning for one in chosen if one.rule.warning)}.")
    for one in chosen:
        _print_gaps(console, one, whole=whole)
    print_problems(assessment.problems)


def _cell(found: PracticeVerdict) -> str:
    if not found.claimable:
        return "-"
    mark = MARKS[found.implementation]
    records = "" if found.implementation is not Verdict.MET or found.records is Verdict.MET else " (records open)"
    return f"[{STYLES[found.implementation]}]{mark}[/]{records}"


def _print_gaps(console: Console, one: IntervalVerdict, *, whole: bool) -> None:
    """Write what fails and what is missing, or for one unit every requirement."""
    lines = []
    seen = set()
    for practice in (p for p in one.practices if p.claimable):
        for found in practice.findings:
            if found.requirement in seen or not (whole or found.verdict is not Verdict.MET):
                continue
            seen.add(found.requirement)
            numbers = " ".join(part for part in (found.observed, found.limit and f"({found.limit})") if part)
            lines.append((MARKS[found.verdict], STYLES[found.verdict], found.cite, found.says, numbers))
            lines += [("", "dim", "", f"missing: {name}", "") for name in found.missing]
            lines += [("", "dim", "", text, "") for text in (found.gap, found.remedy) if text]
    if not lines:
        return
    table = Table(title=f"{one.unit_id}, {one.crop.label} {one.harvest_year}", title_justify="left", box=None)
    for heading in ("", "7 CFR", "", ""):
        table.add_column(heading, overflow="fold")
    for mark, style, cite, says, numbers in lines:
        table.add_row(f"[{style}]{mark}[/]", cite, says, numbers)
    console.print(table)
