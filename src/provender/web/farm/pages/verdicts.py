"""Verdicts of a farm's book as plain data, kept per version of book and rule so that pages need no second judging."""

from typing import Any, Final

from provender.practices.assess import Assessment
from provender.practices.explain import Finding, IntervalVerdict
from provender.practices.verdict import Verdict
from provender.problem import Problem
from provender.records import KINDS
from provender.services.farm.records import FarmBook
from provender.services.farm.verdicts import kept

WHAT: Final = "practices 1"
"""Name and shape of what is kept; another shape takes another number."""

AS_BOOL: Final = {Verdict.MET: True, Verdict.NOT_MET: False, Verdict.NOT_SHOWN: None}


def verdicts_of(farm: FarmBook) -> dict[str, Any]:
    """Return ``intervals`` and ``problems`` of a book, judged once per version of the book, the rule and the program.

    A verdict is true (met), false (not met) or null (not shown).
    """
    found: dict[str, Any] = kept(farm, WHAT, _judge)
    return found


def _judge(judged: Assessment) -> dict[str, Any]:
    return {
        "intervals": [_interval(one) for one in judged.intervals],
        "problems": [_problem(one) for one in judged.problems],
    }


def _problem(one: Problem) -> dict[str, Any]:
    return {**one.as_json(), "place": str(one.place)}


def _interval(one: IntervalVerdict) -> dict[str, Any]:
    return {
        "unit_id": one.unit_id,
        "harvest_id": one.harvest_id,
        "crop": one.crop.label,
        "harvest_year": one.harvest_year,
        "practices": [
            {
                "name": str(found.practice),
                "label": found.practice.label,
                "cite": str(found.practice.cite),
                "claimable": found.claimable,
                "implementation": AS_BOOL[found.implementation],
                "records": AS_BOOL[found.records],
                "findings": [_finding(each) for each in found.findings],
            }
            for found in one.practices
        ],
    }


def _finding(one: Finding) -> dict[str, Any]:
    return {
        "cite": one.cite,
        "part": str(one.part),
        "says": one.says,
        "verdict": AS_BOOL[one.verdict],
        "observed": one.observed,
        "limit": one.limit,
        "gap": one.gap,
        "missing": [_missing(record) for record in one.missing],
        "remedy": one.remedy,
    }


def _missing(record: str) -> dict[str, str]:
    """Split a missing record, such as ``declaration.residue_burned (yes or no)``, into kind, column and words."""
    head = record.split(" ", 1)[0]
    kind_name, _, column = head.partition(".")
    kind = KINDS[kind_name]
    column = column.rstrip(",")
    said = record.removeprefix(head).strip()
    label = kind.fields[column].label if column in kind.fields else ""
    return {"kind": kind_name, "kind_label": kind.label, "column": column, "label": label, "said": said}
