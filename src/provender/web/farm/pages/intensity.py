"""Carbon intensity on a page: the farm-level average of each crop step by step, against the national default."""

from typing import Any, Final

from django.http import HttpResponseBase
from django.views.decorators.http import require_GET

from provender.intensity.calculator import ARGONNE, OFFICIAL, Label
from provender.intensity.quantify import Quantification, quantify
from provender.paper.charts import in_two_widths
from provender.practices.assess import Assessment
from provender.problem import ProblemsError
from provender.quantity import CI_SCALE, SCALE, show
from provender.report.farm_charts import intensity_svg
from provender.services.farm.records import FarmBook
from provender.services.farm.verdicts import kept
from provender.web.access import Access, PersonRequest, of_organisation
from provender.web.farm.context import farm_book
from provender.web.tables import Cell, Column, Table, page_with_tables

WHAT: Final = "intensity 2"
SIDES: Final = {"official": "USDA FD-CIC runs", "estimate": "open model (an estimate)"}
MISSING: Final = "not shown"
COLUMNS: Final = (
    Column("Unit"),
    Column("Practices credited"),
    Column("Bushels", number=True),
    Column("CI, g CO2e/bu", number=True),
    Column("Bushels times CI, g CO2e", number=True),
)
PRODUCT_SCALE: Final = SCALE + CI_SCALE


def intensities_of(farm: FarmBook) -> list[dict[str, Any]]:
    """Return the quantification of every crop and harvest year, by official runs and by the open model."""
    found: list[dict[str, Any]] = kept(farm, WHAT, _quantify_all)
    return found


def _quantify_all(judged: Assessment) -> list[dict[str, Any]]:
    return [
        {
            "crop": str(crop),
            "crop_label": crop.label,
            "harvest_year": year,
            "official": as_data(quantify(judged, farm_id, crop, year, OFFICIAL)),
            "estimate": as_data(quantify(judged, farm_id, crop, year, ARGONNE)),
        }
        for farm_id, crop, year in judged.harvests
    ]


def as_data(one: Quantification) -> dict[str, Any]:
    """Return one quantification for a page; amounts are text as people read them, None where not shown."""
    ci, default = one.average.ci_g_per_bu, one.national_default
    products = {row.unit: row.product for row in one.average.rows}
    return {
        "label": str(one.label),
        "official": one.label is Label.OFFICIAL,
        "calculator": one.calculator,
        "version": one.version,
        "national_default": _ci(default),
        "ci": _ci(ci),
        "below": _ci(default - ci) if ci is not None and default is not None else None,
        "worse": ci is not None and default is not None and ci >= default,
        "bushels": show(one.average.bushels, group=True) if one.average.rows else None,
        "product": show(one.average.product, PRODUCT_SCALE, group=True) if one.average.rows else None,
        "missing": list(one.average.missing),
        "notes": list(dict.fromkeys(note for unit in one.units if unit.result for note in unit.result.notes)),
        "findings": [finding.as_json() for finding in one.findings],
        "units": [
            {
                "unit_id": unit.unit_id,
                "credited": ", ".join(practice.label for practice in unit.credited),
                "bushels": None if unit.bushels is None else show(unit.bushels, group=True),
                "ci": _ci(unit.result.ci_g_per_bu if unit.result else default),
                "product": _product(products.get(unit.unit_id)),
            }
            for unit in one.units
        ],
        "chart": _chart(one),
    }


def _ci(value: int | None) -> str | None:
    return None if value is None else show(value, CI_SCALE, places=CI_SCALE, group=True)


def _product(value: int | None) -> str | None:
    return None if value is None else show(value, PRODUCT_SCALE, group=True)


def _chart(one: Quantification) -> str:
    try:
        return in_two_widths(lambda width: intensity_svg(one, width=width))
    except ProblemsError:
        return ""


@require_GET
@of_organisation("read")
def farm_intensity(request: PersonRequest, access: Access) -> HttpResponseBase:
    """Show each crop and harvest year: by official runs, and by the open model as an estimate."""
    tables: dict[str, Table] = {}
    shown = []
    for one in intensities_of(farm_book(access)):
        sides = []
        for side, title in SIDES.items():
            table = _table(one, side)
            tables[f"units_{len(tables)}"] = table
            sides.append({**one[side], "title": title, "side": side, "table": table})
        shown.append({**one, "sides": sides})
    return page_with_tables(request, "farm/intensity.html", tables, {"crops": shown})


def _table(one: dict[str, Any], side: str) -> Table:
    found = one[side]
    rows = [
        [
            Cell(unit["unit_id"]),
            Cell(unit["credited"] or "none: national default"),
            Cell(unit["bushels"] or "not recorded"),
            Cell(unit["ci"] or MISSING),
            Cell(unit["product"] or MISSING),
        ]
        for unit in found["units"]
    ]
    whole = [found["bushels"], found["ci"], found["product"]]
    rows.append([Cell("Farm"), Cell("sum, and sum divided by bushels"), *(Cell(text or MISSING) for text in whole)])
    caption = f"Step by step: {one['crop_label']} {one['harvest_year']}, {SIDES[side]}"
    return Table(f"CI {one['crop']} {one['harvest_year']} {side}", COLUMNS, rows, caption=caption)
