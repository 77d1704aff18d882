"""A private key under a passphrase: PKCS#8 with PBES2, scrypt and AES-256-CBC (RFC 5208, RFC 8018, RFC 7914).

Scrypt costs whoever tries passphrases 128 MiB and most of a second for each; the cost stands in the file, so that files
sealed at another one open as well. No library at hand writes this form, every one reads it.
"""

import base64
from itertools import pairwise
from typing import Final

COST: Final = 2**17
"""N of scrypt, with r = 8 and p = 1: what OWASP recommends (Password Storage Cheat Sheet, 2025)."""
BLOCK: Final = 8
PARALLEL: Final = 1
KEY_BYTES: Final = 32
AES_BLOCK: Final = 16
LINE: Final = 64
FEWEST_LETTERS: Final = 5
_INTEGER, _OCTETS, _OID, _SEQUENCE = 0x02, 0x04, 0x06, 0x30
_LONG: Final = 0x80
_PBES2: Final = bytes.fromhex("2a864886f70d01050d")
_SCRYPT: Final = bytes.fromhex("2b06010401da47040b")
_AES_256_CBC: Final = bytes.fromhex("60864801650304012a")


def is_guessable(passphrase: str) -> bool:
    """Tell whether a passphrase is among the first that anybody tries: few letters, a run, a repeated part."""
    letters = passphrase.casefold()
    steps = {ord(after) - ord(before) for before, after in pairwise(letters)}
    size = len(letters)
    repeated = any((letters[:part] * size)[:size] == letters for part in range(1, size // 2 + 1))
    return len(set(letters)) < FEWEST_LETTERS or len(steps) <= 1 or repeated or steps <= {1, ord("0") - ord("9")}


def seal_pem(plain: bytes, passphrase: str, *, cost: int = COST) -> bytes:
    """Return a private key in DER as an encrypted PEM."""
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

    # The library's own chance, as for the key itself.
    salt, start = (AESGCM.generate_key(AES_BLOCK * 8) for _ in range(2))
    key = Scrypt(salt=salt, length=KEY_BYTES, n=cost, r=BLOCK, p=PARALLEL).derive(passphrase.encode("utf-8"))
    fill = AES_BLOCK - len(plain) % AES_BLOCK
    cipher = Cipher(algorithms.AES(key), modes.CBC(start)).encryptor()
    hidden = cipher.update(plain + bytes([fill]) * fill) + cipher.finalize()
    numbers = (_number(value) for value in (cost, BLOCK, PARALLEL, KEY_BYTES))
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


def _number(value: int) -> bytes:
    return _der(_INTEGER, value.to_bytes(value.bit_length() // 8 + 1, "big"))
