"""The collected cases in their own numbers, where ``test_cases`` shows the trap and these show every figure of it."""

from datetime import date
from typing import Any

import pytest

from provender.custody.model.balances import balance_document, period_balances
from provender.custody.model.entities import Period
from provender.custody.model.lots import product_of
from provender.custody.model.store_view import Store, StoreView
from provender.custody.reconcile.books import reconcile
from provender.custody.reconcile.discrepancies import DiscrepancyKind
from provender.custody.reconcile.gathered import Gathered
from tests.custody.first_sale import line
from tests.custody.reconcile.test_books import period as stated
from tests.custody.test_cases import PROVEN, close, kinds, sale
from tests.custody.world import ADA_SOY, BEN_SOY, CAST, Event, bought, ev, period, posted, report, run, status

YEAR_ON = [("2026-07-01", "2026-09-30"), ("2026-10-01", "2026-12-31"), ("2027-01-01", "2027-03-31")]


def farms(ada: str, ben: str = "1", cis: tuple[str, str] = ("5000", "6000")) -> list[Event]:
    reports = [report("ada", "soybeans", ada, cis[0]), report("ben", "soybeans", ben, cis[1])]
    return [*CAST, *PROVEN, *reports]


def buys(name: str, farm: str, bushels: str, day: str = "2026-01-05", site: str = "north") -> list[Event]:
    return bought(name, farm, "coop", f"{farm}/soybeans/2025", bushels, day=day, site=site)


def rows(facts: StoreView, name: str, ci: int) -> list[tuple[int, int, dict[str, int], int]]:
    """The equation of a CI in each period; noughts where the book has no line of it."""
    found = []
    for book in period_balances(facts.steps(name), name, facts.many(Period, name)):
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


def test_b1_twelve_thousand_came_nine_went_and_three_still_stand_after_four_more_periods(store: Store) -> None:
    ahead = [period("coop", *days) for days in YEAR_ON]
    posted(store, [*farms("12000"), *ahead, *buys("b", "ada", "12000"), sale("v", "9000")])
    quarters = ["2026-03-31", "2026-06-30", "2026-09-30", "2026-12-31"]
    posted(store, [close(f"c-{day}", day, day) for day in quarters])
    with store.reading() as facts:
        kept: tuple[int, int, dict[str, int], int] = (3_000_000, 0, {}, 3_000_000)
        assert rows(facts, "coop", 5000) == [(0, 12_000_000, {"sold": 9_000_000}, 3_000_000), kept, kept, kept, kept]
    assert status(store, sale("w", "3000.001", "2027-03-31")) == "exceeds_stock"
    posted(store, [sale("x", "3000", "2027-03-31")])


def test_b2_forty_of_a_hundred_tonnes_give_what_forty_give_at_the_yield_and_no_more(store: Store) -> None:
    plain = ev("receipt", "g", "2026-01-05", entity="coop", site="north", form="soybeans", amount="60", number="G")
    total = {"crop_crushed": "100", "product_made": "1107", "campaign": "C"}
    made = {"entity": "coop", "site": "north", "made_of": "soybeans", "output": "soybean_oil"}
    posted(store, [*farms("40"), *buys("b", "ada", "40"), plain, oil("C", "11.07")])
    posted(store, [ev("crush", "k", "2026-01-06", **made, **total)])
    assert status(store, crush("40.001")) == "exceeds_stock"
    posted(store, [crush("40")])
    with store.reading() as facts:
        assert sum(lot.product for lot in facts.lots_of("coop", "soybeans")) == 442_800
    sold = {"giver": "coop", "taker": "fuel", "crop": "soybeans", "form": "soybean_oil"}
    assert status(store, ev("sale", "v", "2026-01-07", pounds="442.801", **sold)) == "exceeds_stock"
    posted(store, [ev("sale", "w", "2026-01-07", pounds="442.8", **sold)])


@pytest.mark.parametrize(("rate", "answer"), [("0.961783", "posted"), ("0.961784", "beyond_actual_product")])
def test_b3_of_15700_in_and_15100_out_12500_claimed_come_out_as_12022_and_never_as_12500(
    store: Store, rate: str, answer: str
) -> None:
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


def test_b6_forty_one_bought_and_a_hundred_sold_is_refused_and_from_stock_it_is_called_out(store: Store) -> None:
    posted(store, [*farms("1000"), *buys("b", "ada", "410")])
    assert status(store, sale("v", "1000")) == "exceeds_stock"
    assert status(store, sale("v", "410.001")) == "exceeds_stock"
    posted(store, [*buys("more", "ada", "590")])
    posted(store, [sale("w", "1000")])
    with store.reading() as facts:
        assert line(facts, "coop", 5000).ending == 0


def test_b6_two_and_a_half_times_what_came_in_a_period_goes_out_and_is_called_out(store: Store) -> None:
    posted(store, [*farms("1000"), *buys("b", "ada", "590"), *buys("c", "ada", "410", "2026-04-02")])
    assert "outgoing_over_incoming" not in kinds(store, "coop", date(2026, 4, 3))
    posted(store, [sale("v", "1000", "2026-04-03")])
    assert "outgoing_over_incoming" in kinds(store, "coop", date(2026, 4, 3))


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


def test_b12_a_negative_close_that_becomes_a_beginning_of_nothing_is_found() -> None:
    gathered = Gathered()
    gathered.add_period("one.json", stated("2026-01-01", "2026-03-31", "0", "40", "45", "-5"))
    gathered.add_period("two.json", stated("2026-04-01", "2026-06-30", "0", "0", "0", "0"))
    found = reconcile(gathered)
    assert {one.kind for one in found} == {DiscrepancyKind.UNBALANCED_PERIOD}
    assert [one.bushels for one in found] == [5_000, 5_000]


def test_l3_sixteen_of_four_and_sixteen_are_not_guessed_though_one_lot_has_just_that(store: Store) -> None:
    cast = [{**one, "policy": "named"} if one.get("entity") == "coop" and "policy" in one else one for one in CAST]
    lots = [report("ada", "soybeans", "4", "5000"), report("ben", "soybeans", "16", "5000")]
    posted(store, [*cast, *lots, *buys("one", "ada", "4", "2026-01-10"), *buys("two", "ben", "16", "2026-02-09")])
    assert status(store, sale("v", "16", "2026-02-10")) == "lots_not_named"
    posted(store, [sale("w", "16", "2026-02-10", lots=[{"origin": BEN_SOY, "start": "0", "stop": "16"}])])
    with store.reading() as facts:
        assert [(lot.origin, lot.crop_amount) for lot in facts.lots_of("coop", "soybeans")] == [(ADA_SOY, 4_000)]


def test_l4_minus_two_is_refused_and_five_and_three_are_eight(store: Store) -> None:
    posted(store, [*farms("8", "2", ("102", "101")), *buys("b", "ada", "5")])
    assert status(store, sale("v", "2", ci_max="101")) == "outside_ci_range"
    posted(store, buys("c", "ada", "3"))
    with store.reading() as facts:
        assert rows(facts, "coop", 101)[0] == (0, 0, {}, 0)
        assert rows(facts, "coop", 102)[0] == (0, 8_000, {}, 8_000)


def test_l5_a_sale_before_any_stock_leaves_no_hole_that_the_next_purchase_fills(store: Store) -> None:
    posted(store, farms("10"))
    assert status(store, sale("v", "1")) == "exceeds_stock"
    posted(store, buys("b", "ada", "3"))
    with store.reading() as facts:
        assert rows(facts, "coop", 5000)[0] == (0, 3_000, {}, 3_000)
        assert not facts.steps("crush")


@pytest.mark.parametrize(("bushels", "answer"), [("5000", "posted"), ("5000.001", "outside_ci_range")])
def test_d2_a_ci_may_be_sold_to_its_last_bushel(store: Store, bushels: str, answer: str) -> None:
    posted(store, [*farms("5000", "5000"), *buys("b1", "ada", "5000"), *buys("b2", "ben", "5000")])
    posted(store, [sale("v", "3000", ci_min="6000")])
    assert status(store, sale("w", bushels, ci_max="5000")) == answer


def test_c_lots_brought_into_one_bin_come_to_the_same_sum_and_none_stays_behind(store: Store) -> None:
    posted(store, [*farms("60", "40"), *buys("b1", "ada", "60"), *buys("b2", "ben", "40")])
    move = ev("move", "m", "2026-01-08", entity="coop", site="north", to_site="south", crop="soybeans", bushels="100")
    posted(store, [move])
    with store.reading() as facts:
        lots = sorted(facts.lots_of("coop", "soybeans"), key=lambda lot: lot.origin)
        there = [(lot.origin, lot.ci, lot.crop_amount, lot.site) for lot in lots]
        assert there == [(ADA_SOY, 500_000, 60_000, "south"), (BEN_SOY, 600_000, 40_000, "south")]
        assert not facts.lots_in("coop", "north", "soybeans")
    assert status(store, sale("v", "0.001", site="north")) == "other_site"


@pytest.mark.parametrize(
    ("left", "measured", "difference"),
    [("500", "500", "500 bu"), ("500", "0", "0 bu"), ("0.001", "500", "0.001 bu"), ("499.999", "0", "-0.001 bu")],
)
def test_c_measured_stock_on_a_book_of_nothing_is_a_difference_of_all_of_it(
    store: Store, left: str, measured: str, difference: str
) -> None:
    place = {"entity": "coop", "site": "north", "form": "soybeans"}
    posted(store, [
        *CAST,
        ev("receipt", "in", "2026-01-05", amount="500", number="1", **place),
        ev("shipment", "out", "2026-01-06", amount=left, number="2", **place),
    ])  # fmt: skip
    stock = ev("measurement", "m", "2026-01-31", amount=measured, number="M", **place)
    assert dict(run(store, [stock])[0].facts) == {"difference": difference}


def test_c_a_statement_names_its_period_ci_opening_and_every_form_in_its_own_unit(store: Store) -> None:
    posted(store, [*farms("100"), *buys("b", "ada", "100"), oil("C", "11.07"), crush("40")])
    tank = ev(
        "measurement", "m", "2026-03-31", entity="coop", site="north", form="soybean_oil", amount="442.8", number="M"
    )
    posted(store, [tank, close("c", "2026-03-31", "2026-04-01"), sale("v", "10", "2026-04-02")])
    with store.reading() as facts:
        second = period_balances(facts.steps("coop"), "coop", facts.many(Period, "coop"))[1]
    plain = balance_document(second)
    assert (plain["start"], plain["end"]) == ("2026-04-01", "2026-06-30")
    lines: Any = plain["lines"]
    (one,) = lines
    assert (one["ci_g_per_bu"], one["beginning_bu"], one["ending_bu"]) == ("5000", "100", "90")
    sheets = {sheet["form"]: (sheet["unit"], sheet["beginning"], sheet["ending"]) for sheet in one["forms"]}
    assert sheets == {"soybeans": ("bu", "60", "50"), "soybean_oil": ("lb", "442.8", "442.8")}
