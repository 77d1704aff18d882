"""Neighbors of wrong answers that were mended: control, days, acres and blanks, each at its border and beside it."""

from typing import Final

import pytest

from provender.standards.standard import Against, Missing
from tests.standards.season import Rows, changed, clean_season, evidence, intervals, verdict_of, with_row, without

CLEAN: Final = clean_season()
MET, NOT_MET, NOT_SHOWN = True, False, None
Case = tuple[str, Rows, str, bool | None, str]
"""What it is, the rows, a requirement or practice, its answer, and a code that is among its findings."""


def held(*times: dict[str, str], **producers: str) -> Rows:
    """Return the season with times of control; a producer has it on the farm unless ``producers`` says no."""
    rows = CLEAN
    for name in {one.get("producer_id", "P1") for one in times}:
        rows = with_row(rows, "producer", producer_id=name, name=name, operational_control=producers.get(name, "yes"))
    for at, one in enumerate(times):
        rows = with_row(rows, "control", **{"control_id": f"K{at}", "unit_id": "N40", "producer_id": "P1"} | one)
    return rows


def papered(day: str) -> Rows:
    """Return a gap in control from 1 December to 28 February, with a statement of a day on it."""
    later = {"since": "2025-03-01", "evidence": "E70"}
    rows = held({"since": "2019-03-01", "until": "2024-11-30"}, later)
    return with_row(rows, "evidence", **evidence("E70", "between.pdf", "form", day))


def same(*changes: tuple[str, int, dict[str, str]], rows: Rows = CLEAN) -> Rows:
    for kind, at, cells in changes:
        rows = changed(rows, kind, at, **cells)
    return rows


def manure(operation: str = "Manure spreader, solid and semi-solid", **cells: str) -> Rows:
    """Return the season with manure that the budget knows, its pass, and the producer's yes."""
    row = {"application_id": "A9", "unit_id": "N40", "harvest_id": "H25", "intended_for": "cash_crop",
           "day": "2025-04-20", "product": "Dairy manure", "method": "broadcast", "n_lb_per_ac": "5",
           "p2o5_lb_per_ac": "0", "k2o_lb_per_ac": "0", "synthetic_n": "no"}  # fmt: skip
    rows = with_row(said(), "nutrient_application", **row | cells)
    return with_row(rows, "operation", operation_id="O9", unit_id="N40", day="2025-04-20", operation=operation)


def said(answer: str = "yes") -> Rows:
    return same(("declaration", 0, {"manure_applied": answer}),
                ("budget_source", 2, {"present": "yes", "n_lb_per_ac": "5"}))  # fmt: skip


def second_cover(mix: str = "", **cells: str) -> Rows:
    """Return the farm with another cover on another unit, its seed bought with the first."""
    rows = with_row(CLEAN, "unit", unit_id="S80", acres="80", county_fips="20177")
    cover = {"cover_id": "C2", "unit_id": "S80", "harvest_id": "S25", "seeded_on": "2024-10-10", "seeded_acres": "20"}
    rows = with_row(rows, "cover_crop", **cover | cells)
    rows = with_row(rows, "harvest", harvest_id="S25", unit_id="S80", crop="corn", ending="not_yet")
    rows = changed(rows, "seed_purchase", pounds="3600")
    row = {"cover_id": "C2", "species": "Cereal Rye, Winter", "rate_lb_per_ac": mix}
    return with_row(rows, "cover_species", **row) if mix else rows


def budget(**cells: str) -> Rows:
    """Return the season with a second budget, its sources answered as those of the first."""
    rows = with_row(CLEAN, "nutrient_budget", **CLEAN["nutrient_budget"][0] | {"budget_id": "B2"} | cells)
    for row in CLEAN["budget_source"]:
        rows = with_row(rows, "budget_source", **row | {"budget_id": "B2"})
    return rows


def twice(**cells: str) -> Rows:
    """Return the season whose harvest has two entries, each with a declaration of the same day."""
    rows = with_row(CLEAN, "harvest", harvest_id="H25b", unit_id="N40", crop="corn", ending="harvested",
                    first_day="2025-10-21", bushels="10")  # fmt: skip
    return with_row(rows, "declaration", **CLEAN["declaration"][0] | {"harvest_id": "H25b"} | cells)


def emerged(day: str) -> Rows:
    """Return the season whose last nitrogen went on on a day; emergence was seen on 8 May."""
    return same(("nutrient_application", 1, {"day": day}), ("operation", 3, {"day": day}))


def ended_between(crop: str, **cells: str) -> Rows:
    """Return the season without its cover, with another crop that was harvested in April."""
    rows = without(without(CLEAN, "cover_crop"), "cover_species")
    rows = with_row(rows, "harvest", harvest_id="H25w", unit_id="N40", crop=crop, ending="harvested",
                    first_day="2025-04-15", bushels="100", **cells)  # fmt: skip
    return with_row(rows, "evidence", **evidence("E71", "beets.pdf", "ticket", "2025-04-15"))


SINCE: Final = {"since": "2019-03-01"}
TILL, N, COVER = "no_till_stir_within_limit", "nutrients_records_agree", "cover_crop"
ENDED, GAP = "control_ended", "control_not_shown"
THEMES: Final[dict[str, tuple[Case, ...]]] = {
    "control": (
        ("all the time", held(SINCE), TILL, MET, ""),
        ("to the first day of harvest", held(SINCE | {"until": "2025-10-20"}), TILL, MET, ""),
        ("to the day before", held(SINCE | {"until": "2025-10-19"}), TILL, NOT_SHOWN, ENDED),
        ("over before the season", held(SINCE | {"until": "2024-09-01"}), TILL, NOT_SHOWN, ENDED),
        ("ended before it began", held(SINCE | {"until": "2018-01-01"}), TILL, NOT_SHOWN, "control_out_of_order"),
        ("ended on the day on which it began", held({"since": "2025-10-20", "until": "2025-10-20"}), TILL, NOT_SHOWN,
         GAP),
        ("one after the other", held(SINCE | {"until": "2024-11-30"}, {"since": "2024-12-01"}), TILL, MET, ""),
        ("a day between them", held(SINCE | {"until": "2024-11-30"}, {"since": "2024-12-02"}), TILL, NOT_SHOWN, GAP),
        ("two that overlap", held(SINCE | {"until": "2025-03-01"}, {"since": "2025-02-01"}), TILL, MET, ""),
        ("a gap with a statement of a month before", papered("2025-01-29"), TILL, MET, ""),
        ("a gap with a statement of a day earlier", papered("2025-01-28"), TILL, NOT_SHOWN, GAP),
        ("a gap with a statement of before it", papered("2024-11-30"), TILL, NOT_SHOWN, GAP),
        ("somebody else on the first day", held(SINCE, {"since": "2015-01-01", "until": "2024-10-02",
                                                        "producer_id": "P2"}, P2="no"), TILL, NOT_SHOWN,
         "control_held_twice"),
        ("somebody else to the day before", held(SINCE, {"since": "2015-01-01", "until": "2024-10-01",
                                                         "producer_id": "P2"}, P2="no"), TILL, MET, ""),
        ("the owner of rented land", held(SINCE, {"since": "2015-01-01", "basis": "owner", "producer_id": "P2"},
                                          P2="no"), TILL, MET, ""),
        ("nitrogen rests on it too", held(SINCE | {"until": "2025-10-19"}), "inhibitor_with_all_synthetic_n",
         NOT_SHOWN, ENDED),
    ),
    "declarations": (
        ("two of one day that agree", twice(), TILL, MET, ""),
        ("two of one day that differ", twice(all_operations_listed="no"), TILL, NOT_SHOWN, "not_declared"),
        ("one of them blank", twice(all_operations_listed=""), TILL, MET, ""),
        ("a later one", twice(all_operations_listed="no", made_on="2025-11-02"), TILL, NOT_SHOWN, "not_declared"),
        ("an earlier one", twice(all_operations_listed="no", made_on="2025-10-29"), TILL, MET, ""),
    ),
    "budgets": (
        ("the same again", budget(), "nutrients_budget_before_application", MET, ""),
        ("another of that day", budget(planned_n_lb_per_ac="120"), "nutrients_budget_before_application", NOT_SHOWN,
         "budgets_of_one_day"),
        ("another of the next day", budget(planned_n_lb_per_ac="120", made_on="2025-03-02"),
         "nutrients_budget_before_application", MET, ""),
    ),
    "manure": (
        ("said and listed", manure(), "no_fall_none_in_fall", MET, ""),
        ("said, and listed under the farm's own name", manure(product="Hog pit"), "no_fall_none_in_fall", MET, ""),
        ("said and not listed", said(), "no_fall_none_in_fall", NOT_SHOWN, "manure_not_listed"),
        ("said, and no pass that can have spread it", said(), TILL, NOT_SHOWN, "manure_not_listed"),
        ("said, and a pass that did", without(manure(), "nutrient_application", 2), TILL, MET, ""),
        ("denied and listed", changed(manure(), "declaration", manure_applied="no"), "nutrients_budget_all_sources",
         NOT_MET, "manure_not_declared"),
        ("of unknown nitrogen", manure(n_lb_per_ac=""), N, NOT_SHOWN, ""),
        ("of unknown phosphate", manure(p2o5_lb_per_ac=""), N, NOT_SHOWN, ""),
        ("of known", manure(), N, MET, ""),
    ),
    "declared passes": (
        ("a cover that was harvested, and nothing cut it", changed(CLEAN, "declaration", cover_harvested="yes"), TILL,
         NOT_SHOWN, "cut_without_pass"),
        ("and the baler", with_row(changed(CLEAN, "declaration", cover_harvested="yes"), "operation", operation="Baler",
                                   operation_id="O9", unit_id="N40", day="2025-04-27"), TILL, MET, ""),
        ("and the baler at planting", with_row(
            changed(CLEAN, "declaration", cover_harvested="yes"), "operation", operation="Baler", operation_id="O9",
            unit_id="N40", day="2025-04-28"), TILL, NOT_SHOWN, "cut_without_pass"),
    ),
    "acres": (
        ("a pass on the unit's", changed(CLEAN, "operation", 2, treated_acres="41.2"), TILL, MET, ""),
        ("a pass on more", changed(CLEAN, "operation", 2, treated_acres="41.201"), TILL, NOT_SHOWN,
         "more_acres_than_unit"),
        ("a pass on fewer", changed(CLEAN, "operation", 2, treated_acres="1"), TILL, MET, ""),
        ("planted on the unit's", changed(CLEAN, "planting", acres="41.2"), TILL, MET, ""),
        ("planted on more", changed(CLEAN, "planting", acres="41.201"), TILL, NOT_SHOWN, "more_acres_than_unit"),
        ("treated none", changed(CLEAN, "nutrient_application", treated_acres="0"), N, NOT_SHOWN, "no_acres_treated"),
        ("treated some", changed(CLEAN, "nutrient_application", treated_acres="0.001"), N, MET, ""),
    ),
    "seed": (
        ("of another unit's cover", second_cover("60"), "records_cover_seed", MET, ""),
        ("of a cover of no species", second_cover(), "records_cover_seed", NOT_SHOWN, "use_not_known"),
        ("at no rate", second_cover("0"), "records_cover_seed", NOT_SHOWN, "use_not_known"),
        ("on no acres", second_cover("60", seeded_acres="0"), "records_cover_seed", NOT_SHOWN, "use_not_known"),
        ("of a later season", second_cover("0", seeded_on="2025-10-22"), "records_cover_seed", MET, ""),
        ("too little", changed(second_cover("60"), "seed_purchase", pounds="3599.999"), "records_cover_seed",
         NOT_SHOWN, "too_little_by_then"),
    ),
    "a list of passes that nobody calls whole": tuple(
        ("", changed(CLEAN, "declaration", all_operations_listed=""), name, NOT_SHOWN, "not_declared")
        for name in ("cover_crop_termination_method", "cover_crop_not_harvested_or_grazed", "cover_crop_residue_stays")
    ),
    "cover and crop": (
        ("named for the crop before", changed(CLEAN, "cover_crop", harvest_id="H24"), TILL, NOT_SHOWN,
         "cover_after_end"),
        ("ended on the last day of its crop", same(
            ("cover_crop", 0, {"terminated_on": "2025-10-21"}), ("operation", 1, {"day": "2025-10-21"})), TILL, MET,
         ""),
        ("ended a day later", same(
            ("cover_crop", 0, {"terminated_on": "2025-10-22"}), ("operation", 1, {"day": "2025-10-22"})), TILL,
         NOT_SHOWN, "cover_after_end"),
        ("nitrogen for a cover that is not on record", changed(
            changed(without(CLEAN, "cover_crop"), "nutrient_application", 1, intended_for="cover_crop"),
            "nutrient_budget", planned_n_lb_per_ac="100", synthetic_n_need_lb_per_ac="160"), N, NOT_SHOWN,
         "far_over_plan"),
        ("planted by what sows from above", changed(CLEAN, "operation", 2, operation="Aerial seeding"), TILL,
         NOT_SHOWN, "planting_without_pass"),
    ),
    "the crop before": (
        ("a crop of the list", ended_between("sunflowers"), TILL, MET, ""),
        ("other", ended_between("other"), TILL, NOT_SHOWN, "crop_before_not_named"),
        ("other, with a paper on it", ended_between("other", evidence="E71"), TILL, MET, ""),
        ("other, with a name that names nothing", ended_between("other", evidence="E72"), TILL, NOT_SHOWN,
         "crop_before_not_named"),
    ),
    "split": (
        ("the last on the day of emergence", emerged("2025-05-08"), "split_post_emergence_share", NOT_SHOWN,
         "emergence_not_known"),
        ("the day after", emerged("2025-05-09"), "split_post_emergence_share", MET, ""),
        ("the day before", emerged("2025-05-07"), "split_post_emergence_share", NOT_MET,
         "too_little_after_emergence"),
        ("two before planting only", same(
            ("nutrient_application", 0, {"day": "2025-04-10"}), ("nutrient_application", 1, {"day": "2025-04-20"})),
         "split_post_emergence_share", NOT_MET, "too_little_after_emergence"),
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    ("rows", "name", "expected", "code"),
    [pytest.param(*case[1:], id=f"{theme}: {case[0]}: {case[2]}") for theme, of in THEMES.items() for case in of],
)
def test_each_case_has_its_answer(rows: Rows, name: str, expected: bool | None, code: str) -> None:
    assert verdict_of(rows, name) is expected
    if code:
        (one,) = (each for each in intervals(rows) if each.harvest_id == "H25")
        findings = one.requirements[name].findings
        assert code in {each.reason for each in findings if isinstance(each, Missing | Against)}


def test_the_share_that_is_asked_is_rounded_up() -> None:
    """Three quarters of 160.001 lb are 120.00075: at 120.000 it would look reached and is not."""
    rows = same(("nutrient_budget", 0, {"synthetic_n_need_lb_per_ac": "160.001"}),
                ("nutrient_application", 1, {"n_lb_per_ac": "120"}))  # fmt: skip
    (one,) = intervals(rows)
    (against, *_) = one.requirements["split_post_emergence_share"].against
    assert (against.observed, against.limit) == (120_000, 120_001)
