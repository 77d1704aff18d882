"""Planting summaries that Climate FieldView exports: a feature for each planting, with field, day, crop and area.

The format is published (dev.fieldview.com/export-format, January 2020). Its shapes are what the planter covered, which
is no field's boundary.
"""

from pathlib import Path
from typing import Final

from provender.formats.acreage import AcreageReport, Planted
from provender.formats.geojson import load_json
from provender.formats.parsed import Parsed, listed, note, refused
from provender.formats.work import amount, at_greenwich, day_of, is_greenwich, mappings, number, positions, text_of
from provender.formats.yield_totals import POUNDS, crop_of
from provender.problem import Place, Problem

_EXPORT: Final = "Export the planting summary of FieldView again."


def read_plantings(path: Path, name: str) -> Parsed[AcreageReport]:
    """Read a summary; crops that are none of the rule's are counted and told."""
    document, problems = load_json(path.read_bytes(), name)
    if document is None:
        return Parsed(None, tuple(problems))
    planted: list[Planted] = []
    others: list[str] = []
    features = document.get("features") if isinstance(document, dict) else None
    for at, feature in enumerate(mappings(features), start=1):
        told = next(iter(mappings(feature.get("properties"))), {})
        work = next(iter(mappings(told.get("plantingActivity"))), {})
        area = next(iter(mappings(work.get("area"))), {})
        field, crop = text_of(told.get("field")), crop_of(text_of(work.get("crop")))
        spot = next(positions(feature.get("geometry")), None)
        day = day_of(work.get("date"), spot[0] if spot else None)
        acres = amount(number(area.get("q")), str(area.get("u") or ""), "acres")
        lacking = [what for what, has in (("field", field), ("day", day), ("crop", crop), ("area", acres)) if not has]
        if day and spot is None and is_greenwich(work.get("date")):
            problems.append(at_greenwich(Place(name, row=at), day))
        if lacking:
            cause = f"the planting {field or at!r} states no {listed(lacking)} that can be read; it was not taken."
            problems.append(Problem(Place(name, row=at), cause, _EXPORT, code="incomplete_planting"))
        elif crop not in POUNDS:
            others.append(crop)
        elif day and acres:
            planted.append(Planted(field, crop, acres, day.isoformat(), at))
    if others:
        cause = f"the summary has {len(others)} plantings of other crops ({listed(sorted(set(others)))})."
        problems.append(note(Place(name), cause, "Nothing, if they are no feedstock.", "other_crops"))
    if not planted and not problems:
        return refused(Place(name), "the file holds no planting.", _EXPORT, "no_operations")
    if not planted:
        return Parsed(None, tuple(problems))
    year = int(planted[0].day[:4])
    return Parsed(AcreageReport(year, tuple(planted), drawn=False, by_machine=True), tuple(problems))
