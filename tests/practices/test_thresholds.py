"""Every threshold of subpart F at, just under, just over, and missing."""

import pytest

from provender.practices.assess import assess
from tests.practices.season import Rows, book_of, changed, clean_season, verdict_of, with_row, without

PLANTED = "2025-04-28"


def no_passes_but(*extra: dict[str, str]) -> Rows:
    """Return the clean season with the planter, the combine (0.15) and these passes only."""
    rows = changed(clean_season(), "cover_crop", method="broadcast")
    rows = changed(rows, "nutrient_application", 1, method="topdress")
    keep = [one for one in rows["operation"] if one["operation_id"] in ("O3", "O5")]
    return {**rows, "operation": [*keep, *extra]}


def chisel(key: str, speed: str, depth: str) -> dict[str, str]:
    """Return a chisel pass logged by the machine."""
    return {"operation_id": key, "unit_id": "N40", "day": "2024-11-11", "operation": "Chisel, st. pt. 5 in deep",
            "speed_mph": speed, "depth_in": depth, "known_by": "machine", "evidence": "E7"}  # fmt: skip


def knives(depth: str, pct: str) -> dict[str, str]:
    """Return a pass logged by the machine at 5 mph: STIR 3.25 x depth x share of the width."""
    return {"operation_id": "O9", "unit_id": "N40", "day": "2024-11-11",
            "operation": "Fert. applic. anhyd knife 30 in", "speed_mph": "5", "depth_in": depth, "surface_pct": pct,
            "known_by": "machine", "evidence": "E7"}  # fmt: skip


@pytest.mark.parametrize(("pct", "answer"), [("85.127", True), ("85.128", True), ("85.129", False)])
def test_no_till_holds_up_to_a_stir_of_exactly_20(pct: str, *, answer: bool) -> None:
    """Planter 3.2500, combine 0.1500 and knives 16.59977, 16.59996 (20.0000 in all) or 16.60016."""
    rows = changed(no_passes_but(knives("6", pct)), "operation", 0, known_by="machine", evidence="E7")
    assert verdict_of(rows, "no_till_stir_within_limit") is answer


@pytest.mark.parametrize(("pct", "answer"), [("89.230", True), ("89.231", True), ("89.232", False)])
def test_reduced_till_holds_up_to_a_stir_of_exactly_80(pct: str, *, answer: bool) -> None:
    """Planter 3.2500, combine 0.1500, two chisels 32.5000 each and knives 11.5999, 11.60003 or 11.60016."""
    passes = (chisel("O7", "5", "5"), chisel("O8", "5", "5"), knives("4", pct))
    rows = changed(no_passes_but(*passes), "operation", 0, known_by="machine", evidence="E7")
    assert verdict_of(rows, "reduced_till_stir_within_limit") is answer


def test_known_passes_above_the_limit_fail_even_with_an_unknown_one_and_below_it_show_nothing() -> None:
    unknown = {"operation_id": "O9", "unit_id": "N40", "day": "2024-11-11", "operation": "Home-made thing"}
    assert verdict_of(no_passes_but(unknown), "no_till_stir_within_limit") is None
    assert verdict_of(no_passes_but(unknown, chisel("O8", "5", "5")), "no_till_stir_within_limit") is False


@pytest.mark.parametrize(
    ("day", "answer"),
    [
        ("2025-03-29", True),  # 30 days before
        ("2025-03-28", False),  # 31 days before
        ("2025-03-30", True),
        (PLANTED, True),
        ("2025-05-05", True),  # 7 days after
        ("2025-05-06", False),  # 8 days after
        ("2025-05-04", True),
        ("", None),
    ],
)
def test_the_first_nitrogen_from_30_days_before_to_7_days_after_planting(day: str, *, answer: bool | None) -> None:
    rows = changed(clean_season(), "nutrient_application", 0, day=day)
    assert verdict_of(rows, "no_fall_first_n_at_planting") is answer


def test_without_a_planting_day_nobody_knows_whether_the_first_nitrogen_was_in_time() -> None:
    assert verdict_of(changed(clean_season(), "planting", planted_on=""), "no_fall_first_n_at_planting") is None


@pytest.mark.parametrize(
    ("sampled", "made", "answer"),
    [
        ("2023-03-01", "2025-03-01", True),
        ("2023-02-28", "2025-03-01", False),
        ("2023-03-02", "2025-03-01", True),
        ("2025-03-01", "2025-03-01", True),
        ("2025-03-02", "2025-03-01", False),
        ("2024-02-29", "2026-02-28", True),
        ("2024-02-29", "2026-03-01", False),
        ("", "2025-03-01", None),
        ("2023-03-01", "", None),
    ],
)
def test_a_soil_test_is_at_most_two_years_old(sampled: str, made: str, *, answer: bool | None) -> None:
    rows = changed(changed(clean_season(), "soil_test", sampled_on=sampled), "nutrient_budget", made_on=made)
    assert verdict_of(rows, "nutrients_budget_basis") is answer
    assert verdict_of(rows, "records_nutrients_soil_test") is (True if answer else None)


@pytest.mark.parametrize(
    ("pounds", "answer"), [("120", True), ("119.999", False), ("120.001", True), ("", None)]
)  # of a need of 160
def test_three_quarters_of_the_need_go_on_after_emergence(pounds: str, *, answer: bool | None) -> None:
    rows = changed(clean_season(), "nutrient_application", 1, n_lb_per_ac=pounds)
    assert verdict_of(rows, "split_post_emergence_share") is answer


@pytest.mark.parametrize(("pounds", "told"), [("40", False), ("40.001", True), ("39.999", False), ("", False)])
def test_more_than_a_quarter_of_the_need_before_emergence_is_told_and_not_judged(pounds: str, *, told: bool) -> None:
    rows = changed(clean_season(), "nutrient_application", 0, n_lb_per_ac=pounds)
    assert ("n_early_share" in {one.code for one in assess(book_of(rows)).problems}) is told
    assert verdict_of(rows, "split_post_emergence_share") is (True if pounds else None)


@pytest.mark.parametrize("need", ["", "0"])
def test_without_a_need_there_is_no_share(need: str) -> None:
    rows = changed(clean_season(), "nutrient_budget", synthetic_n_need_lb_per_ac=need)
    assert verdict_of(rows, "split_post_emergence_share") is None
    assert verdict_of(rows, "split_in_season") is not True


@pytest.mark.parametrize(("inhibitor", "answer"), [("Instinct", True), ("none", False), ("", None), ("NBPT", False)])
@pytest.mark.parametrize("row", [0, 1])
def test_all_nitrogen_carries_an_inhibitor_not_almost_all(row: int, inhibitor: str, *, answer: bool | None) -> None:
    rows = changed(clean_season(), "nutrient_application", row, inhibitor=inhibitor)
    assert verdict_of(rows, "inhibitor_with_all_synthetic_n") is answer


def spray(key: str, n: str, day: str) -> dict[str, str]:
    """Return ammonium sulfate in a spray tank."""
    return {"application_id": key, "unit_id": "N40", "harvest_id": "H25", "intended_for": "cash_crop", "day": day,
            "product": "AMS", "method": "with_herbicide", "n_lb_per_ac": n, "p2o5_lb_per_ac": "0",
            "k2o_lb_per_ac": "0", "inhibitor": "none"}  # fmt: skip


@pytest.mark.parametrize(("n", "answer"), [("1.999", True), ("2", False), ("2.001", False), ("", False)])
def test_less_than_two_pounds_in_the_spray_tank_are_a_trace(n: str, *, answer: bool) -> None:
    rows = with_row(clean_season(), "nutrient_application", **spray("A3", n, "2025-05-20"))
    assert verdict_of(rows, "inhibitor_with_all_synthetic_n") is answer


@pytest.mark.parametrize(("third", "answer"), [("0.001", True), ("0.002", False), ("0.003", False)])
def test_traces_of_a_season_stay_below_four_pounds(third: str, *, answer: bool) -> None:
    rows = with_row(clean_season(), "nutrient_application", **spray("A3", "1.999", "2025-05-20"))
    rows = with_row(rows, "nutrient_application", **spray("A4", "1.999", "2025-06-20"))
    assert verdict_of(rows, "inhibitor_with_all_synthetic_n") is True
    rows = with_row(rows, "nutrient_application", **spray("A5", third, "2025-07-01"))
    assert verdict_of(rows, "inhibitor_with_all_synthetic_n") is answer


def test_two_traces_in_one_tank_are_one_pass() -> None:
    rows = with_row(clean_season(), "nutrient_application", **spray("A3", "1.5", "2025-05-20"))
    assert verdict_of(rows, "inhibitor_with_all_synthetic_n") is True
    rows = with_row(rows, "nutrient_application", **spray("A4", "0.5", "2025-05-20"))
    assert verdict_of(rows, "inhibitor_with_all_synthetic_n") is False


@pytest.mark.parametrize(
    ("day", "answer"),
    [("2024-07-31", False), ("2024-08-01", True), ("2024-12-31", True), ("2025-01-01", False), ("", None)],
)
def test_a_cover_is_seeded_in_the_fall_window(day: str, *, answer: bool | None) -> None:
    assert verdict_of(changed(clean_season(), "cover_crop", seeded_on=day), "cover_crop_seeded_in_fall") is answer


@pytest.mark.parametrize(
    ("day", "answer"),
    [("2025-01-31", False), ("2025-02-01", True), ("2025-06-30", True), ("2025-07-01", False), ("", None)],
)
def test_a_cover_is_ended_in_the_spring_window(day: str, *, answer: bool | None) -> None:
    rows = changed(clean_season(), "cover_crop", terminated_on=day)
    assert verdict_of(rows, "cover_crop_terminated_in_spring") is answer


@pytest.mark.parametrize(
    ("day", "answer"), [("2024-07-31", True), ("2024-08-01", False), ("2024-12-31", False), ("2025-01-01", True)]
)
def test_nitrogen_on_fallow_fails_inside_the_fall_window_only(day: str, *, answer: bool) -> None:
    rows = changed(clean_season(), "harvest", 0, first_day="2024-07-01", last_day="2024-07-02")
    rows = without(without(rows, "cover_crop"), "cover_species")
    rows = changed(rows, "nutrient_application", 0, day=day)
    assert verdict_of(rows, "no_fall_none_in_fall") is answer


@pytest.mark.parametrize(("made", "answer"), [("2025-04-27", True), (PLANTED, None), ("2025-04-29", False), ("", None)])
def test_the_budget_is_made_on_a_day_before_the_first_application(made: str, *, answer: bool | None) -> None:
    rows = changed(clean_season(), "nutrient_budget", made_on=made)
    assert verdict_of(rows, "nutrients_budget_before_application") is answer


@pytest.mark.parametrize(("acres", "answer"), [("38.8", True), ("38.799", False), ("40", True), ("", None)])
def test_a_cover_on_three_percent_less_than_the_unit_is_on_the_whole_unit(acres: str, *, answer: bool | None) -> None:
    assert verdict_of(changed(clean_season(), "cover_crop", seeded_acres=acres), "cover_crop_on_whole_unit") is answer


@pytest.mark.parametrize(
    ("day", "answer"), [("2025-05-01", False), ("2025-05-02", None), ("2025-05-19", None), ("2025-05-20", True)]
)
def test_the_band_of_emergence_opens_four_days_after_planting(day: str, *, answer: bool | None) -> None:
    """Where emergence was not seen: day 4 to day 21 may be either side."""
    rows = changed(changed(clean_season(), "planting", emerged_on=""), "nutrient_application", 1, day=day)
    assert verdict_of(rows, "split_post_emergence_share") is answer


@pytest.mark.parametrize(("pounds", "answer"), [("2400", True), ("2399.999", None), ("2400.001", True), ("", None)])
def test_seed_is_enough_for_rate_times_acres(pounds: str, *, answer: bool | None) -> None:
    assert verdict_of(changed(clean_season(), "seed_purchase", pounds=pounds), "records_cover_seed") is answer


@pytest.mark.parametrize(("gallons", "answer"), [("15", True), ("14.999", None), ("", None)])
def test_inhibitor_is_enough_for_rate_times_acres(gallons: str, *, answer: bool | None) -> None:
    rows = changed(clean_season(), "inhibitor_purchase", amount=gallons)
    assert verdict_of(rows, "records_inhibitor_bought") is answer


def test_a_full_width_that_the_farm_admits_stands_whatever_the_list_says() -> None:
    season = changed(clean_season(), "operation", 0, full_width="yes")
    assert verdict_of(season, "no_till_no_full_width_disturbance") is False


def test_a_no_of_the_farm_does_not_undo_the_list() -> None:
    season = changed(clean_season(), "operation", 0, operation="Disk, tandem secondary op.", full_width="no")
    assert verdict_of(season, "no_till_no_full_width_disturbance") is False
