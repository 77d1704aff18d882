"""Recorded answers: one file a door, written on purpose, compared word by word."""

import json
import os
from pathlib import Path
from typing import Any, Final

ANSWERS: Final = Path(__file__).parent / "answers"
WRITE: Final = "PROVENDER_GOLDEN"
WIDTH: Final = 120


def assert_as_recorded(door: str, given: dict[str, Any]) -> None:
    """Compare what a door answers with its file; where the maker asks for it, write the file."""
    path = ANSWERS / f"{door}.json"
    given = json.loads(json.dumps(given))
    if os.environ.get(WRITE):
        path.write_text(_laid_out(given, "") + "\n", encoding="utf-8")
    expected = json.loads(path.read_text(encoding="utf-8"))
    assert sorted(given) == sorted(expected)
    for name, answer in expected.items():
        assert given[name] == answer, f"{door}: {name}"


def _laid_out(plain: object, indent: str) -> str:
    """Write JSON with whatever fits on one line on one line: a difference is small and can be read."""
    line = json.dumps(plain, ensure_ascii=False, sort_keys=True)
    if len(line) + len(indent) <= WIDTH or not isinstance(plain, dict | list) or not plain:
        return line
    inner = indent + " "
    if isinstance(plain, list):
        parts = [_laid_out(value, inner) for value in plain]
    else:
        parts = [f"{json.dumps(name, ensure_ascii=False)}: {_laid_out(plain[name], inner)}" for name in sorted(plain)]
    first, last = "[]" if isinstance(plain, list) else "{}"
    return first + "\n" + ",\n".join(inner + part for part in parts) + "\n" + indent + last
