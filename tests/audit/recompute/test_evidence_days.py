"""The index of evidence, made again by ``verify``; what was written or shown late is listed."""

import json
from pathlib import Path
from typing import Any

import pytest

from provender.audit.findings import write_log
from provender.audit.outcome import CheckResult
from provender.audit.package.collect import Content, collect_farm, evidence_index, with_index
from provender.audit.package.contents import ROOTS, PackageContents
from provender.audit.package.layout import EVIDENCE_INDEX, FINDINGS, HEADER, part_of
from provender.audit.recompute.evidence import evidence_of, recompute_evidence_days
from provender.signing.canonical import canonical_json, sha256_hex
from tests.audit import forge
from tests.audit.findings.test_log import RAISED, RESPONDED, log
from tests.audit.forge import EXAMPLE, FARM, Files, evidence
from tests.signing.authority import found_authority, stamp

PHOTO = "n40-rye-2024-11-06.jpg"


def packed(**more: bytes) -> Files:
    content = collect_farm(EXAMPLE, [])
    content.files |= {**forge.clean(), **more}
    with_index(content)
    return {path: one.read_bytes() if isinstance(one, Path) else one for path, one in content.files.items()}


def judged(files: Files, folder: Path) -> CheckResult:
    return recompute_evidence_days(
        PackageContents({**files, HEADER: canonical_json(forge.header().document())}, folder)
    )


def index(files: Files) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(files[EVIDENCE_INDEX])
    return found


def line(files: Files, name: str) -> dict[str, Any]:
    return next(row for row in index(files)["files"] if row["file"] == name)


def test_the_index_says_of_each_file_what_it_supports_with_day_and_paragraph() -> None:
    one = line(packed(), PHOTO)
    assert one["farm"] == FARM
    assert len(one["sha256"]) == 64
    assert [(row["record"], row["cite"]) for row in one["supports"]] == [("cover_crop", "2100.052(b)(5)")]
    assert one["supports"][0]["happened_on"] < one["made_on"]
    assert part_of(EVIDENCE_INDEX) is not None


def test_a_package_with_its_index_has_nothing_to_say_and_one_without_is_told(tmp_path: Path) -> None:
    outcome = judged(packed(), tmp_path / "1")
    assert (outcome.differences, outcome.computed > 5) == ((), True)
    assert any("no index" in told for told in judged(dict(forge.clean()), tmp_path / "2").not_shown)


def test_rows_in_another_order_are_the_same_index(tmp_path: Path) -> None:
    files = packed()
    for kind in ("evidence", "cover_crop", "calculator_run", "seed_purchase"):
        forge.put(files, kind, forge.rows(files, kind)[::-1])
    assert judged(files, tmp_path).differences == ()


@pytest.mark.parametrize("member", ["sha256", "what", "made_on", "evidence", "supports", "answers", "farm", "file"])
def test_whatever_is_changed_in_the_index_is_named(member: str, tmp_path: Path) -> None:
    files = packed()
    changed = index(files)
    row = next(one for one in changed["files"] if one["file"] == PHOTO)
    row[member] = ["7"] if isinstance(row[member], list) else "x"
    differences = judged(files | {EVIDENCE_INDEX: canonical_json(changed)}, tmp_path).differences
    assert differences
    assert all(one.code == "evidence_index_differs" for one in differences)
    assert any(PHOTO in one.place for one in differences)


@pytest.mark.parametrize("made_by", [None, 0])
def test_an_index_of_another_format_is_no_index(made_by: int | None, tmp_path: Path) -> None:
    files = packed()
    other = index(files) | {"format": made_by}
    (found,) = judged(files | {EVIDENCE_INDEX: canonical_json(other)}, tmp_path).differences
    assert found.code == "evidence_index_unreadable"


def test_of_two_records_of_one_file_the_smaller_id_is_named_whatever_their_order() -> None:
    files = packed()
    rows = forge.rows(files, "evidence")
    row = next(one for one in rows if one["file"] == PHOTO)
    made = []
    for both in ([row, {**row, "evidence_id": "ZZ9"}], [{**row, "evidence_id": "ZZ9"}, row]):
        forge.put(files, "evidence", [one for one in rows if one is not row] + both)
        made.append(line(packed(**{forge.record("evidence"): files[forge.record("evidence")]}), PHOTO))
    assert made[0] == made[1]
    assert made[0]["evidence"] == row["evidence_id"]


def test_blanks_around_an_id_are_no_part_of_it() -> None:
    files = packed()
    name = line(files, PHOTO)["evidence"]
    forge.change(files, "evidence", name, evidence_id=f" {name} ")
    assert line(packed(**{forge.record("evidence"): files[forge.record("evidence")]}), PHOTO)["supports"]


@pytest.mark.parametrize("raw", [b"[]", b"{", b'{"kind":"x","files":[]}'])
def test_what_is_no_index_is_a_difference(raw: bytes, tmp_path: Path) -> None:
    codes = {one.code for one in judged(packed() | {EVIDENCE_INDEX: raw}, tmp_path).differences}
    assert "evidence_index_unreadable" in codes


def test_a_finding_is_answered_by_the_file_its_answer_names() -> None:
    files = packed(**{FINDINGS: write_log(log(RAISED, {**RESPONDED, "evidence": f"the receipt; {PHOTO}"}))})
    assert line(files, PHOTO)["answers"] == ["1"]
    assert line(packed(**{FINDINGS: write_log(log(RAISED, RESPONDED))}), PHOTO)["answers"] == []


def test_a_file_made_after_the_harvest_and_rows_typed_after_it_are_listed(tmp_path: Path) -> None:
    files = dict(forge.clean())
    named = line(packed(), PHOTO)["evidence"]
    forge.change(files, "evidence", named, taken_on="2026-01-05")
    late = [{**row, "known_by": "typed_after_harvest"} for row in forge.rows(files, "planting")]
    forge.put(files, "planting", late)
    told = "\n".join(judged(files, tmp_path).not_shown)
    assert f"{PHOTO}, made on 2026-01-05 after the harvest, shows cover crop" in told
    assert "planting rows typed after harvest" in told


DAYS = [
    ("10/20/2026", "5/14/2024", ["2026-10-20", "2024-05-14"]),
    ("20 Oct 2026", "20240514", ["2026-10-20", "2024-05-14"]),
    ("10/11/2026", "05/14/2024", ["2026-10-11", "2024-05-14"]),
    ("10/11/2026", "14/05/2024", ["2026-11-10", "2024-05-14"]),
    ("10/11/2026", "5/4/2024", ["2026-10-11", "2024-05-04"]),
    ("soon", "2024-5-14", ["soon", "2024-05-14"]),
]


@pytest.mark.parametrize(("made", "other", "read"), DAYS, ids=[" ".join(case[:2]) for case in DAYS])
def test_days_are_read_as_the_record_book_reads_them(made: str, other: str, read: list[str], tmp_path: Path) -> None:
    files, first = dict(forge.clean()), line(packed(), PHOTO)["evidence"]
    second = next(row for row in forge.rows(files, "evidence") if row["evidence_id"] != first)
    forge.change(files, "evidence", first, taken_on=made)
    forge.change(files, "evidence", second["evidence_id"], taken_on=other)
    whole = packed(**files)
    assert [line(whole, name)["made_on"] for name in (PHOTO, second["file"])] == read
    outcome = judged(whole, tmp_path)
    late = "\n".join(told for told in outcome.not_shown if "after the harvest" in told)
    assert (outcome.differences, f"{PHOTO}, made on {read[0]}" in late) == ((), made != "soon")
    assert f"{second['file']}, made" not in late


def test_days_that_a_row_tells_of_are_read_as_well() -> None:
    files = packed()
    (row,) = line(files, PHOTO)["supports"]
    forge.change(files, "cover_crop", row["row"], seeded_on="9/28/2024")
    again = packed(**{forge.record("cover_crop"): files[forge.record("cover_crop")]})
    assert [one["happened_on"] for one in line(again, PHOTO)["supports"]] == ["2024-09-28"]


def test_an_index_that_writes_a_day_otherwise_differs(tmp_path: Path) -> None:
    files = dict(forge.clean())
    forge.change(files, "evidence", line(packed(), PHOTO)["evidence"], taken_on="1/25/2026")
    whole = packed(**files)
    as_typed = index(whole)
    row = next(one for one in as_typed["files"] if one["file"] == PHOTO)
    row["made_on"] = "1/25/2026"
    outcome = judged({**whole, EVIDENCE_INDEX: canonical_json(as_typed)}, tmp_path)
    (found,) = outcome.differences
    assert found.place.endswith("made on")
    assert any("made on 2026-01-25 after the harvest" in told for told in outcome.not_shown)


def test_each_file_is_hashed_once_however_many_findings_there_are() -> None:
    files, asked = packed(), []
    findings = log(RAISED, {**RAISED, "finding": "2"}, {**RAISED, "finding": "3"}, {**RESPONDED, "evidence": PHOTO})
    files[FINDINGS] = write_log(findings)

    def hashed(path: str) -> str:
        asked.append(path)
        return sha256_hex(files[path]) if path in files else ""

    made = evidence_index(forge.header().parties, files, lambda path: files.get(path, b""), hashed)
    assert (len(asked), len(asked) > 5) == (len(made["files"]), True)
    assert next(row for row in made["files"] if row["file"] == PHOTO)["answers"] == ["1"]


def test_a_stamp_beside_a_file_proves_its_day(tmp_path: Path) -> None:
    at = found_authority(tmp_path)
    files = packed()
    path = evidence(PHOTO)
    given = {**files, f"{path}.tsr": stamp(at, files[path]), ROOTS: (at / "root.pem").read_bytes()}
    case = PackageContents({**given, HEADER: canonical_json(forge.header().document())}, tmp_path / "case")
    proved = {row["file"]: row["proved_on"] for row in evidence_of(case)}
    assert proved[PHOTO] > "2026"
    assert {day for name, day in proved.items() if name != PHOTO} == {""}


def test_a_package_without_farms_has_no_index() -> None:
    content = collect_farm(EXAMPLE, [])
    empty = Content(content.subject, "x", "x", content.first, content.last)
    with_index(empty)
    assert empty.files == {}
