"""A private key as a browser sealed it under a passphrase: what of it may be kept (interpretation 33)."""

from collections.abc import Mapping
from typing import Any, Final

from provender.services.refused import refusal
from provender.signing.keys import decode_base64url

_CITE: Final = "2100.031(c)(3)"
_SEALED: Final = frozenset({"kdf", "rounds", "salt", "cipher", "iv", "sealed"})
KDF: Final = "PBKDF2-SHA-256"
CIPHER: Final = "AES-256-GCM"
LEAST_ROUNDS: Final = 600_000
SALT_BYTES: Final = 16
IV_BYTES: Final = 12
_SEALED_BYTES: Final = 64
"""An Ed25519 key in PKCS#8 has 48 bytes; sealed it carries 16 more that vouch for it."""
_OPEN_KEY: Final = bytes.fromhex("302e020100300506032b6570")
"""How an Ed25519 key begins that nobody sealed."""


def check_sealed(sealed: object) -> dict[str, Any]:
    """Return a sealed key as it may be kept: by the agreed means, with enough rounds, and not an open key.

    Raises:
        RefusedError: it is anything else.
    """
    wrong = refusal(
        "not_sealed", "This is no key sealed under a passphrase.", "Make the key again on this page.", cite=_CITE
    )
    if not isinstance(sealed, Mapping) or sealed.keys() != _SEALED:
        raise wrong
    rounds = sealed["rounds"]
    try:
        salt, iv, text = (decode_base64url(sealed[name]) for name in ("salt", "iv", "sealed"))
    except ValueError:
        raise wrong from None
    sizes = (len(salt), len(iv), len(text)) == (SALT_BYTES, IV_BYTES, _SEALED_BYTES)
    means = (sealed["kdf"], sealed["cipher"]) == (KDF, CIPHER)
    enough = isinstance(rounds, int) and rounds >= LEAST_ROUNDS
    if not (sizes and means and enough) or text.startswith(_OPEN_KEY):
        raise wrong
    return dict(sealed)
