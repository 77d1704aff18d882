"""Sentences with numbers group thousands and have a form for one and for several: no "1 tickets", no "33317 bu"."""

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest

from provender.custody.events.grain import tickets_show
from provender.exact import grouped

ROOT: Final = Path(__file__).parents[2] / "src" / "provender"
COUNTED: Final = (
    "custody", "services/custody", "services/audits", "web/custody", "web/audit", "cli/custody", "cli/audit",
    "audit/statement", "audit/recompute", "audit/package", "audit/programme.py",
)  # fmt: skip
GROUPED: Final = (
    "custody/events", "custody/queries", "custody/reconcile", "services/custody", "services/audits", "web/custody",
    "web/audit", "audit/statement", "audit/programme.py",
)  # fmt: skip
PLURAL: Final = re.compile(r" (?:[a-z]+ )?(?!is\b|was\b|has\b|times\b|this\b|as\b)[a-z]+s\b")
SEVERAL: Final = ("len(digits)", "len(origins)", "len(meant)")
"""Counts that are two at least wherever their sentence is written."""
UNITS: Final = (" bu", " lb", " gal", " fewer")


def parts(source: str) -> Iterator[tuple[ast.Call, str, ast.JoinedStr, ast.Module]]:
    """Yield each call that a sentence writes, the text after it, the sentence and its module."""
    tree = ast.parse(source)
    for text in ast.walk(tree):
        if isinstance(text, ast.JoinedStr):
            for one, after in zip(text.values, text.values[1:], strict=False):
                call = one.value if isinstance(one, ast.FormattedValue) else None
                if isinstance(call, ast.Call) and isinstance(after, ast.Constant):
                    yield call, str(after.value), text, tree


def counts(source: str) -> Iterator[tuple[int, str]]:
    """Yield where a sentence writes how many there are of something and then its word for several, whatever it is.

    A choice of two words beside it, or a number that the same line says is not one, is a form for each.
    """
    chosen: set[int] | None = None
    for call, after, text, tree in parts(source):
        if chosen is None:
            chosen = {id(part) for one in ast.walk(tree) if isinstance(one, ast.IfExp) for part in ast.walk(one)}
        counted = ast.unparse(call.func) == "len" and ast.unparse(call) not in SEVERAL
        if counted and id(text) not in chosen and PLURAL.match(after):
            yield call.lineno, after


def ungrouped(source: str) -> Iterator[tuple[int, str]]:
    """Yield where a sentence writes an amount with its unit and leaves its thousands together."""
    for call, after, _, _ in parts(source):
        rate = any(ast.unparse(each).removeprefix("exact.") == "RATE_SCALE" for each in call.args)
        shown = ast.unparse(call.func) in ("show", "exact.show") and after.startswith(UNITS)
        if shown and not rate and "group" not in {each.arg for each in call.keywords}:
            yield call.lineno, after


def test_the_searches_find_what_they_are_for() -> None:
    source = 'f"{len(a)} tickets were"; f"{len(a)} ticket(s)" if a else f"{len(a)} lots"; f"{len(a)} was"'
    assert list(counts(source)) == [(1, " tickets were")]
    assert list(ungrouped('f"{show(a)} bu and {show(b, group=True)} bu, {show(c)} %"')) == [(1, " bu and ")]


@pytest.mark.parametrize(("search", "packages"), [(counts, COUNTED), (ungrouped, GROUPED)])
def test_sentences_of_trade_and_audits_have_both_forms_and_their_thousands_grouped(
    search: Callable[[str], Iterator[tuple[int, str]]], packages: tuple[str, ...]
) -> None:
    assert [package for package in packages if not (ROOT / package).exists()] == []
    files = [
        path for one in packages for path in sorted([ROOT / one] if one.endswith(".py") else (ROOT / one).rglob("*.py"))
    ]
    assert [(str(one.relative_to(ROOT)), *found) for one in files for found in search(one.read_text())] == []


@pytest.mark.parametrize(
    ("tickets", "said"), [(0, "0 tickets show 12 bu."), (1, "1 ticket shows 12 bu."), (2, "2 tickets show 12 bu.")]
)
def test_what_tickets_show_has_both_forms(tickets: int, said: str) -> None:
    assert tickets_show(tickets, 12_000) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [("33317", "33,317"), ("-1234567.125", "-1,234,567.125"), ("999", "999"), ("0.5", "0.5"), ("", ""),
     ("2026-01-05", "2026-01-05"), ("T-33317", "T-33317"), ("33,317", "33,317"), ("12345.", "12345.")],
)  # fmt: skip
def test_an_amount_s_text_is_grouped_and_nothing_else_is(text: str, said: str) -> None:
    assert grouped(text) == said
