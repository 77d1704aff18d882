"""Signed envelopes: every status, tampering of every part, counter-signatures, rotation and revocation."""

import json
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from joserfc import jws
from joserfc.jwk import OctKey, OKPKey

from provender.signing.canonical import canonical_json, read_json
from provender.signing.jws import (
    COUNTERSIGNATURE,
    Status,
    check,
    countersign,
    envelope_hash,
    read_revocation,
    read_rotation,
    revoke,
    rotate,
    sign,
)
from provender.signing.keys import PublicKey, SigningKey, decode_base64url, encode_base64url
from tests.rows import CaseRows

ROWS: Final = CaseRows(__file__)

Maker = Callable[[str], SigningKey]
DOCUMENT = {"farm": "Bluestem", "bushels": "1200.000", "units": [{"id": "N 40", "acres": "80.25"}], "draft": False}
DAY = date(2026, 3, 4)


def pins(*keys: SigningKey) -> dict[str, PublicKey]:
    return {key.fingerprint: key.public for key in keys}


def signed_with(header: Mapping[str, object], key: OKPKey | OctKey, alg: str) -> dict[str, object]:
    registry = jws.JWSRegistry(algorithms=[alg], strict_check_header=False)
    whole = jws.serialize_compact({**header, "alg": alg}, canonical_json(DOCUMENT), key, registry=registry)
    return {"document": DOCUMENT, "signature": jws.detach_content(whole)}


def test_a_pinned_signer_is_valid_and_the_same_document_and_key_give_the_same_bytes(key_from: Maker) -> None:
    farm = key_from("farm")
    checked = check(read_json(json.dumps(sign(DOCUMENT, farm), indent=4).encode()), pins(farm))
    assert checked.status is Status.VALID
    assert checked.valid
    assert checked.document == DOCUMENT
    assert checked.key == farm.public
    assert sign(DOCUMENT, key_from("farm")) == sign(dict(reversed(DOCUMENT.items())), key_from("farm"))
    assert check(sign({"units": ["x" * 1000] * 2000}, farm), pins(farm)).valid


def test_an_unpinned_key_is_unknown_whatever_its_name_and_an_unsigned_document_not_signed(key_from: Maker) -> None:
    checked = check(sign(DOCUMENT, key_from("farm")), pins(key_from("buyer")))
    assert checked.status is Status.SIGNER_UNKNOWN
    assert not checked.valid
    assert checked.kid == key_from("farm").fingerprint
    farm, thief = key_from("farm"), key_from("thief")
    assert check(sign(DOCUMENT, thief), {thief.fingerprint: farm.public}).status is Status.SIGNER_UNKNOWN
    for envelope in ({"document": DOCUMENT}, {"document": DOCUMENT, "signature": ""}):
        assert check(envelope, {}).status is Status.NOT_SIGNED


@ROWS
def test_what_is_no_envelope_is_malformed_or_refused_and_never_raises(envelope: object) -> None:
    assert check(envelope, {}).status in {Status.MALFORMED, Status.ALGORITHM_REFUSED}


def test_no_other_algorithm_is_accepted(key_from: Maker) -> None:
    farm = key_from("farm")
    okp = OKPKey.import_key(farm.private)
    header = {"kid": farm.fingerprint, "jwk": farm.public.jwk, "typ": "provender-document"}
    none = encode_base64url(canonical_json({**header, "alg": "none"}))
    shared = OctKey.import_key(farm.public.raw)
    with pytest.warns(UserWarning, match="deprecated"):
        old_name = signed_with(header, okp, "EdDSA")
    for envelope in (
        {"document": DOCUMENT, "signature": f"{none}..AAAA"},
        signed_with(header, shared, "HS256"),
        old_name,
    ):
        assert check(envelope, pins(farm)).status is Status.ALGORITHM_REFUSED


def test_headers_with_more_or_less_than_ours_are_malformed(key_from: Maker) -> None:
    farm, thief = key_from("farm"), key_from("thief")
    okp = OKPKey.import_key(farm.private)
    whole: dict[str, Any] = {"kid": farm.fingerprint, "jwk": farm.public.jwk, "typ": "provender-document"}
    assert check(signed_with(whole, okp, "Ed25519"), pins(farm)).status is Status.VALID
    for change in (
        {"b64": False, "crit": ["b64"]},
        {"kid": thief.fingerprint},
        {"jwk": {**farm.public.jwk, "use": "sig"}},
        {"typ": COUNTERSIGNATURE},
        {"jku": "https://example.org/keys"},
    ):
        assert check(signed_with({**whole, **change}, okp, "Ed25519"), pins(farm)).status is Status.MALFORMED
    without = {name: value for name, value in whole.items() if name != "jwk"}
    assert check(signed_with(without, okp, "Ed25519"), pins(farm)).status is Status.MALFORMED


def test_a_key_in_the_header_borrows_no_pin_and_one_left_out_is_found(key_from: Maker) -> None:
    farm, thief = key_from("farm"), key_from("thief")
    header = {"kid": farm.fingerprint, "jwk": farm.public.jwk, "typ": "provender-document"}
    envelope = signed_with(header, OKPKey.import_key(thief.private), "Ed25519")
    assert check(envelope, pins(farm)).status is Status.SIGNATURE_WRONG
    farm = key_from("farm")
    for name in DOCUMENT:
        rest = {key: value for key, value in DOCUMENT.items() if key != name}
        assert check({**sign(DOCUMENT, farm), "document": rest}, pins(farm)).status is Status.SIGNATURE_WRONG


leaf_changes = st.sampled_from(
    [
        {"farm": "Bluestem "},
        {"bushels": "1200.00"},
        {"bushels": 1200},
        {"draft": None},
        {"draft": 0},
        {"units": []},
        {"units": [{"id": "N 40", "acres": "80.25", "more": None}]},
        {"new": ""},
    ]
)


@given(leaf_changes)
def test_any_change_of_the_content_is_found(key_from: Maker, change: dict[str, object]) -> None:
    farm = key_from("farm")
    envelope = {**sign(DOCUMENT, farm), "document": {**DOCUMENT, **change}}
    assert check(envelope, pins(farm)).status is Status.SIGNATURE_WRONG


def test_no_character_of_the_signature_can_be_another(key_from: Maker) -> None:
    farm = key_from("farm")
    signature = str(sign(DOCUMENT, farm)["signature"])
    for at, letter in enumerate(signature):
        for other in {"A", "B", ".", "_", "="} - {letter}:
            changed = signature[:at] + other + signature[at + 1 :]
            checked = check({"document": DOCUMENT, "signature": changed}, pins(farm))
            assert not checked.valid, f"character {at} as {other!r}"
            assert checked.document is None


@given(st.integers(0, 63), st.integers(0, 7))
def test_no_bit_of_the_signature_can_be_flipped(key_from: Maker, byte: int, bit: int) -> None:
    farm = key_from("farm")
    head, tail = str(sign(DOCUMENT, farm)["signature"]).split("..")
    raw = bytearray(decode_base64url(tail))
    raw[byte] ^= 1 << bit
    changed = f"{head}..{encode_base64url(bytes(raw))}"
    assert check({"document": DOCUMENT, "signature": changed}, pins(farm)).status is Status.SIGNATURE_WRONG


def test_a_countersignature_dates_the_document_and_statuses_keep_their_order(key_from: Maker) -> None:
    farm, buyer = key_from("farm"), key_from("buyer")
    envelope = countersign(sign(DOCUMENT, farm), buyer, on=DAY)
    checked = check(envelope, pins(farm, buyer))
    assert checked.proved_on == DAY
    assert checked.hash == envelope_hash(sign(DOCUMENT, farm)) == envelope_hash(envelope)
    assert [(one.status, one.role) for one in checked.countersigned] == [(Status.VALID, "received")]
    farm = key_from("farm")
    envelope = sign(DOCUMENT, farm)
    gone = {farm.fingerprint: DAY}
    assert check({**envelope, "extra": 1, "signature": ""}, {}, revoked=gone).status is Status.MALFORMED
    assert check({**envelope, "document": {}}, {}, revoked=gone).status is Status.SIGNATURE_WRONG
    assert check(envelope, {}, revoked=gone).status is Status.KEY_REVOKED
    assert check(envelope, {}).status is Status.SIGNER_UNKNOWN


def test_only_a_countersignature_of_a_pinned_second_party_over_this_document_dates_it(key_from: Maker) -> None:
    farm, buyer = key_from("farm"), key_from("buyer")
    by_stranger = countersign(sign(DOCUMENT, farm), buyer, on=DAY)
    by_signer = countersign(sign(DOCUMENT, farm), farm, on=DAY)
    assert check(by_stranger, pins(farm)).proved_on is None
    assert check(by_stranger, pins(farm)).countersigned[0].status is Status.SIGNER_UNKNOWN
    assert check(by_signer, pins(farm)).proved_on is None
    assert check(by_stranger, pins(farm, buyer), revoked={buyer.fingerprint: DAY}).proved_on is None
    earlier = countersign(sign(DOCUMENT, farm), buyer, on=DAY)["countersignatures"]
    other = {**sign({**DOCUMENT, "bushels": "9"}, farm), "countersignatures": earlier}
    checked = check(other, pins(farm, buyer))
    assert checked.valid
    assert checked.proved_on is None
    assert checked.countersigned[0].status is Status.SIGNATURE_WRONG
    envelope = sign(DOCUMENT, farm)
    statement = {"hash": envelope_hash(envelope), "on": DAY.isoformat(), "as": "received"}
    posed = {**envelope, "countersignatures": [sign(statement, buyer)]}
    assert check(posed, pins(farm, buyer)).proved_on is None
    assert check(sign(statement, buyer, typ=COUNTERSIGNATURE), pins(buyer)).status is Status.MALFORMED


@pytest.mark.parametrize("bad", [None, {}, {"document": {}}, {"document": {"on": "soon"}, "signature": "e30..AAAA"}])
def test_a_broken_countersignature_leaves_the_document_as_it_is(key_from: Maker, bad: object) -> None:
    farm = key_from("farm")
    checked = check({**sign(DOCUMENT, farm), "countersignatures": [bad]}, pins(farm))
    assert checked.valid
    assert checked.proved_on is None


@pytest.mark.parametrize(
    ("dated", "status"),
    [
        (date(2026, 3, 3), Status.VALID),
        (date(2026, 3, 4), Status.KEY_REVOKED),
        (date(2026, 3, 5), Status.KEY_REVOKED),
        (None, Status.KEY_REVOKED),
    ],
)
def test_a_revoked_key_vouches_for_what_was_before(key_from: Maker, dated: date | None, status: Status) -> None:
    farm, buyer = key_from("farm"), key_from("buyer")
    envelope = sign(DOCUMENT, farm)
    if dated:
        envelope = countersign(envelope, buyer, on=dated)
    assert check(envelope, pins(farm, buyer), revoked={farm.fingerprint: DAY}).status is status


def test_a_key_hands_over_only_where_it_is_pinned_and_stands_and_the_new_one_is_willing(key_from: Maker) -> None:
    old, new = key_from("old"), key_from("new")
    rotated = read_rotation(rotate(old, new, on=DAY), pins(old))
    assert (rotated.new, rotated.on) == (new.public, DAY)
    assert read_rotation(rotate(old, new, on=DAY), pins(old, new)).new == new.public
    statement = rotate(old, new, on=DAY)
    unwilling = {name: value for name, value in statement.items() if name != "countersignatures"}
    assert read_rotation(statement, {}).new is None
    assert read_rotation(statement, pins(old), revoked={old.fingerprint: DAY}).new is None
    assert read_rotation(statement, pins(old), revoked={new.fingerprint: DAY}).new is None
    assert read_rotation(unwilling, pins(old)).new is None
    assert read_rotation(sign({"new_key": new.public.jwk, "on": "2026-03-04"}, old), pins(old)).new is None


def test_a_key_can_take_itself_out_of_use_and_no_other(key_from: Maker) -> None:
    farm, thief = key_from("farm"), key_from("thief")
    statement = revoke(farm, on=DAY, reason="laptop lost")
    assert read_revocation(statement, pins(farm)) == (farm.fingerprint, DAY)
    assert read_revocation(statement, pins(thief)) is None
    assert read_revocation({**statement, "document": {"on": "2020-01-01"}}, pins(farm)) is None
