"""The records of a batch of farms in frames: whole-number keys instead of names, the catalogue's facts beside each row.

Joining by name is done once, here; the sections work on the result.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

import polars as pl

from provender.catalog.places import FSA_NUMBERS, LEGAL_WORDS, ONLY_DAY, STATE_BY_FIPS
from provender.catalog.tables import SEEDING
from provender.custody.queries.columns import begins
from provender.days import says
from provender.portfolio import frames
from provender.portfolio.columns import intervals as v
from provender.portfolio.columns.intervals import supported
from provender.portfolio.columns.tillage import published_stir
from provender.records.book import COLUMNS
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
    distinct, which = frames.spellings(records["product"])
    keys = distinct.to_frame("product").select(frames.folded("product").alias("product_key"))
    products = keys.join(frames.products_frame(), on="product_key", how="left", maintain_order="left")
    # The key of a unit is the number of its row.
    own = frames.rows_at(units.select("state", pl.col("acres").alias("unit_acres")), records["unit_key"])
    rows = _placed(records.hstack(frames.rows_at(products, which)).hstack(own), intervals, entries)
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
    return _with_inhibitor(frames.at_once(steps.drop("_pounds", *(f"_given_{name}" for name in NUTRIENTS))), accepted)


def _placed(rows: pl.DataFrame, intervals: pl.DataFrame, entries: pl.DataFrame) -> pl.DataFrame:
    by_day = rows.with_columns(v.place(rows["unit_key"], rows["day"], intervals))
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
        "farm_id", pl.col("state").str.strip_chars().str.to_uppercase(),
        frames.folded("inhibitor").alias("inhibitor_key"),
        # A yes without its source says nothing.
        pl.when(pl.col("source").is_not_null() | ~pl.col("accepted")).then("accepted").alias("accepted"),
    ).unique(["farm_id", "state", "inhibitor_key"], keep="any")  # fmt: skip
    by_ingredient = said.rename({"inhibitor_key": "ingredient", "accepted": "_by_ingredient"})
    written = frames.folded("inhibitor")
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
        .join(frames.inhibitors_frame().lazy(), on="inhibitor_key", how="left", maintain_order="left")
        .join(said.lazy(), on=["farm_id", "state", "inhibitor_key"], how="left", maintain_order="left")
        .join(by_ingredient.lazy(), on=["farm_id", "state", "ingredient"], how="left", maintain_order="left")
        .with_columns(
            pl.when("_none").then(False).when(~under).then(with_it).alias("inhibited"),
            pl.coalesce("accepted", "_by_ingredient").alias("accepted"),
            (dose * pl.coalesce("treated_acres", "unit_acres")).alias("inhibitor_amount"),
        )
    )
    return frames.at_once(steps.drop("_none", "_by_ingredient", "counts", "ingredient", "least_oz_per_ac"))


def _ounces(column: str) -> pl.Expr:
    unit = pl.col(column).cast(pl.String).str.strip_suffix("/ac")
    return unit.replace_strict(VOLUME_OZ, default=None, return_dtype=pl.Int64)


def budgets(book: frames.FrameBook, entries: pl.DataFrame, tests: pl.DataFrame) -> pl.DataFrame:
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
    return frames.at_once(rows.unique("interval_key", keep="first", maintain_order=True))


def _sources(book: frames.FrameBook) -> pl.LazyFrame:
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


@dataclass(frozen=True, slots=True)
class PreparedBook:
    """Frames of one batch, joined by ``unit_key`` and ``interval_key``."""

    book: frames.FrameBook  # the records, text that names nothing left blank
    units: pl.DataFrame  # one row per management unit, with its State and whether its row says where it lies
    intervals: pl.DataFrame  # closed crop intervals (``intervals.crop_intervals``)
    operations: pl.DataFrame  # field operations with what the list knows of them
    applications: pl.DataFrame  # nutrient applications (``applications.applications``)
    budgets: pl.DataFrame  # the first budget of each interval, with its sources and soil test
    plantings: pl.DataFrame  # plantings of closed and open crops; of the latter without interval
    covers: pl.DataFrame  # cover crops with their species; of open crops and of other units' without interval
    declarations: pl.DataFrame  # season declarations, by interval
    evidence: pl.DataFrame  # ``evidence.evidence_states``
    supported: Mapping[str, pl.DataFrame]  # by kind that needs a file its rows with ``supported``: such a file is there


def load(records: frames.FrameBook) -> PreparedBook:
    book = _with_what_is_said(records)
    units, states = _units(book), v.evidence_states(book)
    proven = {need.kind: supported(book, need, states) for need in v.NEEDS}
    closed = v.crop_intervals(_keyed(book["harvest"], units), book["planting"])
    # The key of a unit is the number of its row.
    intervals = closed.hstack(
        frames.rows_at(units.select("state", "acres", "county_fips", "is_placed"), closed["unit_key"])
    )
    entries = v.entries_of(intervals)
    every = _keyed(book["harvest"], units).select("farm_id", "harvest_id", "unit_key")
    every = every.join(entries.drop("unit_key"), on=["farm_id", "harvest_id"], how="left", maintain_order="left")
    spread = _keyed(book["nutrient_application"], units)
    return PreparedBook(
        book=book,
        units=units,
        intervals=intervals,
        operations=_operations(_keyed(book["operation"], units), units, intervals),
        applications=applications(spread, book["inhibitor_acceptance"], units, intervals, every),
        budgets=budgets(book, entries, proven["soil_test"]),
        plantings=v.of_interval(book["planting"], every),
        covers=_covers(_keyed(proven["cover_crop"], units), book["cover_species"], intervals, every),
        declarations=v.of_interval(book["declaration"], entries),
        evidence=states,
        supported=proven,
    )


def _with_what_is_said(book: frames.FrameBook) -> frames.FrameBook:
    """Return a book for verdicts, with text that names nothing left blank, as ``records.book`` does."""
    changed = {}
    for kind, names in COLUMNS.items():
        texts = {name: book[kind][name].drop_nulls().unique().to_list() for name in names}
        silent = {name: none for name, said in texts.items() if (none := [text for text in said if not says(text)])}
        blank = [pl.when(~pl.col(name).is_in(none)).then(name).alias(name) for name, none in silent.items()]
        if blank:
            changed[kind] = book[kind].with_columns(blank)
    return replace(book, frames={**book.frames, **changed}) if changed else book


def place_of_row() -> pl.Expr:
    """Return where a unit lies as its row says it: ``is_placed_in_words`` for columns, or a boundary.

    Whether the boundary's file is there is asked where a report is signed (``report.plausibility``).
    """
    numbers = pl.col("fsa_field").str
    numbered = numbers.contains(FSA_NUMBERS.pattern) & ~numbers.contains(ONLY_DAY.pattern)
    in_law = pl.col("legal_description").str.contains(LEGAL_WORDS.pattern)
    return pl.coalesce("boundary", pl.when(numbered).then("fsa_field"), pl.when(in_law).then("legal_description"))


def _units(book: frames.FrameBook) -> pl.DataFrame:
    """Return the units with their State: of the county, or the farm's where the unit names none."""
    farms = book["farm"].select("farm_id", pl.col("state").alias("farm_state")).unique("farm_id", keep="first")
    fips = pl.col("county_fips")
    own = fips.str.slice(0, 2).replace_strict(STATE_BY_FIPS, default=None, return_dtype=pl.String)
    return frames.at_once(
        book["unit"]
        .lazy()
        .select("farm_id", "unit_id", "acres", "county_fips", place_of_row().is_not_null().alias("is_placed"))
        .with_row_index("unit_key")
        .join(farms.lazy(), on="farm_id", how="left", maintain_order="left")
        .with_columns(pl.when(fips.is_null()).then("farm_state").otherwise(own).alias("state"))
    )


def _keyed(rows: pl.DataFrame, units: pl.DataFrame) -> pl.DataFrame:
    """Give rows the key of their unit; rows of no unit fall away.

    Rows of one unit mostly lie beside each other: names are looked up once a run, not once a row.
    """
    on = ["farm_id", "unit_id"]
    keys = units.select(*on, "unit_key")
    if rows.height < frames.MANY:
        keyed = rows.join(keys, on=on, how="left", maintain_order="left")
    else:
        first = rows.select(begins(*on)).to_series()
        heads = rows.select(on).filter(first).join(keys, on=on, how="left", maintain_order="left")
        keyed = rows.with_columns(heads["unit_key"].gather(pl.select(pl.lit(first).cum_sum() - 1).to_series()))
    return keyed.filter(pl.col("unit_key").is_not_null()) if keyed["unit_key"].null_count() else keyed


# Field operations beside what the operations list knows of them.

_RECORDED_TOO: Final = ("speed_mph", "depth_in", "surface_pct", "full_width", "primary_inversion")
_OF_LIST: Final = (
    *_RECORDED_TOO, "type_hundredths", "speed_mph_min", "depth_in_min", "published_stir", "several_tools", "gang_stir",
    "op_group", "is_traffic", "by_hand",
)  # fmt: skip
"""What verdicts ask the list; the columns of the first line the farm records too, and bear ``_listed`` at the end."""


def _operations(records: pl.DataFrame, units: pl.DataFrame, intervals: pl.DataFrame) -> pl.DataFrame:
    """Return field operations with their intervals and what the list knows of them.

    A recorded depth of zero means *not recorded* (interpretation 10).
    """
    distinct, which = frames.spellings(records["operation"])
    beyond = pl.col("treated_acres") > pl.lit(units["acres"]).gather("unit_key")
    kept = records.select(
        "unit_key", "day", "equipment", "speed_mph", "width_ft", "surface_pct", "full_width", "primary_inversion",
        pl.when(pl.col("depth_in") != 0).then("depth_in").alias("depth_in"),
        beyond.fill_null(value=False).alias("is_beyond_unit"), pl.col("known_by").cast(pl.String),
        pl.col("evidence").is_not_null().alias("has_evidence"),
    )  # fmt: skip
    rows = kept.hstack(frames.rows_at(_listed(distinct), which))
    placed = rows.with_columns(v.place(rows["unit_key"], rows["day"], intervals, rows["is_harvest"]))
    # Sorted keys make the grouping of every later step cheap.
    return placed if placed["interval_key"].is_sorted() else placed.sort("interval_key")


def _listed(names: pl.Series) -> pl.DataFrame:
    """Look up each name once, however many passes bear it, and decide once what kind of pass it is."""
    keys = names.to_frame("operation").lazy().select(frames.folded("operation").alias("operation_key"))
    kinds = {"is_seeding": SEEDING, "is_harvest": ("harvest",)}
    found = keys.join(_list().lazy(), on="operation_key", how="left", maintain_order="left").with_columns(
        published_stir().alias("stir_published"),
        pl.col("operation_key").str.contains("manure").fill_null(value=False).alias("is_manure"),
        *(pl.col("op_group").is_in(of).fill_null(value=False).alias(name) for name, of in kinds.items()),
        pl.col("is_traffic", "by_hand").fill_null(value=False),
    )
    return frames.at_once(found.drop("operation_key"))


@cache
def _list() -> pl.DataFrame:
    both = {name: f"{name}_listed" for name in _RECORDED_TOO}
    return frames.operations_frame().select("operation_key", *_OF_LIST).rename(both)


def _covers(
    records: pl.DataFrame, species: pl.DataFrame, intervals: pl.DataFrame, entries: pl.DataFrame
) -> pl.DataFrame:
    """Return one row per cover crop with the interval of the crop that follows and what is known of its species.

    Adds ``species_rows``, ``legumes``, ``species_unknown`` (not in the catalogue), ``rates_unknown``.
    """
    mixes = (
        species.lazy()
        .with_columns(frames.folded("species").alias("species_key"))
        .join(frames.species_frame().lazy().select("species_key", "legume"), on="species_key", how="left")
        .group_by("farm_id", "cover_id")
        .agg(
            pl.len().cast(pl.Int32).alias("species_rows"),
            v.count_true(pl.col("legume")).alias("legumes"),
            v.count_null(pl.col("legume")).alias("species_unknown"),
            # Seeding nothing is no rate.
            v.count_null(pl.col("rate_lb_per_ac").replace(0, None)).alias("rates_unknown"),
        )
    )
    counts = ("species_rows", "legumes", "species_unknown", "rates_unknown")
    of_crop = v.of_interval(records, entries).lazy()
    crops = intervals.lazy().select("interval_key", "state", "last_day")
    return frames.at_once(
        of_crop.join(mixes, on=["farm_id", "cover_id"], how="left", maintain_order="left")
        .join(crops, on="interval_key", how="left", maintain_order="left")
        .with_columns(pl.col(counts).fill_null(0))
    )
