"""Contracts about deliveries: what is left, what comes back, which claims go."""

from datetime import date
from typing import Any

import pytest

from provender.custody.queries.deliveries import ContractDeliveryView, deliveries
from provender.custody.store import MemoryStore
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
    made = posted(MemoryStore(), [*CAST, *REPORTS, favourable("coop", "soybeans")])
    posted(made, bought("b1", "ada", "coop", ADA_SOY, "2000", day="2026-01-05", site="north"))
    posted(made, bought("b2", "ben", "coop", BEN_SOY, "2000", day="2026-01-06", site="north"))
    return made


def standing(store: MemoryStore, day: date = DAY) -> ContractDeliveryView:
    (one,) = deliveries(store, "coop", day)
    return one


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
    went = {lot.ci for lot in store.lots_by("s1") if lot.by == "s1"}
    assert went == {600_000}, "ada's older beans are below the range"
    low = {"lots": [serials(ADA_SOY, 0, 5)]}
    assert status(store, sold("s2", "2026-02-10", "0", **low)) == "outside_ci_range"
    assert status(store, sold("s3", "2026-02-10", "1991")) == "outside_ci_range"
    assert status(store, sold("s4", "2026-02-10", "1990", ci_max="6000")) == "posted"


@pytest.mark.parametrize(
    ("wrong", "answer"),
    [({"contract": "C-9"}, "record_not_found"), ({"taker": "mill"}, "parties_differ"),
     ({"crop": "corn"}, "parties_differ")],
)  # fmt: skip
def test_a_contract_of_others_or_of_else_is_not_filled(store: MemoryStore, wrong: dict[str, str], answer: str) -> None:
    posted(store, [contract(**TERMS)])
    assert status(store, {**sold("s1", "2026-02-10", "10"), **wrong}) == answer


@pytest.mark.parametrize(
    ("wrong", "answer"),
    [({"amount": "0"}, "amount_not_positive"), ({"form": "meal"}, "form_not_possible"),
     ({"form": "soybean_meal"}, "form_not_possible"), ({"ci_min": "6000", "ci_max": "5999.99"}, "ci_not_possible"),
     ({"last_delivery": "2026-01-31"}, "dates_reversed")],
)  # fmt: skip
def test_odd_terms_are_refused(store: MemoryStore, wrong: dict[str, str], answer: str) -> None:
    assert status(store, contract(**{**TERMS, **wrong})) == answer


@pytest.mark.parametrize(
    "term",
    [{"ci_min": "0"}, {"ci_max": "6000"},
     {"first_delivery": "2026-02-01"}, {"last_delivery": "2026-02-01"}, {"form": "soybeans"}],
)  # fmt: skip
def test_terms_of_deliveries_without_an_amount_are_refused(store: MemoryStore, term: dict[str, str]) -> None:
    assert status(store, contract(**term)) in ("amount_not_positive", "form_not_possible")


def test_a_key_that_is_rotated_leaves_what_was_agreed(store: MemoryStore) -> None:
    posted(store, [contract(**TERMS), contract(signing_key="k" * 43)])
    assert standing(store).agreed_amount == 1_000_000


def test_what_comes_back_or_is_taken_back_is_to_deliver_again(store: MemoryStore) -> None:
    posted(store, [contract(**TERMS), sold("s1", "2026-02-10", "300"), sold("s2", "2026-02-11", "200")])
    posted(store, [ev("accept", "a1", "2026-02-12", taker="crush", movement="s1")])
    back = {"giver": "crush", "taker": "coop", "movement": "s1", "amount": "40.5", "site": "north"}
    posted(store, [ev("return", "r1", "2026-02-13", **back)])
    assert standing(store).left_amount in (540_500, 500_000)
    disputed = [lot for lot in store.lots_by("r1") if lot.state == "disputed"]
    assert bool(disputed) == (standing(store).left_amount == 500_000), "in dispute nothing has come back"
    posted(store, [ev("reject", "j2", "2026-02-14", giver="coop", taker="crush", movement="s2", site="north")])
    assert standing(store).delivered_amount == (300_000 if disputed else 259_500)


DISPUTED = ev("reject", "j1", "2026-02-12", giver="coop", taker="crush", movement="s1", site="north")
SETTLED = ev("settle", "e1", "2026-02-14", entity="crush", movement="j1")


def test_a_settled_dispute_gives_back_on_its_day(store: MemoryStore) -> None:
    posted(store, [contract(**TERMS), sold("s1", "2026-02-10", "1000")])
    store.owner = "coop"
    posted(store, [DISPUTED])
    assert standing(store).delivered_amount == 1_000_000, "in dispute nothing has come back"
    store.owner = ""
    posted(store, [SETTLED])
    assert [standing(store, date(2026, 2, day)).delivered_amount for day in (13, 14)] == [1_000_000, 0]
    posted(store, [sold("s2", "2026-02-15", "1000")])
    one = standing(store)
    assert (one.delivered_amount, one.beyond_amount) == (1_000_000, 0)


def test_a_settled_dispute_about_a_purchase_is_to_deliver_again_for_its_buyer(store: MemoryStore) -> None:
    posted(store, [{**contract(other="ada", **TERMS), "role": "supplier"}])
    posted(store, bought("p1", "ada", "coop", ADA_SOY, "400", day="2026-02-10", site="north", contract="C-1"))
    store.owner = "ada"
    posted(store, [ev("return", "r1", "2026-02-12", giver="coop", taker="ada", movement="p1")])
    assert standing(store).delivered_amount == 400_000
    store.owner = ""
    posted(store, [ev("settle", "e1", "2026-02-14", entity="coop", movement="r1")])
    assert standing(store).delivered_amount == 0
