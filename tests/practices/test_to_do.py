"""What verdicts amount to: a year in numbers, and the records that most of them wait for."""

from pathlib import Path
from typing import Final

import pytest

from provender.practices.assess import Assessment, assess
from provender.practices.to_do import in_words, ready, settled, summaries, to_do
from provender.practices.verdict import Verdict
from provender.records.folder import load_book
from tests.practices.season import book_of, clean_season

BLUESTEM: Final = Path(__file__).parents[2] / "examples" / "bluestem-farm"


@pytest.fixture(scope="module")
def judged() -> Assessment:
    return assess(load_book(BLUESTEM))


def test_a_year_is_told_in_numbers_that_add_up_to_what_was_judged(judged: Assessment) -> None:
    (year,) = summaries(judged.intervals)
    practices = [each for one in judged.intervals for each in one.practices if each.claimable]
    whole = sum(each.implementation is Verdict.MET and each.records is Verdict.MET for each in practices)
    assert year.open + year.unshown + year.unmet + whole == len(practices)
    assert (year.crops, year.ready) == (len(judged.intervals), sum(map(ready, judged.intervals)))
    assert str(year).startswith("2025: 11 of 12 crops have a practice met with its records; 1 practice met with")


def test_years_stand_in_their_order_each_with_its_own_crops(judged: Assessment) -> None:
    from dataclasses import replace

    earlier = [replace(one, harvest_year=2024) for one in judged.intervals[:3]]
    found = summaries([*judged.intervals, *earlier])
    assert [(year.year, year.crops) for year in found] == [(2024, 3), (2025, 12)]
    assert summaries([]) == ()


def test_the_record_that_most_verdicts_wait_for_comes_first_and_what_is_not_met_waits_for_none(
    judged: Assessment,
) -> None:
    things = to_do(judged.intervals)
    counts = [len(thing.settles) for thing in things]
    assert counts == sorted(counts, reverse=True)
    assert things[0].record.startswith("cover_crop ")
    broken = {
        (one.unit_id, each.practice.label)
        for one in judged.intervals for each in one.practices if each.implementation is Verdict.NOT_MET
    }  # fmt: skip
    assert broken
    assert not broken & {settled for thing in things for settled in thing.settles}


def test_a_practice_met_with_records_open_waits_for_them(judged: Assessment) -> None:
    (photo,) = [thing for thing in to_do(judged.intervals) if thing.record.startswith("cover_crop.established_photo")]
    assert photo.units == ("K45",)


def test_a_clean_book_has_nothing_to_do() -> None:
    book = book_of({**clean_season(), "declaration": []})
    assert to_do(assess(book).intervals)
    assert not any(thing.record.startswith("declaration") for thing in to_do(assess(book_of(clean_season())).intervals))


def test_a_missing_record_is_named_by_the_headings_that_a_person_sees() -> None:
    assert in_words("planting.emerged_on") == "Planting and emergence: Emergence seen on"
    assert in_words("cover_crop (no cover crop is recorded)") == "Cover crops (no cover crop is recorded)"
    both = in_words("soil_test.sampled_on or expert_opinion.employer and given_on")
    assert both.startswith("Soil tests: Sampled on or ")
    assert "_" not in both


def test_what_a_farm_did_not_tick_is_neither_missing_nor_wrong() -> None:
    rows = clean_season()
    for row in rows["harvest"]:
        row["claims"] = "none"
    for kind in ("operation", "nutrient_application", "cover_crop", "cover_species", "calculator_run"):
        rows.pop(kind, None)
    judged = assess(book_of(rows))
    plain = assess(book_of({**rows, "harvest": [{**row, "claims": ""} for row in rows["harvest"]]}))
    assert judged.intervals
    assert to_do(plain.intervals)
    assert not to_do(judged.intervals)
    assert all(map(settled, judged.intervals))
    assert not any(map(settled, plain.intervals))
    (year,) = summaries(judged.intervals)
    assert (year.unshown, year.unmet) == (0, 0)
    assert str(year).endswith(": No practice is claimed.")
