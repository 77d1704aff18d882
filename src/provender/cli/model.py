"""``provender model``: run an open carbon-intensity model on rows of inputs. Estimates, never official results."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from provender.cli.output import ALL_WELL, SOMETHING_TO_LOOK_AT, Json, print_json, print_problems
from provender.problem import Weight, refuse

if TYPE_CHECKING:
    from provender.intensity.argonne2021.model import Answer

app = typer.Typer(no_args_is_help=True, add_completion=False, help="Run an open carbon-intensity model on rows.")

SUMMARY: Final = {"ci_without_soc": "CI without SOC", "soc": "SOC", "ci_with_soc": "CI with SOC"}
"""Outputs of the table for people, and their headings; ``--lines`` shows all."""


@app.callback()
def models() -> None:
    """Run an open carbon-intensity model on rows of inputs. Every result is an estimate, not USDA FD-CIC."""


def read_document(path: Path) -> object:
    """Read a JSON file.

    Raises:
        ProblemsError: it cannot be read, is not UTF-8, is not JSON, or names a thing twice in one object.
    """

    def object_of(pairs: list[tuple[str, object]]) -> dict[str, object]:
        found = dict(pairs)
        if len(found) < len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for name in names if names.count(name) > 1)
            raise ValueError(f"{twice!r} stands twice in one object")
        return found

    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as failed:
        cause = f"The file cannot be read: {failed.strerror or failed}."
        raise refuse(str(path), cause, "Check the name and the permissions.", code="unreadable_file") from None
    except UnicodeDecodeError:
        raise refuse(str(path), "The file is not UTF-8 text.", "Save it as JSON in UTF-8.", code="not_utf8") from None
    try:
        document: object = json.loads(text, object_pairs_hook=object_of)
        # Half of a surrogate pair passes as JSON but cannot be written out again.
        json.dumps(document, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as failed:
        reason = "it is nested too deeply" if isinstance(failed, RecursionError) else failed
        cause = f"The file is not JSON that can be used: {reason}."
        raise refuse(str(path), cause, "Correct it there and try again.", code="not_json") from None
    return document


def _cell(value: float | None) -> str:
    return "no value" if value is None else f"{value:,.2f}"


def _name(answer: "Answer") -> str:
    """Return a row's id as a terminal can show it."""
    from provender.intensity.argonne2021.inputs import column_name

    return "(no id)" if answer.id is None else column_name(str(answer.id))


def summary_table(answers: "list[Answer]") -> Table:
    """Return one line per row with the totals, labelled as an estimate."""
    from provender.intensity.argonne2021 import DISCLAIMER, NAME, VERSION

    title = f"{NAME}: {DISCLAIMER}"
    caption = f"g CO2e per bushel. {VERSION}. No value: the county has no soil-carbon (SOC) data."
    table = Table(title=title, caption=caption)
    table.add_column("row", overflow="fold")
    table.add_column("crop")
    for heading in SUMMARY.values():
        table.add_column(heading, justify="right", no_wrap=True)
    for answer in answers:
        cells = ["refused"] + [""] * (len(SUMMARY) - 1)
        if answer.outputs is not None:
            cells = [_cell(answer.outputs[name]) for name in SUMMARY]
        table.add_row(Text(_name(answer)), answer.crop, *cells)
    return table


def lines_table(answer: "Answer") -> Table:
    """Return every line item of one row, labelled as an estimate."""
    from provender.intensity.argonne2021 import DISCLAIMER

    title = Text(f"{_name(answer)} ({answer.crop}): {DISCLAIMER}")
    table = Table(title=title, caption="g CO2e per bushel unless the name says so")
    table.add_column("line")
    table.add_column("value", justify="right")
    for name, value in (answer.outputs or {}).items():
        table.add_row(name, "no value" if value is None else f"{value:,.6f}")
    return table


@app.command("argonne-2021")
def argonne_2021(
    rows: Annotated[Path, typer.Argument(metavar="ROWS.json", help="A list of rows with id, crop and inputs.")],
    *,
    as_json: Json = False,
    lines: Annotated[bool, typer.Option("--lines", help="Show every line item of every row.")] = False,
) -> None:
    """Compute carbon intensity with Argonne FD-CIC 2021, a restored workbook: an estimate, not USDA FD-CIC.

    Inputs that a row leaves out take the workbook's default for the crop. Back come id and outputs, in order; a row
    that cannot be answered has null outputs and says why.
    """
    from provender.intensity.argonne2021.model import answer_rows

    answers = answer_rows(read_document(rows), str(rows))
    problems = [problem for answer in answers for problem in answer.problems]
    if as_json:
        print_json([answer.as_json() for answer in answers])
    else:
        console = Console()
        console.print(summary_table(answers))
        if lines:
            for answer in answers:
                if answer.outputs is not None:
                    console.print(lines_table(answer))
    print_problems(problems)
    doubtful = any(problem.weight is not Weight.NOTE for problem in problems)
    raise typer.Exit(SOMETHING_TO_LOOK_AT if doubtful else ALL_WELL)
