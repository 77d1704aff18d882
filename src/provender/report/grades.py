"""On what the credited bushels rest: the weakest grade among the rows of each unit (interpretation 57)."""

from collections.abc import Mapping

import polars as pl

from provender.intensity.quantify import Quantification
from provender.practices.assess import Assessment
from provender.records import BASES

# The kinds whose rows credit a practice. A declaration is not among them: it is always the producer's own word, given
# after the season, and would put every farm under the weakest grade (interpretation 62).
KINDS = ("operation", "cover_crop", "nutrient_application", "planting", "nutrient_budget")


def grades(assessment: Assessment, quantification: Quantification) -> Mapping[str, int]:
    """Return the credited bushels (thousandths) by the weakest grade of the unit's rows.

    A row that does not say how it is known counts as typed after harvest, the weakest. Every grade is present.
    """
    weakest = _weakest(assessment, quantification)
    shares = dict.fromkeys(BASES, 0)
    for unit in quantification.units:
        if unit.credited and unit.bushels:
            shares[weakest.get(unit.unit_id, BASES[-1])] += unit.bushels
    return shares


def _weakest(assessment: Assessment, q: Quantification) -> dict[str, str]:
    harvests = assessment.book["harvest"].filter(pl.col("farm_id") == q.farm_id).select("harvest_id", "unit_id")
    wanted = [key for unit in q.units for key in unit.harvest_ids]
    found: dict[str, int] = {}
    for kind in KINDS:
        rows = assessment.loaded.graded[kind].filter(pl.col("farm_id") == q.farm_id)
        if "harvest_id" in rows.columns:
            rows = rows.filter(pl.col("harvest_id").is_in(wanted) | pl.col("harvest_id").is_null())
        if "unit_id" not in rows.columns:
            rows = rows.join(harvests, on="harvest_id", how="inner")
        if kind == "operation":
            rows = _of_season(rows, assessment, q)
        for unit_id, known_by in rows.select("unit_id", pl.col("known_by").cast(pl.String)).iter_rows():
            rank = BASES.index(known_by) if known_by else len(BASES) - 1
            found[unit_id] = max(found.get(unit_id, 0), rank)
    return {unit: BASES[rank] for unit, rank in found.items()}


def _of_season(passes: pl.DataFrame, assessment: Assessment, q: Quantification) -> pl.DataFrame:
    """Keep the passes of the crop's seasons, and those of no known day: another season says nothing of this crop."""
    spans = pl.DataFrame(
        [
            (one.unit_id, one.facts.get("season_from"), one.facts["last_day"])
            for one in assessment.of(q.farm_id, q.crop, q.harvest_year)
        ],
        schema={"unit_id": pl.String, "season_from": pl.Date, "season_to": pl.Date}, orient="row",
    )  # fmt: skip
    outside = (pl.col("day") < pl.col("season_from")).fill_null(value=False) | (
        pl.col("day") > pl.col("season_to")
    ).fill_null(value=False)
    return passes.join(spans, on="unit_id", how="inner").filter(~outside)
