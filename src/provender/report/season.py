"""The season of each crop on each unit as plain data and pictures: what was done when, and STIR as it builds up.

A crop interval runs from the end of the crop before to the end of this one (2100.002). Rows without a day are kept
apart: nobody knows where they stand.
"""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any, Final

from provender.paper.charts import Lane, Mark, in_two_widths, lane_chart
from provender.practices.assess import Assessment
from provender.practices.explain import IntervalVerdict
from provender.practices.stir_interval import BuildUp, build_up
from provender.problem import ProblemsError
from provender.quantity import STIR_SCALE, show
from provender.report.farm_charts import passes_svg
from provender.report.passes import Pass, farm_passes

CROP: Final = "Crop"
COVER: Final = "Cover crop"
PASSES: Final = "Field operations"
NUTRIENTS: Final = "Nutrients"
COVER_ENDED: Final = "Cover crop terminated"
LANES: Final = (CROP, COVER, PASSES, NUTRIENTS)


def seasons(assessment: Assessment) -> list[dict[str, Any]]:
    """Return every judged crop interval with its events.

    Returns:
        One object per interval: ``unit_id``, ``harvest_id``, ``crop``, ``harvest_year``, ``starts_on`` and
        ``last_day`` (ISO days or null), ``stir`` (sums and limits as decimal text, ``unknown`` passes), ``events`` in
        the order of days (undated last; ``sum`` after each pass).
    """
    return [_season(assessment, one, passes) for one, passes in _with_passes(assessment)]


def pictures(assessment: Assessment) -> dict[str, dict[str, str]]:
    """Return of each crop entry that was judged ``lanes`` and ``build_up``: SVG in two widths, empty without a day."""
    return {
        one.harvest_id: {
            "lanes": _lanes(one, _season(assessment, one, passes)["events"]),
            "build_up": _build_up(one, passes),
        }
        for one, passes in _with_passes(assessment)
    }


def _with_passes(assessment: Assessment) -> Iterator[tuple[IntervalVerdict, tuple[Pass, ...]]]:
    passes = {farm: farm_passes(assessment, farm) for farm in assessment.book.farm_ids}
    for one in assessment.intervals:
        yield one, passes.get(one.farm_id, {}).get(one.facts["interval_key"], ())


def _season(assessment: Assessment, one: IntervalVerdict, passes: tuple[Pass, ...]) -> dict[str, Any]:
    points = build_up(passes)
    found = [*_crop(assessment, one), *_cover(assessment, one), *_nutrients(assessment, one), *_passes(points)]
    events = sorted(found, key=lambda row: (row["day"] is None, row["day"] or ""))
    last = points[-1] if points else None
    return {
        "unit_id": one.unit_id,
        "harvest_id": one.harvest_id,
        "crop": one.crop.label,
        "harvest_year": one.harvest_year,
        "starts_on": _day(one.facts["starts_on"]),
        "last_day": _day(one.facts["last_day"]),
        "stir": {
            "recorded": show(last.recorded if last else 0, STIR_SCALE),
            "published": show(last.published if last else 0, STIR_SCALE),
            "unknown": last.unknown if last else 0,
            "no_till_limit": show(one.rule.no_till_stir_max, STIR_SCALE),
            "reduced_till_limit": show(one.rule.reduced_till_stir_max, STIR_SCALE),
        },
        "events": events,
    }


def _event(lane: str, day: date | None, what: str, *, detail: str = "", **more: str | None) -> dict[str, Any]:
    return {"lane": lane, "day": _day(day), "until": None, "what": what, "detail": detail, "stir": None, "sum": None,
            "published_sum": None, **more}  # fmt: skip


def _crop(assessment: Assessment, one: IntervalVerdict) -> Iterator[dict[str, Any]]:
    of = {"kind": "harvest", "key": one.harvest_id}
    if one.facts["starts_on"] is not None:
        before = str(one.facts["previous_crop"] or "crop").replace("_", " ")
        yield _event(CROP, one.facts["starts_on"], f"End of the crop before ({before})", **of)
    for row in _rows(assessment, "planting", one, "harvest_id", one.harvest_id):
        here = {"kind": "planting", "key": row["planting_id"]}
        yield _event(CROP, row["planted_on"], "Replanted" if row["replant"] else "Planted", **here)
        if row["emerged_on"] is not None:
            yield _event(CROP, row["emerged_on"], "Emergence seen", **here)
    bushels = one.facts["bushels"]
    detail = "bushels not recorded" if bushels is None else f"{show(bushels, group=True)} bu"
    first, last = one.facts["first_day"], one.facts["last_day"]
    yield _event(CROP, first, f"{one.facts['ending']}".capitalize(), detail=detail, until=_day(last), **of)


def _cover(assessment: Assessment, one: IntervalVerdict) -> Iterator[dict[str, Any]]:
    for row in _rows(assessment, "cover_crop", one, "harvest_id", one.harvest_id):
        here = {"kind": "cover_crop", "key": row["cover_id"]}
        yield _event(COVER, row["seeded_on"], "Cover crop seeded", detail=_words(row["method"]), **here)
        ended = _words(row["termination_method"])
        yield _event(COVER, row["terminated_on"], COVER_ENDED, detail=ended, **here)


def _nutrients(assessment: Assessment, one: IntervalVerdict) -> Iterator[dict[str, Any]]:
    first, last = one.facts["starts_on"], one.facts["last_day"]
    for row in _rows(assessment, "nutrient_application", one, "unit_id", one.unit_id):
        day = row["day"]
        placed = day is not None and (first is None or first <= day) and (last is None or day <= last)
        if placed or row["harvest_id"] == one.harvest_id:
            n = "" if row["n_lb_per_ac"] is None else f"{show(row['n_lb_per_ac'])} lb N/ac"
            detail = ", ".join(part for part in (n, _words(row["method"]), row["inhibitor"]) if part)
            here = {"kind": "nutrient_application", "key": row["application_id"]}
            yield _event(NUTRIENTS, day, row["product"], detail=detail, **here)


def _passes(points: tuple[BuildUp, ...]) -> Iterator[dict[str, Any]]:
    for point in points:
        one = point.after
        if isinstance(one, Pass):
            known = "not known" if one.recorded is None else show(one.recorded, STIR_SCALE)
            sums = {"sum": show(point.recorded, STIR_SCALE), "published_sum": show(point.published, STIR_SCALE)}
            here = {"kind": "operation", "key": one.record["operation_id"]}
            detail = one.record["equipment"] or ""
            yield _event(PASSES, one.day, one.operation, detail=detail, stir=known, **sums, **here)


def _rows(
    assessment: Assessment, kind: str, one: IntervalVerdict, column: str, value: str
) -> Iterator[Mapping[str, Any]]:
    return (row for row in assessment.book.rows_of(kind, one.farm_id) if row[column] == value)


def _lanes(one: IntervalVerdict, events: list[dict[str, Any]]) -> str:
    dated = [row for row in events if row["day"] is not None]
    if not dated:
        return ""
    lanes = [Lane(name, [_mark(row) for row in dated if row["lane"] == name]) for name in LANES]
    crop = f"{one.crop.label} {one.harvest_year}"
    title = f"Season of {one.unit_id}, {crop}"
    description = f"{len(dated)} dated events; the table below lists each with its day."
    marked = [lane for lane in lanes if lane.marks]
    return in_two_widths(lambda width: lane_chart(marked, title=title, description=description, width=width))


def _mark(row: Mapping[str, Any]) -> Mark:
    words = f"{row['day']}: {row['what']}" + (f", {row['detail']}" if row["detail"] else "")
    until = None if row["until"] is None else date.fromisoformat(row["until"])
    return Mark(date.fromisoformat(row["day"]), words, until)


def _build_up(one: IntervalVerdict, passes: tuple[Pass, ...]) -> str:
    try:
        return in_two_widths(lambda width: passes_svg(one, passes, width=width))
    except ProblemsError:
        return ""


def _day(day: date | None) -> str | None:
    return None if day is None else day.isoformat()


def _words(text: str | None) -> str:
    return str(text or "").replace("_", " ")
