"""Contracts about deliveries: what is left, what comes back, which claims go, and lines that accounting reads back."""

import csv
import io
from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from provender.custody.memory_store import MemoryStore
from provender.formats.column_map import ColumnMap
from provender.formats.mapped import import_table
from provender.quantity import show
from provender.services.custody.deliveries import (
    ContractDeliveryView,
    SettlementLineView,
    deliveries,
    lines_csv,
    own_map,
    settlement_lines,
)
from provender.services.custody.tickets import read_settlements, rows_of
from provender.services.refused import RefusedError
from tests.custody.world import ADA_SOY, BEN_SOY, CAST, REPORTS, bought, ev, favourable, posted, serials, status

DAY = date(2026, 3, 1)
TERMS = {"form": "soybeans", "amount": "1000", "first_delivery": "2026-02-01", "last_delivery": "2026-02-20"}


def contract(number: str = "C-1", other: str = "crush", **terms: object) -> dict[str, Any]:
    said = {"entity": "coop", "counterparty": other, "role": "recipient", "number": number}
    return ev("contract", f"contract-{number}-{len(terms)}", "2026-01-02", start_day="2026-01-02", **said, **terms)


def sold(name: str, day: str, bushels: str, **more: object) -> dict[str, Any]:
    fields = {"giver": "coop", "taker": "crush", "crop": "soybeans", "bushels": bushels, "contract": "C-1"}
    return ev("sale", name, day, **{**fields, **more})


@pytest.fixture
def store() -> MemoryStore:
    """Two thousand bushels of each of two intensities: 5000 of ada, 6000 of ben."""
    made = MemoryStore()
    posted(made, [*CAST, *REPORTS, favourable("coop", "soybeans")])
    posted(made, bought("b1", "ada", "coop", ADA_SOY, "2000", day="2026-01-05", site="north"))
    posted(made, bought("b2", "ben", "coop", BEN_SOY, "2000", day="2026-01-06", site="north"))
    return made


def standing(store: MemoryStore, day: date = DAY) -> ContractDeliveryView:
    with store.reading() as facts:
        (one,) = deliveries(facts, "coop", day)
    return one


def lines(store: MemoryStore) -> list[SettlementLineView]:
    with store.reading() as facts:
        return settlement_lines(facts, "coop", DAY)


def bushels(amounts: Iterable[int]) -> str:
    return show(sum(amounts))


def test_deliveries_count_against_their_contract_in_its_window_and_beyond(store: MemoryStore) -> None:
    posted(store, [contract(**TERMS), sold("s1", "2026-01-20", "100"), sold("s2", "2026-02-01", "300")])
    posted(store, [sold("s3", "2026-02-20", "400"), sold("s4", "2026-02-21", "250.5"), sold("s5", "2026-02-21", "9",
                                                                                         contract="")])  # fmt: skip
    one = standing(store)
    assert (one.delivered_amount, one.left_amount, one.beyond_amount) == (1_050_500, 0, 50_500)
    assert (one.early_amount, one.late_amount) == (100_000, 250_500)
    assert not one.overdue
    before = standing(store, date(2026, 2, 20))
    assert (before.left_amount, before.overdue) == (200_000, False)


def test_what_is_left_after_the_last_day_is_overdue(store: MemoryStore) -> None:
    posted(store, [contract(**TERMS), sold("s1", "2026-02-10", "999.999")])
    assert [standing(store, date(2026, 2, day)).overdue for day in (20, 21)] == [False, True]


def test_a_sale_under_a_contract_takes_only_what_it_asks_for(store: MemoryStore) -> None:
    posted(store, [contract(**TERMS, ci_min="5500"), sold("s1", "2026-02-10", "10")])
    assert {line.ci_g_per_bu for line in lines(store)} == {600_000}, "ada's older beans are below the range"
    low = {"lots": [serials(ADA_SOY, 0, 5)]}
    assert status(store, sold("s2", "2026-02-10", "0", **low)) == "outside_ci_range"
    assert status(store, sold("s3", "2026-02-10", "1991")) == "outside_ci_range"
    assert status(store, sold("s4", "2026-02-10", "1990", ci_max="6000")) == "posted"


@pytest.mark.parametrize(
    ("wrong", "answer"),
    [({"contract": "C-9"}, "record_not_found"), ({"taker": "mill"}, "parties_differ"),
     ({"crop": "corn"}, "parties_differ")],
)  # fmt: skip
def test_a_contract_of_others_or_about_something_else_is_filled_by_nothing(
    store: MemoryStore, wrong: dict[str, str], answer: str
) -> None:
    posted(store, [contract(**TERMS)])
    assert status(store, {**sold("s1", "2026-02-10", "10"), **wrong}) == answer


@pytest.mark.parametrize(
    ("wrong", "answer"),
    [({"amount": "0"}, "amount_not_positive"), ({"form": "meal"}, "form_not_possible"),
     ({"form": "soybean_meal"}, "form_not_possible"), ({"ci_min": "6000", "ci_max": "5999.99"}, "ci_not_possible"),
     ({"last_delivery": "2026-01-31"}, "dates_reversed"), ({"premium_per_bu": "-0.01"}, "amount_not_positive")],
)  # fmt: skip
def test_odd_terms_are_refused(store: MemoryStore, wrong: dict[str, str], answer: str) -> None:
    assert status(store, contract(**{**TERMS, **wrong})) == answer


@pytest.mark.parametrize(
    "term",
    [{"premium_per_bu": "0.10"}, {"premium_per_bu": "-0.10"}, {"ci_min": "0"}, {"ci_max": "6000"},
     {"first_delivery": "2026-02-01"}, {"last_delivery": "2026-02-01"}, {"form": "soybeans"}],
)  # fmt: skip
def test_terms_of_deliveries_without_an_amount_are_refused_and_not_dropped(
    store: MemoryStore, term: dict[str, str]
) -> None:
    assert status(store, contract(**term)) in ("amount_not_positive", "form_not_possible")


def test_a_key_that_is_rotated_leaves_what_was_agreed(store: MemoryStore) -> None:
    posted(store, [contract(**TERMS), contract(signing_key="k" * 43)])
    assert standing(store).agreed_amount == 1_000_000


def test_what_comes_back_or_is_taken_back_is_to_deliver_again(store: MemoryStore) -> None:
    terms = {**TERMS, "premium_per_bu": "0.05"}
    posted(store, [contract(**terms), sold("s1", "2026-02-10", "300"), sold("s2", "2026-02-11", "200")])
    posted(store, [ev("accept", "a1", "2026-02-12", taker="crush", movement="s1")])
    back = {"giver": "crush", "taker": "coop", "movement": "s1", "amount": "40.5", "site": "north"}
    posted(store, [ev("return", "r1", "2026-02-13", **back)])
    assert standing(store).left_amount in (540_500, 500_000)
    with store.reading() as facts:
        disputed = [lot for lot in facts.lots_by("r1") if lot.state == "disputed"]
    assert bool(disputed) == (standing(store).left_amount == 500_000), "in dispute nothing has come back"
    posted(store, [ev("reject", "j2", "2026-02-14", giver="coop", taker="crush", movement="s2", site="north")])
    sums = {one.number: one.premium_amount for one in lines(store)}
    assert sums["s1"] == 1500
    assert standing(store).delivered_amount == sum(one.bushels for one in lines(store))


DISPUTED = ev("reject", "j1", "2026-02-12", giver="coop", taker="crush", movement="s1", site="north")
SETTLED = ev("settle", "e1", "2026-02-14", entity="crush", movement="j1")


def test_a_settled_dispute_gives_back_on_its_day_and_the_premium_is_paid_once(store: MemoryStore) -> None:
    posted(store, [contract(**TERMS, premium_per_bu="0.10"), sold("s1", "2026-02-10", "1000")])
    store.owner = "coop"
    posted(store, [DISPUTED])
    assert standing(store).delivered_amount == 1_000_000, "in dispute nothing has come back"
    store.owner = ""
    posted(store, [SETTLED])
    assert [standing(store, date(2026, 2, day)).delivered_amount for day in (13, 14)] == [1_000_000, 0]
    posted(store, [sold("s2", "2026-02-15", "1000")])
    one = standing(store)
    assert (one.delivered_amount, one.beyond_amount) == (1_000_000, 0)
    paid = [(each.number, each.premium_amount) for each in lines(store)]
    assert paid == [("s1", 10_000), ("e1", -10_000), ("s2", 10_000)]


def test_a_settled_dispute_about_a_purchase_is_to_deliver_again_for_its_buyer(store: MemoryStore) -> None:
    posted(store, [{**contract(other="ada", **TERMS), "role": "supplier"}])
    posted(store, bought("p1", "ada", "coop", ADA_SOY, "400", day="2026-02-10", site="north", contract="C-1"))
    store.owner = "ada"
    posted(store, [ev("return", "r1", "2026-02-12", giver="coop", taker="ada", movement="p1")])
    assert standing(store).delivered_amount == 400_000
    store.owner = ""
    posted(store, [ev("settle", "e1", "2026-02-14", entity="coop", movement="r1")])
    assert standing(store).delivered_amount == 0


def test_lines_are_cut_by_ticket_and_intensity_and_sum_to_what_was_sold(store: MemoryStore) -> None:
    tickets = [{"number": "O-1", "bushels": "900.25"}, {"number": "O-2", "bushels": "1150"}]
    terms = {**TERMS, "ci_max": "5500", "premium_per_bu": "0.0525"}
    del terms["ci_max"]
    posted(store, [contract(**terms), sold("s1", "2026-02-10", "2100", tickets=tickets, site="north")])
    found = lines(store)
    assert [(one.ticket, show(one.bushels), one.ci_g_per_bu) for one in found] == [
        ("O-1", "900.25", 500_000), ("O-2", "1099.75", 500_000), ("O-2", "50.25", 600_000), ("", "49.75", 600_000),
    ]  # fmt: skip
    assert bushels(one.bushels for one in found) == "2100"
    assert [one.premium_amount for one in found] == [4726, 5774, 264, 261], "cents, half to even"
    assert all(one.stop_bu - one.start_bu == one.bushels for one in found)


def test_lines_for_accounting_are_read_back_by_the_map_that_wrote_them(store: MemoryStore, tmp_path: Path) -> None:
    tickets = [{"number": "=O-1", "bushels": "30"}, {"number": "O,2", "bushels": "70"}]
    posted(store, [contract(**TERMS), sold("s1", "2026-02-10", "100", tickets=tickets, site="north")])
    path = tmp_path / "lines.csv"
    path.write_bytes(lines_csv(lines(store)))
    read = read_settlements(path, name="lines.csv", day=DAY, saved=[own_map()])
    assert not read.missing
    assert [(one.ticket.lstrip("'"), one.bushels, one.settlement, one.contract) for one in read.applied] == [
        (one.ticket, one.bushels, one.number, one.contract) for one in lines(store)
    ]


def foreign(*headings: str, unit: str = "", decimal: str = ".") -> ColumnMap:
    """A map of settlements with other headings for the first columns, and a unit and decimal sign of its own."""
    ours = own_map()
    rules = [replace(rule, heading=heading) for rule, heading in zip(ours.columns, headings, strict=False)]
    rules += ours.columns[len(headings) :]
    units = [replace(one, unit=unit) if one.field == "premium_per_bu" else one for one in rules]
    return replace(ours, columns=tuple(units), decimal=decimal)


@pytest.mark.parametrize(
    ("used", "premium", "applied"),
    [(foreign(), "0.1", "10.5"), (foreign(unit="cents/bu"), "10", "10.5"), (foreign(decimal=","), "0,1", "10,5"),
     (foreign(unit="cents/bu", decimal=","), "10", "10,5")],
)  # fmt: skip
def test_lines_are_written_in_the_units_and_the_decimal_sign_of_the_map(
    store: MemoryStore, tmp_path: Path, used: ColumnMap, premium: str, applied: str
) -> None:
    tickets = {"tickets": [{"number": "O-1", "bushels": "10.5"}], "site": "north"}
    posted(store, [contract(**TERMS, premium_per_bu="0.10"), sold("s1", "2026-02-10", "10.5", **tickets)])
    path = tmp_path / "lines.csv"
    path.write_bytes(lines_csv(lines(store), used))
    (row,) = csv.DictReader(io.StringIO(path.read_text("utf-8")))
    assert (row["Premium"], row["Bushels applied"]) == (premium, applied)
    read = read_settlements(path, name="lines.csv", day=DAY, saved=[used])
    assert [one.bushels for one in read.applied] == [10_500]
    assert not [one for one in read.problems if one.code.startswith(("unreadable", "unit"))]


def test_a_unit_that_no_field_of_a_line_can_be_in_is_refused(store: MemoryStore) -> None:
    posted(store, [contract(**TERMS), sold("s1", "2026-02-10", "10")])
    with pytest.raises(RefusedError, match="measure different things"):
        lines_csv(lines(store), foreign(unit="lb"))


def test_a_heading_of_a_map_is_no_formula_for_a_spreadsheet(store: MemoryStore) -> None:
    written = lines_csv(lines(store), foreign('=HYPERLINK("x")', "+1"))
    assert next(csv.reader(io.StringIO(written.decode())))[:2] == ['\'=HYPERLINK("x")', "'+1"]


SLIDES = {**TERMS, "premium_per_point": "0.015", "point_g_per_bu": "1000", "premium_base_ci": "5500"}


@pytest.mark.parametrize(
    ("terms", "ada", "ben"),
    [
        ({}, "0.0075", "0"),
        ({"premium_per_bu": "0.10"}, "0.1075", "0.1"),
        ({"premium_floor": "0.002"}, "0.0075", "0.002"),
        ({"premium_cap": "0.0075"}, "0.0075", "0"),
        ({"premium_cap": "0.0074", "premium_floor": "0.0001"}, "0.0074", "0.0001"),
        ({"premium_base_ci": "5000"}, "0", "0"),
        ({"premium_base_ci": "5000.01"}, "0.00000015", "0"),
        ({"premium_base_ci": "6000.01"}, "0.01500015", "0.00000015"),
        ({"ci_max": "5999.99", "premium_floor": "0.002"}, "0.0075", None),
    ],
)
def test_a_premium_slides_with_the_intensity_between_its_bounds(
    store: MemoryStore, terms: dict[str, str], ada: str, ben: str | None
) -> None:
    """Of ada 5,000 and of ben 6,000 g a bushel: at, under and over the base."""
    posted(store, [contract(**{**SLIDES, **terms}), sold("s1", "2026-02-10", "1000", lots=[serials(ADA_SOY, 0, 1000)])])
    both = sold("s2", "2026-02-10", "1000", lots=[serials(BEN_SOY, 0, 1000)])
    assert status(store, both) == ("posted" if ben is not None else "outside_ci_range")
    assert [show(one.premium_per_bu, 9) for one in lines(store)] == [ada, ben][: 1 + (ben is not None)]


@pytest.mark.parametrize(
    ("bushels", "cents"), [("0.666", 0), ("0.667", 1), ("2", 2), ("2000", 1500), ("1999.999", 1500)]
)
def test_a_line_is_reckoned_exactly_and_rounded_once(store: MemoryStore, bushels: str, cents: int) -> None:
    """0.0075 dollars a bushel: 2 bu are 1.5 cents, which go to the even cent; 0.666 bu are 0.4995 cents."""
    posted(store, [contract(**SLIDES), sold("s1", "2026-02-10", bushels)])
    assert [one.premium_amount for one in lines(store)] == [cents]


def test_a_point_of_any_grams_is_reckoned_in_fractions(store: MemoryStore) -> None:
    """500 g below the base at 0.01 dollars for each 300 g, 900 bu: 15 dollars, and not 900 times a rounded price."""
    terms = {**SLIDES, "premium_per_point": "0.01", "point_g_per_bu": "300"}
    posted(store, [contract(**terms), sold("s1", "2026-02-10", "900")])
    (one,) = lines(store)
    assert (one.premium_amount, show(one.premium_per_bu, 9)) == (1500, "0.016666667")


@pytest.mark.parametrize(
    "wrong",
    [{"point_g_per_bu": "0"}, {"premium_base_ci": "0"}, {"premium_per_point": "0"}, {"premium_per_point": "-0.01"},
     {"premium_floor": "-0.01"}, {"premium_cap": "-0.01"}, {"premium_floor": "0.02", "premium_cap": "0.0199"}],
)  # fmt: skip
def test_a_premium_that_cannot_slide_is_refused(store: MemoryStore, wrong: dict[str, str]) -> None:
    assert status(store, contract(**{**SLIDES, **wrong})) == "amount_not_positive"


def test_a_sliding_premium_goes_to_accounting_and_back_with_all_its_decimals(
    store: MemoryStore, tmp_path: Path
) -> None:
    tickets = {"tickets": [{"number": "O-1", "bushels": "10.5"}], "site": "north"}
    posted(store, [contract(**{**SLIDES, "premium_base_ci": "5000.01"}), sold("s1", "2026-02-10", "10.5", **tickets)])
    path = tmp_path / "lines.csv"
    path.write_bytes(lines_csv(lines(store)))
    (row,) = csv.DictReader(io.StringIO(path.read_text("utf-8")))
    assert (row["Premium"], row["Net amount"]) == ("0.00000015", "0.00")
    read = import_table(path, "settlement", as_of=DAY, name="lines.csv", saved=[own_map()])
    assert read.result
    ((_, found),) = rows_of(read.result)
    assert (found.values["premium_per_bu"], found.values["net_amount"]) == ("0.00000015", "0")
    assert {one.code for one in read.problems} == {"no_unit"}
