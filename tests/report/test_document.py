"""The document itself: everything 2100.031(c) asks for, in plain data that is the same for the same records.

The golden documents are written on purpose: ``PROVENDER_GOLDEN=write pytest tests/report/test_document.py``.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from provender.exact import parse
from provender.intensity.quantify import quantify
from provender.records.kind import BASES
from provender.report.document import build
from provender.rule.crops import Crop
from provender.signing.canonical import canonical_json
from tests.report.official import DAY, judged, official_rows, quantified, report_of
from tests.standards.season import Rows, changed, clean_season, evidence, with_row

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


def test_amounts_are_texts_and_the_average_recomputes() -> None:
    report = report_of(official_rows())
    assert not [one for one in walk(report) if isinstance(one, float)]
    assert canonical_json(report) == canonical_json(json.loads(json.dumps(report)))
    assert (report["total_acres"], report["total_bushels"]) == ("52", "9500")
    # (8000 x 4321.09 + 1500 x 7654.32) / 9500 = 46,050,200 / 9,500 = 4847.389...
    assert report["farm_ci_g_per_bu"] == "4847.39"
    assert report["below_national_g_per_bu"] == "2806.93"
    rows = report["average"]["rows"]
    assert [row["unit"] for row in rows] == [unit["unit_id"] for unit in report["units"]] == ["N40", "S12"]
    assert sum(parse(row["product_g"], 5) for row in rows) == parse(report["average"]["product_g"], 5)
    assert all(parse(r["bushels"]) * parse(r["ci_g_per_bu"], 2) == parse(r["product_g"], 5) for r in rows)


def unit(report: dict[str, Any], unit_id: str) -> dict[str, Any]:
    found: dict[str, Any] = next(one for one in report["units"] if one["unit_id"] == unit_id)
    return found


def test_a_unit_not_shown_has_no_ci_and_a_printout_that_is_not_there_no_hash() -> None:
    n40 = unit(report_of(changed(official_rows(), "declaration", all_operations_listed="")), "N40")
    assert (n40["ci_g_per_bu"], n40["used"]) == (None, [])
    assert "split_in_season" in n40["credited"]
    n40 = unit(report_of(changed(official_rows(), "calculator_run", evidence="E2; E77")), "N40")
    assert n40["runs"][0]["evidence"][1] == {"evidence_id": "E77", "file": None, "sha256": None}


def test_a_harvest_under_the_later_rule_says_so_and_practices_count_as_entered() -> None:
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
    rows = official_rows()
    for row in (1, 3):
        rows = changed(rows, "harvest", row, first_day="2026-10-01", last_day="2026-10-02")
    assessment = judged(rows)
    report = build(assessment, quantify(assessment, "F1", Crop.field_corn, 2026), as_of=DAY)
    assert report["rule"]["warning"] == "later rule in force, text not loaded"


def test_passes_build_up_to_the_sum_that_was_judged_and_one_without_values_adds_nothing() -> None:
    (interval,) = unit(report_of(official_rows()), "N40")["intervals"]
    assert [one["operation_id"] for one in interval["passes"]] == ["O1", "O2", "O3", "O4", "O5"]
    facts = {one["name"]: one["value"] for one in interval["facts"]}
    assert interval["passes"][-1]["sum_recorded"] == facts["STIR by recorded values"] == "13.3"
    assert interval["passes"][-1]["sum_published"] == facts["STIR by published values"]
    assert interval["stir_limits"] == {"no_till": "20", "reduced_till": "80"}
    rows = with_row(
        official_rows(), "operation", operation_id="X", unit_id="N40", day="2025-05-01", operation="mystery"
    )
    (interval,) = unit(report_of(rows), "N40")["intervals"]
    strange = next(one for one in interval["passes"] if one["operation_id"] == "X")
    assert (strange["stir_recorded"], strange["sum_recorded"]) == (None, "10.55")


def test_each_requirement_stands_on_its_rows_and_a_finding_has_its_bushels() -> None:
    for rows in (official_rows(), changed(official_rows(), "declaration", all_operations_listed="")):
        for of in (one for unit in report_of(rows)["units"] for one in unit["intervals"]):
            for name, one in of["requirements"].items():
                held = {"met": "shown", "not met": "against", "not shown": "missing"}[one["verdict"]]
                assert [kind for kind in ("shown", "against", "missing") if one[kind]] == [held], name
    rows = changed(official_rows(), "reported_acres", acres="90")
    effects = [one["effect_bushels"] for one in report_of(rows)["findings"]]
    assert all(one is None or parse(one) <= parse("100000") for one in effects)
    assert "8000" in effects


ROWS = ("operation", "cover_crop", "nutrient_application", "planting", "nutrient_budget")
PAPERS = (evidence("LOG", "log.zip", "machine_file", ""), evidence("INV", "invoice.pdf", "invoice", ""))


def known(rows: Rows, by: str) -> Rows:
    """Grade every row by a word and the paper that holds it; no machine makes a budget."""
    for paper in PAPERS:
        rows = with_row(rows, "evidence", **paper)
    for kind in ROWS:
        word = "third_party" if (kind, by) == ("nutrient_budget", "machine") else by
        for row in range(len(rows[kind])):
            rows = changed(rows, kind, row, known_by=word, evidence="LOG" if word == "machine" else "INV")
    return rows


def shares(rows: Rows) -> dict[str, tuple[str, str]]:
    return {one["grade"]: (one["bushels"], one["percent"]) for one in report_of(rows)["evidence_grades"]}


@pytest.mark.parametrize("grade", BASES)
def test_bushels_count_under_the_grade_that_all_rows_share(grade: str) -> None:
    found = shares(known(official_rows(), grade))
    assert found == {one: ("8000", "100") if one == grade else ("0", "0") for one in BASES}


@pytest.mark.parametrize("kind", ROWS)
def test_one_weaker_row_of_any_kind_decides_for_its_unit(kind: str) -> None:
    rows = changed(known(official_rows(), "third_party"), kind, known_by="typed_in_season")
    assert shares(rows)["typed_in_season"] == ("8000", "100")


def test_a_row_that_does_not_say_is_the_weakest_and_without_credit_nothing_rests_on_anything() -> None:
    rows = known(official_rows(), "machine")
    assert shares(changed(rows, "operation", known_by=""))["typed_after_harvest"] == ("8000", "100")
    others = [changed(rows, "operation", 5, known_by="typed_after_harvest")]
    for day in ("2024-10-01", "2025-10-22"):
        row = rows["operation"][1] | {"operation_id": "O77", "day": day, "known_by": ""}
        others.append(with_row(rows, "operation", **row))
    assert [shares(one)["machine"] for one in others] == [("8000", "100")] * 3
    rows = official_rows()
    report = report_of(
        {kind: of for kind, of in rows.items() if kind not in {"declaration", "cover_crop", "nutrient_application"}}
    )
    assert {one["percent"] for one in report["evidence_grades"]} == {"0"}


def with_other(unit: str, **cells: str) -> Rows:
    """Return the corn with another unit that grew sorghum, whose entry and pass bear these cells."""
    rows = with_row(official_rows(), "unit", unit_id=unit, name="Secret", acres="5", county_fips="20177")
    rows = with_row(rows, "harvest", harvest_id="O25", unit_id=unit, crop="sorghum", use="grain", ending="harvested",
                    first_day="2025-10-01", last_day="2025-10-01", bushels="9")  # fmt: skip
    return with_row(rows, "operation", **{"operation_id": "OX1", "unit_id": unit, "day": "2025-04-11",
                                          "operation": "Do all", **cells})  # fmt: skip


def test_what_all_fields_used_up_is_told_without_the_fields_of_other_crops() -> None:
    """Inhibitor that comes inside the fertilizer of every field is shown by an application of one of them."""
    inside = {"product": "SuperU", "inhibitor": "", "inhibitor_rate": "", "inhibitor_rate_unit": ""}
    first, *more = ({**row, **inside} for row in official_rows()["nutrient_application"])
    other = first | {"application_id": "OA1", "unit_id": "OTHER7", "harvest_id": "O25"}
    report = report_of(with_other("OTHER7") | {"nutrient_application": [other, first, *more]})
    assert "OA1" not in json.dumps(report)
    (of,) = unit(report, "N40")["intervals"]
    bought = of["requirements"]["records_inhibitor_bought"]
    assert (bought["verdict"], [one["words"] for one in bought["shown"]]) == (
        "met", ["of another field"],
    )  # fmt: skip


def problems_of(rows: Rows) -> list[tuple[str, str]]:
    assessment = judged(rows)
    report: dict[str, Any] = build(assessment, quantified(assessment), as_of=DAY)
    return [(one["code"], one["cause"]) for one in report["problems"]]


def new(rows: Rows, unit: str) -> list[tuple[str, str]]:
    before = problems_of(with_other(unit))
    return [one for one in problems_of(rows) if one not in before]


def test_a_value_or_count_of_the_corn_is_told_though_another_field_is_called_like_it() -> None:
    """A field of another crop called 2 does not take away what "stands there 2 times" says of the corn."""
    rows = with_other("2")
    corn = next(row for row in rows["operation"] if row["unit_id"] == "N40")
    (found,) = new(with_row(rows, "operation", **{**corn, "day": "2025-04-19"}), "2")
    assert found[0] == "double_key"
    assert "stands there 2 times" in found[1]
    rows = with_other("0.3")
    n40 = {"unit_id": "N40", "day": "2025-04-19", "operation": "Do all"}
    told = new(with_row(rows, "operation", operation_id="W1", depth_in="0.3", **n40), "0.3")
    assert "shallow_pass" in [code for code, _ in told]


@pytest.mark.parametrize("depth", ["0.3", "99"])
def test_what_is_wrong_with_a_row_of_another_crop_is_not_told(depth: str) -> None:
    assert new(with_other("OTHER7", depth_in=depth), "OTHER7") == []


def test_what_may_have_been_of_this_crop_is_told() -> None:
    rows = with_other("OTHER7")
    cells = {"operation_id": "W1", "unit_id": "N4O", "day": "2025-04-19", "operation": "Do all"}
    assert [code for code, _ in new(with_row(rows, "operation", **cells), "OTHER7")] == ["unknown_reference"]
    twice = {**rows["harvest"][-1], "crop": "corn"}
    assert any(code == "double_key" for code, _ in new(with_row(rows, "harvest", **twice), "OTHER7"))
    rows = official_rows()
    at = next(row for row in rows["harvest"] if row["harvest_id"] == "H24")
    rest = {**rows, "harvest": [row for row in rows["harvest"] if row is not at]}
    told = problems_of({**rest, "harvest": [{**at, "bushels": "99999999999"}, *rest["harvest"]]})
    assert "out_of_bounds" in dict(told)
    assert "out_of_bounds" not in dict(problems_of(rows))
