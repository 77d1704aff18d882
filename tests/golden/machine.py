"""The only page of this room that knows how the program is built inside: stores, lots and books on disk.

When modules or names move, this page follows; the committed files do not change.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from provender.custody.book_file import Header, open_book
from provender.custody.events.registry import TYPED_TYPES, read_posted
from provender.custody.model.event import written
from provender.custody.model.lots import Lot, Origin
from provender.custody.model.store_view import Store, StoreView
from provender.custody.store import MemoryStore, all_balances, read_line, run_lines

EVENT_TYPES: Final = tuple(TYPED_TYPES)


def memory_store() -> Store:
    """Return an empty store in memory."""
    return MemoryStore()


def answers(store: Store, lines: Iterable[str]) -> list[dict[str, Any]]:
    """Post lines and return the answers as the command line prints them, without the number of the line."""
    printed = [answer.as_json() for answer in run_lines(store, lines)]
    return [{name: value for name, value in answer.items() if name not in ("line", "id")} for answer in printed]


def events(store: Store) -> list[dict[str, Any]]:
    """Return every event in the order of the book: its text, its digest, the lots it opened and what took it back."""
    with store.reading() as facts:
        return [
            {
                "id": posted.event.id,
                "text": written(posted.event)[0],
                "digest": posted.digest,
                "corrected_by": posted.corrected_by,
                "lots": [_lot(lot) for lot in facts.lots_by(posted.event.id)],
            }
            for posted in store.events()
        ]


def end(store: Store) -> dict[str, Any]:
    """Return the balances of every entity, and the origin of every lot."""
    with store.reading() as facts:
        lots = [lot for posted in store.events() for lot in facts.lots_by(posted.event.id)]
        names = dict.fromkeys(lot.origin for lot in lots)
        return {"balances": all_balances(facts), "origins": {name: _origin(facts, name) for name in names}}


def book_on_disk(path: Path, entity: str, texts: Iterable[str]) -> list[str]:
    """Write events that stand into a new book on disk, and return its lines.

    The stories are told by all parties, each entering what is its own to enter: the book is a shared one.
    """
    path.write_text(Header(entity, shared=True).line(), encoding="utf-8")
    with open_book(path) as book:
        for text in texts:
            assert book.post(read_posted(read_line(text))).status.well, text
    with open_book(path) as book:
        assert book.head
    return path.read_text(encoding="utf-8").splitlines()


def _lot(lot: Lot) -> str:
    days = f"since {lot.since}, acquired {lot.acquired}, titled {lot.titled}"
    product = f"{lot.form} {lot.product} at {lot.rate}"
    place = f"{lot.owner} at {lot.custodian}:{lot.site}"
    serials = f"{lot.origin} {lot.start}-{lot.stop}"
    kind = f"{lot.crop} {lot.harvest_year} {product} CI {lot.ci}"
    rest = f"from {lot.supplier!r} batch {lot.batch!r} by {lot.by}"
    return f"{lot.id} of {lot.parent!r}: {serials}; {kind}; {place}; {lot.state}; {days}; {rest}"


def _origin(facts: StoreView, name: str) -> str:
    origin = facts.one(Origin, name)
    assert origin is not None, name
    versions = ", ".join(
        f"{one.number} of {one.day}: {one.bushels} at {one.ci} {one.report!r} {list(one.spans)}"
        for one in origin.versions
    )
    kind = f"{origin.source} {origin.number!r} of {origin.issuer}, {origin.form} of {origin.crop} {origin.harvest_year}"
    return f"{kind}; {origin.standing}; issued {origin.issued}; resting {list(origin.resting)}; versions {versions}"
