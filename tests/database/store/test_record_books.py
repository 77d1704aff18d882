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


def test_each_version_can_be_read_and_names_the_one_before_its_actor_and_what_it_says_in_the_log(cast: Cast) -> None:
    by = cast.actor("writer")
    one = change_book(cast.book, [harvest("h1", 2_000)], reason="one", actor=by)
    two = change_book(cast.book, [harvest("h1", 3_000), harvest("h2", 5)], reason="two", actor=by)
    three = change_book(cast.book, [Edit("harvest", "h1", None)], reason="other farm's ticket", actor=by)
    assert rows_of(cast.book, 1) == {"harvest": {"h1": {"bushels": 1_000}}}
    assert rows_of(cast.book, 3) == {"harvest": {"h1": {"bushels": 3_000}, "h2": {"bushels": 5}}}
    assert rows_of(cast.book) == {"harvest": {"h2": {"bushels": 5}}}
    first = Change.objects.get(book=cast.book, number=1)
    assert [each.previous for each in (one, two, three)] == [first.hash, one.hash, two.hash]
    assert (three.actor, head_of(cast.book), check_chain(cast.book)) == (cast.person("writer"), three, [])
    # Of one row the log shows what it said and says, of many how many they are.
    of_one, of_two = (LogRow.objects.get(deed="change book", about=about) for about in ("one", "two"))
    assert (of_one.actor, of_one.old) == (one.actor, {"number": 1, "bushels": "1000"})
    assert of_one.new == {"number": 2, "hash": one.hash, "rows": 1, "bushels": "2000"}
    assert (of_two.old, of_two.new) == ({"number": 2}, {"number": 3, "hash": two.hash, "rows": 2})


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


def test_an_empty_write_or_one_after_an_old_version_is_refused_and_an_open_book_is_opened_once(cast: Cast) -> None:
    by = cast.actor("writer")
    change_book(cast.book, [harvest("h2", 5)], reason="first", actor=by, after=1)
    with pytest.raises(RefusedError, match="Somebody else changed this book"):
        change_book(cast.book, [harvest("h2", 6)], reason="late", actor=by, after=1)
    with pytest.raises(RefusedError, match="nothing to write"):
        change_book(cast.book, [], reason="", actor=by)
    assert open_book(cast.farm, BookKind.FARM, actor=by) == cast.book
