"""Numbers and traps from public documents: the letters are those of the collection they were gathered in."""

from datetime import date
from fractions import Fraction
from typing import Any

import pytest

from provender.custody.documents.build import NO_VERIFICATION, transfer_document
from provender.custody.events.registry import TYPES
from provender.custody.model.balances import balance_document, period_balances
from provender.custody.model.event import Event as Request
from provender.custody.model.lots import RATE_ONE, crop_for, product_of
from provender.custody.model.store_view import Store, StoreView
from provender.custody.store import MemoryStore
from tests.custody.first_sale import line
from tests.custody.world import (
    ADA_SOY,
    BEN_SOY,
    CAST,
    REPORTS,
    Event,
    bought,
    ev,
    favourable,
    oil_yield,
    period,
    posted,
    report,
    run,
    status,
)

PROVEN = [favourable(name, "soybeans", "corn", "sorghum") for name in ("coop", "mill", "crush", "fuel")]
BASE = [*CAST, *PROVEN, *REPORTS]


def sale(name: str, bushels: str, day: str = "2026-02-01", **more: object) -> Event:
    return ev("sale", name, day, giver="coop", taker="crush", crop="soybeans", bushels=bushels, **more)


def close(name: str, day: str, on: str, **more: object) -> Event:
    return ev("close", name, day, entity="coop", closed_on=on, **more)


def test_l2_a_named_lot_is_taken_from_its_own_farm_though_both_have_one_ci(store: MemoryStore) -> None:
    lot = {"origin": BEN_SOY, "start": "0", "stop": "5"}
    bought_of_both = [*buys("a", "ada", "10"), *buys("b", "ben", "10")]
    posted(store, [*farms("100", "100", ("5000", "5000")), *bought_of_both, sale("v", "5", lots=[lot])])
    assert {one.origin: one.crop_amount for one in store.lots_of("coop", "soybeans")} == {
        ADA_SOY: 10_000, BEN_SOY: 5_000,
    }  # fmt: skip


def test_d3_pounds_become_bushels_rounded_up_and_bushels_pounds_rounded_down() -> None:
    rate = 11_070_000
    assert Fraction(33_000_000 * RATE_ONE, rate) < crop_for(33_000_000, rate) == 2_981_030
    assert product_of(10_000_000, rate) == 110_700_000


def test_d3_a_sale_of_part_of_a_product_lot_names_the_crop_it_used_up(store: MemoryStore) -> None:
    buy = bought("b", "ada", "coop", ADA_SOY, "10000", day="2026-01-05", site="north")
    oil = [
        oil_yield("y", "2026-01-01", entity="coop", site="north", rate="11.07"),
        ev("process", "p", "2026-01-06", entity="coop", site="north", crop="soybeans", output="soybean_oil",
           bushels="10000"),
        ev("sale", "v", "2026-01-07", giver="coop", taker="fuel", crop="soybeans", form="soybean_oil", pounds="33000"),
    ]  # fmt: skip
    posted(store, [*BASE, *buy, *oil])
    one = line(store, "coop", 5000)
    assert dict(one.outgoing) == {"sold": 2_981_030}
    sheet = one.sheets["soybean_oil"]
    # 0.002 lb that 7,018.970 bushels no longer support are lost with the sale.
    assert (sheet.incoming, sheet.outgoing, sheet.ending) == (110_700_000, 33_000_003, 77_699_997)
    assert sheet.ending == product_of(7_018_970, 11_070_000)


def test_c_a_site_with_two_crops_closes_both_and_neither_borrows_the_others_grain(store: MemoryStore) -> None:
    beans = bought("a", "ada", "coop", ADA_SOY, "100", day="2026-01-05", site="north")
    slip, corn = bought("b", "ada", "coop", "ada/corn/2025", "50", day="2026-01-05", site="north")
    posted(store, [*BASE, *beans, slip, {**corn, "tickets": []}])
    assert status(store, close("c", "2026-03-31", "2026-04-01")) == "no_grain_book"
    grain = ev("receipt", "g", "2026-01-05", entity="coop", site="north", form="corn", amount="40", number="G")
    posted(store, [grain, close("c", "2026-03-31", "2026-04-01")])
    assert (line(store, "coop", 5000).ending, line(store, "coop", 7000).ending) == (100_000, 40_000)


def test_e6_the_ci_of_a_lot_cannot_be_entered_by_its_holder() -> None:
    def names(cls: type[Request]) -> set[str]:
        return set(cls.__dataclass_fields__)

    # A notice names one too, but can only make it worse (see events/test_reports).
    assert {kind for kind, cls in TYPES.items() if "ci" in names(cls)} == {"report", "opening", "notice"}


def test_e18_a_back_dated_sale_is_held_against_what_is_held_now_since_its_day(store: Store) -> None:
    buy = bought("b", "ada", "coop", ADA_SOY, "100", day="2026-01-05", site="north")
    posted(store, [*BASE, *buy, sale("v", "80", "2026-02-01")])
    assert status(store, sale("w", "30", "2026-01-20")) == "exceeds_stock"
    posted(store, [sale("x", "20", "2026-01-20")])


def test_e19_a_correction_and_the_correction_of_it_keep_the_history(store: MemoryStore) -> None:
    buy = bought("b", "ada", "coop", ADA_SOY, "100", day="2026-01-05", site="north")
    wrong = ev("correct", "c1", "2026-02-02", entity="coop", movement="v", reason="wrong buyer")
    right = ev("correct", "c2", "2026-02-03", entity="coop", movement="c1", reason="it was the right one")
    again = ev("correct", "c3", "2026-02-04", entity="coop", movement="c2", reason="it was not")
    posted(store, [*BASE, *buy, sale("v", "80"), wrong])
    assert sum(lot.amount for lot in store.lots_of("coop", "soybeans")) == 100_000
    posted(store, [right])
    assert sum(lot.amount for lot in store.lots_of("coop", "soybeans")) == 20_000
    assert status(store, {**wrong, "id": "c4"}) == "already_answered"
    posted(store, [again])
    one = line(store, "coop", 5000)
    assert (dict(one.incoming), dict(one.outgoing)) == (
        {"purchased": 100_000, "corrected": 160_000},
        {"sold": 80_000, "corrected": 80_000},
    )


def test_e19_a_correction_says_where_the_crop_went(store: Store) -> None:
    buy = bought("b", "ada", "coop", ADA_SOY, "100", day="2026-01-05", site="north")
    taken = ev("accept", "a", "2026-02-01", taker="crush", movement="v")
    on = ev("sale", "w", "2026-02-02", giver="crush", taker="fuel", crop="soybeans", bushels="80")
    posted(store, [*BASE, *buy, sale("v", "80"), taken, on])
    outcome = run(store, [ev("correct", "c", "2026-02-03", entity="coop", movement="v", reason="x")])[0]
    assert (outcome.status, "on the way to fuel" in outcome.message) == ("not_held", True)


@pytest.mark.parametrize(
    ("end", "opinion", "status"),
    [
        ("2026-02-02", "favourable", "favourable"),
        ("2026-02-01", "favourable", "favourable"),
        ("2026-01-31", "favourable", "none"),
        ("2026-02-02", "adverse", "none"),
        (None, "", "none"),
    ],
)
def test_e4_21_a_lapsed_verification_is_said(store: MemoryStore, end: str | None, opinion: str, status: str) -> None:
    buy = bought("b", "ada", "coop", ADA_SOY, "100", day="2026-01-05", site="north")
    said = [favourable("coop", "soybeans", end=end, opinion=opinion)] if end else []
    posted(store, [*CAST, *REPORTS, *buy, *said, sale("v21", "10")])
    told = transfer_document(store, "v21", as_of=date(2026, 2, 1))["verification"]
    assert isinstance(told, dict)
    assert (told["status"], told["statement"] is None) == (status, status == "none")
    assert (told["words"] == NO_VERIFICATION) == (status == "none")


# The collected cases in their own numbers: the cases above show the trap, these every figure of it.

YEAR_ON = [("2026-07-01", "2026-09-30"), ("2026-10-01", "2026-12-31"), ("2027-01-01", "2027-03-31")]


def farms(ada: str, ben: str = "1", cis: tuple[str, str] = ("5000", "6000")) -> list[Event]:
    reports = [report("ada", "soybeans", ada, cis[0]), report("ben", "soybeans", ben, cis[1])]
    return [*CAST, *PROVEN, *reports]


def buys(name: str, farm: str, bushels: str, day: str = "2026-01-05", site: str = "north") -> list[Event]:
    return bought(name, farm, "coop", f"{farm}/soybeans/2025", bushels, day=day, site=site)


def rows(facts: StoreView, name: str, ci: int) -> list[tuple[int, int, dict[str, int], int]]:
    """The equation of a CI in each period; noughts where the book has no line of it."""
    found = []
    for book in period_balances(facts, name):
        one = next((each for each in book.lines if each.key.ci == ci * 100), None)
        empty: tuple[int, int, dict[str, int], int] = (0, 0, {}, 0)
        found.append((one.beginning, one.total_incoming, dict(one.outgoing), one.ending) if one else empty)
    return found


def oil(name: str, rate: str, made_of: str = "soybeans", output: str = "soybean_oil") -> Event:
    days = {"start_day": "2026-01-01", "end_day": "2026-03-31", "campaign": name}
    return ev(
        "yield", name, "2026-01-01", entity="coop", site="north", made_of=made_of, output=output, rate=rate, **days
    )


def crush(bushels: str, name: str = "p", day: str = "2026-01-06") -> Event:
    process = {"entity": "coop", "site": "north", "crop": "soybeans", "output": "soybean_oil"}
    return ev("process", name, day, bushels=bushels, **process)


def test_b1_twelve_thousand_came_nine_went_and_three_still_stand_after_four_more_periods(store: MemoryStore) -> None:
    ahead = [period("coop", *days) for days in YEAR_ON]
    posted(store, [*farms("12000"), *ahead, *buys("b", "ada", "12000"), sale("v", "9000")])
    quarters = ["2026-03-31", "2026-06-30", "2026-09-30", "2026-12-31"]
    posted(store, [close(f"c-{day}", day, day) for day in quarters])
    kept: tuple[int, int, dict[str, int], int] = (3_000_000, 0, {}, 3_000_000)
    assert rows(store, "coop", 5000) == [(0, 12_000_000, {"sold": 9_000_000}, 3_000_000), kept, kept, kept, kept]
    assert status(store, sale("w", "3000.001", "2027-03-31")) == "exceeds_stock"
    posted(store, [sale("x", "3000", "2027-03-31")])


@pytest.mark.parametrize(("rate", "answer"), [("0.961783", "posted"), ("0.961784", "beyond_actual_product")])
def test_b3_of_15700_in_and_15100_out_12500_claimed_come_out_as_12022(store: Store, rate: str, answer: str) -> None:
    refining = {"made_of": "soybean_oil", "output": "refined_soybean_oil"}
    total = {"crop_crushed": "15700", "product_made": "15100", "campaign": "R"}
    posted(store, [*farms("1250"), *buys("b", "ada", "1250"), oil("C", "10"), crush("1250")])
    posted(store, [oil("R", rate, **refining)])
    posted(store, [ev("crush", "k", "2026-01-07", entity="coop", site="north", **refining, **total)])
    taken = {"entity": "coop", "site": "north", "crop": "soybeans", "form": "soybean_oil", "pounds": "12500"}
    # The ceiling is 15,100 * 12,500 / 15,700 = 12,022.29299...
    ceiling = 15_100_000 * 12_500_000 // 15_700_000
    assert (ceiling, product_of(12_500_000, 961_783)) == (12_022_292, 12_022_287)
    assert ceiling < product_of(12_500_000, 961_784)
    refined = ev("process", "r", "2026-01-08", output="refined_soybean_oil", **taken)
    assert status(store, refined) == answer
    if answer != "posted":
        return
    sold = {"giver": "coop", "taker": "fuel", "crop": "soybeans", "form": "refined_soybean_oil"}
    posted(store, [ev("sale", "v", "2026-01-09", pounds="11800", **sold)])
    for headroom in ("700", "222.288"):
        assert status(store, ev("sale", f"w{headroom}", "2026-01-10", pounds=headroom, **sold)) == "exceeds_stock"
    posted(store, [ev("sale", "rest", "2026-01-10", pounds="222.287", **sold)])


def test_b7_every_bushel_of_the_harvest_goes_once_and_not_a_thousandth_more(store: Store) -> None:
    posted(store, [*farms("10000"), *buys("b", "ada", "10000")])
    more = ev("slip", "s", "2026-01-06", giver="ada", taker="mill", origin=ADA_SOY, bushels="0.001")
    assert status(store, more) == "exceeds_stock"
    ranged: dict[str, Any] = {name: value for name, value in more.items() if name != "bushels"}
    assert status(store, {**ranged, "spans": [["0", "1"]]}) == "not_held"
    assert status(store, {**ranged, "spans": [["10000", "10000.001"]]}) == "outside_origin"


@pytest.mark.parametrize("bushels", ["-5", "0"])
def test_b12_a_book_does_not_open_with_less_than_something(store: Store, bushels: str) -> None:
    posted(store, CAST)
    opening = ev("opening", "o", "2025-12-31", entity="coop", site="north", crop="soybeans", harvest_year=2025,
                 ci="5000", bushels=bushels, number="1", evidence="count")  # fmt: skip
    assert status(store, opening) == "amount_not_positive"


@pytest.mark.parametrize(("bushels", "answer"), [("5000", "posted"), ("5000.001", "outside_ci_range")])
def test_d2_a_ci_may_be_sold_to_its_last_bushel(store: Store, bushels: str, answer: str) -> None:
    posted(store, [*farms("5000", "5000"), *buys("b1", "ada", "5000"), *buys("b2", "ben", "5000")])
    posted(store, [sale("v", "3000", ci_min="6000")])
    assert status(store, sale("w", bushels, ci_max="5000")) == answer


@pytest.mark.parametrize(
    ("left", "measured", "difference"),
    [("500", "500", "500 bu"), ("500", "0", "0 bu"), ("0.001", "500", "0.001 bu"), ("499.999", "0", "-0.001 bu")],
)
def test_c_measured_stock_on_an_empty_book_all_differs(store: Store, left: str, measured: str, difference: str) -> None:
    place = {"entity": "coop", "site": "north", "form": "soybeans"}
    posted(store, [
        *CAST,
        ev("receipt", "in", "2026-01-05", amount="500", number="1", **place),
        ev("shipment", "out", "2026-01-06", amount=left, number="2", **place),
    ])  # fmt: skip
    stock = ev("measurement", "m", "2026-01-31", amount=measured, number="M", **place)
    assert dict(run(store, [stock])[0].details) == {"difference": difference}


def test_c_a_statement_names_its_period_ci_opening_and_every_form_in_its_own_unit(store: MemoryStore) -> None:
    posted(store, [*farms("100"), *buys("b", "ada", "100"), oil("C", "11.07"), crush("40")])
    tank = ev(
        "measurement", "m", "2026-03-31", entity="coop", site="north", form="soybean_oil", amount="442.8", number="M"
    )
    posted(store, [tank, close("c", "2026-03-31", "2026-04-01"), sale("v", "10", "2026-04-02")])
    plain = balance_document(period_balances(store, "coop")[1])
    assert (plain["start"], plain["end"]) == ("2026-04-01", "2026-06-30")
    lines: Any = plain["lines"]
    (one,) = lines
    assert (one["ci_g_per_bu"], one["beginning_bu"], one["ending_bu"]) == ("5000", "100", "90")
    sheets = {sheet["form"]: (sheet["unit"], sheet["beginning"], sheet["ending"]) for sheet in one["forms"]}
    assert sheets == {"soybeans": ("bu", "60", "50"), "soybean_oil": ("lb", "442.8", "442.8")}
