"""The report of a portfolio made from signed farm reports: what a buyer has, who has none of its farms' records."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from provender.catalog.counties import find_county
from provender.portfolio.overview import UNKNOWN, Overview
from provender.practices.verdict import Verdict
from provender.quantity import CI_SCALE, half_even, parse
from provender.rule.crops import Practice

Stake = Mapping[str, Any]
"""A finding with bushels at stake: ``kind``, ``bushels``, ``message``, ``cite``."""
_COUNTED: Final = {str(Verdict.MET): "met", str(Verdict.NOT_MET): "not"}


def of_reports(reports: Iterable[Mapping[str, Any]], stakes: Iterable[Stake]) -> Overview:
    """Sum up the documents of farm reports, each the latest version of its farm, crop and year, and what is at stake.

    A practice counts on a unit as in its worst interval. Reports of every format are read: what an early one does not
    say counts as not shown.
    """
    counties: dict[tuple[str, str, str], dict[str, Any]] = {}
    gaps: dict[tuple[str, str, str], dict[str, Any]] = {}
    findings: dict[tuple[str, str, str, str], dict[str, Any]] = {}
    for report in reports:
        for unit in report.get("units", ()):
            _count_unit(counties, report, unit)
            _count_gaps(gaps, report, unit)
        _count_findings(findings, report)
    found = sorted(stakes, key=lambda one: -one["bushels"])
    order = sorted(gaps.values(), key=lambda row: (-row["bushels"], -row["fields"], row["record"]))
    return Overview(
        tuple(_finished(counties[key]) for key in sorted(counties)),
        tuple(order),
        tuple(findings[key] for key in sorted(findings)),
        tuple(found),
        tuple(_kinds(found)),
    )


def _place(report: Mapping[str, Any], unit: Mapping[str, Any]) -> tuple[str, str, str]:
    """Return State, county code and county of a unit, or else of its farm."""
    farm = report.get("farm", {})
    fips = unit.get("county_fips") or farm.get("county_fips") or ""
    county = find_county(fips) if fips else None
    if county is not None:
        return county.state, fips, county.name
    return farm.get("state") or UNKNOWN, fips, farm.get("county") or UNKNOWN


def _amount(said: object, scale: int = 3) -> int:
    return parse(said, scale) if isinstance(said, str) else 0


def _count_unit(
    counties: dict[tuple[str, str, str], dict[str, Any]], report: Mapping[str, Any], unit: Mapping[str, Any]
) -> None:
    state, fips, county = _place(report, unit)
    marks = {f"{one}_{end}": 0 for one in Practice for end in ("met", "not", "open")}
    empty = {"state": state, "county_fips": fips, "county": county, "crop": report["crop"], "fields": 0, "of": set(),
             "bushels": 0, "ci_bushels": 0, "product": 0, **marks}  # fmt: skip
    row = counties.setdefault((state, fips, report["crop"]), empty)
    bushels = _amount(unit.get("bushels"))
    row["fields"] += 1
    row["of"].add(report["farm"]["farm_id"])
    row["bushels"] += bushels
    ci = report.get("national_default_g_per_bu") if unit.get("conventional") else unit.get("ci_g_per_bu")
    if ci is not None:
        row["ci_bushels"] += bushels
        row["product"] += bushels * _amount(ci, CI_SCALE)
    for practice in Practice:
        row[f"{practice}_{_verdict(unit, practice)}"] += 1


def _verdict(unit: Mapping[str, Any], practice: Practice) -> str:
    said = [
        _COUNTED.get(one.get("implementation", ""), "open")
        for interval in unit.get("intervals", ())
        for one in interval.get("practices", ())
        if one.get("practice") == practice
    ]
    return next((end for end in ("not", "open", "met") if end in said), "open")


def _finished(row: dict[str, Any]) -> dict[str, Any]:
    mean = half_even(row["product"], row["ci_bushels"]) if row["ci_bushels"] else None
    rest = {name: value for name, value in row.items() if name not in ("of", "product")}
    return {**rest, "farms": len(row["of"]), "ci": mean, "ci_product": str(row["product"])}


def _missing(unit: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for interval in unit.get("intervals", ()):
        for one in interval.get("practices", ()):
            for needed in one.get("requirements", ()):
                if needed.get("verdict") == Verdict.NOT_SHOWN:
                    yield from ((str(record), needed) for record in needed.get("missing", ()))


def _count_gaps(
    gaps: dict[tuple[str, str, str], dict[str, Any]], report: Mapping[str, Any], unit: Mapping[str, Any]
) -> None:
    state, _, _ = _place(report, unit)
    bushels = _amount(unit.get("bushels"))
    # A record that several requirements lack is one gap of the field.
    for record, needed in dict(reversed(list(_missing(unit)))).items():
        empty = {"state": state, "crop": report["crop"], "record": record, "fields": 0, "bushels": 0,
                 "says": needed.get("says", ""), "cite": needed.get("cite", "")}  # fmt: skip
        row = gaps.setdefault((state, report["crop"], record), empty)
        row["fields"] += 1
        row["bushels"] += bushels


def _count_findings(findings: dict[tuple[str, str, str, str], dict[str, Any]], report: Mapping[str, Any]) -> None:
    state = report.get("farm", {}).get("state") or UNKNOWN
    seen: set[tuple[str, str, str, str]] = set()
    for one in report.get("findings", ()):
        key = (state, report["crop"], str(one.get("code", "")), str(one.get("cite", "")))
        empty = {"state": state, "crop": key[1], "code": key[2], "cite": key[3], "farms": 0, "bushels": 0}
        row = findings.setdefault(key, empty)
        row["farms"] += key not in seen
        row["bushels"] += _amount(one.get("effect_bushels"))
        seen.add(key)


def _kinds(stakes: Iterable[Stake]) -> Iterator[dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for one in stakes:
        row = found.setdefault(one["kind"], {"kind": one["kind"], "findings": 0, "bushels": 0})
        row["findings"] += 1
        row["bushels"] += one["bushels"]
    yield from sorted(found.values(), key=lambda row: (-row["bushels"], row["kind"]))
