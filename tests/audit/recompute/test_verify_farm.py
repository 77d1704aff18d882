"""A farm's package verifies clean; whatever is changed in it is found and named, re-bagged and re-signed or not.

``python -m tests.audit.hundred`` runs every tampering with every seed; here stands one of each kind that differs in how
it is found.
"""

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from provender.audit.package.write import make_package
from provender.signing.bags import read_bag
from tests.audit.forge import (
    PINS,
    REPORT,
    Files,
    clean,
    evidence,
    forged,
    header,
    record,
    verify,
)
from tests.audit.tamper_farm import TAMPERINGS, Tampering

SEED = 2026
HERE = (
    "depth", "pass_dropped, report remade", "harvested", "moved_between_units, report remade", "run_ci", "photo_place",
    "photo_day", "evidence_swapped_with_hash", "evidence_dropped", "printout_forged, report remade", "report_unit_ci",
    "signature_of_forger", "document_edited_under_signature", "second_report", "version_of_nothing", "unsigned",
)  # fmt: skip


def test_the_clean_package_verifies_clean(tmp_path: Path) -> None:
    assert verify(clean(), tmp_path).text == ""


@pytest.mark.parametrize("tampering", [one for one in TAMPERINGS if one.name in HERE], ids=lambda one: one.name)
def test_a_tampering_is_found_and_named(tampering: Tampering) -> None:
    missed = forged(tampering, f"{SEED} {tampering.name}")
    assert not missed, missed


def reordered(files: Files) -> None:
    for path, content in files.items():
        if path.endswith(".csv"):
            head, *lines = content.decode().splitlines()
            Random(SEED).shuffle(lines)
            files[path] = "\n".join([head, *lines, ""]).encode()


def other_line_ends(files: Files) -> None:
    for path, content in files.items():
        if path.endswith(".csv"):
            files[path] = b"\xef\xbb\xbf" + content.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n") + b"\r\n\r\n"


def report_laid_out_otherwise(files: Files) -> None:
    files[REPORT] = json.dumps(json.loads(files[REPORT]), indent=4, sort_keys=True).encode()


def trailing_zeros(files: Files) -> None:
    path = record("calculator_run")
    files[path] = files[path].replace(b",182.5,", b",182.500,")


@pytest.mark.parametrize("change", [reordered, other_line_ends, report_laid_out_otherwise, trailing_zeros])
def test_a_change_without_meaning_is_not_reported(change: Callable[[Files], None], tmp_path: Path) -> None:
    files = dict(clean())
    change(files)
    assert files != dict(clean())
    assert verify(files, tmp_path).text == ""


def test_zipping_again_is_not_reported(tmp_path: Path) -> None:
    first, again = tmp_path / "first.zip", tmp_path / "again.zip"
    make_package(first, header(), clean())
    with zipfile.ZipFile(first) as source, zipfile.ZipFile(again, "w", compression=zipfile.ZIP_STORED) as target:
        for name in reversed(source.namelist()):
            target.writestr(name, source.read(name))
    assert dict(read_bag(again)) == dict(read_bag(first))


def test_a_later_season_in_the_same_book_is_not_reported(tmp_path: Path) -> None:
    files = dict(clean())
    files[record("operation")] += b'N40-2026-1,N40,2026-04-12,"Sprayer, kill crop",boom,,,90,,,,,machine,,\n'
    assert verify(files, tmp_path).text == ""


def test_without_pinned_keys_the_verifier_is_told_so(tmp_path: Path) -> None:
    assert any("--pinned" in why for why in verify(clean(), tmp_path, pins=None).told)
    assert not any("--pinned" in why for why in verify(clean(), tmp_path, pins=PINS).told)


def test_evidence_without_a_record_hash_is_for_eyes_and_still_bound_by_the_report(tmp_path: Path) -> None:
    files = dict(clean())
    digest = next(line for line in files[record("evidence")].decode().splitlines() if line.startswith("E-LAB"))
    files[record("evidence")] = files[record("evidence")].replace(
        digest.encode(), digest.rpartition(",")[0].encode() + b","
    )
    found = verify(files, tmp_path)
    assert any("names no hash" in why for why in found.told)
    files[evidence("soil-and-tissue-results.txt")] += b"better"
    assert "evidence_swapped" in verify(files, tmp_path).text


def test_a_package_cannot_bring_files_in_the_verifiers_name() -> None:
    from provender.audit.package.contents import PINNED, with_verifiers_files

    assert PINNED not in with_verifiers_files({PINNED: b"mine"}, None, {})
    assert with_verifiers_files({PINNED: b"mine"}, b"yours", {})[PINNED] == b"yours"
