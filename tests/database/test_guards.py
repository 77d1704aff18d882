"""Written rows stay as they are, on both databases, whatever a migration did."""

from typing import Final

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import DatabaseError, connections, transaction

from provender.database import guards
from provender.database.models import AppendOnly, WrittenOnceError
from provender.database.models.accounts import LogRow
from tests.web.cast import Cast

BOTH: Final = [
    pytest.param("default", marks=pytest.mark.django_db(databases=["default"])),
    pytest.param("postgres", marks=[pytest.mark.postgres, pytest.mark.django_db(databases=["default", "postgres"])]),
]


def write_row(using: str) -> LogRow:
    from django.utils import timezone

    return LogRow.objects.using(using).create(at=timezone.now(), via="test", deed="try")


REPLACE: Final = (
    "INSERT OR REPLACE INTO database_logrow (id, at, via, deed, about) VALUES ({id}, '2026-01-01', 'x', 'x', '')"
)
SQLITE: Final = pytest.mark.django_db(databases=["default"])
POSTGRES: Final = (pytest.mark.postgres, pytest.mark.django_db(databases=["default", "postgres"]))


@pytest.mark.parametrize(
    ("using", "statement"),
    [
        pytest.param("default", "UPDATE database_logrow SET deed = 'other'", marks=SQLITE),
        pytest.param("default", "DELETE FROM database_logrow", marks=SQLITE),
        pytest.param("default", REPLACE, marks=SQLITE),
        pytest.param("postgres", "UPDATE database_logrow SET deed = 'other'", marks=POSTGRES),
        pytest.param("postgres", "DELETE FROM database_logrow", marks=POSTGRES),
        # Deferred foreign keys would refuse a TRUNCATE too, for a reason that is not ours.
        pytest.param("postgres", "SET CONSTRAINTS ALL IMMEDIATE; TRUNCATE database_logrow", marks=POSTGRES),
    ],
)
def test_the_database_refuses_to_change_a_written_row(using: str, statement: str) -> None:
    row = write_row(using)
    with (
        pytest.raises(DatabaseError, match="written once"),
        transaction.atomic(using=using),
        connections[using].cursor() as cursor,
    ):
        cursor.execute(statement.format(id=row.pk))
    assert LogRow.objects.using(using).get(pk=row.pk).deed == "try"


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
