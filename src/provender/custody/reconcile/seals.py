"""The seals of a party's own book, and the mark of it that its papers carry (interpretation 72)."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from provender.custody.book_lines import BookLine
from provender.custody.documents.book_mark import MARK, SHARED

KEPT = 16
"""Signs kept of each seal: enough to tell lines apart, and a book of many lines stays small."""


class Seals(NamedTuple):
    """The seals of a party's own book, shortened, one after the other; those of lines without an event stand too."""

    party: str
    said: str

    @classmethod
    def of(cls, party: str, lines: Sequence[BookLine]) -> "Seals":
        """Return the seals of the lines after the first."""
        return cls(party, "".join(line.head[:KEPT] for line in lines))

    @property
    def lines(self) -> int:
        """Return how many lines there are."""
        return len(self.said) // KEPT

    def at(self, number: int) -> str:
        """Return the seal of a line, counted from 1; empty where there is no such line."""
        return self.said[(number - 1) * KEPT : number * KEPT] if number > 0 else ""


def older_copies(books: Sequence[Seals]) -> set[int]:
    """Return the places of books that another one begins with, line by line; of equal ones all but the first."""
    longest: dict[str, list[tuple[int, Seals]]] = defaultdict(list)
    older: set[int] = set()
    for place, seals in sorted(enumerate(books), key=lambda one: (-one[1].lines, one[0])):
        held = longest[seals.party]
        if any(other.said.startswith(seals.said) for _, other in held):
            older.add(place)
        else:
            held.append((place, seals))
    return older


class PaperMark(NamedTuple):
    """What a paper says of the book of its party: how many lines it had, and the seal of the last."""

    party: str
    lines: int
    head: str


def mark_of(party: str, document: Mapping[str, object]) -> PaperMark | None:
    """Return the mark of a paper made from a party's own book; a shared book is sealed by its server."""
    mark = document.get(MARK)
    if not isinstance(mark, Mapping) or mark.get("of") == SHARED:
        return None
    lines, head = mark.get("lines"), mark.get("head")
    return PaperMark(party, lines, head) if isinstance(lines, int) and isinstance(head, str) else None
