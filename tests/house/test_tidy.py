"""What neither ruff nor an import contract holds: lengths, names, exact amounts that services compute, groups."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

import provender

SOURCE: Final = Path(provender.__file__).parent
PROJECT: Final = Path(__file__).parents[2]
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


def length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Count the lines of a function; its docstring does not count against it."""
    first = function.body[0]
    text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
    docs = (first.end_lineno or first.lineno) - first.lineno + 1 if text else 0
    return (function.end_lineno or function.lineno) - function.lineno + 1 - docs


def statements(part: ast.AST) -> Iterator[ast.stmt]:
    """Yield every statement under one; there are ten expressions to each, which need no look."""
    for inner in ast.iter_child_nodes(part):
        if isinstance(inner, ast.stmt):
            yield inner
        if not isinstance(inner, ast.expr):
            yield from statements(inner)


def too_long(source: str) -> Iterator[tuple[str, int]]:
    """Yield what is longer than it may be, with its lines: functions by name, the module as ``module``."""
    for node in statements(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (lines := length(node)) > LONGEST_FUNCTION:
            yield node.name, lines
    if (whole := len(source.splitlines())) > LONGEST_MODULE:
        yield "module", whole


def uses_float(source: str) -> bool:
    """Tell whether a module makes floats of what it is given, or columns of them."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "float":
            return True
        if isinstance(node, ast.Attribute) and ast.unparse(node) in ("pl.Float64", "pl.Float32"):
            return True
    return False


def test_functions_and_modules_are_short() -> None:
    assert MODULES
    long = {str(path.relative_to(PROJECT)): list(too_long(path.read_text(encoding="utf-8"))) for path in MODULES}
    assert {path: lines for path, lines in long.items() if lines} == {}


def test_what_is_one_line_too_long_is_seen() -> None:
    line = "    x = 1\n"
    assert list(too_long(f"def f():\n    'says what'\n{line * LONGEST_FUNCTION}")) == [("f", LONGEST_FUNCTION + 1)]
    assert list(too_long(f"def f():\n    'says what'\n{line * (LONGEST_FUNCTION - 1)}")) == []
    assert list(too_long("x = 1\n" * (LONGEST_MODULE + 1))) == [("module", LONGEST_MODULE + 1)]


def test_every_module_is_named_after_what_it_is_about() -> None:
    assert [path for path in MODULES if path.stem in ("utils", "util", "helpers", "misc", "common")] == []


PROCESSES: Final = [
    ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts)
    for path in MODULES
    if path.is_relative_to(SOURCE) and '__name__ == "__main__"' in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("module", PROCESSES)
def test_a_module_that_is_a_process_begins_by_itself(module: str) -> None:
    """It is run with ``-m``, before Django knows its applications."""
    code = f"import os; os.environ['DJANGO_SETTINGS_MODULE'] = 'provender.web.settings'; import {module}"
    begun = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=False)  # noqa: S603
    assert begun.returncode == 0, begun.stderr


def test_amounts_are_never_floats_but_where_a_reason_is_given() -> None:
    found = {name: list(SOURCE.glob(name if "." in name else f"{name}/**/*.py")) for name in WHOLE_NUMBERS}
    assert [name for name, paths in found.items() if not paths] == []
    exact = [path for paths in found.values() for path in paths]
    using = {path.relative_to(SOURCE).as_posix() for path in exact if uses_float(path.read_text(encoding="utf-8"))}
    assert using == {name for name, why in FLOATS.items() if why}
    assert uses_float("x = float(text)")
    assert uses_float("x = pl.col('a').cast(pl.Float64)")
    assert not uses_float("def f(x: float) -> None: ...")


INTERFACES: Final = ("web", "cli")
AMOUNTS: Final = frozenset({
    "acres", "amount", "bu", "bushels", "ci", "ci_g_per_bu", "crop_amount", "effect_bushels", "grams", "pounds", "rate",
    "tonnes",
})  # fmt: skip
"""What a value is called that has a unit of the rule."""
REQUESTS: Final = ("django.http", "django.shortcuts", "django.forms", "django.urls")
"""What a service knows nothing of; the contracts of ``lint-imports`` cannot name a part of Django."""
ADDING: Final = ("sum", "fsum", "cum_sum", "accumulate")
"""Functions and methods that add several up."""
SORTING: Final = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)


def computes(source: str) -> list[int]:
    """Return the lines on which a module computes amounts, which only a service may."""
    return sorted(
        {
            node.lineno
            for node in ast.walk(ast.parse(source))
            if isinstance(node, ast.expr | ast.stmt) and _computes(node)
        }
    )


def _imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _computes(node: ast.AST) -> bool:
    """Tell arithmetic on an amount, adding several up, or a comparison of one by size, from everything else."""
    is_sorted = isinstance(node, ast.Compare) and any(isinstance(operator, SORTING) for operator in node.ops)
    if not is_sorted and not isinstance(node, ast.BinOp | ast.AugAssign) and not _adds_up(node):
        return False
    names = {part.attr if isinstance(part, ast.Attribute) else getattr(part, "id", "") for part in ast.walk(node)}
    named = {part.value for part in ast.walk(node) if isinstance(part, ast.Constant) and isinstance(part.value, str)}
    return not (names | (named if _adds_up(node) else set())).isdisjoint(AMOUNTS)


def _adds_up(node: ast.AST) -> bool:
    """Tell a sum by a function, whether of Python or of a table of columns, which names its column in a text."""
    if not isinstance(node, ast.Call):
        return False
    called = node.func
    name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
    return name in ADDING


def test_no_page_call_or_command_computes_amounts() -> None:
    modules = [path for name in INTERFACES for path in (SOURCE / name).rglob("*.py")]
    assert modules
    lines = {path.relative_to(SOURCE).as_posix(): computes(path.read_text(encoding="utf-8")) for path in modules}
    assert {path: found for path, found in lines.items() if found} == {}, "ask a service for it"


def test_a_service_knows_no_request() -> None:
    knowing = {
        path.relative_to(SOURCE).as_posix(): name
        for path in (SOURCE / "services").rglob("*.py")
        for name in _imported(ast.parse(path.read_text(encoding="utf-8")))
        if name in REQUESTS
    }
    assert knowing == {}


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
    assert bool(computes(source)) == computed


@pytest.mark.xdist_group("groups")
def test_a_group_reaches_the_scheduler(request: pytest.FixtureRequest) -> None:
    """A group that is lost in silence makes its example world once a worker."""
    if not hasattr(request.config, "workerinput"):
        pytest.skip("there are no workers here: `make test` has three")
    assert request.node.nodeid.endswith("@groups")
