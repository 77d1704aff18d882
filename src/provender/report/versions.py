"""Versions of a report under one origin: what an amendment replaces and what it changes (interpretations 34, 35)."""

from collections.abc import Mapping
from typing import Any, Final

from provender.problem import Place, Problem, ProblemsError
from provender.report.document import Edition
from provender.rule.crops import Practice
from provender.signing.hashes import document_hash

KEY: Final = ("farm_id", "crop", "harvest_year")
_SHOWN: Final = (
    ("total_bushels", "Total bushels"),
    ("farm_ci_g_per_bu", "Farm CI, g CO2e/bu"),
    ("label", "Status"),
)


def next_edition(earlier: Mapping[str, Any], later: Mapping[str, Any]) -> Edition:
    """Return the edition under which ``later`` replaces ``earlier``.

    Raises:
        ProblemsError: the two are not of one farm, crop and harvest year.
    """
    if origin_key(earlier) != origin_key(later):
        cause = "The report to be replaced is of another farm, crop or harvest year."
        raise ProblemsError([Problem(Place("report"), cause, "Name the report of this origin.", "2100.031(c)")])
    edition = earlier["edition"]
    return Edition(
        version=edition["version"] + 1,
        replaces=document_hash(earlier),
        changes=tuple(changes(earlier, later)),
        origin_id=edition["origin_id"],
        salt=edition["salt"],
    )


def origin_key(report: Mapping[str, Any]) -> tuple[str, str, int]:
    """Return farm, crop and harvest year of a report."""
    return report["farm"]["farm_id"], report["crop"], report["harvest_year"]


def changes(earlier: Mapping[str, Any], later: Mapping[str, Any]) -> list[str]:
    """Say in sentences what an amendment changes: totals, units, and practices credited."""
    found = [
        f"{label}: {earlier[name]} becomes {later[name]}." for name, label in _SHOWN if earlier[name] != later[name]
    ]
    before = {unit["unit_id"]: unit for unit in earlier["units"]}
    after = {unit["unit_id"]: unit for unit in later["units"]}
    found += [f"Unit {unit} is no longer in the report." for unit in before if unit not in after]
    found += [f"Unit {unit} is new in the report." for unit in after if unit not in before]
    for unit in before.keys() & after.keys():
        for name, label in (
            ("acres", "acres"),
            ("bushels", "bushels"),
            ("ci_g_per_bu", "CI"),
            ("used", "practices in the CI"),
        ):
            if before[unit][name] != after[unit][name]:
                found.append(f"Unit {unit}, {label}: {_words(before[unit][name])} becomes {_words(after[unit][name])}.")
    return sorted(found)


def _words(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(Practice(one).label if one in set(Practice) else one for one in value) or "none"
    return "none" if value is None else str(value)
