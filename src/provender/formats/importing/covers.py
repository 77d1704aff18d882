"""What a list of cover crops says of the mix: its species column becomes rows of their own, named by the cover's row.

People keep one line a field: what was sown, when, how much, how it ended. A mix is several species; of several the one
rate is that of the whole, so none of them gets it.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from provender.catalog.words import About, listed_name
from provender.formats.column_map import ColumnMap, ColumnRule
from provender.formats.columns import best_heading, target, unit_in
from provender.formats.mapped import heading_of, map_book
from provender.formats.parsed import MappedRow, MappedTable, Sheet, WorkbookFile, note
from provender.problem import Place, Problem, listed

COVERS: Final = "cover_crop"
SPECIES: Final = "cover_species"
_APART: Final = re.compile(r"\s*(?:[,;+&/]|\band\b|\bwith\b)\s*", re.IGNORECASE)
_MIX: Final = re.compile(r"\b(?:mix|mixture|blend)\b\.?", re.IGNORECASE)

_RATED: Final = re.compile(
    r"(.*?[A-Za-z)])[\s,@-]+(\d+(?:\.\d+)?)\s*(?:#|lbs?\.?|pounds?)?(?:\s*/\s*ac(?:re)?)?", re.IGNORECASE
)
"""A species with its pounds per acre: ``rye 45``."""


def species_rules(sheet: Sheet, column_map: ColumnMap) -> list[ColumnRule]:
    """Return the columns of a list of cover crops that say what was sown; none where none names a species."""
    heading, fields = heading_of(sheet, column_map), target(SPECIES).fields
    if column_map.target != COVERS or heading is None or not (named := best_heading(heading, fields["species"])):
        return []
    rate = best_heading(heading, fields["rate_lb_per_ac"])
    of_rate = [ColumnRule(rate, "rate_lb_per_ac", unit_in(rate))] if rate else []
    return [ColumnRule(named, "species"), *of_rate]


def without_used(problems: Iterable[Problem], column_map: ColumnMap, rules: Iterable[ColumnRule]) -> list[Problem]:
    """Return what is told of a list, without calling columns unused that say what was sown."""
    used = {rule.heading for rule in rules}
    left = [heading for heading in column_map.ignored if heading not in used]
    cause = f"these columns are not imported: {listed(left, most=60)}."
    return [
        replace(one, cause=cause) if one.code == "ignored_columns" else one
        for one in problems
        if one.code != "ignored_columns" or left
    ]


def species_of(
    sheet: Sheet, column_map: ColumnMap, rules: Sequence[ColumnRule], keys: Mapping[int, str], file: str
) -> tuple[MappedTable | None, list[Problem]]:
    """Return the species of a list whose covers are called by ``keys``, by row; None where no row names one."""
    own = ColumnMap(
        column_map.name, SPECIES, columns=tuple(rules), skip_marks=column_map.skip_marks, decimal=column_map.decimal,
        confirmed=True,
    )  # fmt: skip
    parsed = map_book(WorkbookFile(file, (sheet,)), SPECIES, [own])
    rows = [row for table in (parsed.result.tables if parsed.result else ()) for row in table.rows]
    sown = [(row, species_named(row.values.get("species", ""))) for row in rows if row.number in keys]
    found = [_row(row, name, names, keys) for row, names in sown for name in names]
    apart = {row.number for row, names in sown if all(_RATED.fullmatch(name) for name in names)}
    told = list(parsed.problems)
    mixes = (row for row, names in sown if len(names) > 1 and row.number not in apart)
    if whole := [row.number for row in mixes if "rate_lb_per_ac" in row.values]:
        cause = (
            f"the rate of a mix is that of all its species together: row {listed(whole)}; none of them was given it."
        )
        told.append(note(Place(file, sheet.name, whole[0]), cause, "Type the rate of each species.", "rate_of_mix"))
    return (MappedTable(file, sheet.name, SPECIES, tuple(found)) if found else None), told


def species_named(text: str) -> list[str]:
    """Return the species that a text names, each by itself; a listed name may have a comma."""
    parts = [part.strip() for part in re.split(r"[;\n]", text) if part.strip()]
    if all(listed_name(About.SPECIES, part) for part in parts):
        return parts
    return [name for part in parts for name in _APART.split(_MIX.sub(" ", part).strip()) if name]


def _row(row: MappedRow, name: str, names: Sequence[str], keys: Mapping[int, str]) -> MappedRow:
    rate = row.values.get("rate_lb_per_ac", "") if len(names) == 1 else ""
    if rated := _RATED.fullmatch(name):
        name, rate = rated[1], rate or rated[2]
    return MappedRow(
        row.number,
        {"cover_id": keys[row.number], "species": name, **({"rate_lb_per_ac": rate} if rate else {})},
    )
