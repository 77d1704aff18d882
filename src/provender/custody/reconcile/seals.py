"""The seals of a party's own book, and the mark of it that its papers carry (interpretation 72).

A party's book that is taken out of one that many share is sealed anew each time, and what a later trade brings with it,
such as who its seller is, may then stand further up. An earlier one is known by its events: the later one has them all,
as they were and in their order.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from provender.custody.book_lines import BookLine
from provender.custody.documents.book_mark import MARK, SHARED
from provender.custody.model.store_view import Posted, StoreView

KEPT = 16
"""Signs kept of each seal: enough to tell lines apart, and a book of many lines stays small."""


class Seals(NamedTuple):
    """The seals of a party's own book, shortened, one after the other; those of lines without an event stand too.

    Of one taken out of a book that many share they are the hashes of its events.
    """

    party: str
    said: str
    shared: bool = False

    @classmethod
    def of(cls, party: str, lines: Sequence[BookLine]) -> "Seals":
        """Return the seals of the lines after the first."""
        return cls(party, "".join(line.head[:KEPT] for line in lines))

    @classmethod
    def of_shared(cls, party: str, facts: StoreView, events: Iterable[Posted]) -> "Seals":
        """Return what tells apart the events of a book taken out of one that many share."""
        return cls(party, "".join(facts.digest(one.request.id)[:KEPT] for one in events), shared=True)

    def goes_on_in(self, other: "Seals") -> bool:
        """Tell whether another book of the party has all that this one has."""
        if not self.shared:
            return other.said.startswith(self.said)
        left = (other.at(number) for number in range(1, other.lines + 1))
        return all(self.at(number) in left for number in range(1, self.lines + 1))

    @property
    def lines(self) -> int:
        """Return how many lines there are."""
        return len(self.said) // KEPT

    def at(self, number: int) -> str:
        """Return the seal of a line, counted from 1; empty where there is no such line."""
        return self.said[(number - 1) * KEPT : number * KEPT] if number > 0 else ""


def older_copies(books: Sequence[Seals]) -> set[int]:
    """Return the places of books that another one goes on from; of equal ones all but the first."""
    longest: dict[tuple[str, bool], list[Seals]] = defaultdict(list)
    older: set[int] = set()
    for place, seals in sorted(enumerate(books), key=lambda one: (-one[1].lines, one[0])):
        held = longest[seals.party, seals.shared]
        if any(map(seals.goes_on_in, held)):
            older.add(place)
        else:
            held.append(seals)
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
