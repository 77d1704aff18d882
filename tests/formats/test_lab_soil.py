"""Modus results become soil tests, or are refused with place and remedy."""

import json
from pathlib import Path
from typing import Any

import pytest

from provender.formats.child import parse_limited
from provender.formats.labs import read_lab_soil
from provender.formats.mapped_table import MappedTable
from provender.formats.parsed import Parsed
from tests.formats.conftest import Write
from tests.formats.told import codes
from tests.formats.workbooks import zipped

TODAY = "2026-11-21"


def results(
    *found: tuple[str, object, str], bottom: object = 8, top: object = 0, unit: str = "in", day: str = "2026-05-14"
) -> dict[str, Any]:
    nutrients = [{"Element": element, "Value": value, "ValueUnit": unit_} for element, value, unit_ in found]
    depths = [{"DepthID": "1", "StartingDepth": top, "EndingDepth": bottom, "DepthUnit": unit}]
    samples = [{"SampleMetaData": {"SampleNumber": "7"}, "Depths": [{"DepthID": "1", "NutrientResults": nutrients}]}]
    event = {
        "EventMetaData": {"EventDate": day},
        "LabMetaData": {"LabName": "Lab"},
        "EventSamples": {"Soil": {"DepthRefs": depths, "SoilSamples": samples}},
    }
    return {"Events": [event]}


def read(write: Write, document: object) -> Parsed[MappedTable]:
    text = document if isinstance(document, str) else json.dumps(document)
    return read_lab_soil(write("m.json", text), "m.json", as_of=TODAY)


def row(parsed: Parsed[MappedTable]) -> dict[str, str]:
    assert parsed.result is not None
    return parsed.result.rows[0].values


def test_values_come_in_the_units_of_the_record(write: Write) -> None:
    found = (("pH", 6.5, "none"), ("OM", 2.8, "%"), ("P", 0.004, "%"), ("K", 150, "mg/kg"), ("Zn", 1, "ppm"))
    parsed = read(write, results(*found, bottom=20, unit="cm"))
    assert row(parsed) == {"soil_test_id": "7", "laboratory": "Lab", "sampled_on": "2026-05-14", "depth_in": "7.874",
                           "ph": "6.5", "organic_matter_pct": "2.8", "p_ppm": "40", "k_ppm": "150"}  # fmt: skip
    assert parsed.problems == ()


@pytest.mark.parametrize(
    ("result", "code"), [(("P", value, unit), "unreadable_result") for value, unit in
                         ((40, "lb/ac"), ("<5", "ppm"), ("high", "ppm"))] + [(("pH", 6, "ppm"), "unreadable_result")]
)  # fmt: skip
def test_a_value_that_cannot_be_used_is_told_and_left_out(
    write: Write, result: tuple[str, object, str], code: str
) -> None:
    parsed = read(write, results(("K", 150, "ppm"), result))
    assert codes(parsed) == [code]
    assert row(parsed)["k_ppm"] == "150"
    assert "p_ppm" not in row(parsed)


EVIL = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "b">]><ModusResult>&a;</ModusResult>'


@pytest.mark.parametrize(
    "document",
    [{}, [], {"Events": None}, {"Events": [3]}, {"Events": [{"EventSamples": {"Soil": []}}]}, "null", "{", "<a/>",
     "<ModusResult>", EVIL],
)  # fmt: skip
def test_a_file_without_soil_results_is_refused(write: Write, document: object) -> None:
    parsed = read(write, document)
    assert parsed.result is None
    assert parsed.problems[0].remedy
    assert document != EVIL or codes(parsed) == ["xml_entities"]


def test_a_sample_from_below_the_surface_is_asked_about_and_a_result_inside_a_zip_found(write: Write) -> None:
    assert codes(read(write, results(("P", 40, "ppm"), top=6, bottom=24))) == ["deep_sample"]
    path = write("m.zip", zipped({"lab/m.json": json.dumps(results(("P", 40, "ppm")))}))
    assert row(read_lab_soil(path, "m.zip", as_of=TODAY))["p_ppm"] == "40"


@pytest.mark.parametrize(
    ("day", "code"), [(TODAY, None), ("2026-11-22", "future_day"), ("03/04/2026", "unreadable_day"), ("", None)]
)
def test_a_day_to_come_or_of_two_meanings_is_not_taken(write: Write, day: str, code: str | None) -> None:
    parsed = read(write, results(("P", 40, "ppm"), day=day))
    assert codes(parsed) == ([code] if code else [])
    assert ("sampled_on" in row(parsed)) == (day == TODAY)


def test_the_dates_of_2076_are_told_and_the_values_kept(kept: Path) -> None:
    parsed = parse_limited("lab_soil", kept / "modus" / "MODUS_RESULT_SOIL_DATA_EXAMPLE.xml", as_of=TODAY)
    table = parsed.result
    assert isinstance(table, MappedTable)
    assert len(table.rows) == 4
    assert table.rows[0].values == {
        "soil_test_id": "F76001-2222-1", "unit_id": "FIELD NAME", "laboratory": "A & L Great Lakes Laboratories",
        "method": "S-P-B1-1:10.01.03", "depth_in": "7", "ph": "7", "organic_matter_pct": "2.8", "p_ppm": "90",
        "k_ppm": "198", "nitrate_n_ppm": "16",
    }  # fmt: skip
    found = [problem.code for problem in parsed.problems]
    assert found == ["sampled_or_received", "several_methods"] + ["future_day"] * 4


@pytest.mark.parametrize("name", ["MODUS_RESULT_PLANT_DATA_EXAMPLE.xml", "MODUS_SUBMIT_SOIL_EXAMPLE.xml"])
def test_plant_results_and_submissions_are_refused_with_a_remedy(kept: Path, name: str) -> None:
    parsed = parse_limited("lab_soil", kept / "modus" / name, as_of=TODAY)
    assert [problem.code for problem in parsed.problems] == ["no_soil_results"]


def test_the_json_form_and_the_laboratorys_own_sheet_agree(kept: Path) -> None:
    parsed = read_lab_soil(kept / "modus" / "SO2223-430SO2223430_1.json", "m.json", as_of=TODAY)
    assert parsed.problems == ()
    assert row(parsed) == {"soil_test_id": "Old Berlin 1", "sampled_on": "2022-07-08", "depth_in": "8", "ph": "6.18",
                           "k_ppm": "66.726", "p_ppm": "80.484"}  # fmt: skip


@pytest.mark.samples
def test_samples_at_two_depths_are_rows_of_their_own(samples: Path) -> None:
    path = samples / "modus" / "fixing-soil-health-2022_sourcedataLab1_1.json"
    parsed = read_lab_soil(path, path.name, as_of=TODAY)
    assert parsed.result is not None
    assert len(parsed.result.rows) == 375
    assert codes(parsed) == ["deep_sample", "no_values"]
