"""``provender rule`` and ``provender model``, as a person and as a machine call them."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from provender.cli import app
from provender.cli.app import call as call_printed
from provender.cli.app import run
from provender.problem import ProblemsError
from tests.conformance.kit import workbook


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Run ``provender rule`` and return status, output and errors."""
    try:
        status = app.run(["rule", *arguments])
    except SystemExit as left:
        status = int(left.code or 0)
    said = capsys.readouterr()
    return status, said.out, said.err


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    """Run ``provender rule ... --json`` and return its document."""
    status, out, _ = call(capsys, *arguments, "--json")
    assert status == 0
    found: dict[str, Any] = json.loads(out)
    return found


def test_show_prints_what_a_paragraph_says_and_what_answers_it(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capsys, "show", "2100.051(b)(1)")
    assert status == 0
    assert out.startswith("7 CFR 2100.051(b)(1)  Tillage management")
    assert "no_till_stir_max" in out
    assert "requirement no_till_stir_within_limit" in " ".join(out.split())


def test_show_gives_machines_force_parameters_answers_and_children(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "show", "7 CFR 2100.053(d)(1)")
    assert (found["cite"], found["force"], found["children"]) == ("2100.053(d)(1)", "must", [])
    assert {"kind": "requirement", "name": "split_post_emergence_share"} in found["answers"]
    share = next(one for one in found["parameters"] if one["name"] == "split_post_emergence_pct_min")
    assert share["values"] == [{"start": "2025-01-17", "value": "75"}]
    assert share["reading"] is None
    assert answer(capsys, "show", "2100.053(d)")["children"] == ["2100.053(d)(1)", "2100.053(d)(2)"]


@pytest.mark.parametrize(
    ("day", "number", "later"),
    [("2025-01-16", "none on 2025-01-16", False), ("2025-01-17", "20 STIR", False), ("2026-07-28", "20 STIR", False),
     ("2026-07-29", "20 STIR", True)],
)  # fmt: skip
def test_show_gives_numbers_for_a_crop(
    day: str, number: str, *, later: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, _ = call(capsys, "show", "2100.051(b)(1)", "--as-of", day)
    assert status == 0
    assert f"no-till: {number}" in " ".join(out.split())
    assert ("later rule in force" in " ".join(out.split())) is later
    assert answer(capsys, "show", "2100.051(b)(1)", "--as-of", day)["as_of"] == day


def test_show_knows_definitions_by_their_term(capsys: pytest.CaptureFixture[str]) -> None:
    assert answer(capsys, "show", '2100.002 "Crop interval"')["force"] == "definition"


@pytest.mark.parametrize("citation", ["2100.053(g)", '2100.002 "STIR"', "2100.51(b)(1)"])
def test_an_unknown_paragraph_is_refused_with_the_nearest(capsys: pytest.CaptureFixture[str], citation: str) -> None:
    status, out, err = call(capsys, "show", citation)
    assert (status, out) == (2, "")
    assert "The nearest: 2100." in err


def test_nonsense_says_how_to_write_a_citation(capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = call(capsys, "show", "zzz")
    assert status == 2
    assert "Write it like 2100.051(b)(1)." in err
    assert "nearest" not in err


def test_coverage_counts_every_section_and_names_what_is_not_modelled(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capsys, "coverage")
    assert status == 0
    assert "2100.053" in out
    assert "2100.053(d)(2)" in out


def test_coverage_gives_machines_the_same_counts(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "coverage")
    assert found["paragraphs"] == sum(one["paragraphs"] for one in found["sections"]) == 224
    alone = sum(len(one["paragraphs"]) for one in found["not_modelled"].values())
    assert alone == sum(number for one in found["sections"] for number in one["not_modelled"].values())


# The calculators that lists know are told, each version once.


def test_every_listed_version_is_told_once(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        call_printed(["rule", "calculators", "--json"])
    assert not ended.value.code
    told = json.loads(capsys.readouterr().out)
    assert len(told) == len({(one["calculator"], one["version"]) for one in told}) > 1


# ``provender model argonne-2021`` as a machine and as a person calls it.

VECTORS = workbook()


def call_model(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    try:
        status = run(["model", "argonne-2021", *arguments])
    except SystemExit as left:
        status = int(left.code or 0)
    except ProblemsError as refused:
        return 2, "", str(refused)
    said = capsys.readouterr()
    return status, said.out, said.err


def write(folder: Path, rows: object) -> str:
    path = folder / "rows.json"
    path.write_text(json.dumps(rows), encoding="utf-8")
    return str(path)


def test_the_vectors_come_back_as_json_with_every_line_item(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status, out, err = call_model(capsys, write(tmp_path, VECTORS), "--json")
    assert (status, err) == (0, "")
    answers: list[dict[str, Any]] = json.loads(out)
    assert [list(answer) for answer in answers] == [["id", "outputs"]] * len(VECTORS)
    for answer, vector in zip(answers, VECTORS, strict=True):
        assert answer["id"] == vector["id"]
        assert list(answer["outputs"]) == list(vector["outputs"])
        for name, value in vector["outputs"].items():
            assert answer["outputs"][name] == (None if value is None else pytest.approx(value, rel=1e-6, abs=0))


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


def test_a_note_does_not_change_the_status(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = write(tmp_path, [{"id": "a", "crop": "sorghum", "inputs": {}, "remark": "dry year"}])
    assert call_model(capsys, path, "--json")[0] == 0


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[",
        b"3",
        b"{}",
        b"\xff\xfe[\x00]\x00",
        b'[{"id": "a", "id": "b"}]',
        b'["\\ud800"]',
        b"[" * 100_000,
        b"[1" + b"0" * 5000 + b"]",
    ],
    ids=["empty", "cut off", "number", "no rows", "utf-16", "name twice", "half a pair", "nested", "digits"],
)
def test_a_file_of_no_use_has_status_two(capsys: pytest.CaptureFixture[str], tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "rows.json"
    path.write_bytes(content)
    status, _, err = call_model(capsys, str(path), "--json")
    assert status == 2
    assert "rows.json" in err


def test_a_missing_file_and_a_folder_end_with_status_two(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert call_model(capsys, str(tmp_path / "none.json"))[0] == 2
    assert call_model(capsys, str(tmp_path))[0] == 2


def test_a_byte_order_mark_does_no_harm(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "rows.json"
    path.write_text('[{"id": "a", "crop": "sorghum", "inputs": {}}]', encoding="utf-8-sig")
    assert call_model(capsys, str(path), "--json")[0] == 0


def test_the_program_itself_returns_status_two_without_a_traceback(tmp_path: Path) -> None:
    done = subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", "from provender.cli import main; main()", "model", "argonne-2021", str(tmp_path / "no")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "cannot be read" in done.stderr
    assert "Traceback" not in done.stderr
