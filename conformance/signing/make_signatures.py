"""Make ``signatures.input.json`` and its expected file with ``openssl`` alone; nothing of provender is imported. CC0.

The private keys are those of RFC 8032, section 7.1, known to everybody: **test keys, never to be trusted**. Ed25519
gives the same bytes for the same key and text, so running this again changes nothing.
"""

import base64
import hashlib
import json
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

HERE = Path(__file__).parent
PREFIX = bytes.fromhex("302e020100300506032b657004220420")  # PKCS#8 around 32 bytes of an Ed25519 key (RFC 8410)
SECRETS = {
    "farm": "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
    "buyer": "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
    "thief": "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
}
DOCUMENT = {"farm": "Bluestem", "bushels": "1200.000", "units": [{"id": "N 40", "acres": "80.25"}], "draft": False}
SIGNED = "provender-document"
COUNTER = "provender-countersignature"


def text64(raw: bytes) -> str:
    """Write bytes as base64url without padding."""
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def canonical(data: object) -> bytes:
    """Write JSON as RFC 8785 does; all names here are ASCII and there are no fractions."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def openssl(folder: Path, name: str, *words: str) -> bytes:
    """Run openssl over the key of a party."""
    (folder / name).write_bytes(PREFIX + bytes.fromhex(SECRETS[name]))
    asked = ["openssl", words[0], "-inkey" if words[0] == "pkeyutl" else "-in", name, "-keyform", "DER", *words[1:]]
    if words[0] == "pkey":
        asked = ["openssl", "pkey", "-inform", "DER", "-in", name, *words[1:]]
    return subprocess.run(asked, cwd=folder, check=True, capture_output=True).stdout  # noqa: S603 - our own words


def jwk(name: str) -> dict[str, str]:
    """Return the public key of a party."""
    with TemporaryDirectory() as folder:
        raw = openssl(Path(folder), name, "pkey", "-pubout", "-outform", "DER")[-32:]
    return {"crv": "Ed25519", "kty": "OKP", "x": text64(raw)}


KEYS = {name: jwk(name) for name in SECRETS}
KIDS = {name: text64(hashlib.sha256(canonical(key)).digest()) for name, key in KEYS.items()}


def signature(document: object, name: str, typ: str = SIGNED, **header: object) -> str:
    """Return the detached JWS of a document by a party, its header changed as told."""
    head = canonical({"alg": "Ed25519", "jwk": KEYS[name], "kid": KIDS[name], "typ": typ, **header})
    with TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "text").write_text(f"{text64(head)}.{text64(canonical(document))}")
        made = openssl(folder, name, "pkeyutl", "-sign", "-rawin", "-in", "text")
    return f"{text64(head)}..{text64(made)}"


def envelope(document: object, name: str, typ: str = SIGNED, **header: object) -> dict[str, object]:
    """Return a document with its signature."""
    return {"document": document, "signature": signature(document, name, typ, **header)}


def received(signed: dict[str, object], name: str, day: str, **header: object) -> dict[str, object]:
    """Return an envelope that a party counter-signed."""
    mark = hashlib.sha256(canonical({"document": signed["document"], "signature": signed["signature"]})).hexdigest()
    counter = envelope({"hash": mark, "on": day, "as": "received"}, name, COUNTER, **header)
    return {**signed, "countersignatures": [counter]}


def question(signed: object, *pinned: str, revoked: dict[str, str] | None = None) -> dict[str, object]:
    """Return the input of a case: what came, whose keys are pinned, which are out of use since when."""
    out = {KIDS[name]: day for name, day in (revoked or {}).items()}
    return {"envelope": signed, "pinned": [KEYS[name] for name in pinned], "revoked": out}


def by_small_key() -> dict[str, object]:
    """Return a document under a key of small order, whose signature of nothing fits every text."""
    jwk = {"crv": "Ed25519", "kty": "OKP", "x": text64(bytes([1]) + bytes(31))}
    kid = text64(hashlib.sha256(canonical(jwk)).digest())
    head = text64(canonical({"alg": "Ed25519", "jwk": jwk, "kid": kid, "typ": SIGNED}))
    return {"document": DOCUMENT, "signature": f"{head}..{text64(bytes([1]) + bytes(31) + bytes(32))}"}


def cases() -> list[tuple[str, dict[str, object], dict[str, object]]]:
    """Return name, input and answer of every case."""
    good, one = envelope(DOCUMENT, "farm"), "2026-03-04"
    head, tail = str(good["signature"]).split("..")
    none_head = text64(canonical({"alg": "none", "jwk": KEYS["farm"], "kid": KIDS["farm"], "typ": SIGNED}))
    other = {**DOCUMENT, "bushels": "9200.000"}
    late = received(good, "buyer", one)
    thiefs_head = signature(DOCUMENT, "thief").split("..")[0]
    moved = {**envelope(other, "farm"), "countersignatures": late["countersignatures"]}

    def head_of(**header: object) -> dict[str, object]:
        return envelope(DOCUMENT, "farm", **header)  # type: ignore[arg-type]

    def signed(text: str) -> dict[str, object]:
        return {**good, "signature": text}

    def content(document: object) -> dict[str, object]:
        return {**good, "document": document}

    farm, both = ("farm",), ("farm", "buyer")
    plain = [
        ("signed by a pinned key", good, farm, "valid", None),
        ("nobody pinned the key", good, ("buyer",), "signer_unknown", None),
        ("no signature", {"document": DOCUMENT}, farm, "not_signed", None),
        ("an amount changed", content(other), farm, "signature_wrong", None),
        ("a number for a truth", content({**DOCUMENT, "draft": 0}), farm, "signature_wrong", None),
        ("a field more", content({**DOCUMENT, "more": None}), farm, "signature_wrong", None),
        ("a part nobody signed", {**good, "note": "x"}, farm, "malformed", None),
        ("another key in the header", signed(f"{thiefs_head}..{tail}"), ("farm", "thief"), "signature_wrong", None),
        ("another's name in the header", envelope(DOCUMENT, "thief", kid=KIDS["farm"]), farm, "malformed", None),
        ("the algorithm none", signed(f"{none_head}..AAAA"), farm, "algorithm_refused", None),
        ("the former name of the algorithm", head_of(alg="EdDSA"), farm, "algorithm_refused", None),
        ("a header that points elsewhere", head_of(jku="https://example.org/keys"), farm, "malformed", None),
        ("another kind of statement", head_of(typ=COUNTER), farm, "malformed", None),
        ("a key of small order", by_small_key(), (), "malformed", None),
        ("a signature cut short", signed(f"{head}..{tail[:-6]}"), farm, "signature_wrong", None),
        ("counter-signed by a pinned buyer", late, both, "valid", one),
        ("counter-signed by a stranger", late, farm, "valid", None),
        ("counter-signed by the signer", received(good, "farm", one), farm, "valid", None),
        ("a counter-signature moved to another document", moved, both, "valid", None),
    ]
    table = [(name, question(came, *pins), status, day) for name, came, pins, status, day in plain]
    table += revocations(good, late)
    return [(name, asked, {"status": status, "proved_on": day}) for name, asked, status, day in table]


def revocations(
    good: dict[str, object], late: dict[str, object]
) -> list[tuple[str, dict[str, object], str, str | None]]:
    """Return name, question, status and proved day of what keys signed that are out of use now."""
    farm, both, one = ("farm",), ("farm", "buyer"), "2026-03-04"
    gone = [
        ("revoked", good, farm, {"farm": one}, "key_revoked", None),
        ("revoked on the day the buyer dates it", late, both, {"farm": one}, "key_revoked", one),
        ("revoked the day after", late, both, {"farm": "2026-03-05"}, "valid", one),
        ("the counter-signer's key revoked", late, both, {"buyer": one}, "valid", None),
    ]
    return [(name, question(came, *pins, revoked=out), status, day) for name, came, pins, out, status, day in gone]


def main() -> None:
    """Write both files."""
    made = cases()
    note = "Test keys of RFC 8032, section 7.1 (TEST 1 to 3): known to everybody, never to be trusted."
    shown = {name: {"private_hex": SECRETS[name], "public": KEYS[name], "kid": KIDS[name]} for name in SECRETS}
    asked = {"part": "signing/signatures", "keys_note": note, "keys": shown}
    asked["cases"] = [{"id": name, "input": one} for name, one, _ in made]
    reached = (
        "Signatures by `openssl pkeyutl -sign -rawin` (make_signatures.py beside this file), fingerprints by RFC 7638; "
        "the status of each case by hand from the list of statuses on the page."
    )
    told = {"part": "signing/signatures", "reached": reached, "compare": {"how": "exact"}}
    told["answers"] = {name: answer for name, _, answer in made}
    for kind, content in (("input", asked), ("expected", told)):
        text = json.dumps(content, indent=1, ensure_ascii=False) + "\n"
        (HERE / f"signatures.{kind}.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
