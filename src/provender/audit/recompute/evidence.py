"""Evidence files against their records and against the signed report; photographs against field and season.

A file swapped together with its hash in the records still differs from the hash in the signed report. A printout in
plain text must show the numbers that were entered from it. A photograph's own place and time are claims of the file:
outside the field, or outside the season, they contradict what it is evidence of.
"""

import re
from collections.abc import Iterator
from datetime import date
from typing import TYPE_CHECKING, Any, Final

from provender.audit.outcome import CheckResult, Difference
from provender.audit.package.contents import PackageContents
from provender.audit.package.farm_section import FarmPart, ReportFile
from provender.audit.recompute.unnamed import unnamed
from provender.quantity import CI_SCALE, SCALE, parse, show
from provender.records.evidence_files import file_inside
from provender.records.folder import BOUNDARIES

if TYPE_CHECKING:
    from provender.formats.photo_verdict import PhotoVerdict
    from provender.formats.photos import Photo

CITES: Final = ("2100.031(a)", "2100.031(c)(2)(i)")
PHOTO_CITES: Final = ("2100.052(b)(5)",)
PHOTO: Final = "2100.052(b)(5)"
PRINTOUT: Final = "2100.031(c)(2)(i)"
KEPT: Final = "2100.030(d)"
_NUMBER: Final = re.compile(r"-?\d[\d,]*(?:\.\d+)?")
_TEXT: Final = (".txt", ".csv")


def hashes(case: PackageContents) -> CheckResult:
    """Hold every evidence file against its record and every report that rests on it, and read text printouts."""
    differences: list[Difference] = []
    told: list[str] = []
    computed = 0
    for farm in case.farms:
        rows = {row["evidence_id"]: row for row in farm.rows("evidence")}
        computed += len(rows)
        for row in rows.values():
            differences += _file(farm, row, told)
        for claimed in farm.latest:
            differences += _signed(farm, claimed, rows)
        differences += _printouts(farm, rows, told)
        told += filter(None, [unnamed(farm)])
    if not case.farms:
        told.append("The package holds no farm.")
    return CheckResult("evidence", CITES, computed, tuple(differences), tuple(told))


def _file(farm: FarmPart, row: dict[str, Any], told: list[str]) -> Iterator[Difference]:
    place = f"{farm.farm_id}, evidence {row['evidence_id']}, file {row['file']}"
    found = farm.evidence.hash_of(farm.farm_id, row["file"], row["sha256"])
    if not found:
        yield Difference("evidence_missing", KEPT, place, "a file of the evidence", "")
    elif not row["sha256"]:
        told.append(f"{place}: the record names no hash; the file may have been changed since it was entered.")
    elif found != row["sha256"].lower():
        words = (f"hash {row['sha256'][:12].lower()} in the records", f"the file has {found[:12]}")
        yield Difference("evidence_swapped", KEPT, place, *words)


def _signed(farm: FarmPart, claimed: ReportFile, rows: dict[str, dict[str, Any]]) -> Iterator[Difference]:
    lines = claimed.document.get("rests_on", {}).get("evidence", [])
    if not lines and rows:
        yield Difference(
            "report_rests_on_nothing",
            KEPT,
            claimed.name,
            "no evidence",
            "1 evidence record" if len(rows) == 1 else f"{len(rows)} evidence records",
        )
    for line in lines:
        place = f"{claimed.name}: evidence {line['evidence_id']}, file {line['file']}"
        found = farm.evidence.hash_of(farm.farm_id, line["file"], line["sha256"])
        if line["evidence_id"] not in rows:
            yield Difference("evidence_record_missing", KEPT, place, "an evidence record", "", claimed.bushels)
        if line["sha256"] and found and found != line["sha256"]:
            words = (f"hash {line['sha256'][:12]} in the signed report", f"the file has {found[:12]}")
            yield Difference("evidence_swapped", KEPT, place, *words, claimed.bushels)


def _printouts(farm: FarmPart, rows: dict[str, dict[str, Any]], told: list[str]) -> Iterator[Difference]:
    bushels = {row["harvest_id"]: row["bushels"] for row in farm.rows("harvest")}
    for run in farm.rows("calculator_run"):
        place = f"{farm.farm_id}, run {run['run_id']}, unit {run['unit_id']}"
        names = [name.strip() for name in (run["evidence"] or "").split(";") if name.strip()]
        if not names:
            told.append(f"{place}: no printout is named.")
        for name in names:
            path = farm.evidence.path_of(rows[name]["file"], rows[name]["sha256"]) if name in rows else None
            if path is None or path.suffix.lower() not in _TEXT:
                told.append(f"{place}: compare the printout {name} by eye with the numbers entered.")
                continue
            text = path.read_text(encoding="utf-8", errors="replace")
            for what, asked, places in _entered(run):
                if not _shows(text, run["unit_id"] if what != "farm CI" else "", asked, places):
                    entered = f"{what} {show(asked, places)}"
                    shown = f"the printout {name} does not show it"
                    yield Difference(
                        "printout_differs", PRINTOUT, place, entered, shown, bushels.get(run["harvest_id"])
                    )


def _entered(run: dict[str, Any]) -> Iterator[tuple[str, int, int]]:
    for column, what, places in (
        ("ci_g_per_bu", "CI", CI_SCALE),
        ("acres", "acres", SCALE),
        ("yield_bu_per_ac", "yield", SCALE),
        ("farm_ci_g_per_bu", "farm CI", CI_SCALE),
    ):
        if run[column] is not None:
            yield what, run[column], places


def _shows(text: str, unit: str, asked: int, places: int) -> bool:
    """Tell whether a text shows a number, on a line that names the unit where there is one."""
    lines = text.splitlines()
    named = [line for line in lines if unit and re.search(rf"(?<!\w){re.escape(unit)}(?!\w)", line)]
    for line in named or lines:
        for found in _NUMBER.findall(line):
            try:
                if parse(found.rstrip(","), places) == asked:
                    return True
            except ValueError:
                continue
    return False


def photos(case: PackageContents) -> CheckResult:
    """Hold what photographs claim of place and time against the unit's boundary and the season."""
    differences: list[Difference] = []
    told: list[str] = []
    computed = 0
    for farm in case.farms:
        for row in farm.rows("evidence"):
            if row["what"] != "photograph":
                continue
            place = f"{farm.farm_id}, photograph {row['evidence_id']}, file {row['file']}"
            path = farm.evidence.path_of(row["file"], row["sha256"])
            if path is None:
                told.append(f"{place}: not in the package.")
                continue
            from provender.formats.photos import read_photo  # slow to load, and many packages hold no photograph

            read = read_photo(path, row["file"])
            if read.result is None:
                told += [f"{place}: {problem.cause}" for problem in read.problems]
                continue
            computed += 1
            differences += _photo(farm, row, read.result, place, told)
    if not computed and not told:
        told.append("The package holds no photograph.")
    return CheckResult("photographs", PHOTO_CITES, computed, tuple(differences), tuple(told))


def _photo(farm: FarmPart, row: dict[str, Any], photo: "Photo", place: str, told: list[str]) -> Iterator[Difference]:
    from provender.formats.photo_verdict import Holds, judge

    for first, last, unit, bushels in _seasons(farm, row):
        boundary = _boundary(farm, unit)
        found = judge(photo, row["file"], boundary=boundary, first=first, last=last)
        if found.place is Holds.DOES_NOT_FIT:
            words = (f"taken on unit {unit}", f"{found.distance_m:,} m outside its boundary")
            yield Difference("photo_outside_field", PHOTO, place, *words, bushels)
        if found.time is Holds.DOES_NOT_FIT and first != last:
            claimed = f"taken between {first} and {last}"
            yield Difference("photo_outside_season", PHOTO, place, claimed, found.sentence, bushels)
        told += _open(found, place)
    taken = photo.taken.date() if photo.taken else None
    if row["taken_on"] and taken and taken != row["taken_on"]:
        words = (f"taken on {row['taken_on']} by its record", f"the file says {taken}")
        yield Difference("photo_day_differs", PHOTO, place, *words)


def _open(found: "PhotoVerdict", place: str) -> Iterator[str]:
    from provender.formats.photo_verdict import Holds

    if Holds.NOT_SHOWN in (found.place, found.time):
        yield f"{place}: {found.sentence}"


def _seasons(farm: FarmPart, row: dict[str, Any]) -> Iterator[tuple[date | None, date | None, str, int | None]]:
    """Yield the days, unit and bushels for each cover crop that a photograph shows established."""
    bushels = {one["harvest_id"]: one["bushels"] for one in farm.rows("harvest")}
    covers = [one for one in farm.rows("cover_crop") if one["established_photo"] == row["evidence_id"]]
    for cover in covers:
        yield cover["seeded_on"], cover["terminated_on"], cover["unit_id"], bushels.get(cover["harvest_id"])
    if not covers and row["unit_id"]:
        # Without a season the day that its record gives is all there is to hold it against.
        yield row["taken_on"], row["taken_on"], row["unit_id"], None


def _boundary(farm: FarmPart, unit: str) -> str:
    row = next((one for one in farm.rows("unit") if one["unit_id"] == unit), None)
    path = file_inside(farm.folder / BOUNDARIES, row["boundary"] or "") if row else None
    if row is None or path is None:
        return ""
    from provender.formats.boundaries import outline_of_unit, read_boundaries

    return outline_of_unit(read_boundaries(path, row["boundary"]).result, unit, row["name"])
