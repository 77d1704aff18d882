"""A package says what it is, holds what the verifier asked for, and hostile ones are refused with a reason."""

import json
import shutil
from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from provender.audit.package import layout
from provender.audit.package.collect import collect_entity, collect_farm
from provender.audit.package.contents import PackageContents, roles_of, with_verifiers_files
from provender.audit.package.write import (
    Allowance,
    Header,
    LeftOut,
    PackageRequest,
    Subject,
    check_content,
    make_package,
    open_package,
)
from provender.audit.programme import Role
from provender.audit.recompute import statements
from provender.audit.sampling.sample import PATH as SAMPLE
from provender.audit.statement.statement import LaterEffect, addendum
from provender.cli.app import run
from provender.custody.book_file import create_book, open_book
from provender.custody.events.parties import verified
from provender.custody.events.registry import read_event
from provender.custody.model.entities import Entity
from provender.problem import Place, Problem, ProblemsError
from provender.records.folder import RejectedRow, load_book, write_rejected
from provender.signing.bags import write_zip
from provender.signing.canonical import canonical_json, sha256_hex
from provender.signing.jws import envelope_hash, sign
from provender.signing.keys import SigningKey
from tests.audit.forge import EXAMPLE, clean, header, verify
from tests.audit.forge import FARM as COLLECTED_FARM
from tests.audit.verifier import statement
from tests.custody.world import record_of

KEY = SigningKey.generate()
PINNED = layout.Pins((layout.Pin("verity", KEY.public),), own=True)
FARM = "Hof Müller #3"
PHOTO = layout.farm_path(FARM, layout.Part.EVIDENCE, "stand.jpg")
FILES = {
    layout.farm_path(FARM, layout.Part.RECORDS, "operation.csv"): b"farm_id\n",
    PHOTO: b"jpeg",
    layout.farm_path(FARM, layout.Part.REPORTS, "corn-2026-v1.json"): b"{}",
    layout.KEYS: b"{}",
}
HEADER_ = Header(
    Subject.FARM_REPORT, FARM, "Hof Müller", date(2025, 10, 1), date(2026, 10, 31), "interim-2025", "provender 0.1.0",
    date(2026, 11, 21), {f"farms/{layout.folder_name(FARM)}": FARM},
)  # fmt: skip
REQUEST_ = PackageRequest(
    "verity", FARM, Subject.FARM_REPORT, date(2025, 10, 1), date(2026, 10, 31), (), date(2026, 11, 1)
)


def signed(request: PackageRequest = REQUEST_, key: SigningKey = KEY) -> dict[str, Any]:
    return sign(request.document(), key)


def allowing(part: layout.Part, below: str = "") -> PackageRequest:
    return replace(REQUEST_, allowances=(Allowance(part, below, "seen on site"),))


def without(*paths: str) -> dict[str, bytes]:
    return {path: content for path, content in FILES.items() if path not in paths}


def codes(
    header: Header = HEADER_, files: Iterable[str] = FILES.keys(), request: PackageRequest | None = REQUEST_
) -> list[str]:
    return [problem.code for problem in check_content(header, files, request)]


@pytest.mark.parametrize("zipped", [True, False])
def test_a_package_opens_as_it_was_made(tmp_path: Path, zipped: bool) -> None:
    target = tmp_path / ("package.zip" if zipped else "package")
    mark = make_package(target, HEADER_, FILES, signed(), zipped=zipped)
    opened = open_package(target, PINNED)
    assert (opened.header, opened.request, opened.problems) == (HEADER_, REQUEST_, ())
    assert {path: opened.files[path] for path in FILES} == FILES
    again = tmp_path / "again" / target.name
    again.parent.mkdir()
    assert make_package(again, HEADER_, FILES, signed(), zipped=zipped) == mark


def test_a_request_and_a_header_read_back_and_every_id_has_a_folder_of_its_own() -> None:
    asked = allowing(layout.Part.EVIDENCE, "farms/")
    assert PackageRequest.read(asked.document()) == asked
    header = replace(HEADER_, left_out=(LeftOut("a", "b", "c"),))
    assert Header.read(header.document()) == header
    ids = ["F1", "f1", "F 1", "F/1", "CON", "..", "Höfe", "x" * 200, " ", "F1."]
    folders = [layout.folder_name(one) for one in ids]
    assert len({folder.casefold() for folder in folders}) == len(ids)
    assert all(layout.entity_path(one, layout.Part.BOOK).endswith("/book.jsonl") for one in ids)


@pytest.mark.parametrize("part", [layout.Part.RECORDS, layout.Part.EVIDENCE, layout.Part.REPORTS, layout.Part.KEYS])
def test_a_part_that_is_missing_is_named_unless_the_verifier_let_it_go(part: layout.Part) -> None:
    files = {path: content for path, content in FILES.items() if layout.part_of(path) is not part}
    assert codes(files=files) == ["part_missing"]
    assert codes(files=files, request=None) == ["part_missing"]
    assert codes(files=files, request=allowing(part)) == []
    assert codes(files=files, request=allowing(part, "farms/")) == ["part_missing"]


def test_a_farm_that_is_there_by_name_only_is_missed_by_each_of_its_parts() -> None:
    second = replace(HEADER_, parties={**HEADER_.parties, f"farms/{layout.folder_name('F2')}": "F2"})
    problems = check_content(second, FILES.keys(), REQUEST_)
    assert [problem.cause for problem in problems] == [
        f"The package holds no {part} of F2." for part in ("evidence", "records", "reports")
    ]


def test_only_the_verifier_decides_what_is_left_out() -> None:
    header = replace(HEADER_, left_out=(LeftOut(PHOTO, sha256_hex(b"jpeg"), "too large"),))
    assert codes(header, without(PHOTO)) == ["left_out_without_leave"]
    assert codes(header, without(PHOTO), None) == ["left_out_without_leave"]
    assert codes(header, without(PHOTO), allowing(layout.Part.EVIDENCE)) == []
    assert codes(header, without(PHOTO), allowing(layout.Part.EVIDENCE, PHOTO)) == []
    assert codes(header, without(PHOTO), allowing(layout.Part.EVIDENCE, "farms/other")) == ["left_out_without_leave"]
    assert codes(header, without(PHOTO), allowing(layout.Part.RECORDS)) == ["left_out_without_leave"]
    assert codes(header, FILES, allowing(layout.Part.EVIDENCE)) == ["left_out_present"]


def test_a_party_or_days_other_than_asked_for_and_a_folder_of_another_farm_are_named() -> None:
    assert codes(replace(HEADER_, audited="other")) == ["other_package"]
    assert codes(replace(HEADER_, first=date(2025, 10, 2))) == ["days_missing"]
    assert codes(replace(HEADER_, last=date(2026, 10, 30))) == ["days_missing"]
    assert codes(replace(HEADER_, first=date(2025, 9, 30))) == []
    header = replace(HEADER_, parties={f"farms/{layout.folder_name(FARM)}": "somebody else"})
    assert codes(header) == ["wrong_folder"]


@pytest.mark.parametrize("path", ["readme.txt", "farms/unknown-12345678/records/x.csv", "audit/other.json"])
def test_a_file_that_belongs_nowhere_is_named(path: str) -> None:
    assert codes(files={**FILES, path: b""}) == ["stray_file"]


def test_a_package_that_does_not_fit_its_request_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(ProblemsError, match="holds no evidence"):
        make_package(tmp_path / "x.zip", HEADER_, without(PHOTO), signed())
    with pytest.raises(ProblemsError, match="no request"):
        make_package(tmp_path / "x.zip", HEADER_, FILES, {"document": {"kind": "x"}})
    assert not (tmp_path / "x.zip").exists()


def test_a_request_that_the_party_signed_is_nobodys_and_a_changed_one_allows_nothing(tmp_path: Path) -> None:
    header = replace(HEADER_, left_out=(LeftOut(PHOTO, sha256_hex(b"jpeg"), "too large"),))
    target = tmp_path / "p.zip"
    make_package(target, header, without(PHOTO), signed(allowing(layout.Part.EVIDENCE), SigningKey.generate()))
    assert [problem.code for problem in open_package(target, PINNED).problems] == ["signature_signer_unknown"]
    envelope = signed()
    envelope["document"] = allowing(layout.Part.EVIDENCE).document()
    make_package(target, header, without(PHOTO), envelope)
    found = [problem.code for problem in open_package(target, PINNED).problems]
    assert found == ["signature_signature_wrong", "left_out_without_leave"]


@pytest.mark.parametrize(
    ("verifier", "party", "found"),
    [
        ("verity", FARM, ["request_of_other", "left_out_without_leave"]),
        (FARM, FARM, ["request_of_own", "left_out_without_leave"]),
        ("verity", "verity", []),
    ],
)
def test_a_key_pinned_to_a_party_gives_it_no_leave(tmp_path: Path, verifier: str, party: str, found: list[str]) -> None:
    key = SigningKey.generate()
    header = replace(HEADER_, left_out=(LeftOut(PHOTO, sha256_hex(b"jpeg"), "too large"),))
    request = replace(allowing(layout.Part.EVIDENCE), verifier=verifier)
    make_package(tmp_path / "p.zip", header, without(PHOTO), signed(request, key))
    opened = open_package(tmp_path / "p.zip", layout.Pins((layout.Pin(party, key.public),), own=True))
    assert [problem.code for problem in opened.problems] == found


def test_a_damaged_package_is_refused_as_any_bag_is(tmp_path: Path) -> None:
    """What else is hostile in a container: ``tests/signing/test_bags.py``."""
    target = tmp_path / "p.zip"
    make_package(target, HEADER_, FILES, signed())
    target.write_bytes(target.read_bytes()[:-40])
    with pytest.raises(ProblemsError) as refused:
        open_package(target, PINNED)
    assert [problem.code for problem in refused.value.problems] == ["bag_damaged"]


@pytest.mark.parametrize(
    "header", [None, b"5", b"[]", b"{}", b"not json", canonical_json({**HEADER_.document(), "format": "2"})]
)
def test_a_bag_without_a_header_we_can_read_is_no_package(tmp_path: Path, header: bytes | None) -> None:
    target = tmp_path / "p.zip"
    payload = {**FILES} if header is None else {**FILES, layout.HEADER: header}
    write_zip(target, payload, name="p", as_of=date(2026, 11, 21))
    with pytest.raises(ProblemsError):
        open_package(target)


@pytest.mark.parametrize(
    ("path", "part"),
    [
        (SAMPLE, layout.Part.SAMPLE),
        (layout.FINDINGS, layout.Part.FINDINGS),
        (layout.entity_path("e", layout.Part.BOOK), layout.Part.BOOK),
        (layout.entity_path("e", layout.Part.DOCUMENTS, "ab.json"), layout.Part.DOCUMENTS),
        (PHOTO, layout.Part.EVIDENCE),
        ("entities/e-1/book.jsonl/x", None),
        ("entities/e-1/documents", None),
        ("farms//records/x", None),
        ("farms/f/secrets/x", None),
        ("x", None),
    ],
)
def test_a_path_belongs_to_one_part_or_to_none(path: str, part: layout.Part | None) -> None:
    assert layout.part_of(path) is part


@pytest.mark.parametrize(
    ("part", "name"), [(layout.Part.BOOK, "x"), (layout.Part.EVIDENCE, "../x"), (layout.Part.EVIDENCE, "a:b")]
)
def test_a_name_that_cannot_stand_in_a_package_is_refused(part: layout.Part, name: str) -> None:
    with pytest.raises(ValueError, match=r"have no|cannot be"):
        layout.farm_path("F1", part, name)


# A farm's package carries what its book is judged by: rows that could not be imported, sources, maps.

NO_DAY = Problem(Place("passes.csv", row=3, column="day"), "there is no such day.", "Correct it.")
REJECTED_ROW = RejectedRow(
    "operation", Place("passes.csv", row=3), (("unit_id", "N1"), ("day", "2025-02-30")), (NO_DAY,)
)
((NAME, ROW),) = write_rejected([REJECTED_ROW]).items()


def spoilt(folder: Path) -> Path:
    """Copy the example book and leave a rejected row, a source list and a map in it."""
    book = folder / "book"
    shutil.copytree(EXAMPLE, book)
    for name, text in ((NAME, ROW), ("sources.csv", "file\npasses.csv\n"), ("maps/north/n.csv", "x\n")):
        (book / name).parent.mkdir(parents=True, exist_ok=True)
        (book / name).write_text(text, encoding="utf-8")
    return book


def packed(book: Path) -> dict[str, bytes]:
    """Return the files that a package of the book holds."""
    found = collect_farm(book, []).files
    return {name: one.read_bytes() if isinstance(one, Path) else one for name, one in found.items()}


def test_rejected_rows_are_in_the_package_and_a_report_made_without_them_is_found(tmp_path: Path) -> None:
    files = packed(spoilt(tmp_path))
    for name in (NAME, "sources.csv", "maps/north/n.csv"):
        assert layout.farm_path(COLLECTED_FARM, layout.Part.RECORDS, name) in files
    rejected = {layout.farm_path(COLLECTED_FARM, layout.Part.RECORDS, NAME): ROW.encode()}
    assert not verify(clean(), tmp_path).differences
    (tmp_path / "again").mkdir()
    assert verify({**clean(), **rejected}, tmp_path / "again").differences


def test_a_verifier_reads_a_book_as_incomplete_rowed_as_the_farmer_does(tmp_path: Path) -> None:
    book = spoilt(tmp_path)
    target = tmp_path / "package.zip"
    make_package(target, header(), {**clean(), **packed(book)})
    (farm,) = PackageContents(with_verifiers_files(open_package(target).files, None, {}), tmp_path / "read").farms
    assert farm.book.incomplete_rows == load_book(book).incomplete_rows
    assert farm.book.incomplete_rows != load_book(EXAMPLE).incomplete_rows


# As what a party is audited stands in its package; the answer says where it comes from.

HEAD = Header(
    Subject.ENTITY_PERIOD, "me", "Me", date(2026, 1, 1), date(2026, 12, 31), "interim-2025", "provender",
    date(2027, 1, 11), {f"entities/{layout.folder_name('me')}": "me"},
)  # fmt: skip


def book(*events: object) -> dict[str, bytes]:
    lines = [json.dumps({"event": event}) for event in events]
    return {layout.entity_path("me", layout.Part.BOOK): "\n".join(["{}", *lines]).encode()}


def entity(*roles: object, name: str = "me") -> dict[str, object]:
    return {"type": "entity", "entity": name, "roles": list(roles)}


PROCESS = {"type": "process", "entity": "me"}


@pytest.mark.parametrize(
    ("events", "roles"),
    [
        ([entity("first_point")], (Role.FIRST_POINT,)),
        ([entity("refiner", "first_point")], (Role.FIRST_POINT, Role.REFINER)),
        ([entity("intermediary"), PROCESS], (Role.INTERMEDIARY, Role.PROCESSOR)),
        ([entity("intermediary"), {**PROCESS, "entity": "other"}], (Role.INTERMEDIARY,)),
        ([entity("refiner", name="other")], (Role.FIRST_POINT,)),
        ([entity("service_provider", 5)], (Role.FIRST_POINT,)),
        ([], (Role.FIRST_POINT,)),
        (["nothing", {"type": "entity", "entity": "me", "roles": 5}], (Role.FIRST_POINT,)),
    ],
)
def test_a_house_is_audited_as_what_its_book_says(events: list[object], roles: tuple[Role, ...]) -> None:
    assert roles_of(HEAD, book(*events)) == roles


def test_a_farm_is_audited_as_a_farm_and_the_farms_of_a_whole_audit_bring_their_tasks() -> None:
    assert roles_of(replace(HEAD, subject=Subject.FARM_REPORT), {}) == (Role.FARM,)
    whole = replace(HEAD, subject=Subject.AUDIT, parties={**HEAD.parties, "farms/x": "f"})
    assert roles_of(whole, book(entity("first_point"))) == (Role.FARM, Role.FIRST_POINT)


# An entity keeps the verifications it received: checked, entered into its book, laid beside it, counted.


def called(*words: str | Path) -> int:
    with pytest.raises(SystemExit) as ended:
        run([str(word) for word in words])
    return int(ended.value.code or 0)


@pytest.fixture
def entity_book(tmp_path: Path) -> Path:
    path = tmp_path / "elevator.jsonl"
    create_book(path, "elevator")
    begins: list[dict[str, Any]] = [
        {"type": "entity", "id": "e", "day": "2025-11-01", "entity": "elevator", "name": "Prairie Elevator",
         "roles": ["first_point"], "sites": ["north"]},
        {"type": "statement", "id": "c", "day": "2025-11-02", "entity": "elevator", "verifier": "verity",
         "number": "K-1", "start_day": "2025-10-01", "end_day": "2026-09-30", "crops": ["corn"],
         "opinion": "first_audit_contracted"},
        {"type": "period", "id": "p", "day": "2025-11-03", "entity": "elevator", "start_day": "2026-01-01",
         "end_day": "2026-03-31", "policy": "oldest_first"},
    ]  # fmt: skip
    with open_book(path) as opened:
        assert all(opened.post(read_event(event)).status == "posted" for event in begins)
    return path


def signed_statement(tmp_path: Path, key: SigningKey = KEY, **changes: object) -> Path:
    path = tmp_path / "statement.json"
    path.write_bytes(canonical_json(sign(statement(**changes).document(), key)))
    (tmp_path / "verity.json").write_text(json.dumps(KEY.public.export()), encoding="utf-8")
    return path


def keep(entity_book: Path, file: Path, *more: str | Path, day: str = "2026-11-27") -> int:
    pin = ("--pin", file.parent / "verity.json", "--as-of", day)
    return called("audit", "statement", "keep", entity_book, file, *pin, *more)


def test_a_statement_that_holds_is_kept_once_counted_and_packed(entity_book: Path, tmp_path: Path) -> None:
    assert keep(entity_book, signed_statement(tmp_path)) == 0
    with open_book(entity_book) as opened:
        assert layout.kept_statements(entity_book, opened.store) == [statement()]
    packed = collect_entity(entity_book, [], [])
    assert [layout.part_of(path) for path in packed.files] == [layout.Part.BOOK, layout.Part.STATEMENTS]
    assert called("audit", "status", "--book", entity_book, "--as-of", "2026-12-02") == 0
    file = signed_statement(tmp_path)
    assert (keep(entity_book, file), keep(entity_book, file)) == (0, 0)
    assert len(list(layout.kept_folder(entity_book).iterdir())) == 1


@pytest.mark.parametrize(
    ("key", "changes"), [(SigningKey.generate(), {}), (KEY, {"sampled": 7}), (KEY, {"independent_reviewer": "V. Moss"})]
)
def test_what_fails_is_not_kept(entity_book: Path, tmp_path: Path, key: SigningKey, changes: dict[str, object]) -> None:
    assert keep(entity_book, signed_statement(tmp_path, key, **changes)) == 2
    with open_book(entity_book) as opened:
        assert layout.kept_statements(entity_book, opened.store) == []
    assert not layout.kept_folder(entity_book).exists()


def test_a_statement_taken_back_is_kept_with_the_fact_and_counts_no_longer(entity_book: Path, tmp_path: Path) -> None:
    file, later = signed_statement(tmp_path), tmp_path / "later.json"
    mark = envelope_hash(json.loads(file.read_bytes()))
    fact = addendum(mark, date(2026, 11, 28), "A scale was wrong.", LaterEffect.WITHDRAWN)
    later.write_bytes(canonical_json(sign(fact, KEY)))
    assert keep(entity_book, file) == 0
    assert keep(entity_book, file, "--also", later, day="2026-11-29") == 0
    assert len(list(layout.kept_folder(entity_book).iterdir())) == 2
    with open_book(entity_book) as opened:
        assert layout.kept_statements(entity_book, opened.store) == []
        assert verified(opened.store, record_of(opened.store, Entity, "elevator"), date(2026, 3, 1), "corn") is None
    files = collect_entity(entity_book, [], []).files
    head = Header(
        Subject.ENTITY_PERIOD, "elevator", "", date(2026, 1, 1), date(2026, 12, 31), "interim-2025", "provender",
        date(2026, 12, 22), {f"entities/{layout.folder_name('elevator')}": "elevator"},
    )  # fmt: skip
    raw = {path: one.read_bytes() if isinstance(one, Path) else one for path, one in files.items()}
    pins = canonical_json(layout.pins_document([layout.Pin("verity", KEY.public)]))
    case = PackageContents(
        with_verifiers_files({**raw, layout.HEADER: canonical_json(head.document())}, pins, {}), tmp_path / "case"
    )
    found = statements.statements(case)
    assert (found.differences, sum("holds it as adverse" in one for one in found.not_shown)) == ((), 1)


def test_a_file_that_says_something_else_than_the_book_does_not_count(entity_book: Path, tmp_path: Path) -> None:
    assert keep(entity_book, signed_statement(tmp_path)) == 0
    (file,) = layout.kept_folder(entity_book).iterdir()
    file.write_bytes(canonical_json(sign(statement(covered_last=date(2026, 10, 31)).document(), KEY)))
    with open_book(entity_book) as opened:
        assert layout.kept_statements(entity_book, opened.store) == []


def test_the_rhythm_knows_role_and_contract_from_the_book(entity_book: Path) -> None:
    with open_book(entity_book) as opened:
        found = layout.rhythm_entity(opened.store, "elevator")
    assert (found.name, found.role) == ("Prairie Elevator", Role.FIRST_POINT)
    assert (found.handles_since, found.contract_until) == (None, date(2026, 9, 30))
