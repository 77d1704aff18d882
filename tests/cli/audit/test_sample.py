"""``provender audit sample`` and ``redraw`` for people and for machines."""

import json
from pathlib import Path
from typing import Any

import pytest

from provender.audit.package.layout import Pin, pins_document
from provender.signing.canonical import canonical_json
from tests.audit.farms import KEY, proof
from tests.audit.sampling import stranger
from tests.cli.audit.seeding import bound
from tests.cli.calling import called as call

HEAD = "farm_id,county_fips,crop,bushels,ci_g_per_bu,acres"


@pytest.fixture
def farms(tmp_path: Path) -> Path:
    rows = [f"F{n:02},19153,{'corn' if n % 3 else 'sorghum'},{20000 + n}.5,2915.37,{100 + n}" for n in range(51)]
    rows += [f"F{n:02},19153,soybeans,4000,3100.00,80" for n in range(0, 51, 5)]
    path = tmp_path / "farms.csv"
    path.write_text("\n".join([HEAD, *rows]) + "\n")
    return path


def test_farms_of_the_last_file_are_avoided(farms: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = proof([*(f"F{n:02}" for n in range(0, 51, 2)), "X9"])
    (tmp_path / "statement.json").write_bytes(canonical_json(dict(shown.statement)))
    (tmp_path / "sample.json").write_bytes(canonical_json(dict(shown.sample)))
    (tmp_path / "pins.json").write_bytes(canonical_json(pins_document([Pin("verity", KEY.public, "card")])))
    before = ["--before", tmp_path / "statement.json", "--before", tmp_path / "sample.json"]
    draw = ["audit", "sample", "--farms", farms, *bound(farms, 42, (shown,)), *before, "--json"]
    status, out, err = call(capsys, *draw, "--pinned", tmp_path / "pins.json")
    assert (status, "X9" in err) == (0, True), out
    assert json.loads(out)["audited_before"].keys() == {*(f"F{n:02}" for n in range(0, 51, 2)), "X9"}
    assert sum(not int(name[1:]) % 2 for name in json.loads(out)["sample"]) <= 3
    (tmp_path / "drawn.json").write_text(out)
    again = ["audit", "redraw", tmp_path / "drawn.json"]
    status, said, _ = call(capsys, *again)
    assert (status, "audited lately, by statements shown" in said) == (0, True)
    assert call(capsys, *again, "--pinned", tmp_path / "pins.json", "--as-of", "2026-11-22")[0] == 0
    (tmp_path / "none.json").write_bytes(canonical_json(pins_document([])))
    status, said, _ = call(capsys, *again, "--pinned", tmp_path / "none.json", "--json")
    assert (status, "not pinned" in json.loads(said)["problems"][0]["cause"]) == (1, True), "drawn by hand"
    assert "not pinned" in call(capsys, *draw)[1], "a proof by nobody known"
    assert "no proof" in call(capsys, *draw[:-3], "--json")[1], "a statement without its sample"


def test_without_a_frozen_list_the_farms_are_only_counted(farms: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capsys, "audit", "sample", "--farms", farms, "--json")
    assert (status, set(json.loads(out))) == (0, {"farms", "minimum", "population_hash"})
    status, out, _ = call(capsys, "audit", "sample", "--farms", farms)
    assert "audit freeze" in out


def test_borrowed_audits_and_failed_farms_are_in_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    head = "farm_id,county_fips,crop,bushels,ci_g_per_bu,acres\n"
    rows = "".join(f"F{number:02},20149,corn,10000,4000,100\n" for number in range(30))
    (tmp_path / "farms.csv").write_text(head + rows)
    usual = ["sample", "--farms", str(tmp_path / "farms.csv"), *map(str, bound(tmp_path / "farms.csv")), "--json"]

    def drawn(*more: str) -> tuple[int, dict[str, Any]]:
        status, out, _ = call(capsys, "audit", *usual, *more)
        return status, json.loads(out)

    first = drawn()[1]["sample"]
    treatment = {
        "farm_id": first[0], "extent": "exempt", "borrowed_audit": "ST-9", "verifier": "Verity", "year": 2026,
        "reason": "audited in May", "decided_by": "V. Moss", "decided_on": "2026-11-02", "still_to_do": "",
    }  # fmt: skip
    failure = {"farm_id": first[1], "reason": "no records", "decided_by": "V. Moss", "decided_on": "2026-11-20"}
    decisions = tmp_path / "decisions.json"
    decisions.write_text(json.dumps({"year": 2026, "treatments": [treatment], "failures": [failure]}))
    status, document = drawn("--decisions", str(decisions))
    assert status == 0
    assert first[0] in document["sample"]
    assert document["treatments"][0]["reason"] == "audited in May"
    assert len(document["sample"]) > len(first)
    decisions.write_text('{"treatments": [1]}')
    status, answer = drawn("--decisions", str(decisions))
    assert (status, "decisions" in answer["problems"][0]["cause"]) == (2, True)


def test_each_side_makes_its_part_first(farms: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = {}
    for side in ("audited", "verifier"):
        assert call(capsys, "audit", "seed", tmp_path / f"{side}.json")[0] == 0
        made[side] = json.loads((tmp_path / f"{side}.json").read_bytes())["commitment"]
    party = ("--audited", "coop", "--verifier", "verity", "--as-of", "2026-11-03")
    freeze = ("audit", "freeze", "--farms", farms, "--year", 2026, "--out", tmp_path / "frozen.json", *party)
    status, _, err = call(capsys, *freeze, "--commitment", f"audited={made['audited']}")
    assert (status, "verifier made no commitment" in err) == (2, True)
    both = [word for side, mark in made.items() for word in ("--commitment", f"{side}={mark}")]
    assert call(capsys, *freeze, *both)[0] == 0
    draw = ("audit", "sample", "--farms", farms, "--frozen", tmp_path / "frozen.json", "--json")
    assert "No part of the seed is open" in call(capsys, *draw)[1]
    opened = [word for side in made for word in ("--open", f"{side}={tmp_path / side}.json")]
    status, out, _ = call(capsys, *draw, *opened)
    assert (status, json.loads(out)["refused"]) == (0, [])
    assert stranger.redraw(json.loads(out)) == json.loads(out)["sample"]
    assert "verifier's part of the seed is closed" in call(capsys, *draw, *opened[:2])[1]
    assert "from 2026-11-10 on draw without it" in call(capsys, *draw, *opened[2:], "--as-of", "2026-11-09")[1]
    status, out, _ = call(capsys, *draw, *opened[2:], "--as-of", "2026-11-10")
    assert (status, json.loads(out)["refused"]) == (0, ["audited"])
    assert "not the two sides" in call(capsys, *draw, "--open", f"me={tmp_path}/verifier.json")[1]
