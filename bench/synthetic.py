"""Large synthetic farms from a seed, for benchmarks and tests: frames of all kinds, built in columns.

The farms are plausible, not real: a third of the units no-till, a third till, a third plow; two crops of history,
twelve passes, three applications of nitrogen; a nutrient budget with its sources and soil test for one unit in four; a
declaration that one unit in twenty lacks. Days, depths, speeds, rates, notes and identifiers spread as in records of
machines, so that files of them are as large as such files: what compresses to nothing is read in no time.
"""

from typing import Final

import polars as pl

from provender.portfolio.frames import FrameBook, schema_of
from provender.records.book import RecordBook
from provender.records.kind import KINDS
from provender.records.kinds.nutrients import N_SOURCES

PASSES: Final = 12
_CROPS: Final = ("corn", "soybeans", "sorghum")
# Day of the year of each pass, counted from 1 October before the crop; name; depth, speed in thousandths.
_SYSTEMS: Final = (
    ("Sprayer, kill crop", "Planter, double disk opnr", "Fert. applic. anhyd knife 30 in"),
    (
        "Cultivator, field 6-12 in sweeps",
        "Planter, double disk opnr with starter fertilizer",
        "Cultivator, row, high residue",
    ),
    ("Plow, moldboard", "Disk, tandem secondary op.", "Planter, double disk opnr"),
)  # fmt: skip
_START: Final = pl.date(2024, 10, 1)
_PLOWED: Final = 2
_PRIME: Final = 2**31 - 1


def synthetic_book(seed: int, *, farms: int, units_per_farm: int) -> RecordBook:
    """Return a checked book of ``farms`` times ``units_per_farm`` management units, the same for the same seed."""
    return FrameBook.of_frames(synthetic_frames(seed, farms=farms, units_per_farm=units_per_farm)).as_records()


def synthetic_frames(seed: int, *, farms: int, units_per_farm: int) -> dict[str, pl.DataFrame]:
    """Return the frames of a synthetic book, typed by their schemas."""
    units = _units(seed, farms, units_per_farm)
    planned = units.filter(pl.col("n") % 4 == 0)
    made = {
        "farm": _farms(farms),
        "unit": units.select("farm_id", "unit_id", "acres", "county_fips", pl.lit("b.geojson").alias("boundary")),
        "harvest": _harvests(units, seed),
        "operation": _operations(units, seed),
        "declaration": _declarations(units, seed),
        "planting": _plantings(units, seed),
        "nutrient_application": _applications(units, seed),
        "nutrient_budget": _budgets(planned, seed),
        "budget_source": _sources(planned),
        "soil_test": _soil_tests(planned, seed),
    }
    return {kind: _typed(kind, frame) for kind, frame in made.items()}


def _typed(kind: str, frame: pl.DataFrame) -> pl.DataFrame:
    columns = [
        pl.col(name).cast(dtype) if name in frame.columns else pl.lit(None, dtype).alias(name)
        for name, dtype in schema_of(KINDS[kind]).items()
    ]
    return frame.select(columns)


def _farms(farms: int) -> pl.DataFrame:
    number = pl.int_range(farms, eager=True).cast(pl.String)
    return pl.DataFrame({"farm_id": "F" + number, "name": "Farm " + number}).with_columns(
        pl.lit("20177").alias("county_fips"), pl.lit("Shawnee").alias("county"), pl.lit("KS").alias("state")
    )


def _roll(seed: int, salt: int, sides: int, *columns: str) -> pl.Expr:
    """Throw a die of so many sides for each row: a small congruential mix, the same for the same seed everywhere."""
    mixed = pl.lit(seed * 104_729 + salt * 7_919, pl.Int64)
    for column in columns:
        mixed = (mixed * 48_271 + pl.col(column).cast(pl.Int64) * 69_621 + 12_345) % _PRIME
    return (mixed * 48_271) % _PRIME % sides


def _units(seed: int, farms: int, units_per_farm: int) -> pl.DataFrame:
    count = farms * units_per_farm
    return (
        pl.DataFrame({"n": pl.int_range(count, eager=True)})
        .with_columns(
            ("F" + (pl.col("n") // units_per_farm).cast(pl.String)).alias("farm_id"),
            ("U" + (pl.col("n") % units_per_farm).cast(pl.String)).alias("unit_id"),
        )
        .with_columns(
            (20_000 + _roll(seed, 1, 200_000, "n")).alias("acres"),
            _roll(seed, 2, 3, "n").alias("crop_no"),
            pl.min_horizontal(_roll(seed, 3, 6, "n") // 2, 2).alias("system"),
            (_roll(seed, 4, 20, "n") > 0).alias("declared"),
            pl.lit("20177").alias("county_fips"),
        )
    )


def _later(seed: int, salt: int, days: int, *columns: str) -> pl.Expr:
    return pl.duration(days=_roll(seed, salt, days, *columns))


def _number(seed: int, salt: int, *columns: str) -> pl.Expr:
    """Return what a machine ends an identifier with: digits that follow from nothing."""
    return pl.lit("-") + _roll(seed, salt, _PRIME, *columns).cast(pl.String)


def _harvested(seed: int) -> pl.Expr:
    return pl.date(2025, 10, 1) + _later(seed, 15, 25, "n")


def _harvests(units: pl.DataFrame, seed: int) -> pl.DataFrame:
    day_before = pl.date(2024, 9, 20) + _later(seed, 16, 21, "n")
    crop = pl.col("crop_no").replace_strict(dict(enumerate(_CROPS)), return_dtype=pl.String)
    before = units.select(
        "farm_id", "unit_id", ("B-" + pl.col("unit_id")).alias("harvest_id"), pl.lit("soybeans").alias("crop"),
        pl.lit("harvested").alias("ending"), day_before.alias("first_day"), day_before.alias("last_day"),
    )  # fmt: skip
    day = _harvested(seed)
    this = units.select(
        "farm_id", "unit_id", ("H-" + pl.col("unit_id")).alias("harvest_id"), crop.alias("crop"),
        pl.lit("harvested").alias("ending"), day.alias("first_day"), day.alias("last_day"),
        (pl.col("acres") * (130 + _roll(seed, 17, 61, "n"))).alias("bushels"), pl.lit("grain").alias("use"),
        (13_000 + 100 * _roll(seed, 18, 40, "n")).alias("moisture_pct"),
    )  # fmt: skip
    return pl.concat([before, this], how="diagonal")


def _operations(units: pl.DataFrame, seed: int) -> pl.DataFrame:
    names = {
        s * PASSES + p: _SYSTEMS[s][p] if p < len(_SYSTEMS[s]) else _TRAFFIC[p % 2]
        for s in range(3)
        for p in range(PASSES)
    }
    names |= {s * PASSES + PASSES - 1: "Harvest, killing crop 50pct standing stubble" for s in range(3)}
    passes = pl.DataFrame({"pass_no": pl.int_range(PASSES, eager=True)})
    last = pl.col("pass_no") == PASSES - 1
    day = pl.when(last).then(_harvested(seed)).otherwise(_day_of_pass(seed))
    yard = _roll(seed, 13, len(_IMPLEMENTS), "yard", "pass_no")
    # Fields that lie together are worked with the same implements.
    fields = units.select("n", "farm_id", "unit_id", "system", (pl.col("n") // _FIELDS_OF_A_YARD).alias("yard"))
    return fields.join(passes, how="cross").select(
        "farm_id",
        "unit_id",
        ("O" + pl.col("pass_no").cast(pl.String) + "-" + pl.col("unit_id") + _number(seed, 12, "n", "pass_no")).alias(
            "operation_id"
        ),
        day.alias("day"),
        (pl.col("system") * PASSES + pl.col("pass_no")).replace_strict(names,
        return_dtype=pl.String).alias("operation"),
        yard.replace_strict(dict(enumerate(_IMPLEMENTS)), return_dtype=pl.String).alias("equipment"),
        (1_000 + 10 * _roll(seed, 5, 351, "n", "pass_no")).alias("depth_in"),
        (4_000 + 10 * _roll(seed, 6, 176, "n", "pass_no")).alias("speed_mph"),
        (20_000 + 2_500 * _roll(seed, 13, 17, "yard", "pass_no")).alias("width_ft"),
        pl.lit("machine").alias("known_by"),
        pl.when(_roll(seed, 14, _NOTED, "n", "pass_no") == 0).then(_note(seed)).alias("note"),
    )  # fmt: skip


_IMPLEMENTS: Final = tuple(
    f"{make} {number}" for make in ("Red", "Green", "Blue", "Yellow") for number in range(20, 26)
)
_FIELDS_OF_A_YARD: Final = 40
_NOTED: Final = 12
"""One pass in so many has a note."""


def _note(seed: int) -> pl.Expr:
    words = pl.format(
        "wind {} mph, soil {} %, began {}:{}",
        *(_roll(seed, salt, sides, "n", "pass_no") for salt, sides in ((19, 18), (20, 40), (21, 14), (22, 60))),
    )
    return words.alias("note")


def _day_of_pass(seed: int) -> pl.Expr:
    """Return the day of ``pass_no`` before the harvest; the planter is the second, after plow and disk the third."""
    return _START + pl.duration(days=170 + 15 * pl.col("pass_no")) + _later(seed, 9, 10, "n", "pass_no")


_TRAFFIC: Final = ("Sprayer, post emergence", "Sprayer, kill crop")


def _crop_entry() -> pl.Expr:
    return ("H-" + pl.col("unit_id")).alias("harvest_id")


def _declarations(units: pl.DataFrame, seed: int) -> pl.DataFrame:
    answers = (
        "residue_burned",
        "cover_grazed",
        "cover_harvested",
        "cover_fertilized",
        "manure_applied",
        "irrigation_n",
    )
    return units.filter(pl.col("declared")).select(
        "farm_id", _crop_entry(), (pl.date(2025, 11, 1) + _later(seed, 23, 29, "n")).alias("made_on"),
        pl.lit(True).alias("all_operations_listed"), pl.lit(True).alias("all_nutrients_listed"),
        *(pl.lit(False).alias(name) for name in answers),
    )  # fmt: skip


def _plantings(units: pl.DataFrame, seed: int) -> pl.DataFrame:
    return units.with_columns(pl.when(pl.col("system") == _PLOWED).then(2).otherwise(1).alias("pass_no")).select(
        "farm_id",
        _crop_entry(),
        ("P-" + pl.col("unit_id")).alias("planting_id"),
        _day_of_pass(seed).alias("planted_on"),
    )


def _applications(units: pl.DataFrame, seed: int) -> pl.DataFrame:
    # Each goes on with a pass: the first with the planter, which follows plow and disk, the others with a sprayer.
    rows = pl.DataFrame({
        "k": [0, 1, 2], "product": ["UAN 28", "Urea", "UAN 32"], "method": ["banded", "broadcast", "broadcast"],
        "pass_no": [1, 5, 7],
    })  # fmt: skip
    planter_is_later = (pl.col("k") == 0) & (pl.col("system") == _PLOWED)
    given = units.select("n", "farm_id", "unit_id", "system").join(rows, how="cross")
    return given.with_columns(pl.col("pass_no") + planter_is_later.cast(pl.Int64)).select(
        "farm_id", "unit_id", _crop_entry(),
        ("A" + pl.col("k").cast(pl.String) + "-" + pl.col("unit_id") + _number(seed, 24, "n", "k")).alias(
            "application_id"
        ),
        _day_of_pass(seed).alias("day"),
        "product", "method", pl.lit("cash_crop").alias("intended_for"),
        (20_000 + 10 * _roll(seed, 8, 6_000, "n", "k")).alias("n_lb_per_ac"),
        pl.lit(0).alias("p2o5_lb_per_ac"), pl.lit(0).alias("k2o_lb_per_ac"), pl.lit("Instinct").alias("inhibitor"),
        pl.lit(24_000).alias("inhibitor_rate"), pl.lit("oz/ac").alias("inhibitor_rate_unit"),
    )  # fmt: skip


def _budgets(units: pl.DataFrame, seed: int) -> pl.DataFrame:
    amounts = (
        "planned_n",
        "planned_p2o5",
        "planned_k2o",
        "synthetic_n_need",
        "removal_n",
        "removal_p2o5",
        "removal_k2o",
    )
    return units.select(
        "farm_id", _crop_entry(), ("G-" + pl.col("unit_id")).alias("budget_id"),
        (pl.date(2025, 2, 1) + _later(seed, 26, 28, "n")).alias("made_on"),
        (140_000 + 1_000 * _roll(seed, 27, 60, "n")).alias("yield_goal_bu_per_ac"), pl.lit("soil_test").alias("basis"),
        ("T-" + pl.col("unit_id")).alias("soil_test_id"), pl.lit("State guide").alias("need_source"),
        *(pl.lit(120_000).alias(f"{name}_lb_per_ac") for name in amounts),
    )  # fmt: skip


def _sources(units: pl.DataFrame) -> pl.DataFrame:
    budgets = units.select("farm_id", ("G-" + pl.col("unit_id")).alias("budget_id"))
    sources = pl.DataFrame({"source": list(N_SOURCES)})
    return budgets.join(sources, how="cross").with_columns(
        (pl.col("source") == "commercial_fertilizer").alias("present"), pl.lit(120_000).alias("n_lb_per_ac")
    )  # fmt: skip


def _soil_tests(units: pl.DataFrame, seed: int) -> pl.DataFrame:
    return units.select(
        "farm_id", "unit_id", ("T-" + pl.col("unit_id")).alias("soil_test_id"),
        (pl.date(2024, 8, 20) + _later(seed, 28, 28, "n")).alias("sampled_on"),
        ("State lab " + _roll(seed, 29, 6, "n").cast(pl.String)).alias("laboratory"),
        pl.lit("Mehlich-3").alias("method"), (8_000 + 100 * _roll(seed, 30, 500, "n")).alias("p_ppm"),
    )  # fmt: skip
