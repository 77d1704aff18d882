"""``python -m tests.simulation --seed N --size short|default|full``: print the seed, the answers and the last line."""

import argparse
import sys

from provender.custody.memory import MemoryStore
from tests.simulation.season import season

SIZES = {"short": 2_000, "default": 100_000, "full": 1_000_000}


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=20261121)
    parser.add_argument("--size", choices=sorted(SIZES), default="default")
    chosen = parser.parse_args()
    say(f"seed {chosen.seed}, size {chosen.size}")
    tally = season(MemoryStore(), chosen.seed, SIZES[chosen.size])
    for status, number in sorted(tally.statuses.items(), key=lambda pair: -pair[1]):
        say(f"  {number:>9,}  {status}")
    for difference in tally.differences[:20]:
        say(difference)
    say(str(tally))
    return 1 if tally.differences else 0


if __name__ == "__main__":
    sys.exit(main())
