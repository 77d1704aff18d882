"""``python -m tests.simulation --seed N --size short|default|full``: a season in memory, one of many in PostgreSQL.

Both at the same time, in processes of their own. Prints the seed, what was asked and answered, and the last line.
The seed alone replays the season in memory. How several processes interleave no seed decides: what they committed is
kept in ``out/simulation-N.order``, and ``--replay`` asks it in that order of one store in memory.

``--apart N`` plays N honest seasons instead, each in a book that all share and in a book for each party with papers
between them, and tells the seeds whose books did not come to the same, or in which somebody honest was told off.
"""

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from tests.simulation.apart_season import played
from tests.simulation.runs import in_memory, in_postgres, replayed
from tests.simulation.season import Tally

SIZES: Final = {"short": (2_000, 200, 4), "default": (100_000, 5_000, 40), "full": (1_000_000, 100_000, 200)}
"""Movements in memory, movements in PostgreSQL, and how many posting processes are killed there."""


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def show(where: str, tally: Tally) -> None:
    """Print the answers of one season, the most frequent first."""
    say(f"{where} {len(tally.differences)} differences")
    for status, number in sorted(tally.statuses.items(), key=lambda pair: -pair[1]):
        say(f"  {number:>9,}  {status}")
    for difference in tally.differences[:20]:
        say(difference)


def apart(seed: int, seasons: int) -> int:
    """Play seasons in books of their own; return how many did not come to the same as in a shared one."""
    wrong = 0
    for number in range(seed, seed + seasons):
        books = played(number)
        told = [*books.differences(), *books.false_alarms()]
        wrong += bool(told)
        for one in told[:3]:
            say(f"seed {number}: {one}")
    say(f"apart: {seasons} seasons from seed {seed}, {wrong} with differences")
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=20261121)
    parser.add_argument("--size", choices=sorted(SIZES), default="default")
    parser.add_argument("--replay", type=Path, metavar="ORDER", help="what several processes committed, in order")
    parser.add_argument("--apart", type=int, metavar="N", help="play N seasons in own books with papers between them")
    chosen = parser.parse_args()
    if chosen.apart:
        return 1 if apart(chosen.seed, chosen.apart) else 0
    if chosen.replay:
        again = replayed(chosen.replay)
        show(f"{chosen.replay}, in memory:", again)
        say(str(again))
        return 1 if again.differences else 0
    say(f"seed {chosen.seed}, size {chosen.size}")
    memory, postgres, deaths = SIZES[chosen.size]
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        beside = pool.submit(in_memory, chosen.seed, memory)
        together, said = in_postgres(chosen.seed, postgres, deaths)
        show(f"in PostgreSQL, {said}:", together)  # long before the other: whoever breaks that off has this
        alone = beside.result()
    show("in memory:", alone)
    both = alone + together
    say(str(both))
    return 1 if both.differences else 0


if __name__ == "__main__":
    sys.exit(main())
