"""A changed report goes from one house's book to another's by command line, document and key."""

import json
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from provender.cli.custody.app import app
from provender.custody.book_file import create_book, open_book
from provender.custody.events.registry import read_event
from provender.signing.keys import SigningKey
from tests.custody.events.test_notice import AMENDED
from tests.custody.papers import elevator_book
from tests.custody.world import CAST, ev

runner = CliRunner()


def ask(*arguments: object, status: int) -> Any:  # noqa: ANN401 - whatever JSON a command prints
    result = runner.invoke(app, [*map(str, arguments), "--json"])
    assert result.exit_code == status, (result.output, result.exception)
    return json.loads(result.stdout)


def book_of(path: Path, entity: str, events: list[dict[str, Any]]) -> Path:
    create_book(path, entity)
    with open_book(path) as book:
        for event in events:
            assert book.post(read_event(event)).status == "posted"
    return path


def drawn(book: Path, out: Path, *more: object) -> str:
    """Return the text of the chain diagram of a book."""
    result = runner.invoke(app, ["trace", str(book), "--chain", str(out), *map(str, more)])
    assert result.exit_code == 0, (result.output, result.exception)
    return out.read_text(encoding="utf-8")


def test_a_notice_is_made_signed_received_and_shown_among_the_lots(tmp_path: Path) -> None:
    store, key = elevator_book(), SigningKey.generate()
    seller = tmp_path / "coop.jsonl"
    create_book(seller, "coop")
    with open_book(seller) as book:
        for one in (*(posted.request for posted in store.events()), read_event({**AMENDED, "ci": "5100"})):
            assert book.post(one).status == "posted"
    pin = ev(
        "contract", "k", "2025-11-03", entity="crush", counterparty="coop", role="supplier", number="K",
        start_day="2025-11-01", signing_key=key.fingerprint,
    )  # fmt: skip
    buyer = book_of(tmp_path / "crush.jsonl", "crush", [*CAST, pin])
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


def test_a_notice_without_a_holder_says_whom_it_concerns(tmp_path: Path) -> None:
    store, seller = elevator_book(), tmp_path / "coop.jsonl"
    create_book(seller, "coop")
    with open_book(seller) as book:
        for one in (*(posted.request for posted in store.events()), read_event({**AMENDED, "ci": "5100"})):
            assert book.post(one).status == "posted"
    result = runner.invoke(app, ["document", str(seller), "notice", "v2", "--out", str(tmp_path)])
    assert "Name one of those it concerns: crush." in str(result.exception)
