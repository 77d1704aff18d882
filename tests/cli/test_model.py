"""``provender model argonne-2021`` as a machine and as a person calls it."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from provender.cli.app import run
from provender.problem import ProblemsError
from tests.conformance.kit import workbook

VECTORS = workbook()


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
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
    status, out, err = call(capsys, write(tmp_path, VECTORS), "--json")
    assert (status, err) == (0, "")
    answers: list[dict[str, Any]] = json.loads(out)
    assert [list(answer) for answer in answers] == [["id", "outputs"]] * len(VECTORS)
    for answer, vector in zip(answers, VECTORS, strict=True):
        assert answer["id"] == vector["id"]
        assert list(answer["outputs"]) == list(vector["outputs"])
        for name, value in vector["outputs"].items():
            assert answer["outputs"][name] == (None if value is None else pytest.approx(value, rel=1e-6, abs=0))


def test_the_table_for_people_says_estimate_on_every_page(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status, out, _ = call(capsys, write(tmp_path, VECTORS), "--lines")
    assert status == 0
    assert out.count("estimate, not USDA FD-CIC") == 1 + 31
    assert "6,757.73" in out
    assert "no value" in out


def test_a_refused_row_leaves_the_others_and_the_status_one(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    rows = [
        {"id": "[/red]\x1b[31m", "crop": "corn", "inputs": {"yield_bu_per_ac": 0}},
        {"id": "good", "crop": "sorghum", "inputs": {}},
    ]
    status, out, err = call(capsys, write(tmp_path, rows), "--json")
    refused, good = json.loads(out)
    assert status == 1
    assert refused["outputs"] is None
    assert refused["problems"][0]["place"]["row"] == 1
    assert good["outputs"]["ci_with_soc"] == pytest.approx(6836.058883)
    assert "row 1, column yield_bu_per_ac" in err
    status, out, _ = call(capsys, write(tmp_path, rows))
    assert status == 1
    assert "refused" in out
    assert "\x1b[31m" not in out


def test_a_note_does_not_change_the_status(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = write(tmp_path, [{"id": "a", "crop": "sorghum", "inputs": {}, "remark": "dry year"}])
    assert call(capsys, path, "--json")[0] == 0


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
def test_a_file_that_cannot_be_used_ends_with_status_two(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "rows.json"
    path.write_bytes(content)
    status, _, err = call(capsys, str(path), "--json")
    assert status == 2
    assert "rows.json" in err


def test_a_file_that_is_not_there_and_a_folder_end_with_status_two(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert call(capsys, str(tmp_path / "none.json"))[0] == 2
    assert call(capsys, str(tmp_path))[0] == 2


def test_a_byte_order_mark_does_no_harm(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "rows.json"
    path.write_text('[{"id": "a", "crop": "sorghum", "inputs": {}}]', encoding="utf-8-sig")
    assert call(capsys, str(path), "--json")[0] == 0


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
