"""Beginning a book, adding files of events to it, and closing its periods."""

import inspect
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from datetime import date
from decimal import Decimal
from functools import wraps
from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from provender.cli import output
from provender.cli.output import ALL_WELL, SOMETHING_TO_LOOK_AT, Csv, Json, Xlsx, print_whole, save, visible, write_file
from provender.custody.book_file import create_book, open_book
from provender.custody.model.entities import Surplus
from provender.custody.store import BatchAnswer, MemoryStore, all_balances, many_at_once, run_lines
from provender.exact import SCALE, parse, show
from provender.problem import Place, Problem, Weight, refuse
from provender.services.custody.book_entry import enter, enter_file, with_shortfalls, would_release
from provender.signing.canonical import json_writer

if TYPE_CHECKING:
    from provender.paper.tables import Table


def _under_a_clock(book: Path) -> Path:
    """Tell of a clock that went back behind the last record: whether an act is of a coming day is asked of it."""
    behind = int(book.stat().st_mtime - time.time()) if book.is_file() else 0
    if behind > 1:
        cause = f"The clock of this machine is {behind} seconds behind the last record."
        output.print_problems([Problem(Place(book.name), cause, "Set the clock.", weight=Weight.CONFIRM)])
    return book


BookPath = Annotated[
    Path,
    typer.Argument(metavar="BOOK", help="The book, a file such as coop.jsonl.", callback=_under_a_clock),
]


def _answer_lines(answers: list[BatchAnswer]) -> bytes:
    """Return answers as a file for another system, one JSON object a line, in the order of the events."""
    return "".join(f"{dumps(one.as_json(), ensure_ascii=False)}\n" for one in answers).encode()


def _print_answers(answers: list[BatchAnswer], *, as_json: bool) -> None:
    """Print answers and leave with 0 when all stand, else with 1."""
    if as_json:
        output.print_json({"statuses": [answer.as_json() for answer in answers]})
    else:
        for answer in answers:
            typer.echo(f"{answer.id}: {answer.word}. {answer.message}")
            for name, value in answer.details:
                typer.echo(f"  {name}: {value}")
    raise typer.Exit(output.ALL_WELL if all(answer.status.well for answer in answers) else output.SOMETHING_TO_LOOK_AT)


def init(
    book: BookPath,
    entity: Annotated[str, typer.Option(help="What events call you, such as coop.")],
    name: Annotated[str, typer.Option(help="Your name in full.")],
    role: Annotated[
        list[str], typer.Option(help="first_point, intermediary, refiner, farm, landowner or service_provider; repeat.")
    ],
    site: Annotated[list[str] | None, typer.Option(help="A site where you keep crop; repeat for several.")] = None,
    as_of: output.AsOf = None,
    as_json: output.Json = False,
) -> None:
    """Begin a book and register its owner."""
    create_book(book, entity)
    day = (as_of or output.today()).isoformat()
    event = {"type": "entity", "id": "entity-1", "day": day, "entity": entity, "name": name}
    with open_book(book) as opened:
        answer = enter(opened, {**event, "roles": list(role), "sites": list(site or ())}, output.today())
    if not answer.status.well:
        book.unlink()
    _print_answers([answer], as_json=as_json)


def add(
    book: BookPath,
    file: Annotated[Path, typer.Argument(metavar="EVENTS.jsonl", help="Events, one JSON object a line.")],
    answers_file: Annotated[
        Path | None, typer.Option("--answers", metavar="FILE.jsonl", help="Write the answers there, one a line.")
    ] = None,
    as_json: output.Json = False,
) -> None:
    """Add a file of events to a book.

    The page on custody events lists the types and their fields. A file may be sent again: what stands already is
    answered `exists`.
    """
    if not file.is_file():
        raise refuse(str(file), "There is no file of this name.", "Check the name.")
    with open_book(book) as opened:
        output.print_problems(opened.problems)
        answers = with_shortfalls(opened.store, enter_file(opened, file, output.today()))
    if answers_file:
        write_file(answers_file, _answer_lines(answers))
    _print_answers(answers, as_json=as_json)


def close(
    book: BookPath,
    day: Annotated[date, typer.Argument(parser=output.parse_day, metavar="LAST-DAY", help="The period ends on it.")],
    surplus: Annotated[Surplus, typer.Option(help="What becomes of claims beyond the grain.")] = Surplus.AS_RULED,
    yes: Annotated[bool, typer.Option("--yes", help="Release what is beyond the grain without being asked.")] = False,
    as_of: output.AsOf = None,
    as_json: output.Json = False,
) -> None:
    """Close a period; claims are held against the grain, and what would be released is shown first."""
    with open_book(book) as opened:
        output.print_problems(opened.problems)
        event = {"type": "close", "id": opened.next_id("close"), "day": day.isoformat(), "entity": opened.entity}
        event |= {"closed_on": (as_of or output.today()).isoformat(), "surplus": str(surplus)}
        if not yes:
            _ask_to_release(would_release(opened, event), day, ask=not as_json and sys.stdin.isatty())
        answer = enter(opened, event, output.today())
    _print_answers([answer], as_json=as_json)


def _ask_to_release(released: str, day: date, *, ask: bool) -> None:
    """Say what a close would release, and go on only if that is wanted.

    Raises:
        ProblemsError: it is not, or nobody can be asked.
    """
    if not released or (ask and typer.confirm(f"This releases without claim: {released}. Close the period?")):
        return
    cause = f"Closing the period releases without claim: {released}. Nothing was entered."
    remedy = "Enter the grain that is missing, or close it with --yes."
    raise refuse(str(day), cause, remedy, cite="2100.034(b)", code="would_release")


# What every command that lists something has: ``--csv`` and ``--xlsx``.

_AMOUNTS: Final = ("_bu", "_lb", "_pct", "bushels", "pounds", "amount")
"""How names of fields end that hold a number; all others are text in a file, so that no name loses its zeros."""
PARTS: Final = ("lines", "links")
"""Lists within a row whose members are rows of their own: the equations of a period, the stations of a chain."""
NUMBER: Final = re.compile(r"-?\d+(\.\d+)?", re.ASCII)
Command = Callable[..., None]


def listing(command: Command) -> Command:
    """Return a command that lists something, with the options to save what ``--json`` prints as tables."""

    @wraps(command)
    def saving(*, csv: Path | None, xlsx: Path | None, as_json: bool, **given: Any) -> None:  # noqa: ANN401
        if csv is None and xlsx is None:
            command(as_json=as_json, **given)
            return
        shown: list[Mapping[str, Any]] = []
        token = output.JSON_INTO.set(shown)
        left = None
        try:
            command(as_json=True, **given)
        except typer.Exit as ended:
            left = ended
        finally:
            output.JSON_INTO.reset(token)
        for data in shown:
            save(_tables_of(data), csv=csv, xlsx=xlsx, title=command.__name__.title(), as_of=output.today())
            if as_json:
                output.print_json(data)
        if left:
            raise left

    added = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation)
        for name, annotation in (("csv", Csv), ("xlsx", Xlsx))
    ]
    asked = inspect.signature(command).parameters.values()
    saving.__signature__ = inspect.Signature([*asked, *added])  # type: ignore[attr-defined]
    saving.__annotations__ = {**command.__annotations__, **{each.name: each.annotation for each in added}}
    return saving


def _tables_of(data: Mapping[str, Any]) -> "list[Table]":
    """Return the lists of a JSON document as tables, the first even where it is empty."""
    from provender.paper.tables import Column, Table

    made: list[Table] = []
    for name, rows in data.items():
        if not isinstance(rows, list) or (made and not rows):
            continue
        flat = [line for row in rows if isinstance(row, dict) for line in _lines(row)]
        names = list(dict.fromkeys(key for line in flat for key in line)) or [name]
        columns = [Column(key, number=key.endswith(_AMOUNTS)) for key in names]
        made.append(Table(name, columns, [[_cell(key, line.get(key)) for key in names] for line in flat]))
    return made


def _lines(row: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a row, once for each of its parts; other lists are written as text, so that no amount stands twice."""
    own: dict[str, Any] = {}
    inner: Sequence[Any] | None = None
    for key, value in row.items():
        if isinstance(value, dict):
            own |= {f"{key} {word}": held for word, held in value.items()}
        elif key in PARTS and isinstance(value, list) and all(isinstance(one, dict) for one in value):
            inner = value
        else:
            own[key] = value
    for one in inner or ({},):
        flat = {key: held for key, held in one.items() if not isinstance(held, dict)}
        parts = {
            f"{key} {word}": part for key, held in one.items() if isinstance(held, dict) for word, part in held.items()
        }
        yield {**own, **flat, **parts}


def _cell(key: str, value: object) -> Any:  # noqa: ANN401 - a cell or its text
    from provender.paper.tables import Cell

    if isinstance(value, list):
        value = "; ".join(", ".join(map(str, one.values())) if isinstance(one, dict) else str(one) for one in value)
    text = "" if value is None else str(value)
    is_amount = key.rpartition(" ")[0] in ("incoming", "outgoing") or key.endswith(_AMOUNTS)
    return Cell(text, saved=Decimal(text)) if is_amount and NUMBER.fullmatch(text) else text


# ``provender custody run``: events one a line in, statuses one a line and all balances out.

_written: Final = json_writer(ascii_only=False, sort_keys=False, blank=" ")
_NO_YEAR: Final = "0"
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
                crop, "not said" if year == _NO_YEAR else year, ci, *(in_column(str(line[name])) for name in sums)
            )
        if table.row_count:
            print_whole(table)
        else:
            typer.echo(f"{title}: no reduced-CI stock, none.")
