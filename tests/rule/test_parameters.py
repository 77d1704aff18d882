"""The numbers, windows and crops of the rule: which hold on a day, as they are stated, and all of them read."""

import re
import subprocess
import sys
import tomllib
from copy import deepcopy
from dataclasses import replace
from datetime import date
from importlib import import_module, resources
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import pytest

import provender
from provender.problem import ProblemsError
from provender.rule import crops, law
from provender.rule.paragraphs import paragraphs
from provender.signing.canonical import sha256_hex

TABLE = tomllib.loads("""
[text]
id = "trial"
citation = "1 FR 1"
start = 2025-01-17
read_up_to = 2026-07-28
[later_rule]
citation = "2 FR 2"
start = 2026-07-29
[parameters.limit]
label = "A limit"
cite = "2100.051(a)(1)"
kind = "rule"
unit = "STIR"
scale = 4
values = [{ start = 2025-01-17, amount = "80" }, { start = 2025-06-01, amount = "79.9999" }]
[parameters.fall]
label = "Fall"
cite = "2100.052(a)(3)"
kind = "reading"
reading = 16
unit = "month and day"
values = [{ start = 2025-01-17, window = ["08-01", "12-31"] }]
[parameters.way]
label = "A choice"
cite = "2100.011"
kind = "reading"
reading = 26
unit = "word"
options = ["left_out", "converted"]
values = [{ start = 2025-01-17, word = "left_out" }]
""")


def read(changes: dict[str, Any] | None = None) -> law.Parameters:
    """Read the trial table with the limit changed."""
    table = deepcopy(TABLE)
    table["parameters"]["limit"].update(changes or {})
    return law.read_parameters(table)


def test_a_value_holds_from_its_day_until_the_next_and_a_later_rule_starts_after_the_days_read() -> None:
    limit = read().by_name["limit"]
    days = (date(2025, 1, 17), date(2025, 5, 31), date(2025, 6, 1), date(2040, 1, 1))
    assert [limit.on(day) for day in days] == [800000, 800000, 799999, 799999]
    with pytest.raises(law.NotInForceError, match="2025-01-17"):
        read().by_name["limit"].on(date(2025, 1, 16))
    table = deepcopy(TABLE)
    table["later_rule"]["start"] = date(2026, 7, 28)
    with pytest.raises(law.ParametersError, match="later rule"):
        law.read_parameters(table)


START = date(2025, 1, 17)
BROKEN = {
    "no citation": ({"cite": ""}, "is not a paragraph"),
    "a citation that is none": ({"cite": "2100.5"}, "is not a paragraph"),
    "a late first value": ({"values": [{"start": date(2025, 1, 18), "amount": "80"}]}, "first value starts"),
    "no value": ({"values": []}, "no day"),
    "values out of order": (
        {"values": [{"start": START, "amount": "1"}, {"start": date(2027, 1, 1), "amount": "2"},
                    {"start": date(2026, 1, 1), "amount": "3"}]}, "order of their days",
    ),
    "two values on one day": (
        {"values": [{"start": START, "amount": "1"}, {"start": START, "amount": "2"}]}, "each day once",
    ),
    "a value of another type": (
        {"values": [{"start": START, "amount": "1"}, {"start": date(2026, 1, 1), "day": START}]}, "one type",
    ),
    "more digits than the scale": ({"values": [{"start": date(2025, 1, 17), "amount": "1.00001"}]}, "4 decimal"),
    "a float": ({"values": [{"start": date(2025, 1, 17), "amount": 80.0}]}, "as text"),
    "an unknown word": ({"unti": "STIR"}, "unknown unti"),
    "a rule with a reading": ({"reading": 3}, "names the number"),
    "a reading without number": ({"kind": "reading"}, "names the number"),
    "a word that is no option": ({"values": [{"start": date(2025, 1, 17), "word": "burned"}]}, "is none of"),
    "two values in one": ({"values": [{"start": date(2025, 1, 17), "amount": "1", "word": "x"}]}, "one of amount"),
}  # fmt: skip


@pytest.mark.parametrize(("changes", "says"), BROKEN.values(), ids=BROKEN)
def test_a_table_that_leaves_a_doubt_is_refused_by_name(changes: dict[str, Any], says: str) -> None:
    with pytest.raises(law.ParametersError, match=rf"parameter limit: .*{says}"):
        read(changes)


@pytest.mark.parametrize("key", ["label", "cite", "kind", "unit", "values"])
def test_nothing_may_be_missing_from_a_parameter(key: str) -> None:
    table = deepcopy(TABLE)
    del table["parameters"]["limit"][key]
    with pytest.raises(law.ParametersError, match=f"{key} is missing"):
        law.read_parameters(table)


@pytest.mark.parametrize(
    ("windows", "says"),
    [
        ({"IA": {"limit": ["08-01", "11-30"]}}, "not a window"),
        ({"IA": {"winter": ["08-01", "11-30"]}}, "not a window"),
        ({"IA": {"fall": ["08-01", "11-31"]}}, "not a month and day"),
    ],
)
def test_a_state_sets_only_windows_that_the_rule_has(windows: dict[str, Any], says: str) -> None:
    with pytest.raises(law.ParametersError, match=says):
        law.read_parameters({**deepcopy(TABLE), "state_windows": windows})


def test_every_packaged_parameter_cites_a_paragraph_and_has_a_reader_outside_the_table() -> None:
    for one in law.parameters().by_name.values():
        assert paragraphs()[one.cite], one.name
        assert one in law.parameters_of(one.cite)
    for one in law.parameters().by_name.values():
        assert (one.reading == 0) is (one.kind is law.ParameterKind.rule), one.name
        assert 0 <= one.reading <= 91
    assert set(law.PARAMETER_NAMES) == set(law.parameters().by_name)
    root = Path(provender.__file__).parent
    paths = [path for path in root.rglob("*.py") if path != root / "rule" / "law.py"]
    words = {word for path in paths for word in re.findall(r"\w+", path.read_text(encoding="utf-8"))}
    unread = set()
    for name in law.parameters().by_name:
        crop, _, rest = name.partition("_")
        if (_BY_CROP.get(rest, name) if crop in _CROPS else name) not in words:
            unread.add(name)
    assert not unread


def test_values_show_as_people_write_them() -> None:
    shown = {name: one.show(one.history[-1].value) for name, one in law.parameters().by_name.items()}
    assert shown["no_till_stir_max"] == "20"
    assert shown["corn_moisture_pct"] == "15.5"
    assert shown["land_conversion_after"] == "2025-01-17"
    assert shown["fall_n_window"] == "1 August to 31 December (default)"
    assert shown["silage_handling"] == "left_out"
    assert str(FALL) == "1 August to 31 December (default)"
    assert str(law.MonthDay.parse("02-29")) == "02-29"


def test_a_text_that_a_user_loads_says_so_wherever_it_is_cited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packaged = law.parameters()
    path = tmp_path / "mine.toml"
    path.write_bytes(resources.files("provender.rule").joinpath("data", "parameters.toml").read_bytes())
    loaded: list[law.Parameters] = []
    monkeypatch.setattr(import_module("provender.rule.law"), "_LOADED", loaded)
    law.load_rule(path)
    try:
        assert sha256_hex(path.read_bytes()) in law.parameters().citation
        assert all(sha256_hex(path.read_bytes()) in text.citation for text in law.parameters().texts)
        assert law.parameters().id == packaged.id
    finally:
        loaded.clear()
        law.parameters.cache_clear()


@pytest.mark.parametrize("text", ["rule = 5", "rule = []", "", "[rule]\nid = 5", "\x00", "[parameters]\nx = 1"])
def test_a_file_that_is_no_rule_is_refused_in_words(text: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(ProblemsError) as refused:
        law.load_rule(path)
    assert [one.code for one in refused.value.problems] == ["rule_file"]


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
materiality_pct_max = 5000
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
    assert getattr(law.rule_version(DAY), name) == STATED[name]


@pytest.mark.parametrize(
    ("name", "first", "last"),
    [
        ("cover_seeding_window", law.MonthDay(8, 1), law.MonthDay(12, 31)),
        ("cover_termination_window", law.MonthDay(2, 1), law.MonthDay(6, 30)),
        ("winter_kill_window", law.MonthDay(10, 1), law.MonthDay(6, 30)),
        ("fall_n_window", law.MonthDay(8, 1), law.MonthDay(12, 31)),
    ],
)
def test_the_window_in_force_is_the_one_stated(name: str, first: law.MonthDay, last: law.MonthDay) -> None:
    window = law.rule_version(DAY).window(name, "IA")
    assert (window.first, window.last, window.source) == (first, last, "default")


@pytest.mark.parametrize(
    ("harvest", "later"),
    [(date(2025, 1, 17), False), (date(2026, 7, 28), False), (date(2026, 7, 29), True), (date(2027, 1, 1), True)],
)
def test_a_harvest_from_29_july_2026_says_that_a_later_rule_is_not_loaded(harvest: date, later: bool) -> None:
    version = law.rule_version(harvest)
    assert version.id == "interim-2025"
    assert version.later_rule_in_force is later
    assert version.warning == ("later rule in force, text not loaded" if later else "")


def test_a_state_may_have_a_window_of_its_own_and_one_that_the_rule_does_not_have_is_refused() -> None:
    windows = law.read_state_windows({"MN": {"cover_seeding_window": ("07-15", "11-15")}}, law.parameters().by_name)
    version = replace(law.rule_version(DAY), state_windows=windows)
    own, other = version.window("cover_seeding_window", "MN"), version.window("cover_seeding_window", "IA")
    assert (own.first, own.last, own.source) == (law.MonthDay(7, 15), law.MonthDay(11, 15), "MN")
    assert other == law.rule_version(DAY).cover_seeding_window
    assert version.window("fall_n_window", "MN").source == "default"
    assert version != law.rule_version(DAY)
    with pytest.raises(law.ParametersError, match="not a window"):
        law.read_state_windows({"MN": {"no_till_stir_max": ("07-15", "11-15")}}, law.parameters().by_name)
    with pytest.raises(KeyError):
        law.rule_version(DAY).window("no_till_stir_max")


def test_a_version_is_made_once_a_day_and_importing_the_rule_reads_no_file() -> None:
    assert law.rule_version(DAY) is law.rule_version(DAY)
    assert {law.rule_version(DAY): 1}[law.rule_version(date(2025, 9, 30))] == 1
    before, after = law.rule_version(date(2026, 7, 28)), law.rule_version(date(2026, 7, 29))
    assert replace(after, later_rule_in_force=False) == before
    with pytest.raises(law.NotInForceError, match=r"2025-01-16 .* in force from 2025-01-17\. Check the harvest date"):
        law.rule_version(date(2025, 1, 16))
    code = (
        "import sys, provender.rule.law as law;"
        "assert not {'polars', 'tomllib'} & set(sys.modules);"
        "assert law.parameters.cache_info().currsize == 0"
    )
    subprocess.run([sys.executable, "-c", code], check=True)  # noqa: S603 - a constant program of our own


@pytest.mark.parametrize("missing", [True, False])
def test_a_table_that_lacks_a_parameter_or_has_it_of_another_type_makes_no_version(missing: bool) -> None:
    table = law.parameters()
    named = {name: one for name, one in table.by_name.items() if name != "retention_years"}
    if not missing:
        named["retention_years"] = replace(table.by_name["silage_handling"], name="retention_years")
    with pytest.raises(law.ParametersError, match="retention_years"):
        law.RuleVersion.of(replace(table, by_name=MappingProxyType(named)), DAY)


@pytest.mark.parametrize(("crop", "basis"), [("corn", 15500), ("soybeans", 13000), ("sorghum", 14000)])
def test_each_crop_has_a_moisture_at_which_its_bushels_count(crop: str, basis: int) -> None:
    assert law.rule_version(DAY).basis_moisture_pct(crop) == basis


FALL = law.Season(law.MonthDay(8, 1), law.MonthDay(12, 31))
OVER_NEW_YEAR = law.Season(law.MonthDay(11, 15), law.MonthDay(2, 29))


@pytest.mark.parametrize(
    ("window", "outside", "inside"),
    [
        (FALL, ("2025-07-31", "2026-01-01"), ("2025-08-01", "2025-12-31")),
        (OVER_NEW_YEAR, ("2025-11-14", "2026-03-01"), ("2025-11-15", "2026-01-01", "2026-02-28", "2024-02-29")),
    ],
    ids=["fall", "over New Year"],
)
def test_a_window_has_both_its_ends(window: law.Season, outside: tuple[str, ...], inside: tuple[str, ...]) -> None:
    assert [window.contains(date.fromisoformat(day)) for day in outside] == [False] * len(outside)
    assert [window.contains(date.fromisoformat(day)) for day in inside] == [True] * len(inside)


@pytest.mark.parametrize("text", ["", "8-1", "13-01", "02-30", "08-01-2025", "August"])
def test_what_is_no_month_and_day_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a month and day"):
        law.MonthDay.parse(text)


_BY_CROP: Final = {"yield_max": "_yield_max", "moisture_pct": "basis_moisture_pct"}
"""How parameters are asked for whose names begin with a crop."""
_CROPS: Final = ("corn", "soybeans", "sorghum")


# 2100.012 read line by line into a grid, apart from the table of the package.
GRID = {
    "no_till": "corn soybeans sorghum",
    "reduced_till": "corn soybeans sorghum",
    "cover_crop": "corn soybeans sorghum",
    "nitrification_inhibitor": "corn soybeans sorghum",
    "no_fall_application": "corn",
    "split_in_season": "corn sorghum",
}


@pytest.mark.parametrize("crop", crops.Crop)
@pytest.mark.parametrize("practice", crops.Practice)
def test_a_crop_claims_a_practice_exactly_where_2100_012_lists_it(crop: crops.Crop, practice: crops.Practice) -> None:
    assert (practice in crops.claimable(crop)) is (str(crop) in GRID[practice].split())


def test_practices_come_in_order_cite_a_paragraph_and_are_tillage_cover_or_nutrients() -> None:
    order = list(crops.Practice)
    for crop in crops.Crop:
        assert list(crops.claimable(crop)) == sorted(crops.claimable(crop), key=order.index)
    for cite in (*(crop.cite for crop in crops.Crop), *(one.cite for one in crops.Practice)):
        assert paragraphs()[cite].answers
    assert {crops.Practice.cover_crop} | crops.TILLAGE | crops.NUTRIENTS == set(crops.Practice)
    assert not crops.TILLAGE & crops.NUTRIENTS
