"""The demonstrations run from nothing to the documents, and leave alone what they did not make."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl
import pypdf
import pytest

from provender.cli import app
from provender.cli.demo.app import DEMONSTRATIONS
from provender.cli.demo.basswood import BOUNDARY, YIELD_LOG, joined, real_input
from provender.cli.demo.steps import MARK
from provender.records.folder import load_book
from provender.report.typ import TYP
from provender.signing.canonical import read_json
from provender.signing.jws import Status, check
from provender.signing.keys import PublicKey

# What the module shares is costly: one worker makes it.
pytestmark = pytest.mark.xdist_group("demonstrations")

EXAMPLES = Path(__file__).parents[2] / "examples"


def demo(*arguments: str | Path) -> int:
    """Run ``provender demo`` and return its exit status."""
    try:
        return app.call(["demo", *map(str, arguments)])
    except SystemExit as left:
        return int(left.code or 0)


@dataclass
class Ran:
    """One run of ``demo farm --json``."""

    status: int
    folder: Path
    document: dict[str, Any]

    def report(self, name: str) -> dict[str, Any]:
        found = read_json((self.folder / name).read_bytes(), file=name)
        assert isinstance(found, dict)
        return found


@pytest.fixture(scope="module")
def farm(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """Run the farm demonstration once."""
    out = tmp_path_factory.mktemp("demo")
    with pytest.MonkeyPatch.context() as patch, (out / "said.json").open("w", encoding="utf-8") as said:
        patch.setattr("sys.stdout", said)
        status = demo("farm", "--out", out, "--json")
    return Ran(status, out / "farm", json.loads((out / "said.json").read_text(encoding="utf-8")))


def test_the_farm_demonstration_ends_well_with_every_step_told(farm: Ran) -> None:
    assert farm.status == 0
    assert [one["arguments"][0] for one in farm.document["steps"]][:4] == ["check", "check", "intensity", "intensity"]
    assert {one["status"] for one in farm.document["steps"]} == {0, 1}


def test_every_file_it_names_is_there_and_none_is_empty(farm: Ran) -> None:
    named = [Path(name) for name in farm.document["files"]]
    assert all(path.stat().st_size > 0 for path in named)
    assert {path.suffix for path in named} >= {".pdf", ".json", ".svg", ".csv", ".xlsx", ".txt"}


def test_the_report_on_corn_is_signed_by_the_key_it_made(farm: Ran) -> None:
    key = PublicKey.from_jwk(farm.report("key/ada.public.json"), file="ada")
    envelope = farm.report("reports/BLUESTEM-corn-2025-v1.json")
    checked = check(envelope, {key.fingerprint: key}, typ=TYP)
    assert checked.status is Status.VALID
    assert checked.document is not None
    assert (checked.document["label"], checked.document["total_bushels"]) == ("EXAMPLE", "46860")


def test_nothing_but_corn_is_signed(farm: Ran) -> None:
    signed = {path.name for path in farm.folder.rglob("BLUESTEM*.json") if "signature" in json.loads(path.read_text())}
    assert signed == {"BLUESTEM-corn-2025-v1.json"}


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("reports/BLUESTEM-soybeans-2025-v1-preliminary.pdf", "PRELIMINARY"),
        ("estimates/BLUESTEM-corn-2025-v1-estimate.pdf", "ESTIMATE"),
        ("reports/BLUESTEM-corn-2025-v1.pdf", "Bluestem Farm (made up)"),
    ],
)
def test_what_a_report_is_stands_on_every_page_of_its_pdf(farm: Ran, name: str, word: str) -> None:
    pages = pypdf.PdfReader(farm.folder / name).pages
    assert len(pages) > 3
    assert all(word in page.extract_text() for page in pages)


def test_the_signed_report_says_that_its_calculator_runs_are_made_up(farm: Ran) -> None:
    first = pypdf.PdfReader(farm.folder / "reports/BLUESTEM-corn-2025-v1.pdf").pages[0].extract_text()
    assert "EXAMPLE, made-up values" in first


def test_the_passphrase_of_the_demonstration_can_be_read_by_nobody_else(farm: Ran) -> None:
    assert (farm.folder / "key" / "passphrase.txt").stat().st_mode & 0o077 == 0
    assert (farm.folder / "key" / "ada.key.pem").stat().st_mode & 0o077 == 0


def test_a_folder_that_no_demonstration_made_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = tmp_path / "farm" / "mine.txt"
    kept.parent.mkdir()
    kept.write_text("mine", encoding="utf-8")
    assert demo("farm", "--out", tmp_path) == 2
    assert "no demonstration made" in capsys.readouterr().err
    assert kept.read_text(encoding="utf-8") == "mine"


def test_help_lists_every_demonstration(capsys: pytest.CaptureFixture[str]) -> None:
    demo("--help")
    said = capsys.readouterr().out
    assert all(name in said for name in DEMONSTRATIONS)


def test_basswood_without_its_samples_says_where_they_are_told_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PROVENDER_SAMPLES", raising=False)
    assert demo("basswood", "--out", tmp_path) == 2
    assert demo("basswood", "--samples", tmp_path, "--out", tmp_path) == 2
    assert capsys.readouterr().err.count("examples/basswood/README.md") == 2


def test_what_is_entered_by_hand_says_so_and_leaves_out_what_is_real() -> None:
    book = load_book(EXAMPLES / "basswood")
    assert book["unit"]["acres"].to_list() == [None]
    assert book["harvest"].filter(pl.col("harvest_id") == "BASSWOOD-2025")["bushels"].to_list() == [None]
    for kind in ("operation", "nutrient_application", "planting", "declaration", "nutrient_budget"):
        assert all("Entered by hand" in note for note in book[kind]["note"].to_list())


@pytest.mark.samples
def test_the_real_field_and_its_bushels_come_from_the_samples(samples: Path) -> None:
    boundary, log = real_input(samples / "yield")
    assert (round(log.wet_bushels / 1000, 2), round(log.dry_bushels / 1000, 2)) == (2921.77, 2858.48)
    book = joined(boundary, log)
    assert [problem for problem in book.problems if problem.weight == "error"] == []
    (harvest,) = book["harvest"].filter(pl.col("harvest_id") == "BASSWOOD-2025").iter_rows(named=True)
    assert harvest["bushels"] == log.dry_bushels
    assert [str(harvest[name]) for name in ("first_day", "last_day")] == ["2025-09-18", "2025-09-19"]
    assert str(log.fields[0].last_day) == "2012-09-19"
    assert book["unit"]["acres"].to_list() == [boundary.fields[0].acres]


@pytest.mark.slow
@pytest.mark.samples
def test_the_main_job_runs_on_the_real_field_and_ends_in_an_estimate(
    samples: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert demo("basswood", "--samples", samples, "--out", tmp_path, "--json") == 0
    printed = capsys.readouterr()
    said = json.loads(printed.out)
    assert printed.err.startswith("confirm: 2012-basswood.txt: 21 of 4240 points")
    assert "saved" not in printed.err
    assert "moved to 2025" in said["moved"]
    report = json.loads((tmp_path / "basswood/reports/BASSWOOD-corn-2025-v1-estimate.json").read_text(encoding="utf-8"))
    assert (report["label"], report["total_bushels"]) == ("ESTIMATE", "2858.478")
    assert "season moved to 2025" in report["farm"]["name"]
    pages = pypdf.PdfReader(tmp_path / "basswood/reports/BASSWOOD-corn-2025-v1-estimate.pdf").pages
    assert all("ESTIMATE" in page.extract_text() for page in pages)


@pytest.mark.samples
def test_no_sample_lies_in_the_project(samples: Path) -> None:
    sizes = {(samples / "yield" / name).stat().st_size for name in (BOUNDARY, YIELD_LOG)}
    assert not [path for path in EXAMPLES.rglob("*") if path.is_file() and path.stat().st_size in sizes]


@pytest.mark.slow
def test_a_second_run_replaces_the_first(samples: Path, tmp_path: Path) -> None:
    for _ in range(2):
        assert demo("basswood", "--samples", samples, "--out", tmp_path, "--json") == 0
    assert (tmp_path / "basswood" / MARK).is_file()
