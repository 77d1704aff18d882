import tomllib
from copy import deepcopy
from datetime import date
from importlib import import_module, resources
from pathlib import Path
from typing import Any

import pytest

from provender.problem import ProblemsError
from provender.rule.paragraphs import paragraph
from provender.rule.parameters import (
    NotInForceError,
    ParameterKind,
    Parameters,
    ParametersError,
    load_rule,
    parameters,
    parameters_of,
    read_parameters,
)
from provender.signing.hashes import sha256_hex

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


def read(changes: dict[str, Any] | None = None) -> Parameters:
    """Read the trial table with the limit changed."""
    table = deepcopy(TABLE)
    table["parameters"]["limit"].update(changes or {})
    return read_parameters(table)


def test_a_value_holds_from_its_day_until_the_next_one() -> None:
    limit = read().by_name["limit"]
    days = (date(2025, 1, 17), date(2025, 5, 31), date(2025, 6, 1), date(2040, 1, 1))
    assert [limit.on(day) for day in days] == [800000, 800000, 799999, 799999]


def test_before_the_first_value_there_is_none() -> None:
    with pytest.raises(NotInForceError, match="2025-01-17"):
        read().by_name["limit"].on(date(2025, 1, 16))


BROKEN = {
    "no citation": ({"cite": ""}, "is not a paragraph"),
    "a citation that is none": ({"cite": "2100.5"}, "is not a paragraph"),
    "a late first value": ({"values": [{"start": date(2025, 1, 18), "amount": "80"}]}, "first value starts"),
    "no value": ({"values": []}, "no day"),
    "values out of order": (
        {
            "values": [
                {"start": date(2025, 1, 17), "amount": "1"},
                {"start": date(2027, 1, 1), "amount": "2"},
                {"start": date(2026, 1, 1), "amount": "3"},
            ]
        },
        "order of their days",
    ),
    "two values on one day": (
        {"values": [{"start": date(2025, 1, 17), "amount": "1"}, {"start": date(2025, 1, 17), "amount": "2"}]},
        "each day once",
    ),
    "a value of another type": (
        {"values": [{"start": date(2025, 1, 17), "amount": "1"}, {"start": date(2026, 1, 1), "day": date(2026, 1, 1)}]},
        "one type",
    ),
    "more digits than the scale": ({"values": [{"start": date(2025, 1, 17), "amount": "1.00001"}]}, "4 decimal"),
    "a float": ({"values": [{"start": date(2025, 1, 17), "amount": 80.0}]}, "as text"),
    "an unknown word": ({"unti": "STIR"}, "unknown unti"),
    "a rule with a reading": ({"reading": 3}, "names the number"),
    "a reading without number": ({"kind": "reading"}, "names the number"),
    "a word that is no option": ({"values": [{"start": date(2025, 1, 17), "word": "burned"}]}, "is none of"),
    "two values in one": ({"values": [{"start": date(2025, 1, 17), "amount": "1", "word": "x"}]}, "one of amount"),
}


@pytest.mark.parametrize(("changes", "says"), BROKEN.values(), ids=BROKEN)
def test_a_table_that_leaves_a_doubt_is_refused_by_name(changes: dict[str, Any], says: str) -> None:
    with pytest.raises(ParametersError, match=rf"parameter limit: .*{says}"):
        read(changes)


@pytest.mark.parametrize("key", ["label", "cite", "kind", "unit", "values"])
def test_nothing_may_be_missing_from_a_parameter(key: str) -> None:
    table = deepcopy(TABLE)
    del table["parameters"]["limit"][key]
    with pytest.raises(ParametersError, match=f"{key} is missing"):
        read_parameters(table)


def test_a_later_rule_cannot_start_inside_the_days_that_were_read() -> None:
    table = deepcopy(TABLE)
    table["later_rule"]["start"] = date(2026, 7, 28)
    with pytest.raises(ParametersError, match="later rule"):
        read_parameters(table)


@pytest.mark.parametrize(
    ("windows", "says"),
    [
        ({"IA": {"limit": ["08-01", "11-30"]}}, "not a window"),
        ({"IA": {"winter": ["08-01", "11-30"]}}, "not a window"),
        ({"IA": {"fall": ["08-01", "11-31"]}}, "not a month and day"),
    ],
)
def test_a_state_sets_only_windows_that_the_rule_has(windows: dict[str, Any], says: str) -> None:
    with pytest.raises(ParametersError, match=says):
        read_parameters({**deepcopy(TABLE), "state_windows": windows})


def test_every_packaged_parameter_cites_a_paragraph_that_exists_and_is_found_from_it() -> None:
    for one in parameters().by_name.values():
        assert paragraph(one.cite), one.name
        assert one in parameters_of(one.cite)


def test_a_number_of_the_rule_has_no_reading_and_a_reading_is_one_of_ours() -> None:
    for one in parameters().by_name.values():
        assert (one.reading == 0) is (one.kind is ParameterKind.rule), one.name
        assert 0 <= one.reading <= 79


def test_values_show_as_people_write_them() -> None:
    found = parameters().by_name
    shown = {name: one.show(one.history[-1].value) for name, one in found.items()}
    assert shown["no_till_stir_max"] == "20"
    assert shown["corn_moisture_pct"] == "15.5"
    assert shown["land_conversion_after"] == "2025-01-17"
    assert shown["fall_n_window"] == "1 August to 31 December (default)"
    assert shown["silage_handling"] == "left_out"


def test_a_text_that_a_user_loads_says_so_wherever_it_is_cited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packaged = parameters()
    path = tmp_path / "mine.toml"
    path.write_bytes(resources.files("provender.rule").joinpath("data", "parameters.toml").read_bytes())
    loaded: list[Parameters] = []
    monkeypatch.setattr(import_module("provender.rule.parameters"), "_LOADED", loaded)
    load_rule(path)
    try:
        assert sha256_hex(path.read_bytes()) in parameters().citation
        assert all(sha256_hex(path.read_bytes()) in text.citation for text in parameters().texts)
        assert parameters().id == packaged.id
    finally:
        loaded.clear()
        parameters.cache_clear()


@pytest.mark.parametrize("text", ["rule = 5", "rule = []", "", "[rule]\nid = 5", "\x00", "[parameters]\nx = 1"])
def test_a_file_that_is_no_rule_is_refused_in_words(text: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(ProblemsError) as refused:
        load_rule(path)
    assert [one.code for one in refused.value.problems] == ["rule_file"]
