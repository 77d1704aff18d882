"""Several statements in one message to the database.

PostgreSQL answers them one after the other without waiting for the caller in between; each sees what was committed
before it began. A statement asked often is planned once in a connection: planning the questions of a sale takes longer
than answering them. SQLite has no distance to its caller and takes them one by one.
"""

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from functools import partial
from typing import Any, Final, NamedTuple, TypeVar

from django.db.backends.base.base import BaseDatabaseWrapper

T = TypeVar("T")

AT_ONCE: Final = 500
"""Rows of one statement: SQLite takes about 32,000 parameters."""


class SqlStatement(NamedTuple):
    """One statement with its parameters and, where it writes, how many rows it must change."""

    sql: str
    parameters: Sequence[Any]
    rows: int = 0


def marks(values: Sequence[Any]) -> str:
    """Return a place for each of some values."""
    return ", ".join(["%s"] * len(values))


def inserts(head: str, row: str, rows: Sequence[Sequence[Any]], tail: str = "") -> Iterator[SqlStatement]:
    """Yield what inserts rows.

    Args:
        head: what comes before the rows.
        row: the places of one row's values.
        rows: their values.
        tail: what comes after the rows.
    """
    for some in parts(rows):
        sql = head + ", ".join([row] * len(some)) + tail
        yield SqlStatement(sql, [value for values in some for value in values], len(some))


def parts(rows: Sequence[T]) -> Iterator[Sequence[T]]:
    """Yield rows in as many parts as there are statements."""
    return (rows[start : start + AT_ONCE] for start in range(0, len(rows), AT_ONCE))


def ask(connection: BaseDatabaseWrapper, questions: Sequence[SqlStatement]) -> list[list[tuple[Any, ...]]]:
    """Return the rows of each question; none for one that has no answer, such as a lock."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            found = []
            for one in questions:
                cursor.execute(one.sql, one.parameters)
                found.append(list(cursor.fetchall()))
            return found
    return [cursor.fetchall() for cursor in _sent(connection, questions)]


def write(connection: BaseDatabaseWrapper, statements: Sequence[SqlStatement]) -> bool:
    """Execute statements in their order; return whether each changed as many rows as it must."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            for one in statements:
                cursor.execute(one.sql, one.parameters)
                if cursor.rowcount != one.rows:
                    return False
            return True
    sent = _sent(connection, statements)
    return all(cursor.rowcount == one.rows for cursor, one in zip(sent, statements, strict=True))


def _sent(connection: BaseDatabaseWrapper, statements: Sequence[SqlStatement]) -> list[Any]:
    """Send statements to PostgreSQL in one message, and return a cursor with the answer to each.

    Django's own cursors write parameters into the text, so that no plan could be kept; what Django does around its
    cursors is done here: broken transactions, errors in its own classes, wrappers.
    """
    connection.ensure_connection()
    connection.validate_no_broken_transaction()
    run: Any = partial(_run, connection, statements)
    for wrapper in reversed(connection.execute_wrappers):
        run = partial(wrapper, run)
    texts, values = "; ".join(one.sql for one in statements), [one.parameters for one in statements]
    cursors: list[Any] = run(texts, values, False, {"connection": connection, "cursor": None})
    return cursors


def _run(connection: BaseDatabaseWrapper, statements: Sequence[SqlStatement], *_wrapped: object) -> list[Any]:
    from psycopg import Cursor

    with connection.wrap_database_errors:
        cursors = [Cursor(connection.connection) for _ in statements]
        with connection.connection.pipeline() if len(statements) > 1 else nullcontext():
            for cursor, one in zip(cursors, statements, strict=True):
                cursor.execute(one.sql, _typed(one.parameters))
        return cursors


def _typed(parameters: Sequence[Any]) -> list[Any]:
    """Return parameters in which every whole number has one type: else a plan would belong to a size of number."""
    from psycopg.types.numeric import Int8

    return [Int8(value) if type(value) is int else value for value in parameters]
