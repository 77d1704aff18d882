"""What only shows when several parties' papers lie side by side (interpretations 29, 34).

One farm alone can make its records and its report agree. It cannot change the printouts of its neighbours, the copy of
its report that the buyer keeps, or the fields and tickets that stand behind another farm's bushels.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations, pairwise
from typing import Final

from provender.audit.outcome import CheckResult, Difference
from provender.audit.package.contents import PackageContents
from provender.audit.package.farm_section import FarmPart, ReportFile
from provender.audit.recompute.report_diff import compare
from provender.custody.model.origins import origin_name
from provender.intensity.book_facts import farm_facts
from provender.intensity.official import RunFacts
from provender.intensity.run_checks import one_ci_per_inputs
from provender.records.evidence_files import file_inside
from provender.records.folder import BOUNDARIES
from provender.rule.crops import Crop

SAME: Final = ("2100.031(c)(2)(i)",)
ORIGIN: Final = ("2100.031(c)", "2100.032(a)")
COPIES: Final = ("2100.032(b)(1)",)
OVERLAP_LEAST: Final = 0.05
"""Share of the smaller field above which two farms report the same ground; lines drawn twice differ by less."""


def same_inputs(case: PackageContents) -> CheckResult:
    """Hold the calculator's results of all farms against each other: the same inputs give the same CI."""
    runs = [run for farm in case.farms for run in _runs(farm)]
    differences = tuple(
        Difference(one.code, one.cite, one.subject, one.claimed, one.expected, one.effect_bushels)
        for one in one_ci_per_inputs(runs)
    )
    told = () if runs else ("The package holds no calculator run.",)
    return CheckResult("same inputs, same CI", SAME, len(runs), differences, told)


def _runs(farm: FarmPart) -> Iterator[RunFacts]:
    for name, crop, year in {one.key for one in farm.latest}:
        if crop in set(Crop):
            yield from farm_facts(farm.assessment, name, Crop(crop), year).runs


def _everywhere(case: PackageContents) -> list[ReportFile]:
    """Return every report at hand: the farms' own and the copies in other hands."""
    return [*(one for farm in case.farms for one in farm.reports), *case.held_reports]


def one_origin(case: PackageContents) -> CheckResult:
    """Look for a second report of a farm, crop and year, for one field or ticket behind two farms."""
    reports = _everywhere(case)
    differences = [*_second_reports(reports), *_wrong_farm(case), *_same_ground(case), *_same_tickets(case)]
    told = () if reports else ("The package holds no report.",)
    return CheckResult("one origin", ORIGIN, len(reports), tuple(differences), told)


def _second_reports(reports: Iterable[ReportFile]) -> Iterator[Difference]:
    """Yield reports of one key that stand under different origins: each would bring its own serial numbers.

    A first version signed by hand has the readable id and no salt; the salt comes with the first electronic one.
    """
    first: dict[tuple[str, str, int], ReportFile] = {}
    for one in sorted(reports, key=lambda one: one.version):
        other = first.setdefault(one.key, one)
        if one.version > other.version and _unsalted(other) and not _unsalted(one):
            first[one.key] = one
            continue
        ids = (str(other.document["edition"]["origin_id"]), str(one.document["edition"]["origin_id"]))
        if ids[0] != ids[1]:
            words = (f"origin {ids[1][:12]} in {one.path}", f"origin {ids[0][:12]} in {other.path}")
            yield Difference("second_report", "2100.031(c)", one.name, *words, one.bushels)


def _unsalted(one: ReportFile) -> bool:
    edition = one.document["edition"]
    return not edition.get("salt") and edition["origin_id"] in ("", origin_name(*one.key))


def _wrong_farm(case: PackageContents) -> Iterator[Difference]:
    for farm in case.farms:
        for one in farm.reports:
            if one.key[0] != farm.farm_id:
                words = (f"a report of {farm.farm_id}", f"a report of {one.key[0]}")
                yield Difference("report_of_other_farm", "2100.031(c)(1)", one.path, *words, one.bushels)


def _same_ground(case: PackageContents) -> Iterator[Difference]:
    """Yield pairs of fields of two farms that lie on each other and bore the same crop in the same year."""
    if len(case.farms) < 2:  # noqa: PLR2004 - two farms are needed to report the same ground
        return
    shapes = [(farm, unit, shape, _grown(farm, unit)) for farm in case.farms for unit, shape in _shapes(farm)]
    for (a, unit_a, left, grown_a), (b, unit_b, right, grown_b) in combinations(shapes, 2):
        both = grown_a.keys() & grown_b.keys()
        if a.farm_id == b.farm_id or not both or not left.intersects(right):
            continue
        share = left.intersection(right).area / min(left.area, right.area)
        if share > OVERLAP_LEAST:
            place = f"{a.farm_id} unit {unit_a} and {b.farm_id} unit {unit_b}"
            words = ("two fields", f"{share:.0%} of the smaller lies in the other")
            bushels = max(grown_a[key] + grown_b[key] for key in both)
            yield Difference("same_ground_twice", "2100.032(a)", place, *words, bushels)


def _shapes(farm: FarmPart):  # type: ignore[no-untyped-def]  # noqa: ANN202 - shapely has no types
    # Boundaries need libraries that are slow to load; one farm alone never does.
    from shapely import from_geojson

    from provender.formats.boundaries import of_unit, read_boundaries

    for row in farm.rows("unit"):
        path = file_inside(farm.folder / BOUNDARIES, row["boundary"] or "")
        if path is None:
            continue
        read = read_boundaries(path, row["boundary"]).result
        for one in of_unit(read, row["unit_id"], row["name"]) if read else ():
            yield row["unit_id"], from_geojson(one.geojson)


def _grown(farm: FarmPart, unit: str) -> dict[tuple[str, int | None], int]:
    """Return bushels by crop and harvest year of a unit; zero where they are not recorded."""
    return {
        (row["crop"], farm.assessment.harvest_year(row)): row["bushels"] or 0
        for row in farm.rows("harvest")
        if row["unit_id"] == unit and row["last_day"] and row["ending"] == "harvested"
    }


def _same_tickets(case: PackageContents) -> Iterator[Difference]:
    seen: dict[tuple[str, str, object], list[tuple[str, int]]] = defaultdict(list)
    for farm in case.farms:
        for row in farm.rows("scale_ticket"):
            seen[row["buyer"], row["ticket_id"], row["day"]].append((farm.farm_id, row["net_bushels"] or 0))
    for (buyer, ticket, _), held in seen.items():
        if len({farm for farm, _ in held}) > 1:
            place = f"ticket {ticket} of {buyer}"
            words = (", ".join(sorted(farm for farm, _ in held)), "one farm")
            yield Difference("ticket_behind_two_farms", "2100.032(a)", place, *words, max(b for _, b in held))


def copies(case: PackageContents) -> CheckResult:
    """Compare each farm's reports with the copies that its buyers hold, field by field."""
    held = case.held_reports
    mine = {(one.key, one.version): one for farm in case.farms for one in farm.reports}
    differences: list[Difference] = []
    told: list[str] = []
    computed = 0
    for copy in held:
        own = mine.get((copy.key, copy.version))
        if own is None:
            continue
        computed += 1
        if own.digest != copy.digest:
            differences += _changed_since(own, copy)
        differences += _records_since(case, copy)
    for one, other in pairwise(sorted(held, key=lambda one: (one.key, one.version))):
        if (one.key, one.version) == (other.key, other.version) and one.mark != other.mark:
            words = (f"two texts, in {one.path} and {other.path}", "one report of this version")
            differences.append(Difference("copies_differ", "2100.032(b)(1)", one.name, *words, one.bushels))
    if not computed:
        told.append("No copy of a farm's report in other hands is here; bring the buyer's (--held).")
    return CheckResult("copies in other hands", COPIES, computed, tuple(differences), tuple(told))


def _changed_since(own: ReportFile, copy: ReportFile) -> Iterator[Difference]:
    found = compare(own.document, copy.document, f"{own.name}, as in {copy.path}", code="copy_differs")
    yield from found
    if not found:
        yield Difference(
            "copy_differs", "2100.032(b)(1)", own.name, "the text here", f"another in {copy.path}", own.bushels
        )


def _records_since(case: PackageContents, copy: ReportFile) -> Iterator[Difference]:
    """Yield what the records give otherwise than the buyer's copy says, where the farm's own report hides it."""
    for farm in case.farms:
        again = farm.recomputed.get(copy.key)
        latest = {one.key: one.version for one in farm.latest}
        if again is None or latest.get(copy.key) != copy.version:
            continue
        own = next(one for one in farm.latest if one.key == copy.key)
        if own.digest == copy.digest:
            continue  # compared with the records already
        lost = {line["evidence_id"]: line for line in copy.document.get("rests_on", {}).get("evidence", [])}
        now = {line["evidence_id"]: line for line in again["rests_on"]["evidence"]}
        for name, line in lost.items():
            if name not in now or now[name]["sha256"] != line["sha256"]:
                place = f"{copy.name}: evidence {name}, file {line['file']}"
                said = f"hash {str(line['sha256'])[:12]} in the copy {copy.path}"
                found = f"hash {str(now[name]['sha256'])[:12]}" if name in now else "no such evidence"
                yield Difference("evidence_swapped", "2100.030(d)", place, said, found, copy.bushels)
