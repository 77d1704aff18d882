"""What tables share: rows written once, which the database itself keeps (see ``guards``), and handles."""

import secrets
from typing import Any, ClassVar, Final, Never

from django.db import models


class WrittenOnceError(Exception):
    """Somebody tried to change or remove a row that stays as it was written."""


class AppendOnly(models.Model):
    """Base of tables that only grow. A correction is one more row.

    Each concrete model below this class gets triggers against UPDATE and DELETE on SQLite and PostgreSQL, put back
    after every migration.
    """

    append_only: ClassVar[bool] = True

    class Meta:
        """No table of its own."""

        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - as Django declares it
        """Insert the row.

        Raises:
            WrittenOnceError: the row is already in the database.
        """
        if not self._state.adding:
            raise WrittenOnceError(f"A row of {self._meta.db_table} is never changed. Write a new one.")
        super().save(*args, **kwargs)

    def delete(self, *_args: Any, **_kwargs: Any) -> Never:  # noqa: ANN401 - as Django declares it
        """Refuse.

        Raises:
            WrittenOnceError: always.
        """
        raise WrittenOnceError(f"A row of {self._meta.db_table} is never removed.")


LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""No letter that looks like another or like a digit: people read handles out on the telephone."""
LENGTH: Final = 10


def new_handle() -> str:
    """Return ten random letters and digits (about 49 bits)."""
    return "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
