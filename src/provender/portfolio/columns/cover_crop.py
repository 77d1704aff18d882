"""2100.052 in columns: the cover crop practice (a) and its records (b), as ``standards.cover_crop`` says them.

A plain farm seeds its covers after the crop before was harvested, so each belongs to the crop that follows.
"""

from typing import Final

import polars as pl

from provender.portfolio.columns import intervals as v
from provender.portfolio.columns.intervals import expression, in_window
from provender.portfolio.columns.prepare import PreparedBook
from provender.portfolio.columns.tillage import admitted, not_burned
from provender.portfolio.frames import at_once, beside, collected
from provender.rule.law import RuleVersion
from provender.standards.standard import WHOLE

_WINTER_KILL: Final = "winter_kill"
_OF_EACH: Final = ("suits", "fall", "spring")
"""What each cover crop answers by itself."""


def cover_facts(loaded: PreparedBook, planted: pl.DataFrame, law: RuleVersion) -> pl.DataFrame:
    """Return one row per interval that has cover crops.

    The fall is the one before the production crop: seeded before its first planting and less than a year before.
    """
    covers = loaded.covers.filter(pl.col("interval_key").is_not_null())
    rows = beside(covers, planted.select("interval_key", "planted_first"), "interval_key").lazy()
    state, seeded, planted_on = pl.col("state"), pl.col("seeded_on"), pl.col("planted_first")
    before = (seeded < planted_on) & (seeded > planted_on.dt.offset_by("-1y"))
    suits = pl.when(pl.col("suits_site_source").is_not_null() | ~pl.col("suits_site")).then("suits_site")
    in_spring = in_window(pl.col("terminated_on"), law, "cover_termination_window", state)
    answers = {
        "suits": suits,
        "fall": in_window(seeded, law, "cover_seeding_window", state) & before,
        "spring": _ended(law),
    }
    judged = rows.with_columns(in_spring.alias("_in_spring")).with_columns(
        answers[name].alias(f"_{name}") for name in _OF_EACH
    )
    found = judged.group_by("interval_key").agg(
        pl.len().cast(pl.Int32).alias("covers"),
        v.total(pl.col("seeded_acres")).known.alias("cover_acres"),
        pl.col("seeded_acres").max().alias("cover_acres_most"),
        *(count(pl.col(f"_{name}")).alias(f"{name}_{end}") for name in _OF_EACH
          for end, count in (("false", v.count_false), ("unknown", v.count_null))),
        v.count_null(pl.col("termination_method")).alias("method_unknown"),
        v.total(pl.col("legumes")).known.alias("legumes"),
        v.total(pl.col("rates_unknown")).known.alias("rates_unknown"),
        v.earliest(seeded).alias("cover_from"),
        v.earliest(pl.col("terminated_on")).alias("ended_first"),
        v.latest(pl.col("terminated_on")).alias("cover_until"),
        v.count_null(pl.col("terminated_on")).alias("terminations_undated"),
        v.count_null(pl.col("method").cast(pl.String).replace("other", None)).alias("seedings_without_method"),
        v.count_null(pl.col("seeded_acres")).alias("seedings_without_acres"),
        v.count_false(pl.col("supported")).alias("covers_without_photo"),
    )  # fmt: skip
    return collected(found, covers.height)


def _ended(law: RuleVersion) -> pl.Expr:
    """Return whether a cover ended in spring, or died in winter; null where its days contradict each other."""
    in_spring, ended = pl.col("_in_spring"), pl.col("terminated_on")
    in_order = ended.is_between("seeded_on", "last_day", closed="right")
    # A day out of order says that one of the dates is wrong: neither in spring nor out of it.
    by_other_means = pl.when(in_order | ~in_spring).then(in_spring)
    # Frost kills after seeding and in a winter, and it is seen at the end of spring at the latest.
    wintry = in_window(ended, law, "winter_kill_window", pl.col("state"))
    before_next = in_spring | (ended <= pl.col("planted_first")).fill_null(value=True)
    by_winter = pl.when((in_order & (in_spring | (wintry & before_next))) | ended.is_null()).then(True)
    killed = (pl.col("termination_method").cast(pl.String) == _WINTER_KILL).fill_null(value=False)
    return pl.when(killed).then(by_winter).otherwise(by_other_means)


def residue_facts(operations: pl.DataFrame, frame: pl.DataFrame) -> pl.DataFrame:
    """Count what disturbs the cover and its residue up to the last planting, that day included (interpretation 63).

    A full-width pass after seeding ends a living cover and buries a dead one, whatever day the records give for its
    end. ``frame`` holds the facts so far.
    """
    spans = frame.filter(pl.col("covers") > 0).select("interval_key", "cover_from", "ended_first", "planted_last")
    full, day = admitted("full_width"), pl.col("day")
    rows = operations.lazy().join(spans.lazy(), on="interval_key", how="inner")
    planted = day <= pl.col("planted_last")
    residue = (day >= pl.col("ended_first")) & planted
    living = (day > pl.col("cover_from")) & (day < pl.col("ended_first")) & planted
    sums = rows.group_by("interval_key").agg(
        v.count_true(residue & full).alias("residue_passes"),
        v.count_true(residue & full.is_null()).alias("residue_unknown"),
        v.count_true(living & full).alias("cover_tilled"),
        v.count_true(living & full.is_null()).alias("cover_tilled_unknown"),
    )
    return at_once(sums)


def _every(name: str) -> pl.Expr:
    return v.every(pl.col(f"{name}_false"), pl.col(f"{name}_unknown"), pl.col("covers"))


def _where_covered(answer: pl.Expr) -> pl.Expr:
    return pl.when(pl.col("covers") > 0).then(answer)


@expression
def cover_crop_suits_site(_: RuleVersion) -> pl.Expr:
    """The producer states it and names by whose guidance; a yes without a source shows nothing."""
    return _every("suits")


@expression
def cover_crop_on_whole_unit(law: RuleVersion) -> pl.Expr:
    """All seedings are added up; one of more acres than the unit has is of another unit, or mistyped."""
    seeded, acres, tolerance = pl.col("cover_acres") * WHOLE, pl.col("acres"), law.boundary_difference_pct_max
    enough = seeded >= acres * (WHOLE - tolerance)
    beyond = pl.col("cover_acres_most") * WHOLE > acres * (WHOLE + tolerance)
    short = ~enough & (pl.col("seedings_without_acres") == 0)
    return _where_covered(pl.when(beyond).then(None).when(enough).then(True).when(short).then(False))


def _with_legume(answer: pl.Expr) -> pl.Expr:
    """Without a legume there is nothing to show."""
    return _where_covered(pl.when(pl.col("legumes") > 0).then(answer).otherwise(True))


@expression
def cover_crop_legume_budget(_: RuleVersion) -> pl.Expr:
    """The budget was made before the harvest and says how much; zero is an answer."""
    return _with_legume(v.shown(pl.col("legume_n_lb_per_ac").is_not_null()))


@expression
def cover_crop_legume_n_adjusted(_: RuleVersion) -> pl.Expr:
    """Before soybeans a stated zero is an adjustment (interpretation 19); elsewhere only if the legume gives none."""
    zero_fits = (pl.col("crop").cast(pl.String) == "soybeans") | (pl.col("legume_n_lb_per_ac") == 0)
    planned, taken = pl.col("planned_n_lb_per_ac"), pl.col("n_adjustment_lb_per_ac")
    most = (pl.col("synthetic_n_need_lb_per_ac") - taken).clip(0)
    return _with_legume(
        pl.when(taken > 0).then((planned == 0) | (planned <= most)).when(taken == 0).then(zero_fits)
    )  # fmt: skip


@expression
def cover_crop_seeded_in_fall(_: RuleVersion) -> pl.Expr:
    """Fall is a window by State (interpretation 16), and the one before this crop's first planting."""
    return _every("fall")


@expression
def cover_crop_before_this_crop(_: RuleVersion) -> pl.Expr:
    """A cover that was seeded after the crop before ended belongs to no other crop."""
    return _where_covered(pl.lit(value=True))


@expression
def cover_crop_termination_method(_: RuleVersion) -> pl.Expr:
    """Methods of a plain farm are allowed ones; tillage before the day recorded was the end (interpretation 63)."""
    known = pl.col("operations_complete") & pl.col("planted_first").is_not_null()
    tilled = v.none_of(pl.col("cover_tilled"), pl.col("cover_tilled_unknown"), known)
    return v.every(pl.lit(0), pl.col("method_unknown"), pl.col("covers")) & _where_covered(tilled)


@expression
def cover_crop_terminated_in_spring(_: RuleVersion) -> pl.Expr:
    """Spring is a window by State; for winter kill the day need not be known (interpretation 16)."""
    return _every("spring")


@expression
def cover_crop_not_harvested_or_grazed(_: RuleVersion) -> pl.Expr:
    """The producer answers both (interpretation 2); on a plain farm no pass grazes a cover or makes hay of it."""
    is_listed = pl.when("operations_complete").then(statement=True)
    return _where_covered(~pl.col("cover_grazed") & ~pl.col("cover_harvested") & is_listed)


@expression
def cover_crop_residue_stays(_: RuleVersion) -> pl.Expr:
    """No full-width pass after termination, until the last planting (interpretations 18, 63)."""
    known = (
        pl.col("operations_complete") & (pl.col("terminations_undated") == 0) & pl.col("planted_first").is_not_null()
    )
    return _where_covered(v.none_of(pl.col("residue_passes"), pl.col("residue_unknown"), known))


@expression
def cover_crop_residue_not_burned(law: RuleVersion) -> pl.Expr:
    """A missing row shows nothing: the producer answers (interpretation 2)."""
    return _where_covered(not_burned(law))


@expression
def cover_crop_not_fertilized(_: RuleVersion) -> pl.Expr:
    """On a plain farm nothing is meant for the cover; what went on it says for which crop (interpretation 17)."""
    answered = pl.col("cover_fertilized").is_not_null()
    none = v.none_of(pl.lit(0), pl.col("intent_unclear"), answered)
    return _where_covered(none & ~pl.col("cover_fertilized"))


# (b) Records.


def _of_covers(*missing: str) -> pl.Expr:
    return v.shown((pl.col("covers") > 0) & pl.all_horizontal(pl.col(name) == 0 for name in missing))


@expression
def records_cover_seed(_: RuleVersion) -> pl.Expr:
    """Judged across the operation, species by species (``supply``)."""
    return v.shown(pl.col("seed_lasted") & (pl.col("seed_since") <= pl.col("last_day")) & (pl.col("covers") > 0))


@expression
def records_cover_seeding(_: RuleVersion) -> pl.Expr:
    """Every seeding with every species of its mix."""
    return _of_covers("seedings_without_method", "rates_unknown")


@expression
def records_cover_acres(_: RuleVersion) -> pl.Expr:
    """Every seeding has its acres."""
    return _of_covers("seedings_without_acres")


@expression
def records_cover_photograph(_: RuleVersion) -> pl.Expr:
    """The file is needed, not its name (interpretation 59)."""
    return _of_covers("covers_without_photo")


@expression
def records_cover_termination(_: RuleVersion) -> pl.Expr:
    """For winter kill, the day on which it was seen dead."""
    return _of_covers("terminations_undated", "method_unknown")
