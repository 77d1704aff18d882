"""The number of farms in a sample is told in parts that add up, each with its reason and its paragraph."""

from typing import Any

import pytest

from provender.audit.sampling.sample import Failure
from provender.services.audits.sample import CHOICE, SIZE, on_top_said, sample_parts
from tests.audit.farms import mixed
from tests.audit.sampling.test_draw import DAY, drawn, through_json


def adds_up(document: dict[str, Any]) -> list[tuple[int, str, str]]:
    parts = sample_parts(document)
    every = [farm for part in parts for farm in part.farms]
    assert sorted(every) == document["sample"], "each farm of the sample stands in one part"
    return [(len(part.farms), part.why, part.cite) for part in parts]


ON_TOP = (
    "On top, for Jackson County, Kansas: at least 1/8 of all bushels are from there, and none of the 8 farms drawn by "
    "lot is. The first such farm in line joins them, and nobody gives up a place."
)


def test_a_ninth_farm_is_told_with_the_county_it_stands_for() -> None:
    corn, soybeans = [f"farm-1{number}" for number in range(6)], ["farm-06", "farm-48"]
    document: dict[str, Any] = {
        "farms": 51, "minimum": 8, "size_asked": None, "added": {}, "extensions": [],
        "strata": [{"name": "crop corn", "sample": corn}, {"name": "crop soybeans", "sample": soybeans}],
        "on_top": {"farm-46": "county 20085"}, "sample": sorted([*corn, *soybeans, "farm-46"]),
    }  # fmt: skip
    lot = "Drawn by lot: the square root of 51 farms, rounded up, is 8. They are 6 in crop corn, 2 in crop soybeans."
    assert adds_up(document) == [(8, lot, SIZE), (1, ON_TOP, CHOICE)]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("size", [None, 12])
def test_the_parts_of_any_sample_add_up(seed: int, size: int | None) -> None:
    population = mixed(51, seed)
    first = drawn(population, size=size).farm_ids[0]
    failure = Failure(first, "Finding 1", "V. Moss", DAY, 2)
    added = {farm.farm_id: "a tip" for farm in population.farms[:2]}
    document = through_json(drawn(population, size=size, added=added), failures=[failure])
    told = adds_up(document)
    assert {cite for _, _, cite in told} <= {SIZE, CHOICE}
    assert ("asked for 12" in told[0][1]) == (size == 12)
    words = " ".join(why for _, why, _ in told)
    assert f"Joined after {first} failed: Finding 1" in words
    on_top = document["on_top"]
    assert all(f"On top, for {on_top_said(trait)}" in words for trait in on_top.values())


@pytest.mark.parametrize(
    ("trait", "said"),
    [
        ("crop sorghum", "sorghum"),
        ("risk high", "high risk"),
        ("state 20", "KS"),
        ("county 20085", "Jackson County, Kansas"),
        ("county 99999", "99999"),
    ],
)
def test_for_what_a_farm_on_top_stands(trait: str, said: str) -> None:
    assert on_top_said(trait) == said
