"""What neither ruff nor a contract holds: lengths, names, exact amounts, groups of workers, sentences with numbers."""

import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Final

import pytest

from provender.custody.events.grain import tickets_show
from provender.exact import grouped
from tests.codebase.source import PROJECT, SOURCE, found, modules, text_of

pytestmark = pytest.mark.xdist_group("house")

FOLDERS: Final = ("src/provender", "bench", "docs", "examples", "fuzz", "tests", "tools")
MODULES: Final = sorted(
    path for folder in FOLDERS for path in (PROJECT / folder).rglob("*.py") if "migrations" not in path.parts
)
"""All Python but for migrations: Django writes those, and they are as long as the tables they make."""
LONGEST_FUNCTION: Final = 60
LONGEST_MODULE: Final = 700

WHOLE_NUMBERS: Final = (
    "standards", "verdicts", "intensity", "records", "custody", "report", "audit", "rule", "portfolio/columns",
    "exact.py", "catalog/words.py", "catalog/materials.py", "catalog/tables.py", "formats/units.py",
    "formats/rates.py",
)  # fmt: skip
"""Where an amount may never be a float."""
FLOATS: Final[dict[str, str]] = {
    "audit/recompute/workbooks.py": "a cell is a double; its text stands beside it and its formulas recompute it",
    "custody/documents/epcis.py": "EPCIS asks for JSON numbers; the exact amounts stand beside them as text",
    "custody/queries/trace.py": "boxes, links and areas are drawn at coordinates; the amounts beside them are text",
    "report/season.py": "bars and lines are drawn at coordinates; the numbers printed beside them are text",
    "intensity/argonne2021/inputs.py": "the open model is an estimate, computed in doubles as its workbook does",
    "intensity/argonne2021/model.py": "the open model is an estimate, computed in doubles as its workbook does",
    "report/print.py": "bars and lines are drawn at coordinates; the numbers printed beside them are text",
}


FUNCTION: Final = re.compile(r"^( *)(?:async )?def (\w+)(?=(.*\n(?:\1[ )].*\n|\n)*))", re.MULTILINE)
"""As the formatter leaves one: to its end each line is empty or lies deeper, but for the bracket that ends its head."""
DOCSTRING: Final = re.compile(r'^ *"""(?:.|\n)*?"""\n', re.MULTILINE)


def too_long(source: str) -> Iterator[tuple[str, int]]:
    """Yield what is longer than it may be, with its lines: functions without their docstring, the module as itself."""
    for one in FUNCTION.finditer(source):
        lines = DOCSTRING.sub("", one[3].rstrip() + "\n", count=1).count("\n")
        if lines > LONGEST_FUNCTION:
            yield one[2], lines
    if (whole := len(source.splitlines())) > LONGEST_MODULE:
        yield "module", whole


def test_functions_and_modules_are_short_and_named_after_what_they_are_about() -> None:
    assert MODULES
    long = {str(path.relative_to(PROJECT)): list(too_long(text_of(path))) for path in MODULES}
    assert {path: lines for path, lines in long.items() if lines} == {}
    line, head = "    x = 1\n", 'def f(\n    y: int,\n) -> int:\n    """Say\n\n    what."""\n'
    assert list(too_long(f"{head}{line * (LONGEST_FUNCTION - 2)}\ny = 1\n")) == [("f", LONGEST_FUNCTION + 1)]
    assert list(too_long(f"{head}{line * (LONGEST_FUNCTION - 3)}\ny = 1\n")) == []
    assert list(too_long("x = 1\n" * (LONGEST_MODULE + 1))) == [("module", LONGEST_MODULE + 1)]
    assert [path for path in MODULES if path.stem in ("utils", "util", "helpers", "misc", "common")] == []


PROCESSES: Final = [
    ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts)
    for path in MODULES
    if path.is_relative_to(SOURCE) and '__name__ == "__main__"' in text_of(path)
]


def test_a_module_that_is_a_process_begins_by_itself() -> None:
    """It is run with ``-m``, before Django knows its applications."""
    assert PROCESSES
    code = f"""if True:
        import os
        os.environ["DJANGO_SETTINGS_MODULE"] = "provender.web.settings"
        import {", ".join(PROCESSES)}
        from django.apps import apps
        assert not apps.ready, "one of them told Django of its applications; then the others may not"
    """
    begun = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=False)  # noqa: S603
    assert begun.returncode == 0, begun.stderr


def test_amounts_are_computed_in_no_page_call_or_command_and_are_no_floats() -> None:
    exact = modules(*WHOLE_NUMBERS, holding=r"\bfloat\(|Float(?:32|64)")
    assert {path for path, one in exact.items() if one.makes_floats} == {name for name, why in FLOATS.items() if why}
    assert found("x = float(text)").makes_floats
    assert found("x = pl.col('a').cast(pl.Float64)").makes_floats
    assert not found("def f(x: float) -> None: ...").makes_floats
    computing = {path: one.computes for path, one in modules("web", "cli").items() if one.computes}
    assert computing == {}, "ask a service for it"
    services = modules("services", holding="django")
    assert {path for path, one in services.items() if one.imported & REQUESTS} == set()
    assert found("from django import forms").imported & REQUESTS


REQUESTS: Final = {"django.http", "django.shortcuts", "django.forms", "django.urls"}
"""What a service knows nothing of; the contracts of ``lint-imports`` cannot name a part of Django."""


@pytest.mark.parametrize(
    ("source", "computed"),
    [
        ("left = slip.bushels - sold", True),
        ("total += row.acres", True),
        ("late = unit.ci_g_per_bu >= 10", True),
        ("total = sum(row.bushels for row in rows)", True),
        ("total = sum([row.amount for row in rows], start=0)", True),
        ("total = frame.agg(pl.col('bushels').sum())", True),
        ("lots = sum(row.lots for row in rows)", False),
        ("names = show(row.bushels)", False),
        ("same = slip.bushels == 0", False),
    ],
)
def test_a_computed_amount_is_seen_and_nothing_else(source: str, *, computed: bool) -> None:
    assert bool(found(source).computes) == computed


def test_a_group_reaches_the_scheduler(request: pytest.FixtureRequest) -> None:
    """A group that is lost in silence makes its example world once a worker."""
    if not hasattr(request.config, "workerinput"):
        pytest.skip("there are no workers here: `make test` has three")
    assert request.node.nodeid.endswith("@house")


GROUPED: Final = (
    "custody/events", "custody/queries", "custody/reconcile", "services/custody", "services/audits", "web/custody",
    "web/audit", "audit/statement", "audit/programme.py",
)  # fmt: skip
COUNTED: Final = (*GROUPED, "custody", "cli/custody", "cli/audit", "audit/recompute", "audit/package")


def test_sentences_of_trade_and_audits_have_both_forms_and_the_searches_find_them() -> None:
    source = 'f"{len(a)} tickets were"; f"{len(a)} ticket(s)" if a else f"{len(a)} lots"; f"{len(a)} was"'
    assert found(source).counts == [(1, " tickets were")]
    assert found('f"{show(a)} bu and {show(b, group=True)} bu, {show(c)} %"').ungrouped == [(1, " bu and ")]
    assert {path: one.counts for path, one in modules(*COUNTED, holding="len").items() if one.counts} == {}
    assert {path: one.ungrouped for path, one in modules(*GROUPED, holding="show").items() if one.ungrouped} == {}


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
