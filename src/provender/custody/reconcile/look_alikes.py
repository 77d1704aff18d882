"""Names that look alike and are not the same: by case, width, accents, separators or letters of another script."""

import re
from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
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
_PLAIN: Final = bytes(range(128)).decode().lower().translate(_DIGITS).encode() + bytes(range(128, 256))
_NO_SHAPE: Final = bytes(one for one in range(128) if not chr(_PLAIN[one]).isalnum())


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


def at_a_glance(name: str) -> bytes:
    """Return the letters and digits of what a name looks like, fast: names that look alike have them in common."""
    if name.isascii():
        return name.encode().translate(_PLAIN, _NO_SHAPE)
    return skeleton(name).replace("-", "").encode()


def look_alikes(names: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """Yield groups of different names that look alike, sorted."""
    first: dict[bytes, str] = {}
    several: set[str] = set()
    for name in names:  # nearly none is like another, and a closer look takes ten times as long
        if (other := first.setdefault(at_a_glance(name), name)) != name:
            several |= {other, name}
    groups: dict[str, set[str]] = defaultdict(set)
    for name in several:
        groups[skeleton(name)].add(name)
    for shape in sorted(groups):
        if len(groups[shape]) > 1 and shape:
            yield tuple(sorted(groups[shape]))


def under_two(held: Mapping[K, Collection[object]]) -> Iterator[tuple[K, tuple[str, ...]]]:
    """Yield keys that stand for more than one thing, with these in words."""
    for key, things in held.items():
        if len(things) > 1 and len(words := tuple(sorted({str(one) for one in things}))) > 1:
            yield key, words
