"""Honest packages that must give no alarm: of another time zone and locale, zipped or laid out otherwise.

Each has statements of its verifier, who is in the lists of forum members under three spellings of its body: one with
exceptions, one with a fact found later that changes nothing, and one taken back of which the book says so.
"""

import contextlib
import csv
import io
import json
import locale
import os
import shutil
import time
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final

from provender.audit.package.collect import collect_entity, evidence_index
from provender.audit.package.contents import FORUMS, ROOTS
from provender.audit.package.layout import EVIDENCE_INDEX, Pin
from provender.audit.package.write import make_package
from provender.audit.programme import Role
from provender.audit.recompute.verify import verify_package
from provender.audit.statement import statement as statements
from provender.audit.statement.papers import sample_part
from provender.custody.book_file import open_book
from provender.services.custody.figures import statement_event
from provender.signing.canonical import canonical_json, sha256_hex
from provender.signing.jws import envelope_hash, sign
from provender.signing.keys import SigningKey
from tests.audit.mutation.changes import Files
from tests.audit.prairie import CRUSHER, DAY, ELEVATOR, Party, packed, sample_of
from tests.audit.verifier import statement

KEY: Final = SigningKey.generate()
VERIFIER: Final = "Prairie Verification (made up)"
BODY: Final = "Great Plains Accreditation Board, Inc."
SPELLINGS: Final = (BODY, "great plains accreditation board inc", "GREAT PLAINS  ACCREDITATION BOARD INC.")
ISSUED: Final = date(2026, 11, 20)
PLACES: Final = (
    statements.Membership(forum=statements.Forum.IAF, first=date(2012, 4, 1), source="member list, seen 2025-11-03"),
    statements.Membership(
        forum=statements.Forum.SUCCESSOR, first=date(2026, 1, 1), source="member list, seen 2026-02-03"
    ),
)
ACCREDITED: Final = statements.Accreditation(
    verifier=VERIFIER, standard="ISO 14065:2020", body=BODY, number="GP-7", first=date(2023, 3, 1),
    last=date(2028, 2, 29), memberships=PLACES,
    suspended=(statements.Suspension(first=date(2024, 6, 1), last=date(2024, 7, 1)),),
)  # fmt: skip
"""A suspension that was over counts for nothing."""
REFINER: Final = "sod-diesel"
ROLES: Final = {ELEVATOR: Role.FIRST_POINT, CRUSHER: Role.INTERMEDIARY, REFINER: Role.REFINER}
SUPPLIER: Final = {CRUSHER: ELEVATOR, REFINER: CRUSHER}
LATER: Final = {ELEVATOR: statements.LaterEffect.STANDS, CRUSHER: statements.LaterEffect.WITHDRAWN}


def pins(folder: Path) -> bytes:
    """Return the chain's list of keys with this verifier's."""
    listed = json.loads((folder / "pins.json").read_bytes())
    listed["keys"].append(Pin(VERIFIER, KEY.public, "letter of engagement").document())
    return canonical_json(listed)


def forums(*places: statements.Membership) -> bytes:
    """Return the list of forum members as somebody keeps it: with other bodies, in another spelling."""
    rows = [[str(one.forum), name, one.first, one.last or "", one.source] for one, name in zip(places, SPELLINGS[1:])]  # noqa: B905 - fewer places
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerows(
        [
            statements.FORUM_COLUMNS,
            [str(statements.Forum.SUCCESSOR), "Another Board", date(2026, 1, 1), "", "member list"],
            *rows,
        ]
    )
    return b"\xef\xbb\xbf" + out.getvalue().encode()


def about(folder: Path, house: str) -> statements.VerificationStatement:
    """Return a statement about a house of the chain, over the days up to the last quarter before its issue."""
    drawn = json.loads(sample_of(folder))
    farms: dict[str, Any] = {"farms": None, "sampled": None, "sample_hash": ""}
    if house == ELEVATOR:
        farms = sample_part(drawn)
    return statement(
        number=f"PV-{house}-2026", audited=house, audited_name=house.title(), role=ROLES[house],
        verifier=VERIFIER, verifier_name=ACCREDITED.verifier, accreditation=ACCREDITED,
        covered_first=date(2026, 1, 1), covered_last=date(2026, 9, 30), issued_on=ISSUED,
        opinion=statements.Opinion.QUALIFIED, excepted=("The scale ticket of one truck could not be found.",), **farms,
    )  # fmt: skip


def with_statements(folder: Path, party: Party) -> Party:
    """Return a house's package, or an audit's, made of a book that holds statements and of those statements.

    A farm keeps no book of custody: the verifier brings the statement about its elevator with his own papers.
    """
    if party.name not in ROLES and party.name != "audit":
        brought = sign(about(folder, ELEVATOR).document(), KEY)
        return replace(party, held={**party.held, "statement.json": canonical_json(brought)})
    house = ELEVATOR if party.name == "audit" else party.name
    with TemporaryDirectory() as name:
        book, papers = Path(name) / "book.jsonl", Path(name) / "statements"
        shutil.copy(folder / "books" / f"{house}.jsonl", book)
        papers.mkdir()
        for audited in {house, SUPPLIER.get(house, house)}:
            _keep(book, papers, about(folder, audited))
        made = packed(collect_entity(book, [folder / "papers" / house], [papers]), ())
    ours = {path: content for path, content in made.files.items() if path.startswith("entities/")}
    return replace(party, files={**party.files, **ours})


def _keep(book: Path, papers: Path, one: statements.VerificationStatement) -> None:
    """Enter a statement into a book and lay it beside, with what was found later."""
    kept, effect = [sign(one.document(), KEY)], LATER.get(one.audited)
    if effect is not None:
        kept.append(sign(statements.addendum(envelope_hash(kept[0]), ISSUED, "A bin was measured again.", effect), KEY))
    with open_book(book) as opened:
        ended = ISSUED if effect is statements.LaterEffect.WITHDRAWN else None
        made = replace(statement_event(one, DAY, ended=ended), signed_by=KEY.public.fingerprint)  # as one taken in
        assert opened.post(made).status.well
    for number, content in enumerate(kept):
        (papers / f"{one.audited}-{number}.json").write_bytes(canonical_json(content))


def rows_shuffled(files: Files, rng: Random) -> Files:
    """Put the rows of every CSV in another order."""
    return {path: _shuffled(content, rng) if path.endswith(".csv") else content for path, content in files.items()}


def _shuffled(content: bytes, rng: Random) -> bytes:
    head, *lines = content.decode().splitlines()
    rng.shuffle(lines)
    return "\n".join([head, *lines, ""]).encode()


def other_line_ends(files: Files, _: Random) -> Files:
    """Write CSV and books as another system does, CSV with a byte order mark."""
    return {
        path: (b"\xef\xbb\xbf" if path.endswith(".csv") else b"") + content.replace(b"\n", b"\r\n")
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


MEANINGLESS: Final[tuple[Callable[[Files, Random], Files], ...]] = (
    rows_shuffled, other_line_ends, papers_laid_out_otherwise,
)  # fmt: skip
ZONES: Final = ("UTC", "Pacific/Kiritimati", "America/St_Johns", "Asia/Kolkata")
LOCALES: Final = ("C", "de_DE.UTF-8", "tr_TR.UTF-8", "C.UTF-8")
SHAPES: Final = ("zip in another order", "folder", "zip not packed", "zip")


@contextlib.contextmanager
def elsewhere(zone: str, tongue: str) -> Iterator[None]:
    """Put the program into a time zone and, where the machine has it, a locale."""
    before = os.environ.get("TZ"), locale.setlocale(locale.LC_ALL)
    os.environ["TZ"] = zone
    time.tzset()
    try:
        with contextlib.suppress(locale.Error):
            locale.setlocale(locale.LC_ALL, tongue)
        yield
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
        party.header.parties,
        files,
        lambda path: files.get(path, b""),
        lambda path: sha256_hex(files[path]) if path in files else "",
    )
    if index["files"]:
        files[EVIDENCE_INDEX] = canonical_json(index)
    for change in MEANINGLESS:
        files = change(files, rng)
    target = folder / ("package" if shape == "folder" else "package.zip")
    make_package(target, party.header, files, zipped=shape != "folder")
    if not shape.startswith("zip "):
        return target
    again = folder / "again.zip"
    way = zipfile.ZIP_STORED if shape.endswith("packed") else zipfile.ZIP_DEFLATED
    with zipfile.ZipFile(target) as source, zipfile.ZipFile(again, "w", compression=way) as copy:
        for member in rng.sample(source.namelist(), len(source.namelist())):
            copy.writestr(member, source.read(member))
    return again


def alarms(party: Party, folder: Path, members: bytes, number: int) -> list[str]:
    """Return what verification says of a package that was written elsewhere, without the list of forums and with it."""
    with elsewhere(ZONES[number % len(ZONES)], LOCALES[number % len(LOCALES)]), TemporaryDirectory() as name:
        package = written(party, SHAPES[number % len(SHAPES)], Path(name), Random(number))
        held = [(path.rpartition("/")[2], content) for path, content in party.held.items()]
        said = []
        for lists in ({ROOTS: b""}, {ROOTS: b"", FORUMS: members}):
            found = verify_package(package, pinned=pins(folder), held=held, lists=lists).found
            said += [*map(str, found.problems), *map(str, found.differences)]
    return said
