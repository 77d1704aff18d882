"""How far long work is: a line on a terminal that goes away when it is done; nothing in a pipe, a file or a log."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from provender.formats.ahead import Ahead
from provender.formats.child import DEFAULT, Limits
from provender.formats.parsed import Parsed

Each = TypeVar("Each")


def each(things: Sequence[Each], what: str, console: Console | None = None) -> Iterator[Each]:
    """Yield things one by one and say on stderr how many are done, where a person looks on."""
    out = console or Console(stderr=True)
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=out, transient=True, disable=not (out.is_terminal and things[1:])) as shown:
        yield from shown.track(things, description=what)


class Reading(Ahead):
    """Reads files in limited children, as an import does by itself, and names the one at work."""

    def __init__(self, shown: Progress, line: TaskID) -> None:
        super().__init__()
        self._shown, self._line = shown, line

    def __call__(
        self, reader: str, path: Path, *, name: str = "", limits: Limits = DEFAULT, **options: object
    ) -> Parsed[object]:
        """Read one file; see ``Ahead``."""
        called = name or path.name
        together = self.together(reader, path, called, options)
        words = f"Reading {called}" if together < 2 else f"Reading {together} files, {called} first"  # noqa: PLR2004
        self._shown.update(self._line, description=words, refresh=True)
        return super().__call__(reader, path, name=name, limits=limits, **options)


@contextmanager
def reading(console: Console | None = None) -> Iterator[Reading]:
    """Yield what reads files for an import and says on stderr which one, and how long it has taken so far."""
    out = console or Console(stderr=True)
    columns = TextColumn("{task.description}", markup=False), TimeElapsedColumn()
    with Progress(*columns, console=out, transient=True, disable=not out.is_terminal) as shown:
        yield Reading(shown, shown.add_task("Looking at the files"))
