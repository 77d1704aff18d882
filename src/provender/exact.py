"""Exact amounts, and the only functions of the project that round.

Every quantity of a record is a whole number of thousandths of the unit in its name (``depth_in`` = 2500 is
2.5 inches). Three quantities have scales of their own, because the field prints them so:

- carbon intensity: whole hundredths of a gram CO2e per bushel (``CI_SCALE``);
- STIR: whole ten-thousandths, rounded once per pass (``STIR_SCALE``);
- serial numbers of bushels and pounds in custody: whole thousandths (``SCALE``).

Floats never meet a threshold. Text becomes an integer here (``parse``) and an integer becomes text here
(``show``); nothing else converts.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Final

SCALE: Final = 3
CI_SCALE: Final = 2
STIR_SCALE: Final = 4
RATE_SCALE: Final = 6
"""Yields carry six decimals: chained yields of a fraction below one would lose too much in three."""


_ONE: Final = 10**SCALE
_PLAIN_DIGITS: Final = 15
_NUMBER = re.compile(r"(?P<sign>[-+]?)(?P<whole>\d{1,15}|\d{1,3}(?:,\d{3}){1,4})?(?:\.(?P<part>\d*))?", re.ASCII)


def parse(text: str, scale: int = SCALE) -> int:
    """Read a decimal number exactly, as whole units of ``10**-scale``.

    Accepts a sign, plain digits or commas between groups of three, and a decimal point. Trailing zeros past
    the scale are harmless; other extra digits are refused, since dropping them would change the claim.

    Raises:
        ValueError: the text is no such number; the message says why, in words for the person who typed it.
    """
    if text.isdigit() and text.isascii() and len(text) <= _PLAIN_DIGITS:
        return int(text) * int(10**scale)  # nearly every amount of a book
    stripped = text.strip()
    found = _NUMBER.fullmatch(stripped)
    if found is None or (found["whole"] is None and not found["part"]):
        raise ValueError(f"{stripped!r} is not a number")
    part = (found["part"] or "").rstrip("0")
    if len(part) > scale:
        raise ValueError(f"{stripped!r} has more than {scale} decimal places")
    whole = (found["whole"] or "0").replace(",", "")
    value = int(whole + part.ljust(scale, "0"))
    return -value if found["sign"] == "-" else value


def show(value: int, scale: int = SCALE, *, places: int = 0, group: bool = False) -> str:
    """Write a scaled integer as decimal text: all its digits, at least ``places`` decimals, no exponent."""
    if scale == SCALE and value >= 0 and not (value % _ONE or places):
        return f"{value // _ONE:,}" if group else str(value // _ONE)  # nearly every amount of a book
    sign = "-" if value < 0 else ""
    whole, part = divmod(abs(value), 10**scale)
    if not (part or places):
        return f"{sign}{whole:,}" if group else f"{sign}{whole}"
    decimals = (str(part).rjust(scale, "0") if scale else "").rstrip("0").ljust(places, "0")
    digits = f"{whole:,}" if group else str(whole)
    return f"{sign}{digits}.{decimals}" if decimals else f"{sign}{digits}"


def grouped(text: str) -> str:
    """Return an amount's decimal text with its thousands grouped; anything else as it is."""
    sign, digits, rest = re.fullmatch(r"(-?)(\d+)(\.\d+)?|.*", text, re.DOTALL).groups()  # type: ignore[union-attr]
    return f"{sign}{int(digits):,}{rest or ''}" if digits else text


def to_decimal(value: int, scale: int = SCALE) -> Decimal:
    """Return a scaled integer as an exact Decimal, for documents."""
    return Decimal(value).scaleb(-scale)


def floor_div(numerator: int, denominator: int) -> int:
    """Divide toward minus infinity: what a claim may produce (product rounds down)."""
    return numerator // denominator


def ceil_div(numerator: int, denominator: int) -> int:
    """Divide toward plus infinity: what a claim must use up (crop used rounds up)."""
    return -(-numerator // denominator)


def half_even(numerator: int, denominator: int) -> int:
    """Divide to the nearest whole number, ties to even: for values printed once, at the end.

    Raises:
        ZeroDivisionError: the denominator is zero.
    """
    if denominator < 0:
        numerator, denominator = -numerator, -denominator
    whole, rest = divmod(numerator, denominator)
    double = 2 * rest
    if double > denominator or (double == denominator and whole % 2):
        return whole + 1
    return whole


@dataclass(frozen=True, slots=True)
class Scaled:
    """How an annotated whole number is written as decimal text: ``1000250`` of scale 3 is ``"1000.25"``."""

    scale: int  # places of the decimal text
    unit: str = ""  # of the amount, for labels; empty where the form decides

    def read(self, raw: object) -> int:
        """Read decimal text, or a number of JSON.

        Raises:
            TypeError: it is neither.
            ValueError: the text is no number of this scale.
        """
        if isinstance(raw, bool) or not isinstance(raw, int | str):
            raise TypeError(f"{raw!r} is not a number")
        return parse(str(raw), self.scale)

    def write(self, value: int) -> str:
        return show(value, self.scale)


Bushels = Annotated[int, Scaled(SCALE, "bu")]
Pounds = Annotated[int, Scaled(SCALE, "lb")]
Gallons = Annotated[int, Scaled(SCALE)]
"""Of fuel; labels say the unit themselves."""
Amount = Annotated[int, Scaled(SCALE)]
"""Bushels of a crop or pounds of a product, as the form says."""
Ci = Annotated[int, Scaled(CI_SCALE, "g CO2e/bu")]
Rate = Annotated[int, Scaled(RATE_SCALE, "lb per bu")]
Serials = tuple[Bushels, Bushels]
"""The first serial of a range and the one after its last."""


def weighted_mean(parts: Iterable[tuple[int, int]]) -> int | None:
    """Return the mean of values by what each weighs, to the nearest whole, ties to even; None where nothing weighs.

    Args:
        parts: each value with its weight.
    """
    weighed = list(parts)
    whole = sum(weight for _, weight in weighed)
    return half_even(sum(value * weight for value, weight in weighed), whole) if whole else None


def show_whole(value: int, scale: int = SCALE) -> str:
    """Write a scaled number in whole units: nobody decides by the digits behind."""
    return f"{half_even(value, 10**scale):,}"


def sum_of_known(amounts: Iterable[int | None]) -> int | None:
    """Return the sum of amounts; None where one of them is not known."""
    found = list(amounts)
    return None if None in found else sum(filter(None, found))


_SIGN: Final = re.compile(
    r"^(?:(?:ticket|tkt)\b[.:]?\s*)?(?:n[or]\.?(?=[\s\d#]))?\s*#?\s*(?=\S)|(?<=\d)\.0*$", re.IGNORECASE
)
_PART: Final = re.compile(r"(\d+)[ \-/]*([A-Za-z])", re.ASCII)
_LONGEST: Final = 300
"""Digits that are read as a number."""


def ticket_key(number: str) -> str:
    """Return what tells a ticket, however it is spelled: ``1001`` for ``01001``, ``Tkt. #1001`` and full-width digits.

    Zeros before a number are lost in spreadsheets, and ``.0`` comes with them: both tell nothing. A part of a ticket is
    ``1001 A`` always.
    """
    if number.isdecimal() and number.isascii():
        return number.lstrip("0") or number
    plain = _SIGN.sub("", unicodedata.normalize("NFKC", number).strip())
    if plain.isdecimal():
        return str(int(plain[:_LONGEST])) + plain[_LONGEST:]
    part = _PART.fullmatch(plain)
    return f"{ticket_key(part[1])} {part[2].upper()}" if part else plain


def ticket_whole(key: str) -> str:
    """Return the key of the ticket that one is a part of, as splits are often written; empty where it is none."""
    whole, _, part = key.rpartition(" ")
    return whole if whole.isdecimal() and len(part) == 1 else ""
