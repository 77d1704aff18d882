"""What a paper says of the book it was made from: its head, and the roots of a period's records (interpretation 72).

The head is the hash of the book's last line, and through it of every line before. A buyer who keeps the paper so keeps
the seller's whole book as it was on that day: a line that is changed, dropped or put in between later gives another
head. The roots of a period are over the hashes of its lines, one for each kind of event; each of them hides its event
behind the hash of the line before, so that one line can be shown and no other be guessed.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any, Final

from provender.custody.book_lines import BookLine
from provender.custody.documents.build import PERIOD
from provender.signing.merkle import leaf_hash, root

MARK: Final = "book"
SHARED: Final = "entries in a shared book"
"""What a mark says it is of where the book is one that many share; else it is of a book of its own."""


def marked(document: Mapping[str, Any], lines: Sequence[BookLine], *, shared: bool = False) -> dict[str, Any]:
    """Return a document with the mark of the book it was made from; a book without lines gives none.

    Args:
        document: as made.
        lines: of the book as it stands; of a shared book the party's own entries.
        shared: whether the book is one that many share.
    """
    if not lines:
        return dict(document)
    mark: dict[str, Any] = {"head": lines[-1].head, "lines": len(lines)}
    if shared:
        mark["of"] = SHARED
    if document.get("type") == PERIOD:
        first, last = (date.fromisoformat(document[name]) for name in ("start", "end"))
        mark["roots"] = roots_of(lines, first, last)
    return {**document, MARK: mark}


def roots_of(lines: Iterable[BookLine], first: date, last: date) -> dict[str, str]:
    """Return the root over the lines of a period, by kind of event, in the order of the book."""
    kinds: dict[str, list[bytes]] = {}
    for line in lines:
        if first.isoformat() <= line.day <= last.isoformat():
            kinds.setdefault(line.kind, []).append(leaf_hash(bytes.fromhex(line.head)))
    return {kind: root(leaves).hex() for kind, leaves in sorted(kinds.items())}


def mark_words(mark: Mapping[str, Any], *, head: bool = True) -> str:
    """Return a mark as the words that name the book on a paper; a page leaves the head to the paper and the file."""
    made = f"Made from {mark['lines']:,} {mark.get('of', 'lines of its own book')}"
    return f"{made}, head {mark['head']}" if head else made
