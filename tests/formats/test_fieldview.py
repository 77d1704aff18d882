"""Planting summaries of FieldView: days of planting, known by the machine."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from provender.formats.fieldview import read_plantings
from provender.formats.sniff import sniff
from provender.records.folder import load_book
from tests.formats.conftest import Write
from tests.formats.test_everyday_tables import ACCEPTED, book, brought
from tests.formats.test_intake import CHOICES
from tests.formats.test_intake import codes as told
from tests.formats.told import codes

assert book  # a fixture
RING = [[-95.7, 39.0], [-95.69, 39.0], [-95.69, 39.01], [-95.7, 39.0]]


def summary(**more: object) -> dict[str, Any]:
    """Return a summary as the published format has it, of the field Home 80."""
    work = {"date": "2026-05-02", "crop": "corn", "area": {"q": 31.9700, "u": "hectare"}, **more}
    feature = {
        "type": "Feature", "geometry": {"type": "MultiPolygon", "coordinates": [[RING]]},
        "properties": {"id": "e", "resourceOwner": {"id": "o", "email": "user@example.com"},
                       "field": {"id": "f", "name": "Home 80"}, "plantingActivity": work},
    }  # fmt: skip
    return {"type": "FeatureCollection", "features": [feature]}


def with_entry(book: Path) -> Path:
    (book / "harvest.csv").write_text("harvest_id,unit_id,crop,ending,last_day\nH1,HOME80,corn,harvested,2026-10-20\n")
    return book


def test_a_planting_summary_gives_the_day_known_by_the_machine_with_the_file_as_evidence(book: Path) -> None:
    plan = brought(with_entry(book), "planting.json", json.dumps(summary()), ACCEPTED)
    assert told(plan) == []
    found = load_book(book)
    (row,) = found["planting"].to_dicts()
    assert (row["harvest_id"], row["planted_on"], row["known_by"]) == ("H1", date(2026, 5, 2), "machine")
    assert row["acres"] == 79_000
    (evidence,) = found["evidence"].to_dicts()
    assert (evidence["what"], evidence["evidence_id"]) == ("machine_file", row["evidence"])
    assert found["reported_acres"].height == 0


def test_what_a_machine_says_waits_for_a_nod(book: Path) -> None:
    plan = brought(with_entry(book), "planting.json", json.dumps(summary()), CHOICES)
    assert set(told(plan)) == {"waits"}
    assert load_book(book)["planting"].height == 0


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"date": "soon"}, "incomplete_planting"), ({"area": {"q": "x", "u": "hectare"}}, "incomplete_planting"),
        ({"area": {"q": 1, "u": "bushel"}}, "incomplete_planting"), ({"crop": None}, "incomplete_planting"),
        ({"area": None}, "incomplete_planting"), ({"crop": "oats"}, "other_crops"),
    ],
)  # fmt: skip
def test_a_planting_that_cannot_be_read_is_named(write: Write, more: dict[str, object], code: str) -> None:
    path = write("planting.json", json.dumps(summary(**more)))
    assert sniff(path, path.name).reader == "fieldview"
    parsed = read_plantings(path, path.name)
    assert (parsed.result, codes(parsed)) == (None, [code])


def test_a_planting_of_a_crop_that_the_book_lacks_is_told(book: Path) -> None:
    plan = brought(book, "planting.json", json.dumps(summary()), ACCEPTED)
    assert "no_crop_entry" in [each.code for each in plan.problems]


@pytest.mark.parametrize(("spot", "asked"), [(True, False), (False, True)])
def test_a_moment_of_greenwich_without_a_place_is_asked_about(write: Write, *, spot: bool, asked: bool) -> None:
    told = summary(date="2026-05-03T02:00:00Z")
    if not spot:
        told["features"][0]["geometry"] = None
    parsed = read_plantings(write("planting.json", json.dumps(told)), "planting.json")
    assert ("day_at_greenwich" in codes(parsed)) is asked


def test_each_planting_without_an_entry_is_told_with_its_own_year(book: Path) -> None:
    told = summary()
    (before,) = summary(date="2025-05-02")["features"]
    told["features"].append(before)
    plan = brought(book, "planting.json", json.dumps(told), ACCEPTED)
    (cause,) = [problem.cause for problem in plan.problems if problem.code == "no_crop_entry"]
    assert "corn 2026 on Home 80" in cause
    assert "corn 2025 on Home 80" in cause
