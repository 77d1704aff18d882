"""Books that were written anew: two of one party that part, and papers made from a book that is not there any more.

Each line of a book is sealed over the lines before it, and a paper carries the seal of its book's last line
(interpretation 72). So two copies of one book are the same up to where the shorter one ends, and what a paper was made
from stands in the book for good.

Somebody who hands in an older copy of a book did nothing wrong. Beside a newer one it says nothing of its own; alone it
cannot be told from a book whose last lines were taken off, and the book as it is now is asked for.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from provender.custody.book_lines import BookLine
from provender.custody.documents.book_mark import MARK, SHARED
from provender.custody.reconcile.discrepancies import Discrepancy, DiscrepancyKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from provender.custody.reconcile.gathered import Gathered

_KEPT = 16
"""Signs kept of each seal: enough to tell lines apart, and a book of many lines stays small."""


class Seals(NamedTuple):
    """The seals of a party's own book, shortened, one after the other; those of lines without an event stand too."""

    party: str
    said: str

    @classmethod
    def of(cls, party: str, lines: Sequence[BookLine]) -> "Seals":
        """Return the seals of the lines after the first."""
        return cls(party, "".join(line.head[:_KEPT] for line in lines))

    @property
    def lines(self) -> int:
        """Return how many lines there are."""
        return len(self.said) // _KEPT

    def at(self, number: int) -> str:
        """Return the seal of a line, counted from 1; empty where there is no such line."""
        return self.said[(number - 1) * _KEPT : number * _KEPT] if number > 0 else ""


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


def rewritten(gathered: "Gathered") -> "Iterator[Discrepancy]":
    """Yield books of one party that part from one another, and papers whose book was changed since."""
    books: dict[str, list[tuple[int, Seals]]] = defaultdict(list)
    for source, seals in sorted(gathered.seals.items()):
        books[seals.party].append((source, seals))
    for party, copies in books.items():
        for (one, mine), (other, its) in combinations(copies, 2):
            both = min(mine.lines, its.lines)
            if mine.at(both) == its.at(both):
                continue
            first = next(number for number in range(1, both + 1) if mine.at(number) != its.at(number))
            files = f"{gathered.names[one]} and {gathered.names[other]}"
            said = f"{party} has two books: {files} are the same up to line {first} and differ from there on."
            yield Discrepancy(DiscrepancyKind.BOOK_REWRITTEN, 0, said)
    for source, mark in gathered.marks:
        copies = books.get(mark.party, [])
        stands = any(seals.at(mark.lines) == mark.head[:_KEPT] for _, seals in copies)
        for book, seals in copies:
            made = f"{gathered.names[source]} was made from {mark.lines} lines of the book of {mark.party}"
            if seals.lines >= mark.lines and seals.at(mark.lines) != mark.head[:_KEPT]:
                said = f"{made}: {gathered.names[book]} differs up to there."
                yield Discrepancy(DiscrepancyKind.BOOK_REWRITTEN, 0, said)
            elif seals.lines < mark.lines and not stands:
                ask = "an older copy, or its last lines were taken off: ask for the book as it is now"
                said = f"{made}: {gathered.names[book]} has {seals.lines} lines. It is {ask}."
                yield Discrepancy(DiscrepancyKind.LINK_NOT_SHOWN, 0, said)
