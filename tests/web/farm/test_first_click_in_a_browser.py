"""The first click on a button is not lost to what the box before it has to say, and an error goes with its value."""

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, expect

from tests.web.cast import Cast
from tests.web.watch import TOLD_ON, Window, watching

pytestmark = [pytest.mark.slow, pytest.mark.browser, pytest.mark.xdist_group("browser")]


@pytest.mark.parametrize("size", TOLD_ON)
def test_a_button_stays_under_the_pointer(farm_stage: tuple[str, Cast], browser: Browser, size: Window) -> None:
    base, cast = farm_stage
    with watching(browser, base, cast.people["owner"], window=size) as window:
        page = window.page
        assert window.open(reverse("farm_row", args=(cast.farm.handle, "operation"))) == 200
        page.locator("[name=operation]").press_sequentially("cultivator")
        button = page.locator("form:has([name=operation]) button[type=submit]:not([name=leave])").last
        button.scroll_into_view_if_needed()
        box = button.bounding_box()
        assert box is not None
        page.mouse.move(box["x"] + 20, box["y"] + 20)
        page.mouse.down()
        assert page.locator(".unlisted").count() == 0, "its list waits for the end of the click"
        assert button.bounding_box() == box
        page.mouse.up()
        error = page.locator(".field.wrong:has([name=unit_id]) .error")
        expect(error).to_be_visible()
        page.locator("[name=unit_id]").select_option(index=1)
        expect(error).to_have_count(0)
