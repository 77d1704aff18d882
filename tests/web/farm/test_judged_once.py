"""A version of a book is judged once a process; another version, other files and supposed rows are judged anew."""

import pytest
from pytest_django import Settings

from provender.practices.assess import Assessment, assess
from provender.records.book import RecordBook
from provender.services.farm import book as farm_book
from provender.services.farm.book import Edit, change_book, latest
from provender.services.farm.verdicts import verdicts_of
from tests.web.cast import Cast
from tests.web.farm_season import fill_season


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


def test_pages_that_ask_in_turn_share_one_judgement(cast: Cast, judged: list[object]) -> None:
    fill_season(cast)
    first, second = latest(cast.book), latest(cast.book)
    assert first.judged is second.judged
    assert len(judged) == 1


def test_a_changed_row_a_lost_file_and_supposed_rows_are_judged_anew(cast: Cast, judged: list[object]) -> None:
    fill_season(cast)
    before = latest(cast.book)
    assert before.judged.intervals
    supposed = before.with_rows({})
    assert supposed.judged.intervals == ()
    assert latest(cast.book).judged is before.judged
    next(path for path in before.evidence_paths.values() if path.exists()).unlink()
    assert latest(cast.book).judged is not before.judged
    change_book(cast.book, [Edit("planting", "P-none", None)], reason="taken out", actor=cast.actor("owner"))
    assert latest(cast.book).judged is not before.judged
    assert len(judged) == 4


def test_no_more_books_are_kept_than_said(cast: Cast, judged: list[object], settings: Settings) -> None:
    for number in range(farm_book.KEPT + 2):
        change_book(cast.book, [Edit("farm", str(number), None)], reason="none", actor=cast.actor("owner"))
        assert latest(cast.book).judged.intervals == ()
    assert len(farm_book._judged) == farm_book.KEPT
    assert len(judged) == farm_book.KEPT + 2


def test_what_is_kept_of_a_book_is_not_taken_for_supposed_rows_nor_theirs_for_its_own(cast: Cast) -> None:
    fill_season(cast)
    rows = {kind: of for kind, of in latest(cast.book).rows.items() if kind != "harvest"}
    assert verdicts_of(latest(cast.book).with_rows(rows))["intervals"] == []
    assert verdicts_of(latest(cast.book))["intervals"]
    assert verdicts_of(latest(cast.book).with_rows(rows))["intervals"] == []
