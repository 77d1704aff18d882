"""Benchmarks: each module measures one room against its budget, with a peer doing the same work beside it.

A module has ``run()``, which returns rows of ``Measure``. ``python -m bench`` runs each module in a process of its own
(``bench.alone``), so that the memory of one benchmark does not count for another.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple


class Measure(NamedTuple):
    """One figure.

    Attributes:
        name: what was measured.
        value: the figure.
        unit: its unit.
        budget: what is asked for, or None for a peer's figure.
        ok: whether the budget is met.
    """

    name: str
    value: float
    unit: str
    budget: float | None
    ok: bool


SIZES: Final = ("default", "full")
"""How much data there is, where a benchmark asks: a part that loads in a minute, or all that is promised."""

BENCHMARKS: Final[Mapping[str, str]] = {
    "start_up": "The first answer of three calls of the program, processor seconds.",
    "model": "The open CI model, evaluations a second.",
    "verdicts": "Verdicts for a million management units from loaded frames, and reading the same records.",
    "portfolio": "A million units judged from Parquet to Parquet, beside a bare scan and group-by of the same records.",
    "spark": "The same portfolio on Spark and on this machine, row by row; only by name: Spark is a large download.",
    "holdings": "Double claims, balances and overlapping fields among the books and reports of many.",
    "audit": "Verifying the package of a farm of forty fields, and of an elevator's year, from a cold start.",
    "farm": "One farm of forty fields: check, report with PDF, signed report with its evidence, from a cold start.",
    "logs": "Machine logs of forty fields, two million points: binary task data and yield texts, processor and memory.",
    "custody": "Checking a stored book, balances, double claims and posting, beside Beancount, hledger and ledger.",
    "trade": "One more event in a long book, buying and selling, small sales, tickets, many books, peers beside them.",
    "elevator_month": "A month of 5,000 tickets and 200 sales through the command line, with its papers.",
    "serve": "From an empty folder to a server that answers, empty and with the example chain, beside a busy core.",
    "web": "Pages over HTTP and in Chromium with a full database (the default size is a twentieth of `--size full`).",
}

APART: Final = ("spark",)
"""Runs only where it is named."""


def at_most(name: str, value: float, unit: str, budget: float) -> Measure:
    """Return a figure that must not exceed its budget."""
    return Measure(name, value, unit, budget, value <= budget)


def at_least(name: str, value: float, unit: str, budget: float) -> Measure:
    """Return a figure that must reach its budget."""
    return Measure(name, value, unit, budget, value >= budget)


def peer(name: str, value: float, unit: str) -> Measure:
    """Return a figure of something else doing the same work."""
    return Measure(name, value, unit, None, True)
