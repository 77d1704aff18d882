"""Periods are a rhythm: a late declaration takes its borders, is marked, and locks nobody out (interpretation 69)."""

from datetime import date

import pytest

from provender.custody.memory_store import MemoryStore
from provender.custody.model.entities import Entity, Period, Policy, rhythm_end
from provender.custody.queries.alerts import AlertKind, alerts
from tests.custody.world import CAST, Event, entity, ev, posted, run, status


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


@pytest.mark.parametrize(
    ("declared", "answer"),
    [
        (late("2026-07-01", "2026-09-30"), "posted"),
        (late("2026-07-01", "2026-08-31"), "period_declared_late"),
        (late("2026-07-01", "2026-09-30", policy="named"), "period_declared_late"),
        (late("2026-07-01", "2026-08-31", policy="named", day="2026-06-30"), "posted"),
        (late("2026-07-02", "2026-09-30"), "period_not_continuous"),
    ],
    ids=["as the rhythm goes", "another border", "another policy", "changed ahead", "a gap"],
)
def test_a_late_declaration_takes_the_borders_and_the_policy_of_the_rhythm(declared: Event, answer: str) -> None:
    store = MemoryStore()
    posted(store, CAST)
    assert status(store, declared) == answer


def test_a_late_period_is_marked_and_shown_first_and_a_book_goes_on_in_it() -> None:
    store = MemoryStore()
    posted(store, CAST)
    answer = run(store, [late("2026-07-01", "2026-09-30")])[0]
    assert ("declared_late", "2026-08-15") in answer.facts
    coop = store.one(Entity, "coop")
    assert coop is not None
    first = alerts(store, coop, date(2026, 8, 15))[0]
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
