"""The example chain loaded once for all tests of a module, in a transaction around them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from pytest_django import DjangoDbBlocker

from provender.database.actor import Actor
from provender.database.models.accounts import ReadGrant
from provender.demo.loading import VERIFIER, load_demo
from provender.services.accounts.grants import revoke_reading
from tests.web.replayed import replayed
from tests.web.standing import standing

FARMS: Final = 4
"""Fewer than the example has: loading costs seconds."""


class Demo(NamedTuple):
    """The loaded chain: where its files lie, and the lines that the terminal would show."""

    uploads: Path
    lines: list[str]


@pytest.fixture(scope="module")
def demo(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Demo]:
    """Load the chain; the module that asks for it names it in ``__all__``."""
    uploads = tmp_path_factory.mktemp("uploads")
    with standing(django_db_blocker, uploads, lambda: replayed("demo", lambda: list(load_demo(FARMS)))) as made:
        yield Demo(uploads, made.what)


def shuts_its_door(party: str) -> None:
    """End the access that a party gave the verifier."""
    grant = ReadGrant.objects.get(audited__handle=party, verifier__handle=VERIFIER)
    revoke_reading(grant, actor=Actor(grant.granted_by, "test"))
