"""Citations, the crops of 2100.011, and which practices each of them may claim (2100.012)."""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final, Self

_PART: Final = "7 CFR"
_DEFINITIONS: Final = "2100.002"

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
    """

    section: str  # ``2100.051``
    path: tuple[str, ...] = ()  # the designations below it, such as ``("b", "1")``
    term: str = ""  # the defined term of 2100.002, in small letters; empty elsewhere

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
        if term and found["section"] != _DEFINITIONS:
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
        return f"{_PART} {self}"


@lru_cache(maxsize=1_024)
def _written(section: str, path: tuple[str, ...], term: str) -> str:
    """Write a citation: the rule has some hundreds, and every verdict names them again."""
    steps = "".join(f"({step})" for step in path)
    return f"{section}{steps}" + (f' "{term}"' if term else "")


# The crops of 2100.011 and which practice each of them may claim (2100.012).


class Crop(StrEnum):
    """A crop for which a reduced CI may be quantified (2100.011)."""

    field_corn = "corn"
    soybeans = "soybeans"
    sorghum = "sorghum"

    @property
    def label(self) -> str:
        """Return the rule's name of the crop."""
        return CROP_LABELS[self]

    @property
    def cite(self) -> Cite:
        """Return the paragraph that lists the crop."""
        return Cite("2100.011", (_LETTERS[self],))


class Practice(StrEnum):
    """A practice that makes a crop a CSA crop (2100.012)."""

    no_till = "no_till"
    reduced_till = "reduced_till"
    cover_crop = "cover_crop"
    nitrification_inhibitor = "nitrification_inhibitor"
    no_fall_application = "no_fall_application"
    split_in_season = "split_in_season"

    @property
    def label(self) -> str:
        """Return the rule's name of the practice."""
        return PRACTICE_LABELS[self]

    @property
    def cite(self) -> Cite:
        """Return the paragraph of subpart F that sets the practice's standard."""
        return _STANDARDS[self]


CROP_LABELS: Final = {Crop.field_corn: "Field corn", Crop.soybeans: "Soybeans", Crop.sorghum: "Sorghum"}
PRACTICE_LABELS: Final = {
    Practice.no_till: "No-till",
    Practice.reduced_till: "Reduced till",
    Practice.cover_crop: "Cover crop",
    Practice.nitrification_inhibitor: "Nitrification inhibitor",
    Practice.no_fall_application: "No fall application",
    Practice.split_in_season: "Split in-season application",
}
_LETTERS: Final = {Crop.field_corn: "a", Crop.soybeans: "b", Crop.sorghum: "c"}
_STANDARDS: Final = {
    Practice.no_till: Cite("2100.051", ("b",)),
    Practice.reduced_till: Cite("2100.051", ("a",)),
    Practice.cover_crop: Cite("2100.052", ("a",)),
    Practice.nitrification_inhibitor: Cite("2100.053", ("b",)),
    Practice.no_fall_application: Cite("2100.053", ("c",)),
    Practice.split_in_season: Cite("2100.053", ("d",)),
}

_EVERY_CROP: Final = (
    Practice.no_till,
    Practice.reduced_till,
    Practice.cover_crop,
    Practice.nitrification_inhibitor,
)
_CLAIMABLE: Final[dict[Crop, tuple[Practice, ...]]] = {
    Crop.field_corn: (*_EVERY_CROP, Practice.no_fall_application, Practice.split_in_season),
    Crop.soybeans: _EVERY_CROP,
    Crop.sorghum: (*_EVERY_CROP, Practice.split_in_season),
}
TILLAGE: Final = frozenset({Practice.no_till, Practice.reduced_till})
NUTRIENTS: Final = frozenset({Practice.nitrification_inhibitor, Practice.no_fall_application, Practice.split_in_season})


def claimable(crop: Crop) -> tuple[Practice, ...]:
    """Return the practices that a crop may claim (2100.012), in the order of ``Practice``."""
    return _CLAIMABLE[crop]
