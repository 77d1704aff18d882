"""``provender export``: a period's statement becomes events, and anything else is refused in words."""

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


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with an audit's statement, a book with a closed period, and that period's statement."""
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


def test_a_period_becomes_events(folder: Path) -> None:
    assert export(folder, "period.json", "epcis", "--book", folder / "coop.jsonl") == 0
    made = json.loads((folder / "view.json").read_text())
    original = envelope_hash(json.loads((folder / "period.json").read_text()))
    assert made["provender:original"]["provender:sha256"] == original
    assert [one["type"] for one in made["epcisBody"]["eventList"]] == ["TransactionEvent"]
    assert export(folder, "period.json", "epcis", "--book", folder / "coop.jsonl") == 2, "never written over"


def test_our_own_words_are_written_out_or_named_by_the_address_that_serves_them(folder: Path) -> None:
    served = json.loads((Path(__file__).parents[2] / "docs/reference/terms.jsonld").read_text(encoding="utf-8"))
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


@pytest.mark.parametrize(
    ("name", "book", "words"),
    [
        ("period.json", False, "--book"),
        ("statement.json", True, "not a signed document"),
        ("unsigned.json", True, "no signature"),
        ("changed.json", True, "changed after it was signed"),
    ],
)
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
