"""One signed POST to an address of somebody else's, which gets no way into our own network and no time to dawdle.

Signed as the Standard Webhooks specification has it: HMAC-SHA256 under the hook's secret over id, timestamp and body.
"""

import hmac
import http.client
import json
import socket
import ssl
import threading
from base64 import b64decode, b64encode
from contextlib import suppress
from datetime import datetime
from typing import Final

from django.conf import settings

from provender.database.models import Hook, News
from provender.services.news.hooks import PREFIX, check_address, is_public, secret_of
from provender.services.refused import RefusedError

SECONDS: Final = 15.0
"""For all of it: a server that answers a letter at a time is left."""
WELL: Final = range(200, 300)


class NotTakenError(Exception):
    """The other side did not take it; says why, in a few words."""


def body_of(news: News) -> bytes:
    """Return news as the JSON that is posted: what happened and to whom, never what only some may read."""
    said = {
        "id": news.handle,
        "type": news.kind,
        "at": news.at.isoformat().replace("+00:00", "Z"),
        "organization": news.organisation.handle,
        "about": news.about,
        "says": news.says,
    }
    return json.dumps(said, separators=(",", ":"), sort_keys=True).encode()


def signature(secret: str, mark: str, timestamp: str, body: bytes) -> str:
    """Return what stands in ``webhook-signature``."""
    key = b64decode(secret.removeprefix(PREFIX))
    return "v1," + b64encode(hmac.digest(key, f"{mark}.{timestamp}.".encode() + body, "sha256")).decode()


def post_to(hook: Hook, news: News, now: datetime) -> int:
    """Post news to a hook, without following anything; return the status of the answer.

    Raises:
        NotTakenError: the address cannot be reached, leads into our own network, or does not answer with 2xx in time.
    """
    try:
        parts = check_address(hook.address)
    except RefusedError as refused:
        raise NotTakenError(refused.problems[0].cause) from None
    secure, named = parts.scheme == "https", str(parts.hostname)
    body, timestamp = body_of(news), str(int(now.timestamp()))
    headers = {
        "Host": parts.netloc,
        "Content-Type": "application/json",
        "User-Agent": "provender",
        "webhook-id": news.handle,
        "webhook-timestamp": timestamp,
        "webhook-signature": signature(secret_of(hook), news.handle, timestamp, body),
    }
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    try:
        status = _exchange(named, parts.port or (443 if secure else 80), secure, path, body, headers)
    except (OSError, http.client.HTTPException, ValueError) as failed:
        raise NotTakenError(f"not reached: {type(failed).__name__}") from None
    if status not in WELL:
        raise NotTakenError(f"answered {status}")
    return status


def _exchange(named: str, port: int, secure: bool, path: str, body: bytes, headers: dict[str, str]) -> int:
    connection = http.client.HTTPConnection(named, port, timeout=SECONDS)
    connection.sock = _reach(named, port)
    line = connection.sock.dup()  # TLS takes the socket itself away; whoever cuts the line needs one that stays
    ends = threading.Timer(SECONDS, _cut, [line])
    ends.daemon = True
    ends.start()
    try:
        if secure:
            # The name is what is certified; the address was looked up once, so that it cannot become another.
            connection.sock = ssl.create_default_context().wrap_socket(connection.sock, server_hostname=named)
        connection.request("POST", path, body, headers)
        return connection.getresponse().status
    finally:
        ends.cancel()
        connection.close()
        line.close()


def _reach(named: str, port: int) -> socket.socket:
    """Connect to a host by the address it has now, if all it has are public ones.

    Raises:
        NotTakenError: one of them leads into our own network.
        OSError: it has none, or does not answer.
    """
    found = socket.getaddrinfo(named, port, type=socket.SOCK_STREAM)
    addresses = [str(one[4][0]) for one in found]
    if not settings.ENVIRONMENT.private_hooks and not all(map(is_public, addresses)):
        raise NotTakenError("leads into this server's own network")
    return socket.create_connection((addresses[0], port), timeout=SECONDS)


def _cut(line: socket.socket) -> None:
    with suppress(OSError):
        line.shutdown(socket.SHUT_RDWR)
