"""Addresses at which an organisation's programs listen: made, shown, ended. Their secrets stand nowhere.

A secret is derived from the server's own key and the hook's handle, so whoever steals the database can sign nothing.
"""

import hmac
import ipaddress
import re
from base64 import b64encode
from collections.abc import Sequence
from typing import Final, NamedTuple
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from provender.database.actor import Actor, write_log
from provender.database.choices import ADDRESS_LENGTH, NewsKind
from provender.database.models import Hook, Organisation, Sending
from provender.services.refused import MissingError, refusal

PREFIX: Final = "whsec_"
MOST: Final = 20
"""Hooks of one organisation at a time."""
WRAPPING: Final = (ipaddress.ip_network("64:ff9b::/96"), ipaddress.ip_network("::/96"))
"""Networks whose last four bytes are an IPv4 address: NAT64, and what was once called IPv4-compatible."""
HOST: Final = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-.")
LAST: Final = re.compile(r"(?:.*\.)?[a-z][a-z0-9-]*\.?")
"""Names end in a label that begins with a letter; a number there would be read as an address in disguise."""


def secret_of(hook: Hook) -> str:
    """Return the secret under which a hook's news are signed, as the Standard Webhooks specification writes it."""
    key = hmac.digest(settings.SECRET_KEY.encode(), b"hook " + hook.handle.encode(), "sha256")
    return PREFIX + b64encode(key).decode()


def is_public(address: str) -> bool:
    """Tell whether an IP address leads out of this machine and its networks, whatever it is wrapped in."""
    ip = ipaddress.ip_address(address)
    if isinstance(ip, ipaddress.IPv6Address):
        teredo = ip.teredo
        inner = ip.ipv4_mapped or ip.sixtofour or (teredo and teredo[1])
        if ip.is_site_local:
            return False
        if any(ip in network for network in WRAPPING):
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
    if not named or (bare is None and not (set(named) <= HOST and LAST.fullmatch(named))):
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


def host_of(address: str) -> str:
    """Return what a log that everybody of the house reads says of an address: its path may hold a secret."""
    return urlsplit(address).hostname or ""


def hook_numbered(organisation: Organisation, number: int) -> Hook:
    """Return a hook of an organisation.

    Raises:
        MissingError: it has none of that number.
    """
    found = Hook.objects.filter(organisation=organisation, pk=number).first()
    if found is None:
        raise MissingError
    return found


class HookShown(NamedTuple):
    """A hook as doors show it: its number, address, kinds, and whether it was ended."""

    number: int
    address: str
    kinds: list[NewsKind]
    ended: bool


def hook_shown(hook: Hook) -> HookShown:
    """Return a hook as doors show it."""
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
    if actor.person is None:
        raise refusal("nobody_acts", "Only a person can make a webhook.", "Sign in first.")
    check_address(address)
    if not kinds or not set(kinds) <= set(NewsKind.values):
        remedy = f"Choose from {', '.join(NewsKind.values)}."
        raise refusal("kinds_unknown", "A webhook needs kinds of events from the list.", remedy, column="kinds")
    Organisation.objects.select_for_update().get(pk=organisation.pk)  # two at once count alike
    if Hook.objects.filter(organisation=organisation, ended_at=None).count() >= MOST:
        raise refusal("too_many_hooks", f"There are {MOST} webhooks already.", "End one first.")
    wanted = [kind for kind in NewsKind.values if kind in set(kinds)]
    hook = Hook.objects.create(organisation=organisation, address=address, kinds=wanted, made_by=actor.person)
    write_log(actor, "make webhook", organisation=organisation, about=host_of(address), new={"kinds": wanted})
    return hook, secret_of(hook)


@transaction.atomic
def end_hook(hook: Hook, *, actor: Actor) -> None:
    """End a hook now; what was on its way to it is given up. Doing it twice changes nothing."""
    held = Hook.objects.select_for_update().get(pk=hook.pk)
    if held.ended_at is not None:
        return
    held.ended_at = timezone.now()
    held.save(update_fields=["ended_at"])
    Sending.objects.filter(hook=held, next_at__isnull=False).update(next_at=None, answer="the webhook was ended")
    write_log(actor, "end webhook", organisation=held.organisation, about=host_of(held.address))
