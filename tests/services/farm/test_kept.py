"""The rows of a book are judged once; after a change, what pages show is made by the server's own thread.

Another version, other files and supposed rows are judged anew, and the next look at what was kept judges nothing.
"""

import threading
import time
from datetime import date, timedelta

import pytest
from django.urls import reverse
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from provender.database.models.farm import VerdictCache
from provender.records.book import RecordBook
from provender.services.farm import book as farm_book
from provender.services.farm.book import Edit, FarmBook, change_book, latest
from provender.services.farm.folder import LISTENERS
from provender.services.farm.verdicts import LAST_DAY, SETTLED, THINGS, cached_result, day_that_counts, verdicts_of
from provender.services.precompute import KEPT, Precomputer, cold_books, keep
from provender.services.reports.drafts import draft_of, harvests_of
from provender.verdicts.assess import Assessment, assess
from tests.web.cast import Cast
from tests.web.farm_season import change


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Count what is judged, with nothing kept from before."""
    made: list[object] = []

    def counted(book: RecordBook) -> Assessment:
        made.append(book)
        return assess(book)

    monkeypatch.setattr(farm_book, "assess", counted)
    monkeypatch.setattr(farm_book, "_judged", farm_book._judged.__class__())
    return made


def test_the_same_rows_are_judged_once_and_others_anew(season: Cast, judged: list[object]) -> None:
    before = latest(season.book)
    assert before.judged is latest(season.book).judged
    assert (len(judged), bool(before.judged.intervals)) == (1, True)
    assert before.with_rows({}).judged.intervals == ()
    assert latest(season.book).judged is before.judged
    next(path for path in before.evidence_paths.values() if path.exists()).unlink()
    lost = latest(season.book)
    assert lost.judged is not before.judged
    noted = {**lost.rows["operation"], "N40-01": {**lost.rows["operation"]["N40-01"], "note": "another"}}
    looked_at = lost.with_rows({**lost.rows, "operation": noted})
    assert looked_at.judged is not lost.judged
    assert len(judged) == 4
    assert change(season, "operation", "N40-01", note="another").judged is looked_at.judged, "looked at, then written"
    assert change(season, "operation", "N40-01").judged is not looked_at.judged
    assert len(judged) == 5


def test_what_is_kept_is_not_taken_where_the_folder_of_files_is_another(season: Cast, settings: Settings) -> None:
    before = latest(season.book)
    assert before.judged.intervals
    settings.UPLOAD_FOLDER = settings.UPLOAD_FOLDER.rename(settings.UPLOAD_FOLDER.with_name("moved"))
    moved = latest(season.book)
    assert moved.judged_under == before.judged_under, "the files lie there as they lay"
    assert moved.judged is not before.judged, "what is judged reads its files when they are asked for"


def test_no_more_books_are_kept_than_said(cast: Cast, judged: list[object]) -> None:
    for number in range(farm_book.KEPT + 2):
        assert change(cast, "unit", str(number), unit_id=str(number)).judged.intervals == ()
    assert (len(farm_book._judged), len(judged)) == (farm_book.KEPT, farm_book.KEPT + 2)


def test_what_is_kept_of_a_book_is_not_taken_for_supposed_rows_nor_theirs_for_its_own(season: Cast) -> None:
    rows = {kind: of for kind, of in latest(season.book).rows.items() if kind != "harvest"}
    assert verdicts_of(latest(season.book).with_rows(rows))["intervals"] == []
    assert verdicts_of(latest(season.book))["intervals"]
    assert verdicts_of(latest(season.book).with_rows(rows))["intervals"] == []


def test_each_page_computes_once_per_version_of_the_book_and_another_version_anew(season: Cast) -> None:
    VerdictCache.objects.all().delete()
    client, where = season.client(), {name: reverse(name, args=(season.farm.handle,)) for name in (
        "farm_season", "farm_intensity", "farm_plan", "farm")}  # fmt: skip
    for name in ("farm_season", "farm_intensity", "farm_plan") * 2:
        client.get(where[name])
    assert sorted(VerdictCache.objects.values_list("what", flat=True)) == ["intensity 5", "plan 3", "season 5"]
    first = client.get(where["farm"]).content
    kept = VerdictCache.objects.filter(what__startswith="overview")
    assert kept.count() == 1
    kept.update(content=b'{"crops": [], "totals": [], "problems": []}')
    assert client.get(where["farm"]).content != first
    change(season, "operation", "N40-01", note="another version")
    assert b"G70" in client.get(where["farm"]).content


def was_judged(farm: FarmBook) -> bool:
    return "judged" in farm.__dict__


def test_what_was_kept_is_not_judged_again(season: Cast) -> None:
    VerdictCache.objects.all().delete()
    keep(season.book.pk)
    assert VerdictCache.objects.filter(book=season.book, book_version=latest(season.book).version).count() >= len(KEPT)
    for make in KEPT:
        farm = latest(season.book)
        make(farm)
        assert not was_judged(farm), make.__name__


def test_what_was_kept_of_earlier_versions_and_days_goes(season: Cast) -> None:
    keep(season.book.pk)
    farm = latest(season.book)
    rule = VerdictCache.objects.filter(book=season.book).values_list("rule_version", flat=True)[0]
    for version, what in ((farm.version, "reports 4 200101 0"), (farm.version - 1, "practices 5")):
        VerdictCache.objects.create(
            book=season.book, book_version=version, rule_version=rule, what=what, content=b"[]"
        )  # fmt: skip
    before = VerdictCache.objects.filter(book=season.book).count()
    keep(season.book.pk)
    assert VerdictCache.objects.filter(book=season.book).count() == before - 2
    farm = latest(season.book)
    for make in KEPT:
        make(farm)
        assert not was_judged(farm), "what counts today stays"


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
    keeper = Precomputer(pause=0.2)
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
    keeper = Precomputer(pause=0.0, quiet=0.3)
    keeper.warm([1])
    keeper.asked()
    begun = time.monotonic()
    keeper.changed(2)
    assert keeper.next() == 2
    assert keeper.next() == 1
    assert time.monotonic() - begun >= 0.3
    assert keeper.next(patience=0.01) == 0
    without = Precomputer(pause=0.0)
    without.warm([1])
    assert without.next(patience=0.01) == 0


def test_a_book_is_cold_until_it_is_kept_and_when_its_day_or_the_program_is_another(season: Cast) -> None:
    VerdictCache.objects.all().delete()
    assert season.book.pk in cold_books()
    keep(season.book.pk)
    assert season.book.pk not in cold_books()
    kept = VerdictCache.objects.filter(book=season.book, what__startswith=THINGS)
    kept.update(what=f"{THINGS} 200101 0")
    assert season.book.pk in cold_books()
    kept.update(what=f"{THINGS} settled 0", rule_version="earlier")
    assert season.book.pk in cold_books()


def test_a_report_of_days_gone_by_is_made_once(season: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    crop, year = harvests_of(latest(season.book))[0]
    made = []
    day_that_counts(latest(season.book))
    last = date.fromisoformat(cached_result(latest(season.book), LAST_DAY, str))
    for day in (last, last + timedelta(days=1), last + timedelta(days=400)):
        for room in ("farm.verdicts", "reports.drafts"):
            monkeypatch.setattr(f"provender.services.{room}.today", lambda day=day: day)
        VerdictCache.objects.filter(book=season.book, what__startswith="report").delete()
        fresh = draft_of(latest(season.book), crop, year).document
        farm = latest(season.book)
        assert draft_of(farm, crop, year).document == fresh
        assert not was_judged(farm)
        assert fresh.pop("made_on") == day.isoformat()
        made.append((day_that_counts(farm), fresh))
    (before, _), (after, first), (later, second) = made
    assert before == f"{last:%y%m%d}", "on the last day that the book names, the day counts"
    assert after == later == SETTLED
    assert first == second
