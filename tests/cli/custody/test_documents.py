"""What is received counts as verified only by a verifier's statement that the buyer checks with a key of his own."""

from dataclasses import dataclass
from datetime import date
from pathlib import Path

import pytest

from provender.audit.statement.statement import Opinion, VerificationStatement
from provender.custody.book_file import create_book, open_book
from provender.signing.canonical import canonical_json
from provender.signing.jws import sign
from provender.signing.keys import SigningKey
from tests.audit.verifier import statement
from tests.cli.custody.test_notices import ask, book_of
from tests.custody.papers import elevator_book
from tests.custody.world import CAST, ev, favourable

WORDS = "a long passphrase for a test"
SELLER, VERIFIER, STRANGER = (SigningKey.generate() for _ in range(3))
DAY = ("--as-of", "2026-06-20")


def about(audited: str = "coop", **changes: object) -> VerificationStatement:
    """Return a sound statement of this spring about a house."""
    return statement(audited=audited, covered_last=date(2026, 5, 31), issued_on=date(2026, 6, 10), **changes)


SOUND = about()


@dataclass(frozen=True)
class Desk:
    """A seller's book with a sale in it, a buyer's book that pins the seller's key, and a folder."""

    folder: Path
    seller: Path
    buyer: Path

    def sent(self, one: VerificationStatement | None = SOUND) -> Path:
        """Return the seller's transfer document, a statement attached."""
        attached = []
        if one is not None:
            proof = self.folder / "statement.json"
            proof.write_bytes(canonical_json(sign(one.document(), VERIFIER)))
            attached = ["--proof", proof]
        words, secret = self.folder / "words.txt", self.folder / "key.pem"
        words.write_text(f"{WORDS}\n", encoding="utf-8")
        secret.write_bytes(SELLER.seal(WORDS))
        keys = ("--key", secret, "--passphrase-file", words)
        made = ask("document", self.seller, "transfer", "s1", "--out", self.folder, *keys, *attached, *DAY, status=0)
        return Path(made["json"])

    def received(self, paper: Path, key: SigningKey | None, *, status: int) -> tuple[set[str], list[str]]:
        """Return in which states the received lots stand, and the codes of what was said."""
        named = []
        if key is not None:
            public = self.folder / "verifier.json"
            public.write_bytes(canonical_json(key.public.export()))
            named = ["--verifier-key", public]
        answer = ask("receive", self.buyer, paper, *named, *DAY, status=status)
        states = {one["state"] for one in ask("lots", self.buyer, status=0)["lots"]}
        return states, [one["code"] for one in answer["problems"]]


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    seller = tmp_path / "coop.jsonl"
    create_book(seller, "coop")
    with open_book(seller) as book:
        for posted in elevator_book(favourable("coop", "soybeans")).events():
            assert book.post(posted.request).status == "posted"
    pin = ev(
        "contract", "k", "2025-11-03", entity="crush", counterparty="coop", role="supplier", number="K",
        start_day="2025-11-01", signing_key=SELLER.fingerprint,
    )  # fmt: skip
    return Desk(tmp_path, seller, book_of(tmp_path / "crush.jsonl", "crush", [*CAST, pin]))


def test_with_the_verifiers_key_the_statement_counts_and_the_lots_are_held_as_verified(desk: Desk) -> None:
    assert desk.received(desk.sent(), VERIFIER, status=0) == ({"held"}, [])


def test_without_the_key_the_lots_are_held_unverified_and_the_way_to_change_that_is_said(desk: Desk) -> None:
    assert desk.received(desk.sent(), None, status=1) == ({"unverified"}, ["verifier_unknown"])


def test_another_key_than_the_one_that_signed_proves_nothing(desk: Desk) -> None:
    states, codes = desk.received(desk.sent(), STRANGER, status=1)
    assert states == {"unverified"}
    assert codes == ["signature_signer_unknown"]


def test_a_statement_about_another_seller_proves_nothing(desk: Desk) -> None:
    states, codes = desk.received(desk.sent(about("rival")), VERIFIER, status=1)
    assert (states, codes) == ({"unverified"}, ["other_statement"])


def test_an_adverse_statement_leaves_the_lots_unverified(desk: Desk) -> None:
    states, _ = desk.received(desk.sent(about(opinion=Opinion.ADVERSE)), VERIFIER, status=1)
    assert states == {"unverified"}


def test_a_key_without_a_statement_in_the_document_proves_nothing(desk: Desk) -> None:
    assert desk.received(desk.sent(None), VERIFIER, status=1) == ({"unverified"}, [])
