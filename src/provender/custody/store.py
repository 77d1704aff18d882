"""Posting: lock, ask, decide, apply. One movement, one transaction."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from provender.custody.events.registry import decide
from provender.custody.model.event import Event
from provender.custody.model.statuses import Status
from provender.custody.model.store_view import Decision, Store, StoreView
from provender.signing.hashes import document_hash


def post(store: Store, request: Event) -> Decision:
    """Answer a request and, when it is posted, write it whole; a refusal changes nothing."""
    with store.answering(request) as transaction:
        outcome = decide(transaction.facts(), request)
        if outcome.status is Status.POSTED:
            transaction.apply(request, outcome)
        return outcome


def repeated(facts: StoreView, raw: object) -> Decision | None:
    """Return the answer to an event that stands already, word for word as it is written here; None for any other.

    The hash of the content tells it, so a file that is read again need not be understood again.
    """
    name = raw.get("id") if isinstance(raw, dict) else None
    known = facts.digest(name) if isinstance(name, str) else ""
    with suppress(TypeError, ValueError):
        if known and known == document_hash(raw):
            return Decision(Status.EXISTS, f"{Status.EXISTS.sentence} Event {name}.")
    return None


@contextmanager
def many_at_once() -> Iterator[None]:
    """Post or compare many events without looking for rings of objects between them: it leaves none, and a book grows.

    Each look goes over all that is there, so the time of a long book, or of many, would grow faster than they do. What
    was made is set aside at the end, or the first look after it would go over all of it at once.
    """
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.freeze()
            gc.enable()
