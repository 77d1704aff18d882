"""What the syntax of each module of ``src`` says, found in one pass: the tests of this folder ask it many times."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, Final, NamedTuple

PROJECT: Final = Path(__file__).parents[2]
SOURCE: Final = PROJECT / "src" / "provender"
AMOUNTS: Final = frozenset({
    "acres", "amount", "bu", "bushels", "ci", "ci_g_per_bu", "crop_amount", "effect_bushels", "grams", "pounds", "rate",
    "tonnes",
})  # fmt: skip
"""What a value is called that has a unit of the rule."""
ADDING: Final = ("sum", "fsum", "cum_sum", "accumulate")
"""Functions and methods that add several up."""
SORTING: Final = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
PLURAL: Final = re.compile(r" (?:[a-z]+ )?(?!is\b|was\b|has\b|times\b|this\b|as\b)[a-z]+s\b")
SEVERAL: Final = ("len(digits)", "len(origins)", "len(meant)")
"""Counts that are two at least wherever their sentence is written."""
UNITS: Final = (" bu", " lb", " gal", " fewer")


class Found(NamedTuple):
    """What stands in a module.

    Attributes:
        names: what it defines or imports, at whatever depth.
        imported: modules, and names in them, that it imports.
        texts: every text that stands alone: docstrings, and what is said of a constant.
        makes_floats: it makes floats of what it is given, or columns of them.
        computes: lines on which it computes amounts, which only a service may.
        counts: lines and words where a sentence writes how many there are and then its word for several, whatever it
            is. A choice of two words beside it, or a number that the same line says is not one, is a form for each.
        ungrouped: lines and words where a sentence writes an amount with its unit and leaves its thousands together.
    """

    names: set[str]
    imported: set[str]
    texts: list[str]
    makes_floats: bool
    computes: list[int]
    counts: list[tuple[int, str]]
    ungrouped: list[tuple[int, str]]


@cache
def text_of(path: Path) -> str:
    """Return the text of a file, read once."""
    return path.read_text(encoding="utf-8")


@cache
def found_in(path: Path) -> Found:
    """Return what stands in a module, looked at once."""
    return found(text_of(path))


def modules(*names: str, holding: str = "") -> dict[str, Found]:
    """Return what stands in modules and in those of packages, by their paths under ``src/provender``.

    A module whose text lacks what ``holding`` searches for has nothing of the kind: it need not be looked at.
    """
    assert [name for name in names if not (SOURCE / name).exists()] == []
    paths = {path for name in names for path in SOURCE.glob(name if name.endswith(".py") else f"{name}/**/*.py")}
    return {path.relative_to(SOURCE).as_posix(): found_in(path) for path in sorted(paths)
            if re.search(holding, text_of(path))}  # fmt: skip


def found(source: str) -> Found:
    """Return what stands in the text of a module."""
    by_type: dict[type[ast.AST], list[Any]] = defaultdict(list)
    for node in ast.walk(ast.parse(source)):
        by_type[type(node)].append(node)

    def every(*types: type[ast.AST]) -> Iterator[Any]:
        return chain.from_iterable(by_type[each] for each in types)

    imports = list(every(ast.Import, ast.ImportFrom))
    names = {node.name for node in every(ast.FunctionDef, ast.ClassDef)}
    names |= {node.id for node in every(ast.Name) if isinstance(node.ctx, ast.Store)}
    names |= {alias.asname or alias.name for node in imports for alias in node.names}
    within = [f"{node.module}." if isinstance(node, ast.ImportFrom) else "" for node in imports]
    chosen = {id(part) for node in every(ast.IfExp) for part in ast.walk(node)}
    written = [(node, call, after) for node in every(ast.JoinedStr) for call, after in _calls_in(node)]
    return Found(
        names=names,
        imported={node.module for node in every(ast.ImportFrom) if node.module}
        | {f"{package}{alias.name}" for node, package in zip(imports, within, strict=True) for alias in node.names},
        texts=list(_texts(node.value for node in every(ast.Expr))),
        makes_floats=any(_called(node.func) == "float" for node in every(ast.Call) if isinstance(node.func, ast.Name))
        or any(node.attr in ("Float64", "Float32") for node in every(ast.Attribute)),
        computes=sorted({node.lineno for node in every(ast.BinOp, ast.AugAssign, ast.Compare, ast.Call)
                         if _computes(node)}),
        counts=[(call.lineno, after) for sentence, call, after in written
                if id(sentence) not in chosen and _counts(call) and PLURAL.match(after)],
        ungrouped=[(call.lineno, after) for _, call, after in written
                   if after.startswith(UNITS) and _leaves_together(call)],
    )  # fmt: skip


def _texts(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _computes(node: ast.AST) -> bool:
    """Tell arithmetic on an amount, adding several up, or a comparison of one by size, from everything else."""
    if isinstance(node, ast.Compare) and not any(isinstance(operator, SORTING) for operator in node.ops):
        return False
    adds_up = isinstance(node, ast.Call)
    if isinstance(node, ast.Call) and _called(node.func) not in ADDING:
        return False
    parts = list(ast.walk(node))
    names = {_called(part) for part in parts}
    # A sum of a table of columns names its column in a text.
    return not (names | (set(_texts(parts)) if adds_up else set())).isdisjoint(AMOUNTS)


def _called(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _calls_in(sentence: ast.JoinedStr) -> Iterator[tuple[ast.Call, str]]:
    """Yield each call that a sentence writes, and the text after it."""
    for one, after in zip(sentence.values, sentence.values[1:], strict=False):
        call = one.value if isinstance(one, ast.FormattedValue) else None
        if isinstance(call, ast.Call) and isinstance(after, ast.Constant):
            yield call, str(after.value)


def _counts(call: ast.Call) -> bool:
    return ast.unparse(call.func) == "len" and ast.unparse(call) not in SEVERAL


def _leaves_together(call: ast.Call) -> bool:
    is_rate = any(ast.unparse(each).removeprefix("exact.") == "RATE_SCALE" for each in call.args)
    is_shown = ast.unparse(call.func) in ("show", "exact.show")
    return is_shown and not is_rate and "group" not in {each.arg for each in call.keywords}
