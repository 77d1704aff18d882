"""What of a farm's problems and evidence is about the crop of one report: a buyer reads nothing of the other crops."""

import re
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any, Final

import polars as pl

from provender.intensity.quantify import Quantification
from provender.practices.assess import Assessment
from provender.problem import Problem
from provender.records.kind import KINDS

_WORD: Final = re.compile(r"[^\s,;:()\[\]\"']+")
_NAMES: Final = ("evidence", "established_photo")
"""Columns that name evidence, several set apart by semicolons."""


def of_this_crop(assessment: Assessment, q: Quantification) -> list[Problem]:
    """Return the problems of a book without those that name crop entries, units or evidence of other crops alone."""
    mine = pl.col("farm_id") == q.farm_id
    entries = {row["harvest_id"] for row in assessment.book["harvest"].filter(mine).iter_rows(named=True)}
    units = {row["unit_id"] for row in assessment.book["unit"].filter(mine).iter_rows(named=True)}
    files = {row["evidence_id"]: row["file"] for row in assessment.book["evidence"].filter(mine).iter_rows(named=True)}
    papers, its = {*files, *files.values()}, evidence_named(assessment, q)
    own = {name for unit in q.units for name in (unit.unit_id, *unit.harvest_ids)} | its
    own |= {file for name, file in files.items() if name in its}
    found = []
    for one in assessment.problems:
        words = {word.rstrip(".") for word in _WORD.findall(one.cause)}
        named = (words & entries) or (words & (units | papers))
        if not named or named & own:
            found.append(one)
    return found


def evidence_named(assessment: Assessment, q: Quantification) -> frozenset[str]:
    """Return the ids of the evidence that rows of this crop name, or rows of the whole farm that are of no crop."""
    named = (str(row.get(column) or "") for row in _rows(assessment, q) for column in _NAMES)
    return frozenset(one.strip() for text in named for one in text.split(";")) - {""}


def _rows(assessment: Assessment, q: Quantification) -> Iterator[Mapping[str, Any]]:
    """Yield the rows of the crop's entries, of its units' seasons, and of the farm where they name no other crop."""
    mine = pl.col("farm_id") == q.farm_id
    frames = {name: assessment.book[name].filter(mine) for name in KINDS}
    entries = {entry for unit in q.units for entry in unit.harvest_ids}
    units = {unit.unit_id for unit in q.units}
    seasons = [
        (one.facts.get("season_from"), one.facts["last_day"])
        for one in assessment.of(q.farm_id, q.crop, q.harvest_year)
    ]
    covers = {row["cover_id"] for row in frames["cover_crop"].iter_rows(named=True) if row["harvest_id"] in entries}
    for name, frame in frames.items():
        for row in frame.iter_rows(named=True):
            if name == "cover_species" and row["cover_id"] not in covers:
                continue
            if row.get("harvest_id") and row["harvest_id"] not in entries:
                continue
            if row.get("unit_id") and row["unit_id"] not in units:
                continue
            if row.get("crop") and str(row["crop"]) != str(q.crop):
                continue
            if name == "operation" and not _within(row["day"], seasons):
                continue
            yield row


def _within(day: date | None, seasons: list[tuple[date | None, date]]) -> bool:
    return day is None or any((first is None or first <= day) and day <= last for first, last in seasons)
