"""Who there is in a season, what they do and where, and when it begins."""

from datetime import date
from typing import Final

FARMS: Final = [f"farm{number}" for number in range(300)]
"""So many that the crops of the years that there are last as long as the season."""
ELEVATORS: Final = [f"elevator{number}" for number in range(5)]
CRUSHERS: Final = [f"crusher{number}" for number in range(4)]
REFINERS: Final = [f"refiner{number}" for number in range(3)]
TRADERS: Final = [f"trader{number}" for number in range(3)]
ABROAD: Final = ["abroad0", "abroad1"]
"""Sellers whose books are elsewhere: they send documents and declare no periods here."""
BEYOND: Final = ["beyond0"]
"""A first point whose book is elsewhere: farms of this book sell to it by slip, and its documents come back."""
LANDOWNERS: Final = ["landowner0", "landowner1"]
TANKS: Final = ["tank0", "tank1"]
"""Parties that store for others."""
SELLERS: Final = [*ELEVATORS, *CRUSHERS, *TRADERS]
BOOKS: Final = [*SELLERS, *REFINERS]
UNPROVEN: Final = ("elevator4", "trader2", "abroad1")
"""No statement covers them at first."""
SITES: Final = {
    **{name: [f"{name}-north", f"{name}-south"] for name in (*ELEVATORS[:3], *CRUSHERS[:1], *REFINERS[:1])},
    **{name: [f"{name}-site"] for name in (*ELEVATORS[3:], *CRUSHERS[1:], *REFINERS[1:], *TRADERS, *TANKS)},
}
RUNS: Final = ("crusher2", "crusher3")
"""Plants that state a provisional yield for a quarter and true it up in the next."""
RATES: Final = {"soybean_oil": 11_070_000, "refined_soybean_oil": 957_131, "ground_corn": 55_333_333}

FIRST_DAY: Final = date(2025, 7, 1)


def quarter_after(start: date) -> date:
    """Return the first day of the quarter after one that begins on the first of a month."""
    month = start.month + 3
    return date(start.year + (month > 12), (month - 1) % 12 + 1, 1)
