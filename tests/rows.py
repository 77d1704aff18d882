"""Tables of cases as lines of data: ``test_x.jsonl`` beside ``test_x.py``.

A line ``{"test": ...}`` names the test of the rows below it: each has the test's arguments, and the name of its case
where they do not say it. A line ``{"table": ...}`` begins a table that several tests read. A line with ``named`` and
``is`` names a value for the lines below it: ``{"like": ...}`` stands for it, other fields beside that for what differs.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import pytest

Test = TypeVar("Test", bound=Callable[..., Any])


class CaseRows:
    """The rows of a module's tests, for whose functions it is the decorator, and what the file names."""

    def __init__(self, module: str, **named: Any) -> None:  # noqa: ANN401 - whatever the rows are made of
        self.named: Final = named
        self.rows: Final[dict[str, list[dict[str, Any]]]] = {}
        source, rows = Path(module).read_text(encoding="utf-8"), list[dict[str, Any]]()
        for line in Path(module).with_suffix(".jsonl").read_text(encoding="utf-8").splitlines():
            one = json.loads(line)
            if one.keys() == {"test"}:
                assert f"\ndef {one['test']}(" in source, f"no test {one['test']} has the rows below it"
                rows = self.rows.setdefault(one["test"], [])
            elif one.keys() == {"table"}:
                rows = self.rows.setdefault(one["table"], [])
            elif one.keys() == {"named", "is"}:
                named[one["named"]] = self._filled(one["is"])
            else:
                rows.append(self._filled(one))

    def __call__(self, test: Test) -> Test:
        rows = self.rows[test.__name__]
        names = [name for name in rows[0] if name != "case"]
        values = [tuple(row[name] for name in names) for row in rows]
        marked: Test = pytest.mark.parametrize(names, values, ids=[row.get("case") for row in rows])(test)
        return marked

    def table(self, name: str) -> dict[str, Any]:
        """Return the rows of a table by the name of their case: a value, or a tuple of several."""
        found = {row["case"]: tuple(value for of, value in row.items() if of != "case") for row in self.rows[name]}
        return {case: values if len(values) > 1 else values[0] for case, values in found.items()}

    def _filled(self, value: Any) -> Any:  # noqa: ANN401 - any JSON
        if isinstance(value, list):
            return [self._filled(one) for one in value]
        if not isinstance(value, dict):
            return value
        rest = {name: self._filled(one) for name, one in value.items() if name != "like"}
        if "like" not in value:
            return rest
        return {**self.named[value["like"]], **rest} if rest else self.named[value["like"]]
