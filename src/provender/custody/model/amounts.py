"""Amounts of crop and product, and the two conversions between them (2100.033(a)(2), 2100.034(d)(2)).

Crop is whole thousandths of a bushel, product whole thousandths of a pound, a yield whole millionths of a pound per
bushel (or per pound, for a step that refines a product further). Product rounds down and crop used rounds up, so a
conversion never makes a claim; what rounding leaves over is booked as a loss.
"""

from typing import Final

from provender.frozen import frozen
from provender.plain import When
from provender.quantity import RATE_SCALE, ceil_div, floor_div, show
from provender.rule import Crop

RATE_ONE: Final = 10**RATE_SCALE

SPAN_BITS: Final = 36
SPAN_MAX: Final = 2**SPAN_BITS
"""Serials of one origin, in thousandths of a bushel: 68.7 million bushels, more than any farm grows."""

BUSHEL: Final = "bu"
POUND: Final = "lb"


@frozen
class Form:
    """What a bushel can become.

    Attributes:
        name: the word that events use.
        crop: the crop it comes from.
        unit: ``bu`` or ``lb``.
        made_from: the form it is made from; empty for the crop itself.
        claims: whether it may carry the claim. One output per bushel does; co-products are listed without one.
    """

    name: str
    crop: str
    unit: str
    made_from: tuple[str, ...] = ()
    claims: bool = True


_CORN, _SOY, _SORGHUM = (str(one) for one in (Crop.field_corn, Crop.soybeans, Crop.sorghum))

FORMS: Final = {
    form.name: form
    for form in (
        Form(_CORN, _CORN, BUSHEL),
        Form(_SOY, _SOY, BUSHEL),
        Form(_SORGHUM, _SORGHUM, BUSHEL),
        Form("soybean_oil", _SOY, POUND, (_SOY,)),
        Form("degummed_soybean_oil", _SOY, POUND, (_SOY, "soybean_oil")),
        Form("refined_soybean_oil", _SOY, POUND, (_SOY, "soybean_oil", "degummed_soybean_oil")),
        Form("ground_corn", _CORN, POUND, (_CORN,)),
        Form("corn_starch", _CORN, POUND, (_CORN, "ground_corn")),
        Form("ground_sorghum", _SORGHUM, POUND, (_SORGHUM,)),
        Form("soybean_meal", _SOY, POUND, (_SOY,), claims=False),
        Form("soybean_hulls", _SOY, POUND, (_SOY,), claims=False),
        Form("gums", _SOY, POUND, (_SOY, "soybean_oil"), claims=False),
        Form("distillers_grains", _CORN, POUND, (_CORN, "ground_corn"), claims=False),
        Form("distillers_corn_oil", _CORN, POUND, (_CORN, "ground_corn"), claims=False),
    )
}


_CROPS: Final = ("", *(form.name for form in FORMS.values() if form.unit == BUSHEL))
OF_CROP: Final = When("form", _CROPS)
OF_PRODUCT: Final = When("form", _CROPS, hides=True)
"""A form that is left out is the crop itself."""


def unit_of(form: str) -> str:
    """Return ``bu`` for a crop and ``lb`` for a product."""
    return FORMS[form].unit


def can_be_made_of(form: str, earlier: str) -> bool:
    """Tell whether a form may be made of an earlier one, in one step or several."""
    made_from = FORMS[form].made_from
    return earlier in made_from or any(can_be_made_of(one, earlier) for one in made_from)


def product_of(crop: int, rate: int) -> int:
    """Return the product that an amount of crop supports: thousandths in, thousandths out, rounded down."""
    return floor_div(crop * rate, RATE_ONE)


def crop_for(product: int, rate: int) -> int:
    """Return the crop that an amount of product uses up, rounded up.

    Raises:
        ZeroDivisionError: the yield is zero.
    """
    return ceil_div(product * RATE_ONE, rate)


def rate_of(product: int, crop: int) -> int:
    """Return the yield behind a product whose paper names none, rounded up: its crop supports at least that product."""
    return ceil_div(product * RATE_ONE, crop)


def chained(first: int, second: int) -> int:
    """Return the yield of two steps one after the other, rounded down: more crop per pound, never less."""
    return floor_div(first * second, RATE_ONE)


def show_amount(amount: int, unit: str) -> str:
    """Write an amount with its unit for messages, such as ``1,234.5 bu``."""
    return f"{show(amount, group=True)} {unit}"


def counted(number: int, word: str, many: str = "") -> str:
    """Return a number of things in words, such as ``1 notice`` or ``2 notices``; ``many`` where no s makes it so."""
    return f"{number} {word}" if number == 1 else f"{number} {many or f'{word}s'}"
