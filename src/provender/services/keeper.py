"""What pages show of a farm's book, made soon after a change, so that whoever looks next finds it kept.

One thread of the server does it, once the writer has paused: a page that is asked for earlier makes what it needs by
itself and keeps it too, and then little is left to do here. Both make it by the same functions.
"""

import threading
import time
from collections.abc import Callable
from logging import getLogger
from typing import Final

from django.db import connections
from django.utils import timezone

from provender.database.actor import at_the_place_of
from provender.database.models import Book, BookKind
from provender.services.farm.book import FarmBook, latest
from provender.services.farm.changed import LISTENERS
from provender.services.farm.intensity import intensities_of
from provender.services.farm.season import seasons_of
from provender.services.farm.verdicts import count_gaps, verdicts_of
from provender.services.reports.drafts import standings_of
from provender.services.reports.things import count_things

PAUSE: Final = 1.0
"""Seconds after the last change of a book: rows are typed one after another, and nobody looks in between."""
KEPT: Final[tuple[Callable[[FarmBook], object], ...]] = (
    verdicts_of, count_gaps, intensities_of, standings_of, count_things, seasons_of,
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
    finally:
        timezone.deactivate()


class Keeper:
    """The books that were changed, each due once nobody has written to it for a while."""

    def __init__(self, pause: float = PAUSE) -> None:
        self._pause = pause
        self._due: dict[int, float] = {}
        self._told = threading.Condition()

    def changed(self, book: int) -> None:
        """Put a book last: it waits anew."""
        with self._told:
            self._due.pop(book, None)
            self._due[book] = time.monotonic() + self._pause
            self._told.notify()

    def next(self) -> int:
        """Wait until a book is due, and return it."""
        with self._told:
            while True:
                book, due = next(iter(self._due.items()), (0, None))
                left = None if due is None else due - time.monotonic()
                if left is not None and left <= 0:
                    del self._due[book]
                    return book
                self._told.wait(left)

    def run(self) -> None:
        """Keep one book after another for as long as the server runs; what fails, fails on the page too and shows."""
        while True:
            book = self.next()
            try:
                keep(book)
            except Exception:  # noqa: BLE001 - told in the log; the next page asks again
                _log.exception("a changed book was not judged")
            finally:
                connections.close_all()


def start_keeper() -> None:
    """Let a thread of this process keep what pages show of books that this process changes."""
    keeper = Keeper()
    LISTENERS.append(keeper.changed)
    threading.Thread(target=keeper.run, daemon=True, name="keeper").start()
