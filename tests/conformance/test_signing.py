"""Canonical JSON and signatures, whose bytes openssl made."""

import subprocess
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from provender.problem import ProblemsError
from provender.signing.canonical import canonical_json, read_json, sha256_hex
from provender.signing.jws import check, sign
from provender.signing.keys import PublicKey, SigningKey, decode_base64url
from tests.conformance.kit import KIT, differences, part


def spelled(asked: dict[str, str]) -> object:
    raw = bytes.fromhex(asked["hex"]) if "hex" in asked else asked["text"].encode()
    try:
        found = canonical_json(read_json(raw))
    except (ProblemsError, ValueError):
        return "refused"
    return {"canonical": found.decode(), "sha256": sha256_hex(found)}


def checked(asked: dict[str, Any]) -> dict[str, object]:
    pinned = {key.fingerprint: key for key in map(PublicKey.from_jwk, asked["pinned"])}
    revoked = {kid: date.fromisoformat(day) for kid, day in asked["revoked"].items()}
    found = check(asked["envelope"], pinned, revoked=revoked)
    return {"status": str(found.status), "proved_on": found.proved_on.isoformat() if found.proved_on else None}


def test_one_content_has_one_spelling_and_what_is_ambiguous_is_refused() -> None:
    assert differences("signing/canonical", spelled) == []


def test_every_envelope_has_the_status_of_the_kit() -> None:
    assert differences("signing/signatures", checked) == []


def test_our_signature_is_that_of_openssl_byte_by_byte() -> None:
    file = part("signing/signatures")
    raw = bytes.fromhex(file["keys"]["farm"]["private_hex"])
    key = SigningKey(Ed25519PrivateKey.from_private_bytes(raw))
    made = file["cases"][0]["input"]["envelope"]
    assert key.fingerprint == file["keys"]["farm"]["kid"]
    assert sign(made["document"], key) == made


@pytest.mark.parametrize("case", ["signed by a pinned key", "an amount changed"])
def test_openssl_says_the_same_of_the_bytes_that_were_signed(tmp_path: Path, case: str) -> None:
    found = next(one["input"] for one in part("signing/signatures")["cases"] if one["id"] == case)
    head, _, tail = found["envelope"]["signature"].split(".")
    text = head.encode() + b"." + _base64url(canonical_json(found["envelope"]["document"]))
    key = bytes.fromhex("302a300506032b6570032100") + decode_base64url(found["pinned"][0]["x"])
    for name, content in (("key", key), ("text", text), ("signature", decode_base64url(tail))):
        (tmp_path / name).write_bytes(content)
    asked = "openssl pkeyutl -verify -pubin -keyform DER -inkey key -rawin -in text -sigfile signature"
    run = subprocess.run(asked.split(), cwd=tmp_path, check=False, capture_output=True)  # noqa: S603 - our own words
    assert (run.returncode == 0) is (checked(found)["status"] == "valid")


def _base64url(raw: bytes) -> bytes:
    import base64

    return base64.urlsafe_b64encode(raw).rstrip(b"=")


def test_the_keys_of_the_kit_are_said_to_be_test_keys() -> None:
    assert "never to be trusted" in part("signing/signatures")["keys_note"]
    assert "never to be trusted" in (KIT / "README.md").read_text(encoding="utf-8")
