"""Crop history by satellite on its way into a book: shown beside the attestation about land, never held against it.

Ground that showed forest, grassland or wetland in the last year before the day that the rule names, or later, leaves a
question to the producer: hay and pasture look alike from above.
"""

from collections.abc import Mapping
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from provender.catalog.places import NATURAL, land_cover
from provender.formats.importing.foreign import evidence_table, outlines_of, unit_called
from provender.formats.importing.from_mapped import from_mapped
from provender.formats.importing.incoming_files import Arrival, Choices, Source
from provender.formats.importing.printed import evidence_id
from provender.formats.parsed import MappedRow, MappedTable, Parsed, doubt
from provender.problem import Place
from provender.records.book import RecordBook
from provender.rule.law import NotInForceError, rule_version

if TYPE_CHECKING:
    from collections.abc import Iterable

ASKED: Final = "land_from_above"
_ASKED: Final = "If it bore a crop then, hay too, nothing is to be done; if it did not, answer so in the declaration."


def crop_history(path: Path, source: Source, label: str, choices: Choices, book: RecordBook | None) -> Arrival:
    """Read Crop Sequence Boundaries into one row for each unit and year; they wait for a person's nod."""
    arrival = Arrival(source, label)
    outlines = outlines_of(book, choices)
    parsed = cast("Parsed[MappedTable]", choices.parse("crop_sequence", path, name=source.name, outlines=outlines))
    arrival.problems += parsed.problems
    if parsed.result is None:
        return arrival
    # One area is a row for each of its years: each is counted, and rejected, on its own.
    read = enumerate(parsed.result.rows, start=1)
    rows = [MappedRow(number, _named(row.values, source, choices, book)) for number, row in read]
    _ask(rows, arrival, choices)
    waits = not choices.accept
    table = replace(parsed.result, rows=tuple(rows))
    arrival.tables.append(from_mapped(table, source, (), choices, waits=waits))
    arrival.tables.append(from_mapped(evidence_table(source, "map"), source, (), choices, waits=waits))
    return arrival


def _named(
    values: Mapping[str, str], source: Source, choices: Choices, book: RecordBook | None
) -> dict[str, str]:  # fmt: skip
    unit = values["unit_id"]
    called = choices.unit_for(unit) or unit_called(book, unit) or unit
    return {**values, "unit_id": called, "evidence": evidence_id(source)}


def _ask(rows: "Iterable[MappedRow]", arrival: Arrival, choices: Choices) -> None:
    """Ask about each unit once, naming the years from the last one before the rule's day on that show no crop."""
    try:
        day = rule_version(choices.as_of).land_conversion_after
    except NotInForceError:
        return
    for unit, of_unit in groupby(sorted(rows, key=_unit_and_year), key=lambda row: row.values["unit_id"]):
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
            arrival.problems.append(doubt(Place(arrival.source.name, row=seen[0].number), cause, _ASKED, ASKED))


def _unit_and_year(row: MappedRow) -> tuple[str, int]:
    return row.values["unit_id"], int(row.values["year"])
