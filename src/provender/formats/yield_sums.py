"""Adding up logged points exactly: weights, bushels and acres by field, load and crop.

How bushels are counted, in whole numbers until the end and rounded once, half even, to thousandths:

- weight of a point, lb = grain flow (lb/s) x logging interval (s);
- wet bushels = weight / pounds in a bushel of the crop (corn 56);
- dry bushels = weight x min(1, (100 - moisture %) / (100 - base moisture %)) / pounds in a bushel: grain drier than the
  base is not written up above its weight;
- logged acres = distance (in) x swath (in) / 144 / 43,560, which is not the field's area: passes overlap and skip.
"""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np
import polars as pl
from shapely import contains_xy, from_geojson, prepare

from provender.exact import half_even
from provender.formats.archive import content_of
from provender.formats.detect import Kind
from provender.formats.points import points_with_headings
from provender.formats.yield_points import points_of_shapefiles, points_of_text
from provender.formats.yields import POUNDS, CropWeight, YieldLoad, YieldLog, crop_of, usual_base
from provender.problem import Problem


def points_in(path: Path, name: str, kind: Kind) -> tuple[pl.DataFrame, list[Problem]]:
    """Return the points of a log, and what is wrong with those that are none."""
    if kind.kind.startswith("points_"):
        return points_with_headings(path, name, kind)
    if kind.kind in ("yield_shapefile", "shapefile"):
        return points_of_shapefiles(path, name)
    return points_of_text(*content_of(path, name, kind.inside))


def outside(points: pl.DataFrame, boundary: str) -> pl.Series:
    """Tell for each point whether it lies outside a GeoJSON area; all inside where none is given."""
    if not boundary:
        return pl.repeat(value=False, n=points.height, eager=True)
    area = from_geojson(boundary)
    prepare(area)
    return pl.Series(~contains_xy(area, points["longitude"].to_numpy(), points["latitude"].to_numpy()))


Key = tuple[str, str, str]
"""Field, load and crop."""


@dataclass(frozen=True, slots=True)
class _Sum:
    """Exact sums: weight in 10^-9 lb, weight times moisture in 10^-15, dry weight in 10^-12 times the base factor."""

    points: int
    weight: int
    moisture: int
    dry: int
    square_inches: int
    first_day: dt.date
    last_day: dt.date
    outside: int
    outside_dry: int


def _wet(weight: int, grain: CropWeight) -> tuple[int, int]:
    return weight * 1000, grain.pounds * 10**9


def _dry(dry: int, grain: CropWeight) -> tuple[int, int]:
    return dry * 1000, grain.pounds * 10**9 * (100_000_000 - grain.base_moisture_pct * 1000)


def _acres(square_inches: int) -> int:
    return half_even(square_inches * 1000, 10**6 * 144 * 43_560)


def _load(key: Key, total: _Sum, grain: CropWeight, trace: tuple[str, ...] = ()) -> YieldLoad:
    return YieldLoad(
        *key,
        points=total.points,
        pounds=half_even(total.weight, 10**6),
        wet_bushels=half_even(*_wet(total.weight, grain)),
        dry_bushels=half_even(*_dry(total.dry, grain)),
        base_moisture_pct=grain.base_moisture_pct,
        moisture_pct=half_even(total.moisture, total.weight * 1000) if total.weight else 0,
        logged_acres=_acres(total.square_inches),
        first_day=total.first_day,
        last_day=total.last_day,
        outside_points=total.outside,
        outside_dry_bushels=half_even(*_dry(total.outside_dry, grain)),
        trace=trace,
    )


def _grain(crop: str, pounds: int, base_moisture_pct: int) -> CropWeight | None:
    grain = CropWeight(pounds or POUNDS.get(crop, 0), base_moisture_pct or usual_base(crop))
    return grain if grain.pounds and grain.base_moisture_pct else None


def total(
    points: pl.DataFrame, *, pounds: int = 0, base_moisture_pct: int = 0
) -> tuple[YieldLog | None, Mapping[str, int]]:
    """Add up points, each of which may lie ``outside`` the boundary; 0 takes the crop's own weight and base.

    Returns the log, None where nothing could be counted, and the number of points by logged grain for which
    neither the caller nor the table here knows pounds and base moisture; those are not counted.
    """
    crops = {logged: crop_of(logged) for logged in points["grain"].unique(maintain_order=True)}
    grains = {crop: _grain(crop, pounds, base_moisture_pct) for crop in dict.fromkeys(crops.values())}
    named = points.with_columns(pl.col("grain").replace_strict(crops, return_dtype=pl.String).alias("crop"))
    unweighed = named.filter(pl.col("crop").is_in([crop for crop, grain in grains.items() if grain is None]))
    unknown = dict(unweighed.group_by("crop", maintain_order=True).len().iter_rows())
    known = {crop: grain for crop, grain in grains.items() if grain is not None}
    counted = named.filter(pl.col("crop").is_in(list(known)))
    if counted.is_empty():
        return None, unknown
    bases = {crop: 100_000_000 - grain.base_moisture_pct * 1000 for crop, grain in known.items()}
    weighed = _weighed(counted, bases)
    loads = _sums(weighed, ["field", "load", "crop"])
    fields = _sums(weighed, ["field", "crop"])
    traces = _traces(weighed)
    pairs = [(each, known[crop]) for (_, _, crop), each in loads.items()]
    log = YieldLog(
        loads=tuple(_load(key, each, known[key[2]]) for key, each in loads.items()),
        fields=tuple(_load(key, each, known[key[2]], traces[key]) for key, each in fields.items()),
        wet_bushels=_sum_bushels([_wet(each.weight, grain) for each, grain in pairs]),
        dry_bushels=_sum_bushels([_dry(each.dry, grain) for each, grain in pairs]),
        logged_acres=_acres(sum(each.square_inches for each, _ in pairs)),
    )
    return log, unknown


def _weighed(points: pl.DataFrame, bases: Mapping[str, int]) -> pl.DataFrame:
    """Add what each point weighs, wet and dry, in whole numbers of 128 bits: sums of any log fit them."""
    whole = pl.col("flow", "interval", "distance", "swath", "moisture").cast(pl.Int128)
    base = pl.col("crop").replace_strict(bases, return_dtype=pl.Int128)
    weight = pl.col("flow") * pl.col("interval")
    kept = pl.min_horizontal(100_000_000 - pl.col("moisture"), base)
    return points.with_columns(whole).with_columns(
        weight=weight,
        wet_points=weight * pl.col("moisture"),
        dry=weight * kept,
        square_inches=pl.col("distance") * pl.col("swath"),
    )


def _sums(points: pl.DataFrame, keys: list[str]) -> dict[Key, _Sum]:
    """Return the sums of each group, in the order in which they begin; without a load its name is empty."""
    found = points.group_by(keys, maintain_order=True).agg(
        pl.len(), *(pl.col(name).sum() for name in ("weight", "wet_points", "dry", "square_inches")),
        pl.col("day").min().alias("first"), pl.col("day").max().alias("last"),
        pl.col("outside").sum(), pl.col("dry").filter("outside").sum().alias("outside_dry"),
    )  # fmt: skip
    cut = len(keys)
    return {(row[0], row[1] if cut > 2 else "", row[cut - 1]): _Sum(*row[cut:]) for row in found.iter_rows()}  # noqa: PLR2004 - with a load


def _traces(points: pl.DataFrame) -> dict[Key, tuple[str, ...]]:
    """Return when and where each field and crop was logged; see ``YieldLoad.trace``."""
    thousandths = {name: np.rint(points[name].to_numpy() * 1000).astype(np.int64) for name in ("longitude", "latitude")}
    places = points.select("field", "crop", pl.col("time") // 60).with_columns(
        pl.Series(name, values) for name, values in thousandths.items()
    )
    found: dict[Key, tuple[str, ...]] = {}
    for (name, crop), mine in places.unique().sort("time", "longitude", "latitude").group_by("field", "crop"):
        said = mine.select(pl.format("{}/{}/{}", "time", "longitude", "latitude")).to_series()
        found[str(name), "", str(crop)] = tuple(said)
    return found


def _sum_bushels(fractions: list[tuple[int, int]]) -> int:
    """Add fractions exactly and round once."""
    whole = sum((Fraction(*each) for each in fractions), Fraction())
    return half_even(whole.numerator, whole.denominator)
