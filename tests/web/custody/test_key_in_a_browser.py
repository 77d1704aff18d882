"""A trader's key in a real browser: made, sealed, it signs the document of a sale, which its buyer takes in."""

import json
from pathlib import Path

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Browser, expect

from provender.custody.documents.receive import enter_document, open_document
from provender.custody.memory_store import MemoryStore
from provender.custody.store import post
from provender.database.models.farm import PartyKey, SignedDocument
from provender.signing.jws import Status
from tests.custody.world import ev, posted
from tests.web.cast import Cast
from tests.web.custody_season import Season, days_ago
from tests.web.watch import TOLD_ON, Watched, Window, watching

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

PHRASE = "harvest rain gravel owl"


def make_key(window: Watched, cast: Cast) -> None:
    page = window.page
    window.open(reverse("custody_key", args=(cast.mill.handle,)))
    window.look("custody-key-none")
    page.get_by_label("New passphrase", exact=True).fill(PHRASE)
    page.get_by_label("New passphrase again").fill(PHRASE)
    page.get_by_role("button", name="Make and register the key").click()
    expect(page.get_by_text("is registered. Give it to your buyers")).to_be_visible(timeout=60_000)
    window.look("custody-key-made")


def own_book(cast: Cast, fingerprint: str) -> MemoryStore:
    """Return the book that the buyer keeps on a machine of its own, in which a contract pins the seller's key."""
    buyer, store = cast.elevator.handle, MemoryStore()
    start = {"start_day": days_ago(60), "end_day": days_ago(-20), "policy": "oldest_first"}
    posted(store, [
        ev("entity", "e-b", days_ago(100), entity=buyer, name="Stan", roles=["first_point"], sites=["scale"]),
        ev("entity", "e-s", days_ago(100), entity=cast.mill.handle, name="Mia", roles=["first_point"], sites=["north"]),
        ev("period", "p-b", days_ago(61), entity=buyer, **start),
        ev("contract", "k", days_ago(60), entity=buyer, counterparty=cast.mill.handle, role="supplier", number="K",
           start_day=days_ago(60), signing_key=fingerprint),
    ])  # fmt: skip
    return store


def taken_in(raw: object, store: MemoryStore, buyer: str) -> tuple[Status | None, list[str]]:
    """Return what checking the signature found, and how the buyer's book answers each event of the document."""
    incoming = open_document(raw, store, buyer, "transfer.json")
    if incoming.content is None or incoming.problems:
        return incoming.signature, []
    answers = enter_document(incoming, store, lambda one: post(store, one), day=timezone.localdate(), site="scale")
    return incoming.signature, [str(one.outcome.status) for one in answers]


@pytest.mark.parametrize("size", TOLD_ON)
def test_an_elevator_makes_its_key_signs_a_sale_and_the_buyer_takes_it_in(
    trade_stage: tuple[str, Cast, Season], browser: Browser, size: Window
) -> None:
    base, cast, _ = trade_stage
    with watching(browser, base, cast.person("owner"), window=size) as window:
        page = window.page
        make_key(window, cast)
        key = PartyKey.objects.get()
        expect(page.get_by_text(key.fingerprint)).to_be_visible()
        window.open(reverse("custody_sales", args=(cast.mill.handle,)))
        window.look("custody-sales-unsigned")
        page.get_by_role("link", name="Document").first.click()
        window.look("custody-document-to-sign")
        page.get_by_label("Passphrase").fill("harvest rain gravel ox")
        page.get_by_role("button", name="Sign the document").click()
        expect(page.get_by_text("This passphrase does not open the key")).to_be_visible(timeout=60_000)
        window.look("custody-document-wrong-passphrase")
        assert not SignedDocument.objects.exists()
        page.get_by_label("Passphrase").fill(PHRASE)
        page.get_by_role("button", name="Sign the document").click()
        expect(page.get_by_text("is signed and kept")).to_be_visible(timeout=60_000)
        window.look("custody-document-signed")
        with page.expect_download() as coming:
            page.get_by_role("link", name="JSON", exact=True).click()
        raw = json.loads(Path(coming.value.path()).read_text())
    assert taken_in(raw, own_book(cast, key.fingerprint), cast.elevator.handle) == (Status.VALID, ["posted", "posted"])
    other = own_book(cast, "A" * 43)
    assert taken_in(raw, other, cast.elevator.handle) == (Status.SIGNER_UNKNOWN, [])
    raw["document"]["amount"] = "5000"
    forged = taken_in(raw, own_book(cast, key.fingerprint), cast.elevator.handle)
    assert forged == (Status.SIGNATURE_WRONG, [])


@pytest.mark.slow
def test_a_period_statement_is_signed_and_the_key_hands_over(
    trade_stage: tuple[str, Cast, Season], browser: Browser
) -> None:
    base, cast, season = trade_stage
    with watching(browser, base, cast.person("owner"), window="laptop") as window:
        page = window.page
        make_key(window, cast)
        window.open(reverse("custody_statement", args=(cast.mill.handle,)) + f"?start={season.closed}")
        window.look("custody-statement-to-sign")
        page.get_by_label("Passphrase").fill(PHRASE)
        page.get_by_role("button", name="Sign the document").click()
        expect(page.get_by_text("is signed and kept")).to_be_visible(timeout=60_000)
        first = PartyKey.objects.get()
        assert SignedDocument.objects.get().fingerprint == first.fingerprint
        window.open(reverse("custody_key", args=(cast.mill.handle,)))
        page.get_by_label("Passphrase of the key in use").fill(PHRASE)
        page.get_by_label("New passphrase", exact=True).fill("another four plain words")
        page.get_by_label("New passphrase again").fill("another four plain words")
        page.get_by_role("button", name="Replace the key").click()
        expect(page.get_by_text("is registered. Give it to your buyers")).to_be_visible(timeout=60_000)
        window.look("custody-key-replaced")
    newest, oldest = PartyKey.objects.all()
    assert (oldest.fingerprint, bool(newest.statement)) == (first.fingerprint, True)
