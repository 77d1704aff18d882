"""What is printed holds all rows of a long table, of whichever list."""

from datetime import date, timedelta

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page

from provender.database.actor import write_log
from provender.services.farm.book import Edit, change_book
from tests.web.cast import Cast
from tests.web.watch import watching

pytestmark = [pytest.mark.slow, pytest.mark.browser, pytest.mark.xdist_group("browser")]
MANY = 60


def rows(page: Page) -> int:
    return page.locator("main tbody tr").count()


def printed(page: Page) -> int:
    """Return how many rows paper holds."""
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    return rows(page)


def test_paper_holds_every_row_of_a_kind(farm_stage: tuple[str, Cast], browser: Browser) -> None:
    base, cast = farm_stage
    day = date(2025, 4, 1)
    edits = [
        Edit("soil_test", f"T{at}", {"soil_test_id": f"T{at}", "farm_id": cast.farm.handle, "unit_id": "G70",
                                     "sampled_on": (day + timedelta(days=at)).isoformat()})
        for at in range(MANY)
    ]  # fmt: skip
    change_book(cast.book, edits, reason="sampled", actor=cast.actor("owner"))
    with watching(browser, base, cast.person("owner")) as window:
        window.open(reverse("farm_kind", args=(cast.farm.handle, "soil_test")))
        assert rows(window.page) < MANY
        assert printed(window.page) >= MANY
        assert window.page.locator("nav.pages").count() == 0


def test_paper_holds_every_row_of_a_list_that_its_store_gives_in_parts(
    farm_stage: tuple[str, Cast], browser: Browser
) -> None:
    base, cast = farm_stage
    for at in range(MANY):
        write_log(cast.actor("owner"), "store file", organisation=cast.farm, about=f"file {at}")
    with watching(browser, base, cast.person("owner")) as window:
        window.open(reverse("log", args=(cast.farm.handle,)))
        assert rows(window.page) < MANY
        assert printed(window.page) > MANY
