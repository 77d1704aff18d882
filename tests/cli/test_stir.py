"""``provender stir``: every answer, and every refusal with place and remedy."""

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from provender.catalog.operations import find_operation
from provender.catalog.tables import rows
from provender.cli.app import run
from provender.cli.stir import app
from provender.problem import ProblemsError

HEADER = ("operation", "speed_mph", "depth_in", "surface_pct")


def write(path: Path, *lines: tuple[str, ...], header: tuple[str, ...] = HEADER) -> Path:
    file = path / "passes.csv"
    with file.open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream).writerows([header, *lines])
    return file


def answer(file: Path) -> tuple[int, Any]:
    result = CliRunner().invoke(app, [str(file), "--json"])
    return result.exit_code, json.loads(result.stdout)


def refused(file: Path) -> str:
    with pytest.raises(ProblemsError) as caught:
        run(["stir", str(file), "--json"])
    return str(caught.value)


def test_every_row_of_the_published_list_comes_back_with_its_published_value(tmp_path: Path) -> None:
    published = [row for row in rows("stir_operations.csv") if row["tillage_type"] and row["several_tools"] == "no"]
    status, found = answer(write(tmp_path, *((row["operation"].upper(),) for row in published), header=("operation",)))
    assert status == 0
    for row, one in zip(published, found["passes"], strict=True):
        assert abs(one["stir"] - float(row["stir"])) <= 0.000_500_001, row["operation"]


def test_the_total_is_the_exact_sum_written_as_a_decimal(tmp_path: Path) -> None:
    status, found = answer(
        write(tmp_path, ("drill or airseeder, double disk, w/ fluted coulters",), header=("operation",))
    )
    assert (status, found["total"], found["known_total"]) == (0, 7.15, 7.15)
    three = [("Planter, double disk opnr",)] * 3
    assert answer(write(tmp_path, *three, header=("operation",)))[1]["total"] == 7.3125


def test_recorded_values_replace_the_list_s_and_blank_ones_do_not(tmp_path: Path) -> None:
    file = write(tmp_path, ("Cultivator, field 6-12 in sweeps", "7", "", ""), ("Do all", "5", " ", ""))
    status, found = answer(file)
    assert status == 0
    assert [one["stir"] for one in found["passes"]] == [36.4, 67.0312]
    assert [one["stir_published"] for one in found["passes"]] == [26, 53.625]
    assert found["total"] == 103.4312
    assert found["limits"] == {
        "no_till": {"limit": 20, "total_is": "above"},
        "reduced_till": {"limit": 80, "total_is": "above"},
    }


@pytest.mark.parametrize(
    ("depth", "total", "no_till"),
    [("2.8", 20, "at most"), ("2.799", 19.9935, "at most"), ("2.801", 20.0065, "above"), ("", 34.3, "above")],
)
def test_the_limit_of_twenty_at_and_beside_it_and_listed(
    tmp_path: Path, depth: str, total: float, no_till: str
) -> None:
    # 1.625 x 5 mph x 0.8 x 2.8 in = 18.2; twelve passes of 0.15 make up 1.8.
    sprayings = [("Sprayer, post emergence", "", "", "")] * 12
    status, found = answer(write(tmp_path, ("Chisel, st. pt. 5 in deep", "5", depth, "100"), *sprayings))
    assert (status, found["total"]) == (0, total)
    assert found["limits"]["no_till"] == {"limit": 20, "total_is": no_till}


def test_an_unknown_operation_leaves_the_total_open_and_names_near_ones(tmp_path: Path) -> None:
    status, found = answer(write(tmp_path, ("Disk, tandem secondry op.",), ("Rodweeder",), header=("operation",)))
    assert status == 1
    assert (found["total"], found["known_total"], found["unknown_passes"]) == (None, 17.0625, 1)
    assert found["limits"]["no_till"]["total_is"] == "not shown"
    (problem,) = found["problems"]
    assert problem["code"] == "unknown_operation"
    assert problem["place"]["row"] == 2
    assert "Disk, tandem secondary op." in problem["remedy"]


def test_known_passes_above_a_limit_settle_it_though_another_is_unknown(tmp_path: Path) -> None:
    _, found = answer(write(tmp_path, ("no such thing",), ("Plow, moldboard",), header=("operation",)))
    assert found["limits"]["no_till"]["total_is"] == "above"
    assert found["limits"]["reduced_till"]["total_is"] == "not shown"


@pytest.mark.parametrize(
    ("cell", "code"),
    [
        ("fast", "unreadable_number"),
        ("4,5", "unreadable_number"),
        ("4.00001", "unreadable_number"),
        ("NaN", "unreadable_number"),
        ("1e3", "unreadable_number"),
        ("-4", "out_of_range"),
        ("40.001", "out_of_range"),
        ("999999999999999", "out_of_range"),
    ],
)
def test_a_bad_number_is_a_problem_with_its_row_and_column(tmp_path: Path, cell: str, code: str) -> None:
    status, found = answer(write(tmp_path, ("Rodweeder", cell, "", "")))
    assert status == 1
    assert found["total"] is None
    (problem,) = found["problems"]
    assert (problem["code"], problem["place"]["row"], problem["place"]["column"]) == (code, 2, "speed_mph")


def test_zero_is_not_recorded_and_asks_to_be_confirmed(tmp_path: Path) -> None:
    status, found = answer(write(tmp_path, ("Rodweeder", "0", "0", "0")))
    assert (status, found["total"]) == (1, 17.0625)
    assert {problem["code"] for problem in found["problems"]} == {"zero_not_recorded"}


def test_the_depth_of_an_implement_of_several_tools_is_its_deepest_gang_s(tmp_path: Path) -> None:
    status, found = answer(write(tmp_path, ("Do all", "", "6", "")))
    assert (status, found["total"], found["problems"]) == (0, 53.625 + 10.4, [])


def test_a_share_that_changes_nothing_is_told(tmp_path: Path) -> None:
    status, found = answer(write(tmp_path, ("Do all", "", "", "50")))
    assert (status, found["total"]) == (0, 53.625)
    assert found["problems"][0]["code"] == "several_tools"


def test_a_row_without_a_name_or_with_too_many_cells_is_a_problem(tmp_path: Path) -> None:
    status, found = answer(write(tmp_path, ("", "5", "", ""), ("Disk", "offset", "heavy", "", "3")))
    assert status == 1
    codes = {problem["code"] for problem in found["problems"]}
    assert {"missing_operation", "extra_cells", "unknown_operation"} <= codes


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "empty"),
        (b"\n\n  \n", "empty"),
        (b"operation\n", "no passes"),
        (b"name,speed_mph\nRodweeder,5\n", "column operation is missing"),
        (b"operation,depth\nRodweeder,5\n", "Did you mean depth_in"),
        (b"operation,speed\nRodweeder,5\n", "Did you mean speed_mph"),
        (b"operation,operation\nRodweeder,Rodweeder\n", "twice"),
        (b"\xff\xfeo\x00p", "utf-16"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_with_a_remedy(tmp_path: Path, content: bytes, says: str) -> None:
    file = tmp_path / "bad.csv"
    file.write_bytes(content)
    assert says in refused(file)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    assert "cannot be read" in refused(tmp_path / "nothing.csv")


def test_a_column_of_another_purpose_is_left_alone_and_told(tmp_path: Path) -> None:
    file = write(tmp_path, ("Rodweeder", "1 May"), header=(" Operation ", "date"))
    status, found = answer(file)
    assert (status, found["total"]) == (0, 17.0625)
    assert found["problems"][0]["code"] == "unused_column"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_other_encodings_and_semicolons_are_read(tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "passes.csv"
    file.write_bytes('operation;speed_mph\n"Disk, offset, heavy";5\n'.encode(encoding))
    assert answer(file)[1]["total"] == 39


def test_people_see_the_working_the_sum_and_the_limits(tmp_path: Path) -> None:
    file = write(tmp_path, ("Disk, offset, heavy", "", "", ""), ("Sprayer, kill crop", "", "", ""))
    result = CliRunner().invoke(app, [str(file), "--as-of", "2026-01-31"], env={"COLUMNS": "140"})
    seen = re.sub(r"\s+", " ", result.stdout)
    assert "1.625 x 5 mph x 0.80 x 6 in x 100 %" in seen
    assert "39.15" in seen
    assert "No-till: the sum is above the limit of 20." in seen
    assert "Reduced till: the sum is within the limit of 80." in seen
    assert "full-width disturbance: rows 2." in seen


def test_the_list_prints_every_name() -> None:
    result = CliRunner().invoke(app, ["--list", "--json"])
    found = json.loads(result.stdout)
    assert all(find_operation(one["operation"]) for one in found)
    assert len(found) == 447
