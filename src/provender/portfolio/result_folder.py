"""Whose result lies in a folder: of one job over one portfolio, so that no other writes over it or clears it away."""

import json
from pathlib import Path
from typing import Any, Final

from provender.portfolio.lineage import NAME
from provender.portfolio.on_disk import Portfolio
from provender.portfolio.whole import unfinished
from provender.problem import ProblemsError, refuse

MARK: Final = "result.json"
"""File of a result that says which job made it, and where the portfolio lies."""
_REMEDY: Final = "Name another folder with --out, or remove what lies there first."


def take_folder(job: str, portfolio: Portfolio, out: Path) -> None:
    """Mark a folder as that of a job's result over a portfolio, before anything is written into it.

    Raises:
        ProblemsError: another job's result or another portfolio's lies there, or data that no job wrote; or the folder
            lies in the portfolio itself.
        OSError: the folder cannot be made, or not be written into.
    """
    root = str(portfolio.root.resolve())
    if out.resolve().is_relative_to(root):
        raise _not_here(out, f"The folder lies in the portfolio {root}, and would become part of it.")
    for partition in portfolio.partitions:
        folder = out / partition.folder
        if folder.exists() and not (folder / NAME).is_file():
            raise _not_here(out, f"What lies in its {partition.folder} was written by no job.")
    if not (out / MARK).exists():
        if partitions_in(out):
            raise _not_here(out, "The folder holds a result that says of no job and no portfolio that it is theirs.")
        _mark(job, root, out)
    made = _json(out / MARK)
    if (made.get("job"), made.get("portfolio")) != (job, root):
        whose = f"`portfolio {made.get('job', '?')}` over {made.get('portfolio', 'a portfolio that it does not name')}"
        raise _not_here(out, f"The folder holds the result of {whose}; this is `portfolio {job}` over {root}.")


def partitions_in(out: Path) -> list[Path]:
    """Return the folders of the partitions of a result."""
    return [path.parent for path in sorted(out.glob(f"*/*/{NAME}")) if not unfinished(path, out)]


def _not_here(out: Path, cause: str) -> ProblemsError:
    return refuse(str(out), cause, _REMEDY, code="other_result")


def _mark(job: str, root: str, out: Path) -> None:
    """Write the mark; where another process was first, its mark stands."""
    out.mkdir(parents=True, exist_ok=True)
    try:
        with (out / MARK).open("x", encoding="utf-8") as stream:
            stream.write(json.dumps({"job": job, "portfolio": root}, indent=1) + "\n")
    except FileExistsError:
        return


def _json(path: Path) -> dict[str, Any]:
    """Return what a file says; nothing where nobody can read it."""
    try:
        found = json.loads(path.read_bytes())
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
