"""Modus soil results (XML version 1 and the JSON form of it) as one shape; only facts of the file, no code lists."""

import datetime as dt
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Final
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from provender.days import DayTextError as ValueTextError
from provender.days import read_day
from provender.formats import units
from provender.formats.detect import content_of, sniff
from provender.formats.geometry import load_json
from provender.formats.parsed import MappedRow, MappedTable, Parsed, doubt, grouped, note, without_future
from provender.problem import Place, Problem, ProblemsError, listed


@dataclass(frozen=True, slots=True)
class Result:
    """One measured value: element, value as text, unit and the laboratory's test code."""

    element: str
    value: str
    unit: str
    test: str


@dataclass(frozen=True, slots=True)
class Sample:
    """One soil sample at one depth."""

    number: int  # counts the samples of the file from 1
    name: str  # the laboratory's or the grower's name of the sample
    report: str  # the laboratory's number of the report, or empty
    laboratory: str  # as written, or empty
    field: str  # as written, or empty
    day: str  # as written, or empty
    received: str  # as written, or empty
    top: str  # the depth, as written, or empty
    bottom: str  # the depth, as written, or empty
    depth_unit: str  # the depth, as written, or empty
    results: tuple[Result, ...]  # all of them


_MANY: Final = {each: f"{each}s" for each in ("Event", "SoilSample", "Depth", "DepthRef", "NutrientResult")}


def _tree(element: Element) -> dict[str, Any] | str:
    """Turn XML into the shape of the JSON form: repeated parts become lists under their plural."""
    children = list(element)
    found: dict[str, Any] = dict(element.attrib)
    for child in children:
        if child.tag in _MANY.values():
            singular = next(one for one, many in _MANY.items() if many == child.tag)
            found[child.tag] = [_tree(each) for each in child if each.tag == singular]
        elif child.tag in _MANY:
            found.setdefault(_MANY[child.tag], []).append(_tree(child))
        else:
            found[child.tag] = _tree(child)
    return found or (element.text or "").strip()


def _text(value: object) -> str:
    if isinstance(value, dict):
        return str(value.get("ID") or value.get("Name") or "")
    return "" if value is None else str(value).strip()


def _dig(node: object, *path: str) -> Any:  # noqa: ANN401 - JSON
    for step in path:
        node = node.get(step) if isinstance(node, dict) else None
    return node


def _list(node: object) -> list[dict[str, Any]]:
    return [each for each in node if isinstance(each, dict)] if isinstance(node, list) else []


def _samples(document: object) -> Iterator[Sample]:
    number = 0
    for event in _list(_dig(document, "Events")):
        soil = _dig(event, "EventSamples", "Soil")
        depths = {_text(each.get("DepthID")): each for each in _list(_dig(soil, "DepthRefs"))}
        for sample in _list(_dig(soil, "SoilSamples")):
            number += 1
            meta = _dig(sample, "SampleMetaData") or {}
            for depth in _list(_dig(sample, "Depths")):
                ref = depths.get(_text(depth.get("DepthID")), {})
                yield Sample(
                    number,
                    _text(_dig(meta, "FMISSampleID"))
                    or _text(_dig(meta, "ReportID"))
                    or _text(_dig(meta, "SampleNumber")),
                    _text(_dig(event, "LabMetaData", "LabEventID")),
                    _text(_dig(event, "LabMetaData", "LabName")),
                    _text(_dig(event, "FMISMetaData", "FMISProfile", "Field")),
                    _text(_dig(event, "EventMetaData", "EventDate")),
                    _text(_dig(event, "LabMetaData", "ReceivedDate")),
                    _text(ref.get("StartingDepth")),
                    _text(ref.get("EndingDepth")),
                    _text(ref.get("DepthUnit")),
                    tuple(
                        Result(*(_text(each.get(key)) for key in ("Element", "Value", "ValueUnit", "ModusTestID")))
                        for each in _list(depth.get("NutrientResults"))
                    ),
                )


def read_modus(data: bytes, name: str) -> tuple[list[Sample], list[Problem]]:
    """Return the soil samples of a Modus file; a file without soil results is a problem."""
    problems: list[Problem] = []
    document: object
    again = "Ask the laboratory for the results again, as Modus, CSV or XLSX."
    if data.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"<"):
        try:
            root = fromstring(data, forbid_dtd=True)
        except DefusedXmlException:
            cause = "the file declares XML entities or a document type, which laboratory results never need."
            return [], [Problem(Place(name), cause, again, code="xml_entities")]
        except (ParseError, ValueError, LookupError) as wrong:
            cause = f"the file is not sound XML ({wrong})."
            return [], [Problem(Place(name), cause, again, code="broken_xml")]
        document = _tree(root)
    else:
        document, problems = load_json(data, name)
        if document is None and problems:
            return [], problems
    samples = list(_samples(document))
    if not any(sample.results for sample in samples):
        cause = "the file holds no soil results; it may be a submission to a laboratory, or plant or water results."
        return [], [*problems, Problem(Place(name), cause, "Bring the soil report.", code="no_soil_results")]
    return samples, problems


# Soil test results from Modus files, as rows of soil tests; laboratories' own tables go through column maps.
#
# One row per sample and depth. Only what a soil test record asks for is taken; the file stays as evidence.

_ELEMENTS: Final = {
    **dict.fromkeys(("ph", "soil ph", "water ph", "ph water", "ph 1:1"), ("ph", "")),
    **dict.fromkeys(("organic matter", "om", "som", "soil organic matter"), ("organic_matter_pct", "pct")),
    **dict.fromkeys(("nitrate n", "nitrate-n", "no3-n", "no3 n", "nitrate nitrogen"), ("nitrate_n_ppm", "ppm")),
    **dict.fromkeys(("phosphorus", "p", "mehlich p", "mehlich-3 p", "bray p", "bray p1", "olsen p"), ("p_ppm", "ppm")),
    **dict.fromkeys(("potassium", "k", "mehlich k", "mehlich-3 k"), ("k_ppm", "ppm")),
    **dict.fromkeys(("depth", "sample depth"), ("depth_in", "in")),
}
"""Names of measurements, and the column with its unit. Nitrate without N may be the whole ion, which weighs more."""
_UNITS: Final = dict(_ELEMENTS.values())
_UNITLESS: Final = frozenset({"", "none", "na", "n/a", "-", "ph", "unitless", "su", "ph units"})


def column_of(name: str) -> str:
    """Return the column of a soil test that a measurement fills; empty for none."""
    return _ELEMENTS.get(" ".join(name.casefold().split()), ("", ""))[0]


def _amount(value: str, unit: str, wanted: str) -> str:
    """Return a value in the wanted unit, half even at three decimals.

    Raises:
        ValueTextError, units.UnitError: it is no number, or its unit measures something else.
    """
    number = units.read_number(value)
    if wanted:
        inner = unit.replace("\u00a0", " ").rpartition("(")[2].rstrip(") ") if "(" in unit else unit
        number = units.convert(number, inner, wanted)
    elif unit.lower() not in _UNITLESS:
        raise units.UnitError(f"pH has no unit, the file says {unit}")
    return units.number_out(number)[0]


def soil_values(results: Iterable[Result], place: Place, problems: list[Problem]) -> Iterator[tuple[str, str]]:
    """Yield by column what a soil test records of some results; of several methods the first."""
    taken: dict[str, Result] = {}
    limits: list[str] = []
    further: dict[str, list[Result]] = {}
    for result in results:
        column = column_of(result.element)
        if not column or not result.value:
            continue
        if column in taken:
            further.setdefault(column, []).append(result)
            continue
        taken[column] = result
        if units.is_limit(result.value):
            limits.append(f"{result.element}: {result.value}")
            problems.append(units.limit_not_value(place, result.element, result.value))
            continue
        try:
            yield column, _amount(units.without_rating(result.value), result.unit, _UNITS[column])
        except (ValueTextError, units.UnitError) as wrong:
            remedy = wrong.remedy or "Type the value in the unit of the column."
            problems.append(Problem(place, f"{result.element}: {wrong}.", remedy, code="unreadable_result"))
            del taken[column]
    if limits:
        yield "note", ". ".join(limits)
    if "p_ppm" in taken and taken["p_ppm"].test:
        yield "method", taken["p_ppm"].test
    for column, others in further.items():
        first = taken[column]
        named = f"{first.test or 'the first'} was taken, not {listed(each.test or 'another' for each in others)}"
        cause = f"{first.element} was measured in several ways; {named}."
        problems.append(doubt(place, cause, "Confirm which method the budget rests on.", "several_methods"))


def _depth(sample: Sample, place: Place, problems: list[Problem]) -> Iterator[tuple[str, str]]:
    if not sample.bottom:
        return
    try:
        if sample.top and units.read_number(sample.top) != Fraction(0):
            problems.append(units.deep_sample(place, sample.top, f"{sample.bottom} {sample.depth_unit}"))
        yield "depth_in", units.number_out(units.convert(units.read_number(sample.bottom), sample.depth_unit, "in"))[0]
    except (ValueTextError, units.UnitError) as wrong:
        problems.append(Problem(place, f"the depth: {wrong}.", "Type it in inches.", code="unreadable_depth"))


def _days(sample: Sample, place: Place, problems: list[Problem]) -> Iterator[tuple[str, str]]:
    try:
        day = read_day(sample.day) if sample.day else None
    except ValueTextError as wrong:
        problems.append(Problem(place, f"the sampling date: {wrong}.", wrong.remedy, code="unreadable_day"))
        return
    if day is not None:
        yield "sampled_on", day.isoformat()
        if sample.received and sample.received.startswith(day.isoformat()):
            cause = f"the sampling date {day} is also the day the laboratory received the sample."
            remedy = "Confirm the day on which it was taken."
            problems.append(doubt(place, cause, remedy, "sampled_or_received"))


def _row(sample: Sample, name: str, depths: int, problems: list[Problem]) -> MappedRow:
    place = Place(name, row=sample.number)
    parts = [sample.report, sample.name or str(sample.number), f"{sample.top}-{sample.bottom}" if depths > 1 else ""]
    named = {"unit_id": sample.field, "laboratory": sample.laboratory}
    values = {"soil_test_id": "-".join(filter(None, parts)), **{key: text for key, text in named.items() if text}}
    values |= dict(_days(sample, place, problems))
    values |= dict(_depth(sample, place, problems))
    values |= dict(soil_values(sample.results, place, problems))
    return MappedRow(sample.number, values)


def read_lab_soil(path: Path, name: str, *, as_of: str) -> Parsed[MappedTable]:
    """Read Modus soil results, XML or JSON, into rows of ``soil_test``; those from later than ``as_of`` are refused."""
    try:
        data, name = content_of(path, name, sniff(path, name).inside)
    except ProblemsError as trouble:
        return Parsed(None, trouble.problems)
    samples, problems = read_modus(data, name)
    if not samples:
        return Parsed(None, tuple(problems))
    counts = {sample.number: sum(other.number == sample.number for other in samples) for sample in samples}
    rows = tuple(_row(sample, name, counts[sample.number], problems) for sample in samples)
    measured = _UNITS.keys() - {"depth_in"}
    empty = [row.number for row in rows if not measured & row.values.keys()]
    if empty:
        cause = f"{len(empty)} samples have none of pH, organic matter, nitrate, P, K: sample {listed(empty)}."
        problems.append(note(Place(name), cause, "They are kept without values.", "no_values"))
    table, future = without_future(
        MappedTable(name, "", "soil_test", rows), ("sampled_on",), dt.date.fromisoformat(as_of)
    )
    return Parsed(table, (*grouped(problems), *future))
