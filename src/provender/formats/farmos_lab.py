"""Lab tests of farmOS as soil tests: the values that a soil test record asks for, each named and with its unit.

A value under another name, without a unit or in one that is no share of the soil is told and not taken.
"""

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any, Final, NamedTuple

from provender.formats.mapped_table import MappedRow
from provender.formats.parsed import doubt, note
from provender.formats.units import UnitError, convert
from provender.formats.values import identifier, number_out
from provender.formats.work import day_of, text_of
from provender.problem import Place, Problem

_NAMES: Final[Mapping[str, tuple[str, str]]] = {
    **dict.fromkeys(("ph", "soil ph", "water ph", "ph water", "ph 1:1"), ("ph", "")),
    **dict.fromkeys(("organic matter", "om", "som", "soil organic matter"), ("organic_matter_pct", "pct")),
    **dict.fromkeys(("nitrate n", "nitrate-n", "no3-n", "no3 n", "nitrate nitrogen"), ("nitrate_n_ppm", "ppm")),
    **dict.fromkeys(("phosphorus", "p", "mehlich p", "mehlich-3 p", "bray p", "bray p1", "olsen p"), ("p_ppm", "ppm")),
    **dict.fromkeys(("potassium", "k", "mehlich k", "mehlich-3 k"), ("k_ppm", "ppm")),
    **dict.fromkeys(("depth", "sample depth"), ("depth_in", "in")),
}
"""Names of measurements, and the column with its unit. Nitrate without N may be the whole ion, which weighs more."""
_SOIL: Final = ("soil", "")
_NO_UNIT: Final = ("", "ph", "unitless", "none", "su", "ph units")
_TYPE: Final = "Type the value in the unit of the column, if the budget rests on it."


class Measured(NamedTuple):
    """One quantity of a lab test."""

    label: str
    value: Fraction | None
    unit: str
    method: str


def soil_test(
    told: Mapping[str, Any], reference: str, field: str, laboratory: str, measured: Iterable[Measured], place: Place,
    day: dt.date,
) -> tuple[MappedRow | None, list[Problem]]:  # fmt: skip
    """Return a soil test of a lab-test log, with everything of it that was not taken.

    Args:
        told: attributes of the log.
        reference: its identifier.
        field: the land it is of, by name.
        laboratory: its name, or empty.
        measured: its quantities.
        place: where it stands.
        day: of the log.
    """
    title = text_of(told) or "lab test"
    what = str(told.get("lab_test_type") or "")
    if what not in _SOIL:
        cause = f"{title!r} is a test of {what}; no record rests on it, so it was not taken."
        return None, [note(place, cause, "Nothing to do.", "other_test")]
    problems: list[Problem] = []
    values = dict(_values(measured, title, place, problems))
    if not values.keys() - {"depth_in", "method"}:
        cause = f"{title!r} states none of pH, organic matter, nitrate N, P and K with its unit; it was not taken."
        return None, [*problems, doubt(place, cause, _TYPE, "no_values")]
    received = day_of(told.get("lab_received_date"), None)
    if received == day:
        cause = f"the day of {title!r}, {day}, is also the day the laboratory received the sample."
        problems.append(doubt(place, cause, "Confirm the day on which it was taken.", "sampled_or_received"))
    key = identifier(f"farmos-{reference or title}-{day}")
    texts = {"soil_test_id": key, "unit_id": field, "sampled_on": day.isoformat(), "laboratory": laboratory, **values}
    return MappedRow(place.row, {name: text for name, text in texts.items() if text}), problems


def _values(
    measured: Iterable[Measured], title: str, place: Place, problems: list[Problem]
) -> Iterator[tuple[str, str]]:
    taken: dict[str, Measured] = {}
    for each in measured:
        column, wanted = _NAMES.get(" ".join(each.label.casefold().split()), ("", ""))
        shown = f"{each.label or 'a value without a name'} of {title!r}"
        if not column or each.value is None:
            why = "is none that a soil test asks for" if not column else "is no number"
            problems.append(doubt(place, f"{shown} {why}; it was not taken.", _TYPE, "other_value"))
        elif column in taken:
            cause = f"{shown} was measured in several ways; the first was taken."
            problems.append(doubt(place, cause, "Confirm which the budget rests on.", "several_methods"))
        else:
            try:
                yield column, number_out(_in(each.value, each.unit, wanted))[0]
            except UnitError as wrong:
                cause = f"{shown}: {wrong}; it was not taken."
                problems.append(Problem(place, cause, wrong.remedy or _TYPE, code="unreadable_result"))
                continue
            taken[column] = each
    if "p_ppm" in taken and taken["p_ppm"].method:
        yield "method", taken["p_ppm"].method


def _in(value: Fraction, unit: str, wanted: str) -> Fraction:
    """Return a value in a unit.

    Raises:
        UnitError: it has none, or one of another kind.
    """
    if wanted:
        return convert(value, unit, wanted)
    if unit.casefold() not in _NO_UNIT:
        raise UnitError(f"pH has no unit, the file says {unit}")
    return value
