"""A party's own custody book, taken out of the book that all parties of this server share.

What a party would have in a book of its own: what it entered, what its farms reported and signed over to it, and the
sales to it as documents of the seller. What lies further up stays with the seller: whose farms stand behind it is a
business secret, and the serials show every overlap all the same (interpretation 45). A report that changes up there
reaches the party's book as it would by post: as the notice of the one who sold it the serials (interpretation 35,
decision 0007).
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from django.db.models import Q

from provender.custody.book_file import BookLine, Header, seal
from provender.custody.documents.read import OWN_TYPES, head_before, header_of
from provender.custody.events.closing import CloseEvent, ProcessEvent, claims_by_place
from provender.custody.events.corrections import CorrectEvent, ReturnEvent
from provender.custody.events.farm_trade import ShareEvent, SlipEvent, StorageEvent
from provender.custody.events.footing import FileOnRecord
from provender.custody.events.grain import MeasurementEvent
from provender.custody.events.outside import DocumentEvent, NoticeEvent
from provender.custody.events.parties import StatementEvent
from provender.custody.events.registry import TYPES, decide, read_posted
from provender.custody.events.reports import Notice, NoticeKind, ReportEvent
from provender.custody.events.trade import SaleEvent
from provender.custody.model import lots as serials
from provender.custody.model.entities import Entity, Opinion
from provender.custody.model.event import DocumentLine, Event, Range, Status, plain_event, roles_of
from provender.custody.model.lots import LIVE, Lot, LotState, Origin, Slip, Span
from provender.custody.model.store_view import CustodyStep, StoreView
from provender.custody.store import MemoryStore
from provender.database.actor import Actor
from provender.database.models.custody import CustodyEvent, CustodyEventParty
from provender.database.store.custody import SqlFacts, SqlStore

if TYPE_CHECKING:
    from provender.custody.model.balances import Place


# Replaying a party's own book while it is taken out of the shared one, so that it comes to the very same serials.
#
# Which claims a policy takes, which serials bear a shortfall, what a buyer still has of a sale: a book of one party may
# answer otherwise than the book of all, since it does not see the others. Where it would, the event names the serials
# that the shared book moved. Where it would not, the event stays as it was entered, so that whoever verifies the book
# sees the declared policy at work.


def moved(lots: Iterable[Lot], movement: str) -> list[Lot]:
    """Return the lots that a movement changed, without the rests it only split."""
    return [lot for lot in lots if lot.by == movement]


def ranges(lots: Iterable[Lot]) -> tuple[Range, ...]:
    """Return the serials of lots as an event names them, lot by lot, with the pounds of a product."""
    return tuple(Range(lot.origin, lot.start, lot.stop, lot.product) for lot in lots)


def in_doubt(store: StoreView, party: str) -> frozenset[str]:
    """Return the corrections by which a party has in dispute what its buyer had accepted.

    The party's own book sees such a sale on its way: that it was accepted stands in the buyer's.
    """
    made = (step for step in store.steps(party) if step.type == CorrectEvent.type and step.after.owner == party)
    return frozenset(step.movement for step in made if step.after.state is LotState.DISPUTED)


class Replay:
    """A party's own book in the making."""

    def __init__(self, party: str) -> None:
        self.party = party
        self.own = MemoryStore()  # what it has come to so far

    def entered(
        self, event: Event, shared: Sequence[Lot] | None = None, name: str = "", *, needed: bool = True
    ) -> Iterator[Event]:
        """Yield the event as it comes into the book, once; where the book refuses it, only if it is ``needed``.

        ``shared`` are the lots that it opened in the shared book under its ``name`` there; None where they follow from
        the event itself.
        """
        for way in self._ways(event, shared, name):
            outcome = decide(self.own, way)
            if outcome.status is Status.POSTED and (
                shared is None or self._own_lots_moved(outcome.opened, way.id) == self._own_lots_moved(shared, name)
            ):
                self.own.apply(way, outcome)
                yield way
                return
        outcome = decide(self.own, event)
        if outcome.status is Status.POSTED:
            self.own.apply(event, outcome)
        if needed or outcome.status is Status.POSTED:
            yield event

    def _ways(self, event: Event, shared: Sequence[Lot] | None, name: str) -> Iterator[Event]:
        """Yield an event as it is, then with what its own book cannot find by itself."""
        yield event
        if shared is not None and any(one.name == "lots" for one in fields(event)):
            lots = [lot for lot in moved(shared, name) if self.party in (lot.owner, lot.supplier)]
            # What a processing opened carries the pounds that came out, not those that went in.
            went_in = (replace(lot, product=0) for lot in lots)
            named: dict[str, Any] = {"lots": ranges(went_in if isinstance(event, ProcessEvent) else lots)}
            yield replace(event, **named)
            whole: dict[str, Any] = {name: 0 for name in ("bushels", "pounds", "amount") if hasattr(event, name)}
            yield replace(event, **named, **whole)
        if isinstance(event, SlipEvent) and not event.returned:
            for slip in self.own.many(Slip, event.origin):
                if slip.giver == event.giver and slip.taker != event.taker:
                    yield replace(event, returned=slip.id)

    def _own_lots_moved(self, lots: Iterable[Lot], movement: str) -> set[tuple[object, ...]]:
        mine = [lot for lot in moved(lots, movement) if self.party in (lot.owner, lot.supplier)]
        return {(lot.origin, lot.start, lot.stop, lot.form, lot.product, lot.owner, lot.state) for lot in mine}

    def at_growers(self, origin: str, spans: Iterable[Span]) -> list[Span]:
        """Return those of some serials that this book still sees with a farm or landowner, on no slip to others."""
        found = []
        shown = [span for slip in self.own.many(Slip, origin) if slip.taker != self.party for span in slip.open_spans]
        for start, stop in spans:
            away = []
            lots = self.own.lots_at(origin, start, stop)
            for lot in lots:
                holder = self.own.one(Entity, lot.owner)
                if holder is None or holder.keeps_balance:
                    away.append((lot.start, lot.stop))
            found += serials.subtract_spans([(start, stop)], [*away, *shown]) if lots else []
        return found

    def held_by(self, owner: str, origin: str, spans: Sequence[Span]) -> list[Span]:
        """Return those of some serials that this book sees with somebody."""
        lots = [lot for span in spans for lot in self.own.lots_at(origin, *span) if lot.owner == owner]
        return serials.common_spans(spans, ((lot.start, lot.stop) for lot in lots))

    def out_of_sight(self, origin: str, start: int, stop: int, giver: str) -> list[tuple[str, int, int]]:
        """Return which of some serials this book saw last with a party elsewhere that is not their giver, and whose."""
        found = []
        for lot in self.own.lots_at(origin, start, stop):
            holder = self.own.one(Entity, lot.owner)
            if lot.state in LIVE and lot.owner not in (giver, self.party) and holder and holder.keeps_balance:
                found.append((lot.owner, max(lot.start, start), min(lot.stop, stop)))
        return found


_GATE: Final = frozenset({"purchase", "purchase_pending", "assign", "slip", "share"})
_NAMEABLE: Final = frozenset(
    {"sale", "process", "move", "release", "loss", "retire", "return", "close", "share", "report", "document"}
)
"""Types of events whose serials the shared book chose, perhaps by what it knows of others."""
_OF_PLANTS: Final = frozenset({"yield", "crush", "convert"})
_OF_REPORTS: Final = frozenset({"report", "suspend", "reinstate", "withdraw"})
CHANGES: Final = _OF_REPORTS | {"notice"}
_STATED: Final = frozenset({"entity", "statement"})
_UNNAMED: Final = CHANGES | _STATED | _OF_PLANTS | {"share", "correct", "reject", "settle"}
"""Types of events that may belong to a party's book though they do not name it."""
_KEYS_AT_ONCE: Final = 5_000
Plain = Mapping[str, Any]


def book_of(party: str) -> bytes:
    """Return a party's book as the lines of a file, sealed as ``provender.custody.book_file`` seals them."""
    with SqlStore(Actor(None, "audit")).reading() as store:
        requests = list(_Projection(store, party).requests())
    return "".join(_lines(requests, party)).encode()


def _lines(requests: Iterable[Event], party: str) -> Iterator[str]:
    header = Header(party, shared=True)
    yield header.line()
    head = header.head
    for request in requests:
        event = plain_event(request)
        head = seal(head, event)
        yield json.dumps({"event": event, "chain": head}, ensure_ascii=False) + "\n"


def _events(party: str) -> list[Plain]:
    """Return the events that may belong to a party's book, in order.

    They are its own, and the few kinds that name others. A server's other events never come here.
    """
    own = CustodyEventParty.objects.filter(party=party).values("event")
    rows = CustodyEvent.objects.filter(Q(id__in=own) | Q(type__in=_UNNAMED)).order_by("id")
    return [json.loads(text) for text in rows.values_list("text", flat=True).iterator(2_000)]


class _Projection:
    """Which events of the shared book a party's own book has, and how it would have entered them.

    The book is replayed while it is made: what the party's own book would answer otherwise than the shared one did,
    since it does not see the others, is entered with the very serials named.
    """

    def __init__(self, store: SqlFacts, party: str) -> None:
        self.store, self.party = store, party
        self.in_doubt = in_doubt(store, party)
        self.events = _events(party)
        mine = [one for one in self.events if party in _named(one)]
        self.farms = {one["giver"] for one in mine if one["type"] in _GATE and one.get("taker") == party}
        shares = [one for one in self.events if one["type"] == "share"]
        # A landowner's bushels are those of a farm: its report and the share stand before the landowner's slip.
        self.landowners = {one["taker"] for one in shares} & self.farms
        self.farms |= {one["giver"] for one in shares if one["taker"] in self.landowners}
        sales = [one for one in mine if one["type"] == SaleEvent.type]
        self.sold_here = {one["id"]: one["giver"] for one in sales if one["taker"] == party}
        self.plants = {one["plant"] for one in mine if one.get("plant")}
        self.named = {name for one in mine for name in (*_named(one), one.get("counterparty", ""))} | self.plants
        slips = [one["id"] for one in mine if one["type"] == SlipEvent.type]
        self.assigned = {slip.id: slip.spans for slip in store.named(Slip, slips)}
        self.opened = _lots_opened(store, [one["id"] for one in self.events if one["type"] in _NAMEABLE])
        self.kept: set[str] = set()
        self.replay = Replay(party)
        # Serials that came on documents of a seller so far, by origin and seller.
        self.came: dict[str, dict[str, list[Span]]] = defaultdict(lambda: defaultdict(list))
        self.told: dict[str, list[Notice]] = defaultdict(list)
        for notice in store.all_of(Notice):
            self.told[notice.number.rpartition("/notice/")[0]].append(notice)

    def requests(self) -> Iterator[Event]:
        """Yield the events of the party's book, in order."""
        for one in self.events:
            if self._belongs(one):
                for entered in self._entered(one):
                    self.kept.add(one["id"])
                    yield entered
            elif one["type"] in CHANGES and one["id"] in self.told:
                for notice in self._notices(read_posted(one)):
                    yield from self.replay.entered(notice, needed=False)

    def _entered(self, one: Plain) -> Iterator[Event]:
        """Yield an event as the party would have entered it, after what must stand before it."""
        event = self._as_entered(read_posted(one))
        if isinstance(event, DocumentEvent):
            self._note_what_came(event)
            for slip in self._slips_before(event):
                for before in (*self._introduced(slip.giver, slip.taker), *self._share_before(slip)):
                    yield from self.replay.entered(before, needed=False)
                yield from self.replay.entered(slip, needed=False)
            for between in self._between(event, one["id"]):
                for before in self._introduced(between.giver, between.taker):
                    yield from self.replay.entered(before, needed=False)
                yield from self.replay.entered(between, needed=False)
        if isinstance(event, CloseEvent):
            for grain in self._stock_elsewhere(event):
                yield from self.replay.entered(grain)
        # What somebody stores here is no event of the party's own: it may come from a farm that sold it nothing. What
        # it told buyers of serials that it sees as ended changes nothing.
        needed = not isinstance(event, StorageEvent) or event.owner == self.party
        needed = needed and not (isinstance(event, NoticeEvent) and event.giver == self.party)
        yield from self.replay.entered(event, self.opened.get(one["id"]), one["id"], needed=needed)

    def _note_what_came(self, document: DocumentEvent) -> None:
        """Note from whom serials came, a party of this server or one elsewhere: it tells what becomes of their report.

        A report of this server reaches what comes back to it on a paper from elsewhere like everything else.
        """
        for line in document.lines:
            if line.origin and document.taker == self.party:
                self.came[line.origin][document.giver].append((line.start, line.start + line.bushels))

    def _belongs(self, one: Plain) -> bool:
        kind = one["type"]
        if kind in _STATED:
            return one["entity"] in self.named | self.farms | {self.party} and self._is_shown(one)
        if kind in _OF_REPORTS:
            return self._farm_of(one) in self.farms
        if kind in _OF_PLANTS and one["entity"] in self.plants:
            return True
        if kind == "share" and one["taker"] in self.landowners:
            return True
        if kind in ("reject", "correct", "settle"):
            return one["movement"] in self.kept
        if kind == "accept":
            return bool(one["taker"] == self.party)
        return self.party in _named(one)

    def _is_shown(self, one: Plain) -> bool:
        """Tell whether a statement that another party typed in counts here: its file on record there shows it."""
        by = one.get("typed_by", "")
        if by in ("", self.party) or one["opinion"] == Opinion.ADVERSE:
            return True
        return self.store.one(FileOnRecord, f"{by}/{one.get('evidence', '')}") is not None

    def _farm_of(self, one: Plain) -> str:
        """Return whose report an event is about; its later versions and its standing name the origin only."""
        if "entity" in one:
            return str(one["entity"])
        origin = self.store.one(Origin, one["origin"])
        return origin.issuer if origin else ""

    def _as_entered(self, event: Event) -> Event:
        if isinstance(event, CorrectEvent) and event.id in self.in_doubt:
            return replace(event, accepted=True)
        if isinstance(event, StatementEvent) and event.typed_by != self.party:
            return replace(event, typed_by="")  # with whom another party deals is its own business
        if isinstance(event, SlipEvent):
            spans = self.assigned.get(event.id)
            return replace(event, spans=spans) if spans else event
        if isinstance(event, ShareEvent):
            # Which serials were free depends on what others bought of the farm.
            spans = tuple(serials.joined((lot.start, lot.stop) for lot in moved(self.opened[event.id], event.id)))
            return replace(event, spans=spans)
        if isinstance(event, ReportEvent) and event.version > 1:
            return replace(event, spans=self._borne(event), sold=self._not_reached(event))
        if isinstance(event, SaleEvent) and event.id in self.sold_here:
            return self._document(event)
        movement = str(getattr(event, "movement", ""))
        if movement in self.sold_here:
            renamed: dict[str, Any] = {"movement": _document_id(self.sold_here[movement], movement)}
            event = replace(event, **renamed)
        if isinstance(event, ReturnEvent) and event.giver != self.party:
            # What the buyer still had of it, its own book knows.
            return replace(event, lots=ranges(moved(self.opened[event.id], event.id)), amount=0)
        return event

    def _borne(self, event: ReportEvent) -> tuple[Span, ...]:
        """Return the serials that bore the bushels a report lost, whoever had them: the shared book knows them all."""
        void = ((lot.start, lot.stop) for lot in moved(self.opened[event.id], event.id) if (lot.state is LotState.VOID))
        told = self.told.get(event.id, ())
        short = ((one.start, one.stop) for one in told if one.change is NoticeKind.FEWER_BUSHELS)
        return tuple(serials.joined([*void, *short]))

    def _not_reached(self, event: ReportEvent) -> tuple[Span, ...]:
        """Return the serials that others had when a better version came, and that came to the party later.

        They keep the worse carbon intensity, which the shared book saw; to the party's own book they lie with the farm.
        """
        known = self.replay.own.many(Origin, serials.origin_name(event.entity, event.crop, event.harvest_year))
        lots = self.replay.own.lots_at(known[0].id, *known[0].span) if known else ()
        here = [(lot.start, lot.stop) for lot in lots if lot.owner == event.entity and lot.ci > event.ci]
        reached = [(lot.start, lot.stop) for lot in self.opened[event.id] if lot.ci == event.ci]
        left = serials.subtract_spans(here, reached)
        if not left:
            return ()
        steps = (step.after for step in self.store.steps(self.party))
        came = [(lot.start, lot.stop) for lot in steps if (lot.origin, lot.owner) == (known[0].id, self.party)]
        return tuple(serials.common_spans(came, left))

    def _document(self, sale: SaleEvent) -> DocumentEvent:
        lots = [lot for lot in moved(self.opened[sale.id], sale.id) if lot.state is LotState.IN_TRANSIT]
        lines = tuple(
            DocumentLine(
                lot.crop, lot.harvest_year, lot.ci, lot.form, lot.crop_amount,
                lot.product, lot.origin, lot.start, lot.rate,
            )
            for lot in lots
        )  # fmt: skip
        return DocumentEvent(
            id=_document_id(sale.giver, sale.id), day=sale.day, actor=sale.actor, giver=sale.giver, taker=sale.taker,
            number=sale.id, lines=lines,
        )  # fmt: skip

    def _slips_before(self, document: DocumentEvent) -> Iterator[SlipEvent]:
        """Yield the slips of the party's own farms by which serials of a document left them.

        Each says of the farm's slip no more than came to the party: what else its buyer bought is not the party's. The
        slips to the seller come first, then the latest of those to others, from whom the seller had them.
        """
        for name in dict.fromkeys(line.origin for line in document.lines):
            spans = [(one.start, one.start + one.bushels) for one in document.lines if one.origin == name]
            left = self.replay.at_growers(name, spans)
            slips = [*enumerate(self.store.many(Slip, name))] if left else []
            slips = [(place, slip) for place, slip in slips if slip.taker != self.party]
            for _, slip in sorted(slips, key=lambda one: (one[1].taker != document.giver, -one[0])):
                if shown := tuple(serials.common_spans(slip.spans, left)):
                    left = serials.subtract_spans(left, shown)
                    yield SlipEvent(
                        id=f"{slip.id}-{document.number}", day=slip.day, giver=slip.giver, taker=slip.taker,
                        origin=name, spans=shown,
                    )  # fmt: skip

    def _between(self, document: DocumentEvent, sale: str) -> Iterator[DocumentEvent]:
        """Yield the sales by which serials that this book saw last with somebody else came to a document's seller.

        Of each no more than these serials: they had been the party's, or came to it from the one who had them last.
        """
        for line in document.lines:
            last = self.replay.out_of_sight(line.origin, line.start, line.start + line.bushels, document.giver)
            if not last:
                continue
            made = {step.after.id: step for step in self.store.steps_of(line.origin)}
            for lot in moved(self.opened.get(sale, ()), sale):
                for holder, start, stop in last:
                    for span in (
                        serials.overlaps([(lot.start, lot.stop)], [(start, stop)]) if lot.origin == line.origin else ()
                    ):
                        yield from self._hops(made, made[lot.id], holder, span, line.ci)

    def _hops(
        self, made: Mapping[str, CustodyStep], last: CustodyStep, holder: str, span: Span, ci: int
    ) -> Iterator[DocumentEvent]:
        """Yield the changes of hands of some serials from a holder to the giver of their last step, oldest first.

        At the carbon intensity that they have now: a change of the report may have reached them in between.
        """
        hops: list[CustodyStep] = []
        step = last
        while step.before is not None:
            step = made[step.before.id]
            before, after = step.before, step.after
            if before is not None and before.owner != after.owner and after.by == step.movement:
                hops.append(step)
                if before.owner == holder:
                    break
        for hop in reversed(hops):
            sent, giver = serials.part(hop.after, *span), hop.before.owner if hop.before else ""
            line = DocumentLine(
                hop.after.crop, hop.after.harvest_year, ci, hop.after.form, sent.crop_amount,
                sent.product, hop.after.origin, sent.start, hop.after.rate,
            )  # fmt: skip
            number = f"{hop.movement} at {sent.start}"
            yield DocumentEvent(
                id=_document_id(giver, number), day=hop.day, giver=giver, taker=hop.after.owner, number=number,
                lines=(line,),
            )  # fmt: skip

    def _introduced(self, *names: str) -> Iterator[Event]:
        """Yield the entries of entities that this book has not met yet."""
        for name in names:
            first = next((one for one in self.events if one["type"] == "entity" and one["entity"] == name), None)
            if first is not None and self.replay.own.one(Entity, name) is None:
                yield read_posted(first)

    def _share_before(self, slip: SlipEvent) -> Iterator[ShareEvent]:
        """Yield how a landowner came to the serials of a slip, no more of its share than these."""
        origin = self.store.one(Origin, slip.origin)
        if origin is None or slip.giver == origin.issuer:
            return
        for one in self.events:
            if one["type"] == "share" and (one["taker"], one["origin"]) == (slip.giver, slip.origin):
                share = [(lot.start, lot.stop) for lot in moved(self.opened[one["id"]], one["id"])]
                farms = self.replay.held_by(origin.issuer, slip.origin, serials.common_spans(share, slip.spans))
                if farms:
                    made: dict[str, Any] = {"id": f"{one['id']}-{slip.id}", "spans": tuple(farms), "bushels": 0}
                    yield cast("ShareEvent", replace(read_posted(one), **made))

    def _stock_elsewhere(self, close: CloseEvent) -> Iterator[MeasurementEvent]:
        """Yield how much of the party's claims stored with others was covered at a close, as their books have it.

        Another's grain is no event of the party's book, and its stock and the claims of others there are not the
        party's to know: each measure is of the party's claims, less what the shared book then released.
        """
        released: Counter[Place] = Counter()
        for lot in moved(self.opened[close.id], close.id):
            released[lot.custodian, lot.site, lot.form] += lot.amount
        for place, claims in sorted(claims_by_place(self.replay.own, self.party, close.day).items()):
            party, site, form = place
            if party == self.party:
                continue
            amount = claims - released[place]
            yield MeasurementEvent(
                id=f"stock-{close.id}-{site}-{form}", day=close.day, entity=party, site=site, form=form, amount=amount,
                number=f"stock at the close {close.id}, {form}",
            )  # fmt: skip

    def _notices(self, change: Event) -> Iterator[NoticeEvent]:
        """Yield what the sellers of the party's serials tell it of a change of the report behind them."""
        told = self.told[change.id]
        origin = told[0].origin
        for kind in dict.fromkeys(one.change for one in told):
            concerned = [(one.start, one.stop) for one in told if one.change is kind]
            for giver, came in self.came.get(origin, {}).items():
                spans = tuple(serials.common_spans(came, concerned))
                if not spans:
                    continue
                ci = getattr(change, "ci", None) if kind is NoticeKind.WORSE_CI else None
                number = f"{change.id}/{self.party}"
                yield NoticeEvent(
                    id=f"notice-{giver}-{number}-{kind}", day=change.day, actor=change.actor, giver=giver,
                    taker=self.party, number=number, origin=origin, reason=kind, spans=spans, ci=ci,
                    report=str(getattr(change, "report", "")),
                )  # fmt: skip


def _lots_opened(store: SqlFacts, names: Sequence[str]) -> dict[str, list[Lot]]:
    """Return the lots that movements opened in the shared book, by movement."""
    found: dict[str, list[Lot]] = {name: [] for name in names}
    for start in range(0, len(names), _KEYS_AT_ONCE):
        for name, lot in store.lots_opened(names[start : start + _KEYS_AT_ONCE]):
            found[name].append(lot)
    return found


def _named(one: Plain) -> set[str]:
    """Return the parties that an event names; a plant that only crushes for others has no part in it."""
    return {one[name] for name in roles_of(TYPES[one["type"]]) if name != "plant" and one.get(name)}


def _document_id(seller: str, sale: str) -> str:
    return f"document-{seller}-{sale}"


# What a party entered into the book that all share, as a chain of its own: what its papers are held to.
#
# A party's book taken out of the shared one is put together anew whenever somebody asks, and an entry of somebody else
# may come to stand in it later. What the party entered itself only ever grows: one line after the other, sealed as the
# lines of a book on disk are. Papers carry the head of that chain, and a package brings its lines (decision 0019).

AT_ONCE: Final = 2_000


class OwnEntry(NamedTuple):
    """One entry: the event's id, its line, and the event as it was entered."""

    id: str
    line: BookLine
    event: dict[str, Any]


def own_entries(party: str) -> Iterator[OwnEntry]:
    """Yield what a party entered, in the order of the book."""
    named = CustodyEventParty.objects.filter(party=party).values("event")
    rows = CustodyEvent.objects.filter(id__in=named, type__in=OWN_TYPES).order_by("id")
    head = head_before(party)
    for text in rows.values_list("text", flat=True).iterator(AT_ONCE):
        event = json.loads(text)
        if event.get(OWN_TYPES[event["type"]]) == party:
            head = seal(head, event)
            yield OwnEntry(event["id"], BookLine.of(event, head), event)


def own_entries_file(party: str) -> bytes:
    lines = [header_of(party), *({"event": one.event, "chain": one.line.head} for one in own_entries(party))]
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()
