"""Posting: lock, ask, decide, apply. One movement, one transaction."""

from provender.custody.events.registry import decide
from provender.custody.model.event import Request
from provender.custody.model.statuses import Status
from provender.custody.model.store_view import Outcome, Store


def post(store: Store, request: Request) -> Outcome:
    """Answer a request and, when it is posted, write it whole; a refusal changes nothing."""
    with store.locked(request.parties(), request.only_reads(), request.id) as transaction:
        outcome = decide(transaction.facts(), request)
        if outcome.status is Status.POSTED:
            transaction.apply(request, outcome)
        return outcome
