"""The database: its setting is read strictly; written rows stay, and a new one is as one that was migrated."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from pathlib import Path
from typing import Any, Final

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import DatabaseError, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from provender.database import guards
from provender.database.address import AddressError, postgres_settings
from provender.database.guards import make_first_tables
from provender.database.models.accounts import LogRow
from provender.database.models.base import AppendOnly, WrittenOnceError
from tests.web.cast import Cast

BOTH: Final = [
    pytest.param("default", marks=pytest.mark.django_db(databases=["default"])),
    pytest.param("postgres", marks=[pytest.mark.postgres, pytest.mark.django_db(databases=["default", "postgres"])]),
]


LAST_WAY: Final = {
    "sqlite": "INSERT OR REPLACE INTO database_logrow (id, at, via, deed, about) VALUES "
              "({id}, '2026-01-01', 'x', 'x', '')",
    # Deferred foreign keys would refuse a TRUNCATE too, for a reason that is not ours.
    "postgresql": "SET CONSTRAINTS ALL IMMEDIATE; TRUNCATE database_logrow",
}  # fmt: skip


@pytest.mark.parametrize("using", BOTH)
def test_the_database_refuses_to_change_a_written_row(using: str) -> None:
    row = LogRow.objects.using(using).create(at=timezone.now(), via="test", deed="try")
    last = LAST_WAY[connections[using].vendor].format(id=row.pk)
    for statement in ("UPDATE database_logrow SET deed = 'other'", "DELETE FROM database_logrow", last):
        with (
            pytest.raises(DatabaseError, match="written once"),
            transaction.atomic(using=using),
            connections[using].cursor() as cursor,
        ):
            cursor.execute(statement)
        assert LogRow.objects.using(using).get(pk=row.pk).deed == "try", statement


@pytest.mark.parametrize("using", BOTH)
def test_every_append_only_table_is_guarded(using: str) -> None:
    tables = {model._meta.db_table for model in apps.get_models() if issubclass(model, AppendOnly)}
    assert len(tables) >= 5
    assert {guard.table for guard in guards.all_guards(using)} >= tables
    assert guards.missing(using) == []


@pytest.mark.parametrize("using", BOTH)
def test_a_migration_puts_lost_guards_back(using: str) -> None:
    guards.lift(using)
    assert len(guards.missing(using)) == len(guards.all_guards(using))
    assert len(guards.check(databases=[using])) == len(guards.all_guards(using))
    call_command("migrate", database=using, verbosity=0)
    assert guards.missing(using) == []
    assert guards.check(databases=[using]) == []


def test_python_refuses_before_the_database_does(cast: Cast) -> None:
    with pytest.raises(WrittenOnceError, match="never changed"):
        cast.book.save()
    with pytest.raises(WrittenOnceError, match="never removed"):
        cast.book.delete()


def test_no_table_of_the_models_lacks_a_migration(db: None) -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


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
        assert not make_first_tables(using), "a database with tables is left as it is"
        assert make_first_tables(MADE)
        assert notes(MADE) == notes(using)
        call_command("migrate", database=MADE, verbosity=0, check_unapplied=True, skip_checks=True)
        assert guards.missing(MADE) != []
        call_command("migrate", database=MADE, verbosity=0, skip_checks=True)
        assert guards.missing(MADE) == []
        assert shape(connections[MADE]) == shape(connections[using])


PLANS = {"prepare_threshold": 5}


def test_an_address_or_a_folder_with_a_socket_is_read_and_behind_a_pooler_no_plans_are_kept() -> None:
    found = postgres_settings("postgresql://ada:p%40ss%2Fword@db.example:5433/books?sslmode=verify-full")
    assert (found["USER"], found["PASSWORD"], found["HOST"]) == ("ada", "p@ss/word", "db.example")
    assert (found["PORT"], found["NAME"]) == ("5433", "books")
    assert found["OPTIONS"] == {"sslmode": "verify-full", "prepare_threshold": 5}
    found = postgres_settings("postgresql://postgres:@/postgres?host=/tmp/pg")
    assert (found["HOST"], found["NAME"], found["OPTIONS"]) == ("/tmp/pg", "postgres", PLANS)  # noqa: S108 - only a name
    assert postgres_settings("postgresql://db/books?prepared=no")["OPTIONS"] == {}
    assert postgres_settings("postgresql://db/books?prepared=yes")["OPTIONS"] == PLANS


@pytest.mark.parametrize("url", [
    "mysql://ada:secret@db/books", "postgresql://ada:secret@db", "postgresql://ada:secret@db/",
    "postgresql://ada:secret@db/books/more", "postgresql://ada:secret@db:port/books",
    "postgresql://ada:secret@db/books?options=-csearch_path%3Dx",
    "postgresql://ada:secret@db/books?prepared=secret", "secret",
])  # fmt: skip
def test_anything_else_is_refused_without_repeating_it(url: str) -> None:
    with pytest.raises(AddressError) as refused:
        postgres_settings(url)
    assert "secret" not in str(refused.value)
