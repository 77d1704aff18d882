"""What a chapter costs who plays it, by the events that the pages see: clicks, keys, choices and typed fields."""

from collections.abc import Mapping
from decimal import Decimal
from time import perf_counter
from typing import Final

from playwright.sync_api import Page

from bench.burden import Burden

LISTENS: Final = """
if (!window.counted) {
  window.counted = true;
  const typed = one => one.tagName === 'TEXTAREA' || one.tagName === 'INPUT'
    && !['file', 'checkbox', 'radio', 'hidden', 'submit', 'button'].includes(one.type);
  addEventListener('click', one => one.isTrusted && window.told('click', 0), true);
  addEventListener('change', one => window.told(one.target.type === 'file' ? 'file' :
    one.target.tagName === 'SELECT' ? 'choice' : typed(one.target) ? 'text' : 'box',
    typed(one.target) ? one.target.value.length : 0), true);
}
"""
CLICKS: Final = {"click": 1, "choice": 2, "file": 2}
"""Clicks behind an event: a list is opened and an entry taken, files are marked and taken."""


def counting(page: Page, did: Burden) -> None:
    """Count what is done on the pages from now on, and the seconds from a deed to the next page.

    A field counts as it was when it was left: its letters, and the key that goes on to the next.
    """
    since = [perf_counter()]

    def told(what: str, letters: int) -> None:
        since[0] = perf_counter()
        did.clicks += CLICKS.get(what, 0)
        did.characters += letters + 1 if what == "text" else 0
        did.values += what in ("choice", "text")
        did.confirmations += what == "box"

    def loaded(_: Page) -> None:
        now = perf_counter()
        did.waited += Decimal(round((now - since[0]) * 1000)) / 1000
        since[0] = now

    page.on("load", loaded)
    page.expose_function("told", told)
    page.add_init_script(LISTENS)
    page.evaluate(LISTENS)


def told_by_role(did: Mapping[str, Burden]) -> str:
    """Return a line for each role: what it did, and the minutes of the keystroke-level model, an estimate."""
    return "\n".join(
        f"{role:<10}{one.clicks:>5} clicks{one.values:>6} values{one.characters:>7} characters"
        f"{one.confirmations:>4} ticks{one.minutes:>7} minutes by the keystroke-level model, an estimate"
        for role, one in did.items()
    )
