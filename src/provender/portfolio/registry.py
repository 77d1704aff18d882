"""The jobs that judge farms batch by batch, by name: a task on another machine knows its work by it."""

from collections.abc import Callable, Mapping
from typing import Final

from provender.portfolio.checking import check
from provender.portfolio.comparable import comparable
from provender.portfolio.jobs import Judge
from provender.portfolio.planning import plans
from provender.portfolio.quantifying import quantifier
from provender.portfolio.suppliers import suppliers

Options = Mapping[str, str]
"""What else decides a result, by name; texts, so that they travel and stand in the lineage."""

JOBS: Final[Mapping[str, Callable[[Options], Judge]]] = {
    "check": lambda _: check,
    "intensity": quantifier,
    "plan": lambda _: plans,
    "sister": lambda _: comparable,
    "sample": lambda _: suppliers,
}


def judge_of(job: str, options: Options) -> Judge:
    """Return what a job does with the records of whole farms."""
    return JOBS[job](options)
