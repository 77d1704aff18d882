"""What an honest chain has of its verifier: statements in the books and packages, and the list of forum members.

Each of these is honest and none may give an alarm: a body whose place passed from one forum to the next, a name spelled
otherwise in the list, a statement with exceptions, facts found later that change nothing, and one taken back of which
the book says so.
"""

import csv
import io
import json
import shutil
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final

from provender.audit.package.collect import collect_entity
from provender.audit.package.keys import KIND, Pin
from provender.audit.programme import Role
from provender.audit.statement.accreditation import COLUMNS, Accreditation, Forum, Membership
from provender.audit.statement.statement import LaterEffect, Opinion, VerificationStatement, addendum
from provender.custody.book_file import open_book
from provender.services.custody.figures import statement_event
from provender.signing.canonical import canonical_json, document_hash
from provender.signing.jws import envelope_hash, sign
from provender.signing.keys import SigningKey
from tests.audit.prairie import CRUSHER, DAY, ELEVATOR, Party, packed, sample_of
from tests.audit.verifier import statement

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
