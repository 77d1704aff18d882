"""One trade kept twice: in a book that all share, and in a book for each party, between which only papers travel.

A farm hands over its report and signed slips, a seller its signed transfer document, whoever gives back, refuses or
takes back an entry its signed consent, whoever knows of a changed report its notices. What the shared book takes in
every own book must take in; in the end both must come to the same.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, Final

from provender.custody.documents import consents
from provender.custody.documents.build import slip_document, transfer_document
from provender.custody.documents.read import SaleSlip, Transfer, read_slip, read_transfer
from provender.custody.documents.receive import document_events, events_of, open_document, sign_document
from provender.custody.documents.refiner_figures import figures_document
from provender.custody.events.closing import RetireEvent
from provender.custody.events.registry import post, read_event, read_posted
from provender.custody.events.reports import ReportEvent
from provender.custody.model.balances import BalanceLine, period_balances
from provender.custody.model.entities import Entity, Role
from provender.custody.model.event import Event as Request
from provender.custody.model.event import PaperEvent
from provender.custody.model.lots import LIVE, Lot, Origin, OriginKind, origin_name, subtract_spans
from provender.custody.model.store_view import StoreView
from provender.custody.reconcile.books import reconcile
from provender.custody.reconcile.discrepancies import Discrepancy, DiscrepancyKind
from provender.custody.reconcile.gathered import ReconcileInput
from provender.custody.store import MemoryStore
from provender.exact import show
from provender.problem import ProblemsError
from provender.signing.canonical import canonical_json
from tests.custody.papers import key_of
from tests.simulation.ledger import Event

CROPS: Final = ("soybeans", "corn")
WELL: Final = ("posted", "exists")


Serials = tuple[str, int, int]


@dataclass(slots=True)
class Trade:
    """A sale as it went: by which paper, how far, which serials of it did not come back, and which it brought back."""

    event: Event
    letter: dict[str, object]
    spans: tuple[Serials, ...]
    accepted: bool = False
    rounds: "tuple[Trade, ...]" = ()

    @property
    def taken(self) -> str:
        """Return what the buyer's own book calls it."""
        return f"document-{self.event['giver']}-{self.event['id']}"


def _signed(event: Request) -> Request:
    """Return an event as the program makes it of the paper that its speaker signed."""
    return replace(event, signed_by=key_of(event.word_of()).fingerprint) if isinstance(event, PaperEvent) else event


@dataclass(slots=True)
class Apart:
    """The shared book, the own books, and what did not go as it should.

    Attributes:
        shared: the book of all.
        own: by party.
        faults: an own book that refused what the shared one took in, in words.
        refused: what the shared book itself refused, with its answer.
        letters: every transfer document and slip that travelled.
        slips: of them the slips, as read.
        told: sales and what went back of them, as read from their papers, in order.
        trades: the sales that stand, oldest first.
    """

    shared: MemoryStore = field(default_factory=MemoryStore)
    own: dict[str, MemoryStore] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    refused: dict[str, int] = field(default_factory=dict)
    letters: list[dict[str, Any]] = field(default_factory=list)
    slips: list[SaleSlip] = field(default_factory=list)
    told: list[Transfer | consents.Consent] = field(default_factory=list)
    trades: list[Trade] = field(default_factory=list)
    posted: int = 0

    def begin(self, names: Sequence[str], events: Sequence[Event]) -> None:
        """Open the books, each with what everybody knows and with the keys of all the others."""
        self.own = {name: MemoryStore(name) for name in names}
        for event in events:
            on_paper = {"signed_by": "a verifier's key"} if event["type"] == "statement" else {}
            self.share(event)
            for name in names if event["type"] in ("entity", "statement") else [event["entity"]]:
                self._enter(name, read_posted({**event, **on_paper}))
        for me in names:
            for other in names:
                if me != other:
                    pin = {"counterparty": other, "role": "supplier", "number": f"keys of {other}"}
                    key = {"start_day": "2025-08-01", "signing_key": key_of(other).fingerprint}
                    self._enter(me, read_event({"type": "contract", "id": f"pin-{other}", "day": "2025-08-01",
                                                "entity": me, **pin, **key}))  # fmt: skip

    def _enter(self, who: str, request: Request) -> bool:
        outcome = post(self.own[who], request)
        if str(outcome.status) not in WELL:
            self.faults.append(f"{who} refuses {request}: {outcome.status}, {outcome.message}")
        return str(outcome.status) in WELL

    def _enter_each(self, requests: Iterable[tuple[str, Request]]) -> bool:
        """Enter all of them, also after one that was refused: what else goes wrong is told too."""
        return all([self._enter(who, request) for who, request in requests])  # noqa: C419 - each is entered

    def share(self, event: Event) -> bool:
        """Enter an event into the shared book, and tell whether it stands there."""
        outcome = post(self.shared, read_event(event))
        status = str(outcome.status)
        if status not in WELL:
            said = f"{event['type']}: {outcome.status}, {outcome.message}"
            self.refused[said] = self.refused.get(said, 0) + 1
        self.posted += status in WELL
        return status in WELL

    def together(self, event: Event, *who: str) -> bool:
        """Enter an event into the shared book, and where it stands into the books of some, as it is."""
        return self.share(event) and self._enter_each((one, read_event(event)) for one in who)

    def _receive(self, who: str, paper: dict[str, object], day: date, site: str = "", *, accept: bool = True) -> bool:
        """Take a paper into somebody's book."""
        book = self.own[who]
        incoming = open_document(paper, book, who, "paper.json")
        if incoming.content is None:
            self.faults.append(f"{who} cannot take a paper in: {[one.cause for one in incoming.problems]}")
            return False
        try:
            events = document_events(incoming, book, day=day, site=site, accept=accept)
        except ProblemsError as wrong:
            self.faults.append(f"{who} makes nothing of a paper: {wrong}")
            return False
        if isinstance(incoming.content, Transfer | consents.Consent):
            self._show(who, incoming.content)
        return self._enter_each((who, one) for one in events)

    def _show(self, who: str, paper: Transfer | consents.Consent) -> None:
        """Show somebody by which papers bushels came to who now gives them, as far as its book has seen them before."""
        book, spans = self.own[who], _spans_of(paper)
        kind = "document" if isinstance(paper, Transfer) else "consent"
        if book.posted(f"{kind}-{paper.seller}-{paper.number}"):
            return
        for slip in self.slips:
            origin = book.one(Origin, slip.origin)
            reported = origin is not None and origin.source is OriginKind.REPORT
            if slip.buyer == who or book.posted(slip.number) or not reported:
                continue
            if _common([(slip.origin, *one) for one in slip.spans], spans):
                self._enter(who, _signed(events_of(slip, book, day=paper.day)[0]))
        for shown in self.told:
            if shown.number == paper.number and type(shown) is type(paper):
                break
            if who in (shown.seller, shown.buyer):
                continue
            met = _common(_spans_of(shown), spans)
            if any(lot.owner == shown.seller for one in met for lot in book.lots_at(*one)):
                with suppress(ProblemsError):  # what it shows may be known by another way
                    post(book, _signed(events_of(shown, book, day=paper.day, accept=False)[-1]))

    # what goes from book to book

    def hand_over(self, farm: str, crop: str, year: int, taker: str, day: date) -> None:
        """Give a farm's report, all versions so far, to a trader that has not seen them."""
        group = origin_name(farm, crop, year)
        (origin,) = self.own[farm].many(Origin, group)
        seen = self.own[taker].many(Origin, group)
        known = len(seen[0].versions) if seen else 0
        for version in origin.versions[known:]:
            about: dict[str, Any] = {"entity": farm, "crop": crop, "harvest_year": year, "report": version.report}
            said = ReportEvent(id=f"report-{farm}-{crop}-{year}-v{version.number}", day=version.day, ci=version.ci,
                               bushels=version.bushels, version=version.number, salt=f"salt of {farm}, {crop} {year}",
                               **about)  # fmt: skip
            for event in events_of(said, self.own[taker], day=day):
                if self._enter(taker, _signed(event)):
                    self.tell(taker, event.id, day)

    def tell(self, sender: str, event: str, day: date) -> None:
        """Send on what a changed report means for those whom the sender sold to."""
        book = self.own[sender]
        for holder in consents.holders_to_notify(book, event, sender):
            try:
                notice = consents.notice_document(book, sender, event, holder, as_of=day)
            except ProblemsError:
                continue  # the sender gave it none of these: whoever did tells it
            known = self.own[holder].one(Origin, notice["origin"])
            if holder == sender or known is None or known.source is OriginKind.REPORT:
                continue  # who has the report itself is told by the farm
            before = {one.event.id for one in self.own[holder].events()}
            self._receive(holder, sign_document(notice, key_of(sender)), day)
            for one in self.own[holder].events():
                if one.event.id not in before:
                    self.tell(holder, one.event.id, day)

    def slip(self, event: Event) -> bool:
        """Let a farm sign bushels away, and give the paper to its buyer."""
        if not self.together(event, event["giver"]):
            return False
        day = date.fromisoformat(event["day"])
        paper = sign_document(slip_document(self.own[event["giver"]], event["id"], as_of=day), key_of(event["giver"]))
        self.letters.append(paper)
        said, _ = read_slip(paper["document"], "slip.json")
        assert said is not None
        self.slips.append(said)
        return self._receive(event["taker"], paper, day)

    def sell(self, event: Event) -> Trade | None:
        """Enter a sale with its seller, and send its paper to the buyer, who takes it in and has yet to accept."""
        if not self.together(event, event["giver"]):
            return None
        day = date.fromisoformat(event["day"])
        document = transfer_document(self.own[event["giver"]], event["id"], as_of=day)
        said, _ = read_transfer(document, "letter.json")
        assert said is not None
        spans = tuple((one.origin, one.start, one.start + one.bushels) for one in said.lines)
        out = (one for one in self.trades if one.event["giver"] == event["taker"] and _common(one.spans, spans))
        trade = Trade(event, sign_document(document, key_of(event["giver"])), spans, rounds=tuple(out))
        self.told.append(said)
        self.letters.append(trade.letter)
        self.trades.append(trade)
        self._receive(event["taker"], trade.letter, day, accept=False)
        return trade

    def accept(self, trade: Trade, name: str, day: date, site: str) -> None:
        """Take a sale into its buyer's stock."""
        taker = trade.event["taker"]
        event = {"type": "accept", "id": name, "day": day.isoformat(), "taker": taker, "site": site}
        trade.accepted = self.share({**event, "movement": trade.event["id"]})
        if trade.accepted:
            self._receive(taker, trade.letter, day, site)

    def undo(self, trade: Trade, event: Event) -> bool:
        """Let a buyer give back, refuse, or agree to take an entry back: its own book first, then by its paper."""
        giver, taker, day = trade.event["giver"], trade.event["taker"], date.fromisoformat(event["day"])
        mine = read_event({**event, "movement": trade.taken})
        if not self._possible(taker, mine):
            return False
        lots = [lot for lot in self.own[taker].lots_by(event["id"]) if lot.by == event["id"]]
        shared = {**event, "movement": trade.event["id"]}
        if event["type"] == "return":
            ranges = [
                {"origin": lot.origin, "start": show(lot.start), "stop": show(lot.stop), "pounds": show(lot.product)}
                for lot in lots
            ]
            shared = {**shared, "lots": ranges, "amount": "0"}
            trade.spans = tuple(
                (name, *span)
                for name, start, stop in trade.spans
                for span in subtract_spans(
                    [(start, stop)], [(lot.start, lot.stop) for lot in lots if lot.origin == name]
                )
            )
        if not self.share(shared):
            self.faults.append(f"the shared book refuses {shared}, which {taker} entered")
            return False
        paper = sign_document(consents.consent_document(self.own[taker], taker, event["id"], as_of=day), key_of(taker))
        said, _ = consents.read_consent(paper["document"], "consent.json")
        assert said is not None
        self.told.append(replace(said, signed=canonical_json(paper).decode()))
        return self._receive(giver, paper, day, event.get("site", ""))

    def _possible(self, who: str, request: Request) -> bool:
        outcome = post(self.own[who], request)
        if str(outcome.status) not in WELL:
            said = f"{request.type} in an own book: {outcome.status}"
            self.refused[said] = self.refused.get(said, 0) + 1
        return str(outcome.status) in WELL

    # what it comes to

    def differences(self) -> Iterator[str]:
        """Yield what is not the same in the shared book and in the own ones."""
        yield from self.faults
        for name, book in sorted(self.own.items()):
            entity = self.shared.one(Entity, name)
            if entity is None or Role.FARM in entity.roles:
                continue
            for one, other in zip(period_balances(self.shared, name), period_balances(book, name), strict=True):
                ours, theirs = [_of(line) for line in one.lines], [_of(line) for line in other.lines]
                if ours != theirs:
                    yield f"{name}, {one.start}: {_apart(ours, theirs)}"
            stock, its = _stock(self.shared, name), _stock(book, name)
            if stock != its:
                yield f"{name}: the stock is {_apart(stock, its)}"
            if Role.REFINER in entity.roles and any(
                isinstance(one.event, RetireEvent) and one.event.entity == name for one in self.shared.events()
            ):
                mine, own = (_fuel(one, entity) for one in (self.shared, book))
                if mine != own:
                    yield f"{name}: the fuel is {mine} and {own}"

    def side_by_side(self) -> list[Discrepancy]:
        """Lay all own books and every paper side by side."""
        gathered = ReconcileInput()
        for name, book in self.own.items():
            gathered.add_book(f"{name}.jsonl", book, book.events(), name)
        for number, letter in enumerate(self.letters):
            file = f"{number}.json"
            document = letter["document"]
            transfer, _ = read_transfer(document, file)
            slip, _ = read_slip(document, file)
            if isinstance(transfer, Transfer):
                gathered.add_transfer(file, transfer)
            elif slip:
                gathered.add_slip(file, slip)
        return reconcile(gathered)

    def false_alarms(self) -> Iterator[str]:
        """Yield what laying the books side by side tells, but for serials that did come round to one who sold them."""
        found = self.side_by_side()
        circles = [one for one in found if one.kind is DiscrepancyKind.CIRCULAR_TRADE]
        # A verifier keeps no book, and its statements are not among the papers: they are asked for.
        asked = "is shown to be signed: ask for the verification statements of"
        others = (one for one in found if one.kind is not DiscrepancyKind.CIRCULAR_TRADE and asked not in one.said)
        yield from (f"{one.kind}: {one.said}" for one in others)
        if bool(circles) is not self._goes_round():
            yield f"circular trade: {[one.said for one in circles] or 'none told, and there is one'}"

    def _goes_round(self) -> bool:
        """Tell whether somebody bought serials that it had sold before, whatever came back later."""
        standing = set(map(id, self.trades))
        return any(id(out) in standing for back in self.trades for out in back.rounds)


def _spans_of(paper: Transfer | consents.Consent) -> list[Serials]:
    if isinstance(paper, consents.Consent):
        return [(one.origin, one.start, one.stop) for one in paper.spans]
    return [(one.origin, one.start, one.start + one.bushels) for one in paper.lines]


def _common(some: Sequence[Serials], others: Sequence[Serials]) -> list[Serials]:
    met = (
        (one, max(low, start), min(high, stop))
        for one, low, high in some
        for name, start, stop in others
        if one == name
    )
    return [(name, start, stop) for name, start, stop in met if start < stop]


def _of(line: BalanceLine) -> tuple[object, ...]:
    """Return all that a line of a balance says: bushels by kind, pounds and bushels of each form."""
    sheets = {
        form: (one.beginning, one.incoming, one.outgoing) for form, one in line.sheets.items() if one != type(one)()
    }
    flows = {word: amount for word, amount in (*line.incoming.items(), *line.outgoing.items()) if amount}
    return line.key, line.beginning, flows, line.ending, line.unverified, sheets


def _stock(book: StoreView, name: str) -> list[tuple[object, ...]]:
    """Return what somebody has, with neighbours made one where nothing tells them apart but where they were cut."""
    lots = [lot for crop in CROPS for lot in book.lots_of(name, crop) if lot.state in LIVE]
    lots.sort(key=lambda lot: (lot.origin, lot.start))
    kept: list[Lot] = []
    for lot in lots:
        if kept and (kept[-1].origin, kept[-1].stop) == (lot.origin, lot.start) and _mark(kept[-1]) == _mark(lot):
            kept[-1] = replace(kept[-1], stop=lot.stop, product=kept[-1].product + lot.product)
        else:
            kept.append(lot)
    return [(lot.origin, lot.start, lot.stop, lot.product, *_mark(lot)) for lot in kept]


def _mark(lot: Lot) -> tuple[object, ...]:
    place = (lot.crop, lot.harvest_year, lot.form, lot.ci, str(lot.state), lot.site)
    return *place, lot.rate, lot.acquired, lot.titled, lot.supplier


def _fuel(book: StoreView, entity: Entity) -> tuple[object, ...]:
    days = (date(2025, 1, 1), date(2030, 1, 1))
    try:
        made = figures_document(book, entity, days, as_of=days[1])
    except ProblemsError:
        return ()
    return made["crops"], made["periods"], made["batches"]


def _apart(ours: Sequence[object], theirs: Sequence[object]) -> str:
    only = [one for one in ours if one not in theirs], [one for one in theirs if one not in ours]
    return f"{only[0][:3]} in the shared book and {only[1][:3]} in the own"
