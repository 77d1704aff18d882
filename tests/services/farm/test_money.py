"""What a typed price makes of bushels and CI."""

from decimal import Decimal
from pathlib import Path
from typing import Final

import pytest

from provender.cli.output import NAMES
from provender.intensity.calculator import ARGONNE
from provender.intensity.plan import UnitPlan, unit_plan
from provender.intensity.quantify import quantify
from provender.practices.assess import assess
from provender.problem import ProblemsError
from provender.records.folder import load_book
from provender.rule.crops import Crop, Practice
from provender.services.farm.check import Price, price_of

BLUESTEM: Final = Path(__file__).parents[3] / "examples" / "bluestem-farm"


@pytest.fixture(scope="module")
def planned() -> UnitPlan:
    judged = assess(load_book(BLUESTEM))
    corn = quantify(judged, "BLUESTEM", Crop.field_corn, 2025, ARGONNE)
    return next(unit_plan(judged, corn, unit) for unit in corn.units if unit.unit_id == "E80")


def test_a_premium_is_paid_for_every_bushel_and_points_below_the_default_only() -> None:
    price = Price(Decimal("0.10"), Decimal("0.05"), Decimal(1000))
    assert price.worth(8_000_000, 200_000) == Decimal("1600.00")  # 8,000 bu x (0.10 + 0.05 x 2 points)
    assert price.worth(8_000_000, 199_000) == Decimal("1596.00")
    assert price.worth(8_000_000, -200_000) == Decimal("800.00")
    assert (price.worth(None, 0), price.worth(8_000_000, None)) == (None, None)
    assert Price(Decimal("0.10")).worth(8_000_000, None) == Decimal("800.00")


def test_a_gain_is_against_today_and_nothing_is_earned_without_a_practice(planned: UnitPlan) -> None:
    price, bushels = Price(per_point=Decimal("0.05"), point=Decimal(1000)), planned.unit.bushels
    none = next(option for option in planned.options if not option.combination.practices)
    cover = planned.adding(Practice.cover_crop)
    assert cover is not None
    assert cover.against_national is not None
    assert bushels is not None
    by_hand = Decimal(-cover.against_national) * bushels * Decimal("0.05") / (1000 * 100 * 1000)
    assert price.gain(cover, planned.today, bushels) == by_hand.quantize(Decimal("0.01"))
    assert price.of(none, bushels) == 0
    assert price.gain(planned.today, planned.today, bushels) == 0
    assert planned.adding(Practice.reduced_till) is None  # credited already


@pytest.mark.parametrize("text", ["much", "NaN", "Infinity", "-1", "1e9", "\u0663"])
def test_what_is_no_price_is_refused_by_the_name_of_its_field(text: str) -> None:
    with pytest.raises(ProblemsError, match="no price"):
        price_of(text, "")
    with pytest.raises(ProblemsError) as refused:
        price_of("", "1", text)
    assert "--" not in str(refused.value), "who asks at another door types no option"
    with pytest.raises(ProblemsError, match="--point"):
        price_of("", "1", text, names=NAMES)


def test_a_point_of_no_grams_is_refused_and_without_a_price_there_is_none() -> None:
    with pytest.raises(ProblemsError, match="grams in a point"):
        price_of("", "1", "0")
    assert price_of("", "") is None
