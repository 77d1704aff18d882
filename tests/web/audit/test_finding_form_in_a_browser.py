"""The form of a finding with an error in Chromium: each box stands right below its own words."""

from typing import Final

import pytest
from django.urls import reverse
from playwright.sync_api import Browser
from pytest_django.live_server_helper import LiveServer

from tests.web.cast import Cast
from tests.web.watch import WINDOWS, Window, watching

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]
GAP: Final = """box => {
  const words = box.closest('.field').querySelector('.error');
  return box.getBoundingClientRect().top - words.getBoundingClientRect().bottom;
}"""
MOST: Final = 24
"""Pixels between an error and the box that it is about."""


@pytest.mark.parametrize("size", WINDOWS)
def test_an_error_stands_right_above_its_box(
    cast: Cast, live_server: LiveServer, browser: Browser, size: Window
) -> None:
    where = reverse("audit_findings", args=(cast.verifier.handle, cast.audit.handle))
    with watching(browser, live_server.url, cast.person("verifier_in"), window=size) as window:
        assert window.open(where) == 200
        window.page.locator("[name=cite]").fill("2100.777")
        window.page.keyboard.press("Tab")
        window.page.locator("[name=text]").fill("The log is missing.")
        window.page.get_by_role("button", name="Raise it").click()
        window.page.locator(".wrong [name=severity]").wait_for()
        assert window.page.locator(".wrong [name=severity]").evaluate(GAP) < MOST
        assert not window.too_wide()


def test_a_paragraph_that_is_none_is_told_without_an_offer_to_go_on(
    cast: Cast, live_server: LiveServer, browser: Browser
) -> None:
    where = reverse("audit_findings", args=(cast.verifier.handle, cast.audit.handle))
    with watching(browser, live_server.url, cast.person("verifier_in")) as window:
        assert window.open(where) == 200
        window.page.locator("[name=cite]").fill("zzzz")
        window.page.keyboard.press("Tab")
        told = window.page.locator(".unlisted")
        told.wait_for()
        assert "type its number" in told.inner_text()
        assert "your own" not in told.inner_text(), "the server takes none"


def test_a_link_to_an_open_line_unfolds_its_section(cast: Cast, live_server: LiveServer, browser: Browser) -> None:
    where = reverse("audit_work", args=(cast.verifier.handle, cast.audit.handle))
    with watching(browser, live_server.url, cast.person("verifier_in")) as window:
        assert window.open(where) == 200
        link = window.page.get_by_role("link", name="Duties,")
        line = window.page.locator(str(link.get_attribute("href")))
        assert not line.is_visible()
        link.click()
        line.wait_for(state="visible")
