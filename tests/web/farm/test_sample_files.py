"""Real files of other systems handed in on the page: each is read, shown with its source and written by the nod."""

import io
import zipfile
from pathlib import Path

import pytest
from django.urls import reverse

from tests.web.cast import Cast
from tests.web.farm_season import fill_season
from tests.web.importing import choose, file, hand_in, read_here, stored, wait, write

__all__ = ["read_here"]

pytestmark = [pytest.mark.samples, pytest.mark.usefixtures("read_here")]


def zipped(*paths: Path) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in paths:
            archive.write(path, path.name)
    return out.getvalue()


def test_a_zipped_shapefile_is_measured_and_its_field_stands_on_the_map(cast: Cast, samples: Path) -> None:
    fill_season(cast)
    begun = hand_in(cast, file("boundary.zip", zipped(*sorted((samples / "yield").glob("boundary.*")))))
    (unit,) = [row for row in wait(begun).rows if row.kind == "unit"]
    assert (unit.file, unit.row) == ("boundary.zip", 1)
    assert unit.texts["county_fips"] == "19099"
    assert write(cast, begun) == 302
    assert stored(cast, "unit")[unit.texts["unit_id"]]["acres"] == "25.582"
    shown = cast.client().get(reverse("farm_map", args=(cast.farm.handle,))).content.decode()
    assert unit.texts["unit_id"] in shown
    assert f"boundaries/{unit.texts['boundary']}" in stored(cast, "file")


def test_a_yield_log_is_a_harvest_whose_bushels_a_person_has_looked_at(cast: Cast, samples: Path) -> None:
    fill_season(cast)
    begun = hand_in(cast, file("2012-basswood.txt", (samples / "yield" / "2012-basswood.txt").read_bytes()))
    (unknown,) = wait(begun).rejected  # nobody knows yet which unit the monitor's field is
    assert "BASSWOODD" in str(unknown)
    found = choose(cast, begun, "units", {"name": ["F0:BASSWOODD"], "unit": ["N40"]})
    (harvest,) = [row for row in found.rows if row.kind == "harvest"]
    assert harvest.texts["unit_id"] == "N40"
    assert (harvest.texts["crop"], harvest.texts["bushels"]) == ("corn", "2858.478")
    assert "logged_bushels" in {problem.code for problem in found.problems}
    assert found.rejected == ()


def test_a_laboratorys_csv_is_known_by_its_headings_and_a_person_confirms_the_columns(
    cast: Cast, samples: Path
) -> None:
    fill_season(cast)
    begun = hand_in(cast, file("S22-14946-B500.csv", (samples / "modus" / "S22-14946-B500.csv").read_bytes()))
    found = wait(begun)
    (sheet,) = found.layouts
    assert (sheet.target, sheet.confirmed) == ("soil_test", False)
    assert "Lab Number" in sheet.headings
    assert {"suggested_map", "weak_match"} <= {problem.code for problem in found.problems}


def test_an_iphones_photograph_is_graded_and_kept(cast: Cast, samples: Path) -> None:
    fill_season(cast)
    begun = hand_in(cast, file("IMG_5195.HEIC", (samples / "photos" / "IMG_5195.HEIC").read_bytes()))
    found = wait(begun)
    (row,) = found.rows
    assert (row.kind, row.texts["what"], row.texts["taken_on"]) == ("evidence", "photograph", "2021-04-11")
    assert [problem.code for problem in found.problems] == ["photo_unit", "photo_verdict"]
    assert write(cast, begun) == 302
    assert stored(cast, "evidence")[row.texts["evidence_id"]]["sha256"] == row.texts["sha256"]
