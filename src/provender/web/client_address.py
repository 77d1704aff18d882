"""The network address of whoever asks: the connection's own, or what the trusted proxies in front wrote down."""

import ipaddress
import re
from collections.abc import Mapping
from typing import Any, Final

FORWARDED: Final = "Forwarded"
HEADERS: Final = ("X-Forwarded-For", FORWARDED)
UNKNOWN: Final = "0.0.0.0"  # noqa: S104 - stands for no address; nothing listens there
_FOR: Final = re.compile(r"(?:^|;)\s*for\s*=\s*([^;]*)", re.IGNORECASE)
_WITH_PORT: Final = re.compile(r"\[([^\]]*)\](?::\d+)?|([\d.]+):\d+")


def client_address(meta: Mapping[str, Any], *, proxies: int, header: str) -> str:
    """Return the address of the client behind that many proxies, each of which adds to one header whom it saw.

    Entries are counted from the right: whatever stands further left came from the client. Too few entries, or one that
    is no address, were not written by these proxies: then, as without proxies, the connection's own address counts.
    """
    own = _clean(str(meta.get("REMOTE_ADDR", ""))) or UNKNOWN
    entries = str(meta.get(f"HTTP_{header.upper().replace('-', '_')}", "")).split(",")
    if not proxies or len(entries) < proxies:
        return own
    entry = entries[-proxies]
    if header == FORWARDED:
        named = _FOR.findall(entry)
        entry = named[0].strip().strip('"') if len(named) == 1 else ""
    return _clean(entry) or own


def _clean(text: str) -> str:
    """Return an address without its port and zone, an IPv4 one in its own form; nothing for what is no address."""
    text = text.strip()
    if found := _WITH_PORT.fullmatch(text):
        text = found[1] or found[2] or ""
    try:
        ip = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return ""
    return str(getattr(ip, "ipv4_mapped", None) or ip)
