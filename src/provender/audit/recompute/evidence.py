"""Evidence files against their records and against the signed report; photographs against field and season.

A file swapped together with its hash in the records still differs from the hash in the signed report. A printout in
plain text must show the numbers that were entered from it. A photograph's own place and time are claims of the file:
outside the field, or outside the season, they contradict what it is evidence of.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import PurePosixPath
from typing import Any, Final

from provender.audit.outcome import Answer, Difference, brief, check
from provender.audit.package.collect import FORMAT, KIND, evidence_index
from provender.audit.package.contents import FarmPart, PackageContents, ReportFile, once
from provender.audit.package.layout import BESIDE, EVIDENCE_INDEX, STAMP, stamped
from provender.days import iso_day
from provender.exact import CI_SCALE, SCALE, parse, show
from provender.problem import listed
from provender.records.book import file_inside
from provender.records.folder import BOUNDARIES, EVIDENCE, SOURCES
from provender.records.kind import BASES, KINDS
from provender.signing.canonical import sha256_hex
from provender.standards.evidence import HOLDS, grade, names_in

# Files of a farm's package that none of its records names: nothing is passed over in silence (2100.030(d)).
#
# They prove nothing and contradict nothing, so they are told, not counted as differences: a farmer keeps more papers
# than a rule asks for, and whoever put one there may have meant it to be read.

_CREDITING: Final = tuple(kind for kind in HOLDS if kind not in ("declaration", "harvest"))
"""Kinds whose rows credit a practice; a declaration is always the producer's own word (interpretation 62)."""
_READ: Final = frozenset({*(f"{name}.csv" for name in KINDS), SOURCES, "README.md"})


def unnamed(farm: FarmPart) -> str:
    """Return what is told of a farm's files that nothing names; empty where each is named."""
    found = sorted(_unnamed(farm))
    if not found:
        return ""
    count = "1 file" if len(found) == 1 else f"{len(found)} files"
    return f"{farm.farm_id}: no record names {count} of the package: {listed(found, SHOWN)}."


def _unnamed(farm: FarmPart) -> Iterator[str]:
    places = (farm.evidence.path_of(row["file"], row["sha256"]) for row in farm.rows("evidence") if row["file"])
    root = farm.folder / EVIDENCE
    papers = {
        place.relative_to(root).as_posix() for place in places if place is not None and place.is_relative_to(root)
    }
    outlines = {PurePosixPath(str(row["boundary"])).name for row in farm.rows("unit") if row["boundary"]}
    for path in farm.files:
        if not path.startswith(f"{farm.prefix}/") or path.endswith(BESIDE):
            continue
        part, _, inner = path.removeprefix(f"{farm.prefix}/").partition("/")
        folder, _, name = inner.rpartition("/")
        if part == EVIDENCE:
            named = inner in papers
        elif part == "records" and folder == BOUNDARIES:
            named = name in outlines
        else:
            named = part != "records" or bool(folder) or name in _READ
        if not named:
            yield f"{part}/{inner}"


PHOTO: Final = "2100.052(b)(5)"
_PRINTOUT: Final = "2100.031(c)(2)(i)"
KEPT: Final = "2100.030(d)"
_NUMBER: Final = re.compile(r"-?\d[\d,]*(?:\.\d+)?")
_TEXT: Final = (".txt", ".csv")


@check("evidence", "2100.031(a)", _PRINTOUT)
def hashes(case: PackageContents) -> Iterator[Answer]:
    """Hold every evidence file against its record and every report that rests on it, and read text printouts."""
    for farm in case.farms:
        rows = {row["evidence_id"]: row for row in farm.rows("evidence")}
        yield len(rows)
        for row in rows.values():
            yield from _file(farm, row)
        for claimed in farm.latest:
            yield from _signed(farm, claimed, rows)
        yield from _printouts(farm, rows)
        yield from filter(None, [unnamed(farm)])
    if not case.farms:
        yield "The package holds no farm."


def _file(farm: FarmPart, row: Mapping[str, Any]) -> Iterator[Answer]:
    place = f"{farm.farm_id}, evidence {row['evidence_id']}, file {row['file']}"
    found = farm.evidence.hash_of(farm.farm_id, row["file"], row["sha256"])
    if not found:
        yield Difference("evidence_missing", KEPT, place, "a file of the evidence", "")
    elif not row["sha256"]:
        yield f"{place}: the record names no hash; the file may have been changed since it was entered."
    elif found != row["sha256"].lower():
        words = (f"hash {row['sha256'][:12].lower()} in the records", f"the file has {found[:12]}")
        yield Difference("evidence_swapped", KEPT, place, *words)


def _signed(farm: FarmPart, claimed: ReportFile, rows: dict[str, Mapping[str, Any]]) -> Iterator[Difference]:
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


def _printouts(farm: FarmPart, rows: dict[str, Mapping[str, Any]]) -> Iterator[Answer]:
    bushels = {row["harvest_id"]: row["bushels"] for row in farm.rows("harvest")}
    for run in farm.rows("calculator_run"):
        place = f"{farm.farm_id}, run {run['run_id']}, unit {run['unit_id']}"
        names = names_in(run["evidence"])
        if not names:
            yield f"{place}: no printout is named."
        for name in names:
            path = farm.evidence.path_of(rows[name]["file"], rows[name]["sha256"]) if name in rows else None
            if path is None or path.suffix.lower() not in _TEXT:
                yield f"{place}: compare the printout {name} by eye with the numbers entered."
                continue
            text = path.read_text(encoding="utf-8", errors="replace")
            for what, asked, places in _entered(run):
                if not _shows(text, run["unit_id"] if what != "farm CI" else "", asked, places):
                    entered = f"{what} {show(asked, places)}"
                    shown = f"the printout {name} does not show it"
                    yield Difference(
                        "printout_differs", _PRINTOUT, place, entered, shown, bushels.get(run["harvest_id"])
                    )


def _entered(run: Mapping[str, Any]) -> Iterator[tuple[str, int, int]]:
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


@check("photographs", PHOTO, nothing="The package holds no photograph.")
def photos(case: PackageContents) -> Iterator[Answer]:
    """Hold what photographs claim of place and time against the unit's boundary and the season."""
    for farm in case.farms:
        for row in farm.rows("evidence"):
            if row["what"] == "photograph":
                yield from _photo(farm, row, f"{farm.farm_id}, photograph {row['evidence_id']}, file {row['file']}")


def _photo(farm: FarmPart, row: Mapping[str, Any], place: str) -> Iterator[Answer]:
    path = farm.evidence.path_of(row["file"], row["sha256"])
    if path is None:
        yield f"{place}: not in the package."
        return
    from provender.formats.photos import Holds, judge, read_photo  # slow to load, and many packages hold none

    read = read_photo(path, row["file"])
    photo = read.result
    if photo is None:
        yield from (f"{place}: {problem.cause}" for problem in read.problems)
        return
    yield 1
    for first, last, unit, bushels in _seasons(farm, row):
        found = judge(photo, row["file"], boundary=_boundary(farm, unit), first=first, last=last)
        if found.place is Holds.DOES_NOT_FIT:
            words = (f"taken on unit {unit}", f"{found.distance_m:,} m outside its boundary")
            yield Difference("photo_outside_field", PHOTO, place, *words, bushels)
        if found.time is Holds.DOES_NOT_FIT and first != last:
            claimed = f"taken between {first} and {last}"
            yield Difference("photo_outside_season", PHOTO, place, claimed, found.sentence, bushels)
        if Holds.NOT_SHOWN in (found.place, found.time):
            yield f"{place}: {found.sentence}"
    taken = photo.taken.date() if photo.taken else None
    if row["taken_on"] and taken and taken != row["taken_on"]:
        words = (f"taken on {row['taken_on']} by its record", f"the file says {taken}")
        yield Difference("photo_day_differs", PHOTO, place, *words)


def _seasons(farm: FarmPart, row: Mapping[str, Any]) -> Iterator[tuple[date | None, date | None, str, int | None]]:
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


# The index of evidence made again, and facts that were written or shown late (interpretations 57, 75).
#
# Beside each fact stand the day it happened, the day its evidence was made and the day on which that file is proved to
# have existed. What was typed after the harvest, or is shown by a file made after it, is listed for the verifier.

_CITE: Final = "2100.051(c)"
SHOWN: Final = 5
"""So many rows of a kind are named, the rest counted."""


@once
def index_of(case: PackageContents) -> dict[str, Any]:
    """Return the index of the package's evidence, made again, with the day on which each file is proved to be there."""
    out = {one.path: one.sha256 for one in case.header.left_out} if case.header else {}
    parties = case.header.parties if case.header else {}

    def hashed(path: str) -> str:
        return sha256_hex(case[path]) if path in case else out.get(path, "")

    return evidence_index(parties, [*case, *out], lambda path: case.get(path, b""), hashed)


@once
def proved_days(case: PackageContents) -> Mapping[tuple[str, str], date]:
    """Return the day on which files of evidence are proved to have existed, by farm and file."""
    stamps = [path for path in case if "/evidence/" in path and path.endswith(STAMP)]
    if not stamps or case.header is None:
        return {}
    found = {}
    for folder, party in case.header.parties.items():
        start = f"{folder}/evidence/"
        for stamp in stamps:
            path = stamp.removesuffix(STAMP)
            proof = stamped(case, path, case.roots)[0] if path.startswith(start) and path in case else None
            if proof is not None:
                found[party, path.removeprefix(start)] = proof.on
    return found


def evidence_of(case: PackageContents) -> tuple[dict[str, Any], ...]:
    """Return the index of the evidence, each file with the day on which it is proved to have existed."""
    proved = proved_days(case)
    rows = index_of(case)["files"]
    return tuple({**row, "proved_on": str(proved.get((row["farm"], row["file"]), ""))} for row in rows)


@check("evidence index", _CITE, KEPT)
def indexed(case: PackageContents) -> Iterator[Answer]:
    """Hold the package's own index against one made again, and list what was written or shown late."""
    again = index_of(case)
    yield len(again["files"])
    if EVIDENCE_INDEX in case:
        yield from _differs(case.json(EVIDENCE_INDEX), again)
    elif again["files"]:
        yield "The package holds no index of its evidence."
    for farm in case.farms:
        yield from (*_typed_late(farm), *_shown_late(farm, again))


def _differs(given: object, index: Mapping[str, Any]) -> Iterator[Difference]:
    files = given.get("files") if isinstance(given, Mapping) else None
    rows = [row for row in files if isinstance(row, Mapping)] if isinstance(files, list) else []
    said = {(str(row.get("farm")), str(row.get("file"))): row for row in rows}
    right = {(row["farm"], row["file"]): row for row in index["files"]}
    named = (given.get("kind"), given.get("format")) == (KIND, FORMAT) if isinstance(given, Mapping) else False
    whole = named and isinstance(files, list)
    if not whole or len(said) != len(rows) or len(rows) != len(files or ()):
        words = ("an index of evidence", "it cannot be read as one, or names a file twice")
        yield Difference("evidence_index_unreadable", _CITE, EVIDENCE_INDEX, *words)
    for key in sorted({*said, *right}):
        one, again = said.get(key, {}), right.get(key, {})
        for name in sorted({*one, *again}):
            if one.get(name) != again.get(name):
                place = f"{EVIDENCE_INDEX}, {key[0]}, {key[1]}, {str(name).replace('_', ' ')}"
                yield Difference("evidence_index_differs", _CITE, place, brief(one.get(name)), brief(again.get(name)))


def _typed_late(farm: FarmPart) -> Iterator[str]:
    """Tell of the rows that credit a practice and were typed after the harvest."""
    rows = farm.assessment.rows(farm.farm_id)
    for kind in _CREDITING:
        late = [row.id for row in rows[KINDS[kind].row] if grade(rows, row).known_by == BASES[-1]]
        if late:
            words = f"{len(late)} {kind.replace('_', ' ')} rows typed after harvest"
            yield f"{farm.farm_id}: {words}: {listed(late, SHOWN)}."


def _shown_late(farm: FarmPart, index: Mapping[str, Any]) -> Iterator[str]:
    """Tell of files made after the last harvest of the farm's reports, and what they show of the season before."""
    last = max(farm.harvest_days(*farm.latest), default=date.max)
    for row in index["files"]:
        made = iso_day(row["made_on"])
        before = [one for one in row["supports"] if (day := iso_day(one["happened_on"])) is not None and day <= last]
        if row["farm"] == farm.farm_id and before and made is not None and made > last:
            names = listed(
                (f"{one['record'].replace('_', ' ')} {one['row']} of {one['happened_on']}" for one in before), SHOWN
            )
            yield f"{farm.farm_id}: {row['file']}, made on {row['made_on']} after the harvest, shows {names}."
