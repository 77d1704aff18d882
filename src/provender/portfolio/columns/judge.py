"""Verdicts of a batch of farms: one wide row per crop interval of a plain farm, one column per requirement."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final, NamedTuple

import polars as pl

from provender.portfolio.columns import cover_crop, nutrients, tillage
from provender.portfolio.columns import intervals as v
from provender.portfolio.columns.intervals import EXPRESSIONS, links, place
from provender.portfolio.columns.prepare import VOLUME_OZ, PreparedBook
from provender.portfolio.columns.tillage import logs_may_decide
from provender.portfolio.frames import at_once, folded, rows_of
from provender.records.book import ENDINGS, TERMINATED
from provender.rule.crops import Crop, Practice, claimable
from provender.rule.law import RuleVersion, governing_version, latest_whole
from provender.standards.cover_crop import ALLOWED_ENDS, USES_OF_COVER
from provender.standards.standard import OTHER, Part, of_practice
from provender.standards.unit import LOGS_OF_HARVEST, TRACE_METHODS

RECORDS = "_records"
SHOWN = ("full_width_passes", "stir_recorded", "stir_published", "cover_acres", "synthetic_n_lb_per_ac")
"""Numbers beside the verdicts: STIR in ten-thousandths, acres and pounds per acre in thousandths."""


class Judged(NamedTuple):
    """What the columns say of a batch."""

    verdicts: pl.DataFrame  # of the plain farms
    care: pl.Series  # the farms that are not plain


def judge(loaded: PreparedBook) -> Judged:
    """Judge every requirement of every closed interval of a feedstock crop of the plain farms.

    Returns:
        The facts of each interval, one Boolean column per requirement (true met, false not met, null not shown), one
        per practice (its implementation), one per practice with ``_records`` (its records), ``rule_id`` and
        ``later_rule``. A practice that the crop may not claim is false (2100.012). Intervals that ended before the
        rule was in force, or on an unknown day, are left out: ``not_covered`` returns them.
    """
    farm_wide = supplies(loaded)
    parts = [_answered(_facts(loaded, keys, law, farm_wide), law) for law, keys in _versions(loaded.intervals).items()]
    none = pl.DataFrame(schema={"interval_key": pl.UInt32, "farm_id": pl.String})
    facts = pl.concat([*parts, none], how="diagonal").sort("interval_key") if len(parts) != 1 else parts[0]
    odd = _farms_to_hand_over(loaded, facts, farm_wide)
    return Judged(facts.filter(~pl.col("farm_id").is_in(odd.implode())), odd)


def not_covered(loaded: PreparedBook) -> pl.DataFrame:
    """Return the intervals of feedstock crops that no loaded rule version governs, or whose day is unknown."""
    covered = list(_versions(loaded.intervals).values())
    known = pl.concat(covered) if covered else pl.Series("interval_key", [], pl.UInt32)
    return loaded.intervals.filter(pl.col("feedstock") & ~pl.col("interval_key").is_in(known.implode()))


def _versions(intervals: pl.DataFrame) -> dict[RuleVersion, pl.Series]:
    """Group intervals of feedstock crops by the version of the rule that governs their harvest (interpretation 1)."""
    rows = intervals.filter(pl.col("feedstock") & pl.col("last_day").is_not_null())
    days: dict[RuleVersion, list[object]] = {}
    for day in rows["last_day"].unique().sort():
        if law := governing_version(day):
            days.setdefault(law, []).append(day)
    return {law: rows.filter(pl.col("last_day").is_in(of))["interval_key"] for law, of in days.items()}


def _facts(book: PreparedBook, keys: pl.Series, law: RuleVersion, farm_wide: pl.DataFrame) -> pl.DataFrame:
    """Return one row per interval; counts are 0 where there are no rows, days and answers null where nobody says."""
    loaded = replace(book, intervals=book.intervals.filter(pl.col("interval_key").is_in(keys.implode())))
    planted = _planted(loaded.plantings, law)
    covers = cover_crop.cover_facts(loaded, planted, law)
    implied = tillage.implied_facts(
        loaded.operations, loaded.applications, loaded.covers.filter(pl.col("unit_key") == pl.col("unit_of_crop")),
        loaded.plantings, law.implied_pass_days,
    )  # fmt: skip
    counted = [
        tillage.tillage_facts(loaded.operations), covers, implied,
        nutrients.application_facts(loaded, planted, covers, law),
    ]  # fmt: skip
    frame = _beside(loaded.intervals, counted, counts=True)
    said = [planted, _declared(loaded), nutrients.budget_facts(loaded, law)]
    frame = _beside(frame, said)
    frame = _beside(frame, [cover_crop.residue_facts(loaded.operations, frame)], counts=True)
    frame = frame.join(farm_wide, on="farm_id", how="left", maintain_order="left")
    return at_once(nutrients.derived(tillage.derived(frame.lazy(), law), law))


def _beside(frame: pl.DataFrame, parts: Iterable[pl.DataFrame], *, counts: bool = False) -> pl.DataFrame:
    """Put facts beside their intervals; of rows that are counted there are none where a part has no row."""
    found = [rows_of(part, "interval_key", frame["interval_key"]) for part in parts]
    if counts:
        found = [part.with_columns(pl.col(pl.Int32, pl.Int64, pl.UInt32).fill_null(0)) for part in found]
    return pl.concat([frame, *found], how="horizontal")


def _planted(plantings: pl.DataFrame, law: RuleVersion) -> pl.DataFrame:
    """Return first and last planting of each interval, and the first and last day on which the crop may have emerged.

    Emergence seen on every planting gives its days, unless it was seen sooner than any crop emerges.
    """
    day, up, soonest = pl.col("planted_on"), pl.col("emerged_on"), law.emergence_days_earliest
    seen = (up.null_count() == 0) & ((up - day).dt.total_days().min() >= soonest)
    first = pl.when(seen).then(up.min()).otherwise(day.min() + pl.duration(days=soonest))
    last = pl.when(seen).then(up.max()).otherwise(day.max() + pl.duration(days=law.emergence_days_latest))
    return (
        plantings.filter(pl.col("interval_key").is_not_null())
        .group_by("interval_key")
        .agg(
            v.earliest(day).alias("planted_first"),
            v.latest(day).alias("planted_last"),
            first.alias("emerges_from"),
            last.alias("emerged_by"),
        )
    )


_ANSWERS = ("residue_burned", "cover_grazed", "cover_harvested", "cover_fertilized", "manure_applied", "irrigation_n")
_LISTED = ("all_operations_listed", "all_nutrients_listed")


def _declared(loaded: PreparedBook) -> pl.DataFrame:
    """Return what the declaration of each interval says.

    One made before the interval closed cannot speak for what followed, so its *no* and its *all listed* are null; a
    *yes* to something that must not happen stands whenever it was said (interpretation 2).
    """
    ends = loaded.intervals.select("interval_key", "last_day")
    rows = loaded.declarations.join(ends, on="interval_key").unique("interval_key", keep="any")
    in_time = (pl.col("made_on") >= pl.col("last_day")).fill_null(value=False)
    return rows.select(
        "interval_key",
        *(pl.when(in_time | pl.col(name)).then(pl.col(name)).alias(name) for name in _ANSWERS),
        *(pl.when(in_time).then(pl.col(name)).alias(name) for name in _LISTED),
    )


def _answered(facts: pl.DataFrame, law: RuleVersion) -> pl.DataFrame:
    crop = pl.col("crop").cast(pl.String)
    credit = (
        pl.when(crop.is_in([str(of) for of in Crop if practice in claimable(of)]))
        .then(v.all_of([one.name for one in of_practice(practice, part)]))
        .otherwise(statement=False)
        .alias(str(practice) + ending)
        for practice in Practice
        for part, ending in ((Part.IMPLEMENTATION, ""), (Part.RECORDS, RECORDS))
    )
    governed = (pl.lit(law.id).alias("rule_id"), pl.lit(law.later_rule_in_force).alias("later_rule"))
    answers = (answer(law).alias(name) for name, answer in EXPRESSIONS.items())
    acres = pl.when(pl.col("seedings_without_acres") == 0).then("cover_acres").alias("cover_acres")
    pounds = pl.col("n_lb_per_ac").alias("synthetic_n_lb_per_ac")
    return at_once(facts.lazy().with_columns(answers).with_columns(*credit, *governed, acres, pounds))


# Which farms are not plain, so that the law itself judges them: the one place that says what columns leave out.

_ALWAYS: Final = ("control", "in_season_test", "operation_tool")
"""Kinds of record whose rows are judged by the law alone."""


def _farms_to_hand_over(loaded: PreparedBook, facts: pl.DataFrame, supplies: pl.DataFrame) -> pl.Series:
    """Return the farms that are not plain.

    Args:
        loaded: the records of the batch.
        facts: one row per interval, as ``judge`` has them.
        supplies: seed and inhibitor of each farm (``supplies``).
    """
    seed = pl.col("seed_lasted").is_null() & pl.col("seed_since").is_not_null()
    inhibitor = pl.col("inhibitor_lasted").is_null() & pl.col("inhibitor_since").is_not_null()
    farms = [loaded.book[kind]["farm_id"] for kind in _ALWAYS]
    farms += [_of_harvests(loaded), _of_books(loaded), *_of_crops(loaded)]
    farms += [_of_applications(loaded.applications), supplies.filter(seed | inhibitor)["farm_id"]]
    if not facts.is_empty():
        farms.append(facts.filter(logs_may_decide() | (pl.col("low_with_evidence") > 0))["farm_id"])
    units = pl.concat(_of_units(loaded)).unique()
    farms.append(loaded.units.filter(pl.col("unit_key").is_in(units.implode()))["farm_id"])
    return pl.concat(one.cast(pl.String) for one in farms).unique().drop_nulls().sort()


def _of_books(loaded: PreparedBook) -> pl.Series:
    """Mark budgets by an expert's opinion, several of a crop, manure or a cut cover that is declared, rates of labels.

    And States that say something twice of an inhibitor.
    """
    book = loaded.book
    state, said = pl.col("state").str.strip_chars().str.to_uppercase(), book["inhibitor_acceptance"]
    labels = pl.col("label_rate").is_not_null() | pl.struct("farm_id", state, folded("inhibitor")).is_duplicated()
    opinion = book["nutrient_budget"].filter(pl.col("basis").cast(pl.String) == "expert_opinion")
    rivals = loaded.budgets.filter(pl.col("budgets") > 1)
    admitted = book["declaration"].filter(pl.col("manure_applied") | pl.col("cover_harvested"))
    return pl.concat(one["farm_id"] for one in (said.filter(labels), opinion, rivals, admitted))


def _of_harvests(loaded: PreparedBook) -> pl.Series:
    """Mark crops that are none, stands given up, ends without a day or out of order, and what was weighed before."""
    harvest, near = loaded.book["harvest"], pl.duration(days=latest_whole("implied_pass_days"))
    ending = pl.col("ending").cast(pl.String)
    first, last = pl.coalesce("first_day", "last_day"), pl.coalesce("last_day", "first_day")
    unnamed = (pl.col("crop").cast(pl.String) == OTHER).fill_null(value=False)
    odd = unnamed | (ending == TERMINATED) | (ending.is_in(ENDINGS) & ~(first <= last).fill_null(value=False))
    begun = loaded.intervals.select(
        "farm_id",
        "unit_id",
        pl.col("crop").cast(pl.String),
        "harvest_year",
        (pl.col("first_day") - near).alias("_begun"),
    )
    tickets = loaded.book["scale_ticket"].select(
        "farm_id", "unit_id", pl.col("crop").cast(pl.String), "day", pl.col("harvest_year").alias("_year")
    )
    weighed = tickets.join(begun, on=["farm_id", "unit_id", "crop"]).filter(pl.col("day") < pl.col("_begun"))
    fresh = (pl.col("_year").is_null() | (pl.col("_year") == pl.col("day").dt.year())) & (
        (pl.col("_begun") - pl.col("day")).dt.total_days() <= latest_whole("harvest_apart_days")
    )
    of_year = (pl.col("_year") == pl.col("harvest_year")).fill_null(value=False)
    named = harvest.filter(pl.col("evidence").is_not_null()).select("farm_id", "evidence", first.alias("_first"))
    logs = links(named, "evidence", loaded.evidence).filter(
        pl.col("what").is_in(LOGS_OF_HARVEST), pl.col("taken_on") < pl.col("_first") - near
    )
    return pl.concat([harvest.filter(odd)["farm_id"], weighed.filter(of_year | fresh)["farm_id"], logs["farm_id"]])


def _of_crops(loaded: PreparedBook) -> Iterator[pl.Series]:
    """Mark days of plantings and covers outside the time of the crop they name, and what covers seldom have."""
    plantings, covers = loaded.plantings, loaded.covers
    key, named = pl.col("interval_key"), pl.col("interval_key").is_not_null()
    planted = place(plantings["unit_key"], plantings["planted_on"], loaded.intervals)
    elsewhere = planted.ne_missing(plantings["interval_key"]) | plantings["planted_on"].is_null()
    beyond = (plantings["acres"] > loaded.units["acres"].gather(plantings["unit_key"])).fill_null(value=False)
    yield plantings.filter(elsewhere | beyond)["farm_id"]
    seeded = place(covers["unit_key"], covers["seeded_on"], loaded.intervals).ne_missing(covers["interval_key"])
    ended = place(covers["unit_key"], covers["terminated_on"], loaded.intervals)
    late = covers["terminated_on"].is_not_null() & ended.ne_missing(covers["interval_key"])
    method = pl.col("termination_method").cast(pl.String)
    marks = (
        pl.col("unit_key") != pl.col("unit_of_crop"),
        pl.col("seeded_on").is_null(),
        pl.col("terminated_on") < pl.col("seeded_on"),
        (pl.col("species_rows") == 0) | (pl.col("species_unknown") > 0),
        ~method.is_in(ALLOWED_ENDS),
        pl.col("method").cast(pl.String) == "broadcast_incorporated",
        pl.col("planted_green").is_not_null(),
    )
    yield covers.filter(seeded | late | v.any_mark(marks))["farm_id"]
    yield loaded.declarations.filter(key.is_duplicated())["farm_id"]
    used = loaded.operations.filter(pl.col("op_group").is_in(USES_OF_COVER))["interval_key"].unique()
    yield covers.filter(named & key.is_in(used.implode()))["farm_id"]


def _of_applications(rows: pl.DataFrame) -> pl.Series:
    """Mark applications without a day, of another crop's time, by zones, for the cover, off the list, and traces."""
    riding = pl.col("method").cast(pl.String).is_in(TRACE_METHODS)
    marks = (
        pl.col("day").is_null(),
        pl.col("misplaced"),
        pl.col("zone").is_not_null(),
        pl.col("treated_acres") == 0,
        pl.col("intended_for").cast(pl.String) == "cover_crop",
        pl.col("product_synthetic_n").is_null(),
        pl.col("product_inhibitor").is_not_null(),
        pl.col("carries").is_null(),
        riding & pl.col("carries"),
    )
    return rows.filter(v.any_mark(marks))["farm_id"]


def _of_units(loaded: PreparedBook) -> list[pl.Series]:
    """Mark units with a pass without a day, over more acres than there are, or that harvests at another time."""
    near = pl.duration(days=latest_whole("implied_pass_days"))
    passes = loaded.operations
    undated = passes.filter(pl.col("day").is_null() | pl.col("is_beyond_unit"))["unit_key"]
    starts = loaded.intervals.select("interval_key", "first_day")
    cut = passes.filter("is_harvest").join(starts, on="interval_key", how="left")
    stray = pl.col("interval_key").is_null() | (pl.col("day") < pl.col("first_day") - near)
    return [undated, cut.filter(stray.fill_null(value=True))["unit_key"]]


# Cover-crop seed and inhibitor bought, held against what the whole farm used, where that is plain.


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
