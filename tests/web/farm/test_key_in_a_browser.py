"""The farm producer's key in a real browser: made, sealed, used; no request ever carries what is secret about it."""

import json
from collections.abc import Iterator

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page, Request, expect

from provender.database.models.farm import ProducerKey, ReportVersion, SignedSlip
from provender.report.typ import TYP
from provender.services.reports.drafts import envelope_of, versions_of
from provender.signing.jws import check
from provender.signing.keys import PublicKey, decode_base64url
from tests.web.cast import Cast
from tests.web.watch import TOLD_ON, Watched, Window, watching

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

PHRASE = "harvest rain gravel owl"
SPY = """
const { exportKey, wrapKey } = SubtleCrypto.prototype;
SubtleCrypto.prototype.wrapKey = async function (format, key, ...rest) {
  const jwk = await exportKey.call(this, "jwk", key);
  await window.tellTheTest(jwk.d);
  return wrapKey.call(this, format, key, ...rest);
};
"""
"""Reads the private key inside the page, so that the test knows what must never leave it."""


class Ear:
    """Hears every request of a page."""

    def __init__(self, page: Page) -> None:
        self.heard: list[str] = []
        page.on("request", self._hear)

    def _hear(self, request: Request) -> None:
        self.heard.append(f"{request.method} {request.url} {request.headers} {request.post_data or ''}")

    def carried(self, secret: str) -> list[str]:
        """Return the requests that carried a text."""
        return [text for text in self.heard if secret in text]


@pytest.fixture(params=TOLD_ON)
def window(request: pytest.FixtureRequest, farm_stage: tuple[str, Cast], browser: Browser) -> Iterator[Watched]:
    base, cast = farm_stage
    size: Window = request.param
    with watching(browser, base, cast.person("owner"), window=size) as found:
        yield found


def make_key(window: Watched, cast: Cast, phrase: str = PHRASE) -> None:
    page = window.page
    window.open(reverse("farm_key", args=(cast.farm.handle,)))
    page.get_by_label("New passphrase", exact=True).fill(phrase)
    page.get_by_label("New passphrase again").fill(phrase)
    page.get_by_role("button", name="Make and register the key").click()
    expect(page.get_by_text("is registered. Tell your buyers")).to_be_visible(timeout=60_000)


def sign_corn(window: Watched, cast: Cast, phrase: str = PHRASE) -> None:
    page = window.page
    window.open(reverse("farm_report", args=(cast.farm.handle, "corn", 2025)))
    page.get_by_label("I am the farm producer and attest").check()
    page.get_by_label("Passphrase").fill(phrase)
    page.get_by_role("button", name="Sign the report").click()


def test_a_key_is_made_and_signs_and_nothing_secret_leaves_the_page(
    farm_stage: tuple[str, Cast], window: Watched
) -> None:
    _, cast = farm_stage
    page, ear = window.page, Ear(window.page)
    secrets: list[str] = []

    def tell(secret: str) -> None:
        secrets.append(secret)

    page.expose_function("tellTheTest", tell)
    page.add_init_script(SPY)
    window.open(reverse("farm_key", args=(cast.farm.handle,)))
    page.get_by_label("New passphrase", exact=True).fill(PHRASE)
    page.get_by_label("New passphrase again").fill(PHRASE)
    page.get_by_role("button", name="Make and register the key").click()
    expect(page.get_by_text("is registered. Tell your buyers")).to_be_visible(timeout=60_000)
    window.keep("farm-key-made")
    sign_corn(window, cast)
    expect(page.get_by_text("is signed and kept")).to_be_visible(timeout=60_000)
    window.keep("farm-report-signed")
    assert window.axe() == []
    key = ProducerKey.objects.get()
    (version,) = versions_of(cast.book, "corn", 2025)
    pinned = {key.fingerprint: PublicKey.from_jwk(key.public)}
    assert check(envelope_of(version), pinned, typ=TYP).valid
    (secret,) = secrets
    _nowhere(ear, key, secret)


def _nowhere(ear: Ear, key: ProducerKey, secret: str) -> None:
    """Hold every request and every stored text against the private key in each of its spellings, and the passphrase."""
    raw = decode_base64url(secret)
    assert len(raw) == 32
    kept = json.dumps([key.public, key.sealed, key.statement])
    versions = "".join(version.document + version.signature for version in ReportVersion.objects.all())
    for spelling in (secret, raw.hex(), PHRASE, "MC4CAQAwBQYDK2Vw"):
        assert ear.carried(spelling) == []
        assert spelling not in kept + versions
    assert len([text for text in ear.heard if text.startswith("POST")]) == 3
    assert raw not in decode_base64url(key.sealed["sealed"])


def test_a_wrong_passphrase_is_told_and_the_right_one_works_after_it(
    farm_stage: tuple[str, Cast], window: Watched
) -> None:
    _, cast = farm_stage
    make_key(window, cast)
    sign_corn(window, cast, "harvest rain gravel ox")
    expect(window.page.get_by_text("This passphrase does not open the key")).to_be_visible(timeout=60_000)
    window.keep("farm-report-wrong-passphrase")
    assert not ReportVersion.objects.exists()
    window.page.get_by_label("Passphrase").fill(PHRASE)
    window.page.get_by_role("button", name="Sign the report").click()
    expect(window.page.get_by_text("is signed and kept")).to_be_visible(timeout=60_000)


def test_a_key_hands_over_to_the_next_one(farm_stage: tuple[str, Cast], window: Watched) -> None:
    _, cast = farm_stage
    page = window.page
    make_key(window, cast)
    page.get_by_label("Passphrase of the key in use").fill(PHRASE)
    page.get_by_label("New passphrase", exact=True).fill("another four plain words")
    page.get_by_label("New passphrase again").fill("another four plain words")
    page.get_by_role("button", name="Replace the key").click()
    expect(page.get_by_text("replaced")).to_be_visible(timeout=60_000)
    window.keep("farm-key-replaced")
    newest, oldest = ProducerKey.objects.all()
    assert newest.replaces == oldest.fingerprint
    sign_corn(window, cast, "another four plain words")
    expect(page.get_by_text("is signed and kept")).to_be_visible(timeout=60_000)


@pytest.mark.slow
def test_a_slip_is_signed_and_sells_what_it_says(farm_stage: tuple[str, Cast], window: Watched) -> None:
    _, cast = farm_stage
    page = window.page
    make_key(window, cast)
    sign_corn(window, cast)
    expect(page.get_by_text("is signed and kept")).to_be_visible(timeout=60_000)
    window.open(reverse("farm_sales", args=(cast.farm.handle,)))
    page.get_by_label("Buyer's code").fill(cast.elevator.handle)
    page.get_by_label("Bushels", exact=True).fill("46860.5")
    page.get_by_label("Passphrase").fill(PHRASE)
    page.get_by_role("button", name="Sign the slip").click()
    expect(page.locator("[data-told]")).to_contain_text("are free", timeout=60_000)
    window.complaints.clear()  # Chromium notes every 4xx in its console
    page.get_by_label("Bushels", exact=True).fill("1234.5")
    page.get_by_role("button", name="Sign the slip").click()
    expect(page.get_by_text("its serials are assigned to Stan's Elevator")).to_be_visible(timeout=60_000)
    window.keep("farm-slip-signed")
    assert json.loads(SignedSlip.objects.get().document)["bushels"] == "1234.5"


@pytest.mark.slow
@pytest.mark.parametrize(("first", "again", "words"), [("short", "short", "at least 12"), (PHRASE, "else", "differ")])
def test_a_poor_passphrase_makes_no_key(
    farm_stage: tuple[str, Cast], browser: Browser, first: str, again: str, words: str
) -> None:
    base, cast = farm_stage
    with watching(browser, base, cast.person("owner")) as window:
        window.open(reverse("farm_key", args=(cast.farm.handle,)))
        window.page.get_by_label("New passphrase", exact=True).fill(first)
        window.page.get_by_label("New passphrase again").fill(again)
        window.page.get_by_role("button", name="Make and register the key").click()
        expect(window.page.locator("[data-told]")).to_contain_text(words)
    assert not ProducerKey.objects.exists()
