"""Books that were written anew: two of one party that part, and papers made from a book that is not there any more.

Each line of a book is sealed over the lines before it, and a paper carries the seal of its book's last line
(interpretation 72). So two copies of one book are the same up to where the shorter one ends, and what a paper was made
from stands in the book for good.

Somebody who hands in an older copy of a book did nothing wrong. Beside a newer one it says nothing of its own; alone it
cannot be told from a book whose last lines were taken off, and the book as it is now is asked for.

A party's book that is taken out of one that many share is sealed anew each time: of those nothing is told here.
"""

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations

from provender.custody.reconcile.discrepancies import Discrepancy, DiscrepancyKind
from provender.custody.reconcile.gathered import Gathered
from provender.custody.reconcile.seals import KEPT, Seals


def rewritten(gathered: Gathered) -> Iterator[Discrepancy]:
    """Yield books of one party that part from one another, and papers whose book was changed since."""
    books: dict[str, list[tuple[int, Seals]]] = defaultdict(list)
    for source, seals in sorted(gathered.seals.items()):
        if not seals.shared:
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
        stands = any(seals.at(mark.lines) == mark.head[:KEPT] for _, seals in copies)
        for book, seals in copies:
            made = f"{gathered.names[source]} was made from {mark.lines} lines of the book of {mark.party}"
            if seals.lines >= mark.lines and seals.at(mark.lines) != mark.head[:KEPT]:
                said = f"{made}: {gathered.names[book]} differs up to there."
                yield Discrepancy(DiscrepancyKind.BOOK_REWRITTEN, 0, said)
            elif seals.lines < mark.lines and not stands:
                ask = "an older copy, or its last lines were taken off: ask for the book as it is now"
                said = f"{made}: {gathered.names[book]} has {seals.lines} lines. It is {ask}."
                yield Discrepancy(DiscrepancyKind.LINK_NOT_SHOWN, 0, said)
