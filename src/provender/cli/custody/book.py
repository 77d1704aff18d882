"""Beginning a book and adding events of any type to it."""

from json import dumps
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from provender.cli.output import ALL_WELL, SOMETHING_TO_LOOK_AT, AsOf, Json, print_json, print_problems, today
from provender.cli.tables import write_file
from provender.custody.batch import BatchAnswer, read_line
from provender.custody.book_file import BookFile, create_book, open_book
from provender.custody.model.statuses import Refusal
from provender.problem import refuse
from provender.services.custody.book_entry import enter, enter_file, with_shortfalls
from provender.services.custody.event_types import posted_types

BookPath = Annotated[Path, typer.Argument(metavar="BOOK", help="The book, a file such as coop.jsonl.")]


def answer_lines(answers: list[BatchAnswer]) -> bytes:
    """Return answers as a file for another system, one JSON object a line, in the order of the events."""
    return "".join(f"{dumps(one.as_json(), ensure_ascii=False)}\n" for one in answers).encode()


def print_answers(answers: list[BatchAnswer], *, as_json: bool) -> None:
    """Print answers and leave with 0 when all stand, else with 1."""
    if as_json:
        print_json({"statuses": [answer.as_json() for answer in answers]})
    else:
        console = Console()
        for answer in answers:
            console.print(
                f"{answer.id}: {answer.word}. {answer.message}", markup=False, highlight=False, soft_wrap=True
            )
            for name, value in answer.facts:
                console.print(f"  {name}: {value}", markup=False, highlight=False, soft_wrap=True)
    raise typer.Exit(ALL_WELL if all(answer.status.well for answer in answers) else SOMETHING_TO_LOOK_AT)


def init(
    book: BookPath,
    entity: Annotated[str, typer.Option(help="What events call you, such as coop.")],
    name: Annotated[str, typer.Option(help="Your name in full.")],
    role: Annotated[
        list[str], typer.Option(help="first_point, intermediary, refiner, farm, landowner or service_provider; repeat.")
    ],
    site: Annotated[list[str] | None, typer.Option(help="A site where you keep crop; repeat for several.")] = None,
    as_of: AsOf = None,
    as_json: Json = False,
) -> None:
    """Begin a book and register its owner."""
    create_book(book, entity)
    day = (as_of or today()).isoformat()
    event = {"type": "entity", "id": "entity-1", "day": day, "entity": entity, "name": name}
    with open_book(book) as opened:
        answer = enter(opened, {**event, "roles": list(role), "sites": list(site or ())}, today())
    if not answer.status.well:
        book.unlink()
    print_answers([answer], as_json=as_json)


def _value(text: str) -> object:
    """Read a value of NAME=VALUE: JSON where it is a list, true or false; else text."""
    if text[:1] in ("[", "{") or text in ("true", "false"):
        try:
            return read_line(text)
        except Refusal as refused:
            raise typer.BadParameter(f'{text!r} is no JSON: {refused.detail} Write lists like ["farm"].') from None
    return text


def _event(book: BookFile, kind: str, pairs: list[str], day: str) -> dict[str, Any]:
    event: dict[str, Any] = {"type": kind, "id": book.next_id(kind), "day": day}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise typer.BadParameter(f"{pair!r} is not NAME=VALUE.")
        whole = name in ("harvest_year", "version") and value.isdecimal()
        event[name] = int(value) if whole else _value(value)
    return event


def add(
    book: BookPath,
    what: Annotated[str, typer.Argument(metavar="TYPE|FILE", help="A type of event, or a file of events one a line.")],
    fields: Annotated[list[str] | None, typer.Argument(metavar="NAME=VALUE", help="The event's fields.")] = None,
    answers_file: Annotated[
        Path | None, typer.Option("--answers", metavar="FILE.jsonl", help="Write the answers there, one a line.")
    ] = None,
    as_of: AsOf = None,
    as_json: Json = False,
) -> None:
    """Add an event of any type, or a file of events.

    One event: `add coop.jsonl period start_day=2026-01-01 end_day=2026-03-31 policy=oldest_first`. The page on custody
    events lists the types and their fields. A file may be sent again: what stands already is answered `exists`.
    """
    if what not in posted_types() and ("." in what or "/" in what) and not Path(what).is_file():
        raise refuse(what, "There is no file of this name.", "Check the name, or name a type of event such as period.")
    with open_book(book) as opened:
        print_problems(opened.problems)
        if Path(what).is_file():
            answers = enter_file(opened, Path(what), today())
        else:
            event = _event(opened, what, fields or [], (as_of or today()).isoformat())
            event.setdefault("entity", opened.entity) if what in OWN else None
            answers = [enter(opened, event, today())]
        answers = with_shortfalls(opened.store, answers)
    if answers_file:
        write_file(answers_file, answer_lines(answers))
    print_answers(answers, as_json=as_json)


OWN = (
    "period",
    "yield",
    "convert",
    "crush",
    "receipt",
    "shipment",
    "measurement",
    "opening",
    "contract",
    "statement",
    "move",
    "loss",
)
"""Types whose ``entity`` is the book's own when none is named."""
