"""How long a statement carries deliveries after its last covered day, and what a late slip says (interpretation 76)."""

from datetime import date

import pytest

from provender.custody.memory_store import MemoryStore
from provender.custody.model.entities import Entity
from provender.custody.model.lots import LotState
from provender.custody.queries.alerts import AlertKind, alerts
from tests.custody.world import ADA_SOY, CAST, REPORTS, Event, bought, ev, period, posted, run

GRAIN = [*CAST, period("coop", "2026-07-01", "2026-09-30"), period("crush", "2026-07-01", "2026-09-30"), *REPORTS,
         *bought("b", "ada", "coop", ADA_SOY, "1000", day="2026-01-05", site="north")]  # fmt: skip


def stated(number: str, opinion: str, start: str, end: str, **more: object) -> Event:
    fields = {"entity": "coop", "verifier": "v", "number": number, "crops": ["soybeans"], "opinion": opinion}
    return ev("statement", f"st-{number}", "2025-12-01", start_day=start, end_day=end, **{**fields, **more})


FAVOURABLE = stated("F", "favourable", "2025-01-17", "2025-06-08")
NEXT = stated("N", "next_audit_contracted", "2025-06-09", "2027-12-31")
ADVERSE = stated("A", "adverse", "2025-06-09", "2025-12-31")


def delivered(*statements: Event, day: str = "2026-09-08") -> MemoryStore:
    store = MemoryStore()
    sale = ev("sale", "s", day, giver="coop", taker="crush", crop="soybeans", bushels="10")
    posted(store, [*GRAIN, *statements, sale, ev("accept", "a", day, taker="crush", movement="s")])
    return store


def state(store: MemoryStore) -> str:
    return str(store.lots_of("crush", "soybeans")[0].state)


@pytest.mark.parametrize(
    ("statements", "day", "expected"),
    [
        ([FAVOURABLE], "2026-09-08", "unverified"),
        ([FAVOURABLE, NEXT], "2026-09-08", "held"),
        ([FAVOURABLE, NEXT], "2026-09-09", "unverified"),
        ([NEXT, FAVOURABLE], "2026-09-08", "held"),
        ([NEXT], "2026-09-08", "unverified"),
        ([FAVOURABLE, {**NEXT, "crops": ["corn"]}], "2026-09-08", "unverified"),
        ([{**FAVOURABLE, "crops": ["corn"]}, NEXT], "2026-09-08", "unverified"),
        ([FAVOURABLE, ADVERSE, NEXT], "2026-09-08", "unverified"),
        ([FAVOURABLE, {**NEXT, "end_day": "2026-09-07"}], "2026-09-08", "unverified"),
        ([FAVOURABLE, NEXT, stated("B", "adverse", "2026-01-01", "2026-12-31")], "2026-09-08", "unverified"),
        ([stated("C", "first_audit_contracted", "2025-06-09", "2027-12-31")], "2026-09-08", "held"),
        ([stated("C", "first_audit_contracted", "2025-06-08", "2027-12-31")], "2026-09-08", "unverified"),
        ([stated("C", "first_audit_contracted", "2025-06-09", "2027-12-31"),
          stated("B", "adverse", "2026-01-01", "2026-12-31")], "2026-09-08", "unverified"),
        ([ADVERSE, stated("C", "first_audit_contracted", "2026-01-01", "2027-12-31")], "2026-09-08", "unverified"),
        ([FAVOURABLE, stated("C", "first_audit_contracted", "2025-06-09", "2027-12-31")], "2026-09-08", "unverified"),
        ([{**ADVERSE, "crops": ["corn"]}, stated("C", "first_audit_contracted", "2026-01-01", "2027-12-31")],
         "2026-09-08", "held"),
        ([stated("C", "first_audit_contracted", "2025-06-08", "2025-12-31"),
          stated("D", "first_audit_contracted", "2026-01-01", "2027-12-31")], "2026-09-08", "unverified"),
        ([stated("C", "first_audit_contracted", "2025-06-09", "2025-12-31"),
          stated("D", "first_audit_contracted", "2026-01-01", "2027-12-31")], "2026-09-08", "held"),
    ],
)  # fmt: skip
def test_a_contract_carries_deliveries_for_fifteen_months(statements: list[Event], day: str, expected: str) -> None:
    assert state(delivered(*statements, day=day)) == expected


C = stated("C", "first_audit_contracted", "2025-06-08", "2025-12-31")
C_AGAIN = {**C, "id": "again", "start_day": "2026-01-01", "end_day": "2027-12-31"}


def test_a_first_contract_entered_again_under_its_number_moves_no_months() -> None:
    assert state(delivered({**C, "end_day": "2027-12-31"}, C_AGAIN, day="2026-09-07")) == LotState.HELD
    assert state(delivered(C, C_AGAIN, day="2026-09-08")) == LotState.UNVERIFIED
    store = MemoryStore()
    said = [one.message for one in run(store, [*GRAIN, C, C_AGAIN])][-1]
    assert "goes on from 2025-06-08, as first entered" in said


@pytest.mark.parametrize(
    ("before", "again", "status"),
    [
        (C, {"crops": ["corn"]}, "parties_differ"),
        (C, {"opinion": "next_audit_contracted"}, "parties_differ"),
        (C, {"crops": ["corn", "soybeans"]}, "posted"),
        (C, {"opinion": "adverse"}, "posted"),
        (C, {"opinion": "adverse", "crops": ["corn"]}, "parties_differ"),
        ({**C, "opinion": "adverse"}, {}, "already_answered"),
        ({**C, "opinion": "favourable"}, {"opinion": "adverse"}, "parties_differ"),
        ({**C, "opinion": "favourable"}, {"opinion": "adverse", "start_day": "2025-06-08"}, "posted"),
        ({**C, "opinion": "favourable"}, {"opinion": "adverse", "start_day": "2025-12-31"}, "posted"),
        ({**C, "opinion": "favourable"}, {"opinion": "favourable"}, "posted"),
        ({**C, "opinion": "favourable"}, {"opinion": "next_audit_contracted"}, "already_answered"),
        ({**C, "opinion": "adverse"}, {"opinion": "favourable", "start_day": "2025-06-08"}, "posted"),
        (
            {**C, "opinion": "adverse"},
            {"opinion": "adverse", "start_day": "2025-06-08", "end_day": "2025-12-30"},
            "parties_differ",
        ),
        ({**C, "opinion": "next_audit_contracted"}, {}, "posted"),
    ],
)
def test_what_a_first_contract_entered_again_would_make_forgotten_is_refused(
    before: Event, again: Event, status: str
) -> None:
    assert str(run(MemoryStore(), [*GRAIN, before, {**C_AGAIN, **again}])[-1].status) == status


LATER = stated("D", "first_audit_contracted", "2026-01-01", "2027-12-31")
FUTURE = {"start_day": "2030-01-01", "end_day": "2030-12-31"}


@pytest.mark.parametrize(
    "forgetting",
    [
        [C, {**C, "id": "again", "opinion": "adverse", **FUTURE}],
        [C, {**C, "id": "again", "opinion": "favourable", **FUTURE}],
        [ADVERSE, {**ADVERSE, "id": "again", **FUTURE}],
        [ADVERSE, {**ADVERSE, "id": "again", "crops": ["corn"]}],
        [ADVERSE, {**ADVERSE, "id": "again", "opinion": "favourable", **FUTURE}],
        [ADVERSE, {**ADVERSE, "id": "again", "opinion": "favourable", "crops": ["corn"]}],
        [ADVERSE, {**ADVERSE, "id": "again", "opinion": "next_audit_contracted", **FUTURE}],
    ],
)  # fmt: skip
def test_no_opinion_for_a_year_to_come_makes_a_first_contract_or_a_bad_opinion_forgotten(
    forgetting: list[Event],
) -> None:
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
    store = delivered(FAVOURABLE, NEXT)
    later = stated("L", "adverse", "2026-01-01", "2026-12-31")
    posted(store, [{**later, "day": "2027-02-01"}])
    assert state(store) == LotState.UNVERIFIED
    store = delivered(FAVOURABLE, NEXT)
    posted(store, [{**later, "day": "2027-02-01", "opinion": "favourable"}])
    assert state(store) == LotState.HELD


def test_a_contract_that_comes_after_the_delivery_cures_it() -> None:
    store = delivered(FAVOURABLE)
    posted(store, [{**NEXT, "day": "2026-09-10"}])
    assert state(store) == LotState.HELD


@pytest.mark.parametrize(("slip_day", "flagged"), [("2026-01-05", False), ("2026-01-06", True)])
def test_a_purchase_dated_before_its_slip_is_flagged_and_listed(slip_day: str, flagged: bool) -> None:
    store = MemoryStore()
    slip, buy = bought("b", "ada", "coop", ADA_SOY, "1000", day="2026-01-05", site="north")
    posted(store, [*CAST, *REPORTS, {**slip, "day": slip_day}])
    answer = run(store, [buy])[0]
    assert answer.status == "posted"
    assert (("before_its_slip", slip_day) in answer.facts) is flagged
    coop = store.one(Entity, "coop")
    assert coop is not None
    kinds = {one.kind for one in alerts(store, coop, date(2026, 1, 20))}
    assert (AlertKind.PURCHASE_BEFORE_SLIP in kinds) is flagged
