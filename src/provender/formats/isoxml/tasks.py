"""Tasks and fields as task data names them."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from fractions import Fraction
from math import isfinite
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import ParseError, fromstring
from shapely import make_valid
from shapely.geometry import Polygon
from shapely.geometry.base import BaseGeometry

from provender.exact import show
from provender.formats.archive import Archive, is_zip, opened
from provender.formats.child import MEBIBYTE
from provender.formats.geometry import Outline
from provender.formats.parsed import Problems
from provender.formats.units import convert
from provender.problem import Place, ProblemsError, listed, refuse

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

    from provender.formats.isoxml.time_log import Channel


# Process data of ISO 11783-11 that are read here, and their amounts in thousandths of the units of a record book.

_M2_PER_ACRE: Final = convert(Fraction(1), "acres", "m2")


class Ddi(IntEnum):
    """Numbers of the data dictionary: what is measured, in the unit named."""

    VOLUME_PER_AREA = 2  # actual, 0.01 mm3/m2
    MASS_PER_AREA = 7  # actual, mg/m2
    COUNT_PER_AREA = 12  # actual, 0.001/m2
    TILLAGE_DEPTH = 52  # actual, mm
    SEEDING_DEPTH = 57  # actual, mm
    ACTUAL_WIDTH = 67  # mm
    DEFAULT_WIDTH = 68  # mm
    MAXIMUM_WIDTH = 70  # mm
    APPLIED_VOLUME = 80  # total, l
    APPLIED_MASS = 81  # total, kg
    YIELD_MASS_PER_AREA = 84  # mg/m2
    YIELD_MASS = 90  # total, kg
    MOISTURE = 99  # of the crop, ppm
    TOTAL_AREA = 116  # m2
    DISTANCE = 117  # effective total, mm
    EFFECTIVE_TIME = 119  # s
    WORK_STATE = 141  # 0 off, 1 on
    CULTURAL_PRACTICE = 179
    AVERAGE_MOISTURE = 262  # of the crop, ppm
    APPLIED_MILLILITRES = 351  # total, ml
    APPLIED_GRAMS = 352  # total, g
    SPEED = 397  # mm/s


RATES: Final = (Ddi.VOLUME_PER_AREA, Ddi.MASS_PER_AREA, Ddi.COUNT_PER_AREA)
WORK_STATES: Final = frozenset({Ddi.WORK_STATE, *range(161, 177)})
"""That of an element, and those that condense sixteen sections each, two bits a section."""
APPLIED_TOTALS: Final = {
    Ddi.APPLIED_VOLUME: (Ddi.VOLUME_PER_AREA, 10**8),
    Ddi.APPLIED_MILLILITRES: (Ddi.VOLUME_PER_AREA, 10**5),
    Ddi.APPLIED_MASS: (Ddi.MASS_PER_AREA, 10**6),
    Ddi.APPLIED_GRAMS: (Ddi.MASS_PER_AREA, 10**3),
}
"""Totals of what was applied: the rate that they make over the area, and in how many parts of its unit."""
DEPTHS: Final = (Ddi.TILLAGE_DEPTH, Ddi.SEEDING_DEPTH)
WIDTHS: Final = (Ddi.ACTUAL_WIDTH, Ddi.MAXIMUM_WIDTH, Ddi.DEFAULT_WIDTH)
MOISTURES: Final = (Ddi.MOISTURE, Ddi.AVERAGE_MOISTURE)
_RATE_UNITS: Final = {
    Ddi.VOLUME_PER_AREA: (10_000, "l/ha", "gal/ac"),
    Ddi.MASS_PER_AREA: (100, "kg/ha", "lb/ac"),
}
"""How many of its raw unit a rate's unit is, that unit, and ours."""


def rate_of(ddi: Ddi, raw: Fraction) -> tuple[int, str]:
    """Return a mean rate in thousandths and its unit: gallons, pounds or pieces an acre."""
    if ddi not in _RATE_UNITS:
        return round(raw * _M2_PER_ACRE), "seeds/ac"
    many, unit, wanted = _RATE_UNITS[ddi]
    return round(convert(raw / many, unit, wanted) * 1000), wanted


@dataclass(frozen=True, slots=True)
class Interval:
    """A stretch of work with the totals that the terminal kept of it."""

    start: str  # ISO day and time by the terminal's clock; empty where none is stated
    end: str  # likewise
    totals: "Mapping[Channel, int]"  # raw values by what they measure


@dataclass(frozen=True, slots=True)
class Product:
    """What can be put on or sown."""

    name: str  # what the file calls it
    is_seed: bool = False  # its group is a crop
    parts: "tuple[tuple[str, Fraction | None], ...]" = ()  # of a mixture: names and shares; None where not told


@dataclass(frozen=True, slots=True)
class Allocation:
    """What a device element applies, for a while or for the whole task."""

    product: Product
    element: str  # empty for any
    start: str = ""  # ISO day and time by the terminal's clock; empty for the whole task
    end: str = ""  # likewise; empty until the next one of the element begins


@dataclass(frozen=True, slots=True)
class Task:
    """One task."""

    id: str  # its id in the file
    name: str  # what it is called
    field: str  # name of its field; empty where none is named
    field_id: str  # its id in the file
    operation: str  # the technique and practice that it names, in words
    allocations: tuple[Allocation, ...]  # its products
    logs: tuple[str, ...]  # names of its binary logs, in capitals and without ending
    intervals: tuple[Interval, ...]  # effective work, as it is told beside the logs
    devices: tuple[str, ...]  # ids of the devices that it names
    is_open: bool  # it is planned, a template or cancelled: by itself it tells no work


_EFFECTIVE: Final = "4"
_FILLED: Final = "1"
_NOT_DONE: Final = ("1", "5", "6")
"""Tasks that are planned, templates or cancelled."""
_CROP_TYPE: Final = "2"


def tasks(root: "Element") -> list[Task]:
    """Return the tasks of a tree in its order."""
    names = {each.get("A", ""): _text(each) for tag in ("OTQ", "CPC") for each in root.findall(tag)}
    fields = {each.get("A", ""): _field_name(each) for each in root.findall("PFD")}
    listed = products(root)
    found = []
    for task in root.findall("TSK"):
        practice = task.find("OTP")
        said = [names.get(practice.get(key, ""), "") for key in "BA"] if practice is not None else []
        effective = [each for each in task.findall("TIM") if each.get("D", _EFFECTIVE) == _EFFECTIVE]
        found.append(
            Task(
                id=task.get("A", ""),
                name=_text(task),
                field=fields.get(task.get("E", ""), ""),
                field_id=task.get("E", ""),
                operation=", ".join(dict.fromkeys(filter(None, said))),
                allocations=tuple(_allocations(task, listed)),
                logs=tuple(each.get("A", "").strip().upper() for each in task.findall("TLG")),
                intervals=tuple(_interval(each) for each in effective),
                devices=tuple(each.get("C", "") for each in task.findall("DAN")),
                is_open=task.get("G", "") in _NOT_DONE,
            )
        )
    return found


def products(root: "Element") -> dict[str, Product]:
    """Return the products of a tree by their ids; a mixture with its parts."""
    names = {each.get("A", ""): _text(each) for each in root.findall("PDT")}
    crops = {each.get("A", "") for each in root.findall("PGP") if each.get("C") == _CROP_TYPE}
    found = {}
    for each in root.findall("PDT"):
        ids = {each.get("A", ""), *(part.get("A", "") for part in each.findall("PRN"))}
        made_of = [(names.get(part.get("A", ""), ""), part.get("B", "")) for part in each.findall("PRN")]
        whole = each.get("G", "")
        # Parts have shares where they are measured as the whole is.
        alike = len({other.get("E", "") for other in root.findall("PDT") if other.get("A") in ids}) == 1
        is_told = alike and whole.isdecimal() and int(whole) > 0
        parts = tuple(
            (name, Fraction(int(part), int(whole)) if is_told and part.isdecimal() else None) for name, part in made_of
        )
        found[each.get("A", "")] = Product(_text(each), each.get("C", "") in crops, parts)
    return found


def _allocations(task: "Element", listed: Mapping[str, Product]) -> Iterator[Allocation]:
    """Yield what went on; what was only planned, or taken out again, where nothing else is told of the element."""
    told = []
    for each in task.findall("PAN"):
        stamp = each.find("ASP")
        is_done = each.get("D", _FILLED) == _FILLED and (stamp is None or stamp.get("D") == _EFFECTIVE)
        if each.get("A"):
            times = (stamp.get("A", ""), stamp.get("B", "")) if is_done and stamp is not None else ()
            product = listed.get(each.get("A", "")) or Product("")
            told.append((Allocation(product, each.get("E", ""), *times), is_done))
    done = {each.element for each, is_done in told if is_done}
    yield from (each for each, is_done in told if is_done or each.element not in done)


def _text(element: "Element", key: str = "B") -> str:
    return " ".join(element.get(key, "").split())


def _interval(element: "Element") -> Interval:
    totals: dict[Channel, int] = {}
    for value in element.findall("DLV"):
        try:
            totals[int(value.get("A", ""), 16), value.get("C", "")] = int(value.get("B", ""))
        except ValueError:
            continue
    return Interval(element.get("A", ""), element.get("B", ""), totals)


def _field_name(element: "Element") -> str:
    """Return what a field is called: its name, else its code, else its id."""
    return next((text for key in "CBA" if (text := _text(element, key))), "")


_BORDER: Final = "1"
_OUTER: Final = "1"
_Ring = tuple[tuple[float, float], ...]


def outlines(root: "Element", problems: Problems) -> Iterator[Outline]:
    """Yield the outlines of the fields that have one, with the area that the file states; what is wrong is told."""
    bare = []
    for number, element in enumerate(root.findall("PFD"), start=1):
        here, label = problems.row(number), _field_name(element)
        lines = [line for each in element.findall("PLN") if each.get("A") == _BORDER for line in each.findall("LSG")]
        if not lines:
            bare.append(label)
            continue
        rings = [(line.get("A") == _OUTER, _ring(line)) for line in lines]
        if any(not ring for _, ring in rings):
            cause = f"the outline of {label} has a line without corners, or a corner that is no position."
            here.error(cause, _AGAIN, "bad_geometry")
            continue
        polygons, outside = _polygons(rings)
        if outside:
            cause = f"the outline of {label} has a hole that lies outside of it; it was left out."
            here.doubt(cause, "Check the acres of the field.", "hole_outside")
        stated = element.get("D", "")
        area = int(stated) if stated.isdecimal() else 0
        acres = {"acres": show(round(convert(Fraction(area), "m2", "acres") * 1000))} if area else {}
        yield Outline(here.place, {"name": label, **acres}, polygons)
    if bare:
        cause = f"{len(bare)} fields of the file have no outline: {listed(bare)}."
        cause = cause if len(bare) > 1 else f"the field {bare[0]} has no outline in the file."
        problems.note(cause, "Import their boundaries where the book lacks them.", "no_outline")


def _ring(line: "Element") -> _Ring:
    """Return a closed ring; empty where a corner is no position."""
    try:
        ring = tuple((float(each.get("D", "")), float(each.get("C", ""))) for each in line.findall("PNT"))
    except ValueError:
        return ()
    if not all(isfinite(each) for corner in ring for each in corner):
        return ()
    return ring if not ring or ring[0] == ring[-1] else (*ring, ring[0])


def _polygons(rings: list[tuple[bool, _Ring]]) -> tuple[tuple[tuple[_Ring, ...], ...], bool]:
    """Return polygons, each hole with the outer ring around it, and whether a hole is in none.

    A hole may stand in a polygon of its own.
    """
    if not any(is_outer for is_outer, _ in rings):
        rings = [(True, ring) for _, ring in rings]
    outer = [ring for is_outer, ring in rings if is_outer]
    shapes = [_shape(ring) for ring in outer]
    holes: dict[int, list[_Ring]] = {}
    outside = False
    for ring in (ring for is_outer, ring in rings if not is_outer):
        inside = _shape(ring).representative_point()
        around = [at for at, shape in enumerate(shapes) if shape.contains(inside)]
        if around:
            holes.setdefault(min(around, key=lambda at: shapes[at].area), []).append(ring)
        outside = outside or not around
    return tuple((ring, *holes.get(at, ())) for at, ring in enumerate(outer)), outside


def _shape(ring: _Ring) -> BaseGeometry:
    return make_valid(Polygon(ring)) if len(ring) > 3 else Polygon()  # noqa: PLR2004 - a triangle, closed


# Machines and implements as task data names them.


class Practice(StrEnum):
    """What a machine does, as far as its class tells."""

    TILLAGE = "tillage"
    SEEDING = "seeding"
    FERTILIZING = "fertilizing"
    SPRAYING = "spraying"
    HARVEST = "harvest"
    MANURE = "manure"
    OTHER = "other"


_OF_CLASS: Final = {
    2: Practice.TILLAGE,
    3: Practice.TILLAGE,
    4: Practice.SEEDING,
    5: Practice.FERTILIZING,
    6: Practice.SPRAYING,
    7: Practice.HARVEST,
    8: Practice.HARVEST,
    9: Practice.HARVEST,
    25: Practice.MANURE,
}
"""Device classes of agriculture in the NAME of ISO 11783-1."""
OF_CULTURAL_PRACTICE: Final = {
    1: Practice.FERTILIZING,
    2: Practice.SEEDING,
    3: Practice.SPRAYING,
    4: Practice.TILLAGE,
    8: Practice.HARVEST,
    9: Practice.HARVEST,
    12: Practice.MANURE,
}
"""Values of the process data 179, the actual cultural practice."""
_CLASS_BITS: Final = 49
_CLASS_MASK: Final = 0x7F


@dataclass(frozen=True, slots=True)
class Machine:
    """One device."""

    id: str  # its id in the file
    name: str  # what the terminal calls it
    practice: Practice  # what its class says it does
    kinds: "Mapping[str, str]"  # of its elements by their ids, as the standard numbers them
    parents: "Mapping[str, str]"  # the element that each is part of

    def above(self, element: str) -> list[str]:
        """Return what an element is part of, the nearest first."""
        found: list[str] = []
        while (element := self.parents.get(element, "")) and element not in found:
            found.append(element)
        return found


def machines(root: "Element") -> dict[str, Machine]:
    """Return the machine of every device element, by the element's id."""
    found: dict[str, Machine] = {}
    for device in root.findall("DVC"):
        parts = device.findall("DET")
        numbers = {part.get("B", ""): part.get("A", "") for part in parts}
        kinds = {part.get("A", ""): part.get("C", "") for part in parts}
        parents = {part.get("A", ""): numbers.get(part.get("F", ""), "") for part in parts}
        practice = practice_of_name(device.get("D", ""))
        found |= dict.fromkeys(kinds, Machine(device.get("A", ""), _text(device), practice, kinds, parents))
    return found


def practice_of_name(name: str) -> Practice:
    """Return what the device class in a NAME (16 hexadecimal digits) says a machine does."""
    try:
        return _OF_CLASS.get(int(name, 16) >> _CLASS_BITS & _CLASS_MASK, Practice.OTHER)
    except ValueError:
        return Practice.OTHER


# The files of task data: found in any folder of a zip, in any case of letters, and joined to one tree.

_ROOT: Final = "ISO11783_TaskData"
_EXTERNAL: Final = "XFR"
_ZIPS_DEEP: Final = 2
_MOST_XML: Final = 64 * MEBIBYTE
_AGAIN: Final = "Export the tasks again, with all files of the TASKDATA folder."


@dataclass(frozen=True, slots=True)
class TaskData:
    """One TASKDATA.XML with the files beside it."""

    problems: Problems  # what is missing or cannot be read, told of it
    root: "Element"  # its tree, the files it refers to joined in
    files: Callable[[str], bytes | None]  # content of a file beside it, by its name in capitals


def task_data(path: Path, problems: Problems) -> list[TaskData]:
    """Return all task data in a file or zip, the one nearest to the top first."""
    if is_zip(path):
        with opened(path, problems.place.file) as archive:
            return list(_in_zip(archive, problems, 1))
    beside = {each.name.upper(): each for each in path.parent.iterdir() if each.is_file()}
    return [_joined(path.read_bytes(), problems, lambda name: beside[name].read_bytes() if name in beside else None)]


def _in_zip(archive: Archive, problems: Problems, deep: int) -> Iterator[TaskData]:
    found = [each for each in archive.members if PurePosixPath(each).name.upper() == "TASKDATA.XML"]
    for member in sorted(found, key=lambda each: (each.count("/"), each)):
        folder = str(PurePosixPath(member).parent)
        inside = [each for each in archive.members if str(PurePosixPath(each).parent) == folder]
        beside = {PurePosixPath(each).name.upper(): each for each in inside}
        files = {upper: archive.read(each) for upper, each in beside.items() if upper != "TASKDATA.XML"}
        yield _joined(archive.read(member), problems.at(Place(f"{archive.name}/{member}")), files.get)
    for member in archive.members:
        if member.lower().endswith(".zip") and deep < _ZIPS_DEEP:
            with opened(archive.read(member), f"{archive.name}/{member}") as inner:
                yield from _in_zip(inner, problems, deep + 1)


def _joined(xml: bytes, problems: Problems, files: Callable[[str], bytes | None]) -> TaskData:
    name = problems.place.file
    root = parse_xml(xml, name)
    if root.tag != _ROOT:
        cause = f"the file is XML, but not task data: it begins with {root.tag!r}."
        raise problems.refusal(cause, _AGAIN, "not_task_data")
    for reference in root.findall(_EXTERNAL):
        root.remove(reference)
        stem = reference.get("A", "").strip().upper()
        part = files(f"{stem}.XML")
        if part is None:
            cause = f"the task data refers to {stem}.XML, which is not beside it; what stands there was not read."
            problems.doubt(cause, _AGAIN, "missing_part")
            continue
        try:
            root.extend(list(parse_xml(part, f"{stem}.XML beside {name}")))
        except ProblemsError as trouble:
            problems.found.extend(trouble.problems)
    return TaskData(problems, root, files)


def parse_xml(xml: bytes, name: str) -> "Element":
    """Return the tree of a small XML file from a stranger.

    Raises:
        ProblemsError: it is damaged, too large, or declares entities.
    """
    if len(xml) > _MOST_XML:
        raise refuse(name, f"the XML is larger than {_MOST_XML // MEBIBYTE} MiB.", _AGAIN, code="file_too_big")
    try:
        root: Element = fromstring(xml, forbid_dtd=True)
    except (ParseError, DefusedXmlException, ValueError, LookupError) as trouble:
        cause = f"the XML is damaged or not allowed ({type(trouble).__name__}: {trouble})."
        raise refuse(name, cause, _AGAIN, code="bad_xml") from None
    return root
