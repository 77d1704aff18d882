"""Reports that change or are suspended: what claims, standing statements and parties downstream are told (35)."""

import json
from collections.abc import Sequence
from datetime import date
from typing import Any, Final

import pytest

from provender.custody.documents.build import restatements
from provender.custody.documents.consents import NOTICE, holders_to_notify, notice_document, read_notice
from provender.custody.documents.print import document_pdf
from provender.custody.documents.receive import Answered, enter_document, open_document, sign_document
from provender.custody.events.closing import Closing
from provender.custody.events.registry import post
from provender.custody.events.reports import Notice, NoticeKind, doubts
from provender.custody.model.entities import Entity
from provender.custody.model.lots import LIVE, Lot, LotState, Slip
from provender.custody.model.store_view import Store
from provender.custody.queries.alerts import alerts
from provender.custody.store import MemoryStore
from provender.problem import ProblemsError
from provender.signing.jws import Status as Signature
from tests.custody import papers
from tests.custody.first_sale import BUY, SELL, TAKE, base, books, line
from tests.custody.ladders import WORLDS
from tests.custody.model.test_lots import BASE, SLIP, paper
from tests.custody.model.test_lots import line as document_line
from tests.custody.papers import changed, take
from tests.custody.queries.test_alerts import FEBRUARY
from tests.custody.world import (
    ADA_SOY,
    CAST,
    REPORTS,
    Event,
    bought,
    ev,
    favourable,
    oil_yield,
    posted,
    record_of,
    report,
    run,
    serials,
    status,
)
from tests.rows import CaseRows

ROWS: Final = CaseRows(__file__)

# Reading 35: what a changed report does to the claims made of it, and to the statements that stand already.


def test_35_a_worse_ci_reaches_every_claim_that_can_move_and_a_better_one_only_the_farms(store: MemoryStore) -> None:
    posted(store, [*base(), *BUY, SELL, TAKE])
    worse = {**report("ada", "soybeans", "10000", "5200", day="2026-02-01"), "id": "w", "version": 2}
    posted(store, [worse, {**worse, "id": "x", "version": 3, "ci": "4000", "day": "2026-02-02"}])
    found = {(lot.owner, lot.ci) for lot in store.lots_at(ADA_SOY, 0, 10_000_000)}
    assert found == {("coop", 520_000), ("crush", 520_000), ("ada", 400_000)}
    assert dict(line(store, "coop", 5000).outgoing) == {"sold": 600_000, "restated by the report": 400_000}
    assert dict(line(store, "coop", 5200).incoming) == {"restated by the report": 400_000}
    assert [one.reason for one in store.many(Notice, "crush")] == ["worse_ci"]


def test_35_missing_bushels_come_from_the_farms_unsold_first_then_from_the_latest_holders(store: MemoryStore) -> None:
    late = bought("late", "ada", "mill", ADA_SOY, "500", day="2026-01-20", site="mill")
    posted(store, [*base(), *BUY, SELL, TAKE, *late])
    cut = {**report("ada", "soybeans", "900", "5000", day="2026-02-01"), "id": "w", "version": 2}
    posted(store, [cut])
    left = {(lot.owner, lot.crop_amount) for lot in store.lots_at(ADA_SOY, 0, 10_000_000) if lot.state == "held"}
    assert left == {("coop", 400_000), ("crush", 500_000)}
    assert sum(lot.crop_amount for lot in store.lots_at(ADA_SOY, 0, 10_000_000)) == 10_000_000
    assert {one.said for one in store.many(Notice, "mill")} == {"500 bu are no longer in the report."}


def test_35_bushels_that_went_into_fuel_before_are_a_shortfall_that_the_refiner_is_told_of(store: MemoryStore) -> None:
    sale = ev("sale", "v", "2026-01-10", giver="coop", taker="fuel", crop="soybeans", bushels="1000")
    fuel = {"fuel": "renewable diesel", "batch": "B1", "gallons": "9"}
    burn = ev("retire", "f", "2026-01-15", entity="fuel", crop="soybeans", bushels="1000", **fuel)
    taken = ev("accept", "a", "2026-01-12", taker="fuel", movement="v")
    posted(store, [*base(), *BUY, sale, taken, burn])
    posted(store, [{**report("ada", "soybeans", "400", "5000", day="2026-02-01"), "id": "w", "version": 2}])
    told = store.many(Notice, "fuel")
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
def test_35_a_claim_lives_again_at_the_worst_said_since(
    ending: str, said: Sequence[str], ci: int, store: MemoryStore
) -> None:
    fuel = {"fuel": "renewable diesel", "batch": "B1", "gallons": "9"} if ending == "retire" else {}
    bought_by_refiner = bought("b", "ada", "fuel", ADA_SOY, "1000", day="2026-01-05", site="works")
    posted(store, [*base(), *bought_by_refiner])
    posted(store, [ev(ending, "end", "2026-01-15", entity="fuel", crop="soybeans", bushels="300", **fuel)])
    for number, one in enumerate(said, start=2):
        posted(store, [{**report("ada", "soybeans", "10000", one, day="2026-01-15"), "id": one, "version": number}])
    posted(store, [ev("correct", "back", "2026-02-02", entity="fuel", movement="end", reason="typed twice")])
    assert {lot.ci for lot in store.lots_at(ADA_SOY, 0, 1_000_000) if lot.owner == "fuel"} == {ci}
    again = ev("correct", "gone", "2026-02-03", entity="fuel", movement="back", reason="it was right")
    posted(store, [again])
    assert sum(one.ending for one in books(store, "fuel")[0].lines) == 700_000


def test_35_a_farms_own_loss_taken_back_follows_the_version_in_force(store: MemoryStore) -> None:
    posted(store, [*base(), ev("loss", "end", "2026-01-15", entity="ada", crop="soybeans", bushels="300")])
    for number, ci in ((2, "5200"), (3, "5100")):
        posted(store, [{**report("ada", "soybeans", "10000", ci, day="2026-01-16"), "id": ci, "version": number}])
    posted(store, [ev("correct", "back", "2026-02-02", entity="ada", movement="end", reason="found again")])
    assert {lot.ci for lot in store.lots_at(ADA_SOY, 0, 10_000_000)} == {510_000}


def test_35_a_closed_period_keeps_its_statement_and_the_change_stands_in_the_open_one(store: MemoryStore) -> None:
    posted(store, [*base(), *BUY])
    posted(store, [ev("close", "c", "2026-03-31", entity="coop", closed_on="2026-04-01")])
    worse = {**report("ada", "soybeans", "10000", "5200", day="2026-03-15"), "id": "w", "version": 2}
    assert status(store, worse) == "period_closed"
    posted(store, [{**worse, "day": "2026-04-02"}])
    assert line(store, "coop", 5000, 0).ending == 1_000_000
    assert line(store, "coop", 5200, 1).ending == 1_000_000


CLOSES = (
    ev("close", "c1", "2026-03-31", entity="crush", closed_on="2026-04-01"),
    ev("close", "c2", "2026-06-30", entity="crush", closed_on="2026-07-01"),
)


def crushing(*more: Event) -> list[Event]:
    """A crusher makes oil of 1,000 bu and sells parts of it that leave something over when pounds are rounded."""
    line = {"crop": "soybeans", "harvest_year": 2025, "form": "soybeans", "origin": "blind", "ci": "5000"}
    bought = ev("document", "d", "2026-01-10", giver="mill", taker="crush", number="7",
                lines=[{**line, "bushels": "1000.001"}])  # fmt: skip
    made = [
        favourable("mill", "soybeans"), favourable("crush", "soybeans"), bought,
        ev("accept", "a", "2026-01-11", taker="crush", movement="d"),
        oil_yield("y", "2026-01-12", entity="crush", rate="11.07"),
        ev("process", "pr", "2026-01-20", entity="crush", crop="soybeans", bushels="1000.001", output="soybean_oil"),
    ]  # fmt: skip
    sales = [
        ev("sale", f"s{n}", f"2026-0{2 + n}-05", giver="crush", taker="fuel", crop="soybeans", form="soybean_oil",
           pounds=pounds)
        for n, pounds in enumerate(("1000.01", "777.777", "123.001"))
    ]  # fmt: skip
    weighed = [
        ev("measurement", f"m-{form}-{day}", day, entity="crush", form=form, amount="90000", number=f"{form}{day}")
        for form in ("soybeans", "soybean_oil") for day in ("2026-01-11", "2026-03-31", "2026-06-30")
    ]  # fmt: skip
    after = {"2026-04": [CLOSES[0]], "2026-07": [CLOSES[1]]}
    events = [*CAST, *sorted([*made, *sales, *weighed, *more], key=lambda one: (one["day"], one["type"] == "process"))]
    for month, closing in after.items():
        place = next((n for n, one in enumerate(events) if one["day"] >= month), len(events))
        events[place:place] = closing
    return events


def test_restated_equals_closed_where_no_report_changed_whatever_rounding_left_over(store: MemoryStore) -> None:
    posted(store, crushing())
    assert len(store.many(Closing, "crush")) == 2
    assert restatements(store, "crush") == []


@pytest.mark.parametrize(("day", "changed"), [("2026-03-31", []), ("2026-04-01", ["2026-01-01"])])
def test_only_what_changed_after_a_close_restates_it(store: MemoryStore, day: str, changed: list[str]) -> None:
    """Of a notice that the book had when it closed, the statement knew; the next period begins at the worse one."""
    worse = ev("notice", "n", day, giver="mill", taker="crush", number="1", origin="blind", ci="5100",
               reason="worse_ci", spans=[["0", "1000.001"]])  # fmt: skip
    posted(store, crushing(worse))
    assert [str(one["start"]) for one in restatements(store, "crush")][:1] == changed


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


def incoming_restated(store: MemoryStore, name: str = "crush") -> list[dict[str, str]]:
    return [{row["ci_g_per_bu"]: row["incoming_bu"] for row in one["lines"]} for one in restatements(store, name)]  # type: ignore[attr-defined]


def test_35_a_notice_restates_the_serials_it_names_and_no_others_of_the_report(store: MemoryStore) -> None:
    worse = ev("notice", "n", "2026-04-02", giver="mill", taker="crush", number="1", origin="blind", ci="5100",
               reason="worse_ci", spans=[["200", "1000"]])  # fmt: skip
    posted(store, [*of_two_sellers(), worse])
    assert incoming_restated(store) == [{"5000": "700", "5100": "800"}]


def test_35_bushels_of_one_report_bought_at_a_better_ci_are_not_restated_at_the_others(store: MemoryStore) -> None:
    posted(store, of_two_sellers("4500"))
    assert incoming_restated(store) == []
    gone = ev("notice", "n", "2026-04-02", giver="coop", taker="crush", number="1", origin="blind",
              reason="fewer_bushels", spans=[["1400", "1500"]])  # fmt: skip
    posted(store, [gone])
    assert incoming_restated(store) == [{"5000": "1000", "4500": "400"}]


def test_35_a_better_version_hides_no_worse_one_before_it(store: MemoryStore) -> None:
    posted(store, [*base(), *BUY, SELL, ev("close", "c", "2026-03-31", entity="coop", closed_on="2026-04-01")])
    versions = (("5200", "2026-04-02"), ("4800", "2026-04-03"))
    for number, (ci, day) in enumerate(versions, 2):
        posted(store, [{**report("ada", "soybeans", "10000", ci, day=day), "id": f"v{number}", "version": number}])
    assert incoming_restated(store, "coop") == [{"5200": "1000"}]
    sold = bought("late", "ada", "coop", ADA_SOY, "100", day="2026-04-03", site="north")
    posted(store, [*sold, ev("close", "d", "2026-06-30", entity="coop", closed_on="2026-07-01")])
    # What the change moved within the next period has stood at 5200 from its first day.
    assert incoming_restated(store, "coop") == [{"5200": "1000"}, {"4800": "100", "5200": "0"}]


# A changed report reaches parties that keep their own books, by a signed notice, as far down as its bushels went.

LATER = date(2026, 3, 2)
AMENDED = {**papers.salted(), "id": "v2", "day": "2026-03-01", "version": 2}


def two_books(*, accepted: bool = True) -> tuple[MemoryStore, MemoryStore]:
    """The elevator's book and the crusher's, which took 2,500.5 bu from it on a signed document."""
    elevator, crusher = papers.elevator_book(papers.vouched()), papers.buyer_book(papers.vouched())
    if accepted:
        take(crusher, papers.letter(elevator))
    return elevator, crusher


def notice(elevator: MemoryStore, event: str = "v2", *, signer: str = "coop") -> dict[str, Any]:
    return sign_document(notice_document(elevator, "coop", event, "crush", as_of=LATER), papers.key_of(signer))


def enter(crusher: MemoryStore, raw: object, day: date = LATER) -> list[Answered]:
    incoming = open_document(raw, crusher, "crush", "notice.json")
    assert incoming.problems == ()
    return enter_document(incoming, crusher, lambda one: post(crusher, one), day=day)


def lots(store: MemoryStore) -> list[Lot]:
    return list(store.lots_at(papers.ADA, 0, 10_000_000))


def test_a_notice_does_not_name_the_farm_whatever_the_event_is_called() -> None:
    elevator, _ = two_books()
    name = "report-ada-soybeans-2025-v2"
    posted(elevator, [{**AMENDED, "id": name, "ci": "5100"}])
    made = notice_document(elevator, "coop", name, "crush", as_of=LATER)
    assert "ada" not in json.dumps({**made, "origin": ""})
    assert made["number"].endswith("/crush")
    assert notice_document(elevator, "coop", name, "crush", as_of=LATER)["number"] == made["number"]
    with pytest.raises(ProblemsError, match="not said who is to be told"):
        notice_document(elevator, "coop", name, "", as_of=LATER)


@pytest.mark.parametrize(("ci", "reached"), [("5000.01", True), ("5000", False), ("4999.99", False)])
def test_a_worse_intensity_reaches_the_buyers_book_and_an_equal_or_better_does_not(ci: str, reached: bool) -> None:
    elevator, crusher = two_books()
    posted(elevator, [{**AMENDED, "ci": ci}])
    if not reached:
        assert holders_to_notify(elevator, "v2", "coop") == []
        with pytest.raises(ProblemsError, match="changed nothing for crush"):
            notice(elevator)
        return
    assert holders_to_notify(elevator, "v2", "coop") == ["crush"]
    assert [one.outcome.status for one in enter(crusher, notice(elevator))] == ["posted"]
    assert {(lot.ci, lot.state) for lot in lots(crusher)} == {(500_001, LotState.HELD)}


def test_bushels_that_left_the_report_end_in_the_buyers_book_and_no_others() -> None:
    elevator, crusher = two_books()
    posted(elevator, [{**AMENDED, "bushels": "2000"}])
    cut = sum(lot.crop_amount for lot in lots(elevator) if lot.state is LotState.VOID and lot.owner == "crush")
    assert 0 < cut < 2_500_500
    enter(crusher, notice(elevator))
    assert sum(lot.crop_amount for lot in lots(crusher) if lot.state is LotState.VOID) == cut
    assert sum(lot.crop_amount for lot in lots(crusher) if lot.state is LotState.HELD) == 2_500_500 - cut
    live = [(lot.start, lot.stop) for lot in lots(crusher) if lot.state in LIVE]
    assert all(any(one.start <= low and high <= one.stop for one in lots(elevator)) for low, high in live)


def test_fewer_bushels_at_a_worse_carbon_intensity_are_two_changes_of_one_notice() -> None:
    elevator, crusher = two_books()
    posted(elevator, [{**AMENDED, "bushels": "2000", "ci": "5100"}])
    assert [one.event.id.rsplit("-", 1)[1] for one in enter(crusher, notice(elevator))] == [
        "worse_ci", "fewer_bushels",
    ]  # fmt: skip
    assert {lot.ci for lot in lots(crusher) if lot.state in LIVE} == {510_000}


@pytest.mark.parametrize(
    ("deeds", "answer"),
    [(["suspend"], "report_suspended"), (["withdraw"], "exceeds_stock"), (["suspend", "reinstate"], "posted")],
)
def test_a_report_that_rests_or_is_withdrawn_stops_sales_in_the_buyers_book(deeds: list[str], answer: str) -> None:
    elevator, crusher = two_books()
    for day, deed in enumerate(deeds, 1):
        posted(elevator, [ev(deed, deed, f"2026-03-0{day}", origin=papers.ADA)])
        enter(crusher, notice(elevator, deed))
    sale = ev("sale", "on", "2026-03-05", giver="crush", taker="fuel", crop="soybeans", bushels="10")
    assert status(crusher, sale) == answer


def test_who_bought_on_is_told_in_turn_and_what_was_retired_is_a_shortfall() -> None:
    elevator, crusher = two_books()
    on = [
        ev("sale", "on", "2026-02-05", giver="crush", taker="fuel", crop="soybeans", bushels="500"),
        ev("accept", "on-a", "2026-02-06", taker="fuel", movement="on"),
        ev("retire", "r", "2026-02-07", entity="fuel", crop="soybeans", bushels="100", fuel="biodiesel", batch="B1",
           gallons="150"),
    ]  # fmt: skip
    posted(crusher, [favourable("crush", "soybeans"), *on])
    posted(elevator, [{**AMENDED, "ci": "5100"}])
    answers = enter(crusher, notice(elevator))
    named = list(crusher.many(Notice, "fuel"))
    assert {(one.reason, one.change) for one in named} == {
        (NoticeKind.WORSE_CI, NoticeKind.WORSE_CI), (NoticeKind.SHORTFALL, NoticeKind.WORSE_CI),
    }  # fmt: skip
    passed_on = notice_document(crusher, "crush", answers[0].event.id, "fuel", as_of=LATER)
    assert (passed_on["ci_g_per_bu"], passed_on["changes"][0]["bushels"]) == ("5100", "500")


def test_a_notice_entered_twice_changes_nothing_even_on_another_day() -> None:
    elevator, crusher = two_books()
    posted(elevator, [{**AMENDED, "ci": "5100"}])
    enter(crusher, notice(elevator))
    assert [one.outcome.status for one in enter(crusher, notice(elevator), date(2026, 3, 20))] == ["exists"]


def test_a_notice_is_taken_from_the_pinned_seller_only_and_as_signed() -> None:
    elevator, crusher = two_books()
    posted(elevator, [{**AMENDED, "ci": "5100"}])
    stranger = open_document(notice(elevator, signer="mill"), crusher, "crush", "n.json")
    assert (stranger.signature, stranger.content) == (Signature.SIGNER_UNKNOWN, None)
    forged = open_document(changed(notice(elevator), ci_g_per_bu="9000"), crusher, "crush", "n.json")
    assert (forged.signature, forged.content) == (Signature.SIGNATURE_WRONG, None)


def test_a_seller_cannot_end_claims_that_it_did_not_give() -> None:
    store = posted(MemoryStore(), WORLDS["handed"])
    other = ev("notice", "n", "2026-02-01", giver="coop", taker="crush", number="n", origin="blind", reason="withdrawn",
               spans=[["0", "1000"]])  # fmt: skip
    assert run(store, [other])[0].status == "parties_differ"
    assert {lot.state for lot in store.lots_at("blind", 0, 10**6)} == {LotState.UNVERIFIED}


@pytest.mark.parametrize(("reason", "left"), [("suspended", "750"), ("withdrawn", "750")])
def test_a_seller_stops_only_the_bushels_it_gave(reason: str, left: str) -> None:
    store = posted(MemoryStore(), CAST)
    line = {"crop": "soybeans", "harvest_year": 2025, "ci": "5000", "form": "soybeans", "origin": "blind"}
    for giver, start, stop in (("mill", "0", "250"), ("coop", "250", "1000")):
        lot = {**line, "bushels": str(int(stop) - int(start)), "start": start}
        paper = ev("document", f"d-{giver}", "2026-01-10", giver=giver, taker="crush", number=giver, lines=[lot])
        posted(store, [favourable(giver, "soybeans"), paper])
        posted(store, [ev("accept", f"a-{giver}", "2026-01-12", taker="crush", movement=f"d-{giver}")])
    sale = ev("sale", "on", "2026-02-05", giver="crush", taker="fuel", crop="soybeans", bushels=left)
    mills = ev("notice", "n", "2026-02-01", giver="mill", taker="crush", number="n", origin="blind", reason=reason,
               spans=[["0", "250"]])  # fmt: skip
    assert run(store, [{**mills, "spans": [["0", "250.001"]]}])[0].status == "outside_origin"
    posted(store, [favourable("crush", "soybeans"), mills])
    assert run(store, [{**mills, "id": "n2", "number": "n2"}])[0].status == "already_answered"
    more = {"suspended": "report_suspended", "withdrawn": "exceeds_stock"}[reason]
    assert run(store, [{**sale, "id": "much", "bushels": "750.001"}])[0].status == more
    named = {name: value for name, value in sale.items() if name != "bushels"}
    lots = [{"origin": "blind", "start": "249", "stop": "251"}]
    both = {"suspended": "report_suspended", "withdrawn": "not_held"}[reason]
    assert run(store, [{**named, "id": "named", "lots": lots}])[0].status == both
    posted(store, [sale])
    if reason == "suspended":
        posted(store, [{**mills, "id": "n3", "number": "n3", "reason": "reinstated", "day": "2026-02-06"}])
        posted(store, [{**sale, "id": "rest", "day": "2026-02-07", "bushels": "250"}])


def test_a_book_that_never_had_the_bushels_says_so() -> None:
    elevator, crusher = two_books(accepted=False)
    posted(elevator, [{**AMENDED, "ci": "5100"}])
    assert [one.outcome.status for one in enter(crusher, notice(elevator))] == ["record_not_found"]


@ROWS
def test_a_field_of_a_notice_that_cannot_be_right_is_named(fields: dict[str, object], named: str) -> None:
    elevator, _ = two_books()
    posted(elevator, [{**AMENDED, "ci": "5100"}])
    found, problems = read_notice(
        {**notice_document(elevator, "coop", "v2", "crush", as_of=papers.DAY), **fields}, "n.json"
    )
    assert found is None
    assert named in {problem.place.column for problem in problems}


def test_bushels_of_a_notice_that_differ_from_its_serials_and_unknown_changes_are_told() -> None:
    row = {"change": "gift", "bushels": "9", "spans": [{"start": "0", "stop": "10"}]}
    elevator, _ = two_books()
    posted(elevator, [{**AMENDED, "ci": "5100"}])
    made = notice_document(elevator, "coop", "v2", "crush", as_of=papers.DAY)
    _, problems = read_notice({**made, "changes": [row, row]}, "n.json")
    assert {one.place.column for one in problems} == {
        "changes", "changes[0].bushels", "changes[0].change", "changes[1].bushels", "changes[1].change",
    }  # fmt: skip


def test_a_notice_prints_and_never_names_the_farm() -> None:
    elevator, _ = two_books()
    posted(elevator, [{**AMENDED, "bushels": "2000", "ci": "5100"}])
    made = notice_document(elevator, "coop", "v2", "crush", as_of=papers.DAY)
    assert made["type"] == NOTICE
    assert "ada" not in str(made).casefold()
    assert document_pdf(made).startswith(b"%PDF")
    assert document_pdf(notice(elevator)["document"], envelope=notice(elevator), fingerprint="f").startswith(b"%PDF")


def test_an_event_that_the_book_does_not_have_makes_no_notice() -> None:
    elevator, _ = two_books()
    with pytest.raises(ProblemsError, match="no event of this name"):
        notice_document(elevator, "coop", "nothing", "crush", as_of=papers.DAY)


WENT = ev("return", "r1", "2026-02-03", giver="crush", taker="coop", movement="s1", site="north")
HOME = ev("return", "r2", "2026-02-04", giver="coop", taker="ada", movement="p1")
WORSE = {**AMENDED, "ci": "5100"}


def test_whoever_gave_the_bushels_back_is_not_told() -> None:
    elevator = papers.elevator_book(papers.vouched())
    posted(
        elevator, [WENT, HOME, *bought("p2", "ada", "fuel", papers.ADA, "4000", day="2026-02-10", site="works"), WORSE]
    )
    assert holders_to_notify(elevator, "v2", "coop") == []
    with pytest.raises(ProblemsError, match="changed nothing for crush"):
        notice(elevator)


def test_whoever_bought_again_what_another_gave_back_is_told_alone() -> None:
    elevator = papers.elevator_book(papers.vouched())
    again = ev("sale", "s2", "2026-02-05", giver="coop", taker="mill", crop="soybeans", bushels="2500.5")
    posted(elevator, [WENT, {**again, "bushels": "4000"}, WORSE])
    assert holders_to_notify(elevator, "v2", "coop") == ["mill"]


@pytest.mark.parametrize("change", [WORSE, {**AMENDED, "bushels": "10"}])
def test_what_was_taken_back_without_the_buyers_paper_is_told_to_the_buyer(change: dict[str, Any]) -> None:
    elevator = papers.owned("coop", papers.elevator_book(papers.vouched()))
    posted(elevator, [WENT, change])
    assert holders_to_notify(elevator, "v2", "coop") == ["crush"]


# Who bears bushels that a report no longer has, where the farm sold to parties whose books are elsewhere too.

LATE_SLIP = {**SLIP, "day": "2026-01-06"}
"""The farm signed to the party elsewhere a day after the mill had purchased."""


def version(bushels: str, **more: object) -> Event:
    made = report("ada", "soybeans", bushels, "5000", day="2026-02-01")
    return {**made, "id": "less", "version": 2, **more}


def void(store: MemoryStore) -> list[tuple[int, int]]:
    lots = store.lots_at(ADA_SOY, 0, 10_000_000)
    return [(lot.start, lot.stop) for lot in lots if lot.state is LotState.VOID]


@ROWS
def test_what_the_farm_signed_away_is_sold_on_the_day_of_its_slip_and_no_longer_unsold(
    store: MemoryStore, slip: Event | None, left: str, lost_by_mill: int, lost_elsewhere: int
) -> None:
    posted(store, [*BASE, *([slip] if slip else []), version(left)])
    gone = void(store)
    assert sum(min(stop, 1_000_000) - start for start, stop in gone if start < 1_000_000) == lost_by_mill
    inside = [(max(start, 2_000_000), min(stop, 3_000_000)) for start, stop in gone]
    assert sum(max(0, stop - start) for start, stop in inside) == lost_elsewhere
    told = [one.stop - one.start for one in store.many(Notice, "east")]
    assert sum(told) == (lost_elsewhere if slip else 0)
    found = store.one(Slip, "s-east")
    still = sum(stop - start for start, stop in found.open_spans) if found else 0
    assert still == (1_000_000 - lost_elsewhere if slip else 0)


def test_a_slip_that_lost_bushels_can_still_be_purchased_for_the_rest(store: MemoryStore) -> None:
    slip = ev("slip", "s-mill", "2026-01-08", giver="ada", taker="mill", origin=ADA_SOY, spans=[["5000", "6000"]])
    buy = ev("purchase", "rest", "2026-02-02", giver="ada", taker="mill", slip="s-mill", site="mill")
    posted(store, [*BASE, slip, version("1600"), buy])
    assert sum(lot.crop_amount for lot in store.lots_of("mill", "soybeans")) == 1_600_000
    assert [one.stop - one.start for one in store.many(Notice, "mill")] == [400_000]


def test_a_landowners_free_share_is_unsold_and_bears_after_the_farms(store: MemoryStore) -> None:
    share = ev("share", "sh", "2026-01-03", giver="ada", taker="lena", origin=ADA_SOY, bushels="500")
    sold = ev("slip", "s-lena", "2026-01-09", giver="lena", taker="mill", origin=ADA_SOY, bushels="200")
    posted(store, [*BASE, share, sold, version("1350")])
    held: dict[str, int] = {}
    for lot in store.lots_at(ADA_SOY, 0, 10_000_000):
        if lot.state is LotState.HELD:
            held[lot.owner] = held.get(lot.owner, 0) + lot.crop_amount
    assert held == {"mill": 1_000_000, "lena": 350_000}


def test_what_a_book_cannot_know_is_a_doubt_with_place_cause_and_remedy(store: MemoryStore) -> None:
    posted(store, BASE)
    answer = run(store, [version("4000")])[0]
    assert dict(answer.details) == {"taken_as_unsold": "6,000 bu"}
    assert "no slip here shows otherwise" in answer.message
    (doubt,) = doubts(store, "mill")
    assert (str(doubt.place), doubt.code, doubt.weight) == ("less, column bushels", "unsold_not_shown", "confirm")
    assert doubt.cause.startswith("6,000 bu missing since 2026-02-01")
    assert "slips to other buyers" in doubt.remedy
    assert doubts(store, "ada") == []
    assert any("taken as unsold" in one.said for one in alerts(store, record_of(store, Entity, "mill"), FEBRUARY))


@pytest.mark.parametrize("more", [{"bushels": "10000"}, {"bushels": "10001"}, {"spans": [["4000", "10000"]]}])
def test_there_is_no_doubt_where_nothing_was_guessed(store: MemoryStore, more: dict[str, Any]) -> None:
    posted(store, BASE)
    answer = run(store, [{**version("4000"), **more}])[0]
    assert (answer.status, answer.details) == ("posted", ())
    assert doubts(store, "mill") == []


@ROWS
def test_a_wider_book_may_name_only_serials_that_are_missing(
    store: MemoryStore, spans: list[list[str]], answer: str
) -> None:
    posted(store, BASE)
    assert run(store, [version("4000", spans=spans)])[0].status == answer
    if answer == "posted":
        assert sum(stop - start for start, stop in void(store)) == 6_000_000
        assert void(store)[0] == (0, 1_000_000)


def test_serials_named_that_went_into_fuel_are_a_shortfall_of_who_retired_them(store: MemoryStore) -> None:
    burn = ev("retire", "burn", "2026-01-20", entity="fuel", crop="soybeans", bushels="400", fuel="rd", batch="B",
              gallons="1")  # fmt: skip
    sold = ev("sale", "v", "2026-01-10", giver="mill", taker="fuel", crop="soybeans", bushels="400")
    proof = ev("statement", "v-mill", "2026-01-02", entity="mill", verifier="v", number="1", start_day="2026-01-01",
               end_day="2026-12-31", crops=["soybeans"], opinion="favourable")  # fmt: skip
    take = ev("accept", "a", "2026-01-11", taker="fuel", movement="v")
    posted(store, [*BASE, proof, sold, take, burn, version("9000", spans=[["100", "600"], ["2000", "2500"]])])
    told = [(one.start, one.stop, one.reason) for one in store.many(Notice, "fuel")]
    assert told == [(100_000, 400_000, "shortfall")]
    assert void(store) == [(400_000, 600_000), (2_000_000, 2_500_000)]


def test_what_left_the_report_is_told_as_such_when_a_document_still_names_it(store: Store) -> None:
    posted(store, [*BASE, LATE_SLIP, version("1500")])
    answer = run(store, [paper(document_line("2400", "200"), day="2026-02-02")])[0]
    assert answer.status == "outside_origin"
    assert "void" in answer.message
    assert run(store, [paper(document_line("2400", "100"), day="2026-02-02")])[0].status == "posted"


# What happens to grain whose report is suspended happens all the same: it is lost, moved and measured (reading 34).

RESTING = [
    *CAST, *REPORTS, *bought("c", "ada", "coop", ADA_SOY, "100", day="2026-01-05", site="north"),
    ev("suspend", "s", "2026-01-06", origin=ADA_SOY),
]  # fmt: skip
NAMED = {"lots": [serials(ADA_SOY, 0, 10)]}
SOME = {"bushels": "10"}


@pytest.mark.parametrize("how", [NAMED, SOME], ids=["named", "by policy"])
@pytest.mark.parametrize(
    ("event", "answer"),
    [
        (ev("loss", "e", "2026-01-07", entity="coop", crop="soybeans"), "posted"),
        (ev("move", "e", "2026-01-07", entity="coop", crop="soybeans", site="north", to_site="south"), "posted"),
        (ev("sale", "e", "2026-01-07", giver="coop", taker="mill", crop="soybeans"), "report_suspended"),
        (ev("retire", "e", "2026-01-07", entity="fuel", crop="soybeans", fuel="f", batch="b", gallons="1"), ""),
    ],
)
def test_suspended_claims_are_lost_and_moved_not_sold(store: Store, event: Event, answer: str, how: Event) -> None:
    posted(store, RESTING)
    if answer:
        assert status(store, {**event, **how}) == answer
    else:
        assert status(store, {**event, **how}) in ("report_suspended", "exceeds_stock")


def test_a_site_whose_report_is_suspended_is_measured_and_shares_its_loss(store: Store) -> None:
    posted(store, RESTING)
    place = {"entity": "coop", "site": "north"}
    posted(store, [
        ev("measurement", "m", "2026-01-08", **place, form="soybeans", amount="99", number="M"),
        ev("loss", "l", "2026-01-08", **place, crop="soybeans", bushels="1", shared=True),
    ])  # fmt: skip


def test_the_first_crop_of_a_year_is_cut_in_june(store: MemoryStore) -> None:
    posted(store, [*CAST, {**report("ben", "soybeans", "500", "4000", year=2026, day="2026-06-01"), "id": "r3"}])
