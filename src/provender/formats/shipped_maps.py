"""Column maps that ship: layouts of elevators' and laboratories' own exports, found by their headings and confirmed.

Each lies in ``data/maps`` as TOML with its source. A map names more columns than a file must have; ``known_by`` are the
headings that tell the layout. What an elevator calls a ticket is a farm's scale ticket too: one map serves both.
"""

import tomllib
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Final

from provender.formats.column_map import ColumnMap, ColumnRule, fingerprint, plain_heading
from provender.formats.map_apply import heading_of
from provender.formats.parsed import doubt, listed, note
from provender.formats.sheet import Sheet, TextRow
from provender.formats.targets import target
from provender.plain import read
from provender.problem import Place, Problem

FARM_TICKET: Final = "scale_ticket"
_AT_A_FARM: Final = {
    "number": "ticket_id",
    "site": "buyer",
    "day": "day",
    "crop": "crop",
    "net_lb": "net_lb",
    "moisture_pct": "moisture_pct",
    "net_bushels": "net_bushels",
    "field": "unit_id",
}
"""The columns of a farm's scale ticket by the fields of an elevator's ticket."""


@cache
def shipped_maps() -> tuple[ColumnMap, ...]:
    """Return all maps that ship, those that are known by more headings first."""
    folder = files("provender.formats") / "data" / "maps"
    found = [read(ColumnMap, tomllib.loads(each.read_text("utf-8"))) for each in folder.iterdir()]
    tickets = [_of_a_farm(each) for each in found if each.target == "ticket"]
    return tuple(sorted([*found, *tickets], key=lambda each: (-len(each.known_by), each.name, each.target)))


def _of_a_farm(ticket: ColumnMap) -> ColumnMap:
    """Return the map that reads the same list as scale tickets of a farm."""
    columns = tuple(replace(rule, field=_AT_A_FARM[rule.field]) for rule in ticket.columns if rule.field in _AT_A_FARM)
    words = {_AT_A_FARM[field]: each for field, each in ticket.words.items() if field in _AT_A_FARM}
    constants = {_AT_A_FARM[field]: each for field, each in ticket.constants.items() if field in _AT_A_FARM}
    return replace(ticket, target=FARM_TICKET, columns=columns, words=words, constants=constants)


def shipped_for(sheet: Sheet, wanted: str, file: str) -> tuple[ColumnMap, list[Problem]] | None:
    """Return the map of a target that fits a sheet, as it stands for these headings, with what to ask; else None."""
    for each in shipped_maps():
        heading = heading_of(sheet, each) if wanted in ("", each.target) else None
        if heading is not None:
            place = Place(file, sheet.name, heading.number)
            found, told = _fitted(each, heading, sheet, place)
            return found, [*_questions(found, place), *told]
    return None


def _fitted(column_map: ColumnMap, heading: TextRow, sheet: Sheet, place: Place) -> tuple[ColumnMap, list[Problem]]:
    """Return a map with the columns that the file has: of several for one field the first that is filled."""
    plain = [plain_heading(cell) for cell in heading.cells]
    below = [line for line in sheet.lines if line.number > heading.number]
    offers: dict[str, list[tuple[bool, ColumnRule]]] = {}
    for rule in column_map.columns:
        if (name := plain_heading(rule.heading)) in plain:
            filled = any(line.cell(plain.index(name)) for line in below)
            offers.setdefault(rule.field, []).append((not filled, rule))
    rules: list[ColumnRule] = []
    for each in offers.values():
        # A heading that may be of two fields, such as a farm, is of the first that has nothing better.
        free = [offer for offer in each if all(rule.heading != offer[1].heading for rule in rules)]
        rules += [min(free, key=lambda offer: offer[0])[1]] if free else []
    told = []
    called = target(column_map.target).called
    taken = {rule.heading: rule.field for rule in rules}
    for field, each in offers.items():
        filled_ones = [rule.heading for blank, rule in each if not blank and taken.get(rule.heading, field) == field]
        if len(filled_ones) > 1:
            cause = (
                f"{filled_ones[0]!r} was taken for {called(field)}, though {listed(filled_ones[1:])} could be it too."
            )
            told.append(doubt(place, cause, "Confirm which of them it is.", "several_columns"))
    used = {plain_heading(rule.heading) for rule in rules}
    ignored = [cell.strip() for cell, name in zip(heading.cells, plain, strict=True) if name and name not in used]
    constants = {name: text for name, text in column_map.constants.items() if name not in offers}
    return replace(
        column_map, columns=tuple(rules), ignored=tuple(ignored), fingerprint=fingerprint(heading.cells),
        constants=constants, known_by=(),
    ), told  # fmt: skip


def _questions(found: ColumnMap, place: Place) -> Iterator[Problem]:
    called = target(found.target).called
    pairs = listed((f"{each.heading} = {called(each.field)}" for each in found.columns), most=40)
    cause = f"the headings are those of {found.name}: {pairs}."
    yield doubt(place, cause, "Confirm or correct the map.", "suggested_map")
    if found.ignored:
        cause = f"these columns are not imported: {listed(found.ignored, most=60)}."
        yield note(place, cause, "Nothing, unless one of them is needed.", "ignored_columns")
    fields = target(found.target).fields
    for rule in found.columns:
        if plain_heading(rule.heading) in fields[rule.field].weak:
            cause = f"the column {rule.heading!r} may not be {called(rule.field)}."
            remedy = f"Confirm it, or supply {called(rule.field)} from the report."
            yield doubt(Place(place.file, place.sheet, place.row, rule.heading), cause, remedy, "weak_match")
    if found.target == "soil_test" and all(rule.field != "sampled_on" for rule in found.columns):
        cause = "the file does not say on which day the samples were taken."
        yield doubt(place, cause, "Type the sampling day, which is what the two years count from.", "no_sampling_day")
