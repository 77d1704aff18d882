"""Tables of cases as lines of JSON beside their test: in ``test_x.jsonl`` for ``test_x.py``, a case a line.

A line says ``of`` what it is a case, a test or a constant, mostly its name as ``case``, and then its values by name.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


def lines_of(module: str, of: str) -> list[dict[str, Any]]:
    lines = Path(module).with_suffix(".jsonl").read_text(encoding="utf-8").splitlines()
    found = [one for one in map(json.loads, lines) if one.pop("of") == of]
    assert found, f"{module} has no line for {of}"
    return found


def cases_of(module: str, of: str) -> dict[str, Any]:
    """Return by name what stands in each line: the value, or a tuple of several."""
    found = {one.pop("case"): tuple(one.values()) for one in lines_of(module, of)}
    return {name: values if len(values) > 1 else values[0] for name, values in found.items()}


def with_cases(test: Callable[..., None]) -> Callable[..., None]:
    """Run a test with each of its lines, as `pytest.mark.parametrize` does with a list."""
    lines = lines_of(test.__code__.co_filename, test.__name__)
    cases = [pytest.param(*one.values(), id=name) for one in lines for name in [one.pop("case", None)]]
    run: Callable[..., None] = pytest.mark.parametrize(list(lines[0]), cases)(test)
    return run
