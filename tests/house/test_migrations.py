"""The steps of the database follow one another in one line, so that two people who each add one see it at once."""

import ast
from pathlib import Path

import provender

STEPS = sorted((Path(provender.__file__).parent / "database" / "migrations").glob("0*.py"))


def wanted(step: Path) -> list[str]:
    """Return the steps of this room that a step says it comes after."""
    for node in ast.walk(ast.parse(step.read_text())):
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "dependencies":
            pairs = [ast.unparse(one) for one in getattr(node.value, "elts", ())]
            return [name for name in (one.name.removesuffix(".py") for one in STEPS) if any(name in p for p in pairs)]
    return []


def test_each_step_comes_after_the_one_before_it() -> None:
    names = [one.stem for one in STEPS]
    assert [one[:4] for one in names] == [f"{n:04}" for n in range(1, len(names) + 1)]
    assert [wanted(one) for one in STEPS] == [[], *([name] for name in names[:-1])]
