"""``provender audit package``, ``pins`` and ``verify`` as their users call them: files in, answer out."""

import json
import shutil
from datetime import date
from pathlib import Path

import pytest
from openpyxl import load_workbook

from provender.audit.package.layout import Part
from provender.audit.package.write import Allowance, PackageRequest, Subject
from provender.signing.canonical import canonical_json
from provender.signing.jws import rotate, sign
from provender.signing.keys import SigningKey
from provender.signing.transparency import LogTree, mark_of, sign_head
from tests.audit.forge import ADA, EXAMPLE, FARM, REPORT, clean, record
from tests.cli.calling import called as run

VERIFIER = SigningKey.generate()


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """The example farm with its signed report, public keys, and the verifier's request that spares the invoices."""
    shutil.copytree(EXAMPLE, tmp_path / "book")
    (tmp_path / "book" / "calculator_run.csv").write_bytes(
        clean()[record("calculator_run")]
    )  # runs without a report differ
    (tmp_path / "book" / "reports").mkdir(exist_ok=True)
    (tmp_path / "book" / "reports" / "corn.json").write_bytes(clean()[REPORT])
    (tmp_path / "ada.public.json").write_bytes(canonical_json(ADA.public.export()))
    (tmp_path / "verity.public.json").write_bytes(canonical_json(VERIFIER.public.export()))
    below = f"{REPORT.rpartition('reports/')[0]}evidence/seed"
    allowed = (Allowance(Part.EVIDENCE, below, "seen on site"),)
    days = (date(2025, 1, 1), date(2025, 9, 30))
    request = PackageRequest("verity", FARM, Subject.FARM_REPORT, *days, allowed, date(2026, 11, 1))
    (tmp_path / "request.json").write_bytes(canonical_json(sign(request.document(), VERIFIER)))
    return tmp_path


def made(desk: Path, capsys: pytest.CaptureFixture[str], *more: object) -> tuple[int, str, str]:
    keys = ("--pin", f"{FARM}={desk / 'ada.public.json'}")
    return run(capsys, "audit", "package", desk / "book", *keys, "--out", desk / "p.zip", *more)


def pinned(desk: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    pins = [f"{FARM}={desk / 'ada.public.json'}", f"verity={desk / 'verity.public.json'}"]
    assert run(capsys, "audit", "pins", desk / "pins.json", "--pin", pins[0], "--pin", pins[1])[0] == 0
    return desk / "pins.json"


def test_a_farm_packs_and_a_verifier_recomputes_without_network(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert made(desk, capsys)[0] == 0
    status, out, err = run(
        capsys, "verify", desk / "p.zip", "--pinned", pinned(desk, capsys), "--workbooks", desk / "wb"
    )
    assert (status, err) == (0, "")
    assert out.rstrip().endswith("Nothing differs.")
    assert "Walk the machine shed" in " ".join(out.split())
    assert {"BLUESTEM-corn-2025.xlsx", "BLUESTEM-corn-2025-N40.xlsx"} <= {path.name for path in (desk / "wb").iterdir()}
    sheet = load_workbook(desk / "wb" / "BLUESTEM-corn-2025-N40.xlsx").worksheets[1]
    cells = [cell.value for row in sheet.iter_rows() for cell in row]
    assert any(str(cell).startswith("=SUM(") for cell in cells)
    assert 19.905 in cells


def test_what_the_request_allows_is_left_out_and_said(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    below = f"{REPORT.rpartition('reports/')[0]}evidence/"
    asked = ("--request", desk / "request.json", "--leave-out")
    status, out, _ = made(desk, capsys, *asked, f"evidence:{below}seed")
    assert (status, "seen on site" in out) == (0, True)
    assert run(capsys, "verify", desk / "p.zip", "--pinned", pinned(desk, capsys))[0] == 0
    status, _, err = made(desk, capsys, *asked, "evidence")
    assert (status, "does not allow it" in err) == (2, True)
    assert made(desk, capsys, "--leave-out", f"evidence:{below}seed")[0] == 2


def test_the_days_of_keys_come_from_pins_and_from_the_keys(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (desk / "turned.json").write_bytes(canonical_json(rotate(ADA, VERIFIER, on=date(2026, 1, 9))))
    assert made(desk, capsys, "--key-statement", desk / "turned.json")[0] == 0
    status, out, _ = run(capsys, "verify", desk / "p.zip", "--pinned", pinned(desk, capsys))
    assert (status, "its last day was 2026-01-09" in out) == (1, True)
    assert made(desk, capsys)[0] == 0
    for days, well in (("..2026-01-09", False), ("2026-01-10..", True)):
        (desk / "pins.json").unlink(missing_ok=True)
        pin = f"{FARM}={desk / 'ada.public.json'}@{days}"
        assert run(capsys, "audit", "pins", desk / "pins.json", "--pin", pin)[0] == 0
        assert run(capsys, "verify", desk / "p.zip", "--pinned", desk / "pins.json")[0] == (0 if well else 1), days


def test_a_proof_from_a_log_goes_with_the_package_and_is_read(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = desk / "book" / "reports" / "corn.json"
    marks = [mark_of(b"another"), mark_of(report.read_bytes())]
    heads = [sign_head(LogTree(marks[:size]).head("verity", date(2026, 1, 10 + size)), VERIFIER) for size in (1, 2)]
    (desk / "head.json").write_bytes(canonical_json(heads[0]))
    (desk / "proof.json").write_bytes(canonical_json(LogTree(marks).prove(marks[1], heads[1], [1])))
    assert made(desk, capsys, "--log-proof", desk / "proof.json")[0] == 0
    held = ("verify", desk / "p.zip", "--pinned", pinned(desk, capsys), "--held", desk / "head.json")
    status, out, _ = run(capsys, *held)
    assert (status, "in the log verity since 2026-01-12 (2 documents, key of verity)" in out) == (0, True), out
    assert json.loads(run(capsys, *held, "--json")[1])["logged"][0]["held_against"] is True


def test_what_is_no_package_has_status_two(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "p.zip").write_bytes(b"PK no zip")
    status, _, err = run(capsys, "verify", tmp_path / "p.zip")
    assert status == 2
    assert "Traceback" not in err
    assert run(capsys, "verify", tmp_path / "missing.zip")[0] == 2
