"""What the commands that read other programs' tables share: column maps, and that a person has looked at one."""

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from provender.cli.audit.files import read_bytes
from provender.formats.column_map import ColumnMap
from provender.problem import Problem, ProblemsError, refuse

if TYPE_CHECKING:
    from provender.formats.mapped import Mapped

TableFile = Annotated[Path, typer.Argument(metavar="FILE", help="A table as CSV, XLSX, XLS or ODS.")]
MapFile = Annotated[Path | None, typer.Option("--map", metavar="MAP", help="A saved column map.")]
SaveMap = Annotated[
    Path | None, typer.Option("--save-map", metavar="MAP", help="Save the column map that was used, to look at.")
]


def saved_maps(path: Path | None) -> list[ColumnMap]:
    """Return the saved column map, when one was named.

    Raises:
        ProblemsError: the file is none.
    """
    if path is None:
        return []
    try:
        return [ColumnMap.from_text(read_bytes(path).decode("utf-8"))]
    except (ValueError, TypeError, KeyError):
        raise refuse(path.name, "This is no saved column map.", "Make one with --save-map.") from None


def read_table(path: Path, target: str, day: date, map_file: Path | None) -> "tuple[Mapped, list[Problem]]":
    """Return the rows of a file by a saved map, or by the headings that are known."""
    from provender.formats.mapped import Mapped, import_table

    parsed = import_table(path, target, as_of=day, saved=saved_maps(map_file))
    return parsed.result or Mapped((), ()), list(parsed.problems)


def save_map(used: ColumnMap | None, path: Path | None) -> None:
    """Save the map that was used, when a path was named."""
    if path and used:
        path.write_text(used.to_text(), encoding="utf-8")


def needs(missing: Sequence[str], problems: list[Problem], path: Path, option: str) -> None:
    """Refuse a table in which no column was found for a field that everything rests on.

    Raises:
        ProblemsError: what was found when reading, and which columns are missing with what to do.
    """
    if missing:
        named = ", ".join(name.replace("_", " ") for name in missing)
        cause = f"No column of the file is known to be: {named}."
        remedy = f"Say which column it is in a column map and name the map with {option}."
        refusal = refuse(path.name, cause, remedy, code="columns_unknown")
        raise ProblemsError([*problems, *refusal.problems])


def confirmed(path: Path, map_file: Path | None) -> None:
    """Refuse to enter anything by a guess of what columns mean.

    Raises:
        ProblemsError: no saved map was named.
    """
    if map_file is None:
        raise refuse(
            path.name, "Nothing was entered: nobody has confirmed what the columns mean.",
            "Save the column map with --save-map, look at it, and name it with --map.", code="map_unconfirmed",
        )  # fmt: skip
