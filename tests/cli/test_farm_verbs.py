"""check, intensity, plan and report on a book: exit statuses, JSON, files, maps, and messages in words."""

import csv
import json
import re
import shutil
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Protocol
from xml.etree import ElementTree as ET

import openpyxl
import pytest

from provender.cli.output import WRONGLY_CALLED
from provender.intensity.calculator import claimable_combinations
from provender.intensity.county_files import COLUMNS
from provender.problem import ProblemsError
from provender.records.folder import load_book, save_book
from provender.report.season import gap_map_svg, lacking_by_unit
from provender.rule.crops import Crop
from provender.verdicts.assess import assess
from tests.cli.calling import called
from tests.rows import CaseRows
from tests.standards.season import book_of, changed, clean_season, draw, without

ROWS: Final = CaseRows(__file__)

# What the module shares is costly: one worker makes it.
pytestmark = pytest.mark.xdist_group("farm verbs")

BLUESTEM = Path(__file__).parents[2] / "examples" / "bluestem-farm"
COUNTIES = ("20149", "20161")
VERBS = ("check", "intensity", "plan")


class Call(Protocol):
    def __call__(self, *arguments: str | Path) -> "Said":
        """Return what it said."""


class Said:
    def __init__(self, status: int, out: str, err: str) -> None:
        self.status = status
        self.out = out
        self.err = " ".join(err.split())

    @property
    def document(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.out)
        return found


# What was asked once need not be computed again: the example does not change, and folders of tests differ.
ANSWERED: dict[tuple[str, ...], Said] = {}


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Call:
    monkeypatch.setenv("COLUMNS", "80")

    def run(*arguments: str | Path) -> Said:
        words = tuple(str(one) for one in arguments)
        if found := ANSWERED.get(words):
            return found
        return ANSWERED.setdefault(words, Said(*called(capsys, *words)))

    return run


@pytest.fixture
def clean(tmp_path: Path) -> Path:
    folder = tmp_path / "clean"
    save_book(book_of(changed(clean_season(), "harvest", bushels="")), folder)
    (folder / "evidence").mkdir()
    for one in clean_season()["evidence"]:
        (folder / "evidence" / one["file"]).write_text(one["file"], encoding="utf-8")
    draw(clean_season(), folder)
    return folder


def test_check_ends_with_0_when_every_practice_is_met(call: Call, clean: Path) -> None:
    said = call("check", clean)
    assert (said.status, said.err) == (0, "")


def test_check_ends_with_1_when_the_records_have_a_problem_and_tells_it(call: Call, clean: Path) -> None:
    unit = (clean / "unit.csv").read_text(encoding="utf-8")
    (clean / "unit.csv").write_text(unit.replace(",40,", ",4o,"), encoding="utf-8")
    said = call("check", clean)
    assert said.status == 1
    assert "unit.csv" in said.err


@pytest.mark.parametrize("verb", [*VERBS, "report"])
def test_a_folder_that_is_no_book_is_a_message_with_a_remedy_and_2(call: Call, tmp_path: Path, verb: str) -> None:
    more = ("--out", tmp_path / "out") if verb == "report" else ()
    (tmp_path / "file").write_text("x", encoding="utf-8")
    for name, told in (("nowhere", "provender template"), ("file", "")):
        said = call(verb, tmp_path / name, *more)
        assert (said.status, told in said.err, "Traceback" in said.err) == (2, True, False), name


@pytest.mark.parametrize("verb", VERBS)
def test_a_day_that_is_none_is_refused_with_how_to_write_it(call: Call, verb: str) -> None:
    for day in ("20.12.2025", "2025-02-30", "tomorrow"):
        said = call(verb, BLUESTEM, "--as-of", day)
        assert (said.status, "Write it like" in said.err) == (2, True), day


def test_an_unknown_unit_calculator_or_crop_is_a_message_that_names_what_there_is(call: Call) -> None:
    for arguments, told in (
        (("check", BLUESTEM, "--unit", "X9"), "N40"),
        (("plan", BLUESTEM, "--unit", "X9"), "N40"),
        (("intensity", BLUESTEM, "--calculator", "greet"), "argonne-2021"),
        (("intensity", BLUESTEM, "--crop", "oats"), "sorghum"),
        (("intensity", BLUESTEM, "--year", "2019"), "corn 2025"),
    ):
        said = call(*arguments)
        assert said.status == 2
        assert told in said.err


def test_check_saves_the_matrix_and_every_requirement(call: Call, tmp_path: Path) -> None:
    said = call("check", BLUESTEM, "--csv", tmp_path / "m.csv", "--xlsx", tmp_path / "m.xlsx")
    assert f"saved {tmp_path / 'm.csv'}" in said.err
    with (tmp_path / "m.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = {row["unit"]: row for row in csv.DictReader(file)}
    assert rows["K45"]["Cover crop"] == "met, records open"
    assert rows["K45"]["No fall application"] == "may not be claimed"
    with (tmp_path / "m-requirements.csv").open(encoding="utf-8-sig", newline="") as file:
        found = [row for row in csv.DictReader(file) if row["unit"] == "G70" and row["verdict"] == "not met"]
    assert [(row["7 CFR"], row["gap"]) for row in found] == [("2100.051(b)(1)", "0.373 STIR over")]
    book = openpyxl.load_workbook(tmp_path / "m.xlsx")
    assert book.sheetnames == ["practices", "requirements", "practice totals"]
    assert [cell.value for cell in book["practice totals"][2]] == [
        2025, "No-till", "All crops", 5, 0, 1, 175, 18455, 0, 0, None,
    ]  # fmt: skip
    assert {row[3].value for row in book["requirements"].iter_rows(min_row=2)} == {2025}
    assert book["practices"]["D2"].number_format == "General"  # a year has no mark at its thousands
    texts = [str(cell.value) for row in book["requirements"].iter_rows() for cell in row]
    assert not [text for text in texts if re.search(r"\b[a-z]+_[a-z_]+\b", text)]


def svg_text(path: Path) -> str:
    """Return all words of a picture; fails when it is no XML."""
    return " ".join(ET.fromstring(path.read_text(encoding="utf-8")).itertext())  # noqa: S314 - our own file


def test_build_up_and_intensities_are_drawn_against_limits_and_default(call: Call, tmp_path: Path) -> None:
    call("intensity", BLUESTEM, "--chart", tmp_path / "ci.svg")
    assert {path.name for path in tmp_path.glob("*.svg")} == {
        "ci-corn-2025.svg", "ci-soybeans-2025.svg", "ci-sorghum-2025.svg",
    }  # fmt: skip
    assert "national default 9,000.00" in svg_text(tmp_path / "ci-corn-2025.svg")
    assert "PRELIMINARY" in svg_text(tmp_path / "ci-soybeans-2025.svg")
    call("check", BLUESTEM, "--unit", "G70", "--buildup", tmp_path / "b.svg")
    words = svg_text(tmp_path / "b.svg")
    assert words.count("STIR of G70, Sorghum 2025, farm BLUESTEM") == 3  # to be seen, as title of sheet and drawing
    assert "No-till: at most 20" in words
    assert "Reduced till: at most 80" in words
    assert "20.373 at the end of the interval" in words


@ROWS
def test_what_cannot_be_drawn_or_written_is_a_message_and_2(call: Call, tmp_path: Path, asked: str, words: str) -> None:
    save_book(book_of(without(clean_season(), "operation")), tmp_path / "bare")
    (tmp_path / "taken.svg").mkdir()
    (tmp_path / "file").write_text("a file", encoding="utf-8")
    verb, book, *more = asked.split()
    places = {word: tmp_path / word for word in ("bare", "b.svg", "m.svg", "taken.svg", "file")}
    said = call(verb, *({"BLUESTEM": BLUESTEM, **places}.get(word, word) for word in (book, *more)))
    assert (said.status, words in said.err, "Traceback" in said.err) == (2, True, False)
    assert not any((tmp_path / name).exists() for name in ("b.svg", "m.svg"))


def test_a_damaged_file_no_crop_under_the_rule_and_a_useless_county_row_are_told(call: Call, tmp_path: Path) -> None:
    folder = shutil.copytree(BLUESTEM, tmp_path / "book")
    (folder / "operation.csv").write_bytes(b"operation_id\n\xff\xfe\x00")
    said = call("check", folder, "--json")
    assert said.status == 1
    practices = [each for one in said.document["intervals"] for each in one["practices"]]
    assert {each["implementation"] for each in practices if each["practice"] == "no_till"} == {"not shown"}
    assert any(problem["code"] == "unreadable_file" for problem in said.document["problems"])
    assert call("template", "--book", tmp_path / "new", "--farm-id", "F1", "--name", "New").status == 0
    for verb, status in (("check", 1), ("intensity", WRONGLY_CALLED), ("plan", WRONGLY_CALLED)):
        said = call(verb, tmp_path / "new")
        assert said.status == status
        assert "no corn, soybeans or sorghum harvested since the rule is in force" in said.err
        assert "Enter each harvest" in said.err
    assert [one["code"] for one in call("check", tmp_path / "new", "--json").document["problems"]] == ["no_harvest"]
    table = county_table(tmp_path / "table.csv", "5000.123")
    said = call("intensity", BLUESTEM, "--crop", "corn", "--county-table", table, "--json")
    assert said.status == 1
    assert said.document["results"][0]["average"]["ci_g_per_bu"] is None
    assert len(said.document["county_table_problems"]) == len(COUNTIES) * 36
    both = call("intensity", BLUESTEM, "--county-table", table, "--calculator", "argonne-2021")
    assert both.status == WRONGLY_CALLED
    assert "leave one out" in both.err


def county_table(path: Path, ci: str = "5000.00") -> Path:
    answer = {True: "yes", False: "no"}
    rows = [
        f"{fips},corn,{one.tillage},{answer[one.cover_crop]},{one.timing},{answer[one.inhibitor]},{ci}"
        for fips in COUNTIES
        for one in claimable_combinations(Crop.field_corn)
    ]
    path.write_text("\n".join((",".join(COLUMNS), *rows)) + "\n", encoding="utf-8")
    return path


def test_intensity_by_a_county_table_is_an_estimate_under_its_name_and_hash(call: Call, tmp_path: Path) -> None:
    table = county_table(tmp_path / "table.csv")
    said = call("intensity", BLUESTEM, "--crop", "corn", "--county-table", table, "--json")
    (corn,) = said.document["results"]
    assert (corn["label"], corn["calculator"]) == ("ESTIMATE", "County table table.csv")
    assert corn["version"] == f"sha-256 {sha256(table.read_bytes()).hexdigest()}"
    assert {unit["ci_g_per_bu"] for unit in corn["units"] if unit["credited"]} == {"5000.00"}
    assert corn["national_default_g_per_bu"] == "9000.00"
    assert said.document["county_table_problems"] == []
    assert "ESTIMATE: not an official" in call("intensity", BLUESTEM, "--crop", "corn", "--county-table", table).out


def test_units_are_held_against_the_yields_of_their_counties(call: Call, tmp_path: Path) -> None:
    head = "county_fips,crop,harvest_year,bushels_per_acre\n"
    codes = {}
    (corn,) = call("intensity", BLUESTEM, "--crop", "corn", "--json").document["results"]
    for per_acre, counties in (("20", COUNTIES), ("x", COUNTIES), ("21", ["01001"])):
        rows = [f"{fips},corn,{corn['harvest_year']},{per_acre}\n" for fips in counties]
        file = tmp_path / f"{per_acre}.csv"
        file.write_text(head + "".join(rows), encoding="utf-8")
        said = call("intensity", BLUESTEM, "--crop", "corn", "--county-yields", file, "--json")
        found = [one["code"] for one in said.document["results"][0]["findings"] if "county" in one["code"]]
        codes[per_acre] = (set(found), [one["code"] for one in said.document["county_yields_problems"]])
    refused = ["cell_refused"] * len(COUNTIES)
    assert codes == {"20": ({"yield_above_county"}, []), "x": (set(), refused), "21": (set(), ["no_yields"])}


# ``provender check --map``: fields by what they lack, as a picture and as a page; and how each practice stands.


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """Return the example farm, without the records of its soil."""
    folder = tmp_path / "book"
    shutil.copytree(BLUESTEM, folder)
    (folder / "soil_test.csv").unlink(missing_ok=True)
    return folder


def test_the_map_is_a_picture_and_the_page_lists_what_is_missing(call: Call, book: Path, tmp_path: Path) -> None:
    drawn = [row["unit_id"] for row in load_book(book)["unit"] if row["boundary"]]
    assert drawn
    call("check", book, "--map", tmp_path / "m.svg")
    picture = ET.fromstring((tmp_path / "m.svg").read_text())  # noqa: S314 - our own
    assert all(any(unit in (text or "") for text in picture.itertext()) for unit in drawn)
    call("check", book, "--map", tmp_path / "m.html")
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
