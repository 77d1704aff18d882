"""``provender report`` and ``provender signature`` as a farm and its buyer use them."""

import json
import shutil
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from provender.cli.app import run
from provender.cli.book import report as make
from provender.cli.output import today
from provender.problem import ProblemsError
from provender.records.folder import save_book
from provender.report.typ import TYP
from provender.report.versions import document_of, read_report, stem, write_both
from provender.signing.jws import revoke, sign
from provender.signing.keys import SigningKey
from tests.report.official import LIST, official_rows, report_of
from tests.standards.season import Rows, book_of, changed, draw

# What the module shares is costly: one worker makes it.
pytestmark = pytest.mark.xdist_group("desk of a report")

PASSPHRASE = "four unrelated words here"  # noqa: S105 - made for the test
DAY = ("--as-of", "2026-01-15")
REPORT = Path("out") / "F1-corn-2025-v1.json"
KeyFrom = Callable[[str], SigningKey]


def call(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, Any]:
    with pytest.raises(SystemExit) as ended:
        run([*(str(argument) for argument in arguments), "--json"])
    return int(ended.value.code or 0), json.loads(capsys.readouterr().out)


def put(folder: Path, key: SigningKey, name: str) -> Path:
    (folder / f"{name}.key.pem").write_bytes(key.seal(PASSPHRASE))
    (folder / f"{name}.public.json").write_text(json.dumps(key.public.export()))
    (folder / "pass").write_text(PASSPHRASE + "\n")
    return folder / f"{name}.key.pem"


@pytest.fixture
def desk(tmp_path: Path, key_from: KeyFrom) -> Path:
    """A farm's desk: its book with the files of evidence, its key, and the list that names its calculator."""
    lay(official_rows(), tmp_path)
    put(tmp_path, key_from("ada"), "ada")
    (tmp_path / "calculators.toml").write_bytes(LIST)
    return tmp_path


def lay(rows: Rows, desk: Path) -> None:
    save_book(book_of(rows), desk / "book")
    for one in rows["evidence"]:
        path = desk / "book" / "evidence" / one["file"]
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(one["file"].encode())
    draw(rows, desk / "book")


@pytest.fixture(scope="module")
def signed_once(tmp_path_factory: pytest.TempPathFactory, key_from: KeyFrom) -> Path:
    """A desk on which the report lies signed; each test has a copy."""
    folder = tmp_path_factory.mktemp("signed")
    lay(official_rows(), folder)
    put(folder, key_from("ada"), "ada")
    (folder / "calculators.toml").write_bytes(LIST)
    arguments = ("report", folder / "book", "--out", folder / "out", *DAY, *listed(folder), *signing(folder))
    with pytest.raises(SystemExit) as ended:
        run([*map(str, arguments)])
    assert not ended.value.code
    return folder


@pytest.fixture
def signed(signed_once: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(signed_once, tmp_path, dirs_exist_ok=True))


def test_a_report_of_a_day_to_come_or_with_a_wrong_passphrase_writes_nothing(desk: Path) -> None:
    tomorrow = today() + timedelta(days=1)
    for asked in (tomorrow, tomorrow.replace(year=tomorrow.year + 5, day=1)):
        with pytest.raises(ProblemsError, match="is in the future"):
            make(desk / "book", desk / "out", as_of=asked)
    assert not (desk / "out").exists()
    (desk / "pass").write_text("some other words here\n")
    with pytest.raises(ProblemsError):
        run(["report", str(desk / "book"), "--out", str(desk / "out"), *map(str, signing(desk))])
    assert not (desk / "out").exists()


def listed(desk: Path) -> tuple[str, ...]:
    return "--calculators", str(desk / "calculators.toml")


def report(desk: Path, capsys: pytest.CaptureFixture[str], *more: object, rows: Rows | None = None) -> tuple[int, Any]:
    if rows is not None:
        lay(rows, desk)
    status, found = call(capsys, "report", desk / "book", "--out", desk / "out", *DAY, *listed(desk), *more)
    return status, found["reports"][0]


def signing(desk: Path, name: str = "ada") -> tuple[object, ...]:
    return ("--key", desk / f"{name}.key.pem", "--passphrase-file", desk / "pass")


def signature(desk: Path, capsys: pytest.CaptureFixture[str], file: object, *more: object) -> tuple[int, Any]:
    return call(capsys, "signature", file, *more)


def names(desk: Path) -> list[str]:
    return sorted(path.name for path in (desk / "out").iterdir())


def test_an_official_report_is_signed_and_its_buyer_checks_it(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, made = report(desk, capsys, *signing(desk))
    assert (status, made["state"], made["signed"], made["not_official_because"]) == (0, "signed", True, [])
    assert names(desk) == ["F1-corn-2025-v1.json", "F1-corn-2025-v1.leaves.json", "F1-corn-2025-v1.pdf"]
    status, found = signature(desk, capsys, made["json"], "--pinned", desk / "ada.public.json")
    assert (status, found["status"], found["doubts"]) == (0, "valid", [])
    assert found["report"]["total_bushels"] == "9500"


def test_a_changed_file_and_an_unsigned_one_are_told_apart(signed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = signed / REPORT
    path.write_text(path.read_text().replace("Ada Farmer", "Eve Farmer"))
    assert signature(signed, capsys, path, "--pinned", signed / "ada.public.json")[1]["status"] == "signature_wrong"
    _, unsigned = report(signed, capsys)
    assert unsigned["state"] == "unsigned"
    assert signature(signed, capsys, unsigned["json"])[1]["status"] == "malformed"


def test_a_revoked_key_no_longer_counts(signed: Path, capsys: pytest.CaptureFixture[str], key_from: KeyFrom) -> None:
    (signed / "gone.json").write_text(json.dumps(revoke(key_from("ada"), on=date(2026, 1, 1), reason="lost")))
    pinned = ("--pinned", signed / "ada.public.json")
    status, found = signature(signed, capsys, signed / REPORT, *pinned, "--revoked", signed / "gone.json")
    assert (status, found["status"]) == (1, "key_revoked")
    with pytest.raises(ProblemsError, match="No pinned key signed"):
        run(["signature", str(signed / REPORT), "--revoked", str(signed / "gone.json")])


def test_a_signed_estimate_is_doubted(desk: Path, capsys: pytest.CaptureFixture[str], key_from: KeyFrom) -> None:
    envelope = sign(report_of(official_rows(), "argonne-2021"), key_from("ada"), typ=TYP)
    (desk / "odd.json").write_text(json.dumps(envelope))
    status, found = signature(desk, capsys, desk / "odd.json", "--pinned", desk / "ada.public.json")
    assert (status, found["status"]) == (1, "valid")
    assert found["doubts"][0].startswith("The result is ESTIMATE")
    (desk / "odd.json").write_text(json.dumps(sign({"type": "letter"}, key_from("ada"), typ=TYP)))
    status, found = signature(desk, capsys, desk / "odd.json", "--pinned", desk / "ada.public.json")
    assert (status, found["doubts"]) == (1, ["This is no Biofuel Feedstock Report."])


def test_signing_again_gives_the_same_bytes_or_refuses(signed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = {path.name: path.read_bytes() for path in (signed / "out").iterdir()}
    assert report(signed, capsys, *signing(signed))[0] == 0
    assert {path.name: path.read_bytes() for path in (signed / "out").iterdir()} == before
    lay(changed(official_rows(), "farm", name="Other"), signed)
    arguments = ("report", signed / "book", "--out", signed / "out", *DAY, *listed(signed), *signing(signed))
    with pytest.raises(ProblemsError, match="Another signed report of this version"):
        run([*map(str, arguments)])
    assert {path.name: path.read_bytes() for path in (signed / "out").iterdir()} == before


def test_an_amendment_is_the_next_version_of_the_same_origin(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, first = report(desk, capsys, *signing(desk))
    rows = changed(changed(official_rows(), "harvest", 3, bushels="1400"), "bushel_total", bushels="9400")
    rows = changed(rows, "calculator_run", farm_ci_g_per_bu="4817.53")
    status, second = report(desk, capsys, *signing(desk), "--amends", first["json"], rows=rows)
    assert (status, second["version"], second["state"]) == (0, 2, "signed")
    assert "Total bushels: 9500 becomes 9400." in second["changes"]
    one, two = (read_report(Path(made["json"]))["edition"] for made in (first, second))
    assert (two["replaces"], two["origin_id"], two["salt"]) == (first["hash"], one["origin_id"], one["salt"])
    assert names(desk) == [f"F1-corn-2025-v{n}{ending}" for n in (1, 2) for ending in (".json", ".leaves.json", ".pdf")]


@pytest.mark.parametrize(
    ("rows", "code"),
    [
        (changed(official_rows(), "calculator_run", status="beta"), "not_official"),
        (changed(official_rows(), "operation", 2, equipment=""), "records_incomplete"),
        (changed(official_rows(), "producer", key_fingerprint="another"), "other_key"),
    ],
)
def test_what_is_not_signed_is_a_draft(desk: Path, capsys: pytest.CaptureFixture[str], rows: Rows, code: str) -> None:
    status, made = report(desk, capsys, *signing(desk), rows=rows)
    assert (status, made["signed"]) == (1, False)
    assert code in {one["code"] for one in made["not_official_because"]}
    word = "preliminary" if code == "not_official" else "draft"
    assert names(desk) == [f"F1-corn-2025-v1-{word}.json", f"F1-corn-2025-v1-{word}.pdf"]
    document = json.loads(Path(made["json"]).read_text())
    assert "signature" not in document
    assert (document["edition"]["salt"], document["edition"]["origin_id"]) == ("", "F1/corn/2025")


def test_an_unlisted_calculator_is_said_and_one_report_replaces(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, found = call(capsys, "report", desk / "book", "--out", desk / "out", *DAY, *signing(desk))
    (made,) = found["reports"]
    assert (status, made["state"], made["signed"]) == (1, "unlisted", False)
    assert {one["code"] for one in made["not_official_because"]} == {"not_official", "attestation_contradicted"}
    assert names(desk) == ["F1-corn-2025-v1-unlisted.json", "F1-corn-2025-v1-unlisted.pdf"]
    _, made = report(desk, capsys)
    rows = changed(changed(official_rows(), "harvest", 0, last_day="2025-03-01"), "harvest", 2, last_day="2025-03-02")
    save_book(book_of(rows), desk / "book")
    with pytest.raises(ProblemsError, match="One report replaces one"):
        run(["report", str(desk / "book"), "--out", str(desk / "out"), "--amends", made["json"]])


def test_names_of_files_are_plain_and_both_are_written_or_neither(tmp_path: Path) -> None:
    document = {"farm": {"farm_id": "../a b/\u00e9"}, "crop": "corn", "harvest_year": 2025, "edition": {"version": 3}}
    assert stem(document, "draft") == ".._a_b_\u00e9-corn-2025-v3-draft"
    (tmp_path / "name.pdf").mkdir()
    with pytest.raises(ProblemsError, match="cannot be written"):
        write_both(tmp_path, "name", b"{}", b"%PDF", signed=False)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["name.pdf"]


@pytest.mark.parametrize("content", [None, [], {}, {"document": 3}, {"type": "biofuel-feedstock-report"}])
def test_other_json_is_no_report(content: object) -> None:
    with pytest.raises(ProblemsError, match="no Biofuel Feedstock Report"):
        document_of(content, "x.json")
