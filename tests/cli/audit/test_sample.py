"""``provender audit sample`` and ``redraw`` for people and for machines."""

import json
from pathlib import Path
from typing import Any

import pytest

from provender.cli.app import run
from tests.audit.sampling import stranger
from tests.cli.audit.seeding import bound

HEAD = "farm_id,county_fips,crop,bushels,ci_g_per_bu,acres"


def call(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        run([str(argument) for argument in arguments])
    shown = capsys.readouterr()
    return int(ended.value.code or 0), shown.out, shown.err


@pytest.fixture
def farms(tmp_path: Path) -> Path:
    rows = [f"F{n:02},19153,{'corn' if n % 3 else 'sorghum'},{20000 + n}.5,2915.37,{100 + n}" for n in range(51)]
    rows += [f"F{n:02},19153,soybeans,4000,3100.00,80" for n in range(0, 51, 5)]
    path = tmp_path / "farms.csv"
    path.write_text("\n".join([HEAD, *rows]) + "\n")
    return path


def test_machines_get_minimum_sample_hash_and_strata(farms: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = call(capsys, "audit", "sample", "--farms", farms, *bound(farms, 42), "--json")
    document: dict[str, Any] = json.loads(out)
    assert (status, err) == (0, "")
    assert (document["farms"], document["minimum"], len(document["sample"])) == (51, 8, 8)
    assert len(document["population_hash"]) == 64
    assert sum(one["drawn"] for one in document["strata"]) == 8
    assert call(capsys, "audit", "sample", "--farms", farms, *bound(farms, 42), "--json")[1] == out


def test_people_get_the_strata_and_what_the_sample_can_find(farms: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capsys, "audit", "sample", "--farms", farms, *bound(farms, 42), "--add", "F07=complaint")
    assert status == 0
    assert "at least 8 [7 CFR 2100.040(a)(3)(ii)]" in out
    assert "Added by judgment: F07, complaint" in out
    assert "Chance that the sample finds one" in out


def test_farms_of_the_last_file_are_avoided(farms: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    previous = tmp_path / "previous.csv"
    previous.write_text("farm_id,year\n" + "".join(f"F{n:02},2025\n" for n in range(0, 51, 2)) + "X9,2024\n")
    _, out, err = call(
        capsys, "audit", "sample", "--farms", farms, *bound(farms, 42, previous), "--previous", previous, "--json"
    )  # fmt: skip
    assert all(int(name[1:]) % 2 for name in json.loads(out)["sample"])
    assert "X9" in err


def test_without_a_frozen_list_the_farms_are_only_counted(farms: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capsys, "audit", "sample", "--farms", farms, "--json")
    assert (status, set(json.loads(out))) == (0, {"farms", "minimum", "population_hash"})
    status, out, _ = call(capsys, "audit", "sample", "--farms", farms)
    assert "audit freeze" in out


def test_a_list_that_changed_after_freezing_is_refused(farms: Path, capsys: pytest.CaptureFixture[str]) -> None:
    frozen = json.loads(call(capsys, "audit", "sample", "--farms", farms, "--json")[1])["population_hash"]
    arguments = ("audit", "sample", "--farms", farms, *bound(farms, 1), "--population", frozen)
    assert call(capsys, *arguments)[0] == 0
    farms.write_text(farms.read_text().replace("20001.5", "20001.6"))
    status, _, err = call(capsys, *arguments)
    assert (status, "not the one that was frozen" in err) == (2, True)


def test_a_damaged_list_gives_all_its_problems_and_no_sample(farms: Path, capsys: pytest.CaptureFixture[str]) -> None:
    farms.write_text(farms.read_text().replace("20001.5", "many").replace("20002.5", "-3"))
    status, out, _ = call(capsys, "audit", "sample", "--farms", farms, "--json")
    problems = json.loads(out)["problems"]
    assert status == 2
    assert [problem["code"] for problem in problems] == ["unreadable_bushels", "not_above_zero"]
    status, out, err = call(capsys, "audit", "sample", "--farms", farms)
    assert (status, out) == (2, "")
    assert "farms.csv, row 3, column bushels" in err


def test_a_sample_smaller_than_the_root_is_refused(farms: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = call(capsys, "audit", "sample", "--farms", farms, *bound(farms, 1), "--size", 7)
    assert (status, "51 farms allow 8 to 51" in err) == (2, True)


def test_a_sample_file_is_drawn_again(farms: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "sample.json"
    file.write_text(call(capsys, "audit", "sample", "--farms", farms, *bound(farms, 1), "--json")[1])
    assert call(capsys, "audit", "redraw", file)[0] == 0
    file.write_text(file.read_text().replace('"seed": "', '"seed": "0', 1))
    status, out, _ = call(capsys, "audit", "redraw", file, "--json")
    assert (status, json.loads(out)["same"]) == (1, False)
    assert call(capsys, "audit", "redraw", tmp_path / "none.json")[0] == 2


def test_borrowed_audits_and_failed_farms_are_in_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    head = "farm_id,county_fips,crop,bushels,ci_g_per_bu,acres\n"
    rows = "".join(f"F{number:02},20149,corn,10000,4000,100\n" for number in range(30))
    (tmp_path / "farms.csv").write_text(head + rows)
    usual = ["sample", "--farms", str(tmp_path / "farms.csv"), *map(str, bound(tmp_path / "farms.csv")), "--json"]

    def drawn(*more: str) -> tuple[int, dict[str, Any]]:
        try:
            status = run(["audit", *usual, *more])
        except SystemExit as ended:
            status = int(ended.code or 0)
        out = capsys.readouterr().out
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


def test_each_side_makes_its_part_before_a_freeze(
    farms: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = {}
    for side in ("audited", "verifier"):
        assert call(capsys, "audit", "seed", tmp_path / f"{side}.json")[0] == 0
        made[side] = json.loads((tmp_path / f"{side}.json").read_bytes())["commitment"]
    freeze = ("audit", "freeze", "--farms", farms, "--year", 2026, "--out", tmp_path / "frozen.json")
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
    status, out, _ = call(capsys, *draw, *opened[:2])
    assert json.loads(out)["refused"] == ["verifier"]
    assert "not the two sides" in call(capsys, *draw, "--open", f"me={tmp_path}/verifier.json")[1]


def test_a_beacon_is_named_at_the_freezing(farms: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    freeze = ("audit", "freeze", "--farms", farms, "--year", 2026, "--as-of", "2026-11-03", "--beacon", "NIST 2.0")
    arguments = (*freeze, "--beacon-round", "2026-11-05T12:00Z", "--out", tmp_path / "frozen.json")
    status, _, err = call(capsys, *arguments, "--beacon-on", "2026-11-03")
    assert (status, "is not after" in err) == (2, True)
    assert call(capsys, *arguments, "--beacon-on", "2026-11-05")[0] == 0
    draw = ("audit", "sample", "--farms", farms, "--frozen", tmp_path / "frozen.json", "--json")
    assert "value is missing" in call(capsys, *draw)[1]
    assert json.loads(call(capsys, *draw, "--beacon-value", "ab" * 64)[1])["beacon_is"] == "stated"
