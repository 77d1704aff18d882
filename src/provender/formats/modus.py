"""Modus soil results (XML version 1 and the JSON form of it) as one shape; only facts of the file, no code lists."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from provender.formats.geojson import load_json
from provender.problem import Place, Problem


@dataclass(frozen=True, slots=True)
class Result:
    """One measured value: element, value as text, unit and the laboratory's test code."""

    element: str
    value: str
    unit: str
    test: str


@dataclass(frozen=True, slots=True)
class Sample:
    """One soil sample at one depth.

    Attributes:
        number: counts the samples of the file from 1.
        name: the laboratory's or the grower's name of the sample.
        report: the laboratory's number of the report, or empty.
        laboratory, field, day, received: as written, or empty.
        top, bottom, depth_unit: the depth, as written, or empty.
        results: all of them.
    """

    number: int
    name: str
    report: str
    laboratory: str
    field: str
    day: str
    received: str
    top: str
    bottom: str
    depth_unit: str
    results: tuple[Result, ...]


_MANY = {
    "Event": "Events",
    "SoilSample": "SoilSamples",
    "Depth": "Depths",
    "DepthRef": "DepthRefs",
    "NutrientResult": "NutrientResults",
}


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
