"""Pages, calls and commands compute no amounts: they ask services. An import contract keeps them from the domain."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

PACKAGE: Final = Path(__file__).parents[2] / "src" / "provender"
INTERFACES: Final = ("web", "cli")
AMOUNTS: Final = frozenset({
    "acres", "amount", "bu", "bushels", "ci", "ci_g_per_bu", "crop_amount", "effect_bushels", "grams", "pounds", "rate",
    "tonnes",
})  # fmt: skip
"""What a value is called that has a unit of the rule."""
REQUESTS: Final = ("django.http", "django.shortcuts", "django.forms", "django.urls")
"""What a service knows nothing of; the contracts of ``lint-imports`` cannot name a part of Django."""
ADDING: Final = ("sum", "fsum", "cum_sum", "accumulate")
"""Functions and methods that add several up."""
SORTING: Final = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)


def computes(source: str) -> list[int]:
    """Return the lines on which a module computes amounts, which only a service may."""
    return sorted(
        {
            node.lineno
            for node in ast.walk(ast.parse(source))
            if isinstance(node, ast.expr | ast.stmt) and _computes(node)
        }
    )


def _imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _computes(node: ast.AST) -> bool:
    """Tell arithmetic on an amount, adding several up, or a comparison of one by size, from everything else."""
    is_sorted = isinstance(node, ast.Compare) and any(isinstance(operator, SORTING) for operator in node.ops)
    if not is_sorted and not isinstance(node, ast.BinOp | ast.AugAssign) and not _adds_up(node):
        return False
    names = {part.attr if isinstance(part, ast.Attribute) else getattr(part, "id", "") for part in ast.walk(node)}
    named = {part.value for part in ast.walk(node) if isinstance(part, ast.Constant) and isinstance(part.value, str)}
    return not (names | (named if _adds_up(node) else set())).isdisjoint(AMOUNTS)


def _adds_up(node: ast.AST) -> bool:
    """Tell a sum by a function, whether of Python or of a table of columns, which names its column in a text."""
    if not isinstance(node, ast.Call):
        return False
    called = node.func
    name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
    return name in ADDING


def test_no_page_call_or_command_computes_amounts() -> None:
    modules = [path for name in INTERFACES for path in (PACKAGE / name).rglob("*.py")]
    assert modules
    lines = {path.relative_to(PACKAGE).as_posix(): computes(path.read_text(encoding="utf-8")) for path in modules}
    assert {path: found for path, found in lines.items() if found} == {}, "ask a service for it"


def test_a_service_knows_no_request() -> None:
    knowing = {
        path.relative_to(PACKAGE).as_posix(): name
        for path in (PACKAGE / "services").rglob("*.py")
        for name in _imported(ast.parse(path.read_text(encoding="utf-8")))
        if name in REQUESTS
    }
    assert knowing == {}


@pytest.mark.parametrize(
    ("source", "computed"),
    [
        ("left = slip.bushels - sold", True),
        ("total += row.acres", True),
        ("late = unit.ci_g_per_bu >= 10", True),
        ("total = sum(row.bushels for row in rows)", True),
        ("total = sum([row.amount for row in rows], start=0)", True),
        ("total = frame.agg(pl.col('bushels').sum())", True),
        ("lots = sum(row.lots for row in rows)", False),
        ("names = show(row.bushels)", False),
        ("same = slip.bushels == 0", False),
    ],
)
def test_a_computed_amount_is_seen_and_nothing_else(source: str, *, computed: bool) -> None:
    assert bool(computes(source)) == computed
