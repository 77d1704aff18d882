"""What the book has is named by the row that needs it: photographs by field and day, papers and tests."""

from datetime import date
from typing import Any

import pytest

from provender.formats.importing.match import READ, links_found, links_told
from provender.problem import Weight

COVER = {"farm_id": "F1", "cover_id": "C1", "unit_id": "N40", "seeded_on": date(2025, 10, 3),
         "terminated_on": date(2026, 4, 22), "established_photo": None}  # fmt: skip
PHOTO = {"farm_id": "F1", "evidence_id": "P1", "what": "photograph", "unit_id": "N40", "taken_on": date(2026, 4, 15)}
VALUES = {"ph": None, "organic_matter_pct": None, "nitrate_n_ppm": 6_200, "p_ppm": 24_000, "k_ppm": 168_000}
TYPED = {"farm_id": "F1", "soil_test_id": "N40-test", "unit_id": "N40", "sampled_on": date(2025, 10, 22),
         "evidence": None, **VALUES}  # fmt: skip
LAB = {**TYPED, "soil_test_id": "81001", "sampled_on": date(2025, 10, 24), "ph": 6_600, "evidence": "file-1"}
BUDGET = {"farm_id": "F1", "budget_id": "B1", "harvest_id": "H26", "made_on": date(2026, 2, 10), "basis": None,
          "soil_test_id": None}  # fmt: skip
HARVEST = {"farm_id": "F1", "harvest_id": "H26", "unit_id": "N40", "crop": "corn", "ending": "harvested",
           "first_day": date(2026, 10, 9), "last_day": date(2026, 10, 12)}  # fmt: skip
LAST = HARVEST | {"harvest_id": "H25", "unit_id": "S80", "first_day": date(2025, 10, 9), "last_day": None}
LOAD = {"farm_id": "F1", "ticket_id": "T1", "day": date(2026, 10, 10), "crop": "corn", "harvest_year": None,
        "unit_id": None}  # fmt: skip
Rows = list[dict[str, Any]]


def found(**rows: Rows) -> list[tuple[str, dict[str, object], bool]]:
    links = links_found({kind: rows.get(kind, []) for kind in READ})
    return [(one.kind, dict(one.values), one.is_judgement) for one in links]


@pytest.mark.parametrize(
    ("cover", "photo", "name"),
    [
        ({}, {}, "P1"), ({"terminated_on": None}, {}, "P1"),
        ({}, {"taken_on": date(2026, 4, 22)}, "P1"), ({}, {"taken_on": date(2026, 4, 23)}, None),
        ({}, {"taken_on": date(2025, 10, 3)}, None), ({}, {"taken_on": None}, None),
        ({}, {"unit_id": "S80"}, None), ({}, {"unit_id": None}, None), ({}, {"what": "map"}, None),
        ({}, {"farm_id": "F2"}, None), ({"established_photo": "P9"}, {}, None), ({"seeded_on": None}, {}, None),
        ({"unit_id": None}, {"unit_id": None}, None),
    ],
)  # fmt: skip
def test_a_photograph_of_the_cover_is_its_own(cover: dict[str, Any], photo: dict[str, Any], name: str | None) -> None:
    links = found(cover_crop=[COVER | cover], evidence=[PHOTO | photo])
    asked = "terminated_on" in cover  # a picture of the crop that followed may be taken for one of the cover
    assert links == ([("cover_crop", {"established_photo": name}, asked)] if name else [])


@pytest.mark.parametrize(
    ("lab", "is_same"),
    [
        ({}, True), ({"sampled_on": date(2025, 11, 12)}, True), ({"sampled_on": date(2025, 11, 13)}, False),
        ({"sampled_on": date(2025, 10, 20)}, False), ({"p_ppm": 24_001}, False), ({"unit_id": "S80"}, False),
        ({"p_ppm": None, "k_ppm": None}, False), ({"evidence": None}, False), ({"sampled_on": None}, False),
    ],
)  # fmt: skip
def test_a_typed_test_takes_the_laboratorys_paper_of_its_sample(lab: dict[str, Any], *, is_same: bool) -> None:
    assert found(soil_test=[TYPED, LAB | lab]) == ([("soil_test", {"evidence": "file-1"}, True)] if is_same else [])


def test_of_two_papers_that_fit_none_is_taken() -> None:
    assert found(soil_test=[TYPED, LAB, LAB | {"soil_test_id": "81009", "evidence": "file-2"}]) == []


@pytest.mark.parametrize(
    ("budget", "lab", "is_its"),
    [
        ({}, {}, True), ({"basis": "soil_test"}, {}, True), ({"basis": "expert_opinion"}, {}, False),
        ({"soil_test_id": "X"}, {}, False), ({"made_on": None}, {}, False),
        ({"made_on": date(2025, 10, 23)}, {}, False), ({"made_on": date(2027, 10, 24)}, {}, True),
        ({"made_on": date(2027, 10, 25)}, {}, False),
        ({}, {"unit_id": "S80"}, False), ({"harvest_id": "H24"}, {}, False),
    ],
)  # fmt: skip
def test_a_budget_without_basis_asks_for_the_test(budget: dict[str, Any], lab: dict[str, Any], *, is_its: bool) -> None:
    links = found(nutrient_budget=[BUDGET | budget], soil_test=[LAB | lab], harvest=[HARVEST])
    its = ("nutrient_budget", {"soil_test_id": "81001", "basis": "soil_test"}, True)
    assert links == ([its] if is_its else [])


@pytest.mark.parametrize(
    ("load", "year", "is_judgement"),
    [
        ({}, 2026, True), ({"unit_id": "N40"}, 2026, False), ({"unit_id": "S80"}, 2025, False),
        ({"day": date(2026, 9, 20)}, 2025, True), ({"day": date(2027, 8, 1)}, 2026, True),
        ({"day": date(2025, 8, 1)}, None, True), ({"day": None}, None, True), ({"crop": "soybeans"}, None, True),
        ({"harvest_year": 2024}, None, True), ({"farm_id": "F2"}, None, True),
    ],
)  # fmt: skip
def test_a_ticket_is_of_the_last_harvest_before(load: dict[str, Any], year: int | None, *, is_judgement: bool) -> None:
    links = found(scale_ticket=[LOAD | load], harvest=[HARVEST, LAST])
    assert links == ([("scale_ticket", {"harvest_year": year}, is_judgement)] if year else [])


@pytest.mark.parametrize("accept", [True, False])
def test_what_is_found_is_told_once_a_kind_and_a_judgement_is_asked(*, accept: bool) -> None:
    rows: dict[str, Rows] = {
            "cover_crop": [COVER], "evidence": [PHOTO], "soil_test": [TYPED, LAB], "nutrient_budget": [BUDGET] * 2,
            "harvest": [HARVEST], "scale_ticket": [],
    }  # fmt: skip
    told = list(links_told(links_found(rows), accept=accept))
    assert [(one.place.file, one.weight) for one in told] == [
        ("cover_crop.csv", Weight.NOTE), ("soil_test.csv", Weight.CONFIRM), ("nutrient_budget.csv", Weight.CONFIRM),
    ]  # fmt: skip
    assert ("--accept" in told[1].remedy) is not accept
    assert told[0].cause.endswith("established: P1 of 2026-04-15 for N40, seeded on 2025-10-03.")
