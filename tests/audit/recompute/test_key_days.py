"""Rotations, revocations and days of pins, followed by ``verify``: who signed when, and who may not have."""

import json
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from provender.audit.package.contents import HELD, ROOTS, PackageContents, with_verifiers_files
from provender.audit.package.keys import KIND, Pin, pins_document, read_pins
from provender.audit.package.layout import HEADER, Part, part_of
from provender.audit.recompute import cross_party, papers
from provender.audit.recompute.days import recompute_key_days
from provender.audit.recompute.papers import recompute_signatures
from provender.problem import ProblemsError
from provender.report.typ import TYP
from provender.signing.canonical import canonical_json
from provender.signing.jws import ROTATION, countersign, revoke, rotate, sign
from provender.signing.keys import SigningKey
from tests.audit import chain, forge
from tests.audit.forge import ADA, FARM, REPORT, Files
from tests.audit.recompute.test_silence import ELEVATOR
from tests.signing.authority import found_authority, stamp

NEW, THIRD, STRANGER, BUYER = (SigningKey.generate() for _ in range(4))
MADE = date(2026, 1, 10)
BEFORE, AFTER = date(2026, 1, 9), date(2026, 1, 11)
SHORT = {path: forge.clean()[path] for path in (REPORT, forge.record("farm"), forge.record("producer"))}
"""As much of the package as signatures are about."""
ROTATED, REVOKED = "keys/rotation.json", "keys/revoked.json"


def by(key: SigningKey) -> Files:
    return {REPORT: canonical_json(sign(forge.envelope()["document"], key, typ=TYP))}


def put(path: str, envelope: dict[str, object]) -> Files:
    return {path: canonical_json(envelope)}


def pinned(*keys: SigningKey, **days: date) -> bytes:
    return canonical_json(pins_document([Pin(FARM, key.public, "contract", **days) for key in keys]))


def seen(files: Files, folder: Path, pins: bytes | None = None, roots: bytes = b"") -> tuple[set[str], str]:
    """Return the codes of what differs of signatures, keys and their days, and what is told."""
    whole = {**SHORT, **files, HEADER: canonical_json(forge.header().document())}
    given = with_verifiers_files(whole, pins or pinned(ADA), {}, {ROOTS: roots})
    case = PackageContents(given, folder)
    outcomes = [one(case) for one in (recompute_signatures, recompute_key_days)]
    told = [why for outcome in outcomes for why in outcome.not_shown]
    return {one.code for outcome in outcomes for one in outcome.differences}, "\n".join(told)


TURNED = put(ROTATED, rotate(ADA, NEW, on=BEFORE))
FORGED = json.loads(canonical_json(rotate(ADA, NEW, on=BEFORE)))
FORGED["document"]["on"] = "2020-01-01"
ALONE = sign({"kind": "key rotation", "new_key": NEW.public.jwk, "on": str(BEFORE)}, ADA, typ=ROTATION)

CASES: list[tuple[str, Files, bytes | None, set[str]]] = [
    ("the new key signs from its day on", {**by(NEW), **TURNED}, None, set()),
    ("the old key signs no more", {**by(ADA), **TURNED}, None, {"signed_after_last_day"}),
    ("on the day itself both sign", {**by(ADA), **put(ROTATED, rotate(ADA, NEW, on=MADE))}, None, set()),
    ("the old key signed before", {**by(ADA), **put(ROTATED, rotate(ADA, NEW, on=AFTER))}, None, set()),
    ("who pinned the new key knows the old", {**by(ADA), **put(ROTATED, rotate(ADA, NEW, on=AFTER))}, pinned(NEW),
     set()),
    ("without the statement the new key is another's", by(NEW), None, {"signed_with_other_key"}),
    ("a chain", {**by(THIRD), **TURNED, **put("keys/2.json", rotate(NEW, THIRD, on=MADE))}, None, set()),
    ("the middle of a chain, too late", {**by(NEW), **put(ROTATED, rotate(ADA, NEW, on=date(2025, 1, 1))),
     **put("keys/2.json", rotate(NEW, THIRD, on=BEFORE))}, None, {"signed_after_last_day"}),
    ("a chain whose second step is before its first", {**by(THIRD), **TURNED,
     **put("keys/2.json", rotate(NEW, THIRD, on=date(2025, 1, 1)))}, None,
     {"rotation_out_of_time", "signed_with_other_key"}),
    ("a stranger's rotation binds nobody", {**by(NEW), **put(ROTATED, rotate(STRANGER, NEW, on=BEFORE))}, None,
     {"rotation_by_stranger", "signed_with_other_key"}),
    ("a rotation that the new key did not sign", {**by(NEW), **put(ROTATED, ALONE)}, None,
     {"rotation_not_agreed", "signed_with_other_key"}),
    ("one that a stranger counter-signed", {**by(NEW), **put(ROTATED, countersign(ALONE, STRANGER, on=BEFORE,
     role="takes over"))}, None, {"rotation_not_agreed", "signed_with_other_key"}),
    ("a changed rotation", {**by(NEW), ROTATED: canonical_json(FORGED)}, None,
     {"key_statement_forged", "signed_with_other_key"}),
    ("two heirs of one key", {**by(NEW), **TURNED, **put("keys/2.json", rotate(ADA, THIRD, on=BEFORE))}, None,
     {"key_rotated_twice", "signed_with_other_key"}),
    ("back to the first", {**by(ADA), **TURNED, **put("keys/2.json", rotate(NEW, ADA, on=AFTER))}, None,
     {"rotation_out_of_time", "signed_after_last_day"}),
    ("no statement at all among them", {"keys/note.json": b"{}"}, None, {"key_statement_unreadable"}),
    ("revoked", {**by(ADA), **put(REVOKED, revoke(ADA, on=AFTER, reason="lost"))}, None, {"signed_with_revoked_key"}),
    ("another's revocation is none of hers", {**by(ADA), **put(REVOKED, revoke(STRANGER, on=BEFORE, reason="x"))},
     None, set()),
    ("a revoked key makes no heir", {**by(NEW), **TURNED, **put(REVOKED, revoke(ADA, on=AFTER, reason="lost"))}, None,
     {"rotation_by_revoked_key", "signed_with_other_key"}),
    ("but the pinned heir stands", {**by(NEW), **TURNED, **put(REVOKED, revoke(ADA, on=AFTER, reason="lost"))},
     pinned(ADA, NEW), {"rotation_by_revoked_key"}),
    ("within the days of its pin", by(ADA), pinned(ADA, first=MADE, last=MADE), set()),
    ("after the days of its pin", by(ADA), pinned(ADA, last=BEFORE), {"signed_after_last_day"}),
]  # fmt: skip


@pytest.mark.parametrize(("files", "pins", "codes"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_keys_are_followed_through_their_days(
    files: Files, pins: bytes | None, codes: set[str], tmp_path: Path
) -> None:
    assert seen(files, tmp_path, pins)[0] == codes


def test_what_only_the_signers_word_dates_is_told(tmp_path: Path) -> None:
    _, told = seen({**by(ADA), **put(ROTATED, rotate(ADA, NEW, on=AFTER))}, tmp_path / "a")
    assert f"until {AFTER}: nothing but its own word shows that 1 documents" in told
    _, told = seen(by(ADA), tmp_path / "b", pinned(ADA, first=AFTER))
    assert f"which signs from {AFTER} on: it was signed later than its date" in told


LAST = date(2026, 1, 31)


def test_what_is_proved_only_after_the_keys_last_day_rests_on_its_own_word(tmp_path: Path) -> None:
    at = found_authority(tmp_path)
    roots, stamped = (at / "root.pem").read_bytes(), {**by(ADA), f"{REPORT}.tsr": stamp(at, by(ADA)[REPORT])}
    codes, told = seen(stamped, tmp_path / "late", pinned(ADA, last=LAST), roots)
    assert (codes, f"until {LAST}: nothing but its own word" in told) == (set(), True)
    today = datetime.now(UTC).date() + timedelta(days=1)
    assert seen(stamped, tmp_path / "in time", pinned(ADA, last=today), roots) == (set(), "")
    signed = json.loads(by(ADA)[REPORT])
    known = canonical_json(pins_document([Pin(FARM, ADA.public, last=LAST), Pin("buyer", BUYER.public)]))
    for day, ends in ((LAST, ""), (LAST + timedelta(days=1), "own word")):
        files = {REPORT: canonical_json(countersign(signed, BUYER, on=day))}
        codes, told = seen(files, tmp_path / str(day), known)
        assert (codes, ends in told, bool(told)) == (set(), True, bool(ends))


OLD, FIRST = date(2024, 1, 1), date(2026, 1, 20)


def contracts(*days: tuple[date | None, date | None]) -> bytes:
    return canonical_json(pins_document([Pin(FARM, ADA.public, f"{n}", *each) for n, each in enumerate(days)]))


@pytest.mark.parametrize(
    ("days", "codes", "words"),
    [
        (((OLD, BEFORE), (MADE, None)), set(), ""),
        (((OLD, MADE), (AFTER, None)), set(), ""),
        (((AFTER, None), (OLD, MADE)), set(), ""),
        (((OLD, MADE), (AFTER, LAST)), set(), f"until {LAST}: nothing but its own word"),
        (((OLD, OLD), (OLD, BEFORE)), {"signed_after_last_day"}, ""),
        (((OLD, BEFORE), (FIRST, None)), {"signed_after_last_day"}, ""),
        (((AFTER, LAST), (FIRST, None)), set(), f"which signs from {AFTER} on"),
    ],
)
def test_a_key_pinned_under_two_contracts_signs_in_the_days_of_either(
    days: tuple[tuple[date | None, date | None], ...], codes: set[str], words: str, tmp_path: Path
) -> None:
    found, told = seen(by(ADA), tmp_path, contracts(*days))
    assert (found, words in told, bool(told)) == (codes, True, bool(words))


def test_a_rotation_ends_a_key_under_each_of_its_contracts(tmp_path: Path) -> None:
    turned = {**by(ADA), **put(ROTATED, rotate(ADA, NEW, on=date(2025, 6, 1)))}
    for at, days in enumerate([((OLD, None),), ((OLD, BEFORE), (MADE, None)), ((AFTER, None),)]):
        assert seen(turned, tmp_path / str(at), contracts(*days))[0] == {"signed_after_last_day"}


def test_a_document_proved_older_than_the_revocation_stands(tmp_path: Path) -> None:
    at = found_authority(tmp_path)
    roots, later = (at / "root.pem").read_bytes(), datetime.now(UTC).date() + timedelta(days=2)
    gone = put(REVOKED, revoke(ADA, on=later, reason="lost"))
    stamped = {**by(ADA), f"{REPORT}.tsr": stamp(at, by(ADA)[REPORT])}
    assert seen({**stamped, **gone}, tmp_path / "1", roots=roots)[0] == set()
    assert seen({**stamped, **gone}, tmp_path / "2")[0] == {"signed_with_revoked_key"}, "no root of the reader"
    early = put(REVOKED, revoke(ADA, on=MADE, reason="lost"))
    assert seen({**stamped, **early}, tmp_path / "3", roots=roots)[0] == {"signed_with_revoked_key"}
    turned = {**TURNED, f"{ROTATED}.tsr": stamp(at, TURNED[ROTATED])}
    assert seen({**by(NEW), **turned, **gone}, tmp_path / "4", roots=roots)[0] == set(), "the rotation is older"


def test_a_counter_signature_of_somebody_pinned_dates_a_document_too(tmp_path: Path) -> None:
    envelope = countersign(json.loads(by(ADA)[REPORT]), BUYER, on=MADE)
    files = {REPORT: canonical_json(envelope), **put(REVOKED, revoke(ADA, on=AFTER, reason="lost"))}
    known = canonical_json(pins_document([Pin(FARM, ADA.public), Pin("buyer", BUYER.public)]))
    assert seen(files, tmp_path / "1", known)[0] == set()
    assert seen(files, tmp_path / "2")[0] == {"signed_with_revoked_key"}


def test_statements_that_the_verifier_brought_count_as_well(tmp_path: Path) -> None:
    whole = {**forge.clean(), **by(NEW), HEADER: canonical_json(forge.header().document())}
    given = with_verifiers_files(whole, pinned(ADA), {"turned.json": TURNED[ROTATED]})
    case = PackageContents(given, tmp_path)
    found = [
        one
        for check in (recompute_signatures, recompute_key_days, cross_party.recompute_missing_parts)
        for one in check(case).differences
    ]
    assert (found, f"{HELD}turned.json" in case) == ([], True)


@pytest.mark.parametrize(("new", "differs"), [(True, set()), (False, {"signed_with_other_key"})])
def test_a_contract_that_names_the_old_key_knows_the_new_one(new: bool, differs: set[str], tmp_path: Path) -> None:
    key, old = SigningKey.generate(), chain.KEYS_OF["coop"]
    events, received = chain.coop()
    own = chain.own_papers("coop", events, key)
    files = {**chain.clean("crush"), chain.paper("crush", "transfer-s1.json"): canonical_json(own["transfer-s1.json"])}
    files |= {HEADER: canonical_json(ELEVATOR.document() | {"parties": {_folder("crush"): "crush"}})}
    if new:
        files |= put(ROTATED, rotate(old, key, on=date(2026, 4, 1)))
    case = PackageContents(with_verifiers_files(files, None, {}), tmp_path)
    assert received
    assert {one.code for one in papers.signed(case).differences} == differs


def _folder(party: str) -> str:
    return chain.book(party).rpartition("/")[0]


def test_pins_keep_their_days_and_those_without_read_as_before() -> None:
    raw = pinned(ADA, first=BEFORE, last=AFTER)
    (pin,) = read_pins(raw, "pins.json").pins
    assert (pin.first, pin.last) == (BEFORE, AFTER)
    assert json.loads(pinned(ADA))["keys"][0].keys() == {"party", "key", "source"}
    broken = json.loads(raw)
    broken["keys"][0]["first"] = "soon"
    with pytest.raises(ProblemsError):
        read_pins(canonical_json(broken), "pins.json")


def test_statements_of_keys_are_of_the_part_of_keys() -> None:
    assert part_of(ROTATED) is Part.KEYS
    assert [part_of(name) for name in ("keys/a/b.json", "keys/a.txt", "keys/")] == [None] * 3


FIELD = 2**255 - 19


@pytest.mark.parametrize("height", [0, 1, FIELD - 1, FIELD, FIELD + 1, 2**255 - 1, 2**255, 2**255 + 1])
def test_a_key_under_which_everything_is_signed_enters_by_no_door(height: int, tmp_path: Path) -> None:
    from provender.signing.keys import PublicKey, encode_base64url

    raw = height.to_bytes(32, "little")
    jwk: dict[str, Any] = {"crv": "Ed25519", "kty": "OKP", "x": encode_base64url(raw)}
    with pytest.raises(ProblemsError):
        PublicKey.from_jwk(jwk)
    with pytest.raises(ProblemsError, match="not a key"):
        read_pins(canonical_json({"kind": KIND, "keys": [{"party": FARM, "key": jwk, "source": ""}]}), "x")
    document = {"kind": "key rotation", "new_key": jwk, "on": str(BEFORE)}
    turned = countersign(sign(document, ADA, typ=ROTATION), NEW, on=BEFORE, role="takes over")
    assert seen({**by(NEW), **put(ROTATED, turned)}, tmp_path)[0] == {"rotation_not_agreed", "signed_with_other_key"}
