"""The same chain as four houses keep it: a book each, joined by nothing but signed documents."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, Final

from provender.audit.accreditation import Accreditation, Forum, Membership
from provender.audit.statement import Assurance, Opinion, Role, Statement
from provender.cli.custody_documents import statement_event
from provender.cli.prairie.chain import COOP, ETHANOL, TRADERS, VERIFIER, Chain
from provender.cli.prairie.farms import Report
from provender.cli.prairie.keys import demo_key
from provender.custody.book import Book, create_book, open_book
from provender.custody.decide import read_event
from provender.custody.documents import slip_document, transfer_document
from provender.custody.documents_sign import sign_document
from provender.custody.receiving import Incoming, enter_document, events_of, open_document
from provender.custody.requests import Request
from provender.custody.statuses import Status
from provender.signing.jws import sign

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
        statement: the elevator's verification statement.
    """

    slips: dict[str, dict[str, Any]] = field(default_factory=dict)
    transfers: dict[str, dict[str, Any]] = field(default_factory=dict)
    statement: dict[str, Any] = field(default_factory=dict)


def verification() -> Statement:
    """Return the made-up verification statement of the elevator."""
    forum = Membership(Forum.SUCCESSOR, date(2026, 1, 1), None, "made up for the example")
    accreditation = Accreditation(
        VERIFIER, "ISO 14065:2020", "An accreditor (made up)", "EXAMPLE-1", date(2024, 3, 1), date(2027, 2, 28), (),
        (forum,),
    )  # fmt: skip
    return Statement(
        number=f"PV-{COOP}",
        audited=COOP,
        audited_name="Prairie Cooperative Elevator",
        role=Role.FIRST_POINT,
        verifier=VERIFIER,
        lead_verifier="L. Example",
        independent_reviewer="R. Example",
        accreditation=accreditation,
        objectives="Show what a statement looks like; nobody was audited.",
        scope="Both sites, corn and soybeans; made up for the example.",
        criteria=("7 CFR part 2100, 90 FR 5512",),
        crops=("corn", "soybeans"),
        covered_first=date(2025, 10, 1),
        covered_last=date(2026, 12, 31),
        issued_on=date(2026, 1, 5),
        assurance=Assurance.REASONABLE,
        materiality_pct=5_000,
        materiality="Applied to claimed bushels of each CI.",
        farms=50,
        sampled=8,
        sample_hash="0" * 64,
        opinion=Opinion.FAVOURABLE,
        basis="Made up for the example.",
    )


@contextmanager
def kept_books(chain: Chain, reports: list[Report], folder: Path) -> Iterator[tuple[dict[str, Book], Papers]]:
    """Write the four books, every event and document taken in as its receiver's program would."""
    papers = Papers(statement=sign(verification().document(), demo_key(VERIFIER)))
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

    def __init__(self, chain: Chain, reports: list[Report], books: dict[str, Book], papers: Papers) -> None:
        self.chain, self.books, self.papers = chain, books, papers
        self.reports = {(one.farm, one.crop): one for one in reports}
        self.buyers = {str(one["giver"]): str(one["taker"]) for one in chain.events if one["type"] in _FARMGATE}

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

    def _request(self, owner: str, request: Request) -> None:
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
        envelope = one.envelope if event.get("version", 1) == 1 else one.amended
        owner = self.buyers.get(one.farm, COOP)
        self._receive(owner, envelope, event["day"])

    def _share(self, event: dict[str, Any]) -> None:
        self._post(COOP, event)

    def _slip(self, event: dict[str, Any]) -> None:
        made = slip_document(self.chain.store, event["id"], as_of=date.fromisoformat(event["day"]))
        self.papers.slips[event["id"]] = sign_document(made, demo_key(event["giver"]))
        self._receive(event["taker"], self.papers.slips[event["id"]], event["day"])

    def _sale(self, event: dict[str, Any]) -> None:
        giver = event["giver"]
        self._post(giver, event)
        proof = self.papers.statement if giver == COOP else None
        day = date.fromisoformat(event["day"])
        made = transfer_document(self.books[giver].store, event["id"], as_of=day, proof=proof)
        self.papers.transfers[event["id"]] = sign_document(made, demo_key(giver))

    def _accept(self, event: dict[str, Any]) -> None:
        taker, letter = event["taker"], self.papers.transfers[event["movement"]]
        incoming = self._opened(taker, letter)
        content = incoming.content
        if content is None:
            raise RuntimeError(f"{event['movement']}: {incoming.problems[0]}")
        day = date.fromisoformat(event["day"])
        seller = letter["document"]["seller"]["id"]
        proven = statement_event(verification(), day) if seller == COOP else None
        if proven and self.books[taker].store.posted(proven.id):
            proven = None
        for request in events_of(content, self.books[taker].store, day=day, accept=False, proven=proven):
            self._request(taker, request)
        self._post(taker, {**event, "movement": f"document-{seller}-{event['movement']}"})

    def _opened(self, owner: str, envelope: object) -> Incoming:
        return open_document(envelope, self.books[owner].store, owner, "document")

    def _receive(self, owner: str, envelope: object, day: str) -> None:
        book, incoming = self.books[owner], self._opened(owner, envelope)
        if incoming.content is None:
            raise RuntimeError(f"{owner}: {incoming.problems[0]}")
        for one in enter_document(incoming, book.store, book.post, day=date.fromisoformat(day)):
            if one.outcome.status is not Status.POSTED:
                raise RuntimeError(f"{owner}, {one.request.id}: {one.outcome.status}: {one.outcome.message}")
