"""A hundred seeded tamperings with the example chain: ``python -m tests.audit.prairie_hundred [--seed N] [--count N]``.

Each is packed again and signed again with what keys the tamperer has; each must be found and named. Then changes
without meaning are made, none of which may be reported. What went wrong is printed with the seed that shows it again;
the exit status is 1 then.
"""

import argparse
import json
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from provender.audit.package.write import make_package, open_package
from tests.audit.forge import Files
from tests.audit.prairie import CRUSHER, ELEVATOR, Party, chain, farm_party, house_party, sample_of, verify
from tests.audit.tamper_prairie import TAMPERINGS, forged

FARMS = 51


def rows_shuffled(files: Files, rng: Random) -> Files:
    """Put the rows of every CSV in another order."""
    return {path: _shuffled(content, rng) if path.endswith(".csv") else content for path, content in files.items()}


def _shuffled(content: bytes, rng: Random) -> bytes:
    head, *lines = content.decode().splitlines()
    rng.shuffle(lines)
    return "\n".join([head, *lines, ""]).encode()


def other_line_ends(files: Files, rng: Random) -> Files:
    """Write CSV and books as another system does, with a byte order mark where it likes to."""
    mark = rng.choice((b"", b"\xef\xbb\xbf"))
    return {
        path: (mark if path.endswith(".csv") else b"") + content.replace(b"\n", b"\r\n")
        if path.endswith((".csv", ".jsonl"))
        else content
        for path, content in files.items()
    }


def papers_laid_out_otherwise(files: Files, rng: Random) -> Files:
    """Indent every JSON paper and turn its members around."""
    return {
        path: json.dumps(json.loads(content), indent=rng.randint(1, 6), sort_keys=True).encode()
        if path.endswith(".json")
        else content
        for path, content in files.items()
    }


def zipped_again(files: Files, rng: Random) -> Files:
    """Leave the content alone: ``verify`` bags it anew."""
    names = list(files)
    rng.shuffle(names)
    return {name: files[name] for name in names}


MEANINGLESS: tuple[Callable[[Files, Random], Files], ...] = (
    rows_shuffled, other_line_ends, papers_laid_out_otherwise, zipped_again,
)  # fmt: skip


def zip_differs(party: Party) -> str:
    """Zip a package again, files in another order and not packed, and say whether anything else is read from it."""
    with TemporaryDirectory() as name:
        first, again = Path(name) / "first.zip", Path(name) / "again.zip"
        make_package(first, party.header, party.files)
        with zipfile.ZipFile(first) as source, zipfile.ZipFile(again, "w", compression=zipfile.ZIP_STORED) as target:
            for member in reversed(source.namelist()):
                target.writestr(member, source.read(member))
        return "" if dict(open_package(first).files) == dict(open_package(again).files) else f"{party.name}: zip"


def main() -> int:
    """Tamper, verify, count."""
    parser = argparse.ArgumentParser(description="Tamper with the example chain and see each tampering named.")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--farms", type=int, default=FARMS, help="Farms of the chain.")
    given = parser.parse_args()
    folder = chain(given.farms)
    farms = tuple(json.loads(sample_of(folder))["sample"])
    missed = alarms = 0
    for number in range(given.count):
        one = TAMPERINGS[number % len(TAMPERINGS)]
        missed += _tell(forged(folder, one, farms, f"{given.seed} {number} {one.name}"))
    for party in (
        *(farm_party(folder, farm) for farm in farms),
        house_party(folder, ELEVATOR),
        house_party(folder, CRUSHER),
    ):
        alarms += _tell(zip_differs(party))
        for change in MEANINGLESS:
            found = verify(folder, party, change(dict(party.files), Random(given.seed)), held=True)
            alarms += _tell(f"{party.name}, {change.__name__}: {found.text}" if found.text else "")
    sys.stdout.write(f"tamperings: {given.count} made, {given.count - missed} found and named, {alarms} false alarms\n")
    return min(missed + alarms, 1)


def _tell(wrong: str) -> int:
    if wrong:
        sys.stdout.write(f"{wrong}\n")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
