"""The parties of the example: their keys, what a server calls them, and their made-up square fields."""

import hashlib
import math
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from provender.signing.keys import SigningKey

FARMS: Final = 51
"""Farms of the whole chain, each with a key and a salt."""


def demo_key(party: str) -> SigningKey:
    """Return the demonstration key of a party of the example chain, the same in every run."""
    return SigningKey(private_half(party))


def private_half(party: str) -> Ed25519PrivateKey:
    """Return the private half of ``demo_key``."""
    seed = hashlib.sha256(f"provender prairie-chain demonstration key of {party}".encode()).digest()
    return Ed25519PrivateKey.from_private_bytes(seed)


def demo_leaf_secret(farm: str) -> str:
    """Return the demonstration secret behind the salted leaves of a farm's reports."""
    return hashlib.sha256(f"provender prairie-chain demonstration leaves {farm}".encode()).hexdigest()


def demo_salt(seed: int, farm: str) -> str:
    """Return the demonstration salt that blinds a farm's origins."""
    return hashlib.sha256(f"provender prairie-chain demonstration salt {seed} {farm}".encode()).hexdigest()[:32]


# What the parties of the chain are called on a server: by the code of their organisation, where the id is too long.

COOP, CRUSHER, DIESEL, ETHANOL = "prairie-coop", "plains-crush", "sod-diesel", "bluestem-ethanol"
HANDLES: Final = {ETHANOL: "bluestem"}
"""Codes of parties whose id is longer than a code may be."""
PARTY_FIELDS: Final = ("entity", "giver", "taker", "counterparty")
_IDS: Final = {code: party for party, code in HANDLES.items()}


def as_posted(event: dict[str, Any]) -> dict[str, Any]:
    """Return an event of the chain with the codes of organisations for its parties."""
    return {
        name: HANDLES.get(value, value) if name in PARTY_FIELDS and isinstance(value, str) else value
        for name, value in event.items()
    }


def key_of(code: str) -> SigningKey:
    """Return the demonstration key of a party by its code: the one that the chain's contracts name."""
    return demo_key(_IDS.get(code, code))


# Made-up square fields of the example farms.

_METRES_PER_DEGREE: Final = 111_035.0
"""Of latitude, near 39 degrees north."""
_SQUARE_METRES_PER_ACRE: Final = 4046.8564224


def square(latitude: float, longitude: float, acres: int) -> dict[str, Any]:
    """Return a square field as GeoJSON.

    Args:
        latitude: of its middle, degrees.
        longitude: of its middle, degrees.
        acres: its size, thousandths of an acre.
    """
    half = math.sqrt(acres / 1000 * _SQUARE_METRES_PER_ACRE) / 2
    tall = half / _METRES_PER_DEGREE
    wide = half / (111_320 * math.cos(math.radians(latitude)))
    west, east, south, north = longitude - wide, longitude + wide, latitude - tall, latitude + tall
    ring = (
        (west, south), (east, south), (east, north), (west, north), (west, south),
    )  # fmt: skip
    corners = [[round(x, 6), round(y, 6)] for x, y in ring]
    return {"type": "Feature", "properties": {}, "geometry": {"type": "Polygon", "coordinates": [corners]}}
