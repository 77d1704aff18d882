"""What readers found, as rows of record kinds: one small adapter per format, all through the records' own parsers.

Adapters write text under the record kind's column names, so that a foreign file meets the checks of a typed book.
"""

import re
from collections.abc import Mapping

from provender.exact import show
from provender.formats.boundaries import Boundaries
from provender.formats.parsed import MappedRow, MappedTable
from provender.formats.photos import Photo, PhotoVerdict
from provender.formats.units import identifier, identifiers
from provender.formats.yields import YieldLog
from provender.records.book import year_of


def boundary_files(found: Boundaries, ids: Mapping[str, str]) -> dict[str, str]:
    """Return the GeoJSON text of each boundary under the file name that ``unit_rows`` writes."""
    return {name: field.geojson for name, field in zip(_boundary_names(found, ids), found.fields, strict=True)}


def _boundary_names(found: Boundaries, ids: Mapping[str, str]) -> list[str]:
    names: list[str] = []
    for field in found.fields:
        stem = re.sub(r"[^\w-]+", "-", ids[field.label], flags=re.ASCII)
        # Many computers hold names to be the same that differ in case alone.
        count = sum(re.split(r"[~.]", name)[0].casefold() == stem.casefold() for name in names)
        names.append(f"{stem}~{count + 1}.geojson" if count else f"{stem}.geojson")
    return names


def unit_rows(found: Boundaries, file: str, ids: Mapping[str, str]) -> MappedTable:
    """Return boundaries as rows of ``unit``: measured acres, unless the file claims acres of its own.

    ``ids`` is the identifier of each field by its label.
    """
    rows = []
    for number, (name, field) in enumerate(zip(_boundary_names(found, ids), found.fields, strict=True), start=1):
        acres = field.acres if field.claimed_acres is None else field.claimed_acres
        values = {
            "unit_id": ids[field.label],
            "name": field.label,
            "acres": show(acres),
            "boundary": name,
            "known_by": "machine",
            "note": f"Measured {show(field.acres)} acres on the ellipsoid.",
        }
        rows.append(MappedRow(number, values))
    return MappedTable(file, "", "unit", tuple(rows))


def evidence_rows(photo: Photo, verdict: PhotoVerdict, file: str, *, unit_id: str = "") -> MappedTable:
    """Return a photograph as a row of ``evidence``; its note says what the file claims."""
    values = {
        "evidence_id": f"photo-{photo.sha256[:12]}",
        "file": file,
        "what": "photograph",
        "unit_id": unit_id,
        "taken_on": photo.taken.date().isoformat() if photo.taken else "",
        "sha256": photo.sha256,
        "known_by": "machine" if photo.taken or photo.longitude is not None else "",
        "note": verdict.sentence,
    }
    return MappedTable(file, "", "evidence", (MappedRow(1, {key: text for key, text in values.items() if text}),))


def name_in_log(field: str) -> str:
    """Return what a farm calls a field that a monitor numbers and names, such as ``F0:N40``."""
    return re.sub(r"^F\d+:\s*", "", field)


def harvest_rows(log: YieldLog, file: str, *, units: Mapping[str, str] | None = None) -> MappedTable:
    """Return a yield log as rows of ``harvest``, one per field and crop, bushels at the base moisture.

    ``units`` is the management unit by the monitor's field name, where a person has said so.
    """
    rows = []
    ids = identifiers(map(name_in_log, (field.field for field in log.fields)))
    for number, field in enumerate(log.fields, start=1):
        unit_id = (units or {}).get(field.field) or ids[name_in_log(field.field)]
        values = {
            "harvest_id": identifier(f"{unit_id}-{field.crop}-{year_of(field.first_day, field.last_day)}"),
            "unit_id": unit_id,
            "crop": field.crop,
            "use": "grain",
            "ending": "harvested",
            "first_day": field.first_day.isoformat(),
            "last_day": field.last_day.isoformat(),
            "bushels": show(field.dry_bushels),
            "harvested_acres": show(field.logged_acres),
            "moisture_pct": show(field.base_moisture_pct),
            "known_by": "machine",
            "note": f"{show(field.wet_bushels)} wet bushels at {show(field.moisture_pct)} %; {field.points} points.",
        }
        rows.append(MappedRow(number, values))
    return MappedTable(file, "", "harvest", tuple(rows))
