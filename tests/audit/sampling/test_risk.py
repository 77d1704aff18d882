"""The risk score adds up in the open; each sign has cases at, just under and just over its limit."""

from dataclasses import replace

import pytest

from provender.audit.sampling.draw import Risk, RiskPoint, assess_by_bushels
from provender.audit.sampling.population import FarmCrop, freeze
from tests.audit.farms import alike, farm

PEERS = [farm(f"peer{number}") for number in range(6)]


def parts(row: FarmCrop, others: list[FarmCrop] | None = None) -> dict[str, int]:
    scores = assess_by_bushels(freeze([row, *(PEERS if others is None else others)]))
    return {part.name: part.points for part in scores[row.farm_id].parts}


@pytest.mark.parametrize(
    ("bushels", "points"),
    [(23_750_099, None), (23_750_100, 15), (28_500_099, 15), (28_500_100, 30)],
)
def test_a_yield_above_the_median_by_a_quarter_or_a_half_counts(bushels: int, points: int | None) -> None:
    assert parts(replace(farm("x"), bushels=bushels)).get("yield") == points


@pytest.mark.parametrize(("ci", "points"), [(300_000, None), (299_999, 10), (200_000, 10), (199_999, 20)])
def test_a_ci_below_three_quarters_or_half_of_the_median_counts(ci: int, points: int | None) -> None:
    assert parts(replace(farm("x"), ci_g_per_bu=ci)).get("ci") == points


@pytest.mark.parametrize(("late", "points"), [(None, None), (24_999, None), (25_000, 10), (50_000, 20)])
def test_bushels_on_facts_typed_after_harvest_count(late: int | None, points: int | None) -> None:
    assert parts(replace(farm("x"), late_evidence_pct=late)).get("late_evidence") == points


@pytest.mark.parametrize(("findings", "points"), [(None, None), (0, None), (1, 10), (3, 30), (4, 30)])
def test_earlier_findings_count_up_to_three(findings: int | None, points: int | None) -> None:
    assert parts(replace(farm("x"), earlier_findings=findings)).get("earlier_findings") == points


@pytest.mark.parametrize(("first", "points"), [(None, None), (False, None), (True, 10)])
def test_a_first_year_counts(first: bool | None, points: int | None) -> None:
    assert parts(replace(farm("x"), first_year=first)).get("first_year") == points


def test_a_sign_that_nobody_stated_is_told_as_unknown() -> None:
    (unknown,) = (one.unknown for one in assess_by_bushels(freeze([farm("x")])).values())
    assert unknown == ("first_year: not stated", "earlier_findings: not stated", "late_evidence_pct: not stated")


@pytest.mark.parametrize(("score", "band"), [(0, "low"), (19, "low"), (20, "elevated"), (39, "elevated"), (40, "high")])
def test_bands_begin_at_twenty_and_forty(score: int, band: str) -> None:
    assert Risk("x", (RiskPoint("yield", score, "because"),), ()).band == band


def test_of_two_crops_the_heavier_sign_counts_once() -> None:
    soy = [farm(f"peer{number}", "soybeans") for number in range(6)]
    both = [replace(farm("x"), ci_g_per_bu=299_999), replace(farm("x", "soybeans"), ci_g_per_bu=1)]
    risk = assess_by_bushels(freeze([*both, *PEERS, *soy]))["x"]
    assert [(part.name, part.points) for part in risk.parts] == [("ci", 20)]
    assert "soybeans" in risk.parts[0].reason
    assert risk.document()["score"] == 20


def test_farms_that_are_all_alike_have_no_points() -> None:
    assert {risk.score for risk in assess_by_bushels(alike(9)).values()} == {0}
