"""Nutrient applications and budgets beside what the catalogue knows of their products and inhibitors.

The products are those of the fertilizer list: what a name outside it says of itself is for ``standards`` (``care``).
"""

from typing import Final

import polars as pl

from provender.portfolio.columns import three_valued as v
from provender.portfolio.columns.intervals import place
from provender.portfolio.frame_book import FrameBook
from provender.portfolio.frames import at_once, folded, inhibitors_frame, products_frame, rows_at, spellings
from provender.standards.nutrients import RESULTS
from provender.standards.standard import WHOLE
from provender.standards.supply import NO_INHIBITOR
from provender.standards.unit import WHOLLY_OFF

NUTRIENTS: Final = ("n", "p2o5", "k2o")
_FERTILIZERS: Final = ("commercial_fertilizer", "starter")
"""The sources of a budget that synthetic nitrogen can stand under."""
_POUNDS_PER_TON: Final = 2000
_ROUNDING: Final = 1000
"""Thousandths of a pound by which typed and computed pounds may differ."""
VOLUME_OZ: Final = {"gal": 128, "qt": 32, "pt": 16, "oz": 1}
"""Measures in which inhibitor is bought and applied, in fluid ounces; a mass cannot stand for one."""


def applications(
    records: pl.DataFrame, accepted: pl.DataFrame, units: pl.DataFrame, intervals: pl.DataFrame, entries: pl.DataFrame
) -> pl.DataFrame:
    """Return nutrient applications with their crop interval and what they carry.

    ``accepted`` are the ``inhibitor_acceptance`` records, ``entries`` all crop entries with their units. Adds N-P-K in
    thousandths of a pound per acre (typed, else from grade and rate); ``carries``: synthetic nitrogen; ``inhibited``:
    it carries a nitrification inhibitor; ``accepted``: the State accepts that; ``part_field``: fewer acres were treated
    than the unit has, or nobody can compare them; ``named``: the row names its crop entry; ``misplaced``: its day lies
    in the time of another.
    """
    distinct, which = spellings(records["product"])
    keys = distinct.to_frame("product").select(folded("product").alias("product_key"))
    products = keys.join(products_frame(), on="product_key", how="left", maintain_order="left")
    # The key of a unit is the number of its row.
    own = rows_at(units.select("state", pl.col("acres").alias("unit_acres")), records["unit_key"])
    rows = _placed(records.hstack(rows_at(products, which)).hstack(own), intervals, entries)
    treated = pl.col("treated_acres")
    steps = (
        rows.lazy()
        .with_columns(_pounds_of_product())
        .with_columns(_given(name).alias(f"_given_{name}") for name in NUTRIENTS)
        .with_columns(
            _off_analysis(),
            _denied(),
            *(pl.coalesce(f"{name}_lb_per_ac", f"_given_{name}").alias(f"{name}_lb_per_ac") for name in NUTRIENTS),
            (treated < pl.col("unit_acres")).fill_null(treated.is_not_null()).alias("part_field"),
        )
        .with_columns(_carries().alias("carries"))
    )
    return _with_inhibitor(at_once(steps.drop("_pounds", *(f"_given_{name}" for name in NUTRIENTS))), accepted)


def _placed(rows: pl.DataFrame, intervals: pl.DataFrame, entries: pl.DataFrame) -> pl.DataFrame:
    by_day = rows.with_columns(place(rows["unit_key"], rows["day"], intervals))
    of_entry = entries.rename({"unit_key": "_unit", "interval_key": "_named"})
    both = by_day.join(of_entry, on=["farm_id", "harvest_id"], how="left", maintain_order="left")
    fits = (pl.col("_unit") == pl.col("unit_key")) & pl.col("_named").eq_missing(pl.col("interval_key"))
    return both.with_columns(
        (pl.col("_unit").is_not_null() & ~fits).alias("misplaced"),
        (pl.col("_named").is_not_null() & fits).fill_null(value=False).alias("named"),
    ).drop("_unit", "_named")


def _pounds_of_product() -> pl.Expr:
    """Return millionths of a pound of the product per acre; null where unknown."""
    rate, unit, density = pl.col("rate"), pl.col("rate_unit").cast(pl.String), pl.col("density_lb_per_gal")
    return (
        pl.when(unit == "lb/ac").then(rate * 1000)
        .when(unit == "ton/ac").then(rate * _POUNDS_PER_TON * 1000)
        .when(unit == "gal/ac").then(rate * density)
        .when(unit == "qt/ac").then(rate * density // 4)
        .when(unit == "pt/ac").then(rate * density // 8)
        .when(unit == "oz/ac").then(rate * density // 128)
        .cast(pl.Int128).alias("_pounds")
    )  # fmt: skip


def _given(nutrient: str) -> pl.Expr:
    """Return pounds of a nutrient per acre from grade and rate, in thousandths, rounded half up; null where unknown.

    A product without the nutrient gives none of it, at whatever rate.
    """
    exact = (pl.col("_pounds") * pl.col(f"{nutrient}_pct") + 50_000_000).floordiv(100_000_000).cast(pl.Int64)
    return pl.when(pl.col(f"{nutrient}_pct") == 0).then(pl.lit(0, pl.Int64)).otherwise(exact)


def _off_analysis() -> pl.Expr:
    """Return by how much typed pounds differ from those that product and rate give, in thousandths of a percent.

    The greatest of N, P and K; a difference of at most a pound is rounding. Null where there is nothing to compare.
    """
    differences = []
    for name in NUTRIENTS:
        given = pl.col(f"_given_{name}")
        off = (pl.col(f"{name}_lb_per_ac") - given).abs()
        share = pl.when(given > 0).then(off * WHOLE // given).otherwise(WHOLLY_OFF)
        differences.append(pl.when(off > _ROUNDING).then(share))
    return pl.max_horizontal(differences).alias("off_analysis_pct")


def _denied() -> pl.Expr:
    """Return where the row denies what the fertilizer list says of its nitrogen."""
    holds = (pl.col("n_pct") > 0) | (pl.col("n_lb_per_ac") > 0).fill_null(value=False)
    differs = pl.col("product_synthetic_n") != pl.col("synthetic_n")
    return (differs & holds).fill_null(value=False).alias("denies_product")


def _carries() -> pl.Expr:
    """Return whether a row carries synthetic N; null where the record does not say.

    Zero pounds of a product whose grade holds N contradict each other, unless none of it was applied.
    """
    n, made = pl.col("n_lb_per_ac"), pl.col("product_synthetic_n")
    graded = (pl.col("n_pct") > 0) & (pl.col("rate") != 0).fill_null(value=True)
    return (
        pl.when((n == 0) & ~graded.fill_null(value=False)).then(False).when(~made | (n != 0).fill_null(True)).then(made)
    )


def _with_inhibitor(rows: pl.DataFrame, acceptance: pl.DataFrame) -> pl.DataFrame:
    """Add ``inhibitor_key``, ``inhibited``, ``accepted`` and ``inhibitor_amount``, fluid ounces over the acres."""
    said = acceptance.select(
        "farm_id", pl.col("state").str.strip_chars().str.to_uppercase(), folded("inhibitor").alias("inhibitor_key"),
        # A yes without its source says nothing.
        pl.when(pl.col("source").is_not_null() | ~pl.col("accepted")).then("accepted").alias("accepted"),
    ).unique(["farm_id", "state", "inhibitor_key"], keep="any")  # fmt: skip
    by_ingredient = said.rename({"inhibitor_key": "ingredient", "accepted": "_by_ingredient"})
    written = folded("inhibitor")
    none = written.is_in(NO_INHIBITOR).fill_null(value=False)
    size = _ounces("inhibitor_rate_unit")
    dose = pl.when(pl.col("inhibitor_rate") > 0).then(pl.col("inhibitor_rate") * size)
    # Below the label's least rate it shows nothing (interpretation 22).
    with_it = pl.when(~pl.col("counts") | (dose >= pl.col("least_oz_per_ac"))).then("counts")
    under = (pl.col("inhibitor_rate") * size < pl.col("least_oz_per_ac")).fill_null(value=False)
    under = under & (pl.col("inhibitor_rate") > 0)
    steps = (
        rows.lazy()
        .with_columns(pl.when(~none).then(written).alias("inhibitor_key"), none.alias("_none"))
        .join(inhibitors_frame().lazy(), on="inhibitor_key", how="left", maintain_order="left")
        .join(said.lazy(), on=["farm_id", "state", "inhibitor_key"], how="left", maintain_order="left")
        .join(by_ingredient.lazy(), on=["farm_id", "state", "ingredient"], how="left", maintain_order="left")
        .with_columns(
            pl.when("_none").then(False).when(~under).then(with_it).alias("inhibited"),
            pl.coalesce("accepted", "_by_ingredient").alias("accepted"),
            (dose * pl.coalesce("treated_acres", "unit_acres")).alias("inhibitor_amount"),
        )
    )
    return at_once(steps.drop("_none", "_by_ingredient", "counts", "ingredient", "least_oz_per_ac"))


def _ounces(column: str) -> pl.Expr:
    unit = pl.col(column).cast(pl.String).str.strip_suffix("/ac")
    return unit.replace_strict(VOLUME_OZ, default=None, return_dtype=pl.Int64)


def budgets(book: FrameBook, entries: pl.DataFrame, tests: pl.DataFrame) -> pl.DataFrame:
    """Return the first budget made for each interval, with its sources and the soil test of its own unit.

    ``tests`` are the ``soil_test`` records with ``supported``: their paper is there.
    """
    sampled = tests.lazy().select(
        "farm_id", "unit_id", "soil_test_id", "sampled_on", "laboratory", pl.col("method").alias("soil_method"),
        pl.col("supported").alias("soil_test_on_file"),
        # A test of which every result is nought tells of a form that was filled in, not of soil.
        v.any_mark(pl.col(name) > 0 for name in RESULTS).alias("soil_results"),
    )  # fmt: skip
    units = book["harvest"].lazy().select("farm_id", "harvest_id", "unit_id")
    rows = (
        book["nutrient_budget"]
        .lazy()
        .join(entries.lazy(), on=["farm_id", "harvest_id"], how="inner")
        .join(units, on=["farm_id", "harvest_id"], how="left")
        .join(sampled, on=["farm_id", "unit_id", "soil_test_id"], how="left")
        .join(_sources(book), on=["farm_id", "budget_id"], how="left")
        .with_columns(
            pl.col("sources_answered", "sources_without_amount").fill_null(0), pl.col("basis").cast(pl.String)
        )
        .with_columns(pl.len().over("interval_key").alias("budgets"))
        .sort("interval_key", "made_on", "budget_id", nulls_last=False)
    )
    return at_once(rows.unique("interval_key", keep="first", maintain_order=True))


def _sources(book: FrameBook) -> pl.LazyFrame:
    present, source, amount = pl.col("present"), pl.col("source"), pl.col("n_lb_per_ac")
    fertilizer = source.is_in(_FERTILIZERS)
    some = v.count_true(present & fertilizer) > 0
    none = v.count_true(~present & fertilizer) == len(_FERTILIZERS)

    def is_none(*names: str) -> pl.Expr:
        return v.count_true(~present & source.is_in(names)) == len(names)

    return (
        book["budget_source"]
        .lazy()
        .with_columns(source.cast(pl.String))
        .group_by("farm_id", "budget_id")
        .agg(
            v.count_true(present.is_not_null()).alias("sources_answered"),
            v.count_true(present & amount.is_null()).alias("sources_without_amount"),
            pl.when(some).then(True).when(none).then(False).alias("has_fertilizer"),
            v.total(pl.when(fertilizer & present).then(amount)).known.alias("fertilizer_n"),
            is_none("starter").alias("starter_is_none"),
            is_none("manure").alias("manure_is_none"),
            is_none("irrigation_water").alias("irrigation_is_none"),
            is_none("legume_crop", "green_manure").alias("legumes_are_none"),
        )
    )
