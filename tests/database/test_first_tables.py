"""A new database made at once has the tables, constraints, guards and notes of one that was migrated."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from pathlib import Path
from typing import Any, Final

import pytest
from django.core.management import call_command
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.recorder import MigrationRecorder
from pytest_django import DjangoDbBlocker

from provender.database import guards
from provender.database.guards import make_first_tables
from tests.database.test_guards import BOTH

MADE = "made"
"""Alias of the new database."""


@contextmanager
def empty_database(like: str, folder: Path) -> Iterator[None]:
    settings = deepcopy(connections[like].settings_dict)
    if connections[like].vendor == "sqlite":
        settings["NAME"] = folder / "made.sqlite3"
    else:
        settings["NAME"] = f"{MADE}_beside_{settings['NAME']}"
        with connections[like].cursor() as cursor:
            cursor.execute(f"CREATE DATABASE {settings['NAME']}")
    connections.databases[MADE] = settings
    try:
        yield
    finally:
        connections[MADE].close()
        del connections[MADE], connections.databases[MADE]
        if connections[like].vendor == "postgresql":
            with connections[like].cursor() as cursor:
                cursor.execute(f"DROP DATABASE {settings['NAME']}")


PLACED: Final = re.compile(r"^(fk_\d+|__unnamed_constraint_\d+__)$")
"""Names that SQLite's constraints are given by their order."""


def shape(connection: BaseDatabaseWrapper) -> dict[str, Any]:
    """Return columns and constraints by table, each without the place in which it happens to stand."""
    looked = connection.introspection
    with connection.cursor() as cursor:
        return {
            table: (
                sorted((one.name, one.type_code, one.null_ok) for one in looked.get_table_description(cursor, table)),
                sorted(
                    (PLACED.sub("", name), str(sorted(said.items(), key=str)))
                    for name, said in looked.get_constraints(cursor, table).items()
                ),
            )
            for table in looked.table_names(cursor)
        }


def notes(using: str) -> set[tuple[str, str]]:
    return set(MigrationRecorder(connections[using]).applied_migrations())


@pytest.mark.parametrize("using", ["default", pytest.param("postgres", marks=pytest.mark.postgres)])
def test_it_is_as_a_migrated_one(
    using: str, tmp_path: Path, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> None:
    with django_db_blocker.unblock(), empty_database(using, tmp_path):
        assert make_first_tables(MADE)
        assert notes(MADE) == notes(using)
        call_command("migrate", database=MADE, verbosity=0, check_unapplied=True)
        assert guards.missing(MADE) != []
        call_command("migrate", database=MADE, verbosity=0, skip_checks=True)
        assert guards.missing(MADE) == []
        assert shape(connections[MADE]) == shape(connections[using])


@pytest.mark.parametrize("using", BOTH)
def test_a_database_with_tables_is_left_as_it_is(using: str) -> None:
    assert not make_first_tables(using)
