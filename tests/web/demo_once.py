"""The example chain loaded once for all tests of a module, in a transaction around them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.db import transaction
from django.test import override_settings
from pytest_django import DjangoDbBlocker

from provender.cli.prairie.server import load_demo

HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
"""Those of every test."""


@contextmanager
def demo_loaded(blocker: DjangoDbBlocker, uploads: Path, farms: int) -> Iterator[list[str]]:
    """Load the chain with its files in a folder; give the lines that the terminal would show. Loading costs seconds."""
    with blocker.unblock(), transaction.atomic():
        with override_settings(UPLOAD_FOLDER=uploads, PASSWORD_HASHERS=HASHERS):
            lines = list(load_demo(farms))
        yield lines
        transaction.set_rollback(True)
