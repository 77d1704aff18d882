"""The contract of the kit: its schemas, its list of parts, its comparing script, its size."""

import copy
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from tests.conformance.kit import KIT, comparer

PARTS = [one["name"] for one in json.loads((KIT / "kit.json").read_text(encoding="utf-8"))["parts"]]


def read(path: Path) -> Any:  # noqa: ANN401 - any JSON
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("kind", ["input", "expected"])
def test_every_file_follows_its_schema_and_the_schema_can_say_no(kind: str) -> None:
    schema = jsonschema_rs.validator_for(read(KIT / f"schema/{kind}.json"))
    for part in PARTS:
        content = read(KIT / f"{part}.{kind}.json")
        assert [str(one) for one in schema.iter_errors(content)] == [], part
        spoiled = copy.deepcopy(content)
        if kind == "input":
            spoiled["cases"][0]["input"] = 1.5
        else:
            spoiled["answers"][next(iter(spoiled["answers"]))] = 1.5
        assert not schema.is_valid(spoiled), part


def test_every_part_is_listed_explained_and_answers_each_of_its_cases_once() -> None:
    files = {str(one.relative_to(KIT)).removesuffix(".input.json") for one in KIT.glob("*/*.input.json")}
    assert files == set(PARTS)
    page = (KIT / "README.md").read_text(encoding="utf-8")
    for part in PARTS:
        ids = [one["id"] for one in read(KIT / f"{part}.input.json")["cases"]]
        assert sorted(ids) == sorted(read(KIT / f"{part}.expected.json")["answers"]), part
        folder, name = part.split("/")
        assert f"## {folder}" in page
        assert f"`{name}`" in page or folder in (name, "verdicts"), part


def test_the_script_tells_a_wrong_a_missing_and_an_unknown_answer(tmp_path: Path) -> None:
    (tmp_path / "balances").mkdir()
    right = read(KIT / "balances/periods.expected.json")["answers"]
    command = [sys.executable, str(KIT / "compare.py"), str(tmp_path)]

    def said(answers: dict[str, str]) -> tuple[int, str]:
        (tmp_path / "balances/periods.json").write_text(json.dumps(answers), encoding="utf-8")
        run = subprocess.run(command, check=False, capture_output=True, text=True)  # noqa: S603 - our own script
        return run.returncode, run.stdout

    assert said(right) == (0, f"1 of {len(PARTS)} parts answered, 0 differences\n")
    wrong = {**right, next(iter(right)): "too long", "another": "accepted"}
    del wrong[list(right)[1]]
    code, text = said(wrong)
    assert code == 1
    assert text.count("balances/periods:") == 3


@pytest.mark.parametrize(("mine", "theirs", "compare", "agrees"), [
    ("1.005", "1", {"how": "within", "amount": "0.005"}, True),
    ("1.0051", "1", {"how": "within", "amount": "0.005"}, False),
    (None, "1", {"how": "within", "amount": "5"}, False),
    ("word", "1", {"how": "within", "amount": "5"}, False),
    ({"a": 2.000001, "b": None}, {"a": 2, "b": None}, {"how": "relative", "amount": "1e-6"}, True),
    ({"a": 2.1}, {"a": 2}, {"how": "relative", "amount": "1e-6"}, False),
    ({"a": 2}, {"a": 2, "b": 1}, {"how": "relative", "amount": "1"}, False),
    (True, 1, {"how": "exact"}, False),
    ({"b": 1, "a": 2}, {"a": 2, "b": 1}, {"how": "exact"}, True),
    ({"verdict": "differs", "said": "unit N40"}, {"verdict": "differs", "names": ["N40"]}, {"how": "says"}, True),
    ({"verdict": "differs", "said": "unit"}, {"verdict": "differs", "names": ["N40"]}, {"how": "says"}, False),
])  # fmt: skip
def test_answers_agree_as_the_page_says(mine: object, theirs: object, compare: dict[str, str], *, agrees: bool) -> None:
    assert comparer().agrees(mine, theirs, compare) is agrees


def test_the_kit_stays_small_and_says_that_its_keys_are_test_keys() -> None:
    assert "never to be trusted" in read(KIT / "signing/signatures.input.json")["keys_note"]
    assert "never to be trusted" in (KIT / "README.md").read_text(encoding="utf-8")
    assert sum(one.stat().st_size for one in KIT.rglob("*") if one.is_file()) < 2_000_000
