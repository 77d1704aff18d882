"""Two books of one chain, with blinded origins and keys: what documents travel between."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from provender.custody.documents.build import transfer_document
from provender.custody.documents.receive import Answered, ReceivedDocument, enter_document, open_document, sign_document
from provender.custody.events.registry import post
from provender.custody.model.lots import origin_id
from provender.custody.reconcile.books import reconcile
from provender.custody.reconcile.discrepancies import Discrepancy, DiscrepancyKind
from provender.custody.reconcile.gathered import ReconcileInput
from provender.custody.store import MemoryStore
from provender.signing.keys import SigningKey
from tests.custody.world import CAST, bought, ev, favourable, posted, report

SALT = "a salt of sixteen bytes and more"
ADA = origin_id("ada", "soybeans", 2025, SALT)
DAY = date(2026, 2, 2)


def key_of(name: str) -> SigningKey:
    return SigningKey(Ed25519PrivateKey.from_private_bytes(name.encode().ljust(32, b".")[:32]))


def salted() -> dict[str, Any]:
    return {**report("ada", "soybeans", "10000", "5000"), "salt": SALT}


def elevator_book(*more: dict[str, Any]) -> MemoryStore:
    """The elevator bought 4,000 bu and sold 2,500 bu to the crusher on 1 February."""
    store = MemoryStore()
    sale = ev("sale", "s1", "2026-02-01", giver="coop", taker="crush", crop="soybeans", bushels="2500.5")
    events = [*CAST, salted(), *bought("p1", "ada", "coop", ADA, "4000", day="2026-01-10", site="north"), *more, sale]
    posted(store, events)
    return store


def buyer_book(*more: dict[str, Any], pin: str = "coop") -> MemoryStore:
    """The crusher's book, which pins a key of the elevator; it knows neither farm nor report."""
    store = MemoryStore()
    pinned = ev(
        "contract", "contract-coop", "2025-11-03", entity="crush", counterparty="coop", role="supplier",
        number="K1", start_day="2025-11-01", signing_key=key_of(pin).fingerprint,
    )  # fmt: skip
    posted(store, [*CAST, pinned, *more])
    return store


def letter(store: MemoryStore, movement: str = "s1", signer: str = "coop") -> dict[str, object]:
    return sign_document(transfer_document(store, movement, as_of=DAY), key_of(signer))


def take(store: MemoryStore, raw: object) -> tuple[ReceivedDocument, list[Answered]]:
    incoming = open_document(raw, store, "crush", "letter.json")
    if incoming.content is None:
        return incoming, []
    return incoming, enter_document(incoming, store, lambda one: post(store, one), day=DAY)


def changed(envelope: Mapping[str, Any], **fields: object) -> dict[str, object]:
    """A document altered after it was signed."""
    return {**envelope, "document": {**envelope["document"], **fields}}


def vouched() -> dict[str, Any]:
    return favourable("coop", "soybeans")


def owned(owner: str, store: MemoryStore) -> MemoryStore:
    """Let a book that was everybody's while it was filled be one party's own."""
    store.owner = owner
    return store


def gather_books(*books: tuple[str, MemoryStore]) -> ReconcileInput:
    gathered = ReconcileInput()
    for owner, store in books:
        gathered.add_book(f"{owner}.jsonl", store, store.events(), owner)
    return gathered


def told_of(gathered: ReconcileInput) -> list[Discrepancy]:
    """What is told of books, but that nothing behind them is shown to be signed: in these worlds nothing is."""
    unsigned = "Nothing here is shown to be signed"
    found = (one for one in reconcile(gathered) if not one.said.startswith(unsigned))
    return [one for one in found if one.kind is not DiscrepancyKind.TYPED_ENTRY]
