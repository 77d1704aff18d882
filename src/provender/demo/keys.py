"""Demonstration keys: derived from names, so that anyone can make them. They prove nothing about anybody."""

import hashlib
from typing import Final

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
