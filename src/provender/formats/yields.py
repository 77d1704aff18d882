"""Yield monitor logs to harvested bushels by field, load and crop; ``yield_sums`` adds them up."""

import datetime as dt
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from provender.exact import show
from provender.formats.archive import content_of
from provender.formats.detect import Kind, advice, sniff
from provender.formats.parsed import Parsed, doubt, refused
from provender.problem import Place, Problem, ProblemsError, listed
from provender.rule.law import parameters

if TYPE_CHECKING:
    import polars as pl


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
# How bushels are counted stands in ``yield_totals``.

MOST_POINTS: Final = 2_000_000
_NAMED: Final = 10


def _outside(points: "pl.DataFrame", boundary: str) -> "pl.Series":
    """Tell for each point whether it lies outside a GeoJSON area; all inside where none is given."""
    import polars as pl

    if not boundary:
        return pl.repeat(value=False, n=points.height, eager=True)
    from shapely import contains_xy, from_geojson, prepare

    area = from_geojson(boundary)
    prepare(area)
    return pl.Series(~contains_xy(area, points["longitude"].to_numpy(), points["latitude"].to_numpy()))


def _points(path: Path, name: str, kind: Kind) -> tuple["pl.DataFrame", list[Problem]]:
    from provender.formats.yield_points import points_of_shapefiles, points_of_text

    if kind.kind.startswith("points_"):
        from provender.formats.harvested_points import points_with_headings

        return points_with_headings(path, name, kind)
    if kind.kind in ("yield_shapefile", "shapefile"):
        return points_of_shapefiles(path, name)
    return points_of_text(*content_of(path, name, kind.inside))


def _brief(problems: list[Problem], name: str) -> list[Problem]:
    """Keep the first unreadable rows in full and count the rest, so that a damaged file stays legible."""
    rows = [each for each in problems if each.code == "unreadable_point"]
    if len(rows) <= _NAMED:
        return problems
    more = listed(each.place.row for each in rows[_NAMED:])
    cause = f"{len(rows)} rows in all could not be read and are not counted, among them row {more}."
    summed = Problem(Place(name), cause, rows[0].remedy, code="unreadable_points")
    return [*(each for each in problems if each not in rows[_NAMED:]), summed]


def _without_doubles(points: "pl.DataFrame", name: str, problems: list[Problem]) -> "pl.DataFrame":
    from provender.formats.yield_points import without_doubles

    once = without_doubles(points)
    doubled = points.height - once.height
    if doubled:
        cause = f"{doubled} rows repeat another row in every value; each was counted once."
        problems.append(doubt(Place(name), cause, "Check that a card was not exported twice.", "doubled_points"))
    return once


def read_yield_log(
    path: Path, name: str, *, boundary: str = "", base_moisture_pct: int = 0, pounds_per_bushel: int = 0
) -> Parsed[YieldLog]:
    """Read a yield log and total it by field, load and crop.

    Args:
        path: Ag Leader Advanced text, or a shapefile (zip or loose) with its columns.
        name: the name people know it by.
        boundary: GeoJSON of the field; points outside are counted and flagged.
        base_moisture_pct: thousandths of a percent; 0 takes the crop's usual base.
        pounds_per_bushel: 0 takes the crop's.
    """
    from provender.formats.yield_points import with_moisture, without_marked
    from provender.formats.yield_sums import total

    try:
        kind = sniff(path, name)
        if kind.reader not in ("yield_log", "boundaries", "spreadsheet"):
            told = advice(Kind(kind.kind, kind.label, "", kind.inside), name)
            return Parsed(None, (told,) if told else ())
        points, problems = _points(path, name, kind)
    except ProblemsError as trouble:
        return Parsed(None, trouble.problems)
    if points.height > MOST_POINTS:
        return refused(
            Place(name), f"the log has over {MOST_POINTS} points.", "Export one field at a time.", "too_many_rows"
        )
    problems = _brief(problems, name)
    points = _without_doubles(points, name, problems)
    points, marked = without_marked(points, "status", "header status", Place(name))
    known = [grain for grain in points["grain"].unique() if pounds_per_bushel or crop_of(grain) in POUNDS]
    points, untold = with_moisture(points, known, Place(name))
    problems += [*marked, *untold]
    if points.is_empty() and any(each.code in ("no_points", "no_moisture") for each in problems):
        return Parsed(None, tuple(problems))
    if points.is_empty():
        unreadable = [each.cause for each in problems if each.code == "unreadable_point"]
        first = f" The first one: {unreadable[0]}" if unreadable else ""
        cause = f"no row could be read as one of Ag Leader Advanced or Yield Editor text.{first}"
        remedy = "Export harvest as Ag Leader Advanced, or as a shapefile with its columns."
        kept = [each for each in problems if not each.code.startswith("unreadable_point")]
        return Parsed(None, (*kept, Problem(Place(name), cause, remedy, code="no_points")))
    placed = points.with_columns(_outside(points, boundary).alias("outside"))
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
