"""How far long work is: a line on a terminal that goes away when it is done; nothing in a pipe, a file or a log."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

Each = TypeVar("Each")


def each(things: Sequence[Each], what: str, console: Console | None = None) -> Iterator[Each]:
    """Yield things one by one and say on stderr how many are done, where a person looks on."""
    out = console or Console(stderr=True)
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=out, transient=True, disable=not (out.is_terminal and things[1:])) as shown:
        yield from shown.track(things, description=what)
