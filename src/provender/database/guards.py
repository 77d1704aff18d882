"""Triggers that keep written rows as they are, on SQLite and PostgreSQL.

Django rebuilds a SQLite table to alter it and loses its triggers on the way, so every guard is created again after
each migration. A guard is declared by inheriting ``AppendOnly`` or by a function in ``EXTRA`` (tables with finer
rules, such as the custody book).
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from django.apps import apps
from django.core.checks import CheckMessage
from django.core.checks import Warning as CheckWarning
from django.db import connections, router, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from provender.database.models.append_only import AppendOnly

REFUSAL: Final = "rows of {table} are written once: add a new one"


class Guard(NamedTuple):
    """One trigger or constraint.

    Attributes:
        name: its name in the database.
        table: whose rows it keeps.
        create: statements that create it.
        drop: statements that drop it, harmless when it is gone.
        once: whether it is left alone where it stands: a constraint with an index is slow to build.
    """

    name: str
    table: str
    create: tuple[str, ...]
    drop: tuple[str, ...]
    once: bool = False


INSTALLING: Final = 2100_001
"""The number of the advisory lock under which PostgreSQL gets its guards."""

EXTRA: Final[list[Callable[[str], Sequence[Guard]]]] = []


def _sqlite_guard(table: str, event: str) -> Guard:
    name = f"guard_{table}_{event.lower()}"
    refusal = REFUSAL.format(table=table)
    drop = f'DROP TRIGGER IF EXISTS "{name}"'
    create = f'CREATE TRIGGER "{name}" BEFORE {event} ON "{table}" BEGIN SELECT RAISE(ABORT, \'{refusal}\'); END'
    return Guard(name, table, (drop, create), (drop,))


POSTGRES_REFUSE: Final = """
CREATE OR REPLACE FUNCTION provender_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'rows of %% are written once: add a new one', TG_TABLE_NAME
    USING ERRCODE = 'integrity_constraint_violation'; END $$
""".replace("%%", "%")


def _postgres_guard(table: str, event: str) -> Guard:
    name = f"guard_{table}_{event.lower()}"
    each = "STATEMENT" if event == "TRUNCATE" else "ROW"
    drop = f'DROP TRIGGER IF EXISTS "{name}" ON "{table}"'
    create = f'CREATE TRIGGER "{name}" BEFORE {event} ON "{table}" FOR EACH {each} EXECUTE FUNCTION provender_refuse()'
    return Guard(name, table, (POSTGRES_REFUSE, drop, create), (drop,))


def write_once(vendor: str, table: str) -> Iterator[Guard]:
    """Yield the guards that make a table append-only."""
    if vendor == "sqlite":
        yield from (_sqlite_guard(table, event) for event in ("UPDATE", "DELETE"))
    else:
        yield from (_postgres_guard(table, event) for event in ("UPDATE", "DELETE", "TRUNCATE"))


def all_guards(using: str) -> list[Guard]:
    """Return every guard that belongs to the tables of one database."""
    vendor = connections[using].vendor
    guards = [
        guard
        for model in apps.get_models()
        if issubclass(model, AppendOnly) and router.allow_migrate_model(using, model)
        for guard in write_once(vendor, model._meta.db_table)  # noqa: SLF001 - Django has no other name for it
    ]
    for more in EXTRA:
        guards.extend(more(vendor))
    return guards


def _tables(connection: BaseDatabaseWrapper) -> set[str]:
    with connection.cursor() as cursor:
        return set(connection.introspection.table_names(cursor))


def install(using: str) -> None:
    """Create all guards of the tables that exist, replacing old ones, in one transaction and one process at a time."""
    connection = connections[using]
    with transaction.atomic(using=using), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [INSTALLING])
        present, standing = _tables(connection), _standing(connection)
        for guard in all_guards(using):
            if guard.table in present and not (guard.once and guard.name in standing):
                for statement in guard.create:
                    cursor.execute(statement)


def lift(using: str) -> None:
    """Drop all guards: for removal of rows whose retention has ended, and for emptying a test database."""
    connection = connections[using]
    present = _tables(connection)
    with connection.cursor() as cursor:
        for guard in all_guards(using):
            if guard.table in present:
                for statement in guard.drop:
                    cursor.execute(statement)


def _standing(connection: BaseDatabaseWrapper) -> set[str]:
    query = (
        "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        if connection.vendor == "sqlite"
        else "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal UNION SELECT conname FROM pg_constraint"
    )
    with connection.cursor() as cursor:
        cursor.execute(query)
        return {str(name) for (name,) in cursor.fetchall()}


def missing(using: str) -> list[Guard]:
    """Return the guards that should stand in a database and do not."""
    connection = connections[using]
    present, standing = _tables(connection), _standing(connection)
    return [guard for guard in all_guards(using) if guard.table in present and guard.name not in standing]


def check(databases: Sequence[str] | None = None, **_options: Any) -> list[CheckMessage]:  # noqa: ANN401 - Django's
    """Tell ``manage check --database`` which guards are gone.

    A warning, not an error: an error would stop ``migrate``, which is the remedy. `/health` answers 503 meanwhile.
    """
    return [
        CheckWarning(
            f"The guard {guard.name} is missing.",
            hint="Run `provender manage migrate`: it puts all guards back.",
            id="provender.W001",
        )
        for using in databases or ()
        for guard in missing(using)
    ]
