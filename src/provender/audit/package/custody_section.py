"""The entities of a package: their books replayed line by line, and the documents that others hold against them.

A book on disk holds requests only; every lot, balance and yield is decided again while it is replayed. What an entity
claimed of the outcome stands in signed documents: transfer documents, sale slips, statements of closed periods, and the
farm reports behind its incoming lots.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final

from provender.audit.outcome import Form, fits, inside
from provender.audit.package.contents import HELD, PackageContents, once
from provender.audit.package.layout import BOOK, ENTRIES, Part, part_of
from provender.custody.book_file import BookLine, fits_seal, read_header
from provender.custody.documents.build import PERIOD, RESTATEMENT, SLIP, TRANSFER
from provender.custody.documents.consents import ACTS, NOTICE, issuer_of
from provender.custody.documents.read import head_before, header_of
from provender.custody.documents.receive import TYPS
from provender.custody.documents.refiner_figures import FIGURES
from provender.custody.events.closing import Closing
from provender.custody.events.registry import decide, post, read_posted
from provender.custody.events.trade import CONSENT
from provender.custody.model.entities import Contract
from provender.custody.model.event import Event, Refusal, Status
from provender.custody.model.lots import LotState
from provender.custody.store import MemoryStore, read_line
from provender.problem import ProblemsError
from provender.signing.canonical import read_json
from provender.signing.jws import Checked, check
from provender.signing.keys import PublicKey

_FORM: Final[Form] = {
    "type": str, "number": str, "made_on": date, "start": date, "seller": dict, "seller/id": str, "buyer": dict,
    "buyer/id": str, "refiner": dict, "refiner/id": str, "end": date, "crops": list, "crops/*": dict,
    "periods": list, "periods/*": dict, "batches": list, "batches/*": dict, "changes": list, "changes/*": dict,
    "spans": list, "spans/*": dict, "entity": dict, "entity/id": str, "lines": list, "lines/*": dict,
    "lines/*/origin": str,
    "balance": dict, "balance/lines": list, "balance/lines/*": dict, "balance/lines/*/forms": list,
    "balance/lines/*/forms/*": dict, "verification": dict, "book": dict,
    "book/head": str, "book/lines": int, "book/roots": dict, "book/of": str,
}  # fmt: skip
ASKED: Final[Mapping[str, tuple[str, ...]]] = {
    TRANSFER: ("number", "seller/id", "buyer/id", "lines"),
    SLIP: ("number", "seller/id", "buyer/id"),
    PERIOD: ("number", "entity/id", "start", "balance/lines"),
    RESTATEMENT: ("number", "entity/id", "start", "balance/lines"),
    NOTICE: ("number", "seller/id", "buyer/id", "changes", "made_on"),
    CONSENT: ("number", "seller/id", "buyer/id", "spans", "made_on"),
    FIGURES: ("number", "refiner/id", "start", "end", "crops", "periods", "batches", "lots", "made_on"),
}


@dataclass(frozen=True, slots=True)
class Fault:
    """A line of a book that does not stand."""

    line: int  # its number, from 1
    what: str  # ``seal``, ``unreadable``, or the status that refuses the event
    event: Mapping[str, Any]  # the event as written; empty where it cannot be read
    message: str  # the reason in whole sentences


@dataclass(frozen=True, slots=True)
class Entry:
    """What an entity entered into a shared book: the line, and the event as it was entered."""

    line: BookLine
    event: Mapping[str, Any]


@dataclass
class EntityBook:
    """A book replayed."""

    entity: str  # whose, by the header
    prefix: str  # its folder
    store: MemoryStore = field(default_factory=MemoryStore)  # every event that stands
    requests: list[Event] = field(default_factory=list)  # these events, in order
    faults: list[Fault] = field(default_factory=list)  # lines that do not stand
    sealed: list[BookLine] = field(default_factory=list)  # every line that could be read, as it is sealed
    lines: int = 0  # how many lines there are
    # acts in another party's name that stand without its paper, since the book says that it was shared
    alone: list[str] = field(default_factory=list)
    shared: bool = False  # it was taken out of a book that many share
    # what the entity entered itself into a shared book, as a chain of its own
    entries: list[Entry] = field(default_factory=list)

    @property
    def bound(self) -> list[BookLine]:
        """Return the lines that papers carry the head of."""
        return [entry.line for entry in self.entries] if self.shared else self.sealed


@dataclass(frozen=True, slots=True)
class PaperFile:
    """A signed document of subpart D."""

    path: str  # in the package
    prefix: str  # the folder of the entity that holds it; empty for what the verifier brought
    envelope: Mapping[str, Any]  # as read
    document: Mapping[str, Any]  # its content

    @property
    def kind(self) -> str:
        return str(self.document["type"])

    @property
    def issuer(self) -> str:
        """Return who must have signed it."""
        return issuer_of(self.document)

    @property
    def number(self) -> str:
        return str(self.document["number"])

    @property
    def name(self) -> str:
        return f"{self.kind.removeprefix('custody-').replace('-', ' ')} {self.number} of {self.issuer}"

    def signed(self, keys: Mapping[str, PublicKey]) -> Checked:
        """Check its signature against pinned keys."""
        return check(self.envelope, keys, typ=TYPS[self.kind])


def closed_balances(case: PackageContents, party: str) -> frozenset[str]:
    """Return the hashes of the balances of a party's closed periods, as its own book gives them; none of a bad book."""
    book = books(case).get(party)
    return frozenset(one.digest for one in book.store.many(Closing, party)) if book and not book.faults else frozenset()


@once
def books(case: PackageContents) -> Mapping[str, EntityBook]:
    """Return every entity's book, replayed, by entity."""
    found = {}
    for entity, prefix in case.entities.items():
        path = f"{prefix}/{BOOK}"
        if path in case:
            found[entity] = replayed(EntityBook(entity, prefix), case[path])
            _read_entries(found[entity], case.get(f"{prefix}/{ENTRIES}", b""))
    return found


def _read_entries(book: EntityBook, raw: bytes) -> None:
    """Read what an entity entered itself, every line that keeps the chain; the first that breaks it is a fault."""
    head = head_before(book.entity)
    for number, line in enumerate(raw.decode("utf-8", errors="replace").splitlines(), 1):
        try:
            data: Any = read_line(line)
            event = data["event"] if number > 1 else data
            whole = data == header_of(book.entity) if number == 1 else fits_seal(head, data)
        except (Refusal, KeyError, TypeError, ValueError):
            whole = False
        if not whole:
            message = f"Line {number} of {ENTRIES} is not as it was sealed."
            book.faults.append(Fault(number, "seal", {}, message))
            return
        if number > 1:
            head = data["chain"]
            book.entries.append(Entry(BookLine.of(event, head), event))


MOST_FAULTS: Final = 5_000
"""So many are told of one book: a line of three bytes that is none takes a kilobyte to tell."""


def replayed(book: EntityBook, raw: bytes) -> EntityBook:
    """Replay the lines of a book, and note which do not stand."""
    head = ""
    text = raw.decode("utf-8", errors="replace")
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        if len(book.faults) > MOST_FAULTS:
            said = f"More than {MOST_FAULTS:,} faults stand before it; from here on no line was read."
            book.faults.append(Fault(number, "unreadable", {}, said))
            break
        try:
            data: Any = read_line(line)
        except Refusal as refused:
            book.faults.append(Fault(number, "unreadable", {}, refused.message))
            continue
        if number == 1:
            header = read_header(data)
            if header is None or header.entity != book.entity:
                book.faults.append(
                    Fault(1, "unreadable", {}, f"The first line is not that of a book of {book.entity}.")
                )
            else:
                head, book.store.owner = header.head, header.own
                book.shared = header.shared
            continue
        book.lines += 1
        event, chain = (data.get("event"), data.get("chain")) if isinstance(data, dict) else (None, None)
        event = event if isinstance(event, dict) else {}
        if not fits_seal(head, data):
            book.faults.append(Fault(number, "seal", event, "The line does not match its seal."))
        head = str(chain)
        book.sealed.append(BookLine.of(event, head))
        _post(book, number, event)
    return book


def _post(book: EntityBook, number: int, event: dict[str, Any]) -> None:
    try:
        request = read_posted(event)
        alone = _alone(book, request)
        outcome = post(book.store, request)
    except Refusal as refused:
        book.faults.append(Fault(number, str(refused.status), event, refused.message))
        return
    if outcome.status is Status.POSTED:
        book.requests.append(request)
        if alone:
            book.alone.append(f"book of {book.entity}, line {number}, {request.type} {request.id}: {alone}")
    else:
        book.faults.append(Fault(number, str(outcome.status), event, outcome.message))


def _alone(book: EntityBook, event: Event) -> str:
    """Return why an act in another's name counts without that one's paper; empty where it has one or needs none.

    A book says itself whether every party entered it: that is no paper of the other party. It is asked what the act
    would be in a book of this entity alone.
    """
    store = book.store
    if event.type not in (*ACTS, "settle") or store.owner:
        return ""
    store.owner = book.entity
    try:
        with store.reading() as view:
            outcome = decide(view, event)
        alone = any(lot.state is LotState.DISPUTED for lot in outcome.opened)
        alone |= outcome.status is Status.PAPER_NOT_SHOWN
    except Refusal as refused:
        alone = refused.status is Status.PAPER_NOT_SHOWN
    finally:
        store.owner = ""
    words = "the other party's signed paper is not there. Ask that party, or look into its book"
    return f"it counts because the book says that it was entered by every party; {words}." if alone else ""


@once
def papers(case: PackageContents) -> tuple[PaperFile, ...]:
    """Return every document of subpart D in the package or brought by the verifier."""
    found = []
    for path in case:
        if part_of(path) is Part.DOCUMENTS or path.startswith(HELD):
            prefix = "" if path.startswith(HELD) else "/".join(path.split("/")[:2])
            found += list(_paper(path, prefix, case.json(path)))
    return tuple(found)


def _paper(path: str, prefix: str, data: object) -> Iterator[PaperFile]:
    if not isinstance(data, dict):
        return
    document = inside(data)
    kind = document.get("type")
    if isinstance(kind, str) and kind in ASKED and fits(document, _FORM, ASKED[kind]):
        yield PaperFile(path, prefix, data, document)


@once
def signatures_of(case: PackageContents) -> Mapping[str, Checked]:
    """Return what each paper's signature is, by path: checked once, however many ask."""
    return {paper.path: paper.signed(case.pins.keys) for paper in papers(case)}


def contract_keys(case: PackageContents, party: str) -> tuple[tuple[str, frozenset[str]], ...]:
    """Return the keys that contracts in the books bind to a party: where each stands, and the fingerprints there.

    A contract that names a key names those that rotations put before and after it.
    """
    return _contract_keys(case).get(party, ())


@once
def _contract_keys(case: PackageContents) -> Mapping[str, tuple[tuple[str, frozenset[str]], ...]]:
    found: dict[str, tuple[tuple[str, frozenset[str]], ...]] = {}
    for entity, book in books(case).items():
        held: dict[str, set[str]] = {}
        for one in book.store.many(Contract, entity):
            if one.signing_key:
                held.setdefault(one.counterparty, set()).add(_fingerprint(one.signing_key))
        for party, kids in held.items():
            where = (f"the contract in the book of {entity}", case.key_statements.family(kids))
            found[party] = (*found.get(party, ()), where)
    return found


def _fingerprint(text: str) -> str:
    """Return the fingerprint that a contract names, given as such or as a whole key."""
    if not text.startswith("{"):
        return text
    try:
        return PublicKey.from_jwk(read_json(text.encode(), file="contract")).fingerprint
    except ProblemsError:
        return text
