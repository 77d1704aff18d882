"""The farm-level average, exact, over every bushel, rounded once; and when a crop is a reduced-CI crop at all."""

import re
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import provender.intensity
from provender.intensity.average import DEFINITION, FarmAverage, Share, WorkedRow, farm_average, reduced_ci_findings
from provender.rule.crops import Cite, Crop
from provender.rule.paragraphs import paragraphs

# Case D4: three fields, two with practices, one conventional.
FIELDS = (
    Share("north", 20_000_000, 600_000),
    Share("south", 15_000_000, 400_000),
    Share("rest", 65_000_000, conventional=True),
)
DEFAULT = 800_000


def test_the_working_shows_every_product_both_sums_and_the_quotient() -> None:
    average = farm_average(FIELDS, DEFAULT)
    assert average.rows == (
        WorkedRow("north", conventional=False, bushels=20_000_000, ci_g_per_bu=600_000, product=12 * 10**12),
        WorkedRow("south", conventional=False, bushels=15_000_000, ci_g_per_bu=400_000, product=6 * 10**12),
        WorkedRow("rest", conventional=True, bushels=65_000_000, ci_g_per_bu=800_000, product=52 * 10**12),
    )
    assert (average.bushels, average.product) == (100_000_000, 70 * 10**12)
    assert average.as_json()["product_g"] == "700000000"
    assert average.as_json()["ci_g_per_bu"] == "7000.00"


def test_every_gap_is_named_at_once_and_without_a_default_or_an_average_nothing_compared() -> None:
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
