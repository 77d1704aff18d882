"""``portfolio report``: what the jobs found, summed up by county and crop, so small however many farms there are."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import polars as pl

from provender.catalog.counties import find_county
from provender.portfolio.checking import MISSING, VERDICT
from provender.portfolio.jobs import read_result
from provender.portfolio.quantifying import FARM, FARMS, FINDING, FINDINGS, UNIT, UNITS
from provender.practices.requirement import REQUIREMENTS
from provender.quantity import half_even
from provender.rule.crops import Practice

GAPS: Final = 2_000
"""Lines of gaps that are kept, by State and crop; the page shows the largest of what is chosen."""
CLAIMS: Final = 500
_APART: Final = "\x1f"
UNKNOWN: Final = "not recorded"
_KEY: Final = ("state", "county_fips", "crop")


@dataclass(frozen=True, slots=True)
class Overview:
    """What the report shows.

    Attributes:
        counties: by State, county and crop: fields, farms, bushels, CI, and per practice how many fields meet it, do
            not, or do not show it.
        gaps: by State, crop and record: fields and bushels that it holds back, and a requirement that needs it.
        findings: of the quantification, by State, crop and code: farms and bushels.
        claims: the findings with most bushels at stake, and how many there are of each kind.
        kinds: number and bushels of every kind of such findings.
    """

    counties: tuple[Mapping[str, Any], ...]
    gaps: tuple[Mapping[str, Any], ...]
    findings: tuple[Mapping[str, Any], ...]
    claims: tuple[Mapping[str, Any], ...]
    kinds: tuple[Mapping[str, Any], ...]

    def total(self, column: str) -> int:
        """Return the sum of a column over the counties."""
        return sum(row[column] for row in self.counties)


def overview(check: Path, intensity: Path, claims: pl.DataFrame) -> Overview:
    """Sum up the results of ``check`` and ``intensity``, and the findings of ``claims``."""
    verdicts = _read(check, VERDICT, {"farm_id": pl.String, "state": pl.String, "county_fips": pl.String,
                                      "crop": pl.String, "bushels": pl.Int64, MISSING: pl.List(pl.String),
                                      **{str(one): pl.Boolean for one in Practice}})  # fmt: skip
    states = verdicts.select("farm_id", "state").unique("farm_id")
    by_kind = claims.group_by("kind").agg(pl.len().alias("findings"), pl.col("bushels").sum())
    return Overview(
        _counties(verdicts, intensity),
        _gaps(verdicts),
        _findings(intensity, states),
        tuple(claims.head(CLAIMS).select("kind", "bushels", "message", "cite").iter_rows(named=True)),
        tuple(by_kind.sort("bushels", "kind", descending=[True, False]).iter_rows(named=True)),
    )


def _read(out: Path, data_set: str, schema: Mapping[str, Any]) -> pl.LazyFrame:
    rows = read_result(out, data_set)
    if not rows.collect_schema().names():
        return pl.LazyFrame(schema=dict(schema))
    return rows.select(pl.col(name).cast(of) for name, of in schema.items())


def _counties(verdicts: pl.LazyFrame, intensity: Path) -> tuple[Mapping[str, Any], ...]:
    marks = [
        expression.alias(f"{one}_{end}")
        for one in Practice
        for end, expression in (("met", pl.col(one).sum()), ("not", (~pl.col(one)).sum()),
                                ("open", pl.col(one).is_null().sum()))
    ]  # fmt: skip
    fields = verdicts.group_by(_KEY).agg(
        pl.len().alias("fields"), pl.col("farm_id").n_unique().alias("farms"),
        pl.col("bushels").sum().alias("bushels"), *marks,
    ).collect()  # fmt: skip
    means = {(row["county_fips"], row["crop"]): row for row in _means(intensity).iter_rows(named=True)}
    rows = []
    for row in fields.sort(_KEY, nulls_last=True).iter_rows(named=True):
        mean = means.get((row["county_fips"], row["crop"]), {"weight": 0, "product": 0})
        county = find_county(row["county_fips"]) if row["county_fips"] else None
        ci = half_even(mean["product"], mean["weight"]) if mean["weight"] else None
        named = county.name if county else row["county_fips"] or UNKNOWN
        weighed = {"ci": ci, "ci_bushels": mean["weight"], "ci_product": str(mean["product"])}
        rows.append({**row, "county": named, "state": row["state"] or UNKNOWN, **weighed})
    return tuple(rows)


def _means(intensity: Path) -> pl.DataFrame:
    """Return bushels and bushels times CI of the units whose CI is known, conventional ones by the national default."""
    key = ["farm_id", "crop", "harvest_year"]
    defaults = _read(intensity, FARM, FARMS).select(*key, "national_default_g_per_bu")
    units = _read(intensity, UNIT, UNITS).join(defaults, on=key, how="left")
    ci = pl.when("conventional").then("national_default_g_per_bu").otherwise("ci_g_per_bu")
    known = units.with_columns(ci.alias("_ci")).filter(pl.col("_ci").is_not_null() & (pl.col("bushels") > 0))
    product = (pl.col("_ci").cast(pl.Int128) * pl.col("bushels")).sum()
    return (
        known.group_by("county_fips", "crop")
        .agg(pl.col("bushels").sum().alias("weight"), product.alias("product"))
        .collect()
    )


def _gaps(verdicts: pl.LazyFrame) -> tuple[Mapping[str, Any], ...]:
    """Sum up what is missing. Few sets of gaps occur among many fields, so each is taken apart once."""
    sets = (
        verdicts.group_by("state", "crop", pl.col(MISSING).list.join(_APART))
        .agg(pl.len().alias("fields"), pl.col("bushels").sum())
        .collect()
    )
    found: dict[tuple[str, str, str], dict[str, Any]] = {}
    for state, crop, texts, fields, bushels in sets.sort("state", "crop", MISSING).iter_rows():
        named = [text.partition(": ") for text in (texts or "").split(_APART) if text]
        # A record that several requirements lack is one gap.
        for record, name in {record: name for name, _, record in reversed(named)}.items():
            known = REQUIREMENTS.get(name)
            gap = {"state": state or UNKNOWN, "crop": crop, "record": record, "fields": 0, "bushels": 0,
                   "says": known.says if known else name, "cite": str(known.cite) if known else ""}  # fmt: skip
            of = found.setdefault((gap["state"], crop, record), gap)
            of["fields"], of["bushels"] = of["fields"] + fields, of["bushels"] + bushels
    return tuple(sorted(found.values(), key=lambda row: (-row["bushels"], -row["fields"], row["record"])))[:GAPS]


def _findings(intensity: Path, states: pl.LazyFrame) -> tuple[Mapping[str, Any], ...]:
    rows = _read(intensity, FINDING, FINDINGS).join(states, on="farm_id", how="left")
    return tuple(
        rows.group_by(pl.col("state").fill_null(UNKNOWN), "crop", "code", "cite")
        .agg(pl.col("farm_id").n_unique().alias("farms"), pl.col("bushels").sum())
        .sort("bushels", "farms", "code", "state", "crop", descending=[True, True, False, False, False])
        .collect()
        .iter_rows(named=True)
    )
