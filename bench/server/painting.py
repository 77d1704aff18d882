"""Looking at pages in Chromium: when something stands on the screen, and how far it moves afterwards."""

import shutil
from collections.abc import Mapping, Sequence
from statistics import median
from typing import Final, NamedTuple

from playwright.sync_api import Browser, ViewportSize, sync_playwright

from bench.server.visits import LOCAL, Server, Visit

WINDOWS: Final[Mapping[str, ViewportSize]] = {
    "laptop": {"width": 1280, "height": 800}, "phone": {"width": 390, "height": 844},
}  # fmt: skip
LOOKS: Final = 3
"""Visits of each kind of page and window, the first of which compiles nothing that the others would not."""
WATCH: Final = """() => new Promise(done => {
  let moved = 0;
  new PerformanceObserver(list => list.getEntries().forEach(one => { if (!one.hadRecentInput) moved += one.value; }))
    .observe({type: "layout-shift", buffered: true});
  const painted = () => performance.getEntriesByName("first-contentful-paint")[0];
  const tell = () => done([painted() ? painted().startTime : null, moved]);
  const wait = () => setTimeout(painted() || performance.now() > 20000 ? tell : wait, 300);
  wait();
})"""


class Painted(NamedTuple):
    """What was seen of one kind of page: the median of the first paint in ms, and the largest cumulative shift."""

    what: str
    first_ms: float
    shift: float


def painted(server: Server, pages: Mapping[str, Sequence[Visit]]) -> list[Painted]:
    """Open pages in windows that keep nothing, one after the other.

    Raises:
        RuntimeError: a page painted nothing.
    """
    found = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for what, visits in pages.items():
            for window, size in WINDOWS.items():
                seen = [_look(browser, size, server.port, visit) for visit in visits[:LOOKS]]
                first = median(first for first, _ in seen)
                found.append(Painted(f"{what}, {window}", first, max(shift for _, shift in seen)))
        browser.close()
    return found


def _look(browser: Browser, size: ViewportSize, port: int, visit: Visit) -> tuple[float, float]:
    context = browser.new_context(viewport=size)
    name, _, value = visit.cookie.partition("=")
    context.add_cookies([{"name": name, "value": value, "domain": LOCAL, "path": "/"}])
    page = context.new_page()
    page.goto(f"http://{LOCAL}:{port}{visit.path}", wait_until="load")
    first, shift = page.evaluate(WATCH)
    context.close()
    if first is None:
        raise RuntimeError(f"{visit.path} painted nothing")
    return first, shift
