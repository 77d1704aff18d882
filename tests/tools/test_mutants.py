"""Mutants of a toy module: asleep they change nothing, awake each changes its place; tests that reach it run."""

from pathlib import Path
from typing import Any, Final

import pytest

from provender.standards import judge
from provender.standards.standard import REQUIREMENTS
from tools.mutants import (
    Mutant,
    all_requirement_mutants,
    carried,
    draw,
    mutants_of,
    reach_of,
    reaching_tests,
    weave,
    woven,
)

assert judge  # importing it registers the requirements

SOURCE: Final = '''def within(amount):
    """Five is not."""
    if amount < 4 and amount > 0:
        return True
    return False


def counted(amount):
    total = [
        each
        for each in range(amount)
    ]
    total.append(
        7,
    )
    return total, 1
'''
MUTANTS: Final = list(mutants_of("src/provender/toy/amounts.py", SOURCE))
CASES: Final = [
    ("within", "negate", "(not (amount < 4 and amount > 0))", "within(9)", False, True),
    ("within", "and-or", "(amount < 4 or amount > 0)", "within(9)", False, True),
    ("within", "compare", "(amount <= 4)", "within(4)", False, True),
    ("within", "constant", "5", "within(4)", False, True),
    ("within", "none", "None", "within(3)", True, None),
    ("counted", "drop", "pass", "counted(1)", ([0, 7], 1), ([0], 1)),
    ("counted", "constant", "2", "counted(0)", ([7], 1), ([7], 2)),
    ("counted", "none", "None", "counted(0)", ([7], 1), None),
]


def _evaluate(call: str, mutant: Mutant, awake: bool) -> object:
    asked: dict[str, Any] = {"__mutant__": lambda number: awake and number == 3}
    exec(woven(SOURCE, {3: mutant}), asked)  # noqa: S102 - a toy of ours
    return eval(call, asked)  # noqa: S307 - a toy of ours


@pytest.mark.parametrize(("function", "kind", "text", "call", "before", "after"), CASES)
def test_a_mutant_awake_changes(function: str, kind: str, text: str, call: str, before: object, after: object) -> None:
    answers = []
    for one in MUTANTS:
        if (one.function, one.kind, one.text) == (function, kind, text) and "total = [" not in one.statement:
            assert _evaluate(call, one, awake=False) == before
            answers.append(_evaluate(call, one, awake=True))
    assert after in answers


def test_mutants_are_drawn_by_seed_and_found_where_their_function_stands_now(tmp_path: Path) -> None:
    module = tmp_path / "src" / "provender" / "toy" / "amounts.py"
    module.parent.mkdir(parents=True)
    module.write_text(SOURCE)
    drawn = draw(tmp_path, {"toy"}, 5, seed=1)
    assert drawn == draw(tmp_path, {"toy"}, 5, seed=1) != draw(tmp_path, {"toy"}, 5, seed=2)
    assert len({one.line for one in drawn}) == 5
    module.write_text(f"# moved\n{SOURCE}")
    assert [one and one.line for one in carried(drawn, tmp_path)] == [one.line + 1 for one in drawn]
    module.write_text(SOURCE.replace("within", "other"))
    assert [one is None for one in carried(drawn, tmp_path)] == [one.function == "within" for one in drawn]


def test_tests_are_known_by_what_they_note_and_those_of_the_package_come_first(tmp_path: Path) -> None:
    (tmp_path / "reach.1").write_text("3\ttests/web/test_a.py::test_b[x (y)]@demo (call)\n3\t\n")
    (tmp_path / "reach.2").write_text("3\ttests/toy/test_c.py::test_d (setup)\n3\ttests/toy/test_c.py::test_e (call)\n")
    reach = reach_of(tmp_path / "reach")[3]
    assert reach == {
        "tests/web/test_a.py::test_b[x (y)]": True, "tests/toy/test_c.py::test_d": False,
        "tests/toy/test_c.py::test_e": True,
    }  # fmt: skip
    first, rest = reaching_tests(MUTANTS[0], reach)
    assert first == ["tests/toy/test_c.py::test_e", "tests/web/test_a.py::test_b[x (y)]"]
    assert rest == ["tests/toy/test_c.py"]


def test_every_requirement_has_its_mutants_and_all_of_them_can_be_woven(tmp_path: Path) -> None:
    standards = Path(__file__).parents[2] / "src" / "provender" / "standards"
    copied = tmp_path / "src" / "provender" / "standards"
    copied.mkdir(parents=True)
    for path in standards.glob("*.py"):
        (copied / path.name).write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    every = all_requirement_mutants(tmp_path)
    emptied = {one.function.rpartition(".")[2] for one in every if one.kind == "nothing"}
    assert emptied - set(REQUIREMENTS) == {"residue_not_burned", "where_unit_lies", "bushels_known"}
    assert {name.partition("_")[2] for name in set(REQUIREMENTS) - emptied} == {
        "till_residue_not_burned", "tillage_unit", "tillage_bushels", "cover_unit", "cover_bushels", "nutrients_unit",
        "nutrients_bushels",
    }  # fmt: skip
    assert sum(one.kind == "drop against" for one in every) > 30
    assert sum(one.kind == "drop missing" for one in every) > 100
    assert weave(tmp_path, every) == []
    for path in copied.glob("*.py"):
        compile(path.read_text(encoding="utf-8"), path.name, "exec")
