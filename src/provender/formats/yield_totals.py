"""What a yield log holds: weights, bushels and acres by field, load and crop; ``yield_sums`` adds them up."""

import datetime as dt
import re
from dataclasses import dataclass
from typing import Final

from provender.rule import parameters


@dataclass(frozen=True, slots=True)
class CropWeight:
    """How a crop is weighed: pounds in a bushel, and base moisture in thousandths of a percent."""

    pounds: int
    base_moisture_pct: int


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
class YieldLoad:
    """What a monitor logged for one field, load and crop; amounts in thousandths.

    Attributes:
        field, load: names as logged, such as ``F0:BASSWOODD``.
        crop: ``corn``, ``soybeans``, ``sorghum``, or the logged name where it is none of these.
        points: rows counted.
        pounds: wet weight.
        wet_bushels: at the moisture it had.
        dry_bushels: at the base moisture.
        base_moisture_pct: that base.
        moisture_pct: mean, weighted by weight.
        logged_acres: distance times swath.
        first_day: by GPS time and the sun (longitude / 15 hours), which is the farm's day except near midnight.
        last_day: likewise.
        trace: when and where it was logged: minutes with the place to a thousandth of a degree, each once.
        outside_points: points outside the boundary that was given.
        outside_dry_bushels: their dry bushels.
    """

    field: str
    load: str
    crop: str
    points: int
    pounds: int
    wet_bushels: int
    dry_bushels: int
    base_moisture_pct: int
    moisture_pct: int
    logged_acres: int
    first_day: dt.date
    last_day: dt.date
    outside_points: int
    outside_dry_bushels: int
    trace: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class YieldLog:
    """What one file holds.

    Attributes:
        loads: in the order in which they begin.
        fields: the same by field and crop (``load`` is empty), each added exactly and rounded once.
        wet_bushels: of the whole file, thousandths.
        dry_bushels: likewise.
        logged_acres: likewise.
    """

    loads: tuple[YieldLoad, ...]
    fields: tuple[YieldLoad, ...]
    wet_bushels: int
    dry_bushels: int
    logged_acres: int


def crop_of(logged: str) -> str:
    """Return the rule's word for a logged grain name, or the name itself in lower case."""
    plain = re.sub(r"[^a-z ]", "", logged.lower()).strip()
    return _CROPS.get(plain, plain)
