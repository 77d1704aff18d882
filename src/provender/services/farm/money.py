"""What a user's own price makes of bushels and CI: an assumption that is shown as one and kept nowhere."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Final

from provender.intensity.distinct import UnitPlan
from provender.intensity.plan import Option
from provender.problem import refuse
from provender.quantity import CI_SCALE, SCALE

ASSUMED: Final = "your own assumption"
CENTS: Final = Decimal("0.01")
FIELDS: Final = ("premium per bushel", "price per point", "grams in a point")
MOST: Final = Decimal(1_000_000)
"""Dollars, or grams of a point, beyond which something else was typed."""


@dataclass(frozen=True, slots=True)
class Price:
    """What somebody reckons to be paid.

    Attributes:
        per_bushel: dollars for each bushel of a crop with a practice.
        per_point: dollars for each bushel and each point of CI below the national default.
        point: g CO2e/bu in a point; the rule's unit is one gram.
    """

    per_bushel: Decimal = Decimal(0)
    per_point: Decimal = Decimal(0)
    point: Decimal = Decimal(1)

    def worth(self, bushels: int | None, below: int | None) -> Decimal | None:
        """Return dollars and cents for bushels (thousandths) at a CI so far (hundredths) below the national default.

        None where the bushels are not known, or where points are paid for and the CI is not.
        """
        if bushels is None or (below is None and self.per_point):
            return None
        points = max(0, below or 0) / (self.point * 10**CI_SCALE)
        return (Decimal(bushels) / 10**SCALE * (self.per_bushel + self.per_point * points)).quantize(CENTS)

    def of(self, option: Option, bushels: int | None) -> Decimal | None:
        """Return what a unit's bushels would earn under an option: nothing without a practice."""
        if not option.combination.practices:
            return None if bushels is None else Decimal(0).quantize(CENTS)
        return self.worth(bushels, None if option.against_national is None else -option.against_national)

    def gain(self, option: Option, today: Option, bushels: int | None) -> Decimal | None:
        """Return dollars of an option beyond those of today's practices; None where one of them is not known."""
        then, now = self.of(option, bushels), self.of(today, bushels)
        return None if then is None or now is None else then - now

    def __str__(self) -> str:
        """Say what was typed."""
        said = [f"${self.per_bushel:f} a bushel"] if self.per_bushel else []
        if self.per_point:
            said.append(
                f"${self.per_point:f} a bushel and point of {self.point:f} g CO2e/bu below the national default"
            )
        return f"At {' and '.join(said)}: {ASSUMED}."


def sums_of(found: Sequence[tuple[UnitPlan, Option]], price: Price) -> tuple[int | None, Decimal | None]:
    """Return whole kilograms CO2e and dollars of options against today's practices, over several units.

    None where one unit does not know its part.
    """
    grams = [one.grams(option) for one, option in found]
    gains = [price.gain(option, one.today, one.unit.bushels) for one, option in found]
    known = [each for each in grams if each is not None]
    paid = [each for each in gains if each is not None]
    kilograms = int(sum(known) / Decimal(1000)) if len(known) == len(grams) else None
    return kilograms, sum(paid, Decimal(0)) if len(paid) == len(gains) else None


def price_of(
    per_bushel: str, per_point: str, point: str = "1", *, names: tuple[str, str, str] = FIELDS
) -> Price | None:
    """Read what a user typed; None where no price was.

    Args:
        per_bushel: dollars a bushel; blank for none.
        per_point: dollars a bushel and point of CI; blank for none.
        point: g CO2e/bu in a point.
        names: what the three are called where they were typed.

    Raises:
        ProblemsError: one of them is no price.
    """
    if not per_bushel and not per_point:
        return None
    return Price(
        _number(names[0], per_bushel or "0"),
        _number(names[1], per_point or "0"),
        _number(names[2], point, "grams", least=Decimal("0.000001")),
    )


def _number(name: str, text: str, unit: str = "dollars", least: Decimal = Decimal(0)) -> Decimal:
    try:
        value = Decimal(text.removeprefix("$")) if text.isascii() else Decimal("NaN")
    except InvalidOperation:
        value = Decimal("NaN")
    if not value.is_finite() or not least <= value <= MOST:
        raise refuse(name, f"{text!r} is no price.", f"Type a number of {unit} such as 0.35.")
    return value
