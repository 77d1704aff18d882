"""What tables share: rows written once, which the database itself keeps (see ``guards``), and handles."""

import secrets
from typing import Any, Final, Never

from django.db import models


class WrittenOnceError(Exception):
    """Somebody tried to change or remove a row that stays as it was written."""


class NewestFirst(models.Model):
    """Base of tables that are read newest first."""

    class Meta:
        """No table of its own."""

        abstract = True
        ordering = ("-id",)


class AppendOnly(NewestFirst):
    """Base of tables that only grow. A correction is one more row.

    Each concrete model below this class gets triggers against UPDATE and DELETE on SQLite and PostgreSQL, put back
    after every migration.
    """

    class Meta(NewestFirst.Meta):
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


class WithActor(AppendOnly):
    """Base of tables that say when and by whom a row was written; by nobody when the program itself acted."""

    at = models.DateTimeField()
    actor = models.ForeignKey("database.Person", on_delete=models.PROTECT, null=True, related_name="+")

    class Meta(AppendOnly.Meta):
        """No table of its own."""

        abstract = True


class OrganisationKey(WithActor):
    """The public key under which an organisation signs from now on; the last row counts, earlier ones stay readable.

    ``statement`` is the rotation signed by the key before; empty for a key that was brought without one, which says
    why it replaces one in ``reason``. ``sealed`` is the private half as the browser of ``actor`` sealed it; empty for a
    key that stays on a machine of the organisation's. Each concrete model says whose it is in ``organisation``.
    """

    fingerprint = models.CharField(max_length=43)
    public = models.JSONField("public key")
    statement = models.JSONField("signed rotation", default=dict)
    reason = models.CharField(max_length=400, blank=True)
    sealed = models.JSONField("sealed private key", default=dict)

    class Meta(WithActor.Meta):
        """A key is registered once, so that one given up does not come back."""

        abstract = True
        constraints = (models.UniqueConstraint(fields=("organisation", "fingerprint"), name="one_row_per_%(class)s"),)

    def __str__(self) -> str:
        return self.fingerprint


LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""No letter that looks like another or like a digit: people read handles out on the telephone."""
LENGTH: Final = 10


def new_handle() -> str:
    """Return ten random letters and digits (about 49 bits)."""
    return "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
