"""Every environment variable of the web application, read and checked in one place."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from provender.database.address import postgres_settings, sqlite_settings
from provender.web.client_address import HEADERS

_EMBEDDED: Final = "embedded"
_PRODUCTION: Final = "production"
_LOCAL_HOSTS: Final = ("localhost", "127.0.0.1", "[::1]")
_KEY_LENGTH: Final = 50
"""Characters below which Django calls a secret key weak."""
_MAIL_PORTS: Final = {"starttls": 587, "tls": 465, "none": 25}
"""How the connection to the mail server is kept private, and its usual port; ``none`` is for one on this machine."""
ASKS: Final = "provender.asks"
"""In what WSGI tells of a request: its body was not read, and is read if the answer is ``WANTED``."""
WANTED: Final = 204
STRANGERS_BYTES: Final = 2**18
"""What somebody may send who has not said who they are: a sign-in, a sign-up, a report of what a browser stopped."""
_MAIL_SECONDS: Final = 20
"""A mail server that does not answer may not hold a worker for longer."""
_YEAR_SECONDS: Final = 31_536_000
"""The least for which browsers take a name into their packaged lists of HTTPS sites."""


class EnvironmentRefusedError(Exception):
    """The environment does not say what production needs; the message names the variable, never its value."""


@dataclass(frozen=True, slots=True)
class Environment:
    """What the variables ``PROVENDER_...`` say."""

    mode: str  # ``embedded`` (this machine, plain HTTP) or ``production`` (behind TLS)
    secret_key: str  # signs sessions and forms
    hosts: tuple[str, ...]  # names under which the server answers
    folder: Path  # where the SQLite file and uploads lie
    database: dict[str, object]  # Django's settings for the default database
    signup_open: bool  # whether anybody may make an account without an invitation
    mail: dict[str, object]  # Django's mail settings; empty when no mail is sent
    demonstration: bool = False  # whether reports of the examples are taken into books here
    calculators: Path | None = None  # a list of calculators beside the packaged one, or None
    private_hooks: bool = False  # whether webhooks may lead into this server's own networks, and go without TLS
    proxies: int = 0  # how many proxies in front are trusted to say whom they saw
    client_header: str = HEADERS[0]  # the header in which they say it
    hsts_seconds: int = _YEAR_SECONDS  # for how long browsers insist on HTTPS; 0 takes it back
    hsts_words: frozenset[str] = frozenset({"subdomains"})  # of ``subdomains`` and ``preload``
    free_megabytes: int = 500  # below this much space on the folder's disk the server calls itself degraded

    @property
    def production(self) -> bool:
        return self.mode == _PRODUCTION


def read_environment(variables: Mapping[str, str]) -> Environment:
    """Read the variables.

    Raises:
        EnvironmentRefusedError: an unknown mode or way of mailing, or production without hosts or a strong secret key.
        AddressError: ``PROVENDER_DATABASE_URL`` cannot be used.
    """
    mode = variables.get("PROVENDER_MODE", _EMBEDDED)
    if mode not in (_EMBEDDED, _PRODUCTION):
        raise EnvironmentRefusedError("PROVENDER_MODE is `embedded` or `production`.")
    hosts = tuple(part.strip() for part in variables.get("PROVENDER_HOSTS", "").split(",") if part.strip())
    if mode == _PRODUCTION and (not hosts or "*" in hosts):
        raise EnvironmentRefusedError("PROVENDER_HOSTS must name the hosts of this server, separated by commas.")
    folder = Path(variables.get("PROVENDER_FOLDER", "provender-data")).absolute()
    url = variables.get("PROVENDER_DATABASE_URL", "")
    return Environment(
        mode=mode,
        secret_key=_secret_key(variables, mode),
        hosts=hosts or _LOCAL_HOSTS,
        folder=folder,
        database=postgres_settings(url) if url else sqlite_settings(folder / "provender.sqlite3"),
        signup_open=variables.get("PROVENDER_SIGNUP", "invited") == "open",
        mail=_mail(variables),
        demonstration=variables.get("PROVENDER_DEMONSTRATION", "") == "1",
        calculators=Path(listed).absolute() if (listed := variables.get("PROVENDER_CALCULATORS", "")) else None,
        private_hooks=variables.get("PROVENDER_PRIVATE_HOOKS", "") == "1",
        proxies=_number(variables, "PROVENDER_PROXY_COUNT", 0),
        client_header=_client_header(variables),
        **_hsts(variables),
        free_megabytes=_number(variables, "PROVENDER_FREE_MEGABYTES", 500),
    )


def _number(variables: Mapping[str, str], name: str, otherwise: int) -> int:
    text = variables.get(name) or str(otherwise)
    if not (text.isascii() and text.isdecimal()):
        raise EnvironmentRefusedError(f"{name} is a whole number.")
    return int(text)


def _client_header(variables: Mapping[str, str]) -> str:
    said = variables.get("PROVENDER_PROXY_HEADER") or HEADERS[0]
    for header in HEADERS:
        if said.lower() == header.lower():
            return header
    raise EnvironmentRefusedError(f"PROVENDER_PROXY_HEADER is one of: {', '.join(HEADERS)}.")


def _hsts(variables: Mapping[str, str]) -> dict[str, Any]:
    seconds, *words = (variables.get("PROVENDER_HSTS") or f"{_YEAR_SECONDS} subdomains").split()
    if not (seconds.isascii() and seconds.isdecimal()) or not set(words) <= {"subdomains", "preload"}:
        raise EnvironmentRefusedError(
            "PROVENDER_HSTS is a number of seconds, then `subdomains` and `preload` if wanted."
        )
    if "preload" in words and ("subdomains" not in words or int(seconds) < _YEAR_SECONDS):
        raise EnvironmentRefusedError(f"PROVENDER_HSTS with `preload` needs `subdomains` and {_YEAR_SECONDS} seconds.")
    return {"hsts_seconds": int(seconds), "hsts_words": frozenset(words)}


def _secret_key(variables: Mapping[str, str], mode: str) -> str:
    key = variables.get("PROVENDER_SECRET_KEY", "")
    if len(key) >= _KEY_LENGTH:
        return key
    if mode == _PRODUCTION or key:
        raise EnvironmentRefusedError(f"PROVENDER_SECRET_KEY needs at least {_KEY_LENGTH} random characters.")
    # Without one every start has its own: safe, but everybody signs in again. `provender serve` keeps one.
    return secrets.token_urlsafe(_KEY_LENGTH)


def _mail(variables: Mapping[str, str]) -> dict[str, object]:
    host = variables.get("PROVENDER_MAIL_HOST", "")
    if not host:
        return {}
    security, port = variables.get("PROVENDER_MAIL_SECURITY", "starttls"), variables.get("PROVENDER_MAIL_PORT", "")
    if security not in _MAIL_PORTS:
        raise EnvironmentRefusedError(f"PROVENDER_MAIL_SECURITY is one of: {', '.join(_MAIL_PORTS)}.")
    if port and not port.isdecimal():
        raise EnvironmentRefusedError("PROVENDER_MAIL_PORT is a number.")
    return {
        "EMAIL_HOST": host,
        "EMAIL_PORT": int(port or _MAIL_PORTS[security]),
        "EMAIL_HOST_USER": variables.get("PROVENDER_MAIL_USER", ""),
        "EMAIL_HOST_PASSWORD": variables.get("PROVENDER_MAIL_PASSWORD", ""),
        "EMAIL_USE_TLS": security == "starttls",
        "EMAIL_USE_SSL": security == "tls",
        "EMAIL_TIMEOUT": _MAIL_SECONDS,
        "DEFAULT_FROM_EMAIL": variables.get("PROVENDER_MAIL_FROM", "provender@localhost"),
    }
