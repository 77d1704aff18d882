"""Where a unit lies: a boundary that is there and agrees, FSA farm, tract and field, or words of the law (1.10)."""

from dataclasses import replace
from pathlib import Path

import pytest

from provender.practices.assess import assess
from provender.records.book import RecordBook
from provender.records.evidence_files import HeldFiles
from provender.records.folder import save_book
from provender.report.document import build
from provender.report.signing import refusals
from tests.practices.season import Rows, book_of, changed, square, verdict_of
from tests.report.official import DAY, official_rows, quantified

FIELD, LAW = "4711-1203-2", "NE1/4 of section 12, T11S R15E"
IOWA = {"west": -93.6, "south": 42.0}


def placed(**cells: str) -> Rows:
    return changed(official_rows(), "unit", 0, **cells)


def codes(book: RecordBook) -> set[str]:
    """Return why the report of a book may not be signed, by code."""
    judged = assess(book)
    return {one.code for one in refusals(build(judged, quantified(judged), as_of=DAY))}


@pytest.mark.parametrize(
    ("cells", "told"),
    [
        ({}, set()),
        ({"boundary": "gone.geojson"}, {"unit_without_place"}),
        ({"boundary": "gone.geojson", "fsa_field": FIELD}, set()),
        ({"boundary": "gone.geojson", "legal_description": LAW}, set()),
        ({"boundary": "gone.geojson", "fsa_field": "4711-1203"}, {"unit_without_place"}),
        ({"boundary": "gone.geojson", "legal_description": "behind the barn"}, {"unit_without_place"}),
        ({"boundary": "", "fsa_field": "farm 4711, tract 1203, field 2A"}, set()),
        ({"boundary": "", "legal_description": LAW}, set()),
        ({"boundary": ""}, {"records_incomplete"}),
        ({"boundary": "", "fsa_field": "4711-1203"}, {"records_incomplete"}),
        ({"boundary": "", "legal_description": "home place"}, {"records_incomplete"}),
    ],
)
def test_a_place_is_a_boundary_with_its_file_or_words_that_lead_there(cells: dict[str, str], told: set[str]) -> None:
    assert codes(book_of(placed(**cells))) == told


@pytest.mark.parametrize(
    ("outline", "told"),
    [
        (square(40), set()),
        (square(20), {"boundary_contradicted"}),
        (square(80), {"boundary_contradicted"}),
        (square(40, **IOWA), {"boundary_contradicted"}),
        ("no outline at all", {"unit_without_place"}),
        ('{"type": "FeatureCollection", "features": []}', {"unit_without_place"}),
    ],
)
@pytest.mark.parametrize("on_disk", [True, False])
def test_a_book_on_disk_and_one_on_a_server_are_held_to_the_same(
    outline: str, told: set[str], tmp_path: Path, *, on_disk: bool
) -> None:
    book = book_of(official_rows())
    if on_disk:
        save_book(book, tmp_path)
        for name, text in (("n40.geojson", outline), ("s.geojson", square(12))):
            (tmp_path / "boundaries").mkdir(exist_ok=True)
            (tmp_path / "boundaries" / name).write_text(text)
        book = replace(book, folder=tmp_path)
    else:
        drawn = {("F1", "n40.geojson"): outline.encode, ("F1", "s.geojson"): square(12).encode}
        book = replace(book, boundaries=HeldFiles(drawn))
    assert codes(book) == told


@pytest.mark.parametrize("name", ["../n40.geojson", "/etc/hostname", "boundaries"])
def test_a_name_that_leads_out_of_the_folder_is_no_place(name: str, tmp_path: Path) -> None:
    (tmp_path / "boundaries").mkdir()
    (tmp_path / "n40.geojson").write_text(square(40))
    book = replace(book_of(placed(boundary=name)), folder=tmp_path)
    assert codes(book) == {"unit_without_place"}


@pytest.mark.parametrize("requirement", ["records_tillage_unit", "records_cover_unit", "records_nutrients_unit"])
def test_the_records_name_a_place(requirement: str) -> None:
    for cells, answer in (({}, True), ({"boundary": ""}, None), ({"boundary": "", "fsa_field": FIELD}, True)):
        assert verdict_of(placed(**cells), requirement) is answer
