"""Single changes of packages by seed: ``python -m tests.audit.mutation [--seed N] [--count N] [--farms N]``.

Prints one line per package and hand: changes found, those that only eyes can judge, silent ones; and how many honest
packages, each kind written in six places and ways, gave a false alarm. The exit status is 1 where one did, or where a
change of content stays silent in other hands than the signer's own, who can change what no paper covers yet.
"""

import argparse
import sys
from collections import Counter

from tests.audit.mutation.honest import PLACES, alarms, forums, with_statements
from tests.audit.mutation.run import KINDS, Run, party_of
from tests.audit.prairie import chain

HONEST = ("farm", "elevator", "crusher", "refiner", "audit")


def main() -> int:
    """Change, verify, count."""
    parser = argparse.ArgumentParser(description="Change one thing of a package and see it named.")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--count", type=int, default=3000)
    parser.add_argument("--farms", type=int, default=5)
    given = parser.parse_args()
    folder = chain(given.farms)
    counts: Counter[tuple[str, str, str]] = Counter()
    silent = 0
    for name in KINDS:
        for tried in Run(name, folder).some(given.count // len(KINDS), given.seed):
            counts[name, tried.hand, tried.outcome] += 1
            silent += tried.outcome == "silent"
            if tried.outcome in ("silent", "rests on the signer alone"):
                sys.stdout.write(f"{tried.outcome}: {tried.name}, {tried.hand}\n")
                sys.stdout.flush()
    outcomes = sorted({outcome for _, _, outcome in counts})
    sys.stdout.write(f"| package | hand | {' | '.join(outcomes)} |\n| {'--- | ' * (len(outcomes) + 2)}\n")
    for name, hand in sorted({(name, hand) for name, hand, _ in counts}):
        cells = " | ".join(str(counts[name, hand, outcome]) for outcome in outcomes)
        sys.stdout.write(f"| {name} | {hand} | {cells} |\n")
    sys.stdout.write(f"seed {given.seed}: {sum(counts.values())} changes, {silent} silent\n")
    honest = [(party_of(kind, folder), number) for kind in HONEST for number in range(6)]
    false = sum(bool(alarms(with_statements(folder, party), folder, forums(*PLACES), at)) for party, at in honest)
    sys.stdout.write(f"{len(honest)} honest packages, {false} with a false alarm\n")
    return min(silent + false, 1)


if __name__ == "__main__":
    sys.exit(main())
