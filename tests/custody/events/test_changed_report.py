"""Reading 35: what a changed report does to the claims made of it, and to the statements that stand already."""

from collections.abc import Sequence

import pytest

from provender.custody.documents.build import restatements
from provender.custody.events.closing import Closing
from provender.custody.events.reports import Notice
from provender.custody.model.store_view import Store
from tests.custody.first_sale import BUY, SELL, TAKE, base, books, line
from tests.custody.world import ADA_SOY, Event, bought, ev, posted, report, status


def test_35_a_worse_ci_reaches_every_claim_that_can_move_and_a_better_one_only_the_farms(store: Store) -> None:
    posted(store, [*base(), *BUY, SELL, TAKE])
    worse = {**report("ada", "soybeans", "10000", "5200", day="2026-02-01"), "id": "w", "version": 2}
    better = {**worse, "id": "x", "version": 3, "ci": "4000", "day": "2026-02-02"}
    posted(store, [worse, better])
    with store.reading() as facts:
        found = {(lot.owner, lot.ci) for lot in facts.lots_at(ADA_SOY, 0, 10_000_000)}
        assert found == {("coop", 520_000), ("crush", 520_000), ("ada", 400_000)}
        assert dict(line(facts, "coop", 5000).outgoing) == {"sold": 600_000, "restated by the report": 400_000}
        assert dict(line(facts, "coop", 5200).incoming) == {"restated by the report": 400_000}
        assert [one.reason for one in facts.many(Notice, "crush")] == ["worse_ci"]


def test_35_missing_bushels_come_from_the_farms_unsold_first_then_from_the_latest_holders(store: Store) -> None:
    late = bought("late", "ada", "mill", ADA_SOY, "500", day="2026-01-20", site="mill")
    posted(store, [*base(), *BUY, SELL, TAKE, *late])
    cut = {**report("ada", "soybeans", "900", "5000", day="2026-02-01"), "id": "w", "version": 2}
    posted(store, [cut])
    with store.reading() as facts:
        left = {(lot.owner, lot.crop_amount) for lot in facts.lots_at(ADA_SOY, 0, 10_000_000) if lot.state == "held"}
        assert left == {("coop", 400_000), ("crush", 500_000)}
        assert sum(lot.crop_amount for lot in facts.lots_at(ADA_SOY, 0, 10_000_000)) == 10_000_000
        assert {one.said for one in facts.many(Notice, "mill")} == {"500 bu are no longer in the report."}


def test_35_bushels_that_went_into_fuel_before_are_a_shortfall_that_the_refiner_is_told_of(store: Store) -> None:
    sale = ev("sale", "v", "2026-01-10", giver="coop", taker="fuel", crop="soybeans", bushels="1000")
    fuel = {"fuel": "renewable diesel", "batch": "B1", "gallons": "9"}
    burn = ev("retire", "f", "2026-01-15", entity="fuel", crop="soybeans", bushels="1000", **fuel)
    taken = ev("accept", "a", "2026-01-12", taker="fuel", movement="v")
    posted(store, [*base(), *BUY, sale, taken, burn])
    posted(store, [{**report("ada", "soybeans", "400", "5000", day="2026-02-01"), "id": "w", "version": 2}])
    with store.reading() as facts:
        told = facts.many(Notice, "fuel")
        assert [(one.reason, one.start, one.stop) for one in told] == [("shortfall", 400_000, 1_000_000)]


@pytest.mark.parametrize(
    ("said", "ci"),
    [
        ((), 500_000),
        (("5000.01",), 500_001),
        (("4999.99",), 500_000),
        (("5200", "4000"), 520_000),
        (("4000", "5200"), 520_000),
    ],
)
@pytest.mark.parametrize("ending", ["release", "retire"])
def test_35_a_claim_that_had_ended_lives_again_at_the_worst_that_was_said_meanwhile(
    ending: str, said: Sequence[str], ci: int, store: Store
) -> None:
    fuel = {"fuel": "renewable diesel", "batch": "B1", "gallons": "9"} if ending == "retire" else {}
    bought_by_refiner = bought("b", "ada", "fuel", ADA_SOY, "1000", day="2026-01-05", site="works")
    posted(store, [*base(), *bought_by_refiner])
    posted(store, [ev(ending, "end", "2026-01-15", entity="fuel", crop="soybeans", bushels="300", **fuel)])
    for number, one in enumerate(said, start=2):
        posted(store, [{**report("ada", "soybeans", "10000", one, day="2026-01-15"), "id": one, "version": number}])
    posted(store, [ev("correct", "back", "2026-02-02", entity="fuel", movement="end", reason="typed twice")])
    with store.reading() as facts:
        held = {lot.ci for lot in facts.lots_at(ADA_SOY, 0, 1_000_000) if lot.owner == "fuel"}
        assert held == {ci}
    again = ev("correct", "gone", "2026-02-03", entity="fuel", movement="back", reason="it was right")
    posted(store, [again])
    with store.reading() as facts:
        assert sum(one.ending for one in books(facts, "fuel")[0].lines) == 700_000


def test_35_a_farms_own_loss_taken_back_follows_the_version_in_force(store: Store) -> None:
    posted(store, [*base(), ev("loss", "end", "2026-01-15", entity="ada", crop="soybeans", bushels="300")])
    for number, ci in ((2, "5200"), (3, "5100")):
        posted(store, [{**report("ada", "soybeans", "10000", ci, day="2026-01-16"), "id": ci, "version": number}])
    posted(store, [ev("correct", "back", "2026-02-02", entity="ada", movement="end", reason="found again")])
    with store.reading() as facts:
        assert {lot.ci for lot in facts.lots_at(ADA_SOY, 0, 10_000_000)} == {510_000}


def test_35_a_closed_period_keeps_its_statement_and_the_change_stands_in_the_open_one(store: Store) -> None:
    posted(store, [*base(), *BUY])
    posted(store, [ev("close", "c", "2026-03-31", entity="coop", closed_on="2026-04-01")])
    worse = {**report("ada", "soybeans", "10000", "5200", day="2026-03-15"), "id": "w", "version": 2}
    assert status(store, worse) == "period_closed"
    posted(store, [{**worse, "day": "2026-04-02"}])
    with store.reading() as facts:
        assert line(facts, "coop", 5000, 0).ending == 1_000_000
        assert line(facts, "coop", 5200, 1).ending == 1_000_000


def test_35_a_restatement_of_a_closed_period_stands_beside_its_statement(store: Store) -> None:
    posted(store, [*base(), *BUY, SELL, ev("close", "c", "2026-03-31", entity="coop", closed_on="2026-04-01")])
    with store.reading() as facts:
        before = facts.many(Closing, "coop")
        assert restatements(facts, "coop") == []
    posted(store, [{**report("ada", "soybeans", "900", "5200", day="2026-04-02"), "id": "w", "version": 2}])
    with store.reading() as facts:
        assert facts.many(Closing, "coop") == before
        one = restatements(facts, "coop")[0]
        rows = one["lines"]
        assert isinstance(rows, list)
        assert [(row["ci_g_per_bu"], row["incoming_bu"], row["outgoing_bu"], row["ending_bu"]) for row in rows] == [
            ("5200", "900", "500", "400")
        ]
        assert one["restates"] == before[0].digest


def of_two_sellers(ci: str = "5000") -> list[Event]:
    """A book without the report: 1,000 bu of it came from the mill, 500 bu from the co-op at a CI of their own."""
    line = {"crop": "soybeans", "harvest_year": 2025, "form": "soybeans", "origin": "blind"}
    parts = (("mill", {"ci": "5000", "bushels": "1000"}), ("coop", {"ci": ci, "bushels": "500", "start": "1000"}))
    found = base()
    for giver, part in parts:
        sold = ev(
            "document", f"d-{giver}", "2026-01-10", giver=giver, taker="crush", number="7", lines=[{**line, **part}]
        )
        found += [sold, ev("accept", f"a-{giver}", "2026-01-11", taker="crush", movement=f"d-{giver}")]
    grain = ev("measurement", "g", "2026-03-31", entity="crush", form="soybeans", amount="9000", number="M")
    return [*found, grain, ev("close", "q1", "2026-03-31", entity="crush", closed_on="2026-04-01")]


def incoming_restated(store: Store, name: str = "crush") -> list[dict[str, str]]:
    with store.reading() as facts:
        return [{row["ci_g_per_bu"]: row["incoming_bu"] for row in one["lines"]} for one in restatements(facts, name)]  # type: ignore[attr-defined]


def test_35_a_notice_restates_the_serials_it_names_and_no_others_of_the_report(store: Store) -> None:
    worse = ev("notice", "n", "2026-04-02", giver="mill", taker="crush", number="1", origin="blind", ci="5100",
               reason="worse_ci", spans=[["200", "1000"]])  # fmt: skip
    posted(store, [*of_two_sellers(), worse])
    assert incoming_restated(store) == [{"5000": "700", "5100": "800"}]


def test_35_bushels_of_one_report_bought_at_a_better_ci_are_not_restated_at_the_others(store: Store) -> None:
    posted(store, of_two_sellers("4500"))
    assert incoming_restated(store) == []
    gone = ev("notice", "n", "2026-04-02", giver="coop", taker="crush", number="1", origin="blind",
              reason="fewer_bushels", spans=[["1400", "1500"]])  # fmt: skip
    posted(store, [gone])
    assert incoming_restated(store) == [{"5000": "1000", "4500": "400"}]


def test_35_a_better_version_hides_no_worse_one_before_it(store: Store) -> None:
    posted(store, [*base(), *BUY, SELL, ev("close", "c", "2026-03-31", entity="coop", closed_on="2026-04-01")])
    versions = (("5200", "2026-04-02"), ("4800", "2026-04-03"))
    for number, (ci, day) in enumerate(versions, 2):
        posted(store, [{**report("ada", "soybeans", "10000", ci, day=day), "id": f"v{number}", "version": number}])
    assert incoming_restated(store, "coop") == [{"5200": "1000"}]
    sold = bought("late", "ada", "coop", ADA_SOY, "100", day="2026-04-03", site="north")
    posted(store, [*sold, ev("close", "d", "2026-06-30", entity="coop", closed_on="2026-07-01")])
    # What the change moved within the next period has stood at 5200 from its first day.
    assert incoming_restated(store, "coop") == [{"5200": "1000"}, {"4800": "100", "5200": "0"}]
