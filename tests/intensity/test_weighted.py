"""The farm-level average, exact and rounded once, and which units it leaves out."""

import re
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import provender.intensity
from provender.intensity.average import (
    DEFINITION,
    FarmAverage,
    Share,
    WorkedRow,
    YieldLimits,
    acres_complete,
    bushels_complete,
    farm_average,
    nothing_counted,
    reduced_ci_findings,
    scaled_to,
    yields_in_line,
)
from provender.intensity.harvests import AcresReport, BushelCount, Disagreement, UnitHarvest
from provender.rule.crops import Cite, Crop
from provender.rule.paragraphs import paragraphs

# Case D4: three fields, two with practices, one conventional.
FIELDS = (
    Share("north", 20_000_000, 600_000),
    Share("south", 15_000_000, 400_000),
    Share("rest", 65_000_000, conventional=True),
)
DEFAULT = 800_000


def test_the_working_shows_every_product_and_every_gap_is_named_at_once() -> None:
    average = farm_average(FIELDS, DEFAULT)
    assert average.rows == (
        WorkedRow("north", conventional=False, bushels=20_000_000, ci_g_per_bu=600_000, product=12 * 10**12),
        WorkedRow("south", conventional=False, bushels=15_000_000, ci_g_per_bu=400_000, product=6 * 10**12),
        WorkedRow("rest", conventional=True, bushels=65_000_000, ci_g_per_bu=800_000, product=52 * 10**12),
    )
    assert (average.bushels, average.product) == (100_000_000, 70 * 10**12)
    assert average.as_json()["product_g"] == "700000000"
    assert average.as_json()["ci_g_per_bu"] == "7000.00"
    average = farm_average(FIELDS, None)
    assert (average.ci_g_per_bu, average.rows) == (None, ())
    assert len(average.missing) == 1
    assert "national default" in average.missing[0]
    assert farm_average([*FIELDS, Share("drowned", 0, None)], DEFAULT) == farm_average(FIELDS, DEFAULT)
    shares = [Share("a", None, 1), Share("b", 5, None), Share("c", 5, conventional=True)]
    assert len(farm_average(shares, None).missing) == 3
    assert codes([Share("home", 1_000, 900_000)], None) == []
    assert codes([Share("home", 1_000, None)], 800_000) == []


@pytest.mark.parametrize("share", [Share("west", 1, None), Share("west", None, 500_000), Share("west", -1, 500_000)])
def test_a_unit_without_ci_or_with_unusable_bushels_leaves_no_average_and_is_named(share: Share) -> None:
    average = farm_average([*FIELDS, share], DEFAULT)
    assert average.ci_g_per_bu is None
    assert [gap for gap in average.missing if "west" in gap] == list(average.missing)


@pytest.mark.parametrize("shares", [[], [Share("drowned", 0, 1)]])
def test_no_bushels_have_no_average(shares: list[Share]) -> None:
    assert farm_average(shares, DEFAULT) == FarmAverage((), 0, 0, None, ("There are no bushels to average over.",))


BUSHELS = st.one_of(st.none(), st.integers(-2, 3), st.integers(0, 10**15))
CIS = st.one_of(st.none(), st.integers(-3, 3), st.integers(-(10**8), 10**8))
SHARES = st.builds(Share, st.sampled_from("abcdef"), BUSHELS, CIS, st.booleans())


@given(st.lists(SHARES, max_size=8), CIS)
def test_the_average_is_the_nearest_hundredth_to_the_exact_quotient(shares: list[Share], default: int | None) -> None:
    average = farm_average(shares, default)
    assert (average.ci_g_per_bu is None) == bool(average.missing)
    if average.ci_g_per_bu is None:
        return
    counted = [(one.bushels or 0, (default if one.conventional else one.ci_g_per_bu) or 0) for one in shares]
    exact = Fraction(sum(bushels * ci for bushels, ci in counted), sum(bushels for bushels, _ in counted))
    assert average.ci_g_per_bu == round(exact)


def codes(shares: list[Share], national: int | None) -> list[str]:
    average = farm_average(shares, national)
    return [finding.code for finding in reduced_ci_findings(Crop.field_corn, shares, average, national)]


@pytest.mark.parametrize(
    ("ci", "found"), [(799_999, []), (800_000, ["not_below_national"]), (800_001, ["not_below_national"])]
)
def test_a_farm_ci_must_be_below_the_national_default(ci: int, found: list[str]) -> None:
    assert codes([Share("home", 1_000, ci)], 800_000) == found


@pytest.mark.parametrize("shares", [[Share("rest", 1_000, conventional=True)], [Share("home", 0, 1)], []])
def test_without_bushels_under_a_practice_there_is_no_reduced_ci_crop(shares: list[Share]) -> None:
    assert "no_practice" in codes(shares, 800_000)


CITED = re.compile(r'"(2100\.\d{3}[^"]*)"|\'(2100\.002 "[^"]+")\'')


def test_every_paragraph_that_a_finding_of_the_room_cites_exists() -> None:
    found = set()
    for module in (Path(provender.intensity.__file__).parent).glob("*.py"):
        for plain, quoted in CITED.findall(module.read_text(encoding="utf-8")):
            found.add(plain or quoted)
    assert {"2100.020", DEFINITION} <= found
    for cite in found:
        assert paragraphs()[Cite.parse(cite)]


CORN, SOYBEANS = Crop.field_corn, Crop.soybeans
UNITS = (
    UnitHarvest("home", CORN, 80_000, 16_000_000),
    UnitHarvest("creek", CORN, 120_000, 18_000_000),
    UnitHarvest("bottom", SOYBEANS, 50_000, 2_500_000),
)


def codes_completeness(findings: list[Disagreement] | tuple[Disagreement, ...]) -> list[str]:
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
    assert codes_completeness(acres_complete(UNITS, [fsa(reported)], CORN, allowance_pct=3_000)) == [code]


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
    assert codes_completeness(findings) == found
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
    assert codes_completeness(nothing_counted(reports, counts, CORN)) == found


COUNTS = (
    BushelCount(CORN, 30_000_000, "scale tickets"),
    BushelCount(CORN, 4_500_000, "bin measurement"),
    BushelCount(CORN, 500_000, "fed"),
    BushelCount(CORN, 100_000, "kept for seed"),
    BushelCount(CORN, -1_100_000, "on hand before harvest"),
    BushelCount(SOYBEANS, 7, "scale tickets"),
)


def test_bushels_that_add_up_are_complete_and_a_small_area_with_a_large_harvest_alerts() -> None:
    assert bushels_complete(UNITS, COUNTS, CORN) == []
    (finding,) = bushels_complete(UNITS, [*COUNTS, BushelCount(CORN, 3_400_000, "fed")], CORN)
    assert "16,000 to 17,600 bu" in finding.remedy
    assert "18,000 to 19,800 bu" in finding.remedy
    (finding,) = bushels_complete(UNITS, [BushelCount(CORN, 32_300_000, "scale tickets")], CORN)
    assert "16,000 to 15,200 bu" in finding.remedy
    assert codes_completeness(bushels_complete(UNITS, [], CORN)) == ["no_counted_bushels"]
    assert bushels_complete([], [], CORN) == []
    below = bushels_complete(UNITS, [BushelCount(CORN, -1, "on hand before harvest")], CORN)
    assert codes_completeness(below) == ["count_below_zero"]
    missing = bushels_complete([*UNITS, UnitHarvest("new", CORN, 1, None)], COUNTS, CORN)
    assert codes_completeness(missing) == ["unit_bushels_missing"]
    (finding,) = yields_in_line([UnitHarvest("plot", CORN, 1_000, 900_000)], CORN, county_yields={"plot": 200_000})
    assert (finding.claimed, finding.expected, finding.effect_bushels) == ("900 bu/ac", "200 bu/ac", 900_000)
    tight = YieldLimits(sisters_most=110, sisters_least=90)
    assert codes_completeness(yields_in_line(sisters(22_000_001), CORN, limits=tight)) == ["yield_above_sisters"]


@pytest.mark.parametrize("off", [-1, 1])
def test_one_thousandth_of_a_bushel_is_a_difference(off: int) -> None:
    (finding,) = bushels_complete(UNITS, [*COUNTS, BushelCount(CORN, off, "fed")], CORN)
    assert (finding.code, finding.effect_bushels) == ("bushels_unexplained", 1)


@pytest.mark.parametrize("off", [500, 501, -500, -501])
def test_a_bushel_allowance_reaches_to_its_last_thousandth(off: int) -> None:
    counts = [*COUNTS, BushelCount(CORN, off, "bins", allowance=400), BushelCount(CORN, 0, "tickets", allowance=100)]
    code = "bushels_differ" if abs(off) <= 500 else "bushels_unexplained"
    assert codes_completeness(bushels_complete(UNITS, counts, CORN)) == [code]


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
    assert codes_completeness(found) == of_sisters
    unit = [UnitHarvest("odd", CORN, 100_000, bushels)]
    assert codes_completeness(yields_in_line(unit, CORN, county_yields={"odd": 200_000})) == of_county
    assert yields_in_line(unit, CORN) == []


@pytest.mark.parametrize(
    "unit", [UnitHarvest("x", CORN, None, 5), UnitHarvest("x", CORN, 5, None), UnitHarvest("x", CORN, 0, 5)]
)
def test_units_without_acres_or_bushels_and_other_crops_are_not_compared(unit: UnitHarvest) -> None:
    other = UnitHarvest("bottom", SOYBEANS, 1_000, 10**9)
    assert yields_in_line([unit, other, UnitHarvest("only", CORN, 100_000, 20_000_000)], CORN) == []
