"""The season of each crop on each unit as plain data and pictures: what was done when, and STIR as it builds up.

A crop interval runs from the end of the crop before to the end of this one (2100.002). Rows without a day are kept
apart: nobody knows where they stand.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from html import escape
from typing import Any, Final

from provender.exact import CI_SCALE, STIR_SCALE, show, to_decimal
from provender.intensity.calculator import Label
from provender.intensity.quantify import Quantification
from provender.paper import charts, svg
from provender.paper.diagrams import Region, region_map
from provender.problem import refuse
from provender.rule.crops import Practice
from provender.standards import stir
from provender.standards.judge import IntervalJudged, PracticeJudged
from provender.standards.season import Season
from provender.standards.standard import Verdict
from provender.verdicts import words
from provender.verdicts.assess import Assessment

# The passes of an interval, as a person adds up STIR (2100.002, interpretations 3, 10).

_RECORDED: Final = ("depth_in", "speed_mph", "width_ft", "surface_pct")


def passes_json(one: IntervalJudged) -> list[dict[str, Any]]:
    """Return an interval's passes by day with the sum after each; amounts as decimal text, null where unknown."""
    return [_as_json(one.season, point) for point in one.season.stir.points]


def _as_json(season: Season, point: stir.Point) -> dict[str, Any]:
    one, used = point.one, point.recorded
    return {
        "operation_id": one.id,
        "day": _day(one.day),
        "operation": one.operation,
        "equipment": one.equipment,
        **{name: _amount(getattr(one, name)) for name in _RECORDED},
        "tillage_type": words.tillage_type(one),
        "share_pct": _amount(used.surface_pct),
        "working": words.stir_working(one.listed, used),
        "full_width": one.full_width,
        "primary_inversion": one.primary_inversion,
        "below_published_least": words.is_below_published(one),
        "part_of_unit": words.is_on_part(season, one),
        "known_by": one.known_by,
        "stir_recorded": _stir(used.value),
        "stir_published": _stir(point.published.value),
        "sum_recorded": show(point.recorded_sum, STIR_SCALE),
        "sum_published": show(point.published_sum, STIR_SCALE),
    }


def _day(day: date | None) -> str | None:
    return None if day is None else day.isoformat()


def _amount(value: int | None) -> str | None:
    return None if value is None else show(value)


def _stir(value: int | None) -> str | None:
    return None if value is None else show(value, STIR_SCALE)


# Pictures of a farm, for pages and commands: the practice matrix, STIR as it builds up, CI against the average.

_UNIT_OF_CI: Final = "g CO2e/bu"


def matrix_svg(chosen: Sequence[IntervalJudged], *, farm: str = "") -> str:
    """Return the matrix of crop entries and practices as SVG text, headed with the farm."""
    names = {one.harvest_id: f"{one.unit_id}, {one.crop.label} {one.harvest_year}" for one in chosen}
    cells = {
        (names[one.harvest_id], found.practice.label): _verdict(found)
        for one in chosen
        for found in one.practices
        if found.claimable
    }
    description = "Each unit and crop with every practice it may claim: met (records open or not), not met, not shown."
    columns = [practice.label for practice in Practice]
    title = f"Practice standards by management unit{f', farm {farm}' if farm else ''}"
    return svg.headed(charts.matrix_chart(list(names.values()), columns, cells, title=title, description=description))


def _verdict(found: PracticeJudged) -> str:
    if found.implementation is Verdict.MET and found.records is not Verdict.MET:
        return "met, records open"
    return str(found.implementation)


def build_up_svg(one: IntervalJudged, *, width: float = charts.TIME_WIDTH, headed: bool = False) -> str:
    """Return how STIR builds up over one crop interval, against the limits of no-till and reduced till, as SVG text.

    ``headed`` writes title and farm above it, for a picture that stands alone.

    Raises:
        ProblemsError: the interval has no pass.
    """
    points = one.season.stir.points
    if not points:
        raise refuse(one.unit_id, "No dated pass is recorded in this crop interval.", "Record the field operations.")
    notes = [f"{point.one.operation}: {_stir_or_unknown(point.recorded.value)}" for point in points]
    sums = (
        ("by recorded speed and depth", [(point.one.day, point.recorded_sum) for point in points if point.one.day]),
        ("by published values", [(point.one.day, point.published_sum) for point in points if point.one.day]),
    )
    start = one.season.starts_on
    opening = [] if start is None else [(start, 0.0)]
    series = [
        charts.Series(
            name,
            [*opening, *[(day, float(to_decimal(value, STIR_SCALE))) for day, value in values]],
            ["the interval starts"] * len(opening) + notes,
        )
        for name, values in sums
    ]
    limits = [
        charts.Reference(f"{practice.label}: at most {show(limit, STIR_SCALE)}", float(to_decimal(limit, STIR_SCALE)))
        for practice, limit in (
            (Practice.no_till, one.rule.no_till_stir_max),
            (Practice.reduced_till, one.rule.reduced_till_stir_max),
        )
    ]
    crop = f"{one.crop.label} {one.harvest_year}"
    title = f"STIR of {one.unit_id}, {crop}" + _of_farm(one.farm_id, headed=headed)
    description = (
        f"Sum of STIR after each pass: {show(one.season.stir.recorded, STIR_SCALE)} at the end of the interval."
    )
    drawn = charts.step_chart(series, title=title, description=description, unit="STIR", limits=limits, width=width)
    return svg.headed(drawn) if headed else drawn


def _stir_or_unknown(value: int | None) -> str:
    return "not known" if value is None else show(value, STIR_SCALE)


def _of_farm(farm_id: str, *, headed: bool) -> str:
    return f", farm {farm_id}" if headed and farm_id else ""


def intensity_svg(one: Quantification, *, width: float = charts.TIME_WIDTH, headed: bool = False) -> str:
    """Return the CI of every unit and of the farm against the national default as SVG text.

    ``headed`` writes title and farm above it, for a picture that stands alone.

    A CI below zero has no bar; its number stands beside its name.

    Raises:
        ProblemsError: no CI is known.
    """
    known = [
        charts.Bar(f"{unit.unit_id}: {_practices(unit.used)}", _length(ci), _ci(ci), pale=unit.conventional)
        for unit in one.units
        if (ci := unit.result.ci_g_per_bu if unit.result else one.national_default) is not None
    ]
    if not known:
        raise refuse(f"{one.crop} {one.harvest_year}", "No unit has a CI to draw.", "Enter the calculator runs.")
    official = one.label is Label.OFFICIAL
    average = one.average.ci_g_per_bu
    if average is not None:
        name = "Farm, weighted by bushels" if official else f"Farm, weighted by bushels ({one.label})"
        known.append(charts.Bar(name, _length(average), _ci(average)))
    default = one.national_default
    reference = None if default is None else charts.Reference(_default_named(one, default), _length(default))
    crop = f"{one.crop.label} {one.harvest_year}"
    title = f"Carbon intensity of {crop}" if official else f"Carbon intensity of {crop} ({one.label})"
    title += _of_farm(one.farm_id, headed=headed)
    description = f"Units and farm by {one.calculator}, {one.version}, against the national default."
    if one.label is Label.ESTIMATE:
        description = f"Units and farm by {one.calculator}, {one.version}, against the model's own default."
    drawn = charts.bar_chart(
        known, title=title, description=description, unit=_UNIT_OF_CI, reference=reference, width=width
    )
    return svg.headed(drawn) if headed else drawn


def _default_named(one: Quantification, default: int) -> str:
    """Return a default with whose it is: that of an open model is not the national one."""
    own = one.label is Label.ESTIMATE
    return f"model's own default {_ci(default)}" if own else f"national default {_ci(default)}"


def _practices(used: Sequence[Practice]) -> str:
    return ", ".join(practice.label for practice in used) or "conventional"


def _ci(value: int) -> str:
    return show(value, CI_SCALE, places=CI_SCALE, group=True)


def _length(value: int) -> float:
    return max(0.0, float(to_decimal(value, CI_SCALE)))


CROP: Final = "Crop"
_COVER: Final = "Cover crop"
_PASSES: Final = "Field operations"
_NUTRIENTS: Final = "Nutrients"
_SEEDED, ENDED = "seeded", "ended"
"""What happened to a cover crop, beside the words."""


def seasons(assessment: Assessment) -> list[dict[str, Any]]:
    """Return every judged crop interval with its events.

    Returns:
        One object per interval: ``unit_id``, ``harvest_id``, ``crop``, ``harvest_year``, ``starts_on`` and
        ``last_day`` (ISO days or null), ``stir`` (sums and limits as decimal text, ``unknown`` passes), ``events`` in
        the order of days (undated last; ``sum`` after each pass).
    """
    return [_season(one) for one in assessment.intervals]


def pictures(assessment: Assessment) -> dict[str, str]:
    """Return of each crop entry that was judged how STIR builds up: SVG in two widths, empty without a pass."""
    return {
        one.harvest_id: charts.in_two_widths(partial(_build_up, one)) if one.season.passes else ""
        for one in assessment.intervals
    }


def _build_up(one: IntervalJudged, width: float) -> str:
    return build_up_svg(one, width=width)


def _season(one: IntervalJudged) -> dict[str, Any]:
    found = [*_crop(one), *_cover(one), *_nutrients(one), *_season_passes(one)]
    return {
        "unit_id": one.unit_id,
        "harvest_id": one.harvest_id,
        "crop": one.crop.label,
        "harvest_year": one.harvest_year,
        "starts_on": _day(one.season.starts_on),
        "last_day": _day(one.last_day),
        "stir": {
            "recorded": show(one.season.stir.recorded, STIR_SCALE),
            "published": show(one.season.stir.published, STIR_SCALE),
            "unknown": len(one.season.stir.unknown),
            "no_till_limit": show(one.rule.no_till_stir_max, STIR_SCALE),
            "reduced_till_limit": show(one.rule.reduced_till_stir_max, STIR_SCALE),
        },
        "events": sorted(found, key=lambda row: (row["day"] is None, row["day"] or "")),
    }


def _event(lane: str, day: date | None, what: str, *, detail: str = "", **more: str | None) -> dict[str, Any]:
    return {"lane": lane, "day": _day(day), "until": None, "what": what, "detail": detail, "stir": None, "sum": None,
            "published_sum": None, **more}  # fmt: skip


def _crop(one: IntervalJudged) -> Iterator[dict[str, Any]]:
    of = {"kind": "harvest", "key": one.harvest_id}
    if one.season.starts_on is not None:
        before = one.season.crop_before
        ended = _plain_text(before.crop) if before is not None else "crop"
        yield _event(CROP, one.season.starts_on, f"End of the crop before ({ended})", **of)
    for row in one.season.plantings:
        here = {"kind": "planting", "key": row.id}
        yield _event(CROP, row.planted_on, "Replanted" if row.replant else "Planted", **here)
        if row.emerged_on is not None:
            yield _event(CROP, row.emerged_on, "Emergence seen", **here)
    detail = (
        "bushels not recorded"
        if one.season.harvest.bushels is None
        else f"{show(one.season.harvest.bushels, group=True)} bu"
    )
    ending = one.season.harvest.ending.capitalize()
    yield _event(CROP, one.season.harvest.first_day, ending, detail=detail, until=_day(one.last_day), **of)


def _cover(one: IntervalJudged) -> Iterator[dict[str, Any]]:
    for row in one.season.covers:
        here = {"kind": "cover_crop", "key": row.id}
        yield _event(_COVER, row.seeded_on, "Cover crop seeded", detail=_plain_text(row.method), step=_SEEDED, **here)
        ended = _plain_text(row.termination_method)
        yield _event(_COVER, row.terminated_on, "Cover crop terminated", detail=ended, step=ENDED, **here)


def _nutrients(one: IntervalJudged) -> Iterator[dict[str, Any]]:
    for row in one.season.applications:
        n = None if row.n_lb_per_ac is None else show(row.n_lb_per_ac)
        detail = ", ".join(part for part in (n and f"{n} lb N/ac", _plain_text(row.method), row.inhibitor) if part)
        here = {"kind": "nutrient_application", "key": row.id, "n_lb_per_ac": n}
        yield _event(_NUTRIENTS, row.day, row.product, detail=detail, **here)


def _season_passes(one: IntervalJudged) -> Iterator[dict[str, Any]]:
    for point in one.season.stir.points:
        known = _stir_or_unknown(point.recorded.value)
        sums = {"sum": show(point.recorded_sum, STIR_SCALE), "published_sum": show(point.published_sum, STIR_SCALE)}
        is_implied = point.one is one.season.harvest_pass  # its crop entry proves it
        here = {"kind": "harvest" if is_implied else "operation", "key": point.one.id}
        what, detail = point.one.operation, "implied" if is_implied else point.one.equipment or ""
        yield _event(_PASSES, point.one.day, what, detail=detail, stir=known, **sums, **here)


def _plain_text(text: str | None) -> str:
    return str(text or "").replace("_", " ")


# The fields of a farm shaded by how many records they lack, as a picture and as a page with the list beside it.

_PAGE: Final = """<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width">
<style>body {{ font: 16px/1.4 sans-serif; margin: 1rem auto; max-width: 45rem; padding: 0 1rem }}
svg {{ height: auto; max-width: 100% }} td, th {{ padding: .2rem .8rem .2rem 0; text-align: left; vertical-align: top }}
</style><h1>{title}</h1>{picture}<table><tr><th>Unit<th>Records that are missing</tr>{rows}</table></html>
"""


def lacking_by_unit(chosen: Sequence[IntervalJudged]) -> dict[str, tuple[str, ...]]:
    """Return what each unit lacks in words, every missing record once; empty for a unit that lacks none."""
    found: dict[str, list[str]] = {one.unit_id: [] for one in chosen}
    for thing in words.to_do(chosen):
        for unit in thing.units:
            found[unit].append(str(thing))
    return {unit: tuple(dict.fromkeys(named)) for unit, named in found.items()}


def gap_map_svg(chosen: Sequence[IntervalJudged], outlines: Mapping[str, str], *, farm: str = "") -> str:
    """Return a map of the units that have an outline, the darker the more records they lack, as SVG text.

    Args:
        chosen: verdicts of the crops that are looked at.
        outlines: GeoJSON by unit.
        farm: written into the title.

    Raises:
        ProblemsError: no unit has an outline.
    """
    lacking = lacking_by_unit(chosen)
    drawn = {unit: rings for unit in lacking if (rings := _rings(outlines.get(unit, "")))}
    if not drawn:
        raise refuse("--map", "No unit of the book has a boundary.", "Import the boundaries of the fields first.")
    regions = [
        Region(unit, rings, len(lacking[unit]), _counted(len(lacking[unit])), "; ".join(lacking[unit]))
        for unit, rings in drawn.items()
    ]
    without = sorted(lacking.keys() - drawn.keys())
    rest = f" Without a boundary, and so not drawn: {', '.join(without)}." if without else ""
    description = f"Each unit, the darker the more records it lacks.{rest}"
    return region_map(regions, title=_title(farm), description=description)


def gap_map_page(chosen: Sequence[IntervalJudged], outlines: Mapping[str, str], *, farm: str = "") -> str:
    """Return a page with the map and, unit by unit, what is missing; see ``gap_map_svg``."""
    rows = "".join(
        f"<tr><td>{escape(unit)}<td>{'<br>'.join(map(escape, named)) or 'nothing'}</tr>"
        for unit, named in lacking_by_unit(chosen).items()
    )
    picture = gap_map_svg(chosen, outlines, farm=farm)
    return _PAGE.format(title=escape(_title(farm)), picture=picture, rows=rows)


def _title(farm: str) -> str:
    return f"Records that are missing, by field{f', farm {farm}' if farm else ''}"


def _counted(number: int) -> str:
    return "nothing missing" if not number else f"{number} missing"


def _rings(text: str) -> list[list[tuple[float, float]]]:
    """Return the rings of the polygons in a GeoJSON text; points and lines enclose nothing and have none."""
    from shapely import from_geojson, get_parts

    if not text:
        return []
    # A collection holds polygons of several parts: taken apart twice, only single ones are left.
    parts = get_parts(get_parts(from_geojson(text)))
    areas = [part for part in parts if part.geom_type == "Polygon" and not part.is_empty]
    return [list(ring.coords) for part in areas for ring in (part.exterior, *part.interiors)]
