"""Entering events in a book on disk: one, or a file of them, each with its answer; told with sales, what they lack."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from provender.custody.book_file import BookFile
from provender.custody.events import trade
from provender.custody.events.closing import CloseEvent, CloseSiteEvent
from provender.custody.events.farm_trade import PurchaseEvent
from provender.custody.events.registry import TYPED_TYPES, TYPES, decide, read_event
from provender.custody.events.typed import FileEvent
from provender.custody.model.event import Event, Refusal, Status, digest_of, read_fields
from provender.custody.model.grain import append_shortfall_warning
from provender.custody.model.store_view import Decision, StoreView
from provender.custody.queries.deliveries import append_contract_warning
from provender.custody.store import BatchAnswer, read_line
from provender.days import iso_day
from provender.problem import ProblemsError

if TYPE_CHECKING:
    from provender.problem import Problem


# What depends on today's day, for every interface: the book itself knows no clock.
#
# Whether a site is closed for a coming day, that no period is closed before it is over, and that no other act is of a
# coming day (interpretation 91).


def apply_today(store: StoreView, asked: Event, today: date) -> Event:
    """Return an act as it is entered on a day: whether a closing is for a coming one follows from its day alone.

    One that stands already keeps what was said then: sent again it changes nothing.

    Raises:
        Refusal: PERIOD_NOT_ENDED: a period would be closed on a day that is still to come; DAY_AHEAD: an act is of one.
    """
    if isinstance(asked, CloseEvent) and asked.closed_on > today and store.posted(asked.id) is None:
        raise Refusal(Status.PERIOD_NOT_ENDED, f"It says {asked.closed_on}; today is {today}.")
    if not isinstance(asked, CloseSiteEvent):
        if (
            (last := asked.last_day()) > today
            and not isinstance(asked, CloseEvent)
            and store.digest(asked.id) != digest_of(asked)
        ):
            raise Refusal(Status.DAY_AHEAD, f"It says {last}; today is {today}.")
        return asked
    known = store.posted(asked.id)
    before = known.event if known else None
    ahead = before.ahead if isinstance(before, CloseSiteEvent) else asked.day > today
    return replace(asked, ahead=ahead)


def post_dated(store: StoreView, post: Callable[[Event], Decision], asked: Event, today: date) -> Decision:
    """Post an event that a paper or a command makes, unless it is of a coming day."""
    try:
        return post(apply_today(store, asked, today))
    except Refusal as refused:
        return Decision(refused.status, refused.message)


def enter(book: BookFile, event: object, day: date) -> BatchAnswer:
    """Read and post one event that is entered on a day; an answer either way."""
    said: dict[str, Any] = event if isinstance(event, dict) else {}
    problem: Problem | None = None
    try:
        act = _act_of(said)
        if act is None and (iso_day(said.get("day")) or day) > day:
            apply_today(book.store, read_event(event), day)
        outcome = _enter_act(book, act, said, day) if act else book.enter(event)
    except Refusal as refused:
        outcome = Decision(refused.status, refused.message)
    except ProblemsError as refused:
        problem = refused.problems[0]
        if problem.code != trade.LOTS_AND_ORDER:
            raise
        outcome = Decision(Status.TICKET_DIFFERS, f"{problem.cause} {problem.remedy}")
    place, name = book.store.count, str(said.get("id", ""))
    return BatchAnswer(place, name, outcome.status, outcome.message, outcome.details, said, problem)


_ACTS: Final[Mapping[str, type[Event]]] = {one.type: one for one in (trade.SaleAct, CloseSiteEvent, CloseEvent)}
"""What is no event as it stands: a sale may ask for an order of lots, a closing is held against the day of today."""


def _act_of(said: Mapping[str, Any]) -> type[Event] | None:
    """Return the act that plain data mean; None for an event as it stands, and so is a sale that asks for no order."""
    kind = str(said.get("type", ""))
    return None if kind == trade.SaleAct.type and "order" not in said else _ACTS.get(kind)


def _enter_act(book: BookFile, act: type[Event], said: Mapping[str, Any], day: date) -> Decision:
    asked = read_fields(act, {name: value for name, value in said.items() if name != "type"})
    asked = apply_today(book.store, asked, day)
    return trade.append_lot_order_note(asked, book.post(trade.choose_lots_by_ci(book.store, asked)))


def would_release(book: BookFile, event: Mapping[str, Any]) -> str:
    """Return what closing a period as an event says would release, in words; empty where it is nothing."""
    return dict(decide(book.store, read_event(event)).details).get("released", "")


def with_shortfalls(store: StoreView, answers: list[BatchAnswer]) -> list[BatchAnswer]:
    """Return answers with the daily shortfall on the last sale of each seller and crop (interpretation 77).

    The last sale or purchase under each contract says what was delivered beyond it.
    """
    last: dict[tuple[str, str], int] = {}
    under: dict[tuple[str, str, str], tuple[int, trade.SaleEvent | PurchaseEvent]] = {}
    for place, answer in enumerate(answers):
        posted = store.posted(answer.id)
        event = posted.event if posted else None
        if isinstance(event, trade.SaleEvent):
            last[event.giver, event.of_form] = place
        if isinstance(event, trade.SaleEvent | PurchaseEvent) and event.contract:
            under[event.giver, event.taker, event.contract] = place, event
    told = list(answers)
    for (giver, crop), place in last.items():
        answer, posted = answers[place], store.posted(answers[place].id)
        day = posted.event.day if posted else date.max
        said = append_shortfall_warning(
            store, giver, crop, day, Decision(answer.status, answer.message, details=answer.details)
        )
        told[place] = replace(answer, message=said.message, details=said.details)
    for place, event in under.values():
        one = told[place]
        said = append_contract_warning(store, event, Decision(one.status, one.message, details=one.details))
        told[place] = replace(one, message=said.message, details=said.details)
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


def put_file_on_record(book: BookFile, name: str, sha256: str, day: date, today: date) -> Decision:
    """Enter into a book that its owner has a file; who calls has read it."""
    event_id = book.next_id(f"file-{sha256[:8]}")
    event = FileEvent(id=event_id, day=day, entity=book.entity, sha256=sha256, name=name)
    return post_dated(book.store, book.post, event, today)


# The types of events, by name: what interfaces make their forms, commands and descriptions of.


EVENT_TYPES: Final[Mapping[str, type[Event]]] = {**TYPED_TYPES, trade.SaleAct.type: trade.SaleAct}
"""Every type of event by its name, in the order of the reference page; a sale may ask for an order."""
POSTED_TYPES: Final[Mapping[str, type[Event]]] = TYPES
"""The types of events as they stand in the book."""

# Every event that interfaces offer to enter, in the order of the list of entries; each declares its title and verb.

_ORDER: Final = (
    *("sale", "purchase", "purchase_pending", "assign", "accept", "reject", "storage", "document"),
    *("receipt", "shipment", "measurement"),
    *("yield", "process", "convert", "crush", "true_up", "move", "release", "loss", "retire", "return"),
    *("correct", "settle", "opening", "period", "close", "contract", "statement", "entity", "close_site"),
)
OFFERS: Final[Mapping[str, type[Event]]] = {kind: EVENT_TYPES[kind] for kind in _ORDER}


def offered(kinds: Iterable[str], *, fuel: bool) -> list[str]:
    """Return the kinds of event that a party is offered: only who makes fuel retires claims into it."""
    return [kind for kind in kinds if kind != "retire" or fuel]
