"""Start-up: processor seconds from a cold start to an answer, the least of some runs."""

import resource
import subprocess
import sys
from pathlib import Path
from typing import Final

from bench.measure import Measure, at_most

RUNS: Final = 7
BUDGETS: Final = {("--help",): 0.25, ("check", "--help"): 0.35, ("rule", "show", "2100.051(b)(1)"): 0.4}
"""Processor seconds, user and system, by the words of the call."""


def processor_seconds(arguments: tuple[str, ...]) -> float:
    """Return the processor seconds of one call of the program.

    Raises:
        CalledProcessError: the program fails.
    """
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    program = str(Path(sys.executable).with_name("provender"))
    subprocess.run([program, *arguments], capture_output=True, check=True)  # noqa: S603 - our own words
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def run() -> list[Measure]:
    """Measure each call."""
    return [
        at_most(f"provender {' '.join(words)}", min(processor_seconds(words) for _ in range(RUNS)), "s of CPU", budget)
        for words, budget in BUDGETS.items()
    ]
