"""What the calculator was given for each unit, and so which practices its CI rests on (2100.020(a), .031(c)(2)(i))."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import polars as pl

from provender.catalog.counties import find_county
from provender.intensity.book_facts import farm_facts
from provender.intensity.calculator import Label
from provender.intensity.combination import Combination
from provender.intensity.quantify import Quantification, UnitResult
from provender.practices.assess import Assessment
from provender.quantity import CI_SCALE, show
from provender.records import KINDS
from provender.rule.crops import Practice

# Columns of a run in the order in which the calculator asks, and the decimals of its amounts.
ASKED: Final = (
    "county_fips", "crop", "yield_bu_per_ac", "acres", "tillage", "cover_crop", "n_timing", "inhibitor",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Given:
    """What stands behind the CI of one unit.

    Attributes:
        used: the practices entered in the calculator, in the order of the rule; empty for conventional crop.
        inputs: name, value, unit and paragraph of everything entered, where no printout shows it (models).
        runs: the printouts, each with its inputs, its output and its evidence; empty for a model.
    """

    used: tuple[Practice, ...]
    inputs: tuple[dict[str, Any], ...]
    runs: tuple[dict[str, Any], ...]


def given(assessment: Assessment, q: Quantification) -> Mapping[str, Given]:
    """Return by unit what the calculator was given.

    Which practices those are, the quantification says (``UnitResult.used``).
    """
    facts = farm_facts(assessment, q.farm_id, q.crop, q.harvest_year)
    official = q.label is not Label.ESTIMATE
    runs = [run for run in facts.runs if official and (run.tool, run.version) == (q.calculator, q.version)]
    printed = _printouts(assessment, q.farm_id, {run.run for run in runs})
    found = {}
    for unit in q.units:
        mine = [run for run in runs if run.unit == unit.unit_id]
        inputs = () if official or unit.conventional else tuple(_inputs(_of_model(unit, q)))
        found[unit.unit_id] = Given(unit.used, inputs, tuple(printed[run.run] for run in mine))
    return found


def _of_model(unit: UnitResult, q: Quantification) -> dict[str, Any]:
    entered = Combination.of(unit.used)
    return {
        "county_fips": unit.county_fips, "crop": str(q.crop), "tillage": str(entered.tillage),
        "cover_crop": entered.cover_crop, "n_timing": str(entered.timing), "inhibitor": entered.inhibitor,
    }  # fmt: skip


def _printouts(assessment: Assessment, farm_id: str, run_ids: set[str]) -> dict[str, dict[str, Any]]:
    """Return the runs as plain data by their key."""
    mine = pl.col("farm_id") == farm_id
    rows = assessment.book["calculator_run"].filter(mine & pl.col("run_id").is_in(list(run_ids)))
    # A hash that no row records yet is that of the file: what is signed names the printout by its content.
    held = assessment.book.files
    files = {
        row["evidence_id"]: {**row, "sha256": row["sha256"] or held.hash_of(farm_id, row["file"] or "") or None}
        for row in assessment.book["evidence"].filter(mine).iter_rows(named=True)
    }
    return {row["run_id"]: _printout(row, files) for row in rows.iter_rows(named=True)}


def _printout(row: Mapping[str, Any], files: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    named = [name.strip() for name in (row["evidence"] or "").split(";") if name.strip()]
    return {
        "run_id": row["run_id"],
        "calculator": row["calculator"],
        "version": row["version"],
        "status": row["status"],
        "run_on": None if row["run_on"] is None else row["run_on"].isoformat(),
        "inputs": list(_inputs(row)),
        "ci_g_per_bu": _ci(row["ci_g_per_bu"]),
        "farm_ci_g_per_bu": _ci(row["farm_ci_g_per_bu"]),
        "evidence": [
            {"evidence_id": name, **{part: files.get(name, {}).get(part) for part in ("file", "sha256")}}
            for name in named
        ],
    }


def _inputs(row: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Describe what was entered with the labels of the records; what is not known stays null."""
    fields = KINDS["calculator_run"].fields
    return [
        {"name": fields[name].label.removesuffix(" entered"), "value": _value(name, row[name]),
         "unit": fields[name].unit, "cite": fields[name].cite}
        for name in ASKED
        if name in row
    ]  # fmt: skip


def _value(name: str, value: object) -> str | None:
    if value is None:
        return None
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return show(value)
    if name == "county_fips":
        county = find_county(str(value))
        return f"{value} ({county.name}, {county.state})" if county else str(value)
    return str(value).replace("_", " ")


def _ci(value: int | None) -> str | None:
    return None if value is None else show(value, CI_SCALE, places=CI_SCALE)
