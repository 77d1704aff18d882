"""What every command shares: exit statuses, the ``--json`` and ``--as-of`` options, printing of problems."""

import json
import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, date, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any, Final

import typer
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table

import provender
from provender.intensity.calculator import CALCULATORS
from provender.problem import Problem, Weight, refuse
from provender.rule.crops import Crop
from provender.schema import YEARS

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


# Options that the commands on a record book share: the book, the crop and harvest year, the calculator.

Book = Annotated[Path, typer.Argument(metavar="BOOK", help="A record book folder.")]
OneCrop = Annotated[Crop | None, typer.Option("--crop", help="Only this crop.")]
Year = Annotated[int | None, typer.Option("--year", help="Only this harvest year.")]


def _calculator(text: str) -> str:
    if text not in CALCULATORS:
        raise typer.BadParameter(f"there is no calculator {text!r}. Use one of: {', '.join(CALCULATORS)}.")
    return text


Calculator = Annotated[
    str,
    typer.Option("--calculator", parser=_calculator, metavar="NAME", help=f"One of: {', '.join(CALCULATORS)}."),
]


Calculators = Annotated[
    Path | None,
    typer.Option(
        "--calculators", metavar="FILE.toml", dir_okay=False,
        help="A list of calculators beside the packaged one (`provender rule calculators`).",
    ),
]  # fmt: skip


# The options by which a user types a price; what becomes of it is decided in ``provender.services.farm.check``.

NAMES: Final = ("--premium-per-bushel", "--price-per-point", "--point")
"""What a refusal calls them."""
Premium = Annotated[
    str,
    typer.Option(NAMES[0], "--premium", metavar="$/BU", help="Dollars a bushel, your own assumption; kept nowhere."),
]
PerPoint = Annotated[
    str,
    typer.Option(NAMES[1], metavar="$", help="Dollars a bushel for each point of CI, your own assumption."),
]
Point = Annotated[str, typer.Option(NAMES[2], metavar="G", help="Grams CO2e a bushel that your buyer calls a point.")]


# Where the examples are: beside the source in a checkout, inside the package when it was installed as a wheel.

_PACKAGE: Final = Path(provender.__file__).parent
PLACES: Final = (_PACKAGE.parents[1] / "examples", _PACKAGE / "examples")


def example(name: str) -> Path:
    """Return the folder of an example.

    Raises:
        ProblemsError: this installation came without the examples.
    """
    for place in PLACES:
        if (place / name / "README.md").is_file():
            return place / name
    cause = f"The example {name} did not come with this installation."
    raise refuse(name, cause, "Run it from a checkout of the source, or install the wheel.", code="no_example")


# Asking the services of a server about a folder: they are set up beside an empty place that is gone again.


@contextmanager
def services() -> Iterator[None]:
    """Let services be called in this process; no database is there, and none is asked."""
    from django.apps import apps

    if apps.ready:
        yield
        return
    import django

    from provender.web.start import set_environment

    mask = os.umask(0o077)
    with TemporaryDirectory() as nowhere:  # settings want a folder and a key
        set_environment(Path(nowhere))
        django.setup()
        os.umask(mask)  # what a command saves is read by whoever may read what its user writes
        yield
