"""The demonstrations run from nothing to their documents, the chain's four books agree, and tutorials can be typed."""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pypdf
import pytest

from provender.cli.demo import BOUNDARY, MARK, YIELD_LOG, joined, real_input
from provender.custody.model.lots import LotState
from provender.custody.queries.trace import chain_of
from provender.demo.chain import TRADERS, Chain, build_chain
from provender.demo.farms import DIESEL, FARMS, Report, crops_of, farm_name, farm_records, signed_reports
from provender.records.book import RecordBook
from provender.records.folder import load_book
from provender.report.typ import TYP
from provender.signing.canonical import read_json
from provender.signing.jws import Status, check
from provender.signing.keys import PublicKey
from tests.demo.typed import called, typed

# What the module shares is costly: one worker makes it.
pytestmark = pytest.mark.xdist_group("demonstrations")

EXAMPLES = Path(__file__).parents[2] / "examples"


@dataclass
class Ran:
    status: int
    folder: Path
    document: dict[str, Any]

    def report(self, name: str) -> dict[str, Any]:
        found = read_json((self.folder / name).read_bytes(), file=name)
        assert isinstance(found, dict)
        return found


@pytest.fixture(scope="module")
def farm(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    out = tmp_path_factory.mktemp("demo")
    with pytest.MonkeyPatch.context() as patch, (out / "said.json").open("w", encoding="utf-8") as said:
        patch.setattr("sys.stdout", said)
        status = called("demo", "farm", "--out", out, "--json")
    return Ran(status, out / "farm", json.loads((out / "said.json").read_text(encoding="utf-8")))


def test_the_farm_demonstration_ends_well_with_every_step_told_and_every_file_it_names(farm: Ran) -> None:
    assert farm.status == 0
    assert [one["arguments"][0] for one in farm.document["steps"]][:4] == ["check", "check", "intensity", "intensity"]
    assert {one["status"] for one in farm.document["steps"]} == {0, 1}
    named = [Path(name) for name in farm.document["files"]]
    assert all(path.stat().st_size > 0 for path in named)
    assert {path.suffix for path in named} >= {".pdf", ".json", ".svg", ".csv", ".xlsx", ".txt"}


def test_the_report_on_corn_alone_is_signed_by_the_key_it_made_which_nobody_else_can_open(farm: Ran) -> None:
    key = PublicKey.from_jwk(farm.report("key/ada.public.json"), file="ada")
    checked = check(farm.report("reports/BLUESTEM-corn-2025-v1.json"), {key.fingerprint: key}, typ=TYP)
    assert checked.status is Status.VALID
    assert checked.document is not None
    assert (checked.document["label"], checked.document["total_bushels"]) == ("EXAMPLE", "46860")
    signed = {path.name for path in farm.folder.rglob("BLUESTEM*.json") if "signature" in json.loads(path.read_text())}
    assert signed == {"BLUESTEM-corn-2025-v1.json"}
    for name in ("passphrase.txt", "ada.key.pem"):
        assert (farm.folder / "key" / name).stat().st_mode & 0o077 == 0


def test_a_folder_that_no_demonstration_made_is_left_alone_and_samples_are_told_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "farm" / "mine.txt"
    kept.parent.mkdir()
    kept.write_text("mine", encoding="utf-8")
    assert called("demo", "farm", "--out", tmp_path) == 2
    assert "no demonstration made" in capsys.readouterr().err
    assert kept.read_text(encoding="utf-8") == "mine"
    monkeypatch.delenv("PROVENDER_SAMPLES", raising=False)
    assert called("demo", "basswood", "--out", tmp_path) == 2
    assert called("demo", "basswood", "--samples", tmp_path, "--out", tmp_path) == 2
    assert capsys.readouterr().err.count("examples/basswood/README.md") == 2


def test_what_is_entered_by_hand_says_so_and_leaves_out_what_is_real() -> None:
    book = load_book(EXAMPLES / "basswood")
    assert [row["acres"] for row in book["unit"]] == [None]
    assert [row["bushels"] for row in book["harvest"] if row["harvest_id"] == "BASSWOOD-2025"] == [None]
    for kind in ("operation", "nutrient_application", "planting", "declaration", "nutrient_budget"):
        assert all("Entered by hand" in row["note"] for row in book[kind])


@pytest.mark.samples
def test_the_real_field_and_its_bushels_come_from_the_samples(samples: Path) -> None:
    boundary, log = real_input(samples / "yield")
    assert (round(log.wet_bushels / 1000, 2), round(log.dry_bushels / 1000, 2)) == (2921.77, 2858.48)
    book = joined(boundary, log)
    assert [problem for problem in book.problems if problem.weight == "error"] == []
    (harvest,) = [row for row in book["harvest"] if row["harvest_id"] == "BASSWOOD-2025"]
    assert harvest["bushels"] == log.dry_bushels
    assert [str(harvest[name]) for name in ("first_day", "last_day")] == ["2025-09-18", "2025-09-19"]
    assert str(log.last_day) == "2012-09-19"
    assert [row["acres"] for row in book["unit"]] == [boundary.fields[0].acres]


@pytest.mark.slow
@pytest.mark.samples
def test_the_main_job_on_the_real_field_ends_estimated_and_its_second_run_replaces_the_first(
    samples: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for _ in range(2):
        assert called("demo", "basswood", "--samples", samples, "--out", tmp_path, "--json") == 0
        assert (tmp_path / "basswood" / MARK).is_file()
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


SMALL = 5


def test_the_same_seed_makes_the_same_51_farms_and_another_others(reports: list[Report], chain: Chain) -> None:
    assert FARMS == 51
    assert len({farm_name(number) for number in range(FARMS)}) == FARMS
    assert {len(crops_of(number)) for number in range(FARMS)} == {1, 2}
    assert RecordBook.of(farm_records(3, SMALL)).problems == ()
    assert build_chain(3, list(signed_reports(3, SMALL))).events == chain.events
    assert build_chain(4, reports).events != chain.events


@pytest.fixture(scope="module")
def reports() -> list[Report]:
    return list(signed_reports(3, SMALL))


@pytest.fixture(scope="module")
def chain(reports: list[Report]) -> Chain:
    return build_chain(3, reports)


@pytest.mark.parametrize("seed", [3, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (0, 1, 2, 4))])
def test_every_bushel_of_fuel_traces_to_a_farm(seed: int, chain: Chain) -> None:
    if seed != 3:
        chain = build_chain(seed, list(signed_reports(seed, SMALL)))
    fuel = [
        lot
        for event in chain.events
        if event["type"] == "retire" and event["entity"] == DIESEL
        for lot in chain.store.lots_by(event["id"])
        if lot.state is LotState.RETIRED
    ]
    assert fuel
    for lot in fuel:
        links = chain_of(chain.store, lot).links
        assert links[0].type == "report"
        assert links[0].taker.startswith("farm-")
        assert [link.taker for link in links if link.type == "sale"][-1] == DIESEL


TUTORIALS: Final = Path(__file__).parents[2] / "docs" / "tutorials"
SERVES: Final = "provender serve --demo"
"""It does not end; ``test_server`` starts it."""
CHAIN: Final = "provender demo chain --out out/demo"
BOOKS: Final = " ".join(f"books/{name}.jsonl" for name in sorted(TRADERS))
LOOKED_AT: Final[dict[str, list[str]]] = {
    "elevator": [
        "1 provender custody tickets tickets.csv --as-of 2026-03-31 --save-map scale.json",
        "1 provender custody alerts coop.jsonl --as-of 2026-03-31",
    ],
    "crusher": [],
    "refiner": [f"1 provender custody reconcile {BOOKS} second.jsonl"],
}
"""Commands with something to look at; all others end with status 0."""


def commands(tutorial: str) -> str:
    """Return the blocks of a tutorial as one script, but for the server."""
    lines = (TUTORIALS / f"{tutorial}.md").read_text(encoding="utf-8").splitlines()
    script = [line.removeprefix("    ") for line in lines if line.startswith("    ")]
    assert SERVES in script
    return "".join(f"{line}\n" for line in script if line not in (SERVES, CHAIN))


@pytest.mark.slow
def test_the_commands_of_the_elevators_tutorial_run_from_an_empty_folder(tmp_path: Path) -> None:
    assert typed(commands("elevator"), tmp_path).failed == LOOKED_AT["elevator"]
    assert list((tmp_path / "out" / "elevator" / "letters").glob("*.pdf")), "the papers were made"


@pytest.mark.slow
def test_the_commands_of_the_crushers_and_the_refiners_tutorial_run_on_the_example_chain(tmp_path: Path) -> None:
    assert typed(CHAIN, tmp_path).failed == []
    for tutorial in ("crusher", "refiner"):
        assert typed(commands(tutorial), tmp_path).failed == LOOKED_AT[tutorial]


def test_the_process_that_asks_for_the_books_begins_before_django_is_set_up() -> None:
    begun = subprocess.run([sys.executable, "-B", "-c", "import provender.demo.farms"], check=False)
    assert begun.returncode == 0
