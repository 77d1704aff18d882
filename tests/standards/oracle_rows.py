"""What one row of a book says, read plainly, and the days of crops: facts for the oracle."""

import datetime as dt
from fractions import Fraction
from typing import Any, Final

from provender.catalog.fertilizers import find_product, inhibitors
from provender.catalog.names import lookup_name
from provender.catalog.operations import FieldOperation, find_operation

Row = dict[str, Any]
Answer = bool | None

DRIVES_ONLY: Final = ("spraying", "spreading", "harvest", "mowing", "irrigation", "burning", "growth")
WHOLE: Final = 1000


def years_before(day: dt.date, years: int) -> dt.date:
    """Return the same day of an earlier year; 29 February gives 28 February."""
    try:
        return day.replace(year=day.year - years)
    except ValueError:
        return day.replace(year=day.year - years, day=28)


def in_season(day: dt.date, first: tuple[int, int], last: tuple[int, int]) -> bool:
    """Tell whether a day lies between two days of its year."""
    return first <= (day.month, day.day) <= last


def in_fall(day: dt.date) -> bool:
    """Tell whether it is fall by the default window."""
    return in_season(day, (8, 1), (12, 31))


def same_day_of_leap_year(sampled: dt.date, made: dt.date) -> bool:
    """Tell whether a sample of 29 February is two years old on 28 February."""
    return (sampled.month, sampled.day) == (2, 29) and years_before(made, 2) == sampled


def first_day(crop: Row) -> dt.date | None:
    """Return the first day on which a crop ended."""
    day: dt.date | None = crop["first_day"] or crop["last_day"]
    return day


def last_day(crop: Row) -> dt.date | None:
    """Return the last day on which a crop ended."""
    day: dt.date | None = crop["last_day"] or crop["first_day"]
    return day


def listed(row: Row) -> FieldOperation | None:
    """Return the operations list's row of a pass."""
    return find_operation(row["operation"])


def is_gas(row: Row) -> bool:
    """Tell whether a product is anhydrous ammonia."""
    product = find_product(row["product"])
    return product is not None and product.n_pct > 80_000


def has_results(test: Row) -> bool:
    """Tell whether a soil test says how much of a nutrient it found; noughts alone say nothing."""
    return any((test[name] or 0) > 0 for name in ("p_ppm", "k_ppm", "nitrate_n_ppm"))


def group(row: Row) -> str:
    """Return the list's group of a pass; empty where it is not listed."""
    found = listed(row)
    return found.op_group if found else ""


def sows(row: Row) -> bool:
    """Tell whether a pass may have planted or drilled."""
    return group(row) in ("seeding", "planting", "")


def works(row: Row) -> bool:
    """Tell whether a pass worked the ground."""
    return group(row) not in DRIVES_ONLY


def flag(row: Row, name: str) -> Answer:
    """Return a flag of the list, or the farm's own where the operation is not listed; what the farm admits stands."""
    found = listed(row)
    if row[name]:
        return True
    answer: Answer = getattr(found, name) if found else row[name]
    return answer


def rides_along(row: Row) -> bool:
    """Tell whether a product went on with something else."""
    return row["method"] in ("foliar", "with_herbicide")


def pounds_of_n(row: Row) -> int | None:
    """Return thousandths of a pound of N per acre: typed, else from rate and grade."""
    return int(row["n_lb_per_ac"]) if row["n_lb_per_ac"] is not None else pounds_given(row, "n")


def pounds_given(row: Row, nutrient: str) -> int | None:
    """Return what rate and grade give, thousandths of a pound per acre."""
    product = find_product(row["product"])
    if product is None or row["rate"] is None or row["rate_unit"] is None:
        return None
    rate = Fraction(row["rate"], WHOLE)
    gallon = None if product.density_lb_per_gal is None else Fraction(product.density_lb_per_gal, WHOLE)
    size = {"lb/ac": Fraction(1), "ton/ac": Fraction(2000)} | (
        {} if gallon is None else {"gal/ac": gallon, "qt/ac": gallon / 4, "pt/ac": gallon / 8}
    )
    if row["rate_unit"] not in size:
        return None
    exact = rate * size[row["rate_unit"]] * Fraction(getattr(product, f"{nutrient}_pct"), 100 * WHOLE) * WHOLE
    return int(exact + Fraction(1, 2))


def carries_synthetic_n(row: Row) -> Answer:
    """Tell whether a product carries synthetic N; none where zero pounds contradict the product's grade."""
    product = find_product(row["product"])
    synthetic: Answer = product.product_synthetic_n if product else row["synthetic_n"]
    if pounds_of_n(row) != 0:
        return synthetic
    if product is not None and product.n_pct > 0 and row["rate"] != 0:
        return False if synthetic is False else None
    return False


def inhibited(row: Row) -> Answer:
    """Tell whether a nitrification inhibitor went on with the row (interpretation 22)."""
    product = find_product(row["product"])
    inside = product.product_inhibitor if product else None
    written = None if row["inhibitor"] is None else lookup_name(row["inhibitor"])
    if written in ("none", "no", "without"):
        written = None
        if inside is None:
            return False
    known = inhibitors().get(written or inside or "")
    if known is None:
        return None
    beside = known.counts and inside is None
    if beside and not row["inhibitor_rate"]:
        return None
    sizes = {"gal/ac": 128, "qt/ac": 32, "pt/ac": 16, "oz/ac": 1}
    size = sizes.get(row["inhibitor_rate_unit"] or "")
    if beside and (not size or not known.least_oz_per_ac):
        return None
    if (
        size
        and row["inhibitor_rate"]
        and known.least_oz_per_ac
        and row["inhibitor_rate"] * size < known.least_oz_per_ac
    ):
        return None
    return known.counts
