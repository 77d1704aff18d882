"""Acres, bushels and yields against other records, at the limit and on both sides of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provender.intensity.average import (
    YieldLimits,
    acres_complete,
    bushels_complete,
    nothing_counted,
    scaled_to,
    yields_in_line,
)
from provender.intensity.harvests import AcresReport, BushelCount, Disagreement, UnitHarvest
from provender.rule.crops import Crop

CORN, SOYBEANS = Crop.field_corn, Crop.soybeans
UNITS = (
    UnitHarvest("home", CORN, 80_000, 16_000_000),
    UnitHarvest("creek", CORN, 120_000, 18_000_000),
    UnitHarvest("bottom", SOYBEANS, 50_000, 2_500_000),
)


def codes(findings: list[Disagreement] | tuple[Disagreement, ...]) -> list[str]:
    return [finding.code for finding in findings]


def fsa(acres: int, crop: Crop = CORN) -> AcresReport:
    return AcresReport(crop, acres, "FSA-578")


@pytest.mark.parametrize(
    ("reported", "effect"), [(200_000, None), (200_001, 170), (199_999, 170), (300_000, 17_000_000)]
)
def test_any_difference_in_acres_is_a_finding_with_its_bushels(reported: int, effect: int | None) -> None:
    findings = acres_complete(UNITS, [fsa(reported), fsa(1, SOYBEANS)], CORN)
    assert [finding.effect_bushels for finding in findings] == ([] if effect is None else [effect])


@pytest.mark.parametrize(
    ("reported", "code"),
    [(206_185, "acres_differ"), (206_186, "acres_unexplained"), (194_175, "acres_differ"),
     (194_174, "acres_unexplained")],
)  # fmt: skip
def test_an_allowance_reaches_to_its_last_thousandth(reported: int, code: str) -> None:
    assert codes(acres_complete(UNITS, [fsa(reported)], CORN, allowance_pct=3_000)) == [code]


SILAGE = AcresReport(CORN, 40_000, "silage", explains=True)


@pytest.mark.parametrize(
    ("units", "reports", "found", "says"),
    [
        (UNITS, [fsa(240_000), SILAGE], [], ""),
        (UNITS, [SILAGE], ["no_reported_acres"], ""),
        (UNITS, [fsa(50_000, SOYBEANS)], ["no_reported_acres"], ""),
        (UNITS, [fsa(240_000)], ["acres_unexplained"], "40 ac more"),
        (UNITS, [fsa(160_000)], ["acres_unexplained"], "40 ac fewer"),
        (UNITS, [fsa(200_000), AcresReport(CORN, 210_000, "crop insurance")], ["acres_unexplained"], ""),
        ((*UNITS, UnitHarvest("new", CORN, None, 1)), [fsa(200_000)], ["unit_acres_missing"], "new"),
        ((), [fsa(10_000)], ["acres_unexplained"], ""),
        ((), [], [], ""),
    ],
    ids=["explained", "explained alone", "of another crop", "fields left out", "acres too many", "of two reports",
         "a unit without acres", "no unit", "nothing"],
)  # fmt: skip
def test_reported_acres_are_those_of_the_units(
    units: tuple[UnitHarvest, ...], reports: list[AcresReport], found: list[str], says: str
) -> None:
    findings = acres_complete(units, reports, CORN)
    assert codes(findings) == found
    assert says in " ".join(one.cause for one in findings)
    assert units or all(one.effect_bushels is None for one in findings)


@pytest.mark.parametrize(
    ("reports", "counts", "found"),
    [
        ([], [], ["nothing_counted"]),
        ([], [BushelCount(CORN, 1, "fed", explains=True)], ["nothing_counted"]),
        ([AcresReport(CORN, 1, "silage", explains=True)], [], ["nothing_counted"]),
        ([AcresReport(SOYBEANS, 1, "FSA-578")], [], ["nothing_counted"]),
        ([AcresReport(CORN, 1, "FSA-578")], [], []),
        ([], [BushelCount(CORN, 1, "scale tickets")], []),
    ],
)
def test_a_count_of_some_kind_is_there(reports: list[AcresReport], counts: list[BushelCount], found: list[str]) -> None:
    assert codes(nothing_counted(reports, counts, CORN)) == found


COUNTS = (
    BushelCount(CORN, 30_000_000, "scale tickets"),
    BushelCount(CORN, 4_500_000, "bin measurement"),
    BushelCount(CORN, 500_000, "fed"),
    BushelCount(CORN, 100_000, "kept for seed"),
    BushelCount(CORN, -1_100_000, "on hand before harvest"),
    BushelCount(SOYBEANS, 7, "scale tickets"),
)


def test_bushels_that_add_up_are_complete_and_what_cannot_be_compared_is_said_alone() -> None:
    assert bushels_complete(UNITS, COUNTS, CORN) == []
    (finding,) = bushels_complete(UNITS, [*COUNTS, BushelCount(CORN, 3_400_000, "fed")], CORN)
    assert "16,000 to 17,600 bu" in finding.remedy
    assert "18,000 to 19,800 bu" in finding.remedy
    (finding,) = bushels_complete(UNITS, [BushelCount(CORN, 32_300_000, "scale tickets")], CORN)
    assert "16,000 to 15,200 bu" in finding.remedy
    assert codes(bushels_complete(UNITS, [], CORN)) == ["no_counted_bushels"]
    assert bushels_complete([], [], CORN) == []
    below = bushels_complete(UNITS, [BushelCount(CORN, -1, "on hand before harvest")], CORN)
    assert codes(below) == ["count_below_zero"]
    missing = bushels_complete([*UNITS, UnitHarvest("new", CORN, 1, None)], COUNTS, CORN)
    assert codes(missing) == ["unit_bushels_missing"]


@pytest.mark.parametrize("off", [-1, 1])
def test_one_thousandth_of_a_bushel_is_a_difference(off: int) -> None:
    (finding,) = bushels_complete(UNITS, [*COUNTS, BushelCount(CORN, off, "fed")], CORN)
    assert (finding.code, finding.effect_bushels) == ("bushels_unexplained", 1)


@pytest.mark.parametrize("off", [500, 501, -500, -501])
def test_a_bushel_allowance_reaches_to_its_last_thousandth(off: int) -> None:
    counts = [*COUNTS, BushelCount(CORN, off, "bins", allowance=400), BushelCount(CORN, 0, "tickets", allowance=100)]
    code = "bushels_differ" if abs(off) <= 500 else "bushels_unexplained"
    assert codes(bushels_complete(UNITS, counts, CORN)) == [code]


@given(st.lists(st.integers(0, 10**12), min_size=1, max_size=8), st.integers(0, 10**12))
def test_scaled_bushels_add_up_exactly_and_are_never_a_whole_thousandth_off(values: list[int], total: int) -> None:
    scaled = scaled_to(values, total)
    if not sum(values):
        return
    assert sum(scaled) == total
    for value, new in zip(values, scaled, strict=True):
        assert abs(new * sum(values) - value * total) < sum(values)


def sisters(bushels: int) -> list[UnitHarvest]:
    more = (("a", 100_000, 20_000_000), ("b", 300_000, 60_000_000))
    return [UnitHarvest(name, CORN, acres, grown) for name, acres, grown in (("odd", 100_000, bushels), *more)]


@pytest.mark.parametrize(
    ("bushels", "of_sisters", "of_county"),
    [
        (30_000_000, [], []), (30_000_001, ["yield_above_sisters"], []),
        (10_000_000, [], []), (9_999_999, ["yield_below_sisters"], []),
        (35_000_000, ["yield_above_sisters"], []), (35_000_001, ["yield_above_sisters"], ["yield_above_county"]),
        (8_000_000, ["yield_below_sisters"], []), (7_999_999, ["yield_below_sisters"], ["yield_below_county"]),
    ],
)  # fmt: skip
def test_a_yield_is_held_against_its_neighbors(bushels: int, of_sisters: list[str], of_county: list[str]) -> None:
    found = [finding for finding in yields_in_line(sisters(bushels), CORN) if finding.subject == "odd"]
    assert codes(found) == of_sisters
    unit = [UnitHarvest("odd", CORN, 100_000, bushels)]
    assert codes(yields_in_line(unit, CORN, county_yields={"odd": 200_000})) == of_county
    assert yields_in_line(unit, CORN) == []


def test_a_small_area_with_a_large_harvest_alerts_and_the_limits_can_be_set() -> None:
    (finding,) = yields_in_line([UnitHarvest("plot", CORN, 1_000, 900_000)], CORN, county_yields={"plot": 200_000})
    assert (finding.claimed, finding.expected, finding.effect_bushels) == ("900 bu/ac", "200 bu/ac", 900_000)
    tight = YieldLimits(sisters_most=110, sisters_least=90)
    assert codes(yields_in_line(sisters(22_000_001), CORN, limits=tight)) == ["yield_above_sisters"]


@pytest.mark.parametrize(
    "unit", [UnitHarvest("x", CORN, None, 5), UnitHarvest("x", CORN, 5, None), UnitHarvest("x", CORN, 0, 5)]
)
def test_units_without_acres_or_bushels_and_other_crops_are_not_compared(unit: UnitHarvest) -> None:
    other = UnitHarvest("bottom", SOYBEANS, 1_000, 10**9)
    assert yields_in_line([unit, other, UnitHarvest("only", CORN, 100_000, 20_000_000)], CORN) == []
