"""Every kind of finding, alert and status has a case that expects it, and the reference names those that exist."""

import ast
import re
from enum import StrEnum
from pathlib import Path

import pytest

from provender.custody.model.event import Status
from provender.custody.queries.alerts import AlertKind
from provender.custody.reconcile.discrepancies import DiscrepancyKind
from provender.formats.columns import target

ROOT = Path(__file__).parents[3]
CASES = [path for part in ("custody", "cli", "simulation") for path in (ROOT / "tests" / part).rglob("*.py")]
DATA = [*(ROOT / "tests" / "custody").rglob("*.jsonl")]
PAGE = ROOT / "docs" / "reference" / "custody_documents.md"


def expected(kinds: type[StrEnum]) -> set[str]:
    """Return the kinds that a case names, as text or as a member of the enumeration."""
    named = {one for lines in DATA for one in re.findall(r'"(\w+)"(?!:)', lines.read_text("utf-8"))}
    for path in CASES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                named.add(node.value)
            elif isinstance(node, ast.Attribute) and ast.unparse(node.value) == kinds.__name__:
                named.add(str(kinds.__members__.get(node.attr, "")))
    return named & {str(kind) for kind in kinds}


@pytest.mark.parametrize("kinds", [DiscrepancyKind, AlertKind, Status])
def test_every_kind_that_exists_is_expected_by_some_case(kinds: type[StrEnum]) -> None:
    assert {str(kind) for kind in kinds} - expected(kinds) == set()


@pytest.mark.parametrize(
    ("kinds", "title"), [(DiscrepancyKind, "What `reconcile` finds"), (AlertKind, "What `alerts` tells")]
)
def test_the_reference_names_every_kind_that_exists_and_no_other(kinds: type[StrEnum], title: str) -> None:
    (section,) = re.findall(
        rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    named = {word for word in re.findall(r"`([a-z_]+)`", section) if "_" in word}
    assert named == {str(kind) for kind in kinds if "_" in kind}
    assert {str(kind) for kind in kinds} <= set(re.findall(r"`([a-z_]+)`", section))


def test_the_reference_names_every_field_of_a_contract_file() -> None:
    (_, section) = PAGE.read_text("utf-8").split("## Contract files\n")
    assert set(target("contract").fields) == set(re.findall(r"`([a-z_]+)`", section))
