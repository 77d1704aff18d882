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
from provender.custody.model.lot_names import book_code
from provender.custody.model.statuses import Refusal, Status
from provender.custody.model.store_view import Decision, StoreView
from provender.services.custody.coming import by_the_clock
from provender.services.custody.moving import MoveAct, enter_in_book
from provender.services.custody.sale_order import SaleAct
from provender.services.refused import RefusedError

if TYPE_CHECKING:
    from provender.problem import Problem


def enter(book: BookFile, event: object, day: date) -> BatchAnswer:
    """Read and post one event that is entered on a day; an answer either way."""
    event = _with_whole_codes(book, event)
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


def _with_whole_codes(book: BookFile, event: object) -> object:
    """Return plain data of an event whose lots are named by whole codes, however a page or a paper cut them short."""
    lots = event.get("lots") if isinstance(event, dict) else None
    if not isinstance(event, dict) or not isinstance(lots, list) or not all(isinstance(one, dict) for one in lots):
        return event
    whole = [
        {**one, "origin": book_code(book.store, book.entity, one["origin"])}
        if isinstance(one.get("origin"), str)
        else one
        for one in lots
    ]
    return {**event, "lots": whole}


ACTS: Final[Mapping[str, type[Event]]] = {one.type: one for one in (MoveAct, SaleAct, CloseSiteEvent, CloseEvent)}
"""What is no event as it stands: a move may be three of them, a sale may ask for an order of lots, and a closing is
held against the day of today."""


def _act_of(said: Mapping[str, Any]) -> type[Event] | None:
    """Return the act that plain data mean; None for an event as it stands, and so is a sale that asks for no order."""
    kind = str(said.get("type", ""))
    return None if kind == SaleAct.type and "order" not in said else ACTS.get(kind)


def _enter_act(book: BookFile, act: type[Event], said: Mapping[str, Any], day: date) -> Decision:
    asked = read_fields(act, {name: value for name, value in said.items() if name != "type"})
    return enter_in_book(book, by_the_clock(book.store, asked, day))


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
