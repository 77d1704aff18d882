"""Both engines say the same of conformance cases, example farms, random and damaged seasons.

Transitional: it goes with ``practices``.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from provender.records.folder import load_book
from provender.standards.standard import REQUIREMENTS, Finding
from tests.conformance.test_parts import seasons_of_kit
from tests.standards import test_nutrient_mends as nutrient_mends
from tests.standards.season import book_of, clean_season
from tests.standards.seasons import put_together
from tests.standards.side_by_side import Difference, differences, random_differences

EXAMPLES = Path(__file__).parents[2] / "examples"


def _open(found: Iterator[Difference]) -> list[str]:
    """Return the differences that nobody has settled yet."""
    return [str(one) for one in found if not one.is_judged]


def test_the_conformance_cases_are_judged_alike() -> None:
    book = book_of(put_together(seasons_of_kit("thresholds")))
    assert _open(differences(book)) == []


def test_the_mended_answers_are_judged_alike() -> None:
    seasons = [case[1] for of in nutrient_mends.THEMES.values() for case in of]
    assert _open(differences(book_of(put_together(seasons)))) == []


@pytest.mark.parametrize("farm", ["bluestem-farm", "basswood"])
def test_the_example_farms_are_judged_alike(farm: str) -> None:
    assert _open(differences(load_book(EXAMPLES / farm))) == []


@pytest.mark.parametrize("seed", [1, 2])
def test_random_and_damaged_seasons_are_judged_alike(seed: int) -> None:
    assert _open(random_differences(seed, 100)) == []


@pytest.mark.parametrize("name", ["no_till_stir_within_limit", "records_tillage_dates"])
def test_a_requirement_that_says_nothing_is_not_shown_and_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def silence(*_: object) -> Iterator[Finding]:
        return iter(())

    monkeypatch.setitem(REQUIREMENTS, name, replace(REQUIREMENTS[name], look=silence))
    found = {one.name: one.detail for one in differences(book_of(clean_season())) if one.what == "verdict"}
    assert found[name] == "old met, new not shown"
