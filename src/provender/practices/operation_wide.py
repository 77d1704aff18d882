"""What no single field shows: seed against area, inhibitor bought against nitrogen treated, across one farm."""

from datetime import date
from functools import cache
from typing import Final

import polars as pl

from provender.catalog.names import at_once, collected, folded
from provender.practices import verdict as v
from provender.practices.prepared_book import PreparedBook

# Volumes in fluid ounces, masses in pounds; one cannot stand for the other.
SEED: Final = ("seed_purchase", "cover_crop", "cover_species", "harvest", "unit", "evidence")
INHIBITOR: Final = ("inhibitor_purchase", "nutrient_application", "unit", "evidence")
VOLUME_OZ: Final = {"gal": 128, "qt": 32, "pt": 16, "oz": 1}
EVER: Final = date.min
"""The day since which something holds that has no day: it may have been any."""
SINCE: Final = ("short_since", "unclear_since", "used_since")
THINGS: Final = ("seed", "inhibitor")
MASS_LB: Final = {"lb": 1, "ton": 2000}


def seed_balance(loaded: PreparedBook) -> pl.DataFrame:
    """Hold cover-crop seed against the area seeded, per farm and species (2100.052(b)(1)).

    A purchase counts with its day, its supplier (or as own seed) and the file of its paper, from the day it was
    received: seed that came after seeding was not sown (interpretation 59).

    Returns:
        ``needed`` (rate times acres) and ``held`` in millionths of a pound by the last day of seeding, ``unknown``
        (rates, acres, days or amounts that are missing), ``sufficient`` on every day: true, false, or null.
    """
    book = loaded.book
    seeded = book["cover_crop"].lazy().select(
        "farm_id", "cover_id", "seeded_acres", pl.col("seeded_on").alias("day")
    )  # fmt: skip
    needed = at_once(
        book["cover_species"].lazy().join(seeded, on=["farm_id", "cover_id"], how="left").select(
            "farm_id", "day", folded("species").alias("thing"),
            (pl.col("rate_lb_per_ac") * pl.col("seeded_acres")).alias("amount"),
        )
    )  # fmt: skip
    own = pl.col("bin_run").fill_null(False)
    held = loaded.supported["seed_purchase"].select(
        "farm_id", folded("species").alias("thing"),
        *_received(pl.col("pounds") * 1000, pl.col("supplier").is_not_null() | own),
    )  # fmt: skip
    return _weighed(needed, held, ("farm_id", "thing")).rename({"thing": "species"})


def _received(amount: pl.Expr, sourced: pl.Expr) -> tuple[pl.Expr, pl.Expr]:
    """Return day and amount of a purchase; no amount is known of one without day, source or paper."""
    counts = pl.col("supported") & sourced & pl.col("received_on").is_not_null()
    return pl.col("received_on").alias("day"), pl.when(counts).then(amount).alias("amount")


def _weighed(needed: pl.DataFrame, held: pl.DataFrame, keys: tuple[str, ...]) -> pl.DataFrame:
    """Hold what was received by each day of use against all that was used up to it.

    Args:
        needed: ``day`` and ``amount`` of each use beside its keys.
        held: the same of each purchase.
        keys: what tells one balance from another.
    """
    return _nothing_weighed(keys) if needed.is_empty() else _balances(needed, held, keys)


@cache
def _nothing_weighed(keys: tuple[str, ...]) -> pl.DataFrame:
    """Return what comes of no use at all: each query costs, though it reads nothing."""
    none = pl.DataFrame(schema={**dict.fromkeys(keys, pl.String), "day": pl.Date, "amount": pl.Int64})
    return _balances(none, none, keys)


def _balances(needed: pl.DataFrame, held: pl.DataFrame, keys: tuple[str, ...]) -> pl.DataFrame:
    """Return the balances; over no rows as over many, since the names and types of columns are the same."""
    uses = (
        needed.lazy()
        .group_by(*keys, "day")
        .agg(v.total(pl.col("amount")).known.alias("used"), v.count_null(pl.col("amount")).alias("unrated"))
        .with_columns(pl.when(pl.col("day").is_null()).then(1).otherwise("unrated").alias("unrated"))
        .sort("day", nulls_last=True)
        .with_columns(v.running_total(pl.col("used"), *keys).alias("needed"))
    )
    received = (
        uses.join(held.lazy(), on=keys, how="left", nulls_equal=True, suffix="_held")
        .with_columns(pl.when(pl.col("day_held") <= pl.col("day")).then("amount").otherwise(0).alias("in_time"))
        .group_by(*keys, "day")
        .agg(v.total(pl.col("in_time")).known.alias("held"))
    )
    open_ = held.lazy().group_by(keys).agg(v.count_null(pl.col("amount")).alias("amounts_unknown"))
    days = (
        uses.join(received, on=[*keys, "day"], how="left", nulls_equal=True)
        .join(open_, on=keys, how="left", nulls_equal=True)
        .with_columns(pl.col("held", "amounts_unknown").fill_null(0))
    )
    enough, more_may_come = pl.col("held") >= pl.col("needed"), pl.col("amounts_unknown") > 0
    answer = pl.when(enough & (pl.col("unrated") == 0)).then(True).when(~enough & ~more_may_come).then(False)
    since = pl.col("day").fill_null(EVER)
    judged = days.with_columns(answer.alias("enough"), since.alias("since")).group_by(keys, maintain_order=True)
    return at_once(
        judged.agg(
            v.latest(pl.col("needed")).alias("needed"),
            v.latest(pl.col("held")).alias("held"),
            v.every(v.count_false(pl.col("enough")), v.count_null(pl.col("enough")), pl.len()).alias("sufficient"),
            (v.total(pl.col("unrated")).known + v.latest(pl.col("amounts_unknown"))).alias("unknown"),
            v.earliest(pl.when(~pl.col("enough")).then("since")).alias("short_since"),
            v.earliest(pl.when(pl.col("enough").is_null()).then("since")).alias("unclear_since"),
            v.earliest(pl.col("since")).alias("used_since"),
        )
    )


def inhibitor_balance(loaded: PreparedBook) -> pl.DataFrame:
    """Hold nitrification inhibitor bought against rate times acres treated, per farm and product (interpretation 22).

    Returns:
        As ``seed_balance``, amounts in millionths of a fluid ounce or of a pound (``measure``).
    """
    asked = (
        loaded.applications.lazy()
        .filter(pl.col("inhibited").fill_null(False) & ~pl.col("self_inhibited"))
        .select(
            "farm_id", "day", "inhibitor_key", "inhibitor_rate", "inhibitor_rate_unit", "treated_acres", "unit_acres"
        )
    )
    rows = collected(asked, loaded.applications.height)
    # The key is the name as written here: what a fertilizer itself brings was left out above.
    written = pl.col("inhibitor_rate_unit")
    unit = written.cast(pl.String).str.strip_suffix("/ac")
    size, measure = _size(unit).alias("_size"), _measure(unit).alias("measure")
    units = rows.lazy().select(written.unique()).with_columns(size, measure)
    used = pl.col("inhibitor_rate") * pl.coalesce("treated_acres", "unit_acres") * pl.col("_size")
    needed = at_once(
        rows.lazy()
        .join(units, on="inhibitor_rate_unit", how="left", nulls_equal=True)
        .select("farm_id", "day", "measure", pl.col("inhibitor_key").alias("product"), used.alias("amount"))
    )
    bought = pl.col("amount_unit").cast(pl.String)
    amount = pl.col("amount") * 1000 * _size(bought)
    held = loaded.supported["inhibitor_purchase"].select(
        "farm_id", folded("product").alias("product"), _measure(bought).alias("measure"),
        *_received(amount, pl.col("supplier").is_not_null()),
    )  # fmt: skip
    return _weighed(needed, held, ("farm_id", "product", "measure"))


def _size(unit: pl.Expr) -> pl.Expr:
    return unit.replace_strict(VOLUME_OZ | MASS_LB, default=None, return_dtype=pl.Int64)


def _measure(unit: pl.Expr) -> pl.Expr:
    return pl.when(unit.is_in(list(VOLUME_OZ))).then(pl.lit("fl oz")).when(unit.is_in(list(MASS_LB))).then(pl.lit("lb"))


def sufficiency(loaded: PreparedBook) -> pl.DataFrame:
    """Return per farm since when seed and inhibitor were short, unclear and used; a farm is never judged in parts.

    What was used after a crop's harvest says nothing of it: ``sufficient_until`` answers for a crop by its last day.
    """
    farms = loaded.units["farm_id"].unique(maintain_order=True).to_frame()
    answers = (seed_since(loaded).lazy(), inhibitor_since(loaded).lazy())
    return at_once(farms.lazy().join(answers[0], on="farm_id", how="left").join(answers[1], on="farm_id", how="left"))


def seed_since(loaded: PreparedBook) -> pl.DataFrame:
    """Return per farm since when seed of some species was short, unclear and used (``seed_short_since`` ...)."""
    return _undamaged(_per_farm(seed_balance(loaded), "seed"), loaded, SEED)


def inhibitor_since(loaded: PreparedBook) -> pl.DataFrame:
    """Return per farm since when inhibitor of some product was short, unclear and used."""
    balance = _per_farm(inhibitor_balance(loaded), "inhibitor")
    # A farm whose inhibitor comes only inside its fertilizer has nothing to buy beside it.
    if v.is_anywhere(loaded.applications["self_inhibited"]):
        inside = loaded.applications.filter(pl.col("self_inhibited")).select("farm_id").unique()
        alone = inside.join(balance, on="farm_id", how="anti").with_columns(
            pl.lit(day, pl.Date).alias(f"inhibitor_{name}") for name, day in zip(SINCE, (None, None, EVER), strict=True)
        )
        own = pl.when(pl.col("farm_id").is_in(inside["farm_id"].implode())).then(pl.lit(EVER))
        used = own.otherwise("inhibitor_used_since").alias("inhibitor_used_since")
        balance = pl.concat([balance.with_columns(used), alone])
    return _undamaged(balance, loaded, INHIBITOR)


def _undamaged(answers: pl.DataFrame, loaded: PreparedBook, kinds: tuple[str, ...]) -> pl.DataFrame:
    """Withhold the answer of a farm where a row of any unit could not be read: what it needed is not in the sum."""
    if loaded.damaged.is_empty():
        return answers
    spoiled = pl.col("farm_id").is_in(loaded.damaged.filter(pl.col("kind").is_in(kinds))["farm_id"].unique().implode())
    _, short, unclear, _ = answers.columns
    return answers.with_columns(
        pl.when(~spoiled).then(short).alias(short),
        pl.when(spoiled).then(pl.lit(EVER)).otherwise(unclear).alias(unclear),
    )


def _per_farm(rows: pl.DataFrame, thing: str) -> pl.DataFrame:
    """Return the first day of each; ``thing`` stands before their names."""
    return rows.group_by("farm_id").agg(v.earliest(pl.col(name)).alias(f"{thing}_{name}") for name in SINCE)


def sufficient_until(last: pl.Expr) -> tuple[pl.Expr, ...]:
    """Return ``seed_sufficient`` and ``inhibitor_sufficient`` of crops that ended on a day; null where nothing says it.

    False on any day of use up to then is short, and what is unclear on any is not shown.
    """
    return tuple(
        pl.when((pl.col(f"{thing}_short_since") <= last).fill_null(value=False))
        .then(False)
        .when((pl.col(f"{thing}_unclear_since") > last).fill_null(value=True) & (pl.col(f"{thing}_used_since") <= last))
        .then(True)
        .alias(f"{thing}_sufficient")
        for thing in THINGS
    )
