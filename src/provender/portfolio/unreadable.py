"""Files whose footer is sound and whose pages are not: only reading them tells, so whatever reads must expect it.

What judges farms counts the kind of such a file as incomplete (``reading``). What searches a whole portfolio does it
again without the file, and the file is told: a finding among the others is worth more than none.
"""

from collections.abc import Callable, Collection
from dataclasses import replace
from itertools import accumulate
from pathlib import Path
from typing import Final, TypeVar

import polars as pl

from provender.portfolio import footer
from provender.portfolio.on_disk import Portfolio
from provender.problem import Place, Problem, ProblemsError

FAILURES: Final = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError)
"""What reading a broken file ends in. Where Polars panics it raises what is no ``Exception``."""
CODE: Final = "unreadable_file"
SEARCHED: Final = "Get it again; until then what it holds is compared with nothing."
_LONGEST: Final = 200
_PANICKED: Final = "one of its pages is damaged"

Found = TypeVar("Found")


def words(failed: BaseException) -> str:
    """Return what a failure says, short enough for a message."""
    if isinstance(failed, pl.exceptions.PanicException):
        return _PANICKED  # its own words are of the reader's threads
    return (str(failed).splitlines() or [type(failed).__name__])[0][:_LONGEST]


def unreadable(inside: Path | str, why: str, remedy: str = SEARCHED) -> Problem:
    """Return the problem of a file that cannot be read."""
    return Problem(Place(Path(inside).as_posix()), f"The file cannot be read: {why.rstrip('.')}.", remedy, code=CODE)


def why_not(path: Path) -> str:
    """Return why a file cannot be read whole; "" where it can. A row group of it is in memory at a time."""
    try:
        counts = footer.row_groups(path)
        lazy = pl.scan_parquet(path, hive_partitioning=False, glob=False)
        for begin, count in zip(accumulate(counts, initial=0), counts, strict=False):
            lazy.slice(begin, count).collect()
    except (*FAILURES, ValueError) as failed:
        return words(failed)
    return ""


def without_broken(portfolio: Portfolio, data_sets: Collection[str] = ()) -> tuple[Portfolio, list[Problem]]:
    """Return a portfolio in which files that cannot be read count as no Parquet, and what is wrong with these.

    Args:
        portfolio: what to read, whole.
        data_sets: those to read; all without any.
    """
    asked = [one for one in portfolio.files if one.sha256 and (not data_sets or one.data_set in data_sets)]
    broken = {one.path: why for one in asked if (why := why_not(portfolio.root / one.path))}
    sound = tuple(replace(one, sha256="") if one.path in broken else one for one in portfolio.files)
    return replace(portfolio, files=sound), [unreadable(path, why) for path, why in broken.items()]


def among_sound(portfolio: Portfolio, search: Callable[[Portfolio], Found]) -> tuple[Found, Portfolio, list[Problem]]:
    """Search a portfolio; if that fails, again without the files that cannot be read.

    Returns:
        What was found, the portfolio that was searched, and the problems of the files that were not.
    """
    try:
        return search(portfolio), portfolio, []
    except ProblemsError:
        raise
    except (Exception, pl.exceptions.PanicException):
        # Whatever failed, here or in a task on another machine: if a file is broken, it was the file.
        sound, problems = without_broken(portfolio)
        if not problems:
            raise
    return search(sound), sound, problems
