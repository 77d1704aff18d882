"""What all tests of a module begin with, made once in a transaction around them; each test undoes what it wrote."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Generic, TypeVar

from django.db import transaction
from django.test import override_settings
from pytest_django import DjangoDbBlocker, Settings

T = TypeVar("T")
HASHERS: Final = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@dataclass(frozen=True)
class Standing(Generic[T]):
    """What stands in the database, and the folder of the uploads that belong to it."""

    what: T
    uploads: Path

    def lend(self, settings: Settings) -> T:
        """Give one test the uploads where they lie, as results that were kept name them so, and what stands."""
        settings.UPLOAD_FOLDER = self.uploads
        return self.what


@contextmanager
def standing(blocker: DjangoDbBlocker, uploads: Path, make: Callable[[], T]) -> Iterator[Standing[T]]:
    """Make something in a transaction that is rolled back at the end: made for each test it would cost minutes."""
    with blocker.unblock(), transaction.atomic():
        with override_settings(UPLOAD_FOLDER=uploads, PASSWORD_HASHERS=HASHERS):
            made = make()
        yield Standing(made, uploads)
        transaction.set_rollback(True)
