"""Credentials of W3C (VC Data Model 2.0) secured by JOSE: one compact JWS, wrapped as others' wallets read it.

The issuer is named by its key (``did:key``), so that nobody has to be asked for it; whose key it is, whoever reads the
credential must know from elsewhere, as with every key. Others' programs expect the older name ``EdDSA`` of the
algorithm that our own documents call ``Ed25519``.
"""

from collections.abc import Mapping
from typing import Any, Final

from provender.signing.canonical import canonical_json
from provender.signing.keys import PublicKey, SigningKey, encode_base64url

CONTEXT: Final = "https://www.w3.org/ns/credentials/v2"
MEDIA_TYPE: Final = "application/vc+jwt"
_ED25519_PUBLIC: Final = b"\xed\x01"
_ALPHABET: Final = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def did_key(key: PublicKey) -> str:
    """Return the decentralized identifier that a key is by itself."""
    return f"did:key:z{_base58(_ED25519_PUBLIC + key.raw)}"


def _base58(data: bytes) -> str:
    """Return bytes in base58 as Bitcoin writes it; what begins with a byte of zero is not needed here."""
    number, digits = int.from_bytes(data), ""
    while number:
        number, digit = divmod(number, len(_ALPHABET))
        digits = _ALPHABET[digit] + digits
    return digits


def enveloped(credential: Mapping[str, Any], key: SigningKey) -> dict[str, Any]:
    """Return a credential as an ``EnvelopedVerifiableCredential``; the same credential and key give the same text."""
    name = did_key(key.public)
    header = {"alg": "EdDSA", "cty": "vc", "kid": f"{name}#{name.removeprefix('did:key:')}", "typ": "vc+jwt"}
    signed = ".".join(encode_base64url(canonical_json(part)) for part in (header, credential))
    token = f"{signed}.{encode_base64url(key.private.sign(signed.encode()))}"
    return {"@context": CONTEXT, "type": "EnvelopedVerifiableCredential", "id": f"data:{MEDIA_TYPE},{token}"}
