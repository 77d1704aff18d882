"""Entering events in a book on disk: one, or a file of them, each with its answer; told with sales, what they lack."""

from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from provender.custody.book_file import BookFile
from provender.custody.events.allocation import Choosing, may_go, take
from provender.custody.events.closing import CloseEvent, CloseSiteEvent
from provender.custody.events.registry import TYPED_TYPES, TYPES, read_event
from provender.custody.events.shown import FileEvent
from provender.custody.events.trade import SaleEvent
from provender.custody.model.entities import Delivery, Entity
from provender.custody.model.event import Event, Range, Refusal, Status, digest_of, event, read_fields
from provender.custody.model.footing import RestsOn
from provender.custody.model.grain import GrainEntry, grain_group, told_with_sale
from provender.custody.model.lots import whole
from provender.custody.model.store_view import Decision, StoreView
from provender.custody.queries.deliveries import told_beyond_contract
from provender.custody.store import BatchAnswer, read_line
from provender.days import iso_day
from provender.schema import field
from provender.services.refused import RefusedError, refusal

if TYPE_CHECKING:
    from provender.problem import Problem


# What depends on today's day, for every door: the book itself knows no clock.
#
# Whether a site is closed for a coming day, that no period is closed before it is over, and that no other act is of a
# coming day (interpretation 91).


def by_the_clock(facts: StoreView, asked: Event, today: date) -> Event:
    """Return an act as it is entered on a day: whether a closing is for a coming one follows from its day alone.

    One that stands already keeps what was said then: sent again it changes nothing.

    Raises:
        Refusal: PERIOD_NOT_ENDED: a period would be closed on a day that is still to come; DAY_AHEAD: an act is of one.
    """
    if isinstance(asked, CloseEvent) and asked.closed_on > today and facts.posted(asked.id) is None:
        raise Refusal(Status.PERIOD_NOT_ENDED, f"It says {asked.closed_on}; today is {today}.")
    if not isinstance(asked, CloseSiteEvent):
        ahead = asked.day > today and facts.digest(asked.id) != digest_of(asked)
        if ahead and not isinstance(asked, CloseEvent):
            raise Refusal(Status.DAY_AHEAD, f"It says {asked.day}; today is {today}.")
        return asked
    known = facts.posted(asked.id)
    before = known.request if known else None
    ahead = before.ahead if isinstance(before, CloseSiteEvent) else asked.day > today
    return replace(asked, ahead=ahead)


# A sale that takes the lowest or the highest carbon intensity first: one choice for whoever sells, lots in the book.
#
# The book knows a sale by the period's policy and a sale that names its lots. One that asks for an order is entered as
# the second, so any reader of the book understands it, and what leaves of each carbon intensity is what it names.


class LotOrder(StrEnum):
    """Which lots of a stock go first."""

    BY_POLICY = "by_policy"
    LOWEST = "lowest_ci_first"
    HIGHEST = "highest_ci_first"


SAID: Final = {
    LotOrder.LOWEST: "Lots are chosen by the lowest carbon intensity first, the oldest among equals.",
    LotOrder.HIGHEST: "Lots are chosen by the highest carbon intensity first, the oldest among equals.",
}


@event("sale", RestsOn.SCALE, title="Sell", verb="Sell")
class SaleAct(SaleEvent):
    """A sale on the day title passes. The claims leave the seller's stock and are in transit until accepted."""

    order: LotOrder = field(
        "Which lots go first",
        help=(
            "By the period's policy unless chosen. With the lowest or the highest carbon intensity first the sale names"
            " its lots in that order."
        ),
        default=LotOrder.BY_POLICY,
    )


def in_order(facts: StoreView, asked: Event) -> Event:
    """Return a sale as the book is to have it: by the policy, or with the lots named that its order takes.

    Sent again it is the sale that stands, though the stock has other lots by now. Where the stock cannot give the
    amount it goes without lots, and the book says what is in the way.

    Raises:
        RefusedError: it names lots and asks for an order as well.
    """
    if not isinstance(asked, SaleAct):
        return asked
    same: dict[str, Any] = {each.name: getattr(asked, each.name) for each in fields(SaleEvent)}
    sale = SaleEvent(**same)
    if asked.order is LotOrder.BY_POLICY:
        return sale
    if sale.lots:
        cause = "A sale names its lots or says which go first, not both."
        raise refusal("lots_and_order", cause, "Leave one of them out.", column="order")
    known = facts.posted(sale.id)
    if known is not None and isinstance(known.request, SaleEvent) and known.request.lots:
        again = replace(sale, lots=known.request.lots)
        if digest_of(again) == digest_of(known.request):
            return again
    return replace(sale, lots=_first(facts, sale, highest=asked.order is LotOrder.HIGHEST))


def _first(facts: StoreView, sale: SaleEvent, *, highest: bool) -> tuple[Range, ...]:
    """Return the lots that go first by carbon intensity; none where they do not hold what is sold."""
    least, most = limits_in(facts, sale)
    place = (sale.giver, sale.site) if sale.site else None
    free = may_go(facts, sale.giver, replace(sale, ci_min=least, ci_max=most), place)
    if not 0 < sale.wanted <= sum(lot.amount for lot in free):
        return ()
    free.sort(key=lambda lot: -lot.ci if highest else lot.ci)
    pieces = take(map(whole, free), sale.wanted)
    return tuple(Range(one.lot.origin, one.start, one.stop, one.product) for one in pieces)


def told_in_order(asked: Event, outcome: Decision) -> Decision:
    """Return the answer to a sale with how its lots were chosen."""
    said = SAID.get(asked.order) if isinstance(asked, SaleAct) else None
    if said is None or outcome.status is not Status.POSTED:
        return outcome
    return replace(outcome, message=f"{outcome.message} {said}")


def limits_in(facts: StoreView, event: Event) -> tuple[int | None, int | None]:
    """Return the carbon intensities between which an event takes lots: its own limits, and those of its contract."""
    if not isinstance(event, Choosing):
        return None, None
    limits: list[tuple[int | None, int | None]] = [(event.ci_min, event.ci_max)]
    if isinstance(event, SaleEvent) and event.contract:
        agreed = facts.one(Delivery, f"{event.giver}/{event.contract}")
        limits += [(agreed.ci_min, agreed.ci_max)] if agreed else []
    lows, highs = ([end for end in ends if end is not None] for ends in zip(*limits, strict=True))
    return max(lows, default=None), min(highs, default=None)


def enter(book: BookFile, event: object, day: date) -> BatchAnswer:
    """Read and post one event that is entered on a day; an answer either way."""
    said: dict[str, Any] = event if isinstance(event, dict) else {}
    problem: Problem | None = None
    try:
        act = _act_of(said)
        if act is None and (iso_day(said.get("day")) or day) > day:
            by_the_clock(book.store, read_event(event), day)
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
    """Return answers with the daily shortfall on the last sale of each seller and crop (interpretation 77).

    The last sale under each contract says what was delivered beyond it.
    """
    last: dict[tuple[str, str], int] = {}
    under: dict[tuple[str, str], tuple[int, SaleEvent]] = {}
    for place, answer in enumerate(answers):
        posted = facts.posted(answer.id)
        if posted and isinstance(posted.request, SaleEvent):
            last[posted.request.giver, posted.request.of_form] = place
            under[posted.request.giver, posted.request.contract] = place, posted.request
    told = list(answers)
    for (giver, crop), place in last.items():
        answer, posted = answers[place], facts.posted(answers[place].id)
        day = posted.request.day if posted else date.max
        said = told_with_sale(facts, giver, crop, day, Decision(answer.status, answer.message, facts=answer.facts))
        told[place] = replace(answer, message=said.message, facts=said.facts)
    for place, sale in under.values():
        one = told[place]
        said = told_beyond_contract(facts, sale, Decision(one.status, one.message, facts=one.facts))
        told[place] = replace(one, message=said.message, facts=said.facts)
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


# A sale behind which no scale ticket stands is told so before it is entered, not only by day and checks after.

SALE_TICKET_SAID = (
    "No scale ticket is named: unless the ticket out is named here or entered later, its day and the checks list this"
    " sale as one without a ticket."
)


def told_without_ticket(facts: StoreView, asked: Event, outcome: Decision) -> Decision:
    """Return the answer to a sale with what it lacks, where tickets are kept of what is sold."""
    if not isinstance(asked, SaleEvent) or outcome.status is not Status.POSTED or asked.tickets or asked.destination:
        return outcome
    seller = facts.one(Entity, asked.giver)
    sites = (asked.site,) if asked.site else seller.sites if seller else ()
    if not any(facts.many(GrainEntry, grain_group(asked.giver, site, asked.of_form)) for site in sites):
        return outcome
    return replace(outcome, message=f"{outcome.message} {SALE_TICKET_SAID}")


def put_file_on_record(book: BookFile, name: str, sha256: str, day: date) -> Decision:
    """Enter into a book that its owner has a file; who calls has read it."""
    event_id = book.next_id(f"file-{sha256[:8]}")
    return book.post(FileEvent(id=event_id, day=day, entity=book.entity, sha256=sha256, name=name))


# The types of events, by name: what a door makes its forms, commands and descriptions of.


EVENT_TYPES: Final[Mapping[str, type[Event]]] = {**TYPED_TYPES, SaleAct.type: SaleAct}
"""Every type of event by its name, in the order of the reference page; a sale may ask for an order."""
POSTED_TYPES: Final[Mapping[str, type[Event]]] = TYPES
"""The types of events as they stand in the book."""

# Every event that the doors offer to enter, in the order of the list of entries; each declares its title and verb.

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
