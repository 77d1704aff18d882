import json
from typing import Any

import pytest

from provender.cli import app


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
def test_show_gives_the_numbers_for_a_crop_harvested_on_a_day(
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
def test_a_paragraph_that_does_not_exist_is_called_wrongly_and_names_the_nearest(
    capsys: pytest.CaptureFixture[str], citation: str
) -> None:
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
