"""A row belongs to a report where it may enter its verdicts, and to none where its crop is still to come."""

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from provender.intensity.quantify import quantify
from provender.practices.assess import assess
from provender.records.book import RecordBook
from provender.records.folder import load_book
from provender.records.kind import KINDS
from provender.report.supporting import BoundRows, Leaves
from provender.rule.crops import Crop

EXAMPLE = Path(__file__).parents[2] / "examples" / "bluestem-farm"
SECRET = "ab" * 16
SIGNED_ON = date(2026, 1, 10)
TO_COME = {"harvest_id": "N40-2027", "unit_id": "N40", "crop": "soybeans", "ending": "not_yet"}
RYE = {"cover_id": "RYE", "unit_id": "N40", "harvest_id": "N40-2027"}


@pytest.fixture(scope="module")
def book() -> RecordBook:
    return load_book(EXAMPLE)


@pytest.fixture(scope="module")
def before(book: RecordBook) -> Leaves:
    return bound(book).leaves(SECRET)


def bound(book: RecordBook) -> BoundRows:
    judged = assess(book)
    return BoundRows(judged, quantify(judged, "BLUESTEM", Crop("corn"), 2025), SIGNED_ON, {})


def added(book: RecordBook, *rows: tuple[str, Mapping[str, Any]]) -> RecordBook:
    frames = dict(book.frames)
    for name, row in rows:
        frame = pl.DataFrame([{"farm_id": "BLUESTEM", **row}])
        frames[name] = pl.concat([frames[name], frame], how="diagonal_relaxed").cast(KINDS[name].empty().schema)
    return RecordBook.from_frames(frames, folder=book.folder)


def is_bound(book: RecordBook, before: Leaves, *rows: tuple[str, Mapping[str, Any]]) -> bool:
    return bound(added(book, *rows)).leaves(SECRET) != before


NEXT_SEASON: tuple[tuple[str, dict[str, Any]], ...] = (
    ("cover_crop", {**RYE, "seeded_on": date(2025, 10, 1)}),
    ("planting", {"planting_id": "P", "harvest_id": "N40-2027", "planted_on": date(2026, 4, 20)}),
    ("planting", {"planting_id": "P", "harvest_id": "N40-2027"}),
    ("nutrient_budget", {"budget_id": "B", "harvest_id": "N40-2027"}),
    ("in_season_test", {"test_id": "T", "harvest_id": "N40-2027"}),
    ("declaration", {"harvest_id": "N40-2027"}),
    ("calculator_run", {"run_id": "R", "unit_id": "N40", "harvest_id": "N40-2027"}),
    ("nutrient_application", {"application_id": "A", "product": "UAN 28", "unit_id": "N40", "harvest_id": "N40-2027",
                              "day": date(2025, 9, 27)}),
    ("operation", {"operation_id": "O", "unit_id": "N40", "operation": "Chisel", "day": date(2025, 9, 27)}),
)  # fmt: skip


@pytest.mark.parametrize("ending", ["not_yet", "prevented", "fallow"])
def test_an_entry_that_ends_no_crop_belongs_to_no_report(book: RecordBook, before: Leaves, ending: str) -> None:
    assert not is_bound(book, before, ("harvest", {**TO_COME, "ending": ending}))


@pytest.mark.parametrize(("kind", "row"), NEXT_SEASON, ids=lambda one: one if isinstance(one, str) else "")
def test_nothing_of_a_crop_that_is_still_to_come_belongs_to_a_report(
    book: RecordBook, before: Leaves, kind: str, row: Mapping[str, Any]
) -> None:
    assert not is_bound(book, before, ("harvest", TO_COME), (kind, row))


def test_the_species_of_a_cover_belong_where_it_belongs(book: RecordBook, before: Leaves) -> None:
    cover, species = {**RYE, "seeded_on": date(2025, 10, 1)}, {"cover_id": "RYE", "species": "Rye, Cereal"}
    assert not is_bound(book, before, ("harvest", TO_COME), ("cover_crop", cover), ("cover_species", species))


MAY_ENTER: tuple[tuple[str, dict[str, Any]], ...] = (
    # Its interval began with the harvest before, and it lasts up to the harvest.
    ("operation", {"operation_id": "O", "unit_id": "N40", "operation": "Chisel", "day": date(2024, 10, 2)}),
    ("operation", {"operation_id": "O", "unit_id": "N40", "operation": "Chisel", "day": date(2024, 11, 20)}),
    ("operation", {"operation_id": "O", "unit_id": "N40", "operation": "Chisel", "day": date(2025, 9, 26)}),
    ("operation", {"operation_id": "O", "unit_id": "N40", "operation": "Chisel"}),
    # What is spread is judged by its day where the entry it names ends no crop.
    ("nutrient_application", {"application_id": "A", "product": "UAN 28", "unit_id": "N40", "harvest_id": "N40-2027",
                              "day": date(2025, 9, 26)}),
    ("nutrient_application", {"application_id": "A", "product": "UAN 28", "unit_id": "N40", "harvest_id": "N40-2027"}),
    # ... or is of another field.
    ("nutrient_application", {"application_id": "A", "product": "UAN 28", "unit_id": "N40", "harvest_id": "X-2026",
                              "day": date(2025, 6, 1)}),
    # Seed is weighed over the whole farm: of a cover without a day nobody knows that it came later.
    ("cover_crop", {**RYE, "seeded_on": date(2025, 9, 1)}),
    ("cover_crop", RYE),
    # A harvest without a day may have been any year's.
    ("harvest", {**TO_COME, "harvest_id": "N40-X", "ending": "harvested"}),
    ("harvest", {**TO_COME, "harvest_id": "N40-X", "ending": "terminated", "last_day": date(2025, 5, 1)}),
)  # fmt: skip


@pytest.mark.parametrize(("kind", "row"), MAY_ENTER, ids=lambda one: one if isinstance(one, str) else "")
def test_what_may_enter_the_verdicts_belongs_to_the_report(
    book: RecordBook, before: Leaves, kind: str, row: Mapping[str, Any]
) -> None:
    other = {"harvest_id": "X-2026", "unit_id": "B50", "crop": "corn", "ending": "harvested",
             "last_day": date(2026, 10, 1)}  # fmt: skip
    without = bound(added(book, ("harvest", TO_COME), ("harvest", other))).leaves(SECRET)
    assert without == before
    assert is_bound(book, before, ("harvest", TO_COME), ("harvest", other), (kind, row))


def test_a_row_of_another_field_belongs_to_no_report_of_this_one(book: RecordBook, before: Leaves) -> None:
    row = {"operation_id": "O", "unit_id": "B50", "operation": "Chisel", "day": date(2025, 4, 1)}
    assert not is_bound(book, before, ("operation", row))
