"""The same chain as four houses keep it: a book each, joined by nothing but signed documents."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, Final

from provender.custody.book_file import BookFile, create_book, open_book
from provender.custody.documents.book_mark import marked
from provender.custody.documents.build import slip_document, transfer_document
from provender.custody.documents.receive import ReceivedDocument, enter_document, events_of, open_document
from provender.custody.documents.sign import sign_document
from provender.custody.events.registry import read_event
from provender.custody.model.event import Event
from provender.custody.model.statuses import Status
from provender.demo.chain import TRADERS, Chain
from provender.demo.farms import Report
from provender.demo.handles import COOP, ETHANOL
from provender.demo.keys import demo_key

_OWN: Final = frozenset(
    {"period", "yield", "crush", "receipt", "shipment", "measurement", "loss", "retire", "process", "close", "contract"}
)
_FARMGATE: Final = frozenset({"purchase", "purchase_pending", "assign"})


@dataclass(slots=True)
class Papers:
    """The signed documents that went between the houses.

    Attributes:
        slips: sale slips of farms, by number.
        transfers: transfer documents of traders, by number.
        held: by trader, what its office keeps: documents given and received, by file name without ending.
    """

    slips: dict[str, dict[str, Any]] = field(default_factory=dict)
    transfers: dict[str, dict[str, Any]] = field(default_factory=dict)
    held: dict[str, dict[str, Any]] = field(default_factory=dict)

    def hold(self, trader: str, name: str, envelope: dict[str, Any]) -> None:
        """File a document with a trader."""
        self.held.setdefault(trader, {})[name] = envelope


@contextmanager
def kept_books(chain: Chain, reports: list[Report], folder: Path) -> Iterator[tuple[dict[str, BookFile], Papers]]:
    """Write the four books, every event and document taken in as its receiver's program would."""
    papers = Papers()
    folder.mkdir(parents=True)
    with ExitStack() as stack:
        books = {}
        for name in TRADERS:
            path = folder / f"{name}.jsonl"
            create_book(path, name)
            books[name] = stack.enter_context(open_book(path))
        _Keeper(chain, reports, books, papers).keep()
        yield books, papers


class _Keeper:
    """Walks through the chain's events and enters each where it belongs."""

    def __init__(self, chain: Chain, reports: list[Report], books: dict[str, BookFile], papers: Papers) -> None:
        self.chain, self.books, self.papers = chain, books, papers
        self.reports = {(one.farm, one.crop): one for one in reports}
        self.buyers = {str(one["origin"]): str(one["taker"]) for one in chain.events if one["type"] == "slip"}

    def keep(self) -> None:
        """Enter everything, in order."""
        for event in self.chain.events:
            kind = event["type"]
            if kind in _OWN:
                self._post(event["entity"], event)
            elif kind in _FARMGATE:
                self._post(event["taker"], event)
            else:
                getattr(self, f"_{kind}")(event)

    def _post(self, owner: str, event: dict[str, Any]) -> None:
        self._request(owner, read_event(event))

    def _request(self, owner: str, request: Event) -> None:
        outcome = self.books[owner].post(request)
        if not outcome.status.well:
            raise RuntimeError(f"{owner}, {request.id}: {outcome.status}: {outcome.message}")

    def _entity(self, event: dict[str, Any]) -> None:
        for owner in self.books:
            grower = event["entity"] not in TRADERS
            if not grower or owner in (COOP, ETHANOL):
                self._post(owner, event)

    def _statement(self, event: dict[str, Any]) -> None:
        self._post(event["entity"], event)

    def _report(self, event: dict[str, Any]) -> None:
        one = self.reports[event["entity"], event["crop"]]
        version = event.get("version", 1)
        envelope = one.envelope if version == 1 else one.amended or {}
        owner = self.buyers.get(one.origin, COOP)
        self._receive(owner, envelope, event["day"])
        self.papers.hold(owner, f"{one.farm}-{one.crop}-v{version}", envelope)

    def _share(self, event: dict[str, Any]) -> None:
        self._post(COOP, event)

    def _slip(self, event: dict[str, Any]) -> None:
        made = slip_document(self.chain.store, event["id"], as_of=date.fromisoformat(event["day"]))
        self.papers.slips[event["id"]] = sign_document(made, demo_key(event["giver"]))
        self._receive(event["taker"], self.papers.slips[event["id"]], event["day"])
        self.papers.hold(event["taker"], event["id"], self.papers.slips[event["id"]])

    def _sale(self, event: dict[str, Any]) -> None:
        giver = event["giver"]
        self._post(giver, event)
        book = self.books[giver]
        made = transfer_document(book.store, event["id"], as_of=date.fromisoformat(event["day"]))
        made = marked(made, book.lines)
        self.papers.transfers[event["id"]] = sign_document(made, demo_key(giver))
        self.papers.hold(giver, event["id"], self.papers.transfers[event["id"]])

    def _accept(self, event: dict[str, Any]) -> None:
        taker, letter = event["taker"], self.papers.transfers[event["movement"]]
        incoming = self._opened(taker, letter)
        self.papers.hold(taker, event["movement"], letter)
        content = incoming.content
        if content is None:
            raise RuntimeError(f"{event['movement']}: {incoming.problems[0]}")
        day = date.fromisoformat(event["day"])
        seller = letter["document"]["seller"]["id"]
        for request in events_of(content, self.books[taker].store, day=day, accept=False):
            self._request(taker, request)
        self._post(taker, {**event, "movement": f"document-{seller}-{event['movement']}"})

    def _opened(self, owner: str, envelope: object) -> ReceivedDocument:
        return open_document(envelope, self.books[owner].store, owner, "document", demonstration=True)

    def _receive(self, owner: str, envelope: object, day: str) -> None:
        book, incoming = self.books[owner], self._opened(owner, envelope)
        if incoming.content is None:
            raise RuntimeError(f"{owner}: {incoming.problems[0]}")
        for one in enter_document(incoming, book.store, book.post, day=date.fromisoformat(day)):
            if one.outcome.status is not Status.POSTED:
                raise RuntimeError(f"{owner}, {one.request.id}: {one.outcome.status}: {one.outcome.message}")
