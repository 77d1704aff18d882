"""The stage of the story: five organisations with an account each, windows to see them in, pictures for the guides."""

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Final

from django.utils import timezone
from PIL import Image
from playwright.sync_api import Browser, Locator, Page, expect

from bench.burden import Burden
from bench.counted_pages import counting
from provender.database.actor import Actor
from provender.database.choices import Role
from provender.database.models.accounts import Person
from provender.services.accounts.organisations import create_organisation
from tests.web.watch import Watched, Window, watching

ROOT: Final = Path(__file__).parents[3]
SHOTS: Final = ROOT / "docs" / "images" / "story"
TAKES_SHOTS: Final = bool(os.environ.get("PROVENDER_SHOTS"))
PATIENCE: Final = 60_000
"""Milliseconds that a page may take on a machine that is shared by many."""
PASSWORD: Final = "seed rain barn owl"  # noqa: S105 - the accounts live in an empty database
COLOURS: Final = 64

PARTIES: Final = {
    "farm": ("Ada Lindqvist", "Bluestem Farm", Role.FARM),
    "elevator": ("Stan Novak", "Kaw Valley Elevator", Role.FIRST_POINT),
    "mill": ("Mia Torres", "Two Rivers Milling", Role.PROCESSOR),
    "refiner": ("Ray Boone", "Plains Renewable Fuel", Role.REFINER),
    "verifier": ("Vera Moss", "Clear Field Verification", Role.VERIFIER),
}
"""Who is who: name of the person, of the organisation, its role under the rule."""


@dataclass(slots=True)
class Stage:
    """Where the story plays.

    Attributes:
        base: address of the server.
        browser: Chromium.
        size: laptop or phone.
        folder: where people keep files on their own machines.
        codes: what partners call the organisations by, as their overview pages show it.
        notes: what one chapter tells the next, as people would by telephone.
        did: what it cost each party so far.
    """

    base: str
    browser: Browser
    size: Window
    folder: Path
    codes: dict[str, str] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)
    did: dict[str, Burden] = field(default_factory=lambda: {party: Burden() for party in PARTIES})

    @contextmanager
    def at_desk_of(self, party: str) -> Iterator["Desk"]:
        """Open a window, sign in through the page, and walk to the party's overview."""
        person, organisation, _ = PARTIES[party]
        with watching(self.browser, self.base, None, window=self.size) as window:
            page = window.page
            page.set_default_timeout(PATIENCE)
            page.set_default_navigation_timeout(PATIENCE)
            if self.size == "laptop":
                page.set_viewport_size({"width": 1280, "height": 900})
            counting(page, self.did[party])
            window.open("/")
            page.get_by_label("Email").fill(address(person))
            page.get_by_label("Password").fill(PASSWORD)
            page.get_by_role("button", name="Sign in", exact=True).click()
            desk = Desk(self, window, party)
            here = page.get_by_role("heading", name=organisation, level=1)
            among_others = page.locator("main").get_by_role("link", name=organisation).first
            expect(here.or_(among_others).first).to_be_visible(timeout=PATIENCE)
            if not here.is_visible():
                among_others.click()
            desk.sees("heading", organisation)
            yield desk


@dataclass(slots=True)
class Desk:
    stage: Stage
    window: Watched
    party: str

    @property
    def page(self) -> Page:
        return self.window.page

    def go(self, entry: str) -> None:
        """Choose an entry of the menu, which a phone folds away."""
        if self.stage.size == "phone":
            self.page.get_by_role("button", name="Menu").click()
        self.page.locator("#menu").get_by_role("link", name=entry, exact=True).click()
        expect(self.page.locator("#menu [aria-current=page]")).to_have_text(entry, timeout=PATIENCE)

    def press(self, name: str) -> None:
        """Press the first button or link of a name in the page."""
        main = self.page.locator("main")
        main.get_by_role("button", name=name, exact=True).or_(
            main.get_by_role("link", name=name, exact=True)
        ).first.click()

    def fill(self, **said: str) -> None:
        for name, text in said.items():
            control = self.page.locator(f"main [name={name}]:not([type=hidden])").first
            self._open_fold(control)
            if control.evaluate("one => one.tagName") == "SELECT":
                control.select_option(text)
            else:
                control.fill(text)

    def _open_fold(self, control: Locator) -> None:
        control.wait_for(state="attached")
        if not control.is_visible():
            control.locator("xpath=ancestor::details[1]/summary").click()

    def enter(self, verb: str, **said: str) -> None:
        """Fill a form and send it; it must not come back with errors."""
        self.fill(**said)
        preview = self.page.locator("main").get_by_role("button", name="Preview", exact=True)
        if preview.count():  # the deed stands on the preview only
            preview.first.click()
            self.sees("heading", "This is what would happen")
        self.press(verb)
        self.stands()

    def stands(self) -> None:
        self.page.wait_for_load_state()
        errors = self.page.locator("main .error, main .form-errors")
        assert errors.count() == 0, errors.all_inner_texts()

    def sees(self, role: str, name: str) -> None:
        expect(self.page.get_by_role(role, name=name).first).to_be_visible(timeout=PATIENCE)  # type: ignore[arg-type]

    def reads(self, text: str) -> None:
        expect(self.page.locator("main")).to_contain_text(text, timeout=PATIENCE)

    def shot(self, name: str, at: str = "") -> None:
        """Hold that the page keeps to its width; take its picture for the guides when that is asked for.

        Args:
            name: of the picture.
            at: the element to scroll to; the top of the page without.
        """
        assert not self.window.too_wide(), name
        if not TAKES_SHOTS:
            return
        if at:
            self.page.locator(at).first.scroll_into_view_if_needed()
            self.page.locator(at).first.evaluate("one => one.scrollIntoView({block: 'start'})")
        else:
            self.page.evaluate("window.scrollTo(0, 0)")
        SHOTS.mkdir(parents=True, exist_ok=True)
        with Image.open(io.BytesIO(self.page.screenshot())) as picture:
            small = picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
            small.save(SHOTS / f"{name}-{self.stage.size}.png", optimize=True)


def address(person: str) -> str:
    return f"{person.split(maxsplit=1)[0].lower()}@example.org"


def raise_curtain(stage: Stage) -> None:
    """Make the accounts and organisations; everything after this goes through the pages."""
    by = Actor(None, "test")
    for party, (name, organisation, role) in PARTIES.items():
        person = Person.objects.create_user(address(name), PASSWORD, name=name)
        made = create_organisation(
            organisation, roles=[role], manager=person, county="Pottawatomie", state="KS", actor=by
        )
        stage.codes[party] = made.handle


def day(ahead: int = 0) -> str:
    """Return a day from today, as fields of days take it."""
    return (timezone.localdate() + timedelta(days=ahead)).isoformat()


def today() -> date:
    return timezone.localdate()
