"""Records in the database: every kind comes back as it was stated, and a book is a chain of changes."""

import pkgutil
from dataclasses import fields, is_dataclass
from datetime import date
from enum import StrEnum
from importlib import import_module
from types import NoneType, UnionType
from typing import Any, Final, cast, get_args, get_origin, get_type_hints

import pytest
from django.db import connection, connections, transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import provender.custody
from provender.database import guards
from provender.database.actor import Actor
from provender.database.models.accounts import LogRow
from provender.database.models.farm import BookKind, Change, check_chain, rows_of
from provender.database.store.custody import SqlStore
from provender.database.store.records import TABLES, ask, write
from provender.services.farm.book import Edit, change_book, head_of, open_book
from provender.services.refused import RefusedError
from tests.custody.world import entity, run
from tests.database.test_guards import BOTH
from tests.draws import part_of_draws
from tests.web.cast import Cast

TEXTS: Final = st.text(st.characters(exclude_categories=["C"]), max_size=40)
WHOLE: Final = st.integers(0, 2**53 - 1)
YEARS: Final = st.integers(0, 2**31 - 1)
DAYS: Final = st.dates(date(1900, 1, 1), date(2199, 12, 31))


@pytest.fixture(params=BOTH)
def using(request: pytest.FixtureRequest, db: None) -> str:
    return str(request.param)


def values(hint: Any, name: str = "") -> st.SearchStrategy[Any]:  # noqa: ANN401 - any annotation
    """Return what makes values of a field's type."""
    inside = get_args(hint)
    if get_origin(hint) is UnionType:
        return st.none() | values(next(each for each in inside if each is not NoneType))
    if get_origin(hint) is tuple and inside[-1] is Ellipsis:
        return st.lists(values(inside[0]), min_size=int(is_dataclass(inside[0])), max_size=3).map(tuple)
    if get_origin(hint) is tuple:
        return st.tuples(*map(values, inside))
    if is_dataclass(hint):
        cls = cast("type[Any]", hint)
        hints = get_type_hints(cls)
        return st.builds(cls, **{each.name: values(hints[each.name], each.name) for each in fields(cls)})
    if issubclass(hint, StrEnum):
        return st.sampled_from(list(hint))
    small = name in ("harvest_year", "number")
    return {str: TEXTS, bool: st.booleans(), date: DAYS, int: YEARS if small else WHOLE}[hint]


def is_possible(record: Any) -> bool:  # noqa: ANN401 - any record
    """Tell whether a record is one that the tables take: a slip has two parties, and not less than nothing is open."""
    return getattr(record, "giver", "") != getattr(record, "taker", "x") and getattr(record, "open_bushels", 0) >= 0


def test_every_kind_of_record_has_its_table() -> None:
    names = [each.name for each in pkgutil.walk_packages(provender.custody.__path__, "provender.custody.")]
    modules = [import_module(name) for name in names]
    declared = {each for module in modules for each in vars(module).values() if is_record(each)}
    assert declared == set(TABLES)


def is_record(each: object) -> bool:
    """Tell whether a class is a kind of record; what records share stands in classes that name no kind."""
    shared = ("kind", "key", "group")
    return isinstance(each, type) and is_dataclass(each) and all(hasattr(each, name) for name in shared)


@pytest.mark.parametrize("kind", TABLES, ids=lambda kind: kind.__name__)
def test_what_is_stated_comes_back_equal(kind: type[Any], using: str) -> None:
    run(SqlStore(Actor(None, "test"), using), [entity("zoe", "farm")])
    table, connection = TABLES[kind], connections[using]

    @settings(max_examples=part_of_draws(5), suppress_health_check=[HealthCheck.filter_too_much], deadline=None)
    @given(values(kind).filter(is_possible))
    def comes_back(record: Any) -> None:  # noqa: ANN401 - of the kind
        with transaction.atomic(using=using):
            assert write(connection, list(table.stated([record], "entity-zoe")))
            by_key, by_group = ask(connection, [table.named([record.key]), table.listed([record.group])])
            assert [table.read(row) for row in by_key] == [record]
            assert record in [table.read(row) for row in by_group]
            transaction.set_rollback(True, using=using)

    comes_back()


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
