"""What the records say of nitrogen in one crop interval: amounts, days, inhibitors."""

import polars as pl

from provender.catalog.names import at_once, beside, collected
from provender.practices import verdict as v
from provender.practices.intervals import in_window
from provender.practices.prepared_book import PreparedBook
from provender.rule.law import RuleVersion

# Where small amounts of N ride along with something else (interpretation 21).
TRACE_METHODS = ("foliar", "with_herbicide")


def nitrogen_rows(loaded: PreparedBook, law: RuleVersion) -> pl.DataFrame:
    """Return the applications of each interval with what each counts as.

    Adds ``planted_first``, ``cover_from``, ``cover_until``, and the three-valued ``counts``: synthetic N that every
    requirement of 2100.053 speaks of. A row without any N is false; a trace is false (interpretation 21), where all
    that rides along on one day counts as one pass; null when the record does not say whether it carries synthetic N.
    """
    days = loaded.planted.select("interval_key", "planted_first")
    covers = loaded.covers.group_by("interval_key").agg(
        v.earliest(pl.col("seeded_on")).alias("cover_from"), v.latest(pl.col("terminated_on")).alias("cover_until")
    )
    rows = loaded.applications.with_columns(_carries().alias("_carries"))
    traces = _traces(rows, law)
    trace = pl.int_range(pl.len()).is_in(traces.implode()) if traces.len() else pl.lit(value=False)
    counts = pl.when(trace).then(False).otherwise(pl.col("_carries")).alias("counts")
    spans = beside(beside(rows, days, "interval_key"), covers, "interval_key")
    return spans.with_columns(trace.alias("trace"), counts).rename({"_carries": "carries"})


def _carries() -> pl.Expr:
    """Return whether a row carries synthetic N; null where the record does not say."""
    n, synthetic = pl.col("n_lb_per_ac"), pl.col("synthetic")
    # Zero pounds of a product whose grade holds N contradict each other, unless none of it was applied.
    graded = ((pl.col("n_pct") > 0) & (pl.col("rate") != 0).fill_null(True)).fill_null(False)
    return pl.when((n == 0) & ~graded).then(False).when(~synthetic | (n != 0).fill_null(True)).then(synthetic)


def _traces(rows: pl.DataFrame, law: RuleVersion) -> pl.Series:
    """Return the places of the rows that are a trace: small in their pass and, all together, in their season.

    Only rows that ride along can be one, so that only those few are summed.
    """
    n = pl.col("n_lb_per_ac")
    rides = pl.col("method").cast(pl.String).is_in(TRACE_METHODS).fill_null(False)
    pounds = pl.when(pl.col("_carries").fill_null(True)).then(n.fill_null(law.trace_n_pass_lb_per_ac))
    one_pass = v.sum_over(pounds, "interval_key", "day")
    small = pl.col("_carries").fill_null(False) & (one_pass < law.trace_n_pass_lb_per_ac).fill_null(False)
    season = v.sum_over(pl.when(pl.col("_small")).then(n).otherwise(0), "interval_key")
    small_ones = (
        rows.lazy()
        .select(pl.int_range(pl.len()).alias("_place"), "interval_key", "day", "n_lb_per_ac", "method", "_carries")
        .filter(rides)
        .with_columns(small.alias("_small"))
        .filter(pl.col("_small") & (season < law.trace_n_season_lb_per_ac))
    )
    return collected(small_ones, rows.height)["_place"]


def nutrient_facts(rows: pl.DataFrame, law: RuleVersion) -> pl.DataFrame:
    """Return one row per interval that has nutrient applications (``nitrogen_rows``); thousandths of a pound of N."""
    counts, day, n = pl.col("counts"), pl.col("day"), pl.col("n_lb_per_ac")
    maybe, sure = counts.fill_null(True), counts.fill_null(False)
    on_cover = day.is_between("cover_from", "cover_until").fill_null(True)
    cover_meant, fall, inhibited = pl.col("_cover_meant"), pl.col("_fall"), pl.col("inhibited")
    of_crop, over_unit = ~cover_meant.fill_null(False), pl.col("_over_unit")
    # What several sums ask is answered once a row; a sum of some rows takes the others as unknown, which is cheaper
    # than to pick them out group by group.
    answered = placed_in_time(rows, law).with_columns(_over_unit().alias("_over_unit"))
    found = answered.group_by("interval_key").agg(
        v.count_true(maybe).alias("n_rows"),
        v.count_null(counts).alias("n_unclear"),
        v.count_true(maybe & day.is_null()).alias("n_undated"),
        v.count_true(maybe & n.is_null()).alias("n_without_amount"),
        v.count_true(sure & pl.col("_early")).alias("n_early"),
        v.earliest(pl.when(sure).then(day)).alias("n_first_day"),
        # A trace is a reading of all and first alone (interpretation 82).
        v.count_true(pl.col("carries") & fall).alias("n_in_fall"),
        v.count_null(pl.col("carries") & fall).alias("n_fall_unclear"),
        v.count_true(sure & ~inhibited).alias("n_without_inhibitor"),
        v.count_true(maybe & inhibited.is_null()).alias("n_inhibitor_unclear"),
        v.count_true(sure & ~pl.col("accepted")).alias("inhibitor_refused"),
        v.count_true(maybe & pl.col("accepted").is_null()).alias("inhibitor_unlisted"),
        v.count_true(maybe & pl.col("inhibitor_rate").is_null() & ~pl.col("self_inhibited")).alias("inhibitor_unrated"),
        v.total(pl.when(sure).then(n)).known.alias("n_lb_per_ac"),
        v.total(pl.when(inhibited & sure).then(n)).known.alias("n_inhibited"),
        v.count_true(pl.col("trace")).alias("n_trace"),
        v.earliest(day).alias("nutrients_first_day"),
        v.count_null(day).alias("nutrients_undated"),
        v.count_true(cover_meant).alias("cover_applications"),
        v.count_true(_intent_unclear() & on_cover).alias("intent_unclear"),
        v.count_null(pl.col("method").cast(pl.String).replace("other", None)).alias("nutrients_without_method"),
        v.count_true(_beyond_unit(law)).alias("nutrients_beyond_unit"),
        v.count_true(pl.col("off_analysis_pct") > law.analysis_difference_pct_max).alias("n_off_analysis"),
        v.count_true(pl.col("synthetic_differs")).alias("n_synthetic_differs"),
        v.count_true(pl.col("under_label") & maybe).alias("inhibitor_under_label"),
        v.total(pl.when(of_crop).then(over_unit)).known.alias("n_all_lb_per_ac"),
        *(
            v.total(pl.when(of_crop).then(_over_unit(name))).known.alias(f"{name}_all_lb_per_ac")
            for name in ("p2o5", "k2o")
        ),
        v.total(pl.when(pl.col("trace") & of_crop).then(over_unit)).known.alias("n_trace_lb_per_ac"),
        v.total(pl.when(sure).then(over_unit)).known.alias("n_synthetic_over_unit"),
        pl.col("row_source").filter(_feeds()).drop_nulls().unique().alias("row_sources"),
        v.count_null(n + pl.col("p2o5_lb_per_ac") + pl.col("k2o_lb_per_ac")).alias("nutrients_without_npk"),
        pl.len().cast(pl.Int32).alias("nutrient_rows"),
    )
    return collected(found, rows.height)


def placed_in_time(rows: pl.DataFrame, law: RuleVersion) -> pl.LazyFrame:
    """Add to each application whether it lies in the fall, is too early for planting, and is meant for a cover."""
    day = pl.col("day")
    window_opens = pl.col("planted_first") - pl.duration(days=law.planting_window_days_before)
    open_ground = (day < pl.col("planted_first")) | day.is_between("cover_from", "cover_until").fill_null(False)
    return rows.lazy().with_columns(
        (in_window(day, law, "fall_n_window", pl.col("state")) & open_ground).alias("_fall"),
        (day < window_opens).alias("_early"),
        (pl.col("intended_for") == "cover_crop").alias("_cover_meant"),
    )


def _intent_unclear() -> pl.Expr:
    """Return where nothing says for which crop a row is meant; other is no answer (interpretation 85)."""
    meant = pl.col("intended_for").cast(pl.String)
    return (meant.is_null() & ~pl.col("named")) | (meant == "other").fill_null(value=False)


def _beyond_unit(law: RuleVersion) -> pl.Expr:
    """Return where more acres were treated than the unit has, beyond what two measures of one field may differ."""
    return pl.col("treated_acres") * 100_000 > pl.col("unit_acres") * (100_000 + law.boundary_difference_pct_max)


def misplaced_facts(rows: pl.DataFrame) -> pl.DataFrame:
    """Count per interval the applications of which day or named crop, and not both, are of it (interpretation 86)."""
    apart = rows.filter(pl.col("misplaced"))
    both = pl.concat([apart.select("interval_key"), apart.select(pl.col("crop_named").alias("interval_key"))])
    named = both.filter(pl.col("interval_key").is_not_null())
    return named.group_by("interval_key").agg(pl.len().cast(pl.Int32).alias("nutrients_misplaced"))


def _over_unit(nutrient: str = "n") -> pl.Expr:
    """Return pounds for each acre of the whole unit: less than were typed where only a part of it was treated."""
    n, treated, acres = pl.col(f"{nutrient}_lb_per_ac"), pl.col("treated_acres"), pl.col("unit_acres")
    return pl.when(treated < acres).then((2 * n * treated + acres) // (2 * acres)).otherwise(n)


def _feeds() -> pl.Expr:
    """Return the rows that belong to another source than commercial fertilizer: starter only where it holds N."""
    return (pl.col("row_source") != "starter") | (pl.col("counts").fill_null(False) & (pl.col("n_lb_per_ac") > 0))


def on_standing_cover(loaded: PreparedBook, nitrogen: pl.DataFrame, law: RuleVersion) -> pl.LazyFrame:
    """Return what went on a cover that stood before the previous crop was harvested; ``of_cover`` is its interval."""
    spans = (
        loaded.covers.lazy()
        .group_by("interval_key", "unit_key")
        .agg(v.earliest(pl.col("seeded_on")).alias("since"))
        .join(loaded.intervals.lazy().select("interval_key", "starts_on"), on="interval_key", how="inner")
        .filter(pl.col("since") < pl.col("starts_on"))
        .rename({"interval_key": "of_cover"})
    )
    rows = (
        nitrogen.lazy()
        .join(spans, on="unit_key", how="inner")
        .filter(pl.col("interval_key").ne_missing(pl.col("of_cover")))
        .filter(pl.col("day").is_between("since", "starts_on"))
    )
    return rows.with_columns(
        in_window(pl.col("day"), law, "fall_n_window", pl.col("state")).alias("_fall"),
        (pl.col("intended_for").cast(pl.String) == "cover_crop").alias("_cover_meant"),
    )


def standing_cover_facts(loaded: PreparedBook, nitrogen: pl.DataFrame, law: RuleVersion) -> pl.DataFrame:
    """Count what went on a cover crop that stood before the previous crop was harvested (interpretations 15, 23).

    Those rows lie in the interval of the crop before; the cover belongs to the crop that follows.
    """
    rows = on_standing_cover(loaded, nitrogen, law)
    meant, in_fall = pl.col("_cover_meant"), pl.col("_fall")
    return at_once(
        rows.group_by(pl.col("of_cover").alias("interval_key")).agg(
            v.count_true(pl.col("carries") & in_fall).alias("n_in_fall_earlier"),
            v.count_null(pl.col("carries") & in_fall).alias("n_fall_earlier_unclear"),
            v.count_true(meant).alias("cover_applications_earlier"),
            v.count_true(_intent_unclear()).alias("intent_unclear_earlier"),
        )
    )


def in_zones(rows: pl.DataFrame) -> pl.DataFrame:
    """Give every row the zones it fed, as ``of_zone``: its own, or each of the unit's where it names none.

    Where the zones do not cover the unit the rest of it is one more, which only rows without a zone fed.
    """
    named = rows.filter(pl.col("zone").is_not_null())
    if named.is_empty():
        return rows.with_columns(pl.lit(None, pl.String).alias("of_zone"))
    areas = named.group_by("interval_key", "zone").agg(
        v.most(pl.col("treated_acres")).alias("_acres"), pl.col("unit_acres").first()
    )
    rest = (
        areas.group_by("interval_key")
        .agg(v.total(pl.col("_acres")).known.alias("_fed"), pl.col("unit_acres").first())
        .filter((pl.col("_fed") < pl.col("unit_acres")).fill_null(True))
        .select("interval_key", pl.lit("the rest of the unit").alias("of_zone"))
    )
    every = pl.concat([areas.select("interval_key", pl.col("zone").alias("of_zone")), rest])
    own = rows.with_columns(pl.col("zone").alias("of_zone")).filter(pl.col("zone").is_not_null())
    all_over = rows.filter(pl.col("zone").is_null()).join(every, on="interval_key", how="left")
    empty = every.join(pl.concat([own, all_over]), on=["interval_key", "of_zone"], how="anti")
    bands = rows.select("interval_key", "emerges_from", "emerged_by").unique("interval_key")
    nothing = empty.join(bands, on="interval_key", how="left").with_columns(
        pl.lit(0, pl.Int64).alias("n_lb_per_ac"), pl.lit(value=False).alias("counts")
    )
    return pl.concat([own, all_over, nothing], how="diagonal")


def _band(law: RuleVersion) -> tuple[pl.Expr, pl.Expr]:
    """Return the first and the last day on which the crop of an interval may have emerged."""
    soonest, latest = law.emergence_days_earliest, law.emergence_days_latest
    dated = (pl.col("emergence_unseen") == 0) & (pl.col("plantings_undated") == 0)
    seen = dated & (pl.col("emergence_soonest") >= soonest)
    starts = pl.when(seen).then("emerged_first").otherwise(pl.col("planted_first") + pl.duration(days=soonest))
    ends = pl.when(seen).then("emerged_last").otherwise(pl.col("planted_last") + pl.duration(days=latest))
    return starts.alias("emerges_from"), ends.alias("emerged_by")


def _days(days: pl.Expr) -> pl.Expr:
    return days.drop_nulls().n_unique().cast(pl.Int32)


def split_facts(loaded: PreparedBook, nitrogen: pl.DataFrame, law: RuleVersion) -> pl.DataFrame:
    """Return per interval the synthetic N before, in and after the band in which the crop emerged (interpretation 24).

    Emergence seen gives a border of one day, unless it was seen sooner after planting than any crop emerges; otherwise
    it lies between the earliest day after the first planting and the latest day after the last. N of unknown day or
    amount, and post-emergence N on part of the unit, is *in the band*: it may be either. Part-field N before emergence
    counts in full. Amounts: thousandths of a pound of N per acre.
    """
    bands = loaded.planted.select("interval_key", *_band(law))
    rows = in_zones(beside(nitrogen, bands, "interval_key"))
    counts, day, n = pl.col("counts"), pl.col("day"), pl.col("n_lb_per_ac")
    maybe, sure = counts.fill_null(True), counts.fill_null(False)
    before = sure & (day < pl.col("emerges_from")).fill_null(False)
    part = pl.col("part_field") & pl.col("zone").is_null()
    after = sure & (day > pl.col("emerged_by")).fill_null(False) & ~part
    band = maybe & ~before & ~after
    # Most farms name no zones, and one key is grouped faster than two.
    zoned = rows["of_zone"].null_count() < rows.height
    zones = (
        rows.lazy()
        .group_by("interval_key", *(["of_zone"] if zoned else []))
        .agg(
            pl.col("emerges_from").first(),
            pl.col("emerged_by").first(),
            v.total(pl.when(before).then(n)).known.alias("n_before"),
            v.total(pl.when(after).then(n)).known.alias("n_after"),
            v.total(pl.when(band).then(n)).known.alias("n_band"),
            v.count_true(n.is_null() & maybe).alias("n_split_unknown"),
            v.count_true(part & sure).alias("n_part_field"),
            _days(pl.when(sure & ~part).then(day)).alias("n_days"),
            v.count_true(maybe & (counts.is_null() | day.is_null() | part)).alias("n_days_unsure"),
        )
    )
    possible = pl.col("n_after") + pl.col("n_band")
    found = zones.group_by("interval_key").agg(
        pl.col("emerges_from", "emerged_by").first(),
        v.most(pl.col("n_before")),
        v.least(pl.col("n_after")),
        (v.least(possible) - v.least(pl.col("n_after"))).alias("n_band"),
        v.total(pl.col("n_split_unknown")).known.alias("n_split_unknown"),
        v.total(pl.col("n_part_field")).known.alias("n_part_field"),
        v.least(pl.col("n_days")).alias("n_days"),
        v.least(pl.col("n_days") + pl.col("n_days_unsure")).alias("n_days_most"),
    )
    return collected(found, rows.height)
