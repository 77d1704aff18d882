"""Boundaries, photographs, laboratory files, acreage reports and crop history by satellite on their way into a book."""

import datetime as dt
import re
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
from provender.formats.importing.crop_entries import Named
from provender.formats.importing.incoming_files import Arrival, Choices
from provender.formats.importing.references import Known, known_records
from provender.formats.parsed import MappedRow, MappedTable, note
from provender.formats.photos import Photo, PhotoVerdict, judge, metres_outside
from provender.formats.summaries import AcreageReport, Planted
from provender.formats.units import identifier, identifiers
from provender.problem import Place, Problem, listed
from provender.records.book import RecordBook, file_inside
from provender.records.folder import BOUNDARIES
from provender.rule.law import NotInForceError, rule_version

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


def _rows_of(book: RecordBook | None, kind: str) -> Iterable[Row]:
    return [] if book is None else book[kind]


def unit_called(arrival: Arrival, name: str) -> str:
    """Return the unit that a person said a name means, or the one of the book that is called so; empty for none."""
    return arrival.choices.unit_for(name) or _called(_units(arrival), name)


def _units(arrival: Arrival) -> dict[str, Row]:
    return {str(row["unit_id"]): row for row in _rows_of(arrival.book, "unit")}


def _called(known: Mapping[str, Row], name: str) -> str:
    """Return the one unit that is called so, by identifier or name, blind to case, blanks and signs."""
    there = Known({("unit", ""): {unit: str(row["name"] or "") for unit, row in known.items()}})
    meant = there.meant("unit", "", name)
    return meant[0] if len(meant) == 1 else ""


def boundaries(arrival: Arrival) -> None:
    """Read boundaries into files and rows of units; acres of the book stay, and are held against the ground."""
    found = arrival.read("boundaries", limit_pct=arrival.choices.boundary_limit_pct)
    if found is not None:
        boundaries_found(cast("Boundaries", found), arrival)
        arrival.keep_as("map")


def boundaries_found(found: Boundaries, arrival: Arrival, *, waits: bool = False) -> None:
    """Turn outlines into files and rows of units; see ``boundaries``."""
    known, choices = _units(arrival), arrival.choices
    if len(found.fields) == 1 and choices.units.get(""):
        found = Boundaries((replace(found.fields[0], label=choices.units[""]),))
    else:
        found = Boundaries(tuple(_labelled(field, known, arrival) for field in found.fields))
    others = sorted(known.keys() - {field.label for field in found.fields})
    outlines = outlines_of(arrival.book, choices)
    shapes = {unit: from_geojson(outlines[unit]) for unit in others if unit in outlines}
    # One that is not sound cannot be compared.
    earlier = {unit: shape for unit, shape in shapes.items() if shape.is_valid and shape.area}
    ids = identifiers((field.label for field in found.fields), known)
    arrival.problems += _kept_apart(ids, arrival.place(column="unit_id"))
    rows, files = [], _boundary_names(found, ids)
    for number, (name, field) in enumerate(zip(files, found.fields, strict=True), start=1):
        unit, place = ids[field.label], arrival.place(number)
        old = known.get(unit)
        values = _new_unit(field) if old is None else _known_unit(field, old, arrival, replace(place, column="acres"))
        rows.append(MappedRow(number, {"unit_id": unit, "boundary": name, **values}))
        shape, stated = from_geojson(field.geojson), str((old or {}).get("county_fips") or "")
        arrival.problems += county_doubts(shape, unit, stated, replace(place, column="county_fips"))
        _ask_of_ground(unit, shape, earlier, arrival, place)
        arrival.outlines[unit] = field.geojson
        arrival.files[f"{BOUNDARIES}/{name}"] = field.geojson.encode()
    arrival.add("unit", rows, waits=waits)


def _kept_apart(ids: Mapping[str, str], place: Place) -> list[Problem]:
    """Say which fields got a number, since another one would have the same identifier."""
    apart = [f"{label!r} as {own}" for label, own in ids.items() if own not in (label, identifier(label))]
    if not apart:
        return []
    cause = f"fields whose names differ in signs alone are kept apart: {listed(apart)}."
    return [note(place, cause, "Nothing, if they are different fields.", "kept_apart")]


def _labelled(field: Boundary, known: Mapping[str, Row], arrival: Arrival) -> Boundary:
    """Return an outline under the unit that a person named, or the one unit of the book that is called so."""
    said = arrival.choices.unit_for(field.label)
    if said or field.label in known:
        return replace(field, label=said or field.label)
    called = _called(known, field.label)
    if called and known[called]["name"] != field.label:
        cause = f"the outline {field.label!r} was taken for unit {called}, which is called so."
        arrival.ask(arrival.place(), cause, "Confirm it, or say which unit it is.", "unit_by_name")
    return replace(field, label=called or field.label)


def _ask_of_ground(
    unit_id: str, shape: BaseGeometry, earlier: Mapping[str, BaseGeometry], arrival: Arrival, place: Place
) -> None:
    """Ask about ground that another unit of the book has: one field under two names counts twice."""
    for other, its in earlier.items():
        share = ground_shared(shape, its) if shape.intersects(its) else None
        if share is not None:
            cause = f"{unit_id} shares ground with unit {other} of the book ({share} % of the smaller)."
            remedy = (
                f"If it is the same field, remove one of them; if {other} was split or merged, nothing is to be done."
            )
            arrival.ask(place, cause, remedy, "unit_drawn_twice")


def _new_unit(field: Boundary) -> dict[str, str]:
    """Return measured acres, unless the file claims its own, and the county in which the middle lies well inside."""
    middle = from_geojson(field.geojson).representative_point()
    county = county_of_point(middle.x, middle.y)
    acres = field.acres if field.claimed_acres is None else field.claimed_acres
    note_of = f"Measured {show(field.acres)} acres on the ellipsoid."
    values = {"name": field.label, "acres": show(acres), "known_by": "machine", "note": note_of}
    if not county.sure or county.fips is None:
        return values
    return {**values, "county_fips": county.fips, "note": f"{note_of} County by position."}


def _known_unit(field: Boundary, old: Row, arrival: Arrival, place: Place) -> dict[str, str]:
    """Leave a unit of the book as it is but for its boundary; its acres are held against the measured ones."""
    acres = old["acres"]
    if isinstance(acres, int):
        apart = compare_acres(field.acres, acres, arrival.choices.boundary_limit_pct, place)
        said = f"{old['unit_id']}: {show(field.acres)} acres on the ellipsoid, {show(acres)} in the book."
        arrival.problems.append(apart or note(place, said, "Nothing to do.", "acres_agree"))
    return {}


def photograph(arrival: Arrival) -> None:
    """Read a photograph into a row of evidence, with what its claims of place and time are worth."""
    photo = cast("Photo | None", arrival.read("photo"))
    if photo is None:
        return
    name, book, choices = arrival.source.name, arrival.book, arrival.choices
    unit_id = choices.unit_for(name) or unit_around(photo.longitude, photo.latitude, book, choices)
    if not unit_id:
        _ask_for_unit(photo, arrival)
    first, last = _season(photo, unit_id, book)
    verdict = judge(photo, name, boundary=boundary_of(book, unit_id, choices), first=first, last=last)
    said = f"{f'{unit_id}: ' if unit_id else ''}{verdict.sentence}"
    arrival.problems += [*verdict.problems, note(arrival.place(), said, "Nothing to do.", "photo_verdict")]
    arrival.add("evidence", [evidence_row(photo, verdict, arrival.source.stored, unit_id=unit_id)])


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
    for row in _rows_of(book, "unit"):
        if book and (unit := str(row["unit_id"])) not in found and only in ("", unit):
            found[unit] = drawn(book, row, read)
    return {unit: text for unit, text in found.items() if text}


def unit_around(longitude: float | None, latitude: float | None, book: RecordBook | None, choices: Choices) -> str:
    """Return the one unit whose boundary holds a position, or empty."""
    inside = [unit for unit, metres in _distances(longitude, latitude, book, choices).items() if metres == 0]
    return inside[0] if len(inside) == 1 else ""


def _ask_for_unit(photo: Photo, arrival: Arrival) -> None:
    """Ask which unit a photograph shows: without one it is evidence of no field."""
    near = _distances(photo.longitude, photo.latitude, arrival.book, arrival.choices)
    if photo.longitude is None:
        cause = "the photograph says no place, so nobody can tell which unit it shows."
    elif not near:
        cause = "no unit has a boundary against which the photograph's place can be held."
    else:
        inside = [unit for unit, metres in near.items() if metres == 0]
        others = listed(f"{unit} ({metres} m)" for unit, metres in near.items())
        cause = f"the photograph's place lies in {listed(inside)}." if inside else f"no unit holds it; near: {others}."
    said = f"{arrival.source.name}={next(iter(near), 'UNIT')}"
    remedy = f"Say which unit it shows: --unit '{said}'. It is kept as evidence of no unit until then."
    arrival.ask(arrival.place(column="unit_id"), cause, remedy, "photo_unit")


def _season(photo: Photo, unit_id: str, book: RecordBook | None) -> tuple[dt.date | None, dt.date | None]:
    """Return the cover crop's time on a unit that holds the photograph's day, else the unit's last one, else none."""
    spans: list[tuple[dt.date, dt.date]] = []
    for row in _rows_of(book, "cover_crop"):
        first, last = row["seeded_on"], row["terminated_on"]
        if row["unit_id"] == unit_id and isinstance(first, dt.date) and isinstance(last, dt.date):
            spans.append((first, last))
    if not spans:
        return None, None
    day = photo.taken.date() if photo.taken else None
    holding = [span for span in spans if day is not None and span[0] <= day <= span[1]]
    return max(holding or spans)


def paper(arrival: Arrival, label: str) -> None:
    """Keep what only people can read as evidence; what kind of evidence it is, and its figures, are theirs to say."""
    cause = f"{label}: it is kept as evidence, and none of its figures was read."
    remedy = "Say what it is and which unit it is about, and type its figures; or hand them in as CSV or XLSX."
    arrival.ask(arrival.place(), cause, remedy, "paper_kept")
    arrival.keep_as("other", waits=True)


def laboratory(arrival: Arrival) -> None:
    """Read a Modus file of a laboratory into soil tests."""
    parsed = arrival.parse("lab_soil", as_of=arrival.choices.as_of.isoformat())
    if parsed.result is None:
        arrival.problems += parsed.problems
        return
    arrival.add("soil_test", cast("MappedTable", parsed.result).rows, told=parsed.problems, on_file=True)
    arrival.keep_as("laboratory_report")


def crop_history(arrival: Arrival) -> None:
    """Read Crop Sequence Boundaries into one row for each unit and year; they wait for a person's nod.

    They stand beside the attestation about land and are never held against it. Ground that showed forest, grassland or
    wetland in the last year before the rule's day, or later, leaves a question: hay and pasture look alike from above.
    """
    outlines = outlines_of(arrival.book, arrival.choices)
    found = cast("MappedTable | None", arrival.read("crop_sequence", outlines=outlines))
    if found is None:
        return
    # One area is a row for each of its years: each is counted, and rejected, on its own.
    rows = []
    for number, row in enumerate(found.rows, start=1):
        unit = row.values["unit_id"]
        rows.append(MappedRow(number, {**row.values, "unit_id": unit_called(arrival, unit) or unit}))
    _ask_of_land(rows, arrival)
    arrival.add(found.target, rows, waits=True, on_file=True)
    arrival.keep_as("map", waits=True)


def _ask_of_land(rows: Iterable[MappedRow], arrival: Arrival) -> None:
    """Ask about each unit once, naming the years from the last one before the rule's day on that show no crop."""
    try:
        day = rule_version(arrival.choices.as_of).land_conversion_after
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
            arrival.ask(arrival.place(seen[0].number), cause, _OF_LAND, "land_from_above")


# An acreage report of USDA on its way into a book: outlines, acres of each crop, planting days of known crops.


def acreage(arrival: Arrival) -> None:
    """Read a report; its acres hold the book's against what was reported, its days stand beside the farm's own.

    Planting days that FieldView sums up come in the same way, known by the machine; they report no acres.
    """
    report = cast("AcreageReport | None", arrival.read("fieldview" if arrival.reader == "fieldview" else "acreage"))
    if report is None:
        return
    if report.drawn and (drawn_there := arrival.read("boundaries")) is not None:
        boundaries_found(cast("Boundaries", drawn_there), arrival)
    acres = () if report.by_machine else _acres(report)
    for kind, rows in (("reported_acres", acres), ("planting", _plantings(report, arrival))):
        if rows:
            arrival.add(kind, rows, waits=report.by_machine, on_file=True)
    arrival.keep_as("machine_file" if report.by_machine else "usda_record", waits=report.by_machine)


def _acres(report: AcreageReport) -> tuple[MappedRow, ...]:
    sums: dict[str, int] = {}
    for each in report.planted:
        sums[each.crop] = sums.get(each.crop, 0) + each.acres
    return tuple(
        MappedRow(
            number,
            {
                "report_id": identifier(f"acrsi-{report.year}-{crop}"), "crop": crop, "harvest_year": str(report.year),
                "acres": show(acres), "source": "USDA acreage report (ACRSI)",
            },
        )
        for number, (crop, acres) in enumerate(sums.items(), start=1)
    )  # fmt: skip


def _plantings(report: AcreageReport, arrival: Arrival) -> tuple[MappedRow, ...]:
    """Return planting days of crops that the book has, those that grow among them; the others are told."""
    found: dict[tuple[str, str], Planted] = {}
    without: list[str] = []
    book = arrival.book
    known = known_records(book, (), {}).entries
    farm = book.farm_ids[0] if book and book.farm_ids else ""
    for each in report.planted:
        unit = unit_called(arrival, each.field) or identifier(each.field)
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
        arrival.problems.append(note(arrival.place(), cause, remedy, "no_crop_entry"))
    graded = {"known_by": "machine"} if report.by_machine else {}
    by = "fieldview" if report.by_machine else "acrsi"
    return tuple(
        MappedRow(
            one.number,
            {
                "planting_id": identifier(f"{by}-{entry}-{one.day}"), "harvest_id": entry, "planted_on": one.day,
                "acres": show(one.acres), **graded,
            },
        )
        for (entry, _), one in found.items()
    )  # fmt: skip


# What readers found, as rows of record kinds: one small adapter per format, all through the records' own parsers.


def _boundary_names(found: Boundaries, ids: Mapping[str, str]) -> list[str]:
    names: list[str] = []
    for field in found.fields:
        stem = re.sub(r"[^\w-]+", "-", ids[field.label], flags=re.ASCII)
        # Many computers hold names to be the same that differ in case alone.
        count = sum(re.split(r"[~.]", name)[0].casefold() == stem.casefold() for name in names)
        names.append(f"{stem}~{count + 1}.geojson" if count else f"{stem}.geojson")
    return names


def evidence_row(photo: Photo, verdict: PhotoVerdict, file: str, *, unit_id: str = "") -> MappedRow:
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
    return MappedRow(1, {key: text for key, text in values.items() if text})
