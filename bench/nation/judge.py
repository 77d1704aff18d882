"""What the jobs of a portfolio find in a nation, held against what was planted."""

import re
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

import polars as pl

from bench.nation.faults import Key, equations
from provender.portfolio.claims import claims
from provender.portfolio.custody import balances
from provender.portfolio.farm_jobs import FINDING, judge_of
from provender.portfolio.jobs import open_portfolio, read_result, run
from provender.portfolio.sisters import sisters

_BY_TEXT: Final = {
    "double_sale": r"^(\S+), serials", "overlap": r"^(\S+), serials", "broken_chain": r"^(\S+), serials",
    "link_not_shown": r"^(\S+), serials", "second_origin": r"^(\S+)(?: \(also [^)]*\))?, \S+ \d+ has",
    "reports_differ": r"^(\S+), \S+ \d+: v",
    "same_ticket": r"^Ticket (\S+) of", "same_field": r"^(\S+) unit \S+ and (\S+) unit",
}  # fmt: skip
ALSO: Final[Mapping[str, frozenset[str]]] = {
    "claimed no-till, plowed": frozenset({"farm_ci_differs"}),
    "a plowed pass under another spelling of the farm": frozenset({"farm_ci_differs"}),
    "other acres in the calculator": frozenset({"acres_times_yield"}),
    "two versions on one farm": frozenset({"farm_ci_differs"}),
    "other county in the calculator": frozenset({"farm_ci_differs"}),
    "moisture of a wet year": frozenset({"acres_times_yield", "bushels_unexplained", "farm_ci_differs"}),
    "sold by somebody who had nothing": frozenset({"overlap"}),
}
"""What a fault brings with it on its own farm: the same fault seen from another side."""


class Line(NamedTuple):
    """One kind of fault: how many were planted and found, and what was found of its code where nothing was planted."""

    kind: str
    code: str
    planted: int
    found: int


class Outcome(NamedTuple):
    """What came of a nation: a line a kind, false alarms, and the seconds of each job (wall, processor)."""

    lines: tuple[Line, ...]
    false_alarms: tuple[Key, ...]
    seconds: Mapping[str, tuple[float, float]]


def judge(root: Path, out: Path, planted: Mapping[str, set[Key]]) -> Outcome:
    """Run the jobs and count."""
    seconds: dict[str, tuple[float, float]] = {}
    found: set[Key] = set()
    portfolio = open_portfolio(root)
    for job in ("check", "intensity", "sister"):
        with _Clock(seconds, job):
            run(job, portfolio, judge_of(job, {}), out / job, options={})
    with _Clock(seconds, "sister, across farms"):
        odd = sisters(out / "sister")
    with _Clock(seconds, "claims"):
        told = claims(portfolio)
    with _Clock(seconds, "book"):
        lines = balances(portfolio)
    codes = {code for keys in planted.values() for code, _ in keys}
    findings = read_result(out / "intensity", FINDING).select("code", "farm_id").unique().collect()
    found |= {key for key in findings.iter_rows() if key[0] in codes}
    found |= {key for key in odd.select("kind", "farm_id").iter_rows() if key[0] in codes or key[0].endswith("outlier")}
    found |= set(_of_texts(told.select("kind", "message").iter_rows()))
    found |= {("statement_differs", one) for one in equations(lines.filter("differs"))}
    found |= {("below_zero", one) for one in equations(lines.filter(pl.col("ending") < 0))}
    known = {key for keys in planted.values() for key in keys}
    known |= {(code, where) for kind, also in ALSO.items() for _, where in planted.get(kind, ()) for code in also}
    return Outcome(
        tuple(Line(kind, next(iter(keys))[0], len(keys), len(keys & found)) for kind, keys in planted.items()),
        tuple(sorted(found - known)),
        seconds,
    )


def _of_texts(rows: Iterable[tuple[str, str]]) -> Iterable[Key]:
    for kind, message in rows:
        match = re.match(_BY_TEXT[kind], message)
        yield kind, "|".join(sorted(match.groups())) if match else message


class _Clock:
    """Takes the time of a block, of the wall and of the processor."""

    def __init__(self, seconds: dict[str, tuple[float, float]], name: str) -> None:
        self._seconds, self._name = seconds, name

    def __enter__(self) -> None:
        self._wall, self._own = time.perf_counter(), time.process_time()

    def __exit__(self, *_: object) -> None:
        self._seconds[self._name] = time.perf_counter() - self._wall, time.process_time() - self._own
