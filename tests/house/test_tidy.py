"""What neither ruff nor an import contract can hold: lengths, names of modules, amounts that are no floats."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

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

WHOLE_NUMBERS: Final = ("practices", "custody", "report", "audit", "rule", "quantity.py")
"""Where an amount may never be a float."""
FLOATS: Final[dict[str, str]] = {
    "audit/recompute/workbooks.py": "a cell is a double; its text stands beside it and its formulas recompute it",
    "custody/documents/epcis.py": "EPCIS asks for JSON numbers; the exact amounts stand beside them as text",
    "custody/queries/trace.py": "boxes, links and areas are drawn at coordinates; the amounts beside them are text",
    "report/season.py": "bars and lines are drawn at coordinates; the numbers printed beside them are text",
    "report/print.py": "bars and lines are drawn at coordinates; the numbers printed beside them are text",
}


def length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Count the lines of a function; its docstring does not count against it."""
    first = function.body[0]
    text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
    docs = (first.end_lineno or first.lineno) - first.lineno + 1 if text else 0
    return (function.end_lineno or function.lineno) - function.lineno + 1 - docs


def too_long(source: str) -> Iterator[tuple[str, int]]:
    """Yield what is longer than it may be, with its lines: functions by name, the module as ``module``."""
    for node in ast.walk(ast.parse(source)):
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


def test_amounts_are_never_floats_but_where_a_reason_is_given() -> None:
    exact = [path for name in WHOLE_NUMBERS for path in SOURCE.glob(name if "." in name else f"{name}/**/*.py")]
    using = {path.relative_to(SOURCE).as_posix() for path in exact if uses_float(path.read_text(encoding="utf-8"))}
    assert using == {name for name, why in FLOATS.items() if why}
    assert uses_float("x = float(text)")
    assert uses_float("x = pl.col('a').cast(pl.Float64)")
    assert not uses_float("def f(x: float) -> None: ...")
