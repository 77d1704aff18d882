"""After a change, what pages show is made by the server's own thread: the next look judges nothing."""

import threading
import time
from datetime import date, timedelta

import pytest
from pytest_django import DjangoCaptureOnCommitCallbacks

from provender.database.models.farm import VerdictCache
from provender.services.farm.book import Edit, FarmBook, change_book, latest
from provender.services.farm.folder import LISTENERS
from provender.services.farm.verdicts import LAST_DAY, SETTLED, THINGS, cached_result, day_that_counts
from provender.services.precompute import KEPT, Keeper, cold_books, keep
from provender.services.reports.drafts import draft_of, harvests_of
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


def test_what_was_kept_of_earlier_versions_and_days_goes(cast: Cast) -> None:
    fill_season(cast)
    keep(cast.book.pk)
    farm = latest(cast.book)
    rule = VerdictCache.objects.filter(book=cast.book).values_list("rule_version", flat=True)[0]
    for version, what in ((farm.version, "reports 4 200101 0"), (farm.version - 1, "practices 5")):
        VerdictCache.objects.create(
            book=cast.book, book_version=version, rule_version=rule, what=what, content=b"[]"
        )  # fmt: skip
    before = VerdictCache.objects.filter(book=cast.book).count()
    keep(cast.book.pk)
    assert VerdictCache.objects.filter(book=cast.book).count() == before - 2
    farm = latest(cast.book)
    for make in KEPT:
        make(farm)
        assert not judged(farm), "what counts today stays"


def test_a_book_without_a_farm_has_nothing_to_keep(cast: Cast) -> None:
    keep(0)
    assert not VerdictCache.objects.filter(book_version__lt=0).exists()


def test_a_change_that_stands_is_told_and_one_taken_back_is_not(
    cast: Cast, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[int] = []
    monkeypatch.setattr("provender.services.farm.folder.LISTENERS", [told.append])
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


def test_a_cold_book_waits_for_a_quiet_moment_and_a_changed_one_goes_before() -> None:
    keeper = Keeper(pause=0.0, quiet=0.3)
    keeper.warm([1])
    keeper.asked()
    begun = time.monotonic()
    keeper.changed(2)
    assert keeper.next() == 2
    assert keeper.next() == 1
    assert time.monotonic() - begun >= 0.3
    assert keeper.next(patience=0.01) == 0
    without = Keeper(pause=0.0)
    without.warm([1])
    assert without.next(patience=0.01) == 0


def test_a_book_is_cold_until_it_is_kept_and_when_its_day_or_the_program_is_another(cast: Cast) -> None:
    fill_season(cast)
    assert cast.book.pk in cold_books()
    keep(cast.book.pk)
    assert cast.book.pk not in cold_books()
    kept = VerdictCache.objects.filter(book=cast.book, what__startswith=THINGS)
    kept.update(what=f"{THINGS} 200101 0")
    assert cast.book.pk in cold_books()
    kept.update(what=f"{THINGS} settled 0", rule_version="earlier")
    assert cast.book.pk in cold_books()


def test_a_report_of_days_gone_by_is_made_once_and_says_the_day_on_which_it_is_looked_at(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill_season(cast)
    crop, year = harvests_of(latest(cast.book))[0]
    made = []
    day_that_counts(latest(cast.book))
    last = date.fromisoformat(cached_result(latest(cast.book), LAST_DAY, str))
    for day in (last, last + timedelta(days=1), last + timedelta(days=400)):
        for room in ("farm.verdicts", "reports.drafts"):
            monkeypatch.setattr(f"provender.services.{room}.today", lambda day=day: day)
        VerdictCache.objects.filter(book=cast.book, what__startswith="report").delete()
        fresh = draft_of(latest(cast.book), crop, year).document
        farm = latest(cast.book)
        assert draft_of(farm, crop, year).document == fresh
        assert not judged(farm)
        assert fresh.pop("made_on") == day.isoformat()
        made.append((day_that_counts(farm), fresh))
    (before, _), (after, first), (later, second) = made
    assert before == f"{last:%y%m%d}", "on the last day that the book names, the day counts"
    assert after == later == SETTLED
    assert first == second
