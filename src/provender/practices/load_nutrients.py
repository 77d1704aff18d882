"""Nutrient applications and budgets beside what the catalogue knows of their products."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import polars as pl

from provender.catalog.fertilizers import ORGANIC, inhibitors_frame, products_frame, synthetic_words
from provender.catalog.names import at_once, folded, rows_at, spellings, with_folded, without
from provender.catalog.places import STATE_BY_FIPS
from provender.practices import verdict as v
from provender.practices.intervals import place
from provender.practices.stands import entries_of, to_harvested
from provender.records.book import RecordBook

# What a person writes where there was no inhibitor.
NO_INHIBITOR: Final = ("none", "no", "without")
# The sources of a budget that synthetic nitrogen can stand under.
FERTILIZERS: Final = ("commercial_fertilizer", "starter")
_NUTRIENTS: Final = ("n", "p2o5", "k2o")
RESULTS: Final = ("nitrate_n_ppm", "p_ppm", "k_ppm")
"""What of a soil test is a result about nutrients; pH and organic matter alone are none (2100.053(a)(2), (e)(2))."""
_POUNDS_PER_TON: Final = 2000
_ROUNDING: Final = 1000
WHOLLY_OFF: Final = 10**9
STARTER_METHODS: Final = ("starter_band", "in_furrow")
_ORGANIC_BRANDS: Final = r"\b(?:sustane|nature\W?safe|(?:perdue )?agri\W?recycle|organic|omri)\b"
"""Names under which plant and animal matter is sold whose source a budget may call by more than one word."""
_MINED: Final = r"\bchilean nitrate\b|\bchilean? soda\b|\bnitrate of soda\b|\bsodium nitrate\b"
"""Nitrate that is mined, or made: the rule does not define synthetic nitrogen, so the person is asked."""
UNNAMED: Final = "organic"
"""Nitrogen that is said not to be synthetic, of a product that no list and no word places."""
SYNTHETIC: Final = (
    r"\b(?:u\W?a\W?n\W?[0-9]*|un\W?32|urea(?:\W?[0-9]+|form\w*)?|anhydrous|ammonia|ammoniated|nh[34]\w*|dap|map"
    r"|mes\W?(?:z|s?10)?|esn|ams\W?[0-9]*|ats|ammonium|calcium nitrate|potassium nitrate|thio\W?sul\w*|polyphosphate"
    r"|nitrogen solution|liquid n(?:itrogen)?|n\W?sol\w*|can\W?(?:17|27)|super\W?u|triazone)\b"
)
"""Words of products whose nitrogen is made, whatever else they are called."""
_GRADE: Final = (
    r"\b([0-9]{1,2})(?:\.[0-9]+)? ?[-\x{2010}-\x{2013}] ?[0-9]{1,2}(?:\.[0-9]+)? ?[-\x{2010}-\x{2013}] ?[0-9]{1,2}"
)
_PERCENT: Final = r"\b([0-9]{1,2})(?:\.[0-9]+)? ?%"
_WET_OR_DRY: Final = (
    rf"{_PERCENT}\W*(?:moist\w*|solids?|dry|dm|matter|organic matter|om|water|h2o|wet)\b"
    rf"|\b(?:moist\w*|solids?|matter|dm)\W*{_PERCENT}"
)
"""A percent of water or of dry matter, which is none of nitrogen."""
_PROTEIN_N: Final = 16
"""Percent of nitrogen in protein: no manure, meal or fish holds more."""
_VOLUME_OZ: Final = {"gal/ac": 128, "qt/ac": 32, "pt/ac": 16, "oz/ac": 1}
_MASS_LB: Final = {"lb/ac": 1, "ton/ac": 2000}


def state_of_county(fips: pl.Expr, farm_state: pl.Expr) -> pl.Expr:
    """Return the State of a county code, or the farm's where the unit names no county; null for no such code."""
    own = fips.str.slice(0, 2).replace_strict(STATE_BY_FIPS, default=None, return_dtype=pl.String)
    return pl.when(fips.is_null()).then(farm_state).otherwise(own)


def applications(
    records: pl.DataFrame, book: RecordBook, units: pl.DataFrame, intervals: pl.DataFrame, entries: pl.DataFrame
) -> pl.DataFrame:
    """Return nutrient applications with their crop interval and what they carry.

    ``entries`` are all harvest records, with ``unit_key``. Adds ``interval_key`` (by day, else of the crop entry
    named), N-P-K in thousandths of a pound per acre (typed, else from grade and rate), and
    three answers that may be null: ``synthetic`` (the product's N is synthetic), ``inhibited`` (it
    carries a nitrification inhibitor) and ``accepted`` (the State accepts that inhibitor); ``self_inhibited`` is true
    where the fertilizer itself brings the inhibitor. A named inhibitor at a rate of zero says nothing. ``part_field``
    marks acres treated that are fewer than the unit's, or that nobody can compare with them. ``named`` tells whether
    the row names its crop entry.
    """
    names, which = spellings(records["product"])
    rows = _place_by_crop(records.hstack(rows_at(_products(names), which)), intervals, entries)
    # The key of a unit is the number of its row.
    own = rows_at(units.select("state", pl.col("acres").alias("unit_acres")), rows["unit_key"])
    carried = (
        rows.hstack(own)
        .lazy()
        .with_columns(_pounds_of_product())
        .with_columns(_source_of(), _synthetic_differs(), _mined_asked(), *(_from_grade(one) for one in _NUTRIENTS))
        .with_columns(_off(one) for one in _NUTRIENTS)
        .with_columns(
            _off_analysis(), *(pl.coalesce(_typed(one), _given(one)).alias(f"{one}_lb_per_ac") for one in _NUTRIENTS)
        )
        .with_columns(
            pl.coalesce("product_synthetic_n", "synthetic_n").alias("synthetic"),
            (pl.col("treated_acres") < pl.col("unit_acres"))
            .fill_null(pl.col("treated_acres").is_not_null())
            .alias("part_field"),
            (pl.col("inhibitor_rate") == 0).fill_null(False).alias("no_rate"),
            pl.when(pl.col("inhibitor_rate") > 0).then("inhibitor_rate").alias("inhibitor_rate"),
        )
    )
    steps = (*_SAID, "_pounds", *(f"{part}_{one}" for part in ("_given", "_off") for one in _NUTRIENTS))
    return _with_inhibitor(without(at_once(carried), *steps), book)


def _off_analysis() -> pl.Expr:
    """Return by how much typed pounds differ from those that product and rate give, in thousandths of a percent.

    The greatest of N, P and K; a difference of at most a pound is rounding. Null where there is nothing to compare.
    """
    differences = []
    for name in _NUTRIENTS:
        off, given = pl.col(f"_off_{name}"), _given(name)
        share = pl.when(given > 0).then(off * 100_000 // given).otherwise(WHOLLY_OFF)
        differences.append(pl.when(off > _ROUNDING).then(share))
    return v.greatest(differences).alias("off_analysis_pct")


_SAID: Final = {"_organic": pl.String, "_mined": pl.Boolean, "_made": pl.Boolean}
"""What a product's name says: its source, that it may be mined, that its nitrogen is made."""


def _products(names: pl.Series) -> pl.DataFrame:
    """Look up each name once, however many applications bear it."""
    keys = names.to_frame("product").select(folded("product").alias("product_key"))
    return _with_names_read(keys.join(products_frame(), on="product_key", how="left", maintain_order="left"))


def _with_names_read(rows: pl.DataFrame) -> pl.DataFrame:
    """Add ``_SAID`` where the fertilizer list does not know the product, each name read once; null elsewhere."""
    names = rows.filter(_unlisted() & pl.col("product_key").is_not_null()).select(pl.col("product_key").unique())
    if names.is_empty():  # most farms use what is listed, and the patterns are dear to make ready
        return rows.with_columns(pl.lit(None, of).alias(one) for one, of in _SAID.items())
    key, organic = pl.col("product_key"), pl.col("_organic")
    marks = names.with_columns(
        pl.coalesce(pl.when(key.str.contains(words)).then(pl.lit(source)) for source, words in ORGANIC.items()).alias(
            "_organic"
        ),
        key.str.contains(_MINED).alias("_mined"),
        key.str.contains(_ORGANIC_BRANDS).alias("_brand"),
        (key.str.contains(SYNTHETIC) | key.str.replace_all(r"[^a-z0-9%]", "").is_in(synthetic_words())).alias(
            "_called"
        ),
        # A grade shows only that the nitrogen was weighed: beside a material that is grown it may be its own.
        key.str.extract(_GRADE).cast(pl.Int64).alias("_grade"),
        key.str.replace_all(_WET_OR_DRY, " ").str.contains(_PERCENT).alias("_share"),
    )
    grown = organic.is_not_null() | pl.col("_brand") | pl.col("_mined")
    graded = (pl.col("_grade") > pl.when(grown).then(_PROTEIN_N).otherwise(0)).fill_null(False)
    made = pl.when(pl.col("_called") | graded | (~grown & pl.col("_share"))).then(True)
    said = marks.select("product_key", "_organic", "_mined", made.alias("_made"))
    return rows.join(said, on="product_key", how="left", maintain_order="left")


def _synthetic_differs() -> pl.Expr:
    """Return where the row denies what the fertilizer list, or the product's name, says of its nitrogen."""
    carries = (pl.col("n_pct") > 0) | (pl.col("n_lb_per_ac") > 0).fill_null(False)
    made = pl.coalesce("product_synthetic_n", "_made")
    return ((made != pl.col("synthetic_n")) & carries).fill_null(False).alias("synthetic_differs")


def _mined_asked() -> pl.Expr:
    """Return where the row says of nitrate that may be mined that it is not synthetic."""
    return (pl.col("_mined") & ~pl.col("synthetic_n")).fill_null(False).alias("mined_asked")


def _unlisted() -> pl.Expr:
    return pl.col("product_synthetic_n").is_null()


def _source_of() -> pl.Expr:
    """Return the source of a budget that a row belongs to beside commercial fertilizer; null for any other row."""
    starter = pl.col("method").cast(pl.String).is_in(STARTER_METHODS)
    not_made = ~pl.col("synthetic_n") & (pl.col("n_lb_per_ac") > 0)
    organic = pl.when(_unlisted()).then(pl.coalesce("_organic", pl.when(not_made).then(pl.lit(UNNAMED))))
    return pl.when(starter).then(pl.lit("starter")).otherwise(organic).alias("row_source")


def _place_by_crop(rows: pl.DataFrame, intervals: pl.DataFrame, entries: pl.DataFrame) -> pl.DataFrame:
    """Place rows by their day, and by the crop entry they name where they have none.

    ``named`` tells whether the name fits; where it does not ``misplaced`` is true, and ``crop_named`` is its crop.
    """
    own = entries_of(intervals).select("farm_id", "harvest_id", pl.col("interval_key").alias("_named"), "unit_key")
    every = entries.select("farm_id", "harvest_id", pl.col("unit_key").alias("_unit")).join(
        own.drop("unit_key"), on=["farm_id", "harvest_id"], how="left"
    )
    by_day = place(rows, intervals, at_end=pl.lit(False)).with_columns(to_harvested(pl.col("interval_key"), intervals))
    of_unit, undated = pl.col("_unit") == pl.col("unit_key"), pl.col("day").is_null()
    misplaced = pl.col("_unit").is_not_null() & (
        ~of_unit | (~undated & pl.col("_named").ne_missing(pl.col("interval_key")))
    )
    both = by_day.join(every, on=["farm_id", "harvest_id"], how="left", maintain_order="left").with_columns(
        misplaced.alias("misplaced"),
        pl.when(misplaced).then("_named").alias("crop_named"),
        (of_unit & pl.col("_named").is_not_null() & ~misplaced).fill_null(value=False).alias("named"),
        pl.when(undated & of_unit).then("_named").otherwise("interval_key").alias("interval_key"),
    )
    return without(both, "_named", "_unit")


def _pounds_of_product() -> pl.Expr:
    """Return millionths of a pound of the product per acre; null where unknown."""
    rate, unit = pl.col("rate"), pl.col("rate_unit").cast(pl.String)
    return (
        pl.when(unit == "lb/ac").then(rate * 1000)
        .when(unit == "ton/ac").then(rate * _POUNDS_PER_TON * 1000)
        .when(unit == "gal/ac").then(rate * pl.col("density_lb_per_gal"))
        .when(unit == "qt/ac").then(rate * pl.col("density_lb_per_gal") // 4)
        .when(unit == "pt/ac").then(rate * pl.col("density_lb_per_gal") // 8)
        .when(unit == "oz/ac").then(rate * pl.col("density_lb_per_gal") // 128)
        .cast(pl.Int128).alias("_pounds")
    )  # fmt: skip


def _from_grade(nutrient: str) -> pl.Expr:
    """Return pounds of a nutrient per acre from grade and rate, in thousandths, rounded half up; null where unknown."""
    exact = pl.col("_pounds") * pl.col(f"{nutrient}_pct")
    return (exact + 50_000_000).floordiv(100_000_000).cast(pl.Int64).alias(f"_given_{nutrient}")


def _off(nutrient: str) -> pl.Expr:
    """Return by how much typed pounds differ from those of grade and rate."""
    # A product without the nutrient gives none of it, at whatever rate.
    none = pl.when(pl.col(f"{nutrient}_pct") == 0).then(pl.lit(0, pl.Int64))
    return (_typed(nutrient) - none.otherwise(_given(nutrient))).abs().alias(f"_off_{nutrient}")


def _typed(nutrient: str) -> pl.Expr:
    return pl.col(f"{nutrient}_lb_per_ac")


def _given(nutrient: str) -> pl.Expr:
    return pl.col(f"_given_{nutrient}")


def _with_inhibitor(rows: pl.DataFrame, book: RecordBook) -> pl.DataFrame:
    known = inhibitors_frame()
    written = pl.col("_written")
    none = written.is_in(NO_INHIBITOR).fill_null(False)
    inside = pl.col("product_inhibitor").is_not_null()
    keyed = with_folded(rows, "inhibitor", "_written").with_columns(
        pl.coalesce(pl.when(~none).then(written), "product_inhibitor").alias("inhibitor_key"), none.alias("_none")
    )
    named = keyed.lazy().join(known.lazy(), on="inhibitor_key", how="left")
    accepted = _acceptance(book).lazy()
    by_ingredient = accepted.select(
        "farm_id", "state", pl.col("inhibitor_key").alias("ingredient"), pl.col("accepted").alias("_by_ingredient"),
        pl.col("_label_oz").alias("_of_oz"), pl.col("_label_lb").alias("_of_lb"),
    )  # fmt: skip
    inhibited = (
        pl.when(pl.col("_none") & ~inside)
        .then(False)
        .when(inside | ~pl.col("counts") | (pl.col("_dose") >= pl.col("_least")))
        .then(pl.col("counts"))
    )
    judged = (
        named.join(accepted, on=["farm_id", "state", "inhibitor_key"], how="left")
        .join(by_ingredient, on=["farm_id", "state", "ingredient"], how="left")
        .with_columns(_least().alias("_least"), _dose("inhibitor_rate").alias("_dose"))
        .with_columns(
            pl.when(~_under_label()).then(inhibited).alias("inhibited"),
            pl.coalesce("accepted", "_by_ingredient").alias("accepted"),
            _under_label().alias("under_label"),
            (inside & pl.col("counts").fill_null(False)).alias("self_inhibited"),
        )
    )
    labels = ("_label_oz", "_label_lb", "_of_oz", "_of_lb", "_least", "_dose", "least_oz_per_ac")
    return without(at_once(judged), "_none", "_written", "_by_ingredient", *labels)


def _least() -> pl.Expr:
    """Return the least rate of a label in the measure that went on: the user's, else the catalogue's (22)."""
    of_mass = pl.col("inhibitor_rate_unit").cast(pl.String).is_in(list(_MASS_LB))
    volume = pl.coalesce("_label_oz", "_of_oz", "least_oz_per_ac")
    return pl.when(of_mass).then(pl.coalesce("_label_lb", "_of_lb")).otherwise(volume)


def _under_label() -> pl.Expr:
    """Return where an inhibitor went on at less than the label's least rate (interpretation 22)."""
    return (pl.col("_dose") < pl.col("_least")).fill_null(False)


def _dose(rate: str, sizes: Mapping[str, int] = MappingProxyType({**_VOLUME_OZ, **_MASS_LB})) -> pl.Expr:
    size = pl.col(f"{rate}_unit").cast(pl.String).replace_strict(sizes, default=None, return_dtype=pl.Int64)
    return pl.col(rate) * size


def _label(sizes: Mapping[str, int]) -> pl.Expr:
    """Return a label's rate in one measure; of nothing none is known."""
    return pl.when(pl.col("label_rate") > 0).then(_dose("label_rate", sizes))


def _acceptance(book: RecordBook) -> pl.DataFrame:
    """Return one answer per State and inhibitor; of several rows for one, a refusal stands."""
    accepted = pl.col("accepted")
    return at_once(
        book["inhibitor_acceptance"]
        .lazy()
        .select(
            "farm_id",
            pl.col("state").str.strip_chars().str.to_uppercase(),
            folded("inhibitor").alias("inhibitor_key"),
            pl.when(pl.col("source").is_not_null() | ~accepted).then(accepted).alias("accepted"),
            *(_label(sizes).alias(name) for name, sizes in (("_label_oz", _VOLUME_OZ), ("_label_lb", _MASS_LB))),
        )
        .group_by("farm_id", "state", "inhibitor_key")
        .agg(
            v.every(v.count_false(accepted), v.count_null(accepted), pl.len()).alias("accepted"),
            v.most(pl.col("_label_oz")),
            v.most(pl.col("_label_lb")),
        )
    )


def budgets(book: RecordBook, entries: pl.DataFrame, supported: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Return the first budget made for each interval, with its sources, opinion and the soil test of its own unit.

    ``entries`` is the result of ``stands.entries_of``. ``soil_test_on_file`` and ``opinion_on_file`` say whether their
    papers are there (``supported``).
    """
    keys = without(entries, "last_day").lazy()
    tests = supported["soil_test"].lazy().select(
        "farm_id", "unit_id", "soil_test_id", "sampled_on", "laboratory", pl.col("method").alias("soil_method"),
        pl.col("supported").alias("soil_test_on_file"),
        # A test of which every result is nought tells of a form that was filled in, not of soil.
        v.any_mark((pl.col(name) > 0).fill_null(False) for name in RESULTS).alias("soil_results"),
    )  # fmt: skip
    opinions = supported["expert_opinion"].lazy().select(
        "farm_id", "opinion_id", "employer", "expert", "works_on", "given_on",
        pl.col("supported").alias("opinion_on_file"),
    )  # fmt: skip
    rows = (
        book["nutrient_budget"]
        .lazy()
        .join(keys, on=["farm_id", "harvest_id"], how="inner")
        .join(tests, on=["farm_id", "unit_id", "soil_test_id"], how="left")
        .join(opinions, on=["farm_id", "opinion_id"], how="left")
        .join(_sources(book), on=["farm_id", "budget_id"], how="left")
        .with_columns(pl.col("sources_answered", "sources_without_amount").fill_null(0))
        .rename({"made_on": "budget_made_on"})
        .sort("interval_key", "budget_made_on", "budget_id", nulls_last=False)
    )
    counted = rows.with_columns(pl.len().over("interval_key").cast(pl.Int32).alias("budgets"))
    return at_once(counted.unique("interval_key", keep="first", maintain_order=True))


def _any_of(present: pl.Expr, named: pl.Expr) -> pl.Expr:
    """Answer for several sources at once: yes if one is present, no only if every one is said to be none."""
    some, none = v.count_true(present & named) > 0, v.count_true(~present & named) == len(FERTILIZERS)
    return pl.when(some).then(True).when(none).then(False)


def _sources(book: RecordBook) -> pl.LazyFrame:
    present, source, amount = pl.col("present"), pl.col("source").cast(pl.String), pl.col("n_lb_per_ac")
    fertilizer, bagged = pl.col("_fertilizer"), pl.col("_fertilizer") & pl.col("present")
    return (
        book["budget_source"]
        .lazy()
        .select(
            "farm_id", "budget_id", "present", "n_lb_per_ac", source, source.is_in(FERTILIZERS).alias("_fertilizer")
        )
        .group_by("farm_id", "budget_id")
        .agg(
            v.count_true(present.is_not_null()).alias("sources_answered"),
            v.count_true(present & amount.is_null()).alias("sources_without_amount"),
            _any_of(present, fertilizer).alias("source_fertilizer"),
            v.total(pl.when(bagged).then(amount)).known.alias("source_fertilizer_n"),
            # A budget has one row of each source.
            v.most(pl.when(pl.col("source") == "manure").then(present)).alias("source_manure"),
            pl.col("source").filter(~present).alias("sources_none"),
            v.most(pl.when(pl.col("source") == "irrigation_water").then(present)).alias("source_irrigation"),
        )
    )
