"""Copying the district within the database, row by row under other names, as fast as the database can.

Every table of the database room is copied: keys move up by a whole table, references with them, every text has the
district's code replaced, hashes are taken again of the replaced text. The guards are lifted for it and put back, and
what they keep true is checked before anything is committed.
"""

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any, Final

from django.apps import apps
from django.db import connection, models, transaction

from bench.server.district import CODE
from provender.custody.model.lots import SPAN_BITS
from provender.database import guards
from provender.database.models.accounts import IdempotentAnswer
from provender.database.models.custody import CustodyEvent, CustodyLot, CustodyOrigin
from provender.database.models.farm import Change, VerdictCache

AT_ONCE: Final = 10
"""Districts copied by one statement."""
NOT_COPIED: Final = (VerdictCache, IdempotentAnswer)
Column = tuple[type[models.Model], str]
HASH_OF_TEXT: Final[Mapping[Column, str]] = {(Change, "hash"): "text", (CustodyEvent, "digest"): "text"}
SERIALS: Final[frozenset[Column]] = frozenset({(CustodyLot, "span_start"), (CustodyLot, "span_stop")})
TEXTS: Final = (models.CharField, models.TextField)
OVERLAPS: Final = (
    "SELECT count(*) FROM (SELECT span_start, lag(span_stop) OVER (ORDER BY span_start) AS before "
    "FROM database_custodylot WHERE ended_by_id IS NULL) spans WHERE span_start < before"
)


def copy_district(count: int) -> None:
    """Make ``count`` districts of the one that is there.

    Raises:
        RuntimeError: lots overlap, or a guard did not come back; nothing is kept.
    """
    _speak_sha256()
    with transaction.atomic(), connection.cursor() as cursor:
        sizes = {model: _largest(cursor, model) for model in _models()}
        guards.lift(connection.alias)
        for first, last in _runs(count):
            for model in sizes:
                cursor.execute(_copy(model, sizes), [first, last])
        cursor.execute(OVERLAPS)
        if cursor.fetchone() != (0,):
            raise RuntimeError("copied lots overlap")
        for statement in connection.ops.sequence_reset_sql(_style(), list(sizes)):
            cursor.execute(statement)
    guards.install(connection.alias)
    if guards.missing(connection.alias):
        raise RuntimeError("a guard is missing")
    if connection.vendor == "postgresql":  # which does so by itself, a while later; SQLite needs none
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")


def _models() -> list[type[models.Model]]:
    """Return the tables to copy, each after those it refers to: a reference that waits makes SQLite search for it."""
    present = set(connection.introspection.table_names())
    waiting = [model for model in apps.get_app_config("database").get_models() if model not in NOT_COPIED]
    waiting = [model for model in waiting if model._meta.db_table in present]  # noqa: SLF001 - no other name for it
    ordered: list[type[models.Model]] = []
    while waiting:
        ready = [model for model in waiting if not (_referred(model) - {model}) & set(waiting)]
        ordered += ready
        waiting = [model for model in waiting if model not in ready]
    return ordered


def _referred(model: type[models.Model]) -> set[type[models.Model]]:
    fields = model._meta.local_concrete_fields  # noqa: SLF001 - Django has no other name for it
    return {field.remote_field.model for field in fields if field.remote_field is not None}


def _runs(count: int) -> Iterator[tuple[int, int]]:
    for first in range(1, count, AT_ONCE):
        yield first, min(first + AT_ONCE, count) - 1


def _largest(cursor: Any, model: type[models.Model]) -> int:  # noqa: ANN401 - Django's own wrapper
    cursor.execute(f'SELECT coalesce(max(id), 0) FROM "{model._meta.db_table}"')  # noqa: S608, SLF001 - our own tables
    return int(cursor.fetchone()[0])


def _copy(model: type[models.Model], sizes: dict[type[models.Model], int]) -> str:
    """Return the statement that copies one table for a run of districts, whose first and last are its parameters."""
    fields = model._meta.local_concrete_fields  # noqa: SLF001 - Django has no other name for it
    table, names = model._meta.db_table, ", ".join(f'"{field.column}"' for field in fields)  # noqa: SLF001
    values = ", ".join(_value(model, field, sizes) for field in fields)
    numbers = "WITH RECURSIVE k(n) AS (SELECT %s UNION ALL SELECT n + 1 FROM k WHERE n < %s)"
    source = f'FROM "{table}" t CROSS JOIN k WHERE t.id <= {sizes[model]} ORDER BY k.n, t.id'
    return f'INSERT INTO "{table}" ({names}) {numbers} SELECT {values} {source}'


def _value(model: type[models.Model], field: Any, sizes: dict[type[models.Model], int]) -> str:  # noqa: ANN401
    column = f't."{field.column}"'
    if field.primary_key:
        return f"{column} + k.n * {sizes[model]}"
    if field.remote_field is not None:
        return f"{column} + k.n * {sizes[field.remote_field.model]}"
    if (model, field.column) in SERIALS:
        return f"{column} + k.n * {sizes[CustodyOrigin] << SPAN_BITS}"
    hashed = HASH_OF_TEXT.get((model, field.column))
    if hashed:
        return _sha256(_renamed(f't."{hashed}"'))
    if isinstance(field, models.JSONField):
        return f"{_renamed(f'{column}::text')}::jsonb" if connection.vendor == "postgresql" else _renamed(column)
    return _renamed(column) if isinstance(field, TEXTS) else column


def _renamed(text: str) -> str:
    padded = "right('000' || k.n, 4)" if connection.vendor == "postgresql" else "substr('000' || k.n, -4)"
    return f"replace({text}, '{CODE}', '{CODE[0]}' || {padded})"


def _sha256(text: str) -> str:
    if connection.vendor == "postgresql":
        return f"encode(sha256(convert_to({text}, 'UTF8')), 'hex')"
    return f"sha256_hex({text})"


def _speak_sha256() -> None:
    """Teach SQLite the hash that PostgreSQL knows; put speed before safety for a file that is made anew anyway."""
    if connection.vendor != "sqlite":
        return
    connection.ensure_connection()
    raw: Any = connection.connection
    raw.create_function("sha256_hex", 1, lambda text: hashlib.sha256(text.encode()).hexdigest(), deterministic=True)
    if not connection.in_atomic_block:
        raw.execute("PRAGMA synchronous=OFF")
    raw.execute("PRAGMA cache_size=-500000")


def _style() -> Any:  # noqa: ANN401 - Django's
    from django.core.management.color import no_style

    return no_style()
