"""Looking at a page as people do: in Chromium, on a laptop and on a phone, with what it must never do."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize

from provender.database.models.accounts import Person

AXE: Final = Path(__file__).parent / "vendor" / "axe-core" / "axe.min.js"
LAPTOP: Final[ViewportSize] = {"width": 1280, "height": 800}
PHONE: Final[ViewportSize] = {"width": 390, "height": 844}
Window = Literal["laptop", "phone"]
WINDOWS: Final[tuple[Window, ...]] = ("laptop", "phone")
SIZES: Final[dict[Window, ViewportSize]] = {"laptop": LAPTOP, "phone": PHONE}
RULES: Final = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
WHOLE: Final = os.environ.get("PROVENDER_STORY") == "both"
"""``make story`` asks for every rule in every window."""
TOLD_ON: Final = ("phone", pytest.param("laptop", marks=pytest.mark.slow))
"""Windows in which people are followed through several pages; the phone is where more can go wrong."""
SETTLED: Final = "getComputedStyle(document.body).color; document.getAnimations().forEach(one => one.finish())"
"""Ends every change of colour that is under way."""
SCREENS: Final = os.environ.get("PROVENDER_SCREENS", "")
"""A folder for screenshots; none are kept without it."""


@dataclass(slots=True)
class Watched:
    """A browser window, and whatever its console complained about."""

    page: Page
    base: str
    name: Window
    complaints: list[str] = field(default_factory=list)

    def open(self, path: str) -> int:
        """Go to an address and return its status."""
        response = self.page.goto(self.base + path)
        assert response is not None
        return response.status

    def become(self, window: Window) -> None:
        """Make the window wide or narrow; the page that lies open lays itself out anew."""
        self.name = window
        self.page.set_viewport_size(SIZES[window])

    def axe(self, *, dark: bool = True) -> list[str]:
        """Return what axe finds: rule, help and the elements, in light and, where asked for, in dark colours."""
        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate(AXE.read_text())
        found = self._run({"type": "tag", "values": RULES})
        if not dark:
            return found
        # Dark pages differ in nothing but colour, so the page need not be loaded again.
        self.page.emulate_media(color_scheme="dark")
        self.page.evaluate(SETTLED)
        found += [f"dark: {one}" for one in self._run({"type": "rule", "values": ["color-contrast"]})]
        self.page.emulate_media(color_scheme="light")
        self.page.evaluate(SETTLED)
        return found

    def _run(self, only: dict[str, Any]) -> list[str]:
        found = self.page.evaluate("only => axe.run({runOnly: only})", only)
        return [f"{one['id']}: {one['help']} {_targets(one)}" for one in found["violations"]]

    def too_wide(self) -> bool:
        """Say whether the page scrolls sideways."""
        # A click may have begun a new page, whose document has no element for a moment.
        self.page.locator("body").wait_for(state="attached")
        wide: bool = self.page.evaluate("document.documentElement.scrollWidth > window.innerWidth + 1")
        return wide

    def look(self, name: str, *, closely: bool = True) -> None:
        """Hold that the page is in order: read by anybody, no wider than the window; keep its picture.

        Args:
            name: of the picture.
            closely: in any window and in dark colors too; else so only where everything is asked for.
        """
        self.keep(name)
        if closely or WHOLE or self.name == "laptop":
            assert self.axe(dark=closely or WHOLE) == [], name
        assert not self.too_wide(), name

    def keep(self, name: str) -> None:
        """Save a screenshot when a folder for them is set."""
        if SCREENS:
            folder = Path(SCREENS)
            folder.mkdir(parents=True, exist_ok=True)
            self.page.screenshot(path=folder / f"{name}-{self.name}.png", full_page=True)


def _targets(violation: dict[str, Any]) -> list[str]:
    return [" ".join(str(part) for part in node["target"]) for node in violation["nodes"]]


@contextmanager
def watching(browser: Browser, base: str, person: Person | None, *, window: Window = "laptop") -> Iterator[Watched]:
    """Open a window, signed in as somebody; at the end nothing may have been stopped or gone wrong in it."""
    phone = window == "phone"
    context = browser.new_context(
        viewport=PHONE if phone else LAPTOP, has_touch=phone, is_mobile=phone, color_scheme="light"
    )
    if person is not None:
        _sign_in(context, base, person)
    page = context.new_page()
    watched = Watched(page, base, window)
    page.on("pageerror", lambda error: watched.complaints.append(str(error)))
    page.on("console", lambda line: watched.complaints.append(line.text) if line.type == "error" else None)
    try:
        yield watched
    finally:
        context.close()
    assert watched.complaints == [], watched.complaints


def _sign_in(context: BrowserContext, base: str, person: Person) -> None:
    client = Client()
    client.force_login(person)
    cookie = client.cookies[settings.SESSION_COOKIE_NAME].value
    context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": base}])
