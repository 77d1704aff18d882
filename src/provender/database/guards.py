"""Triggers and constraints that keep written rows as they are, on SQLite and PostgreSQL.

- A table below ``AppendOnly`` only grows.
- Current lots never overlap: a range exclusion constraint in PostgreSQL; in SQLite a trigger that looks at the one
  current lot which could overlap, the last that begins before the new one ends.
- A lot is opened current, is changed only once, by the mark of the movement that ended it, and is never removed.
- A closed period and its statement are never replaced; no record is removed. What it left is never moved: no lot comes
  into a stock or leaves one on a day up to the end of a closed period, nor leaves before the day it is there.

Django rebuilds a SQLite table to alter it and loses its triggers on the way, so every guard is created again after
each migration.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from django.apps import apps
from django.core.checks import CheckMessage
from django.core.checks import Warning as CheckWarning
from django.db import connections, router, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Model

from provender.database.models.base import AppendOnly
from provender.database.models.custody import CustodyEvent, CustodyLot, CustodyPeriod, CustodyRecord, Stated

_REFUSAL: Final = "rows of {table} are written once: add a new one"
OVERLAP: Final = "a current lot holds some of these serials already"
_LOT_STAYS: Final = "a lot is changed once, by the movement that ends it"
_BALANCE_STAYS: Final = "a closed balance stays, and nothing leaves a stock before it came"
_BALANCE_GUARD: Final = "guard_lot_balance"
_RECORD_STAYS: Final = "a closed period stays as it was closed"

LOT: Final = CustodyLot._meta.db_table  # noqa: SLF001 - Django has no other name for it
PERIOD: Final = CustodyPeriod._meta.db_table  # noqa: SLF001
_EVENT: Final = CustodyEvent._meta.db_table  # noqa: SLF001
_STOCK: Final = "('held', 'unverified')"
_SAME: Final = f"p.owner = NEW.owner AND p.ci = NEW.ci AND p.state IN {_STOCK} AND NEW.state IN {_STOCK}"
_CLOSED: Final = f'SELECT 1 FROM "{PERIOD}" c WHERE c.entity = %s AND c.closed IS NOT NULL AND c."end" >= e.day'  # noqa: S608
_LEFT: Final = f"p.state IN {_STOCK} AND (p.since > e.day OR EXISTS ({_CLOSED % 'p.owner'}))"
_CAME: Final = f"NEW.state IN {_STOCK} AND EXISTS ({_CLOSED % 'NEW.owner'})"
_AGAINST: Final = (
    f'SELECT 1 FROM "{_EVENT}" e LEFT JOIN "{LOT}" p ON p.id = NEW.parent_id WHERE e.id = NEW.opened_by_id '  # noqa: S608
    f"AND (p.id IS NULL OR NOT ({_SAME})) AND (({_LEFT}) OR ({_CAME}))"
)
"""Finds a new lot whose movement flows into or out of a stock as ``provender.custody.events.rules`` forbids."""
KEPT: Final = tuple(field.column for field in CustodyLot._meta.local_fields if field.column != "ended_by_id")  # noqa: SLF001
FINAL: Final[dict[type[Model], str]] = {CustodyRecord: "OLD.final", CustodyPeriod: "OLD.closed IS NOT NULL"}
"""What holds of a record that is never replaced."""
_INSTALLING: Final = 2100_001
"""The number of the advisory lock under which PostgreSQL gets its guards."""


class Guard(NamedTuple):
    """One trigger or constraint."""

    name: str  # its name in the database
    table: str  # whose rows it keeps
    create: tuple[str, ...]  # statements that create it
    drop: tuple[str, ...]  # statements that drop it, harmless when it is gone
    once: bool = False  # whether it is left alone where it stands: a constraint with an index is slow to build


class _Rule(NamedTuple):
    """A trigger of either database: before which event it refuses, in which words and, unless always, when."""

    table: str
    name: str
    event: str
    words: str
    when: str = ""


_POSTGRES_REFUSE: Final = (
    "CREATE OR REPLACE FUNCTION provender_refuse() RETURNS trigger LANGUAGE plpgsql AS $$ "
    "BEGIN RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'integrity_constraint_violation'; END $$"
)


def _sqlite_guard(rule: _Rule) -> Guard:
    drop = f'DROP TRIGGER IF EXISTS "{rule.name}"'
    refuse = f"SELECT RAISE(ABORT, '{rule.words}') WHERE {rule.when or 'true'}"
    create = f'CREATE TRIGGER "{rule.name}" BEFORE {rule.event} ON "{rule.table}" BEGIN {refuse}; END'
    return Guard(rule.name, rule.table, (drop, create), (drop,))


def _postgres_guard(rule: _Rule) -> Guard:
    drop = f'DROP TRIGGER IF EXISTS "{rule.name}" ON "{rule.table}"'
    each = "STATEMENT" if rule.event == "TRUNCATE" else f"ROW WHEN ({rule.when or 'true'})"
    refuse = f"FOR EACH {each} EXECUTE FUNCTION provender_refuse('{rule.words}')"
    create = f'CREATE TRIGGER "{rule.name}" BEFORE {rule.event} ON "{rule.table}" {refuse}'
    return Guard(rule.name, rule.table, (_POSTGRES_REFUSE, drop, create), (drop,))


def _postgres_overlap() -> Guard:
    name = "guard_lot_overlap"
    create = (
        f'ALTER TABLE "{LOT}" ADD CONSTRAINT "{name}" EXCLUDE USING gist '
        "(int8range(span_start, span_stop) WITH &&) WHERE (ended_by_id IS NULL)"
    )
    return Guard(name, LOT, (create,), (f'ALTER TABLE "{LOT}" DROP CONSTRAINT IF EXISTS "{name}"',), once=True)


def _postgres_balance() -> Guard:
    """Return the trigger that looks into other tables, which a condition of PostgreSQL may not: it has its function."""
    function = (
        "CREATE OR REPLACE FUNCTION provender_balance_stays() RETURNS trigger LANGUAGE plpgsql AS $$ "
        f"BEGIN IF EXISTS ({_AGAINST}) THEN RAISE EXCEPTION '{_BALANCE_STAYS}' "
        "USING ERRCODE = 'integrity_constraint_violation'; END IF; RETURN NEW; END $$"
    )
    drop = f'DROP TRIGGER IF EXISTS "{_BALANCE_GUARD}" ON "{LOT}"'
    create = (
        f'CREATE TRIGGER "{_BALANCE_GUARD}" BEFORE INSERT ON "{LOT}" '
        "FOR EACH ROW EXECUTE FUNCTION provender_balance_stays()"
    )
    return Guard(_BALANCE_GUARD, LOT, (function, drop, create), (drop,))


def _written_once(model: type[Model]) -> Iterator[_Rule]:
    table = model._meta.db_table  # noqa: SLF001
    for event in ("UPDATE", "DELETE", "TRUNCATE"):
        yield _Rule(table, f"guard_{table}_{event.lower()}", event, _REFUSAL.format(table=table))


def _of_lots(vendor: str) -> Iterator[_Rule]:
    differs = "IS NOT" if vendor == "sqlite" else "IS DISTINCT FROM"
    changed = " OR ".join(f'OLD."{column}" {differs} NEW."{column}"' for column in KEPT)
    marked_once = f"OLD.ended_by_id IS NOT NULL OR NEW.ended_by_id IS NULL OR {changed}"
    if vendor == "sqlite":
        # Existing current lots do not overlap each other, so of those that begin before the new one ends, the last is
        # the only one that can reach into it.
        before = "WHERE ended_by_id IS NULL AND span_start < NEW.span_stop ORDER BY span_start DESC LIMIT 1"
        overlaps = f'NEW.span_start < (SELECT span_stop FROM "{LOT}" {before})'  # noqa: S608 - our own names
        yield _Rule(LOT, "guard_lot_overlap", "INSERT", OVERLAP, overlaps)
        yield _Rule(LOT, _BALANCE_GUARD, "INSERT", _BALANCE_STAYS, f"EXISTS ({_AGAINST})")
    yield _Rule(LOT, "guard_lot_current", "INSERT", _LOT_STAYS, "NEW.ended_by_id IS NOT NULL")
    yield _Rule(LOT, "guard_lot_update", "UPDATE", _LOT_STAYS, marked_once)
    yield _Rule(LOT, "guard_lot_delete", "DELETE", _LOT_STAYS)
    yield _Rule(LOT, "guard_lot_truncate", "TRUNCATE", _LOT_STAYS)


def _of_records(model: type[Model]) -> Iterator[_Rule]:
    table = model._meta.db_table  # noqa: SLF001
    name = f"guard_{table.removeprefix('database_custody')}"
    if model in FINAL:
        yield _Rule(table, f"{name}_update", "UPDATE", _RECORD_STAYS, FINAL[model])
    for event in ("DELETE", "TRUNCATE"):
        yield _Rule(table, f"{name}_{event.lower()}", event, _RECORD_STAYS)


def all_guards(using: str) -> list[Guard]:
    """Return every guard that belongs to the tables of one database."""
    vendor = connections[using].vendor
    own = [model for model in apps.get_models() if router.allow_migrate_model(using, model)]
    rules = [
        *(rule for model in own if issubclass(model, AppendOnly) for rule in _written_once(model)),
        *_of_lots(vendor),
        *(rule for model in own if issubclass(model, Stated | CustodyRecord) for rule in _of_records(model)),
    ]
    if vendor == "sqlite":
        return [_sqlite_guard(rule) for rule in rules if rule.event != "TRUNCATE"]
    return [*map(_postgres_guard, rules), _postgres_overlap(), _postgres_balance()]


def _tables(connection: BaseDatabaseWrapper) -> set[str]:
    with connection.cursor() as cursor:
        return set(connection.introspection.table_names(cursor))


def install(using: str) -> None:
    """Create all guards of the tables that exist, replacing old ones, in one transaction and one process at a time."""
    connection = connections[using]
    with transaction.atomic(using=using), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_INSTALLING])
        present, standing = _tables(connection), _installed_guards(connection)
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


def _installed_guards(connection: BaseDatabaseWrapper) -> set[str]:
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
    present, standing = _tables(connection), _installed_guards(connection)
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


# The tables of a new database, made at once as today's models have them.
#
# When Django migrates it builds all models anew at nearly every step: 3 s of a start that makes 70 tables in a tenth of
# that. Only an empty database is made so; any other is migrated.


def make_first_tables(using: str = "default") -> bool:
    """Make every table of an empty database and note each migration as applied, in one transaction.

    Guards and permissions are left to ``migrate``, which is called after this as on any other database.

    Returns:
        Whether the database was empty; one that holds a table is left as it is.
    """
    connection = connections[using]
    if connection.introspection.table_names():
        return False
    recorder = MigrationRecorder(connection)
    migrations = MigrationLoader(connection).disk_migrations
    applied = {*migrations, *(old for one in migrations.values() for old in one.replaces)}
    with connection.schema_editor() as editor:
        editor.create_model(recorder.Migration)
        for app in apps.get_app_configs():
            for model in router.get_migratable_models(app, using, include_auto_created=False):
                if model._meta.can_migrate(connection):  # noqa: SLF001 - Django's own way to ask
                    editor.create_model(model)
        for app_label, name in sorted(applied):
            recorder.migration_qs.create(app=app_label, name=name)
    return True
