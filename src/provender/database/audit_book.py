"""A party's own custody book, taken out of the book that all parties of this server share.

What a party would have in a book of its own: what it entered, what its farms reported and signed over to it, and the
sales to it as documents of the seller. What lies further up stays with the seller: whose farms stand behind it is a
business secret, and the serials show every overlap all the same (READINGS 45). A report that changes up there reaches
the party's book as it would by post: as the notice of the one who sold it the serials (READINGS 35, decision 0007).
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from django.db.models import Q

from provender.custody.book import FORMAT, seal
from provender.custody.codec import read_record
from provender.custody.decide import read_event
from provender.custody.digest import plain_event
from provender.custody.facts import R
from provender.custody.farmgate import SlipEvent
from provender.custody.incoming import DocumentEvent
from provender.custody.lots import LotState, Span, joined, without
from provender.custody.notices import ENDING, STANDINGS, NoticeEvent
from provender.custody.origins import Origin, Slip
from provender.custody.requests import Line, Request
from provender.custody.restatement import Notice, NoticeKind
from provender.custody.trade import SaleEvent
from provender.database.custody_facts import SqlFacts
from provender.database.custody_store import SqlStore
from provender.database.deeds.actor import Actor
from provender.database.models import CustodyEvent, CustodyRecord

GATE: Final = frozenset({"purchase", "purchase_pending", "assign", "slip", "share", "storage"})
OF_REPORTS: Final = frozenset({"report", "suspend", "reinstate", "withdraw"})
STATED: Final = frozenset({"entity", "statement"})
UNNAMED: Final = OF_REPORTS | STATED | {"share", "correct", "reject"}
"""Types of events that may belong to a party's book though they do not name it."""
NAMES: Final = ("entity", "giver", "taker", "owner", "custodian")
"""Fields that name whom an event is about. Its ``parties`` are those to lock, and may be everybody."""
KEYS_AT_ONCE: Final = 5_000
Plain = Mapping[str, Any]


def book_of(party: str) -> bytes:
    """Return a party's book as the lines of a file, sealed as ``provender.custody.book`` seals them."""
    with SqlStore(Actor(None, "audit")).reading() as facts:
        requests = list(_Projection(facts, party).requests())
    lines = [json.dumps({"book": "provender custody", "format": FORMAT, "entity": party})]
    head = ""
    for request in requests:
        event = plain_event(request)
        head = seal(head, event)
        lines.append(json.dumps({"event": event, "chain": head}, ensure_ascii=False))
    return ("\n".join(lines) + "\n").encode()


def _events(party: str) -> list[Plain]:
    """Return the events that may belong to a party's book, in order: its own, and the few kinds that name others.

    A server's other events are looked through by the database and never come here.
    """
    rows = CustodyEvent.objects.filter(Q(text__contains=f'"{party}"') | Q(type__in=UNNAMED)).order_by("id")
    return [json.loads(text) for text in rows.values_list("text", flat=True).iterator(chunk_size=2_000)]


class _Projection:
    """Which events of the shared book a party's own book has, and how it would have entered them."""

    def __init__(self, facts: SqlFacts, party: str) -> None:
        self.facts, self.party = facts, party
        self.events = _events(party)
        mine = [one for one in self.events if party in _named(one)]
        self.farms = {one["giver"] for one in mine if one["type"] in GATE and one.get("taker") == party}
        shares = [one for one in self.events if one["type"] == "share"]
        # A landowner's bushels are those of a farm: its report and the share stand before the landowner's slip.
        self.landowners = {one["taker"] for one in shares} & self.farms
        self.farms |= {one["giver"] for one in shares if one["taker"] in self.landowners}
        sales = [one for one in mine if one["type"] == SaleEvent.type]
        self.sold_here = {one["id"]: one["giver"] for one in sales if one["taker"] == party}
        self.own_sales = {one["id"] for one in sales if one["giver"] == party}
        self.named = {name for one in mine for name in (*_named(one), one.get("counterparty", ""))}
        slips = [one["id"] for one in mine if one["type"] == SlipEvent.type]
        self.assigned = {slip.id: slip.spans for slip in _records(Slip, slips)}
        self.kept: set[str] = set()
        # Serials that came on documents of a seller so far, by origin and seller.
        self.came: dict[str, dict[str, list[Span]]] = defaultdict(lambda: defaultdict(list))
        # Serials that came on any document so far, by origin.
        self.arrived: dict[str, list[Span]] = defaultdict(list)
        self.told: dict[str, list[Notice]] = defaultdict(list)
        for text in CustodyRecord.objects.filter(kind=Notice.kind).order_by("id").values_list("text", flat=True):
            notice = read_record(Notice, json.loads(text))
            self.told[notice.number.rpartition("/notice/")[0]].append(notice)

    def requests(self) -> Iterator[Request]:
        """Yield the events of the party's book, in order."""
        for one in self.events:
            if self._belongs(one):
                self.kept.add(one["id"])
                entered = self._as_entered(read_event(one))
                if isinstance(entered, DocumentEvent):
                    yield from self._slips_before(entered)
                yield entered
            elif one["type"] in OF_REPORTS and one["id"] in self.told:
                yield from self._notices(read_event(one))

    def _belongs(self, one: Plain) -> bool:
        kind = one["type"]
        if kind in STATED:
            return one["entity"] in self.named | self.farms | {self.party}
        if kind in OF_REPORTS:
            return self._farm_of(one) in self.farms
        if kind == "share" and one["taker"] in self.landowners:
            return True
        if kind == "reject":
            return one["movement"] in self.own_sales | self.sold_here.keys()
        if kind == "correct":
            return one["movement"] in self.kept
        if kind == "accept":
            return bool(one["taker"] == self.party)
        return self.party in _named(one) and (kind not in GATE or self.party in (one.get("giver"), one.get("taker")))

    def _farm_of(self, one: Plain) -> str:
        """Return whose report an event is about; its later versions and its standing name the origin only."""
        if "entity" in one:
            return str(one["entity"])
        origin = self.facts.one(Origin, one["origin"])
        return origin.issuer if origin else ""

    def _as_entered(self, request: Request) -> Request:
        if isinstance(request, SlipEvent):
            spans = self.assigned.get(request.id)
            return replace(request, spans=spans) if spans else request
        if isinstance(request, SaleEvent) and request.id in self.sold_here:
            return self._document(request)
        movement = str(getattr(request, "movement", ""))
        if movement in self.sold_here:
            renamed: dict[str, Any] = {"movement": _document_id(self.sold_here[movement], movement)}
            return replace(request, **renamed)
        return request

    def _document(self, sale: SaleEvent) -> DocumentEvent:
        lots = [lot for lot in self.facts.lots_by(sale.id) if lot.by == sale.id and lot.state is LotState.IN_TRANSIT]
        lines = tuple(
            Line(
                lot.crop, lot.harvest_year, lot.ci, lot.form, lot.crop_amount,
                lot.product, lot.origin, lot.start, lot.rate,
            )
            for lot in lots
        )  # fmt: skip
        for line in lines:
            self.came[line.origin][sale.giver].append((line.start, line.start + line.bushels))
        return DocumentEvent(
            id=_document_id(sale.giver, sale.id), day=sale.day, actor=sale.actor, giver=sale.giver, taker=sale.taker,
            number=sale.id, lines=lines,
        )  # fmt: skip

    def _slips_before(self, document: DocumentEvent) -> Iterator[SlipEvent]:
        """Yield the slips of the party's own farms by which serials of a document left them for its seller.

        Each says of the farm's slip no more than came to the party: what else the seller bought is not its buyer's.
        """
        for name in dict.fromkeys(line.origin for line in document.lines):
            spans = [(one.start, one.start + one.bushels) for one in document.lines if one.origin == name]
            fresh = without(spans, self.arrived[name])
            self.arrived[name] += spans
            origin = self.facts.one(Origin, name)
            if origin is None or origin.issuer not in self.farms:
                continue
            for slip in self.facts.many(Slip, name):
                if slip.taker == document.giver and (shown := _shared([*slip.spans], fresh)):
                    yield SlipEvent(
                        id=f"{slip.id}-{document.number}", day=slip.day, giver=slip.giver, taker=slip.taker,
                        origin=name, spans=shown,
                    )  # fmt: skip

    def _notices(self, change: Request) -> Iterator[NoticeEvent]:
        """Yield what the sellers of the party's serials tell it of a change of the report behind them."""
        told = self.told[change.id]
        origin = told[0].origin
        sellers = self.came.get(origin, {})
        for kind in dict.fromkeys(one.changed for one in told):
            concerned = [(one.start, one.stop) for one in told if one.changed is kind]
            reached = [(giver, spans) for giver, came in sellers.items() if (spans := _shared(came, concerned))]
            for giver, spans in reached:
                last = giver == reached[-1][0]
                if not last and kind in STANDINGS and kind not in ENDING:
                    continue  # one word suspends or reinstates the whole report
                # The report is withdrawn once; what came from another seller ends all the same.
                said = kind if last or kind is not NoticeKind.WITHDRAWN else NoticeKind.FEWER_BUSHELS
                ci = getattr(change, "ci", None) if kind is NoticeKind.WORSE_CI else None
                number = f"{change.id}/{self.party}"
                yield NoticeEvent(
                    id=f"notice-{giver}-{number}-{kind}", day=change.day, actor=change.actor, giver=giver,
                    taker=self.party, number=number, origin=origin, reason=said, spans=spans, ci=ci,
                    report=str(getattr(change, "report", "")),
                )  # fmt: skip


def _shared(came: list[Span], concerned: list[Span]) -> tuple[Span, ...]:
    """Return the serials that are in both lists of spans."""
    pairs = ((max(a, c), min(b, d)) for a, b in joined(came) for c, d in joined(concerned))
    return tuple((start, stop) for start, stop in pairs if start < stop)


def _records(kind: type[R], keys: Sequence[str]) -> Iterator[R]:
    """Yield the records of a kind under some keys."""
    for start in range(0, len(keys), KEYS_AT_ONCE):
        found = CustodyRecord.objects.filter(kind=kind.kind, key__in=keys[start : start + KEYS_AT_ONCE])
        for text in found.values_list("text", flat=True):
            yield read_record(kind, json.loads(text))


def _named(one: Plain) -> set[str]:
    """Return whom an event names."""
    return {one[name] for name in NAMES if one.get(name)}


def _document_id(seller: str, sale: str) -> str:
    return f"document-{seller}-{sale}"
