"""What a yield monitor logged by field and crop, and how crops are weighed; ``point_totals`` reads it."""

import datetime as dt
import re
from dataclasses import dataclass
from typing import Final

from provender.rule.law import parameters

# Bushel weights as commerce uses them; moistures are parameters of the rule version.
POUNDS: Final = {"corn": 56, "soybeans": 60, "sorghum": 56}
_CROPS: Final = {
    **dict.fromkeys(("corn", "maize"), "corn"),
    **dict.fromkeys(("soybean", "soybeans", "soya", "beans"), "soybeans"),
    **dict.fromkeys(("sorghum", "milo", "grain sorghum"), "sorghum"),
}


def usual_base(crop: str) -> int:
    """Return the moisture at which the rule version counts bushels of a crop, thousandths of a percent; 0 unknown."""
    found = parameters().by_name.get(f"{crop}_moisture_pct")
    value = found.history[-1].value if found else 0
    return value if isinstance(value, int) else 0


@dataclass(frozen=True, slots=True)
class FieldYield:
    """What a monitor logged for one field and crop; amounts in thousandths."""

    field: str  # as logged, such as ``F0:BASSWOODD``
    crop: str  # ``corn``, ``soybeans``, ``sorghum``, or the logged name where it is none of these
    points: int  # rows counted
    wet_bushels: int  # at the moisture it had
    dry_bushels: int  # at the base moisture
    base_moisture_pct: int  # that base
    moisture_pct: int  # mean, weighted by weight
    logged_acres: int  # distance times swath
    first_day: dt.date  # by GPS time and the sun (longitude / 15 hours), which is the farm's day except near midnight
    last_day: dt.date  # likewise
    outside_points: int  # points outside the boundary that was given
    outside_dry_bushels: int  # their dry bushels
    # when and where it was logged: minutes with the place to a thousandth of a degree, each once
    trace: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class YieldLog:
    """What one file holds."""

    fields: tuple[FieldYield, ...]  # in the order in which they begin, each added exactly and rounded once


def crop_of(logged: str) -> str:
    """Return the rule's word for a logged grain name, or the name itself in lower case."""
    plain = re.sub(r"[^a-z ]", "", logged.lower()).strip()
    return _CROPS.get(plain, plain)
