"""Do the tests notice when one statement is wrong? ``python tools/mutants.py draw | requirements | weave | run``.

``draw`` takes single-statement mutants by seed from the functions of some packages: another comparison, a condition
negated, a statement dropped, a constant changed by one, ``and`` for ``or``, None for what is returned. At most one a
statement, written as JSON.

``requirements`` takes every mutant of what decides a verdict of subpart F, instead of a draw: a requirement finds
nothing, or that all is shown, or says *shown* for *against* and *against* for *shown*; and each single ``Missing`` and
``Against`` that some module of ``standards`` makes, and each call that brings such findings along, is dropped.

``weave`` writes all of them into another tree, beside what they change, wherever their functions stand there (found by
the names of function, statement and kind; of several places the one in the same package). Each is asleep until
``MUTANT`` names its number. While the suite runs once over such a tree with ``MUTANT_REACH=FILE``, each notes the tests
that reach it, in ``FILE.PROCESS``.

``run`` wakes one after the other and runs the tests that reach it, those of its own package first, until one fails.
Tests that reach it only while their fixtures are made bring the other tests of their file along.

    python tools/mutants.py draw TREE drawn.json --count 200 --seed 1      # or: requirements TREE drawn.json
    python tools/mutants.py weave TREE drawn.json      # a tree of its own: it is written to
    (cd TREE && MUTANT_REACH=/tmp/reach make test)
    python tools/mutants.py run TREE drawn.json --reach /tmp/reach --out answers.json
"""
# ruff: noqa: T201, S311, S603 - it prints, draws by seed, starts pytest

import argparse
import ast
import json
import os
import random
import re
import subprocess
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import Any, Final, NamedTuple

PACKAGES: Final = "records,standards,verdicts,portfolio,intensity,report,custody,audit,signing,services"
OTHER: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
DROPPED: Final = (ast.Assign, ast.AugAssign, ast.Expr, ast.Delete, ast.Continue, ast.Break)
FAILED: Final = (1, 2)
"""Exit statuses of pytest: a test failed, or a module could not be imported."""
FIRST: Final = 30
"""Tests that are tried before all others that reach a mutant."""
PATIENCE: Final = 900
"""Seconds after which a mutant counts as noticed by the clock alone: an endless loop."""
STANDARDS: Final = "src/provender/standards"
PARAGRAPH: Final = "2100."
"""How the citation begins that registers a function as a requirement."""
ALTERED: Final = ("nothing", "shown", "swapped")
"""What a requirement may find instead: these mutants stand above its function, the others in it."""
AWAKE: Final = """

def _mutants() -> None:
    import builtins
    import functools
    import os

    awake, reach, seen = int(os.environ.get("MUTANT", "-1")), os.environ.get("MUTANT_REACH"), set()

    def mutant(number):
        if reach:
            test = os.environ.get("PYTEST_CURRENT_TEST", "")
            if (number, test) not in seen:
                seen.add((number, test))
                with open(f"{reach}.{os.getpid()}", "a", encoding="utf-8") as file:
                    file.write(f"{number}\\t{test}\\n")
        return number == awake

    def altered(number, how):
        def alter(look):
            @functools.wraps(look)
            def ask(season, *more):
                from provender.standards.standard import Against, Shown

                if not __mutant__(number):
                    yield from look(season, *more)
                elif how == "shown":
                    yield Shown("harvest", season.harvest.harvest_id)
                elif how == "swapped":
                    for one in look(season, *more):
                        if isinstance(one, Shown):
                            yield Against(one.kind, one.row, one.reason or "swapped", *one[2:5])
                        elif isinstance(one, Against):
                            yield Shown(one.kind, one.row, *one[3:], one.reason)
                        else:
                            yield one

            return ask

        return alter

    builtins.__mutant__, builtins.__altered__ = mutant, altered


_mutants()
"""
"""What goes to the end of the package's first module, so that ``__mutant__`` is known wherever a mutant lies."""


class Mutant(NamedTuple):
    """One change: what names it, and where and what it is in the tree at hand."""

    package: str
    function: str
    statement: str
    kind: str
    path: str
    line: int
    span: tuple[int, int, int, int]
    text: str

    @property
    def name(self) -> tuple[str, str, str]:
        """What finds it again elsewhere: the function's own name, the statement and the kind with its new text."""
        return self.function.rpartition(".")[2], self.statement, f"{self.kind}: {self.text}"


def mutants_of(path: str, source: str) -> Iterator[Mutant]:
    """Yield every mutant of the functions of a module."""
    package = Path(path).parts[2] if len(Path(path).parts) > 3 else ""  # noqa: PLR2004 - src, provender, package, module

    def walk(body: list[ast.stmt], within: str) -> Iterator[Mutant]:
        for node in body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                inner = f"{within}.{node.name}".lstrip(".")
                yield from walk(node.body, inner if isinstance(node, ast.ClassDef) else f"{inner}()")
                continue
            if within.endswith("()"):
                head = ast.unparse(node).partition("\n")[0]
                for kind, part, text in _changes(node):
                    span = (part.lineno, part.col_offset, part.end_lineno or 0, part.end_col_offset or 0)
                    function = within.replace("()", "")
                    yield Mutant(package, function, head, kind, path, node.lineno, span, text)
            for name in ("body", "orelse", "finalbody"):
                yield from walk(getattr(node, name, []), within)
            for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
                yield from walk(part.body, within)

    yield from walk(ast.parse(source).body, "")


def _changes(node: ast.stmt) -> Iterator[tuple[str, ast.stmt | ast.expr, str]]:
    """Yield kind, place and new text of the changes of one statement, without those in its blocks."""
    constant = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    if isinstance(node, ast.Raise | ast.Assert) or constant:
        return
    if isinstance(node, DROPPED):
        yield "drop", node, "pass"
    if isinstance(node, ast.Return) and node.value and not _is_none(node.value):
        yield "none", node.value, "None"
    if isinstance(node, ast.If | ast.While):
        yield "negate", node.test, f"(not ({ast.unparse(node.test)}))"
    for part in _expressions(node):
        if isinstance(part, ast.Compare) and len(part.ops) == 1:
            swapped = ast.Compare(part.left, [OTHER[type(part.ops[0])]()], part.comparators)
            yield "compare", part, f"({ast.unparse(swapped)})"
        elif isinstance(part, ast.BoolOp):
            other = ast.BoolOp(ast.Or() if isinstance(part.op, ast.And) else ast.And(), part.values)
            yield "and-or", part, f"({ast.unparse(other)})"
        elif isinstance(part, ast.Constant) and type(part.value) is int:
            yield "constant", part, str(part.value + 1)


def requirement_mutants(
    path: str, source: str, finders: frozenset[str], shared: frozenset[str] = frozenset()
) -> Iterator[Mutant]:
    """Yield every mutant of what a module of ``standards`` finds.

    ``finders`` bring findings of others along; ``shared`` are requirements of several sections, under other names.
    """
    for within, node in _functions(ast.parse(source).body, ""):
        if node.name in shared or any(PARAGRAPH in ast.unparse(one) for one in node.decorator_list):
            span = (node.lineno, node.col_offset, node.lineno, node.col_offset)
            for how in ALTERED:
                yield Mutant("standards", within, f"def {node.name}", how, path, node.lineno, span, "")
        for statement in _statements(node.body):
            head = ast.unparse(statement).partition("\n")[0]
            for kind, part, text in _dropped_findings(statement, finders):
                span = (part.lineno, part.col_offset, part.end_lineno or 0, part.end_col_offset or 0)
                yield Mutant("standards", within, head, f"drop {kind}", path, part.lineno, span, text)


def finders_of(source: str) -> Iterator[str]:
    """Yield the names of the functions and properties of a module that give findings, or what makes some."""
    for _, node in _functions(ast.parse(source).body, ""):
        if node.returns is not None and re.search("Finding|Missing|Against|ImpliedPass", ast.unparse(node.returns)):
            yield node.name


def shared_of(source: str) -> Iterator[str]:
    """Yield the names of the functions of other modules that a module registers as requirements."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Call) and PARAGRAPH in ast.unparse(node.func):
            yield ast.unparse(node.args[0]).rpartition(".")[2]


def _functions(body: list[ast.stmt], within: str) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Yield the functions of a module or class, and those inside them, each with its name."""
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            name = f"{within}.{node.name}".lstrip(".")
            if isinstance(node, ast.FunctionDef):
                yield name, node
            yield from _functions(node.body, name)


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements without blocks of a function, not those of functions inside it."""
    for node in body:
        blocks = [part.body for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ()))]
        blocks += [getattr(node, name, []) for name in ("body", "orelse", "finalbody")]
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            continue
        if not any(blocks):
            yield node
        for block in blocks:
            yield from _statements(block)


def _dropped_findings(node: ast.stmt, finders: frozenset[str]) -> Iterator[tuple[str, ast.stmt | ast.expr, str]]:
    """Yield which finding each mutant of a statement drops, and place and new text as ``woven`` reads them."""
    value = getattr(node, "value", None)
    given = value.value if isinstance(value, ast.Yield | ast.YieldFrom) else None
    if isinstance(node, ast.Return):
        return
    if isinstance(given, ast.IfExp):
        test = ast.unparse(given.test)
        for branch, condition in ((given.body, test), (given.orelse, f"not ({test})")):
            if found := _found_by(branch, finders):
                yield found, node, f"pass if {condition}"
    elif isinstance(node, ast.Expr | ast.AugAssign):
        if found := _found_by(node, finders):
            yield found, node, "pass"
    else:
        lists = [one for one in ast.walk(value) if isinstance(one, ast.List)] if value else []
        for part in (part for one in lists for part in one.elts):
            if found := _found_by(part, finders):
                yield (found, part.value, "()") if isinstance(part, ast.Starred) else (found, part, "*()")
        if isinstance(value, ast.Call | ast.GeneratorExp | ast.ListComp) and (found := _found_by(value, finders)):
            yield found, value, "()"


def _found_by(node: ast.AST, finders: frozenset[str]) -> str:
    """Return what an expression finds: missing, against, ``call`` for what others found; else nothing."""
    named = [one.func if isinstance(one, ast.Call) else one for one in ast.walk(node) if not isinstance(one, ast.Name)]
    names = [getattr(one, "attr", getattr(one, "id", "")) for one in named]
    made = next((name.lower() for name in names if name in ("Missing", "Against")), "")
    is_tested = any(isinstance(one, ast.Call) and ast.unparse(one.func) == "isinstance" for one in ast.walk(node))
    return "" if is_tested else made or ("call" if finders.intersection(names) else "")


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _expressions(node: ast.AST) -> Iterator[ast.expr]:
    """Yield the expressions of a statement; not those inside an f-string, which have no place of their own."""
    for part in ast.iter_child_nodes(node):
        if isinstance(part, ast.expr):
            yield part
        if not isinstance(part, ast.stmt | ast.JoinedStr | ast.ExceptHandler | ast.match_case):
            yield from _expressions(part)


def all_mutants(tree: Path, packages: set[str] | None = None) -> list[Mutant]:
    """Return every mutant of a tree, or of some packages of it."""
    found = []
    for path in sorted((tree / "src").rglob("*.py")):
        name = path.relative_to(tree).as_posix()
        if packages is None or packages & set(Path(name).parts[2:3]):
            found += list(mutants_of(name, path.read_text(encoding="utf-8")))
    return found


def all_requirement_mutants(tree: Path) -> list[Mutant]:
    """Return every mutant of what the requirements of a tree find."""
    modules = sorted((tree / STANDARDS).glob("*.py"))
    sources = {path.relative_to(tree).as_posix(): path.read_text(encoding="utf-8") for path in modules}
    finders = frozenset(name for source in sources.values() for name in finders_of(source))
    shared = frozenset(name for source in sources.values() for name in shared_of(source))
    return [one for path, source in sources.items() for one in requirement_mutants(path, source, finders, shared)]


def woven(source: str, mutants: dict[int, Mutant]) -> str:
    """Return a module with mutants in it, asleep; none of them within another."""
    text = source.encode()
    begins = [0, *accumulate(len(line) for line in text.splitlines(keepends=True))]
    for number, one in sorted(mutants.items(), key=lambda item: item[1].span, reverse=True):  # what is before stays
        first, left, last, right = one.span
        start, stop = begins[first - 1] + left, begins[last - 1] + right
        was, awake = text[start:stop].decode(), f"__mutant__({number})"
        new = f"({one.text} if {awake} else ({was}))"
        if one.kind in ALTERED:
            new = f'@__altered__({number}, "{one.kind}")\n{" " * left}'
        elif one.text == "*()":
            new = f"*(() if {awake} else ({was},))"
        elif one.text == "pass":
            new = f"if not {awake}: {was}"
        elif one.text.startswith("pass if "):
            new = f"if not (({one.text.removeprefix('pass if ')}) and {awake}): {was}"
        text = text[:start] + new.encode() + text[stop:]
    return text.decode()


def carried(wanted: list[Mutant], tree: Path) -> list[Mutant | None]:
    """Return where each mutant stands in a tree; None where its function or statement is gone."""
    places: dict[tuple[str, str, str], list[Mutant]] = defaultdict(list)
    for one in (*all_mutants(tree), *all_requirement_mutants(tree)):
        places[one.name].append(one)

    def near(one: Mutant, at: Mutant) -> tuple[bool, bool, int, int]:
        away = (abs(at.span[0] - one.span[0]), abs(at.span[1] - one.span[1]))
        return at.package != one.package, at.function != one.function, *away

    return [min(places[one.name], key=partial(near, one), default=None) for one in wanted]


def draw(tree: Path, packages: set[str], count: int, seed: int) -> list[Mutant]:
    """Return mutants drawn by seed, no two of one statement."""
    every = all_mutants(tree, packages)
    drawn: dict[object, Mutant] = {}
    for one in random.Random(seed).sample(every, len(every)):
        drawn.setdefault((one.path, one.line), one)
        if len(drawn) == count:
            break
    return list(drawn.values())


def weave(tree: Path, wanted: list[Mutant]) -> list[int]:
    """Write mutants into a tree and return the numbers of those that are gone from it."""
    by_path: dict[str, dict[int, Mutant]] = defaultdict(dict)
    gone = []
    for number, place in enumerate(carried(wanted, tree)):
        others = () if place is None else by_path[place.path].values()
        if place is None or any((one.span, one.text) == (place.span, place.text) for one in others if one.text):
            gone.append(number)
        else:
            by_path[place.path][number] = place
    for path, mutants in by_path.items():
        module = tree / path
        module.write_text(woven(module.read_text(encoding="utf-8"), mutants), encoding="utf-8")
    with (tree / "src" / "provender" / "__init__.py").open("a", encoding="utf-8") as first:
        first.write(AWAKE)
    return gone


def reach_of(notes: Path) -> dict[int, dict[str, bool]]:
    """Return by mutant the tests that reached it, and whether in their own run or only in their fixtures."""
    found: dict[int, dict[str, bool]] = defaultdict(dict)
    for file in notes.parent.glob(f"{notes.name}.*"):
        for line in file.read_text(encoding="utf-8").splitlines():
            number, _, said = line.partition("\t")
            test, _, phase = said.rpartition(" (")
            test = re.sub(r"(?<=[\]\w])@[\w -]+$", "", test)  # the group that xdist adds
            if test:
                of = found[int(number)]
                of[test] = of.get(test, False) or phase == "call)"
    return found


def reaching_tests(mutant: Mutant, reach: dict[str, bool]) -> tuple[list[str], list[str]]:
    """Return the tests to run first, of the mutant's own package and then of others, and what to run after them."""
    own = [test for test, called in reach.items() if called]
    near = sorted(own, key=lambda test: (f"/{mutant.package}/" not in test, "/web/" in test, "browser" in test, test))
    step = max(len(near) // FIRST, 1)
    first = near[: FIRST // 2] + near[FIRST // 2 :: step][:FIRST]
    files = sorted({test.partition("::")[0] for test, called in reach.items() if not called})
    return first, [*(test for test in near if test not in set(first)), *files]


def answer_of(tree: Path, number: int, mutant: Mutant, reach: dict[str, bool]) -> str:
    """Run the tests that reach a mutant; ``killed``, ``timed out``, ``survived`` or ``unreached``."""
    if not reach:
        return "unreached"
    for tests in reaching_tests(mutant, reach):
        if not tests:
            continue
        with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as file:
            file.write("\n".join(tests))
            file.flush()
            command = [".venv/bin/python", "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", f"@{file.name}"]
            settings = {**os.environ, "MUTANT": str(number), "PYTHONPATH": str(tree / "src")}
            try:
                done = subprocess.run(
                    command, cwd=tree, env=settings, check=False, capture_output=True, text=True, timeout=PATIENCE
                )
            except subprocess.TimeoutExpired:
                return "timed out"
        if done.returncode in FAILED:
            return "killed"
        if done.returncode:
            return f"pytest ended with {done.returncode}: {(done.stdout + done.stderr)[-300:]}"
    return "survived"


def run(tree: Path, wanted: list[Mutant], reach: dict[int, dict[str, bool]], workers: int) -> list[str]:
    """Return what became of each mutant."""

    def answer(item: tuple[int, Mutant]) -> str:
        found = answer_of(tree, *item, reach.get(item[0], {}))
        print(item[0], found.partition(":")[0], item[1].path, item[1].function, item[1].name[2], flush=True)
        return found

    return list(ThreadPoolExecutor(workers).map(answer, enumerate(wanted)))


def _print_table(rows: list[dict[str, Any]]) -> None:
    counts = Counter((of, row["answer"].partition(":")[0]) for row in rows for of in (row["package"], "all"))
    answers = sorted({answer for _, answer in counts})
    print(f"{'package':<14}" + "".join(f"{answer:>12}" for answer in answers))
    for package in [*sorted({row["package"] for row in rows}), "all"]:
        print(f"{package:<14}" + "".join(f"{counts[package, answer]:>12}" for answer in answers))


def main() -> None:
    """Draw mutants, weave drawn ones into a tree, or run them there."""
    parser = argparse.ArgumentParser(description="Do the tests notice when one statement is wrong?")
    parser.add_argument("what", choices=("draw", "requirements", "weave", "run"))
    parser.add_argument("tree", type=Path)
    parser.add_argument("drawn", type=Path, help="the file that draw writes")
    parser.add_argument("--packages", default=PACKAGES)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=20261121)
    parser.add_argument("--reach", type=Path, help="what MUTANT_REACH was")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--out", type=Path)
    said = parser.parse_args()
    tree = said.tree.resolve()
    if said.what in ("draw", "requirements"):
        every = said.what == "requirements"
        drawn = (
            all_requirement_mutants(tree) if every else draw(tree, set(said.packages.split(",")), said.count, said.seed)
        )
        rows = [one._asdict() for one in drawn]
        said.drawn.write_text(json.dumps(rows, indent=1), encoding="utf-8")
        return
    wanted = [Mutant(**{**row, "span": tuple(row["span"])}) for row in json.loads(said.drawn.read_text())]
    if said.what == "weave":
        gone = weave(tree, wanted)
        print(f"{len(wanted) - len(gone)} woven, gone: {gone}")
        return
    begun = time.monotonic()
    answers = run(tree, wanted, reach_of(said.reach), said.workers)
    rows = [one._asdict() | {"answer": answer} for one, answer in zip(wanted, answers, strict=True)]
    _print_table(rows)
    print(f"{time.monotonic() - begun:.0f} s")
    if said.out:
        said.out.write_text(json.dumps(rows, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
