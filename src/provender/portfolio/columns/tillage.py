"""2100.051 in columns: reduced till (a), no-till (b), and what the records of both must show (c).

The requirements are said in ``standards.tillage``; an interval's facts are one row here.
"""

from collections.abc import Mapping
from typing import Final

import polars as pl

from provender.catalog.materials import GAS_N_PCT
from provender.catalog.tables import DRIVEN_OVER, SEEDING, STIR_DENOMINATOR, STIR_NUMERATOR
from provender.portfolio.columns import intervals as v
from provender.portfolio.columns.intervals import answers, expression, position
from provender.portfolio.frames import collected
from provender.rule.law import RuleVersion
from provender.standards.evidence import LOGGED
from provender.standards.season import ENDED, PLANTED, PUT_ON, SOWN
from provender.standards.unit import Work

_HARVEST_STIR: Final = 1_500
"""What the list gives a combine, ten-thousandths: a crop entry proves its pass (2100.051(c)(2))."""


def _judged_passes(operations: pl.DataFrame) -> pl.LazyFrame:
    """Return passes with STIR by both readings and the flags that decide.

    A typed speed or depth below the published minimum does not count; the list's value stands (interpretation 10). The
    farm's own *no* counts only where the operation is not listed; its *yes* always.
    """
    slow = (pl.col("speed_mph") < pl.col("speed_mph_min")).fill_null(value=False)
    shallow = (pl.col("depth_in") < pl.col("depth_in_min")).fill_null(value=False)
    logged = pl.col("has_evidence") & pl.col("known_by").is_in(LOGGED).fill_null(value=False)
    passes = operations.lazy().with_columns(
        ((slow | shallow) & pl.col("has_evidence")).alias("low_with_evidence"),
        (~logged & ~pl.col("is_traffic")).alias("is_unlogged"),
        pl.when(~slow).then("speed_mph").alias("speed_mph"),
        pl.when(~shallow).then("depth_in").alias("depth_in"),
        admitted("full_width").alias("is_full_width"),
        admitted("primary_inversion").alias("is_inversion"),
    )
    return _with_recorded_stir(passes)


def admitted(flag: str) -> pl.Expr:
    """Return the list's flag, or the farm's own where the list has none; what the farm admits stands in any case."""
    return pl.when(pl.col(flag).fill_null(value=False)).then(True).otherwise(pl.coalesce(f"{flag}_listed", flag))


def _is_recorded(column: str) -> pl.Expr:
    """Return where an amount is recorded; zero means that it is not."""
    return (pl.col(column) > 0).fill_null(value=False)


def tillage_facts(operations: pl.DataFrame) -> pl.DataFrame:
    """Return one row per interval with passes; STIR sums are whole ten-thousandths of what is known."""
    recorded, published = v.total(pl.col("stir_recorded")), v.total(pl.col("stir_published"))
    full, inverts, works = pl.col("is_full_width"), pl.col("is_inversion"), ~pl.col("is_traffic")
    found = (
        _judged_passes(operations)
        .filter(pl.col("interval_key").is_not_null())
        .group_by("interval_key")
        .agg(
            pl.len().cast(pl.Int32).alias("passes"),
            recorded.known.alias("stir_recorded"),
            recorded.unknown.alias("stir_unknown"),
            published.known.alias("stir_published"),
            published.unknown.alias("stir_published_unknown"),
            v.count_true(full).alias("full_width_passes"),
            v.count_null(full).alias("full_width_unknown"),
            v.count_true(inverts).alias("inversion_passes"),
            v.count_null(inverts).alias("inversion_unknown"),
            v.count_true(pl.col("op_group") == "burning").alias("burn_passes"),
            v.count_true(pl.col("is_seeding")).alias("seeding_passes"),
            v.count_true(pl.col("is_harvest")).alias("harvest_passes"),
            v.count_true(pl.col("is_manure")).alias("manure_passes"),
            v.count_true(works & ~_is_recorded("depth_in")).alias("depth_missing"),
            v.count_true(works & ~pl.col("by_hand") & ~_is_recorded("width_ft")).alias("width_missing"),
            v.count_true(works & ~pl.col("by_hand") & ~_is_recorded("speed_mph")).alias("speed_missing"),
            v.count_null(pl.col("equipment")).alias("equipment_missing"),
            v.count_true(pl.col("is_unlogged")).alias("unlogged_passes"),
            v.count_true(pl.col("low_with_evidence")).alias("low_with_evidence"),
        )
    )
    return collected(found, operations.height)


def derived(frame: pl.LazyFrame, law: RuleVersion) -> pl.LazyFrame:
    """Add what follows from the facts of an interval together: whether its list of passes is whole, and STIR."""
    # Two entries of one harvest would otherwise make an interval of the second, with nothing in it but the combine.
    same_crop = (pl.col("previous_crop") == pl.col("crop").cast(pl.String)).fill_null(value=False)
    grown_here = ~same_crop | pl.col("planted_first").is_not_null()
    # A pass with an implement that the list does not know may have planted the crop, where it was planted that day.
    sown = pl.col("seeding_passes") + pl.col("passes_of_plantings") > 0
    # No crop grows without being planted and harvested: a list without both passes is not the list of all.
    complete = (
        pl.col("all_operations_listed").fill_null(value=False)
        & pl.col("starts_on").is_not_null()
        & grown_here
        & sown
        & (pl.col("passes") > 0)
        & (pl.col("passes_missing") == 0)
    )
    by_entry = pl.when((pl.col("passes") > 0) & (pl.col("harvest_passes") == 0)).then(_HARVEST_STIR).otherwise(0)
    limits = {"no_till": law.no_till_stir_max, "reduced_till": law.reduced_till_stir_max}.items()
    return (
        frame.with_columns(
            complete.alias("operations_complete"),
            *((pl.col(name) + by_entry).alias(name) for name in ("stir_recorded", "stir_published")),
        )
        .with_columns(_within(limit, reading).alias(f"{name}_{reading}") for name, limit in limits
                      for reading in ("recorded", "published"))
    )  # fmt: skip


def _within(limit: int, reading: str) -> pl.Expr:
    unknown = {"recorded": "stir_unknown", "published": "stir_published_unknown"}[reading]
    return v.at_most(v.Total(pl.col(f"stir_{reading}"), pl.col(unknown)), limit, pl.col("operations_complete"))


def logs_may_decide() -> pl.Expr:
    """Return where both readings of STIR disagree and every working pass may have been logged (interpretation 10)."""
    differ = v.any_mark(
        pl.col(f"{name}_recorded").ne_missing(pl.col(f"{name}_published")) for name in ("no_till", "reduced_till")
    )
    return differ & (pl.col("unlogged_passes") == 0)


def _stir(practice: str) -> pl.Expr:
    """Judge by recorded and by published values: both on one side of the limit, that side; else not shown."""
    recorded = pl.col(f"{practice}_recorded")
    return pl.when((recorded == pl.col(f"{practice}_published")).fill_null(value=False)).then(recorded)


@expression
def reduced_till_stir_within_limit(_: RuleVersion) -> pl.Expr:
    """The sum counts every operation of the interval, fallow included."""
    return _stir("reduced_till")


@expression
def reduced_till_no_primary_inversion(_: RuleVersion) -> pl.Expr:
    """By type and by name (interpretation 8)."""
    return v.none_of(pl.col("inversion_passes"), pl.col("inversion_unknown"), pl.col("operations_complete"))


@expression
def no_till_no_full_width_disturbance(_: RuleVersion) -> pl.Expr:
    """No-till forbids full-width disturbance at any depth, whatever the STIR (interpretations 8, 12)."""
    return v.none_of(pl.col("full_width_passes"), pl.col("full_width_unknown"), pl.col("operations_complete"))


@expression
def no_till_stir_within_limit(_: RuleVersion) -> pl.Expr:
    """The limit holds whether or not there was strip tillage or injection (interpretation 8)."""
    return _stir("no_till")


@answers("no_till_residue_not_burned", "reduced_till_residue_not_burned")
def not_burned(_: RuleVersion) -> pl.Expr:
    """Judge burning by the passes and by the producer's answer: a missing row shows nothing (interpretation 2)."""
    answered = pl.col("residue_burned").is_not_null()
    return v.none_of(pl.col("burn_passes"), pl.lit(0), answered) & ~pl.col("residue_burned")


# (c) Records. They show a thing or do not yet: nothing here can be not met.


@answers("records_tillage_unit", "records_cover_unit", "records_nutrients_unit")
def located(_: RuleVersion) -> pl.Expr:
    """Acres, county and a boundary, FSA field or legal description."""
    return v.shown(v.all_known(("acres", "county_fips")) & pl.col("is_placed"))


@answers("records_tillage_bushels", "records_cover_bushels", "records_nutrients_bushels")
def bushels_known(_: RuleVersion) -> pl.Expr:
    """The bushels harvested from the unit carry the practice."""
    return v.shown(pl.col("bushels").is_not_null())


@expression
def records_tillage_all_operations(_: RuleVersion) -> pl.Expr:
    """A list without planting or harvest cannot be the list of all operations."""
    return v.shown(pl.col("operations_complete") & (pl.col("harvest_passes") > 0))


def _of_passes(*missing: str) -> pl.Expr:
    return v.shown((pl.col("passes") > 0) & pl.all_horizontal(pl.col(name) == 0 for name in missing))


@expression
def records_tillage_depth_width_speed(_: RuleVersion) -> pl.Expr:
    """Passes that only drive over the ground have no depth of disturbance."""
    return _of_passes("depth_missing", "width_missing", "speed_missing")


@expression
def records_tillage_equipment(_: RuleVersion) -> pl.Expr:
    """Maker, model or the farm's own name of the implement."""
    return _of_passes("equipment_missing")


@expression
def records_tillage_dates(_: RuleVersion) -> pl.Expr:
    """Every pass of a plain farm has its day."""
    return v.shown(pl.col("passes") > 0)


# STIR of a pass by its recorded and by the list's own values, in whole ten-thousandths, rounded once a pass.
#
# ``standards.stir`` has the formula and where it comes from. Recorded tools are for it alone (``care``).

_HELD: Final = ("_speed", "_exact", "_moved", "_at_depth", "_above", "_below")


def _with_recorded_stir(passes: pl.LazyFrame) -> pl.LazyFrame:
    """Add ``stir_recorded``: STIR of each pass by recorded speed, depth and surface, the list's where none is recorded.

    Null where the operation is not listed. Step by step: each division names what it divides five times, and a sum
    written into another would be planned anew in every one of them.
    """
    recorded, ref, depth = _recorded("speed_mph"), pl.col("depth_in_listed"), _recorded("depth_in")
    formula = STIR_NUMERATOR * pl.col("_speed") * pl.col("_exact")
    # Where one tool is listed and all is known of it the formula decides, else the published value at depth and speed.
    single = (~pl.col("several_tools") & formula.is_not_null()).fill_null(value=False)
    scaled = (recorded.is_not_null() & (pl.col("speed_mph_listed") > 0)).fill_null(value=False)
    return (
        passes.with_columns(
            pl.coalesce(recorded, "speed_mph_listed").alias("_speed"),
            (
                pl.col("type_hundredths")
                * pl.coalesce(depth, ref)
                * pl.coalesce(_recorded("surface_pct"), "surface_pct_listed")
            ).alias("_exact"),
            (pl.col("published_stir") * ref + pl.col("gang_stir") * (depth - ref)).alias("_moved"),
        )
        # The published value stands where nothing says which gang is the deepest.
        .with_columns(pl.coalesce(_half_even_expr(pl.col("_moved"), ref), "published_stir").alias("_at_depth"))
        .with_columns(
            pl.when(single).then(formula).when(scaled).then(pl.col("_at_depth") * recorded).otherwise("_at_depth")
            .alias("_above"),
            pl.when(single).then(STIR_DENOMINATOR).when(scaled).then("speed_mph_listed").otherwise(1)
            .cast(pl.Int64).alias("_below"),
        )
        .with_columns(_half_even_expr(pl.col("_above"), pl.col("_below")).alias("stir_recorded"))
        .drop(_HELD)
    )  # fmt: skip


def published_stir() -> pl.Expr:
    """Return the STIR of each pass by the list's own values alone; null where the operation is not listed."""
    exact = pl.col("type_hundredths") * pl.col("depth_in_listed") * pl.col("surface_pct_listed")
    single = pl.when(~pl.col("several_tools")).then(
        _half_even_expr(STIR_NUMERATOR * pl.col("speed_mph_listed") * exact, STIR_DENOMINATOR)
    )
    return pl.coalesce(single, pl.col("published_stir"))


def _recorded(column: str) -> pl.Expr:
    """Return a recorded amount; zero is not recorded."""
    return pl.when(pl.col(column) > 0).then(pl.col(column))


def _half_even_expr(numerator: pl.Expr, denominator: int | pl.Expr) -> pl.Expr:
    """Divide whole columns, not negative, to the nearest whole number, ties to even; null by 0 or null."""
    below = denominator if isinstance(denominator, pl.Expr) else pl.lit(denominator, pl.Int64)
    whole = numerator // below
    # Twice what is left exceeds the divisor, or equals it beside an odd number: one look at both.
    up = 2 * (numerator - whole * below) + (whole & 1) > below
    return whole + up.cast(pl.Int64)


# Passes that other records prove, each held against the nearest pass of its unit that can have done it.
#
# Which work each method takes is said in ``standards.season``.

_FAR: Final = 10_000
"""Days to the next pass where there is none."""
_Way = tuple[tuple[str, ...], bool]
"""Groups of the operations list that can have done it, and whether only by tools that reach into the soil."""
_WHERE: Final = position(pl.col("unit_key"), pl.col("day")).alias("at")


def implied_facts(
    operations: pl.DataFrame, applications: pl.DataFrame, covers: pl.DataFrame, plantings: pl.DataFrame, days: int
) -> pl.DataFrame:
    """Count per interval what lacks its pass within so many days, and the plantings that have one, listed or not.

    A row that does not say how may have been done by any work; a gas goes into the ground whatever its row says.
    """
    # What is banded may have been put on in any way, what is injected went into the ground.
    how = pl.col("method").cast(pl.String).fill_null("banded").replace("other", "banded")
    gas = (pl.col("n_pct") > GAS_N_PCT) & (how != "fertigation")
    put_on = pl.when(gas).then(pl.lit("injected")).otherwise(how)
    sown = pl.col("method").cast(pl.String).fill_null("unsaid").replace("other", "unsaid")
    ended = pl.col("termination_method").cast(pl.String)
    asked = [
        (plantings, "planted_on", {_way(PLANTED): ["planted"]}, pl.lit("planted")),
        (covers, "seeded_on", _by_way({**SOWN, "unsaid": (Work("seeded", SEEDING),)}), sown),
        (covers, "terminated_on", _by_way(ENDED), ended),
        (applications, "day", _by_way(PUT_ON), put_on),
    ]
    parts = []
    for number, (rows, day, ways, method) in enumerate(asked):
        for way, methods in ways.items() if rows.height else ():
            such = rows.lazy().filter(method.is_in(methods), pl.col("interval_key").is_not_null())
            wanted = such.select("interval_key", "unit_key", pl.col(day).alias("day")).collect()
            if wanted.height:
                lacks = _days_to_pass(wanted, operations, way) > days
                parts.append(wanted.select("interval_key", pl.lit(number == 0).alias("planting"), lacks.alias("lacks")))
    schema = {"interval_key": pl.UInt32, "planting": pl.Boolean, "lacks": pl.Boolean}
    found = pl.concat(parts) if parts else pl.DataFrame(schema=schema)
    return found.group_by("interval_key").agg(
        pl.col("lacks").sum().cast(pl.Int32).alias("passes_missing"),
        (pl.col("planting") & ~pl.col("lacks")).sum().cast(pl.Int32).alias("passes_of_plantings"),
    )


def _way(work: Work) -> _Way:
    return work.groups, work.in_soil


def _by_way(table: Mapping[str | None, tuple[Work, ...]]) -> dict[_Way, list[str]]:
    ways: dict[_Way, list[str]] = {}
    for method, works in table.items():
        for work in works:
            ways.setdefault(_way(work), []).append(method or "")
    return ways


def _days_to_pass(wanted: pl.DataFrame, operations: pl.DataFrame, way: _Way) -> pl.Series:
    """Return the days to the pass nearest in time on the same unit that can have done it; far where there is none."""
    groups, deep = way
    in_soil = pl.lit(value=True) if not deep else pl.col("published_stir") > DRIVEN_OVER
    fits = pl.col("op_group").is_null() | (pl.col("op_group").is_in(groups) & in_soil)
    passes = operations.lazy().filter(fits & pl.col("day").is_not_null()).select(_WHERE).collect()["at"].sort()
    if passes.is_empty():
        return pl.Series([_FAR]).new_from_index(0, wanted.height)
    at = wanted.select(_WHERE)["at"]
    after = passes.search_sorted(at.fill_null(0), side="left")
    # Another unit lies further off than any day.
    to_last = (at - passes.gather((after.cast(pl.Int64) - 1).clip(0))).abs()
    to_next = (passes.gather(after.clip(0, passes.len() - 1)) - at).abs()
    return to_last.zip_with(to_last < to_next, to_next).fill_null(_FAR)
