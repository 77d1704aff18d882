"""Beginning a book and adding events of any type to it."""

from dataclasses import replace
from datetime import date
from json import dumps
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from provender.cli.output import ALL_WELL, SOMETHING_TO_LOOK_AT, AsOf, Json, print_json, print_problems, today
from provender.cli.tables import write_file
from provender.custody.batch import BatchAnswer, read_line
from provender.custody.book_file import BookFile, create_book, open_book
from provender.custody.events.registry import TYPES
from provender.custody.events.sale import SaleEvent
from provender.custody.model.statuses import Refusal
from provender.custody.model.store_view import Decision, StoreView
from provender.custody.queries.daily_shortfall import told_with_sale
from provender.problem import refuse

BookPath = Annotated[Path, typer.Argument(metavar="BOOK", help="The book, a file such as coop.jsonl.")]


def enter(book: BookFile, event: object) -> BatchAnswer:
    """Read and post one event; an answer either way."""
    try:
        outcome = book.enter(event)
    except Refusal as refused:
        outcome = Decision(refused.status, refused.message)
    said: dict[str, Any] = event if isinstance(event, dict) else {}
    place, name = book.store.count, str(said.get("id", ""))
    return BatchAnswer(place, name, outcome.status, outcome.message, outcome.facts, said)


def with_shortfalls(facts: StoreView, answers: list[BatchAnswer]) -> list[BatchAnswer]:
    """Return answers with the daily shortfall on the last sale of each seller and crop (interpretation 77)."""
    last: dict[tuple[str, str], int] = {}
    for place, answer in enumerate(answers):
        posted = facts.posted(answer.id)
        if posted and isinstance(posted.request, SaleEvent):
            last[posted.request.giver, posted.request.of_form] = place
    told = list(answers)
    for (giver, crop), place in last.items():
        answer, posted = answers[place], facts.posted(answers[place].id)
        day = posted.request.day if posted else date.max
        said = told_with_sale(facts, giver, crop, day, Decision(answer.status, answer.message, facts=answer.facts))
        told[place] = replace(answer, message=said.message, facts=said.facts)
    return told


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
                f"{answer.id}: {answer.status}. {answer.message}", markup=False, highlight=False, soft_wrap=True
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
        answer = enter(opened, {**event, "roles": list(role), "sites": list(site or ())})
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
    if what not in TYPES and ("." in what or "/" in what) and not Path(what).is_file():
        raise refuse(what, "There is no file of this name.", "Check the name, or name a type of event such as period.")
    with open_book(book) as opened:
        print_problems(opened.problems)
        if Path(what).is_file():
            answers = _add_file(opened, Path(what))
        else:
            event = _event(opened, what, fields or [], (as_of or today()).isoformat())
            event.setdefault("entity", opened.entity) if what in OWN else None
            answers = [enter(opened, event)]
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


def _add_file(book: BookFile, path: Path) -> list[BatchAnswer]:
    answers = []
    with path.open(encoding="utf-8-sig", errors="replace") as lines, book.together():
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                event = read_line(line)
                answers.append(replace(enter(book, event), line=number))
            except Refusal as refused:
                answers.append(BatchAnswer(number, "", refused.status, refused.message))
    return answers
