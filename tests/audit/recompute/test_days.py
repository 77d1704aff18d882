"""Days against each other: whatever is older than what it rests on is named, and what came late is listed."""

import json
import shutil
import time
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization

from provender.audit.findings import write_log
from provender.audit.outcome import CheckResult, Difference
from provender.audit.package.collect import Content, collect_farm, evidence_index, with_index
from provender.audit.package.contents import ROOTS, PackageContents, with_verifiers_files
from provender.audit.package.layout import EVIDENCE_INDEX, FINDINGS, HEADER, KEYS, REQUEST, Part, entity_path, part_of
from provender.audit.package.write import Header, PackageRequest
from provender.audit.recompute import cross_party
from provender.audit.recompute.custody_books import origins
from provender.audit.recompute.days import days_of, order, timestamps
from provender.audit.recompute.evidence import evidence_of, indexed
from provender.audit.recompute.papers import compare_papers
from provender.audit.sampling.sample import KIND as SAMPLE_KIND
from provender.custody.documents.receive import sign_document
from provender.report.typ import TYP
from provender.signing.canonical import canonical_json, document_hash, sha256_hex
from provender.signing.jws import sign
from tests.audit import chain, forge
from tests.audit.engaged import engaged
from tests.audit.findings.test_log import RAISED, RESPONDED, log
from tests.audit.forge import ADA, EXAMPLE, FARM, REPORT, Files, evidence
from tests.audit.recompute.test_checks import ELEVATOR
from tests.rows import CaseRows
from tests.signing.authority import stamp

ROWS: Final = CaseRows(__file__)

SAMPLE = "audit/sample.json"
STATEMENT = entity_path("coop", Part.STATEMENTS, "V-2.json")

Recompute = Callable[[PackageContents], CheckResult]


def judged(files: Files, head: Header, folder: Path, check: Recompute = order) -> CheckResult:
    given = with_verifiers_files({**files, HEADER: canonical_json(head.document())}, forge.PINS, {})
    return check(PackageContents(given, folder))


def report(**changes: Any) -> Files:  # noqa: ANN401 - members of a report
    document = {**forge.envelope()["document"], **changes}
    return {**forge.clean(), REPORT: canonical_json(sign(document, ADA, typ=TYP))}


def evidence_later() -> Files:
    files = dict(forge.clean())
    named = forge.envelope()["document"]["rests_on"]["evidence"][0]["evidence_id"]
    forge.change(files, "evidence", named, taken_on="2026-01-11")
    return files


def paper(name: str, **changes: object) -> Files:
    path = chain.paper("coop", name)
    document = {**json.loads(chain.clean("coop")[path])["document"], **changes}
    return {**chain.clean("coop"), path: canonical_json(sign_document(document, chain.KEYS_OF["coop"]))}


def slip_before_report() -> Files:
    path = chain.paper("coop", "slip-ada.json")
    document = json.loads(chain.clean("coop")[path])["document"] | {"made_on": "2025-12-30", "day": "2025-12-30"}
    return {**chain.clean("coop"), path: canonical_json(sign_document(document, chain.KEYS_OF["ada"]))}


def entered(kind: str, **changes: object) -> Files:
    events = [
        {**one, **changes} if one["type"] == kind else one for one in chain.events_in(chain.clean("coop"), "coop")
    ]
    return {**chain.clean("coop"), chain.book("coop"): chain.sealed("coop", events)}


def sale_of_a_later_day() -> Files:
    """A transfer document dated before a movement that the book already had."""
    from provender.custody.book_file import BookLine
    from provender.custody.documents.build import marked

    files = dict(chain.clean("coop"))
    lines = [json.loads(line) for line in files[chain.book("coop")].decode().splitlines()[1:]]
    path = chain.paper("coop", "transfer-s1.json")
    document = json.loads(files[path])["document"] | {"made_on": "2026-02-01"}
    made = marked(document, [BookLine.of(line["event"], line["chain"]) for line in lines])
    return {**files, path: canonical_json(sign_document(made, chain.KEYS_OF["coop"]))}


def stated(**changes: object) -> Files:
    one = engaged(audited="coop", crops=("soybeans",), number="V-2", **changes)
    return {**chain.clean("coop"), STATEMENT: canonical_json(sign(one.document(), chain.KEYS_OF["verity"]))}


def visited_after_issue(**changes: object) -> Files:
    whole = engaged(audited="coop", crops=("soybeans",), number="V-2")
    work = {**(whole.work or {}), "sites": [{**(whole.work or {})["sites"][0], "on": "2026-11-22"}]}
    return stated(work=work, **changes)


def drawn_later() -> Files:
    sample = {"kind": SAMPLE_KIND, "frozen": {"frozen_on": "2026-11-30"}}
    return stated(sample_hash=document_hash(sample)) | {SAMPLE: canonical_json(sample)}


def asked_later() -> Files:
    days = (date(2025, 1, 1), date(2025, 9, 30))
    asked = PackageRequest("verity", forge.FARM, forge.header().subject, *days, (), date(2026, 11, 23))
    return {**forge.clean(), REQUEST: canonical_json(sign(asked.document(), ADA))}


CASES: list[tuple[str, str, Callable[[], Files]]] = [
    ("report_before_harvest", "corn 2025", lambda: report(made_on="2025-10-01")),
    ("evidence_after_report", "taken on 2026-01-11", evidence_later),
    ("asked_after_made", "package.json", asked_later),
    ("delivered_before_report", "slip-ada", slip_before_report),
    ("closed_before_end", "2026-01-01", lambda: paper("period-2026-01-01.json", closed_on="2026-03-30")),
    ("entered_before_made", "report of ada", lambda: entered("report", day="2025-12-31")),
    ("statement_days_of_work_do_not_fit", STATEMENT, visited_after_issue),
    ("statement_before_visit", STATEMENT, lambda: visited_after_issue(engagement=None)),
    ("statement_work_before_engagement", STATEMENT,
     lambda: stated(engagement={**(engaged().engagement or {}), "engaged_on": "2026-10-21"})),
    ("statement_before_draw", STATEMENT, drawn_later),
]  # fmt: skip


@pytest.mark.parametrize(("code", "named", "made"), CASES, ids=[code for code, _, _ in CASES])
def test_older_than_what_it_rests_on_is_named(code: str, named: str, made: Callable[[], Files], tmp_path: Path) -> None:
    files = made()
    head = forge.header() if REPORT in files else ELEVATOR
    told = [one for one in judged(files, head, tmp_path).differences if one.code == code]
    assert told, code
    assert named in str(told[0])


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (lambda: paper("transfer-s1.json", made_on="2026-01-30"), "before title passed on"),
        (sale_of_a_later_day, "line"),
    ],
    ids=["paper before sale", "event after paper"],
)
def test_what_lies_ahead_of_its_paper_is_told(made: Callable[[], Files], words: str, tmp_path: Path) -> None:
    outcome = judged(made(), ELEVATOR, tmp_path)
    assert outcome.differences == ()
    assert any("s1" in told and words in told for told in outcome.not_shown)


@pytest.mark.parametrize("raw", [b"{", b"\xff", b"[]"])
def test_a_sample_that_cannot_be_read_spoils_nothing_else(raw: bytes, tmp_path: Path) -> None:
    found = judged(paper("period-2026-01-01.json", closed_on="2026-03-30") | stated_beside() | {SAMPLE: raw},
                   ELEVATOR, tmp_path)  # fmt: skip
    assert {one.code for one in found.differences} == {"closed_before_end"}


def stated_beside() -> Files:
    return {STATEMENT: stated()[STATEMENT]}


def test_honest_packages_have_nothing_out_of_order_and_the_day_before_is_a_clock_elsewhere(tmp_path: Path) -> None:
    for number, (files, head) in enumerate([(forge.clean(), forge.header()), (stated(), ELEVATOR)]):
        for check in (order, origins):
            outcome = judged(dict(files), head, tmp_path / f"{number}{check.name}", check)
            assert (outcome.differences, outcome.computed > 0) == ((), True), check.name
    assert judged(entered("report", day="2026-01-01"), ELEVATOR, tmp_path).differences == ()


def salted(salt: str, origin: str | None = None) -> Files:
    edition = forge.envelope()["document"]["edition"]
    return report(edition={**edition, "salt": salt, "origin_id": origin or edition["origin_id"]})


READABLE = f"{forge.FARM}/corn/2025"


def version(number: int, **edition: str) -> Files:
    document = {**forge.envelope()["document"]}
    document["edition"] = {**document["edition"], "version": number, **edition}
    path = REPORT.replace("v1", f"v{number}")
    return {path: canonical_json(sign(document, ADA, typ=TYP))}


def one_origin(files: Files, folder: Path) -> list[str]:
    given = PackageContents({**files, HEADER: canonical_json(forge.header().document())}, folder)
    return [one.code for one in cross_party.one_origin(given).differences]


def test_a_version_signed_by_hand_is_followed_by_one_with_a_salt_and_a_second_origin_told_once(tmp_path: Path) -> None:
    by_hand = {"origin_id": READABLE, "salt": ""}
    two = {**forge.clean(), **version(2, **by_hand)}
    turned = {**forge.clean(), **version(1, **by_hand), **version(2)}
    for name, files, told in (
        ("two", two, ["second_report"]),
        ("turned", turned, []),
        ("other", {**turned, **version(3, origin_id="ab" * 32)}, ["second_report"]),
    ):
        assert one_origin(files, tmp_path / name) == told, name
        if name != "other":
            assert judged(files, forge.header(), tmp_path / f"{name} books", origins).differences == ()


@pytest.mark.parametrize(("salt", "origin"), [("0" * 32, None), (forge.SALT, "ab" * 32), ("short", None), ("", None)])
def test_an_origin_id_is_of_its_salt_and_stays_the_same(salt: str, origin: str | None, tmp_path: Path) -> None:
    (found,) = judged(salted(salt, origin), forge.header(), tmp_path, origins).differences
    assert (found.code, "corn 2025" in found.place) == ("origin_not_of_salt", True)


def test_a_book_has_a_report_under_the_origin_that_the_farm_signed(tmp_path: Path) -> None:
    files = entered("report", salt="7" * 32)
    found: list[Difference] = list(judged(files, ELEVATOR, tmp_path, origins).differences)
    assert {one.code for one in found} == {"origin_differs"}
    assert KEYS in files


# ``verify`` reads timestamps of a package: what is proved to have existed, on which day, and what proves nothing.

STAMPED_REPORT = "farms/F1-3fa1b2c4/reports/corn.json"


def today() -> date:
    """The day of the authority's clock; asked for anew, since a night may pass within a run."""
    return datetime.now(UTC).date()


def stamped_report(made_on: date | None = None) -> bytes:
    return canonical_json({"document": {"type": "report", "made_on": str(made_on or today())}, "signature": ""})


def stamped(authority: Path, raw: bytes = b"") -> Files:
    """Return a report with the answer of the authority; its bytes are those of today unless given."""
    content = raw or stamped_report()
    return {STAMPED_REPORT: content, f"{STAMPED_REPORT}.tsr": stamp(authority, content)}


def seen(files: Files, authority: Path, folder: Path, root: str = "root") -> tuple[CheckResult, list[str]]:
    case = PackageContents({**files, ROOTS: (authority / f"{root}.pem").read_bytes()}, folder)
    return timestamps(case), [str(one) for one in days_of(case)]


def test_a_stamped_report_is_proved_and_one_without_is_its_signers_word(authority: Path, tmp_path: Path) -> None:
    other = STAMPED_REPORT.replace("corn", "soybeans")
    outcome, days = seen({**stamped(authority), other: stamped_report()}, authority, tmp_path)
    assert (outcome.computed, outcome.differences, outcome.not_shown) == (1, (), ())
    assert days == [
        f"{STAMPED_REPORT}: proved to exist on {today()} (CN=stamps), stated {today()}",
        f"{other}: day stated by the signer, {today()}",
    ]


def test_laying_json_out_anew_takes_no_proof_away(authority: Path, tmp_path: Path) -> None:
    loose = json.dumps(json.loads(stamped_report()), indent=3).encode()
    outcome, (day,) = seen({**stamped(authority), STAMPED_REPORT: loose}, authority, tmp_path)
    assert (outcome.differences, "proved to exist" in day) == ((), True)


def test_a_root_that_the_verifier_does_not_trust_proves_nothing_and_is_told(authority: Path, tmp_path: Path) -> None:
    outcome, (day,) = seen(stamped(authority), authority, tmp_path, root="other")
    assert outcome.differences == ()
    assert "--roots" in outcome.not_shown[0]
    assert "stated by the signer" in day


@pytest.mark.parametrize(
    ("files", "code"),
    [
        ({STAMPED_REPORT: stamped_report(today() - timedelta(days=9))}, "timestamp_of_other_bytes"),
        ({f"{STAMPED_REPORT}.tsr": b"no answer"}, "no_timestamp"),
        ({f"{STAMPED_REPORT}.tsr": b""}, "no_timestamp"),
        ({STAMPED_REPORT: None}, "timestamp_of_nothing"),
    ],
)
def test_a_stamp_of_another_differs(files: dict[str, bytes | None], code: str, authority: Path, tmp_path: Path) -> None:
    given = {path: content for path, content in {**stamped(authority), **files}.items() if content is not None}
    outcome, _ = seen(given, authority, tmp_path)
    assert [one.code for one in outcome.differences] == [code]


def test_a_document_that_existed_before_the_day_it_states_is_a_contradiction(authority: Path, tmp_path: Path) -> None:
    for days, codes in ((1, []), (2, ["stated_after_proof"])):
        later = stamped_report(today() + timedelta(days=days))
        outcome, _ = seen(stamped(authority, later), authority, tmp_path)
        assert [one.code for one in outcome.differences] == codes


def test_a_proof_outlives_the_certificate_of_its_authority(authority: Path, tmp_path: Path) -> None:
    brief = shutil.copytree(authority, tmp_path / "authority")
    root, key, old = (
        x509.load_pem_x509_certificate((brief / "root.pem").read_bytes()),
        serialization.load_pem_private_key((brief / "root.key").read_bytes(), None),
        x509.load_pem_x509_certificate((brief / "tsa.pem").read_bytes()),
    )
    end = datetime.now(UTC) + timedelta(seconds=2)
    made = x509.CertificateBuilder(root.subject, old.subject, old.public_key(), 99, root.not_valid_before_utc, end)
    for one in old.extensions:
        made = made.add_extension(one.value, one.critical)
    signed = made.sign(key, hashes.SHA256())  # type: ignore[arg-type]  # an EC key, as made above
    (brief / "tsa.pem").write_bytes(signed.public_bytes(serialization.Encoding.PEM))
    files = stamped(brief)
    time.sleep(max((end - datetime.now(UTC)).total_seconds() + 0.1, 0))
    assert "proved to exist" in seen(files, brief, tmp_path)[1][0]


def test_answers_travel_beside_their_documents(tmp_path: Path) -> None:
    for path, content in forge.clean().items():
        name = path.rpartition("/reports/")[2]
        if name != path:
            (tmp_path / name).write_bytes(content)
            (tmp_path / f"{name}.tsr").write_bytes(b"answer")
    collected = collect_farm(forge.EXAMPLE, [tmp_path])
    stamps = [path for path in collected.files if path.endswith(".tsr")]
    assert {path.removesuffix(".tsr") for path in stamps} <= collected.files.keys()
    assert stamps
    assert part_of("audit/sample.json.tsr") is Part.SAMPLE
    assert part_of("entities/x/book.jsonl.tsr") is Part.BOOK


# The index of evidence, made again by ``verify``; what was written or shown late is listed.

PHOTO = "n40-rye-2024-11-06.jpg"


@cache
def example() -> Mapping[str, bytes]:
    return made_again()


def packed() -> Files:
    return dict(example())


def made_again(**more: bytes) -> Files:
    content = collect_farm(EXAMPLE, [])
    content.files |= {**forge.clean(), **more}
    with_index(content)
    return {path: one.read_bytes() if isinstance(one, Path) else one for path, one in content.files.items()}


def evidence_judged(files: Files, folder: Path) -> CheckResult:
    return indexed(PackageContents({**files, HEADER: canonical_json(forge.header().document())}, folder))


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


def test_a_package_with_its_index_says_nothing_and_what_is_none_is_a_difference(tmp_path: Path) -> None:
    outcome = evidence_judged(packed(), tmp_path / "1")
    assert (outcome.differences, outcome.computed > 5) == ((), True)
    assert any("no index" in told for told in evidence_judged(dict(forge.clean()), tmp_path / "2").not_shown)
    files = packed()
    others = [canonical_json(index(files) | {"format": other}) for other in (None, 0)]
    for raw in (b"[]", b"{", b'{"kind":"x","files":[]}', *others):
        case = tmp_path / str(len(list(tmp_path.iterdir())))
        found = evidence_judged(files | {EVIDENCE_INDEX: raw}, case).differences
        assert "evidence_index_unreadable" in {one.code for one in found}, raw


def test_rows_in_another_order_and_blanks_around_an_id_change_nothing_of_the_index(tmp_path: Path) -> None:
    files = packed()
    for kind in ("evidence", "cover_crop", "calculator_run", "seed_purchase"):
        forge.put(files, kind, forge.rows(files, kind)[::-1])
    assert evidence_judged(files, tmp_path).differences == ()
    name = line(files, PHOTO)["evidence"]
    forge.change(files, "evidence", name, evidence_id=f" {name} ")
    assert line(made_again(**{forge.record("evidence"): files[forge.record("evidence")]}), PHOTO)["supports"]


def test_whatever_is_changed_in_the_index_is_named(tmp_path: Path) -> None:
    """One member is changed in each file's row; the file that is called otherwise is named by its hash."""
    files, members = packed(), ("sha256", "what", "made_on", "evidence", "supports", "answers", "farm", "file")
    changed = index(files)
    for row, member in zip(changed["files"][: len(members)], members, strict=True):
        row[member] = ["7"] if isinstance(row[member], list) else "x"
    differences = evidence_judged(files | {EVIDENCE_INDEX: canonical_json(changed)}, tmp_path).differences
    assert {one.code for one in differences} == {"evidence_index_differs"}
    for row in index(files)["files"][: len(members)]:
        assert any(row["file"] in one.place for one in differences), row["file"]


def test_of_two_records_of_one_file_the_smaller_id_is_named_whatever_their_order() -> None:
    files = packed()
    rows = forge.rows(files, "evidence")
    row = next(one for one in rows if one["file"] == PHOTO)
    made = []
    for both in ([row, {**row, "evidence_id": "ZZ9"}], [{**row, "evidence_id": "ZZ9"}, row]):
        forge.put(files, "evidence", [one for one in rows if one is not row] + both)
        made.append(line(made_again(**{forge.record("evidence"): files[forge.record("evidence")]}), PHOTO))
    assert made[0] == made[1]
    assert made[0]["evidence"] == row["evidence_id"]


def test_a_finding_is_answered_by_the_file_it_names_and_without_farms_there_is_no_index() -> None:
    files = made_again(**{FINDINGS: write_log(log(RAISED, {**RESPONDED, "evidence": f"the receipt; {PHOTO}"}))})
    assert line(files, PHOTO)["answers"] == ["1"]
    assert line(made_again(**{FINDINGS: write_log(log(RAISED, RESPONDED))}), PHOTO)["answers"] == []
    content = collect_farm(EXAMPLE, [])
    empty = Content(content.subject, "x", "x", content.first, content.last)
    with_index(empty)
    assert empty.files == {}


def test_a_file_made_after_the_harvest_and_rows_typed_after_it_are_listed(tmp_path: Path) -> None:
    files = dict(forge.clean())
    named = line(packed(), PHOTO)["evidence"]
    forge.change(files, "evidence", named, taken_on="2026-01-05")
    late = [{**row, "known_by": "typed_after_harvest"} for row in forge.rows(files, "planting")]
    forge.put(files, "planting", late)
    told = "\n".join(evidence_judged(files, tmp_path).not_shown)
    assert f"{PHOTO}, made on 2026-01-05 after the harvest, shows cover crop" in told
    assert "planting rows typed after harvest" in told


DAYS = [
    ("10/20/2026", "5/14/2024", ["2026-10-20", "2024-05-14"]),
    ("10/11/2026", "14/05/2024", ["2026-11-10", "2024-05-14"]),
    ("soon", "2024-5-14", ["soon", "2024-05-14"]),
]


@pytest.mark.parametrize(("made", "other", "read"), DAYS, ids=[" ".join(case[:2]) for case in DAYS])
def test_days_are_read_as_the_record_book_reads_them(made: str, other: str, read: list[str], tmp_path: Path) -> None:
    files, first = dict(forge.clean()), line(packed(), PHOTO)["evidence"]
    second = next(row for row in forge.rows(files, "evidence") if row["evidence_id"] != first)
    forge.change(files, "evidence", first, taken_on=made)
    forge.change(files, "evidence", second["evidence_id"], taken_on=other)
    whole = made_again(**files)
    assert [line(whole, name)["made_on"] for name in (PHOTO, second["file"])] == read
    outcome = evidence_judged(whole, tmp_path)
    late = "\n".join(told for told in outcome.not_shown if "after the harvest" in told)
    assert (outcome.differences, f"{PHOTO}, made on {read[0]}" in late) == ((), made != "soon")
    assert f"{second['file']}, made" not in late


def test_days_that_a_row_tells_of_are_read_as_well() -> None:
    files = packed()
    (row,) = line(files, PHOTO)["supports"]
    forge.change(files, "cover_crop", row["row"], seeded_on="9/28/2024")
    again = made_again(**{forge.record("cover_crop"): files[forge.record("cover_crop")]})
    assert [one["happened_on"] for one in line(again, PHOTO)["supports"]] == ["2024-09-28"]


def test_an_index_that_writes_a_day_otherwise_differs(tmp_path: Path) -> None:
    files = dict(forge.clean())
    forge.change(files, "evidence", line(packed(), PHOTO)["evidence"], taken_on="1/25/2026")
    whole = made_again(**files)
    as_typed = index(whole)
    row = next(one for one in as_typed["files"] if one["file"] == PHOTO)
    row["made_on"] = "1/25/2026"
    outcome = evidence_judged({**whole, EVIDENCE_INDEX: canonical_json(as_typed)}, tmp_path)
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


def test_a_stamp_beside_a_file_proves_its_day(authority: Path, tmp_path: Path) -> None:
    files, path = packed(), evidence(PHOTO)
    given = {**files, f"{path}.tsr": stamp(authority, files[path]), ROOTS: (authority / "root.pem").read_bytes()}
    case = PackageContents({**given, HEADER: canonical_json(forge.header().document())}, tmp_path / "case")
    proved = {row["file"]: row["proved_on"] for row in evidence_of(case)}
    assert proved[PHOTO] > "2026"
    assert {day for name, day in proved.items() if name != PHOTO} == {""}


@ROWS
def test_what_a_document_rested_on_is_told_where_the_book_has_less(claimed: str, now: str, *, is_told: bool) -> None:
    one, two = ({"type": "custody-transfer-document", "rests_on": {"weakest": name}} for name in (claimed, now))
    assert bool(compare_papers(one, two, "s1.json", code="transfer")) is is_told
