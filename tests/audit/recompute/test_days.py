"""Days against each other: whatever is older than what it rests on is named; honest packages have nothing of it."""

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from provender.audit.outcome import CheckResult, Difference
from provender.audit.package.contents import PackageContents, with_verifiers_files
from provender.audit.package.layout import HEADER, KEYS, REQUEST, Part, entity_path
from provender.audit.package.write import Header, PackageRequest
from provender.audit.recompute import cross_party
from provender.audit.recompute.custody_books import recompute_origins
from provender.audit.recompute.days import recompute_day_order
from provender.audit.sampling.sample import KIND as SAMPLE_KIND
from provender.custody.documents.sign import sign_document
from provender.report.typ import TYP
from provender.signing.canonical import canonical_json, document_hash
from provender.signing.jws import sign
from tests.audit import chain, forge
from tests.audit.engaged import engaged
from tests.audit.forge import ADA, REPORT, Files
from tests.audit.recompute.test_silence import ELEVATOR

SAMPLE = "audit/sample.json"
STATEMENT = entity_path("coop", Part.STATEMENTS, "V-2.json")

Recompute = Callable[[PackageContents], CheckResult]


def judged(files: Files, head: Header, folder: Path, check: Recompute = recompute_day_order) -> CheckResult:
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
def test_what_is_older_than_what_it_rests_on_is_named(
    code: str, named: str, made: Callable[[], Files], tmp_path: Path
) -> None:
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
def test_a_sale_or_move_that_lies_ahead_of_its_paper_is_told_and_no_difference(
    made: Callable[[], Files], words: str, tmp_path: Path
) -> None:
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


def test_honest_packages_have_nothing_out_of_order(tmp_path: Path) -> None:
    for number, (files, head) in enumerate([(forge.clean(), forge.header()), (stated(), ELEVATOR)]):
        for check in (recompute_day_order, recompute_origins):
            outcome = judged(dict(files), head, tmp_path / f"{number}{check.__name__}", check)
            assert (outcome.differences, outcome.computed > 0) == ((), True), check.__name__


def test_the_day_before_is_the_clock_of_another_place(tmp_path: Path) -> None:
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


def test_a_second_origin_is_told_once(tmp_path: Path) -> None:
    files = {**forge.clean(), **version(2, origin_id=READABLE, salt="")}
    assert one_origin(files, tmp_path / "cross_party") == ["second_report"]
    assert judged(files, forge.header(), tmp_path / "custody_books", recompute_origins).differences == ()


def test_a_version_signed_by_hand_is_followed_by_one_with_a_salt(tmp_path: Path) -> None:
    files = {**forge.clean(), **version(1, origin_id=READABLE, salt=""), **version(2)}
    assert one_origin(files, tmp_path / "cross_party") == []
    assert judged(files, forge.header(), tmp_path / "custody_books", recompute_origins).differences == ()
    other = {**files, **version(3, origin_id="ab" * 32)}
    assert one_origin(other, tmp_path / "other") == ["second_report"]


@pytest.mark.parametrize(
    ("code", "files"),
    [
        ("origin_not_of_salt", lambda: salted("0" * 32)),
        ("origin_not_of_salt", lambda: salted(forge.SALT, "ab" * 32)),
        ("origin_not_of_salt", lambda: salted("short")),
        ("origin_not_of_salt", lambda: salted("")),
    ],
)
def test_an_origin_id_is_of_its_salt_and_stays_the_same(code: str, files: Callable[[], Files], tmp_path: Path) -> None:
    found = {one.code: one for one in judged(files(), forge.header(), tmp_path, recompute_origins).differences}
    assert "corn 2025" in found[code].place


def test_a_book_has_a_report_under_the_origin_that_the_farm_signed(tmp_path: Path) -> None:
    files = entered("report", salt="7" * 32)
    found: list[Difference] = list(judged(files, ELEVATOR, tmp_path, recompute_origins).differences)
    assert {one.code for one in found} == {"origin_differs"}
    assert KEYS in files
