"""What all tests of a module begin with, made once in a transaction around them; each test undoes what it wrote."""

import shutil
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
        """Give one test a copy of the uploads in a folder of its own, and what stands."""
        shutil.copytree(self.uploads, settings.UPLOAD_FOLDER, dirs_exist_ok=True)
        return self.what


@contextmanager
def standing(blocker: DjangoDbBlocker, uploads: Path, make: Callable[[], T]) -> Iterator[Standing[T]]:
    """Make something in a transaction that is rolled back at the end: made for each test it would cost minutes."""
    with blocker.unblock(), transaction.atomic():
        with override_settings(UPLOAD_FOLDER=uploads, PASSWORD_HASHERS=HASHERS):
            made = make()
        yield Standing(made, uploads)
        transaction.set_rollback(True)
