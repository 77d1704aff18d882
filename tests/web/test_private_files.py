"""What a server keeps is readable by whoever runs it and by nobody else, whatever the umask."""

import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from provender.web.start import make_private


@pytest.fixture(autouse=True)
def _usual_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def mode(file: Path) -> int:
    return file.stat().st_mode & 0o777


def test_a_new_database_is_its_owners_alone(tmp_path: Path) -> None:
    assert make_private(tmp_path) == []
    database = tmp_path / "provender.sqlite3"
    connection = sqlite3.connect(database)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("CREATE TABLE one (row)")
    modes = {file.name: mode(file) for file in tmp_path.iterdir()}
    connection.close()
    assert "provender.sqlite3-wal" in modes
    assert set(modes.values()) == {0o600}


def test_a_database_that_others_could_read_is_closed_to_them_and_told(tmp_path: Path) -> None:
    for name in ("provender.sqlite3", "provender.sqlite3-wal", "provender.sqlite3-shm"):
        (tmp_path / name).touch()
    assert mode(tmp_path / "provender.sqlite3") == 0o644
    assert make_private(tmp_path) == ["provender.sqlite3", "provender.sqlite3-shm", "provender.sqlite3-wal"]
    assert {mode(file) for file in tmp_path.iterdir()} == {0o600}
    assert make_private(tmp_path) == []
