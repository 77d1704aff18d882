"""Rows that nobody can read, of kinds that refuse a report by what they say: they refuse it too (interpretation 2).

Otherwise a slip of the pen would be worth more than the sale, the load or the pasture that it hides.
"""

from collections.abc import Iterator, Mapping
from typing import Final

import polars as pl

from provender.intensity.quantify import Quantification
from provender.practices.assess import Assessment
from provender.problem import Place, Problem, Weight
from provender.records.kind import KINDS

CITES: Final[Mapping[str, str]] = {
    "sale": "2100.031(b)",
    "scale_ticket": "2100.020",
    "bushel_total": "2100.020",
    "reported_acres": "2100.020",
    "national_default": "2100.020(b)",
    "control": "2100.031(c)(3)(i)",
    "enrolment": "2100.031(c)(3)(v)",
    "tillage_history": "2100.031(c)(3)(vi)",
    "land_use": "2100.031(c)(3)(vii)",
}
"""What is read only where a report is made; a row of any other kind spoils the verdicts themselves."""


def unread_rows(assessment: Assessment, q: Quantification) -> Iterator[Problem]:
    """Tell of each kind of which a row that may be of this crop, year and its credited units could not be read."""
    units = [unit.unit_id for unit in q.units if unit.credited]
    rows = assessment.book.incomplete_rows.filter(
        pl.col("farm_id") == q.farm_id,
        pl.col("kind").is_in(list(CITES)),
        pl.col("unit_id").is_null() | pl.col("unit_id").is_in(units) | pl.col("kind").is_in(["scale_ticket"]),
        pl.col("crop").is_null() | (pl.col("crop") == str(q.crop)),
        pl.col("harvest_year").is_null() | (pl.col("harvest_year") == q.harvest_year)
        | (pl.col("kind") == "tillage_history"),
    )  # fmt: skip
    for row in rows.unique("kind", keep="first", maintain_order=True).iter_rows(named=True):
        kind = KINDS[row["kind"]]
        cause = f"A row of {kind.label.lower()} could not be read, so nobody knows what it says of this crop."
        remedy = "Correct it as its own problem says, or remove it."
        place = Place(row["file"] or kind.name, row=row["row"] or 0)
        yield Problem(place, cause, remedy, CITES[kind.name], Weight.CONFIRM, "row_unread")
