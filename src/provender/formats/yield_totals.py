"""Adding up logged points exactly: weights, bushels and acres by field, load and crop.

How bushels are counted, in whole numbers until the end and rounded once, half even, to thousandths:

- weight of a point, lb = grain flow (lb/s) x logging interval (s);
- wet bushels = weight / pounds in a bushel of the crop (corn 56);
- dry bushels = weight x min(1, (100 - moisture %) / (100 - base moisture %)) / pounds in a bushel: grain drier than the
  base is not written up above its weight;
- logged acres = distance (in) x swath (in) / 144 / 43,560, which is not the field's area: passes overlap and skip.
"""

import datetime as dt
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from provender.formats.yield_points import Point
from provender.quantity import half_even
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


@dataclass(slots=True)
class _Sum:
    """Exact sums: weight in 10^-9 lb, weight times moisture in 10^-15, dry weight in 10^-12 times the base factor."""

    points: int = 0
    weight: int = 0
    moisture: int = 0
    dry: int = 0
    square_inches: int = 0
    outside: int = 0
    outside_dry: int = 0
    days: set[dt.date] = field(default_factory=set)
    trace: set[tuple[int, int, int]] = field(default_factory=set)

    def add(self, point: Point, grain: CropWeight, *, outside: bool) -> None:
        """Count one point."""
        weight = point.flow * point.interval
        kept = min(100_000_000 - point.moisture, 100_000_000 - grain.base_moisture_pct * 1000)
        self.points += 1
        self.weight += weight
        self.moisture += weight * point.moisture
        self.dry += weight * kept
        self.square_inches += point.distance * point.swath
        self.days.add(point.day)
        self.trace.add((point.time // 60, round(point.longitude * 1000), round(point.latitude * 1000)))
        if outside:
            self.outside += 1
            self.outside_dry += weight * kept

    def join(self, other: "_Sum") -> None:
        """Count what another sum of the same crop has counted."""
        self.points += other.points
        self.weight += other.weight
        self.moisture += other.moisture
        self.dry += other.dry
        self.square_inches += other.square_inches
        self.outside += other.outside
        self.outside_dry += other.outside_dry
        self.days |= other.days
        self.trace |= other.trace


def _wet(weight: int, grain: CropWeight) -> tuple[int, int]:
    return weight * 1000, grain.pounds * 10**9


def _dry(dry: int, grain: CropWeight) -> tuple[int, int]:
    return dry * 1000, grain.pounds * 10**9 * (100_000_000 - grain.base_moisture_pct * 1000)


def _acres(square_inches: int) -> int:
    return half_even(square_inches * 1000, 10**6 * 144 * 43_560)


def _load(key: tuple[str, str, str], total: _Sum, grain: CropWeight) -> YieldLoad:
    return YieldLoad(
        *key,
        points=total.points,
        pounds=half_even(total.weight, 10**6),
        wet_bushels=half_even(*_wet(total.weight, grain)),
        dry_bushels=half_even(*_dry(total.dry, grain)),
        base_moisture_pct=grain.base_moisture_pct,
        moisture_pct=half_even(total.moisture, total.weight * 1000) if total.weight else 0,
        logged_acres=_acres(total.square_inches),
        first_day=min(total.days),
        last_day=max(total.days),
        outside_points=total.outside,
        outside_dry_bushels=half_even(*_dry(total.outside_dry, grain)),
        trace=() if key[1] else tuple(f"{minute}/{east}/{north}" for minute, east, north in sorted(total.trace)),
    )


def crop_of(logged: str) -> str:
    """Return the rule's word for a logged grain name, or the name itself in lower case."""
    plain = re.sub(r"[^a-z ]", "", logged.lower()).strip()
    return _CROPS.get(plain, plain)


def _grain(crop: str, pounds: int, base_moisture_pct: int) -> CropWeight | None:
    grain = CropWeight(pounds or POUNDS.get(crop, 0), base_moisture_pct or usual_base(crop))
    return grain if grain.pounds and grain.base_moisture_pct else None


Key = tuple[str, str, str]


def total(
    points: Iterable[tuple[Point, bool]], *, pounds: int = 0, base_moisture_pct: int = 0
) -> tuple[YieldLog | None, Mapping[str, int]]:
    """Add up points, each with whether it lies outside the boundary.

    Returns the log, None where nothing could be counted, and the number of points by logged grain for which
    neither the caller nor the table here knows pounds and base moisture; those are not counted.
    """
    sums: dict[Key, _Sum] = {}
    grains: dict[str, CropWeight] = {}
    unknown: dict[str, int] = {}
    for point, outside in points:
        crop = crop_of(point.grain)
        grain = grains.get(crop) or _grain(crop, pounds, base_moisture_pct)
        if grain is None:
            unknown[crop] = unknown.get(crop, 0) + 1
            continue
        grains[crop] = grain
        sums.setdefault((point.field, point.load, crop), _Sum()).add(point, grain, outside=outside)
    if not sums:
        return None, unknown
    by_field: dict[Key, _Sum] = {}
    for (name, _, crop), each in sums.items():
        by_field.setdefault((name, "", crop), _Sum()).join(each)
    pairs = [(each, grains[crop]) for (_, _, crop), each in sums.items()]
    log = YieldLog(
        loads=tuple(_load(key, each, grains[key[2]]) for key, each in sums.items()),
        fields=tuple(_load(key, each, grains[key[2]]) for key, each in by_field.items()),
        wet_bushels=_sum_bushels([_wet(each.weight, grain) for each, grain in pairs]),
        dry_bushels=_sum_bushels([_dry(each.dry, grain) for each, grain in pairs]),
        logged_acres=_acres(sum(each.square_inches for each, _ in pairs)),
    )
    return log, unknown


def _sum_bushels(fractions: list[tuple[int, int]]) -> int:
    """Add fractions exactly and round once."""
    numerator, denominator = 0, 1
    for top, bottom in fractions:
        numerator, denominator = (
            (numerator + top, denominator)
            if bottom == denominator
            else (numerator * bottom + top * denominator, denominator * bottom)
        )
    return half_even(numerator, denominator)
