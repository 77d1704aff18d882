"""Every way of tampering, each with as many seeds as asked: ``python -m tests.audit.hundred [--seed N] [--rounds N]``.

Prints what verification failed to name, with the seed that shows it again; the exit status is their number, at most 1.
"""

import argparse
import sys
import time

from tests.audit import forge, tamper_entity, tamper_farm


def main() -> int:
    """Tamper, verify, count."""
    parser = argparse.ArgumentParser(description="Tamper with packages and see each tampering named.")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--rounds", type=int, default=1)
    given = parser.parse_args()
    start, done, missed = time.monotonic(), 0, 0
    for round_ in range(given.rounds):
        for one in tamper_farm.TAMPERINGS:
            missed += _tell(forge.forged(one, f"{given.seed + round_} {one.name}"))
            done += 1
        for other in tamper_entity.TAMPERINGS:
            missed += _tell(tamper_entity.forged(other, f"{given.seed + round_} {other.name}"))
            done += 1
    seconds = time.monotonic() - start
    sys.stdout.write(f"seed {given.seed}: {done} tamperings, {missed} not named, {seconds:.0f} s\n")
    return min(missed, 1)


def _tell(missed: str) -> int:
    if missed:
        sys.stdout.write(f"{missed}\n")
    return bool(missed)


if __name__ == "__main__":
    sys.exit(main())
