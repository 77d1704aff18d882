"""Every kind of record has its table, and comes back from it as it was stated, on both databases."""

import pkgutil
from dataclasses import fields, is_dataclass
from datetime import date
from enum import StrEnum
from importlib import import_module
from types import NoneType, UnionType
from typing import Any, Final, cast, get_args, get_origin, get_type_hints

import pytest
from django.db import connections, transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import provender.custody
from provender.database.actor import Actor
from provender.database.store.custody import SqlStore
from provender.database.store.records import TABLES, ask, write
from tests.custody.world import entity, run
from tests.database.test_guards import BOTH
from tests.draws import part_of_draws

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
