"""Honest packages that must give no alarm: ``python -m tests.audit.mutation.honest [--seed N] [--count N]``.

Chains of other seeds, each package written and opened as people do: in another time zone and locale, as folder or zip
in another order, with rows, line ends and JSON laid out otherwise. Each has statements of its verifier and is verified
with the list of forum members and without it. Whatever verification says is a false alarm and printed; the exit status
is 1 then.
"""

import argparse
import contextlib
import csv
import io
import json
import locale
import os
import shutil
import sys
import time
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final

from provender.audit.package.collect import collect_entity, evidence_index
from provender.audit.package.contents import FORUMS, ROOTS
from provender.audit.package.keys import KIND, Pin
from provender.audit.package.layout import EVIDENCE_INDEX
from provender.audit.package.write import make_package
from provender.audit.programme import Role
from provender.audit.recompute.verify import verify_package
from provender.audit.statement.accreditation import COLUMNS, Accreditation, Forum, Membership
from provender.audit.statement.statement import LaterEffect, Opinion, VerificationStatement, addendum
from provender.custody.book_file import open_book
from provender.services.custody.figures import statement_event
from provender.signing.canonical import canonical_json, document_hash, sha256_hex
from provender.signing.jws import envelope_hash, sign
from provender.signing.keys import SigningKey
from tests.audit.mutation.changes import Files
from tests.audit.mutation.run import KINDS, party_of
from tests.audit.prairie import CRUSHER, DAY, ELEVATOR, Party, chain, packed, sample_of
from tests.audit.verifier import statement

# What an honest chain has of its verifier: statements in the books and packages, and the list of forum members.
#
# Each of these is honest and none may give an alarm: a body whose place passed from one forum to the next, a name
# spelled otherwise in the list, a statement with exceptions, facts found later that change nothing, and one taken
# back of which the book says so.

VERIFIER: Final = "Prairie Verification (made up)"
BODY: Final = "Great Plains Accreditation Board, Inc."
SPELLINGS: Final = (BODY, "great plains accreditation board inc", "GREAT PLAINS  ACCREDITATION BOARD INC.")
REFINER: Final = "sod-diesel"
ROLES: Final = {ELEVATOR: Role.FIRST_POINT, CRUSHER: Role.INTERMEDIARY, REFINER: Role.REFINER}
SUPPLIER: Final = {CRUSHER: ELEVATOR, REFINER: CRUSHER}
IAF = Membership(Forum.IAF, date(2012, 4, 1), None, "member list, seen 2025-11-03")
SUCCESSOR = Membership(Forum.SUCCESSOR, date(2026, 1, 1), None, "member list, seen 2026-02-03")


@dataclass(frozen=True)
class Verifier:
    """A verifier of one chain: its key, the days it works by, and its place in the forums.

    Attributes:
        key: with which it signs.
        issued: the day of every statement.
        places: of its accreditation body, as the forums publish them.
    """

    key: SigningKey
    issued: date
    places: tuple[Membership, ...]

    @classmethod
    def of(cls, rng: Random) -> "Verifier":
        """Draw one: in 2026 the place in the forum that ended may still speak for the body, afterwards it does not."""
        issued = date(2026, 10, 2) + timedelta(days=rng.randrange(100))
        carried = issued.year == 2026 and rng.random() < 0.3
        places = (IAF,) if carried else rng.choice(((SUCCESSOR,), (IAF, SUCCESSOR)))
        return cls(SigningKey.generate(), issued, places)

    @property
    def accreditation(self) -> Accreditation:
        """Return what it shows; a suspension that was over counts for nothing."""
        over = (date(2024, 6, 1), date(2024, 7, 1))
        days = (date(2023, 3, 1), date(2028, 2, 29))
        return Accreditation(VERIFIER, "ISO 14065:2020", BODY, "GP-7", *days, (over,), self.places)

    def pins(self, pinned: bytes) -> bytes:
        """Return a list of keys with this verifier's."""
        listed = json.loads(pinned)
        assert listed["kind"] == KIND
        listed["keys"].append(Pin(VERIFIER, self.key.public, "letter of engagement").document())
        return canonical_json(listed)

    def forums(self, rng: Random) -> bytes:
        """Return the list of forum members as somebody keeps it: other bodies too, other spellings, any order."""
        rows = [[str(one.forum), rng.choice(SPELLINGS), one.first, one.last or "", one.source] for one in self.places]
        rows.append([str(Forum.SUCCESSOR), "Another Board", date(2026, 1, 1), "", "member list"])
        out = io.StringIO()
        writer = csv.writer(out, lineterminator=rng.choice(("\n", "\r\n")))
        writer.writerow(COLUMNS)
        writer.writerows(rng.sample(rows, len(rows)))
        return rng.choice((b"", b"\xef\xbb\xbf")) + out.getvalue().encode()

    def about(self, folder: Path, house: str, rng: Random, sample: bytes = b"") -> VerificationStatement:
        """Return a statement about a house of the chain, over the days up to the last quarter before its issue."""
        opinion = rng.choice((Opinion.FAVOURABLE, Opinion.QUALIFIED))
        drawn = json.loads(sample or sample_of(folder))
        farms: dict[str, Any] = {"farms": None, "sampled": None, "sample_hash": ""}
        if house == ELEVATOR:
            farms = {"farms": drawn["farms"], "sampled": len(drawn["sample"]), "sample_hash": document_hash(drawn)}
        return statement(
            number=f"PV-{house}-{self.issued.year}",
            audited=house,
            audited_name=house.replace("-", " ").title(),
            role=ROLES[house],
            verifier=VERIFIER,
            accreditation=self.accreditation,
            covered_first=date(2026, 1, 1),
            covered_last=date(2026, 12, 31) if self.issued.year == 2027 else date(2026, 9, 30),
            issued_on=self.issued,
            opinion=opinion,
            excepted=("The scale ticket of one truck could not be found.",) if opinion is Opinion.QUALIFIED else (),
            **farms,
        )

    def later(self, envelope: dict[str, Any], rng: Random) -> tuple[list[dict[str, Any]], date | None]:
        """Return facts found later, and the day from which one takes the statement back."""
        found = rng.choice((None, LaterEffect.STANDS, LaterEffect.WITHDRAWN))
        if found is None:
            return [], None
        words = addendum(envelope_hash(envelope), self.issued, "A bin was measured again.", found)
        return [sign(words, self.key)], self.issued if found is LaterEffect.WITHDRAWN else None


def with_statements(folder: Path, party: Party, verifier: Verifier, rng: Random) -> Party:
    """Return a house's package, or an audit's, made of a book that holds statements and of those statements.

    A farm keeps no book of custody: the verifier brings the statement about its elevator with his own papers.
    """
    if party.name not in ROLES and party.name != "audit":
        brought = sign(verifier.about(folder, ELEVATOR, rng).document(), verifier.key)
        return replace(party, held={**party.held, "statement.json": canonical_json(brought)})
    house = ELEVATOR if party.name == "audit" else party.name
    with TemporaryDirectory() as name:
        book, papers = Path(name) / "book.jsonl", Path(name) / "statements"
        shutil.copy(folder / "books" / f"{house}.jsonl", book)
        papers.mkdir()
        for about in {house, SUPPLIER.get(house, house)}:
            _keep(book, papers, verifier.about(folder, about, rng), verifier, rng)
        made = packed(collect_entity(book, [folder / "papers" / house], [papers]), ())
    ours = {path: content for path, content in made.files.items() if path.startswith("entities/")}
    return replace(party, files={**party.files, **ours})


def _keep(book: Path, papers: Path, one: VerificationStatement, verifier: Verifier, rng: Random) -> None:
    """Enter a statement into a book and lay it beside, with what was found later."""
    envelope = sign(one.document(), verifier.key)
    later, ended = verifier.later(envelope, rng)
    with open_book(book) as opened:
        assert opened.post(statement_event(one, DAY, ended=ended)).status.well
    for number, content in enumerate((envelope, *later)):
        (papers / f"{one.audited}-{number}.json").write_bytes(canonical_json(content))


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


MEANINGLESS: tuple[Callable[[Files, Random], Files], ...] = (
    rows_shuffled, other_line_ends, papers_laid_out_otherwise,
)  # fmt: skip

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
        for name in KINDS[: given.count - done]:
            stated = with_statements(folder, party_of(name, folder), verifier, rng)
            how, said = alarms(stated, pins, verifier.forums(rng), done, rng)
            done, wrong = done + 1, wrong + len(said)
            sys.stdout.writelines(f"{name} ({how}): {one}\n" for one in said)
    sys.stdout.write(
        f"seed {given.seed}: {done} honest packages, each with and without --forums, {wrong} false alarms\n"
    )
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main())
