"""What a person reads beside a verdict: the rows against it, what is missing, amounts as one would say them."""

from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any, Final

import pytest

from provender.records.folder import load_book
from provender.report.verdict_tables import screens
from provender.rule.crops import Practice
from provender.standards.judge import IntervalJudged, RequirementJudged
from provender.standards.standard import Missing, Part, Verdict
from provender.verdicts import words
from provender.verdicts.assess import Assessment, assess
from tests.standards.season import Rows, book_of, cases, changed, clean_season, intervals, with_row, without

BLUESTEM: Final = Path(__file__).parents[2] / "examples" / "bluestem-farm"
PLOW, DISK = "Plow, moldboard", "Disk, tandem heavy primary op."


def corn(rows: Rows) -> IntervalJudged:
    return next(one for one in intervals(rows) if one.harvest_id == "H25")


def judged(rows: Rows, name: str) -> RequirementJudged:
    return corn(rows).requirements[name]


# What is missing.


@pytest.mark.parametrize("name", ["no_till_stir_within_limit", "reduced_till_stir_within_limit"])
def test_a_missing_declaration_alone_does_not_ask_for_a_log_of_the_machine(name: str) -> None:
    found = judged(without(clean_season(), "declaration"), name)
    assert found.verdict is Verdict.NOT_SHOWN
    assert [(one.kind, one.column) for one in found.missing] == [("declaration", "all_operations_listed")]


def test_a_clean_season_rests_on_rows_and_readings_on_two_sides_ask_for_a_log() -> None:
    rows = changed(clean_season(), "operation", 3, speed_mph="15", depth_in="6", surface_pct="60")
    assert {one.reason for one in judged(rows, "no_till_stir_within_limit").missing} == {"not_logged"}
    unlisted = changed(clean_season(), "operation", 3, operation="Home-made thing")
    assert "not_logged" not in {one.reason for one in judged(unlisted, "no_till_stir_within_limit").missing}
    clean = words.numbers(judged(clean_season(), "no_till_stir_within_limit"))
    assert (clean.limit, clean.gap) == ("at most 20", "")
    one = corn(passed(clean_season(), "2025-04-10", PLOW))
    over = words.numbers(one.requirements["no_till_stir_within_limit"])
    assert over.observed == words.amount(one.season.stir.recorded, "STIR")
    assert over.gap == f"{words.amount(one.season.stir.recorded - 200_000, 'STIR')} over"
    one = corn(clean_season())
    for each in one.requirements.values():
        assert (each.verdict, each.against, each.missing, words.remedy(one, each)) == (Verdict.MET, (), (), "")
        assert each.shown
        assert all(one.season.rows.row(found.kind, found.row) for found in each.shown)
    planted = one.requirements["records_nutrients_planting"].shown
    assert words.rows_in_words(one.season.rows, planted) == "Planting and emergence: P1 (2025-04-28)"
    legume = one.requirements["cover_crop_legume_budget"]
    assert words.moot(legume).startswith("No species of the mix is a legume")
    assert words.moot(one.requirements["cover_crop_suits_site"]) == ""


def test_gaps_are_named_by_the_headings_that_a_person_sees_and_a_lacking_cover_is_the_gap() -> None:
    rows = without(without(without(clean_season(), "cover_crop"), "cover_species"), "declaration")
    asked = [one for one in corn(rows)[Practice.cover_crop].requirements if one.requirement.part is Part.IMPLEMENTATION]
    assert {one.missing for one in asked} == {(Missing("cover_crop"),)}
    assert words.in_words(Missing("planting", "emerged_on")) == "Planting and emergence: Emergence seen on"
    assert words.in_words(Missing("cover_crop")) == "Cover crops (none is recorded)"
    why = words.in_words(Missing("operation", "day", "O1", "pass_without_day"))
    assert why == "Field operations: Date (a pass without a date may lie in any interval of the unit)"


# Numbers.


@pytest.mark.parametrize(
    ("day", "said"),
    [
        ("2025-03-28", "31 days from first synthetic N to planting"),
        ("2025-04-27", "1 day from first synthetic N to planting"),
        ("2025-04-28", "0 days from planting to first synthetic N"),
        ("2025-04-29", "1 day from planting to first synthetic N"),
    ],
)
def test_days_before_planting_are_said_without_a_sign(day: str, said: str) -> None:
    rows = changed(clean_season(), "nutrient_application", 0, day=day)
    assert words.numbers(judged(rows, "no_fall_first_n_at_planting")).observed == said


def test_one_pass_is_said_in_the_singular_and_nothing_not_held_against_nothing() -> None:
    rows = changed(clean_season(), "operation", 3, operation=PLOW)
    assert words.numbers(judged(rows, "reduced_till_no_primary_inversion")).observed == "1 inversion pass"
    short = judged(changed(clean_season(), "nutrient_application", 1, n_lb_per_ac="100"), "split_post_emergence_share")
    assert words.numbers(short) == (
        "100 lb N/ac after emergence, reductions included",
        "at least 120",
        "20 lb N/ac short",
    )
    bare = corn(without(clean_season(), "nutrient_application"))
    assert words.numbers(bare.requirements["no_fall_none_in_fall"]) == ("", "", "")
    found = judged(without(clean_season(), "nutrient_application"), "inhibitor_with_all_synthetic_n")
    assert words.numbers(found) == ("", "", "")


# What helps.


@pytest.mark.parametrize("name", ["inhibitor_recognised", "no_fall_none_in_fall", "split_post_emergence_share"])
def test_where_no_synthetic_nitrogen_went_on_that_is_told_as_the_reason(name: str) -> None:
    one = corn(without(clean_season(), "nutrient_application"))
    assert one.requirements[name].verdict is Verdict.NOT_MET
    assert "No synthetic nitrogen" in words.remedy(one, one.requirements[name])


@pytest.mark.parametrize(
    ("operation", "amounts", "begins"),
    [
        ("Disk, tandem light finishing", "", "Claim reduced till instead"),
        (PLOW, "", "Nothing for this crop"),
        (DISK, "10", "Check speed and depth"),
    ],
)
def test_reduced_till_is_advised_only_where_it_does_not_fail_as_well(operation: str, amounts: str, begins: str) -> None:
    rows, cells = clean_season(), {"operation": operation, "speed_mph": amounts, "depth_in": amounts}
    for at in (2, 3):
        rows = changed(rows, "operation", at, **cells, known_by="telematics")
    one = corn(rows)
    remedies = list(filter(None, (words.remedy(one, one.requirements[name]) for name in words.NO_TILL)))
    assert remedies
    assert all(remedy.startswith(begins) for remedy in remedies)


# The rows against a requirement, and those that it rests on.


def passed(rows: Rows, day: str, operation: str) -> Rows:
    return with_row(rows, "operation", operation_id="X1", unit_id="N40", day=day, operation=operation)


@pytest.mark.parametrize(("rows", "case"), cases("not_met.jsonl"))
def test_what_is_not_met_names_the_very_rows_and_says_why(rows: Rows, case: dict[str, Any]) -> None:
    one = corn(rows)
    for name, expected in case["against"].items():
        found = one.requirements[name]
        assert [each.row for each in found.against] == expected
        assert (found.missing, found.shown) == ((), ())
        assert all(words.sentence(each).endswith(".") for each in found.against)


def test_a_row_is_told_by_what_it_is_and_a_requirement_is_one_document_of_texts() -> None:
    one = corn(passed(clean_season(), "2025-04-10", PLOW))
    rows, found = one.season.rows, one.requirements
    plow = words.named_row(rows, found["cover_crop_termination_method"].against[0])
    assert (plow.kind, plow.day, str(plow)) == ("operation", date(2025, 4, 10), f"{PLOW} (2025-04-10)")
    assert str(words.named_row(rows, found["no_till_stir_within_limit"].against[0])).startswith(f"{PLOW} STIR ")
    found = words.requirement_json(one, one.requirements["no_till_stir_within_limit"])
    (plow,) = found["against"]
    assert (plow["kind"], plow["row"], plow["words"]) == ("operation", "X1", f"{PLOW} STIR 65 (2025-04-10)")
    assert (plow["limit"], plow["says"]) == ("20 STIR", words.REASONS["stir_over_limit"])
    late = corn(changed(clean_season(), "operation", 1, day=""))
    (blank,) = words.requirement_json(late, late.requirements["records_tillage_dates"])["missing"]
    assert (blank["row"], blank["label"], blank["column_label"]) == ("O2", "Field operations", "Date")


# A year in numbers, and the records that most verdicts wait for.


@pytest.fixture(scope="module")
def farm() -> Assessment:
    return assess(load_book(BLUESTEM))


def test_years_stand_in_their_order_in_numbers_that_add_up_to_what_was_judged(farm: Assessment) -> None:
    (year,) = words.summaries(farm.intervals)
    practices = [each for one in farm.intervals for each in one.practices if each.claimable]
    whole = sum(each.implementation is Verdict.MET and each.records is Verdict.MET for each in practices)
    assert year.open + year.unshown + year.unmet + whole == len(practices)
    assert (year.crops, year.ready) == (len(farm.intervals), sum(map(words.is_ready, farm.intervals)))
    assert str(year).startswith("2025: 11 of 12 crops have a practice met with its records; 1 practice met with")
    earlier = [replace(one, harvest_year=2024) for one in farm.intervals[:3]]
    found = words.summaries([*farm.intervals, *earlier])
    assert [(year.year, year.crops) for year in found] == [(2024, 3), (2025, 12)]
    assert words.summaries([]) == ()


def test_the_matrix_of_a_crop_has_the_practices_that_it_may_claim_and_no_other(farm: Assessment) -> None:
    found = {table.name: [column.label for column in table.columns[1:]] for table in screens(farm.intervals)}
    may = {f"{one.crop.label} {one.harvest_year}": [each.practice.label for each in one.practices if each.claimable]
           for one in farm.intervals}  # fmt: skip
    assert found == may
    assert min(map(len, may.values())) < len(Practice) == max(map(len, may.values()))


def test_the_record_that_most_verdicts_wait_for_comes_first(farm: Assessment) -> None:
    things = words.to_do(farm.intervals)
    counts = [len(thing.settles) for thing in things]
    assert counts == sorted(counts, reverse=True)
    assert things[0].kind == "cover_crop"
    broken = {
        (one.unit_id, each.practice.label)
        for one in farm.intervals for each in one.practices if each.implementation is Verdict.NOT_MET
    }  # fmt: skip
    assert broken
    assert not broken & {settled for thing in things for settled in thing.settles}


def test_a_practice_met_with_records_open_waits_for_them_and_a_clean_book_for_nothing(farm: Assessment) -> None:
    (photo,) = [thing for thing in words.to_do(farm.intervals) if thing.column == "established_photo"]
    assert photo.units == ("K45",)
    assert words.to_do(intervals(without(clean_season(), "declaration")))
    assert not words.to_do(intervals(clean_season()))


def test_what_a_farm_did_not_tick_is_neither_missing_nor_wrong() -> None:
    rows = clean_season()
    for row in rows["harvest"]:
        row["claims"] = "none"
    for kind in ("operation", "nutrient_application", "cover_crop", "cover_species"):
        rows.pop(kind)
    ticked = assess(book_of(rows)).intervals
    plain = assess(book_of({**rows, "harvest": [{**row, "claims": ""} for row in rows["harvest"]]})).intervals
    assert words.to_do(plain)
    assert not words.to_do(ticked)
    assert all(map(words.is_settled, ticked))
    assert not any(map(words.is_settled, plain))
    (year,) = words.summaries(ticked)
    assert (year.unshown, year.unmet) == (0, 0)
    assert str(year).endswith(": No practice is claimed.")
