"""The open model: its tables and refusals, and rows of JSON; against the workbook: ``tests/conformance``."""

import csv
import math
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provender.intensity.argonne2021 import inputs as model_inputs
from provender.intensity.argonne2021.model import Answer, answer_rows, evaluate
from provender.problem import ProblemsError, Weight
from tests.conformance.kit import workbook

VECTORS = workbook()
DATA = files("provender.intensity.argonne2021") / "data"
TOLERANCE = 1e-6

Row = Mapping[str, Any]


def same(mine: float | None, theirs: float | None, tolerance: float) -> bool:
    if mine is None or theirs is None:
        return mine is theirs
    return math.isclose(mine, theirs, rel_tol=tolerance, abs_tol=1e-300)


@pytest.mark.parametrize("source", model_inputs.AMMONIA_SOURCES)
def test_product_intensities_from_recipes_equal_the_derived_constants(source: str) -> None:
    derived = model_inputs.factors()[f"derived_product_{source}"]
    made = model_inputs.product_intensities(source)
    assert set(made) == set(derived)
    assert all(math.isclose(made[name], derived[name], rel_tol=1e-12) for name in derived)


def test_fuel_intensities_and_packaged_tables_are_those_of_their_provenance() -> None:
    derived = model_inputs.factors()["derived_energy"]
    for fuel in ("diesel", "gasoline", "natural_gas", "lpg"):
        assert math.isclose(model_inputs.fuel_intensity(fuel, "sorghum"), derived[fuel], rel_tol=1e-12)
    assert math.isclose(
        model_inputs.fuel_intensity("electricity", "soybean"), derived["electricity_corn_soybean"], rel_tol=1e-12
    )
    assert math.isclose(
        model_inputs.fuel_intensity("electricity", "sorghum"), derived["electricity_sorghum"], rel_tol=1e-12
    )
    written = (DATA / "PROVENANCE.md").read_text(encoding="utf-8")
    names = [path.name for path in DATA.iterdir() if path.name.endswith(".csv")]
    assert len(names) == 5
    for name in names:
        assert f"{sha256((DATA / name).read_bytes()).hexdigest()}  {name}" in written


@cache
def rows_by_fips(name: str) -> dict[str, dict[str, str]]:
    with (DATA / name).open(encoding="utf-8") as lines:
        return {row["fips"]: row for row in csv.DictReader(lines)}


@pytest.mark.parametrize("crop", model_inputs.CROPS)
@pytest.mark.parametrize("bushels", [0.0, -1.0, math.inf, math.nan, None])
def test_a_row_without_a_usable_yield_has_no_line_per_bushel(crop: str, bushels: float | None) -> None:
    answer = evaluate(crop, {"yield_bu_per_ac": bushels})
    kept = {name for name, value in answer.items() if value is not None}
    assert kept <= {"soc_emission_kg_c_per_ha_yr", "n2o_factor_fertilizer"}


@pytest.mark.parametrize(
    ("crop", "name", "value"),
    [
        ("corn", "tillage", "ploughed"),
        ("corn", "climate_zone_choice", "wet"),
        ("soybean", "ammonia_source", "blue"),
        ("soybean", "n_dap_lb_per_ac", None),
        ("sorghum", "diesel_gal_per_ac", None),
        ("corn", "cover_crop", None),
    ],
)
def test_an_unknown_word_or_a_null_takes_the_total_away(crop: str, name: str, value: str | None) -> None:
    assert evaluate(crop, {name: value})["ci_with_soc"] is None


@pytest.mark.parametrize("fips", ["1701", "017019", " 17019", "17019 ", "1701x", "", "+7019", "17.19"])
def test_a_county_code_that_is_not_five_digits_matches_nothing(fips: str) -> None:
    corn, soybean = (evaluate(crop, {"fips": fips}) for crop in ("corn", "soybean"))
    assert (corn["soc"], soybean["soc"], corn["ci_without_soc"]) == (None, None, None)
    assert soybean["ci_without_soc"] is not None


def test_a_row_of_the_crop_alone_takes_defaults_and_a_misspelt_input_its_right_name() -> None:
    expected = {vector["crop"]: vector["outputs"]["ci_with_soc"] for vector in VECTORS if vector["label"] == "default"}
    assert set(expected) == set(model_inputs.CROPS)
    for crop in model_inputs.CROPS:
        assert same(evaluate(crop, {})["ci_with_soc"], expected[crop], TOLERANCE)
    (problem,) = ask("corn", {"yeild_bu_per_ac": 150}).problems
    assert "yield_bu_per_ac" in problem.remedy
    assert set(ask("sorghum", {}).as_json()) == {"id", "outputs"}
    assert ask("corn", {"nitrogen_balance_kg_n_per_ha": -9.45856}).outputs is not None
    assert answer_rows([], "rows.json") == []


def test_the_tables_of_counties_and_inputs_are_whole() -> None:
    zones = rows_by_fips("climate_zone_by_county.csv")
    unnamed = [fips for fips, row in zones.items() if row["ipcc_climate_zone"] == "NA"]
    assert len(zones) == 3142
    assert len(unnamed) == 35
    factors_found = [evaluate("corn", {"fips": fips})["n2o_factor_fertilizer"] for fips in unnamed]
    assert factors_found == pytest.approx([0.01374] * 35)
    for crop in ("corn", "soybean"):
        counties = list(rows_by_fips(f"soc_{crop}_by_county.csv"))
        answers = [evaluate(crop, {"fips": fips, "tillage": "average"})["soc"] for fips in counties]
        assert answers == [0.0] * 1203
    for vector in VECTORS:
        assert set(vector["inputs"]) == set(model_inputs.inputs_of(vector["crop"]))


def ask(crop: str, inputs: object) -> Answer:
    (answer,) = answer_rows([{"id": "one", "crop": crop, "inputs": inputs}], "rows.json")
    return answer


def codes(answer: Answer) -> set[str]:
    return {problem.code for problem in answer.problems}


def refused(answer: Answer) -> bool:
    return answer.outputs is None and any(problem.weight is Weight.ERROR for problem in answer.problems)


@pytest.mark.parametrize("document", [VECTORS, {"vectors": VECTORS, "model": "any"}])
def test_vectors_are_answered_in_order_as_a_list_or_under_their_name(document: object) -> None:
    answers = answer_rows(document, "vectors.json")
    assert [answer.id for answer in answers] == [vector["id"] for vector in VECTORS]
    for answer, vector in zip(answers, VECTORS, strict=True):
        assert answer.problems == ()
        assert answer.outputs is not None
        assert list(answer.outputs) == list(vector["outputs"])
        for name, value in vector["outputs"].items():
            mine = answer.outputs[name]
            assert (mine is None) == (value is None)
            assert value is None or mine == pytest.approx(value, rel=1e-6, abs=0)


@pytest.mark.parametrize("crop", ["corn", "soybean", "sorghum"])
def test_inputs_left_out_take_the_workbooks_defaults(crop: str) -> None:
    answer = ask(crop, {})
    assert answer.inputs == model_inputs.default_inputs(crop)
    assert answer.outputs == ask(crop, dict(model_inputs.default_inputs(crop))).outputs


WRONG: dict[tuple[str, str], tuple[object, ...]] = {
    ("corn", "yield_bu_per_ac"): (0, -0.0, -1e-9, None, "178.4", True, math.nan, math.inf, 10**400),
    ("soybean", "diesel_gal_per_ac"): (-1e-9, -math.inf, [1], {}),
    ("corn", "nitrogen_balance_kg_n_per_ha"): (math.nan,),
    ("corn", "cover_crop"): (1, "yes"),
    ("corn", "tillage"): ("No_Till", None),
    ("corn", "climate_zone_choice"): ("Dry",),
    ("corn", "ammonia_source"): ("blue",),
    ("corn", "nitrogen_technology"): ("4r", "enhanced_efficiency"),
    ("corn", "fips"): (17019, "1701", "\uff11\uff17\uff10\uff11\uff19"),
    ("soybean", "fips"): ("17019 ",),
    ("soybean", "state"): (17,),
    ("sorghum", "fips"): ("17019",),
    ("soybean", "climate_zone_choice"): ("county",),
    ("sorghum", "tillage"): ("no_till",),
    ("corn", "yeild_bu_per_ac"): (150,),
}


@pytest.mark.parametrize(
    ("crop", "column", "value"), [(*which, value) for which, values in WRONG.items() for value in values]
)
def test_a_wrong_input_refuses_its_row_and_names_itself(crop: str, column: str, value: object) -> None:
    answer = ask(crop, {column: value})
    assert refused(answer)
    assert {problem.place.column for problem in answer.problems if problem.weight is Weight.ERROR} == {column}
    assert all(problem.place.row == 1 and problem.remedy for problem in answer.problems)


@pytest.mark.parametrize("value", [0, 0.0, 1e-9, 2000])
def test_amounts_of_zero_or_more_are_taken_whole_or_not(value: float) -> None:
    assert ask("corn", {"diesel_gal_per_ac": value}).problems == ()


@pytest.mark.parametrize("place", [{"fips": None}, {"fips": "12086"}, {"state": "IL", "county": "Champaign"}])
def test_an_unknown_county_has_no_zone_for_corn_and_no_soil_carbon(place: dict[str, object]) -> None:
    answer = ask("corn", place)
    assert refused(answer)
    assert codes(answer) == {"county_without_zone"}
    for answer in (ask("corn", {**place, "climate_zone_choice": "no_consideration"}), ask("soybean", place)):
        assert answer.outputs is not None
        assert (answer.outputs["soc"], answer.outputs["ci_with_soc"]) == (None, None)
        assert answer.outputs["ci_without_soc"] is not None


def test_a_county_is_that_of_its_code_however_spelled_and_has_a_zone_without_soil_carbon() -> None:
    answer = ask("corn", {"fips": "17019", "state": "IA", "county": "Story"})
    assert codes(answer) == {"county_name_differs"}
    assert answer.outputs == ask("corn", {}).outputs
    answer = ask("corn", {"fips": "20055"})
    assert answer.problems == ()
    assert answer.inputs["county"] is None
    assert answer.outputs == ask("corn", {"fips": "20055", "state": "KS", "county": "Finney"}).outputs
    assert ask("corn", {"fips": "17019", "state": "il", "county": "CHAM PAIGN"}).problems == ()
    answer = ask("corn", {"fips": "15009", "state": "HI", "county": "Maui"})
    assert answer.outputs is not None
    assert answer.outputs["n2o_factor_fertilizer"] == pytest.approx(0.01374)
    assert answer.outputs["soc"] is None


@pytest.mark.parametrize("row", [7, None, "corn", [], [["id", 1]]])
def test_a_row_that_is_no_object_is_refused_and_keeps_its_place(row: object) -> None:
    answers = answer_rows([{"id": "a", "crop": "corn", "inputs": {}}, row], "rows.json")
    assert answers[0].outputs is not None
    assert refused(answers[1])
    assert answers[1].problems[0].place.row == 2


@pytest.mark.parametrize(("written", "crop"), [("Corn", "corn"), (" SORGHUM ", "sorghum"), ("Soybeans", "soybean")])
def test_a_crop_is_known_in_any_case_and_by_the_words_of_the_rule(written: str, crop: str) -> None:
    (answer,) = answer_rows([{"id": "a", "crop": written, "inputs": {}}], "rows.json")
    assert (answer.crop, answer.outputs) == (crop, ask(crop, {}).outputs)


@pytest.mark.parametrize("crop", ["rice", "corns", "", None, 3, ["corn"]])
def test_a_crop_of_another_name_is_refused(crop: object) -> None:
    (answer,) = answer_rows([{"id": "a", "crop": crop, "inputs": {}}], "rows.json")
    assert codes(answer) == {"unknown_crop"}


@pytest.mark.parametrize("inputs", [None, [], "x", 1])
def test_a_row_without_an_object_of_inputs_is_refused(inputs: object) -> None:
    assert codes(ask("corn", inputs)) == {"no_inputs"}


def test_a_row_without_an_id_and_a_repeated_id_are_refused_and_a_name_beside_the_inputs_said_not_to_be_read() -> None:
    rows = [
        {"id": "a", "crop": "corn", "inputs": {}},
        {"id": "a", "crop": "corn", "inputs": {}},
        {"crop": "corn", "inputs": {}},
    ]
    first, second, third = answer_rows(rows, "rows.json")
    assert first.outputs is not None
    assert codes(second) == {"same_id"}
    assert codes(third) == {"no_id"}
    (answer,) = answer_rows([{"id": "a", "crop": "corn", "inputs": {}, "yield": 3}], "rows.json")
    assert codes(answer) == {"not_read"}
    assert answer.outputs is not None


@pytest.mark.parametrize(
    "inputs", [{"yield_bu_per_ac": 1e-320}, {"diesel_gal_per_ac": 1e308}, {"nitrogen_balance_kg_n_per_ha": 1e6}]
)
def test_a_result_beyond_all_numbers_is_refused(inputs: dict[str, object]) -> None:
    answer = ask("corn", inputs)
    assert codes(answer) == {"absurd_result"}
    assert refused(answer)


@pytest.mark.parametrize("document", [{}, {"vectors": {}}, None, 3, "rows", {"rows": []}])
def test_a_document_without_rows_cannot_be_used(document: object) -> None:
    with pytest.raises(ProblemsError):
        answer_rows(document, "rows.json")


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
NAMES = st.sampled_from([*model_inputs.inputs_of("corn"), "colour"])
ROWS = st.fixed_dictionaries(
    {},
    optional={
        "id": JUNK,
        "crop": st.sampled_from(["corn", "soybean", "sorghum"]) | JUNK,
        "inputs": st.dictionaries(NAMES, JUNK, max_size=4) | JUNK,
        "extra": JUNK,
    },
)


@given(st.lists(ROWS | JUNK, max_size=6))
def test_whatever_the_rows_hold_each_is_answered_or_says_why(rows: list[object]) -> None:
    answers = answer_rows(rows, "rows.json")
    assert len(answers) == len(rows)
    for answer in answers:
        errors = [problem for problem in answer.problems if problem.weight is Weight.ERROR]
        assert (answer.outputs is None) == bool(errors)
        assert all(problem.cause and problem.remedy for problem in answer.problems)
