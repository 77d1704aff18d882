"""What every command that lists something has: ``--csv`` and ``--xlsx``."""

import inspect
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import typer

from provender.cli.output import JSON_INTO, print_json, today
from provender.cli.tables import Csv, Xlsx, save

if TYPE_CHECKING:
    from provender.paper.table import Table

AMOUNTS: Final = ("_bu", "_lb", "_pct", "bushels", "pounds", "amount")
"""How names of fields end that hold a number; all others are text in a file, so that no name loses its zeros."""
PARTS: Final = ("lines", "links")
"""Lists within a row whose members are rows of their own: the equations of a period, the stations of a chain."""
NUMBER: Final = re.compile(r"-?\d+(\.\d+)?", re.ASCII)
Command = Callable[..., None]


def listing(command: Command) -> Command:
    """Return a command that lists something, with the options to save what ``--json`` prints as tables."""

    @wraps(command)
    def saving(*, csv: Path | None, xlsx: Path | None, as_json: bool, **given: Any) -> None:  # noqa: ANN401
        if csv is None and xlsx is None:
            command(as_json=as_json, **given)
            return
        shown: list[Mapping[str, Any]] = []
        token = JSON_INTO.set(shown)
        left = None
        try:
            command(as_json=True, **given)
        except typer.Exit as ended:
            left = ended
        finally:
            JSON_INTO.reset(token)
        for data in shown:
            save(tables_of(data), csv=csv, xlsx=xlsx, title=command.__name__.title(), as_of=today())
            if as_json:
                print_json(data)
        if left:
            raise left

    added = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation)
        for name, annotation in (("csv", Csv), ("xlsx", Xlsx))
    ]
    asked = inspect.signature(command).parameters.values()
    saving.__signature__ = inspect.Signature([*asked, *added])  # type: ignore[attr-defined]
    saving.__annotations__ = {**command.__annotations__, **{each.name: each.annotation for each in added}}
    return saving


def tables_of(data: Mapping[str, Any]) -> "list[Table]":
    """Return the lists of a JSON document as tables, the first even where it is empty."""
    from provender.paper.table import Column, Table

    made: list[Table] = []
    for name, rows in data.items():
        if not isinstance(rows, list) or (made and not rows):
            continue
        flat = [line for row in rows if isinstance(row, dict) for line in _lines(row)]
        names = list(dict.fromkeys(key for line in flat for key in line)) or [name]
        columns = [Column(key, number=key.endswith(AMOUNTS)) for key in names]
        made.append(Table(name, columns, [[_cell(key, line.get(key)) for key in names] for line in flat]))
    return made


def _lines(row: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a row, once for each of its parts; other lists are written as text, so that no amount stands twice."""
    own: dict[str, Any] = {}
    inner: Sequence[Any] | None = None
    for key, value in row.items():
        if isinstance(value, dict):
            own |= {f"{key} {word}": held for word, held in value.items()}
        elif key in PARTS and isinstance(value, list) and all(isinstance(one, dict) for one in value):
            inner = value
        else:
            own[key] = value
    for one in inner or ({},):
        flat = {key: held for key, held in one.items() if not isinstance(held, dict)}
        parts = {
            f"{key} {word}": part for key, held in one.items() if isinstance(held, dict) for word, part in held.items()
        }
        yield {**own, **flat, **parts}


def _cell(key: str, value: object) -> Any:  # noqa: ANN401 - a cell or its text
    from provender.paper.table import Cell

    if isinstance(value, list):
        value = "; ".join(", ".join(map(str, one.values())) if isinstance(one, dict) else str(one) for one in value)
    text = "" if value is None else str(value)
    is_amount = key.rpartition(" ")[0] in ("incoming", "outgoing") or key.endswith(AMOUNTS)
    return Cell(text, saved=Decimal(text)) if is_amount and NUMBER.fullmatch(text) else text
