"""A citation is a value: it compares, sorts, and reads back as written."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Self

PART: Final = "7 CFR"
DEFINITIONS: Final = "2100.002"

# A letter, then a number, then a small Roman number. No list of this part is longer than nine items, so the order
# of the text is the order of the paragraphs.
_CITE: Final = re.compile(
    r"(?:7\s?CFR\s+)?(?:§\s*)?(?P<section>2100\.\d{3})"
    r'(?:(?P<steps>(?:\([a-z]\)(?:\([1-9]\)(?:\((?:iv|vi{0,3}|i{1,3})\))?)?)?)|\s+"(?P<term>[^"]+)")'
)


@dataclass(frozen=True, slots=True, order=True)
class Cite:
    """One paragraph of 7 CFR part 2100, such as ``2100.051(b)(1)``, or one definition, ``2100.002 "crop interval"``.

    A section alone, such as ``2100.051``, cites its introductory text. Citations sort in the order of the rule;
    definitions sort by their term, in small letters.

    Attributes:
        section: ``2100.051``.
        path: the designations below it, such as ``("b", "1")``.
        term: the defined term of 2100.002, in small letters; empty elsewhere.
    """

    section: str
    path: tuple[str, ...] = ()
    term: str = ""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``2100.051(b)(1)`` with or without ``7 CFR`` before it.

        Raises:
            ValueError: the text is not written as a citation of this part; the message says how to write one.
        """
        found = _CITE.fullmatch(text.strip())
        if found is None:
            raise ValueError(f"{text!r} is not a paragraph of 7 CFR part 2100. Write it like 2100.051(b)(1).")
        steps = tuple(re.findall(r"\((\w+)\)", found["steps"] or ""))
        term = (found["term"] or "").lower()
        if term and found["section"] != DEFINITIONS:
            raise ValueError(f'{text!r}: only 2100.002 defines terms. Write it like 2100.002 "crop interval".')
        return cls(found["section"], steps, term)

    @property
    def parent(self) -> "Cite | None":
        """Return the paragraph that holds this one, or None for a whole section."""
        if self.term:
            return Cite(self.section)
        return Cite(self.section, self.path[:-1]) if self.path else None

    def within(self, other: "Cite") -> bool:
        """Return whether this paragraph is ``other`` or lies below it."""
        if self.section != other.section:
            return False
        if other.term:
            return self == other
        return self.path[: len(other.path)] == other.path

    def __str__(self) -> str:
        return _written(self.section, self.path, self.term)

    @property
    def full(self) -> str:
        """Return the citation as documents print it: ``7 CFR 2100.051(b)(1)``."""
        return f"{PART} {self}"


@lru_cache(maxsize=1_024)
def _written(section: str, path: tuple[str, ...], term: str) -> str:
    """Write a citation: the rule has some hundreds, and every verdict names them again."""
    steps = "".join(f"({step})" for step in path)
    return f"{section}{steps}" + (f' "{term}"' if term else "")
