"""``provender export``: a signed original becomes a view, and anything else is refused in words."""

import json
from datetime import date
from pathlib import Path

import pytest

from provender.cli.app import run
from provender.custody.book_file import create_book, open_book
from provender.custody.documents.build import period_document
from provender.custody.documents.sign import sign_document
from provender.custody.events.registry import read_event
from provender.signing.canonical import canonical_json
from provender.signing.jws import envelope_hash, sign
from provender.signing.keys import SigningKey
from tests.audit.verifier import STATEMENT
from tests.custody.world import ADA_SOY, CAST, REPORTS, bought, ev

KEY = SigningKey.generate()
WORDS = "a long passphrase for a test"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a signed statement, its key, a book with a closed period, and that period's statement."""
    (tmp_path / "words.txt").write_text(WORDS, encoding="utf-8")
    (tmp_path / "key.pem").write_bytes(KEY.seal(WORDS))
    (tmp_path / "statement.json").write_bytes(canonical_json(sign(STATEMENT.document(), KEY)))
    create_book(tmp_path / "coop.jsonl", "coop")
    bought_ = bought("b1", "ada", "coop", ADA_SOY, "2000.001", day="2026-01-05", site="north")
    close = ev("close", "q1", "2026-03-31", entity="coop", closed_on="2026-04-05")
    with open_book(tmp_path / "coop.jsonl") as book:
        for event in (*CAST, *REPORTS, *bought_, close):
            book.post(read_event(event))
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


def keys(folder: Path) -> tuple[object, ...]:
    return "--key", folder / "key.pem", "--passphrase-file", folder / "words.txt"


def test_a_statement_becomes_a_credential_and_a_period_becomes_events(folder: Path) -> None:
    assert export(folder, "statement.json", "untp", *keys(folder)) == 0
    assert json.loads((folder / "view.json").read_text())["type"] == "EnvelopedVerifiableCredential"
    assert export(folder, "statement.json", "untp", *keys(folder)) == 2, "never written over"
    (folder / "view.json").unlink()
    assert export(folder, "period.json", "epcis", "--book", folder / "coop.jsonl") == 0
    made = json.loads((folder / "view.json").read_text())
    original = envelope_hash(json.loads((folder / "period.json").read_text()))
    assert made["provender:original"]["provender:sha256"] == original
    assert [one["type"] for one in made["epcisBody"]["eventList"]] == ["TransactionEvent"]


@pytest.mark.parametrize(
    ("name", "view", "more", "words"),
    [
        ("statement.json", "untp", (), "--key"),
        ("period.json", "untp", "keys", "no verification statement"),
        ("period.json", "epcis", (), "--book"),
        ("statement.json", "epcis", "book", "not a signed document"),
        ("unsigned.json", "epcis", "book", "no signature"),
        ("changed.json", "epcis", "book", "changed after it was signed"),
    ],
)
def test_anything_else_is_refused_in_words(
    folder: Path, name: str, view: str, more: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    signed = json.loads((folder / "period.json").read_text())
    (folder / "unsigned.json").write_bytes(canonical_json({"document": signed["document"]}))
    changed = {**signed, "document": {**signed["document"], "closed_on": "2026-04-06"}}
    (folder / "changed.json").write_bytes(canonical_json(changed))
    given = {"keys": keys(folder), "book": ("--book", folder / "coop.jsonl")}.get(more, ())
    assert export(folder, name, view, *given) == 2
    assert words in " ".join(capsys.readouterr().err.split())
    assert not (folder / "view.json").exists()
