"""What pages show of a farm's book, made soon after a change, so that whoever looks next finds it kept.

One thread of the server does it, once the writer has paused: a page that is asked for earlier makes what it needs by
itself and keeps it too, and then little is left to do here. Both make it by the same functions.

While nobody asks for pages, the same thread makes what is not kept: after an update of the program, and of books whose
reports depend on the day, after midnight. One book at a time, with pauses, and beginning anew wherever it was stopped.
"""

import random
import threading
import time
from collections.abc import Callable
from logging import getLogger
from typing import Final
from zoneinfo import ZoneInfo

from django.core.signals import request_started
from django.db import connections
from django.db.models import Max
from django.utils import timezone

from provender import __version__
from provender.catalog.places import zone_of
from provender.database.actor import at_the_place_of, today
from provender.database.models.farm import Book, BookKind, VerdictCache
from provender.rule.law import rule_version
from provender.services.farm.book import FarmBook, latest
from provender.services.farm.folder import LISTENERS
from provender.services.farm.growing import growing_of, growing_pictures
from provender.services.farm.intensity import intensities_of
from provender.services.farm.sown import sowing_questions
from provender.services.farm.verdicts import (
    SETTLED,
    THINGS,
    count_gaps,
    forget_earlier,
    overview_of,
    pictures_of,
    seasons_of,
    shown_by_crop,
    verdicts_of,
)
from provender.services.reports.checklist import standings_of

_PAUSE: Final = 1.0
"""Seconds after the last change of a book: rows are typed one after another, and nobody looks in between."""
_QUIET: Final = 2.0
"""Seconds without a request after which a book is made that nobody asked for."""
REST: Final = 3
"""How many times as long as a book took the thread rests after it, at least ``_PAUSE``: a quarter of a core at most."""
_LOOKED: Final = 1800.0
"""Seconds between two looks for books of which nothing is kept: midnight comes to one time zone after another."""
KEPT: Final[tuple[Callable[[FarmBook], object], ...]] = (
    overview_of, verdicts_of, shown_by_crop, count_gaps, intensities_of, standings_of, seasons_of, pictures_of,
    growing_of, growing_pictures, sowing_questions,
)  # fmt: skip

_log = getLogger(__name__)


def keep(book: int) -> None:
    """Make what pages show of a farm's book as it stands now, in the days of its place; other books have nothing."""
    found = Book.objects.select_related("organisation").filter(pk=book, kind=BookKind.FARM).first()
    if found is None:
        return
    farm = latest(found)
    at_the_place_of(found.organisation)
    try:
        for make in KEPT:
            make(farm)
        forget_earlier(farm)
    finally:
        timezone.deactivate()


def cold_books() -> list[int]:
    """Return the farm books of whose last version nothing is kept under this program and the day of their place."""
    heads = dict(
        Book.objects.filter(kind=BookKind.FARM).annotate(head=Max("changes__number")).values_list("pk", "head")
    )
    warm: set[int] = set()
    days: dict[tuple[str, str], str] = {}
    kept = VerdictCache.objects.filter(
        what__startswith=THINGS, rule_version__startswith=f"{rule_version(today()).id} {__version__} "
    ).values_list("book", "book_version", "what", "book__organisation__county", "book__organisation__state")
    for book, version, what, *place in kept.iterator():
        where = (place[0], place[1])
        if where not in days:
            days[where] = f"{timezone.localdate(timezone=ZoneInfo(zone_of(*where))):%y%m%d}"
        if version == heads.get(book) and what.removeprefix(THINGS).split()[0] in (SETTLED, days[where]):
            warm.add(book)
    return [book for book, head in heads.items() if head and book not in warm]


class Precomputer:
    """The books that were changed, each due once nobody has written to it for a while; and those that are cold.

    Attributes:
        quiet: seconds without a request before a cold book is taken; None where cold books are let be.
    """

    def __init__(self, pause: float = _PAUSE, quiet: float | None = None) -> None:
        self._pause = pause
        self._quiet = quiet
        self._due: dict[int, float] = {}
        self._cold: list[int] = []
        self._asked = time.monotonic()
        self._told = threading.Condition()

    def changed(self, book: int) -> None:
        """Put a book last: it waits anew."""
        with self._told:
            self._due.pop(book, None)
            self._due[book] = time.monotonic() + self._pause
            self._told.notify()

    def warm(self, books: list[int]) -> None:
        """Take these next in quiet times, in an order of chance: other processes of the server do the same."""
        with self._told:
            self._cold = random.sample(books, len(books))
            self._told.notify()

    def asked(self, **_of: object) -> None:
        """Note that somebody asked for a page: what nobody asked for waits."""
        self._asked = time.monotonic()

    def next(self, patience: float | None = None) -> int:
        """Wait until a book is due, or the server is quiet and a book is cold; 0 once ``patience`` seconds passed."""
        ends = None if patience is None else time.monotonic() + patience
        with self._told:
            while True:
                now = time.monotonic()
                book, due = next(iter(self._due.items()), (0, None))
                if due is not None and due <= now:
                    del self._due[book]
                    return book
                calm = self._asked + self._quiet if self._cold and self._quiet is not None else None
                if calm is not None and calm <= now:
                    return self._cold.pop()
                if ends is not None and ends <= now:
                    return 0
                self._told.wait(min((one - now for one in (due, calm, ends) if one is not None), default=None))

    def run(self) -> None:
        """Keep one book after another for as long as the server runs; what fails, fails on the page too and shows."""
        looked = None
        while True:
            try:
                if looked is None or time.monotonic() - looked >= _LOOKED:
                    looked = time.monotonic()
                    self.warm(cold_books())
                book = self.next(_LOOKED)
                begun = time.monotonic()
                if book:
                    keep(book)
                    self.asked()  # rest: a change goes before, and a cold book waits at least as after a page
                    self._asked += REST * (time.monotonic() - begun)
            except Exception:  # noqa: BLE001 - told in the log; the next page asks again
                _log.exception("a changed book was not judged")
            finally:
                connections.close_all()


def start_precomputer() -> None:
    """Let a thread of this process keep what pages show of books that this process changes."""
    keeper = Precomputer(quiet=_QUIET)
    LISTENERS.append(keeper.changed)
    request_started.connect(keeper.asked, weak=False)
    threading.Thread(target=keeper.run, daemon=True, name="keeper").start()
