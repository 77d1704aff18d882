"""Pages, calls and commands decide nothing: they reach the domain through services and compute no amounts.

``doors_today.txt`` lists the modules that still do. A module that is listed must still offend, so the list only
shrinks; a module that is not listed must not offend.
"""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

PACKAGE: Final = Path(__file__).parents[2] / "src" / "provender"
TODAY: Final = Path(__file__).with_name("doors_today.txt")
DOORS: Final = ("web", "cli")
BEHIND: Final = ("custody.events", "practices", "database.models", "database.store")
"""What services alone import."""
AMOUNTS: Final = frozenset({
    "acres", "amount", "bu", "bushels", "ci", "ci_g_per_bu", "effect_bushels", "grams", "pounds", "rate", "tonnes",
})  # fmt: skip
"""What a value is called that has a unit of the rule."""
REQUESTS: Final = ("django.http", "django.shortcuts", "django.forms", "django.urls")
"""What a service knows nothing of; the contracts of ``lint-imports`` cannot name a part of Django."""
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
    """Tell arithmetic on an amount, or a comparison of one by size, from everything else."""
    is_sorted = isinstance(node, ast.Compare) and any(isinstance(operator, SORTING) for operator in node.ops)
    if not is_sorted and not isinstance(node, ast.BinOp | ast.AugAssign):
        return False
    names = {part.attr if isinstance(part, ast.Attribute) else getattr(part, "id", "") for part in ast.walk(node)}
    return not names.isdisjoint(AMOUNTS)


def found() -> set[str]:
    """Return every offence as a line: the module and what it does."""
    modules = (path for door in DOORS for path in (PACKAGE / door).rglob("*.py"))
    return {
        f"{path.relative_to(PACKAGE).as_posix()} {offence}"
        for path in modules
        for offence in offences(path.read_text(encoding="utf-8"))
    }


def listed() -> list[str]:
    """Return the offences of today."""
    return TODAY.read_text(encoding="utf-8").splitlines()


def test_no_door_that_is_not_listed_reaches_behind_the_services() -> None:
    assert sorted(found() - set(listed())) == [], "ask a service for it"


def test_a_listed_door_still_offends() -> None:
    assert sorted(set(listed()) - found()) == [], f"take these lines out of {TODAY.name}"


def test_the_list_is_sorted_and_names_nothing_twice() -> None:
    assert listed() == sorted(set(listed()))


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
        ("same = slip.bushels == 0", set()),
        ("from provender.services.audits import audits", set()),
        ("from provender.custody.eventual import x", set()),
    ],
)
def test_an_offence_is_seen_and_nothing_else(source: str, offence: set[str]) -> None:
    assert offences(source) == offence
