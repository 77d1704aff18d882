"""What a report rests on, by hash: evidence files, and the records of each unit, kind by kind.

A signed report says which records it was computed from. Whoever holds it can later tell whether one of them was
changed, dropped or added, and on which unit, without the records themselves standing in it. Order of rows, line ends
and the layout of a file do not matter: a hash is over the sorted rows as a person would type them.
"""

from typing import Any, Final

import polars as pl

from provender.intensity.quantify import Quantification
from provender.practices.assess import Assessment
from provender.records.folder import EVIDENCE, written_row
from provender.records.kind import KINDS
from provender.signing.hashes import document_hash, hash_file

BY_HARVEST: Final = (
    "harvest", "declaration", "planting", "cover_crop", "nutrient_application", "nutrient_budget", "in_season_test",
    "calculator_run",
)  # fmt: skip
"""Kinds whose rows name the crop entry they belong to."""
BY_PARENT: Final = (
    ("operation_tool", "operation", "operation_id"),
    ("cover_species", "cover_crop", "cover_id"),
    ("budget_source", "nutrient_budget", "budget_id"),
)
"""Kinds whose rows belong to a row of another kind: own kind, the other, the column that names it."""
OF_FARM: Final = ("reported_acres", "bushel_total")
"""Kinds of the whole farm: their rows of the report's crop and year. Others grow with later seasons."""
WHOLE_FARM: Final = "farm"


def rests_on(assessment: Assessment, q: Quantification) -> dict[str, Any]:
    """Return the hashes of evidence and records behind a report.

    Returns:
        ``evidence``: one line per evidence record of the farm, sorted, its SHA-256 from the record or, where it names
        none, from the file in the book's folder; null where neither is at hand. ``records``: unit (``farm`` for rows
        of no unit) -> kind -> SHA-256 of its rows.
    """
    return {"evidence": _evidence(assessment, q.farm_id), "records": _records(assessment, q)}


def _evidence(assessment: Assessment, farm_id: str) -> list[dict[str, Any]]:
    rows = assessment.book["evidence"].filter(pl.col("farm_id") == farm_id).sort("evidence_id")
    names = ("evidence_id", "file", "what", "unit_id")
    return [
        {
            **{name: row[name] for name in names},
            "sha256": (row["sha256"] or _hash_in(assessment, row["file"])).lower() or None,
        }
        for row in rows.iter_rows(named=True)
    ]


def _hash_in(assessment: Assessment, file: str) -> str:
    """Return the hash of a file in the book's evidence folder, empty where it is not there or not inside it."""
    if assessment.book.folder is None:
        return ""
    inside = (assessment.book.folder / EVIDENCE).resolve()
    path = (inside / file).resolve()
    return hash_file(path) if path.is_relative_to(inside) and path.is_file() else ""


def _records(assessment: Assessment, q: Quantification) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for unit in q.units:
        frames = {kind: _of(assessment, kind, q.farm_id, "harvest_id", unit.harvest_ids) for kind in BY_HARVEST}
        frames["operation"] = _operations(assessment, q, unit.unit_id)
        frames["unit"] = _of(assessment, "unit", q.farm_id, "unit_id", (unit.unit_id,))
        for kind, parent, column in BY_PARENT:
            frames[kind] = _of(assessment, kind, q.farm_id, column, frames[parent][column].to_list())
        found[unit.unit_id] = _hashes(frames)
    return {**found, WHOLE_FARM: _hashes({kind: _of_farm(assessment, q, kind) for kind in OF_FARM})}


def _hashes(frames: dict[str, pl.DataFrame]) -> dict[str, str]:
    return {kind: _hash(kind, frame) for kind, frame in sorted(frames.items()) if frame.height}


def _hash(kind: str, frame: pl.DataFrame) -> str:
    fields = {name: one for name, one in KINDS[kind].typed_fields.items() if name != "farm_id"}
    return document_hash(sorted(written_row(row, fields) for row in frame.iter_rows(named=True)))


def _of(
    assessment: Assessment, kind: str, farm_id: str, column: str, keys: list[str] | tuple[str, ...]
) -> pl.DataFrame:
    frame = assessment.book[kind]
    return frame.filter((pl.col("farm_id") == farm_id) & pl.col(column).is_in(list(keys)))


def _operations(assessment: Assessment, q: Quantification, unit_id: str) -> pl.DataFrame:
    """Return the passes of the unit's intervals, and those of no known day."""
    frame = _of(assessment, "operation", q.farm_id, "unit_id", (unit_id,))
    held = pl.col("day").is_null()
    for one in assessment.of(q.farm_id, q.crop, q.harvest_year):
        first, last = one.facts.get("starts_on"), one.facts.get("last_day")
        if one.unit_id == unit_id and last is not None:
            after = pl.lit(value=True) if first is None else pl.col("day") >= first
            held = held | (after & (pl.col("day") <= last))
    return frame.filter(held)


def _of_farm(assessment: Assessment, q: Quantification, kind: str) -> pl.DataFrame:
    mine = (pl.col("farm_id") == q.farm_id) & (pl.col("harvest_year") == q.harvest_year)
    return assessment.book[kind].filter(mine & (pl.col("crop").cast(pl.String) == str(q.crop)))
