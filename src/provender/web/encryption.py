"""Bytes that only the holder of a secret can read again, kept by somebody who does not keep the secret.

AES-256-GCM under a key derived from the secret (HKDF with SHA-256). The secret has to be random and long, such as a
token's: a passphrase would need a slow derivation.
"""

import os
from typing import TYPE_CHECKING, Final

# Most commands seal nothing: the library is imported where something is.
if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

NONCE_BYTES: Final = 12
KEY_BYTES: Final = 32


class SealError(ValueError):
    """What was kept cannot be opened: another secret, another context, or damage."""


def seal(secret: bytes, content: bytes, context: bytes) -> bytes:
    """Return the content so that it can be read with the same secret in the same context only."""
    nonce = os.urandom(NONCE_BYTES)
    return nonce + _cipher(secret).encrypt(nonce, content, context)


def unseal(secret: bytes, sealed: bytes, context: bytes) -> bytes:
    """Return what ``seal`` was given.

    Raises:
        SealError: it was sealed with another secret or in another context, or it is damaged.
    """
    from cryptography.exceptions import InvalidTag

    try:
        return _cipher(secret).decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], context)
    except (InvalidTag, ValueError):
        raise SealError("it was sealed with another secret or in another context, or it is damaged") from None


def _cipher(secret: bytes) -> "AESGCM":
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    return AESGCM(HKDF(SHA256(), KEY_BYTES, salt=None, info=b"provender sealed answer").derive(secret))
