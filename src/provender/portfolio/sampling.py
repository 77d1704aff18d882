"""``portfolio sample``: the farms of every first point of aggregation, frozen and drawn as one point's own list is.

Who supplied a first point stands in its claims: serials that came to it from the farm of their report. Place and acres
stand in the farm's records. A first point of whose farms one cannot be listed gets no list: that farm could never be
drawn (2100.040(a)(3)(i)).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, Final

import polars as pl

from provender.audit.sampling.draw import Beacon, Frozen, Opened, Side, freeze_list
from provender.audit.sampling.population import (
    FarmCrop,
    Population,
    Proof,
    freeze,
    minimum_farms,
    proofs_of,
    years_shown,
)
from provender.audit.sampling.sample import Sample, SampleRequest, draw_sample
from provender.exact import CI_SCALE, SCALE, show
from provender.portfolio.custody import CLAIM, ORIGIN, REPORT, table
from provender.portfolio.farm_jobs import FIELD, INPUTS, PLACE, RUN
from provender.portfolio.jobs import read_result
from provender.portfolio.layout import Portfolio, among_sound, unreadable, why_not
from provender.problem import Place, Problem, ProblemsError, refuse
from provender.rule.calculators import packaged_calculators

CITE: Final = "2100.040(a)(3)(i)"
_NO_LIST: Final = "Get it again; until then no first point has a list, since any farm may be missing from it."
KIND: Final = "provender/frozen-portfolio"
_TRANSFER: Final = ("key", "origin", "start", "stop", "giver", "taker")
SUPPLIED: Final = ("entity", "farm_id", "crop", "crop_year", "bushels", "ci")


def supplied(portfolio: Portfolio) -> pl.DataFrame:
    """Return what every first point took in from each farm, by crop and harvest year; columns of ``SUPPLIED``.

    A transfer told by several books counts once. A grower who bought is no first point.
    """
    roots = table(portfolio, ORIGIN).drop_nulls().unique("origin")
    growers = roots.select(pl.col("root").alias("taker")).unique()
    reports = table(portfolio, REPORT).sort("version").unique("origin", keep="last", maintain_order=True)
    return (
        table(portfolio, CLAIM)
        .unique(list(_TRANSFER))
        .join(roots, left_on=["origin", "giver"], right_on=["origin", "root"], how="semi")
        .join(growers, on="taker", how="anti")
        .filter(pl.col("taker") != "")
        .group_by("taker", "origin")
        .agg((pl.col("stop") - pl.col("start")).sum().alias("bushels"))
        .join(reports.select("origin", "farm_id", "crop", "crop_year", "ci"), on="origin")
        .group_by(pl.col("taker").alias("entity"), "farm_id", "crop", "crop_year")
        .agg(pl.col("bushels").sum(), pl.col("ci").first())
        .select(SUPPLIED)
        .sort(SUPPLIED[:4])
        .collect()
    )


def populations(portfolio: Portfolio, out: Path) -> tuple[dict[str, Population], list[Problem]]:
    """Return the list of farms of each first point, and the farms for which a point has none.

    Args:
        portfolio: with books of custody and the farms' records.
        out: the result of the job ``sample``, with place and acres.

    Raises:
        ProblemsError: rows of the books are missing or cannot be read: whose they are nobody knows, so nobody's list
            is whole.
    """
    delivered = _delivered(portfolio)
    rows = read_result(out, PLACE)
    if not rows.collect_schema().names():
        rows = pl.LazyFrame(schema={"farm_id": pl.String, "crop": pl.String, "harvest_year": pl.Int32,
                                    "county_fips": pl.String, "acres": pl.Int64})  # fmt: skip
    places = rows.rename({"harvest_year": "crop_year"}).unique(["farm_id", "crop", "crop_year"], keep="first").collect()
    main = delivered.sort("bushels", "crop_year").group_by("entity", "farm_id", "crop", maintain_order=True)
    listed = main.agg(pl.col("bushels").sum(), pl.col("ci", "crop_year").last())
    found: dict[str, list[FarmCrop]] = {}
    problems: list[Problem] = []
    joined = listed.join(places, on=["farm_id", "crop", "crop_year"], how="left").sort("entity", "farm_id", "crop")
    for row in joined.iter_rows(named=True):
        of = found.setdefault(row["entity"], [])
        if row["county_fips"] and row["acres"] and row["bushels"] > 0:
            of.append(
                FarmCrop(row["farm_id"], row["crop"], row["county_fips"], row["bushels"], row["ci"], row["acres"])
            )
        else:
            problems.append(_unlisted(row))
    lacking = {one.place.file for one in problems}
    return {entity: freeze(of) for entity, of in found.items() if entity not in lacking}, problems


def _delivered(portfolio: Portfolio) -> pl.DataFrame:
    rows, sound, _ = among_sound(portfolio, supplied)
    books = (CLAIM, ORIGIN, REPORT)
    unread = [one for one in sound.files if one.data_set in books and not one.sha256]
    lost = [unreadable(one.path, why_not(portfolio.root / one.path), _NO_LIST) for one in unread]
    lost += [
        Problem(Place(name), "Rows that the manifest lists are missing.", _NO_LIST, CITE, code="rows_missing")
        for name in sorted(
            {name for name, _ in portfolio.lacking}.intersection(books) - {one.data_set for one in unread}
        )
    ]
    if lost:
        raise ProblemsError(lost)
    return rows


def _unlisted(row: Mapping[str, Any]) -> Problem:
    cause = (
        f"{row['farm_id']} supplied {row['crop']} of {row['crop_year']}, but no record here says its county and acres."
    )
    remedy = "Export the farm's record book into the portfolio; until then the first point has no list."
    return Problem(Place(row["entity"], column=row["farm_id"]), cause, remedy, CITE, code="farm_unlisted")


def freeze_all(
    lists: Mapping[str, Population], year: int, proofs: Sequence[Proof],
    source: Mapping[Side, str] | Beacon, *, verifier: str, day: date, salt: str,
) -> dict[str, Any]:  # fmt: skip
    """Return what is fixed of every first point before the seed is known, as plain data."""
    points = {}
    for entity in sorted(lists):
        years = years_shown(proofs_of(entity, proofs), entity, year, day)
        between = (entity, verifier)
        frozen = freeze_list(lists[entity], year, years, source, between=between, day=day, salt=salt)
        points[entity] = frozen.document()
    return {"kind": KIND, "first_points": points}


def draw_all(
    lists: Mapping[str, Population], frozen: Mapping[str, Any], opened: Opened, proofs: Sequence[Proof]
) -> dict[str, Sample]:
    """Draw the sample of every first point from its frozen list and the opened seed.

    Raises:
        ProblemsError: the file is no frozen portfolio, a list is not the frozen one or is not here, or the seed cannot
            be opened.
    """
    try:
        points = {
            str(entity): Frozen.read(one) for entity, one in frozen["first_points"].items() if frozen["kind"] == KIND
        }
    except (KeyError, TypeError, ValueError, AttributeError) as wrong:
        cause = f"These are no frozen lists of farms: {type(wrong).__name__}, {wrong}."
        raise refuse("--frozen", cause, "Use the file that `portfolio sample --commitment` wrote.") from None
    if points.keys() != lists.keys():
        differing = ", ".join(sorted(points.keys() ^ lists.keys())[:5])
        cause = f"The first points are not those that were frozen: {differing}."
        raise refuse("--frozen", cause, "Use the portfolio that was frozen.", cite=CITE, code="other_first_points")
    return {
        entity: draw_sample(SampleRequest(lists[entity], one, opened, proofs_of(entity, proofs)))
        for entity, one in points.items()
    }


def list_frames(lists: Mapping[str, Population]) -> dict[str, pl.DataFrame]:
    """Return ``first_point`` (farms, the least that may be audited, hash) and ``supplying_farm``, the lists' rows."""
    points = [(name, len(of.farms), minimum_farms(len(of.farms)), of.sha256) for name, of in sorted(lists.items())]
    rows = [
        (name, *((row.farm_id, row.crop, row.county_fips, row.bushels, row.ci_g_per_bu, row.acres)))
        for name, of in sorted(lists.items())
        for row in of.rows
    ]
    return {
        "first_point": pl.DataFrame(points, schema={"entity": pl.String, "farms": pl.Int32, "minimum": pl.Int32,
                                                    "population_hash": pl.String}, orient="row"),
        "supplying_farm": pl.DataFrame(rows, schema={
            "entity": pl.String, "farm_id": pl.String, "crop": pl.String, "county_fips": pl.String,
            "bushels": pl.Int64, "ci_g_per_bu": pl.Int64, "acres": pl.Int64}, orient="row"),
    }  # fmt: skip


def draw_frames(samples: Mapping[str, Sample]) -> dict[str, pl.DataFrame]:
    """Return ``stratum`` (farms, drawn, share of the weight) and ``draw``, each farm of a sample with why it is in."""
    strata: list[tuple[object, ...]] = []
    drawn: list[tuple[object, ...]] = []
    for entity, sample in sorted(samples.items()):
        document = sample.document()
        on_top: Mapping[str, str] = document["on_top"]
        strata += [
            (entity, one["name"], one["farms"], len(one["sample"]), one["chance"]["share_of_weight"])
            for one in document["strata"]
        ]
        drawn += [
            (entity, farm, f"on top, so that {on_top[farm]} is seen" if farm in on_top else "drawn",
             document["weights"][farm], document["seed"], document["population_hash"])
            for farm in document["sample"]
        ]  # fmt: skip
    return {
        "stratum": pl.DataFrame(strata, schema={"entity": pl.String, "name": pl.String, "farms": pl.Int32,
                                                "drawn": pl.Int32, "share_of_weight": pl.String}, orient="row"),
        "draw": pl.DataFrame(drawn, schema=dict.fromkeys(
            ("entity", "farm_id", "why", "weight", "seed", "population_hash"), pl.String), orient="row"),
    }  # fmt: skip


# ``portfolio sister``: the same inputs with another CI, and fields that stand far outside their county.

PEERS: Final = 8
"""Fewer fields of a county, crop and year say nothing about what is usual."""
SAME_INPUTS: Final = "same_inputs_different_ci"
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
        (SAME_INPUTS, *_head(row), row["ci_g_per_bu"], row["usual"], row["peers"], row["bushels"], _said(row),
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
    ).filter(pl.col("peers") >= PEERS)  # fmt: skip
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
