"""What every command shares: exit statuses, options, JSON, problems, files, and tables on screen or saved."""

import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, date, datetime
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, ParamSpec, TypeVar

import orjson
import typer
from rich import box
from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table as Screen
from rich.text import Text

import provender
from provender.intensity import CALCULATORS
from provender.problem import Problem, ProblemsError, Weight, refuse
from provender.rule.crops import Crop
from provender.whole_file import write_whole

if TYPE_CHECKING:
    from provender.paper.tables import Table
    from provender.records.kind import Kind


P = ParamSpec("P")
ALL_WELL: Final = 0
SOMETHING_TO_LOOK_AT: Final = 1
WRONGLY_CALLED: Final = 2
_UNSEEN: Final = re.compile("[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff]")
"""What a terminal obeys or hides: it stands in texts of others alone, and JSON writes it out."""
_WIDEST: Final = 1000
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
    from provender.schema import YEARS

    if day.year not in YEARS:
        raise typer.BadParameter(f"{text!r} is no day of the years {YEARS.start} to {YEARS.stop - 1}.")
    return day


def day_option(says: str, *names: str) -> Any:  # noqa: ANN401 - as Typer declares it
    return typer.Option(*names, parser=parse_day, metavar="DAY", help=says)


AsOf = Annotated[date | None, day_option("The day of the answer, such as 2026-12-31; today without it.", "--as-of")]


JSON_INTO: Final[ContextVar[list[Any] | None]] = ContextVar("json_into", default=None)
"""Where documents go instead of to stdout: into the tables that somebody saves."""


def print_json(data: object) -> None:
    """Write one JSON document to stdout, with keys in the order given."""
    if (into := JSON_INTO.get()) is not None:
        into.append(data)
        return
    try:
        plain = orjson.OPT_INDENT_2 | orjson.OPT_NON_STR_KEYS | orjson.OPT_PASSTHROUGH_DATETIME
        text = orjson.dumps(data, _as_plain, plain).decode()
    except orjson.JSONEncodeError:  # half a character, or a number of more than 64 bits
        text = json.dumps(data, indent=2, ensure_ascii=False, default=str)
    sys.stdout.write(_UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text) + "\n")


def _as_plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else str(value)


def print_whole(table: Screen) -> None:
    """Print a table as wide as it needs to be: on a narrow screen its lines run on, and no figure or name is cut."""
    console = Console()
    needed = Measurement.get(console, console.options.update(max_width=_WIDEST), table).maximum
    console.width = max(console.width, needed)
    console.print(table)


def print_columns(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows of texts under each other, as wide as they need to be: a table of many thousands is soon there."""
    lines = [head, *([visible(text) for text in row] for row in rows)]
    widths = [max(map(cell_len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        typer.echo("  ".join(set_cell_size(*pair) for pair in zip(line, widths, strict=True)))


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


PassphraseFile = Annotated[
    Path | None,
    typer.Option(
        "--passphrase-file",
        metavar="FILE",
        help="Take the passphrase from the first line of a file; asked for without it.",
    ),
]


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


def kind_of(name: str) -> "Kind":
    """Return the kind of record that ``--kind`` names.

    Raises:
        ProblemsError: there is no such kind.
    """
    from provender.formats.template_layout import kind_named
    from provender.records.kind import KINDS

    found = kind_named(name)
    if found is None:
        raise refuse("--kind", f"There is no kind of record {name!r}.", f"Kinds are: {', '.join(KINDS)}.")
    return found


# Where the examples are: beside the source in a checkout, inside the package when it was installed as a wheel.

_PACKAGE: Final = Path(provender.__file__).parent
_PLACES: Final = (_PACKAGE.parents[1] / "examples", _PACKAGE / "examples")


def example(name: str) -> Path:
    """Return the folder of an example.

    Raises:
        ProblemsError: this installation came without the examples.
    """
    for place in _PLACES:
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
    from tempfile import TemporaryDirectory

    import django

    from provender.web.start import set_environment

    mask = os.umask(0o077)
    with TemporaryDirectory() as nowhere:  # settings want a folder and a key
        set_environment(Path(nowhere))
        django.setup()
        os.umask(mask)  # what a command saves is read by whoever may read what its user writes
        yield


# What the commands of ``provender audit`` share: reading documents, writing results, stopping with reasons.


def read_document(path: Path) -> dict[str, Any]:
    """Read a JSON object from a file.

    Raises:
        ProblemsError: the file cannot be opened, is not strict JSON, or is no object.
    """
    from provender.signing.canonical import read_json

    try:
        data = read_json(path.read_bytes(), file=path.name)
    except OSError as trouble:
        raise refuse(path.name, f"The file cannot be opened ({trouble.strerror}).", "Check its name.") from None
    if not isinstance(data, dict):
        raise refuse(path.name, "The file holds no JSON object.", "Use the file as the program wrote it.")
    return data


def stop(refused: ProblemsError, *, as_json: bool) -> typer.Exit:
    """Show why nothing could be done, for people or machines, and return the exit to raise."""
    if as_json:
        print_json({"problems": [problem.as_json() for problem in refused.problems]})
    else:
        print_problems(refused.problems)
    return typer.Exit(WRONGLY_CALLED)


def stopping(command: Callable[P, None]) -> Callable[P, None]:
    """Let a command that is refused show why and stop: as JSON where it is asked for (``as_json``)."""

    @wraps(command)
    def run(*given: P.args, **named: P.kwargs) -> None:
        try:
            command(*given, **named)
        except ProblemsError as refused:
            raise stop(refused, as_json=named.get("as_json") is True) from None

    return run


def read_bytes(path: Path) -> bytes:
    """Read a file.

    Raises:
        ProblemsError: it cannot be opened.
    """
    try:
        return path.read_bytes()
    except OSError as trouble:
        raise refuse(path.name, f"The file cannot be opened ({trouble.strerror}).", "Check its name.") from None


def write_new(path: Path, content: bytes, *, mode: int = 0o666) -> None:
    """Write a file that does not exist yet; ``mode`` says who may read it.

    Raises:
        ProblemsError: it exists, or cannot be written.
    """
    try:
        write_whole(path, content, new=True, mode=mode)
    except OSError as trouble:
        cause = f"The file cannot be written ({trouble.strerror})."
        raise refuse(path.name, cause, "Choose another name.") from None


def write_document(path: Path, document: Mapping[str, object]) -> None:
    """Write a document as canonical JSON to a new file; errors as ``write_new``."""
    from provender.signing.canonical import canonical_json

    write_new(path, canonical_json(document) + b"\n")


# Tables on a terminal, and saved where the options ask for it.

_WIDTH_OF_A_PIPE: Final = 120

Csv = Annotated[
    Path | None, typer.Option("--csv", metavar="FILE", dir_okay=False, help="Save the table as CSV; several get names.")
]
Xlsx = Annotated[
    Path | None, typer.Option("--xlsx", metavar="FILE", dir_okay=False, help="Save the tables as one XLSX workbook.")
]


def console() -> Console:
    """Return the console of this run: as wide as the terminal, and wide enough when the output goes into a file."""
    piped = not sys.stdout.isatty() and "COLUMNS" not in os.environ
    return Console(highlight=False, width=_WIDTH_OF_A_PIPE if piped else None)


def print_table(out: Console, table: "Table") -> None:
    """Write a table to the screen; texts wrap, numbers do not."""
    screen = Screen(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    if table.caption:
        out.print(Text(table.caption, style="bold"))
    for column in (each for each in table.columns if not each.file_only):
        label = column.short or column.label
        screen.add_column(label, justify="right" if column.number else "left", no_wrap=column.number, overflow="fold")
    rows = [[cell for column, cell in row if not column.file_only] for row in table.pairs]
    for index, row in enumerate(rows):
        total = index >= len(rows) - table.totals
        style = "bold" if total else ""
        last_before = table.totals > 0 and index == len(rows) - table.totals - 1
        screen.add_row(*(Text(cell.text, style=cell.style) for cell in row), style=style, end_section=last_before)
    out.print(screen)


def save(tables: "Sequence[Table]", *, csv: Path | None, xlsx: Path | None, title: str, as_of: date) -> list[Path]:
    """Save tables where the options ask for it and say on stderr where they are.

    Several tables become one workbook, or CSV files of which the first has the name given and the others add theirs.

    Raises:
        ProblemsError: a file cannot be written.
    """
    from provender.paper.tables import as_csv, as_xlsx

    written: list[Path] = []
    if csv is not None:
        for index, table in enumerate(tables):
            path = csv if index == 0 else csv.with_name(f"{csv.stem}-{table.name.replace(' ', '-')}{csv.suffix}")
            written.append(write_file(path, as_csv(table)))
    if xlsx is not None:
        written.append(write_file(xlsx, as_xlsx(tables, title=title, as_of=as_of)))
    return written


def write_file(path: Path, data: bytes) -> Path:
    """Write a file a person asked for, its folders too, and say on stderr where it is.

    Raises:
        ProblemsError: it cannot be written.
    """
    try:
        write_whole(path, data)
    except OSError as error:
        raise refuse(str(path), f"The file cannot be written: {error.strerror}.", "Choose another place.") from None
    typer.echo(f"saved {path}", err=True)
    return path


# How far long work is: a line on a terminal that goes away when it is done; nothing in a pipe, a file or a log.

Each = TypeVar("Each")


def each(things: Sequence[Each], what: str, console: Console | None = None) -> Iterator[Each]:
    """Yield things one by one and say on stderr how many are done, where a person looks on."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    out = console or Console(stderr=True)
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=out, transient=True, disable=not (out.is_terminal and things[1:])) as shown:
        yield from shown.track(things, description=what)
