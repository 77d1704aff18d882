"""``portfolio sister``: the same inputs with another CI, and fields that stand far outside their county."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import polars as pl

from provender.exact import CI_SCALE, SCALE, show
from provender.portfolio.farm_jobs import FIELD, INPUTS, RUN
from provender.portfolio.jobs import read_result
from provender.rule.calculators import packaged_calculators

_PEERS: Final = 8
"""Fewer fields of a county, crop and year say nothing about what is usual."""
_SAME_INPUTS: Final = "same_inputs_different_ci"
FINDING: Final = {
    "kind": pl.String, "farm_id": pl.String, "unit_id": pl.String, "crop": pl.String, "harvest_year": pl.Int32,
    "county_fips": pl.String, "observed": pl.Int64, "usual": pl.Int64, "peers": pl.UInt32, "bushels": pl.Int64,
    "message": pl.String, "remedy": pl.String, "cite": pl.String,
}  # fmt: skip
"""``observed`` and ``usual`` in the scale of what is compared; ``usual`` is the commonest CI, or the median."""


@dataclass(frozen=True, slots=True)
class Measure:
    """What is compared within a county."""

    name: str  # of the finding
    column: str  # of ``comparable``
    words: str  # what it is called, with its unit
    least: int  # the smallest distance from the median that counts, in the scale of the column
    pct: int  # the same as a share of the median, percent
    scale: int  # decimals of the column
    remedy: str  # what to do


MEASURES: Final = (
    Measure("yield_outlier", "yield_bu_per_ac", "bu/ac", 20_000, 40, SCALE, "Hold bushels and acres against tickets."),
    Measure("ci_outlier", "ci_g_per_bu", "g CO2e/bu", 100_000, 50, CI_SCALE, "Look at the printout of the run."),
    Measure("nitrogen_outlier", "n_lb_per_ac", "lb N/ac", 80_000, 60, SCALE, "Look at rates, units and double rows."),
    Measure("moisture_outlier", "moisture_pct", "% moisture", 6_000, 30, SCALE, "Hold it against the scale tickets."),
)  # fmt: skip


def sisters(out: Path) -> pl.DataFrame:
    """Return what is found among the rows that ``comparable`` left in a result; see ``FINDING``."""
    runs, fields = read_result(out, RUN), read_result(out, FIELD)
    parts = [pl.DataFrame(schema=FINDING)]
    if runs.collect_schema().names():
        parts.append(same_inputs(runs))
    if fields.collect_schema().names():
        parts += [outliers(fields, one) for one in MEASURES]
    return pl.concat(parts).sort("bushels", "kind", "farm_id", "unit_id", descending=[True, False, False, False],
                                 nulls_last=True)  # fmt: skip


def same_inputs(runs: pl.LazyFrame) -> pl.DataFrame:
    """Return every run whose CI is not that of most runs with its inputs; all of them where none is commoner."""
    group = ["_tool", "_version", "county_fips", "crop", *INPUTS]
    known = _names(runs.select("calculator", "version").unique().collect())
    compared = runs.drop_nulls(["county_fips", *INPUTS, "ci_g_per_bu"]).join(
        known.lazy(), on=["calculator", "version"], how="left"
    )
    counts = compared.group_by(*group, "ci_g_per_bu").len("_runs")
    usual = (
        counts.group_by(group)
        .agg(
            pl.len().alias("_values"), pl.col("_runs").sum().alias("peers"), pl.col("_runs").max().alias("_most"),
            pl.col("ci_g_per_bu").sort_by("_runs", "ci_g_per_bu", descending=[True, False]).first().alias("usual"),
            (pl.col("_runs") == pl.col("_runs").max()).sum().alias("_tied"),
        )
        .filter(pl.col("_values") > 1)
    )  # fmt: skip
    odd = (
        compared.join(usual, on=group)
        .filter((pl.col("_tied") > 1) | (pl.col("ci_g_per_bu") != pl.col("usual")))
        .collect()
    )
    rows = [
        (_SAME_INPUTS, *_head(row), row["ci_g_per_bu"], row["usual"], row["peers"], row["bushels"], _said(row),
         "Run the calculator again for these inputs and compare the printouts.", "2100.031(c)(2)(i)")
        for row in odd.iter_rows(named=True)
    ]  # fmt: skip
    return pl.DataFrame(rows, schema=FINDING, orient="row")


def _names(written: pl.DataFrame) -> pl.DataFrame:
    """Return the version that each written name means: lists know several names of one calculator."""
    rows = []
    for tool, version in written.iter_rows():
        listed = packaged_calculators().find(tool, version)
        names = (listed.calculator, listed.version) if listed else (tool.strip().casefold(), version.strip().casefold())
        rows.append((tool, version, *names))
    columns = ("calculator", "version", "_tool", "_version")
    return pl.DataFrame(rows, schema=dict.fromkeys(columns, pl.String), orient="row")


def _head(row: dict[str, object]) -> Iterator[object]:
    return (row[name] for name in ("farm_id", "unit_id", "crop", "harvest_year", "county_fips"))


def _said(row: dict[str, object]) -> str:
    ours, usual = (_shown(row[name], CI_SCALE) for name in ("ci_g_per_bu", "usual"))
    inputs = ", ".join(f"{name.replace('_', ' ')} {row[name]}" for name in INPUTS)
    return (
        f"Run {row['run_id']} of {row['farm_id']} unit {row['unit_id']} shows {ours} g CO2e/bu for {row['crop']} in "
        f"county {row['county_fips']}, {inputs}; {row['peers']} runs have these inputs, most with {usual}."
    )


def _shown(value: object, scale: int) -> str:
    return show(value, scale) if isinstance(value, int) else str(value)


def outliers(fields: pl.LazyFrame, measure: Measure) -> pl.DataFrame:
    """Return the fields whose value stands far outside those of their county, crop and year."""
    value = pl.col(measure.column)
    group = ["county_fips", "crop", "harvest_year"]
    known = fields.filter(value.is_not_null() & pl.col("county_fips").is_not_null())
    lower, upper = (value.quantile(share, "nearest").cast(pl.Int64) for share in (0.25, 0.75))
    usual = known.group_by(group).agg(
        lower.alias("_lower"), upper.alias("_upper"), value.quantile(0.5, "lower").cast(pl.Int64).alias("usual"),
        pl.len().alias("peers"),
    ).filter(pl.col("peers") >= _PEERS)  # fmt: skip
    beyond = 3 * (pl.col("_upper") - pl.col("_lower"))
    off = (value - pl.col("usual")).abs()
    far = (off >= measure.least) & (off * 100 >= pl.col("usual").abs() * measure.pct)
    found = (
        known.join(usual, on=group)
        .filter(((value < pl.col("_lower") - beyond) | (value > pl.col("_upper") + beyond)) & far)
        .collect()
    )
    rows = [
        (measure.name, *_head(row), row[measure.column], row["usual"], row["peers"], row["bushels"],
         _far(row, measure), measure.remedy, "2100.040(a)(3)(iii)")
        for row in found.iter_rows(named=True)
    ]  # fmt: skip
    return pl.DataFrame(rows, schema=FINDING, orient="row")


def _far(row: dict[str, object], measure: Measure) -> str:
    ours, usual = (_shown(row[name], measure.scale) for name in (measure.column, "usual"))
    return (
        f"{row['farm_id']} unit {row['unit_id']}: {ours} {measure.words}, {row['crop']} {row['harvest_year']}; the "
        f"middle one of the {row['peers']} fields of county {row['county_fips']} has {usual}."
    )
