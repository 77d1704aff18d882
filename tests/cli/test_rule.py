"""``provender rule``, ``model`` and ``stir`` as a person and as a machine call them; tables on screen and in files."""

import csv
import io
import json
import re
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

import openpyxl
import pytest
from rich.console import Console
from typer.testing import CliRunner

from provender.cli.app import run
from provender.cli.intensity import units_table
from provender.cli.model import stir_app
from provender.cli.output import print_table, save
from provender.paper.tables import Cell, Column, Table, amount
from provender.paper.tables import as_csv as csv_of
from provender.problem import ProblemsError
from tests.cli.calling import called
from tests.conformance.kit import workbook
from tests.report.official import judged, official_rows, quantified
from tests.rows import CaseRows

ROWS: Final = CaseRows(__file__)


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    return called(capsys, "rule", *arguments)


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    status, out, _ = call(capsys, *arguments, "--json")
    assert status == 0
    found: dict[str, Any] = json.loads(out)
    return found


def test_show_gives_text_to_people_and_parameters_to_machines(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capsys, "show", "2100.051(b)(1)")
    assert status == 0
    assert out.startswith("7 CFR 2100.051(b)(1)  Tillage management")
    assert "no_till_stir_max" in out
    assert "requirement no_till_stir_within_limit" in " ".join(out.split())
    found = answer(capsys, "show", "7 CFR 2100.053(d)(1)")
    assert (found["cite"], found["force"], found["children"]) == ("2100.053(d)(1)", "must", [])
    assert {"kind": "requirement", "name": "split_post_emergence_share"} in found["answers"]
    share = next(one for one in found["parameters"] if one["name"] == "split_post_emergence_pct_min")
    assert share["values"] == [{"start": "2025-01-17", "value": "75"}]
    assert share["reading"] is None
    assert answer(capsys, "show", "2100.053(d)")["children"] == ["2100.053(d)(1)", "2100.053(d)(2)"]


@ROWS
def test_show_gives_numbers_for_a_crop(
    day: str, number: str, *, later: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, _ = call(capsys, "show", "2100.051(b)(1)", "--as-of", day)
    assert status == 0
    assert f"no-till: {number}" in " ".join(out.split())
    assert ("later rule in force" in " ".join(out.split())) is later
    assert answer(capsys, "show", "2100.051(b)(1)", "--as-of", day)["as_of"] == day


def test_an_unknown_paragraph_is_refused_with_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = call(capsys, "show", "2100.053(g)")
    assert (status, out, "The nearest: 2100." in err) == (2, "", True)
    status, _, err = call(capsys, "show", "zzz")
    assert (status, "Write it like 2100.051(b)(1)." in err, "nearest" in err) == (2, True, False)


# ``provender model argonne-2021`` as a machine and as a person calls it.

VECTORS = workbook()


def call_model(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    return called(capsys, "model", "argonne-2021", *arguments)


def write(folder: Path, rows: object) -> str:
    path = folder / "rows.json"
    path.write_text(json.dumps(rows), encoding="utf-8")
    return str(path)


def test_the_table_for_people_says_estimate_on_every_page(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status, out, _ = call_model(capsys, write(tmp_path, VECTORS), "--lines")
    assert status == 0
    assert out.count("estimate, not USDA FD-CIC") == 1 + 31
    assert "6,757.73" in out
    assert "no value" in out


def test_a_refused_row_leaves_the_others_and_the_status_one(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    rows = [
        {"id": "[/red]\x1b[31m", "crop": "corn", "inputs": {"yield_bu_per_ac": 0}},
        {"id": "good", "crop": "sorghum", "inputs": {}},
    ]
    status, out, err = call_model(capsys, write(tmp_path, rows), "--json")
    refused, good = json.loads(out)
    assert status == 1
    assert refused["outputs"] is None
    assert refused["problems"][0]["place"]["row"] == 1
    assert good["outputs"]["ci_with_soc"] == pytest.approx(6836.058883)
    assert "row 1, column yield_bu_per_ac" in err
    status, out, _ = call_model(capsys, write(tmp_path, rows))
    assert status == 1
    assert "refused" in out
    assert "\x1b[31m" not in out


def test_files_of_no_use_and_folders_have_status_two(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "rows.json"
    for content in (b"", b"3", b"{}", b"\xff\xfe[\x00]\x00", b'[{"id": "a", "id": "b"}]', b"[" * 100_000):
        path.write_bytes(content)
        status, _, err = call_model(capsys, str(path), "--json")
        assert (status, "rows.json" in err) == (2, True), content[:30]
    assert call_model(capsys, str(tmp_path / "none.json"))[0] == 2
    assert call_model(capsys, str(tmp_path))[0] == 2


PASS_HEADER = ("operation", "speed_mph", "depth_in", "surface_pct")


def passes(path: Path, *lines: tuple[str, ...], header: tuple[str, ...] = PASS_HEADER) -> Path:
    file = path / "passes.csv"
    with file.open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream).writerows([header, *lines])
    return file


def stir_of(file: Path) -> tuple[int, Any]:
    result = CliRunner().invoke(stir_app, [str(file), "--json"])
    return result.exit_code, json.loads(result.stdout)


def refused(file: Path) -> str:
    with pytest.raises(ProblemsError) as caught:
        run(["stir", str(file), "--json"])
    return str(caught.value)


def test_the_total_is_the_exact_sum_written_as_a_decimal(tmp_path: Path) -> None:
    status, found = stir_of(
        passes(tmp_path, ("drill or airseeder, double disk, w/ fluted coulters",), header=("operation",))
    )
    assert (status, found["total"], found["known_total"]) == (0, 7.15, 7.15)
    three = [("Planter, double disk opnr",)] * 3
    assert stir_of(passes(tmp_path, *three, header=("operation",)))[1]["total"] == 7.3125


@pytest.mark.parametrize(
    ("depth", "total", "no_till"),
    [("2.8", 20, "at most"), ("2.799", 19.9935, "at most"), ("2.801", 20.0065, "above"), ("", 34.3, "above")],
)
def test_the_limit_of_twenty_at_and_beside_it(tmp_path: Path, depth: str, total: float, no_till: str) -> None:
    # 1.625 x 5 mph x 0.8 x 2.8 in = 18.2; twelve passes of 0.15 make up 1.8.
    sprayings = [("Sprayer, post emergence", "", "", "")] * 12
    status, found = stir_of(passes(tmp_path, ("Chisel, st. pt. 5 in deep", "5", depth, "100"), *sprayings))
    assert (status, found["total"]) == (0, total)
    assert found["limits"]["no_till"] == {"limit": 20, "total_is": no_till}


def test_an_unknown_operation_leaves_the_total_open_and_names_near_ones(tmp_path: Path) -> None:
    status, found = stir_of(passes(tmp_path, ("Disk, tandem secondry op.",), ("Rodweeder",), header=("operation",)))
    assert status == 1
    assert (found["total"], found["known_total"], found["unknown_passes"]) == (None, 17.0625, 1)
    assert found["limits"]["no_till"]["total_is"] == "not shown"
    (problem,) = found["problems"]
    assert problem["code"] == "unknown_operation"
    assert problem["place"]["row"] == 2
    assert "Disk, tandem secondary op." in problem["remedy"]


def test_known_passes_above_a_limit_settle_it_though_another_is_unknown(tmp_path: Path) -> None:
    _, found = stir_of(passes(tmp_path, ("no such thing",), ("Plow, moldboard",), header=("operation",)))
    assert found["limits"]["no_till"]["total_is"] == "above"
    assert found["limits"]["reduced_till"]["total_is"] == "not shown"


@pytest.mark.parametrize(
    ("cell", "code"), [("4,5", "unreadable_number"), ("4.00001", "unreadable_number"), ("40.001", "out_of_range")]
)
def test_a_bad_number_is_a_problem_with_its_row_and_column(tmp_path: Path, cell: str, code: str) -> None:
    status, found = stir_of(passes(tmp_path, ("Rodweeder", cell, "", "")))
    assert status == 1
    assert found["total"] is None
    (problem,) = found["problems"]
    assert (problem["code"], problem["place"]["row"], problem["place"]["column"]) == (code, 2, "speed_mph")


@pytest.mark.parametrize(
    ("rows", "header", "status", "total", "codes"),
    [
        ([("Rodweeder", "0", "0", "0")], PASS_HEADER, 1, 17.0625, {"zero_not_recorded"}),
        ([("Do all", "", "", "50")], PASS_HEADER, 0, 53.625, {"several_tools"}),
        ([("Rodweeder", "1 May")], (" Operation ", "date"), 0, 17.0625, {"unused_column"}),
        (
            [("", "5", "", ""), ("Disk", "offset", "heavy", "", "3")], PASS_HEADER, 1, None,
            {"missing_operation", "extra_cells", "unknown_operation"},
        ),
    ],
    ids=["zero is not recorded", "a share that changes nothing", "a column of another purpose", "no name, more cells"],
)  # fmt: skip
def test_what_is_odd_about_a_row_is_told_and_counted_as_it_can_be(
    tmp_path: Path, rows: list[tuple[str, ...]], header: tuple[str, ...], status: int, total: float | None,
    codes: set[str],
) -> None:  # fmt: skip
    ended, found = stir_of(passes(tmp_path, *rows, header=header))
    assert (ended, found["total"]) == (status, total)
    assert codes <= {problem["code"] for problem in found["problems"]}


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"\n\n  \n", "empty"),
        (b"operation\n", "no passes"),
        (b"name,speed_mph\nRodweeder,5\n", "column operation is missing"),
        (b"operation,depth\nRodweeder,5\n", "Did you mean depth_in"),
        (b"operation,operation\nRodweeder,Rodweeder\n", "twice"),
        (b"\xff\xfeo\x00p", "utf-16"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_with_a_remedy(tmp_path: Path, content: bytes, says: str) -> None:
    file = tmp_path / "bad.csv"
    file.write_bytes(content)
    assert says in refused(file)
    assert "cannot be read" in refused(tmp_path / "nothing.csv")


def test_people_see_the_working_the_sum_and_the_limits(tmp_path: Path) -> None:
    file = passes(tmp_path, ("Disk, offset, heavy", "", "", ""), ("Sprayer, kill crop", "", "", ""))
    result = CliRunner().invoke(stir_app, [str(file), "--as-of", "2026-01-31"], env={"COLUMNS": "140"})
    seen = re.sub(r"\s+", " ", result.stdout)
    assert "1.625 x 5 mph x 0.80 x 6 in x 100 %" in seen
    assert "39.15" in seen
    assert "No-till: the sum is above the limit of 20." in seen
    assert "Reduced till: the sum is within the limit of 80." in seen
    assert "full-width disturbance: rows 2." in seen


COLUMNS = (Column("unit"), Column("bushels, bu", "bushels", number=True))
DAY = date(2025, 12, 20)


def table(*rows: list[Cell | str], name: str = "units", totals: int = 0) -> Table:
    return Table(name, COLUMNS, rows, caption="Units", totals=totals)


def as_csv(shown: Table) -> str:
    return csv_of(shown).decode("utf-8-sig")


def screen(shown: Table, width: int = 80) -> str:
    out = io.StringIO()
    print_table(Console(file=out, width=width), shown)
    return out.getvalue()


def test_screens_group_digits_keep_places_break_no_number_and_files_do_not() -> None:
    shown = table(["N40", amount(12_345_500)])
    assert "12,345.5" in screen(shown)
    assert as_csv(shown).splitlines() == ['unit,"bushels, bu"', "N40,12345.5"]
    assert amount(850_000, 2, places=2).saved == Decimal("8500.00")
    assert as_csv(table(["N40", amount(850_000, 2, places=2)])).splitlines()[1] == "N40,8500.00"
    plain, summed = (screen(table(["N40", "1"], ["Farm", "1"], totals=totals)) for totals in (0, 1))
    assert len(summed.splitlines()) == len(plain.splitlines()) + 1
    words = "one two three four five six seven eight nine ten"
    lines = screen(table([words, amount(123_456_789_000)]), width=40).splitlines()
    assert any("123,456,789" in line for line in lines)
    assert all(any(word in line for line in lines) for word in words.split())
    assert all(len(line) <= 40 for line in lines)
    units = units_table(quantified(judged(official_rows())))
    assert all(isinstance(row[1], Cell) and row[1].saved == 2025 for row in units.rows)
    assert units.columns[1].number


def test_several_tables_become_files_or_sheets_and_one_that_cannot_be_written_a_problem(tmp_path: Path) -> None:
    two = [table(["N40", amount(1500)]), table(["E80", ""], name="other units")]
    wanted = tmp_path / "new" / "out.csv"
    written = save(two, csv=wanted, xlsx=tmp_path / "out.xlsx", title="Units", as_of=DAY)
    assert written == [wanted, tmp_path / "new" / "out-other-units.csv", tmp_path / "out.xlsx"]
    book = openpyxl.load_workbook(tmp_path / "out.xlsx")
    assert book.sheetnames == ["units", "other units"]
    assert [cell.value for cell in book["units"][2]] == ["N40", 1.5]
    (tmp_path / "taken").mkdir()
    with pytest.raises(ProblemsError, match="cannot be written"):
        save([table()], csv=tmp_path / "taken", xlsx=None, title="Units", as_of=DAY)
