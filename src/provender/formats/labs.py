"""Modus soil results (XML version 1 and the JSON form of it) as one shape; only facts of the file, no code lists."""

import datetime as dt
from collections import Counter
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
from provender.formats import units, work
from provender.formats.detect import content_of, sniff
from provender.formats.geometry import load_json
from provender.formats.parsed import MappedRow, MappedTable, Problems, grouped, reader, without_future
from provender.problem import listed


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


_OF_EVENT: Final = {
    "report": ("LabMetaData", "LabEventID"),
    "laboratory": ("LabMetaData", "LabName"),
    "field": ("FMISMetaData", "FMISProfile", "Field"),
    "day": ("EventMetaData", "EventDate"),
    "received": ("LabMetaData", "ReceivedDate"),
}
_OF_DEPTH: Final = {"top": "StartingDepth", "bottom": "EndingDepth", "depth_unit": "DepthUnit"}
_NAMES: Final = ("FMISSampleID", "ReportID", "SampleNumber")
_OF_RESULT: Final = ("Element", "Value", "ValueUnit", "ModusTestID")


def _samples(document: object) -> Iterator[Sample]:
    number = 0
    for event in work.mappings(_dig(document, "Events")):
        soil = _dig(event, "EventSamples", "Soil")
        depths = {_text(each.get("DepthID")): each for each in work.mappings(_dig(soil, "DepthRefs"))}
        told = {name: _text(_dig(event, *path)) for name, path in _OF_EVENT.items()}
        for sample in work.mappings(_dig(soil, "SoilSamples")):
            number += 1
            names = (_text(_dig(sample, "SampleMetaData", each)) for each in _NAMES)
            told["name"] = next(filter(None, names), "")
            for depth in work.mappings(_dig(sample, "Depths")):
                ref = depths.get(_text(depth.get("DepthID")), {})
                texts = told | {name: _text(ref.get(key)) for name, key in _OF_DEPTH.items()}
                results = work.mappings(depth.get("NutrientResults"))
                measured = tuple(Result(*(_text(each.get(key)) for key in _OF_RESULT)) for each in results)
                yield Sample(number=number, results=measured, **texts)


def _document(data: bytes, problems: Problems) -> object:
    """Return the tree of a Modus file, whichever of its two forms it has.

    Raises:
        ProblemsError: it cannot be read.
    """
    if not data.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"<"):
        return load_json(data, problems)
    again = "Ask the laboratory for the results again, as Modus, CSV or XLSX."
    try:
        return _tree(fromstring(data, forbid_dtd=True))
    except DefusedXmlException:
        cause = "the file declares XML entities or a document type, which laboratory results never need."
        raise problems.refusal(cause, again, "xml_entities") from None
    except (ParseError, ValueError, LookupError) as wrong:
        raise problems.refusal(f"the file is not sound XML ({wrong}).", again, "broken_xml") from None


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


def soil_values(results: Iterable[Result], problems: Problems) -> Iterator[tuple[str, str]]:
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
            problems.found.append(units.limit_not_value(problems.place, result.element, result.value))
            continue
        try:
            yield column, _amount(units.without_rating(result.value), result.unit, _UNITS[column])
        except (ValueTextError, units.UnitError) as wrong:
            remedy = wrong.remedy or "Type the value in the unit of the column."
            problems.error(f"{result.element}: {wrong}.", remedy, "unreadable_result")
            del taken[column]
    if limits:
        yield "note", ". ".join(limits)
    if "p_ppm" in taken and taken["p_ppm"].test:
        yield "method", taken["p_ppm"].test
    for column, others in further.items():
        first = taken[column]
        named = f"{first.test or 'the first'} was taken, not {listed(each.test or 'another' for each in others)}"
        cause = f"{first.element} was measured in several ways; {named}."
        problems.doubt(cause, "Confirm which method the budget rests on.", "several_methods")


def _depth(sample: Sample, problems: Problems) -> Iterator[tuple[str, str]]:
    if not sample.bottom:
        return
    try:
        if sample.top and units.read_number(sample.top) != Fraction(0):
            bottom = f"{sample.bottom} {sample.depth_unit}"
            problems.found.append(units.deep_sample(problems.place, sample.top, bottom))
        yield "depth_in", units.number_out(units.convert(units.read_number(sample.bottom), sample.depth_unit, "in"))[0]
    except (ValueTextError, units.UnitError) as wrong:
        problems.error(f"the depth: {wrong}.", "Type it in inches.", "unreadable_depth")


def _days(sample: Sample, problems: Problems) -> Iterator[tuple[str, str]]:
    try:
        day = read_day(sample.day) if sample.day else None
    except ValueTextError as wrong:
        problems.error(f"the sampling date: {wrong}.", wrong.remedy, "unreadable_day")
        return
    if day is not None:
        yield "sampled_on", day.isoformat()
        if sample.received and sample.received.startswith(day.isoformat()):
            cause = f"the sampling date {day} is also the day the laboratory received the sample."
            problems.doubt(cause, "Confirm the day on which it was taken.", "sampled_or_received")


def _row(sample: Sample, depths: int, problems: Problems) -> MappedRow:
    parts = [sample.report, sample.name or str(sample.number), f"{sample.top}-{sample.bottom}" if depths > 1 else ""]
    named = {"unit_id": sample.field, "laboratory": sample.laboratory}
    values = {"soil_test_id": "-".join(filter(None, parts)), **{key: text for key, text in named.items() if text}}
    values |= dict(_days(sample, problems))
    values |= dict(_depth(sample, problems))
    values |= dict(soil_values(sample.results, problems))
    return MappedRow(sample.number, values)


@reader
def read_lab_soil(path: Path, problems: Problems, *, as_of: str) -> MappedTable | None:
    """Read Modus soil results, XML or JSON, into rows of ``soil_test``; those from later than ``as_of`` are refused."""
    data, problems = content_of(path, problems, sniff(path, problems.place.file).inside)
    samples = list(_samples(_document(data, problems)))
    if not any(sample.results for sample in samples):
        cause = "the file holds no soil results; it may be a submission to a laboratory, or plant or water results."
        problems.error(cause, "Bring the soil report.", "no_soil_results")
        return None
    depths = Counter(sample.number for sample in samples)
    rows = tuple(_row(sample, depths[sample.number], problems.row(sample.number)) for sample in samples)
    measured = _UNITS.keys() - {"depth_in"}
    empty = [row.number for row in rows if not measured & row.values.keys()]
    if empty:
        cause = f"{len(empty)} samples have none of pH, organic matter, nitrate, P, K: sample {listed(empty)}."
        problems.note(cause, "They are kept without values.", "no_values")
    whole = MappedTable(problems.place.file, "", "soil_test", rows)
    table, future = without_future(whole, ("sampled_on",), dt.date.fromisoformat(as_of))
    problems.found[:] = [*grouped(problems.found), *future]
    return table
