"""The farms of a State: fields, runs of the made-up calculator, counts and outlines that agree with each other."""

from typing import Final

import numpy as np
import polars as pl
import shapely

from bench.synthetic import synthetic_frames
from provender.catalog.places import counties
from provender.portfolio.frames import schema_of
from provender.records.kind import KINDS

UNITS: Final = 10
"""Fields of a farm."""
STATES: Final = ("IA", "IL", "IN", "KS", "MN", "MO", "NE", "OH", "SD", "WI")
TOOL: Final = "USDA FD-CIC"
VERSION: Final = "EXAMPLE, made-up values"
DEFAULT: Final = 900_000
NO_TILL: Final = 80_000
"""Hundredths by which no-till is better, before the county's own part."""
COUNTIES: Final = 40
_FARMS_OF_A_COUNTY: Final = 12
HASH: Final = "0" * 63
_SIDE: Final = 0.004
_ACROSS: Final = 25
_PRIME: Final = 2**31 - 1

Frames = dict[str, pl.DataFrame]


def mixed(salt: int, sides: int, *columns: str) -> pl.Expr:
    """Throw a die of so many sides for each row, the same for the same numbers everywhere."""
    value = pl.lit(salt * 7_919 + 104_729, pl.Int64)
    for column in columns:
        value = (value * 48_271 + pl.col(column).cast(pl.Int64) * 69_621 + 12_345) % _PRIME
    return (value * 48_271) % _PRIME % sides


def state_frames(state: str, seed: int, farms: int) -> tuple[Frames, dict[tuple[str, str], bytes]]:
    """Return the records of a State's farms, and the outline of each field as WKB."""
    frames = synthetic_frames(seed, farms=farms, units_per_farm=UNITS)
    names = _names(state, seed, farms)
    frames = {kind: _called(frame, names) for kind, frame in frames.items()}
    places = names.select(pl.col("name_of").alias("farm_id"), "number", "fips")
    frames["farm"] = _placed(frames["farm"], places).with_columns(
        pl.lit(state).alias("state"), pl.lit(None, pl.String).alias("county")
    )
    frames["unit"] = _placed(frames["unit"], places)
    frames["harvest"] = _harvests(frames["harvest"], frames["unit"], places, seed)
    runs = _runs(frames)
    frames |= {"calculator_run": runs, **_counts(frames, runs), "evidence": _printouts(places)}
    return {kind: _typed(kind, frame) for kind, frame in frames.items()}, _outlines(places, STATES.index(state))


def _called(frame: pl.DataFrame, names: pl.DataFrame) -> pl.DataFrame:
    own = frame.join(names.select("farm_id", "name_of"), on="farm_id", maintain_order="left")
    return own.with_columns(pl.col("name_of").alias("farm_id")).drop("name_of")


def _names(state: str, seed: int, farms: int) -> pl.DataFrame:
    """Return the farms' identifiers, which look like no other's, and their counties."""
    own = sorted(fips for fips, one in counties().items() if one.state == state)[
        : max(1, min(COUNTIES, farms // _FARMS_OF_A_COUNTY))
    ]
    number = pl.int_range(farms, eager=True)
    word = number.hash(seed).cast(pl.String).str.slice(0, 8)
    return pl.DataFrame({
        "farm_id": "F" + number.cast(pl.String), "number": number,
        "name_of": f"{state}-" + word + "-" + number.cast(pl.String),
        "fips": (number % len(own)).replace_strict(dict(enumerate(own)), return_dtype=pl.String),
    })  # fmt: skip


def _placed(rows: pl.DataFrame, places: pl.DataFrame) -> pl.DataFrame:
    return rows.drop("county_fips").join(places.select("farm_id", pl.col("fips").alias("county_fips")), on="farm_id",
                                         maintain_order="left")  # fmt: skip


def _typed(kind: str, frame: pl.DataFrame) -> pl.DataFrame:
    columns = schema_of(KINDS[kind])
    missing = [pl.lit(None, of).alias(name) for name, of in columns.items() if name not in frame.columns]
    return frame.with_columns(missing).select(pl.col(name).cast(of) for name, of in columns.items())


def _harvests(harvest: pl.DataFrame, unit: pl.DataFrame, places: pl.DataFrame, seed: int) -> pl.DataFrame:
    """Give every harvest a yield in whole bushels an acre and a moisture of its own."""
    acres = unit.select("farm_id", "unit_id", "acres")
    rows = harvest.drop("bushels", "moisture_pct").join(acres, on=["farm_id", "unit_id"], maintain_order="left").join(
        places.select("farm_id", "number"), on="farm_id", maintain_order="left"
    ).with_columns(pl.col("unit_id").str.slice(1).cast(pl.Int64).alias("_unit"))  # fmt: skip
    this = pl.col("use").is_not_null()
    bushels = pl.col("acres") * (160 + mixed(seed + 11, 41, "number", "_unit"))
    moisture = 11_000 + 50 * mixed(seed + 12, 40, "number", "_unit")
    return rows.with_columns(
        pl.when(this).then(bushels).alias("bushels"), pl.when(this).then(moisture).alias("moisture_pct")
    ).drop("acres", "number", "_unit")  # fmt: skip


def _runs(frames: Frames) -> pl.DataFrame:
    """Run the calculator for every field: no-till where the records show it, nothing elsewhere."""
    names = frames["operation"].group_by("farm_id", "unit_id").agg(
        pl.col("operation").str.contains("Fert. applic. anhyd").any().alias("no_till")
    )  # fmt: skip
    declared = frames["declaration"].select("farm_id", "harvest_id", pl.lit(value=True).alias("declared"))
    grown = frames["harvest"].filter(pl.col("use").is_not_null())
    units = frames["unit"].select("farm_id", "unit_id", "acres", "county_fips")
    rows = (
        grown.select("farm_id", "unit_id", "harvest_id", "crop", "bushels")
        .join(units, on=["farm_id", "unit_id"], maintain_order="left")
        .join(names, on=["farm_id", "unit_id"], how="left", maintain_order="left")
        .join(declared, on=["farm_id", "harvest_id"], how="left", maintain_order="left")
    )
    credited = (pl.col("no_till") & pl.col("declared")).fill_null(value=False)
    county = pl.col("county_fips").cast(pl.Int64)
    better = NO_TILL + (county * 7 + pl.col("crop").cast(pl.String).str.len_chars().cast(pl.Int64) * 13) % 1000 * 10
    return rows.with_columns(
        ("R-" + pl.col("unit_id")).alias("run_id"), pl.lit(TOOL).alias("calculator"), pl.lit(VERSION).alias("version"),
        pl.lit("final").alias("status"), pl.date(2025, 12, 1).alias("run_on"),
        (pl.col("bushels") // pl.col("acres") * 1000).alias("yield_bu_per_ac"),
        pl.when(credited).then(pl.lit("no_till")).otherwise(pl.lit("conventional")).alias("tillage"),
        pl.lit(value=False).alias("cover_crop"), pl.lit("as_usual").alias("n_timing"),
        pl.lit(value=False).alias("inhibitor"), pl.lit("E-RUNS").alias("evidence"),
        (DEFAULT - pl.when(credited).then(better).otherwise(0)).alias("ci_g_per_bu"),
    )  # fmt: skip


def averaged(runs: pl.DataFrame) -> pl.DataFrame:
    """Return the runs with the farm's average as its printouts show it, rounded half even."""
    key = ["farm_id", "crop"]
    sums = runs.group_by(key).agg(
        (pl.col("bushels") * pl.col("ci_g_per_bu")).sum().alias("_top"), pl.col("bushels").sum().alias("_down")
    )
    whole, rest = pl.col("_top") // pl.col("_down"), pl.col("_top") % pl.col("_down") * 2
    up = (rest > pl.col("_down")) | ((rest == pl.col("_down")) & (whole % 2 == 1))
    means = sums.select(*key, (whole + up.cast(pl.Int64)).alias("farm_ci_g_per_bu"))
    kept = runs.drop("farm_ci_g_per_bu") if "farm_ci_g_per_bu" in runs.columns else runs
    return kept.join(means, on=key, maintain_order="left")


def _counts(frames: Frames, runs: pl.DataFrame) -> Frames:
    """Return what counts the same grain and acres elsewhere, the default, and a scale ticket for each field."""
    crop = runs.group_by("farm_id", "crop", maintain_order=True)
    totals = crop.agg(pl.col("bushels").sum(), pl.col("acres").sum()).with_columns(pl.lit(2025).alias("harvest_year"))
    tickets = frames["harvest"].filter(pl.col("use").is_not_null()).select(
        "farm_id", "unit_id", "crop", ("T-" + pl.col("farm_id") + "-" + pl.col("unit_id")).alias("ticket_id"),
        pl.lit("Elevator").alias("buyer"), pl.col("last_day").alias("day"), pl.lit(2025).alias("harvest_year"),
        pl.min_horizontal(pl.col("bushels"), pl.lit(900_000)).alias("net_bushels"),
    )  # fmt: skip
    name = pl.col("crop").cast(pl.String)
    head = ("farm_id", "crop", "harvest_year")
    total = totals.select(
        *head,
        "bushels",
        ("B-" + name).alias("total_id"),
        pl.lit("scale_tickets").alias("what"),
        pl.lit("E-TICKETS").alias("evidence"),
    )
    acres = totals.select(
        *head,
        "acres",
        ("A-" + name).alias("report_id"),
        pl.lit("FSA-578").alias("source"),
        pl.lit("E-ACRES").alias("evidence"),
    )
    default = totals.select(
        "farm_id", "crop", pl.lit(TOOL).alias("calculator"), pl.lit(VERSION).alias("version"),
        pl.lit(DEFAULT).alias("ci_g_per_bu"), pl.lit("Made up").alias("source"),
    )  # fmt: skip
    return {"bushel_total": total, "reported_acres": acres, "national_default": default, "scale_ticket": tickets}


_PAPERS: Final = (("E-RUNS", "runs.pdf", "printout"), ("E-TICKETS", "tickets.pdf", "ticket"),
                  ("E-ACRES", "acres.pdf", "usda_record"))  # fmt: skip
"""Evidence of every farm: its identifier, its file and what it is."""


def _printouts(places: pl.DataFrame) -> pl.DataFrame:
    papers = pl.DataFrame(_PAPERS, schema=["evidence_id", "file", "what"], orient="row")
    rows = places.select("farm_id").join(papers, how="cross", maintain_order="left_right")
    return rows.with_columns(pl.date(2025, 12, 2).alias("taken_on"), _content().alias("sha256"))


def _content() -> pl.Expr:
    """Return a hash for each file: one that is the same for two kinds of paper would contradict itself."""
    of = {file: HASH + str(at) for at, (_, file, _) in enumerate(_PAPERS, 1)}
    return pl.col("file").replace_strict(of, return_dtype=pl.String)


def held(places: pl.DataFrame) -> pl.DataFrame:
    """Return the files of evidence as their exporters held them."""
    files = pl.DataFrame({"file": [file for _, file, _ in _PAPERS]})
    rows = places.select("farm_id").join(files, how="cross", maintain_order="left_right")
    return rows.with_columns(_content().alias("sha256"))


def _outlines(places: pl.DataFrame, state: int) -> dict[tuple[str, str], bytes]:
    """Lay the fields of a State side by side, so that neighbours share borders."""
    number = np.repeat(places["number"].to_numpy(), UNITS)
    unit = np.tile(np.arange(UNITS), places.height)
    west = -104 + 2.5 * state + (number % _ACROSS * UNITS + unit) * _SIDE
    south = 38 + number // _ACROSS * _SIDE
    shapes = shapely.to_wkb(shapely.box(west, south, west + _SIDE, south + _SIDE))
    farms = np.repeat(places["farm_id"].to_numpy(), UNITS)
    return {(farm, f"U{which}"): bytes(wkb) for farm, which, wkb in zip(farms, unit, shapes, strict=True)}
