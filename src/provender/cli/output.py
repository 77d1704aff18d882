"""What every command shares: exit statuses, the ``--json`` and ``--as-of`` options, printing of problems."""

import json
import re
import sys
from collections.abc import Iterable
from contextvars import ContextVar
from datetime import UTC, date, datetime
from typing import Annotated, Any, Final

import typer
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table

from provender.problem import Problem, Weight
from provender.wire import YEARS

ALL_WELL: Final = 0
SOMETHING_TO_LOOK_AT: Final = 1
WRONGLY_CALLED: Final = 2
_UNSEEN: Final = re.compile("[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff]")
"""What a terminal obeys or hides: it stands in texts of others alone, and JSON writes it out."""
WIDEST: Final = 1000
"""Letters in the longest line of a table."""

Json = Annotated[bool, typer.Option("--json", help="Print JSON for machines.")]


def today() -> date:
    """Return the day of this machine in UTC: the command line is where a clock may be read."""
    return datetime.now(tz=UTC).date()


def parse_day(text: str) -> date:
    """Read a day such as 2026-12-31, or refuse with a remedy."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not a day. Write it like 2026-12-31.") from None
    if day.year not in YEARS:
        raise typer.BadParameter(f"{text!r} is no day of the years {YEARS.start} to {YEARS.stop - 1}.")
    return day


AsOf = Annotated[
    date | None,
    typer.Option(
        "--as-of",
        parser=parse_day,
        metavar="DAY",
        help="The day of the answer, such as 2026-12-31; today without it.",
    ),
]


JSON_INTO: Final[ContextVar[list[Any] | None]] = ContextVar("json_into", default=None)
"""Where documents go instead of to stdout: into the tables that somebody saves."""


def print_json(data: object) -> None:
    """Write one JSON document to stdout, with keys in the order given."""
    if (into := JSON_INTO.get()) is not None:
        into.append(data)
        return
    text = json.dumps(data, indent=2, ensure_ascii=False, default=str)
    sys.stdout.write(_UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text) + "\n")


def print_whole(table: Table) -> None:
    """Print a table as wide as it needs to be: on a narrow screen its lines run on, and no figure or name is cut."""
    console = Console()
    needed = Measurement.get(console, console.options.update(max_width=WIDEST), table).maximum
    console.width = max(console.width, needed)
    console.print(table)


def visible(text: str) -> str:
    """Return text from others as a terminal may show it: control characters and marks of direction written out."""
    return "".join(one if one.isprintable() or one == "\n" else one.encode("unicode_escape").decode() for one in text)


def print_problems(problems: Iterable[Problem], console: Console | None = None) -> None:
    """Write problems to stderr, errors first, one line each."""
    out = console or Console(stderr=True)
    order = list(Weight)
    for problem in sorted(problems, key=lambda one: (order.index(one.weight), one.place)):
        out.print(visible(f"{problem.weight}: {problem}"), markup=False, highlight=False, soft_wrap=True)
