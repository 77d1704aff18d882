"""The example chain runs end to end: every event stands, every serial is accounted for, four books agree."""

import json
from pathlib import Path

import pytest

from provender.cli.app import run
from provender.custody.model.lots import LotState
from provender.custody.queries.trace import chain_of
from provender.demo.chain import TRADERS, build_chain
from provender.demo.farms import crops_of, farm_frames, farm_name, signed_reports
from provender.demo.parties import COOP, DIESEL, FARMS, demo_key
from provender.records.book import RecordBook
from provender.report.typ import TYP
from provender.signing.jws import check

SMALL = 7


def test_there_are_51_farms_of_which_some_grow_two_crops_under_names_of_their_own() -> None:
    assert FARMS == 51
    assert len({farm_name(number) for number in range(FARMS)}) == FARMS
    assert {len(crops_of(number)) for number in range(FARMS)} == {1, 2}


def test_the_records_of_the_farms_have_no_problem() -> None:
    assert RecordBook.from_frames(farm_frames(3, SMALL)).problems == ()


def test_every_report_is_an_example_and_signed_by_its_farm() -> None:
    for one in signed_reports(3, SMALL):
        key = demo_key(one.farm)
        assert check(one.envelope, {key.fingerprint: key.public}, typ=TYP).valid
        assert one.envelope["document"]["label"] == "EXAMPLE"


def test_the_same_seed_makes_the_same_year_and_another_one_another() -> None:
    first, again, other = (build_chain(seed, list(signed_reports(seed, SMALL))).events for seed in (3, 3, 4))
    assert first == again
    assert first != other


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 5))])
def test_every_bushel_of_fuel_traces_to_a_farm(seed: int) -> None:
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


@pytest.mark.slow
def test_the_demonstration_writes_books_that_agree(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        run(["demo", "chain", "--farms", str(SMALL), "--out", str(tmp_path), "--json"])
    assert ended.value.code == 0
    figures = json.loads(capsys.readouterr().out)
    assert (figures["findings"], figures["every_serial_accounted_for"]) == (0, True)
    folder = Path(figures["folder"])
    assert {path.stem for path in (folder / "books").iterdir()} == set(TRADERS)
    assert (folder / "chain.svg").read_text(encoding="utf-8").startswith("<svg")
    files = [str(path) for path in (*(folder / "books").iterdir(), *(folder / "transfers").glob("*.json"))]
    with pytest.raises(SystemExit) as ended:
        run(["custody", "reconcile", *files, "--json"])
    assert ended.value.code == 0
    assert json.loads(capsys.readouterr().out)["findings"] == []
    with pytest.raises(SystemExit) as ended:
        run(["custody", "balance", str(folder / "books" / f"{COOP}.jsonl"), "--json"])
    assert ended.value.code in (0, None)
