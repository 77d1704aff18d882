"""What the records say of the cover crop before one crop, and what the producer declared (interpretation 2)."""

from typing import Final

import polars as pl

from provender.catalog.names import at_once, beside
from provender.practices import verdict as v
from provender.practices.intervals import in_window
from provender.practices.prepared_book import PreparedBook
from provender.rule.law import RuleVersion

ALLOWED_TERMINATIONS: Final = ("winter_kill", "herbicide", "roller_crimper", "mowing")
WINTER_KILL: Final = "winter_kill"
INCORPORATED: Final = "broadcast_incorporated"
USE_OF_BIOMASS: Final = ("grazing", "mechanical_harvest")


COVER_ANSWERS: Final = ("suits", "fall", "spring", "method", "own_crop")
"""What each cover crop answers by itself; ``judged_covers`` adds each with an underscore before it."""


def judged_covers(loaded: PreparedBook, law: RuleVersion) -> pl.LazyFrame:
    """Return the cover crops with what each of them answers by itself.

    The fall is the one before the production crop: seeded before its first planting and less than a year before.
    """
    days = loaded.planted.select("interval_key", "planted_first")
    season = loaded.intervals.select("interval_key", "season_from", "after_ending", "after_planted")
    in_spring = in_window(pl.col("terminated_on"), law, "cover_termination_window", pl.col("state"))
    spans = beside(beside(loaded.covers, days, "interval_key"), season, "interval_key")
    rows = spans.lazy().with_columns(in_spring.alias("_in_spring"))
    state, method = pl.col("state"), pl.col("termination_method").cast(pl.String)
    fall = in_window(pl.col("seeded_on"), law, "cover_seeding_window", state)
    planted = pl.col("planted_first")
    before_planting = (pl.col("seeded_on") < planted) & (pl.col("seeded_on") > planted.dt.offset_by("-1y"))
    winter_killed = (method == WINTER_KILL).fill_null(False)
    spring = _ended(law, state, winter_killed)
    # Other is no answer (interpretation 85).
    allowed = pl.when(method != "other").then(method.is_in(ALLOWED_TERMINATIONS))
    suits = pl.when(pl.col("suits_site_source").is_not_null() | ~pl.col("suits_site")).then("suits_site")
    green, ended = pl.col("planted_green"), pl.col("terminated_on")
    differs = pl.when(green).then((ended < planted) | winter_killed).otherwise(~green & (ended > planted))
    spring = v.withhold_met(differs.fill_null(value=False), spring)
    answers = {"suits": suits, "fall": fall & before_planting, "spring": spring, "method": allowed,
               "own_crop": _followed_by_this_crop()}  # fmt: skip
    return rows.with_columns(answers[name].alias(f"_{name}") for name in COVER_ANSWERS)


def cover_facts(loaded: PreparedBook, law: RuleVersion) -> pl.DataFrame:
    """Return one row per interval that has cover crops; every cover of the interval must hold by itself."""
    method = pl.col("termination_method").cast(pl.String)
    winter_killed = (method == WINTER_KILL).fill_null(False)
    found = (
        judged_covers(loaded, law)
        .group_by("interval_key")
        .agg(
            pl.len().cast(pl.Int32).alias("covers"),
            v.total(pl.col("seeded_acres")).known.alias("cover_acres"),
            v.most(pl.col("seeded_acres")).alias("cover_acres_most"),
            *(part for name in COVER_ANSWERS for part in _counts(name, pl.col(f"_{name}"))),
            v.count_true(method.is_in(USE_OF_BIOMASS).fill_null(False)).alias("cover_used"),
            v.count_true((method == "burning").fill_null(False)).alias("cover_burned"),
            v.count_true((method == "tillage").fill_null(False)).alias("cover_worked_in"),
            v.count_true(winter_killed).alias("winter_killed"),
            v.total(pl.col("species_legume")).known.alias("legumes"),
            v.total(pl.col("species_unknown")).known.alias("species_unknown"),
            v.count_true(pl.col("species_rows") == 0).alias("covers_without_species"),
            v.total(pl.col("rate_unknown")).known.alias("rates_unknown"),
            v.earliest(pl.col("seeded_on")).alias("seeded_on"),
            v.earliest(_worked_in_by(law)).alias("incorporated_by"),
            v.earliest(pl.col("terminated_on")).alias("terminated_on"),
            v.count_null(pl.col("terminated_on")).alias("terminations_undated"),
            v.count_null(pl.col("seeded_on")).alias("seedings_undated"),
            v.count_null(pl.col("method").cast(pl.String).replace("other", None)).alias("seedings_without_method"),
            v.count_null(pl.col("seeded_acres")).alias("seedings_without_acres"),
            v.count_false(pl.col("supported")).alias("covers_without_photo"),
        )
    )
    return at_once(found)


def _ended(law: RuleVersion, state: pl.Expr, winter_killed: pl.Expr) -> pl.Expr:
    """Return whether a cover ended in spring, or died in winter; null where its days contradict each other.

    ``_in_spring`` tells whether its last day lies in the window.
    """
    in_spring = pl.col("_in_spring")
    in_order = pl.col("terminated_on").is_between("seeded_on", "last_day", closed="right")
    # A day out of order says that one of the dates is wrong: neither in spring nor out of it.
    by_other_means = pl.when(in_order | ~in_spring).then(in_spring)
    # Frost kills after seeding and in a winter, and it is seen at the end of spring at the latest: any other day says
    # that one of the two is wrong.
    wintry = in_window(pl.col("terminated_on"), law, "winter_kill_window", state)
    before_next = in_spring | (pl.col("terminated_on") <= pl.col("planted_first")).fill_null(True)
    dead = in_order & (in_spring | (wintry & before_next))
    by_winter = pl.when(dead | pl.col("terminated_on").is_null()).then(True)
    return pl.when(winter_killed).then(by_winter).otherwise(by_other_means)


def _counts(name: str, rows: pl.Expr) -> tuple[pl.Expr, pl.Expr]:
    return v.count_false(rows).alias(f"{name}_false"), v.count_null(rows).alias(f"{name}_unknown")


def _followed_by_this_crop() -> pl.Expr:
    """Return whether no other crop was planted after a cover and harvested before this one (interpretation 63).

    Null where the cover was ended before the crop before was cut, or stood with it over the winter, and nobody knows
    which of the two came first: a rye that was cut in spring may be the cover itself.
    """
    wintered = (pl.col("season_from") > pl.col("seeded_on")) & (
        pl.col("season_from").dt.year() > pl.col("seeded_on").dt.year()
    )
    between = ((pl.col("terminated_on") < pl.col("season_from")) | wintered) & (pl.col("after_ending") == "harvested")
    planted_later = pl.col("after_planted") > pl.col("seeded_on")
    dayless = (pl.col("after_ending") == "harvested") & pl.col("season_from").is_not_null()
    unknown = dayless & pl.col("seeded_on").is_null() & pl.col("terminated_on").is_null()
    return pl.when(~unknown.fill_null(False)).then(~(between.fill_null(False) & planted_later))


def _worked_in_by(law: RuleVersion) -> pl.Expr:
    """Return the last day on which a pass still works the seed in."""
    broadcast = (pl.col("method").cast(pl.String) == INCORPORATED).fill_null(False)
    days = pl.when(broadcast).then(law.cover_incorporation_days).otherwise(0)
    return pl.col("seeded_on") + pl.duration(days=days)


ANSWERS: Final = (
    "residue_burned",
    "cover_grazed",
    "cover_harvested",
    "cover_fertilized",
    "manure_applied",
    "irrigation_n",
)


def declared_facts(loaded: PreparedBook) -> pl.DataFrame:
    """Return one row per interval with a declaration.

    A declaration counts from the day the interval closed: one made earlier cannot speak for what followed, so its
    *no* and its *all listed* are null; a *yes* to something that must not happen stands whenever it was said. Of
    several declarations (a harvest in parts, a failed stand) the latest answers.
    """
    rows = beside(loaded.declarations, loaded.intervals.select("interval_key", "last_day"), "interval_key")
    in_time = (pl.col("made_on") >= pl.col("last_day")).fill_null(False)
    said = rows.select(
        "interval_key",
        pl.col("made_on").alias("declared_on"),
        in_time.alias("declared_in_time"),
        *(pl.when(in_time | pl.col(name)).then(pl.col(name)).alias(name) for name in ANSWERS),
        *(
            pl.when(in_time).then(pl.col(name)).alias(name)
            for name in ("all_operations_listed", "all_nutrients_listed")
        ),
    )
    if said["interval_key"].is_unique().not_().arg_true().is_empty():
        return said
    latest = said.sort("declared_on", descending=True, nulls_last=False, maintain_order=True).group_by("interval_key")
    admitted = (pl.when(v.count_true(pl.col(name)) > 0).then(True).otherwise(pl.col(name).first()) for name in ANSWERS)
    return latest.agg(
        pl.exclude(*ANSWERS).first(), *(one.alias(name) for one, name in zip(admitted, ANSWERS, strict=True))
    )
