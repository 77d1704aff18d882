"""Documents laid beside books are told to be signed by whom they name, by a stranger, or changed since."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from provender.cli.custody.app import app
from provender.custody.documents.consents import notice_document
from provender.custody.documents.sign import Pinned, sign_document, signature_of, signature_problem
from provender.signing.jws import Status
from tests.custody.documents.test_documents import foreign
from tests.custody.events.test_notice import AMENDED
from tests.custody.papers import DAY, buyer_book, changed, elevator_book, key_of, letter
from tests.custody.world import ev, posted

runner = CliRunner()


def known(*more: dict[str, Any]) -> Pinned:
    pinned = Pinned()
    pinned.add_book(buyer_book(*more))
    return pinned


def test_a_document_of_a_party_whose_key_a_book_pins_is_signed_by_it() -> None:
    assert signature_of(letter(elevator_book()), known()) is Status.VALID
    assert signature_problem(Status.VALID, "d.json") is None


def test_a_key_that_no_book_pins_is_signer_unknown_until_it_is_named() -> None:
    paper, pinned = letter(elevator_book(), signer="mill"), known()
    assert signature_of(paper, pinned) is Status.SIGNER_UNKNOWN
    pinned.named.add(key_of("mill").fingerprint)
    assert signature_of(paper, pinned) is Status.VALID


@pytest.mark.parametrize(
    ("end", "status"),
    [("2026-01-31", Status.SIGNER_UNKNOWN), ("2026-02-01", Status.VALID), ("2026-02-02", Status.VALID)],
)
def test_a_contract_pins_a_key_up_to_its_last_day(end: str, status: Status) -> None:
    pin = ev(
        "contract", "k", "2025-11-04", entity="crush", counterparty="coop", role="supplier", number="K1",
        start_day="2025-11-01", end_day=end, signing_key=key_of("coop").fingerprint,
    )  # fmt: skip
    assert signature_of(letter(elevator_book()), known(pin)) is status


def test_a_changed_document_and_a_bare_one_are_told_apart() -> None:
    assert signature_of(changed(letter(elevator_book()), title_date="2026-02-02"), known()) is Status.SIGNATURE_WRONG
    assert signature_of(letter(elevator_book())["document"], known()) is Status.NOT_SIGNED
    assert signature_of(foreign(), known()) is None


def test_a_notice_is_checked_like_any_document() -> None:
    elevator = elevator_book()
    posted(elevator, [{**AMENDED, "ci": "5100"}])
    paper = sign_document(notice_document(elevator, "coop", "v2", "crush", as_of=DAY), key_of("coop"))
    assert signature_of(paper, known()) is Status.VALID


@pytest.mark.parametrize(
    ("kept", "code", "exit_code"),
    [("", None, 0), ("signer", "signer_unknown", 1), ("bare", "not_signed", 1), ("forged", "signature_wrong", 1)],
)
def test_reconcile_says_whose_signature_it_cannot_vouch_for(
    tmp_path: Path, kept: str, code: str | None, exit_code: int
) -> None:
    paper = letter(elevator_book(), signer="mill" if kept == "signer" else "coop")
    paper = dict(paper["document"]) if kept == "bare" else paper  # type: ignore[call-overload]
    paper = changed(paper, title_date="2026-02-02") if kept == "forged" else paper
    file, key = tmp_path / "d.json", tmp_path / "coop.json"
    file.write_text(json.dumps(paper), encoding="utf-8")
    key.write_text(json.dumps(key_of("coop").public.export()), encoding="utf-8")
    result = runner.invoke(app, ["reconcile", str(file), "--key", str(key), "--json"])
    found = json.loads(result.stdout)
    assert [one["code"] for one in found["problems"]] == ([code] if code else [])
    assert found["files"] == ([] if kept == "forged" else ["d.json"])
    assert result.exit_code == exit_code
