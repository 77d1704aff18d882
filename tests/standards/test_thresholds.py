"""What is told beside the thresholds of subpart F; at, under, over and missing: ``conformance/verdicts``."""

from dataclasses import replace
from datetime import date
from pathlib import Path
from time import process_time
from typing import Any

import pytest

from provender.catalog.places import is_placed_in_words
from provender.problem import Problem
from provender.records.book import RecordBook
from provender.records.folder import load_book
from provender.records.kind import KINDS
from provender.rule.crops import Practice
from provender.standards.nutrients import inhibitor_with_all_synthetic_n
from provender.standards.standard import Verdict, verdict
from provender.verdicts.assess import assess
from tests.standards import season


@pytest.mark.parametrize(("pounds", "told"), [("40", False), ("40.001", True), ("39.999", False), ("", False)])
def test_more_than_a_quarter_of_the_need_before_emergence_is_told_and_not_judged(pounds: str, *, told: bool) -> None:
    rows = season.changed(season.clean_season(), "nutrient_application", 0, n_lb_per_ac=pounds)
    assert ("n_early_share" in {one.code for one in assess(season.book_of(rows)).problems}) is told
    assert season.verdict_of(rows, "split_post_emergence_share") is (True if pounds else None)


@pytest.mark.parametrize("need", ["", "0"])
def test_without_a_need_there_is_no_share(need: str) -> None:
    rows = season.changed(season.clean_season(), "nutrient_budget", synthetic_n_need_lb_per_ac=need)
    assert season.verdict_of(rows, "split_post_emergence_share") is None
    assert season.verdict_of(rows, "split_in_season") is not True


@pytest.mark.parametrize(
    ("pct", "pounds", "answer"),
    [(100_000, "30", False), (81_250, "30", True), (81_251, "30", False), (81_249, "30", True), (81_250, "", None)],
)
def test_a_part_of_the_nitrogen_is_held_against_pounds(pct: int, pounds: str, *, answer: bool | None) -> None:
    """30 lb go on without an inhibitor and 130 with one, which is 81.25 % of 160."""
    rows = season.changed(
        season.clean_season(), "nutrient_application", 0, n_lb_per_ac=pounds, inhibitor="none", inhibitor_rate=""
    )
    (judged,) = season.intervals(rows)
    judged.season.law = replace(judged.rule, inhibitor_pct_required=pct)
    assert season.ANSWERS[verdict(inhibitor_with_all_synthetic_n(judged.season))] is answer


# A cover that was seeded after the crop it names was harvested is told.


def told(rows: season.Rows) -> list[str]:
    return [one.cause for one in assess(season.book_of(rows)).problems if one.code == "cover_after_crop"]


@pytest.mark.parametrize(
    ("seeded", "last", "says"),
    [
        ("2025-10-20", "2025-10-21", False), ("2025-10-21", "2025-10-21", False), ("2025-10-22", "2025-10-21", True),
        ("", "2025-10-21", False), ("2025-10-22", "", False),
    ],
)  # fmt: skip
def test_a_cover_seeded_after_the_harvest_of_its_crop_is_told(seeded: str, last: str, says: bool) -> None:
    rows = season.clean_season()
    rows["harvest"][1]["last_day"] = last
    rows["cover_crop"].append({**rows["cover_crop"][0], "cover_id": "C2", "seeded_on": seeded, "terminated_on": ""})
    assert [("C2" in one, "H25" in one) for one in told(rows)] == [(True, True)] * says


def test_a_clean_season_is_told_nothing_and_a_depth_counts_with_evidence_or_names_its_row() -> None:
    assert told(season.clean_season()) == []
    missing, (problem,) = depth_judged(depth_in="0.1", known_by="typed_in_season", evidence="")
    assert set(missing) == {"below_published_least"}
    assert problem.place.column == "depth_in"
    assert problem.place.row
    assert "0.1 in is shallower than" in problem.cause
    missing, problems = depth_judged(depth_in="0")
    assert set(missing) == {""}
    assert problems == []
    assert depth_judged(depth_in="0.1", evidence="E1")[1] == []


def test_the_crop_to_come_can_be_named_and_takes_nothing_from_the_one_before() -> None:
    coming = {"harvest_id": "H26", "unit_id": "N40", "crop": "soybeans", "ending": "not_yet"}
    rows = season.with_row(season.clean_season(), "harvest", **coming)
    late = rows["cover_crop"][0] | {
        "cover_id": "C9",
        "harvest_id": "H26",
        "seeded_on": "2025-10-22",
        "terminated_on": "",
    }
    rows = season.with_row(rows, "cover_crop", **late)
    assert told(rows) == []
    assert season.verdicts(rows) == season.verdicts(season.clean_season())


# A typed depth below the published least is named for what it is, with its row.


def depth_judged(**cells: str) -> tuple[list[str], list[Problem]]:
    rows = season.clean_season()
    first = next(row for row in rows["operation"] if row["depth_in"])
    first |= cells
    found = assess(season.book_of(rows))
    missing = [
        lack.reason
        for one in found.intervals
        for requirement in one.requirements.values()
        for lack in requirement.missing
        if lack.column == "depth_in"
    ]
    return missing, [problem for problem in found.problems if problem.code == "shallow_pass"]


# Seed sown after a harvest is no seed of the cover before it: short or without a rate, it moves no verdict there.


EXAMPLE = Path(__file__).parents[2] / "examples" / "bluestem-farm"


def records_of(seeded: date | None, rate: int | None) -> Verdict:
    """Return how the records of N40's cover stand once rye was sown on another field; N40 was cut on September 26."""
    book = load_book(EXAMPLE)
    rows: dict[str, dict[str, Any]] = {
        "cover_crop": {"cover_id": "RYE", "unit_id": "B50", "harvest_id": "B50-2025", "seeded_on": seeded,
                       "seeded_acres": 50_000},
        "cover_species": {"cover_id": "RYE", "species": "Cereal Rye, Winter", "rate_lb_per_ac": rate},
    }  # fmt: skip
    more = {name: [*book[name], KINDS[name].row_of({"farm_id": "BLUESTEM", **row})] for name, row in rows.items()}
    judged = assess(RecordBook.of({**book.records, **more}, folder=book.folder, files=book.files))
    return next(one for one in judged.intervals if one.harvest_id == "N40-2025")[Practice.cover_crop].records


@pytest.mark.parametrize("rate", [900_000, None])
@pytest.mark.parametrize(
    ("seeded", "found"),
    [
        (date(2024, 10, 1), Verdict.NOT_SHOWN),
        (date(2025, 9, 26), Verdict.NOT_SHOWN),
        (date(2025, 9, 27), Verdict.MET),
        (date(2026, 10, 20), Verdict.MET),
        (None, Verdict.NOT_SHOWN),
    ],
)
def test_what_is_sown_after_harvest_is_not_missing(seeded: date | None, rate: int | None, found: Verdict) -> None:
    assert records_of(seeded, rate) is found


# How long it takes to ask whether a unit's row places it in words.


def test_a_long_description_is_read_in_no_time() -> None:
    before = process_time()
    assert not is_placed_in_words("", "nw " * 300 + "1" * 1100)
    assert process_time() - before < 1
