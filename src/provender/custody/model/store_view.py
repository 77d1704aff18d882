"""What a decision may ask, and what a store must offer. A store only locks, loads and applies.

The whole contract between the pure core and a store::

    with store.answering(request) as transaction:
        outcome = decide(transaction.view(), event)
        transaction.apply(request, outcome)

``events.registry.post`` is exactly that. A store keeps four things: the events posted (immutable, by id),
the lots (immutable but for the mark of the movement that ended them), the steps (one per lot opened, derived here),
and records (entities, origins, slips, periods, ...), each the last one stated under its kind and key. Everything is
plain data, frozen and comparable, so a store can write it as JSON and read it back.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import field
from datetime import date
from itertools import chain, count
from typing import Final, Protocol, TypeVar

from provender.custody.model.event import Event, Record, Status, digest_of
from provender.custody.model.lots import STOCK, Lot, LotState, Origin, Slip, Span, Stock
from provender.exact import parse
from provender.schema import frozen

R = TypeVar("R", bound=Record)


@frozen
class Posted:
    """An event that stands in the book."""

    event: Event  # the event
    number: int  # its place in the book, from 1
    corrected_by: str = ""  # the correction that took it back; empty otherwise
    # hash of its content as the store keeps it; empty where it is made when it is asked
    stored: str = field(default="", compare=False)

    @property
    def digest(self) -> str:
        """Return the hash of its content, to recognise a repeat."""
        return self.stored or digest_of(self.event)


@frozen
class CustodyStep:
    """One range of serials at one movement: whose it was and whose it is. Balances and traces are sums of steps."""

    movement: str  # the movement's id
    type: str  # the movement's type, such as ``sale``
    day: date  # its day
    before: Lot | None  # the lot it was cut from; None where the serials enter this store
    after: Lot  # the lot it became

    @property
    def left(self) -> bool:
        return self.flow[0]

    @property
    def came(self) -> bool:
        return self.flow[1]

    @property
    def flow(self) -> tuple[bool, bool]:
        """Tell whether the range left its former owner's stock of that CI, and whether it came into its owner's."""
        return flow_of(self.before, self.after)


def flow_of(before: Lot | None, after: Lot) -> tuple[bool, bool]:
    was, is_now = before is not None and before.state in STOCK, after.state in STOCK
    if before is not None and was and is_now and before.owner == after.owner and before.ci == after.ci:
        return False, False
    return was, is_now


@frozen
class Decision:
    """The answer to a request, and what to write when it is ``POSTED``."""

    status: Status  # the answer
    message: str = ""  # the answer in whole sentences
    ended: tuple[str, ...] = ()  # ids of lots that this movement ends
    opened: tuple[Lot, ...] = ()  # lots that it opens, in order; their parents are among ``ended``
    records: tuple[Record, ...] = ()  # records it states
    corrected: str = ""  # the id of the movement it takes back, if any
    details: tuple[tuple[str, str], ...] = ()  # particulars for documents and machines, such as how claims were matched


class StoreView(Protocol):
    """What a decision may ask of a store, within one transaction."""

    @property
    def owner(self) -> str:
        """Return whose own book it is; empty for a book in which each party enters what is its own to enter."""

    def posted(self, event_id: str) -> Posted | None:
        """Return the event of that id, or None."""

    def digest(self, event_id: str) -> str:
        """Return the hash of the content of the event of that id; empty where there is none."""

    def one(self, kind: type[R], key: str) -> R | None:
        """Return the record of a kind under a key, or None."""

    def many(self, kind: type[R], group: str) -> Sequence[R]:
        """Return the records of a kind in a group, in the order in which their keys were first stated."""

    def open_slips(self, origin: str) -> Sequence[Slip]:
        """Return the slips over serials of an origin of which some are not purchased yet, any order."""

    def lots_at(self, origin: str, start: int, stop: int) -> Sequence[Lot]:
        """Return the current lots of an origin that overlap the serials, lowest first, of whatever state."""

    def lots_named(self, names: Sequence[str]) -> Mapping[str, Lot]:
        """Return lots, current or not, by their ids."""

    def lots_of(self, owner: str, crop: str) -> Sequence[Lot]:
        """Return the current lots in an owner's stock (held, unverified) of a crop and its products, any order."""

    def stock(self, owner: str, crop: str, form: str) -> Stock:
        """Return an owner's stock (held, unverified) of one form, by shelf and age; to be looked at only."""

    def doubtful_origins(self, names: Collection[str]) -> Sequence[Origin]:
        """Return those of some origins whose report is not in force for all of their serials."""

    def lots_in(self, custodian: str, site: str, form: str) -> Sequence[Lot]:
        """Return the current lots in stock (held, unverified) of any owner that lie at a site in a form."""

    def live_at(self, custodian: str, site: str) -> Sequence[Lot]:
        """Return the current lots of any owner and form that lie at a site: in stock, in transit or in dispute."""

    def lots_by(self, movement: str) -> Sequence[Lot]:
        """Return all lots a movement opened, ended since or not, in its order."""

    def parents(self, movement: str) -> Sequence[Lot]:
        """Return all lots a movement ended."""

    def lots_from(self, supplier: str, state: LotState) -> Sequence[Lot]:
        """Return the current lots, of any owner, that came from a supplier and are in a state of stock."""

    def steps(self, party: str, start: date | None = None) -> Sequence[CustodyStep]:
        """Return the steps in which a party is owner or custodian before or after.

        By day and within a day in the order of the book; only those from ``start`` on, if it is given.
        """

    def first_moved(self, party: str) -> Posted | None:
        """Return the first event but opening stock that moved lots of which a party is owner or custodian."""

    def steps_of(self, origin: str) -> Sequence[CustodyStep]:
        """Return all steps of an origin, in the order of the book."""


def root_of(store: StoreView, posted: Posted) -> Posted:
    """Return the event at the bottom of a chain of corrections; an event that is no correction is its own."""
    while posted.event.type == "correct":
        below = store.posted(getattr(posted.event, "movement", ""))
        if below is None:
            return posted
        posted = below
    return posted


def taken_back_by(store: StoreView, posted: Posted) -> str:
    """Return by what an event is taken back; empty while it stands, as it does where its correction is taken back."""
    correction = store.posted(posted.corrected_by) if posted.corrected_by else None
    return posted.corrected_by if correction is None or not taken_back_by(store, correction) else ""


def standing_event(store: StoreView, event_id: str) -> Event | None:
    """Return the event of that id; None where there is none, and where it is taken back."""
    posted = store.posted(event_id)
    return None if posted is None or taken_back_by(store, posted) else posted.event


class Transaction(Protocol):
    """One locked stretch of work."""

    def view(self) -> StoreView:
        """Return what the decision may ask."""

    def apply(self, event: Event, outcome: Decision) -> None:
        """Write a posted outcome, whole or not at all; anything else is a mistake of the caller."""


class Store(Protocol):
    """Where books are kept."""

    def locked(
        self, parties: tuple[str, ...], reads: tuple[str, ...] = (), event: str = ""
    ) -> AbstractContextManager[Transaction]:
        """Lock parties in one order for all; ``(EVERYONE,)`` locks the whole store.

        Args:
            parties: whom the work is about.
            reads: those of them whose facts may be asked and must stay as they are meanwhile, and whose stock the work
                does not touch: several may ask so at once.
            event: the id of the request to be answered, for a store that reads ahead.
        """

    def answering(self, event: Event) -> AbstractContextManager[Transaction]:
        """Lock what answering a request touches: its ``locks()``, of which it ``only_reads()`` some."""

    def reading(self) -> AbstractContextManager[StoreView]:
        """Return facts for reports: one consistent view, nothing locked."""

    def events(self) -> Sequence[Posted]:
        """Return every event in the order of the book."""


def steps_made(event: Event, opened: Sequence[Lot], parents: Mapping[str, Lot]) -> list[CustodyStep]:
    """Return the steps of a movement from the lots it opened and the lots it ended, by id."""
    name, kind, day = event.id, event.type, event.day
    return [CustodyStep(name, kind, day, before, lot) for before, lot in with_before(opened, parents)]


def with_before(opened: Iterable[Lot], parents: Mapping[str, Lot]) -> list[tuple[Lot | None, Lot]]:
    """Return lots that a movement opened, each behind the one it was cut from, of those it ended, by id."""
    return [(parents.get(lot.parent) if lot.parent else None, lot) for lot in opened]


# What people call a lot: its id, or the code of its origin as a page prints it, with or without the serials beside.
#
# A code that fits no line is printed cut short. What is printed is also read: a lot is asked for as it stands on paper.

WHOLE: Final = 28
"""Up to so many signs a code is printed whole."""
PRINTED: Final = 10
"""Signs of a longer code that are printed; whoever types fewer has not read them from a page."""
_ASKED: Final = re.compile(
    r"(?P<code>\S+?)(?:…|\.\.\.)?(?:[\s:,]+(?P<start>[\d.,]+)\s*(?:-|to|\u2013)\s*(?P<stop>[\d.,]+)(?:\s*bu)?)?"
)


def printed(code: str) -> str:
    """Write a code so that it fits a line."""
    return code if len(code) <= WHOLE else f"{code[:PRINTED]}…"


@frozen
class LotName:
    """What somebody typed to name lots."""

    code: str  # of an origin, whole or as it is printed
    span: Span | None  # its serials; None for all of them

    def means(self, origin: str) -> bool:
        cut = len(origin) > WHOLE and len(self.code) >= PRINTED and origin.startswith(self.code)
        return cut or origin == self.code

    def touches(self, lot: Lot) -> bool:
        return self.span is None or (lot.start < self.span[1] and self.span[0] < lot.stop)


def read_lot_name(text: str) -> LotName:
    """Read what somebody typed; what stands as no page prints it is a code as a whole."""
    found = _ASKED.fullmatch(text.strip())
    if found is None:
        return LotName(text.strip(), None)
    try:
        span = tuple(parse(found[end].replace(",", "")) for end in ("start", "stop")) if found["start"] else ()
    except ValueError:
        return LotName(text.strip(), None)
    return LotName(found["code"], (span[0], span[1]) if span else None)


def whole_code(code: str, origins: Iterable[str]) -> str:
    """Return the one among some origins that a printed code means; the code as it is where that is none or several."""
    asked = read_lot_name(code)
    meant = {origin for origin in origins if asked.means(origin)}
    return code if code in meant or len(meant) != 1 else meant.pop()


def book_code(store: StoreView, owner: str, code: str) -> str:
    """Return the whole code that a printed one means in a book of one's own; what means none or several as it is."""
    if len(code) > WHOLE or store.one(Origin, code) is not None:
        return code
    return whole_code(code, (step.after.origin for step in store.steps(owner)))


def free_name(store: StoreView, name: str) -> str:
    """Return a name that no event has: this one, or with the first number from 2 on that is free."""
    names = chain([name], (f"{name}-{number}" for number in count(2)))
    return next(one for one in names if store.posted(one) is None)


def lots_called(store: StoreView, origin: str, asked: LotName, is_one: Callable[[Lot], bool]) -> list[Lot]:
    """Return the lots of an origin that are meant: those a party has as they are now, others as it gave them away."""
    known = store.one(Origin, origin)
    start, stop = asked.span or (known.span if known else (0, 0))
    now = [lot for lot in store.lots_at(origin, start, stop) if is_one(lot)]
    gone: list[Lot] = []
    for step in store.steps_of(origin):
        mine = is_one(step.after)
        if mine or (step.before is not None and is_one(step.before)):
            # What came back is no longer given away, and of what was given away again the last time counts.
            gone = [lot for lot in gone if not (step.after.start <= lot.start and lot.stop <= step.after.stop)]
            gone += [] if mine or not asked.touches(step.after) else [step.after]
    return sorted([*now, *gone], key=lambda lot: (lot.origin, lot.start))
