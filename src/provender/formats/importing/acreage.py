"""An acreage report of USDA on its way into a book: outlines, acres of each crop, planting days of known crops."""

import datetime as dt
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

from provender.exact import show
from provender.formats.detect import Kind as FileKind
from provender.formats.importing.crop_entries import Named
from provender.formats.importing.foreign import boundaries_found, unit_called
from provender.formats.importing.from_mapped import from_mapped, kept_file
from provender.formats.importing.incoming_files import Arrival, Choices, Source
from provender.formats.importing.printed import evidence_id
from provender.formats.importing.references import known_records
from provender.formats.parsed import MappedRow, MappedTable, Parsed, note
from provender.formats.summaries import AcreageReport, Planted
from provender.formats.units import identifier
from provender.problem import Place, listed
from provender.records.book import RecordBook

if TYPE_CHECKING:
    from provender.formats.boundaries import Boundaries


def acreage(path: Path, source: Source, choices: Choices, book: RecordBook | None, kind: FileKind) -> Arrival:
    """Read a report; its acres hold the book's against what was reported, its days stand beside the farm's own.

    Planting days that FieldView sums up come in the same way, known by the machine; they report no acres.
    """
    arrival = Arrival(source, kind.label)
    reader = "fieldview" if kind.reader == "fieldview" else "acreage"
    parsed = cast("Parsed[AcreageReport]", choices.parse(reader, path, name=source.name))
    arrival.problems += parsed.problems
    report = parsed.result
    if report is None:
        return arrival
    if report.drawn:
        drawn = cast("Parsed[Boundaries]", choices.parse("boundaries", path, name=source.name))
        arrival.problems += [each for each in drawn.problems if each not in parsed.problems]
        if drawn.result is not None:
            boundaries_found(drawn.result, arrival, choices, book)
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
