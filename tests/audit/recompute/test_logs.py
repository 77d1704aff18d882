"""``verify`` reads proofs from transparency logs: what stands in whose log, and what an exchange or a fork shows."""

import json
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from provender.audit.package.collect import Content, collect_farm, evidence_index, with_log_proofs
from provender.audit.package.contents import PackageContents, with_verifiers_files
from provender.audit.package.keys import Pin, pins_document
from provender.audit.package.layout import HEADER, LOG_PROOF, Part, part_of
from provender.audit.package.surface import Shown, surface_of
from provender.audit.package.write import Subject
from provender.audit.recompute import days as logs
from provender.problem import ProblemsError
from provender.signing.canonical import canonical_json
from provender.signing.jws import revoke
from provender.signing.keys import SigningKey
from provender.signing.transparency import head_of, mark_of, prove, sign_head
from tests.audit import forge
from tests.audit.forge import ADA, EXAMPLE, FARM, REPORT, Files

LOG, STRANGER = SigningKey.generate(), SigningKey.generate()
NAME, PROOF = "Prairie Coop", f"{REPORT}{LOG_PROOF}"
MARCH, JUNE, AUTUMN = date(2026, 3, 1), date(2026, 6, 1), date(2026, 9, 1)
MINE = mark_of(forge.clean()[REPORT])
OTHERS = [mark_of(bytes([number])) for number in range(8)]
ENTRIES = [*OTHERS[:3], MINE, *OTHERS[3:]]
FORKED = [OTHERS[7], *ENTRIES[1:]]


def signed(size: int, on: date, entries: Sequence[str] = ENTRIES, key: SigningKey = LOG) -> dict[str, Any]:
    return sign_head(head_of(entries[:size], NAME, on), key)


def proof(size: int, on: date, *grew_from: int, entries: Sequence[str] = ENTRIES, key: SigningKey = LOG) -> bytes:
    return canonical_json(prove(entries, MINE, signed(size, on, entries, key), grew_from))


def changed(raw: bytes, **members: object) -> bytes:
    return canonical_json({**json.loads(raw), **members})


def pinned(**days: date) -> bytes:
    pins = [Pin(FARM, ADA.public, "contract"), Pin("coop", LOG.public, "its board", **days)]
    return canonical_json(pins_document(pins))


WHOLE = {PROOF: proof(6, JUNE, 4, 5)}
HEAD = signed(6, JUNE)
OTHER_DAY = {**HEAD, "document": {**HEAD["document"], "on": "2020-01-01"}}
IN_THE_LOG = f"{REPORT}: in the log {NAME} since 2026-06-01 (6 documents, key of coop"


def seen(
    files: Files, folder: Path, held: Mapping[str, object] | None = None, pins: bytes | None = None
) -> tuple[set[str], list[str], list[str]]:
    """Return the codes of what differs of logs, what is told of them, and what is logged."""
    whole = {REPORT: forge.clean()[REPORT], **files, HEADER: canonical_json(forge.header().document())}
    copies = {name: canonical_json(one) for name, one in (held or {}).items()}
    case = PackageContents(with_verifiers_files(whole, pins or pinned(), copies), folder)
    outcome = logs.recompute_logs(case)
    return {one.code for one in outcome.differences}, list(outcome.not_shown), [*map(str, logs.logged(case))]


def test_a_report_in_a_pinned_log_is_told_with_whose_and_since_when(tmp_path: Path) -> None:
    assert seen(WHOLE, tmp_path / "1") == (set(), [], [f"{IN_THE_LOG}; no head you hold was held against it)"])
    for size, on in ((4, MARCH), (5, MARCH), (6, JUNE)):
        held = {"head.json": signed(size, on)}
        assert seen(WHOLE, tmp_path / f"{size}", held) == (set(), [], [f"{IN_THE_LOG})"])


def test_json_laid_out_otherwise_takes_no_proof_away(tmp_path: Path) -> None:
    loose = {path: json.dumps(json.loads(raw), indent=2).encode() for path, raw in
             {**WHOLE, REPORT: forge.clean()[REPORT]}.items()}  # fmt: skip
    assert seen(loose, tmp_path)[0] == set()


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
    codes, _, logged = seen(files, tmp_path, held)
    assert codes == {code}, name
    assert len(logged) == (2 if name.startswith("two") else 0)


def also(party: str, keeper: str = "coop", **days: date) -> bytes:
    """Pin the key of the log to another party too, from autumn on to its keeper."""
    pins = [Pin(keeper, LOG.public, "its board", first=AUTUMN), Pin(party, LOG.public, "a contract", **days)]
    return canonical_json(pins_document(pins))


TOLD: list[tuple[str, Files, dict[str, object], bytes | None, str]] = [
    ("a log that nobody pinned", {PROOF: proof(6, JUNE, key=STRANGER)}, {}, None, "Pin the key of the log"),
    ("before the days of its key", WHOLE, {}, pinned(first=AUTUMN), "days of its key"),
    ("after the days of its key", WHOLE, {}, pinned(last=MARCH), "days of its key"),
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
    codes, told, logged = seen(files, tmp_path, held, pins)
    assert (codes, logged) == (set(), []), name
    assert any(words in one for one in told), told


def test_a_held_head_is_read_and_one_without_counterpart_or_damaged_is_told(tmp_path: Path) -> None:
    codes, told, _ = seen({}, tmp_path / "1", {"h.json": HEAD})
    assert (codes, len(told)) == (set(), 1)
    assert "of which you hold a head" in told[0]
    codes, told, logged = seen(WHOLE, tmp_path / "2", {"h.json": OTHER_DAY})
    assert (codes, "not as it was signed" in told[0]) == (set(), True)
    assert "no head you hold" in logged[0]


def test_a_log_of_the_same_name_under_the_key_of_somebody_else_is_another_log(tmp_path: Path) -> None:
    codes, told, logged = seen(WHOLE, tmp_path, {"h.json": signed(9, MARCH, FORKED, STRANGER)})
    assert (codes, len(logged)) == (set(), 1)
    assert "of which you hold a head" in told[0]


def test_without_a_list_of_ones_own_the_packages_word_is_said_to_be_that(tmp_path: Path) -> None:
    whole = {REPORT: forge.clean()[REPORT], **WHOLE, "keys.json": pinned()}
    case = PackageContents(whole, tmp_path)
    outcome = logs.recompute_logs(case)
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


def test_an_answer_or_a_proof_beside_evidence_is_no_evidence_itself() -> None:
    paths = [f"farms/F1-x/evidence/log.json{ending}" for ending in ("", ".tsr", LOG_PROOF)]
    index = evidence_index({"farms/F1-x": "F1"}, paths, lambda _: b"", lambda _: "")
    assert [row["file"] for row in index["files"]] == ["log.json"]


def test_the_keeper_of_a_log_is_the_party_that_it_is_named_after(tmp_path: Path) -> None:
    pins = [Pin(NAME, LOG.public), Pin("mill", LOG.public, first=AUTUMN)]
    codes, told, logged = seen(WHOLE, tmp_path, pins=canonical_json(pins_document(pins)))
    assert (codes, told) == (set(), [])
    assert f"key of {NAME};" in logged[0]
