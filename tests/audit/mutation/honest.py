"""Honest packages that must give no alarm: ``python -m tests.audit.mutation.honest [--seed N] [--count N]``.

Chains of other seeds, each package written and opened as people do: in another time zone and locale, as folder or zip
in another order, with rows, line ends and JSON laid out otherwise. Each has statements of its verifier and is verified
with the list of forum members and without it. Whatever verification says is a false alarm and printed; the exit status
is 1 then.
"""

import argparse
import contextlib
import locale
import os
import sys
import time
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from provender.audit.package.collect import evidence_index
from provender.audit.package.contents import FORUMS, ROOTS
from provender.audit.package.layout import EVIDENCE_INDEX
from provender.audit.package.write import make_package
from provender.audit.recompute.verify import verify_package
from provender.signing.canonical import canonical_json, sha256_hex
from tests.audit.mutation.honest_statements import Verifier, with_statements
from tests.audit.mutation.run import parties
from tests.audit.prairie import Party, chain
from tests.audit.prairie_hundred import MEANINGLESS

ZONES = ("UTC", "America/Chicago", "Asia/Kolkata", "Pacific/Kiritimati", "America/St_Johns", "Europe/Berlin")
LOCALES = ("C", "C.UTF-8", "de_DE.UTF-8", "tr_TR.UTF-8", "en_US.UTF-8")
SHAPES = ("zip", "zip in another order", "zip not packed", "folder")


@contextlib.contextmanager
def elsewhere(zone: str, tongue: str) -> Iterator[str]:
    """Put the program into a time zone and, where the machine has it, a locale; give what it is in."""
    before = os.environ.get("TZ"), locale.setlocale(locale.LC_ALL)
    os.environ["TZ"] = zone
    time.tzset()
    try:
        with contextlib.suppress(locale.Error):
            locale.setlocale(locale.LC_ALL, tongue)
        yield f"{zone}, {locale.setlocale(locale.LC_ALL)}"
    finally:
        locale.setlocale(locale.LC_ALL, before[1])
        if before[0] is None:
            del os.environ["TZ"]
        else:
            os.environ["TZ"] = before[0]
        time.tzset()


def written(party: Party, shape: str, folder: Path, rng: Random) -> Path:
    """Write a package with its index in one of the shapes, laid out otherwise without changing what it says."""
    files = dict(party.files)
    index = evidence_index(
        party.header.parties, files, lambda path: files.get(path, b""), lambda path: _hash(files, path)
    )
    if index["files"]:
        files[EVIDENCE_INDEX] = canonical_json(index)
    for change in rng.sample(MEANINGLESS, 2):
        files = change(files, rng)
    target = folder / ("package" if shape == "folder" else "package.zip")
    make_package(target, party.header, files, zipped=shape != "folder")
    if shape.startswith("zip "):
        again = folder / "again.zip"
        way = zipfile.ZIP_STORED if shape.endswith("packed") else zipfile.ZIP_DEFLATED
        with zipfile.ZipFile(target) as source, zipfile.ZipFile(again, "w", compression=way) as copy:
            for member in rng.sample(source.namelist(), len(source.namelist())):
                copy.writestr(member, source.read(member))
        return again
    return target


def _hash(files: Mapping[str, bytes], path: str) -> str:
    return sha256_hex(files[path]) if path in files else ""


def alarms(party: Party, pins: bytes, forums: bytes, number: int, rng: Random) -> tuple[str, list[str]]:
    """Return how a package was written, and what verification says of it, without the list of forums and with it."""
    shape = SHAPES[number % len(SHAPES)]
    with elsewhere(ZONES[number % len(ZONES)], LOCALES[number % len(LOCALES)]) as where, TemporaryDirectory() as name:
        package = written(party, shape, Path(name), rng)
        held = [(path.rpartition("/")[2], content) for path, content in party.held.items()]
        said = []
        for lists in ({ROOTS: b""}, {ROOTS: b"", FORUMS: forums}):
            found = verify_package(package, pinned=pins, held=held, lists=lists).found
            said += [*map(str, found.problems), *map(str, found.differences)]
    return f"{shape}, {where}", said


def main() -> int:
    """Write, verify, count."""
    parser = argparse.ArgumentParser(description="Verify honest packages and see no alarm.")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--farms", type=int, default=5)
    given = parser.parse_args()
    rng, done, wrong = Random(given.seed), 0, 0
    while done < given.count:
        folder, verifier = chain(given.farms, rng.randrange(10**6)), Verifier.of(rng)
        pins = verifier.pins((folder / "pins.json").read_bytes())
        for name, party in parties(folder).items():
            if done == given.count:
                break
            stated = with_statements(folder, party, verifier, rng)
            how, said = alarms(stated, pins, verifier.forums(rng), done, rng)
            done, wrong = done + 1, wrong + len(said)
            sys.stdout.writelines(f"{name} ({how}): {one}\n" for one in said)
    sys.stdout.write(
        f"seed {given.seed}: {done} honest packages, each with and without --forums, {wrong} false alarms\n"
    )
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main())
