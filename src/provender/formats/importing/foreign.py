"""Boundaries, photographs, laboratory files, acreage reports and crop history by satellite on their way into a book."""

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Final, cast

from shapely import from_geojson
from shapely.geometry.base import BaseGeometry

from provender.catalog.places import NATURAL, county_of_point, land_cover
from provender.exact import show
from provender.formats.boundaries import (
    Boundaries,
    Boundary,
    compare_acres,
    county_doubts,
    ground_shared,
    outline_of_unit,
    read_boundaries,
)
from provender.formats.detect import Kind as FileKind
from provender.formats.importing.crop_entries import Named
from provender.formats.importing.from_mapped import evidence_id, from_mapped, kept_file
from provender.formats.importing.incoming_files import Arrival, Choices, Source
from provender.formats.importing.references import Known, known_records
from provender.formats.parsed import MappedRow, MappedTable, doubt, note
from provender.formats.photos import Photo, judge, metres_outside
from provender.formats.rows import boundary_files, evidence_rows, unit_rows
from provender.formats.summaries import AcreageReport, Planted
from provender.formats.units import identifier, identifiers
from provender.problem import Place, Problem, listed
from provender.records.book import RecordBook, file_inside
from provender.records.folder import BOUNDARIES
from provender.rule.law import NotInForceError, rule_version

ASKED: Final = "land_from_above"
_OF_LAND: Final = "If it bore a crop then, hay too, nothing is to be done; if it did not, answer so in the declaration."

Row = Mapping[str, object]
Read = dict[Path, Boundaries | None]
"""The areas of each file; None where none can be read."""


def drawn(book: RecordBook, row: Row, read: Read) -> str:
    """Return the outline of a unit as GeoJSON, empty for none; files that are read are added to those read before."""
    named = str(row["boundary"] or "")
    path = file_inside(book.folder / BOUNDARIES, named) if book.folder else None
    if path is None:
        return ""
    if path not in read:
        read[path] = read_boundaries(path, named).result
    return outline_of_unit(read[path], str(row["unit_id"]), None if row["name"] is None else str(row["name"]))


def boundary_of(book: RecordBook | None, unit_id: str, choices: Choices) -> str:
    """Return the GeoJSON of a unit's boundary in this import or in the book's folder; empty where none can be read."""
    return outlines_of(book, choices, unit_id).get(unit_id, "")


def _rows(book: RecordBook | None, kind: str) -> Iterable[Row]:
    return [] if book is None else book[kind]


def unit_called(book: RecordBook | None, name: str) -> str:
    """Return the one unit of the book that is called so, by identifier or name, blind to case, blanks and signs."""
    return _called({str(row["unit_id"]): row for row in _rows(book, "unit")}, name)


def _called(known: Mapping[str, Row], name: str) -> str:
    there = Known({("unit", ""): {unit: str(row["name"] or "") for unit, row in known.items()}})
    meant = there.meant("unit", "", name)
    return meant[0] if len(meant) == 1 else ""


def boundaries(path: Path, source: Source, choices: Choices, book: RecordBook | None) -> Arrival:
    """Read boundaries into files and rows of units; acres of the book stay, and are held against the ground."""
    arrival = Arrival(source, "boundaries")
    limit = choices.boundary_limit_pct
    found = cast("Boundaries | None", arrival.read("boundaries", path, choices, limit_pct=limit))
    if found is None:
        return arrival
    boundaries_found(found, arrival, choices, book)
    arrival.tables.append(kept_file(source, "map", choices))
    return arrival


def boundaries_found(
    found: Boundaries, arrival: Arrival, choices: Choices, book: RecordBook | None, *, waits: bool = False
) -> None:
    """Turn outlines into files and rows of units; see ``boundaries``."""
    source = arrival.source
    known = {str(row["unit_id"]): row for row in _rows(book, "unit")}
    if len(found.fields) == 1 and choices.units.get(""):
        found = Boundaries((replace(found.fields[0], label=choices.units[""]),))
    else:
        found = Boundaries(tuple(_labelled(field, known, choices, arrival) for field in found.fields))
    earlier = _drawn_in_book(book, known.keys() - {field.label for field in found.fields}, choices)
    ids = identifiers((field.label for field in found.fields), known)
    arrival.problems += _kept_apart(ids, Place(source.name, column="unit_id"))
    rows = []
    for row, field in zip(unit_rows(found, source.name, ids).rows, found.fields, strict=True):
        old = known.get(row.values["unit_id"])
        rows.append(_new_unit(row, field) if old is None else _known_unit(row, field, old, arrival, choices))
        stated = str((old or {}).get("county_fips") or "")
        place = Place(source.name, row=row.number, column="county_fips")
        arrival.problems += county_doubts(from_geojson(field.geojson), row.values["unit_id"], stated, place)
        arrival.problems += _drawn_before(row.values["unit_id"], field, earlier, Place(source.name, row=row.number))
        arrival.outlines[row.values["unit_id"]] = field.geojson
    arrival.files = {f"{BOUNDARIES}/{name}": text.encode() for name, text in boundary_files(found, ids).items()}
    arrival.tables.append(
        from_mapped(MappedTable(source.name, "", "unit", tuple(rows)), source, (), choices, waits=waits)
    )


def _kept_apart(ids: Mapping[str, str], place: Place) -> list[Problem]:
    """Say which fields got a number, since another one would have the same identifier."""
    apart = [f"{label!r} as {own}" for label, own in ids.items() if own not in (label, identifier(label))]
    if not apart:
        return []
    cause = f"fields whose names differ in signs alone are kept apart: {listed(apart)}."
    return [note(place, cause, "Nothing, if they are different fields.", "kept_apart")]


def _labelled(field: Boundary, known: Mapping[str, Row], choices: Choices, arrival: Arrival) -> Boundary:
    """Return an outline under the unit that a person named, or the one unit of the book that is called so."""
    said = choices.unit_for(field.label)
    if said or field.label in known:
        return replace(field, label=said or field.label)
    called = _called(known, field.label)
    if not called:
        return field
    if known[called]["name"] == field.label:
        return replace(field, label=called)
    cause = f"the outline {field.label!r} was taken for unit {called}, which is called so."
    remedy = "Confirm it, or say which unit it is."
    arrival.problems.append(doubt(Place(arrival.source.name), cause, remedy, "unit_by_name"))
    return replace(field, label=called)


def _drawn_in_book(book: RecordBook | None, units: Iterable[str], choices: Choices) -> dict[str, BaseGeometry]:
    """Return the outlines of units; one that is not sound cannot be compared and is left out."""
    outlines = outlines_of(book, choices)
    shapes = {unit: from_geojson(outlines[unit]) for unit in sorted(units) if unit in outlines}
    return {unit: shape for unit, shape in shapes.items() if shape.is_valid and shape.area}


def _drawn_before(unit_id: str, field: Boundary, earlier: Mapping[str, BaseGeometry], place: Place) -> list[Problem]:
    """Ask about ground that another unit of the book has: one field under two names counts twice."""
    shape = from_geojson(field.geojson)
    told = []
    for other, its in earlier.items():
        share = ground_shared(shape, its) if shape.intersects(its) else None
        if share is not None:
            cause = f"{unit_id} shares ground with unit {other} of the book ({share} % of the smaller)."
            remedy = (
                f"If it is the same field, remove one of them; if {other} was split or merged, nothing is to be done."
            )
            told.append(doubt(place, cause, remedy, "unit_drawn_twice"))
    return told


def _new_unit(row: MappedRow, field: Boundary) -> MappedRow:
    """Add the county, where the middle of the field lies well inside of one."""
    middle = from_geojson(field.geojson).representative_point()
    county = county_of_point(middle.x, middle.y)
    if not county.sure or county.fips is None:
        return row
    said = f"{row.values['note']} County by position."
    return MappedRow(row.number, {**row.values, "county_fips": county.fips, "note": said})


def _known_unit(row: MappedRow, field: Boundary, old: Row, arrival: Arrival, choices: Choices) -> MappedRow:
    """Leave a unit of the book as it is but for its boundary; its acres are held against the measured ones."""
    acres = old["acres"]
    if isinstance(acres, int):
        place = Place(arrival.source.name, row=row.number, column="acres")
        apart = compare_acres(field.acres, acres, choices.boundary_limit_pct, place)
        said = f"{old['unit_id']}: {show(field.acres)} acres on the ellipsoid, {show(acres)} in the book."
        arrival.problems.append(apart or note(place, said, "Nothing to do.", "acres_agree"))
    return MappedRow(row.number, {name: row.values[name] for name in ("unit_id", "boundary")})


def photograph(path: Path, source: Source, choices: Choices, book: RecordBook | None) -> Arrival:
    """Read a photograph into a row of evidence, with what its claims of place and time are worth."""
    arrival = Arrival(source, "photograph")
    photo = cast("Photo | None", arrival.read("photo", path, choices))
    if photo is None:
        return arrival
    unit_id = choices.unit_for(source.name) or unit_around(photo.longitude, photo.latitude, book, choices)
    if not unit_id:
        arrival.problems.append(_unit_asked(photo, source, book, choices))
    first, last = _season(photo, unit_id, book)
    verdict = judge(photo, source.name, boundary=boundary_of(book, unit_id, choices), first=first, last=last)
    arrival.problems += verdict.problems
    said = f"{f'{unit_id}: ' if unit_id else ''}{verdict.sentence}"
    arrival.problems.append(note(Place(source.name), said, "Nothing to do.", "photo_verdict"))
    table = evidence_rows(photo, verdict, source.stored, unit_id=unit_id)
    arrival.tables.append(from_mapped(replace(table, file=source.name), source, (), choices))
    return arrival


def _distances(
    longitude: float | None, latitude: float | None, book: RecordBook | None, choices: Choices
) -> dict[str, int]:
    """Return how many metres a position lies outside of each boundary, the nearest first."""
    if longitude is None or latitude is None:
        return {}
    found = {unit: metres_outside(longitude, latitude, text) for unit, text in outlines_of(book, choices).items()}
    return dict(sorted(found.items(), key=lambda pair: pair[1]))


def outlines_of(book: RecordBook | None, choices: Choices, only: str = "") -> dict[str, str]:
    """Return the boundary of each unit that has one, or of one unit, of the book and of this import, as GeoJSON."""
    read: Read = {}
    found = dict(choices.outlines)
    for row in _rows(book, "unit"):
        if book and (unit := str(row["unit_id"])) not in found and only in ("", unit):
            found[unit] = drawn(book, row, read)
    return {unit: text for unit, text in found.items() if text}


def unit_around(longitude: float | None, latitude: float | None, book: RecordBook | None, choices: Choices) -> str:
    """Return the one unit whose boundary holds a position, or empty."""
    inside = [unit for unit, metres in _distances(longitude, latitude, book, choices).items() if metres == 0]
    return inside[0] if len(inside) == 1 else ""


def _unit_asked(photo: Photo, source: Source, book: RecordBook | None, choices: Choices) -> Problem:
    """Ask which unit a photograph shows: without one it is evidence of no field."""
    near = _distances(photo.longitude, photo.latitude, book, choices)
    if photo.longitude is None:
        cause = "the photograph says no place, so nobody can tell which unit it shows."
    elif not near:
        cause = "no unit has a boundary against which the photograph's place can be held."
    else:
        inside = [unit for unit, metres in near.items() if metres == 0]
        others = listed(f"{unit} ({metres} m)" for unit, metres in near.items())
        cause = f"the photograph's place lies in {listed(inside)}." if inside else f"no unit holds it; near: {others}."
    unit = next(iter(near), "UNIT")
    remedy = f"Say which unit it shows: --unit '{source.name}={unit}'. It is kept as evidence of no unit until then."
    return doubt(Place(source.name, column="unit_id"), cause, remedy, "photo_unit")


def _season(photo: Photo, unit_id: str, book: RecordBook | None) -> tuple[dt.date | None, dt.date | None]:
    """Return the cover crop's time on a unit that holds the photograph's day, else the unit's last one, else none."""
    spans: list[tuple[dt.date, dt.date]] = []
    for row in _rows(book, "cover_crop"):
        first, last = row["seeded_on"], row["terminated_on"]
        if row["unit_id"] == unit_id and isinstance(first, dt.date) and isinstance(last, dt.date):
            spans.append((first, last))
    if not spans:
        return None, None
    day = photo.taken.date() if photo.taken else None
    holding = [span for span in spans if day is not None and span[0] <= day <= span[1]]
    return max(holding or spans)


def paper(source: Source, label: str, choices: Choices) -> Arrival:
    """Keep what only people can read as evidence; what kind of evidence it is, and its figures, are theirs to say."""
    arrival = Arrival(source, label)
    cause = f"{label}: it is kept as evidence, and none of its figures was read."
    remedy = "Say what it is and which unit it is about, and type its figures; or hand them in as CSV or XLSX."
    arrival.problems.append(doubt(Place(source.name), cause, remedy, "paper_kept"))
    arrival.tables.append(kept_file(source, "other", choices, waits=not choices.accept))
    return arrival


def laboratory(path: Path, source: Source, choices: Choices) -> Arrival:
    """Read a Modus file of a laboratory into soil tests."""
    arrival = Arrival(source, "laboratory results")
    parsed = choices.parse("lab_soil", path, name=source.name, as_of=choices.as_of.isoformat())
    if parsed.result is None:
        arrival.problems += parsed.problems
        return arrival
    table = cast("MappedTable", parsed.result)
    rows = tuple(MappedRow(row.number, {**row.values, "evidence": evidence_id(source)}) for row in table.rows)
    arrival.tables += [
        from_mapped(replace(table, file=source.name, rows=rows), source, parsed.problems, choices),
        kept_file(source, "laboratory_report", choices),
    ]
    return arrival


def crop_history(path: Path, source: Source, label: str, choices: Choices, book: RecordBook | None) -> Arrival:
    """Read Crop Sequence Boundaries into one row for each unit and year; they wait for a person's nod.

    They stand beside the attestation about land and are never held against it. Ground that showed forest, grassland or
    wetland in the last year before the rule's day, or later, leaves a question: hay and pasture look alike from above.
    """
    arrival = Arrival(source, label)
    outlines = outlines_of(book, choices)
    found = cast("MappedTable | None", arrival.read("crop_sequence", path, choices, outlines=outlines))
    if found is None:
        return arrival
    # One area is a row for each of its years: each is counted, and rejected, on its own.
    rows = []
    for number, row in enumerate(found.rows, start=1):
        unit = row.values["unit_id"]
        named = choices.unit_for(unit) or unit_called(book, unit) or unit
        rows.append(MappedRow(number, {**row.values, "unit_id": named, "evidence": evidence_id(source)}))
    _ask_of_land(rows, arrival, choices)
    waits = not choices.accept
    table = replace(found, rows=tuple(rows))
    arrival.tables.append(from_mapped(table, source, (), choices, waits=waits))
    arrival.tables.append(kept_file(source, "map", choices, waits=waits))
    return arrival


def _ask_of_land(rows: Iterable[MappedRow], arrival: Arrival, choices: Choices) -> None:
    """Ask about each unit once, naming the years from the last one before the rule's day on that show no crop."""
    try:
        day = rule_version(choices.as_of).land_conversion_after
    except NotInForceError:
        return
    in_order = sorted(rows, key=lambda row: (row.values["unit_id"], int(row.values["year"])))
    for unit, of_unit in groupby(in_order, key=lambda row: row.values["unit_id"]):
        years = {int(row.values["year"]): row for row in of_unit}
        base = max((year for year in years if year < day.year), default=day.year)
        seen = [
            row
            for year, row in years.items()
            if year >= base and (land_cover(int(row.values["code"])).cover in NATURAL)
        ]
        if seen:
            told = ", ".join(f"{row.values['year']} {row.values['cover']}" for row in seen)
            cause = f"from above {unit} bore no crop about or after {day}: {told}. It is a question, no finding."
            arrival.problems.append(doubt(Place(arrival.source.name, row=seen[0].number), cause, _OF_LAND, ASKED))


# An acreage report of USDA on its way into a book: outlines, acres of each crop, planting days of known crops.


def acreage(path: Path, source: Source, choices: Choices, book: RecordBook | None, kind: FileKind) -> Arrival:
    """Read a report; its acres hold the book's against what was reported, its days stand beside the farm's own.

    Planting days that FieldView sums up come in the same way, known by the machine; they report no acres.
    """
    arrival = Arrival(source, kind.label)
    reader = "fieldview" if kind.reader == "fieldview" else "acreage"
    report = cast("AcreageReport | None", arrival.read(reader, path, choices))
    if report is None:
        return arrival
    drawn_there = cast("Boundaries | None", arrival.read("boundaries", path, choices)) if report.drawn else None
    if drawn_there is not None:
        boundaries_found(drawn_there, arrival, choices, book)
    acres = () if report.by_machine else _acres(report, source)
    made = {"reported_acres": acres, "planting": _plantings(report, source, arrival, choices, book)}
    waits = report.by_machine and not choices.accept
    for about, rows in made.items():
        if rows:
            table = MappedTable(source.name, "", about, rows)
            arrival.tables.append(from_mapped(table, source, (), choices, waits=waits))
    what = "machine_file" if report.by_machine else "usda_record"
    arrival.tables.append(kept_file(source, what, choices, waits=waits))
    return arrival


def _acres(report: AcreageReport, source: Source) -> tuple[MappedRow, ...]:
    sums: dict[str, int] = {}
    for each in report.planted:
        sums[each.crop] = sums.get(each.crop, 0) + each.acres
    return tuple(
        MappedRow(
            number,
            {
                "report_id": identifier(f"acrsi-{report.year}-{crop}"), "crop": crop, "harvest_year": str(report.year),
                "acres": show(acres), "source": "USDA acreage report (ACRSI)", "evidence": evidence_id(source),
            },
        )
        for number, (crop, acres) in enumerate(sums.items(), start=1)
    )  # fmt: skip


def _plantings(
    report: AcreageReport, source: Source, arrival: Arrival, choices: Choices, book: RecordBook | None
) -> tuple[MappedRow, ...]:
    """Return planting days of crops that the book has, those that grow among them; the others are told."""
    found: dict[tuple[str, str], Planted] = {}
    without: list[str] = []
    known = known_records(book, (), {}).entries
    farm = book.farm_ids[0] if book and book.farm_ids else ""
    for each in report.planted:
        unit = choices.unit_for(each.field) or unit_called(book, each.field) or identifier(each.field)
        year = each.day[:4] if report.by_machine else str(report.year)
        day = dt.date.fromisoformat(each.day) if each.day else None
        said = Named(unit, each.crop, int(year or 0))
        entries = known.choose(farm, [unit], said, "planting", {"planted_on": day}).entries
        if each.day and len(entries) == 1:
            # Subfields and irrigated parts are plans of their own: planted on one day, they are one planting.
            before = found.setdefault((entries[0], each.day), replace(each, acres=0))
            found[entries[0], each.day] = replace(before, acres=before.acres + each.acres)
        elif each.day:
            without.append(f"{each.crop} {year} on {each.field}")
    if without:
        cause = f"the book has no one crop entry for {listed(without)}; its planting day stays out."
        remedy = "Enter the harvest and import the file again."
        arrival.problems.append(note(Place(source.name), cause, remedy, "no_crop_entry"))
    graded = {"known_by": "machine"} if report.by_machine else {}
    by = "fieldview" if report.by_machine else "acrsi"
    return tuple(MappedRow(one.number, _planting(one, entry, source, by) | graded) for (entry, _), one in found.items())


def _planting(each: Planted, entry: str, source: Source, by: str) -> dict[str, str]:
    return {
        "planting_id": identifier(f"{by}-{entry}-{each.day}"), "harvest_id": entry, "planted_on": each.day,
        "acres": show(each.acres), "evidence": evidence_id(source),
    }  # fmt: skip
