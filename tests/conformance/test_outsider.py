"""Somebody who has the kit and its page alone comes to the same: verdicts, signatures, chains, balances (slow tier)."""

import json

import pytest

from tests.conformance import outsider
from tests.conformance.kit import KIT, part
from tests.conformance.make_operations import FILE, named_operations

pytestmark = pytest.mark.slow


def test_verdicts_on_stir_follow_from_the_kit() -> None:
    found, answers = outsider.stir_verdicts(KIT), outsider.load(KIT, "verdicts/thresholds.expected")["answers"]
    assert len(found) > 8
    assert found == {name: answers[name] for name in found}


def test_operations_of_the_kit_are_those_of_the_list() -> None:
    assert json.loads(FILE.read_text("utf-8")) == named_operations()


def test_a_report_and_its_books_are_checked_without_the_program() -> None:
    envelope = outsider.load(KIT, "packages/buyer")
    assert outsider.is_signed(envelope, outsider.TYP_OF_REPORT)
    assert not outsider.is_signed(envelope, "custody-sale-slip+json")
    envelope["document"]["crop"] = "sorghum"
    assert not outsider.is_signed(envelope, outsider.TYP_OF_REPORT)
    for party in ("elevator", "crusher", "refiner"):
        files = outsider.files_in(KIT / f"packages/{party}.zip")
        (book,) = (one for name, one in files.items() if name.endswith(".jsonl"))
        assert outsider.chain_holds(book), party
        assert not outsider.chain_holds(book.replace(b'"day": "2026', b'"day": "2027', 1)), party


def test_balances_are_computed_without_the_program() -> None:
    found = {case["id"]: outsider.balance(case["input"]) for case in part("balances/equation")["cases"]}
    assert found == outsider.load(KIT, "balances/equation.expected")["answers"]
