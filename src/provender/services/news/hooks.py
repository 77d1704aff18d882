"""Addresses at which an organisation's programs listen: made, shown, ended. Their secrets stand nowhere.

A secret is derived from the server's own key and the hook's handle, so whoever steals the database can sign nothing.
"""

import hmac
import http.client
import ipaddress
import json
import re
import socket
import ssl
import threading
import time
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from logging import getLogger
from typing import Any, Final
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.db import connection, connections, transaction
from django.utils import timezone

from provender.database.actor import Actor, write_log
from provender.database.choices import ADDRESS_LENGTH, NewsKind
from provender.database.models.accounts import Hook, News, Organisation, Sending
from provender.services.accounts.access import acting_manager, owned
from provender.services.accounts.tokens import host_of
from provender.services.news.told import Gatherer, Notice, look_at_periods, notice_of
from provender.services.refused import RefusedError, refusal

_PREFIX: Final = "whsec_"
_MOST: Final = 20
"""Hooks of one organisation at a time."""
_WRAPPING: Final = (ipaddress.ip_network("64:ff9b::/96"), ipaddress.ip_network("::/96"))
"""Networks whose last four bytes are an IPv4 address: NAT64, and what was once called IPv4-compatible."""
HOST: Final = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-.")
_LAST: Final = re.compile(r"(?:.*\.)?[a-z][a-z0-9-]*\.?")
"""Names end in a label that begins with a letter; a number there would be read as an address in disguise."""


def secret_of(hook: Hook) -> str:
    """Return the secret under which a hook's news are signed, as the Standard Webhooks specification writes it."""
    key = hmac.digest(settings.SECRET_KEY.encode(), b"hook " + hook.handle.encode(), "sha256")
    return _PREFIX + b64encode(key).decode()


def is_public(address: str) -> bool:
    """Tell whether an IP address leads out of this machine and its networks, whatever it is wrapped in."""
    ip = ipaddress.ip_address(address)
    if isinstance(ip, ipaddress.IPv6Address):
        teredo = ip.teredo
        inner = ip.ipv4_mapped or ip.sixtofour or (teredo and teredo[1])
        if ip.is_site_local:
            return False
        if any(ip in network for network in _WRAPPING):
            inner = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
        if inner:
            return is_public(str(inner))
    return ip.is_global and not ip.is_multicast


def check_address(text: str) -> SplitResult:
    """Return the parts of an address that a hook may have.

    Raises:
        RefusedError: it is no address, not https, names a user, or leads into this machine's own networks.
    """
    private = settings.ENVIRONMENT.private_hooks
    try:
        parts = urlsplit(text)
        named, port = parts.hostname or "", parts.port
    except ValueError:
        raise _refused("is no address of a web server") from None
    if len(text) > ADDRESS_LENGTH or not text.isascii() or any(sign <= " " or sign == "\x7f" for sign in text):
        raise _refused(f"has signs that an address has not, or more than {ADDRESS_LENGTH}")
    if parts.scheme not in (("https", "http") if private else ("https",)):
        raise _refused("does not begin with https://")
    if parts.username is not None or parts.password is not None or parts.fragment or port == 0:
        raise _refused("names a user, a password, a place in a page or port 0")
    bare = _bare_ip(named)
    if not named or (bare is None and not (set(named) <= HOST and _LAST.fullmatch(named))):
        raise _refused("names no host")
    if not private and ((bare and not is_public(bare)) or (bare is None and "." not in named.strip("."))):
        raise _refused("leads into this server's own network")
    return parts


def _bare_ip(named: str) -> str | None:
    try:
        return str(ipaddress.ip_address(named))
    except ValueError:
        return None


def _refused(why: str) -> Exception:
    remedy = "Write it whole, such as https://scale.example.com/provender."
    return refusal("address_refused", f"The address {why}.", remedy, column="address")


def hook_numbered(organisation: Organisation, number: int) -> Hook:
    """Return a hook of an organisation; MissingError where it has none of that number."""
    return owned(organisation, Hook, pk=number)


@dataclass(frozen=True, slots=True)
class HookShown:
    """An address that is told at once, without its secret."""

    id: int
    address: str
    kinds: list[NewsKind]
    ended: bool


def hook_shown(hook: Hook) -> HookShown:
    return HookShown(hook.pk, hook.address, [NewsKind(kind) for kind in hook.kinds], hook.ended_at is not None)


def last_answer(hook: Hook) -> str:
    """Return what a hook's program said last; empty where it was not asked yet."""
    last = hook.sendings.exclude(answer="").order_by("-id").first()
    return last.answer if last is not None else ""


@transaction.atomic
def make_hook(organisation: Organisation, *, address: str, kinds: Sequence[str], actor: Actor) -> tuple[Hook, str]:
    """Make a hook; return it and its secret, which is shown this once.

    Raises:
        RefusedError: the address cannot be used, a kind is unknown, or there are too many hooks.
    """
    person = acting_manager(organisation, actor, "make a webhook")
    check_address(address)
    if not kinds or not set(kinds) <= set(NewsKind.values):
        remedy = f"Choose from {', '.join(NewsKind.values)}."
        raise refusal("kinds_unknown", "A webhook needs kinds of events from the list.", remedy, column="kinds")
    Organisation.objects.select_for_update().get(pk=organisation.pk)  # two at once count alike
    if Hook.objects.filter(organisation=organisation, ended_at=None).count() >= _MOST:
        raise refusal("too_many_hooks", f"There are {_MOST} webhooks already.", "End one first.")
    wanted = [kind for kind in NewsKind.values if kind in set(kinds)]
    hook = Hook.objects.create(organisation=organisation, address=address, kinds=wanted, made_by=person)
    write_log(actor, "make webhook", organisation=organisation, about=host_of(address), new={"kinds": wanted})
    return hook, secret_of(hook)


# One signed POST to an address of somebody else's, which gets no way into our own network and no time to dawdle.
#
# Signed as the Standard Webhooks specification has it: HMAC-SHA256 under the hook's secret over id, timestamp and body.

SECONDS: Final = 15.0
"""For all of it: a server that answers a letter at a time is left."""
_WELL: Final = range(200, 300)


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
    key = b64decode(secret.removeprefix(_PREFIX))
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
    if status not in _WELL:
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


# The outbox: what is due is taken by one process, sent, and tried again later where it did not arrive.

WAITS: Final = (60, 300, 1800, 7200, 28_800, 86_400, 86_400)
"""Seconds until it is tried again, by how often it was tried; after the last it is given up."""
_LEASE: Final = timedelta(minutes=5)
"""A process that took a sending and died lets it be tried again after that."""
AT_ONCE: Final = 20
KEPT: Final = timedelta(days=90)
Mail = Callable[[str, Notice | Mapping[str, Any]], None]
"""Sends to an address one notice, or a letter of ``post_letter`` that says itself whose it is.

Raises OSError where that failed (so do those of ``smtplib``).
"""

_log = getLogger(__name__)


def send_due(mail: Mail) -> int:
    """Send what is due; return how many were tried."""
    if not Sending.objects.filter(next_at__lte=timezone.now()).exists():
        return 0  # without taking a lock
    taken = _take()
    for one in taken:
        _send(one, mail)
    return len(taken)


@transaction.atomic
def _take() -> list[Sending]:
    now = timezone.now()
    due = Sending.objects.filter(next_at__lte=now).order_by("next_at")
    due = due.select_for_update(of=("self",), skip_locked=True) if connection.vendor == "postgresql" else due
    taken = list(due.select_related("news__organisation", "hook", "membership__person")[:AT_ONCE])
    Sending.objects.filter(pk__in=[one.pk for one in taken]).update(next_at=now + _LEASE)
    return taken


def _send(one: Sending, mail: Mail) -> None:
    now, done = timezone.now(), True
    try:
        if one.hook is not None and one.news is not None:
            one.answer = f"answered {post_to(one.hook, one.news, now)}"
        elif one.membership is not None and one.news is not None:
            mail(one.membership.person.email, notice_of(one.news))
            one.answer = "sent"
        elif one.letter is not None:
            mail("", one.letter)
    except (NotTakenError, OSError) as failed:
        done, one.answer = False, (str(failed) if isinstance(failed, NotTakenError) else type(failed).__name__)[:120]
        _log.info("news not taken", extra={"sending": one.pk})
    except Exception as failed:  # noqa: BLE001 - ours or a library's: the others that are due are sent all the same
        done, one.answer = False, type(failed).__name__[:120]
        _log.exception("news could not be sent", extra={"sending": one.pk})
    waits = WAITS[one.tries] if one.tries < len(WAITS) else None
    one.tries += 1
    one.done_at = now if done else None
    one.next_at = None if done or waits is None else now + timedelta(seconds=waits)
    with transaction.atomic():
        # Ended meanwhile, it stays ended.
        stands = Sending.objects.filter(pk=one.pk, next_at__isnull=False)
        stands.update(tries=one.tries, done_at=one.done_at, next_at=one.next_at, answer=one.answer)
        if one.letter and one.next_at is None:
            one.delete()  # a stranger may have typed its address


def post_letter(letter: Mapping[str, object]) -> None:
    """Put a letter about an account into the outbox, and nothing more.

    What the letter needs is looked up and written when it goes out, so that the time of a request tells nobody whether
    an account is there.
    """
    Sending.objects.create(letter=dict(letter), next_at=timezone.now())


def _forget_old() -> None:
    """Remove what arrived or was given up long ago; the news themselves stay."""
    Sending.objects.filter(next_at=None, news__at__lt=timezone.now() - KEPT).delete()


# The thread of the server that reads for news and sends what is due, every few seconds.

_PAUSE: Final = 3.0
_LOOKED: Final = 1800.0
"""Seconds between two looks at periods: midnight comes to one time zone after another."""


class NotificationWorker:
    """Does one round after another; what fails is logged and tried in the next."""

    def __init__(self, mail: Mail) -> None:
        self._mail = mail
        self._gatherer = Gatherer()
        self._looked: float | None = None

    def round(self) -> int:
        """Read and send once; return how much was done, so that a round that found nothing can be followed by a rest.

        A server of several processes has several tellers: what one told or took, the others leave.
        """
        if self._looked is None or time.monotonic() - self._looked >= _LOOKED:
            self._looked = time.monotonic()
            look_at_periods()
            _forget_old()
        try:
            read = self._gatherer.round()
        except Exception:  # noqa: BLE001 - told in the log; what waits in the outbox goes out all the same
            _log.exception("news were not read")
            read = 0
        return read + send_due(self._mail)

    def run(self) -> None:
        """Do rounds for as long as the server runs."""
        while True:
            done = 0
            try:
                done = self.round()
            except Exception:  # noqa: BLE001 - told in the log; the next round tries again
                _log.exception("news were not told")
            finally:
                connections.close_all()
            if not done:
                time.sleep(_PAUSE)


def start_notification_worker(mail: Mail) -> None:
    """Let a thread of this process tell news."""
    threading.Thread(target=NotificationWorker(mail).run, daemon=True, name="teller").start()
