"""On what the credited bushels rest: the weakest grade among the rows of each unit (interpretation 57)."""

from collections.abc import Mapping, Sequence
from datetime import date

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
    harvests = assessment.book.rows_of("harvest", q.farm_id)
    units = {row["harvest_id"]: row["unit_id"] for row in harvests}
    wanted = {key for unit in q.units for key in unit.harvest_ids}
    seasons = _seasons(assessment, q)
    found: dict[str, int] = {}
    for kind in KINDS:
        rows = assessment.loaded.graded[kind].filter(pl.col("farm_id") == q.farm_id)
        named = [name for name in ("unit_id", "harvest_id", "day") if name in rows.columns]
        for row in rows.select(*named, pl.col("known_by").cast(pl.String)).iter_rows(named=True):
            entry = row.get("harvest_id")
            if entry is not None and entry not in wanted:
                continue
            unit_id = row["unit_id"] if "unit_id" in row else units.get(entry)
            if unit_id is None or (kind == "operation" and not _in_season(row["day"], seasons.get(unit_id, ()))):
                continue
            known_by = row["known_by"]
            rank = BASES.index(known_by) if known_by else len(BASES) - 1
            found[unit_id] = max(found.get(unit_id, 0), rank)
    return {unit: BASES[rank] for unit, rank in found.items()}


Span = tuple[date | None, date]


def _seasons(assessment: Assessment, q: Quantification) -> dict[str, list[Span]]:
    """Return first and last day of the crop's seasons by unit; no first day where the season before is not known."""
    found: dict[str, list[Span]] = {}
    for one in assessment.of(q.farm_id, q.crop, q.harvest_year):
        found.setdefault(one.unit_id, []).append((one.facts.get("season_from"), one.facts["last_day"]))
    return found


def _in_season(day: date | None, seasons: Sequence[Span]) -> bool:
    """Tell whether a pass is of the crop's seasons, or of no known day: another season says nothing of this crop."""
    return any(day is None or ((first is None or first <= day) and day <= last) for first, last in seasons)
