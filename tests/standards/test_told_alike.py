"""What is told beside verdicts is what the old engine told, on random and damaged seasons; goes with ``practices``."""

from random import Random

import pytest

from provender.practices.assess import assess as assess_in_columns
from provender.problem import Problem
from provender.records.book import RecordBook
from provender.standards.assess import assess
from tests.standards.side_by_side import damaged_book, random_book

COUNT = 60
SAID_BETTER = {"over_plan"}
"""Codes whose sentence says more than before."""


def told(problems: tuple[Problem, ...]) -> list[str]:
    return sorted(f"{one.code}: {one}" if one.code not in SAID_BETTER else one.code for one in problems)


def differences(book: RecordBook) -> list[str]:
    before, after = told(assess_in_columns(book).problems), told(assess(book).problems)
    return [f"- {one}" for one in before if one not in after] + [f"+ {one}" for one in after if one not in before]


@pytest.mark.parametrize("make", [random_book, damaged_book])
def test_the_same_problems_are_told(make: object) -> None:
    book = make(Random(11), COUNT)  # type: ignore[operator]
    assert differences(book) == []
