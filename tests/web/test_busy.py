"""A writer who waits in vain for the others is told so: nothing is written, the page and the program may try again."""

import sqlite3
from collections.abc import Iterator

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from provender.database.address import BUSY_SECONDS
from provender.database.models.accounts import IdempotentAnswer, Invitation, LogRow
from provender.web import gunicorn_settings
from tests.web.cast import Cast


@pytest.fixture
def owner(transactional_db: None, cast: Cast) -> Iterator[Client]:
    """Sign the owner in, then hold the write lock of SQLite and let nobody wait long for it."""
    client = Client(raise_request_exception=False)
    client.force_login(cast.person("owner"))
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout=20")
    other = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    yield client
    other.execute("ROLLBACK")
    other.close()
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA busy_timeout={BUSY_SECONDS * 1000}")


def test_page_and_api_answer_503_and_nothing_is_written(owner: Client, cast: Cast) -> None:
    def counts() -> list[int]:
        return [model.objects.count() for model in (Invitation, IdempotentAnswer, LogRow)]

    before = counts()
    said = {"label": "Bo", "right": "read"}
    headers = {"authorization": f"Bearer {cast.token_secret}", "idempotency-key": "k"}
    called = owner.post("/api/v1/invitations", said, "application/json", headers=headers)
    assert (called.status_code, called.headers["Content-Type"]) == (503, "application/problem+json")
    assert called.json()["type"] == "urn:provender:problem:busy"
    shown = owner.post(reverse("members", args=(cast.farm.handle,)), said)
    assert (shown.status_code, "was written" in shown.content.decode()) == (503, True)
    assert {one.headers["Retry-After"] for one in (called, shown)} == {"10"}
    assert counts() == before


def test_gunicorn_gives_a_request_longer_than_a_writer_waits() -> None:
    assert gunicorn_settings.timeout > BUSY_SECONDS
