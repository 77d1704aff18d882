"""The document itself: everything 2100.031(c) asks for, in plain data that is the same for the same records.

The golden documents are written on purpose: ``PROVENDER_GOLDEN=write pytest tests/report/test_document.py``.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from provender.intensity.quantify import quantify
from provender.quantity import parse
from provender.report.document import build
from provender.rule.crops import Crop
from provender.signing.canonical import canonical_json
from tests.practices.season import Rows, changed, clean_season, content_hash, with_row
from tests.report.official import DAY, judged, official_rows, report_of

GOLDEN = Path(__file__).parent / "golden"
CASES: dict[str, tuple[Rows, str]] = {
    "official": (official_rows(), "official"),
    "estimate": (official_rows(), "argonne-2021"),
    "bare": ({**clean_season(), "declaration": []}, "official"),
}


def walk(value: object) -> Iterator[object]:
    yield value
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for one in inside:
        yield from walk(one)


@pytest.mark.parametrize("name", CASES)
def test_the_document_is_the_golden_one(name: str) -> None:
    rows, calculator = CASES[name]
    text = json.dumps(report_of(rows, calculator), indent=1, ensure_ascii=False) + "\n"
    path = GOLDEN / f"{name}.json"
    if os.environ.get("PROVENDER_GOLDEN") == "write":
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text


def test_no_golden_document_is_an_orphan() -> None:
    assert {path.stem for path in GOLDEN.iterdir()} == set(CASES)


def test_amounts_are_text_and_nothing_is_a_float() -> None:
    report = report_of(official_rows())
    assert not [one for one in walk(report) if isinstance(one, float)]
    assert canonical_json(report) == canonical_json(json.loads(json.dumps(report)))


def test_it_states_names_place_crop_and_totals() -> None:
    report = report_of(official_rows())
    assert (report["farm"]["name"], report["farm"]["county"], report["farm"]["state"]) == ("Blue Stem", "Shawnee", "KS")
    assert report["producer"] == {"producer_id": "P1", "name": "Ada Farmer", "role": "owner"}
    assert (report["crop"], report["harvest_year"], report["made_on"]) == ("corn", 2025, "2026-01-15")
    assert (report["total_acres"], report["total_bushels"]) == ("52", "9500")
    # (8000 x 4321.09 + 1500 x 7654.32) / 9500 = 46,050,200 / 9,500 = 4847.389...
    assert report["farm_ci_g_per_bu"] == "4847.39"
    assert report["below_national_g_per_bu"] == "2806.93"


def test_the_average_lists_every_unit_and_recomputes() -> None:
    report = report_of(official_rows())
    rows = report["average"]["rows"]
    assert [row["unit"] for row in rows] == [unit["unit_id"] for unit in report["units"]] == ["N40", "S12"]
    assert sum(parse(row["product_g"], 5) for row in rows) == parse(report["average"]["product_g"], 5)
    assert all(parse(r["bushels"]) * parse(r["ci_g_per_bu"], 2) == parse(r["product_g"], 5) for r in rows)


def unit(report: dict[str, Any], unit_id: str) -> dict[str, Any]:
    found: dict[str, Any] = next(one for one in report["units"] if one["unit_id"] == unit_id)
    return found


def test_an_official_unit_shows_inputs_output_and_printout() -> None:
    n40 = unit(report_of(official_rows()), "N40")
    (run,) = n40["runs"]
    assert {one["name"]: one["value"] for one in run["inputs"]} == {
        "County FIPS code": "20177 (Shawnee, KS)", "Crop": "corn", "Yield": "200", "Acres": "40",
        "Tillage": "no till", "Cover crop": "yes", "Timing of N": "split in season", "Nitrification inhibitor": "yes",
    }  # fmt: skip
    assert (run["ci_g_per_bu"], n40["ci_g_per_bu"], run["status"]) == ("4321.09", "4321.09", "final")
    assert run["evidence"] == [{"evidence_id": "E2", "file": "run.pdf", "sha256": content_hash("run.pdf")}]
    assert all(one["cite"].startswith("2100.020(a)") for one in run["inputs"])


def test_a_printout_that_is_not_on_file_is_named_and_has_no_file() -> None:
    n40 = unit(report_of(changed(official_rows(), "calculator_run", evidence="E2; E77")), "N40")
    assert n40["runs"][0]["evidence"][1] == {"evidence_id": "E77", "file": None, "sha256": None}


def test_an_estimated_unit_shows_what_the_model_was_asked_and_its_steps() -> None:
    n40 = unit(report_of(official_rows(), "argonne-2021"), "N40")
    assert n40["runs"] == []
    assert {one["name"]: one["value"] for one in n40["inputs"]}["Tillage"] == "no till"
    assert len(n40["working"]) == 4
    assert n40["label"] == "ESTIMATE"


def test_a_printout_that_claims_too_much_leaves_its_unit_without_ci_and_practices() -> None:
    n40 = unit(report_of(changed(official_rows(), "declaration", all_operations_listed="")), "N40")
    assert (n40["ci_g_per_bu"], n40["used"]) == (None, [])
    assert "split_in_season" in n40["credited"]


def test_practices_count_under_what_was_entered() -> None:
    found = {one["practice"]: one for one in report_of(official_rows())["practices"]}
    assert (found["no_till"]["units"], found["no_till"]["acres"], found["no_till"]["bushels"]) == (
        ["N40"],
        "40",
        "8000",
    )
    assert found["reduced_till"]["units"] == []
    less = {
        p["practice"]: p for p in report_of(changed(official_rows(), "calculator_run", inhibitor="no"))["practices"]
    }
    assert less["nitrification_inhibitor"]["units"] == []


def test_passes_build_up_to_the_sum_that_was_judged() -> None:
    (interval,) = unit(report_of(official_rows()), "N40")["intervals"]
    assert [one["operation_id"] for one in interval["passes"]] == ["O1", "O2", "O3", "O4", "O5"]
    facts = {one["name"]: one["value"] for one in interval["facts"]}
    assert interval["passes"][-1]["sum_recorded"] == facts["STIR by recorded values"] == "13.3"
    assert interval["passes"][-1]["sum_published"] == facts["STIR by published values"]
    assert interval["stir_limits"] == {"no_till": "20", "reduced_till": "80"}


def test_a_pass_without_values_is_unknown_and_adds_nothing() -> None:
    rows = with_row(
        official_rows(), "operation", operation_id="X", unit_id="N40", day="2025-05-01", operation="mystery"
    )
    (interval,) = unit(report_of(rows), "N40")["intervals"]
    strange = next(one for one in interval["passes"] if one["operation_id"] == "X")
    assert (strange["stir_recorded"], strange["sum_recorded"]) == (None, "10.55")


def test_every_claimable_requirement_is_there_with_verdict_and_paragraph() -> None:
    (interval,) = unit(report_of(official_rows()), "S12")["intervals"]
    assert [one["practice"] for one in interval["practices"]] == [
        "no_till", "reduced_till", "cover_crop", "nitrification_inhibitor", "no_fall_application", "split_in_season",
    ]  # fmt: skip
    every = [one for practice in interval["practices"] for one in practice["requirements"]]
    assert all(one["verdict"] in {"met", "not met", "not shown"} and one["cite"].startswith("2100.05") for one in every)
    plow = next(one for one in every if one["name"] == "reduced_till_no_primary_inversion")
    assert (plow["verdict"], plow["observed"]) == ("not met", "1 inversion pass")


def test_the_effect_of_a_finding_is_in_bushels() -> None:
    rows = changed(official_rows(), "reported_acres", acres="90")
    effects = [one["effect_bushels"] for one in report_of(rows)["findings"]]
    assert all(one is None or parse(one) <= parse("100000") for one in effects)
    assert "8000" in effects


def test_a_harvest_under_the_later_rule_says_so() -> None:
    rows = official_rows()
    for row in (1, 3):
        rows = changed(rows, "harvest", row, first_day="2026-10-01", last_day="2026-10-02")
    assessment = judged(rows)
    report = build(assessment, quantify(assessment, "F1", Crop.field_corn, 2026), as_of=DAY)
    assert report["rule"]["warning"] == "later rule in force, text not loaded"
