"""Pages, calls and commands decide nothing: they reach the domain through services and compute no amounts."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

PACKAGE: Final = Path(__file__).parents[2] / "src" / "provender"
DOORS: Final = ("web", "cli")
BEHIND: Final = ("custody.events", "practices", "database.models", "database.store")
"""What services alone import."""
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


def offences(source: str) -> set[str]:
    """Return what a module does that only a service may: rooms that it imports, and ``amounts``."""
    tree = ast.parse(source)
    behind = {room for name in _imported(tree) for room in BEHIND if f"{name}.".startswith(f"provender.{room}.")}
    return behind | ({"amounts"} if any(map(_computes, ast.walk(tree))) else set())


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


def found() -> set[str]:
    """Return every offence as a line: the module and what it does."""
    modules = (path for door in DOORS for path in (PACKAGE / door).rglob("*.py"))
    return {
        f"{path.relative_to(PACKAGE).as_posix()} {offence}"
        for path in modules
        for offence in offences(path.read_text(encoding="utf-8"))
    }


def test_no_door_reaches_behind_the_services_or_computes_amounts() -> None:
    assert sorted(found()) == [], "ask a service for it"


def test_a_service_knows_no_request() -> None:
    knowing = {
        path.relative_to(PACKAGE).as_posix(): name
        for path in (PACKAGE / "services").rglob("*.py")
        for name in _imported(ast.parse(path.read_text(encoding="utf-8")))
        if name in REQUESTS
    }
    assert knowing == {}


@pytest.mark.parametrize(
    ("source", "offence"),
    [
        ("from provender.custody.events.sale import Sale", {"custody.events"}),
        ("from provender.custody import events", {"custody.events"}),
        ("import provender.practices.assess", {"practices"}),
        ("def page():\n    from provender.database.models import Audit", {"database.models"}),
        ("left = slip.bushels - sold", {"amounts"}),
        ("total += row.acres", {"amounts"}),
        ("late = unit.ci_g_per_bu >= 10", {"amounts"}),
        ("total = sum(row.bushels for row in rows)", {"amounts"}),
        ("total = sum([row.amount for row in rows], start=0)", {"amounts"}),
        ("total = frame.agg(pl.col('bushels').sum())", {"amounts"}),
        ("lots = sum(row.lots for row in rows)", set()),
        ("names = show(row.bushels)", set()),
        ("same = slip.bushels == 0", set()),
        ("from provender.services.audits import audits", set()),
        ("from provender.custody.eventual import x", set()),
    ],
)
def test_an_offence_is_seen_and_nothing_else(source: str, offence: set[str]) -> None:
    assert offences(source) == offence
