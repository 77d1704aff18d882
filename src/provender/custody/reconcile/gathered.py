"""What is kept of books and documents to lay them side by side: read apart, put together, compared afterwards."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import chain
from typing import Any, Final, NamedTuple

from provender.custody.book_file import BookLine
from provender.custody.documents.build import MARK, PERIOD, SHARED
from provender.custody.documents.consents import ACTS, NOTICE, NoticePaper, issuer_of, read_consent, read_notice
from provender.custody.documents.read import SaleSlip, Transfer
from provender.custody.documents.refiner_figures import FIGURES
from provender.custody.events.closing import CloseEvent, CloseSiteEvent, Closing, RetireEvent
from provender.custody.events.farm_trade import PendingEvent, PurchaseEvent, ShareEvent, SlipEvent
from provender.custody.events.footing import about_of
from provender.custody.events.grain import GrainEvent
from provender.custody.events.outside import DocumentEvent, NoticeEvent
from provender.custody.events.parties import StatementEvent
from provender.custody.events.plant import CampaignTotals, ConvertEvent, Crush, excess, yields_at
from provender.custody.events.reports import NoticeKind, ReinstateEvent, ReportEvent, SuspendEvent, WithdrawEvent
from provender.custody.events.trade import CONSENT, SaleEvent, disputed
from provender.custody.events.typed import SignedEntry, signed_entries, term_of, term_of_notice, typed_entries
from provender.custody.model.entities import Entity, Opinion
from provender.custody.model.event import Event, Ticket
from provender.custody.model.grain import Load, differing_names, loads_of
from provender.custody.model.lots import (
    BUSHEL,
    POUND,
    RATE_ONE,
    LotState,
    Origin,
    OriginKind,
    Slip,
    Span,
    joined,
    left_of,
    length,
    origin_name,
    show_amount,
    slip_number,
    unit_of,
)
from provender.custody.model.store_view import Posted, StoreView, taken_back_by
from provender.custody.queries.claims import (
    ENDED,
    SHARE,
    Claim,
    Leg,
    Trade,
    back_of,
    claims_of_book,
    ended_by_reports,
    leg_of_event,
    leg_of_lines,
    leg_of_spans,
)
from provender.custody.reconcile.discrepancies import Discrepancy, DiscrepancyKind, Identities, join
from provender.days import iso_day
from provender.exact import parse, ticket_key
from provender.signing.canonical import read_json

# What is noted of shares and of tickets while books are read, to be compared afterwards.

Hands = tuple[str, str, str]
"""From whom, to whom, of which origin."""
Dated = tuple[int, int, date]
"""First serial, the serial after the last, and the day."""


class Weighed(NamedTuple):
    """What a trade says of a ticket behind it: how much, on which day, and whether at a scale of the buyer."""

    amount: int
    day: date
    at_buyer: bool
    giver: str = ""
    form: str = ""


# The seals of a party's own book, and the mark of it that its papers carry (interpretation 72).
#
# A party's book that is taken out of one that many share is sealed anew each time, and what a later trade brings with
# it, such as who its seller is, may then stand further up. An earlier one is known by its events: the later one has
# them all, as they were and in their order.

KEPT = 16
"""Signs kept of each seal: enough to tell lines apart, and a book of many lines stays small."""


class Seals(NamedTuple):
    """The seals of a party's own book, shortened, one after the other; those of lines without an event stand too.

    Of one taken out of a book that many share they are the hashes of its events.
    """

    party: str
    said: str
    shared: bool = False

    @classmethod
    def of(cls, party: str, lines: Sequence[BookLine]) -> "Seals":
        """Return the seals of the lines after the first."""
        return cls(party, "".join(line.head[:KEPT] for line in lines))

    @classmethod
    def of_shared(cls, party: str, store: StoreView, events: Iterable[Posted]) -> "Seals":
        """Return what tells apart the events of a book taken out of one that many share."""
        return cls(party, "".join(store.digest(one.event.id)[:KEPT] for one in events), shared=True)

    def goes_on_in(self, other: "Seals") -> bool:
        """Tell whether another book of the party has all that this one has."""
        if not self.shared:
            return other.said.startswith(self.said)
        left = (other.at(number) for number in range(1, other.lines + 1))
        return all(self.at(number) in left for number in range(1, self.lines + 1))

    @property
    def lines(self) -> int:
        return len(self.said) // KEPT

    def at(self, number: int) -> str:
        return self.said[(number - 1) * KEPT : number * KEPT] if number > 0 else ""


def _older_copies(books: Sequence[Seals]) -> set[int]:
    """Return the places of books that another one goes on from; of equal ones all but the first."""
    longest: dict[tuple[str, bool], list[Seals]] = defaultdict(list)
    older: set[int] = set()
    for place, seals in sorted(enumerate(books), key=lambda one: (-one[1].lines, one[0])):
        held = longest[seals.party, seals.shared]
        if any(map(seals.goes_on_in, held)):
            older.add(place)
        else:
            held.append(seals)
    return older


class PaperMark(NamedTuple):
    """What a paper says of the book of its party: how many lines it had, and the seal of the last."""

    party: str
    lines: int
    head: str


def _mark_of(party: str, document: Mapping[str, object]) -> PaperMark | None:
    """Return the mark of a paper made from a party's own book; a shared book is sealed by its server."""
    mark = document.get(MARK)
    if not isinstance(mark, Mapping) or mark.get("of") == SHARED:
        return None
    lines, head = mark.get("lines"), mark.get("head")
    return PaperMark(party, lines, head) if isinstance(lines, int) and isinstance(head, str) else None


# What papers state of serials changing hands, beside what books say of it (2100.032(a)).


def _claims_of_transfer(source: int, one: Transfer) -> Iterator[Claim]:
    """Return the changes of hands that a transfer document states; a foreign one has no serials to compare."""
    for line in one.lines:
        if line.origin:
            span = (line.start, line.start + line.bushels)
            yield Claim(source, "document", one.number, line.origin, *span, one.seller, one.buyer, one.day)


def _claims_of_slip(source: int, one: SaleSlip) -> Iterator[Claim]:
    for span in one.spans:
        if one.returned:
            back = (one.returned_by, one.seller)
            yield Claim(source, "return", back_of(one.returned), one.origin, *span, *back, one.day)
        yield Claim(source, "slip", one.number, one.origin, *span, one.seller, one.buyer, one.day)


# Claims by papers that a book was shown between two others: they count where the parties themselves do not tell.
#
# A book that buys serials on a trader's document is shown the farm's slip to whoever had them before. It keeps of that
# no more than it needs, in parts, under names of its own, and so does the next book down the chain. Nobody's serials
# left the farm twice for that: these claims share one key, and fall away where farm or buyer tell of the same change of
# hands. A part of a trader's document counts as the document.

_SHOWN: Final = "a slip shown"
"""Key of all such slips between the same two parties."""
_PART: Final = re.compile(r"(.+) at [0-9]+\Z")
"""A part of a trader's document, as a server names it in the book that it makes for somebody further down the chain."""
_FROM_FARMS: Final = frozenset({"slip", "purchase", "assign"})
_Hands = tuple[str, str, str, bool]


def without_shown_twice(claims: Iterable[Claim], owners: Sequence[frozenset[str]]) -> Iterator[Claim]:
    """Yield claims, those by slips between others under one key and without what the parties tell themselves.

    ``owners`` has per file the entities whose whole book it is.
    """
    told: dict[_Hands, list[Span]] = defaultdict(list)
    shown: list[Claim] = []
    parts: list[Claim] = []
    rest: list[Claim] = []
    slips: set[tuple[int, str]] = set()
    for one in claims:
        theirs = owners[one.source]
        between_others = bool(theirs) and one.giver not in theirs and one.taker not in theirs
        if one.kind in ("slip", "return") and (between_others or one.key in (_SHOWN, back_of(_SHOWN))):
            shown.append(one)
            slips |= {(one.source, back_of(one.key))} if one.kind == "slip" else set()
            continue
        of_part = between_others and one.kind == "document" and _part_of(one.key)
        (parts if of_part else rest).append(one)
    yield from rest
    yield from _of_parts(parts, rest)
    for one in chain(rest, parts) if shown else ():
        if one.kind in _FROM_FARMS or one.key.startswith(back_of("")):
            told[_hands(one)].append((one.start, one.stop))
    own = {hands: joined(spans) for hands, spans in told.items()}
    for one in shown:
        if one.kind == "return" and (one.source, one.key) not in slips:
            yield one  # what goes back by a document goes by its number, which all books have in common
            continue
        key = _SHOWN if one.kind == "slip" else back_of(_SHOWN)
        for start, stop in left_of((one.start, one.stop), own.get(_hands(one), ())):
            yield one._replace(start=start, stop=stop, key=key)


def _of_parts(parts: Sequence[Claim], claims: Iterable[Claim]) -> Iterator[Claim]:
    """Yield of parts of documents what no claim of the parties tells, whether they call it a sale or a return."""
    hands = {(one.origin, one.giver, one.taker) for one in parts}
    told: dict[tuple[str, str, str], list[Span]] = defaultdict(list)
    for one in claims if hands else ():
        if (one.origin, one.giver, one.taker) in hands:
            told[one.origin, one.giver, one.taker].append((one.start, one.stop))
    own = {hand: joined(spans) for hand, spans in told.items()}
    for one in parts:
        for start, stop in left_of((one.start, one.stop), own.get((one.origin, one.giver, one.taker), ())):
            yield one._replace(start=start, stop=stop, key=_part_of(one.key))


def _part_of(number: str) -> str:
    """Return the number of the document that a book was shown a part of; empty where it is no part."""
    found = _PART.match(number)
    return found[1] if found else ""


def _hands(one: Claim) -> _Hands:
    """Return from whom to whom, of which origin, and whether forth or back."""
    return one.origin, one.giver, one.taker, one.key.startswith(back_of(""))


_BY_FILE: Final = ("transfers", "legs", "shares", "shown", "retired")
_STANDING: Final[Mapping[type[Event], NoticeKind]] = {
    WithdrawEvent: NoticeKind.WITHDRAWN,
    SuspendEvent: NoticeKind.SUSPENDED,
    ReinstateEvent: NoticeKind.REINSTATED,
}


@dataclass(slots=True)
class ReconcileInput:
    """What was read from all files so far, in file order."""

    names: list[str] = field(default_factory=list)  # the files
    owners: list[frozenset[str]] = field(default_factory=list)  # per file, the entities whose whole book it is
    claims: list[Claim] = field(default_factory=list)  # changes of hands
    roots: dict[str, str] = field(default_factory=dict)  # per origin, who grew or opened it
    # each report, with its file and the id of its origin
    reports: list[tuple[int, ReportEvent, str]] = field(default_factory=list)
    # per site and ticket, the origins or farms behind it, with bushels
    tickets: dict[tuple[str, str], dict[str, int]] = field(default_factory=lambda: defaultdict(dict))
    # per buyer and ticket, the sales to it and its own purchases behind that, with what the ticket says
    sent: dict[tuple[str, str], dict[str, Weighed]] = field(default_factory=lambda: defaultdict(dict))
    # the tickets in of each party, as its own book has them
    loads: list[Load] = field(default_factory=list)
    # tickets behind a claim of another than they name, in words, with what they say
    others: dict[str, int] = field(default_factory=dict)
    # entries of grain that a book has behind the close of the period of their day: whose, the day, in words, how much
    late: dict[tuple[str, date, str], int] = field(default_factory=dict)
    # files of signed statements of periods, with whose each is, and its first and last day
    stated: list[tuple[str, str, date, date]] = field(default_factory=list)
    # per field boundary, the farms that report it, with bushels
    fields: dict[str, dict[str, int]] = field(default_factory=lambda: defaultdict(dict))
    # per giver, taker and number, the bushels by file
    transfers: dict[tuple[str, str, str], dict[int, int]] = field(default_factory=lambda: defaultdict(dict))
    periods: list[tuple[int, Mapping[str, Any]]] = field(default_factory=list)  # balance statements, with the file
    void: set[tuple[str, str]] = field(default_factory=set)  # slips that were taken back, by giver and number
    ended: list[Claim] = field(default_factory=list)  # serials that a book took for unsold when a report shrank
    # sales that a book took back, by giver, taker and number, with the files
    back: dict[tuple[str, str, str], set[int]] = field(default_factory=lambda: defaultdict(set))
    # those of them of which a book holds the other party's signed paper
    agreed: set[tuple[str, str, str]] = field(default_factory=set)
    # per giver, taker and number, what each file says of it
    legs: dict[tuple[str, str, str], dict[int, Leg]] = field(default_factory=lambda: defaultdict(dict))
    # per farm, landowner and origin, serials and day of the shares that each file has whole
    shares: dict[Hands, dict[int, list[Dated]]] = field(default_factory=lambda: defaultdict(dict))
    # per giver, taker and origin, serials of their slips and shares that a third party's book was shown
    shown: dict[Hands, dict[int, list[Span]]] = field(default_factory=lambda: defaultdict(dict))
    # file, act, holder and bushels of what one party took back alone
    disputes: list[tuple[int, str, str, int]] = field(default_factory=list)
    # file, words, bushels and scale of each entry that no paper shows
    typed: list[tuple[int, str, int, str]] = field(default_factory=list)
    # what says that it is signed, with the file; and by what each is about, the papers: their keys, files and terms
    signed: list[tuple[int, SignedEntry]] = field(default_factory=list)
    beside: dict[str, dict[str, dict[str, set[str]]]] = field(default_factory=lambda: defaultdict(dict))
    entities: set[str] = field(default_factory=set)  # every party that a book knows
    # the sites of each party, as its own book names them
    sites: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    # origin, carbon intensity, day and serials of each notice that gave one
    noticed: list[tuple[str, int, date, tuple[Span, ...]]] = field(default_factory=list)
    # file, origin, day, the day before which it was not entered, and kind of each change of a report but its versions,
    # carbon intensity and serials
    changes: list[tuple[int, str, date, date, NoticeKind, int, tuple[Span, ...]]] = field(default_factory=list)
    # per file, origin and version of a report that a book has, the day before which it was not entered
    entered: dict[tuple[int, str, int], date] = field(default_factory=dict)
    # per file, origin and version of a report with fewer bushels, the serials that bear it by that book
    lost: dict[tuple[int, str, int], tuple[Span, ...]] = field(default_factory=dict)
    # per party and entry, what each file says was retired into fuel
    retired: dict[tuple[str, str], dict[int, Leg]] = field(default_factory=lambda: defaultdict(dict))
    # serials that were found claimed twice
    doubled: dict[str, list[Span]] = field(default_factory=lambda: defaultdict(list))
    # names, keys, numbers and statements, and whose they are
    identities: Identities = field(default_factory=Identities)
    # the seals of the lines of books that are one party's own, or of the events of those taken out of another
    seals: dict[int, Seals] = field(default_factory=dict)
    # papers that are held against the book of their signer, with the file, and what came of it
    papers: list[tuple[int, Mapping[str, Any]]] = field(default_factory=list)
    held: list[Discrepancy] = field(default_factory=list)
    # what papers say of the book that they were made from
    marks: list[tuple[int, PaperMark]] = field(default_factory=list)
    # by which number the first file is known, where these are to be added behind others
    first: int = field(default=0, compare=False)

    def _file(self, name: str, owners: frozenset[str] = frozenset()) -> int:
        self.names.append(name)
        self.owners.append(owners)
        return self.first + len(self.names) - 1

    def add_book(
        self, name: str, store: StoreView, events: Sequence[Posted], owner: str = "", lines: Sequence[BookLine] = ()
    ) -> None:
        """Add a book: of one owner, or of every entity with periods in it; with its sealed lines where it has them."""
        everyone = {one.id for one in store.many(Entity, "") if one.keeps_balance}
        source = self._file(name, frozenset({owner} if owner else everyone))
        self.claims.extend(claims_of_book(source, store, events))
        self.ended.extend(ended_by_reports(source, store, events))
        self.identities.add_book(store, events)
        self.typed.extend((source, one.said(), one.bushels, one.scale) for one in typed_entries(store))
        self.signed.extend((source, one) for one in signed_entries(store, events))
        if owner and lines:
            own = bool(store.owner)
            self.seals[source] = Seals.of(owner, lines) if own else Seals.of_shared(owner, store, events)
        # A day is what somebody says (interpretation 75), the place of a line is not: what stands behind an entry of a
        # later day was entered on that day at the earliest.
        latest = date.min
        rooted: set[str] = set()
        closed: dict[str, date] = {}
        for posted in events:
            event = posted.event
            entered = max(latest, event.day)
            if by := taken_back_by(store, posted):
                agreed = getattr(by_event.event, "paper", "") if (by_event := store.posted(by)) else ""
                self._note_taken_back(source, event, agreed=bool(agreed))
            else:
                self._note_roots(store, event, rooted)
                self._note(source, store, event, owner, entered)
            self._note_late(event, closed)
            ahead = isinstance(event, CloseSiteEvent) and event.ahead
            latest = latest if ahead else entered
        for entity in store.many(Entity, ""):
            self.entities.add(entity.id)
            if entity.id in self.owners[-1]:  # how others write its sites is nothing that its tickets stand on
                self.sites[entity.id].update(entity.sites)
                self.loads.extend(loads_of(store, entity))
                for one, other in differing_names(store, entity):
                    said = f"Ticket {one.number} of {one.site} of {one.entity} names {one.name}"
                    self.others[f"{said}; {one.claim} is of {other.name}"] = one.amount
                self.held += _beyond_product(name, store, entity)
            for closing in store.many(Closing, entity.id):
                self.periods.append((source, _balance(closing.statement)))

    def add(self, other: "ReconcileInput") -> None:
        """Add what was gathered of other files apart, as if they had been read here after the others.

        It goes fast where they bear the numbers already that they have here.
        """
        if by := len(self.names) - other.first:
            other = other.renumbered(by)
        self.names += other.names
        self.owners += other.owners
        for name in (
            "claims",
            "ended",
            "reports",
            "periods",
            "disputes",
            "typed",
            "signed",
            "marks",
            "changes",
            "noticed",
            "loads",
            "stated",
            "papers",
            "held",
        ):
            getattr(self, name).extend(getattr(other, name))
        for name in ("seals", "lost", "entered", "roots", "void", "agreed", "entities", "others", "late"):
            getattr(self, name).update(getattr(other, name))
        for name in (*_BY_FILE, "back", "tickets", "sent", "fields", "sites", "beside"):
            join(getattr(self, name), getattr(other, name))
        self.identities.add(other.identities)

    def renumbered(self, by: int) -> "ReconcileInput":
        """Return the same of files that bear higher numbers."""
        new = replace(self, first=self.first + by)
        new.claims, new.ended = ([Claim._make((by + one.source, *one[1:])) for one in mine]
                                 for mine in (self.claims, self.ended))  # fmt: skip
        new.seals = {by + source: seals for source, seals in self.seals.items()}
        new.lost = {(by + source, origin, of): spans for (source, origin, of), spans in self.lost.items()}
        new.entered = {(by + source, origin, of): day for (source, origin, of), day in self.entered.items()}
        for name in ("reports", "periods", "disputes", "typed", "signed", "marks", "changes", "papers"):
            setattr(new, name, [(by + source, *rest) for source, *rest in getattr(self, name)])
        for name in _BY_FILE:
            told = {trade: {by + source: one for source, one in said.items()}
                    for trade, said in getattr(self, name).items()}  # fmt: skip
            setattr(new, name, told)
        new.back = {trade: {by + source for source in sources} for trade, sources in self.back.items()}
        return new

    def _note_roots(self, store: StoreView, event: Event, rooted: set[str]) -> None:
        """Note with whom the serials of lots begin, once for each origin of a book."""
        for lot in store.lots_by(event.id):
            if lot.origin not in rooted:
                rooted.add(lot.origin)
                origin = store.one(Origin, lot.origin)
                if origin and origin.source in (OriginKind.REPORT, OriginKind.OPENING):
                    self.roots[lot.origin] = origin.issuer

    def _note(self, source: int, store: StoreView, event: Event, owner: str, entered: date) -> None:
        if isinstance(event, ReportEvent):
            # A later version need not repeat the salt: it is of the origin that the book has.
            known = store.many(Origin, origin_name(event.entity, event.crop, event.harvest_year))
            self.reports.append((source, event, known[0].id))
            if event.version > 1:
                self.entered[source, known[0].id, event.version] = entered
                void = (lot for lot in store.lots_by(event.id) if lot.by == event.id and lot.state is LotState.VOID)
                spans = tuple(joined((lot.start, lot.stop) for lot in void))
                self.lost[source, known[0].id, event.version] = spans
        if isinstance(event, SaleEvent | DocumentEvent):
            self._note_trade(source, store, event, owner)
        self._note_changes(source, store, event, entered)
        self._note_assigned(source, store, event, owner)
        if isinstance(event, PurchaseEvent | PendingEvent):
            behind = store.one(Slip, event.slip) if isinstance(event, PurchaseEvent) else None
            name = behind.origin if behind else f"{event.giver}, CI pending"
            for ticket in event.tickets:
                self.tickets[f"{event.taker}/{event.site}", ticket_key(ticket.number)][name] = ticket.bushels
            self._note_weighed(event, f"purchase of {name}", event.tickets, at_buyer=True)

    def _note_trade(self, source: int, store: StoreView, event: SaleEvent | DocumentEvent, owner: str) -> None:
        others = owner not in ("", event.giver, event.taker)
        if isinstance(event, DocumentEvent) and others and _part_of(event.number):
            for line in event.lines:
                hands = event.giver, event.taker, line.origin
                self.shown[hands].setdefault(source, []).append((line.start, line.start + line.bushels))
            return
        # Of a paper between others a book takes in what is new to it: what the paper says is told whole.
        lots = (lot.crop_amount for lot in store.lots_by(event.id) if lot.by == event.id)
        stated = [line.bushels for line in event.lines] if isinstance(event, DocumentEvent) else []
        trade = event.giver, event.taker, _number(event)
        self.transfers[trade][source] = sum(stated or lots)
        self.legs[trade][source] = leg_of_event(store, event)

    def _note_late(self, event: Event, closed: dict[str, date]) -> None:
        """Note grain, and what a plant put in, that is dated in a period closed before it was entered."""
        if isinstance(event, CloseEvent):
            closed[event.entity] = max(event.day, closed.get(event.entity, date.min))
        if isinstance(event, GrainEvent | ConvertEvent):
            back = " taken back" if event.void else ""
            amount = event.amount if isinstance(event, GrainEvent) else event.put_in
            grain = [(event.entity, event.day, f"{event.title} {event.number}{back}", amount)]
        else:
            weighed = (*getattr(event, "tickets", ()), *getattr(event, "destination", ()))
            party = getattr(event, "taker" if isinstance(event, PurchaseEvent | PendingEvent) else "giver", "")
            grain = [
                (party, one.day, f"Ticket {one.number} behind {event.id}", one.bushels) for one in weighed if one.day
            ]
        for party, day, said, amount in grain:
            if day <= closed.get(party, date.min):
                self.late[party, day, said] = amount

    def _note_taken_back(self, source: int, event: Event, *, agreed: bool) -> None:
        if isinstance(event, SlipEvent):
            self.void.add((event.giver, _number(event)))
        if isinstance(event, SaleEvent | DocumentEvent | SlipEvent):
            self.back[event.giver, event.taker, _number(event)].add(source)
            self.agreed |= {(event.giver, event.taker, _number(event))} if agreed else set()
        elif isinstance(event, ShareEvent):
            self.back[event.giver, event.taker, SHARE].add(source)

    def _note_weighed(
        self, trade: SaleEvent | PurchaseEvent | PendingEvent, name: str, tickets: Iterable[Ticket], *, at_buyer: bool
    ) -> None:
        for ticket in tickets:
            self.sent[trade.taker, ticket_key(ticket.number)][name] = Weighed(
                ticket.bushels, ticket.day or trade.day, at_buyer, trade.giver, getattr(trade, "of_form", "")
            )

    def _note_slip(self, source: int, trade: Trade, day: date, origin: str, spans: Sequence[Span]) -> None:
        self.transfers[trade][source] = length(spans)
        self.legs[trade][source] = leg_of_spans(day, origin, spans)

    def _note_assigned(self, source: int, store: StoreView, event: Event, owner: str) -> None:
        """Note what a farm or landowner signed away.

        A book that is shown a slip or share between two others keeps of it what is new to it, and says nothing of the
        rest.
        """
        if not isinstance(event, SlipEvent | ShareEvent):
            return
        hands = event.giver, event.taker, event.origin
        slip = store.one(Slip, event.id) if isinstance(event, SlipEvent) else None
        lots = () if slip else (lot for lot in store.lots_by(event.id) if lot.by == event.id)
        spans = list(slip.spans) if slip else [(lot.start, lot.stop) for lot in lots]
        if owner not in ("", event.giver, event.taker):
            self.shown[hands].setdefault(source, []).extend(spans)
        elif slip:
            trade = slip.giver, slip.taker, slip_number(slip.id, slip.giver)
            self._note_slip(source, trade, slip.day, slip.origin, slip.spans)
        else:
            self.shares[hands].setdefault(source, []).extend((*span, event.day) for span in spans)

    def _note_changes(self, source: int, store: StoreView, event: Event, entered: date) -> None:
        if isinstance(event, SaleEvent):
            name = f"sale {event.id} of {event.giver}"
            self._note_weighed(event, name, event.tickets, at_buyer=False)
            self._note_weighed(event, name, event.destination, at_buyer=True)
        if isinstance(event, RetireEvent):
            self.retired[event.entity, event.id][source] = leg_of_event(store, event)
        if isinstance(event, NoticeEvent):
            told = event.reason, event.ci or 0, event.spans
            self.changes.append((source, event.origin, event.day, entered, *told))
        elif kind := _STANDING.get(type(event)):
            self.changes.append((source, getattr(event, "origin", ""), event.day, entered, kind, 0, ()))
        if isinstance(event, NoticeEvent) and event.ci is not None:
            self.noticed.append((event.origin, event.ci, event.day, event.spans))
        if event.type in ACTS and (left := disputed(store, event.id)):
            self.disputes.append((source, event.id, left[0].owner, sum(lot.crop_amount for lot in left)))

    def standing(self) -> Iterator[Claim]:
        """Yield the claims, but for slips that were taken back, and those of others that these tell of themselves."""
        there = (one for one in self.claims if one.kind != "slip" or (one.giver, one.key) not in self.void)
        yield from without_shown_twice(there, self.owners)

    def show(self, about: str, signed_by: str, file: str, *terms: str) -> None:
        """Note the paper of an entry, by whose key it is signed and what it says; one that is not signed shows none."""
        if signed_by:
            self.beside[about].setdefault(signed_by, {}).setdefault(file, set()).update(terms)

    def show_statement(self, event: StatementEvent, file: str) -> None:
        """Note a verification statement; it may have been taken back since, so that a book has it as not favorable."""
        bad = replace(event, opinion=Opinion.ADVERSE)
        self.show(about_of(event), event.signed_by, file, term_of(event), term_of(bad))

    def show_notice(self, one: NoticePaper, signed_by: str, file: str) -> None:
        """Note a notice: an entry is one of its changes."""
        terms = (term_of_notice(why, one.ci, spans) for why, spans in one.changes)
        self.show(f"notice/{one.seller}/{one.number}", signed_by, file, *terms)

    def add_transfer(self, name: str, one: Transfer, signed_by: str = "") -> None:
        source = self._file(name)
        self.show(f"document/{one.seller}/{one.number}", signed_by, name, one.footing.label)
        if one.statement:  # that its audit is contracted is the seller's own word
            self.show(f"statement/{one.seller}/{one.statement.get('number')}", signed_by, name)
        self.claims.extend(_claims_of_transfer(source, one))
        self.transfers[one.seller, one.buyer, one.number][source] = sum(line.bushels for line in one.lines)
        self.legs[one.seller, one.buyer, one.number][source] = leg_of_lines(one.day, one.lines)

    def add_mark(self, party: str, document: Mapping[str, Any]) -> None:
        """Note of which state of its party's book the paper added last was made."""
        if mark := _mark_of(party, document):
            self.marks.append((self.first + len(self.names) - 1, mark))

    def add_slip(self, name: str, one: SaleSlip, signed_by: str = "") -> None:
        source = self._file(name)
        for called in (one.number, f"{one.number} of {one.seller}"):
            self.show(f"slip/{called}", signed_by, name)
        self.claims.extend(_claims_of_slip(source, one))
        self._note_slip(source, (one.seller, one.buyer, one.number), one.day, one.origin, one.spans)

    def add_report(self, name: str, one: ReportEvent, origin: str, signed_by: str = "") -> None:
        self.show(about_of(one), signed_by, name)
        self.reports.append((self._file(name), one, origin))
        self.roots.setdefault(origin, one.entity)

    def add_paper(self, name: str, document: Mapping[str, Any], signed_by: str = "") -> None:
        """Add a paper of a kind that is held against the book of its signer."""
        source, kind, issuer = self._file(name), document["type"], issuer_of(document)
        self.add_mark(issuer, document)
        self.papers.append((source, document))
        if kind == PERIOD and isinstance(document.get("balance"), Mapping):
            balance = document["balance"]
            self.periods.append((source, balance))
            start, end = iso_day(balance.get("start")), iso_day(balance.get("end"))
            if start and end:
                self.stated.append((name, issuer, start, end))
        elif kind == FIGURES:
            for one in document["lots"]:
                span, day = (parse(one["start"]), parse(one["stop"])), date.fromisoformat(one["day"])
                self.claims.append(
                    Claim(source, "retire", str(one["retirement"]), str(one["origin"]), *span, issuer, ENDED, day)
                )
        elif kind == CONSENT and (paper := read_consent(document, name)[0]):
            hands, key = (paper.seller, paper.buyer), back_of(paper.movement)
            for part in paper.spans:
                self.claims.append(Claim(source, paper.act, key, part.origin, part.start, part.stop, *hands, paper.day))
        elif kind == NOTICE and (told := read_notice(document, name)[0]):
            entered = max(told.day, date.fromisoformat(str(document["made_on"])))
            self.show_notice(told, signed_by, name)
            for why, spans in told.changes:
                self.changes.append((source, told.origin, told.day, entered, why, told.ci or 0, spans))
                self.noticed += (
                    [(told.origin, told.ci, told.day, spans)] if why is NoticeKind.WORSE_CI and told.ci else []
                )


def _beyond_product(name: str, store: StoreView, entity: Entity) -> Iterator[Discrepancy]:
    """Yield campaigns of a plant whose claims, sold ones too, are beyond their share of what was made."""
    runs = {one.batch: one for one in yields_at(store, entity.id, *entity.sites)}
    for one in runs.values():
        crush = store.one(Crush, one.batch)
        if crush and (over := excess(store.many(CampaignTotals, one.batch), crush)):
            stake = over * RATE_ONE // one.rate if unit_of(one.made_of) == BUSHEL else 0
            said = f"{name}: claims of {one.campaign} exceed their share of the product by {show_amount(over, POUND)}."
            yield Discrepancy(DiscrepancyKind.PRODUCT_EXCEEDED, stake, said)


def older_parts(parts: Sequence[ReconcileInput]) -> set[int]:
    """Return the places of parts of one file each, which is an older copy of a book that another part is of."""
    places = [place for place, part in enumerate(parts) if len(part.names) == len(part.seals) == 1]
    older = _older_copies([seals for place in places for seals in parts[place].seals.values()])
    return {places[number] for number in older}


def put_together(parts: Iterable[ReconcileInput]) -> ReconcileInput:
    """Return what was gathered of files apart, each part of one file or of several.

    Of an older copy of a book only the name is kept: what it says a newer copy says too, and what came of it since.
    Each part is added when it comes, as the others may still be read; where one turns out to be such a copy, anew.
    """
    found, came = ReconcileInput(), list[ReconcileInput]()
    for part in parts:
        came.append(part)
        found.add(part)
    if not (older := older_parts(came)):
        return found
    found = ReconcileInput()
    for place, part in enumerate(came):
        found.add(ReconcileInput(names=part.names, owners=[frozenset()]) if place in older else part)
    return found


def _number(event: SaleEvent | DocumentEvent | SlipEvent) -> str:
    """Return what both parties of a sale know it by."""
    if isinstance(event, DocumentEvent):
        return event.number
    return slip_number(event.id, event.giver) if isinstance(event, SlipEvent) else event.id


def _balance(statement: str) -> Mapping[str, Any]:
    found = read_json(statement.encode(), file="period")
    return found if isinstance(found, Mapping) else {}
