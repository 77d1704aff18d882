"""Posting: lock, ask, decide, apply. One movement, one transaction."""

import gc
import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final, Never

from provender.custody.events.refusals import problem_of
from provender.custody.events.registry import decide, read_event
from provender.custody.model.balances import balance_document, period_balances
from provender.custody.model.entities import Entity
from provender.custody.model.event import Event, Refusal, Status
from provender.custody.model.store_view import Decision, Store, StoreView
from provender.problem import Problem
from provender.schema import frozen


def post(store: Store, request: Event) -> Decision:
    """Answer a request and, when it is posted, write it whole; a refusal changes nothing."""
    with store.answering(request) as transaction:
        outcome = decide(transaction.facts(), request)
        if outcome.status is Status.POSTED:
            transaction.apply(request, outcome)
        return outcome


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


# Events one a line in, one answer a line out: how books of other systems are fed through.
#
# The format is described, with an example of every type, on the page *Custody events* of the reference.

_DIGITS: Final = 100
"""A whole number with more digits is no amount, year or version of anything."""


@frozen
class BatchAnswer:
    """The answer to one line."""

    line: int  # number of the line, from 1
    id: str  # the event's id; empty where it could not be read
    status: Status  # the answer
    message: str  # the answer in whole sentences
    facts: tuple[tuple[str, str], ...] = ()  # particulars, such as the serials a slip assigned
    # the fields of the event as they were read, one of which a refusal may be about; None where none were
    known: Mapping[str, object] | None = None
    # why an act was refused before the book was asked; the status is then the nearest one that it has
    problem: Problem | None = None

    @property
    def word(self) -> str:
        """Return the name of the answer: that of the status, or of what an act was refused for."""
        return self.problem.code if self.problem else str(self.status)

    def as_json(self) -> dict[str, object]:
        """Return plain data for one line of output; of a refusal also the field, the remedy and the paragraph."""
        plain: dict[str, object] = {"line": self.line, "id": self.id, "status": self.word, "message": self.message}
        if not self.status.well:
            problem = self.problem or problem_of(Decision(self.status, self.message), known=self.known or {})
            more = {"field": problem.place.column, "remedy": problem.remedy, "cite": problem.cite}
            plain |= {name: said for name, said in more.items() if said}
        return {**plain, "facts": dict(self.facts)} if self.facts else plain


def read_line(text: str) -> object:
    """Read one line of JSON; numbers with a fraction stay text, so that no digit is lost.

    Raises:
        Refusal: LINE_UNREADABLE, with the reason and the column.
    """
    try:
        return _READER.decode(text.strip())
    except json.JSONDecodeError as wrong:
        raise Refusal(Status.LINE_UNREADABLE, f"{wrong.msg} at column {wrong.colno}.") from None
    except RecursionError:
        raise Refusal(Status.LINE_UNREADABLE, "It is nested too deeply.") from None
    except ValueError as wrong:
        raise Refusal(Status.LINE_UNREADABLE, f"{wrong}.") from None


def _whole(digits: str) -> int:
    if len(digits) > _DIGITS:
        raise ValueError(f"A number of {len(digits)} digits is too long")
    return int(digits)


def _no_number(word: str) -> Never:
    raise ValueError(f"{word} is not a number")


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("A field stands twice")
    return found


_READER: Final = json.JSONDecoder(
    parse_float=str, parse_int=_whole, parse_constant=_no_number, object_pairs_hook=_object
)


def run_lines(store: Store, lines: Iterable[str]) -> Iterator[BatchAnswer]:
    """Post the events of some lines in the order given; a bad line is answered and the rest goes on."""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        event_id, known = "", {}
        try:
            raw = read_line(line.lstrip("\ufeff"))
            if isinstance(raw, dict):
                known = raw
                event_id = raw["id"] if isinstance(raw.get("id"), str) else ""
            outcome = post(store, read_event(raw))
        except Refusal as refused:
            outcome = Decision(refused.status, refused.message)
        yield BatchAnswer(number, event_id, outcome.status, outcome.message, outcome.facts, known)


def all_balances(facts: StoreView) -> list[dict[str, object]]:
    """Return the balance documents of every declared period of every entity, entities in order of registration."""
    entities = facts.many(Entity, "")
    return [balance_document(one) for entity in entities for one in period_balances(facts, entity.id)]
