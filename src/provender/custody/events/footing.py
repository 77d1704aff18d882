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


def about_of(event: Event) -> str:
    """Return what an entry says something of, as its footing is found by; a later one about the same replaces it."""
    said = {name: getattr(event, name, "") for name in ("entity", "giver", "number", "crop", "harvest_year")}
    keys = {
        "report": f"{said['entity']}/{said['crop']}/{said['harvest_year']}/{getattr(event, 'version', 0)}",
        "document": f"{said['giver']}/{said['number']}",
        "notice": f"{said['giver']}/{said['number']}",
        "statement": f"{said['entity']}/{said['number']}",
        "opening": f"{said['entity']}/{said['number']}",
    }
    return f"{event.type}/{keys.get(event.type, event.id)}"


def paper_of(event: Event) -> str:
    return str(getattr(event, "report", getattr(event, "evidence", "")))


def footing_of(store: StoreView, event: Event, *, file: str = "") -> Footing:
    """Return what an entry rests on, from what is in the book and perhaps a file that is put on record now."""
    if event.rests_on is RestsOn.EVIDENCE:
        return _on_evidence(store, event, file)
    speaker = event.word_of()
    if speaker in ("", store.owner):
        return Footing.OWN
    signed_by = str(getattr(event, "signed_by", ""))
    # In a book that all share the server has checked the key when it took the paper in.
    if signed_by and (not store.owner or signed_by in _pinned(store, speaker)):
        return weakest([Footing.CHECKED, getattr(event, "weakest", Footing.OWN)])
    holder = store.owner or str(getattr(event, "typed_by", ""))
    by_hand = event.type in OUTSIDERS and (bool(signed_by) or _on_file(store, holder, paper_of(event), file))
    if by_hand and (event.type == "statement" or not signed_by):
        return Footing.ON_FILE
    return Footing.TYPED if store.owner or getattr(event, "typed_by", "") else Footing.OWN


def _pinned(store: StoreView, speaker: str) -> set[str]:
    """Return the keys that the book's contracts pin to somebody; whether one ran on a paper's day was asked with it."""
    held = (one for one in store.many(Contract, store.owner) if one.counterparty == speaker and one.signing_key)
    return {fingerprint_of(one.signing_key) for one in held}


def _on_file(store: StoreView, holder: str, sha256: str, now: str) -> bool:
    on_record = FileOnRecord(sha256, "", holder)
    return bool(sha256) and (sha256 == now or store.one(FileOnRecord, on_record.key) is not None)


def _on_evidence(store: StoreView, event: Event, file: str) -> Footing:
    """Return the footing of opening stock: on file once for each kind of it, before anything else was in its stock."""
    first = first_of_kind(store, event)
    known, moved = store.posted(event.id), store.first_moved(first.entity)
    late = moved is not None and (known is None or moved.number < known.number)
    proved = first.event == event.id and _on_file(store, first.entity, paper_of(event), file)
    return Footing.ON_FILE if proved and not late else Footing.TYPED


def first_of_kind(store: StoreView, opening: Any) -> OpeningStock:  # noqa: ANN401 - an ``OpeningEvent``
    """Return the first declaration of an opening stock's kind: this one where there is none before it."""
    entity, lots = rules.entity_of(store, opening.entity), store.lots_by(opening.id)
    site = lots[0].site if lots else rules.site_of(store, entity, opening.site)
    kind = (opening.form or opening.crop, opening.crop, opening.harvest_year, opening.ci)
    mine = OpeningStock(entity.id, site, *kind, opening.id)
    return store.one(OpeningStock, mine.key) or mine


def footed(store: StoreView, event: Event, footing: Footing) -> Footed:
    holder = store.owner or str(getattr(event, "taker", "") or getattr(event, "entity", ""))
    return Footed(about_of(event), event.id, footing, paper_of(event), holder)


def typed_of(store: StoreView, holder: str) -> Sequence[Footed]:
    """Return what was typed into somebody's book, the first stated first."""
    return store.many(Footed, f"{holder}/{Footing.TYPED}")


# Which of them a lot rests on: the paper by which it came to its owner, and what stands behind that in this book.


def grounds(store: StoreView, lot: Lot, before_trade: str = "") -> Iterator[Footed]:
    """Yield what a lot rests on in this book, but for its supplier's verification; not what is its owner's own.

    What is behind a paper of another party, that paper says (``weakest``); in a book that all share every trade counts.
    """
    origin = store.one(Origin, lot.origin)
    if origin is not None and origin.source is OriginKind.OPENING:
        yield from _found(store, f"opening/{origin.issuer}/{origin.number}")
    trades = rules.trades_of(store, lot, before_trade)
    for name in trades[-1:] if store.owner else trades:
        posted = store.posted(name)
        if posted is not None and (slip := str(getattr(posted.event, "slip", ""))):
            yield from slip_grounds(store, slip, origin)
        elif posted is not None and posted.event.type == "document":
            yield from document_grounds(store, posted.event)


def slip_grounds(store: StoreView, slip: str, origin: Origin | None) -> Iterator[Footed]:
    """Yield what a purchase by a slip rests on: the slip, and the report in force; where all share, both are own."""
    if not store.owner:
        return
    yield from _found(store, f"slip/{slip}")
    if origin is not None and origin.source is OriginKind.REPORT:
        name = origin_name(origin.issuer, origin.crop, origin.harvest_year)
        yield from _found(store, f"report/{name}/{origin.version}")


def document_grounds(store: StoreView, document: Event) -> Iterator[Footed]:
    yield from _found(store, about_of(document))


def _found(store: StoreView, about: str) -> Iterator[Footed]:
    found = store.one(Footed, about)
    if found is not None:
        yield found


UNVERIFIED_SAID: Final = " It is unverified until the signed paper is in the book."


def state_on(found: Iterator[Footed]) -> LotState:
    """Return how something is held that rests on some entries: typed verifies nothing."""
    return LotState.HELD if all(one.footing.verifies for one in found) else LotState.UNVERIFIED
