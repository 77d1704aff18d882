"""A rate and its unit, which a file says behind the number, in the column beside it, or in the heading."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from provender.formats import units
from provender.formats.columns import Target, TargetField, behind, own_unit, unit_column
from provender.formats.units import UnitError
from provender.records.kind import KINDS

_RATE: Final = "rate"
SCALE_TICKET: Final = "scale_ticket"
_AN_ACRE: Final = re.compile(r"(?:/|\bper\b)\s*a(?:c|cre)?\b", re.IGNORECASE)


class UnitsDifferError(UnitError):
    """A file says two units of one rate."""


@dataclass(frozen=True, slots=True)
class Rate:
    """The columns that a rate fills, and whether its number was rounded."""

    columns: Mapping[str, str]
    rounded: bool = False


def per_acre(unit: str, heading: str) -> str:
    """Return a unit of a rate under a heading such as ``Rate/ac``, by which gallons are gallons an acre."""
    return f"{unit}/ac" if unit.strip() and "/" not in units.canonical(unit) and _AN_ACRE.search(heading) else unit


def read_rate(of: Target, quantity: TargetField, text: str, said: Iterable[str], decimal: str = ".") -> Rate:
    """Read a rate into its number and its unit; pounds of a nutrient go into that nutrient's own column.

    ``said`` are the units that stand beside it and above it; ``decimal`` is as for ``units.read_number``.

    Raises:
        ValueTextError: the number cannot be read.
        UnitsDifferError: two units are said.
        UnitError: no rate of this kind is measured in the unit.
    """
    number, inside = behind(text)
    meant = dict.fromkeys(units.canonical(each) or each.strip() for each in (inside, *said) if each.strip())
    if len(meant) > 1:
        cause = f"the file says two units of {text!r}, {' and '.join(meant)}; the number was not taken"
        raise UnitsDifferError(cause, "Correct the one that is wrong.")
    unit = next(iter(meant), "")
    beside = unit_column(of, quantity)
    value = units.read_number(number, decimal)
    nutrient, plain = units.without_nutrient(unit)
    if nutrient and quantity.name == _RATE and (own := of.fields.get(f"{nutrient}_lb_per_ac")):
        whole, rounded = units.number_out(units.convert(value, plain, own.unit), own.scale)
        return Rate({own.name: whole}, rounded)
    into = own_unit(of, quantity, unit)
    if unit and not units.unit_kind(into):
        options = KINDS[of.name].typed_fields[beside].options
        remedy = f"Write one of: {', '.join(options)}. A total is to be divided by its acres."
        raise UnitError(f"{text!r}: {unit!r} is no unit of a rate", remedy if "rate" in quantity.name else "")
    if unit:
        value, unit = units.convert(value, unit, into), into
    whole, rounded = units.number_out(value, quantity.scale)
    return Rate({quantity.name: whole, **({beside: unit} if unit else {})}, rounded)
