"""``portfolio validate``: everything wrong with a portfolio as Parquet, each with file, row group, row and remedy."""

from collections.abc import Mapping
from pathlib import Path

import polars as pl

from provender.portfolio.custody import SCHEMAS as CUSTODY
from provender.portfolio.custody_rows import custody_problems
from provender.portfolio.folders import misplaced
from provender.portfolio.jobs import Done, read_result, run
from provender.portfolio.layout import PROBLEM
from provender.portfolio.on_disk import Portfolio
from provender.portfolio.outlines import outline_problems
from provender.portfolio.tables import problem_frame
from provender.portfolio.unreadable import without_broken
from provender.portfolio.whereabouts import spread
from provender.problem import Place, Problem, Weight
from provender.records.book import RecordBook


def problems_of(book: RecordBook) -> Mapping[str, pl.DataFrame]:
    """Return what a person must fix in the records of whole farms."""
    return {PROBLEM: problem_frame(book.problems)}


def validate(portfolio: Portfolio, out: Path) -> tuple[Done, pl.DataFrame]:
    """Check every row of a portfolio; the problems lie in ``out`` by partition, and come back in one frame."""
    done = run("validate", portfolio, problems_of, out)
    found = read_result(out, PROBLEM).collect()
    several, elsewhere = _in_several(portfolio), misplaced(portfolio)
    # What judging the farms does not read: books of custody, and the outlines of fields.
    sound, broken = without_broken(portfolio, (*CUSTODY, "unit"))
    told = problem_frame(
        (*done.problems, *several, *elsewhere, *broken, *custody_problems(sound), *outline_problems(sound))
    )
    return done, pl.concat([told, found]).unique(maintain_order=True) if found.height else told


def _in_several(portfolio: Portfolio) -> list[Problem]:
    """Tell of farms that lie in several partitions."""
    told: list[Problem] = []
    for farm, (home, *others) in spread(portfolio).items():
        where = " and in ".join(str(one) for one in (home, *others))
        cause = f"The farm {farm} lies in {where}; it is judged once, in the first, with its rows from all of them."
        remedy = "If these are two farms, give one of them another identifier; else put its records into one partition."
        place = Place(f"farm/{home.folder}")
        told.append(Problem(place, cause, remedy, weight=Weight.CONFIRM, code="farm_in_two_partitions"))
    return told
