"""``portfolio validate``: everything wrong with a portfolio as Parquet, each with file, row group, row and remedy."""

from collections.abc import Mapping
from pathlib import Path

import polars as pl

from provender.portfolio.jobs import Done, Portfolio, read_result, run
from provender.portfolio.layout import PROBLEM
from provender.portfolio.reading import farm_ids
from provender.portfolio.tables import problem_frame
from provender.problem import Place, Problem
from provender.records.book import RecordBook


def problems_of(book: RecordBook) -> Mapping[str, pl.DataFrame]:
    """Return what a person must fix in the records of whole farms."""
    return {PROBLEM: problem_frame(book.problems)}


def validate(portfolio: Portfolio, out: Path) -> tuple[Done, pl.DataFrame]:
    """Check every row of a portfolio; the problems lie in ``out`` by partition, and come back in one frame."""
    done = run("validate", portfolio, problems_of, out)
    found = read_result(out, PROBLEM).collect()
    told = problem_frame((*done.problems, *_in_several(portfolio)))
    return done, pl.concat([told, found]) if found.height else told


def _in_several(portfolio: Portfolio) -> list[Problem]:
    """Tell of farms that lie in several partitions of one year: each is judged without the rows of the other."""
    seen: dict[tuple[int | None, str], str] = {}
    told: list[Problem] = []
    for partition, files in portfolio.partitions.items():
        farms: set[str] = set()
        for one in files:
            if one.data_set == "farm" and one.sha256:
                farms |= set(farm_ids(portfolio.root, Path(one.path)))
        for farm in sorted(farms):
            key = (partition.harvest_year, farm)
            if key in seen:
                cause = f"The farm {farm} lies in {seen[key]} and in {partition}; each part is judged by itself."
                remedy = "Put all records of a farm and year into the partition of its own State."
                told.append(Problem(Place(f"farm/{partition.folder}"), cause, remedy, code="farm_in_two_partitions"))
            seen[key] = str(partition)
    return told
