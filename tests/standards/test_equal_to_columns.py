"""Portfolios say the same as the law: conformance cases, example farms, random and damaged seasons, columns broken."""

from collections.abc import Iterable
from pathlib import Path

import polars as pl
import pytest

from provender.portfolio.columns.intervals import EXPRESSIONS
from provender.records.folder import load_book
from provender.standards.standard import REQUIREMENTS
from tests.conformance.test_parts import seasons_of_kit
from tests.standards.season import book_of, cases_in, changed, clean_season, edited
from tests.standards.seasons import put_together
from tests.standards.side_by_side import Compared, compare, random_comparisons

EXAMPLES = Path(__file__).parents[2] / "examples"
FILES = (
    "interpretations.jsonl", "neighbors.jsonl", "told.jsonl", "borders.jsonl", "lacks.jsonl", "passes.jsonl",
    "known_by.jsonl", "not_met.jsonl",
)  # fmt: skip
"""Every case whose base is the clean season."""


def told(found: Iterable[Compared]) -> list[str]:
    return [str(one) for of in found for one in of.differences]


def test_columns_answer_every_requirement_and_others_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    assert EXPRESSIONS.keys() == REQUIREMENTS.keys()
    names = ("no_till_stir_within_limit", "records_tillage_dates")
    for name in names:
        monkeypatch.setitem(EXPRESSIONS, name, lambda _: pl.lit(value=False))
    found = {one.name: one.detail for one in compare(book_of(clean_season())).differences}
    assert [found[name] for name in names] == ["False, the law True"] * 2


def test_cases_of_the_kit_and_our_own_and_late_covers_are_judged_alike() -> None:
    found = compare(book_of(put_together(seasons_of_kit("thresholds"))))
    assert told([found]) == []
    assert found.plain > found.handed_over / 4
    seasons = [edited(clean_season(), one["edits"]) for file in FILES for one in cases_in(file)]
    assert told([compare(book_of(put_together(seasons)))]) == []
    days = ("2025-10-20", "2025-10-21", "2025-10-22", "2026-04-16")
    seasons = [changed(clean_season(), "cover_crop", 0, terminated_on=ended) for ended in days]
    assert told([compare(book_of(put_together(seasons)))]) == []


@pytest.mark.parametrize("farm", ["bluestem-farm", "basswood"])
def test_the_example_farms_are_judged_alike(farm: str) -> None:
    assert told([compare(load_book(EXAMPLES / farm))]) == []


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_random_and_damaged_seasons_are_judged_alike(seed: int) -> None:
    found = list(random_comparisons(seed, 150))
    assert told(found) == []
    assert sum(of.plain for of in found) > 80
