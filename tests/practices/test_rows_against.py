"""A requirement that is not met names the rows that keep it from being met, each by its key and its day."""

from datetime import date

import pytest

from provender.practices.assess import assess
from provender.practices.explain import IntervalVerdict
from provender.practices.requirement import REQUIREMENTS, Part
from provender.practices.rows_against import RowAgainst, rows_against
from provender.practices.verdict import Verdict
from tests.practices.season import Rows, book_of, changed, clean_season, with_row

PLOW, DISK = "Plow, moldboard", "Disk, tandem heavy primary op."


def passed(rows: Rows, day: str, operation: str, key: str = "X1") -> Rows:
    return with_row(rows, "operation", operation_id=key, unit_id="N40", day=day, operation=operation)


def spread(rows: Rows, day: str, **more: str) -> Rows:
    row = {**rows["nutrient_application"][0], "application_id": "X2", "day": day, **more}
    return with_row(rows, "nutrient_application", **row)


def against(rows: Rows) -> tuple[IntervalVerdict, dict[str, tuple[RowAgainst, ...]]]:
    judged = assess(book_of(rows))
    one = next(each for each in judged.intervals if each.harvest_id == "H25")
    return one, dict(rows_against(judged, one))


CASES = {
    "a plow over the living cover": (
        passed(clean_season(), "2025-04-10", PLOW),
        {
            "cover_crop_termination_method": ["X1"], "no_till_no_full_width_disturbance": ["X1"],
            "reduced_till_no_primary_inversion": ["X1"], "no_till_stir_within_limit": ["X1"],
        },
    ),
    "a disk over its residue": (
        passed(clean_season(), "2025-04-20", DISK),
        {"cover_crop_residue_stays": ["X1"], "no_till_no_full_width_disturbance": ["X1"]},
    ),
    "ended by tillage": (
        changed(clean_season(), "cover_crop", termination_method="tillage"),
        {"cover_crop_termination_method": ["C1"]},
    ),
    "seeded in summer": (
        changed(clean_season(), "cover_crop", seeded_on="2024-06-09"), {"cover_crop_seeded_in_fall": ["C1"]},
    ),
    "burned": (
        passed(changed(clean_season(), "declaration", residue_burned="yes"), "2025-03-03", "Burn residue"),
        {"no_till_residue_not_burned": ["X1", "H25"], "cover_crop_residue_not_burned": ["X1", "H25"]},
    ),
    "grazed": (
        changed(clean_season(), "declaration", cover_grazed="yes"), {"cover_crop_not_harvested_or_grazed": ["H25"]},
    ),
    "fed": (spread(clean_season(), "2025-03-20", intended_for="cover_crop"), {"cover_crop_not_fertilized": ["X2"]}),
    "in the fall": (
        spread(clean_season(), "2024-11-20"),
        {
            "no_fall_none_in_fall": ["X2"], "no_fall_first_n_at_planting": ["X2"],
            "nutrients_budget_before_application": ["X2", "B1"],
        },
    ),
    "without an inhibitor": (
        changed(clean_season(), "nutrient_application", 1, inhibitor="none", inhibitor_rate=""),
        {"inhibitor_with_all_synthetic_n": ["A2"]},
    ),
    "before emergence": (
        changed(
            changed(clean_season(), "nutrient_application", n_lb_per_ac="130"), "nutrient_application", 1,
            n_lb_per_ac="30",
        ),
        {"split_post_emergence_share": ["A1"]},
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_what_is_not_met_names_the_very_rows(case: str) -> None:
    rows, expected = CASES[case]
    one, found = against(rows)
    failed = {
        each.requirement for practice in one.practices for each in practice.findings if each.verdict is Verdict.NOT_MET
    }
    assert {name: [each.row for each in found.get(name, ())] for name in expected} == expected
    assert set(expected) <= failed
    assert set(found) == {name for name in failed if REQUIREMENTS[name].part is Part.IMPLEMENTATION}


def test_a_row_is_told_by_what_it_is_its_day_and_what_it_adds() -> None:
    _, found = against(passed(clean_season(), "2025-04-10", PLOW))
    (plow,) = found["cover_crop_termination_method"]
    assert (plow.kind, plow.day, plow.words) == ("operation", date(2025, 4, 10), f"{PLOW} (2025-04-10)")
    assert found["no_till_stir_within_limit"][0].words.startswith(f"{PLOW} STIR ")


def test_a_clean_season_has_nothing_against_it() -> None:
    assert against(clean_season())[1] == {}
