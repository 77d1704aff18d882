"""Clean books to spoil: one that meets every practice, and some that fail one thing each so that "better" shows."""

from collections.abc import Mapping
from functools import cache
from typing import Final

from provender.records.book import RecordBook
from provender.records.kind import KINDS
from provender.records.reading import TableRead, TextTable, read_table
from provender.verdicts.assess import assess
from tests.standards.season import Rows, changed, clean_season, with_row

# (farm, crop entry, practice, implementation or records)
Met = frozenset[tuple[str, str, str, str]]

PLOW: Final = {
    "operation_id": "O9", "unit_id": "N40", "day": "2025-04-20", "operation": "Plow, moldboard", "equipment": "IH 720",
    "depth_in": "8", "speed_mph": "5", "width_ft": "10",
}  # fmt: skip
FALL_N: Final = {
    "application_id": "A9", "unit_id": "N40", "harvest_id": "H25", "intended_for": "cash_crop", "day": "2024-11-02",
    "product": "Anhydrous ammonia", "method": "injected", "n_lb_per_ac": "120", "p2o5_lb_per_ac": "0",
    "k2o_lb_per_ac": "0", "inhibitor": "none",
}  # fmt: skip


@cache
def seasons() -> dict[str, Rows]:
    """Return every clean book by name, as rows of text."""
    good = clean_season()
    return {
        "all met": good,
        "plowed": with_row(good, "operation", **PLOW),
        "burned": changed(good, "declaration", residue_burned="yes"),
        "grazed": changed(good, "declaration", cover_grazed="yes", cover_fertilized="yes"),
        "not all listed": changed(good, "declaration", all_operations_listed="no", all_nutrients_listed="no"),
        "fall nitrogen": with_row(good, "nutrient_application", **FALL_N),
        "no inhibitor": changed(good, "nutrient_application", 1, inhibitor="none", inhibitor_rate=""),
        "not accepted": changed(good, "inhibitor_acceptance", accepted="no"),
        "seeded in winter": changed(good, "cover_crop", seeded_on="2025-01-09"),
        "old soil test": changed(good, "soil_test", sampled_on="2020-11-05"),
        "late budget": changed(good, "nutrient_budget", made_on="2025-07-01"),
    }


def tables(rows: Rows) -> dict[str, TextTable]:
    """Return a book's rows as tables with all columns."""
    found = {}
    for kind, of_kind in rows.items():
        heading = tuple(name for name in KINDS[kind].typed_fields if name != "farm_id" or kind == "farm")
        cells = tuple((n, tuple(row.get(name, "") for name in heading)) for n, row in enumerate(of_kind, start=2))
        found[kind] = TextTable(f"{kind}.csv", "", heading, cells)
    return found


def readings(found: Mapping[str, TextTable]) -> dict[str, TableRead]:
    """Read tables as the farm F1's."""
    return {kind: read_table(KINDS[kind], table, farm_id="F1") for kind, table in found.items()}


def met(book: RecordBook) -> Met:
    """Return every practice that is met, in its implementation or in its records, by farm and crop entry."""
    return frozenset(
        (one.farm_id, one.harvest_id, str(found.practice), part)
        for one in assess(book).intervals
        for found in one.practices
        for part, verdict in (("implementation", found.implementation), ("records", found.records))
        if str(verdict) == "met"
    )
