"""Pictures of a farm, for pages and commands: the practice matrix, STIR as it builds up, CI against the average."""

from collections.abc import Sequence
from datetime import date
from typing import Final

from provender.intensity.calculator import Label
from provender.intensity.quantify import Quantification
from provender.paper.charts import WIDTH, Bar, Limit, Reference, Series, bar_chart, matrix_chart, step_chart
from provender.practices.assess import Assessment
from provender.practices.explain import IntervalVerdict, PracticeVerdict
from provender.practices.stir_interval import IntervalPass, build_up
from provender.practices.verdict import Verdict
from provender.problem import refuse
from provender.quantity import CI_SCALE, STIR_SCALE, show, to_decimal
from provender.report.passes import farm_passes
from provender.rule.crops import Practice

UNIT_OF_CI: Final = "g CO2e/bu"


def matrix_svg(chosen: Sequence[IntervalVerdict], *, farm: str = "") -> str:
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
    return matrix_chart(list(names.values()), columns, cells, title=title, description=description, headed=True)


def _verdict(found: PracticeVerdict) -> str:
    if found.implementation is Verdict.MET and found.records is not Verdict.MET:
        return "met, records open"
    return str(found.implementation)


def build_up_svg(assessment: Assessment, one: IntervalVerdict) -> str:
    """Return how STIR builds up over one crop interval, against the limits of no-till and reduced till, as SVG text.

    Raises:
        ProblemsError: the interval has no pass with a day and a known STIR.
    """
    passes = farm_passes(assessment, one.farm_id).get(one.facts["interval_key"], ())
    return passes_svg(one, passes, headed=True)


def passes_svg(
    one: IntervalVerdict, passes: Sequence[IntervalPass], *, width: float = WIDTH, headed: bool = False
) -> str:
    """Return the same for passes that are at hand, as SVG text; ``headed`` with its title and farm above it.

    Raises:
        ProblemsError: the interval has no pass with a day and a known STIR.
    """
    points = [point for point in build_up(passes) if point.after.day is not None]
    if not points:
        raise refuse(one.unit_id, "No dated pass is recorded in this crop interval.", "Record the field operations.")
    notes = [f"{point.after.operation}: {_stir(point.after.recorded)}" for point in points]
    sums = (
        ("by recorded speed and depth", [(point.after.day, point.recorded) for point in points]),
        ("by published values", [(point.after.day, point.published) for point in points]),
    )
    start = one.facts["starts_on"]
    opening = [] if start is None else [(start, 0.0)]
    series = [
        Series(name, [*opening, *_at_days(values)], ["the interval starts"] * len(opening) + notes)
        for name, values in sums
    ]
    limits = [
        Limit(f"{practice.label}: at most {show(limit, STIR_SCALE)}", float(to_decimal(limit, STIR_SCALE)))
        for practice, limit in (
            (Practice.no_till, one.rule.no_till_stir_max),
            (Practice.reduced_till, one.rule.reduced_till_stir_max),
        )
    ]
    crop = f"{one.crop.label} {one.harvest_year}"
    title = f"STIR of {one.unit_id}, {crop}" + _of_farm(one.farm_id, headed=headed)
    description = f"Sum of STIR after each pass: {show(points[-1].recorded, STIR_SCALE)} at the end of the interval."
    return step_chart(
        series, title=title, description=description, unit="STIR", limits=limits, width=width, headed=headed
    )


def _at_days(points: Sequence[tuple[date | None, int]]) -> list[tuple[date, float]]:
    return [(day, float(to_decimal(value, STIR_SCALE))) for day, value in points if day is not None]


def _stir(value: int | None) -> str:
    return "not known" if value is None else show(value, STIR_SCALE)


def _of_farm(farm_id: str, *, headed: bool) -> str:
    return f", farm {farm_id}" if headed and farm_id else ""


def intensity_svg(one: Quantification, *, width: float = WIDTH, headed: bool = False) -> str:
    """Return the CI of every unit and of the farm against the national default as SVG text.

    ``headed`` writes title and farm above it, for a picture that stands alone.

    A CI below zero has no bar; its number stands beside its name.

    Raises:
        ProblemsError: no CI is known.
    """
    known = [
        Bar(f"{unit.unit_id}: {_practices(unit.used)}", _length(ci), _ci(ci), pale=unit.conventional)
        for unit in one.units
        if (ci := unit.result.ci_g_per_bu if unit.result else one.national_default) is not None
    ]
    if not known:
        raise refuse(f"{one.crop} {one.harvest_year}", "No unit has a CI to draw.", "Enter the calculator runs.")
    official = one.label is Label.OFFICIAL
    average = one.average.ci_g_per_bu
    if average is not None:
        name = "Farm, weighted by bushels" if official else f"Farm, weighted by bushels ({one.label})"
        known.append(Bar(name, _length(average), _ci(average)))
    default = one.national_default
    reference = None if default is None else Reference(_default_named(one, default), _length(default))
    crop = f"{one.crop.label} {one.harvest_year}"
    title = f"Carbon intensity of {crop}" if official else f"Carbon intensity of {crop} ({one.label})"
    title += _of_farm(one.farm_id, headed=headed)
    description = f"Units and farm by {one.calculator}, {one.version}, against the national default."
    if one.label is Label.ESTIMATE:
        description = f"Units and farm by {one.calculator}, {one.version}, against the model's own default."
    return bar_chart(
        known, title=title, description=description, unit=UNIT_OF_CI, reference=reference, width=width, headed=headed
    )


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
