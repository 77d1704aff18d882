"""Entering events in a book on disk: one, or a file of them, each with its answer; told with sales, what they lack."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from provender.custody.batch import BatchAnswer, read_line
from provender.custody.book_file import BookFile
from provender.custody.events.period import CloseEvent
from provender.custody.events.sale import SaleEvent
from provender.custody.events.site import CloseSiteEvent
from provender.custody.model.daily_shortfall import told_with_sale
from provender.custody.model.event import Event, read_fields
from provender.custody.model.statuses import Refusal, Status
from provender.custody.model.store_view import Decision, StoreView
from provender.services.custody.coming import by_the_clock
from provender.services.custody.sale_order import SaleAct, in_order, told_in_order
from provender.services.refused import RefusedError

if TYPE_CHECKING:
    from provender.problem import Problem


def enter(book: BookFile, event: object, day: date) -> BatchAnswer:
    """Read and post one event that is entered on a day; an answer either way."""
    said: dict[str, Any] = event if isinstance(event, dict) else {}
    problem: Problem | None = None
    try:
        act = _act_of(said)
        outcome = _enter_act(book, act, said, day) if act else book.enter(event)
    except Refusal as refused:
        outcome = Decision(refused.status, refused.message)
    except RefusedError as refused:
        problem = refused.problems[0]
        outcome = Decision(Status.TICKET_DIFFERS, f"{problem.cause} {problem.remedy}")
    place, name = book.store.count, str(said.get("id", ""))
    return BatchAnswer(place, name, outcome.status, outcome.message, outcome.facts, said, problem)


ACTS: Final[Mapping[str, type[Event]]] = {one.type: one for one in (SaleAct, CloseSiteEvent, CloseEvent)}
"""What is no event as it stands: a sale may ask for an order of lots, a closing is held against the day of today."""


def _act_of(said: Mapping[str, Any]) -> type[Event] | None:
    """Return the act that plain data mean; None for an event as it stands, and so is a sale that asks for no order."""
    kind = str(said.get("type", ""))
    return None if kind == SaleAct.type and "order" not in said else ACTS.get(kind)


def _enter_act(book: BookFile, act: type[Event], said: Mapping[str, Any], day: date) -> Decision:
    asked = read_fields(act, {name: value for name, value in said.items() if name != "type"})
    asked = by_the_clock(book.store, asked, day)
    return told_in_order(asked, book.post(in_order(book.store, asked)))


def with_shortfalls(facts: StoreView, answers: list[BatchAnswer]) -> list[BatchAnswer]:
    """Return answers with the daily shortfall on the last sale of each seller and crop (interpretation 77)."""
    last: dict[tuple[str, str], int] = {}
    for place, answer in enumerate(answers):
        posted = facts.posted(answer.id)
        if posted and isinstance(posted.request, SaleEvent):
            last[posted.request.giver, posted.request.of_form] = place
    told = list(answers)
    for (giver, crop), place in last.items():
        answer, posted = answers[place], facts.posted(answers[place].id)
        day = posted.request.day if posted else date.max
        said = told_with_sale(facts, giver, crop, day, Decision(answer.status, answer.message, facts=answer.facts))
        told[place] = replace(answer, message=said.message, facts=said.facts)
    return told


def enter_file(book: BookFile, path: Path, day: date) -> list[BatchAnswer]:
    """Read and post the events of a file, one a line; an answer for each."""
    answers = []
    with path.open(encoding="utf-8-sig", errors="replace") as lines, book.together():
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                event = read_line(line)
                answers.append(replace(enter(book, event, day), line=number))
            except Refusal as refused:
                answers.append(BatchAnswer(number, "", refused.status, refused.message))
    return answers
