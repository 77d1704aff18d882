"""What a report rests on, by hash: evidence files, and the records of each unit, kind by kind.

A signed report says which records it was computed from. Whoever holds it can later tell whether one of them was
changed, dropped or added, and on which unit, without the records themselves standing in it. Order of rows, line ends
and the layout of a file do not matter: a hash is over the rows as a person would type them. With a secret each hash is
the root of salted leaves over every kind of record (``record_rows``); without one, as in drafts and in reports
made without a key, it is over the sorted rows of the kinds below.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

import polars as pl

from provender.intensity.quantify import Quantification
from provender.practices.assess import Assessment
from provender.records.folder import signed_row
from provender.records.kind import KINDS
from provender.report.record_rows import WHOLE_FARM, Leaves
from provender.signing.hashes import document_hash
from provender.signing.salted_leaves import roots_over

Row: TypeAlias = Mapping[str, Any]

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


SALTED: Final = "salted-rows-1"
"""How ``records`` was made, as the report says it; a report without the word has plain hashes."""


def rests_on(
    assessment: Assessment, q: Quantification, named: frozenset[str], leaves: Leaves | None = None
) -> dict[str, Any]:
    """Return the hashes of evidence and records behind a report; ``named``: ids of the evidence of its crop.

    Returns:
        ``evidence``: one line per evidence record of the farm, sorted, its SHA-256 from the record or, where it names
        none, from the file in the book's folder; null where neither is at hand; ``of_this_crop`` tells whether rows of
        the report's crop or of the whole farm name it. ``records``: unit (``farm`` for rows
        of no unit) -> kind -> root of its leaves, or SHA-256 of its rows where there are none.
    """
    evidence = [{**one, "of_this_crop": one["evidence_id"] in named} for one in _evidence(assessment, q.farm_id)]
    if leaves is None:
        return {"evidence": evidence, "records": _records(assessment, q)}
    roots = {unit: roots_over(kinds) for unit, kinds in sorted(leaves.items())}
    return {"evidence": evidence, "records": roots, "leaves": SALTED}


def _evidence(assessment: Assessment, farm_id: str) -> list[dict[str, Any]]:
    rows = sorted(assessment.book.rows_of("evidence", farm_id), key=lambda row: str(row["evidence_id"]))
    names = ("evidence_id", "file", "what", "unit_id")
    return [
        {
            **{name: row[name] for name in names},
            "sha256": (row["sha256"] or _hash_in(assessment, farm_id, row["file"])).lower() or None,
        }
        for row in rows
    ]


def _hash_in(assessment: Assessment, farm_id: str, file: str) -> str:
    """Return the hash of a file in the book's evidence folder, empty where it is not there or there is no folder."""
    return "" if assessment.book.folder is None else assessment.book.files.hash_of(farm_id, file)


def _records(assessment: Assessment, q: Quantification) -> dict[str, dict[str, str]]:
    """Return the hashes unit by unit; each kind is read once and its rows are handed out by what they belong to."""
    by_harvest = {kind: _by(assessment, q, kind, "harvest_id") for kind in BY_HARVEST}
    by_parent = {kind: _by(assessment, q, kind, column) for kind, _, column in BY_PARENT}
    operations, units = _by(assessment, q, "operation", "unit_id"), _by(assessment, q, "unit", "unit_id")
    found: dict[str, dict[str, str]] = {}
    for unit in q.units:
        rows = {kind: _of(held, unit.harvest_ids) for kind, held in by_harvest.items()}
        rows["operation"] = _in_interval(assessment, q, unit.unit_id, operations[unit.unit_id])
        rows["unit"] = units[unit.unit_id]
        for kind, parent, column in BY_PARENT:
            rows[kind] = _of(by_parent[kind], [row[column] for row in rows[parent]])
        found[unit.unit_id] = _hashes(rows)
    return {**found, WHOLE_FARM: _hashes({kind: _of_farm(assessment, q, kind) for kind in OF_FARM})}


def _hashes(rows: Mapping[str, Sequence[Row]]) -> dict[str, str]:
    return {kind: _hash(kind, of_kind) for kind, of_kind in sorted(rows.items()) if of_kind}


def _hash(kind: str, rows: Iterable[Row]) -> str:
    fields = {name: one for name, one in KINDS[kind].typed_fields.items() if name != "farm_id"}
    return document_hash(sorted(signed_row(row, fields) for row in rows))


def _by(assessment: Assessment, q: Quantification, kind: str, column: str) -> defaultdict[str, list[Row]]:
    """Return the farm's rows of a kind by the value of a column."""
    found: defaultdict[str, list[Row]] = defaultdict(list)
    for row in assessment.book.rows_of(kind, q.farm_id):
        found[row[column]].append(row)
    return found


def _of(held: Mapping[str, list[Row]], keys: Iterable[str]) -> list[Row]:
    return [row for key in dict.fromkeys(keys) for row in held.get(key, ())]


def _in_interval(assessment: Assessment, q: Quantification, unit_id: str, passes: list[Row]) -> list[Row]:
    """Return the passes of the unit's intervals, and those of no known day."""
    spans = [
        (one.facts.get("season_from"), one.facts["last_day"])
        for one in assessment.of(q.farm_id, q.crop, q.harvest_year)
        if one.unit_id == unit_id and one.facts.get("last_day") is not None
    ]
    return [
        row
        for row in passes
        if row["day"] is None
        or any((first is None or row["day"] >= first) and row["day"] <= last for first, last in spans)
    ]


def _of_farm(assessment: Assessment, q: Quantification, kind: str) -> list[Row]:
    mine = (pl.col("farm_id") == q.farm_id) & (pl.col("harvest_year") == q.harvest_year)
    rows = assessment.book[kind].filter(mine & (pl.col("crop").cast(pl.String) == str(q.crop)))
    return list(rows.iter_rows(named=True))
