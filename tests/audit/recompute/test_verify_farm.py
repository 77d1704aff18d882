"""A farm's package verifies clean; whatever is changed in it is found and named, re-bagged and re-signed or not."""

import copy
import csv
import io
import json
import os
import re
import shutil
import zipfile
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest

from provender.audit.package.collect import collect_farm, with_index, with_keys
from provender.audit.package.contents import PackageContents, ReportFile
from provender.audit.package.layout import EVIDENCE_INDEX, HEADER, Part, Pin, farm_path
from provender.audit.package.write import Header, Subject, make_package
from provender.audit.recompute import evidence as forge_evidence
from provender.audit.recompute.cross_party import one_origin
from provender.audit.recompute.reports import compare, unreadable_rows
from provender.audit.recompute.reports import report as report_check
from provender.audit.recompute.verify import verify_package
from provender.intensity.quantify import quantify
from provender.records.book import kept_as
from provender.records.folder import load_book
from provender.records.kind import KINDS
from provender.report.document import Edition, build
from provender.report.signing import printouts
from provender.report.typ import TYP
from provender.rule.crops import Crop
from provender.rule.law import Parameters, ParametersError, read_data, read_parameters, rule_version
from provender.signing.bags import read_bag
from provender.signing.canonical import canonical_json, document_hash, hash_file
from provender.signing.jws import envelope_hash, sign
from tests.audit import forge
from tests.audit.forge import header
from tests.audit.tamper_farm import TAMPERINGS, Tampering
from tests.standards.season import Rows, changed, clean_season, square

SEED = os.environ.get("SEED", "2026")
TOGETHER = (
    ("depth", "photo_place", "evidence_swapped_with_hash"), ("run_ci", "photo_day", "opening_of_nothing"),
    ("harvested", "evidence_dropped", "second_report", "version_of_nothing"), ("report_unit_ci", "signature_of_forger"),
    ("pass_dropped, report remade", "printout_forged, report remade"), ("moved_between_units, report remade",),
    ("document_edited_under_signature",), ("unsigned",),
)  # fmt: skip
"""Tamperings that take nothing from each other, by the package that holds them; all others are among the slow tests."""


@pytest.mark.parametrize("names", TOGETHER, ids=" and ".join)
def test_tamperings_of_one_package_are_each_found_and_named(names: tuple[str, ...]) -> None:
    missed = forge.forged([one for one in TAMPERINGS if one.name in names], SEED)
    assert not missed, missed


@pytest.mark.slow
@pytest.mark.parametrize("tampering", [one for one in TAMPERINGS if one.name not in sum(TOGETHER, ())],
                         ids=lambda one: one.name)  # fmt: skip
def test_a_tampering_is_found_and_named(tampering: Tampering) -> None:
    missed = forge.forged([tampering], SEED)
    assert not missed, missed


def test_changes_without_meaning_and_a_later_season_are_not_reported(tmp_path: Path) -> None:
    """Trailing zeros, rows in another order, other line ends, a report laid out otherwise."""
    files, runs, operations = dict(forge.clean()), forge.record("calculator_run"), forge.record("operation")
    files[runs] = files[runs].replace(b",182.5,", b",182.500,")
    files[operations] += b'N40-2026-1,N40,2026-04-12,"Sprayer, kill crop",boom,,,90,,,,,machine,,\n'
    for path in [path for path in files if path.endswith(".csv")]:
        head, *lines = files[path].decode().splitlines()
        Random(SEED).shuffle(lines)
        files[path] = ("\ufeff" + "\r\n".join([head, *lines, "", ""])).encode()
    files[forge.REPORT] = json.dumps(json.loads(files[forge.REPORT]), indent=4, sort_keys=True).encode()
    assert all(files[path] != forge.clean()[path] for path in (runs, operations, forge.REPORT))
    assert forge.verify(files, tmp_path).text == ""


def test_the_clean_package_verifies_clean_zipped_again_and_without_pinned_keys(tmp_path: Path) -> None:
    found = forge.verify(forge.clean(), tmp_path)
    assert (found.text, any("--pinned" in why for why in found.told)) == ("", False)
    assert any("--pinned" in why for why in forge.verify(forge.clean(), tmp_path, pins=None).told)
    first, again = tmp_path / "first.zip", tmp_path / "again.zip"
    make_package(first, header(), forge.clean())
    with zipfile.ZipFile(first) as source, zipfile.ZipFile(again, "w", compression=zipfile.ZIP_STORED) as target:
        for name in reversed(source.namelist()):
            target.writestr(name, source.read(name))
    assert dict(read_bag(again)) == dict(read_bag(first))


def test_a_report_that_was_amended_is_no_record_to_rest_a_statement_on(tmp_path: Path) -> None:
    signed = forge.envelope()
    edition = signed["document"]["edition"] | {"version": 2, "replaces": envelope_hash(signed)}
    later = sign(signed["document"] | {"edition": edition}, forge.ADA, typ=TYP)
    files = {**forge.clean(), farm_path(forge.FARM, Part.REPORTS, "corn-2025-v2.json"): canonical_json(later)}
    make_package(tmp_path / "farm.zip", header(), files)
    facts = verify_package(tmp_path / "farm.zip", pinned=forge.PINS).found.facts
    assert facts is not None
    assert facts.records == (document_hash(later["document"]),)


def test_evidence_without_a_record_hash_is_for_eyes_and_still_bound_by_the_report(tmp_path: Path) -> None:
    files = dict(forge.clean())
    digest = next(line for line in files[forge.record("evidence")].decode().splitlines() if line.startswith("E-LAB"))
    files[forge.record("evidence")] = files[forge.record("evidence")].replace(
        digest.encode(), digest.rpartition(",")[0].encode() + b","
    )
    files[forge.evidence("soil-and-tissue-results.txt")] += b"better"
    found = forge.verify(files, tmp_path)
    assert any("names no hash" in why for why in found.told)
    assert "evidence_swapped" in found.text


def test_what_cannot_be_is_told_once_of_any_report_and_no_file_counts_as_the_verifiers() -> None:
    from provender.audit.package.contents import PINNED, with_verifiers_files

    assert PINNED not in with_verifiers_files({PINNED: b"mine"}, None, {})
    assert with_verifiers_files({PINNED: b"mine"}, b"yours", {})[PINNED] == b"yours"
    assert compare(report("x"), report("x") | {"contradictions": [{"code": "day_ahead", "cause": "Late."}]}, "r") == []
    before = "The enrollment of N40 in Club does not say."
    assert compare(report(before), report("The enrollment of S80 in Club does not say."), "r")
    assert compare(report(before), report(before, "word"), "r")
    one, two = ({**report("x"), "rests_on": {"records_sha256": text}} for text in ("a", "b"))
    (found,) = compare(one, two, "r")
    assert ("records" in found.place, found.effect_bushels) == (True, 100_000)
    late = {"contradictions": [{"code": "day_ahead", "cause": "Late."}]}

    def told(claimed: dict[str, Any]) -> tuple[str, ...]:
        one = SimpleNamespace(path="r.json", name="r", key="r", version=1, document=report("x") | claimed)
        farm = SimpleNamespace(reports=(one,), latest=(one,), recomputed={"r": report("x") | late})
        case = SimpleNamespace(farms=(farm,), made={})
        return report_check(cast("PackageContents", case)).not_shown

    assert told({}) == told({"contradictions": 7}) == ("r: Late.",)
    assert told(late) == ()


# What two reports say in words is compared; remarks of today are told, and are no difference.


def report(why: str, footing: str = "unanswered") -> dict[str, Any]:
    return {"attestation": [{"cite": "2100.031(c)(3)(v)", "footing": footing, "why": why}], "total_bushels": "100"}


@pytest.mark.parametrize(("claimed", "recomputed"), [(["a, b"], ["a", "b"]), (["a", "b, c"], ["a, b", "c"])])
def test_members_of_a_list_are_told_apart_whatever_stands_in_them(claimed: list[str], recomputed: list[str]) -> None:
    assert compare(report("x") | {"names": claimed}, report("x") | {"names": recomputed}, "r")
    assert compare(report("x") | {"names": claimed}, report("x") | {"names": claimed[::-1]}, "r") == []


# A row that could not be read when the report was signed either is no change of the book, whosever crop it is.


def damaged() -> forge.Files:
    """Return records in which the soybeans of field B50 are wrong: an entry twice, a tool as deep as a well."""
    files = dict(forge.clean())
    harvests = forge.rows(files, "harvest")
    twice = next(row for row in harvests if row["harvest_id"] == "B50-2025")
    forge.put(files, "harvest", [*harvests, {**twice, "bushels": "7"}])
    passes = forge.rows(files, "operation")
    deep = next(row for row in passes if row["unit_id"] == twice["unit_id"])
    forge.put(files, "operation", [{**row, "depth_in": "700"} if row is deep else row for row in passes])
    return files


def test_faults_of_another_crop_are_no_change_of_a_book_and_what_became_unreadable_since_is(tmp_path: Path) -> None:
    """A report on corn is made over the damaged records; then a pass of corn becomes unreadable too."""

    def farm(files: forge.Files) -> Any:  # noqa: ANN401 - a farm of the package
        given = {**files, HEADER: canonical_json(forge.header().document())}
        (found,) = PackageContents(given, tmp_path / str(len(list(tmp_path.iterdir())))).farms
        return found

    files, then = damaged(), farm(damaged())
    q = quantify(then.assessment, forge.FARM, Crop.field_corn, 2025)
    made = build(then.assessment, q, as_of=date(2026, 1, 10), producer_id="P1", edition=Edition(), leaves={})
    assert list(unreadable_rows(then, ReportFile("corn.json", made, made))) == []
    passes = forge.rows(files, "operation")
    corn = next(row for row in passes if row["unit_id"] == "N40")
    forge.put(files, "operation", [{**row, "depth_in": "700"} if row is corn else row for row in passes])
    assert len(list(unreadable_rows(farm(files), ReportFile("corn.json", made, made)))) == 1


def test_a_row_given_twice_is_named_whatever_a_report_says_of_problems(tmp_path: Path) -> None:
    files = dict(forge.clean())
    units = forge.rows(files, "unit")
    forge.put(files, "unit", [*units, units[0]])
    forge.signed_by_forger(files, lambda document: document.update(problems=7))
    assert any("unit.csv" in one for one in forge.verify(files, tmp_path).told)


# Files of a farm that none of its records names are told by ``verify``, and are no difference.


def told(files: forge.Files, folder: Path) -> tuple[list[str], int]:
    """Return what is told of unnamed files, and how many differences there are."""
    given = {**forge.clean(), **files, HEADER: canonical_json(forge.header().document())}
    outcome = forge_evidence.hashes(PackageContents(given, folder))
    return [one for one in outcome.not_shown if "no record names" in one], len(outcome.differences)


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        (farm_path(forge.FARM, Part.RECORDS, "harvest old.csv"), "1 file of the package: records/harvest old.csv."),
        (farm_path(forge.FARM, Part.RECORDS, "boundaries/other.geojson"), "records/boundaries/other.geojson"),
        (farm_path(forge.FARM, Part.EVIDENCE, "note.txt"), "1 file of the package: evidence/note.txt."),
        (farm_path(forge.FARM, Part.EVIDENCE, "note.txt.tsr"), ""),
        (farm_path(forge.FARM, Part.RECORDS, "sources.csv"), ""),
    ],
)
def test_a_file_that_no_record_names_is_told_and_is_no_difference(path: str, shown: str, tmp_path: Path) -> None:
    lines, differences = told({path: b"x"}, tmp_path)
    assert [shown in one for one in lines] == ([True] if shown else [])
    assert differences == told({}, tmp_path / "clean")[1]


def test_files_of_no_record_are_counted_and_one_of_two_that_was_exchanged_found(tmp_path: Path) -> None:
    lines, _ = told({farm_path(forge.FARM, Part.EVIDENCE, f"note {n}.txt"): b"x" for n in range(7)}, tmp_path)
    assert lines[0].endswith("evidence/note 4.txt and 2 more.")
    assert "7 files" in lines[0]
    assert told({}, tmp_path) == ([], 0)
    files = {**packed(book(tmp_path / "book", PHOTOS, beside=True)), HEADER: canonical_json(header().document())}
    second = kept_as("IMG_0001.jpg", hash_file(forge.EXAMPLE / "evidence" / list(PHOTOS)[1]))
    for name in ("IMG_0001.jpg", second):
        exchanged = {**files, forge.evidence(name): files[forge.evidence(name)] + b"."}
        found = forge_evidence.hashes(PackageContents(exchanged, tmp_path / name))
        assert {one.code for one in found.differences} == {"evidence_swapped"}, name


# Two files of one name in one farm's package are no difference; one of them exchanged is found as ever.

PHOTOS = {"n40-rye-2024-11-06.jpg": "IMG_0001.jpg", "w35-oats-2024-09-12.jpg": "IMG_0001.jpg"}
CASES = {"n40-rye-2024-11-06.jpg": "IMG_0001.jpg", "w35-oats-2024-09-12.jpg": "img_0001.JPG"}
PAPERS = {"seed-invoice-2024.txt": "scan.txt", "fdcic-example-corn.txt": "scan.txt"}
Names = dict[str, str]


def book(folder: Path, names: Names, *, beside: bool) -> Path:
    """Return the example's book with files that bear other names; the second lies beside the first, or in its case."""
    shutil.copytree(forge.EXAMPLE, folder)
    text = (folder / "evidence.csv").read_text("utf-8")
    for number, (old, new) in enumerate(names.items()):
        path = folder / "evidence" / old
        text = text.replace(f",{old},", f",{new},")
        path.rename(path.with_name(kept_as(new, hash_file(path)) if beside and number % 2 else new))
    (folder / "evidence.csv").write_text(text, "utf-8")
    return folder


def packed(folder: Path) -> forge.Files:
    """Return the files of a package of a book with its signed report and the index of its evidence."""
    content = collect_farm(folder, [])
    with_keys(content, [Pin(forge.FARM, forge.ADA.public, "supply contract 12")])
    runs = (folder / "calculator_run.csv").read_bytes().splitlines(keepends=True)
    corn = b"".join(line for line in runs if not re.search(rb",(soybeans|sorghum),", line))
    signed = {path: canonical_json(sign(one, forge.ADA, typ=TYP)) for path, one in forge.reports_of(folder).items()}
    content.files |= {forge.record("calculator_run"): corn, **signed}
    with_index(content)
    return {name: one.read_bytes() if isinstance(one, Path) else one for name, one in content.files.items()}


@pytest.mark.parametrize(("names", "beside"), [(PHOTOS | PAPERS, True), (CASES, False)])
def test_two_files_of_one_name_are_no_difference(names: Names, beside: bool, tmp_path: Path) -> None:
    files = packed(book(tmp_path / "book", names, beside=beside))
    assert forge.verify(files, tmp_path).text == ""
    rows = json.loads(files[EVIDENCE_INDEX])["files"]
    assert len({row["sha256"] for row in rows if row["evidence"]}) == len({row["evidence"] for row in rows} - {""})


def test_the_printout_is_that_of_its_hash_and_a_text_that_is_not_loaded_is_told(tmp_path: Path) -> None:
    folder = book(tmp_path / "book", PAPERS, beside=True)
    held = load_book(folder).files
    (report,) = forge.reports_of(folder).values()
    found = printouts(report, lambda file, sha256: held.content_of(forge.FARM, file, sha256))
    assert [one.content for one in found] == [(forge.EXAMPLE / "evidence" / "fdcic-example-corn.txt").read_bytes()]
    from dataclasses import replace

    make_package(tmp_path / "farm.zip", replace(header(), rule_version="amended-2026"), forge.clean())
    verified = verify_package(tmp_path / "farm.zip", pinned=forge.PINS).found
    assert [problem.code for problem in verified.problems] == ["other_rule_version"]


# One field behind two farms, of which one says that it cut the crop on the other side of New Year.


def files_of(farm: str, rows: Rows) -> dict[str, bytes]:
    """Return what a package holds of a farm's units and harvests."""
    files = {f"farms/{farm}/records/boundaries/{unit['boundary']}": square(40).encode() for unit in rows["unit"]}
    for kind in ("farm", "unit", "harvest"):
        text = io.StringIO()
        table = csv.DictWriter(text, tuple(KINDS[kind].typed_fields))
        table.writeheader()
        table.writerows(row | {"farm_id": farm} for row in rows[kind])
        files[f"farms/{farm}/records/{kind}.csv"] = text.getvalue().encode()
    return files


@pytest.mark.parametrize(
    ("first", "last", "told"),
    [("2025-10-20", "2025-10-21", True), ("2025-12-28", "2026-01-01", True), ("2026-10-20", "2026-10-21", False)],
)
def test_a_field_of_two_farms_is_seen_though_cut_late(tmp_path: Path, first: str, last: str, *, told: bool) -> None:
    one = clean_season()
    files = files_of("F1", one) | files_of("F2", changed(one, "harvest", 1, first_day=first, last_day=last))
    days = date(2025, 1, 1), date(2026, 12, 31)
    parties = {f"farms/{farm}": farm for farm in ("F1", "F2")}
    header = Header(Subject.ENTITY_PERIOD, "E1", "Elevator", *days, "interim-2025", "provender", days[1], parties)
    found = one_origin(PackageContents({HEADER: canonical_json(header.document()), **files}, tmp_path))
    # The soybeans of 2024 grew on both; what differs is whether the corn of 2025 is among what is told.
    (both,) = [one for one in found.differences if one.code == "same_ground_twice"]
    assert (both.effect_bushels == 2 * 8_000_000) is told


# A package of an earlier text of the rule is verified under that text, chosen by the day of harvest.

AMENDED = date(2026, 9, 1)


def amended(**head: Any) -> dict[str, Any]:  # noqa: ANN401 - any TOML value
    """Return the packaged table with a made-up amendment: from a day on, no-till ends at 10 instead of 20."""
    data: dict[str, Any] = copy.deepcopy(dict(read_data("parameters.toml")))
    now = dict(data["text"])
    data["earlier_texts"] = [{name: now[name] for name in ("id", "citation", "start")}]
    data["text"] = {**now, "id": "amended-2026", "citation": "made up", "governs_from": AMENDED, **head}
    data["parameters"]["no_till_stir_max"]["values"].append({"start": AMENDED, "amount": "10"})
    return data


@pytest.fixture
def later_table(monkeypatch: pytest.MonkeyPatch) -> Iterator[Parameters]:
    table = read_parameters(amended())
    rule_version.cache_clear()
    for module in ("provender.rule.law", "provender.audit.recompute.verify"):
        monkeypatch.setattr(f"{module}.parameters", lambda: table)
    yield table
    rule_version.cache_clear()


@pytest.mark.usefixtures("later_table")
@pytest.mark.parametrize(
    ("harvest", "text", "limit"),
    [
        (date(2025, 9, 26), "interim-2025", 200_000),
        (date(2026, 8, 31), "interim-2025", 200_000),
        (AMENDED, "amended-2026", 100_000),
    ],
)
def test_the_day_of_harvest_chooses_text_and_number(harvest: date, text: str, limit: int) -> None:
    law = rule_version(harvest)
    assert (law.id, law.no_till_stir_max) == (text, limit)


@pytest.mark.usefixtures("later_table")
def test_a_package_made_under_the_earlier_text_verifies_clean_where_a_later_one_is_loaded(tmp_path: Path) -> None:
    files = forge.clean()  # N40 has a STIR of 19.905: met under 20, not met under 10
    assert header().rule_version == "interim-2025"
    make_package(tmp_path / "farm.zip", header(), files)
    found = verify_package(tmp_path / "farm.zip", pinned=forge.PINS).found
    assert (found.problems, found.differences) == ((), [])


@pytest.mark.parametrize("head", [{"governs_from": date(2025, 1, 17)}, {"id": "interim-2025"}])
def test_texts_that_do_not_follow_each_other_are_refused(head: dict[str, Any]) -> None:
    with pytest.raises(ParametersError, match="follow each other"):
        read_parameters(amended(**head))
