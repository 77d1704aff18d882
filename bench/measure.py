"""Benchmarks: each module measures one part of the program; every budget of speed is a ratio.

Machines differ, and one machine differs from hour to hour. So a fixed piece of plain Python or a fixed Polars scan is
timed right before and right after each figure, and the figure's budget is a multiple of it, or of a peer in the same
run. Where the two times differ by more than a fifth, the figure is taken again, a few times; where they still do, it is
not judged.

A module has ``run()``, which returns rows of ``Measure``. ``python -m bench`` runs each module in a process of its own
(``bench.alone``), so that the memory of one benchmark does not count for another.
"""

import atexit
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import polars as pl

SIZES: Final = ("default", "full")
"""How much data there is, where a benchmark asks: a part that loads in a minute, or all that is promised."""
BENCHMARKS: Final = ("commands", "portfolio", "custody", "trade", "posting", "serve", "web")
"""Each says in its docstring what it measures."""
PROCESSOR: Final = "Python"
"""The reference of what is measured in processor seconds: plain Python in processor seconds."""
CLOCK: Final = "Python by the clock"
POLARS: Final = "Polars"
"""Processor seconds, too."""
APART: Final = 1.2
"""Two times of a reference that differ by more than this are of two machines."""
TAKEN: Final = 3
"""How often a figure is taken at most, until its reference stays."""
LEAST_OF: Final = 3
"""A reference is the least of so many."""
OK, MISSED, NOT_JUDGED = "ok", "MISSED", "not judged"


class Measure(NamedTuple):
    """One figure."""

    name: str  # what was measured
    value: float  # the figure
    unit: str  # its unit
    # the most that it may be, in ``unit`` or as a multiple of its reference; None where it is not judged
    budget: float | None = None
    verdict: str = OK  # whether it keeps the budget
    of: str = ""  # its reference; empty where the figure is a ratio, a size or an answer
    before: float = 1.0  # seconds of the reference before
    after: float = 1.0  # and after

    @property
    def times(self) -> float:
        """How many times its reference the figure is."""
        seconds = self.value / 1000 if self.unit.startswith("ms") else self.value
        return seconds * 2 / (self.before + self.after)


def timed(
    name: str, work: Callable[[], float], unit: str, budget: float | None, of: str = PROCESSOR, *, taken: int = TAKEN
) -> Measure:
    """Return the seconds that work returns, which must not exceed a multiple of a reference (None: not judged).

    Work is done again, ``taken`` times at most, where the reference after it is not as it was before.
    """
    for _ in range(taken):
        before, value, after = reference(of), work(), reference(of)
        row = judged(Measure(name, value, unit, budget, of=of, before=before, after=after))
        if row.verdict != NOT_JUDGED:
            break
    return row


def judged(row: Measure) -> Measure:
    """Return a row with its verdict: a multiple counts only where its reference stayed as it was."""
    if row.budget is None:
        return row
    if row.of and max(row.before, row.after) > APART * min(row.before, row.after):
        return row._replace(verdict=NOT_JUDGED)
    return row._replace(verdict=OK if (row.times if row.of else row.value) <= row.budget else MISSED)


def at_most(name: str, value: float, unit: str, budget: float) -> Measure:
    """Return a ratio or a size that must not exceed its budget."""
    return judged(Measure(name, value, unit, budget))


def is_so(name: str, *, answer: bool) -> Measure:
    """Return whether an answer that a time rests on is right."""
    return Measure(name, float(answer), "yes=1", 1.0, OK if answer else MISSED)


def peer(name: str, value: float, unit: str) -> Measure:
    """Return a figure that is not judged itself."""
    return Measure(name, value, unit)


def reference(of: str) -> float:
    """Return the seconds that the fixed work takes now."""
    work, clock = (_scan if of == POLARS else _plain_python), (time.perf_counter if of == CLOCK else time.process_time)
    return min(_seconds(work, clock) for _ in range(LEAST_OF))


def _seconds(work: Callable[[], object], clock: Callable[[], float]) -> float:
    start = clock()
    work()
    return clock() - start


def _plain_python() -> int:
    """Do what plain Python does all day: numbers, words, dictionaries, sorting."""
    chance, held = random.Random(1), dict[str, int]()
    for number in range(240_000):
        key = f"lot-{chance.randrange(5_000)}"
        held[key] = held.get(key, 0) + number * 7 % 1_000
    return sum(amount for _, amount in sorted(held.items(), key=lambda row: (row[1], row[0])))


def _scan() -> pl.DataFrame:
    return _rows().group_by("key").agg(pl.len(), pl.col("value").sum()).sort("key").collect()


@cache
def _rows() -> pl.LazyFrame:
    """Scan a fixed file, which goes with the process."""
    folder = tempfile.mkdtemp(prefix="provender-bench-")
    atexit.register(shutil.rmtree, folder)
    number = pl.int_range(5_000_000, eager=True)
    frame = pl.DataFrame({"key": number.hash(1) % 50_000, "value": number.hash(2) % 10**6})
    frame.write_parquet(Path(folder) / "rows.parquet")
    return pl.scan_parquet(Path(folder) / "rows.parquet")


def provender(*arguments: object, well: tuple[int, ...] = (0,), runs: int = 1) -> float:
    """Return the least processor seconds of a command of the program, process start included.

    Raises:
        RuntimeError: it ended with another exit status.
    """
    command = [sys.executable, "-c", "from provender.cli import main; main()", *map(str, arguments)]
    seconds = []
    for _ in range(runs):
        before = children_seconds()
        done = subprocess.run(command, capture_output=True, check=False)  # noqa: S603 - our own program
        seconds.append(children_seconds() - before)
        if done.returncode not in well:
            raise RuntimeError(f"{command[3:]}: {done.returncode} {(done.stderr + done.stdout).decode()[-2000:]}")
    return min(seconds)


def children_seconds() -> float:
    """Return the processor seconds of the processes that this one began and that ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def full_size() -> bool:
    """Tell whether all the data that is promised is asked for."""
    return os.environ.get("PROVENDER_BENCH_SIZE") == "full"
