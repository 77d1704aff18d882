"""What the headings of a table cannot say of its rows: the calculator and its version, a county's code, the paper.

Only what is printed is taken: what a printout does not show is left blank, not filled from the book.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from provender.catalog.places import counties
from provender.days import DayTextError, read_day
from provender.formats.column_map import ColumnMap
from provender.formats.importing.incoming_files import Source
from provender.formats.mapped import shipped_maps
from provender.formats.parsed import MappedRow, MappedTable, doubt, note
from provender.problem import Place, Problem
from provender.records.book import HASH_SHOWN
from provender.records.kind import Kind
from provender.rule.calculators import packaged_calculators

RUN: Final = "calculator_run"
_DAY: Final = r"\d{4}-\d\d?-\d\d?|\d\d?[/.-]\d\d?[/.-](?:\d{4}|\d\d)|[a-z]{3,9}\.? \d\d?,? \d{4}|\d\d? [a-z]{3,9} \d{4}"
_BESIDE: Final[Mapping[str, re.Pattern[str]]] = {
    "run_on": re.compile(rf"\b(?:run|calculation|report) (?:date|on)\s*:?\s*({_DAY})(?!\d)", re.IGNORECASE),
    "county_fips": re.compile(
        r"\bcounty\s*[:\n]\s*(?:[^\n(]*\((?=\d{5}\)))?(\d{5}\b|[a-z .']+,\s*[a-z ]+?)(?=[\n()]|\s\s|$)", re.IGNORECASE
    ),
}
"""What a printout says of all its runs, with a word before it: the day, and the county by code or by name."""


EVIDENCE_OF: Final[Mapping[str, str]] = {
    RUN: "printout",
    "soil_test": "laboratory_report",
    "reported_acres": "usda_record",
    "planting": "usda_record",
    "inhibitor_purchase": "invoice",
    "seed_purchase": "invoice",
    "scale_ticket": "ticket",
    "sale": "receipt",
}
"""What a paper is, by the kind of record that it shows; any other is kept as other."""
OF_OTHERS: Final = ("soil_test", "scale_ticket", "sale")
"""Kinds whose lists a laboratory or a buyer hands out as a table: the file is the paper."""


def evidence_id(source: Source) -> str:
    """Return the identifier under which a kept file is named in records that rest on it."""
    return f"file-{source.sha256[:HASH_SHOWN]}"


def is_shipped(column_map: ColumnMap) -> bool:
    """Tell whether a layout is one that a laboratory or an elevator is known to write."""
    return any(each.name == column_map.name for each in shipped_maps())


def kept_as_paper(kind: Kind, column_map: ColumnMap, file: str) -> Problem:
    """Say that a list is kept as the paper of its rows; one whose layout no map knows may be a farm's own."""
    what = EVIDENCE_OF[kind.name].replace("_", " ")
    cause = f"the file is kept as evidence of its rows, as a {what}."
    place = Place(file)
    if is_shipped(column_map):
        return note(place, cause, "Nothing to do.", "kept_as_paper")
    remedy = "Confirm that it is as the laboratory or the buyer made it; a list of your own goes into our template."
    return doubt(place, cause, remedy, "kept_as_paper")


def adapted(mapped: MappedTable, source: Source, head: Iterable[str], *, paper: bool) -> MappedTable:
    """Return rows with what their headings cannot say: calculator and version, the county's code, the paper itself.

    Calculator, day and county may stand beside the table, among all texts of the file.
    """
    common = {"evidence": evidence_id(source)} if paper else {}
    if mapped.target == RUN:
        texts = [text.strip() for text in head if text.strip()]
        common |= _calculator(texts) | _above_the_runs(texts)
    if not common and mapped.target != RUN:
        return mapped
    rows = [MappedRow(row.number, _run({**common, **row.values}, mapped.target)) for row in mapped.rows]
    return replace(mapped, rows=tuple(rows))


def _run(values: Mapping[str, str], target: str) -> dict[str, str]:
    """Return values of a run with the crop entry it is of, by its unit, and the code of its county."""
    if target != RUN:
        return dict(values)
    entry = {"harvest_id": values["unit_id"]} if values.get("unit_id") and not values.get("harvest_id") else {}
    return {**_with_county(values), **entry}


def _calculator(texts: Iterable[str]) -> dict[str, str]:
    """Return calculator, version and status where a listed version stands in the file; the longest name counts."""
    whole = f" {_folded(' '.join(texts))} "
    found = {}
    versions = packaged_calculators().versions
    for (tool, version), known in sorted(versions.items(), key=lambda each: len(each[0][1])):
        if f" {_folded(tool)} " in whole and f" {_folded(version)} " in whole:
            found = {"calculator": known.calculator, "version": known.version, "status": str(known.status)}
    return found


def _above_the_runs(texts: Iterable[str]) -> dict[str, str]:
    """Return day and county that stand beside a table once for all its runs; what stands there in two ways is none."""
    whole, found = "\n".join(texts), {}
    for name, pattern in _BESIDE.items():
        said = {match[1].strip(" .;|") for match in pattern.finditer(whole)}
        if len(said) == 1:
            found[name] = said.pop()
    try:
        # The calculator is USDA's, which writes the month first.
        return found | ({"run_on": read_day(found["run_on"], "mdy").isoformat()} if "run_on" in found else {})
    except DayTextError:
        return {name: text for name, text in found.items() if name != "run_on"}


def _folded(text: str) -> str:
    return " ".join(re.sub(r"[^\w.]+", " ", text.casefold()).split())


def _with_county(values: Mapping[str, str]) -> dict[str, str]:
    """Return values with the code of a county that is named in words: ``Story County, IA``."""
    named = values.get("county_fips", "")
    if not named or named.isdigit():
        return dict(values)
    wanted = _plain(named)
    codes = [
        one.fips
        for one in counties().values()
        if wanted in {_plain(f"{one.name} {one.state}"), _plain(f"{one.name} {one.state_name}")}
    ]
    return {**values, "county_fips": codes[0]} if len(codes) == 1 else dict(values)


def _plain(county: str) -> str:
    return " ".join(re.sub(r"\b(county|parish)\b", " ", re.sub(r"\W+", " ", county.casefold())).split())
