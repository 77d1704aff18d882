"""STIR of one pass, exactly: whole ten-thousandths, rounded once per pass.

STIR of a tool = 0.5 x mph x 3.25 x tillage type x depth (in) x surface share (2100.002; NRCS RUSLE2, WEPS). Tools of
one implement add up at the implement's speed. Where the list prints one value for several tools, that value counts: the
part of its deepest gang moves with the recorded depth, which is that gang's, the other gangs keep theirs, and all of
them go at the recorded speed. The scalar functions are the plain reading; the expressions do the same over columns, and
a property test holds them together. A recorded zero means *not recorded* (interpretation 10): no pass has speed or
depth zero.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import polars as pl

from provender.catalog.operations import STIR_DENOMINATOR as DENOMINATOR
from provender.catalog.operations import STIR_NUMERATOR as NUMERATOR
from provender.catalog.operations import TYPE_HUNDREDTHS, FieldOperation, stir_of_tool
from provender.exact import half_even
from provender.practices import verdict as v

MOST_SPEED_MPH: Final = 40_000
MOST_DEPTH_IN: Final = 60_000
MOST_SURFACE_PCT: Final = 100_000
"""Bounds of the records: within them twenty tools of one implement stay below 2**63 in the columns."""

NO_DISTURBANCE: Final = {**TYPE_HUNDREDTHS, "none": 0}
PRESSING: Final = ("compression", "none")
"""What loosens, lifts and mixes nothing, on however much of the surface."""


@dataclass(frozen=True, slots=True)
class Tool:
    """One soil-disturbing tool of an implement: type, depth and surface share, thousandths; None is unknown."""

    tillage_type: str
    depth_in: int | None
    surface_pct: int | None


@dataclass(frozen=True, slots=True)
class PassStir:
    """STIR of one pass with its working."""

    value: int | None  # whole ten-thousandths, or None when it cannot be computed
    how: str  # ``tools``, ``formula``, ``published``, ``published, scaled by speed`` or ``unknown``
    speed_mph: int | None = None  # the thousandths that were used, None where the value does not rest on them
    depth_in: int | None = None  # the thousandths that were used, None where the value does not rest on them
    surface_pct: int | None = None  # the thousandths that were used, None where the value does not rest on them
    # the published value at the recorded depth and the list's own speed, whole ten-thousandths; None where the value
    # does not rest on it
    published: int | None = None


def of_tools(speed_mph: int | None, tools: Iterable[Tool]) -> int | None:
    """Return the STIR of an implement from its tools at its speed, rounded once; None if anything is unknown."""
    exact = 0
    for tool in tools:
        if not tool.depth_in or not tool.surface_pct:
            return None
        exact += NO_DISTURBANCE[tool.tillage_type] * tool.depth_in * tool.surface_pct
    return half_even(NUMERATOR * speed_mph * exact, DENOMINATOR) if speed_mph else None


def of_pass(
    listed: FieldOperation | None,
    *,
    speed_mph: int | None = None,
    depth_in: int | None = None,
    surface_pct: int | None = None,
    tools: tuple[Tool, ...] = (),
) -> PassStir:
    """Return the STIR of a pass, recorded values in place of the list's where there are any.

    Recorded tools decide when there are any, and leave the value unknown when one of them is incomplete. An operation
    that is not listed and has no tools is unknown.
    """
    speed = speed_mph or (listed.speed_mph if listed else None)
    if tools:
        value = of_tools(speed, tools)
        return PassStir(value, "unknown" if value is None else "tools", speed)
    if listed is None:
        return PassStir(None, "unknown")
    if listed.type_hundredths is not None and not listed.several_tools:
        depth, surface = depth_in or listed.depth_in, surface_pct or listed.surface_pct
        if speed is not None and depth is not None and surface is not None:
            value = stir_of_tool(speed, listed.type_hundredths, depth, surface)
            return PassStir(value, "formula", speed, depth, surface)
    at_depth = published_at(listed, depth_in)
    used = depth_in if at_depth != listed.published_stir else None
    if not speed_mph or not listed.speed_mph:
        return PassStir(at_depth, "published", listed.speed_mph, used, published=at_depth)
    scaled = half_even(at_depth * speed_mph, listed.speed_mph)
    return PassStir(scaled, "published, scaled by speed", speed_mph, used, published=at_depth)


def published_at(listed: FieldOperation, depth_in: int | None) -> int:
    """Return the published STIR of several tools with the deepest gang at a depth (thousandths), half even.

    A coulter chisel is published as 52.65 with the chisel, whose part is 45.5, at 7 in: at 14 in it has 98.15.
    """
    if not depth_in or not listed.gang_stir or not listed.depth_in:
        return listed.published_stir
    moved = listed.published_stir * listed.depth_in + listed.gang_stir * (depth_in - listed.depth_in)
    return half_even(moved, listed.depth_in)


def of_list(listed: FieldOperation | None) -> PassStir:
    """Return the STIR of an operation by the list's own values alone (interpretation 10).

    One tool: the formula at the recommended values, which the list prints rounded to three decimals.
    """
    return of_pass(listed)


def tools_factor(tools: pl.DataFrame) -> pl.DataFrame:
    """Return per operation the exact sum of type, depth and surface over its recorded tools; null if one is unknown.

    ``works_whole_surface`` tells of a tool that works all of the surface and does not only press it.

    Args:
        tools: ``operation_tool`` records.
    """
    kind = pl.col("tillage_type").cast(pl.String).replace_strict(NO_DISTURBANCE, default=None, return_dtype=pl.Int64)
    exact = v.total(kind * _recorded("depth_in") * _recorded("surface_pct"))
    whole = (pl.col("surface_pct") >= MOST_SURFACE_PCT) & ~pl.col("tillage_type").cast(pl.String).is_in(PRESSING)
    return tools.group_by("farm_id", "operation_id").agg(
        pl.when(exact.unknown == 0).then(exact.known).alias("tools_factor"),
        pl.lit(True).alias("has_tools"),
        (v.count_true(whole) > 0).alias("works_whole_surface"),
    )


_HELD: Final = ("_speed", "_exact", "_moved", "_at_depth", "_above", "_below")


def with_recorded_stir(passes: pl.LazyFrame) -> pl.LazyFrame:
    """Add ``stir_recorded``: STIR of each pass by recorded speed, depth and surface, the list's where none is recorded.

    Needs the columns of ``load_operations.operations``; null where it cannot be computed. Step by step: each division
    names what it divides five times, and a sum written into another would be planned anew in every one of them.
    """
    recorded, ref = _recorded("speed_mph"), pl.col("depth_in_listed")
    depth = _recorded("depth_in")
    has_tools, exact = pl.col("has_tools").fill_null(False), pl.col("_exact")
    # Where one tool is listed and all is known of it the formula decides, else the published value at depth and speed.
    single = (~pl.col("several_tools") & (pl.col("_speed") * exact).is_not_null()).fill_null(False)
    moving = pl.when(pl.col("_speed") > 0).then("_speed")
    formula = NUMERATOR * pl.when(has_tools).then(moving * pl.col("tools_factor")).otherwise(pl.col("_speed") * exact)
    by_formula = has_tools | single
    scaled = (recorded.is_not_null() & (pl.col("speed_mph_listed") > 0)).fill_null(False)
    return (
        passes.with_columns(
            pl.coalesce(recorded, "speed_mph_listed").alias("_speed"),
            (
                pl.col("type_hundredths")
                * pl.coalesce(depth, ref)
                * pl.coalesce(_recorded("surface_pct"), "surface_pct_listed")
            ).alias("_exact"),
            (pl.col("published_stir") * ref + pl.col("gang_stir") * (depth - ref)).alias("_moved"),
        )
        # The published value stands where nothing says which gang is the deepest.
        .with_columns(pl.coalesce(half_even_expr(pl.col("_moved"), ref), "published_stir").alias("_at_depth"))
        .with_columns(
            pl.when(by_formula).then(formula).when(scaled).then(pl.col("_at_depth") * recorded).otherwise("_at_depth")
            .alias("_above"),
            pl.when(by_formula).then(DENOMINATOR).when(scaled).then("speed_mph_listed").otherwise(1)
            .cast(pl.Int64).alias("_below"),
        )
        .with_columns(half_even_expr(pl.col("_above"), pl.col("_below")).alias("stir_recorded"))
        .drop(_HELD)
    )  # fmt: skip


def published_stir() -> pl.Expr:
    """Return the STIR of each pass by the list's own values alone; null where the operation is not listed."""
    exact = pl.col("type_hundredths") * pl.col("depth_in_listed") * pl.col("surface_pct_listed")
    single = pl.when(~pl.col("several_tools")).then(
        half_even_expr(NUMERATOR * pl.col("speed_mph_listed") * exact, DENOMINATOR)
    )
    return pl.coalesce(single, pl.col("published_stir"))


def _recorded(column: str) -> pl.Expr:
    """Return a recorded amount; zero is not recorded."""
    return pl.when(pl.col(column) > 0).then(pl.col(column))


def half_even_expr(numerator: pl.Expr, denominator: int | pl.Expr) -> pl.Expr:
    """Divide whole columns, not negative, to the nearest whole number, ties to even; null by 0 or null."""
    below = denominator if isinstance(denominator, pl.Expr) else pl.lit(denominator, pl.Int64)
    whole = numerator // below
    # Twice what is left exceeds the divisor, or equals it beside an odd number: one look at both.
    up = 2 * (numerator - whole * below) + (whole & 1) > below
    return whole + up.cast(pl.Int64)
