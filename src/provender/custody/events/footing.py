"""What an entry rests on, decided from what the book holds, and the entries that show it (interpretation 87).

In a book of one party whatever stands for somebody else's signature needs that party's paper: signed by a key that a
contract in the book pins, or on file where nobody can check it. In a book that all parties share each enters what is
its own; only what was typed there for a party without an account is marked so by the server.

Typed verifies nothing: what came by it is held unverified until the paper is in the book.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from provender.custody.events import rules
from provender.custody.model.entities import Contract, fingerprint_of
from provender.custody.model.event import Event, Footing, Record, RestsOn, weakest
from provender.custody.model.lots import Lot, LotState, Origin, OriginKind, origin_name
from provender.custody.model.store_view import StoreView

OUTSIDERS: Final = frozenset({"statement", "document", "opening"})
"""Papers of people who may not have this program: a file of it counts as on file."""


@dataclass(frozen=True, slots=True)
class Footed(Record, kind="footing", key="about", group="holder/footing"):
    """The footing of an entry that stands for somebody else's word, or for opening stock."""

    about: str  # what it says something of, ``about_of``
    event: str  # the entry
    footing: Footing
    paper: str  # hash of its paper; empty where none is named
    holder: str  # whose book has it; where all share one, the buyer or whom it is about


@dataclass(frozen=True, slots=True)
class FileOnRecord(Record, kind="file", key="entity/sha256"):
    """A file that somebody had when it was put on record: it is evidence for its owner alone."""

    sha256: str
    name: str
    entity: str  # who had it


@dataclass(frozen=True, slots=True)
class OpeningStock(Record, kind="opening", key="entity/site/form/crop/harvest_year/ci"):
    """The first declaration of one kind of opening stock; a second one shows nothing."""

    entity: str
    site: str
    form: str
    crop: str
    harvest_year: int
    ci: int
    event: str


def about_of(request: Event) -> str:
    """Return what an entry says something of, as its footing is found by; a later one about the same replaces it."""
    said = {name: getattr(request, name, "") for name in ("entity", "giver", "number", "crop", "harvest_year")}
    keys = {
        "report": f"{said['entity']}/{said['crop']}/{said['harvest_year']}/{getattr(request, 'version', 0)}",
        "document": f"{said['giver']}/{said['number']}",
        "notice": f"{said['giver']}/{said['number']}",
        "statement": f"{said['entity']}/{said['number']}",
        "opening": f"{said['entity']}/{said['number']}",
    }
    return f"{request.type}/{keys.get(request.type, request.id)}"


def paper_of(request: Event) -> str:
    """Return the hash of the paper that an entry names."""
    return str(getattr(request, "report", getattr(request, "evidence", "")))


def footing_of(facts: StoreView, request: Event, *, file: str = "") -> Footing:
    """Return what an entry rests on, from what is in the book and perhaps a file that is put on record now."""
    if request.rests_on is RestsOn.EVIDENCE:
        return _on_evidence(facts, request, file)
    speaker = request.word_of()
    if speaker in ("", facts.owner):
        return Footing.OWN
    signed_by = str(getattr(request, "signed_by", ""))
    # In a book that all share the server has checked the key when it took the paper in.
    if signed_by and (not facts.owner or signed_by in _pinned(facts, speaker)):
        return weakest([Footing.CHECKED, getattr(request, "weakest", Footing.OWN)])
    holder = facts.owner or str(getattr(request, "typed_by", ""))
    by_hand = request.type in OUTSIDERS and (bool(signed_by) or _on_file(facts, holder, paper_of(request), file))
    if by_hand and (request.type == "statement" or not signed_by):
        return Footing.ON_FILE
    return Footing.TYPED if facts.owner or getattr(request, "typed_by", "") else Footing.OWN


def _pinned(facts: StoreView, speaker: str) -> set[str]:
    """Return the keys that the book's contracts pin to somebody; whether one ran on a paper's day was asked with it."""
    held = (one for one in facts.many(Contract, facts.owner) if one.counterparty == speaker and one.signing_key)
    return {fingerprint_of(one.signing_key) for one in held}


def _on_file(facts: StoreView, holder: str, sha256: str, now: str) -> bool:
    on_record = FileOnRecord(sha256, "", holder)
    return bool(sha256) and (sha256 == now or facts.one(FileOnRecord, on_record.key) is not None)


def _on_evidence(facts: StoreView, request: Event, file: str) -> Footing:
    """Return the footing of opening stock: on file once for each kind of it, before anything else was in its stock."""
    first = first_of_kind(facts, request)
    known, moved = facts.posted(request.id), facts.first_moved(first.entity)
    late = moved is not None and (known is None or moved.number < known.number)
    proved = first.event == request.id and _on_file(facts, first.entity, paper_of(request), file)
    return Footing.ON_FILE if proved and not late else Footing.TYPED


def first_of_kind(facts: StoreView, opening: Any) -> OpeningStock:  # noqa: ANN401 - an ``OpeningEvent``
    """Return the first declaration of an opening stock's kind: this one where there is none before it."""
    entity, lots = rules.entity_of(facts, opening.entity), facts.lots_by(opening.id)
    site = lots[0].site if lots else rules.site_of(facts, entity, opening.site)
    kind = (opening.form or opening.crop, opening.crop, opening.harvest_year, opening.ci)
    mine = OpeningStock(entity.id, site, *kind, opening.id)
    return facts.one(OpeningStock, mine.key) or mine


def footed(facts: StoreView, request: Event, footing: Footing) -> Footed:
    """Return the record of an entry's footing."""
    holder = facts.owner or str(getattr(request, "taker", "") or getattr(request, "entity", ""))
    return Footed(about_of(request), request.id, footing, paper_of(request), holder)


def typed_of(facts: StoreView, holder: str) -> Sequence[Footed]:
    """Return what was typed into somebody's book, the first stated first."""
    return facts.many(Footed, f"{holder}/{Footing.TYPED}")


# Which of them a lot rests on: the paper by which it came to its owner, and what stands behind that in this book.


def grounds(facts: StoreView, lot: Lot, before_trade: str = "") -> Iterator[Footed]:
    """Yield what a lot rests on in this book, but for its supplier's verification; not what is its owner's own.

    What is behind a paper of another house, that paper says (``weakest``); in a book that all share every trade counts.
    """
    origin = facts.one(Origin, lot.origin)
    if origin is not None and origin.source is OriginKind.OPENING:
        yield from _found(facts, f"opening/{origin.issuer}/{origin.number}")
    trades = rules.trades_of(facts, lot, before_trade)
    for name in trades[-1:] if facts.owner else trades:
        posted = facts.posted(name)
        if posted is not None and (slip := str(getattr(posted.request, "slip", ""))):
            yield from slip_grounds(facts, slip, origin)
        elif posted is not None and posted.request.type == "document":
            yield from document_grounds(facts, posted.request)


def slip_grounds(facts: StoreView, slip: str, origin: Origin | None) -> Iterator[Footed]:
    """Yield what a purchase by a slip rests on: the slip, and the report in force; where all share, both are own."""
    if not facts.owner:
        return
    yield from _found(facts, f"slip/{slip}")
    if origin is not None and origin.source is OriginKind.REPORT:
        name = origin_name(origin.issuer, origin.crop, origin.harvest_year)
        yield from _found(facts, f"report/{name}/{origin.version}")


def document_grounds(facts: StoreView, document: Event) -> Iterator[Footed]:
    """Yield what a transfer document in the book rests on."""
    yield from _found(facts, about_of(document))


def _found(facts: StoreView, about: str) -> Iterator[Footed]:
    found = facts.one(Footed, about)
    if found is not None:
        yield found


UNVERIFIED_SAID: Final = " It is unverified until the signed paper is in the book."


def state_on(found: Iterator[Footed]) -> LotState:
    """Return how something is held that rests on some entries: typed verifies nothing."""
    return LotState.HELD if all(one.footing.verifies for one in found) else LotState.UNVERIFIED
