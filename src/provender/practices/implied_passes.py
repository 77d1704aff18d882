"""Passes that other records prove: a planting, a drilled cover, an injection without a field operation near its day.

A list of operations that other records contradict is not the list of all of them (2100.051(c)(2), interpretation 2).
"""

from typing import Final, TypeAlias

import polars as pl

from provender.catalog.fertilizers import GAS_N_PCT
from provender.catalog.names import at_once
from provender.practices.intervals import position

_SOWS: Final = ("seeding", "planting")
_SPREADS: Final = ("spreading", "spraying")
_TILLS: Final = (
    "aeration", "bedding", "chisel", "disking", "field_cultivation", "harrowing", "plowing", "rotary_hoe",
    "rotary_tillage", "row_cultivation", "seedbed_finishing", "strip_tillage", "subsoiling", "undercutting",
    "vertical_tillage",
)  # fmt: skip
_INJECTS: Final = (
    *_SOWS, "injection", "strip_tillage", "row_cultivation", "field_cultivation", "chisel", "subsoiling",
    "undercutting", "plowing", "aeration",
)  # fmt: skip
_GAS: Final = "gas"
_Ways: TypeAlias = tuple[tuple[tuple[str, ...], bool, tuple[str, ...]], ...]
_APPLIED: Final[_Ways] = (
    (_SPREADS, False, ("broadcast", "topdress", "broadcast_incorporated")),
    (_TILLS, False, ("broadcast_incorporated",)),
    (_INJECTS, False, ("injected", _GAS)),
    (_SOWS, True, ("starter_band", "in_furrow")),
    ((*_INJECTS, *_SPREADS), False, ("banded", "sidedress", "other")),
    (("spraying",), False, ("foliar", "with_herbicide")),
)
_SEEDED: Final[_Ways] = (
    (_SOWS, True, ("drilled", "precision")),
    ((*_SOWS, *_SPREADS), False, ("broadcast",)),
    ((*_SOWS, *_SPREADS, "row_cultivation"), False, ("interseeded",)),
    ((*_SOWS, *_TILLS, "rolling", "residue"), True, ("broadcast_incorporated",)),
    (_SOWS, False, ("other",)),
)
_ENDED: Final[_Ways] = (
    (("spraying",), False, ("herbicide",)),
    (("rolling",), False, ("roller_crimper",)),
    (("mowing", "residue", "hay"), False, ("mowing",)),
    ((*_TILLS, *_SOWS), True, ("tillage",)),
    (("hay", "harvest", "mowing", "residue"), False, ("mechanical_harvest",)),
    (("grazing",), False, ("grazing",)),
    (("burning",), False, ("burning",)),
)
"""Groups that can have done it, whether only by tools that reach into the soil, and the methods that ask for it."""
DRIVEN_OVER: Final = 1_500
"""STIR of a pass that only drives over the ground, ten-thousandths."""
FAR: Final = 10_000
"""Days to the next pass where there is none."""

PLANTING: Final = "planting"
SCHEMA: Final = {
    "interval_key": pl.UInt32, "unit_key": pl.UInt32, "day": pl.Date, "kind": pl.String, "key": pl.String,
    "days_off": pl.Int64, "source_file": pl.String, "source_row": pl.Int64,
}  # fmt: skip

_WHERE: Final = position(pl.col("unit_key"), pl.col("day")).alias("at")


def implied_passes(
    operations: pl.DataFrame, applications: pl.DataFrame, covers: pl.DataFrame, plantings: pl.DataFrame
) -> pl.DataFrame:
    """Return every record of something that takes a pass, with the days to the nearest pass that may be it.

    A cover crop without a method may have been drilled; a gas goes into the ground whether or not its row says so.

    Returns:
        ``interval_key`` of the crop, ``kind`` and ``key`` of the record, and ``days_off``:
        ``FAR`` where the unit has no such pass or the record names no day, so that nobody can tell which pass it was.
    """
    method, ended = pl.col("method").cast(pl.String).fill_null("other"), pl.col("termination_method").cast(pl.String)
    applied = pl.when((pl.col("n_pct") > GAS_N_PCT) & (method != "fertigation")).then(pl.lit(_GAS)).otherwise(method)
    asked: list[tuple[pl.DataFrame, str, str, str, tuple[str, ...], bool, pl.Expr]] = [
        (plantings, PLANTING, "planting_id", "planted_on", _SOWS, False, pl.lit(value=True))
    ]
    for table, records, kind, key, day, how in (
        (_SEEDED, covers, "cover_crop", "cover_id", "seeded_on", method),
        (_ENDED, covers, "cover_crop", "cover_id", "terminated_on", ended),
        (_APPLIED, applications, "nutrient_application", "application_id", "day", applied),
    ):
        asked += [(records, kind, key, day, groups, deep, how.is_in(methods)) for groups, deep, methods in table]
    dated = operations.lazy().select("unit_key", "day", "op_group", "stir_published").filter(
        pl.col("day").is_not_null()
    )  # fmt: skip
    parts = []
    for records, kind, key, day, groups, deep, when in asked:
        if records.is_empty():
            continue
        # A planting without a day is said where the crop's borders are judged.
        stands = pl.col(day).is_not_null() if kind == PLANTING else pl.lit(value=True)
        such = when.fill_null(False) & stands & pl.col("interval_key").is_not_null()
        found = records.lazy().filter(such).select(
            "interval_key", "unit_key", pl.col(day).alias("day"), pl.lit(kind).alias("kind"),
            pl.col(key).alias("key"), "source_file", "source_row",
        )  # fmt: skip
        wanted = at_once(found)
        in_soil = pl.lit(not deep) | (pl.col("stir_published") > DRIVEN_OVER)
        fits = pl.col("op_group").is_null() | (pl.col("op_group").is_in(groups) & in_soil)
        if wanted.height:
            parts.append(_nearest(wanted, at_once(dated.filter(fits).select(_WHERE))["at"]))
    if not parts:
        return pl.DataFrame(schema=SCHEMA)
    return pl.concat(parts).select(pl.col(name).cast(of) for name, of in SCHEMA.items())


def _nearest(wanted: pl.DataFrame, passes: pl.Series) -> pl.DataFrame:
    """Add ``days_off``: to the pass nearest in time on the same unit; ``FAR`` where the day is not known.

    Passes are given by their ``position``.
    """
    if passes.is_empty():
        return wanted.with_columns(pl.lit(FAR, pl.Int64).alias("days_off"))
    of_pass, at = passes.sort(), wanted.select(_WHERE)["at"]
    after = of_pass.search_sorted(at, side="left")
    # Another unit lies further off than any day.
    to_last = (at - of_pass.gather((after.cast(pl.Int64) - 1).clip(0))).abs()
    to_next = (of_pass.gather(after.clip(0, of_pass.len() - 1)) - at).abs()
    nearest = to_last.zip_with(to_last < to_next, to_next)
    return wanted.with_columns(nearest.clip(0, FAR).cast(pl.Int64).fill_null(FAR).alias("days_off"))


def implied_facts(implied: pl.DataFrame, days: int) -> pl.DataFrame:
    """Count per interval what lacks its pass, and plantings that have one, listed or not."""
    missing, planting = pl.col("days_off") > days, pl.col("kind") == PLANTING
    return implied.group_by("interval_key").agg(
        _count(missing & planting, "plantings_without_pass"),
        _count(missing & ~planting, "pieces_without_pass"),
        _count(~missing & planting, "passes_of_plantings"),
    )


def _count(rows: pl.Expr, name: str) -> pl.Expr:
    return pl.col("kind").filter(rows).len().cast(pl.Int32).alias(name)
