"""Official runs: when they count, what label they carry, and where printouts and records disagree."""

from dataclasses import replace
from typing import Any, Final

import pytest

from provender.intensity import runs as calculator_runs
from provender.intensity.average import Share, farm_average
from provender.intensity.calculator import AS_USUAL, Calculator, Combination, Label, Tillage, Timing, UnitCase
from provender.intensity.harvests import Disagreement, national_defaults
from provender.rule.calculators import CalculatorStatus as Status
from provender.rule.calculators import packaged_calculators
from provender.rule.crops import Crop, Practice
from tests.rows import CaseRows

ROWS: Final = CaseRows(__file__)

TOOL = "USDA FD-CIC"
LIST = b"""
[list]
name = "List of the tests"
supplier = "nobody"
read_up_to = 2026-01-01
[[calculator]]
name = "USDA FD-CIC"
[[calculator.version]]
version = "1.0"
status = "final"
source = "made up"
"""
KNOWN = packaged_calculators().with_list(LIST, "calculators.toml")
RUN = calculator_runs.RunFacts(
    run="r1",
    farm="bluestem",
    unit="home",
    crop=Crop.field_corn,
    harvest_year=2025,
    tool=TOOL,
    version="1.0",
    status=Status.FINAL,
    county_fips="17019",
    acres=100_000,
    yield_bu_per_ac=180_500,
    bushels=18_050_000,
    tillage=Tillage.no_till,
    cover_crop=True,
    timing=Timing.as_usual,
    inhibitor=False,
    ci_g_per_bu=512_340,
    farm_ci_g_per_bu=512_340,
)
DEFAULT = {
    "calculator": TOOL, "version": "1.0", "crop": "corn", "ci_g_per_bu": 800_000, "source": "printout 7",
}  # fmt: skip
CREDITED = Combination(Tillage.no_till, cover_crop=True)
CASE = UnitCase("home", Crop.field_corn, 2025, "17019", CREDITED)
RECORD = replace(CASE, acres=100_000, bushels=18_050_000)


def calculator(*runs: calculator_runs.RunFacts) -> Calculator:
    defaults, _ = national_defaults([DEFAULT], "defaults")
    return calculator_runs.OfficialRuns(runs, defaults, TOOL, "1.0", KNOWN)


def codes(findings: list[Disagreement]) -> list[str]:
    return [finding.code for finding in findings]


def test_a_run_that_agrees_is_official_and_each_uncredited_practice_is_a_finding() -> None:
    (answer,) = calculator(RUN).evaluate([CASE])
    assert (answer.ci_g_per_bu, answer.label, answer.notes) == (512_340, Label.OFFICIAL, ())
    assert (answer.calculator, answer.version) == (TOOL, "1.0")
    both = calculator(RUN, replace(RUN, run="r2", unit="away", status=Status.BETA))
    assert both.label is Label.PRELIMINARY
    assert {answer.label for answer in both.evaluate([CASE, replace(CASE, unit="away")])} == {Label.PRELIMINARY}
    assert calculator().label is Label.PRELIMINARY
    assert calculator_runs.inputs_agree(RUN, RECORD) == []
    assert calculator_runs.inputs_agree(replace(RUN, bushels=None), RECORD) == []
    assert len(calculator_runs.inputs_agree(RUN, replace(RECORD, combination=AS_USUAL))) == 2
    less = replace(RUN, cover_crop=False)
    assert calculator(less).evaluate([CASE])[0].ci_g_per_bu == 512_340
    assert calculator_runs.inputs_agree(less, RECORD) == []


@pytest.mark.parametrize(
    ("runs", "case"),
    [
        ((), CASE),
        ((RUN, replace(RUN, run="r2")), CASE),
        ((RUN,), replace(CASE, harvest_year=2026)),
        ((RUN,), replace(CASE, crop=Crop.sorghum)),
        ((RUN,), replace(CASE, unit="away")),
        ((RUN,), replace(CASE, county_fips="17021")),
        ((RUN,), replace(CASE, combination=AS_USUAL)),
        ((RUN,), replace(CASE, combination=Combination(Tillage.reduced_till, cover_crop=True))),
        ((replace(RUN, ci_g_per_bu=None),), CASE),
        ((replace(RUN, inhibitor=None),), CASE),
        ((replace(RUN, version="0.9"),), CASE),
    ],
    ids=["none", "two", "year", "crop", "unit", "county", "uncredited", "other tillage", "no CI", "unread", "version"],
)
def test_a_run_that_cannot_stand_for_the_unit_gives_no_ci(
    runs: tuple[calculator_runs.RunFacts, ...], case: UnitCase
) -> None:
    (answer,) = calculator(*runs).evaluate([case])
    assert answer.ci_g_per_bu is None
    assert len(answer.notes) == 1


def test_a_default_is_entered_once_with_its_source_and_a_blank_agrees_with_nothing() -> None:
    assert calculator(RUN).national_default(Crop.field_corn) == 800_000
    assert calculator(RUN).national_default(Crop.soybeans) is None
    for entries, kept, problems in (
        ([DEFAULT, DEFAULT | {"version": "1.1", "ci_g_per_bu": 1}], 2, 0),
        ([DEFAULT | {"source": " "}], 0, 1),
        ([DEFAULT, DEFAULT], 1, 1),
        ([DEFAULT, DEFAULT | {"ci_g_per_bu": 1}], 0, 1),
    ):
        found, told = national_defaults(entries, "defaults")
        assert (len(found), len(told)) == (kept, problems)
    record = replace(RECORD, county_fips=None, acres=None)
    silent = replace(RUN, county_fips=None, acres=None)
    assert codes(calculator_runs.inputs_agree(silent, record)) == ["run_county_differs", "run_acres_differs"]
    (finding,) = calculator_runs.acres_times_yield(replace(RUN, yield_bu_per_ac=None, bushels=None), 18_050_000)
    assert (finding.code, finding.effect_bushels) == ("run_yield_missing", 18_050_000)
    ours = farm_average([Share("home", 18_050_000, 512_340)], None)
    assert codes(calculator_runs.printed_average([RUN, replace(RUN, farm_ci_g_per_bu=None)], ours)) == [
        "run_farm_ci_missing"
    ]
    for runs, missing in (([RUN], []), ([replace(RUN, crop=Crop.soybeans)], ["national_default_missing"]), ([], [])):
        official = calculator(*runs)
        assert isinstance(official, calculator_runs.OfficialRuns)
        assert codes(official.findings()) == missing


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"crop": Crop.sorghum}, "run_crop_differs"),
        ({"harvest_year": 2024}, "run_harvest_year_differs"),
        ({"county_fips": "17021"}, "run_county_differs"),
        ({"county_fips": None}, "run_county_differs"),
        ({"acres": 100_001}, "run_acres_differs"),
        ({"acres": None}, "run_acres_differs"),
        ({"bushels": 18_050_001}, "run_bushels_differs"),
        ({"timing": Timing.no_fall_application}, "run_claims_uncredited_practice"),
        ({"inhibitor": True}, "run_claims_uncredited_practice"),
        ({"tillage": Tillage.reduced_till}, "run_claims_uncredited_practice"),
        ({"timing": None}, "run_practices_unread"),
        ({"crop_entered": False}, "run_crop_differs"),
    ],
)
def test_each_input_that_differs_is_a_finding_on_all_bushels(change: dict[str, Any], code: str) -> None:
    (finding,) = calculator_runs.inputs_agree(replace(RUN, **change), RECORD)
    assert finding.code == code
    assert finding.effect_bushels == 18_050_000
    assert finding.cite.startswith("2100.")


@ROWS
def test_a_printed_yield_may_miss_by_rounding(printed: int, places: int | None, bushels: int, *, agrees: bool) -> None:
    run = replace(RUN, yield_bu_per_ac=printed, yield_places=places, bushels=bushels)
    assert (calculator_runs.acres_times_yield(run) == []) is agrees


@pytest.mark.parametrize("missing", ["acres", "bushels"])
def test_what_other_findings_say_is_missing_is_not_told_twice(missing: str) -> None:
    change: dict[str, Any] = {"bushels": 1} | {missing: None}
    assert calculator_runs.acres_times_yield(replace(RUN, **change)) == []


def test_bushels_not_printed_are_those_recorded_and_another_farm_ci_is_a_finding() -> None:
    silent = replace(RUN, bushels=None)
    assert calculator_runs.acres_times_yield(silent, 18_050_000) == []
    (finding,) = calculator_runs.acres_times_yield(silent, 20_000_000)
    assert finding.effect_bushels == 1_950_000
    assert "18,050 bu" in finding.expected
    ours = farm_average([Share("home", 18_050_000, 512_340)], None)
    assert calculator_runs.printed_average([RUN, replace(RUN, farm_ci_g_per_bu=512_340)], ours) == []
    for other in (512_339, 512_341, 0):
        (finding,) = calculator_runs.printed_average([replace(RUN, farm_ci_g_per_bu=other)], ours)
        assert (finding.code, finding.expected) == ("farm_ci_differs", "5123.40 g CO2e/bu")
    assert codes(calculator_runs.printed_average([replace(RUN, farm_ci_g_per_bu=1)], farm_average([], None))) == [
        "farm_ci_differs"
    ]


def test_two_versions_in_one_average_and_two_cis_of_the_same_inputs_are_findings() -> None:
    assert calculator_runs.one_version([RUN, replace(RUN, unit="away")]) == []
    assert codes(calculator_runs.one_version([RUN, replace(RUN, version="1.1")])) == ["versions_mixed"]
    twin = replace(RUN, farm="basswood", unit="creek", ci_g_per_bu=512_341, bushels=1_000)
    (finding,) = calculator_runs.one_ci_per_inputs([RUN, twin])
    assert finding.code == "same_inputs_different_ci"
    assert finding.effect_bushels == 18_051_000
    assert "basswood creek" in finding.subject
    assert calculator_runs.one_ci_per_inputs([RUN, replace(twin, ci_g_per_bu=512_340)]) == []


@pytest.mark.parametrize(
    "change",
    [
        {"version": "1.1"},
        {"county_fips": "17021"},
        {"crop": Crop.sorghum},
        {"inhibitor": True},
        {"inhibitor": None},
        {"county_fips": None},
        {"ci_g_per_bu": None},
    ],
)
def test_other_or_unknown_inputs_may_have_another_ci(change: dict[str, Any]) -> None:
    assert calculator_runs.one_ci_per_inputs([RUN, replace(RUN, **({"ci_g_per_bu": 1} | change))]) == []


def test_a_run_may_claim_less_than_the_records_show_and_that_is_told() -> None:
    lesser = replace(RUN, tillage=Tillage.reduced_till, cover_crop=False)
    met = frozenset((Practice.no_till, Practice.reduced_till, Practice.cover_crop))
    (answer,) = calculator(lesser).evaluate([replace(CASE, also_met=met)])
    assert answer.ci_g_per_bu == lesser.ci_g_per_bu
    assert answer.notes == (
        "The calculator was run without No-till, Cover crop, which the records show: that is allowed.",
    )
    assert calculator_runs.inputs_agree(lesser, replace(RECORD, also_met=met)) == []
    (refused,) = calculator(lesser).evaluate([CASE])  # reduced till itself is not met here
    assert refused.ci_g_per_bu is None
    assert codes(calculator_runs.inputs_agree(lesser, RECORD)) == ["run_claims_uncredited_practice"]
