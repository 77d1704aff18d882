"""The form of a finding with an error in Chromium: each box stands right below its own words."""

import re
from collections.abc import Iterator
from typing import Final

import pytest
from django.urls import reverse
from playwright.sync_api import Browser
from pytest_django.live_server_helper import LiveServer

from provender.audit.programme import Role as AuditRole
from provender.database.choices import Role
from tests.web.cast import Cast, open_audit
from tests.web.fixtures import cast
from tests.web.watch import WINDOWS, Watched, watching

__all__ = ["cast"]

pytestmark = [pytest.mark.slow, pytest.mark.browser, pytest.mark.xdist_group("browser")]
GAP: Final = """box => {
  const words = box.closest('.field').querySelector('.error');
  return box.getBoundingClientRect().top - words.getBoundingClientRect().bottom;
}"""
MOST: Final = 24
"""Pixels between an error and the box that it is about."""


@pytest.fixture
def window(request: pytest.FixtureRequest, cast: Cast, live_server: LiveServer, browser: Browser) -> Iterator[Watched]:
    """Open a window of the verifier, on a laptop unless it is said."""
    with watching(
        browser, live_server.url, cast.person("verifier_in"), window=getattr(request, "param", "laptop")
    ) as one:
        yield one


@pytest.mark.parametrize("window", WINDOWS, indirect=True)
def test_an_error_stands_right_above_its_box(cast: Cast, window: Watched) -> None:
    where = reverse("audit_findings", args=(cast.verifier.handle, cast.audit.handle))
    assert window.open(where) == 200
    window.page.locator("[name=cite]").fill("2100.777")
    window.page.keyboard.press("Tab")
    window.page.locator("[name=text]").fill("The log is missing.")
    window.page.get_by_role("button", name="Raise it").click()
    window.page.locator(".wrong [name=severity]").wait_for()
    assert window.page.locator(".wrong [name=severity]").evaluate(GAP) < MOST
    assert not window.too_wide()


def test_a_paragraph_that_is_none_is_told_without_an_offer_to_go_on(cast: Cast, window: Watched) -> None:
    where = reverse("audit_findings", args=(cast.verifier.handle, cast.audit.handle))
    assert window.open(where) == 200
    window.page.locator("[name=cite]").fill("zzzz")
    window.page.keyboard.press("Tab")
    told = window.page.locator(".unlisted")
    told.wait_for()
    assert "type its number" in told.inner_text()
    assert "your own" not in told.inner_text(), "the server takes none"


def test_a_link_to_an_open_line_unfolds_its_section(cast: Cast, window: Watched) -> None:
    where = reverse("audit_work", args=(cast.verifier.handle, cast.audit.handle))
    assert window.open(where) == 200
    link = window.page.get_by_role("link", name="Duties,")
    line = window.page.locator(str(link.get_attribute("href")))
    assert not line.is_visible()
    link.click()
    line.wait_for(state="visible")


def _begun(cast: Cast, window: Watched, cite: str) -> None:
    """Open the form of an audit of an elevator, all filled in but the paragraph, which is typed last."""
    cast.farm.roles.create(role=Role.FIRST_POINT)
    audit = open_audit(cast.verifier, cast.farm, AuditRole.FIRST_POINT, actor=cast.actor("verifier_in"), number="V-2")
    assert window.open(reverse("audit_findings", args=(cast.verifier.handle, audit.handle))) == 200
    window.page.locator("[name=severity]").select_option("minor")
    window.page.locator("[name=text]").fill("No scale tickets of May.")
    window.page.locator("[name=cite]").press_sequentially(cite)


def test_a_suggestion_shows_number_and_words_and_those_of_the_trade_come_first(cast: Cast, window: Watched) -> None:
    _begun(cast, window, "records")
    offered = window.page.locator(".unlisted button")
    assert offered.first.inner_text().startswith("2100.03")
    assert all(re.match(r"2100\.03[0-5]\S*: .", text) for text in offered.all_inner_texts())
    window.page.locator("[name=cite]").fill("")
    window.page.locator("[name=cite]").press_sequentially("scale tickets")
    assert "2100.032(a)(1): They record reduced-CI crop" in offered.first.inner_text()
    window.page.locator("[name=cite]").fill("")
    window.page.locator("[name=cite]").press_sequentially("2100.034(d)")
    assert window.page.locator(".unlisted").count() == 0, "it is one"
    window.page.locator("[name=cite]").fill("")
    window.page.locator("[name=cite]").press_sequentially("34 bin")
    assert offered.first.inner_text().startswith("2100.034(d)")
    offered.first.click()
    assert window.page.locator("[name=cite]").input_value().startswith("2100.034(d)")
    assert window.page.locator(".unlisted").count() == 0


@pytest.mark.parametrize("typed", ["scale tickets", "zzzz"])
@pytest.mark.parametrize("window", WINDOWS, indirect=True)
def test_the_first_click_on_the_button_sends_though_the_paragraph_is_none(
    cast: Cast, window: Watched, typed: str
) -> None:
    _begun(cast, window, typed)
    window.page.keyboard.press("Escape")
    button = window.page.get_by_role("button", name="Raise it")
    button.scroll_into_view_if_needed()
    box = button.bounding_box()
    assert box is not None
    window.page.mouse.move(box["x"] + 20, box["y"] + 20)
    window.page.mouse.down()
    assert button.bounding_box() == box, "it stays under the pointer"
    window.page.mouse.up()
    window.page.locator(".wrong [name=cite]").wait_for()


def test_leaving_the_box_opens_no_list_and_an_error_goes_with_its_value(cast: Cast, window: Watched) -> None:
    _begun(cast, window, "scale tickets")
    before = window.page.locator("[name=due]").bounding_box()
    assert window.page.locator(".unlisted.over").count() == 1
    assert window.page.locator("[name=due]").bounding_box() == before
    window.page.locator("[name=subject]").focus()
    assert window.page.locator(".unlisted button").count() == 0
    window.page.get_by_role("button", name="Raise it").click()
    error = window.page.get_by_text("The rule has no paragraph")
    error.wait_for()
    cite = window.page.locator("[name=cite]")
    cite.fill("2100.032(a)(1)")
    error.wait_for(state="detached")
    assert window.page.locator(".wrong, [aria-invalid=true]").count() == 0
