"""A correction on a laptop and on a phone: asked about, changed again, saved; the page that asks reads well."""

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, expect

from tests.web.cast import Cast
from tests.web.watch import TOLD_ON, Window, watching

pytestmark = [pytest.mark.slow, pytest.mark.browser, pytest.mark.xdist_group("browser")]


@pytest.mark.parametrize("size", TOLD_ON)
def test_a_correction_is_asked_about_changed_again_and_saved(
    farm_stage: tuple[str, Cast], browser: Browser, size: Window
) -> None:
    base, cast = farm_stage
    with watching(browser, base, cast.people["owner"], window=size) as window:
        page = window.page
        window.open(f"{reverse('farm_row', args=(cast.farm.handle, 'operation'))}?row=N40-01")
        page.get_by_label("Why it is corrected").fill("the log says so")
        page.locator("[name=operation]").fill("Plow, moldboard")
        page.locator("[name=depth_in]").fill("8")
        page.get_by_role("button", name="Save the correction").click()
        expect(page.get_by_role("heading", name="This is what would happen")).to_be_visible()
        window.look("correction-asked")
        page.get_by_role("button", name="Change it again").click()
        expect(page.locator("[name=depth_in]")).to_have_value("8")
        page.locator("[name=depth_in]").fill("9")
        page.get_by_role("button", name="Save the correction").click()
        page.get_by_role("button", name="Save", exact=True).click()
        expect(page.get_by_text("N40-01 is saved.")).to_be_visible()
        expect(page.get_by_text("No-till is judged otherwise on N40")).to_be_visible()
