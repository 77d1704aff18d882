"""Keys followed by ``verify``: rotations, revocations, days of pins, and proofs from transparency logs."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from docs.makers.surface import Shown, surface_of
from provender.audit.package.collect import Content, collect_farm, evidence_index, with_log_proofs
from provender.audit.package.contents import HELD, ROOTS, PackageContents, with_verifiers_files
from provender.audit.package.layout import HEADER, KIND, LOG_PROOF, Part, Pin, part_of, pins_document, read_pins
from provender.audit.package.write import Subject
from provender.audit.recompute import cross_party, papers
from provender.audit.recompute import days as logs
from provender.audit.recompute.days import of_keys
from provender.audit.recompute.papers import signatures
from provender.problem import ProblemsError
from provender.report.typ import TYP
from provender.signing.canonical import canonical_json
from provender.signing.jws import ROTATION, countersign, revoke, rotate, sign
from provender.signing.keys import SigningKey
from provender.signing.transparency import LogTree, mark_of, sign_head
from tests.audit import chain, forge
from tests.audit.forge import ADA, EXAMPLE, FARM, REPORT, Files
from tests.audit.recompute.test_checks import ELEVATOR
from tests.signing.authority import stamp

# Rotations, revocations and days of pins, followed by ``verify``: who signed when, and who may not have.

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
    outcomes = [one(case) for one in (signatures, of_keys)]
    told = [why for outcome in outcomes for why in outcome.not_shown]
    return {one.code for outcome in outcomes for one in outcome.differences}, "\n".join(told)


TURNED = put(ROTATED, rotate(ADA, NEW, on=BEFORE))
FORGED_ROTATIONS = json.loads(canonical_json(rotate(ADA, NEW, on=BEFORE)))
FORGED_ROTATIONS["document"]["on"] = "2020-01-01"
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
    ("a changed rotation", {**by(NEW), ROTATED: canonical_json(FORGED_ROTATIONS)}, None,
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
def test_keys_are_followed_by_their_days(files: Files, pins: bytes | None, codes: set[str], tmp_path: Path) -> None:
    assert seen(files, tmp_path, pins)[0] == codes


@pytest.mark.parametrize(
    ("pins", "told"),
    [([Pin(FARM, ADA.public)], "the list of pinned keys has"), ([Pin("buyer", NEW.public)], "with the key of buyer")],
    ids=["of the producer", "of another party"],
)
def test_another_key_is_told_with_whose_it_is_or_should_be(pins: list[Pin], told: str, tmp_path: Path) -> None:
    whole = {**SHORT, **by(NEW), HEADER: canonical_json(forge.header().document())}
    case = PackageContents(with_verifiers_files(whole, canonical_json(pins_document(pins)), {}, {ROOTS: b""}), tmp_path)
    (found,) = (one for one in signatures(case).differences if one.code == "signed_with_other_key")
    assert told in found.recomputed


def test_what_only_the_signers_word_dates_is_told(tmp_path: Path) -> None:
    _, told = seen({**by(ADA), **put(ROTATED, rotate(ADA, NEW, on=AFTER))}, tmp_path / "a")
    assert f"until {AFTER}: nothing but its own word shows that 1 documents" in told
    _, told = seen(by(ADA), tmp_path / "b", pinned(ADA, first=AFTER))
    assert f"which signs from {AFTER} on: it was signed later than its date" in told


LAST = date(2026, 1, 31)


def test_what_is_proved_only_after_the_keys_last_day_rests_on_its_own_word(authority: Path, tmp_path: Path) -> None:
    roots = (authority / "root.pem").read_bytes()
    stamped = {**by(ADA), f"{REPORT}.tsr": stamp(authority, by(ADA)[REPORT])}
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


def test_a_rotation_ends_a_key_and_a_counter_signature_of_somebody_pinned_dates(tmp_path: Path) -> None:
    turned = {**by(ADA), **put(ROTATED, rotate(ADA, NEW, on=date(2025, 6, 1)))}
    for at, days in enumerate([((OLD, None),), ((OLD, BEFORE), (MADE, None)), ((AFTER, None),)]):
        assert seen(turned, tmp_path / str(at), contracts(*days))[0] == {"signed_after_last_day"}
    envelope = countersign(json.loads(by(ADA)[REPORT]), BUYER, on=MADE)
    files = {REPORT: canonical_json(envelope), **put(REVOKED, revoke(ADA, on=AFTER, reason="lost"))}
    known = canonical_json(pins_document([Pin(FARM, ADA.public), Pin("buyer", BUYER.public)]))
    assert seen(files, tmp_path / "1", known)[0] == set()
    assert seen(files, tmp_path / "2")[0] == {"signed_with_revoked_key"}


def test_a_document_proved_older_than_the_revocation_stands(authority: Path, tmp_path: Path) -> None:
    roots, later = (authority / "root.pem").read_bytes(), datetime.now(UTC).date() + timedelta(days=2)
    gone = put(REVOKED, revoke(ADA, on=later, reason="lost"))
    stamped = {**by(ADA), f"{REPORT}.tsr": stamp(authority, by(ADA)[REPORT])}
    assert seen({**stamped, **gone}, tmp_path / "1", roots=roots)[0] == set()
    assert seen({**stamped, **gone}, tmp_path / "2")[0] == {"signed_with_revoked_key"}, "no root of the reader"
    early = put(REVOKED, revoke(ADA, on=MADE, reason="lost"))
    assert seen({**stamped, **early}, tmp_path / "3", roots=roots)[0] == {"signed_with_revoked_key"}
    turned = {**TURNED, f"{ROTATED}.tsr": stamp(authority, TURNED[ROTATED])}
    assert seen({**by(NEW), **turned, **gone}, tmp_path / "4", roots=roots)[0] == set(), "the rotation is older"


def test_statements_that_the_verifier_brought_count_as_well(tmp_path: Path) -> None:
    whole = {**forge.clean(), **by(NEW), HEADER: canonical_json(forge.header().document())}
    given = with_verifiers_files(whole, pinned(ADA), {"turned.json": TURNED[ROTATED]})
    case = PackageContents(given, tmp_path)
    found = [one for check in (signatures, of_keys, cross_party.missing_parts) for one in check(case).differences]
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


# ``verify`` reads proofs from transparency logs: what stands in whose log, and what an exchange or a fork shows.

LOG, LOG_STRANGER = SigningKey.generate(), SigningKey.generate()
NAME, PROOF = "Prairie Coop", f"{REPORT}{LOG_PROOF}"
MARCH, JUNE, AUTUMN = date(2026, 3, 1), date(2026, 6, 1), date(2026, 9, 1)
MINE = mark_of(forge.clean()[REPORT])
OTHERS = [mark_of(bytes([number])) for number in range(8)]
ENTRIES = [*OTHERS[:3], MINE, *OTHERS[3:]]
FORKED = [OTHERS[7], *ENTRIES[1:]]


def signed(size: int, on: date, entries: Sequence[str] = ENTRIES, key: SigningKey = LOG) -> dict[str, Any]:
    return sign_head(LogTree(entries[:size]).head(NAME, on), key)


def proof(size: int, on: date, *grew_from: int, entries: Sequence[str] = ENTRIES, key: SigningKey = LOG) -> bytes:
    return canonical_json(LogTree(entries).prove(MINE, signed(size, on, entries, key), grew_from))


def changed(raw: bytes, **members: object) -> bytes:
    return canonical_json({**json.loads(raw), **members})


def log_pinned(**days: date) -> bytes:
    pins = [Pin(FARM, ADA.public, "contract"), Pin("coop", LOG.public, "its board", **days)]
    return canonical_json(pins_document(pins))


WHOLE = {PROOF: proof(6, JUNE, 4, 5)}
HEAD = signed(6, JUNE)
OTHER_DAY = {**HEAD, "document": {**HEAD["document"], "on": "2020-01-01"}}
IN_THE_LOG = f"{REPORT}: in the log {NAME} since 2026-06-01 (6 documents, key of coop"


def seen_in_logs(
    files: Files, folder: Path, held: Mapping[str, object] | None = None, pins: bytes | None = None
) -> tuple[set[str], list[str], list[str]]:
    """Return the codes of what differs of logs, what is told of them, and what is logged."""
    whole = {REPORT: forge.clean()[REPORT], **files, HEADER: canonical_json(forge.header().document())}
    copies = {name: canonical_json(one) for name, one in (held or {}).items()}
    case = PackageContents(with_verifiers_files(whole, pins or log_pinned(), copies), folder)
    outcome = logs.logs(case)
    return {one.code for one in outcome.differences}, list(outcome.not_shown), [*map(str, logs.logged(case))]


def test_a_report_in_a_pinned_log_is_told_also_where_json_is_laid_out_otherwise(tmp_path: Path) -> None:
    assert seen_in_logs(WHOLE, tmp_path / "1") == (set(), [], [f"{IN_THE_LOG}; no head you hold was held against it)"])
    for size, on in ((4, MARCH), (5, MARCH), (6, JUNE)):
        held = {"head.json": signed(size, on)}
        assert seen_in_logs(WHOLE, tmp_path / f"{size}", held) == (set(), [], [f"{IN_THE_LOG})"])
    loose = {path: json.dumps(json.loads(raw), indent=2).encode() for path, raw in
             {**WHOLE, REPORT: forge.clean()[REPORT]}.items()}  # fmt: skip
    assert seen_in_logs(loose, tmp_path)[0] == set()


EXCHANGED = canonical_json({**forge.envelope(), "countersignatures": [1]})
DIFFERENCES: list[tuple[str, Files, dict[str, object], str]] = [
    ("the report exchanged", {**WHOLE, REPORT: EXCHANGED}, {}, "not_in_log"),
    ("another place", {PROOF: changed(WHOLE[PROOF], place=2)}, {}, "not_in_log"),
    ("a place that is none", {PROOF: changed(WHOLE[PROOF], place="3")}, {}, "no_log_proof"),
    ("no proof", {PROOF: b"{}"}, {}, "no_log_proof"),
    ("no JSON", {PROOF: b"\x00"}, {}, "no_log_proof"),
    ("a list", {PROOF: b"[]"}, {}, "no_log_proof"),
    ("more hashes than a tree can have", {PROOF: changed(WHOLE[PROOF], inclusion=["00" * 32] * 5000)}, {},
     "no_log_proof"),
    ("a head changed after it was signed", {PROOF: changed(WHOLE[PROOF], head=OTHER_DAY)}, {}, "log_head_not_signed"),
    ("a proof of nothing", {f"{REPORT[:-5]}-2.json{LOG_PROOF}": WHOLE[PROOF]}, {}, "log_proof_of_nothing"),
    ("a log cut short", {PROOF: proof(6, JUNE)}, {"h.json": signed(9, MARCH)}, "log_cut_short"),
    ("a log cut short before the proof", WHOLE, {"h.json": signed(5, AUTUMN)}, "log_cut_short"),
    ("heads held that cannot both be", WHOLE, {"h.json": signed(8, AUTUMN), "i.json": signed(7, date(2026, 10, 1))},
     "log_cut_short"),
    ("a log told in two ways", WHOLE, {"h.json": signed(6, JUNE, FORKED)}, "log_forked"),
    ("a log rewritten", WHOLE, {"h.json": signed(4, MARCH, FORKED)}, "log_forked"),
    ("growth that was damaged", {PROOF: changed(WHOLE[PROOF], grew_from={"5": []})}, {"h.json": signed(5, MARCH)},
     "log_forked"),
    ("two heads in the package", {**WHOLE, "farms/x/reports/2.json": forge.clean()[REPORT],
     f"farms/x/reports/2.json{LOG_PROOF}": proof(6, JUNE, entries=FORKED)}, {}, "log_forked"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "files", "held", "code"), DIFFERENCES, ids=[one[0] for one in DIFFERENCES])
def test_what_a_proof_does_not_fit_is_a_difference(
    name: str, files: Files, held: dict[str, object], code: str, tmp_path: Path
) -> None:
    codes, _, logged = seen_in_logs(files, tmp_path, held)
    assert codes == {code}, name
    assert len(logged) == (2 if name.startswith("two") else 0)


def also(party: str, keeper: str = "coop", **days: date) -> bytes:
    """Pin the key of the log to another party too, from autumn on to its keeper."""
    pins = [Pin(keeper, LOG.public, "its board", first=AUTUMN), Pin(party, LOG.public, "a contract", **days)]
    return canonical_json(pins_document(pins))


TOLD: list[tuple[str, Files, dict[str, object], bytes | None, str]] = [
    ("a log that nobody pinned", {PROOF: proof(6, JUNE, key=LOG_STRANGER)}, {}, None, "Pin the key of the log"),
    ("before the days of its key", WHOLE, {}, log_pinned(first=AUTUMN), "days of its key"),
    ("after the days of its key", WHOLE, {}, log_pinned(last=MARCH), "days of its key"),
    ("in another party's days, the log its keeper's", WHOLE, {}, also("mill", NAME), "days of its key"),
    ("in the days of one of two who may keep it", WHOLE, {}, also("mill"), "days of its key"),
    ("in the days of nobody", WHOLE, {}, also("mill", last=MARCH), "days of its key"),
    ("a revoked key", {**WHOLE, "keys/gone.json": canonical_json(revoke(LOG, on=AUTUMN, reason="lost"))}, {}, None,
     "was revoked"),
    ("a proof older than the head held", WHOLE, {"h.json": signed(9, AUTUMN)}, None, "ask for a proof under that head"),
    ("no proof of growth", {PROOF: proof(6, JUNE)}, {"h.json": signed(5, MARCH)}, None, "ask for a proof since then"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "files", "held", "pins", "words"), TOLD, ids=[one[0] for one in TOLD])
def test_what_is_only_not_shown_is_told_and_is_no_difference(
    name: str, files: Files, held: dict[str, object], pins: bytes | None, words: str, tmp_path: Path
) -> None:
    codes, told, logged = seen_in_logs(files, tmp_path, held, pins)
    assert (codes, logged) == (set(), []), name
    assert any(words in one for one in told), told


def test_a_held_head_is_read_and_a_log_under_somebody_elses_key_is_another(tmp_path: Path) -> None:
    codes, told, _ = seen_in_logs({}, tmp_path / "1", {"h.json": HEAD})
    assert (codes, len(told)) == (set(), 1)
    assert "of which you hold a head" in told[0]
    codes, told, logged = seen_in_logs(WHOLE, tmp_path / "2", {"h.json": OTHER_DAY})
    assert (codes, "not as it was signed" in told[0]) == (set(), True)
    assert "no head you hold" in logged[0]
    codes, told, logged = seen_in_logs(WHOLE, tmp_path, {"h.json": signed(9, MARCH, FORKED, LOG_STRANGER)})
    assert (codes, len(logged)) == (set(), 1)
    assert "of which you hold a head" in told[0]


def test_without_a_list_of_ones_own_the_packages_word_is_said_to_be_that(tmp_path: Path) -> None:
    whole = {REPORT: forge.clean()[REPORT], **WHOLE, "keys.json": log_pinned()}
    case = PackageContents(whole, tmp_path)
    outcome = logs.logs(case)
    assert (outcome.differences, logs.logged(case)) == ((), ())
    assert "the package's own list" in outcome.not_shown[0]


def packed(folder: Path, given: Sequence[Path]) -> Content:
    content = collect_farm(EXAMPLE, [folder / "report.json"])
    with_log_proofs(content, given)
    return content


def test_a_proof_comes_along_by_name_or_beside_its_document_and_one_of_nothing_is_refused(tmp_path: Path) -> None:
    (tmp_path / "report.json").write_bytes(forge.clean()[REPORT])
    (tmp_path / "proof.json").write_bytes(WHOLE[PROOF])
    named = packed(tmp_path, [tmp_path / "proof.json"])
    beside = tmp_path / f"report.json{LOG_PROOF}"
    beside.write_bytes(WHOLE[PROOF])
    found = packed(tmp_path, [])
    proofs = [path for path in named.files if path.endswith(LOG_PROOF)]
    assert proofs == [path for path in found.files if path.endswith(LOG_PROOF)]
    assert len(proofs) == 1
    assert (part_of(proofs[0]), named.subject) == (Part.REPORTS, Subject.FARM_REPORT)
    (tmp_path / "report.json").write_bytes(EXCHANGED)
    for given in ([], [tmp_path / "proof.json"]):
        with pytest.raises(ProblemsError, match="no document in the package"):
            packed(tmp_path, given)
        beside.unlink(missing_ok=True)


@pytest.mark.parametrize(("field", "shown"), [("head/document/log", Shown.RECOMPUTED), ("inclusion", Shown.RECOMPUTED),
                                              ("grew_from/5", Shown.NOTHING)])  # fmt: skip
def test_every_field_of_a_proof_stands_in_the_table(field: str, shown: Shown) -> None:
    line = surface_of(PROOF, field)
    assert line is not None
    assert line.shown is shown


def test_an_answer_or_a_proof_beside_evidence_is_none_and_statements_of_keys_are_of_the_part_of_keys() -> None:
    paths = [f"farms/F1-x/evidence/log.json{ending}" for ending in ("", ".tsr", LOG_PROOF)]
    index = evidence_index({"farms/F1-x": "F1"}, paths, lambda _: b"", lambda _: "")
    assert [row["file"] for row in index["files"]] == ["log.json"]
    assert part_of(ROTATED) is Part.KEYS
    assert [part_of(name) for name in ("keys/a/b.json", "keys/a.txt", "keys/")] == [None] * 3


def test_the_keeper_of_a_log_is_the_party_that_it_is_named_after(tmp_path: Path) -> None:
    pins = [Pin(NAME, LOG.public), Pin("mill", LOG.public, first=AUTUMN)]
    codes, told, logged = seen_in_logs(WHOLE, tmp_path, pins=canonical_json(pins_document(pins)))
    assert (codes, told) == (set(), [])
    assert f"key of {NAME};" in logged[0]
