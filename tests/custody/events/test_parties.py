"""What parties declare: periods, sites that close, and how long a statement carries deliveries."""

from datetime import date
from typing import Final, cast

import pytest

from provender.custody.events.closing import CloseSiteEvent, closure_of
from provender.custody.events.registry import read_event
from provender.custody.model.entities import Entity, Period, Policy, SiteClosure, Verification, rhythm_end
from provender.custody.model.lots import LotState
from provender.custody.model.store_view import Store, StoreView
from provender.custody.queries.alerts import AlertKind, alerts
from provender.custody.store import MemoryStore
from tests.custody.world import (
    ADA_SOY,
    BEN_SOY,
    CAST,
    REPORTS,
    Event,
    alerted,
    bought,
    entity,
    ev,
    period,
    posted,
    record_of,
    run,
    status,
)
from tests.rows import CaseRows

ROWS: Final = CaseRows(__file__)

# Periods are a rhythm: a late declaration takes its borders, is marked, and locks nobody out (interpretation 69).


def late(start: str, end: str, **more: object) -> Event:
    days = {"start_day": start, "end_day": end}
    return ev("period", "late", "2026-08-15", entity="coop", **{"policy": "oldest_first", **days, **more})


@pytest.mark.parametrize(
    ("start", "end", "goes_on_to"),
    [
        ("2026-01-01", "2026-03-31", "2026-06-30"),
        ("2026-01-15", "2026-04-14", "2026-07-14"),
        ("2026-01-01", "2026-01-31", "2026-02-28"),
        ("2026-01-05", "2026-02-01", "2026-03-01"),
        ("2026-03-31", "2026-03-31", "2026-04-01"),
    ],
)
def test_a_rhythm_is_of_months_where_it_can_be_and_else_of_days(start: str, end: str, goes_on_to: str) -> None:
    days = (date.fromisoformat(start), date.fromisoformat(end))
    last = Period("coop", *days, Policy.NAMED, days[0])
    assert str(rhythm_end(last, date.fromordinal(last.end.toordinal() + 1))) == goes_on_to


@ROWS
def test_a_late_declaration_takes_the_borders_and_the_policy_of_the_rhythm(declared: Event, answer: str) -> None:
    store = posted(MemoryStore(), CAST)
    assert status(store, declared) == answer


def test_a_late_period_is_marked_and_shown_first_and_a_book_goes_on_in_it() -> None:
    store = posted(MemoryStore(), CAST)
    assert ("declared_late", "2026-08-15") in run(store, [late("2026-07-01", "2026-09-30")])[0].details
    first = alerts(store, record_of(store, Entity, "coop"), date(2026, 8, 15))[0]
    assert first.kind is AlertKind.PERIOD_DECLARED_LATE
    assert "declared late, on 2026-08-15" in first.said
    assert status(store, ev("release", "r", "2026-07-05", entity="coop", crop="soybeans", bushels="1")) == (
        "exceeds_stock"
    )


def test_the_first_period_declared_late_begins_with_the_first_movement_at_the_latest() -> None:
    store = MemoryStore()
    opening = ev("opening", "o", "2026-02-03", entity="new", crop="soybeans", harvest_year=2025, ci="4000",
                 bushels="10", number="1", evidence="bins")  # fmt: skip
    posted(store, [entity("new", "first_point", "yard"), opening])
    late_first = ev("period", "p", "2026-03-01", entity="new", policy="named", end_day="2026-04-30")
    assert status(store, {**late_first, "start_day": "2026-02-04"}) == "period_declared_late"
    posted(store, [{**late_first, "start_day": "2026-02-03"}])


# A statement's number is its verifier's own.


def test_a_second_verifiers_statement_of_one_number_replaces_none() -> None:
    store = posted(MemoryStore(), CAST)
    years = (("Verity", "2025-10-01", "2026-09-30"), ("Another", "2026-10-01", "2027-09-30"))
    for verifier, start, end in years:
        said = {"crops": ["soybeans"], "opinion": "favourable", "start_day": start, "end_day": end}
        posted(store, [ev("statement", verifier, "2026-01-02", entity="coop", verifier=verifier, number="1", **said)])
    kept = {(one.verifier, str(one.start), str(one.end)) for one in store.many(Verification, "coop")}
    assert kept >= set(years)


# A closed site: nothing comes to lie there, nothing is sold from there, and a closing is taken back like an entry.

BUY = bought("b", "ada", "coop", ADA_SOY, "100", day="2026-01-05", site="south")
OUT: Final = ROWS.named["OUT"]
IN_NORTH: Final = ROWS.named["IN_NORTH"]
MOVE: Final = ROWS.named["MOVE"]
SHUT = ev("close_site", "shut", "2026-01-10", entity="coop", site="south", reason="the lease ended")
EMPTIED = [*CAST, *REPORTS, *BUY, MOVE, OUT, IN_NORTH]
SOLD = [*CAST, *REPORTS, *BUY, ev("sale", "s", "2026-01-08", giver="coop", taker="crush", crop="soybeans",
                                  bushels="100"), OUT]  # fmt: skip
OPEN_AGAIN = ev("correct", "again", "2026-01-12", entity="coop", movement="shut", reason="a new lease")
TICKET = {"number": "T9", "bushels": "10"}
SLIP: Final = ROWS.named["SLIP"]


RATE: Final = ROWS.named["RATE"]
CLOSED = [*EMPTIED, RATE, SHUT]
RUN: Final = ROWS.named["RUN"]


def purchase(day: str, **more: object) -> Event:
    return ev("purchase", "p2", day, giver="ada", taker="coop", slip="slip-2", tickets=[TICKET], **more)


@ROWS
def test_nothing_comes_to_a_closed_site_or_is_entered_there_of_a_later_day(store: Store, events: list[Event]) -> None:
    *before, last = events
    posted(store, [*CLOSED, *before])
    [answer] = run(store, [last])
    assert (str(answer.status), "south is closed since 2026-01-10" in answer.message) == ("site_closed", True)


def test_the_same_stands_where_the_site_was_opened_again() -> None:
    *others, back = ROWS.rows["test_nothing_comes_to_a_closed_site_or_is_entered_there_of_a_later_day"]
    assert back["case"] == "the move that emptied it taken back"
    for one in others:
        posted(MemoryStore(), [*CLOSED, OPEN_AGAIN, *one["events"]])


def test_a_site_is_not_closed_while_claims_or_grain_lie_there_or_came_later(store: Store) -> None:
    posted(store, [*CAST, *REPORTS, *BUY])
    assert "Claims on 100 bu of soybeans lie at south." in run(store, [SHUT])[0].message
    posted(store, [MOVE, IN_NORTH])
    assert "south holds 100 bu of soybeans by its tickets." in run(store, [SHUT])[0].message
    posted(store, [OUT])
    late = {**IN_NORTH, "id": "in-2", "day": "2026-01-20", "site": "south", "number": "I2", "form": "corn"}
    posted(store, [late, {**late, "type": "shipment", "id": "out-2", "number": "O2"}])
    answer = run(store, [SHUT])[0]
    assert (str(answer.status), "is of 2026-01-20" in answer.message) == ("site_in_use", True)
    assert status(store, {**SHUT, "day": "2026-01-21"}) == "posted"


def test_a_site_is_not_closed_before_claims_came_there_and_left_again(store: Store) -> None:
    posted(store, [*CAST, *REPORTS, *bought("b", "ada", "coop", ADA_SOY, "100", day="2026-01-05", site="north")])
    posted(store, [{**MOVE, "site": "north", "to_site": "south"}, {**MOVE, "id": "m2", "day": "2026-01-09"}])
    assert "Entry m of 2026-01-08 moves claims there." in run(store, [{**SHUT, "day": "2026-01-07"}])[0].message
    assert status(store, SHUT) == "posted"


def test_a_site_with_bushels_in_dispute_is_not_closed(store: Store) -> None:
    posted(store, SOLD)
    store.owner = "coop"  # type: ignore[attr-defined]  # a book of its own, in which nobody else agrees
    posted(store, [ev("reject", "r", "2026-01-09", giver="coop", taker="crush", movement="s", site="south")])
    answer = run(store, [SHUT])[0]
    assert (str(answer.status), "in dispute" in answer.message) == ("site_in_use", True)


def test_what_another_party_sends_back_lies_there_all_the_same_and_is_told(store: MemoryStore) -> None:
    posted(store, [*SOLD, SHUT])
    posted(store, [ev("reject", "r", "2026-01-12", giver="coop", taker="crush", movement="s", site="south")])
    told = {one.kind: one.said for one in alerts(store, record_of(store, Entity, "coop"), date(2026, 1, 12))}
    assert told[AlertKind.CLOSED_SITE].startswith("south is closed since 2026-01-10, and 100 bu of soybeans lie there")
    again = ev("sale", "s2", "2026-01-13", giver="coop", taker="mill", crop="soybeans", bushels="10")
    assert status(store, again) == "site_closed"
    posted(store, [{**MOVE, "id": "away", "day": "2026-01-13"}])
    assert status(store, {**again, "day": "2026-01-13"}) == "posted"


BACK = ev("reject", "r", "2026-01-12", giver="coop", taker="crush", movement="s", site="south")
NEWER = bought("b9", "ben", "coop", BEN_SOY, "60", day="2026-01-08", site="north")
NEXT = ev("sale", "s2", "2026-01-13", giver="coop", taker="mill", crop="soybeans")


def test_a_sale_goes_round_what_others_gave_back_to_a_closed_site(store: MemoryStore) -> None:
    posted(store, [*SOLD, *NEWER, SHUT, BACK])
    short = run(store, [{**NEXT, "bushels": "60.001"}])[0]
    assert (short.status, "south is closed since 2026-01-10. What may be taken is 60 bu." in short.message) == (
        "site_closed",
        True,
    )
    assert status(store, {**NEXT, "bushels": "160.001"}) == "exceeds_stock"
    posted(store, [{**NEXT, "bushels": "60"}])
    assert {lot.origin for lot in store.lots_by("s2") if lot.by == "s2"} == {BEN_SOY}


class Counted:
    """A store's facts that count the questions for serials."""

    def __init__(self, facts: StoreView) -> None:
        self.facts, self.asked = facts, 0

    def lots_at(self, origin: str, start: int, stop: int) -> object:
        self.asked += 1
        return self.facts.lots_at(origin, start, stop)

    def __getattr__(self, name: str) -> object:
        return getattr(self.facts, name)


def test_a_closing_asks_once_what_lies_there_however_much_came(store: MemoryStore) -> None:
    posted(store, [*CAST, *REPORTS])
    for number in range(5):
        posted(store, bought(f"n{number}", "ada", "coop", ADA_SOY, "10", day="2026-01-05", site="south"))
    posted(store, [{**MOVE, "bushels": "50"}, {**OUT, "amount": "50"}])
    counted = Counted(store)
    request = read_event(SHUT)
    assert isinstance(request, CloseSiteEvent)
    closure_of(cast("StoreView", counted), request)
    assert counted.asked == 0


def test_the_book_of_a_closed_site_is_put_right_for_the_days_before(store: Store) -> None:
    posted(store, CLOSED)
    early = {**IN_NORTH, "id": "in-2", "day": "2026-01-06", "site": "south", "number": "I2"}
    nothing = ev("measurement", "w", "2026-03-31", entity="coop", site="south", form="soybeans", amount="0", number="W")
    posted(store, [early, {**early, "id": "void", "void": True}, nothing])


def test_the_only_site_that_is_open_need_not_be_named(store: Store) -> None:
    posted(store, [*CLOSED, SLIP, purchase("2026-01-10")])


def test_a_closing_is_taken_back_and_that_again_while_nothing_lies_there(store: Store) -> None:
    posted(store, [*CLOSED, OPEN_AGAIN])
    assert status(store, {**SHUT, "id": "shut-2", "day": "2026-01-13"}) == "posted"
    posted(store, [{**OPEN_AGAIN, "id": "again-2", "movement": "shut-2", "day": "2026-01-14"}])
    shut_again = ev("correct", "back", "2026-01-15", entity="coop", movement="again", reason="it stays closed")
    posted(store, [SLIP, purchase("2026-01-14", site="south")])
    assert status(store, shut_again) == "site_in_use"
    assert status(store, {**OPEN_AGAIN, "id": "x", "entity": "crush", "movement": "shut-2"}) == "parties_differ"


AHEAD = {**SHUT, "id": "ahead", "day": "2026-02-01", "ahead": True}
BEFORE = {
    "a ticket in": {**IN_NORTH, "id": "in-2", "day": "2026-01-31", "site": "south", "number": "I2"},
    "a move there": {**MOVE, "id": "m2", "day": "2026-01-31", "site": "north", "to_site": "south", "bushels": "10"},
    "a sale from there": ev("sale", "s2", "2026-01-31", giver="coop", taker="crush", crop="soybeans", bushels="50",
                            site="south"),
}  # fmt: skip
FULL = [*CAST, *REPORTS, *BUY, *bought("c", "ben", "coop", BEN_SOY, "60", day="2026-01-05", site="north")]


@pytest.mark.parametrize("what", BEFORE)
def test_a_site_that_is_closed_for_a_coming_day_is_open_until_then(store: Store, what: str) -> None:
    posted(store, [*FULL, AHEAD])
    act = BEFORE[what]
    for day in ("2026-02-01", "2026-02-02"):
        assert status(store, {**act, "day": day, "id": f"x{day}"}) == "site_closed", day
    assert status(store, act) == "posted"


def test_what_lies_at_a_site_when_its_closing_comes_is_told_from_that_day_and_moved(store: MemoryStore) -> None:
    posted(store, [*FULL, AHEAD])

    def told(day: date) -> list[str]:
        coop = record_of(store, Entity, "coop")
        return [one.said for one in alerts(store, coop, day) if one.kind is AlertKind.CLOSED_SITE]

    assert told(date(2026, 1, 31)) == []
    assert "100 bu of soybeans lie there" in told(date(2026, 2, 1))[0]
    posted(store, [{**MOVE, "id": "away", "day": "2026-02-02"}, {**OUT, "day": "2026-02-02"}])
    assert told(date(2026, 2, 2)) == []


def test_with_one_site_closed_for_a_coming_day_the_other_one_is_not_chosen_unasked(store: Store) -> None:
    posted(store, [*CAST, AHEAD])
    nameless = {key: text for key, text in IN_NORTH.items() if key != "site"}
    assert status(store, nameless) == "site_not_found"
    assert status(store, {**nameless, "site": "south"}) == "posted"


def test_a_closing_does_not_come_back_while_another_is_in_force(store: MemoryStore) -> None:
    posted(store, [*CLOSED, OPEN_AGAIN, {**SHUT, "id": "shut-2", "day": "2026-01-13"}])
    redo = ev("correct", "redo", "2026-01-14", entity="coop", movement="again", reason="it stays closed")
    [answer] = run(store, [redo])
    assert (str(answer.status), "shut-2 closed south since." in answer.message) == ("already_answered", True)
    posted(store, [{**redo, "id": "c2", "movement": "shut-2"}, {**redo, "id": "c3"}])
    assert [one.by for one in store.many(SiteClosure, "coop") if one.closed] == ["shut"]


def test_plant_figures_of_the_days_before_are_entered_and_none_of_a_later_batch_closes_the_site(store: Store) -> None:
    done = {**RATE, "id": "final", "basis": "final", "end_day": "2026-01-09", "day": "2026-02-01", "rate": "10"}
    posted(store, [*CLOSED, {**RUN, "day": "2026-01-09"}, done, {**RUN, "id": "late", "day": "2026-02-01"}])


def test_a_site_is_not_closed_before_a_batch_that_was_made_there(store: Store) -> None:
    batch = ev("convert", "b1", "2026-01-12", entity="coop", site="south", made_of="soybeans", output="soybean_oil",
               campaign="C", number="1", start_day="2026-01-10", put_in="5", made="50")  # fmt: skip
    posted(store, [*EMPTIED, RATE, batch])
    [answer] = run(store, [SHUT])
    assert (str(answer.status), "Batch 1 of south ends on 2026-01-12." in answer.message) == ("site_in_use", True)
    posted(store, [{**SHUT, "day": "2026-01-13"}, {**batch, "id": "no", "void": True}])


FINAL = {**RATE, "id": "final", "basis": "final", "day": "2026-02-01", "rate": "10"}


def test_a_campaign_that_a_closing_cut_short_is_finished_for_the_days_it_was_declared_for(store: Store) -> None:
    posted(store, CLOSED)
    assert status(store, {**FINAL, "end_day": "2026-03-01"}) == "site_closed"
    posted(store, [FINAL, {**RUN, "id": "late", "day": "2026-02-01"}])


def test_figures_of_an_early_day_stand_whatever_days_a_final_yield_names(store: Store) -> None:
    ahead = {**FINAL, "day": "2026-01-05", "start_day": "2026-03-01", "end_day": "2026-03-31"}
    posted(store, [*EMPTIED, ahead, SHUT, {**RUN, "day": "2026-01-09"}])


def test_a_campaign_of_batches_is_finished_after_the_closing_and_one_that_had_not_begun_is_not(store: Store) -> None:
    batch = ev("convert", "b1", "2026-01-09", entity="coop", site="south", made_of="soybeans", output="soybean_oil",
               campaign="C", number="1", start_day="2026-01-08", put_in="5", made="50")  # fmt: skip
    never = {**RATE, "id": "y2", "campaign": "D", "start_day": "2026-03-01", "end_day": "2026-03-31"}
    posted(store, [*EMPTIED, RATE, never, batch, SHUT, FINAL])
    later = {**FINAL, "id": "f2", "campaign": "D", "start_day": "2026-03-01", "end_day": "2026-03-31"}
    assert status(store, later) == "site_closed"


def test_a_closing_for_a_coming_day_does_not_come_back_on_it_while_claims_lie_there(store: Store) -> None:
    back = ev("correct", "back", "2026-01-12", entity="coop", movement="ahead", reason="it stays")
    redo = ev("correct", "redo", "2026-02-01", entity="coop", movement="back", reason="it does not")
    posted(store, [*FULL, AHEAD, back])
    assert status(store, redo) == "site_in_use"
    posted(store, [{**redo, "day": "2026-01-31"}, {**redo, "id": "no", "day": "2026-01-31", "movement": "redo"}])
    posted(store, [{**IN_NORTH, "day": "2026-02-03", "site": "south"}])


# How long a statement carries deliveries after its last covered day, and what a late slip says (interpretation 76).

GRAIN = [*CAST, period("coop", "2026-07-01", "2026-09-30"), period("crush", "2026-07-01", "2026-09-30"), *REPORTS,
         *bought("b", "ada", "coop", ADA_SOY, "1000", day="2026-01-05", site="north")]  # fmt: skip


def stated(number: str, opinion: str, start: str, end: str, **more: object) -> Event:
    fields = {"entity": "coop", "verifier": "v", "number": number, "crops": ["soybeans"], "opinion": opinion}
    return ev("statement", f"st-{number}", "2025-12-01", start_day=start, end_day=end, **{**fields, **more})


FAVOURABLE: Final = ROWS.named["FAVOURABLE"]
NEXT_AUDIT: Final = ROWS.named["NEXT_AUDIT"]


def delivered(*statements: Event, day: str = "2026-09-08") -> MemoryStore:
    store = MemoryStore()
    sale = ev("sale", "s", day, giver="coop", taker="crush", crop="soybeans", bushels="10")
    posted(store, [*GRAIN, *statements, sale, ev("accept", "a", day, taker="crush", movement="s")])
    return store


def state(store: MemoryStore) -> str:
    return str(store.lots_of("crush", "soybeans")[0].state)


@ROWS
def test_a_contract_carries_deliveries_for_fifteen_months(statements: list[Event], day: str, expected: str) -> None:
    assert state(delivered(*statements, day=day)) == expected


C: Final = ROWS.named["C"]
C_AGAIN: Final = ROWS.named["C_AGAIN"]


def test_a_first_contract_entered_again_under_its_number_moves_no_months() -> None:
    assert state(delivered({**C, "end_day": "2027-12-31"}, C_AGAIN, day="2026-09-07")) == LotState.HELD
    assert state(delivered(C, C_AGAIN, day="2026-09-08")) == LotState.UNVERIFIED
    said = [one.message for one in run(MemoryStore(), [*GRAIN, C, C_AGAIN])][-1]
    assert "goes on from 2025-06-08, as first entered" in said


@ROWS
def test_what_a_first_contract_entered_again_would_hide_is_refused(before: Event, again: Event, status: str) -> None:
    assert str(run(MemoryStore(), [*GRAIN, before, {**C_AGAIN, **again}])[-1].status) == status


LATER = stated("D", "first_audit_contracted", "2026-01-01", "2027-12-31")


@ROWS
def test_no_opinion_for_a_coming_year_makes_a_first_contract_or_bad_one_forgotten(forgetting: list[Event]) -> None:
    """A second first contract would carry anew (interpretation 76)."""
    sale = ev("sale", "s", "2026-09-08", giver="coop", taker="crush", crop="soybeans", bushels="10")
    store = MemoryStore()
    run(store, [*GRAIN, *forgetting, LATER, sale, ev("accept", "a", "2026-09-08", taker="crush", movement="s")])
    assert state(store) == LotState.UNVERIFIED


@pytest.mark.parametrize(
    ("start", "status"),
    [("2026-09-07", "posted"), ("2026-09-08", "parties_differ")],
    ids=["carries", "carries no more"],
)
def test_an_opinion_takes_the_number_of_a_first_contract_while_that_carries(start: str, status: str) -> None:
    opinion = {**C, "id": "again", "opinion": "adverse", "start_day": start, "end_day": "2026-12-31"}
    assert str(run(MemoryStore(), [*GRAIN, C, opinion])[-1].status) == status


def test_the_next_statement_confirms_or_unsettles_what_was_carried() -> None:
    store = delivered(FAVOURABLE, NEXT_AUDIT)
    later = stated("L", "adverse", "2026-01-01", "2026-12-31")
    posted(store, [{**later, "day": "2027-02-01"}])
    assert state(store) == LotState.UNVERIFIED
    store = delivered(FAVOURABLE, NEXT_AUDIT)
    posted(store, [{**later, "day": "2027-02-01", "opinion": "favourable"}])
    assert state(store) == LotState.HELD


def test_a_contract_that_comes_after_the_delivery_cures_it() -> None:
    store = delivered(FAVOURABLE)
    posted(store, [{**NEXT_AUDIT, "day": "2026-09-10"}])
    assert state(store) == LotState.HELD


@pytest.mark.parametrize(("slip_day", "flagged"), [("2026-01-05", False), ("2026-01-06", True)])
def test_a_purchase_dated_before_its_slip_is_flagged_and_listed(slip_day: str, flagged: bool) -> None:
    slip, buy = bought("b", "ada", "coop", ADA_SOY, "1000", day="2026-01-05", site="north")
    hands = {"giver": "ada", "taker": "coop"}
    load = {"tickets": [{"number": "T7", "bushels": "1000"}], "site": "north", "bushels": "1000"}
    waits = ev("purchase_pending", "w", "2026-01-05", **hands, crop="soybeans", harvest_year=2025, **load)
    later = ev("assign", "b", "2026-01-05", **hands, pending="w", slip=slip["id"])
    for entered in ([buy], [waits, later]):
        store = MemoryStore()
        posted(store, [*CAST, *REPORTS, {**slip, "day": slip_day}])
        answer = run(store, entered)[-1]
        assert answer.status == "posted"
        assert (("before_its_slip", slip_day) in answer.details) is flagged
        assert (AlertKind.PURCHASE_BEFORE_SLIP in alerted(store, date(2026, 1, 20))) is flagged
