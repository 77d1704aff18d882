"""The code is not larger than the numbers reached, and the tool that counts it counts right."""

import tomllib

from tools.size import REACHED, TOP, TREES, Size, by_package, checked_out, differences, held_numbers, size_of

MODULE = '''"""A module
of two lines of docstring."""

import ast
from typing import Final

LIMIT: Final = 3
"""A constant."""
a, _b = 1, 2
if LIMIT:
    other = 2


class Public:
    """One line."""

    field: int = 3


def _hidden() -> int:
    kept = 1
    return kept


def shown(): return ast
'''


def test_nothing_grew_and_modules_add_up_to_packages_and_the_tree() -> None:
    sizes = {tree: by_package(checked_out(tree), parsed=tree == "src") for tree in TREES}
    above, below = differences(tomllib.loads(REACHED.read_text(encoding="utf-8")), held_numbers(sizes))
    assert not above, "A number rose: make it smaller, or `tools/size.py --write` in a commit that says why."
    assert not below, "A number fell: `make size LOWER=1` and commit tools/size.toml."
    found = size_of("m.py", MODULE)
    # Public are LIMIT, a, other, Public and shown; docstrings stand in four lines and count as no statement.
    assert found == Size(25, 13, 1, 5, 4, (3, "m.py:_hidden"))
    packages = by_package([("a/one.py", MODULE), ("a/b/two.py", MODULE), ("three.py", "x = 1\n")])
    assert {name: (size.lines, size.modules, size.public) for name, size in packages.items()} == {
        "all": (51, 3, 11), "a": (50, 2, 10), TOP: (1, 1, 1),
    }  # fmt: skip
    assert packages["all"].longest == (3, "a/one.py:_hidden")


def test_what_grew_or_shrank_by_more_than_a_hundredth_or_is_unknown_is_told() -> None:
    def told(lines: int, modules: int = 10, docstrings: int = 100) -> tuple[int, int]:
        now = {"src all lines": lines, "src all modules": modules, "src all docstrings": docstrings}
        before = {"src all lines": 10_000, "src all modules": 10, "src all docstrings": 100}
        above, below = differences(before, now)
        return len(above), len(below)

    assert told(10_000) == told(9_900) == told(10_000, modules=9) == told(10_000, docstrings=200) == (0, 0)
    assert told(10_001) == told(10_000, modules=11) == (1, 0)
    assert told(9_899) == told(10_000, modules=8) == told(10_000, docstrings=79) == (0, 1)
    assert differences({}, {"src new lines": 5}) == (["src new lines 5, in the file 0"], [])
    assert differences({"src old lines": 5}, {}) == ([], ["src old lines 0, in the file 5"])
