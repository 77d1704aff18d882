"""A party's own custody book, taken out of the book that all parties of this server share.

What a party would have in a book of its own: what it entered, what its farms reported and signed over to it, and the
sales to it as documents of the seller. What lies further up stays with the seller: whose farms stand behind it is a
business secret, and the serials show every overlap all the same (READINGS 45). A report that changes up there reaches
the party's book as it would by post: as the notice of the one who sold it the serials (READINGS 35, decision 0007).
"""

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from provender.custody.book import FORMAT, seal
from provender.custody.corrections import CorrectEvent
from provender.custody.digest import plain_event
from provender.custody.entities import Entity
from provender.custody.farmgate import SlipEvent
from provender.custody.incoming import DocumentEvent
from provender.custody.lots import LotState, Span, joined
from provender.custody.notices import ENDING, STANDINGS, NoticeEvent
from provender.custody.origins import Slip
from provender.custody.requests import Line, Request
from provender.custody.restatement import Notice, NoticeKind
from provender.custody.trade import SaleEvent
from provender.database.custody_facts import SqlFacts
from provender.database.custody_store import SqlStore
from provender.database.deeds.actor import Actor

GATE: Final = frozenset({"purchase", "purchase_pending", "assign", "slip", "share", "storage"})
OF_REPORTS: Final = frozenset({"report", "suspend", "reinstate", "withdraw"})
STATED: Final = frozenset({"entity", "statement"})


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


class _Projection:
    """Which events of the shared book a party's own book has, and how it would have entered them."""

    def __init__(self, facts: SqlFacts, party: str) -> None:
        self.facts, self.party = facts, party
        self.events = facts.events()
        mine = [one.request for one in self.events if party in named_in(one.request)]
        self.farms = {str(getattr(one, "giver", "")) for one in mine if one.type in GATE and _to(one) == party}
        shares = [one.request for one in self.events if one.request.type == "share"]
        # A landowner's bushels are those of a farm: its report and the share stand before the landowner's slip.
        self.landowners = {_to(one) for one in shares} & self.farms
        self.farms |= {_sides(one)[0] for one in shares if _to(one) in self.landowners}
        self.sold_here = {one.id: one for one in mine if isinstance(one, SaleEvent) and one.taker == party}
        self.own_sales = {one.id for one in mine if isinstance(one, SaleEvent) and one.giver == party}
        self.named = {name for one in mine for name in (*named_in(one), str(getattr(one, "counterparty", "")))}
        self.kept: set[str] = set()
        # Serials that came on documents of a seller so far, by origin and seller.
        self.came: dict[str, dict[str, list[Span]]] = defaultdict(lambda: defaultdict(list))
        self.told: dict[str, list[Notice]] = defaultdict(list)
        for entity in facts.many(Entity, ""):
            for notice in facts.many(Notice, entity.id):
                self.told[notice.number.rpartition("/notice/")[0]].append(notice)

    def requests(self) -> Iterator[Request]:
        """Yield the events of the party's book, in order."""
        for one in self.events:
            if self._belongs(one.request):
                self.kept.add(one.request.id)
                yield self._as_entered(one.request)
            elif one.request.type in OF_REPORTS:
                yield from self._notices(one.request)

    def _belongs(self, request: Request) -> bool:
        if request.type in STATED:
            return str(getattr(request, "entity", "")) in self.named | self.farms | {self.party}
        if request.type in OF_REPORTS:
            return str(getattr(request, "entity", "")) in self.farms
        if request.type == "share" and _to(request) in self.landowners:
            return True
        if request.type == "reject":
            return getattr(request, "movement", "") in self.own_sales | self.sold_here.keys()
        if isinstance(request, CorrectEvent):
            return request.movement in self.kept
        if request.type == "accept":
            return _to(request) == self.party
        return self.party in named_in(request) and (request.type not in GATE or self.party in _sides(request))

    def _as_entered(self, request: Request) -> Request:
        if isinstance(request, SlipEvent):
            slip = self.facts.one(Slip, request.id)
            return replace(request, spans=slip.spans) if slip else request
        if isinstance(request, SaleEvent) and request.id in self.sold_here:
            return self._document(request)
        movement = str(getattr(request, "movement", ""))
        if movement in self.sold_here:
            renamed: dict[str, Any] = {"movement": _document_id(self.sold_here[movement])}
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
            id=_document_id(sale), day=sale.day, actor=sale.actor, giver=sale.giver, taker=sale.taker, number=sale.id,
            lines=lines,
        )  # fmt: skip

    def _notices(self, change: Request) -> Iterator[NoticeEvent]:
        """Yield what the sellers of the party's serials tell it of a change of the report behind them."""
        told = self.told[change.id]
        origin = told[0].origin if told else ""
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


def named_in(request: Request) -> tuple[str, ...]:
    """Return whom an event names. Its ``parties`` are those to lock, and where that is everybody they name nobody."""
    return Request.parties(request)


def _shared(came: list[Span], concerned: list[Span]) -> tuple[Span, ...]:
    """Return the serials that are in both lists of spans."""
    pairs = ((max(a, c), min(b, d)) for a, b in joined(came) for c, d in joined(concerned))
    return tuple((start, stop) for start, stop in pairs if start < stop)


def _to(request: Request) -> str:
    return str(getattr(request, "taker", ""))


def _sides(request: Request) -> tuple[str, str]:
    return str(getattr(request, "giver", "")), _to(request)


def _document_id(sale: SaleEvent) -> str:
    return f"document-{sale.giver}-{sale.id}"
