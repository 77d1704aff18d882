"""What a party entered into the book that all share, as a chain of its own: what its papers are held to.

A party's book taken out of the shared one is put together anew whenever somebody asks, and an entry of somebody else
may come to stand in it later. What the party entered itself only ever grows: one line after the other, sealed as the
lines of a book on disk are. Papers carry the head of that chain, and a package brings its lines (decision 0019).
"""

import json
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from provender.custody.book_lines import BookLine, seal
from provender.custody.documents.own_entries import OWN_TYPES, head_before, header_of
from provender.database.models import CustodyEvent, CustodyEventParty

AT_ONCE: Final = 2_000


class OwnEntry(NamedTuple):
    """One entry: the event's id, its line, and the event as it was entered."""

    id: str
    line: BookLine
    event: dict[str, Any]


def own_entries(party: str) -> Iterator[OwnEntry]:
    """Yield what a party entered, in the order of the book."""
    named = CustodyEventParty.objects.filter(party=party).values("event")
    rows = CustodyEvent.objects.filter(id__in=named, type__in=OWN_TYPES).order_by("id")
    head = head_before(party)
    for text in rows.values_list("text", flat=True).iterator(AT_ONCE):
        event = json.loads(text)
        if event.get(OWN_TYPES[event["type"]]) == party:
            head = seal(head, event)
            yield OwnEntry(event["id"], BookLine.of(event, head), event)


def own_entries_file(party: str) -> bytes:
    """Return the chain as the lines of a file."""
    lines = [header_of(party), *({"event": one.event, "chain": one.line.head} for one in own_entries(party))]
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()
