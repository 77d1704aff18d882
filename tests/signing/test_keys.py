"""Keys: names, sealing, reading back, and every way a key file can be wrong."""

import warnings
from base64 import b64decode
from collections.abc import Callable
from typing import Final

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from joserfc.jwk import OKPKey

from provender.problem import ProblemsError
from provender.signing.keys import PublicKey, SigningKey, decode_base64url, encode_base64url, seal_pem
from provender.signing.timestamps import read_roots, system_roots
from tests.rows import CaseRows

ROWS: Final = CaseRows(__file__)

PHRASE = "harvest rain gravel owl"
Maker = Callable[[str], SigningKey]


def code_of(call: Callable[[], object]) -> str:
    with pytest.raises(ProblemsError) as refused:
        call()
    return refused.value.problems[0].code


def test_a_fingerprint_is_the_rfc_7638_thumbprint_of_rfc_8037_and_of_another_library(key_from: Maker) -> None:
    key = PublicKey.from_jwk({"kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"})
    assert key.fingerprint == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"
    assert key.short == "90fa cafe a9b1 5566 9854"
    key = key_from("farm").public
    assert OKPKey.import_key(dict(key.jwk)).thumbprint() == key.fingerprint
    assert PublicKey.from_jwk(key.export()) == key


def test_a_sealed_key_opens_with_its_passphrase_only_which_has_twelve_characters(key_from: Maker) -> None:
    key = key_from("farm")
    sealed = key.seal(PHRASE)
    assert SigningKey.unseal(sealed, PHRASE).public == key.public
    assert code_of(lambda: SigningKey.unseal(sealed, PHRASE + " ")) == "wrong_passphrase"
    assert code_of(lambda: SigningKey.unseal(sealed, "")) == "wrong_passphrase"
    assert key_from("farm").seal("rain gravel!")
    assert code_of(lambda: key_from("farm").seal("x" * 11)) == "short_passphrase"


@pytest.mark.parametrize(
    "phrase",
    [
        "xxxxxxxxxxxx", "aAaAaAaAaAaA", "abababababab", "abcdefghijkl", "123456789012", "ponmlkjihgfe",
        "password!password!", "secretsecretsecret", "            ", "aaaaaaaaaaaabcd",
    ],
)  # fmt: skip
def test_a_passphrase_that_repeats_itself_or_runs_on_is_refused(key_from: Maker, phrase: str) -> None:
    assert code_of(lambda: key_from("farm").seal(phrase)) == "weak_passphrase"


def test_a_key_is_sealed_with_scrypt_and_one_of_the_version_before_still_opens(key_from: Maker) -> None:
    key = key_from("farm")
    form = (serialization.Encoding.DER, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    pem = seal_pem(key.private.private_bytes(*form), PHRASE)
    der = b64decode(b"".join(pem.splitlines()[1:-1]))
    assert bytes.fromhex("06092b06010401da47040b") in der, "scrypt, RFC 7914"
    assert bytes.fromhex("0203020000020108020101") in der, "N = 131072, r = 8, p = 1"
    assert SigningKey.unseal(pem, PHRASE).public == key.public
    usual = serialization.BestAvailableEncryption(b"xxxxxxxxxxxx")
    pem = key.private.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, usual)
    assert SigningKey.unseal(pem, "xxxxxxxxxxxx").public == key.public


FIELD = 2**255 - 19
EIGHTH = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7
HEIGHTS = {0, 1, FIELD - 1, EIGHTH, FIELD - EIGHTH, FIELD, FIELD + 1, 2**255 - 1}


@pytest.mark.parametrize("sign", [0, 1])
@pytest.mark.parametrize("height", sorted(HEIGHTS))
def test_a_public_key_of_small_order_or_in_another_spelling_is_refused(height: int, sign: int) -> None:
    raw = (height | sign << 255).to_bytes(32, "little")
    jwk = {"kty": "OKP", "crv": "Ed25519", "x": encode_base64url(raw)}
    assert code_of(lambda: PublicKey.from_jwk(jwk)) == "not_a_key"
    with pytest.raises(ValueError, match="prove nothing"):
        PublicKey(raw)


def test_points_of_small_order_are_known_and_the_list_of_this_system_read_in_silence() -> None:
    assert {doubled_thrice(height) for height in HEIGHTS if height < FIELD} == {1}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert read_roots(system_roots())


def doubled_thrice(height: int) -> int:
    """Return y of eight times the point of a height: on this curve y(2P) follows from y(P) alone."""
    d = -121665 * pow(121666, -1, FIELD) % FIELD
    for _ in range(3):
        y2 = height * height % FIELD
        x2 = (y2 - 1) * pow(d * y2 + 1, -1, FIELD) % FIELD
        height = (y2 + x2) * pow(1 - d * x2 * y2, -1, FIELD) % FIELD
    return height


def test_every_new_key_is_another_shows_nothing_private_and_what_is_none_is_named(key_from: Maker) -> None:
    assert SigningKey.generate().fingerprint != SigningKey.generate().fingerprint
    key = key_from("farm")
    raw = key.private.private_bytes_raw()
    assert raw.hex() not in repr(key)
    assert encode_base64url(raw) not in f"{key!r} {key}"
    assert key.public.short in repr(key)
    curve = ec.generate_private_key(ec.SECP256R1())
    assert code_of(lambda: SigningKey.unseal(pem(curve, PHRASE), PHRASE)) == "not_ed25519"
    assert code_of(lambda: SigningKey.unseal(pem(key_from("a").private, ""), PHRASE)) == "key_not_sealed"
    assert code_of(lambda: SigningKey.unseal(b"", PHRASE)) == "not_a_key"
    assert code_of(lambda: SigningKey.unseal(b"\x89PNG", PHRASE)) == "not_a_key"
    assert code_of(lambda: PublicKey.from_jwk([])) == "not_a_key"


def pem(private: Ed25519PrivateKey | ec.EllipticCurvePrivateKey, phrase: str) -> bytes:
    lock = serialization.BestAvailableEncryption(phrase.encode()) if phrase else serialization.NoEncryption()
    return private.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, lock)


@ROWS
def test_public_keys_that_are_wrong_are_named(key_from: Maker, change: dict[str, str], code: str) -> None:
    jwk = {**key_from("farm").public.export(), **change}
    assert code_of(lambda: PublicKey.from_jwk(jwk)) == code


@pytest.mark.parametrize("text", ["AB", "AA=", "A+==", "A\u00e9", 3, "A A="])
def test_base64url_has_one_spelling_only(text: object) -> None:
    with pytest.raises(ValueError, match=r"base64|spelling|padding|haracters"):
        decode_base64url(text)
