"""Where a unit lies: a boundary that is there and agrees, FSA farm, tract and field, or words of the law (1.10)."""

import json
from dataclasses import replace
from functools import wraps
from pathlib import Path

import pytest
from shapely import from_geojson

from provender.formats.boundaries import read_boundaries
from provender.formats.geometry import acres_of
from provender.formats.importing.drawn import drawn
from provender.portfolio.geometry import outlines
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


def both_fields(names: tuple[str, str], acres: tuple[float, float] = (40, 12), west: float = -95.6) -> str:
    """Return one file with the outlines of two fields."""
    fields = [json.loads(square(size, west=west)) for size, west in zip(acres, (-95.7, west), strict=True)]
    features = [one | {"properties": {"name": name}} for one, name in zip(fields, names, strict=True)]
    return json.dumps({"type": "FeatureCollection", "features": features})


@pytest.mark.parametrize(
    ("names", "acres", "told"),
    [
        (("N40", "S12"), (40, 12), set()),
        (("n40 ", "south"), (40, 12), set()),
        (("N40", "S12"), (20, 12), {"boundary_contradicted"}),
        (("East", "West"), (28, 12), set()),
        (("East", "West"), (40, 12), {"boundary_contradicted"}),
    ],
)
def test_of_a_file_with_several_fields_a_unit_has_its_own(
    names: tuple[str, str], acres: tuple[float, float], told: set[str], tmp_path: Path
) -> None:
    text = both_fields(names, acres)
    book = book_of(placed(boundary="farm.geojson"))
    kept = HeldFiles({("F1", "farm.geojson"): text.encode, ("F1", "s.geojson"): square(12).encode})
    assert codes(replace(book, boundaries=kept)) == told
    save_book(book, tmp_path)
    (tmp_path / "boundaries").mkdir(exist_ok=True)
    (tmp_path / "boundaries" / "farm.geojson").write_text(text)
    saved = replace(book, folder=tmp_path)
    unit = book["unit"].row(0, named=True)
    (shape,) = {outlines(tmp_path, book["unit"].head(1))["N40"], from_geojson(drawn(saved, unit, {}))}
    mine = acres[0] if names[0].strip().casefold() == "n40" else sum(acres)
    assert abs(acres_of(shape) - mine * 1000) < 50


@pytest.mark.parametrize(
    ("names", "west", "told"),
    [
        (("N40", "S12"), -95.6, set()),
        (("N40", "South"), -95.6, set()),
        (("N40", "S12"), -95.7, {"boundary_shared"}),
        (("East", "West"), -95.6, {"boundary_shared", "boundary_contradicted"}),
        (("N40", "West"), -95.6, {"boundary_shared"}),
    ],
)
def test_units_of_one_file_are_twins_only_where_their_areas_share_ground(
    names: tuple[str, str], west: float, told: set[str]
) -> None:
    text = both_fields(names, west=west)
    rows = changed(placed(boundary="farm.geojson"), "unit", 1, boundary="farm.geojson")
    book = replace(book_of(rows), boundaries=HeldFiles({("F1", "farm.geojson"): text.encode}))
    assert codes(book) & {"boundary_shared", "boundary_contradicted"} == told


@pytest.mark.parametrize("name", ["../n40.geojson", "/etc/hostname", "boundaries"])
def test_a_name_that_leads_out_of_the_folder_is_no_place(name: str, tmp_path: Path) -> None:
    (tmp_path / "boundaries").mkdir()
    (tmp_path / "n40.geojson").write_text(square(40))
    book = replace(book_of(placed(boundary=name)), folder=tmp_path)
    assert codes(book) == {"unit_without_place"}


ODD = ["..", ".", "../..", "x" * 300, "x" * 300 + ".geojson", "x." + "y" * 300, "/", " "]


@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("on_disk", [True, False])
def test_a_name_that_no_disk_takes_stops_nothing(name: str, tmp_path: Path, *, on_disk: bool) -> None:
    book = book_of(placed(boundary=name, legal_description=LAW))
    (tmp_path / "boundaries").mkdir()
    kept = HeldFiles({("F1", name): "{}".encode})
    assert codes(replace(book, folder=tmp_path) if on_disk else replace(book, boundaries=kept)) == set()
    bare = book_of(placed(boundary=name))
    told = codes(replace(bare, folder=tmp_path) if on_disk else replace(bare, boundaries=kept))
    assert told == ({"records_incomplete"} if not name.strip() else {"unit_without_place"})


@pytest.mark.parametrize("name", ["..", "x" * 300, "x" * 300 + ".geojson"])
def test_outlines_that_others_keep_are_read_by_their_content_under_any_name(name: str) -> None:
    kept = HeldFiles({("F1", name): square(40).encode, ("F1", "s.geojson"): square(12).encode})
    assert codes(replace(book_of(placed(boundary=name)), boundaries=kept)) == set()


def test_outlines_that_others_keep_are_never_read_in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    @wraps(read_boundaries)
    def here(*_: object, **__: object) -> None:
        raise AssertionError("read in the process that answers everybody")

    monkeypatch.setattr("provender.formats.boundaries.read_boundaries", here)
    for side, told in ((40, set()), (21, {"boundary_contradicted"})):
        drawn = {("F1", "n40.geojson"): square(side).encode, ("F1", "s.geojson"): square(12).encode}
        assert codes(replace(book_of(official_rows()), boundaries=HeldFiles(drawn))) == told


def test_what_was_read_once_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = {("F1", "n40.geojson"): square(19).encode, ("F1", "s.geojson"): square(13).encode}
    book = replace(book_of(official_rows()), boundaries=HeldFiles(drawn))
    first = codes(book)
    monkeypatch.setattr("provender.formats.child.parse_many", None)
    assert codes(book) == first == {"boundary_contradicted"}


@pytest.mark.parametrize("requirement", ["records_tillage_unit", "records_cover_unit", "records_nutrients_unit"])
def test_the_records_name_a_place(requirement: str) -> None:
    for cells, answer in (({}, True), ({"boundary": ""}, None), ({"boundary": "", "fsa_field": FIELD}, True)):
        assert verdict_of(placed(**cells), requirement) is answer
