"""Checks of one row's inputs: every unknown name, wrong type, absurd number and impossible choice is a problem."""

import math
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Final

from provender.intensity.argonne2021.counties import FIPS_DIGITS, counties
from provender.intensity.argonne2021.inputs import CROPS, Input, Kind, Value, default_inputs, inputs_of
from provender.problem import Place, Problem, Weight

_WHOLE_PLACE: Final = ("fips", "state", "county")
_LONGEST: Final = 60


def brief(value: object) -> str:
    """Write a value of someone's document as it stands there, shortened: it may be of any length and depth."""
    if isinstance(value, list):
        return "a list"
    if isinstance(value, Mapping):
        return "an object"
    if value is None:
        return "null"
    written = repr(value)
    return written if len(written) <= _LONGEST else f"{written[:_LONGEST]}..."


def column_name(name: object) -> str:
    """Write the name of something in a document so that it fits a line and a terminal."""
    return name if isinstance(name, str) and name.isprintable() and len(name) <= _LONGEST else brief(name)


def _number(value: object, one: Input) -> str | None:
    """Say what is wrong with a number, or None."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return f"{brief(value)} is not a number."
    try:
        number = float(value)
    except OverflowError:
        return "The whole number written there is too large."
    if not math.isfinite(number):
        return f"{brief(value)} is not a finite number."
    if one.kind is Kind.YIELD and number <= 0:
        return f"A yield of {brief(value)} has no carbon intensity per bushel."
    if one.kind is Kind.AMOUNT and number < 0:
        return f"{brief(value)} is below zero."
    return None


def _remedy(one: Input) -> str:
    """Say what the input takes."""
    match one.kind:
        case Kind.YIELD:
            return f"Give a number above zero, in {one.unit}."
        case Kind.AMOUNT:
            return f"Give a number of zero or more, in {one.unit}, or leave the input out to use the default."
        case Kind.NUMBER:
            return f"Give a finite number, in {one.unit}."
        case Kind.CHOICE:
            return f"Choose one of: {', '.join(one.words)}."
        case Kind.SWITCH:
            return "Write true or false."
        case Kind.PLACE:
            return "Give text, or null where it is not known."


def _cause(value: object, one: Input) -> str | None:
    """Say what is wrong with one input's value, or None."""
    match one.kind:
        case Kind.YIELD | Kind.AMOUNT | Kind.NUMBER:
            return _number(value, one)
        case Kind.CHOICE:
            if isinstance(value, str) and value in one.words:
                return None
            if one.name == "nitrogen_technology" and isinstance(value, str):
                return f"{brief(value)} cannot be computed: the public workbook has no coefficient for it."
            return f"{brief(value)} is not a choice of {one.name}."
        case Kind.SWITCH:
            return None if isinstance(value, bool) else f"{brief(value)} is neither true nor false."
        case Kind.PLACE:
            return None if value is None or isinstance(value, str) else f"{brief(value)} is not text."


def _county_problems(inputs: Mapping[str, object], at: Place) -> Iterator[Problem]:
    """Check the county: its code, its zone if the row asks for it, its names beside its code."""
    fips = inputs.get("fips")
    place = Place(at.file, at.sheet, at.row, "fips")
    if fips is not None and not isinstance(fips, str):
        return
    if isinstance(fips, str) and not (len(fips) == FIPS_DIGITS and fips.isascii() and fips.isdigit()):
        yield Problem(
            place,
            f"{brief(fips)} is not a county code.",
            'Give the FIPS code as text of five digits, such as "17019", or null where the county is not known.',
            code="county_code",
        )
        return
    known = counties().get(fips) if fips is not None else None
    if known is None and inputs.get("climate_zone_choice") == "county":
        what = "No county is given" if fips is None else f"County {fips} is not in the model's table of the 1990s"
        yield Problem(
            place,
            f"{what}, so there is no climate zone to take from it.",
            'Give a county of the table, or set climate_zone_choice to "no_consideration".',
            code="county_without_zone",
        )
    if known is not None:
        for name, listed in (("state", known.state), ("county", known.county)):
            written = inputs.get(name)
            if isinstance(written, str) and _plain(written) != _plain(listed):
                yield Problem(
                    Place(at.file, at.sheet, at.row, name),
                    f"Code {fips} is {known.county}, {known.state}, but {name} says {brief(written)}.",
                    "The model goes by the code. Correct whichever is wrong.",
                    weight=Weight.CONFIRM,
                    code="county_name_differs",
                )


def _plain(name: str) -> str:
    """Reduce a county's name to its letters, so that De Kalb and DeKalb are one."""
    return "".join(letter for letter in name.casefold() if letter.isalnum())


def _unknown(name: str, crop: str) -> tuple[str, str]:
    """Say why an input is not known for a crop, and what to do."""
    others = [other for other in CROPS if name in inputs_of(other)]
    if others:
        return f"The model has no {name} for {crop}, only for {' and '.join(others)}.", "Leave it out."
    near = get_close_matches(name, inputs_of(crop), n=1)
    remedy = f"Write {near[0]}, if that is meant, or leave it out." if near else "Leave it out."
    return f"The model has no input {brief(name)}.", remedy


def _with_whole_place(given: Mapping[str, object]) -> Mapping[str, object]:
    """Return a row's inputs, what it leaves out of its place as null: the default place is whole or not at all.

    A code without names is enough. Names without a code are a county that is not known, for names are not matched.
    """
    if any(name in given for name in _WHOLE_PLACE):
        return {**dict.fromkeys(_WHOLE_PLACE), **given}
    return given


def check_inputs(crop: str, given: Mapping[str, object], at: Place) -> tuple[dict[str, Value], list[Problem]]:
    """Check the inputs of one row and fill in the defaults.

    Args:
        crop: a crop of the model.
        given: the row's inputs as they were read.
        at: the row's place; each problem adds its input as column.

    Returns:
        Every input of the crop, numbers as float (empty where a problem refuses the row), and all problems. A place
        that is not named at all is the workbook's, Champaign County, Illinois; names without a code are a county
        that is not known.
    """
    known = inputs_of(crop)
    problems = []
    for name, value in given.items():
        one = known.get(name)
        if one is None:
            place = Place(at.file, at.sheet, at.row, column_name(name))
            problems.append(Problem(place, *_unknown(name, crop), code="unknown_input"))
        elif (cause := _cause(value, one)) is not None:
            place = Place(at.file, at.sheet, at.row, name)
            problems.append(Problem(place, cause, _remedy(one), code="input_refused"))
    full: dict[str, object] = {**default_inputs(crop), **_with_whole_place(given)}
    if "fips" in known:
        problems.extend(_county_problems(full, at))
    if any(problem.weight is Weight.ERROR for problem in problems):
        return {}, problems
    return {name: _value(full[name], one) for name, one in known.items()}, problems


def _value(value: object, one: Input) -> Value:
    """Turn a checked value into what the frame holds."""
    if one.kind in (Kind.YIELD, Kind.AMOUNT, Kind.NUMBER) and isinstance(value, int | float):
        return float(value)
    return value if isinstance(value, bool | str) else None
