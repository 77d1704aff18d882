"""Numbers and days as other people write them, read only where they can mean one thing."""

import datetime as dt
import re
from fractions import Fraction
from typing import Final

from provender.quantity import half_even, show

ORDERS: Final = ("mdy", "dmy", "ymd")
_MONTH_NAMES: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTHS: Final = {name: number for number, name in enumerate(_MONTH_NAMES, start=1)}
_CLOCK: Final = r"(?:[ T]+\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:\s*[AaPp]\.?[Mm]\.?)?(?:Z|[+-]\d\d:?\d\d)?)?"
_ISO: Final = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})" + _CLOCK, re.ASCII)
_COMPACT: Final = re.compile(r"(\d{4})(\d{2})(\d{2})", re.ASCII)
_NUMBERS: Final = re.compile(r"(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})" + _CLOCK, re.ASCII)
_DAY_MONTH: Final = re.compile(r"(\d{1,2})[- ]([A-Za-z]{3,9})\.?[-, ]+(\d{4})" + _CLOCK, re.ASCII)
_MONTH_DAY: Final = re.compile(r"([A-Za-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})" + _CLOCK, re.ASCII)
_POINT: Final = re.compile(r"[-+]?(?:\d{1,15}|\d{1,3}(?:,\d{3})+)?(?:\.\d{0,15})?", re.ASCII)
_COMMA: Final = re.compile(r"[-+]?(?:\d{1,15}|\d{1,3}(?:[. ]\d{3})+)?(?:,\d{0,15})?", re.ASCII)


class ValueTextError(ValueError):
    """Text that cannot be read as wanted: why (the message), and what to do."""

    def __init__(self, cause: str, remedy: str) -> None:
        super().__init__(cause)
        self.remedy = remedy


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


def _date(year: int, month: int, day: int, text: str) -> dt.date:
    try:
        return dt.date(year, month, day)
    except ValueError:
        raise ValueTextError(f"{text!r} is no day of the calendar", "Check day and month.") from None


def _month(name: str, text: str) -> int:
    number = _MONTHS.get(name[:3].lower())
    if number is None:
        raise ValueTextError(f"{text!r} is not a date", "Write year-month-day, such as 2026-05-14.")
    return number


def orders_of(text: str) -> frozenset[str]:
    """Return the orders in which a date of three numbers can be read; all three where it is not such a date."""
    found = _NUMBERS.fullmatch(text.strip())
    if found is None:
        return frozenset(ORDERS)
    first, second = int(found[1]), int(found[2])
    if first == second:
        return frozenset(("mdy", "dmy"))
    return frozenset(order for order, month in (("mdy", first), ("dmy", second)) if 1 <= month <= 12)  # noqa: PLR2004 - months


def read_day(text: str, order: str = "") -> dt.date:
    """Read a date; 03/04/2026 needs the order to be stated, and so does a year of two digits.

    Args:
        text: the date; a time of day after it is left out.
        order: ``mdy``, ``dmy`` or empty.

    Raises:
        ValueTextError: no date, no day of the calendar, or two days are possible.
    """
    clean = re.sub(r"\s+", " ", text.replace("\u00a0", " ")).strip()
    if found := (_ISO.fullmatch(clean) or _COMPACT.fullmatch(clean)):
        return _date(int(found[1]), int(found[2]), int(found[3]), clean)
    if found := _DAY_MONTH.fullmatch(clean):
        return _date(int(found[3]), _month(found[2], clean), int(found[1]), clean)
    if found := _MONTH_DAY.fullmatch(clean):
        return _date(int(found[3]), _month(found[1], clean), int(found[2]), clean)
    found = _NUMBERS.fullmatch(clean)
    if found is None:
        raise ValueTextError(f"{clean[:40]!r} is not a date", "Write year-month-day, such as 2026-05-14.")
    first, second, year = int(found[1]), int(found[2]), int(found[3])
    state = "State the order of day and month in the column map."
    if len(found[3]) == 2:  # noqa: PLR2004 - a year of two digits
        if not order:
            raise ValueTextError(f"{clean!r} has a year of two digits and no stated order", state)
        year += 2000
    possible = orders_of(clean)
    chosen = order or (next(iter(possible)) if len(possible) == 1 else "mdy" if first == second else "")
    if not chosen:
        raise ValueTextError(f"{clean!r} can be two days", state)
    month, day = (first, second) if chosen == "mdy" else (second, first)
    return _date(year, month, day, clean)
