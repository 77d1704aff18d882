"""Movements of one's own book, one command an event: its options are the fields that the event declares."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import Field, fields
from pathlib import Path
from typing import Annotated, Any, Final, get_args

import typer

from provender.cli.custody.book import BookPath, print_answers
from provender.cli.output import AsOf, Json, print_problems, today
from provender.custody.book_file import open_book
from provender.custody.model.event import Event, Range, Ticket
from provender.plain import infos
from provender.services.custody.book_entry import enter
from provender.services.custody.event_types import event_types
from provender.wire import Whole, is_required, is_tuple, types_of


def _lots(texts: list[str]) -> list[dict[str, str]]:
    lots = []
    for text in texts:
        origin, _, span = text.rpartition(":")
        start, dash, rest = span.partition("-")
        stop, _, pounds = rest.partition("=")
        if not (origin and dash):
            raise typer.BadParameter(f"{text!r} is not ORIGIN:FIRST-STOP, such as ada/corn/2025:0-500.")
        lots.append({"origin": origin, "start": start, "stop": stop, **({"pounds": pounds} if pounds else {})})
    return lots


def _tickets(texts: list[str]) -> list[dict[str, str]]:
    tickets = []
    for text in texts:
        number, equals, bushels = text.rpartition("=")
        if not equals:
            raise typer.BadParameter(f"{text!r} is not NUMBER=BUSHELS, such as T-1041=912.5.")
        tickets.append({"number": number, "bushels": bushels})
    return tickets


REPEATED: Final[Mapping[object, tuple[str, str, Callable[[list[str]], list[dict[str, str]]]]]] = {
    Range: ("--lot", "ORIGIN:FIRST-STOP[=POUNDS]", _lots),
    Ticket: ("--ticket", "NUMBER=BUSHELS", _tickets),
}
"""How several of a kind are written: the option, what it holds, and how that is read."""


_BLANK: Final[tuple[object, ...]] = (None, [], False)
"""What an option holds that was not given."""


def event_command(
    name: str,
    says: str,
    *,
    flags: Mapping[str, str] | None = None,
    arguments: Mapping[str, str] | None = None,
    dated: str = "day",
    instead: tuple[str, str, str] | None = None,
) -> Callable[..., None]:
    """Return the command that enters one type of event for the book's owner.

    Args:
        name: of the type of event.
        says: the command's help.
        flags: options that are called otherwise than their field.
        arguments: fields that are arguments, with what their place is called.
        dated: the field that ``--as-of`` or today fills.
        instead: a flag, its help, and the type of event that is entered with it.
    """
    types = event_types()
    cls = types[name]

    def command(book: Path, as_of: Any, *, as_json: bool, **given: Any) -> None:  # noqa: ANN401 - as typer reads them
        kind = types[instead[2]] if instead and given.pop(instead[0]) else cls
        plain = {each: _plain(types_of(cls)[each], value) for each, value in given.items() if value not in _BLANK}
        with open_book(book) as opened:
            print_problems(opened.problems)
            head = {"type": kind.type, "id": opened.next_id(kind.type), cls.entered_by(): opened.entity}
            answer = enter(opened, {**head, dated: (as_of or today()).isoformat(), **plain}, today())
        print_answers([answer], as_json=as_json)

    asked = [each for each in fields(cls) if infos(cls)[each.name].asked and each.name not in (dated, cls.entered_by())]
    asked.sort(key=lambda each: (each.name not in (arguments or {}), not is_required(each)))
    parameters = [_parameter("book", BookPath), *_parameters(cls, asked, flags or {}, arguments or {})]
    if instead:
        flag = typer.Option(f"--{instead[0]}", help=instead[1])
        parameters.append(_parameter(instead[0], Annotated[bool, flag], default=False))
    parameters += [_parameter("as_of", AsOf, default=None), _parameter("as_json", Json, default=False)]
    command.__doc__ = says
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {each.name: each.annotation for each in parameters}
    return command


def _plain(kind: object, value: Any) -> object:  # noqa: ANN401 - as typer read it
    """Return what an option says as a field of the plain event."""
    return REPEATED[get_args(kind)[0]][2](value) if is_tuple(kind) else value


def _parameters(
    cls: type[Event], asked: list["Field[Any]"], flags: Mapping[str, str], arguments: Mapping[str, str]
) -> Iterator[inspect.Parameter]:
    for each in asked:
        name, kind, info = each.name, types_of(cls)[each.name], infos(cls)[each.name]
        says = f"{info.means.removesuffix('.')}, in {info.unit}." if info.unit else info.means
        names = [flags[name]] if name in flags else []
        if is_tuple(kind):
            flag, holds, _ = REPEATED[get_args(kind)[0]]
            option = typer.Option(flag, metavar=holds, help=f"{says} Repeat it for several.")
            yield _parameter(name, Annotated[list[str] | None, option], default=None)
        elif name in arguments:
            yield _parameter(name, Annotated[str, typer.Argument(metavar=arguments[name], help=says)])
        elif kind is bool:
            yield _parameter(name, Annotated[bool, typer.Option(*names, help=says)], default=False)
        elif is_required(each):
            yield _parameter(name, Annotated[str, typer.Option(*names, help=says)])
        else:
            plain: Any = int if kind == Whole else str
            yield _parameter(name, Annotated[plain | None, typer.Option(*names, help=says)], default=None)


def _parameter(name: str, annotation: object, *, default: object = inspect.Parameter.empty) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


buy = event_command("purchase", "Buy the serials of a farm's sale slip.", flags={"giver": "--from"})
sell = event_command("sale", "Sell claims: the lots named, or by the period's policy.", flags={"taker": "--to"})
move = event_command("move", "Move grain, claims or both to another site.")
process = event_command("process", "Turn claims on crop into claims on a product.")
release = event_command(
    "release",
    "Give claims up, or with --lost book a loss.",
    instead=("lost", "It was discarded or wasted, not given up.", "loss"),
)
retire = event_command("retire", "Retire claims into a batch of fuel (refiners).")
return_ = event_command(
    "return", "Give back what was bought, dated today.", flags={"taker": "--to"}, arguments={"movement": "MOVEMENT"}
)
correct = event_command("correct", "Take back a movement entered in error.", arguments={"movement": "MOVEMENT"})
close = event_command(
    "close",
    "Close a period; claims are held against the grain.",
    arguments={"day": "LAST-DAY"},
    dated="closed_on",
)
