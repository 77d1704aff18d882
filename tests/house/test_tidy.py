"""The house rules that no linter knows: sizes, clocks, floats, names (CONTRIBUTING, Code and Numbers)."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

import provender

SOURCE: Final = Path(provender.__file__).parent
PROJECT: Final = Path(__file__).parents[2]
MODULES: Final = sorted(path for path in SOURCE.rglob("*.py") if "migrations" not in path.parts)
"""What ships, but for migrations: Django writes those, and they are as long as the tables they make."""
BESIDE: Final = ("bench", "docs", "examples", "fuzz", "tests", "tools")
"""Folders of Python that does not ship and is kept as short."""
LONGEST_FUNCTION: Final = 50
LONGEST_MODULE: Final = 400
LONGEST_BESIDE: Final = 500
"""Tables of cases are long and read from top to bottom."""
ABOVE: Final = frozenset({"database", "services", "demo", "web", "cli"})

CLOCKS: Final = frozenset(
    {"datetime.now", "datetime.utcnow", "datetime.today", "date.today", "time.time", "time.time_ns", "os.environ",
     "os.getenv", "timezone.now", "dt.date.today", "dt.datetime.now", "datetime.datetime.now", "datetime.date.today",
     "random.random", "random.randint", "random.choice", "random.shuffle", "random.sample", "uuid.uuid4", "uuid4",
     "secrets.token_bytes", "secrets.token_hex", "os.urandom"}
)  # fmt: skip
# Rooms in which an amount may never be a float.
WHOLE_NUMBERS: Final = ("practices", "custody", "report", "audit", "rule")
FLOATS: Final[dict[str, str]] = {
    "audit/recompute/workbook.py": "a cell is a double; its text stands beside it and its formulas recompute it",
    "custody/documents/epcis.py": "EPCIS asks for JSON numbers; the exact amounts stand beside them as text",
    "custody/queries/pictures.py": "boxes, links and areas are drawn at coordinates; the amounts beside them are text",
    "report/farm_charts.py": "bars and lines are drawn at coordinates; the numbers printed beside them are text",
    "report/print_view.py": "bars and lines are drawn at coordinates; the numbers printed beside them are text",
}


def names(paths: list[Path]) -> list[str]:
    """Return paths as people read them."""
    return [str(path.relative_to(SOURCE)) for path in paths]


def tree(path: Path) -> ast.Module:
    """Return the syntax tree of a module."""
    return ast.parse(path.read_text(encoding="utf-8"))


def dotted(node: ast.AST) -> str:
    """Return ``a.b.c`` of an expression that is one, else nothing."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and (of := dotted(node.value)):
        return f"{of}.{node.attr}"
    return ""


def uses(path: Path) -> Iterator[str]:
    """Yield every dotted name that a module speaks of."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Attribute | ast.Name) and (name := dotted(node)):
            yield name


def calls(path: Path, name: str) -> int:
    """Count the calls of a function by its plain name."""
    found = (node.func for node in ast.walk(tree(path)) if isinstance(node, ast.Call))
    return sum(isinstance(of, ast.Name) and of.id == name for of in found)


def length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Count the lines of a function; its docstring does not count against it."""
    first = function.body[0]
    text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
    docs = (first.end_lineno or first.lineno) - first.lineno + 1 if text else 0
    return (function.end_lineno or function.lineno) - function.lineno + 1 - docs


def room(path: Path) -> str:
    """Return the room of a module, or its own name on the ground floor."""
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def too_long(path: Path, longest: int = LONGEST_MODULE) -> dict[str, int]:
    """Return the lines of a module and of its functions, by name, where they are more than they may be."""
    functions = [node for node in ast.walk(tree(path)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    long = {node.name: lines for node in functions if (lines := length(node)) > LONGEST_FUNCTION}
    whole = len(path.read_text(encoding="utf-8").splitlines())
    return long | ({path.name: whole} if whole > longest else {})


def left_to_do(path: Path) -> list[str]:
    """Return the lines whose comments say that something is still to be done."""
    marks = ("TO" + "DO", "FIX" + "ME", "X" * 3)
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if "#" in line and any(mark in line.split("#", 1)[1] for mark in marks)]


def has_no_subject(path: Path) -> bool:
    """Tell whether a module is named after nothing that it is about."""
    return path.stem in ("utils", "util", "helpers", "misc", "common")


@pytest.mark.parametrize("path", MODULES, ids=names(MODULES))
def test_functions_and_modules_are_short(path: Path) -> None:
    assert too_long(path) == {}


def test_no_module_is_called_utils() -> None:
    assert [path for path in MODULES if has_no_subject(path)] == []


@pytest.mark.parametrize("path", MODULES, ids=names(MODULES))
def test_nothing_is_left_to_do_and_nothing_prints(path: Path) -> None:
    assert left_to_do(path) == []
    assert calls(path, "print") == 0


@pytest.mark.parametrize("folder", BESIDE)
def test_what_does_not_ship_is_as_short_as_finished_and_as_well_named(folder: str) -> None:
    paths = sorted((PROJECT / folder).rglob("*.py"))
    assert paths
    assert {str(path): long for path in paths if (long := too_long(path, LONGEST_BESIDE))} == {}
    assert {str(path): lines for path in paths if (lines := left_to_do(path))} == {}
    assert [path for path in paths if has_no_subject(path)] == []


CORE: Final = [path for path in MODULES if room(path) not in ABOVE]


@pytest.mark.parametrize("path", CORE, ids=names(CORE))
def test_no_clock_environment_or_chance_below_the_database(path: Path) -> None:
    assert sorted(CLOCKS & set(uses(path))) == []


EXACT: Final = [path for path in CORE if room(path) in WHOLE_NUMBERS or path.name == "quantity.py"]


@pytest.mark.parametrize("path", EXACT, ids=names(EXACT))
def test_amounts_are_never_floats(path: Path) -> None:
    if str(path.relative_to(SOURCE)) not in FLOATS:
        assert calls(path, "float") == 0
        assert not {"pl.Float64", "pl.Float32"} & set(uses(path))


def test_every_exception_names_a_module_that_needs_it() -> None:
    for name, why in FLOATS.items():
        assert why
        assert calls(SOURCE / name, "float"), name
