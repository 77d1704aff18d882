"""How large the code is, by package, beside what it may be: ``make size``, ``make size LOWER=1``.

Counted are, of ``src``, ``tests`` and ``bench``: lines as the formatter leaves them (the suite holds `ruff format
--check`, so the lines of a file are those), statements (nodes of the syntax tree, without docstrings), modules, public
names, lines of docstrings (all strings that stand as statements), and the longest function, from ``def`` to its end.
A public name is one without leading underscore that a module defines at its top level: a function, a class, a
constant, an alias of a type. What it imports is not counted.

``size.toml`` holds the numbers reached, and the suite holds the code to them: a number above the file fails, and so
does one that fell by more than a hundredth while the file stayed. Docstrings may rise; that some went shows in the
file. ``--lower`` writes what is lower and refuses while anything is above; ``--write`` writes everything, and the
commit says why a number rose. ``--rev`` prints any revision.
"""

import argparse
import ast
import io
import subprocess
import sys
import tarfile
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from operator import add
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple

# ruff: noqa: T201 - it prints
ROOT: Final = Path(__file__).parent.parent
REACHED: Final = Path(__file__).with_suffix(".toml")
HEAD: Final = "# Numbers reached, made by `make size LOWER=1`. They only go down: a rise is a commit that says why.\n"
TREES: Final = {"src": "src/provender/", "tests": "tests/", "bench": "bench/"}
ALL: Final = "all"
TOP: Final = "top"  # modules beside packages
BOUNDS: Final[Mapping[str, Mapping[str, tuple[int, int]]]] = {  # lines and modules in the end, 0: no bound
    "src": {
        ALL: (105_000, 400), TOP: (900, 5), "signing": (1_900, 8), "paper": (2_000, 7), "rule": (1_100, 6),
        "catalog": (1_200, 7), "records": (2_300, 10), "formats": (11_000, 40), "standards": (3_500, 12),
        "intensity": (2_800, 12), "report": (3_500, 13), "custody": (14_500, 40), "audit": (9_500, 30),
        "portfolio": (7_000, 24), "database": (5_000, 14), "services": (16_000, 60), "web": (14_500, 65),
        "cli": (5_800, 25), "demo": (1_800, 9),
    },
    "tests": {ALL: (60_000, 0)},
    "bench": {ALL: (3_500, 0)},
}  # fmt: skip
# By so much a number may be below the file, or by a hundredth of it.
SMALL: Final = {"lines": 20, "modules": 1, "public": 5, "longest": 1, "docstrings": 20}
Numbers = dict[str, int]  # by tree, package and measure, in one key: `src audit lines`


class Size(NamedTuple):
    """What some modules hold; of the longest function the lines and the name."""

    lines: int = 0
    statements: int = 0
    modules: int = 0
    public: int = 0
    docstrings: int = 0
    longest: tuple[int, str] = (0, "")

    def plus(self, other: "Size") -> "Size":
        """Return both together."""
        lines, statements, modules, public, docstrings = map(add, self[:5], other[:5])
        return Size(lines, statements, modules, public, docstrings, max(self.longest, other.longest))


def size_of(path: str, text: str) -> Size:
    """Return the size of one module."""
    tree = ast.parse(text)
    statements, docstrings, longest = 0, 0, (0, "")
    for node in _statements(tree.body):
        length = (node.end_lineno or node.lineno) - node.lineno + 1
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            docstrings += length
        else:
            statements += 1
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            longest = max(longest, (length, f"{path}:{node.name}"))
    public = sum(name[0] != "_" for name in set(_names(tree.body)))
    return Size(text.count("\n"), statements, 1, public, docstrings, longest)


def _statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield statements and those inside them."""
    for node in body:
        yield node
        for part in ("body", "orelse", "finalbody"):
            yield from _statements(getattr(node, part, ()))
        for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
            yield from _statements(part.body)


def _names(body: Iterable[ast.stmt]) -> Iterator[str]:
    """Yield the names that statements at the top of a module define, those under ``if`` and ``try`` too."""
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            parts = [part for target in targets for part in (getattr(target, "elts", None) or [target])]
            yield from (part.id for part in parts if isinstance(part, ast.Name))
        elif isinstance(node, ast.If | ast.Try):
            yield from _names(part for part in ast.iter_child_nodes(node) if isinstance(part, ast.stmt))


def checked_out(tree: str) -> Iterator[tuple[str, str]]:
    """Yield path and text of the modules of a tree in this checkout."""
    for path in sorted((ROOT / TREES[tree]).rglob("*.py")):
        yield path.relative_to(ROOT / TREES[tree]).as_posix(), path.read_text(encoding="utf-8")


def at_revision(revision: str, tree: str) -> Iterator[tuple[str, str]]:
    """Yield path and text of the modules of a tree in a revision."""
    command = ["git", "archive", revision, TREES[tree]]
    packed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout  # noqa: S603 - a developer's words
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        for member in archive:
            if member.name.endswith(".py") and (file := archive.extractfile(member)):
                yield member.name.removeprefix(TREES[tree]), file.read().decode()


def by_package(modules: Iterable[tuple[str, str]], *, parsed: bool = True) -> dict[str, Size]:
    """Return the size of each package and, as ``all``, of the tree; lines and modules alone where it is not parsed."""
    found: dict[str, Size] = defaultdict(Size)
    for path, text in modules:
        parts = PurePosixPath(path).parts
        size = size_of(path, text) if parsed else Size(text.count("\n"), modules=1)
        for package in (ALL, parts[0] if len(parts) > 1 else TOP):
            found[package] = found[package].plus(size)
    return dict(sorted(found.items()))


def held_numbers(sizes: Mapping[str, Mapping[str, Size]]) -> Numbers:
    """Return what ``size.toml`` holds: lines and modules of each package, and three more numbers of ``src``."""
    held: Numbers = {}
    for tree, packages in sizes.items():
        for package, size in packages.items():
            held |= {f"{tree} {package} lines": size.lines, f"{tree} {package} modules": size.modules}
    src = sizes["src"][ALL]
    more = {"public": src.public, "longest": src.longest[0], "docstrings": src.docstrings}
    return held | {f"src {ALL} {measure}": value for measure, value in more.items()}


def differences(before: Numbers, now: Numbers) -> tuple[list[str], list[str]]:
    """Return what is above the file, and what fell so far below it that the file should follow."""
    above, below = [], []
    for key in sorted(before.keys() | now.keys()):
        value, limit, measure = now.get(key, 0), before.get(key, 0), key.split()[-1]
        if value > limit and measure != "docstrings":
            above.append(f"{key} {value:,}, in the file {limit:,}")
        elif limit - value > max(limit // 100, SMALL[measure] if value else 0):
            below.append(f"{key} {value:,}, in the file {limit:,}")
    return above, below


def _print(tree: str, packages: Mapping[str, Size]) -> None:
    heads = ("lines", "bound", "statements", "modules", "bound", "public", "per 1,000", "longest")
    print(f"{tree:<14}" + "".join(f"{head:>11}" for head in heads))
    for package, size in packages.items():
        lines, modules = (f"{bound:,}" if bound else "" for bound in BOUNDS[tree].get(package, (0, 0)))
        each = size.public * 1000 / max(size.lines, 1)
        cells = (size.lines, lines, size.statements, size.modules, modules, size.public, f"{each:.0f}", size.longest[0])
        print(f"{package:<14}" + "".join(f"{cell:>11,}" if isinstance(cell, int) else f"{cell:>11}" for cell in cells))
    print(f"Longest function: {packages[ALL].longest[1]}; {packages[ALL].docstrings:,} lines of docstrings.\n")


def main() -> int:
    """Print the sizes and hold them against the file; exit status 1 where they differ from it."""
    parser = argparse.ArgumentParser(description="Sizes of the code by package.")
    parser.add_argument("--rev", help="a revision instead of this checkout")
    parser.add_argument("--lower", action="store_true", help="write lower numbers to size.toml")
    parser.add_argument("--write", action="store_true", help="write all numbers to size.toml, higher ones too")
    said = parser.parse_args()
    sizes = {tree: by_package(at_revision(said.rev, tree) if said.rev else checked_out(tree)) for tree in TREES}
    for tree, packages in sizes.items():
        _print(tree, packages)
    print("In the end: 35 public names per 1,000 lines of src, no function above 60 lines.")
    if said.rev:
        return 0
    now = held_numbers(sizes)
    before = now if said.write else tomllib.loads(REACHED.read_text(encoding="utf-8"))
    above, below = differences(before, now)
    print("".join([*(f"ABOVE {what}\n" for what in above), *(f"below {what}\n" for what in below)]), end="")
    if written := (said.write or said.lower) and not above:
        REACHED.write_text(HEAD + "".join(f'"{key}" = {value}\n' for key, value in now.items()), encoding="utf-8")
    return int(not written and bool(above or below))


if __name__ == "__main__":
    sys.exit(main())
