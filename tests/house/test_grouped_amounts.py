"""Amounts that people read have their thousands grouped: in every sentence of trade and of audits."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from provender.exact import grouped

ROOT = Path(__file__).parents[2] / "src" / "provender"
PACKAGES = (
    "custody/events", "custody/queries", "custody/reconcile", "services/custody", "services/audits", "web/custody",
    "web/audit", "audit/statement", "audit/programme.py",
)  # fmt: skip
UNITS = (" bu", " lb", " gal", " fewer")


def ungrouped(source: str) -> Iterator[int]:
    """Yield the lines on which a sentence writes an amount with its unit and leaves its thousands together."""
    for text in ast.walk(ast.parse(source)):
        if not isinstance(text, ast.JoinedStr):
            continue
        for one, after in zip(text.values, text.values[1:], strict=False):
            call = one.value if isinstance(one, ast.FormattedValue) else None
            is_show = isinstance(call, ast.Call) and ast.unparse(call.func) in ("show", "exact.show")
            unit = isinstance(after, ast.Constant) and str(after.value).startswith(UNITS)
            if not (is_show and unit and isinstance(call, ast.Call)):
                continue
            rate = any(ast.unparse(each).removeprefix("exact.") == "RATE_SCALE" for each in call.args)
            if not rate and "group" not in {each.arg for each in call.keywords}:
                yield one.lineno


def test_the_search_finds_what_it_is_for() -> None:
    source = 'f"{show(a)} bu and {show(b, group=True)} bu, {show(c)} %"'
    assert list(ungrouped(source)) == [1]


def test_sentences_group_the_thousands_of_amounts() -> None:
    assert [package for package in PACKAGES if not (ROOT / package).exists()] == []
    files = [
        path for one in PACKAGES for path in sorted([ROOT / one] if one.endswith(".py") else (ROOT / one).rglob("*.py"))
    ]
    assert [(str(one.relative_to(ROOT)), line) for one in files for line in ungrouped(one.read_text())] == []


@pytest.mark.parametrize(
    ("text", "said"),
    [("33317", "33,317"), ("-1234567.125", "-1,234,567.125"), ("999", "999"), ("0.5", "0.5"), ("", ""),
     ("2026-01-05", "2026-01-05"), ("T-33317", "T-33317"), ("33,317", "33,317"), ("12345.", "12345.")],
)  # fmt: skip
def test_an_amount_s_text_is_grouped_and_nothing_else_is(text: str, said: str) -> None:
    assert grouped(text) == said
