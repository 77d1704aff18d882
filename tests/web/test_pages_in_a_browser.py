"""Every page in Chromium, wide and narrow: axe finds nothing, nothing scrolls sideways, and paper holds all rows."""

import logging
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from typing import Final

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page

from provender.database.actor import write_log
from provender.services.farm.book import Edit, change_book
from tests.web.addresses import address
from tests.web.cast import PASSWORD, Cast
from tests.web.custody_season import SEEN_AT_THE_MILL, fill_custody
from tests.web.farm_season import CROP
from tests.web.watch import watching

pytestmark = [pytest.mark.slow, pytest.mark.browser, pytest.mark.xdist_group("browser")]


LOOKED_AT: Final = {
    "anonymous": "account_login account_signup account_reset_password join",
    "stranger": "join",
    "reader": f"farm_row?row={CROP} farm_report",
    "verifier_in": f"home grants organisation farm_crop?crop={CROP} audits audit_accreditation audit audit_work"
    " audit_package audit_findings audit_statement audit_finding audit_key",
    "owner": "home new_organisation organisation organisation_settings members member grants farm farm_records"
    f" farm_crop?crop={CROP} farm_kind farm_kind?find-harvest=corn farm_row farm_row?row={CROP} farm_season"
    f" farm_season?unit=G70 farm_intensity farm_plan farm_plan?crop={CROP} farm_key farm_reports farm_report farm_sales"
    " farm_imports farm_evidence farm_field farm_map farm_draw?unit=N40 audits_of_us audit_of_us audit_of_us_finding"
    " log tokens account mfa_index account_change_password account_email account_sessions account_logout",
}
"""Who looks at which addresses. A page that is refused or missing is looked at too."""


def seen_by() -> dict[str, tuple[str, Callable[[Cast], str]]]:
    """Return by a name for its picture who looks at a page, and where it stands."""
    found: dict[str, tuple[str, Callable[[Cast], str]]] = {}
    for part, pages in LOOKED_AT.items():
        for page in pages.split():
            name, _, query = page.partition("?")
            picture = f"{page.replace('_', '-')}-{part}"
            found[picture] = part, lambda cast, name=name, query=query: f"{address(name, cast)}?{query}"  # type: ignore[misc]
    grants = "verifier_in", lambda cast: reverse("grants", args=(cast.verifier.handle,))
    sorghum = "owner", lambda cast: reverse("farm_report", args=(cast.farm.handle, "sorghum", 2025))
    return {**found, "grants-held": grants, "farm-report-blocked": sorghum, **SEEN_AT_THE_MILL}


SEEN_BY: Final = seen_by()


@pytest.fixture
def stage(farm_stage: tuple[str, Cast]) -> tuple[str, Cast]:
    fill_custody(farm_stage[1])
    return farm_stage


@pytest.fixture(autouse=True)
def nothing_stopped(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    caplog.set_level(logging.WARNING, "provender.web.csp")
    yield
    stopped = [record for record in caplog.get_records("call") if record.name == "provender.web.csp"]
    assert stopped == []


def test_pages_even_refused_ones_are_accessible_and_keep_to_the_policy(
    stage: tuple[str, Cast], browser: Browser
) -> None:
    base, cast = stage
    for part in sorted({who for who, _ in SEEN_BY.values()}):
        with watching(browser, base, cast.people[part]) as window:
            for name, (who, where) in SEEN_BY.items():
                if who != part:
                    continue
                window.become("laptop")
                assert window.open(where(cast)) == 200, name
                window.look(name, closely=False)
                # The same page, made narrow: it need not be fetched again to be laid out anew.
                window.become("phone")
                window.look(name, closely=False)
    with watching(browser, base, cast.person("reader")) as window:
        for name, path, status in (
            ("refused-403", reverse("tokens", args=(cast.farm.handle,)), 403),
            ("refused-404", "/o/nobody/", 404),
        ):
            assert window.open(path) == status
            window.look(name, closely=False)
        window.complaints.clear()  # Chromium notes every 4xx in its console


def test_somebody_signs_in_invites_and_sees_the_link(farm_stage: tuple[str, Cast], browser: Browser) -> None:
    base, _ = farm_stage
    with watching(browser, base, None, window="phone") as window:
        page = window.page
        window.open(reverse("home"))
        page.get_by_label("Email").fill("owner@example.org")
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign in", exact=True).click()
        page.get_by_role("link", name="Ada's Farm").click()
        page.get_by_role("button", name="Menu").click()
        window.keep("menu-open")
        page.get_by_role("link", name="Members", exact=True).click()
        page.get_by_role("button", name="Make a link").click()
        window.look("members-wrong", closely=False)
        assert page.evaluate("document.activeElement.closest('.wrong') !== null"), (
            "the field that was refused is met first"
        )
        page.get_by_label("Who is it for?").fill("Bea")
        page.get_by_role("button", name="Make a link").click()
        assert "/join/" in page.get_by_label("Link").input_value()
        window.look("members-link", closely=False)


MANY = 60


def rows(page: Page) -> int:
    return page.locator("main tbody tr").count()


def printed(page: Page) -> int:
    """Return how many rows paper holds."""
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    return rows(page)


def test_paper_holds_every_row_of_a_kind_and_of_a_list_that_its_store_gives_in_parts(
    farm_stage: tuple[str, Cast], browser: Browser
) -> None:
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
        for at in range(MANY):
            write_log(cast.actor("owner"), "store file", organisation=cast.farm, about=f"file {at}")
        window.open(reverse("log", args=(cast.farm.handle,)))
        assert rows(window.page) < MANY
        assert printed(window.page) > MANY


WIDTHS: Final = (390, 360, 320)
HIGHEST: Final = 116
"""Two rows of 44 pixels that a finger hits, with what stands around them."""
FINGER: Final = 40


def test_the_head_takes_two_rows_at_most(farm_stage: tuple[str, Cast], browser: Browser) -> None:
    base, cast = farm_stage
    for part in ("owner", "consultant", "verifier_in", "reviewer"):
        person = cast.person(part)
        person.name = "Bartholomew Featherstonehaugh"
        person.save(update_fields=["name"])
        with watching(browser, base, person) as window:
            for where in (reverse("home"), reverse("farm", args=(cast.farm.handle,))):
                window.open(where)
                for width in WIDTHS:
                    window.page.set_viewport_size({"width": width, "height": 844})
                    high = window.page.locator("header.top").bounding_box()
                    account = window.page.locator(".top-links a").bounding_box()
                    assert high is not None
                    assert account is not None
                    assert high["height"] <= HIGHEST, (part, where, width)
                    assert account["width"] >= FINGER, (part, where, width)
                    assert not window.too_wide(), (part, where, width)
