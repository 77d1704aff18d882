"""A verifier may verify on a day only if accreditation, membership and independence hold on that day."""

from dataclasses import replace
from datetime import date
from typing import Final

import pytest

from provender.audit.statement.statement import Accreditation, Suspension, Ties, check_accreditation, check_independence
from provender.problem import Weight
from tests.audit.verifier import ACCREDITATION, IAF, SUCCESSOR
from tests.rows import CaseRows

ROWS: Final = CaseRows(__file__)


def codes(shown: Accreditation, day: date) -> list[str]:
    return [problem.code for problem in check_accreditation(shown, day)]


@pytest.mark.parametrize(
    ("day", "code"),
    [
        (date(2024, 2, 29), ["not_accredited_on_day"]),
        (date(2024, 3, 1), []),
        (date(2027, 2, 28), []),
        (date(2027, 3, 1), ["not_accredited_on_day"]),
    ],
)
def test_accreditation_holds_from_its_first_to_its_last_day(day: date, code: list[str]) -> None:
    assert codes(ACCREDITATION, day) == code


@pytest.mark.parametrize(
    ("memberships", "day", "code"),
    [
        ((IAF,), date(2025, 12, 31), []),
        ((SUCCESSOR,), date(2025, 12, 31), ["body_not_member"]),
        ((SUCCESSOR,), date(2026, 1, 1), []),
        ((IAF,), date(2026, 1, 1), ["membership_to_confirm"]),
        ((IAF,), date(2026, 12, 31), ["membership_to_confirm"]),
        ((IAF,), date(2027, 1, 1), ["body_not_member"]),
        ((replace(IAF, last=date(2025, 6, 30)),), date(2026, 1, 1), ["body_not_member"]),
        ((replace(IAF, last=None),), date(2026, 1, 1), ["membership_to_confirm"]),
        ((replace(SUCCESSOR, last=date(2026, 5, 1)),), date(2026, 5, 2), ["body_not_member"]),
        ((replace(SUCCESSOR, first=date(2026, 5, 3)),), date(2026, 5, 2), ["body_not_member"]),
        ((), date(2026, 5, 2), ["body_not_member"]),
    ],
)
def test_the_forum_counts_to_2025_and_its_successor_after(memberships: tuple[()], day: date, code: list[str]) -> None:
    assert codes(replace(ACCREDITATION, memberships=memberships), day) == code


def test_a_place_carried_over_is_to_be_confirmed_and_a_tie_says_whose_supplier_it_is() -> None:
    (problem,) = check_accreditation(replace(ACCREDITATION, memberships=(IAF,)), date(2026, 6, 1))
    assert problem.weight is Weight.CONFIRM
    (problem,) = check_independence("verity", "elevator", ["farm 1"], Ties(prepared_records_of=frozenset({"farm 1"})))
    assert problem.cause == "verity prepared records of farm 1. farm 1 supplies elevator."
    assert [problem.code for problem in check_independence("elevator", "elevator", [], Ties())] == ["verifies_itself"]


@ROWS
def test_the_standard_is_iso_14065_and_a_certificate_has_a_number(changes: dict[str, str], code: list[str]) -> None:
    assert codes(replace(ACCREDITATION, **changes), date(2026, 6, 1)) == code  # type: ignore[arg-type]  # its fields


@pytest.mark.parametrize(
    ("last", "day", "code"),
    [
        (date(2026, 6, 30), date(2026, 5, 31), []),
        (date(2026, 6, 30), date(2026, 6, 1), ["suspended_on_day"]),
        (date(2026, 6, 30), date(2026, 7, 1), []),
        (None, date(2027, 2, 1), ["suspended_on_day"]),
    ],
)
def test_a_suspension_counts_on_its_days_and_reads_back(last: date | None, day: date, code: list[str]) -> None:
    suspended = replace(ACCREDITATION, suspended=(Suspension(first=date(2026, 6, 1), last=last),))
    assert codes(suspended, day) == code
    assert Accreditation.read(suspended.document()) == suspended


@pytest.mark.parametrize(
    ("ties", "code"),
    [
        (Ties(), []),
        (Ties(prepared_records_of=frozenset({"farm 1"})), ["prepared_records"]),
        (Ties(members_in_common_with=frozenset({"elevator"})), ["members_in_common"]),
        (Ties(advises=frozenset({"farm 2"})), ["advises"]),
        (Ties(owns_or_owned_by=frozenset({"elevator"})), ["shared_ownership"]),
        (Ties(prepared_records_of=frozenset({"somebody else"})), []),
    ],
)
def test_ties_to_the_party_or_its_suppliers_bar_the_verifier(ties: Ties, code: list[str]) -> None:
    found = check_independence("verity", "elevator", ["farm 1", "farm 2"], ties)
    assert [problem.code for problem in found] == code
