"""A trader's key in a real browser: made, sealed, it signs the statement of a period and hands over to another."""

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, expect

from provender.database.models.farm import PartyKey, SignedDocument
from tests.web.cast import Cast
from tests.web.custody_season import Season
from tests.web.watch import Watched, watching

pytestmark = [pytest.mark.slow, pytest.mark.browser, pytest.mark.xdist_group("browser")]

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
        window.look("custody-statement-signed")
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
