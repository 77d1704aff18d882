"""Nulls stay nulls: the engine's skipping combinators live in one module, and every gap has a name."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given, settings

import provender.practices
from provender.practices.evaluate import ROOMS, evaluate
from provender.practices.explain import explain
from provender.practices.facts_stand import STAND_UNPLANTED
from provender.practices.prepared_book import load
from provender.practices.requirement import REQUIREMENTS
from provender.practices.verdict import Verdict
from provender.records.kind import KINDS
from provender.rule.paragraphs import paragraphs
from tests.standards.season import Rows, book_of
from tests.standards.seasons import seasons
from tests.standards.side_by_side import MENDED

assert ROOMS  # importing them registers the requirements
ROOM: Final = Path(provender.practices.__file__).parent
EXAMPLES: Final = settings.default.max_examples if settings.default else 60

SKIP_NULLS: Final = frozenset(
    {"sum", "max", "min", "mean", "median", "any", "all", "all_horizontal", "any_horizontal", "sum_horizontal",
     "max_horizontal", "min_horizontal", "cum_sum", "mean_horizontal", "product"}
)  # fmt: skip


def modules() -> list[Path]:
    """Return the modules that must not combine rows by themselves."""
    return [path for path in sorted(ROOM.glob("*.py")) if path.name != "verdict.py"]


def skipping_calls(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Yield the calls of methods or functions of the engine that skip nulls or call an empty list true."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        name, of = node.func.attr, node.func.value
        everything = name == "all" and isinstance(of, ast.Name) and of.id == "pl" and not node.args
        if name in SKIP_NULLS and not everything:
            yield name, node.lineno


def yes_by_default(tree: ast.AST) -> Iterator[int]:
    """Yield every ``otherwise(True)``: a null condition falls into it and would come out as met."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr != "otherwise":
            continue
        if any(isinstance(arg, ast.Constant) and arg.value is True for arg in node.args):
            yield node.lineno


@pytest.mark.parametrize("path", modules(), ids=lambda path: path.name)
def test_only_the_module_of_verdicts_combines_rows(path: Path) -> None:
    assert list(skipping_calls(ast.parse(path.read_text(encoding="utf-8")))) == []


@pytest.mark.parametrize("path", modules(), ids=lambda path: path.name)
def test_no_module_answers_met_where_a_condition_does_not_say(path: Path) -> None:
    assert list(yes_by_default(ast.parse(path.read_text(encoding="utf-8")))) == []


def test_the_checks_find_what_they_look_for() -> None:
    tree = ast.parse("pl.col('a').sum(); pl.all_horizontal('a'); x.list.all(); pl.when(c).then(None).otherwise(True)")
    assert [name for name, _ in skipping_calls(tree)] == ["sum", "all_horizontal", "all"]
    assert list(yes_by_default(tree)) == [1]


@pytest.mark.parametrize("name", sorted(REQUIREMENTS))
def test_a_requirement_cites_a_paragraph_of_the_rule(name: str) -> None:
    assert REQUIREMENTS[name].cite in paragraphs()


@pytest.mark.parametrize("name", sorted(REQUIREMENTS))
def test_a_requirement_rests_on_kinds_of_record_that_exist(name: str) -> None:
    assert REQUIREMENTS[name].rests_on
    assert set(REQUIREMENTS[name].rests_on) <= set(KINDS)


@pytest.mark.parametrize("name", sorted(REQUIREMENTS))
def test_what_may_be_missing_names_a_kind_of_record_the_requirement_rests_on_and_its_column(name: str) -> None:
    one = REQUIREMENTS[name]
    assert one.gaps or name in MENDED
    for gap in one.gaps:
        kind, _, column = gap.record.split(" ")[0].rstrip(",").partition(".")
        if kind == "evidence":
            continue
        assert kind in KINDS, gap.record
        # Where an interval begins is asked of every requirement: a stand given up without its planting begins none.
        assert kind in (*one.rests_on, "harvest", "unit") or gap is STAND_UNPLANTED, gap.record
        assert not column or column in KINDS[kind].fields, gap.record


@settings(max_examples=EXAMPLES // 3)
@given(seasons(most=8))
def test_whenever_something_is_not_shown_a_missing_record_is_named(rows: Rows) -> None:
    for interval in explain(evaluate(load(book_of(rows)))):
        for practice in interval.practices:
            for finding in practice.findings:
                is_open = finding.verdict is Verdict.NOT_SHOWN
                assert is_open == bool(finding.missing) or finding.requirement in MENDED, finding
