"""An elevator at work in Chromium, on a laptop and on a phone: a preview, a refusal at its field, a sale, tickets.

A trader's key in a real browser: made, sealed, it signs the statement of a period and hands over to another.
"""

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, expect

from provender.database.models.farm import PartyKey, SignedDocument
from tests.web.cast import Cast
from tests.web.custody_season import Season
from tests.web.watch import TOLD_ON, Watched, Window, watching

pytestmark = [pytest.mark.slow, pytest.mark.browser, pytest.mark.xdist_group("browser")]


@pytest.mark.parametrize("size", TOLD_ON)
def test_a_sale_is_previewed_refused_and_made(
    trade_stage: tuple[str, Cast, Season], browser: Browser, size: Window
) -> None:
    base, cast, _ = trade_stage
    with watching(browser, base, cast.person("owner"), window=size) as window:
        page = window.page
        window.open(reverse("custody_sales", args=(cast.mill.handle,)))
        page.get_by_role("link", name="Sell", exact=True).click()
        page.get_by_label("Buyer").select_option(label="Stan's Elevator")
        page.get_by_label("Crop", exact=True).select_option("soybeans")
        form = page.get_by_label("Form", exact=True)
        assert page.get_by_label("Pounds of product").is_hidden(), "a form that is left out is the crop"
        form.select_option("soybean_oil")
        assert page.get_by_label("Bushels (bu)").is_hidden()
        page.get_by_label("Pounds of product").fill("5")
        page.keyboard.press("Tab")
        form.select_option("")
        assert page.get_by_label("Pounds of product").is_visible(), "what is filled is not hidden"
        page.get_by_label("Pounds of product").fill("")
        page.keyboard.press("Tab")
        page.get_by_role("button", name="Show 1 field that does not apply here").click()
        assert page.get_by_label("Pounds of product").is_visible()
        page.get_by_label("Bushels (bu)").fill("99,999")
        page.get_by_role("button", name="Preview").click()
        window.look("custody-refused")
        assert page.get_by_label("Bushels (bu)").input_value() == "99,999"
        page.get_by_label("Bushels (bu)").fill("1,250")
        page.get_by_role("button", name="Preview").click()
        window.look("custody-preview")
        much = "bu at CI 12,345.6789 g CO2e/bu on average, from 1,234 origins"
        page.locator(".taken small").evaluate("(small, much) => { small.textContent = much; }", much)
        wide, room = page.locator(".taken").evaluate("(taken) => [taken.scrollWidth, taken.clientWidth]")
        assert wide <= room, "what a sale takes goes on below, however much it is"
        page_wide = page.evaluate("[document.documentElement.scrollWidth, screen.width]")
        assert page_wide[0] <= page_wide[1]
        page.get_by_role("button", name="Sell", exact=True).first.click()
        page.get_by_role("link", name="Transfer document").click()
        window.look("custody-sold")
        window.complaints.clear()  # Chromium notes the 409 in its console


def test_enter_previews_and_beginning_as_last_time_keeps_what_was_typed(
    trade_stage: tuple[str, Cast, Season], browser: Browser
) -> None:
    base, cast, _ = trade_stage
    with watching(browser, base, cast.person("owner")) as window:
        page, sale = window.page, reverse("custody_enter", args=(cast.mill.handle, "sale"))
        window.open(sale)
        page.get_by_label("Buyer").select_option(label="Stan's Elevator")
        page.get_by_label("Crop", exact=True).select_option("soybeans")
        page.get_by_label("Site", exact=True).select_option("north")
        page.get_by_label("Bushels (bu)").fill("3")
        page.get_by_role("button", name="Preview").click()
        page.get_by_role("button", name="Sell", exact=True).first.click()
        window.open(sale)
        page.get_by_label("Bushels (bu)").fill("7")
        page.locator(".begin .link").first.click()
        assert page.get_by_label("Bushels (bu)").input_value() == "7"
        assert page.get_by_label("Crop", exact=True).input_value() == "soybeans"
        page.get_by_label("Bushels (bu)").press("Enter")
        page.get_by_role("heading", name="This is what would happen").wait_for()


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
