"""Ed25519 keys: made, named by fingerprint, sealed under a passphrase, handed out as JWK.

A private key leaves this module only as PKCS#8 under a passphrase. A public key travels as a JWK (RFC 8037); its name
(``kid``) is the RFC 7638 thumbprint, so that a key cannot be handed out under another's name.
"""

import base64
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Final, Self

from provender.problem import ProblemsError, refuse
from provender.signing.canonical import canonical_json

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


# A private key under a passphrase: PKCS#8 with PBES2, scrypt and AES-256-CBC (RFC 5208, RFC 8018, RFC 7914).
#
# Scrypt costs whoever tries passphrases 128 MiB and most of a second for each; the cost stands in the file, so that
# files sealed at another one open as well. No library at hand writes this form, every one reads it.

COST: Final = 2**17
"""N of scrypt, with r = 8 and p = 1: what OWASP recommends (Password Storage Cheat Sheet, 2025)."""
BLOCK: Final = 8
_PARALLEL: Final = 1
_KEY_BYTES: Final = 32
_AES_BLOCK: Final = 16
LINE: Final = 64
_FEWEST_LETTERS: Final = 5
_INTEGER, _OCTETS, _OID, _SEQUENCE = 0x02, 0x04, 0x06, 0x30
_LONG: Final = 0x80
_PBES2: Final = bytes.fromhex("2a864886f70d01050d")
_SCRYPT: Final = bytes.fromhex("2b06010401da47040b")
_AES_256_CBC: Final = bytes.fromhex("60864801650304012a")


def _is_guessable(passphrase: str) -> bool:
    """Tell whether a passphrase is among the first that anybody tries: few letters, a run, a repeated part."""
    letters = passphrase.casefold()
    steps = {ord(after) - ord(before) for before, after in pairwise(letters)}
    size = len(letters)
    repeated = any((letters[:part] * size)[:size] == letters for part in range(1, size // 2 + 1))
    return len(set(letters)) < _FEWEST_LETTERS or len(steps) <= 1 or repeated or steps <= {1, ord("0") - ord("9")}


def seal_pem(plain: bytes, passphrase: str, *, cost: int = COST) -> bytes:
    """Return a private key in DER as an encrypted PEM."""
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

    # The library's own chance, as for the key itself.
    salt, start = (AESGCM.generate_key(_AES_BLOCK * 8) for _ in range(2))
    key = Scrypt(salt=salt, length=_KEY_BYTES, n=cost, r=BLOCK, p=_PARALLEL).derive(passphrase.encode("utf-8"))
    fill = _AES_BLOCK - len(plain) % _AES_BLOCK
    cipher = Cipher(algorithms.AES(key), modes.CBC(start)).encryptor()
    hidden = cipher.update(plain + bytes([fill]) * fill) + cipher.finalize()
    numbers = (
        _der(_INTEGER, value.to_bytes(value.bit_length() // 8 + 1, "big"))
        for value in (cost, BLOCK, _PARALLEL, _KEY_BYTES)
    )
    derived = _der(_SEQUENCE, _der(_OID, _SCRYPT), _der(_SEQUENCE, _der(_OCTETS, salt), *numbers))
    scheme = _der(_SEQUENCE, _der(_OID, _AES_256_CBC), _der(_OCTETS, start))
    how = _der(_SEQUENCE, _der(_OID, _PBES2), _der(_SEQUENCE, derived, scheme))
    text = base64.b64encode(_der(_SEQUENCE, how, _der(_OCTETS, hidden))).decode("ascii")
    lines = [text[at : at + LINE] for at in range(0, len(text), LINE)]
    return "\n".join(
        ["-----BEGIN ENCRYPTED PRIVATE KEY-----", *lines, "-----END ENCRYPTED PRIVATE KEY-----", ""]
    ).encode()


def _der(tag: int, *parts: bytes) -> bytes:
    body = b"".join(parts)
    size = len(body)
    if size < _LONG:
        return bytes([tag, size]) + body
    length = size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes([tag, _LONG | len(length)]) + length + body


# Most commands need no key: the library is imported where one is used.

_MIN_PASSPHRASE: Final = 12
_SHORT_BYTES: Final = 10
"""How much of the thumbprint people compare by eye: 80 bits."""


_FIELD: Final = 2**255 - 19
_HEIGHT: Final = 2**255 - 1
"""All bits but that of the sign."""
_EIGHTH: Final = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7
_SMALL_ORDER: Final = frozenset({0, 1, _FIELD - 1, _EIGHTH, _FIELD - _EIGHTH})
"""Heights of the eight points of small order: under such a key one signature fits many documents (RFC 8032, 8.9)."""


@dataclass(frozen=True)
class PublicKey:
    """The public half of an Ed25519 key."""

    raw: bytes  # the 32 bytes of the key

    def __post_init__(self) -> None:
        if len(self.raw) != _KEY_BYTES:
            raise ValueError(f"an Ed25519 key has {_KEY_BYTES} bytes, not {len(self.raw)}")
        height = int.from_bytes(self.raw, "little") & _HEIGHT
        if height >= _FIELD or height in _SMALL_ORDER:
            raise ValueError("this key is not in its one spelling, or so small that signatures under it prove nothing")
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

        Ed25519PublicKey.from_public_bytes(self.raw)

    @property
    def jwk(self) -> dict[str, str]:
        """The key as a JWK without its name: exactly the members of the thumbprint."""
        return {"crv": "Ed25519", "kty": "OKP", "x": encode_base64url(self.raw)}

    @cached_property
    def _thumbprint(self) -> bytes:
        return hashlib.sha256(canonical_json(self.jwk)).digest()

    @cached_property
    def fingerprint(self) -> str:
        """The RFC 7638 thumbprint, 43 characters: the ``kid`` of everything this key signs."""
        return encode_base64url(self._thumbprint)

    @cached_property
    def short(self) -> str:
        """The first 80 bits of the thumbprint in five groups of four, to compare by eye or by telephone."""
        digits = self._thumbprint[:_SHORT_BYTES].hex()
        return " ".join(digits[at : at + 4] for at in range(0, len(digits), 4))

    def export(self) -> dict[str, str]:
        """Return the JWK to hand out, with its name and use."""
        return {**self.jwk, "kid": self.fingerprint, "use": "sig", "alg": "Ed25519"}

    @classmethod
    def from_jwk(cls, jwk: object, *, file: str = "public key") -> Self:
        """Read a JWK.

        Raises:
            ProblemsError: not a JWK (``not_a_key``), not Ed25519 (``not_ed25519``), a private key
                (``private_key_shown``), or a name that is not the key's own (``wrong_key_name``).
        """
        if not isinstance(jwk, Mapping):
            raise _not_a_key(file)
        if "d" in jwk:
            raise refuse(
                file,
                "This file shows a private key to everyone who reads it.",
                "Make a new key with `provender keys new`, and hand out only the public file.",
                code="private_key_shown",
            )
        if jwk.get("kty") != "OKP" or jwk.get("crv") != "Ed25519":
            raise _not_ed25519(file)
        try:
            key = cls(decode_base64url(jwk.get("x")))
        except ValueError:
            raise _not_a_key(file) from None
        if jwk.get("kid", key.fingerprint) != key.fingerprint:
            raise refuse(
                file,
                "The name written in this key file is not the fingerprint of the key in it.",
                "Ask the owner for the file again and compare the fingerprint by telephone.",
                code="wrong_key_name",
            )
        return key


@dataclass(frozen=True)
class SigningKey:
    """A private Ed25519 key. Its text form shows the fingerprint only."""

    _private: "Ed25519PrivateKey" = field(repr=False)

    @classmethod
    def generate(cls) -> Self:
        """Make a new key from the operating system's randomness."""
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        return cls(Ed25519PrivateKey.generate())

    @cached_property
    def public(self) -> PublicKey:
        """The half to hand out."""
        from cryptography.hazmat.primitives import serialization

        raw = self._private.public_key().public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
        return PublicKey(raw)

    @property
    def fingerprint(self) -> str:
        """The thumbprint of the public half."""
        return self.public.fingerprint

    @property
    def private(self) -> "Ed25519PrivateKey":
        """The key itself, for the signing of ``provender.signing.jws``."""
        return self._private

    def __repr__(self) -> str:
        """Show which key this is, never the key."""
        return f"SigningKey({self.public.short})"

    def seal(self, passphrase: str) -> bytes:
        """Return the key as an encrypted PKCS#8 PEM.

        Raises:
            ProblemsError: the passphrase has fewer than 12 characters (``short_passphrase``), or is among the first
                that anybody tries (``weak_passphrase``).
        """
        if len(passphrase) < _MIN_PASSPHRASE:
            raise refuse(
                "passphrase",
                f"The passphrase has {len(passphrase)} characters; whoever copies the file could guess it.",
                f"Choose one of at least {_MIN_PASSPHRASE} characters, such as four unrelated words.",
                code="short_passphrase",
            )
        if _is_guessable(passphrase):
            raise refuse(
                "passphrase",
                "The passphrase repeats itself or runs on; it is among the first that anybody tries.",
                "Choose four unrelated words.",
                code="weak_passphrase",
            )
        from cryptography.hazmat.primitives import serialization

        open_form = serialization.NoEncryption()
        plain = self._private.private_bytes(serialization.Encoding.DER, serialization.PrivateFormat.PKCS8, open_form)
        return seal_pem(plain, passphrase, cost=COST)

    @classmethod
    def unseal(cls, pem: bytes, passphrase: str, *, file: str = "private key") -> Self:
        """Open a sealed key.

        Raises:
            ProblemsError: ``wrong_passphrase``, ``not_a_key``, ``not_ed25519``, or ``key_not_sealed`` for a key that
                lies open.
        """
        from cryptography.exceptions import UnsupportedAlgorithm
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        try:
            private = serialization.load_pem_private_key(pem, passphrase.encode("utf-8"))
        except (TypeError, ValueError, UnsupportedAlgorithm):
            raise _will_not_open(pem, file) from None
        if not isinstance(private, Ed25519PrivateKey):
            raise _not_ed25519(file)
        return cls(private)


def _will_not_open(pem: bytes, file: str) -> ProblemsError:
    if b"-----BEGIN ENCRYPTED PRIVATE KEY-----" in pem:
        return refuse(
            file,
            "The passphrase does not open this key (or the file is damaged).",
            "Type it again, watching capital letters; a lost passphrase cannot be recovered, only a new key made.",
            code="wrong_passphrase",
        )
    if b"PRIVATE KEY-----" in pem:
        return refuse(
            file,
            "This private key is not protected by a passphrase, so anyone with the file could sign.",
            "Make a new key with `provender keys new` and tell your buyers its fingerprint.",
            code="key_not_sealed",
        )
    return _not_a_key(file)


def _not_a_key(file: str) -> ProblemsError:
    return refuse(
        file,
        "This is not a key.",
        "Give the file that `provender keys new` wrote: .key.pem is the private half, .public.json the public one.",
        code="not_a_key",
    )


def _not_ed25519(file: str) -> ProblemsError:
    return refuse(
        file,
        "This key is of another kind; documents are signed with Ed25519 only.",
        "Make an Ed25519 key with `provender keys new`.",
        code="not_ed25519",
    )


def encode_base64url(data: bytes) -> str:
    """Write bytes in base64url without padding (RFC 7515)."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def decode_base64url(text: object) -> bytes:
    """Read base64url strictly: the one spelling of the bytes and no other.

    Raises:
        ValueError: not text, characters outside the alphabet, padding, or unused bits that are set.
    """
    if not isinstance(text, str) or not text.isascii():
        raise ValueError("not base64url text")
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if encode_base64url(data) != text:
        raise ValueError("not the one spelling of these bytes")
    return data
