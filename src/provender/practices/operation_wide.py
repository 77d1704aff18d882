"""What no single field shows: seed against area, inhibitor bought against nitrogen treated, across one farm."""

from typing import Final

import polars as pl

from provender.catalog.names import folded
from provender.practices import verdict as v
from provender.practices.prepared_book import PreparedBook

# Volumes in fluid ounces, masses in pounds; one cannot stand for the other.
SEED: Final = ("seed_purchase", "cover_crop", "cover_species", "harvest", "unit")
INHIBITOR: Final = ("inhibitor_purchase", "nutrient_application", "unit")
VOLUME_OZ: Final = {"gal": 128, "qt": 32, "pt": 16, "oz": 1}
MASS_LB: Final = {"lb": 1, "ton": 2000}


def seed_balance(loaded: PreparedBook) -> pl.DataFrame:
    """Hold cover-crop seed against the area seeded, per farm and species (2100.052(b)(1)).

    Returns:
        ``needed`` (rate times acres) and ``held`` in millionths of a pound, ``unknown`` (rates, acres or amounts that
        are missing), ``sufficient``: true, false, or null.
    """
    book = loaded.book
    needed = (
        book["cover_species"]
        .join(book["cover_crop"].select("farm_id", "cover_id", "seeded_acres"), on=["farm_id", "cover_id"], how="left")
        .with_columns(folded("species").alias("species"))
        .group_by("farm_id", "species")
        .agg(
            v.total(pl.col("rate_lb_per_ac") * pl.col("seeded_acres")).known.alias("needed"),
            v.count_null(pl.col("rate_lb_per_ac") * pl.col("seeded_acres")).alias("rates_unknown"),
        )
    )
    own_without_evidence = pl.col("bin_run").fill_null(False) & pl.col("evidence").is_null()
    held = (
        book["seed_purchase"]
        .with_columns(
            folded("species").alias("species"), pl.when(~own_without_evidence).then(pl.col("pounds")).alias("pounds")
        )
        .group_by("farm_id", "species")
        .agg(
            (v.total(pl.col("pounds")).known * 1000).alias("held"),
            v.count_null(pl.col("pounds")).alias("amounts_unknown"),
        )
    )
    return _weighed(needed.join(held, on=["farm_id", "species"], how="left"))


def _weighed(rows: pl.DataFrame) -> pl.DataFrame:
    enough = pl.col("held") >= pl.col("needed")
    unsure = pl.col("rates_unknown") > 0
    more_may_come = pl.col("amounts_unknown") > 0
    return (
        rows.with_columns(pl.col("held", "rates_unknown", "amounts_unknown").fill_null(0))
        .with_columns(
            pl.when(enough & ~unsure).then(True).when(~enough & ~more_may_come).then(False).alias("sufficient"),
            (pl.col("rates_unknown") + pl.col("amounts_unknown")).alias("unknown"),
        )
        .drop("rates_unknown", "amounts_unknown")
    )


def inhibitor_balance(loaded: PreparedBook) -> pl.DataFrame:
    """Hold nitrification inhibitor bought against rate times acres treated, per farm and product (interpretation 22).

    Returns:
        As ``seed_balance``, amounts in millionths of a fluid ounce or of a pound (``measure``).
    """
    rows = (
        loaded.applications.lazy()
        .filter(pl.col("inhibited").fill_null(False) & ~pl.col("self_inhibited"))
        .select("farm_id", "inhibitor_key", "inhibitor_rate", "inhibitor_rate_unit", "treated_acres", "unit_acres")
        .collect()
    )
    # The key is the name as written here: what a fertilizer itself brings was left out above.
    written = pl.col("inhibitor_rate_unit")
    unit = written.cast(pl.String).str.strip_suffix("/ac")
    units = rows.select(written.unique()).with_columns(_size(unit).alias("_size"), _measure(unit).alias("measure"))
    used = pl.col("inhibitor_rate") * pl.coalesce("treated_acres", "unit_acres") * pl.col("_size")
    needed = (
        rows.join(units, on="inhibitor_rate_unit", how="left", nulls_equal=True)
        .with_columns(pl.col("inhibitor_key").alias("product"), used.alias("used"))
        .group_by("farm_id", "product", "measure")
        .agg(v.total(pl.col("used")).known.alias("needed"), v.count_null(pl.col("used")).alias("rates_unknown"))
    )
    bought = pl.col("amount_unit").cast(pl.String)
    held = (
        loaded.book["inhibitor_purchase"]
        .with_columns(
            folded("product").alias("product"),
            _measure(bought).alias("measure"),
            (pl.col("amount") * 1000 * _size(bought)).alias("had"),
        )
        .group_by("farm_id", "product", "measure")
        .agg(v.total(pl.col("had")).known.alias("held"), v.count_null(pl.col("had")).alias("amounts_unknown"))
    )
    return _weighed(needed.join(held, on=["farm_id", "product", "measure"], how="left", nulls_equal=True))


def _size(unit: pl.Expr) -> pl.Expr:
    return unit.replace_strict(VOLUME_OZ | MASS_LB, default=None, return_dtype=pl.Int64)


def _measure(unit: pl.Expr) -> pl.Expr:
    return pl.when(unit.is_in(list(VOLUME_OZ))).then(pl.lit("fl oz")).when(unit.is_in(list(MASS_LB))).then(pl.lit("lb"))


def sufficiency(loaded: PreparedBook) -> pl.DataFrame:
    """Return per farm ``seed_sufficient`` and ``inhibitor_sufficient``; a farm is never judged in parts."""
    farms = loaded.units.select("farm_id").unique(maintain_order=True)
    return farms.join(seed_sufficient(loaded), on="farm_id", how="left").join(
        inhibitor_sufficient(loaded), on="farm_id", how="left"
    )


def seed_sufficient(loaded: PreparedBook) -> pl.DataFrame:
    """Return per farm whether seed of every species was enough; null where the records do not say."""
    return _undamaged(_per_farm(seed_balance(loaded), "seed_sufficient"), loaded, SEED)


def inhibitor_sufficient(loaded: PreparedBook) -> pl.DataFrame:
    """Return per farm whether inhibitor of every product was enough; null where the records do not say."""
    balance = _per_farm(inhibitor_balance(loaded), "inhibitor_sufficient")
    # A farm whose inhibitor comes only inside its fertilizer has nothing to buy beside it.
    inside = loaded.applications.filter(pl.col("self_inhibited")).select("farm_id").unique()
    alone = inside.join(balance, on="farm_id", how="anti").with_columns(pl.lit(True).alias("inhibitor_sufficient"))
    return _undamaged(pl.concat([balance, alone]), loaded, INHIBITOR)


def _undamaged(answers: pl.DataFrame, loaded: PreparedBook, kinds: tuple[str, ...]) -> pl.DataFrame:
    """Withhold the answer of a farm where a row of any unit could not be read: what it needed is not in the sum."""
    spoiled = loaded.damaged.filter(pl.col("kind").is_in(kinds))["farm_id"].unique()
    farm, answer = answers.columns
    return answers.with_columns(pl.when(~pl.col(farm).is_in(spoiled.implode())).then(answer).alias(answer))


def _per_farm(rows: pl.DataFrame, name: str) -> pl.DataFrame:
    enough = pl.col("sufficient")
    answer = v.every(v.count_false(enough), v.count_null(enough), pl.len())
    return rows.group_by("farm_id").agg(answer.alias(name))
