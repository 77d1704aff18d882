"""What parties hand each other by command line, document and key: papers, notices, statements."""

import json
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Final

import pytest
from typer.testing import CliRunner

from provender.audit.statement.statement import VerificationStatement
from provender.cli.app import run
from provender.cli.custody.app import app
from provender.custody.book_file import create_book, open_book
from provender.custody.documents.build import period_document
from provender.custody.documents.receive import sign_document
from provender.custody.events.registry import read_event
from provender.custody.store import MemoryStore
from provender.signing.canonical import canonical_json
from provender.signing.jws import envelope_hash, sign
from provender.signing.keys import SigningKey
from tests.audit.verifier import STATEMENT, statement
from tests.custody.events.test_reports import AMENDED
from tests.custody.papers import elevator_book
from tests.custody.world import ADA_SOY, CAST, REPORTS, as_received, bought, ev, favourable, read
from tests.rows import CaseRows

ROWS: Final = CaseRows(__file__)

runner = CliRunner()


def ask(*arguments: object, status: int) -> Any:  # noqa: ANN401 - whatever JSON a command prints
    result = runner.invoke(app, [*map(str, arguments), "--json"])
    assert result.exit_code == status, (result.output, result.exception)
    return json.loads(result.stdout)


def book_of(path: Path, entity: str, events: list[dict[str, Any]]) -> Path:
    create_book(path, entity)
    with open_book(path) as book:
        for event in events:
            assert book.post(read(event)).status == "posted"
    return path


def sellers_book(path: Path, *more: dict[str, Any], store: MemoryStore | None = None) -> Path:
    create_book(path, "coop")
    with open_book(path) as book:
        entered = (*(posted.event for posted in (store or elevator_book()).events()), *map(read_event, more))
        for one in as_received("coop", entered):
            assert book.post(one).status == "posted"
    return path


def supplied_by(key: SigningKey) -> dict[str, Any]:
    """Return the buyer's contract that pins the seller's key."""
    return ev(
        "contract", "k", "2025-11-03", entity="crush", counterparty="coop", role="supplier", number="K",
        start_day="2025-11-01", signing_key=key.fingerprint,
    )  # fmt: skip


def drawn(book: Path, out: Path, *more: object) -> str:
    result = runner.invoke(app, ["trace", str(book), "--chain", str(out), *map(str, more)])
    assert result.exit_code == 0, (result.output, result.exception)
    return out.read_text(encoding="utf-8")


def test_a_notice_is_made_signed_received_and_shown_among_the_lots(tmp_path: Path) -> None:
    key = SigningKey.generate()
    seller = sellers_book(tmp_path / "coop.jsonl", {**AMENDED, "ci": "5100"})
    buyer = book_of(tmp_path / "crush.jsonl", "crush", [*CAST, supplied_by(key)])
    secret, words = tmp_path / "key.pem", tmp_path / "words.txt"
    words.write_text("a long passphrase for a test\n", encoding="utf-8")
    secret.write_bytes(key.seal("a long passphrase for a test"))
    made = ask(
        "document", seller, "transfer", "s1", "--out", tmp_path, "--key", secret, "--passphrase-file", words,
        "--as-of", "2026-02-02", status=0,
    )  # fmt: skip
    ask("receive", buyer, made["pdf"], "--as-of", "2026-02-02", status=1)
    again = ask("receive", buyer, made["json"], "--as-of", "2026-02-05", status=0)["answers"]
    assert {one["status"] for one in again} == {"exists"}, "the paper and its JSON are one document, on any later day"
    assert ">Ada<" not in drawn(buyer, tmp_path / "one.svg")
    both = drawn(buyer, tmp_path / "both.svg", "--beside", seller, "--beside", buyer)
    assert ">Ada<" in both
    assert both.count(">2,500 bu<") == drawn(seller, tmp_path / "its.svg").count(">2,500 bu<"), (
        "a sale in two books is one"
    )
    told = ask(
        "document", seller, "notice", "v2", "--to", "crush", "--out", tmp_path, "--key", secret,
        "--passphrase-file", words, "--as-of", "2026-03-02", status=0,
    )  # fmt: skip
    assert Path(told["pdf"]).read_bytes().startswith(b"%PDF")
    answers = ask("receive", buyer, told["json"], "--as-of", "2026-03-03", status=0)["answers"]
    assert [(one["type"], one["status"]) for one in answers] == [("notice", "posted")]
    shown = ask("lots", buyer, status=0)
    assert {one["ci_g_per_bu"] for one in shown["lots"]} == {"5100"}


def test_nothing_of_a_coming_day_is_taken_in_by_any_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A paper that is dated after today, a file put on record and a statement kept on a day to come."""
    seller = sellers_book(tmp_path / "coop.jsonl")
    buyer = book_of(tmp_path / "crush.jsonl", "crush", [*CAST, supplied_by(SELLER)])
    secret, words = tmp_path / "key.pem", tmp_path / "words.txt"
    words.write_text(f"{WORDS}\n", encoding="utf-8")
    secret.write_bytes(SELLER.seal(WORDS))
    made = ask(
        "document", seller, "transfer", "s1", "--out", tmp_path, "--key", secret, "--passphrase-file", words,
        "--as-of", "2026-02-02", status=0,
    )  # fmt: skip
    sold_on = date.fromisoformat(made["document"]["title_date"])
    before = buyer.read_bytes()
    monkeypatch.setattr("provender.cli.output.today", lambda: sold_on - timedelta(days=1))
    (answer, *_) = ask("receive", buyer, made["json"], status=1)["answers"]
    assert answer["status"] == "day_ahead"
    paper = tmp_path / "paper.pdf"
    paper.write_bytes(b"%PDF-1.7 of the bin")
    later = ("--as-of", sold_on.isoformat())
    assert "still to come" in str(runner.invoke(app, ["file", str(buyer), str(paper), *later]).exception)
    assert buyer.read_bytes() == before
    monkeypatch.setattr("provender.cli.output.today", lambda: sold_on)
    assert ask("receive", buyer, made["json"], status=1)["answers"][0]["status"] == "posted", "on its day"


def test_a_notice_without_a_holder_says_whom_it_concerns(tmp_path: Path) -> None:
    seller = sellers_book(tmp_path / "coop.jsonl", {**AMENDED, "ci": "5100"})
    result = runner.invoke(app, ["document", str(seller), "notice", "v2", "--out", str(tmp_path)])
    assert "Name one of those it concerns: crush." in str(result.exception)


# What is received counts as verified only by a verifier's statement that the buyer checks with a key of his own.

WORDS = "a long passphrase for a test"
SELLER, VERIFIER, STRANGER = (SigningKey.generate() for _ in range(3))
DAY = ("--as-of", "2026-06-20")


SOUND, OF_ANOTHER = (
    statement(audited=one, covered_last=date(2026, 5, 31), issued_on=date(2026, 6, 10)) for one in ("coop", "rival")
)


@dataclass(frozen=True)
class Desk:
    """A seller's book with a sale in it, a buyer's book that pins the seller's key, and a folder."""

    folder: Path
    seller: Path
    buyer: Path

    def sent(self, one: VerificationStatement | None = SOUND) -> Path:
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
    seller = sellers_book(tmp_path / "coop.jsonl", store=elevator_book(favourable("coop", "soybeans")))
    return Desk(tmp_path, seller, book_of(tmp_path / "crush.jsonl", "crush", [*CAST, supplied_by(SELLER)]))


@pytest.mark.parametrize(
    ("sent", "key", "status", "states", "codes"),
    [
        (SOUND, VERIFIER, 0, {"held"}, []),
        (SOUND, None, 1, {"unverified"}, ["verifier_unknown"]),
        (SOUND, STRANGER, 1, {"unverified"}, ["signature_signer_unknown"]),
        (OF_ANOTHER, VERIFIER, 1, {"unverified"}, ["other_statement"]),
        (None, VERIFIER, 1, {"unverified"}, []),
    ],
    ids=["counts", "without the key", "another key", "about another seller", "no statement"],
)
def test_lots_are_held_as_verified_by_a_sound_statement_and_its_verifiers_key_alone(
    desk: Desk, sent: VerificationStatement | None, key: SigningKey | None, status: int, states: set[str],
    codes: list[str],
) -> None:  # fmt: skip
    assert desk.received(desk.sent(sent), key, status=status) == (states, codes)


# ``provender export``: a period's statement becomes events, and anything else is refused in words.

KEY = SigningKey.generate()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with an audit's statement, a book with a closed period, and that period's statement."""
    (tmp_path / "statement.json").write_bytes(canonical_json(sign(STATEMENT.document(), KEY)))
    bought_ = bought("b1", "ada", "coop", ADA_SOY, "2000.001", day="2026-01-05", site="north")
    close = ev("close", "q1", "2026-03-31", entity="coop", closed_on="2026-04-05")
    with open_book(book_of(tmp_path / "coop.jsonl", "coop", [*CAST, *REPORTS, *bought_, close])) as book:
        made = period_document(book.store, "coop", date(2026, 1, 1))
    (tmp_path / "period.json").write_bytes(canonical_json(sign_document(made, KEY)))
    return tmp_path


def export(folder: Path, name: str, view: str, *more: object) -> int:
    out = folder / "view.json"
    arguments = [folder / name, "--as", view, "--out", out, *more, "--as-of", "2027-01-04"]
    try:
        return run(["export", *map(str, arguments)])
    except SystemExit as ended:
        return int(ended.code or 0)


def test_a_period_becomes_events(folder: Path) -> None:
    assert export(folder, "period.json", "epcis", "--book", folder / "coop.jsonl") == 0
    made = json.loads((folder / "view.json").read_text())
    original = envelope_hash(json.loads((folder / "period.json").read_text()))
    assert made["provender:original"]["provender:sha256"] == original
    assert [one["type"] for one in made["epcisBody"]["eventList"]] == ["TransactionEvent"]
    assert export(folder, "period.json", "epcis", "--book", folder / "coop.jsonl") == 2, "never written over"


def test_our_own_words_are_written_out_or_named_by_the_address_that_serves_them(folder: Path) -> None:
    served = json.loads((Path(__file__).parents[3] / "docs/reference/terms.jsonld").read_text(encoding="utf-8"))
    book = ("--book", folder / "coop.jsonl")
    assert export(folder, "period.json", "epcis", *book) == 0
    written = json.loads((folder / "view.json").read_text())
    assert written["@context"][1] == served["@context"]
    for wrong in ("http://example.org/t", "terms.jsonld", "https://example.org/a b"):
        assert export(folder, "period.json", "epcis", *book, "--terms", wrong) == 2
    (folder / "view.json").unlink()
    address = "https://example.org/terms.jsonld"
    assert export(folder, "period.json", "epcis", *book, "--terms", address) == 0
    named = json.loads((folder / "view.json").read_text())
    assert named["@context"][1] == address
    assert named | {"@context": written["@context"]} == written


@ROWS
def test_anything_else_is_refused_in_words(
    folder: Path, name: str, words: str, capsys: pytest.CaptureFixture[str], *, book: bool
) -> None:
    signed = json.loads((folder / "period.json").read_text())
    (folder / "unsigned.json").write_bytes(canonical_json({"document": signed["document"]}))
    changed = {**signed, "document": {**signed["document"], "closed_on": "2026-04-06"}}
    (folder / "changed.json").write_bytes(canonical_json(changed))
    assert export(folder, name, "epcis", *(("--book", folder / "coop.jsonl") if book else ())) == 2
    assert words in " ".join(capsys.readouterr().err.split())
    assert not (folder / "view.json").exists()
