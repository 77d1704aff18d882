"""Each role does its deed in a real browser at the size of a phone, and somebody signs in with a passkey."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from provender.custody.documents.build import TRANSFER
from provender.custody.documents.receive import TYPS
from provender.database.models.accounts import Organisation
from provender.database.models.farm import PartyKey, ProducerKey, ReportVersion, SignedDocument
from provender.report.typ import TYP
from provender.services.reports.drafts import envelope_of
from provender.signing.jws import Status, check
from provender.signing.keys import PublicKey
from tests.web.cast import PASSWORD, Cast, make_cast
from tests.web.custody_season import Season
from tests.web.farm_season import fill_season
from tests.web.story.farm import PHRASE, sign_the_report
from tests.web.story.stage import PATIENCE, Desk, Stage
from tests.web.watch import PHONE, watching

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


def test_each_role_does_its_deed(trade_stage: tuple[str, Cast, Season], browser: Browser, tmp_path: Path) -> None:
    base, cast, _ = trade_stage
    fill_season(cast)
    stage = Stage(base, browser, "phone", tmp_path)
    with sitting(stage, cast, "owner", cast.farm) as desk:
        sign_the_report(desk)
    key = PublicKey.from_jwk(ProducerKey.objects.get().public)
    signed = check(envelope_of(ReportVersion.objects.get()), {key.fingerprint: key}, typ=TYP)
    assert signed.status is Status.VALID
    with sitting(stage, cast, "owner", cast.mill) as desk:
        document = make_a_key_and_sign_a_sale(desk)
    trader = PublicKey.from_jwk(PartyKey.objects.get().public)
    assert check(document, {trader.fingerprint: trader}, typ=TYPS[TRANSFER]).status is Status.VALID
    with sitting(stage, cast, "writer", cast.mill) as desk:
        process(desk)
        retire(desk)
    with sitting(stage, cast, "verifier_in", cast.verifier) as desk:
        raise_a_finding(desk)
    assert cast.audit.entries.filter(kind="finding").count() == 2


@contextmanager
def sitting(stage: Stage, cast: Cast, part: str, organisation: Organisation) -> Iterator[Desk]:
    """Open the overview of an organisation as somebody who has signed in."""
    with watching(stage.browser, stage.base, cast.person(part), window=stage.size) as window:
        window.page.set_default_timeout(PATIENCE)
        window.open(reverse("organisation", args=(organisation.handle,)))
        yield Desk(stage, window, part)


def make_a_key_and_sign_a_sale(desk: Desk) -> Any:  # noqa: ANN401 - JSON
    """Do as an elevator does; return the document that its buyer gets."""
    page = desk.page
    desk.go("Signing key")
    page.get_by_label("New passphrase", exact=True).fill(PHRASE)
    page.get_by_label("New passphrase again").fill(PHRASE)
    desk.press("Make and register the key")
    expect(page.get_by_text("is registered. Give it to your buyers")).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_text(PartyKey.objects.get().fingerprint)).to_be_visible()
    desk.go("Sales")
    page.get_by_role("link", name="Document").first.click()
    page.get_by_label("Passphrase").fill("harvest rain gravel ox")
    desk.press("Sign the document")
    expect(page.get_by_text("This passphrase does not open the key")).to_be_visible(timeout=PATIENCE)
    assert not SignedDocument.objects.exists()
    page.get_by_label("Passphrase").fill(PHRASE)
    desk.press("Sign the document")
    expect(page.get_by_text("is signed and kept")).to_be_visible(timeout=PATIENCE)
    with page.expect_download() as coming:
        page.get_by_role("link", name="JSON", exact=True).click()
    return json.loads(Path(coming.value.path()).read_text())


def process(desk: Desk) -> None:
    """Turn crop into product, as a processor does."""
    desk.go("Movements")
    desk.press("Process")
    desk.enter("Process", crop="soybeans", bushels="100", output="soybean_oil", site="plant")
    desk.reads("1,120")


def retire(desk: Desk) -> None:
    """End claims in a batch of fuel, as a refiner does."""
    desk.go("Movements")
    desk.press("Retire into fuel")
    said = {"crop": "soybeans", "form": "soybean_oil", "pounds": "1000", "site": "plant"}
    desk.enter("Retire", **said, fuel="Renewable diesel", batch="E-2026-47", gallons="130")
    desk.reads("E-2026-47")


def raise_a_finding(desk: Desk) -> None:
    desk.go("Audits")
    desk.page.locator("main table").get_by_role("link").first.click()
    desk.press("Findings")
    said = {"severity": "minor", "cite": "2100.051(c)(3)", "subject": "unit G70", "owner": "Ada"}
    desk.enter("Raise it", **said, text="The log of one pass was not at hand.")


def sign_in_by_password(page: Page, base: str) -> None:
    page.goto(base + reverse("account_login"))
    page.get_by_label("Email").fill("owner@example.org")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()


def sign_out(page: Page) -> None:
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/account/login/**")


def test_somebody_adds_a_passkey_and_signs_in_with_it(live_server: LiveServer, browser: Browser) -> None:
    make_cast()
    context = browser.new_context(viewport=PHONE, is_mobile=True, has_touch=True)
    page, base = context.new_page(), live_server.url
    page.set_default_timeout(20_000)
    line = context.new_cdp_session(page)
    line.send("WebAuthn.enable")
    options = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True}
    options |= {"isUserVerified": True, "automaticPresenceSimulation": True}
    key = line.send("WebAuthn.addVirtualAuthenticator", {"options": options})["authenticatorId"]
    sign_in_by_password(page, base)
    page.wait_for_url(base + "/")
    page.goto(base + reverse("mfa_add_webauthn"))
    page.get_by_label("Password").fill(PASSWORD)  # what changes how one signs in asks once more
    page.get_by_role("button", name="Go on").click()
    page.get_by_label("Name").fill("Ada's phone")
    page.get_by_role("button", name="Add the passkey").click()
    page.get_by_text("The passkey is added.").wait_for()
    assert [str(one) for one in Authenticator.objects.filter(type="webauthn")] == ["Ada's phone"]
    sign_out(page)
    # Alone: neither address nor password.
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.wait_for_url(base + "/")
    page.get_by_role("link", name="Ada's Farm").wait_for()
    sign_out(page)
    # After the password: a stolen one opens nothing.
    sign_in_by_password(page, base)
    page.get_by_role("heading", name="Your one-time code").wait_for()
    page.get_by_role("button", name="Use a passkey").click()
    page.wait_for_url(base + "/")
    sign_out(page)
    # A finger that is another's.
    line.send("WebAuthn.setUserVerified", {"authenticatorId": key, "isUserVerified": False})
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.get_by_text("No passkey was used.").wait_for()
    assert page.url.startswith(base + reverse("account_login"))
    context.close()
