"""Numbers as other people write them, read only where they can mean one thing; days are read by ``provender.days``."""

import re
from fractions import Fraction
from typing import Final

from provender.days import DayTextError as ValueTextError
from provender.days import orders_of, read_day
from provender.quantity import half_even, show

__all__ = ["ValueTextError", "number_out", "orders_of", "read_day", "read_number"]

_POINT: Final = re.compile(r"[-+]?(?:\d{1,15}|\d{1,3}(?:,\d{3})+)?(?:\.\d{0,15})?", re.ASCII)
_COMMA: Final = re.compile(r"[-+]?(?:\d{1,15}|\d{1,3}(?:[. ]\d{3})+)?(?:,\d{0,15})?", re.ASCII)


def read_number(text: str, decimal: str = ".") -> Fraction:
    """Read a number exactly; ``decimal`` is the sign before its fraction, the other groups thousands.

    Raises:
        ValueTextError: it is no number, or says only what it is less than.
    """
    clean = text.replace("\u00a0", " ").replace("\u2212", "-").strip().removeprefix("$").strip()
    if clean.startswith(("<", ">")):
        remedy = "Ask for the value, or write the number you accept and say so in the note."
        raise ValueTextError(f"{text!r} is a limit, not a value", remedy)
    pattern = _COMMA if decimal == "," else _POINT
    digits = clean.strip("+-.,")
    if not digits or not pattern.fullmatch(clean):
        raise ValueTextError(f"{text[:40]!r} is not a number", "Write a plain number such as 12.5.")
    plain = clean.replace(".", "").replace(" ", "").replace(",", ".") if decimal == "," else clean.replace(",", "")
    return Fraction(plain.rstrip(".") or "0")


def number_out(value: Fraction, scale: int = 3) -> tuple[str, bool]:
    """Write a fraction with at most ``scale`` decimals, half even; the second value tells whether digits were lost."""
    whole = half_even(value.numerator * 10**scale, value.denominator)
    return show(whole, scale), Fraction(whole, 10**scale) != value


def identifier(text: str, otherwise: str = "field") -> str:
    """Return text as an identifier of a record: letters, digits and . _ : / # - ( ), at most eighty."""
    plain = re.sub(r"[^\w ._:/#()-]+", "-", text, flags=re.ASCII).strip(" ._:/#()-")
    return plain[:80].rstrip() or otherwise
