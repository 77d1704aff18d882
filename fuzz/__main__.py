"""``python -m fuzz --count 10000 --seed 1``: run many cases; print what does not hold and how to replay it."""

import argparse
import sys
import tempfile
import time
import traceback
from collections.abc import Iterable, Iterator
from pathlib import Path

from fuzz import again, other_files
from fuzz.case import Case, judged, run

BATCH = 200


def cases(seed: int, numbers: Iterable[int]) -> Iterator[Case]:
    """Run cases, each in a folder of its own; one that raises is a case with a fault."""
    for number in numbers:
        with tempfile.TemporaryDirectory() as folder:
            try:
                yield run(seed, number, Path(folder))
            except Exception:  # noqa: BLE001 - whatever is raised is what we are looking for
                yield Case(number, "", "", {}, faults=[traceback.format_exc()])


def batches(seed: int, numbers: range) -> Iterator[list[Case]]:
    """Run and judge cases a batch at a time."""
    for first in range(numbers.start, numbers.stop, BATCH):
        found = list(cases(seed, range(first, min(first + BATCH, numbers.stop))))
        judged([case for case in found if case.season])
        yield found


def main() -> int:
    """Run the cases that the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=20261121)
    parser.add_argument("--case", type=int, help="run only this case and say everything about it")
    asked = parser.parse_args()
    numbers = range(asked.count) if asked.case is None else range(asked.case, asked.case + 1)
    began, faulty, told = time.monotonic(), 0, 0
    for found in batches(asked.seed, numbers):
        for case in found:
            told += bool(case.problems)
            if asked.case is not None:
                print(case.how, *case.problems, sep="\n")
            for fault in case.faults:
                print(f"case {case.number} (seed {asked.seed}), {case.season}, {case.how}\n  {fault}")
            faulty += bool(case.faults)
        print(f"{found[-1].number + 1:,} of {numbers.stop:,}", end="\r", file=sys.stderr)
    others = []
    if asked.case is None:
        others += [*other_files.faults(asked.seed, asked.count // 10), *again.faults(asked.seed, asked.count // 50)]
    print(*others, sep="\n")
    faulty += len(others)
    spent = time.monotonic() - began
    print(f"{len(numbers):,} bad inputs in {spent:.0f} s: {told:,} told of problems, {faulty:,} did not hold.")
    if faulty:
        print(f"Replay one with: python -m fuzz --seed {asked.seed} --case NUMBER")
    return 1 if faulty else 0


if __name__ == "__main__":
    sys.exit(main())
