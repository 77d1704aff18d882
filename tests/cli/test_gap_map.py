"""``provender check --map``: fields by what they lack, as a picture and as a page; and how each practice stands."""

import json
import shutil
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from provender.cli.app import call
from provender.practices.assess import assess
from provender.practices.to_do import to_do
from provender.problem import ProblemsError
from provender.records.folder import load_book
from provender.report.season import gap_map_svg, lacking_by_unit
from tests.cli.test_farm_verbs import BLUESTEM


def run(*arguments: object) -> int:
    try:
        return call([str(each) for each in arguments])
    except SystemExit as ended:
        return int(ended.code or 0)


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """Return the example farm, without the records of its soil."""
    folder = tmp_path / "book"
    shutil.copytree(BLUESTEM, folder)
    (folder / "soil_test.csv").unlink(missing_ok=True)
    return folder


def test_every_missing_record_of_a_unit_is_told_once_and_no_other(book: Path) -> None:
    chosen = assess(load_book(book)).intervals
    told = lacking_by_unit(chosen)
    assert told.keys() == {one.unit_id for one in chosen}
    assert any(told.values())
    wanted = {unit: sum(unit in thing.units for thing in to_do(chosen)) for unit in told}
    assert {unit: len(named) for unit, named in told.items()} == wanted


def test_the_map_is_a_picture_and_the_page_lists_what_is_missing(book: Path, tmp_path: Path) -> None:
    units = load_book(book)["unit"]
    drawn = [row["unit_id"] for row in units.iter_rows(named=True) if row["boundary"]]
    assert drawn
    run("check", book, "--map", tmp_path / "m.svg")
    picture = ET.fromstring((tmp_path / "m.svg").read_text())  # noqa: S314 - our own
    assert all(any(unit in (text or "") for text in picture.itertext()) for unit in drawn)
    run("check", book, "--map", tmp_path / "m.html")
    page = (tmp_path / "m.html").read_text()
    for named in lacking_by_unit(assess(load_book(book)).intervals).values():
        for record in named:
            assert record.split(",")[0].split("(")[0].strip() in page


def test_a_field_that_lacks_more_is_darker(book: Path) -> None:
    chosen = assess(load_book(book)).intervals
    told = lacking_by_unit(chosen)
    square = {unit: json.dumps({"type": "Polygon", "coordinates": [[[at, 40], [at + 1, 40], [at + 1, 41], [at, 40]]]})
              for at, unit in enumerate(told)}  # fmt: skip
    picture = gap_map_svg(chosen, square)
    for unit, named in told.items():
        assert f"{unit}: {f'{len(named)} missing' if named else 'nothing missing'}" in picture


def test_outlines_of_any_geojson_are_drawn_and_what_encloses_nothing_is_named(book: Path) -> None:
    chosen = assess(load_book(book)).intervals
    first, *others = lacking_by_unit(chosen)
    ring = [[0, 40], [1, 40], [1, 41], [0, 40]]
    area = {"type": "MultiPolygon", "coordinates": [[ring]]}
    point = {"type": "Point", "coordinates": [0, 40]}
    line = {"type": "LineString", "coordinates": ring}
    features = [{"type": "Feature", "properties": {}, "geometry": one} for one in (area, point, line)]
    outlines = {first: json.dumps({"type": "FeatureCollection", "features": features})}
    alone = gap_map_svg(chosen, outlines)
    assert f"{first}: " in alone
    more = dict(zip(others, map(json.dumps, (point, line)), strict=False))
    assert more
    assert gap_map_svg(chosen, {**outlines, **more}) == alone
    with pytest.raises(ProblemsError, match="No unit of the book has a boundary"):
        gap_map_svg(chosen, more)


def test_a_book_without_boundaries_is_refused_in_words(
    book: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.rmtree(book / "boundaries")
    assert run("check", book, "--map", tmp_path / "m.svg") == 2
    assert "No unit of the book has a boundary" in capsys.readouterr().err
    assert not (tmp_path / "m.svg").exists()


def test_json_says_how_each_practice_stands(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("check", book, "--json")
    said = json.loads(capsys.readouterr().out)
    stands = {
        (one["harvest_id"], name): each["standing"]
        for one in said["intervals"]
        for name, each in one["practices"].items()
    }
    chosen = assess(load_book(book)).intervals
    assert stands == {
        (one.harvest_id, str(each.practice)): str(each.standing) for one in chosen for each in one.practices
    }
