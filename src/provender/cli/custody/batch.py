"""``provender custody run``: events one a line in, statuses one a line and all balances out."""

import sys
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Final

import typer

from provender.cli.output import ALL_WELL, SOMETHING_TO_LOOK_AT, Json, print_whole, visible
from provender.custody.memory_store import MemoryStore
from provender.custody.store import BatchAnswer, all_balances, many_at_once, run_lines
from provender.exact import SCALE, parse, show
from provender.problem import refuse
from provender.signing.canonical import json_writer

_written: Final = json_writer(ascii_only=False, sort_keys=False, blank=" ")
NO_YEAR: Final = "0"
"""The harvest year of what came on a document that names none."""


def run(
    events: Annotated[
        Path, typer.Argument(metavar="EVENTS.jsonl", help="Events, one JSON object a line; - for stdin.")
    ],
    as_json: Json = False,
) -> None:
    """Answer a file of events: statuses and balances.

    With --json every line of output is a JSON object: first {"line", "id", "status", "message"} for each event, then
    {"balance": {...}} for each period of each entity.
    """
    store = MemoryStore()
    with ExitStack() as stack:
        lines: Iterable[str] = sys.stdin
        if str(events) != "-":
            try:
                lines = stack.enter_context(events.open(encoding="utf-8", errors="replace"))
            except OSError as missing:
                raise refuse(str(events), f"The file cannot be read: {missing.strerror}.", "Check its name.") from None
        stack.enter_context(many_at_once())
        well = _print(run_lines(store, lines), as_json=as_json)
    balances = all_balances(store)
    if as_json:
        for balance in balances:
            sys.stdout.write(_written({"balance": balance}) + "\n")
    else:
        print_balances(balances)
    raise typer.Exit(ALL_WELL if well else SOMETHING_TO_LOOK_AT)


def _print(answers: Iterable[BatchAnswer], *, as_json: bool) -> bool:
    count, refused = 0, 0
    for answer in answers:
        count, refused = count + 1, refused + (not answer.status.well)
        if as_json:
            sys.stdout.write(_written(answer.as_json()) + "\n")
        else:
            said = f"{answer.line}: {answer.id or '?'}: {answer.status}. {answer.message}"
            sys.stdout.write(f"{said if said.isprintable() else visible(said)}\n")
    if not as_json:
        typer.echo(f"{count} {'event' if count == 1 else 'events'}, {refused} refused.")
    return not refused


def in_column(amount: str) -> str:
    """Return an amount of a document as it stands under others: thousandths always, so that the points align."""
    value = parse(amount)
    return show(value, places=SCALE, group=True) if value else "0"


def print_balances(balances: Iterable[dict[str, object]]) -> None:
    """Print balance documents as tables."""
    from rich.box import SIMPLE
    from rich.table import Table

    for balance in balances:
        title = f"{balance['entity']}, {balance['start']} to {balance['end']}, bushels ({balance['cite']})"
        table = Table(title=title, title_justify="left", box=SIMPLE, pad_edge=False, collapse_padding=True)
        for name in ("crop", "year", "CI g/bu"):
            table.add_column(name, no_wrap=True)
        names = ("crop", "harvest_year", "ci_g_per_bu")
        found = balance["lines"]
        lines = found if isinstance(found, list) else []
        sums = ["beginning_bu", "incoming_bu", "outgoing_bu", "ending_bu"]
        sums += ["unverified_bu"] if any(line["unverified_bu"] != "0" for line in lines) else []
        for name in sums:
            table.add_column(name.removesuffix("_bu"), justify="right", no_wrap=True)
        for line in lines:
            crop, year, ci = (str(line[name]) for name in names)
            table.add_row(
                crop, "not said" if year == NO_YEAR else year, ci, *(in_column(str(line[name])) for name in sums)
            )
        if table.row_count:
            print_whole(table)
        else:
            typer.echo(f"{title}: no reduced-CI stock, none.")
