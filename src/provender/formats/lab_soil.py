"""Soil test results from Modus files, as rows of soil tests; laboratories' own tables go through column maps.

One row per sample and depth. Only what a soil test record asks for is taken; the file stays as evidence.
"""

import datetime as dt
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Final

from provender.formats.archive import is_zip, opened
from provender.formats.mapped_table import MappedRow, MappedTable, without_future
from provender.formats.modus import Result, Sample, read_modus
from provender.formats.parsed import Parsed, doubt, grouped, listed, note
from provender.formats.sniff import sniff
from provender.formats.units import UnitError, convert
from provender.formats.values import ValueTextError, number_out, read_day, read_number
from provender.problem import Place, Problem, ProblemsError

# element of the laboratory -> column of a soil test and its unit
_ELEMENTS: Final = {
    "ph": ("ph", ""),
    "om": ("organic_matter_pct", "pct"),
    "som": ("organic_matter_pct", "pct"),
    "no3-n": ("nitrate_n_ppm", "ppm"),
    "p": ("p_ppm", "ppm"),
    "k": ("k_ppm", "ppm"),
}
_UNITLESS: Final = frozenset({"", "none", "na", "n/a", "-"})


def _amount(value: str, unit: str, wanted: str) -> str:
    """Return a value in the wanted unit, half even at three decimals.

    Raises:
        ValueTextError, UnitError: it is no number, or its unit measures something else.
    """
    number = read_number(value)
    if wanted:
        inner = unit.replace("\u00a0", " ").rpartition("(")[2].rstrip(") ") if "(" in unit else unit
        number = convert(number, inner, wanted)
    elif unit.lower() not in _UNITLESS:
        raise UnitError(f"pH has no unit, the file says {unit}")
    return number_out(number)[0]


def _results(sample: Sample, place: Place, problems: list[Problem]) -> Iterator[tuple[str, str]]:
    taken: dict[str, Result] = {}
    further: dict[str, list[Result]] = {}
    for result in sample.results:
        column, wanted = _ELEMENTS.get(result.element.lower(), ("", ""))
        if not column or not result.value:
            continue
        if column in taken:
            further.setdefault(column, []).append(result)
            continue
        taken[column] = result
        try:
            yield column, _amount(result.value, result.unit, wanted)
        except (ValueTextError, UnitError) as wrong:
            remedy = wrong.remedy or "Type the value in the unit of the column."
            problems.append(Problem(place, f"{result.element}: {wrong}.", remedy, code="unreadable_result"))
    if "p_ppm" in taken and taken["p_ppm"].test:
        yield "method", taken["p_ppm"].test
    for column, others in further.items():
        first = taken[column]
        named = f"{first.test or 'the first'} was taken, not {listed(each.test for each in others)}"
        cause = f"{first.element} was measured in several ways; {named}."
        problems.append(doubt(place, cause, "Confirm which method the budget rests on.", "several_methods"))


def _depth(sample: Sample, place: Place, problems: list[Problem]) -> Iterator[tuple[str, str]]:
    if not sample.bottom:
        return
    try:
        if sample.top and read_number(sample.top) != Fraction(0):
            cause = (
                f"the sample was taken from {sample.top} to {sample.bottom} {sample.depth_unit}, not from the surface."
            )
            problems.append(doubt(place, cause, "Confirm that it may stand for the unit.", "deep_sample"))
        yield "depth_in", number_out(convert(read_number(sample.bottom), sample.depth_unit, "in"))[0]
    except (ValueTextError, UnitError) as wrong:
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
    values |= dict(_results(sample, place, problems))
    return MappedRow(sample.number, values)


def _content(path: Path, name: str) -> tuple[bytes, str]:
    if not is_zip(path):
        return path.read_bytes(), name
    kind = sniff(path, name)
    with opened(path, name) as archive:
        return archive.read(kind.inside), f"{name}/{kind.inside}"


def read_lab_soil(path: Path, name: str, *, as_of: str) -> Parsed[MappedTable]:
    """Read Modus soil results into rows of ``soil_test``.

    Args:
        path: Modus XML or JSON, also in a zip.
        name: the name people know it by.
        as_of: today, year-month-day; results from later are refused one by one.
    """
    try:
        data, name = _content(path, name)
    except ProblemsError as trouble:
        return Parsed(None, trouble.problems)
    samples, problems = read_modus(data, name)
    if not samples:
        return Parsed(None, tuple(problems))
    counts = {sample.number: sum(other.number == sample.number for other in samples) for sample in samples}
    rows = tuple(_row(sample, name, counts[sample.number], problems) for sample in samples)
    measured = {"ph", *(column for column, _ in _ELEMENTS.values())}
    empty = [row.number for row in rows if not measured & row.values.keys()]
    if empty:
        cause = f"{len(empty)} samples have none of pH, organic matter, nitrate, P, K: sample {listed(empty)}."
        problems.append(note(Place(name), cause, "They are kept without values.", "no_values"))
    table, future = without_future(
        MappedTable(name, "", "soil_test", rows), ("sampled_on",), dt.date.fromisoformat(as_of)
    )
    return Parsed(table, (*grouped(problems), *future))
