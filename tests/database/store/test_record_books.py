"""A record book is a chain of changes: every version can be read, and a touched change is found."""

import pytest
from django.db import connection

from provender.database import guards
from provender.database.models.accounts import LogRow
from provender.database.models.farm import BookKind, Change
from provender.database.store.record_books import check_chain, rows_of
from provender.services.farm.book import Edit, change_book, head_of, open_book
from provender.services.refused import RefusedError
from tests.web.cast import Cast


def harvest(key: str, bushels: int) -> Edit:
    return Edit("harvest", key, {"bushels": bushels})


def test_each_version_of_a_book_can_be_read(cast: Cast) -> None:
    by = cast.actor("writer")
    change_book(cast.book, [harvest("h1", 2_000), harvest("h2", 5)], reason="correction", actor=by)
    change_book(cast.book, [Edit("harvest", "h1", None)], reason="other farm's ticket", actor=by)
    assert rows_of(cast.book, 1) == {"harvest": {"h1": {"bushels": 1_000}}}
    assert rows_of(cast.book, 2) == {"harvest": {"h1": {"bushels": 2_000}, "h2": {"bushels": 5}}}
    assert rows_of(cast.book) == {"harvest": {"h2": {"bushels": 5}}}


def test_each_change_names_the_one_before_and_its_actor(cast: Cast) -> None:
    second = change_book(cast.book, [harvest("h2", 5)], reason="more", actor=cast.actor("writer"))
    first = Change.objects.get(book=cast.book, number=1)
    assert (second.previous, second.actor) == (first.hash, cast.person("writer"))
    assert head_of(cast.book) == second
    assert check_chain(cast.book) == []
    row = LogRow.objects.get(deed="change book", about="more")
    new = {"number": 2, "hash": second.hash, "rows": 1, "bushels": "5"}
    assert (row.actor, row.old, row.new) == (second.actor, {"number": 1}, new)


def test_the_log_shows_what_one_row_said_and_says_and_of_many_how_many(cast: Cast) -> None:
    by = cast.actor("writer")
    change_book(cast.book, [harvest("h1", 2_000)], reason="one", actor=by)
    change_book(cast.book, [harvest("h1", 3_000), harvest("h2", 5)], reason="two", actor=by)
    one, two = (LogRow.objects.get(deed="change book", about=about) for about in ("one", "two"))
    assert one.new is not None
    assert two.new is not None
    assert (one.old, one.new["bushels"]) == ({"number": 1, "bushels": "1000"}, "2000")
    assert (two.old, two.new["rows"], "bushels" in two.new) == ({"number": 2}, 2, False)


@pytest.mark.parametrize(("statement", "cause"), [
    ("UPDATE database_change SET text = replace(text, '1000', '9000') WHERE number = 1", "not what was hashed"),
    ("UPDATE database_change SET actor_id = NULL WHERE number = 2", "Actor or time"),
    ("UPDATE database_change SET previous = '' WHERE number = 2", "does not follow"),
    ("DELETE FROM database_change WHERE number = 1", "Change 1 is missing"),
])  # fmt: skip
def test_a_touched_change_is_found(cast: Cast, statement: str, cause: str) -> None:
    change_book(cast.book, [harvest("h2", 5)], reason="more", actor=cast.actor("writer"))
    guards.lift("default")
    with connection.cursor() as cursor:
        cursor.execute(statement)
    assert any(cause in problem.cause for problem in check_chain(cast.book))


def test_a_write_after_an_old_version_is_refused(cast: Cast) -> None:
    by = cast.actor("writer")
    change_book(cast.book, [harvest("h2", 5)], reason="first", actor=by, after=1)
    with pytest.raises(RefusedError, match="Somebody else changed this book"):
        change_book(cast.book, [harvest("h2", 6)], reason="late", actor=by, after=1)


def test_an_empty_write_is_refused_and_an_open_book_is_opened_once(cast: Cast) -> None:
    by = cast.actor("writer")
    with pytest.raises(RefusedError, match="nothing to write"):
        change_book(cast.book, [], reason="", actor=by)
    assert open_book(cast.farm, BookKind.FARM, actor=by) == cast.book
