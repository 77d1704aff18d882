"""After a change, what pages show is made by the server's own thread: the next look judges nothing."""

import threading
import time

import pytest
from pytest_django import DjangoCaptureOnCommitCallbacks

from provender.database.models import VerdictCache
from provender.services.farm.book import Edit, FarmBook, change_book, latest
from provender.services.farm.changed import LISTENERS
from provender.services.keeper import KEPT, Keeper, keep
from tests.web.cast import Cast
from tests.web.farm_season import fill_season


def judged(farm: FarmBook) -> bool:
    return "judged" in farm.__dict__


def test_what_was_kept_is_not_judged_again(cast: Cast) -> None:
    fill_season(cast)
    keep(cast.book.pk)
    assert VerdictCache.objects.filter(book=cast.book, book_version=latest(cast.book).version).count() >= len(KEPT)
    for make in KEPT:
        farm = latest(cast.book)
        make(farm)
        assert not judged(farm), make.__name__


def test_a_book_without_a_farm_has_nothing_to_keep(cast: Cast) -> None:
    keep(0)
    assert not VerdictCache.objects.filter(book_version__lt=0).exists()


def test_a_change_that_stands_is_told_and_one_taken_back_is_not(
    cast: Cast, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[int] = []
    monkeypatch.setattr("provender.services.farm.changed.LISTENERS", [told.append])
    edit = Edit("harvest", "h1", None)
    with django_capture_on_commit_callbacks(execute=True):
        change_book(cast.book, [edit], reason="gone", actor=cast.actor("owner"))
        assert told == []
    assert told == [cast.book.pk]
    assert LISTENERS == []  # nothing listens where no pages are served


def test_a_book_waits_until_its_writer_pauses_and_comes_once() -> None:
    keeper = Keeper(pause=0.2)
    found: list[tuple[int, float]] = []

    def take() -> None:
        found.extend((keeper.next(), time.monotonic()) for _ in range(2))

    taker = threading.Thread(target=take)
    taker.start()
    keeper.changed(1)
    keeper.changed(2)
    time.sleep(0.1)
    again = time.monotonic()
    keeper.changed(1)
    taker.join(5)
    assert [book for book, _ in found] == [2, 1]
    assert found[1][1] - again >= 0.2
