"""Contracts of another program come onto the files of a book, whatever it calls its columns and people."""

import json
from datetime import date
from pathlib import Path
from typing import Any, Final

import pytest
from typer.testing import CliRunner

from provender.cli.custody.app import app
from provender.custody.book_file import open_book
from provender.custody.model.entities import Contract, ContractKind, Delivery
from provender.custody.model.grain import plain_name
from provender.custody.reconcile.ticket_rows import contract_events, names_of, read_contract
from provender.custody.store import MemoryStore
from provender.problem import Weight
from tests.custody.papers import DAY
from tests.custody.world import CAST, entity, ev, posted, record_of, run
from tests.rows import CaseRows

ROWS: Final = CaseRows(__file__)
pytestmark = pytest.mark.usefixtures("parsed_here")


KNOWN = {"coop": "coop", "ada": "ada", "ada s farm": "ada", "crush": "crush"}
ROW = {"number": "C-7", "day": "2025-09-01", "seller": "Ada's Farm", "crop": "soybeans", "bushels": "5000"}
runner = CliRunner()


def read(**changes: str) -> tuple[Any, list[str]]:
    found, problems = read_contract(2, {**ROW, **changes}, "coop", KNOWN, "c.csv")
    return found, [one.code for one in problems]


@pytest.mark.parametrize(
    ("changes", "role", "other"),
    [
        ({}, ContractKind.SUPPLIER, "ada"),
        ({"buyer": "Coop"}, ContractKind.SUPPLIER, "ada"),
        ({"seller": "COOP", "buyer": "crush"}, ContractKind.RECIPIENT, "crush"),
        ({"seller": "", "buyer": "Crush"}, ContractKind.RECIPIENT, "crush"),
        ({"seller": "Crush", "direction": " Sale"}, ContractKind.RECIPIENT, "crush"),
        ({"seller": "Ada", "direction": "P"}, ContractKind.SUPPLIER, "ada"),
        ({"seller": "Ada", "buyer": "Coop", "direction": "S"}, ContractKind.SUPPLIER, "ada"),
    ],
)
def test_the_other_is_the_seller_unless_that_is_us(changes: dict[str, str], role: ContractKind, other: str) -> None:
    found, codes = read(**changes)
    assert (found.role, found.counterparty, codes) == (role, other, [])


@ROWS
def test_a_row_that_cannot_be_used_is_told_and_left_out(changes: dict[str, str], code: str) -> None:
    assert read(**changes) == (None, [code])


def test_a_contract_that_alone_says_nothing_of_buying_or_selling_is_asked_about() -> None:
    def told(**changes: str) -> list[tuple[str, str]]:
        _, problems = read_contract(2, {**ROW, **changes}, "coop", KNOWN, "c.csv", ways=True)
        return [(one.code, one.place.column) for one in problems]

    assert told() == told(direction=" ") == [("contract_direction", "direction")]
    assert told(direction="P") == told(buyer="Coop") == told(seller="", buyer="Crush") == []


def test_the_first_day_of_delivery_stands_in_for_a_missing_day_of_the_contract() -> None:
    found, _ = read(day="", first_day="2025-10-15")
    assert found.start.isoformat() == "2025-10-15"


def test_names_are_compared_without_case_accents_and_signs() -> None:
    assert plain_name("  Ådå's   FARM, LLC ") == "ada s farm llc"


def test_a_name_that_two_entities_share_finds_neither_but_their_ids_do() -> None:
    store = posted(MemoryStore(), [entity("coop", "first_point"), *_twins()])
    known = names_of(store)
    assert "smith" not in known
    assert (known["smith1"], known["smith2"]) == ("smith1", "smith2")


def _twins() -> list[dict[str, object]]:
    return [{**entity(name, "farm"), "name": "Smith"} for name in ("smith1", "smith2")]


def test_a_contract_is_put_on_file_once_and_keeps_the_pinned_key() -> None:
    store = posted(MemoryStore(), CAST)
    found, _ = read()
    first = list(contract_events([found], store, "coop", DAY))
    assert [one.status for one in run(store, first)] == ["posted"]
    assert list(contract_events([found], store, "coop", DAY)) == []
    pin = ev(
        "contract", "pin", "2026-02-02", entity="coop", counterparty="ada", role="supplier", number="C-7",
        start_day="2025-09-01", signing_key="thumb",
    )  # fmt: skip
    posted(store, [pin])
    later, _ = read(day="2025-09-02")
    (again,) = contract_events([later], store, "coop", DAY)
    assert (again["id"], again["signing_key"]) == ("contract-C-7-2", "thumb")
    posted(store, [again])
    (other,) = contract_events([read(seller="", buyer="crush")[0]], store, "coop", DAY)
    assert "signing_key" not in other
    held = record_of(store, Contract, "coop/C-7")
    assert (held.start.isoformat(), held.signing_key) == ("2025-09-02", "thumb")


@pytest.mark.parametrize(
    "terms",
    [{"bushels": "0"}, {"bushels": "0.000"}, {"ci_min_g_per_bu": "5000.00", "bushels": "5000.0"},
     {"ci_max_g_per_bu": "0", "ci_min_g_per_bu": "0"},
     {"first_day": "2025-10-15", "last_day": "2025-10-15"}],
)  # fmt: skip
def test_a_row_read_again_says_nothing_new_however_its_numbers_are_written(terms: dict[str, str]) -> None:
    store = posted(MemoryStore(), CAST)
    found, codes = read(**terms)
    assert not codes
    assert [one.status for one in run(store, list(contract_events([found], store, "coop", DAY)))] == ["posted"]
    assert list(contract_events([read(**terms)[0]], store, "coop", DAY)) == []


@pytest.fixture
def book(tmp_path: Path) -> str:
    path = str(tmp_path / "coop.jsonl")
    early = ("--as-of", "2025-11-01")
    call("init", path, "--entity", "coop", "--name", "Coop", "--role", "first_point", "--site", "north", *early)
    file = tmp_path / "ada.jsonl"
    file.write_text(json.dumps(ev("entity", "e-ada", "2025-11-01", entity="ada", name="Ada's Farm", roles=["farm"])))
    call("add", path, str(file))
    return path


def call(*arguments: str, status: int = 0) -> str:
    result = runner.invoke(app, list(arguments))
    assert result.exit_code == status, (result.output, result.exception)
    return result.stdout


def test_contracts_are_entered_by_a_map_that_somebody_looked_at(book: str, tmp_path: Path) -> None:
    file, saved = tmp_path / "contracts.csv", tmp_path / "map.json"
    text = "Contract #,Trade Date,Customer Name,Commodity,Quantity (bu)\nC-7,2025-09-01,ADA'S FARM,Soybeans,5000\n"
    file.write_text(text, encoding="utf-8")
    shown = json.loads(call("contracts", book, str(file), "--save-map", str(saved), "--json", status=1))
    assert [(row["contract"], row["counterparty"]) for row in shown["contracts"]] == [("C-7", "ada")]
    assert shown["statuses"] == []
    refused = runner.invoke(app, ["contracts", book, str(file), "--enter"])
    assert "confirmed what the columns mean" in str(refused.exception)
    entered = json.loads(call("contracts", book, str(file), "--map", str(saved), "--enter", "--json"))
    assert [one["status"] for one in entered["statuses"]] == ["posted"]
    assert json.loads(call("contracts", book, str(file), "--map", str(saved), "--enter", "--json"))["statuses"] == []


def test_terms_of_delivery_in_a_file_are_entered_with_the_contract(book: str, tmp_path: Path) -> None:
    file, saved = tmp_path / "contracts.csv", tmp_path / "map.json"
    heads = "Contract #,Trade Date,Customer Name,Commodity,Quantity (bu),Delivery start,Delivery end,CI min (g CO2e/bu)"
    row = "C-7,2025-09-01,ADA'S FARM,Soybeans,5000,2026-01-01,2026-02-28,4000,5600"
    file.write_text(f"{heads},CI max (g CO2e/bu)\n{row}\n", encoding="utf-8")
    call("contracts", book, str(file), "--save-map", str(saved), "--json", status=1)
    entered = json.loads(call("contracts", book, str(file), "--map", str(saved), "--enter", "--json"))
    assert [each["status"] for each in entered["statuses"]] == ["posted"]
    assert entered["problems"] == [], "the unit stands in the heading"
    with open_book(Path(book)) as opened:
        held = opened.store.one(Delivery, "coop/C-7")
    window = date(2026, 1, 1), date(2026, 2, 28)
    assert held == Delivery("coop", "C-7", "soybeans", 5_000_000, *window, 400_000, 560_000)


def test_a_file_without_a_column_for_the_number_is_refused_with_what_to_do(book: str, tmp_path: Path) -> None:
    file = tmp_path / "contracts.csv"
    file.write_text("Ref,Trade Date,Customer Name,Commodity\nC-7,2025-09-01,Ada's Farm,Soybeans\n", encoding="utf-8")
    refused = runner.invoke(app, ["contracts", book, str(file)])
    assert "No column of the file is known to be: number" in str(refused.exception)


@pytest.mark.parametrize(("crop", "weight"), [("popcorn", Weight.NOTE), ("XB7", Weight.CONFIRM), ("", Weight.CONFIRM)])
def test_a_contract_left_out_for_a_word_that_nobody_knows_is_looked_at(crop: str, weight: Weight) -> None:
    made, (problem,) = read_contract(2, {**ROW, "crop": crop}, "coop", {}, "c.csv")
    assert (made, problem.weight) == (None, weight)
