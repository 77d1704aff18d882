"""JSON rows in, answers out: what is refused, what is doubtful, what is merely said."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provender.intensity.argonne2021 import Answer, answer_rows
from provender.intensity.argonne2021.inputs import default_inputs, inputs_of
from provender.problem import ProblemsError, Weight
from tests.conformance.kit import workbook

VECTORS = workbook()


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


def test_an_answer_without_problems_is_id_and_outputs_alone() -> None:
    assert set(ask("sorghum", {}).as_json()) == {"id", "outputs"}


@pytest.mark.parametrize("crop", ["corn", "soybean", "sorghum"])
def test_inputs_left_out_take_the_workbooks_defaults(crop: str) -> None:
    answer = ask(crop, {})
    assert answer.inputs == default_inputs(crop)
    assert answer.outputs == ask(crop, dict(default_inputs(crop))).outputs


@pytest.mark.parametrize(
    ("crop", "inputs", "column"),
    [
        ("corn", {"yield_bu_per_ac": 0}, "yield_bu_per_ac"),
        ("corn", {"yield_bu_per_ac": -0.0}, "yield_bu_per_ac"),
        ("corn", {"yield_bu_per_ac": -1e-9}, "yield_bu_per_ac"),
        ("corn", {"yield_bu_per_ac": None}, "yield_bu_per_ac"),
        ("corn", {"yield_bu_per_ac": "178.4"}, "yield_bu_per_ac"),
        ("corn", {"yield_bu_per_ac": True}, "yield_bu_per_ac"),
        ("corn", {"yield_bu_per_ac": float("nan")}, "yield_bu_per_ac"),
        ("corn", {"yield_bu_per_ac": float("inf")}, "yield_bu_per_ac"),
        ("corn", {"yield_bu_per_ac": 10**400}, "yield_bu_per_ac"),
        ("soybean", {"diesel_gal_per_ac": -1e-9}, "diesel_gal_per_ac"),
        ("soybean", {"diesel_gal_per_ac": float("-inf")}, "diesel_gal_per_ac"),
        ("soybean", {"diesel_gal_per_ac": [1]}, "diesel_gal_per_ac"),
        ("soybean", {"diesel_gal_per_ac": {}}, "diesel_gal_per_ac"),
        ("corn", {"nitrogen_balance_kg_n_per_ha": float("nan")}, "nitrogen_balance_kg_n_per_ha"),
        ("corn", {"cover_crop": 1}, "cover_crop"),
        ("corn", {"cover_crop": "yes"}, "cover_crop"),
        ("corn", {"tillage": "No_Till"}, "tillage"),
        ("corn", {"tillage": None}, "tillage"),
        ("corn", {"climate_zone_choice": "Dry"}, "climate_zone_choice"),
        ("corn", {"ammonia_source": "blue"}, "ammonia_source"),
        ("corn", {"nitrogen_technology": "4r"}, "nitrogen_technology"),
        ("corn", {"nitrogen_technology": "enhanced_efficiency"}, "nitrogen_technology"),
        ("corn", {"fips": 17019}, "fips"),
        ("corn", {"fips": "1701"}, "fips"),
        ("corn", {"fips": "\uff11\uff17\uff10\uff11\uff19"}, "fips"),
        ("soybean", {"fips": "17019 "}, "fips"),
        ("soybean", {"state": 17}, "state"),
        ("sorghum", {"fips": "17019"}, "fips"),
        ("soybean", {"climate_zone_choice": "county"}, "climate_zone_choice"),
        ("sorghum", {"tillage": "no_till"}, "tillage"),
        ("corn", {"yeild_bu_per_ac": 150}, "yeild_bu_per_ac"),
    ],
)
def test_a_wrong_input_refuses_its_row_and_names_itself(crop: str, inputs: dict[str, object], column: str) -> None:
    answer = ask(crop, inputs)
    assert refused(answer)
    assert {problem.place.column for problem in answer.problems if problem.weight is Weight.ERROR} == {column}
    assert all(problem.place.row == 1 and problem.remedy for problem in answer.problems)


def test_a_misspelt_input_is_offered_its_right_name() -> None:
    (problem,) = ask("corn", {"yeild_bu_per_ac": 150}).problems
    assert "yield_bu_per_ac" in problem.remedy


@pytest.mark.parametrize("value", [0, 0.0, 1e-9, 2000])
def test_amounts_of_zero_or_more_are_taken_whole_or_not(value: float) -> None:
    assert ask("corn", {"diesel_gal_per_ac": value}).problems == ()


def test_a_negative_nitrogen_balance_is_an_ordinary_number() -> None:
    assert ask("corn", {"nitrogen_balance_kg_n_per_ha": -9.45856}).outputs is not None


@pytest.mark.parametrize("place", [{"fips": None}, {"fips": "12086"}, {"state": "IL", "county": "Champaign"}])
def test_corn_refuses_to_guess_the_zone_of_an_unknown_county(place: dict[str, object]) -> None:
    answer = ask("corn", place)
    assert refused(answer)
    assert codes(answer) == {"county_without_zone"}


@pytest.mark.parametrize("place", [{"fips": None}, {"fips": "12086"}, {"state": "IL", "county": "Champaign"}])
def test_without_the_zone_an_unknown_county_is_an_answer_without_soil_carbon(place: dict[str, object]) -> None:
    for answer in (ask("corn", {**place, "climate_zone_choice": "no_consideration"}), ask("soybean", place)):
        assert answer.outputs is not None
        assert answer.outputs["soc"] is None
        assert answer.outputs["ci_with_soc"] is None
        assert answer.outputs["ci_without_soc"] is not None


def test_a_county_of_the_zone_table_without_soil_carbon_has_a_zone_all_the_same() -> None:
    answer = ask("corn", {"fips": "15009", "state": "HI", "county": "Maui"})
    assert answer.outputs is not None
    assert answer.outputs["n2o_factor_fertilizer"] == pytest.approx(0.01374)
    assert answer.outputs["soc"] is None


def test_a_name_that_is_not_the_codes_county_is_doubtful_but_answered_by_the_code() -> None:
    answer = ask("corn", {"fips": "17019", "state": "IA", "county": "Story"})
    assert codes(answer) == {"county_name_differs"}
    assert answer.outputs == ask("corn", {}).outputs


def test_a_code_alone_is_a_whole_place() -> None:
    answer = ask("corn", {"fips": "20055"})
    assert answer.problems == ()
    assert answer.inputs["county"] is None
    assert answer.outputs == ask("corn", {"fips": "20055", "state": "KS", "county": "Finney"}).outputs


def test_the_spelling_of_a_county_may_differ_in_case_and_spaces() -> None:
    assert ask("corn", {"fips": "17019", "state": "il", "county": "CHAM PAIGN"}).problems == ()


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


def test_a_row_without_an_id_and_a_repeated_id_are_refused() -> None:
    rows = [
        {"id": "a", "crop": "corn", "inputs": {}},
        {"id": "a", "crop": "corn", "inputs": {}},
        {"crop": "corn", "inputs": {}},
    ]
    first, second, third = answer_rows(rows, "rows.json")
    assert first.outputs is not None
    assert codes(second) == {"same_id"}
    assert codes(third) == {"no_id"}


def test_a_name_beside_the_inputs_is_said_not_to_have_been_read() -> None:
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


def test_no_rows_are_no_answers() -> None:
    assert answer_rows([], "rows.json") == []


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
NAMES = st.sampled_from([*inputs_of("corn"), "colour"])
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
