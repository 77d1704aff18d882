"""Several statements in one message to the database.

PostgreSQL answers them one after the other without waiting for the caller in between; each sees what was committed
before it began. SQLite has no distance to its caller and takes them one by one.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.db.backends.base.base import BaseDatabaseWrapper


class Statement(NamedTuple):
    """One statement with its parameters and, where it writes, how many rows it must change."""

    sql: str
    parameters: Sequence[Any]
    rows: int = 0


def ask(connection: BaseDatabaseWrapper, questions: Sequence[Statement]) -> list[list[tuple[Any, ...]]]:
    """Return the rows of each question."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            found = []
            for one in questions:
                cursor.execute(one.sql, one.parameters)
                found.append(list(cursor.fetchall()))
            return found
        cursor.execute(*_joined(questions))
        first = [list(cursor.fetchall())]
        return first + [list(cursor.fetchall()) for _ in questions[1:] if cursor.nextset()]


def write(connection: BaseDatabaseWrapper, statements: Sequence[Statement]) -> bool:
    """Execute statements in their order; return whether each changed as many rows as it must."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            for one in statements:
                cursor.execute(one.sql, one.parameters)
                if cursor.rowcount != one.rows:
                    return False
            return True
        cursor.execute(*_joined(statements))
        for one in statements:
            if cursor.rowcount != one.rows:
                return False
            cursor.nextset()
        return True


def _joined(statements: Sequence[Statement]) -> tuple[str, list[Any]]:
    return "; ".join(one.sql for one in statements), [value for one in statements for value in one.parameters]
