"""Audits come round every year; a late one, a missing contract and uncovered days are named."""

from datetime import date, timedelta

import pytest

from provender.audit.programme import Role
from provender.audit.statement.statement import SOON_DAYS, Alert, Entity, Opinion, rhythm, uncovered_days, years_later
from provender.rule.law import rule_version
from tests.audit.verifier import STATEMENT, statement

RULE = rule_version(date(2026, 6, 1))
SINCE = date(2025, 10, 1)
ELEVATOR = Entity("Prairie Elevator", Role.FIRST_POINT, SINCE, contract_until=date(2026, 12, 31))
DUE = date(2027, 11, 20)


@pytest.mark.parametrize(
    ("day", "alert"),
    [
        (DUE - timedelta(days=SOON_DAYS + 1), Alert.ON_TIME),
        (DUE - timedelta(days=SOON_DAYS), Alert.DUE_SOON),
        (DUE, Alert.DUE_SOON),
        (DUE + timedelta(days=1), Alert.OVERDUE),
    ],
)
def test_the_next_statement_is_due_a_year_after_the_last(day: date, alert: Alert) -> None:
    found = rhythm(ELEVATOR, [STATEMENT], day, RULE)
    assert (found.alert, found.due_on, found.last_statement) == (alert, DUE, "ST-14")


@pytest.mark.parametrize(
    ("contract", "day", "alert"),
    [
        (None, date(2026, 1, 1), Alert.NO_CONTRACT),
        (date(2026, 1, 1), date(2026, 1, 1), Alert.ON_TIME),
        (date(2025, 12, 31), date(2026, 1, 1), Alert.NO_CONTRACT),
        (None, date(2026, 10, 1), Alert.NO_CONTRACT),
        (None, date(2026, 10, 2), Alert.OVERDUE),
        (date(2027, 1, 1), date(2026, 10, 2), Alert.OVERDUE),
    ],
)
def test_in_the_first_year_a_contract_stands_in(contract: date | None, day: date, alert: Alert) -> None:
    entity = Entity("New Elevator", Role.FIRST_POINT, SINCE, contract)
    assert rhythm(entity, [], day, RULE).alert is alert


def test_an_adverse_statement_and_one_not_issued_yet_do_not_count() -> None:
    adverse = statement(opinion=Opinion.ADVERSE)
    assert rhythm(ELEVATOR, [adverse], date(2026, 12, 1), RULE).alert is Alert.OVERDUE
    assert rhythm(ELEVATOR, [STATEMENT], date(2026, 11, 19), RULE).last_statement == ""


@pytest.mark.parametrize("since", [None, date(2026, 12, 2)])
def test_who_handles_no_reduced_ci_crop_needs_no_audit(since: date | None) -> None:
    entity = Entity("Sleepy Elevator", Role.REFINER, since)
    assert rhythm(entity, [], date(2026, 12, 1), RULE).alert is Alert.NOT_NEEDED


def test_a_farm_has_no_rhythm_of_its_own() -> None:
    assert rhythm(Entity("Farm", Role.FARM, SINCE), [], date(2026, 12, 1), RULE).alert is Alert.NOT_NEEDED


@pytest.mark.parametrize(
    ("role", "cite"),
    [(Role.FIRST_POINT, "2100.040(a)(1)"), (Role.INTERMEDIARY, "2100.040(c)(1)"), (Role.REFINER, "2100.040(f)(1)")],
)
def test_each_role_has_its_paragraph(role: Role, cite: str) -> None:
    assert rhythm(Entity("x", role, SINCE), [], SINCE, RULE).document()["cite"] == cite


def test_days_that_no_statement_covers_are_named() -> None:
    first = statement(covered_first=date(2025, 11, 1), covered_last=date(2026, 1, 31))
    second = statement(covered_first=date(2026, 1, 15), covered_last=date(2026, 6, 30))
    third = statement(covered_first=date(2026, 8, 1), covered_last=date(2026, 8, 31))
    assert uncovered_days(SINCE, date(2026, 9, 30), [third, first, second]) == (
        (date(2025, 10, 1), date(2025, 10, 31)),
        (date(2026, 7, 1), date(2026, 7, 31)),
        (date(2026, 9, 1), date(2026, 9, 30)),
    )
    assert uncovered_days(SINCE, date(2026, 9, 30), [STATEMENT]) == ()
    assert uncovered_days(SINCE, date(2025, 10, 15), [third]) == ((SINCE, date(2025, 10, 15)),)


def test_a_year_after_a_leap_day_is_the_twenty_eighth() -> None:
    assert years_later(date(2024, 2, 29), 1) == date(2025, 2, 28)
    assert years_later(date(2024, 2, 29), 4) == date(2028, 2, 29)
