"""Cover-crop seed and inhibitor bought, held against what the whole farm used, where that is plain.

Plain is a thing of which enough had come before its first use, or a farm that bought nothing that counts. Purchases
that came bit by bit are for ``standards.supply``.
"""

import polars as pl

from provender.portfolio.columns import three_valued as v
from provender.portfolio.columns.applications import VOLUME_OZ
from provender.portfolio.columns.prepare import PreparedBook
from provender.portfolio.frames import at_once, folded


def supplies(loaded: PreparedBook) -> pl.DataFrame:
    """Return per farm whether its seed and its inhibitor lasted, null where it is not plain, and since when it used it.

    ``seed_lasted``, ``seed_since``, ``inhibitor_lasted``, ``inhibitor_since``; farms that used neither are left out.
    """
    parts = [_lasted(*_seed(loaded), "seed"), _lasted(*_inhibitor(loaded), "inhibitor")]
    return parts[0].join(parts[1], on="farm_id", how="full", coalesce=True)


def _seed(loaded: PreparedBook) -> tuple[pl.LazyFrame, pl.LazyFrame]:
    """Return uses and purchases of seed, in millionths of a pound."""
    book = loaded.book
    sown = book["cover_crop"].lazy().select("farm_id", "cover_id", "seeded_acres", pl.col("seeded_on").alias("day"))
    amount = pl.col("rate_lb_per_ac") * pl.col("seeded_acres")
    uses = book["cover_species"].lazy().join(sown, on=["farm_id", "cover_id"], how="left")
    bought = loaded.supported["seed_purchase"].lazy()
    sourced = pl.col("supplier").is_not_null() | pl.col("bin_run").fill_null(value=False)
    return (
        uses.select("farm_id", "day", folded("species").alias("name"), amount.alias("amount")),
        bought.filter(sourced & pl.col("supported")).select(
            "farm_id", pl.col("received_on").alias("day"), folded("species").alias("name"),
            (pl.col("pounds") * 1000).alias("amount"),
        ),
    )  # fmt: skip


def _inhibitor(loaded: PreparedBook) -> tuple[pl.LazyFrame, pl.LazyFrame]:
    """Return uses and purchases of inhibitor, in millionths of a fluid ounce."""
    uses = loaded.applications.lazy().filter(pl.col("inhibited").fill_null(value=False))
    bought = loaded.supported["inhibitor_purchase"].lazy()
    size = pl.col("amount_unit").cast(pl.String).replace_strict(VOLUME_OZ, default=None, return_dtype=pl.Int64)
    return (
        uses.select(
            "farm_id", "day", pl.col("inhibitor_key").alias("name"), pl.col("inhibitor_amount").alias("amount")
        ),
        bought.filter(pl.col("supplier").is_not_null() & pl.col("supported")).select(
            "farm_id", pl.col("received_on").alias("day"), folded("product").alias("name"),
            (pl.col("amount") * 1000 * size).alias("amount"),
        ),
    )  # fmt: skip


def _lasted(uses: pl.LazyFrame, bought: pl.LazyFrame, thing: str) -> pl.DataFrame:
    key = ["farm_id", "name"]
    day, amount = pl.col("day"), pl.col("amount")
    used = uses.group_by(key).agg(
        v.earliest(day).alias("since"), amount.sum().alias("used"),
        v.count_false((amount > 0).fill_null(value=False) & day.is_not_null()).alias("unclear"),
    )  # fmt: skip
    counted = bought.filter(day.is_not_null() & (amount > 0))
    early = (
        counted.join(used.select(*key, "since"), on=key)
        .group_by(key)
        .agg(pl.len().alias("purchases"), amount.filter(day <= pl.col("since")).sum().alias("received"))
    )
    things = used.join(early, on=key, how="left").with_columns(pl.col("purchases", "received").fill_null(0))
    enough, nothing = pl.col("received") >= pl.col("used"), pl.col("purchases") == 0
    return at_once(
        things.group_by("farm_id").agg(
            pl.when(pl.col("unclear").sum() > 0)
            .then(None)
            .when(v.count_false(enough) == 0)
            .then(True)
            .when(v.count_false(nothing) == 0)
            .then(False)
            .alias(f"{thing}_lasted"),
            v.earliest(pl.col("since")).alias(f"{thing}_since"),
        )
    )
