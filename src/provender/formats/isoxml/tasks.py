"""Tasks and fields as task data names them."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from provender.formats.geometry import Outline
from provender.formats.isoxml.amounts import acres_of_m2
from provender.problem import Place
from provender.quantity import show

if TYPE_CHECKING:
    from collections.abc import Mapping
    from xml.etree.ElementTree import Element

    from provender.formats.isoxml.time_log import Channel


@dataclass(frozen=True, slots=True)
class Interval:
    """A stretch of work with the totals that the terminal kept of it.

    Attributes:
        start: ISO day and time by the terminal's clock; empty where none is stated.
        totals: raw values by what they measure.
    """

    start: str
    totals: "Mapping[Channel, int]"


@dataclass(frozen=True, slots=True)
class Task:
    """One task.

    Attributes:
        id: its id in the file.
        name: what it is called.
        field: name of its field; empty where none is named.
        operation: the technique and practice that it names, in words.
        products: names of the products by the device element that applies them; under "" for any other.
        logs: names of its binary logs, in capitals and without ending.
        intervals: what it says of its work without a log.
    """

    id: str
    name: str
    field: str
    operation: str
    products: "Mapping[str, str]"
    logs: tuple[str, ...]
    intervals: tuple[Interval, ...]


def tasks(root: "Element") -> list[Task]:
    """Return the tasks of a tree in its order."""
    names = {each.get("A", ""): _text(each) for tag in ("PDT", "OTQ", "CPC") for each in root.findall(tag)}
    fields = {each.get("A", ""): field_name(each) for each in root.findall("PFD")}
    found = []
    for task in root.findall("TSK"):
        practice = task.find("OTP")
        said = [names.get(practice.get(key, ""), "") for key in "BA"] if practice is not None else []
        products = {
            each.get("E", ""): names.get(each.get("A", ""), "")
            for each in reversed(task.findall("PAN"))
            if each.get("A")
        }
        found.append(
            Task(
                id=task.get("A", ""),
                name=_text(task),
                field=fields.get(task.get("E", ""), ""),
                operation=", ".join(dict.fromkeys(filter(None, said))),
                products=products,
                logs=tuple(each.get("A", "").strip().upper() for each in task.findall("TLG")),
                intervals=tuple(_interval(each) for each in task.findall("TIM")),
            )
        )
    return found


def _text(element: "Element") -> str:
    return " ".join(element.get("B", "").split())


def _interval(element: "Element") -> Interval:
    totals: dict[Channel, int] = {}
    for value in element.findall("DLV"):
        try:
            totals[int(value.get("A", ""), 16), value.get("C", "")] = int(value.get("B", ""))
        except ValueError:
            continue
    return Interval(element.get("A", ""), totals)


def field_name(element: "Element") -> str:
    """Return what a field is called: its name, else its code, else its id."""
    return next((text for key in "CBA" if (text := " ".join(element.get(key, "").split()))), "")


def outlines(root: "Element", name: str) -> list[Outline]:
    """Return the outlines of the fields that have one, with the area that the file states."""
    found = []
    for number, element in enumerate(root.findall("PFD"), start=1):
        borders = [each for each in element.findall("PLN") if each.get("A") == "1"]
        polygons = tuple(rings for border in borders if (rings := _rings(border)))
        if polygons:
            stated = element.get("D", "")
            acres = {"acres": show(acres_of_m2(int(stated)))} if stated.isdecimal() and int(stated) else {}
            found.append(Outline(Place(name, row=number), {"name": field_name(element), **acres}, polygons))
    return found


def _rings(border: "Element") -> tuple[tuple[tuple[float, float], ...], ...]:
    """Return the outer ring of a polygon, then its holes; empty where a corner is no position."""
    lines = sorted(border.findall("LSG"), key=lambda each: each.get("A") != "1")
    try:
        rings = [tuple((float(p.get("D", "")), float(p.get("C", ""))) for p in line.findall("PNT")) for line in lines]
    except ValueError:
        return ()
    return tuple(ring if ring[0] == ring[-1] else (*ring, ring[0]) for ring in rings if ring)
