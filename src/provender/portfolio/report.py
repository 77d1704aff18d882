"""``portfolio report``: what the jobs found, summed up by county and crop, so small however many farms there are."""

import html
import json
import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import polars as pl
import shapely
from shapely.geometry.base import BaseGeometry

from provender import __version__
from provender.catalog.places import find_county, outlines
from provender.exact import CI_SCALE, half_even, parse
from provender.paper.svg import PALETTE
from provender.paper.tables import Cell, Column, Table, amount
from provender.portfolio import farm_jobs
from provender.portfolio.farm_jobs import MISSING
from provender.portfolio.jobs import read_result
from provender.rule.crops import CROP_LABELS, Practice
from provender.standards.standard import REQUIREMENTS, Verdict

_GAPS: Final = 2_000
"""Lines of gaps that are kept, by State and crop; the page shows the largest of what is chosen."""
_CLAIMS: Final = 500
_APART: Final = ";"
UNKNOWN: Final = "not recorded"
_KEY: Final = ("state", "county_fips", "crop")


@dataclass(frozen=True, slots=True)
class Overview:
    """What the report shows."""

    # by State, county and crop: fields, farms, bushels, CI, and per practice how many fields meet it, do not, or do not
    # show it
    counties: tuple[Mapping[str, Any], ...]
    # by State, crop and requirement that is not shown: what it says, fields and bushels that it holds back
    gaps: tuple[Mapping[str, Any], ...]
    findings: tuple[Mapping[str, Any], ...]  # of the quantification, by State, crop and code: farms and bushels
    # the findings with most bushels at stake, and how many there are of each kind
    claims: tuple[Mapping[str, Any], ...]
    kinds: tuple[Mapping[str, Any], ...]  # number and bushels of every kind of such findings

    def total(self, column: str) -> int:
        """Return the sum of a column over the counties."""
        return sum(row[column] for row in self.counties)


def overview(check: Path, intensity: Path, claims: pl.DataFrame) -> Overview:
    """Sum up the results of ``check`` and ``intensity``, and the findings of ``claims``."""
    verdicts = _read(check, farm_jobs.VERDICT, {"farm_id": pl.String, "state": pl.String, "county_fips": pl.String,
                                      "crop": pl.String, "bushels": pl.Int64, MISSING: pl.List(pl.String),
                                      **{str(one): pl.Boolean for one in Practice}})  # fmt: skip
    states = verdicts.select("farm_id", "state").unique("farm_id")
    findings = _read(intensity, farm_jobs.FINDING, farm_jobs.FINDINGS).join(states, on="farm_id", how="left")
    counties = _counties(verdicts, _units(intensity), _KEY[1:])
    return Overview(counties, _gaps(verdicts), _findings(findings), *_stakes(claims))


def _stakes(claims: pl.DataFrame) -> tuple[tuple[Mapping[str, Any], ...], tuple[Mapping[str, Any], ...]]:
    """Return the first of the findings with bushels at stake, and number and bushels of every kind of them."""
    by_kind = claims.group_by("kind").agg(pl.len().alias("findings"), pl.col("bushels").sum())
    first = claims.head(_CLAIMS).select("kind", "bushels", "message", "cite").iter_rows(named=True)
    return tuple(first), tuple(by_kind.sort("bushels", "kind", descending=[True, False]).iter_rows(named=True))


def _read(out: Path, data_set: str, schema: Mapping[str, Any]) -> pl.LazyFrame:
    rows = read_result(out, data_set)
    if not rows.collect_schema().names():
        return pl.LazyFrame(schema=dict(schema))
    return rows.select(pl.col(name).cast(of) for name, of in schema.items())


def _counties(verdicts: pl.LazyFrame, weighed: pl.LazyFrame, by: Sequence[str] = _KEY) -> tuple[Mapping[str, Any], ...]:
    """Sum up fields by ``_KEY``, and the ``ci`` of ``weighed`` over its ``bushels`` by some of it."""
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
    product = (pl.col("ci").cast(pl.Int128) * pl.col("bushels")).sum()
    sums = weighed.filter(pl.col("ci").is_not_null() & (pl.col("bushels") > 0)).group_by(by).agg(
        pl.col("bushels").sum().alias("weight"), product.alias("product")
    ).collect()  # fmt: skip
    means = {tuple(row[name] for name in by): row for row in sums.iter_rows(named=True)}
    rows = []
    for row in fields.sort(_KEY, nulls_last=True).iter_rows(named=True):
        mean = means.get(tuple(row[name] for name in by), {"weight": 0, "product": 0})
        county = find_county(row["county_fips"]) if row["county_fips"] else None
        ci = half_even(mean["product"], mean["weight"]) if mean["weight"] else None
        named = county.name if county else row["county_fips"] or UNKNOWN
        told = {"ci": ci, "ci_bushels": mean["weight"], "ci_product": str(mean["product"])}
        rows.append({**row, "county": named, "state": row["state"] or UNKNOWN, **told})
    return tuple(rows)


def _units(intensity: Path) -> pl.LazyFrame:
    """Return ``bushels`` and ``ci`` of each unit, of conventional ones the national default."""
    key = ["farm_id", "crop", "harvest_year"]
    defaults = _read(intensity, farm_jobs.FARM, farm_jobs.FARMS).select(*key, "national_default_g_per_bu")
    units = _read(intensity, farm_jobs.UNIT, farm_jobs.UNITS).join(defaults, on=key, how="left")
    ci = pl.when("conventional").then("national_default_g_per_bu").otherwise("ci_g_per_bu")
    return units.with_columns(ci.alias("ci"))


def _gaps(verdicts: pl.LazyFrame) -> tuple[Mapping[str, Any], ...]:
    """Sum up what is not shown. Few sets of requirements occur among many fields, so each is taken apart once."""
    sets = (
        verdicts.group_by("state", "crop", pl.col(MISSING).list.join(_APART))
        .agg(pl.len().alias("fields"), pl.col("bushels").sum())
        .collect()
    )
    found: dict[tuple[str, str, str], dict[str, Any]] = {}
    for state, crop, names, fields, bushels in sets.sort("state", "crop", MISSING).iter_rows():
        for name in names.split(_APART) if names else ():
            key, needed = (state or UNKNOWN, crop, name), REQUIREMENTS[name]
            row = found.setdefault(key, {
                "state": key[0], "crop": crop, "requirement": name, "fields": 0, "bushels": 0, "says": needed.says,
                "cite": str(needed.cite),
            })  # fmt: skip
            row["fields"], row["bushels"] = row["fields"] + fields, row["bushels"] + bushels
    order = sorted(found.values(), key=lambda row: (-row["bushels"], -row["fields"], row["requirement"]))
    return tuple(order[:_GAPS])


def _findings(rows: pl.LazyFrame) -> tuple[Mapping[str, Any], ...]:
    return tuple(
        rows.group_by(pl.col("state").fill_null(UNKNOWN), "crop", "code", "cite")
        .agg(pl.col("farm_id").n_unique().alias("farms"), pl.col("bushels").sum())
        .sort("bushels", "farms", "code", "state", "crop", descending=[True, True, False, False, False])
        .collect()
        .iter_rows(named=True)
    )


# The report of a portfolio made from signed farm reports: what a buyer has, who has none of its farms' records.

Stake = Mapping[str, Any]
"""A finding with bushels at stake: ``kind``, ``bushels``, ``message``, ``cite``."""
_SAID: Final = {str(Verdict.MET): True, str(Verdict.NOT_MET): False}
_OF_UNIT: Final[Mapping[str, Any]] = {
    **dict.fromkeys(("farm_id", *_KEY), pl.String), "bushels": pl.Int64, "ci": pl.Int64,
    MISSING: pl.List(pl.String), **dict.fromkeys(map(str, Practice), pl.Boolean),
}  # fmt: skip


def of_reports(reports: Iterable[Mapping[str, Any]], stakes: Iterable[Stake]) -> Overview:
    """Sum up the documents of farm reports, each the latest version of its farm, crop and year, and what is at stake.

    A practice counts on a unit as in its worst interval; what a report does not say counts as not shown.
    """
    units: list[tuple[object, ...]] = []
    findings: list[tuple[object, ...]] = []
    for report in reports:
        farm = report.get("farm", {})
        units += [_unit_row(report, unit) for unit in report.get("units", ())]
        findings += [
            (farm.get("farm_id"), farm.get("state"), report["crop"], str(one.get("code", "")), str(one.get("cite", "")),
             _amount(one.get("effect_bushels")))
            for one in report.get("findings", ())
        ]  # fmt: skip
    rows = pl.LazyFrame(units, dict(_OF_UNIT), orient="row")
    told = pl.LazyFrame(findings, {**dict.fromkeys(("farm_id", "state", "crop", "code", "cite"), pl.String),
                                   "bushels": pl.Int64}, orient="row")  # fmt: skip
    found = pl.DataFrame(list(stakes), {**dict.fromkeys(("kind", "message", "cite"), pl.String), "bushels": pl.Int64})
    first = found.sort("bushels", descending=True, maintain_order=True)
    return Overview(_counties(rows, rows), _gaps(rows), _findings(told), *_stakes(first))


def _unit_row(report: Mapping[str, Any], unit: Mapping[str, Any]) -> tuple[object, ...]:
    """Return a unit of a report as a row of ``_OF_UNIT``; it lies where it says, or else where its farm does."""
    farm = report.get("farm", {})
    fips = unit.get("county_fips") or farm.get("county_fips") or ""
    county = find_county(fips) if fips else None
    state = county.state if county else farm.get("state") or UNKNOWN
    ci = report.get("national_default_g_per_bu") if unit.get("conventional") else unit.get("ci_g_per_bu")
    lacking = {
        name
        for interval in unit.get("intervals", ())
        for practice in interval.get("practices", ())
        for name in practice.get("requirements", ())
        if interval.get("requirements", {}).get(name, {}).get("verdict") == Verdict.NOT_SHOWN and name in REQUIREMENTS
    }
    return (
        farm.get("farm_id"), state, fips, report["crop"], _amount(unit.get("bushels")),
        None if ci is None else _amount(ci, CI_SCALE), sorted(lacking), *(_worst(unit, one) for one in Practice),
    )  # fmt: skip


def _worst(unit: Mapping[str, Any], practice: Practice) -> bool | None:
    said = {
        _SAID.get(one.get("implementation", ""))
        for interval in unit.get("intervals", ())
        for one in interval.get("practices", ())
        if one.get("practice") == practice
    }
    return False if False in said else None if None in said or not said else True


def _amount(said: object, scale: int = 3) -> int:
    return parse(said, scale) if isinstance(said, str) else 0


# The report of a portfolio: one HTML page that needs no server, and the same tables for a workbook.

Row = Sequence[Cell | str]
SHOWN: Final = 25
_WIDTH: Final = 900.0
_FINE: Final = 0.01
"""Degrees to which outlines are drawn."""
_NAMED: Final = 40
"""Counties up to which a drawing has room for their names."""
_STEPS: Final = 5
"""Shades of a map; the classes of its counties are ``step1`` to this."""


def report_page(found: Overview, *, title: str, as_of: date, source: str) -> str:
    """Return the page. ``source`` says what the portfolio is and how much of it was read."""
    template = (files("provender.portfolio") / "templates" / "report.html").read_text(encoding="utf-8")
    data = {"counties": found.counties, "gaps": found.gaps, "findings": found.findings, "claims": found.claims,
            "practices": [[str(one), one.label] for one in Practice]}  # fmt: skip
    colours = "".join(f"--{name}: {colour};" for name, colour in PALETTE.items())
    practices, gaps, _, claims, findings, _ = tables(found)
    parts = {
        "title": html.escape(title), "source": html.escape(source), "as_of": as_of.isoformat(),
        "software": f"provender {__version__}", "colours": colours, "totals": _totals(found),
        "states": _options({row["state"]: row["state"] for row in found.counties}),
        "crops": _options({row["crop"]: CROP_LABELS.get(row["crop"], row["crop"]) for row in found.counties}),
        "measures": _options({str(one): f"{one.label}, share of fields" for one in Practice}),
        "map": county_map(found.counties), "practices": _html(practices), "gaps": _html(gaps, SHOWN),
        "claims": _html(claims, SHOWN), "findings": _html(findings),
        "kinds": _options({row["kind"]: _words(row["kind"]) for row in found.kinds}),
        # A text of somebody's must not end the script.
        "data": json.dumps(data, ensure_ascii=True, separators=(",", ":")).replace("<", "\\u003c"),
    }  # fmt: skip
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match[1]], template)


def _options(choices: Mapping[str, str]) -> str:
    return "".join(
        f'<option value="{html.escape(value)}">{html.escape(label)}</option>'
        for value, label in sorted(choices.items())
    )


def _totals(found: Overview) -> str:
    weight = found.total("ci_bushels")
    product = sum(int(row["ci_product"]) for row in found.counties)
    mean = half_even(product, weight) if weight else None
    shown = (
        ("Fields", f"{found.total('fields'):,}", "fields"),
        ("Bushels", amount(found.total("bushels"), places=0).text, "bushels"),
        ("Mean CI, g CO2e/bu", amount(mean, CI_SCALE, missing="not shown").text, "ci"),
        ("Findings across books", f"{sum(row['findings'] for row in found.kinds):,}", "claims"),
    )
    return "".join(f'<div><dt>{name}</dt><dd id="total-{key}">{value}</dd></div>' for name, value, key in shown)


def tables(found: Overview) -> Sequence[Table]:
    """Return the tables: practices, gaps, counties, claims, findings, kinds of claims."""
    counted = ("State", "county", "crop", "#fields", "#farms", "#bushels", "#CI, g CO2e/bu")
    stakes: Iterator[Row] = (
        [_words(row["kind"]), amount(row["bushels"]), row["message"], row["cite"]] for row in found.claims
    )
    kinds: Iterator[Row] = (
        [_words(row["kind"]), _count(row["findings"]), amount(row["bushels"])] for row in found.kinds
    )
    lacking = ("what is not shown", "paragraph", "#fields", "#bushels")
    return (
        _practices(found),
        _table("Gaps", lacking, _summed(found.gaps, "says", "fields")),
        _table("Counties", (*counted, *(f"#{one.label}" for one in Practice)), _county_rows(found)),
        _table("Claims", ("what", "#bushels at stake", "found", "paragraph"), stakes),
        _table("Findings", ("what", "paragraph", "#farms", "#bushels"), _summed(found.findings, "code", "farms")),
        _table("Kinds of claims", ("what", "#findings", "#bushels at stake"), kinds),
    )


def _words(code: str) -> str:
    return code.replace("_", " ")


def _count(number: int) -> Cell:
    return Cell(f"{number:,}", saved=Decimal(number))


def _table(name: str, headings: Iterable[str], rows: Iterable[Row]) -> Table:
    columns = [Column(text.removeprefix("#"), number=text.startswith("#")) for text in headings]
    return Table(name, columns, [list(row) for row in rows])


def _practices(found: Overview) -> Table:
    rows: list[Row] = [
        [one.label, *(_count(found.total(f"{one}_{end}")) for end in ("met", "not", "open"))] for one in Practice
    ]
    return _table("Practices", ("practice", "#met", "#not met", "#not shown"), rows)


def _summed(rows: Iterable[Mapping[str, Any]], what: str, count: str) -> Iterator[Row]:
    """Yield what there is with its paragraph, the most bushels first: counts and bushels of all States and crops."""
    sums: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])
    for row in rows:
        of = sums[row[what], row["cite"]]
        of[0], of[1] = of[0] + row[count], of[1] + (row["bushels"] or 0)
    for (said, cite), (counted, bushels) in sorted(sums.items(), key=lambda one: (-one[1][1], -one[1][0], one[0])):
        yield [_words(said) if what == "code" else said, cite, _count(counted), amount(bushels)]


def _county_rows(found: Overview) -> Iterator[Row]:
    for row in found.counties:
        yield [row["state"], row["county"], CROP_LABELS.get(row["crop"], row["crop"]), _count(row["fields"]),
               _count(row["farms"]), amount(row["bushels"]), amount(row["ci"], CI_SCALE, missing="not shown"),
               *(_count(row[f"{one}_met"]) for one in Practice)]  # fmt: skip


def _html(table: Table, most: int | None = None) -> str:
    head = "".join(
        f'<th scope="col"{" class=number" if column.number else ""}>{html.escape(column.label)}</th>'
        for column in table.columns
    )
    body = "".join(
        "<tr>" + "".join(
            f'<td{" class=number" if column.number else ""} data-label="{html.escape(column.label)}">'
            f"{html.escape(cell.text)}</td>"
            for column, cell in zip(table.columns, row, strict=True)
        ) + "</tr>"
        for row in table.cells[:most]
    )  # fmt: skip
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def county_map(rows: Sequence[Mapping[str, Any]], *, shaded: bool = False) -> str:
    """Draw the counties, north up; the page shades them by what is chosen, or they are shaded by their CI."""
    shades = _shades(rows) if shaded else {}
    names = {row["county_fips"]: f"{row['county']}, {row['state']}" for row in rows}
    known = outlines()
    shapes = {fips: known[fips].simplify(_FINE) for fips in names if fips in known}
    if not shapes:
        return "<p>No county of the records has an outline.</p>"
    west, south, east, north = shapely.total_bounds(list(shapes.values()))
    squeeze = math.cos(math.radians((south + north) / 2))
    scale = min(_WIDTH / max((east - west) * squeeze, 1e-6), 620 / max(north - south, 1e-6))

    def ring(points: Iterable[tuple[float, ...]]) -> str:
        places = (f"{(x - west) * squeeze * scale:.1f} {(north - y) * scale:.1f}" for x, y, *_ in points)
        return "M" + "L".join(places) + "Z"

    def drawn(shape: BaseGeometry) -> str:
        parts = shapely.get_parts(shape)
        return "".join(ring(each.coords) for part in parts for each in (part.exterior, *part.interiors))

    paths = "".join(
        f'<path data-fips="{fips}"{shades.get(fips, "")} d="{drawn(shape)}">'
        f"<title>{html.escape(names[fips])}</title></path>"
        for fips, shape in sorted(shapes.items())
    )
    for fips, shape in shapes.items() if shaded and len(shapes) <= _NAMED else ():
        point = shape.representative_point()
        place = f'x="{(point.x - west) * squeeze * scale:.0f}" y="{(north - point.y) * scale:.0f}"'
        paths += f"<text {place}>{html.escape(names[fips].rpartition(', ')[0])}</text>"
    size = f"{(east - west) * squeeze * scale + 2:.0f} {(north - south) * scale + 2:.0f}"
    return f'<svg viewBox="-1 -1 {size}" role="img" aria-label="Counties of the farms">{paths}</svg>'


def _shades(rows: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Return the attributes that shade each county by its mean CI over all crops: darker is higher."""
    sums: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for row in rows:
        of = sums[row["county_fips"]]
        of[0], of[1] = of[0] + row["ci_bushels"], of[1] + int(row["ci_product"])
    means = {fips: half_even(product, bushels) for fips, (bushels, product) in sums.items() if bushels}
    if not means:
        return {}
    least, wide = min(means.values()), max(max(means.values()) - min(means.values()), 1)
    return {fips: f' class="step{1 + (mean - least) * (_STEPS - 1) // wide}"' for fips, mean in means.items()}
