"""The report of a portfolio: one HTML page that needs no server, and the same tables for a workbook."""

import html
import json
import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from importlib.resources import files
from typing import Any, Final

import shapely
from shapely.geometry.base import BaseGeometry

from provender import __version__
from provender.catalog.county_outlines import outlines
from provender.paper.palette import PALETTE
from provender.paper.table import Cell, Column, Table, amount
from provender.portfolio.overview import Overview
from provender.practices.to_do import in_words
from provender.quantity import CI_SCALE, half_even
from provender.rule.crops import CROP_LABELS, Practice

Row = Sequence[Cell | str]
SHOWN: Final = 25
_WIDTH: Final = 900.0
_FINE: Final = 0.01
"""Degrees to which outlines are drawn."""
_STATE: Final = "state"
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
        (
            "Mean CI, g CO2e/bu",
            amount(mean, CI_SCALE, missing="not shown").text,
            "ci",
        ),
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
    lacking = ("record that is missing", "what it shows", "paragraph", "#fields", "#bushels")
    return (
        _practices(found),
        _table("Gaps", lacking, _gap_rows(found)),
        _table("Counties", (*counted, *(f"#{one.label}" for one in Practice)), _county_rows(found)),
        _table("Claims", ("what", "#bushels at stake", "found", "paragraph"), stakes),
        _table("Findings", ("what", "paragraph", "#farms", "#bushels"), _finding_rows(found)),
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


def _gap_rows(found: Overview) -> Iterator[Row]:
    says = {row["record"]: (row["says"], row["cite"]) for row in reversed(found.gaps)}
    sums: dict[tuple[str, str, str], list[int]] = defaultdict(lambda: [0, 0])
    for row in found.gaps:
        of = sums[row["record"], *says[row["record"]]]
        of[0], of[1] = of[0] + row["fields"], of[1] + row["bushels"]
    for key, (fields, bushels) in sorted(sums.items(), key=lambda one: (-one[1][1], -one[1][0], one[0])):
        record, *shows = key
        yield [Cell(in_words(record), saved=record), *shows, _count(fields), amount(bushels)]


def _finding_rows(found: Overview) -> Iterator[Row]:
    sums: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])
    for row in found.findings:
        of = sums[_words(row["code"]), row["cite"]]
        of[0], of[1] = of[0] + row["farms"], of[1] + (row["bushels"] or 0)
    for key, (farms, bushels) in sorted(sums.items(), key=lambda one: (-one[1][1], -one[1][0], one[0])):
        yield [*key, _count(farms), amount(bushels)]


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
