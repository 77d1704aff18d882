"""Beginning a book, adding files of events to it, and closing its periods."""

from datetime import date
from json import dumps
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from provender.cli.output import (
    ALL_WELL,
    SOMETHING_TO_LOOK_AT,
    AsOf,
    Json,
    parse_day,
    print_json,
    print_problems,
    today,
)
from provender.cli.tables import write_file
from provender.custody.batch import BatchAnswer
from provender.custody.book_file import create_book, open_book
from provender.custody.model.periods import Surplus
from provender.problem import refuse
from provender.services.custody.book_entry import enter, enter_file, with_shortfalls

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


def add(
    book: BookPath,
    file: Annotated[Path, typer.Argument(metavar="EVENTS.jsonl", help="Events, one JSON object a line.")],
    answers_file: Annotated[
        Path | None, typer.Option("--answers", metavar="FILE.jsonl", help="Write the answers there, one a line.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Add a file of events to a book.

    The page on custody events lists the types and their fields. A file may be sent again: what stands already is
    answered `exists`.
    """
    if not file.is_file():
        raise refuse(str(file), "There is no file of this name.", "Check the name.")
    with open_book(book) as opened:
        print_problems(opened.problems)
        answers = with_shortfalls(opened.store, enter_file(opened, file, today()))
    if answers_file:
        write_file(answers_file, answer_lines(answers))
    print_answers(answers, as_json=as_json)


def close(
    book: BookPath,
    day: Annotated[date, typer.Argument(parser=parse_day, metavar="LAST-DAY", help="The period ends on it.")],
    surplus: Annotated[Surplus, typer.Option(help="What becomes of claims beyond the grain.")] = Surplus.AS_RULED,
    as_of: AsOf = None,
    as_json: Json = False,
) -> None:
    """Close a period; claims are held against the grain."""
    with open_book(book) as opened:
        print_problems(opened.problems)
        event = {"type": "close", "id": opened.next_id("close"), "day": day.isoformat(), "entity": opened.entity}
        on = (as_of or today()).isoformat()
        answer = enter(opened, {**event, "closed_on": on, "surplus": str(surplus)}, today())
    print_answers([answer], as_json=as_json)
