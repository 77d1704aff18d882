"""A sentence with a count has a form for one and a form for several: never "1 tickets", never "1 lots were"."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from provender.custody.events.grain import tickets_show

ROOT = Path(__file__).parents[2] / "src" / "provender"
PACKAGES = (
    "custody", "services/custody", "services/audits", "web/custody", "web/audit", "cli/custody", "cli/audit",
    "audit/statement", "audit/recompute", "audit/package", "audit/programme.py",
)  # fmt: skip
PLURAL = re.compile(r" (?:[a-z]+ )?(?!is\b|was\b|has\b|times\b|this\b|as\b)[a-z]+s\b")


SEVERAL = ("len(digits)", "len(origins)", "len(meant)")
"""Counts that are two at least wherever their sentence is written."""


def counts(source: str) -> Iterator[tuple[int, str]]:
    """Yield where a sentence writes how many there are of something and then its word for several, whatever it is.

    A choice of two words beside it, or a number that the same line says is not one, is a form for each.
    """
    tree = ast.parse(source)
    chosen = {id(part) for one in ast.walk(tree) if isinstance(one, ast.IfExp) for part in ast.walk(one)}
    for text in ast.walk(tree):
        if not isinstance(text, ast.JoinedStr) or id(text) in chosen:
            continue
        for one, after in zip(text.values, text.values[1:], strict=False):
            call = one.value if isinstance(one, ast.FormattedValue) else None
            counted = isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "len"
            is_many = call is not None and ast.unparse(call) in SEVERAL
            if counted and not is_many and isinstance(after, ast.Constant) and PLURAL.match(str(after.value)):
                yield one.lineno, str(after.value)


def test_the_search_finds_what_it_is_for() -> None:
    source = 'f"{len(a)} tickets were"; f"{len(a)} ticket(s)" if a else f"{len(a)} lots"; f"{len(a)} was"'
    assert list(counts(source)) == [(1, " tickets were")]


def test_sentences_of_trade_and_audits_have_both_forms() -> None:
    assert [package for package in PACKAGES if not (ROOT / package).exists()] == []
    files = [
        path for one in PACKAGES for path in sorted([ROOT / one] if one.endswith(".py") else (ROOT / one).rglob("*.py"))
    ]
    assert [(str(one.relative_to(ROOT)), *found) for one in files for found in counts(one.read_text())] == []


@pytest.mark.parametrize(
    ("tickets", "said"), [(0, "0 tickets show 12 bu."), (1, "1 ticket shows 12 bu."), (2, "2 tickets show 12 bu.")]
)
def test_what_tickets_show_has_both_forms(tickets: int, said: str) -> None:
    assert tickets_show(tickets, 12_000) == said
