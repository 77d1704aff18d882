"""Yield monitor logs to harvested bushels by field, load and crop; ``yield_sums`` adds them up."""

import datetime as dt
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from provender.exact import show
from provender.formats.detect import Kind, advice, sniff
from provender.formats.parsed import Parsed, doubt, refused
from provender.problem import Place, Problem, ProblemsError, listed
from provender.rule.law import parameters


@dataclass(frozen=True, slots=True)
class CropWeight:
    """How a crop is weighed: pounds in a bushel, and base moisture in thousandths of a percent."""

    pounds: int
    base_moisture_pct: int


# Bushel weights as commerce uses them; moistures are parameters of the rule version.
POUNDS: Final = {"corn": 56, "soybeans": 60, "sorghum": 56}
_CROPS: Final = {
    **dict.fromkeys(("corn", "maize"), "corn"),
    **dict.fromkeys(("soybean", "soybeans", "soya", "beans"), "soybeans"),
    **dict.fromkeys(("sorghum", "milo", "grain sorghum"), "sorghum"),
}


def usual_base(crop: str) -> int:
    """Return the moisture at which the rule version counts bushels of a crop, thousandths of a percent; 0 unknown."""
    found = parameters().by_name.get(f"{crop}_moisture_pct")
    value = found.history[-1].value if found else 0
    return value if isinstance(value, int) else 0


@dataclass(frozen=True, slots=True)
class YieldLoad:
    """What a monitor logged for one field, load and crop; amounts in thousandths."""

    field: str  # names as logged, such as ``F0:BASSWOODD``
    load: str  # names as logged, such as ``F0:BASSWOODD``
    crop: str  # ``corn``, ``soybeans``, ``sorghum``, or the logged name where it is none of these
    points: int  # rows counted
    pounds: int  # wet weight
    wet_bushels: int  # at the moisture it had
    dry_bushels: int  # at the base moisture
    base_moisture_pct: int  # that base
    moisture_pct: int  # mean, weighted by weight
    logged_acres: int  # distance times swath
    first_day: dt.date  # by GPS time and the sun (longitude / 15 hours), which is the farm's day except near midnight
    last_day: dt.date  # likewise
    outside_points: int  # points outside the boundary that was given
    outside_dry_bushels: int  # their dry bushels
    # when and where it was logged: minutes with the place to a thousandth of a degree, each once
    trace: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class YieldLog:
    """What one file holds."""

    loads: tuple[YieldLoad, ...]  # in the order in which they begin
    fields: tuple[YieldLoad, ...]  # the same by field and crop (``load`` is empty), each added exactly and rounded once
    wet_bushels: int  # of the whole file, thousandths
    dry_bushels: int  # likewise
    logged_acres: int  # likewise


def crop_of(logged: str) -> str:
    """Return the rule's word for a logged grain name, or the name itself in lower case."""
    plain = re.sub(r"[^a-z ]", "", logged.lower()).strip()
    return _CROPS.get(plain, plain)


# Yield monitor logs to harvested bushels: Ag Leader Advanced and Yield Editor text, and shapefiles with their columns.
#
# How bushels are counted stands in ``yield_sums``.

MOST_POINTS: Final = 2_000_000
_NAMED: Final = 10


def _brief(problems: list[Problem], name: str) -> list[Problem]:
    """Keep the first unreadable rows in full and count the rest, so that a damaged file stays legible."""
    rows = [each for each in problems if each.code == "unreadable_point"]
    if len(rows) <= _NAMED:
        return problems
    more = listed(each.place.row for each in rows[_NAMED:])
    cause = f"{len(rows)} rows in all could not be read and are not counted, among them row {more}."
    summed = Problem(Place(name), cause, rows[0].remedy, code="unreadable_points")
    return [*(each for each in problems if each not in rows[_NAMED:]), summed]


def read_yield_log(
    path: Path, name: str, *, boundary: str = "", base_moisture_pct: int = 0, pounds_per_bushel: int = 0
) -> Parsed[YieldLog]:
    """Read a yield log and total it by field, load and crop.

    Points outside a boundary, GeoJSON of the field, are counted and flagged. A base moisture (thousandths of a percent)
    or bushel weight of 0 takes the crop's usual one.
    """
    from provender.formats.yield_points import with_moisture, without_doubles, without_marked
    from provender.formats.yield_sums import outside, points_in, total

    try:
        kind = sniff(path, name)
        if kind.reader not in ("yield_log", "boundaries", "spreadsheet"):
            told = advice(Kind(kind.kind, kind.label, "", kind.inside), name)
            return Parsed(None, (told,) if told else ())
        points, problems = points_in(path, name, kind)
    except ProblemsError as trouble:
        return Parsed(None, trouble.problems)
    if points.height > MOST_POINTS:
        cause = f"the log has over {MOST_POINTS} points."
        return refused(Place(name), cause, "Export one field at a time.", "too_many_rows")
    problems = _brief(problems, name)
    points, doubled = without_doubles(points, Place(name))
    points, marked = without_marked(points, "status", "header status", Place(name))
    known = [grain for grain in points["grain"].unique() if pounds_per_bushel or crop_of(grain) in POUNDS]
    points, untold = with_moisture(points, known, Place(name))
    problems += [*doubled, *marked, *untold]
    if points.is_empty() and any(each.code in ("no_points", "no_moisture") for each in problems):
        return Parsed(None, tuple(problems))
    if points.is_empty():
        unreadable = [each.cause for each in problems if each.code == "unreadable_point"]
        first = f" The first one: {unreadable[0]}" if unreadable else ""
        cause = f"no row could be read as one of Ag Leader Advanced or Yield Editor text.{first}"
        remedy = "Export harvest as Ag Leader Advanced, or as a shapefile with its columns."
        kept = [each for each in problems if not each.code.startswith("unreadable_point")]
        return Parsed(None, (*kept, Problem(Place(name), cause, remedy, code="no_points")))
    placed = points.with_columns(outside(points, boundary).alias("outside"))
    log, unknown = total(placed, pounds=pounds_per_bushel, base_moisture_pct=base_moisture_pct)
    for crop, count in unknown.items():
        cause = f"{count} points are of the grain {crop!r}, whose bushel weight and base moisture are not known here."
        remedy = "State pounds in a bushel and base moisture; the points are not counted."
        problems.append(Problem(Place(name), cause, remedy, code="unknown_grain"))
    for load in log.loads if log else ():
        if load.outside_points:
            share = f"{load.outside_points} of {load.points} points of {load.field}"
            cause = f"{share} ({show(load.outside_dry_bushels)} dry bushels) lie outside the field's boundary."
            remedy = "Check the boundary, or whether another field was logged under this name."
            problems.append(doubt(Place(name), cause, remedy, "points_outside"))
    return Parsed(log, tuple(problems))
