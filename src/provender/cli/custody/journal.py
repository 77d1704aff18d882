"""``provender custody journal``: what was entered into a book, in order, by the names that other commands take."""

from typing import Annotated, Any

import typer
from rich.table import Table

from provender.cli.custody.book import BookPath
from provender.cli.output import ALL_WELL, SOMETHING_TO_LOOK_AT, Json, print_json, print_problems, print_whole
from provender.custody.book_file import look_into
from provender.custody.model.digest import plain_event
from provender.custody.model.store_view import taken_back_by

AMOUNTS = (("bushels", "bu"), ("pounds", "lb"), ("amount", ""))
"""Fields of events that say how much, with their units; a grain entry's amount has the unit of its form."""


def journal(
    book: BookPath,
    kind: Annotated[str, typer.Option("--type", metavar="TYPE", help="Only events of this type, such as sale.")] = "",
    as_json: Json = False,
) -> None:
    """List what was entered, in order, by the names that events and `document` take."""
    with look_into(book) as opened:
        print_problems(opened.problems)
        posted = [each for each in opened.store.events() if kind in ("", each.request.type)]
        entries = [(plain_event(each.request), taken_back_by(opened.store, each)) for each in posted]
    if as_json:
        print_json({"events": [event | {"corrected_by": taken_back} for event, taken_back in entries]})
        raise typer.Exit(SOMETHING_TO_LOOK_AT if opened.problems else ALL_WELL)
    table = Table("day", "event", "type", "who", "what", box=None, pad_edge=False)
    for event, taken_back in entries:
        said = f"{_what(event)} (taken back by {taken_back})" if taken_back else _what(event)
        table.add_row(str(event["day"]), str(event["id"]), str(event["type"]), _who(event), said)
    if entries:
        print_whole(table)
    else:
        typer.echo(f"The book has no event{f' of type {kind!r}' if kind else ''}.")
    raise typer.Exit(SOMETHING_TO_LOOK_AT if opened.problems else ALL_WELL)


def _who(event: dict[str, Any]) -> str:
    if "giver" in event and "taker" in event:
        return f"{event['giver']} to {event['taker']}"
    return next((str(event[name]) for name in ("entity", "owner", "taker", "giver") if name in event), "")


def _what(event: dict[str, Any]) -> str:
    amounts = [f"{event[name]} {unit}".strip() for name, unit in AMOUNTS if name in event]
    named = (event.get(name) for name in ("form", "crop", "output", "movement", "slip", "origin", "number", "batch"))
    return ", ".join((*amounts, *(str(one) for one in named if one)))
