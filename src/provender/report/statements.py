"""The Farm Producer Attestation: the seven statements of 2100.031(c)(3) in our words, each held against the records.

A statement that the records contradict is refused with the reason. Promises and land history may rest on the producer's
word, and the report says so (READINGS 5).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

import polars as pl

from provender.intensity.calculator import Label
from provender.intensity.quantify import Quantification
from provender.practices.assess import Assessment
from provender.rule.crops import Practice
from provender.rule.version import RuleVersion

NOT_CROPLAND: Final = ("pasture", "rangeland", "forest", "conservation_reserve", "wetland")

# Findings, beside those of single runs, under which the calculation is not what the rule prescribes.
BLOCKING: Final = frozenset({"farm_ci_differs", "versions_mixed", "acres_times_yield"})


class Footing(StrEnum):
    """What a statement rests on."""

    RECORDS = "records"
    WORD = "the producer's word"
    CONTRADICTED = "contradicted by the records"


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement of the attestation.

    Attributes:
        cite: its paragraph.
        text: what the producer declares, in our words.
        footing: records, the producer's word, or contradicted.
        why: what the records show, or why they contradict it.
    """

    cite: str
    text: str
    footing: Footing
    why: str


def statements(
    assessment: Assessment, quantification: Quantification, producer_id: str, law: RuleVersion
) -> tuple[Statement, ...]:
    """Return the seven statements as the records support or contradict them."""
    checks = (_control, _implemented, _calculated, _retain, _no_double_sale, _keep_no_till, _no_conversion)
    return tuple(check(assessment, quantification, producer_id, law) for check in checks)


def _credited_units(quantification: Quantification) -> list[str]:
    return [unit.unit_id for unit in quantification.units if unit.credited]


def _rows(assessment: Assessment, kind: str, farm_id: str) -> Iterator[dict[str, Any]]:
    return assessment.book[kind].filter(pl.col("farm_id") == farm_id).iter_rows(named=True)


def _control(assessment: Assessment, q: Quantification, producer_id: str, _: RuleVersion) -> Statement:
    cite = "2100.031(c)(3)(i)"
    text = "I have operational control over all fields under these practices and decide how they are managed."
    producers = [one for one in _rows(assessment, "producer", q.farm_id) if one["producer_id"] == producer_id]
    if not producers or not producers[0]["operational_control"]:
        why = f"The producer records do not give {producer_id or 'anyone'} operational control."
        return Statement(cite, text, Footing.CONTRADICTED, why)
    controls = list(_rows(assessment, "control", q.farm_id))
    held = {one["unit_id"] for one in controls if one["producer_id"] == producer_id}
    others = {one["unit_id"]: one["producer_id"] for one in controls if one["unit_id"] not in held}
    lost = [unit for unit in _credited_units(q) if unit in others]
    if lost:
        return Statement(cite, text, Footing.CONTRADICTED, f"{lost[0]} is run by {others[lost[0]]}.")
    open_ = [unit for unit in _credited_units(q) if unit not in held]
    if open_:
        return Statement(cite, text, Footing.WORD, f"No control record names {', '.join(open_)}.")
    return Statement(cite, text, Footing.RECORDS, "The control records name the producer for every unit.")


def _implemented(_: Assessment, q: Quantification, __: str, law: RuleVersion) -> Statement:
    cite = "2100.031(c)(3)(ii)"
    text = "I carried out the practices used in this calculation by the standards of the rule."
    if not q.reduced:
        return Statement(cite, text, Footing.CONTRADICTED, "No practice is met on any unit of this crop.")
    gaps = [unit.unit_id for unit in q.units if unit.credited and not unit.records_met]
    if gaps:
        why = f"The record requirements are not all met on {', '.join(gaps)}; the gaps are listed."
        return Statement(cite, text, Footing.WORD, why)
    return Statement(cite, text, Footing.RECORDS, f"Every requirement is met under {law.citation}, with its records.")


def _calculated(_: Assessment, q: Quantification, __: str, ___: RuleVersion) -> Statement:
    cite = "2100.031(c)(3)(iii)"
    text = "I calculated the farm-level CI as the rule prescribes."
    if q.average.ci_g_per_bu is None:
        return Statement(cite, text, Footing.CONTRADICTED, "There is no average: " + " ".join(q.average.missing))
    if q.label is not Label.OFFICIAL:
        why = f"The calculation is {q.label}: only a final version of USDA FD-CIC makes it official."
        return Statement(cite, text, Footing.CONTRADICTED, why)
    wrong = [one for one in q.findings if one.code in BLOCKING or one.code.startswith("run_")]
    if wrong:
        return Statement(cite, text, Footing.CONTRADICTED, wrong[0].cause)
    why = "The calculator runs agree with the records, and the mean recomputes."
    return Statement(cite, text, Footing.RECORDS, why)


def _retain(_: Assessment, __: Quantification, ___: str, law: RuleVersion) -> Statement:
    text = f"I keep the records for {law.retention_years} years and show them to an accredited verifier on request."
    return Statement("2100.031(c)(3)(iv)", text, Footing.WORD, "A promise.")


def _no_double_sale(assessment: Assessment, q: Quantification, _: str, __: RuleVersion) -> Statement:
    cite = "2100.031(c)(3)(v)"
    text = "I sell the greenhouse gas benefit of these practices in one market only."
    units = set(_credited_units(q))
    for row in _rows(assessment, "enrolment", q.farm_id):
        if row["sells_benefit"] and row["unit_id"] in units:
            why = f"{row['unit_id']} is enrolled in {row['program']}, which takes the benefit."
            return Statement(cite, text, Footing.CONTRADICTED, why)
    return Statement(cite, text, Footing.WORD, "A promise; no enrolment on file sells the benefit.")


def _keep_no_till(assessment: Assessment, q: Quantification, _: str, law: RuleVersion) -> Statement:
    cite = "2100.031(c)(3)(vi)"
    years, of = law.no_till_promise_years, law.no_till_promise_of_years
    text = f"Where I claim no-till, I keep it in at least {years} of every {of} years."
    claimed = {unit.unit_id for unit in q.units if Practice.no_till in unit.credited}
    parcels = {
        row["parcel_id"]: row["unit_id"]
        for row in _rows(assessment, "unit", q.farm_id)
        if row["unit_id"] in claimed and row["parcel_id"]
    }
    tilled: dict[str, set[int]] = {}
    for row in _rows(assessment, "tillage_history", q.farm_id):
        recent = q.harvest_year - of < row["harvest_year"] <= q.harvest_year
        if row["parcel_id"] in parcels and recent and row["tillage"] == "tilled":
            tilled.setdefault(row["parcel_id"], set()).add(row["harvest_year"])
    broken = {parcel: found for parcel, found in tilled.items() if len(found) > of - years}
    for parcel, found in sorted(broken.items()):
        promised = _promised_before(assessment, q, parcel, min(found))
        why = f"Parcel {parcel} was tilled in {', '.join(map(str, sorted(found)))}."
        footing = Footing.CONTRADICTED if promised else Footing.WORD
        return Statement(cite, text, footing, why if promised else why + " It was not under the promise then.")
    return Statement(
        cite, text, Footing.WORD, "A promise for the years to come; the history on file does not break it."
    )


def _promised_before(assessment: Assessment, q: Quantification, parcel: str, year: int) -> bool:
    """Return whether the parcel was under no-till before it was first tilled: a first-year farm breaks nothing."""
    return any(
        row["parcel_id"] == parcel and row["tillage"] == "no_till" and row["harvest_year"] < year
        for row in _rows(assessment, "tillage_history", q.farm_id)
    )


def _no_conversion(assessment: Assessment, q: Quantification, _: str, law: RuleVersion) -> Statement:
    cite = "2100.031(c)(3)(vii)"
    text = f"I did not convert this land into crop production after {law.land_conversion_after:%d %B %Y}."
    units = set(_credited_units(q))
    rows = [row for row in _rows(assessment, "land_use", q.farm_id) if row["unit_id"] in units]
    for row in rows:
        if row["land_use"] in NOT_CROPLAND and law.land_conversion_after.year <= row["year"] <= q.harvest_year:
            why = f"{row['unit_id']} was {row['land_use'].replace('_', ' ')} in {row['year']}."
            return Statement(cite, text, Footing.CONTRADICTED, why)
    shown = {row["unit_id"] for row in rows if row["year"] <= law.land_conversion_after.year}
    if units <= shown:
        return Statement(cite, text, Footing.RECORDS, "The land-use history shows crop production before that day.")
    return Statement(cite, text, Footing.WORD, f"No land-use history for {', '.join(sorted(units - shown))}.")
