"""A package says what it is, holds what the verifier asked for, and hostile ones are refused with a reason."""

import zipfile
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from provender.audit.package.keys import Pin, Pins
from provender.audit.package.layout import (
    FINDINGS,
    HEADER,
    KEYS,
    Part,
    entity_path,
    farm_path,
    folder_name,
    part_of,
)
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
from provender.audit.sampling.sample import PATH as SAMPLE
from provender.problem import ProblemsError
from provender.signing.bags import write_zip
from provender.signing.canonical import canonical_json, sha256_hex
from provender.signing.jws import sign
from provender.signing.keys import SigningKey

KEY = SigningKey.generate()
PINNED = Pins((Pin("verity", KEY.public),), own=True)
FARM = "Hof Müller #3"
PHOTO = farm_path(FARM, Part.EVIDENCE, "stand.jpg")
FILES = {
    farm_path(FARM, Part.RECORDS, "operation.csv"): b"farm_id\n",
    PHOTO: b"jpeg",
    farm_path(FARM, Part.REPORTS, "corn-2026-v1.json"): b"{}",
    KEYS: b"{}",
}
HEADER_ = Header(
    Subject.FARM_REPORT, FARM, "Hof Müller", date(2025, 10, 1), date(2026, 10, 31), "interim-2025", "provender 0.1.0",
    date(2026, 11, 21), {f"farms/{folder_name(FARM)}": FARM},
)  # fmt: skip
REQUEST_ = PackageRequest(
    "verity", FARM, Subject.FARM_REPORT, date(2025, 10, 1), date(2026, 10, 31), (), date(2026, 11, 1)
)


def signed(request: PackageRequest = REQUEST_, key: SigningKey = KEY) -> dict[str, Any]:
    return sign(request.document(), key)


def allowing(part: Part, below: str = "") -> PackageRequest:
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


def test_a_request_and_a_header_read_back_as_written() -> None:
    asked = allowing(Part.EVIDENCE, "farms/")
    assert PackageRequest.read(asked.document()) == asked
    header = replace(HEADER_, left_out=(LeftOut("a", "b", "c"),))
    assert Header.read(header.document()) == header


@pytest.mark.parametrize("part", [Part.RECORDS, Part.EVIDENCE, Part.REPORTS, Part.KEYS])
def test_a_part_that_is_missing_is_named_unless_the_verifier_let_it_go(part: Part) -> None:
    files = {path: content for path, content in FILES.items() if part_of(path) is not part}
    assert codes(files=files) == ["part_missing"]
    assert codes(files=files, request=None) == ["part_missing"]
    assert codes(files=files, request=allowing(part)) == []
    assert codes(files=files, request=allowing(part, "farms/")) == ["part_missing"]


def test_a_farm_that_is_there_by_name_only_is_missed_by_each_of_its_parts() -> None:
    second = replace(HEADER_, parties={**HEADER_.parties, f"farms/{folder_name('F2')}": "F2"})
    problems = check_content(second, FILES.keys(), REQUEST_)
    assert [problem.cause for problem in problems] == [
        f"The package holds no {part} of F2." for part in ("evidence", "records", "reports")
    ]


def test_only_the_verifier_decides_what_is_left_out() -> None:
    header = replace(HEADER_, left_out=(LeftOut(PHOTO, sha256_hex(b"jpeg"), "too large"),))
    assert codes(header, without(PHOTO)) == ["left_out_without_leave"]
    assert codes(header, without(PHOTO), None) == ["left_out_without_leave"]
    assert codes(header, without(PHOTO), allowing(Part.EVIDENCE)) == []
    assert codes(header, without(PHOTO), allowing(Part.EVIDENCE, PHOTO)) == []
    assert codes(header, without(PHOTO), allowing(Part.EVIDENCE, "farms/other")) == ["left_out_without_leave"]
    assert codes(header, without(PHOTO), allowing(Part.RECORDS)) == ["left_out_without_leave"]
    assert codes(header, FILES, allowing(Part.EVIDENCE)) == ["left_out_present"]


def test_a_package_of_another_party_or_of_fewer_days_is_not_what_was_asked_for() -> None:
    assert codes(replace(HEADER_, audited="other")) == ["other_package"]
    assert codes(replace(HEADER_, first=date(2025, 10, 2))) == ["days_missing"]
    assert codes(replace(HEADER_, last=date(2026, 10, 30))) == ["days_missing"]
    assert codes(replace(HEADER_, first=date(2025, 9, 30))) == []


@pytest.mark.parametrize("path", ["readme.txt", "farms/unknown-12345678/records/x.csv", "audit/other.json"])
def test_a_file_that_belongs_nowhere_is_named(path: str) -> None:
    assert codes(files={**FILES, path: b""}) == ["stray_file"]


def test_a_folder_given_to_another_farm_is_named() -> None:
    header = replace(HEADER_, parties={f"farms/{folder_name(FARM)}": "somebody else"})
    assert codes(header) == ["wrong_folder"]


def test_a_package_that_does_not_fit_its_request_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(ProblemsError, match="holds no evidence"):
        make_package(tmp_path / "x.zip", HEADER_, without(PHOTO), signed())
    with pytest.raises(ProblemsError, match="no request"):
        make_package(tmp_path / "x.zip", HEADER_, FILES, {"document": {"kind": "x"}})
    assert not (tmp_path / "x.zip").exists()


def test_a_request_the_party_signed_itself_is_shown_as_nobodys(tmp_path: Path) -> None:
    header = replace(HEADER_, left_out=(LeftOut(PHOTO, sha256_hex(b"jpeg"), "too large"),))
    target = tmp_path / "p.zip"
    make_package(target, header, without(PHOTO), signed(allowing(Part.EVIDENCE), SigningKey.generate()))
    assert [problem.code for problem in open_package(target, PINNED).problems] == ["signature_signer_unknown"]


@pytest.mark.parametrize(
    ("verifier", "party", "found"),
    [
        ("verity", FARM, ["request_of_other", "left_out_without_leave"]),
        (FARM, FARM, ["request_of_own", "left_out_without_leave"]),
        ("verity", "verity", []),
    ],
)
def test_a_key_that_the_verifier_pinned_to_a_party_gives_that_party_no_leave(
    tmp_path: Path, verifier: str, party: str, found: list[str]
) -> None:
    key = SigningKey.generate()
    header = replace(HEADER_, left_out=(LeftOut(PHOTO, sha256_hex(b"jpeg"), "too large"),))
    request = replace(allowing(Part.EVIDENCE), verifier=verifier)
    make_package(tmp_path / "p.zip", header, without(PHOTO), signed(request, key))
    opened = open_package(tmp_path / "p.zip", Pins((Pin(party, key.public),), own=True))
    assert [problem.code for problem in opened.problems] == found


def test_a_request_that_was_changed_allows_nothing(tmp_path: Path) -> None:
    header = replace(HEADER_, left_out=(LeftOut(PHOTO, sha256_hex(b"jpeg"), "too large"),))
    envelope = signed()
    envelope["document"] = allowing(Part.EVIDENCE).document()
    target = tmp_path / "p.zip"
    make_package(target, header, without(PHOTO), envelope)
    found = [problem.code for problem in open_package(target, PINNED).problems]
    assert found == ["signature_signature_wrong", "left_out_without_leave"]


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-40])


def _add(path: Path) -> None:
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("p/data/readme.txt", "hello")


def _climb(path: Path) -> None:
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("p/data/../../../etc/passwd", "root")


def _bomb(path: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("p/bagit.txt", b"0" * 40 * 2**20)


def _link(path: Path) -> None:
    with zipfile.ZipFile(path, "a") as archive:
        link = zipfile.ZipInfo("p/data/farms/link")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")


@pytest.mark.parametrize(
    ("harm", "code"),
    [
        (_cut, "bag_damaged"),
        (_add, "bag_added_file"),
        (_climb, "bag_unsafe_name"),
        (_bomb, "bag_too_dense"),
        (_link, "bag_link"),
    ],
)
def test_a_hostile_package_is_refused_with_a_reason(tmp_path: Path, harm: Callable[[Path], None], code: str) -> None:
    target = tmp_path / "p.zip"
    make_package(target, HEADER_, FILES, signed())
    harm(target)
    with pytest.raises(ProblemsError) as refused:
        open_package(target, PINNED)
    assert code in [problem.code for problem in refused.value.problems]


@pytest.mark.parametrize(
    "header", [None, b"5", b"[]", b"{}", b"not json", canonical_json({**HEADER_.document(), "format": "2"})]
)
def test_a_bag_without_a_header_we_can_read_is_no_package(tmp_path: Path, header: bytes | None) -> None:
    target = tmp_path / "p.zip"
    payload = {**FILES} if header is None else {**FILES, HEADER: header}
    write_zip(target, payload, name="p", as_of=date(2026, 11, 21))
    with pytest.raises(ProblemsError):
        open_package(target)


def test_every_id_has_a_folder_of_its_own_that_every_system_can_hold() -> None:
    ids = ["F1", "f1", "F 1", "F/1", "CON", "..", "Höfe", "x" * 200, " ", "F1."]
    folders = [folder_name(one) for one in ids]
    assert len({folder.casefold() for folder in folders}) == len(ids)
    assert all(entity_path(one, Part.BOOK).endswith("/book.jsonl") for one in ids)


@pytest.mark.parametrize(
    ("path", "part"),
    [
        (SAMPLE, Part.SAMPLE),
        (FINDINGS, Part.FINDINGS),
        (entity_path("e", Part.BOOK), Part.BOOK),
        (entity_path("e", Part.DOCUMENTS, "ab.json"), Part.DOCUMENTS),
        (PHOTO, Part.EVIDENCE),
        ("entities/e-1/book.jsonl/x", None),
        ("entities/e-1/documents", None),
        ("farms//records/x", None),
        ("farms/f/secrets/x", None),
        ("x", None),
    ],
)
def test_a_path_belongs_to_one_part_or_to_none(path: str, part: Part | None) -> None:
    assert part_of(path) is part


@pytest.mark.parametrize(("part", "name"), [(Part.BOOK, "x"), (Part.EVIDENCE, "../x"), (Part.EVIDENCE, "a:b")])
def test_a_name_that_cannot_stand_in_a_package_is_refused(part: Part, name: str) -> None:
    with pytest.raises(ValueError, match=r"have no|cannot be"):
        farm_path("F1", part, name)
