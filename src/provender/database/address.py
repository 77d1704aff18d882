"""The one setting that chooses the database: a PostgreSQL URL, or nothing for the embedded SQLite file."""

from pathlib import Path
from typing import Final
from urllib.parse import parse_qsl, unquote, urlsplit

_SCHEMES: Final = ("postgresql", "postgres")
OPTIONS: Final = {"sslmode", "sslrootcert", "sslcert", "sslkey", "connect_timeout", "application_name", "host"}
"""What may follow the question mark; ``host`` is there for a folder with a Unix socket."""
PLANNED: Final = "prepared"
"""The option that says ``no`` behind a pooler which hands a connection out for one transaction and keeps no plans."""
_PLANNED_AFTER: Final = 5
"""How often a connection is asked the same before it keeps the plan."""
BUSY_SECONDS: Final = 60
"""How long a writer waits for the others. SQLite has no queue: on a loaded machine one of several may lose often."""
_PRAGMAS: Final = ("journal_mode=WAL", "synchronous=FULL", "recursive_triggers=ON")


class AddressError(ValueError):
    """The database setting cannot be used; the message never repeats it, since it may hold a password."""


def sqlite_settings(file: Path) -> dict[str, object]:
    """Return Django's settings for the embedded database.

    WAL lets readers go on while one writes; IMMEDIATE takes the write lock at the start, so that a transaction never
    fails half-way for having read first; FULL puts every acknowledged write on the disk; recursive triggers make the
    guards see an INSERT OR REPLACE.
    """
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": str(file),
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": BUSY_SECONDS,
            "init_command": "".join(f"PRAGMA {pragma};" for pragma in _PRAGMAS),
        },
    }


def postgres_settings(url: str) -> dict[str, object]:
    """Return Django's settings for ``postgresql://user:password@host:port/name?sslmode=verify-full``.

    Raises:
        AddressError: another scheme, no database name, a port that is no number, or an unknown option.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise AddressError("PROVENDER_DATABASE_URL cannot be read as an address.") from None
    if parts.scheme not in _SCHEMES:
        raise AddressError("PROVENDER_DATABASE_URL must begin with postgresql://.")
    name = unquote(parts.path.removeprefix("/"))
    if not name or "/" in name:
        raise AddressError("PROVENDER_DATABASE_URL names no database after the host.")
    options: dict[str, object] = dict(parse_qsl(parts.query, keep_blank_values=True))
    planned = options.pop(PLANNED, "yes")
    unknown = sorted(set(options) - OPTIONS)
    if planned not in ("yes", "no"):
        raise AddressError(f"PROVENDER_DATABASE_URL says after {PLANNED}= neither yes nor no.")
    if unknown:
        raise AddressError(f"PROVENDER_DATABASE_URL has unknown options: {', '.join(unknown)}.")
    host = str(options.pop("host", "")) or unquote(parts.hostname or "")
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": name,
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": host,
        "PORT": str(port or ""),
        "CONN_MAX_AGE": 60,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": options | ({"prepare_threshold": _PLANNED_AFTER} if planned == "yes" else {}),
    }
