"""From an empty folder to a server that answers: key, tables, first account, then gunicorn in this process's place."""

import gc
import os
import secrets
import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, Never

from provender.problem import refuse
from provender.whole_file import write_whole

_KEY_FILE: Final = "secret-key"
_FIRST_ADDRESS: Final = "owner@localhost.localdomain"
_LOCAL: Final = "127.0.0.1"


def keep_secret_key(folder: Path) -> str:
    """Return the key kept in a folder, made on the first start and readable by its owner alone."""
    file = folder / _KEY_FILE
    if not file.exists():
        write_whole(file, secrets.token_urlsafe(50).encode(), new=True, mode=0o600)
    return file.read_text().strip()


def make_private(folder: Path) -> list[str]:
    """Let only whoever runs the server read what its folder holds: database, uploads, cache.

    Returns:
        The files that others could read until now.
    """
    os.umask(0o077)
    found = []
    for file in sorted(folder.glob("provender.sqlite3*")):
        if file.stat().st_mode & 0o077:
            file.chmod(0o600)
            found.append(file.name)
    return found


def set_environment(folder: Path | None, *, otherwise: str = "provender-data", demonstration: bool = False) -> None:
    """Point the settings at a folder: the one given, or PROVENDER_FOLDER, or ``otherwise`` in the working folder.

    A demonstration takes the reports of the examples into its books.
    """
    if demonstration:
        os.environ["PROVENDER_DEMONSTRATION"] = "1"
    folder = (folder or Path(os.environ.get("PROVENDER_FOLDER", otherwise))).absolute()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "provender.web.settings")
    os.environ["PROVENDER_FOLDER"] = str(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name in make_private(folder):
        sys.stderr.write(f"{folder / name} could be read by others on this machine. Now only you can read it.\n")
    if os.environ.get("PROVENDER_MODE", "embedded") == "embedded":
        os.environ.setdefault("PROVENDER_SECRET_KEY", keep_secret_key(folder))


def in_haste() -> None:
    """Let this process, which another replaces once all is ready, look for no garbage, and compute in one thread.

    What starts makes much and drops little; its frames are small. Both cost a start an eighth of its time.
    """
    gc.disable()
    os.environ.setdefault("POLARS_MAX_THREADS", "1")


def check_port(port: int) -> None:
    """Make sure that the port is free.

    Raises:
        ProblemsError: another program listens there, or this user may not.
    """
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((_LOCAL, port))
        except OSError as error:
            raise refuse(
                f"port {port}", f"The port cannot be used: {error.strerror}.", "Choose another with --port."
            ) from None


def prepare(load: Callable[[], Callable[[], Iterator[str]]] | None = None) -> Iterator[str]:
    """Bring the database up to date and make the first accounts; yield lines for the terminal.

    ``load`` fetches what fills the server with an example instead, once Django is ready for it to be imported.
    """
    import django

    django.setup()
    from django.core.management import call_command

    from provender.database.actor import Actor
    from provender.database.guards import make_first_tables
    from provender.services.accounts.organisations import create_first_person

    make_first_tables()
    call_command("migrate", verbosity=0, interactive=False, skip_checks=True)
    if load is not None:
        yield from load()()
        return
    first = create_first_person(_FIRST_ADDRESS, actor=Actor(None, "first start"))
    if first is not None:
        person, password = first
        yield "The first account of this server, shown this once:"
        yield f"  e-mail    {person.email}"
        yield f"  password  {password}"


def become_server(port: int) -> Never:
    """Put gunicorn in the place of this process, so that its workers never share what was loaded here."""
    from django.db import connections

    connections.close_all()
    os.environ.setdefault("PROVENDER_BIND", f"{_LOCAL}:{port}")
    sys.stdout.flush()
    arguments = [sys.executable, "-m", "gunicorn", "--config", "python:provender.web.gunicorn_settings"]
    os.execv(sys.executable, arguments)  # noqa: S606 - our own interpreter, fixed arguments
