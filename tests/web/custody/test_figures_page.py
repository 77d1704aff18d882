"""A refiner's figures, stock and balance: numbers, names and hashes as all pages write them; a file has every digit."""

from decimal import Decimal
from typing import Any

from provender.services.custody import stock
from provender.services.custody.balances import RETIRED, sums
from provender.services.custody.views import StockView
from provender.web.custody.pages.signing import _tables
from provender.web.custody.pages.stock import whole_cell

ORIGIN = "18674d64883cce22eb0f2103efeff0435b62859b1a80d481fd1d0588fe0a4b9f"
SUMS = {
    "retired_bu": "384237.991", "sum_g": "2431513426.24402", "mean_ci_g_per_bu": "6328.14",
    "lowest_ci_g_per_bu": "4914.28", "highest_ci_g_per_bu": "7500",
}  # fmt: skip
LOT = {
    "day": "2026-01-25", "batch": "b-1", "crop": "soybeans", "origin": ORIGIN, "start": "0", "stop": "1374.062",
    "bushels": "1374.062", "ci_g_per_bu": "6457.14", "supplier": "crush", "report_sha256": None, "document": None,
}  # fmt: skip
MADE: dict[str, Any] = {
    "energy": None, "crops": [{"crop": "soybeans", **SUMS}], "periods": [], "lots": [LOT],
    "batches": [{"fuel": "renewable diesel", "batch": "b-1", "gallons": "47903", **SUMS}],
}  # fmt: skip


def test_figures_have_commas_names_begin_large_and_hashes_are_short() -> None:
    tables = _tables(MADE)
    assert [cell.text for cell in tables["crops"].cells[0]] == [
        "Soybeans", "384,237.991", "2,431,513,426.24402", "6,328.14", "4,914.28", "7,500",
    ]  # fmt: skip
    assert tables["crops"].cells[0][2].in_file == Decimal("2431513426.24402")
    assert [cell.text for cell in tables["batches"].cells[0]][:3] == ["Renewable diesel", "b-1", "47,903"]
    heads = {column.label: cell for column, cell in zip(tables["lots"].columns, tables["lots"].cells[0], strict=True)}
    assert (heads["Origin"].text, heads["Origin"].in_file) == (ORIGIN[:12], ORIGIN)
    assert heads["CI (g CO2e/bu)"].text == "6,457.14"
    assert (heads["Serials from"].text, heads["Up to, not including"].text) == ("0", "1,374.062")
    assert not [label for label in heads if "_" in label or "Ci g" in label or "sha" in label]


def line(ci: str, ending: str, retired: str) -> dict[str, Any]:
    return {
        "crop": "soybeans", "harvest_year": 2025, "ci_g_per_bu": ci, "beginning_bu": "0", "incoming_bu": "0",
        "outgoing_bu": retired, "ending_bu": ending, "unverified_bu": "0", "incoming": {}, "forms": [],
        "outgoing": {RETIRED: retired},
    }  # fmt: skip


def test_a_balance_gives_the_mean_of_what_is_on_hand_and_of_what_was_retired() -> None:
    document = {"lines": [line("5000", "100", "300"), line("7000", "100", "100")], "start": "a", "end": "b"}
    (one,) = sums(document)
    assert (one.mean_ci_g_per_bu, one.retired_mean_ci_g_per_bu) == (600_000, 550_000)
    (none,) = sums({**document, "lines": [line("5000", "0", "0")]})
    assert (none.mean_ci_g_per_bu, none.retired_mean_ci_g_per_bu) == (None, None)


def row(form: str, amount: int) -> StockView:
    return StockView(
        crop="soybeans", harvest_year=2025, ci_g_per_bu=1, form=form, custodian="x", site="s", state="held",
        bushels=1, amount=amount, lots=1,
    )  # fmt: skip


def test_what_lies_in_tanks_is_said_in_its_own_unit() -> None:
    found = stock.product_sums([row("soybeans", 5), row("soybean_oil", 2), row("soybean_oil", 3)])
    assert found == [("soybean_oil", 5, "lb")]


def test_less_than_one_stands_among_whole_amounts_and_a_file_has_it_exact() -> None:
    assert [whole_cell(value).text for value in (775, 18_000, 0, 1_000)] == ["< 1", "18", "0", "1"]
    cell = whole_cell(775, "lb")
    assert (cell.text, cell.in_file, cell.unit) == ("< 1 lb", Decimal("0.775"), "lb")
