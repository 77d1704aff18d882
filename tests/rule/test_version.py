import subprocess
import sys
import tomllib
from dataclasses import replace
from datetime import date
from types import MappingProxyType

import pytest

from provender.rule.parameters import NotInForceError, ParametersError, parameters
from provender.rule.season import MonthDay
from provender.rule.version import PARAMETER_NAMES, RuleVersion, rule_version

DAY = date(2025, 10, 1)

# The numbers as the paragraphs and the interpretations state them, written down apart from the packaged table.
STATED = tomllib.loads("""
no_till_stir_max = 200000
reduced_till_stir_max = 800000
stir_scale_max = 2000000
intensive_tillage_passes_flag = 2
no_till_promise_years = 4
no_till_promise_of_years = 5
land_conversion_after = 2025-01-17
retention_years = 5
period_max_months = 3
audit_interval_years = 1
soil_test_max_years = 2
inhibitor_pct_required = 100000
planting_window_days_before = 30
planting_grace_days_after = 7
split_post_emergence_pct_min = 75000
split_pre_emergence_pct_max = 25000
trace_n_pass_lb_per_ac = 2000
trace_n_season_lb_per_ac = 4000
boundary_difference_pct_max = 3000
""")


@pytest.mark.parametrize("name", STATED)
def test_the_number_in_force_is_the_one_stated(name: str) -> None:
    assert getattr(rule_version(DAY), name) == STATED[name]


@pytest.mark.parametrize(
    ("name", "first", "last"),
    [
        ("cover_seeding_window", MonthDay(8, 1), MonthDay(12, 31)),
        ("cover_termination_window", MonthDay(2, 1), MonthDay(6, 30)),
        ("winter_kill_window", MonthDay(10, 1), MonthDay(6, 30)),
        ("fall_n_window", MonthDay(8, 1), MonthDay(12, 31)),
    ],
)
def test_the_window_in_force_is_the_one_stated(name: str, first: MonthDay, last: MonthDay) -> None:
    window = rule_version(DAY).window(name, "IA")
    assert (window.first, window.last, window.source) == (first, last, "default")


@pytest.mark.parametrize(
    ("harvest", "later"),
    [(date(2025, 1, 17), False), (date(2026, 7, 28), False), (date(2026, 7, 29), True), (date(2027, 1, 1), True)],
)
def test_a_harvest_from_29_july_2026_says_that_a_later_rule_is_not_loaded(harvest: date, later: bool) -> None:
    version = rule_version(harvest)
    assert version.id == "interim-2025"
    assert version.later_rule_in_force is later
    assert version.warning == ("later rule in force, text not loaded" if later else "")


def test_a_harvest_before_the_rule_is_not_in_force_and_the_message_says_what_to_check() -> None:
    with pytest.raises(NotInForceError, match=r"2025-01-16 .* in force from 2025-01-17\. Check the harvest date"):
        rule_version(date(2025, 1, 16))


def test_a_later_rule_changes_no_number_by_guess() -> None:
    before, after = rule_version(date(2026, 7, 28)), rule_version(date(2026, 7, 29))
    assert replace(after, later_rule_in_force=False) == before


def test_a_state_may_have_a_window_of_its_own_and_the_result_names_it() -> None:
    version = rule_version(DAY).with_state_windows({"MN": {"cover_seeding_window": ("07-15", "11-15")}})
    own, other = version.window("cover_seeding_window", "MN"), version.window("cover_seeding_window", "IA")
    assert (own.first, own.last, own.source) == (MonthDay(7, 15), MonthDay(11, 15), "MN")
    assert other == rule_version(DAY).cover_seeding_window
    assert version.window("fall_n_window", "MN").source == "default"
    assert version != rule_version(DAY)


def test_the_later_of_two_windows_for_a_state_wins() -> None:
    version = rule_version(DAY)
    for first in ("07-15", "07-20"):
        version = version.with_state_windows({"MN": {"cover_seeding_window": (first, "11-15")}})
    assert version.window("cover_seeding_window", "MN").first == MonthDay(7, 20)


def test_a_window_that_the_rule_does_not_have_is_refused() -> None:
    with pytest.raises(ParametersError, match="not a window"):
        rule_version(DAY).with_state_windows({"MN": {"no_till_stir_max": ("07-15", "11-15")}})
    with pytest.raises(KeyError):
        rule_version(DAY).window("no_till_stir_max")


def test_a_version_is_made_once_a_day_and_serves_as_a_key() -> None:
    assert rule_version(DAY) is rule_version(DAY)
    assert {rule_version(DAY): 1}[rule_version(date(2025, 9, 30))] == 1


def test_the_class_and_the_table_name_the_same_parameters() -> None:
    assert set(PARAMETER_NAMES) == set(parameters().by_name)


def test_a_table_that_lacks_a_parameter_makes_no_version() -> None:
    table = parameters()
    fewer = {name: one for name, one in table.by_name.items() if name != "retention_years"}
    with pytest.raises(ParametersError, match="retention_years"):
        RuleVersion.of(replace(table, by_name=MappingProxyType(fewer)), DAY)


def test_a_table_with_a_parameter_of_another_type_makes_no_version() -> None:
    table = parameters()
    wrong = {**table.by_name, "retention_years": replace(table.by_name["silage_handling"], name="retention_years")}
    with pytest.raises(ParametersError, match="retention_years"):
        RuleVersion.of(replace(table, by_name=wrong), DAY)


@pytest.mark.parametrize(("crop", "basis"), [("corn", 15500), ("soybeans", 13000), ("sorghum", 14000)])
def test_each_crop_has_a_moisture_at_which_its_bushels_count(crop: str, basis: int) -> None:
    assert rule_version(DAY).basis_moisture_pct(crop) == basis


def test_importing_the_room_reads_no_file_and_needs_no_data_frames() -> None:
    code = (
        "import sys, provender.rule as rule;"
        "assert not {'polars', 'dataframely', 'tomllib'} & set(sys.modules);"
        "assert rule.parameters.cache_info().currsize == 0"
    )
    subprocess.run([sys.executable, "-c", code], check=True)  # noqa: S603 - a constant program of our own
