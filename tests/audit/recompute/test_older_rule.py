"""A package of an earlier text of the rule is verified under that text, chosen by the day of harvest."""

import copy
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from provender.audit.package.write import make_package
from provender.audit.recompute.verify import verify_package
from provender.rule.law import Parameters, ParametersError, read_data, read_parameters, rule_version
from tests.audit.forge import PINS, clean, header

AMENDED = date(2026, 9, 1)


def amended(**head: Any) -> dict[str, Any]:  # noqa: ANN401 - any TOML value
    """Return the packaged table with a made-up amendment: from a day on, no-till ends at 10 instead of 20."""
    data: dict[str, Any] = copy.deepcopy(dict(read_data("parameters.toml")))
    now = dict(data["text"])
    data["earlier_texts"] = [{name: now[name] for name in ("id", "citation", "start")}]
    data["text"] = {**now, "id": "amended-2026", "citation": "made up", "governs_from": AMENDED, **head}
    data["parameters"]["no_till_stir_max"]["values"].append({"start": AMENDED, "amount": "10"})
    return data


@pytest.fixture
def later_table(monkeypatch: pytest.MonkeyPatch) -> Iterator[Parameters]:
    table = read_parameters(amended())
    rule_version.cache_clear()
    for module in ("provender.rule.law", "provender.audit.recompute.verify"):
        monkeypatch.setattr(f"{module}.parameters", lambda: table)
    yield table
    rule_version.cache_clear()


@pytest.mark.usefixtures("later_table")
@pytest.mark.parametrize(
    ("harvest", "text", "limit"),
    [
        (date(2025, 9, 26), "interim-2025", 200_000),
        (date(2026, 8, 31), "interim-2025", 200_000),
        (AMENDED, "amended-2026", 100_000),
    ],
)
def test_the_day_of_harvest_chooses_text_and_number(harvest: date, text: str, limit: int) -> None:
    law = rule_version(harvest)
    assert (law.id, law.no_till_stir_max) == (text, limit)


@pytest.mark.usefixtures("later_table")
def test_a_package_made_under_the_earlier_text_verifies_clean_where_a_later_one_is_loaded(tmp_path: Path) -> None:
    files = clean()  # N40 has a STIR of 19.905: met under 20, not met under 10
    assert header().rule_version == "interim-2025"
    make_package(tmp_path / "farm.zip", header(), files)
    found = verify_package(tmp_path / "farm.zip", pinned=PINS).found
    assert (found.problems, found.differences) == ((), [])


def test_a_package_of_a_text_that_is_not_loaded_is_said_to_be_so(tmp_path: Path) -> None:
    from dataclasses import replace

    make_package(tmp_path / "farm.zip", replace(header(), rule_version="amended-2026"), clean())
    found = verify_package(tmp_path / "farm.zip", pinned=PINS).found
    assert [problem.code for problem in found.problems] == ["other_rule_version"]


@pytest.mark.parametrize("head", [{"governs_from": date(2025, 1, 17)}, {"id": "interim-2025"}])
def test_texts_that_do_not_follow_each_other_are_refused(head: dict[str, Any]) -> None:
    with pytest.raises(ParametersError, match="follow each other"):
        read_parameters(amended(**head))
