"""Passkeys in Chromium with an authenticator that the browser itself plays: added, used alone and as a second proof."""

import pytest
from allauth.mfa.models import Authenticator
from django.urls import reverse
from playwright.sync_api import Browser, Page
from pytest_django.live_server_helper import LiveServer

from tests.web.cast import PASSWORD, make_cast
from tests.web.watch import PHONE

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


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
    page.set_default_timeout(8_000)
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
