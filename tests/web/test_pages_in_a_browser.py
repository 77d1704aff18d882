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
from tests.web.cast import PASSWORD, Cast
from tests.web.custody_season import SEEN_AT_THE_MILL, fill_custody
from tests.web.farm_season import CROP
from tests.web.watch import watching

pytestmark = [pytest.mark.slow, pytest.mark.browser, pytest.mark.xdist_group("browser")]


def of_audit(cast: Cast, name: str, *more: str) -> str:
    """Return the address of a page of the cast's audit."""
    return reverse(name, args=(cast.verifier.handle, cast.audit.handle, *more))


SEEN_BY: Final[dict[str, tuple[str, Callable[[Cast], str]]]] = {
    "sign-in": ("anonymous", lambda _: reverse("account_login")),
    "sign-up-closed": ("anonymous", lambda _: reverse("account_signup")),
    "password-reset": ("anonymous", lambda _: reverse("account_reset_password")),
    "join": ("anonymous", lambda cast: reverse("join", args=(cast.secret,))),
    "join-signed-in": ("stranger", lambda cast: reverse("join", args=(cast.secret,))),
    "home": ("owner", lambda _: reverse("home")),
    "home-verifier": ("verifier_in", lambda _: reverse("home")),
    "new-organisation": ("owner", lambda _: reverse("new_organisation")),
    "organisation": ("owner", lambda cast: reverse("organisation", args=(cast.farm.handle,))),
    "organisation-visited": ("verifier_in", lambda cast: reverse("organisation", args=(cast.farm.handle,))),
    "settings": ("owner", lambda cast: reverse("organisation_settings", args=(cast.farm.handle,))),
    "members": ("owner", lambda cast: reverse("members", args=(cast.farm.handle,))),
    "member": ("owner", lambda cast: reverse("member", args=(cast.farm.handle, cast.membership("reader").pk))),
    "grants": ("owner", lambda cast: reverse("grants", args=(cast.farm.handle,))),
    "grants-held": ("verifier_in", lambda cast: reverse("grants", args=(cast.verifier.handle,))),
    "farm": ("owner", lambda cast: reverse("farm", args=(cast.farm.handle,))),
    "farm-crop": ("owner", lambda cast: reverse("farm_crop", args=(cast.farm.handle,)) + f"?crop={CROP}"),
    "farm-crop-visited": ("verifier_in", lambda cast: reverse("farm_crop", args=(cast.farm.handle,)) + f"?crop={CROP}"),
    "farm-records": ("owner", lambda cast: reverse("farm_records", args=(cast.farm.handle,))),
    "farm-kind": ("owner", lambda cast: reverse("farm_kind", args=(cast.farm.handle, "operation"))),
    "farm-kind-found": (
        "owner",
        lambda cast: reverse("farm_kind", args=(cast.farm.handle, "operation")) + "?find-operation=planter",
    ),
    "farm-row-new": ("owner", lambda cast: reverse("farm_row", args=(cast.farm.handle, "operation"))),
    "farm-row": ("owner", lambda cast: reverse("farm_row", args=(cast.farm.handle, "harvest")) + f"?row={CROP}"),
    "farm-row-read": ("reader", lambda cast: reverse("farm_row", args=(cast.farm.handle, "harvest")) + f"?row={CROP}"),
    "farm-season": ("owner", lambda cast: reverse("farm_season", args=(cast.farm.handle,))),
    "farm-season-unit": ("owner", lambda cast: reverse("farm_season", args=(cast.farm.handle,)) + "?unit=G70"),
    "farm-intensity": ("owner", lambda cast: reverse("farm_intensity", args=(cast.farm.handle,))),
    "farm-plan": ("owner", lambda cast: reverse("farm_plan", args=(cast.farm.handle,))),
    "farm-plan-unit": ("owner", lambda cast: reverse("farm_plan", args=(cast.farm.handle,)) + f"?crop={CROP}"),
    "farm-key": ("owner", lambda cast: reverse("farm_key", args=(cast.farm.handle,))),
    "farm-reports": ("owner", lambda cast: reverse("farm_reports", args=(cast.farm.handle,))),
    "farm-report": ("owner", lambda cast: reverse("farm_report", args=(cast.farm.handle, "corn", 2025))),
    "farm-report-blocked": ("owner", lambda cast: reverse("farm_report", args=(cast.farm.handle, "sorghum", 2025))),
    "farm-report-read": ("reader", lambda cast: reverse("farm_report", args=(cast.farm.handle, "corn", 2025))),
    "farm-sales": ("owner", lambda cast: reverse("farm_sales", args=(cast.farm.handle,))),
    "farm-imports": ("owner", lambda cast: reverse("farm_imports", args=(cast.farm.handle,))),
    "farm-evidence": ("owner", lambda cast: reverse("farm_evidence", args=(cast.farm.handle,))),
    "farm-field": ("owner", lambda cast: reverse("farm_field", args=(cast.farm.handle,))),
    "farm-map": ("owner", lambda cast: reverse("farm_map", args=(cast.farm.handle,))),
    "farm-draw": ("owner", lambda cast: reverse("farm_draw", args=(cast.farm.handle,)) + "?unit=N40"),
    "audits": ("verifier_in", lambda cast: reverse("audits", args=(cast.verifier.handle,))),
    "audit-accreditation": ("verifier_in", lambda cast: reverse("audit_accreditation", args=(cast.verifier.handle,))),
    **{
        name.replace("_", "-"): ("verifier_in", lambda cast, name=name: of_audit(cast, name))  # type: ignore[misc]
        for name in ("audit", "audit_work", "audit_package", "audit_findings", "audit_statement")
    },
    "audit-finding": ("verifier_in", lambda cast: of_audit(cast, "audit_finding", "1")),
    "audits-of-us": ("owner", lambda cast: reverse("audits_of_us", args=(cast.farm.handle,))),
    "audit-of-us": ("owner", lambda cast: reverse("audit_of_us", args=(cast.farm.handle, cast.audit.handle))),
    "audit-of-us-finding": (
        "owner",
        lambda cast: reverse("audit_of_us_finding", args=(cast.farm.handle, cast.audit.handle, "1")),
    ),
    "log": ("owner", lambda cast: reverse("log", args=(cast.farm.handle,))),
    "tokens": ("owner", lambda cast: reverse("tokens", args=(cast.farm.handle,))),
    "account": ("owner", lambda _: reverse("account")),
    "codes": ("owner", lambda _: reverse("mfa_index")),
    "password": ("owner", lambda _: reverse("account_change_password")),
    "e-mail": ("owner", lambda _: reverse("account_email")),
    "sessions": ("owner", lambda _: reverse("account_sessions")),
    "sign-out": ("owner", lambda _: reverse("account_logout")),
}
SEEN_BY.update(SEEN_AT_THE_MILL)
"""Name of the page, who looks, where. A page that is refused or missing is looked at too, in tests of its own."""


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


def test_pages_are_accessible_and_keep_to_the_policy(stage: tuple[str, Cast], browser: Browser) -> None:
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


def test_somebody_signs_in_invites_and_sees_the_link(stage: tuple[str, Cast], browser: Browser) -> None:
    base, _ = stage
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


def test_a_refused_page_says_what_to_do(stage: tuple[str, Cast], browser: Browser) -> None:
    base, cast = stage
    with watching(browser, base, cast.person("reader")) as window:
        for name, path, status in (
            ("refused-403", reverse("tokens", args=(cast.farm.handle,)), 403),
            ("refused-404", "/o/nobody/", 404),
        ):
            assert window.open(path) == status
            window.look(name, closely=False)
        window.complaints.clear()  # Chromium notes every 4xx in its console


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


WIDTHS: Final = (390, 360, 320)
HIGHEST: Final = 116
"""Two rows of 44 pixels that a finger hits, with what stands around them."""
FINGER: Final = 40


@pytest.mark.parametrize("part", ["owner", "consultant", "verifier_in", "reviewer"])
def test_the_head_takes_two_rows_at_most(farm_stage: tuple[str, Cast], browser: Browser, part: str) -> None:
    base, cast = farm_stage
    person = cast.person(part)
    person.name = "Bartholomew Featherstonehaugh"
    person.save(update_fields=["name"])
    with watching(browser, base, person) as window:
        for where in (reverse("home"), reverse("farm", args=(cast.farm.handle,))):
            window.open(where)
            for width in WIDTHS:
                window.page.set_viewport_size({"width": width, "height": 844})
                high = window.page.locator("header.top").bounding_box()
                assert high is not None
                assert high["height"] <= HIGHEST, (where, width)
                account = window.page.locator(".top-links a").bounding_box()
                assert account is not None
                assert account["width"] >= FINGER, (where, width)
                assert not window.too_wide(), (where, width)
