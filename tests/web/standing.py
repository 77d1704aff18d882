"""What all tests of a module begin with, made once in a transaction around them; each test undoes what it wrote."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Generic, TypeVar

import pytest
from django.db import transaction
from django.test import override_settings
from pytest_django import DjangoDbBlocker, Settings

from tests.web.cast import Cast, make_cast

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


@pytest.fixture(scope="module")
def _standing_cast(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Standing[Cast]]:
    with standing(django_db_blocker, tmp_path_factory.mktemp("cast"), make_cast) as made:
        yield made


@pytest.fixture
def cast(db: None, _standing_cast: Standing[Cast], settings: Settings) -> Cast:
    """Return the cast, made once a module; no test beside it may need the database outside of a transaction."""
    return deepcopy(_standing_cast.lend(settings))
