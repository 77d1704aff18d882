"""Books and documents of any number of entities, laid side by side (2100.032(a), interpretations 34, 43, 48).

What is found is sorted by the bushels at stake. A double sale needs both books to show; what a missing book would
explain is called a broken chain, not a double sale.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final

from provender.custody.book_lines import BookLine
from provender.custody.documents.build import PERIOD
from provender.custody.documents.consent import ACTS
from provender.custody.documents.read import FarmReport, SaleSlip, Transfer
from provender.custody.events.changed_report import NoticeKind, WithdrawEvent
from provender.custody.events.dispute import disputed
from provender.custody.events.document import DocumentEvent
from provender.custody.events.notice import NoticeEvent
from provender.custody.events.pending_purchase import PendingEvent
from provender.custody.events.period import Closing
from provender.custody.events.purchase import PurchaseEvent, SlipEvent
from provender.custody.events.report import ReinstateEvent, ReportEvent, SuspendEvent
from provender.custody.events.sale import SaleEvent
from provender.custody.model.entities import Entity
from provender.custody.model.event import Event, Ticket
from provender.custody.model.lots import Span, joined, length
from provender.custody.model.origins import Origin, OriginKind, Slip, origin_name
from provender.custody.model.store_view import Posted, StoreView, taken_back_by
from provender.custody.queries.claims import (
    ENDED,
    Claim,
    back_of,
    claims_of_book,
    claims_of_slip,
    claims_of_transfer,
    counted_once,
    ended_by_reports,
    frame,
)
from provender.custody.queries.double_claims import double_claims
from provender.custody.reconcile.changed_reports import sold_on
from provender.custody.reconcile.circles import circles
from provender.custody.reconcile.comparison import Weighed, compared
from provender.custody.reconcile.discrepancies import Discrepancy, DiscrepancyKind
from provender.custody.reconcile.identities import Identities
from provender.custody.reconcile.legs import Leg, Trade, leg_of_event, leg_of_lines, leg_of_spans
from provender.custody.reconcile.period_statements import period_discrepancies
from provender.custody.reconcile.rewritten import PaperMark, Seals, mark_of, rewritten
from provender.quantity import show
from provender.signing.canonical import read_json

_STANDING: Final[Mapping[type[Event], NoticeKind]] = {
    WithdrawEvent: NoticeKind.WITHDRAWN,
    SuspendEvent: NoticeKind.SUSPENDED,
    ReinstateEvent: NoticeKind.REINSTATED,
}


@dataclass(slots=True)
class Gathered:
    """What was read from all files so far, in file order.

    Attributes:
        names: the files.
        owners: per file, the entities whose whole book it is.
        claims: changes of hands.
        roots: per origin, who grew or opened it.
        reports: farm, crop, year, origin id, version, digest, bushels of each report, with its file.
        tickets: per site and ticket, the origins or farms behind it, with bushels.
        sent: per buyer and ticket, the sales to it and its own purchases behind that, with what the ticket says.
        fields: per field boundary, the farms that report it, with bushels.
        transfers: per giver, taker and number, the bushels by file.
        periods: balance statements, with the file.
        void: slips that were taken back, by giver and number.
        ended: serials that a book took for unsold when a report shrank.
        back: sales that a book took back, by giver, taker and number, with the files.
        legs: per giver, taker and number, what each file says of it.
        disputes: file, act, holder and bushels of what one party took back alone.
        entities: every party that a book knows.
        sites: the sites of each party, as its own book names them.
        noticed: origin, carbon intensity, day and serials of each notice that gave one.
        changes: file, origin, day and kind of each change of a report but its versions, with the carbon intensity.
        doubled: serials that were found claimed twice.
        identities: names, keys, numbers and statements, and whose they are.
        seals: the seals of the lines of books that are one party's own.
        marks: what papers say of the book that they were made from.
    """

    names: list[str] = field(default_factory=list)
    owners: list[frozenset[str]] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)
    roots: dict[str, str] = field(default_factory=dict)
    reports: list[tuple[int, FarmReport, str]] = field(default_factory=list)
    tickets: dict[tuple[str, str], dict[str, int]] = field(default_factory=lambda: defaultdict(dict))
    sent: dict[tuple[str, str], dict[str, Weighed]] = field(default_factory=lambda: defaultdict(dict))
    fields: dict[str, dict[str, int]] = field(default_factory=lambda: defaultdict(dict))
    transfers: dict[tuple[str, str, str], dict[int, int]] = field(default_factory=lambda: defaultdict(dict))
    periods: list[tuple[int, Mapping[str, Any]]] = field(default_factory=list)
    void: set[tuple[str, str]] = field(default_factory=set)
    ended: list[Claim] = field(default_factory=list)
    back: dict[tuple[str, str, str], set[int]] = field(default_factory=lambda: defaultdict(set))
    legs: dict[tuple[str, str, str], dict[int, Leg]] = field(default_factory=lambda: defaultdict(dict))
    disputes: list[tuple[int, str, str, int]] = field(default_factory=list)
    entities: set[str] = field(default_factory=set)
    sites: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    noticed: list[tuple[str, int, date, tuple[Span, ...]]] = field(default_factory=list)
    changes: list[tuple[int, str, date, NoticeKind, int]] = field(default_factory=list)
    doubled: dict[str, list[Span]] = field(default_factory=lambda: defaultdict(list))
    identities: Identities = field(default_factory=Identities)
    seals: dict[int, Seals] = field(default_factory=dict)
    marks: list[tuple[int, PaperMark]] = field(default_factory=list)

    def _file(self, name: str, owners: frozenset[str] = frozenset()) -> int:
        self.names.append(name)
        self.owners.append(owners)
        return len(self.names) - 1

    def add_book(
        self, name: str, facts: StoreView, events: Sequence[Posted], owner: str = "", lines: Sequence[BookLine] = ()
    ) -> None:
        """Add a book: of one owner, or of every entity with periods in it; with its sealed lines where it has them."""
        everyone = {one.id for one in facts.many(Entity, "") if one.keeps_balance}
        source = self._file(name, frozenset({owner} if owner else everyone))
        self.claims.extend(claims_of_book(source, facts, events))
        self.ended.extend(ended_by_reports(source, facts, events))
        self.identities.add_book(facts, events)
        if owner and facts.owner and lines:
            self.seals[source] = Seals.of(owner, lines)
        for posted in events:
            self._note(source, facts, posted)
        for entity in facts.many(Entity, ""):
            self.entities.add(entity.id)
            if entity.id in self.owners[source]:  # how others write its sites is nothing that its tickets stand on
                self.sites[entity.id].update(entity.sites)
            for closing in facts.many(Closing, entity.id):
                self.periods.append((source, _balance(closing.statement)))

    def add(self, other: "Gathered") -> None:
        """Add what was gathered of other files apart, as if they had been read here after the others."""
        first = len(self.names)
        self.names += other.names
        self.owners += other.owners
        for mine, its in ((self.claims, other.claims), (self.ended, other.ended)):
            mine += [Claim._make((first + one.source, *one[1:])) for one in its]
        self.seals |= {first + source: seals for source, seals in other.seals.items()}
        for name in ("reports", "periods", "disputes", "marks", "changes"):
            getattr(self, name).extend((first + source, *rest) for source, *rest in getattr(other, name))
        for name in ("transfers", "legs"):
            for trade, said in getattr(other, name).items():
                getattr(self, name)[trade].update((first + source, one) for source, one in said.items())
        for trade, sources in other.back.items():
            self.back[trade] |= {first + source for source in sources}
        for name in ("tickets", "sent", "fields", "sites"):
            for key, behind in getattr(other, name).items():
                getattr(self, name)[key] |= behind
        for name in ("roots", "void", "entities"):
            getattr(self, name).update(getattr(other, name))
        self.noticed += other.noticed
        self.identities.add(other.identities)

    def _note(self, source: int, facts: StoreView, posted: Posted) -> None:
        request = posted.request
        opened = facts.lots_by(request.id)
        if taken_back_by(facts, posted):
            if isinstance(request, SlipEvent):
                self.void.add((request.giver, request.id))
            if isinstance(request, SaleEvent | DocumentEvent | SlipEvent):
                self.back[request.giver, request.taker, _number(request)].add(source)
            return
        for lot in opened:
            origin = facts.one(Origin, lot.origin)
            if origin and origin.source in (OriginKind.REPORT, OriginKind.OPENING):
                self.roots[lot.origin] = origin.issuer
        if isinstance(request, ReportEvent):
            report = FarmReport(
                request.entity, request.crop, request.harvest_year, request.bushels, request.ci, request.version,
                request.salt, request.day, request.report,
            )  # fmt: skip
            # A later version need not repeat the salt: it is of the origin that the book has.
            known = facts.many(Origin, origin_name(request.entity, request.crop, request.harvest_year))
            self.reports.append((source, report, known[0].id))
        if isinstance(request, SaleEvent | DocumentEvent):
            # Of a paper between others a book takes in what is new to it: what the paper says is told whole.
            stated = [line.bushels for line in request.lines] if isinstance(request, DocumentEvent) else []
            moved = sum(stated or (lot.crop_amount for lot in opened if lot.by == request.id))
            trade = request.giver, request.taker, _number(request)
            self.transfers[trade][source] = moved
            self.legs[trade][source] = leg_of_event(facts, request)
        self._note_changes(source, facts, request)
        if isinstance(request, PurchaseEvent | PendingEvent):
            behind = facts.one(Slip, request.slip) if isinstance(request, PurchaseEvent) else None
            name = behind.origin if behind else f"{request.giver}, CI pending"
            for ticket in request.tickets:
                self.tickets[f"{request.taker}/{request.site}", ticket.number][name] = ticket.bushels
            self._note_weighed(request, f"purchase of {name}", request.tickets, at_buyer=True)

    def _note_weighed(
        self, trade: SaleEvent | PurchaseEvent | PendingEvent, name: str, tickets: Iterable[Ticket], *, at_buyer: bool
    ) -> None:
        for ticket in tickets:
            self.sent[trade.taker, ticket.number][name] = Weighed(ticket.bushels, ticket.day or trade.day, at_buyer)

    def _note_slip(self, source: int, trade: Trade, day: date, origin: str, spans: Sequence[Span]) -> None:
        self.transfers[trade][source] = length(spans)
        self.legs[trade][source] = leg_of_spans(day, origin, spans)

    def _note_changes(self, source: int, facts: StoreView, request: Event) -> None:
        slip = facts.one(Slip, request.id) if isinstance(request, SlipEvent) else None
        # A book that is shown a slip between two others keeps of it what is new to it, and says nothing of the rest.
        if slip and (not self.owners[source] or self.owners[source] & {slip.giver, slip.taker}):
            self._note_slip(source, (slip.giver, slip.taker, slip.id), slip.day, slip.origin, slip.spans)
        if isinstance(request, SaleEvent):
            name = f"sale {request.id} of {request.giver}"
            self._note_weighed(request, name, request.tickets, at_buyer=False)
            self._note_weighed(request, name, request.destination, at_buyer=True)
        if isinstance(request, NoticeEvent):
            self.changes.append((source, request.origin, request.day, request.reason, request.ci or 0))
        elif kind := _STANDING.get(type(request)):
            self.changes.append((source, getattr(request, "origin", ""), request.day, kind, 0))
        if isinstance(request, NoticeEvent) and request.ci is not None:
            self.noticed.append((request.origin, request.ci, request.day, request.spans))
        if request.type in ACTS and (left := disputed(facts, request.id)):
            self.disputes.append((source, request.id, left[0].owner, sum(lot.crop_amount for lot in left)))

    def standing(self) -> Iterator[Claim]:
        """Yield the claims, but for slips that were taken back."""
        return (one for one in self.claims if one.kind != "slip" or (one.giver, one.key) not in self.void)

    def add_transfer(self, name: str, one: Transfer) -> None:
        """Add a transfer document."""
        source = self._file(name)
        self.claims.extend(claims_of_transfer(source, one))
        self.transfers[one.seller, one.buyer, one.number][source] = sum(line.bushels for line in one.lines)
        self.legs[one.seller, one.buyer, one.number][source] = leg_of_lines(one.day, one.lines)

    def add_mark(self, party: str, document: Mapping[str, Any]) -> None:
        """Note of which state of its party's book the paper added last was made."""
        if mark := mark_of(party, document):
            self.marks.append((len(self.names) - 1, mark))

    def add_slip(self, name: str, one: SaleSlip) -> None:
        """Add a farm's sale slip."""
        source = self._file(name)
        self.claims.extend(claims_of_slip(source, one))
        self._note_slip(source, (one.seller, one.buyer, one.number), one.day, one.origin, one.spans)

    def add_report(self, name: str, one: FarmReport, origin: str) -> None:
        """Add a Biofuel Feedstock Report."""
        self.reports.append((self._file(name), one, origin))
        self.roots.setdefault(origin, one.farm)

    def add_period(self, name: str, document: Mapping[str, Any]) -> None:
        """Add the signed statement of a period."""
        balance = document.get("balance") if document.get("type") == PERIOD else None
        if isinstance(balance, Mapping):
            self.periods.append((self._file(name), balance))
            self.add_mark(str(balance.get("entity", "")), document)


def _number(request: SaleEvent | DocumentEvent | SlipEvent) -> str:
    """Return what both parties of a sale know it by."""
    return request.number if isinstance(request, DocumentEvent) else request.id


def _balance(statement: str) -> Mapping[str, Any]:
    found = read_json(statement.encode(), file="period")
    return found if isinstance(found, Mapping) else {}


def reconcile(gathered: Gathered) -> list[Discrepancy]:
    """Return everything that does not fit, the most bushels first."""
    found = [
        *claim_discrepancies(gathered),
        *_shortfalls(gathered),
        *origin_discrepancies(gathered),
        *_behind_two(gathered.tickets, DiscrepancyKind.SAME_TICKET, "Ticket"),
        *_behind_two(gathered.fields, DiscrepancyKind.SAME_FIELD, "Field"),
        *_counterparts(gathered),
        *circles(gathered.claims, gathered.roots),
        *period_discrepancies(gathered),
        *compared(gathered),
        *gathered.identities.discrepancies(),
        *rewritten(gathered),
        *sold_on(gathered),
    ]
    return sorted(found, key=lambda one: (-one.bushels, one.kind, one.said))


def claim_discrepancies(gathered: Gathered, *, everybody: bool = False) -> Iterator[Discrepancy]:
    """Yield serials whose claims do not form one chain; ``everybody`` tells that they are all parties' claims."""
    rows = frame(gathered.standing())
    books = frozenset(name for owners in gathered.owners for name in owners)
    for one in double_claims(counted_once(rows), gathered.roots, None if everybody else books):
        kind = DiscrepancyKind(str(one.fault))
        unseen = [party for party in one.holders if party != ENDED and party not in books]
        ask = ""
        if kind is DiscrepancyKind.BROKEN_CHAIN and unseen:
            kind = DiscrepancyKind.LINK_NOT_SHOWN
            ask = f" What lies between is not here: ask for the book, slip or document of {' or '.join(unseen)}."
        where = f"{one.origin}, serials {show(one.start)} to {show(one.stop)}"
        if kind in (DiscrepancyKind.DOUBLE_SALE, DiscrepancyKind.OVERLAP):
            gathered.doubled[one.origin].append((one.start, one.stop))
        yield Discrepancy(kind, one.stop - one.start, f"{where}: {'; '.join(one.parties)}.{ask}")


def _shortfalls(gathered: Gathered) -> Iterator[Discrepancy]:
    """Find serials that one book took for unsold when a report shrank, and that another shows as sold by the farm."""
    lost: dict[tuple[int, str, str, str], list[tuple[int, int]]] = defaultdict(list)
    concerned = {one.origin for one in gathered.ended}
    given: dict[str, list[Claim]] = defaultdict(list)
    for one in gathered.claims:
        if one.origin in concerned:
            given[one.origin].append(one)
    for ended in gathered.ended:
        for one in given[ended.origin]:
            start, stop = max(one.start, ended.start), min(one.stop, ended.stop)
            same = one.giver == ended.giver and one.day <= ended.day
            if same and one.source != ended.source and start < stop:
                lost[ended.source, ended.origin, ended.key, one.taker].append((start, stop))
    for (source, origin, event, taker), spans in sorted(lost.items()):
        taken = length(joined(spans))
        said = f"{gathered.names[source]} took {show(taken)} bu for unsold at {event} that the farm had sold to {taker}"
        settle = "settle by the order of interpretation 35 who bears them"
        yield Discrepancy(DiscrepancyKind.SHORTFALL_DIFFERS, taken, f"{origin}: {said}; {settle}.")


def origin_discrepancies(gathered: Gathered) -> Iterator[Discrepancy]:
    """Yield farms, crops and years with a second origin, and versions of a report that differ."""
    by_key: dict[tuple[str, str, int], list[tuple[int, FarmReport, str]]] = defaultdict(list)
    for source, report, origin in gathered.reports:
        by_key[report.farm, report.crop, report.harvest_year].append((source, report, origin))
    for (farm, crop, year), entries in sorted(by_key.items()):
        origins = {origin: report.bushels for _, report, origin in entries}
        named = f"{farm}, {crop} {year}"
        if len(origins) > 1:
            said = f"{named} has {len(origins)} origins: {', '.join(sorted(origins))}."
            yield Discrepancy(DiscrepancyKind.SECOND_ORIGIN, min(origins.values()), said)
        versions: dict[int, set[tuple[int, int]]] = defaultdict(set)
        for _, report, _ in entries:
            versions[report.version].add((report.bushels, report.ci))
        for number, contents in sorted(versions.items()):
            if len(contents) > 1:
                files = sorted({gathered.names[source] for source, report, _ in entries if report.version == number})
                said = f"{named}: version {number} of its report differs between {', '.join(files)}."
                yield Discrepancy(DiscrepancyKind.REPORTS_DIFFER, max(bushels for bushels, _ in contents), said)


def _behind_two(held: Mapping[Any, Mapping[str, int]], kind: DiscrepancyKind, word: str) -> Iterator[Discrepancy]:
    for key, behind in held.items():
        if len(behind) > 1:
            name = " of ".join(reversed(key)) if isinstance(key, tuple) else key
            said = f"{word} {name} stands behind {' and '.join(sorted(behind))}."
            yield Discrepancy(kind, min(behind.values()), said)


def _counterparts(gathered: Gathered) -> Iterator[Discrepancy]:
    """Compare the two legs of each transfer as far as the books of both parties were given."""
    came_back: dict[Back, int] = defaultdict(int)
    for one in gathered.claims:
        came_back[one.source, one.key, one.giver, one.taker] += one.stop - one.start
    books_of: dict[str, list[int]] = defaultdict(list)
    for source, owners in enumerate(gathered.owners):
        for owner in owners:
            books_of[owner].append(source)
    for (giver, taker, number), legs in sorted(gathered.transfers.items()):
        amounts = set(legs.values())
        back = gathered.back.get((giver, taker, number), ())
        pair = f"{giver} to {taker}, {number}"
        if len(amounts) > 1:
            shown = " and ".join(f"{show(legs[source])} bu in {gathered.names[source]}" for source in sorted(legs))
            yield Discrepancy(DiscrepancyKind.MISSING_COUNTERPART, max(amounts) - min(amounts), f"{pair}: {shown}.")
        for party, word in ((giver, "seller"), (taker, "buyer")):
            books = books_of.get(party, [])
            if any(source in back for source in books):
                yield from _still_there(gathered, (giver, taker, number), word, came_back)
                continue
            if books and not any(source in legs for source in books):
                said = f"{pair}: the {word}'s book ({gathered.names[books[0]]}) does not have it."
                yield Discrepancy(DiscrepancyKind.MISSING_COUNTERPART, max(amounts), said)


Back = tuple[int, str, str, str]
"""In which file, under which key, from whom to whom."""


def _still_there(
    gathered: Gathered, transfer: tuple[str, str, str], word: str, came_back: Mapping[Back, int]
) -> Iterator[Discrepancy]:
    """Tell of a transfer that one party's book took back as entered in error while the other's has it still."""
    giver, taker, number = transfer
    other, of_other = (taker, "buyer") if word == "seller" else (giver, "seller")
    for source, moved in gathered.transfers[transfer].items():
        if other in gathered.owners[source] and source not in gathered.back[transfer]:
            left = moved - came_back.get((source, back_of(number), taker, giver), 0)
            if left > 0:
                said = f"{giver} to {taker}, {number}: the {word}'s book took it back as entered in error, and "
                said += f"the {of_other}'s ({gathered.names[source]}) has {show(left)} bu of it still."
                yield Discrepancy(DiscrepancyKind.MISSING_COUNTERPART, left, said)
