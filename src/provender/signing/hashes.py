"""SHA-256 of bytes, files and documents, and the blinded form of a name."""

import hashlib
import hmac
from pathlib import Path
from typing import Final

from provender.signing.canonical import canonical_json

MIN_SALT: Final = 16
"""Bytes of salt below which a blinded name could be found by trying names."""


def sha256_hex(data: bytes) -> str:
    """Return the SHA-256 of bytes as 64 lower-case hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def hash_file(path: Path) -> str:
    """Return the SHA-256 of a file's content, read in pieces."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def document_hash(data: object) -> str:
    """Return the SHA-256 of plain data in canonical JSON: the same for every layout of the same content.

    Raises:
        TypeError, ValueError: the data is not plain; see ``canonical_json``.
    """
    return sha256_hex(canonical_json(data))


def blinded(text: str, salt: str | bytes) -> str:
    """Return a name in a form that only holders of the salt can connect to it: HMAC-SHA-256, hexadecimal.

    The same name and salt give the same result in every book, so overlaps stay visible while the name does not.

    Raises:
        ValueError: the salt is shorter than 16 bytes.
    """
    key = salt.encode("utf-8") if isinstance(salt, str) else salt
    if len(key) < MIN_SALT:
        raise ValueError(f"a salt needs at least {MIN_SALT} bytes; this one has {len(key)}")
    return hmac.new(key, text.encode("utf-8"), hashlib.sha256).hexdigest()
