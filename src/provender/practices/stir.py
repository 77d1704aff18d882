"""STIR of one pass, exactly: whole ten-thousandths, rounded once per pass.

STIR of a tool = 0.5 x mph x 3.25 x tillage type x depth (in) x surface share (2100.002; NRCS fact sheet, RUSLE2,
WEPS). Tools
of one implement add up at the implement's speed. Where the list prints one value for several tools, that value counts,
scaled by the recorded speed. The scalar function is the plain reading; the expressions do the same over columns and a
property test holds them together.
"""

from dataclasses import dataclass
from typing import Final

import polars as pl

from provender.catalog.operations import TYPE_HUNDREDTHS, FieldOperation
from provender.practices import verdict as v
from provender.quantity import half_even

# 0.5 x 3.25 = 13/8. Scales: mph, inches and tools in thousandths, percent in thousandths of 1/100, type in hundredths;
# the result in ten-thousandths.
NUMERATOR: Final = 13
DENOMINATOR: Final = 8_000_000_000


@dataclass(frozen=True, slots=True)
class PassStir:
    """STIR of one pass with its working.

    Attributes:
        value: whole ten-thousandths, or None when it cannot be computed.
        how: ``tools``, ``formula``, ``published``, ``published, scaled by speed`` or ``unknown``.
        speed_mph, depth_in, surface_pct: the thousandths that were used, None where the published value needs none.
    """

    value: int | None
    how: str
    speed_mph: int | None = None
    depth_in: int | None = None
    surface_pct: int | None = None


def of_tool(speed_mph: int, type_hundredths: int, depth_in: int, surface_pct: int) -> int:
    """Return the STIR of one tool in whole ten-thousandths, half even; all amounts in thousandths."""
    return half_even(NUMERATOR * speed_mph * type_hundredths * depth_in * surface_pct, DENOMINATOR)


def of_tools(speed_mph: int, tools: tuple[tuple[str, int, int], ...]) -> int:
    """Return the STIR of an implement from its tools (tillage type, depth, surface), rounded once."""
    exact = sum(TYPE_HUNDREDTHS[kind] * depth * surface for kind, depth, surface in tools if kind in TYPE_HUNDREDTHS)
    return half_even(NUMERATOR * speed_mph * exact, DENOMINATOR)


def of_pass(
    listed: FieldOperation | None,
    *,
    speed_mph: int | None = None,
    depth_in: int | None = None,
    surface_pct: int | None = None,
) -> PassStir:
    """Return the STIR of a pass of a listed operation, with recorded values in place of the list's where there are any.

    A recorded depth of zero means not recorded (READINGS 10). An operation that is not listed is unknown.
    """
    if listed is None:
        return PassStir(None, "unknown")
    if not listed.several_tools and listed.type_hundredths is not None:
        speed = listed.speed_mph if speed_mph is None else speed_mph
        depth = depth_in or listed.depth_in
        surface = listed.surface_pct if surface_pct is None else surface_pct
        if speed is not None and depth is not None and surface is not None:
            return PassStir(of_tool(speed, listed.type_hundredths, depth, surface), "formula", speed, depth, surface)
    if listed.published_stir is None:
        return PassStir(None, "unknown")
    if speed_mph is None or not listed.speed_mph:
        return PassStir(listed.published_stir, "published")
    scaled = half_even(listed.published_stir * speed_mph, listed.speed_mph)
    return PassStir(scaled, "published, scaled by speed", speed_mph)


def tools_factor(tools: pl.DataFrame) -> pl.DataFrame:
    """Return per operation the exact sum of type, depth and surface over its recorded tools; null if one is unknown.

    Args:
        tools: ``operation_tool`` records.
    """
    kind = pl.col("tillage_type").cast(pl.String).replace_strict({**TYPE_HUNDREDTHS, "none": 0}, return_dtype=pl.Int64)
    exact = v.total(kind * pl.col("depth_in") * pl.col("surface_pct"))
    return tools.group_by("farm_id", "operation_id").agg(
        pl.when(exact.unknown == 0).then(exact.known).alias("tools_factor"), pl.lit(True).alias("has_tools")
    )


def recorded_stir() -> pl.Expr:
    """Return the STIR of each pass by recorded speed, depth and surface, the list's where none is recorded.

    Needs the columns of ``load_operations.operations``; null where it cannot be computed.
    """
    speed = pl.coalesce("speed_mph", "speed_mph_listed")
    exact = (
        pl.col("type_hundredths")
        * pl.coalesce("depth_in", "depth_in_listed")
        * pl.coalesce("surface_pct", "surface_pct_listed")
    )
    single = pl.when(~pl.col("several_tools")).then(half_even_expr(NUMERATOR * speed * exact, DENOMINATOR))
    scaled = half_even_expr(pl.col("published_stir") * pl.col("speed_mph"), pl.col("speed_mph_listed"))
    tools = half_even_expr(NUMERATOR * speed * pl.col("tools_factor"), DENOMINATOR)
    listed = pl.coalesce(single, scaled, pl.col("published_stir"))
    return pl.when(pl.col("has_tools").fill_null(False)).then(tools).otherwise(listed)


def published_stir() -> pl.Expr:
    """Return the STIR of each pass by the list's own values alone; null where the list has none."""
    exact = pl.col("type_hundredths") * pl.col("depth_in_listed") * pl.col("surface_pct_listed")
    single = pl.when(~pl.col("several_tools")).then(
        half_even_expr(NUMERATOR * pl.col("speed_mph_listed") * exact, DENOMINATOR)
    )
    return pl.coalesce(single, pl.col("published_stir"))


def half_even_expr(numerator: pl.Expr, denominator: int | pl.Expr) -> pl.Expr:
    """Divide whole columns to the nearest whole number, ties to even; null where the denominator is 0 or null."""
    below = denominator if isinstance(denominator, pl.Expr) else pl.lit(denominator, pl.Int64)
    below = pl.when(below > 0).then(below)
    whole = numerator // below
    double = 2 * (numerator - whole * below)
    up = (double > below) | ((double == below) & (whole % 2 == 1))
    return whole + up.cast(pl.Int64)
