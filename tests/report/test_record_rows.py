"""Which rows a report rests on, and that each of them moves its root: every kind, every column, on one farm."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from provender.intensity.quantify import quantify
from provender.records.book import RecordBook
from provender.records.folder import load_book
from provender.records.kind import KINDS
from provender.records.kinds.farm import Unit
from provender.records.kinds.quantification import Sale
from provender.records.kinds.season import Operation
from provender.report.supporting import WHOLE_FARM, BoundRows, Leaves
from provender.report.versions import leaves_document, read_leaves
from provender.rule.crops import Crop
from provender.signing.merkle import roots_over
from provender.verdicts.assess import assess

EXAMPLE = Path(__file__).parents[2] / "examples" / "bluestem-farm"
SECRET = "ab" * 16
DAY = date(2026, 1, 10)


def bound(book: RecordBook, day: date = DAY, files: dict[str, bytes] | None = None) -> BoundRows:
    judged = assess(book)
    return BoundRows(judged, quantify(judged, "BLUESTEM", Crop("corn"), 2025), day, files)


@pytest.fixture(scope="module")
def book() -> RecordBook:
    return load_book(EXAMPLE)


@pytest.fixture(scope="module")
def rows(book: RecordBook) -> BoundRows:
    return bound(book)


@pytest.fixture(scope="module")
def leaves(rows: BoundRows) -> Leaves:
    return rows.leaves(SECRET)


def test_every_record_is_bound_but_those_of_other_crops(book: RecordBook, leaves: Leaves, rows: BoundRows) -> None:
    kinds = {kind for of_unit in leaves.values() for kind in of_unit}
    sorghum_alone = {"in_season_test"}
    assert {kind for kind in KINDS if book[kind]} - kinds == sorghum_alone
    assert "boundaries" in kinds
    assert set(leaves) == {unit.unit_id for unit in rows.q.units} | {WHOLE_FARM}
    others = {unit.unit_id for unit in rows.assessment.book.every(Unit)} - set(leaves)
    assert others
    assert not {label for of_unit in leaves.values() for label in of_unit.get("unit", ())} & others


def test_what_is_dated_or_delivered_later_belongs_to_a_later_report(book: RecordBook, leaves: Leaves) -> None:
    early = bound(book, date(2024, 1, 1)).leaves(SECRET)
    count = {name: len(found.get(WHOLE_FARM, {}).get("evidence", {})) for name, found in
             (("early", early), ("late", leaves))}  # fmt: skip
    assert count["early"] < count["late"]
    assert early["N40"]["operation"] == leaves["N40"]["operation"], (
        "a season ends with its harvest, not with the report"
    )
    kind = KINDS["report_delivery"]
    sale = next(row.sale_id for row in book.every(Sale) if row.disposition == "sold_with_ci")
    for days, bound_too in ((-1, True), (0, False), (1, False)):
        day = DAY + timedelta(days=days)
        row = {"farm_id": "BLUESTEM", "delivery_id": "D1", "sale_id": sale, "day": day, "how": "by_post"}
        rows = {**book.records, kind.name: [kind.row_of(row)]}
        now = bound(RecordBook.of(rows, folder=book.folder)).leaves(SECRET)
        assert (now != leaves, kind.name in now[WHOLE_FARM]) == (bound_too, bound_too)


def test_one_changed_cell_moves_one_leaf_and_its_root(rows: BoundRows, leaves: Leaves, book: RecordBook) -> None:
    operations = book.every(Operation)
    first = next(row.operation_id for row in operations if row.unit_id == "N40")
    noted = [replace(row, note="another note") if row.operation_id == first else row for row in operations]
    changed = bound(RecordBook.of({**book.records, "operation": noted}, folder=book.folder)).leaves(SECRET)
    moved = {(unit, kind, label) for unit, kinds in leaves.items() for kind, of in kinds.items() for label in of
             if changed[unit][kind][label] != leaves[unit][kind][label]}  # fmt: skip
    assert moved == {("N40", "operation", first)}
    assert roots_over(changed["N40"])["operation"] != roots_over(leaves["N40"])["operation"]


def test_a_boundary_that_moved_is_another_leaf_and_its_line_ends_are_not(rows: BoundRows, book: RecordBook) -> None:
    name = next(unit.boundary for unit in book.every(Unit) if unit.unit_id == "N40") or ""
    text = (EXAMPLE / "boundaries" / name).read_bytes()
    judged, q = rows.assessment, rows.q

    def leaf(content: bytes) -> str:
        return BoundRows(judged, q, DAY, {f"boundaries/{name}": content}).leaves(SECRET)["N40"]["boundaries"][name]

    assert leaf(text) == leaf(text.replace(b"\n", b"\r\n"))
    assert leaf(text) != leaf(text.replace(b"96.", b"97.", 1))


def test_what_opens_the_roots_is_read_back_and_nothing_else_is(leaves: Leaves) -> None:
    report = {"farm": {"farm_id": "F"}, "crop": "corn", "harvest_year": 2025, "edition": {"version": 1}}
    written = leaves_document(report, SECRET, leaves)
    opening = read_leaves(written)
    assert opening is not None
    assert opening.fits({unit: roots_over(kinds) for unit, kinds in leaves.items()})
    assert not opening.fits({})
    for spoiled in ({"type": "other"}, {"secret": 1}, {"version": True}, {"leaves": {"N40": {"unit": {"N40": "x"}}}}):
        assert read_leaves({**written, **spoiled}) is None


# A row belongs to a report where it may enter its verdicts, and to none where its crop is still to come.

TO_COME = {"harvest_id": "N40-2027", "unit_id": "N40", "crop": "soybeans", "ending": "not_yet"}
RYE = {"cover_id": "RYE", "unit_id": "N40", "harvest_id": "N40-2027"}


@pytest.fixture(scope="module")
def before(book: RecordBook) -> Leaves:
    return bound(book, files={}).leaves(SECRET)


def added(book: RecordBook, *rows: tuple[str, Mapping[str, Any]]) -> RecordBook:
    records = dict(book.records)
    for name, row in rows:
        records[name] = [*records[name], KINDS[name].row_of({"farm_id": "BLUESTEM", **row})]
    return RecordBook.of(records, folder=book.folder)


def is_bound(book: RecordBook, before: Leaves, *rows: tuple[str, Mapping[str, Any]]) -> bool:
    return bound(added(book, *rows), files={}).leaves(SECRET) != before


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
def test_a_crop_to_come_is_in_no_report(book: RecordBook, before: Leaves, kind: str, row: Mapping[str, Any]) -> None:
    assert not is_bound(book, before, ("harvest", TO_COME), (kind, row))


def test_species_belong_with_their_cover_and_other_fields_to_no_report(book: RecordBook, before: Leaves) -> None:
    cover, species = {**RYE, "seeded_on": date(2025, 10, 1)}, {"cover_id": "RYE", "species": "Rye, Cereal"}
    assert not is_bound(book, before, ("harvest", TO_COME), ("cover_crop", cover), ("cover_species", species))
    row = {"operation_id": "O", "unit_id": "B50", "operation": "Chisel", "day": date(2025, 4, 1)}
    assert not is_bound(book, before, ("operation", row))


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
def test_what_enters_a_verdict_is_in_it(book: RecordBook, before: Leaves, kind: str, row: Mapping[str, Any]) -> None:
    other = {"harvest_id": "X-2026", "unit_id": "B50", "crop": "corn", "ending": "harvested",
             "last_day": date(2026, 10, 1)}  # fmt: skip
    without = bound(added(book, ("harvest", TO_COME), ("harvest", other)), files={}).leaves(SECRET)
    assert without == before
    assert is_bound(book, before, ("harvest", TO_COME), ("harvest", other), (kind, row))
