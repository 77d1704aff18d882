"""Everyday names in an import: taken, asked once and remembered, or told; what was typed stays beside."""

import dataclasses
from pathlib import Path

import pytest

from provender.records.folder import load_book
from tests.formats.test_everyday_tables import book, brought
from tests.formats.test_intake import CHOICES, codes

assert book  # a fixture
PASSES = "operation_id,unit_id,day,operation\nO{0},HOME80,2026-05-0{0},{1}\n"


def names(book: Path) -> list[tuple[str, str | None]]:
    return load_book(book)["operation"].select("operation", "as_typed").rows()


def test_a_clear_name_is_taken_and_stands_beside_what_it_was_taken_for(book: Path) -> None:
    plan = brought(book, "operation.csv", PASSES.format(1, "Spring burndown"))
    assert codes(plan) == []
    assert names(book) == [("Sprayer, kill crop", "Spring burndown")]
    again = brought(book, "operation.csv", PASSES.format(1, "Spring burndown"))
    assert [count.same for count in again.counts] == [1]


def test_an_open_name_is_asked_about_once_and_remembered(book: Path) -> None:
    plan = brought(book, "operation.csv", PASSES.format(1, "disk"))
    (asked,) = [problem for problem in plan.problems if problem.code == "word_asked"]
    assert "'Disk, offset, heavy'" in asked.cause
    assert names(book) == [("disk", None)]
    said = dataclasses.replace(CHOICES, words={("operation", "disk"): "Disk, offset, heavy"}, replace=True)
    assert codes(brought(book, "operation.csv", PASSES.format(1, "disk"), said)) == []
    assert names(book) == [("Disk, offset, heavy", "disk")]
    assert load_book(book)["word"].select("about", "typed", "means").rows() == [
        ("operation", "disk", "Disk, offset, heavy")
    ]
    assert codes(brought(book, "operation.csv", PASSES.format(2, "Disk"))) == []
    assert names(book)[1] == ("Disk, offset, heavy", "Disk")


def test_an_unknown_name_is_told_with_a_list_to_choose_from(book: Path) -> None:
    plan = brought(book, "operation.csv", PASSES.format(1, "VRT lime"))
    (told,) = [problem for problem in plan.problems if problem.code == "word_unknown"]
    assert "Lime or gypsum spreader" in told.remedy
    assert names(book) == [("VRT lime", None)]


def test_a_name_with_a_slip_is_told_with_the_one_that_is_meant(book: Path) -> None:
    plan = brought(book, "operation.csv", PASSES.format(1, "Rotory ho"))
    (told,) = [problem for problem in plan.problems if problem.code == "word_unknown"]
    assert "Rotary hoe" in told.remedy


def test_a_name_without_a_near_one_is_told_with_the_way_to_the_list(book: Path) -> None:
    plan = brought(book, "operation.csv", PASSES.format(1, "rock picking"))
    (told,) = [problem for problem in plan.problems if problem.code == "word_unknown"]
    assert "`provender stir --list`" in told.remedy


@pytest.mark.parametrize(
    ("product", "code"),
    [
        *[
            (each, "own_analysis")
            for each in ("Hog manure", "chicken litter", "swine slurry", "Compost", "city biosolids")
        ],
        *[(each, "no_nutrient") for each in ("Ag lime", "pelletized lime", "Gypsum", "boron", "high calcium lime VRT")],
        *[(each, "word_unknown") for each in ("zinc 10-34", "lime green", "Utrisha", "calcium", "Environoc")],
        *[(each, "word_unknown") for each in ("zinc chelate", "micronutrient blend")],
    ],
)
def test_what_is_no_grade_is_known_for_what_it_is(book: Path, product: str, code: str) -> None:
    heading = "application_id,unit_id,day,product,n_lb_per_ac\n"
    plan = brought(book, "nutrient_application.csv", f"{heading}A1,HOME80,2026-05-04,{product},12\n")
    told = [problem.code for problem in plan.problems if "product" in str(problem.place)]
    assert code in told
    assert load_book(book)["nutrient_application"]["product"].to_list() == [product]


def test_no_inhibitor_in_words_is_none(book: Path) -> None:
    heading = "application_id,unit_id,day,product,rate,rate_unit,inhibitor\n"
    rows = "A1,HOME80,2026-05-04,Urea,100,lb/ac,No inhibitor\nA2,HOME80,2026-05-05,Urea,100,lb/ac,Contain Max\n"
    plan = brought(book, "nutrient_application.csv", heading + rows)
    assert load_book(book)["nutrient_application"]["inhibitor"].to_list() == ["none", "Contain Max"]
    (told,) = [problem for problem in plan.problems if problem.code == "word_unknown"]
    assert "N-Serve" in told.remedy
