"""STIR of a pass by its recorded and by the list's own values, in whole ten-thousandths, rounded once a pass.

``standards.stir`` has the formula and where it comes from. Recorded tools are for it alone (``care``).
"""

from typing import Final

import polars as pl

from provender.catalog.operations import STIR_DENOMINATOR, STIR_NUMERATOR

_HELD: Final = ("_speed", "_exact", "_moved", "_at_depth", "_above", "_below")


def with_recorded_stir(passes: pl.LazyFrame) -> pl.LazyFrame:
    """Add ``stir_recorded``: STIR of each pass by recorded speed, depth and surface, the list's where none is recorded.

    Null where the operation is not listed. Step by step: each division names what it divides five times, and a sum
    written into another would be planned anew in every one of them.
    """
    recorded, ref, depth = _recorded("speed_mph"), pl.col("depth_in_listed"), _recorded("depth_in")
    formula = STIR_NUMERATOR * pl.col("_speed") * pl.col("_exact")
    # Where one tool is listed and all is known of it the formula decides, else the published value at depth and speed.
    single = (~pl.col("several_tools") & formula.is_not_null()).fill_null(value=False)
    scaled = (recorded.is_not_null() & (pl.col("speed_mph_listed") > 0)).fill_null(value=False)
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
            pl.when(single).then(formula).when(scaled).then(pl.col("_at_depth") * recorded).otherwise("_at_depth")
            .alias("_above"),
            pl.when(single).then(STIR_DENOMINATOR).when(scaled).then("speed_mph_listed").otherwise(1)
            .cast(pl.Int64).alias("_below"),
        )
        .with_columns(half_even_expr(pl.col("_above"), pl.col("_below")).alias("stir_recorded"))
        .drop(_HELD)
    )  # fmt: skip


def published_stir() -> pl.Expr:
    """Return the STIR of each pass by the list's own values alone; null where the operation is not listed."""
    exact = pl.col("type_hundredths") * pl.col("depth_in_listed") * pl.col("surface_pct_listed")
    single = pl.when(~pl.col("several_tools")).then(
        half_even_expr(STIR_NUMERATOR * pl.col("speed_mph_listed") * exact, STIR_DENOMINATOR)
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
