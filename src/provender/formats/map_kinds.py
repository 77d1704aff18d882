"""Which kind of record a table holds that neither a name nor a key nor a known layout tells: what its headings say.

A few headings together are said by one kind only, such as a field, a day and an implement. The kind whose columns have
most headings is suggested, and a person confirms it: nothing goes in before.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from provender.formats.map_suggest import SEARCHED, suggest
from provender.formats.parsed import doubt, listed
from provender.formats.sheet import Sheet
from provender.formats.targets import own_key, target
from provender.problem import Place, Problem
from provender.records import KINDS, Kind


@dataclass(frozen=True, slots=True)
class Telling:
    """Columns by which a kind is known.

    Attributes:
        all: each of them has a heading.
        some: at least ``least`` of them have one.
        least: how many.
        or_heading: a heading that stands for one of ``some``, as a pattern.
    """

    all: tuple[str, ...]
    some: tuple[str, ...] = ()
    least: int = 0
    or_heading: str = ""


TELLING: Final[Mapping[str, Telling]] = {
    "soil_test": Telling(("unit_id",), ("ph", "organic_matter_pct", "nitrate_n_ppm", "p_ppm", "k_ppm"), 3),
    "scale_ticket": Telling(("ticket_id", "day"), ("net_lb", "net_bushels"), 1),
    "nutrient_application": Telling(("unit_id", "day", "product"), ("rate", "n_lb_per_ac"), 1),
    "operation": Telling(("unit_id", "day", "operation")),
    "harvest": Telling(("unit_id", "crop", "bushels")),
    "cover_crop": Telling(
        ("unit_id", "seeded_on"), ("terminated_on", "termination_method"), 1, or_heading=r"\bcover\b"
    ),
    "planting": Telling(("harvest_id", "planted_on")),
    "nutrient_budget": Telling(("harvest_id", "yield_goal_bu_per_ac", "planned_n_lb_per_ac")),
    "reported_acres": Telling(("report_id", "crop", "harvest_year", "acres")),
    "calculator_run": Telling(("unit_id", "crop", "ci_g_per_bu")),
    "unit": Telling(("unit_id", "acres"), ("county_fips", "fsa_field", "legal_description", "parcel_id"), 1),
}
"""By kind; of two whose columns have as many headings the first counts."""


def matched(sheet: Sheet, kind: str) -> int:
    """Return how many columns of a kind the headings of a sheet name; 0 where they do not tell it."""
    found = suggest(sheet, target(kind), "")
    named = {rule.field for rule in found.map.columns} if found else set()
    telling = TELLING.get(kind)
    if telling is None or found is None or not set(telling.all) <= named:
        return 0
    heads = found.heading.cells if telling.or_heading else ()
    said = any(re.search(telling.or_heading, cell, re.IGNORECASE) for cell in heads)
    if len(named & set(telling.some)) + said < telling.least:
        return 0
    return len(named)


def kind_by_headings(sheet: Sheet, file: str) -> tuple[Kind, Problem] | None:
    """Return the kind that the headings of a sheet tell together, with what to ask about it; None where none do."""
    written = {cell.strip().casefold() for line in sheet.lines[:SEARCHED] for cell in line.cells}
    if written & {own_key(kind) for kind in KINDS.values()} - {""}:
        return None  # a table of ours, in which some columns are not
    found = {kind: matched(sheet, kind) for kind in TELLING}
    best = max(found, key=lambda kind: found[kind])
    if not found[best]:
        return None
    others = [KINDS[kind].label.lower() for kind, count in found.items() if count and kind != best]
    taken = KINDS[best].label.lower()
    cause = f"the headings were taken for those of {taken}."
    if others:
        cause = f"the headings were taken for those of {taken}, though they could be those of {listed(others)} too."
    asked = doubt(
        Place(file, sheet.name), cause, "Confirm it, or say what its rows are with --kind.", "kind_by_headings"
    )
    return KINDS[best], asked
