"""USDA's acreage reports as ACRSI JSON: acres of each crop and planting days; outlines go the way of all boundaries.

Crops are FSA's codes; a code that is none of the rule's crops is told, not taken; so is prevented planting,
whose acres were never planted.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from provender.formats.geojson import load_json
from provender.formats.parsed import Parsed, listed, note, refused
from provender.formats.work import amount, day_of, mappings, number
from provender.problem import Place, Problem

CROPS: Final = {"0041": "corn", "0051": "sorghum", "0081": "soybeans"}
"""FSA's crop codes of the feedstocks; general knowledge but for soybeans, which USDA's own example bears out."""
PREVENTED: Final = "P"
"""Product planting code of acres that were never planted."""
_EXPORT: Final = "Ask the county office or the crop insurer for the report again."
_YEARS: Final = range(2000, 2101)


@dataclass(frozen=True, slots=True)
class Planted:
    """One crop on one field of a report.

    Attributes:
        field: farm, tract and field, as boundaries of the report are called.
        crop: of the rule.
        acres: thousandths.
        day: of planting, ISO; empty where none is stated.
        number: its place in the report.
    """

    field: str
    crop: str
    acres: int
    day: str
    number: int


@dataclass(frozen=True, slots=True)
class AcreageReport:
    """What a report says.

    Attributes:
        year: of the crop.
        planted: every crop of the rule on every field.
        drawn: the report holds outlines.
        by_machine: a planter logged it; its years are those of the days, and it reports no acres to USDA.
    """

    year: int
    planted: tuple[Planted, ...]
    drawn: bool
    by_machine: bool = False


def read_acreage(path: Path, name: str) -> Parsed[AcreageReport]:
    """Read a report; what it says of crops that are none of the rule's is counted and told."""
    data = path.read_bytes()
    document, problems = load_json(data, name)
    if document is None:
        return Parsed(None, tuple(problems))
    year = number(document.get("cropYear")) if isinstance(document, dict) else None
    if year is None or year not in _YEARS:
        return refused(Place(name), "the report states no crop year.", _EXPORT, "no_year")
    planted: list[Planted] = []
    others: dict[str, int] = {}
    prevented = 0
    for at, (label, plan) in enumerate(_plans(document), start=1):
        code = str(plan.get("coreProductCode") or "").strip().zfill(4)
        acres = amount(number(plan.get("originalReportedAcreage")), "acres", "acres")
        if code not in CROPS:
            others[code] = others.get(code, 0) + 1
        elif str(plan.get("productPlantingCode") or "").strip().upper() == PREVENTED:
            prevented += 1
        elif not acres:
            cause = f"{CROPS[code]} on {label or 'a field'} has no acres that can be read; it was not counted."
            problems.append(Problem(Place(name, row=at), cause, "Type the acres reported.", code="no_acres"))
        else:
            day = day_of(plan.get("originalPlantedDate"), None)
            planted.append(Planted(label, CROPS[code], acres, day.isoformat() if day else "", at))
    if prevented:
        entries = "entry" if prevented == 1 else "entries"
        cause = f"the report has {prevented} {entries} of prevented planting; those acres are none that were planted."
        problems.append(note(Place(name), cause, "Nothing, if that is so.", "prevented_planting"))
    if others:
        cause = f"the report has {sum(others.values())} entries of other crops (codes {listed(sorted(others))})."
        problems.append(note(Place(name), cause, "Nothing, if they are no feedstock.", "other_crops"))
    return Parsed(AcreageReport(int(year), tuple(planted), b'"coordinates"' in data), tuple(problems))


def _plans(document: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for farm in mappings(document.get("farm")):
        for tract in mappings(farm.get("tract")):
            for field in mappings(tract.get("field")):
                parts = (farm.get("farmNumber"), tract.get("tractNumber"), field.get("fieldNumber"))
                label = "-".join(str(part) for part in parts) if all(part is not None for part in parts) else ""
                for plan in mappings(field.get("agriculturalProductionPlan")):
                    yield label, plan
