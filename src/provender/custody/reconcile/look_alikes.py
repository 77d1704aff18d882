"""Names that look alike and are not the same: by case, width, accents, separators or letters of another script."""

import re
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Final, TypeVar
from unicodedata import combining, normalize

K = TypeVar("K", bound=Hashable)

_PAIRS: Final = (files("provender.custody") / "data" / "look_alikes.txt").read_text(encoding="utf-8").split()
_ALIKE: Final = str.maketrans(dict(zip(_PAIRS[::2], _PAIRS[1::2], strict=True)))
"""Letters of other scripts that are printed like a Latin one; the commonest of Unicode's list of confusables."""
_DIGITS: Final = str.maketrans("oil|", "0111")
_APART: Final = re.compile(r"(?<=\d)[^0-9a-z]+(?=\d)")
_SEPARATORS: Final = re.compile(r"[^0-9a-z\-]+")


@lru_cache(maxsize=1 << 17)
def skeleton(name: str) -> str:
    """Return what a name looks like at a glance: equal for ``INV-77``, ``inv 77`` and one in another script.

    Between digits a separator stays: 1-12 and 11-2 are two numbers.
    """
    # Width and ligatures first, then accents; letters of other scripts in lower case, then those like digits.
    bare = name.lower()
    if not name.isascii():
        wide = normalize("NFKD", name.casefold())
        bare = "".join(letter for letter in wide if not combining(letter)).translate(_ALIKE).lower()
    apart = _APART.sub("~", bare.translate(_DIGITS))
    return _SEPARATORS.sub("", apart.replace("-", "").replace("~", "-"))


def look_alikes(names: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """Yield groups of different names that look alike, sorted."""
    groups: dict[str, set[str]] = defaultdict(set)
    for name in names:
        groups[skeleton(name)].add(name)
    for shape in sorted(groups):
        if len(groups[shape]) > 1 and shape:
            yield tuple(sorted(groups[shape]))


def under_two(held: Mapping[K, Iterable[object]]) -> Iterator[tuple[K, tuple[str, ...]]]:
    """Yield keys that stand for more than one thing, with these in words."""
    for key, things in held.items():
        if len(words := tuple(sorted({str(one) for one in things}))) > 1:
            yield key, words
