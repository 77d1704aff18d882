"""Handing files in as a person does, and waiting until they are read."""

import io
import time
from collections.abc import Mapping
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from provender.database.models.farm import BookImport, rows_of
from provender.records.folder import write_csv
from provender.records.kind import KINDS
from provender.services import background
from provender.services.imports import job, worker
from provender.services.imports.job import folder_of, outcome, progress
from provender.services.imports.worker import ImportResult
from tests.web.cast import Cast

PATIENCE = 120
"""Seconds until a reading that does not end fails the test; two cores may be shared by many."""


@pytest.fixture
def read_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this process, which has all libraries loaded, be the one beside the server; its own children stay children.

    Starting Python costs a second a reading. That the real process starts, limits itself and is told when lost, the
    tests without this fixture show.
    """

    def at_once(module: str, folder: Path) -> None:
        assert module == worker.__name__
        worker.main(folder)

    monkeypatch.setattr(background, "_limit_self", lambda *_: None)
    monkeypatch.setattr(job, "spawn", at_once)


def file(name: str, content: bytes | str) -> io.BytesIO:
    found = io.BytesIO(content.encode() if isinstance(content, str) else content)
    found.name = name
    return found


def table(kind: str, *rows: Mapping[str, str]) -> str:
    """Return a CSV file of a kind with all of its columns."""
    names = [name for name in KINDS[kind].typed_fields if name != "farm_id"]
    return write_csv([names, *([row.get(name, "") for name in names] for row in rows)])


def hand_in(cast: Cast, *files: io.BytesIO, client: Client | None = None) -> BookImport:
    """Upload files and wait until they are read."""
    given = (client or cast.client()).post(reverse("farm_imports", args=(cast.farm.handle,)), {"files": list(files)})
    assert given.status_code == 302, given.content.decode()
    begun = BookImport.objects.get(handle=given.headers["Location"].rstrip("/").rpartition("/")[2])
    wait(begun)
    return begun


def wait(begun: BookImport) -> ImportResult:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        begun.refresh_from_db()
        found = outcome(begun)
        if found is not None:
            return found
        assert not progress(begun).lost, (folder_of(begun) / "trouble.txt").read_text()
        time.sleep(0.1)
    raise AssertionError("reading took too long")


def answer(cast: Cast, begun: BookImport, **said: str) -> ImportResult:
    """Answer on the page, by the beginnings of the questions' names, and wait until the plan is made anew."""
    begun.refresh_from_db()
    asked = [one.name for one in wait(begun).questions]
    fields = {
        f"answer-{at}": text for name, text in said.items() for at, one in enumerate(asked) if one.startswith(name)
    }
    return send(cast, begun, fields)


def send(cast: Cast, begun: BookImport, fields: Mapping[str, str]) -> ImportResult:
    """Send a form of the page, and wait until the plan is made anew."""
    where = reverse("farm_import_answer", args=(cast.farm.handle, begun.handle))
    given = cast.client().post(where, fields)
    assert given.status_code == 302
    begun.refresh_from_db()
    return wait(begun)


def write(cast: Cast, begun: BookImport, **said: str) -> int:
    begun.refresh_from_db()
    where = reverse("farm_import_write", args=(cast.farm.handle, begun.handle))
    fields = {"attempt": str(begun.attempt), "looked": "yes", **said}
    return cast.client().post(where, fields).status_code


def stored(cast: Cast, kind: str) -> dict[str, dict[str, object]]:
    """Return the rows of a kind in the farm's book, by key."""
    return {key: dict(row) for key, row in rows_of(cast.book).get(kind, {}).items()}
