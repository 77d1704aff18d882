"""Carbon intensity on a page: the farm-level average of each crop step by step, against the national default."""

from typing import Any, Final

from django.http import HttpResponseBase
from django.views.decorators.http import require_GET

from provender.database.choices import Area
from provender.services.farm.book import farm_book_of
from provender.services.farm.growing import growing_by_crop
from provender.services.farm.intensity import intensities_of
from provender.web.access import Access, PersonRequest, of_organisation
from provender.web.tables import Cell, Column, Table, on_page, page_with_tables

SIDES: Final = {"official": "USDA FD-CIC runs", "estimate": "open model (an estimate)"}
MISSING: Final = "not shown"
COLUMNS: Final = (
    Column("Unit"),
    Column("Practices behind the CI"),
    Column("Bushels", number=True),
    Column("CI, g CO2e/bu", number=True),
    Column("Bushels times CI, g CO2e", number=True),
)


@require_GET
@of_organisation("read", areas=(Area.RECORDS,))
def farm_intensity(request: PersonRequest, access: Access) -> HttpResponseBase:
    """Show each crop and harvest year: by official runs, and by the open model as an estimate."""
    tables: dict[str, Table] = {}
    shown = []
    farm = farm_book_of(access.organisation)
    for one in intensities_of(farm):
        sides = []
        for side, title in SIDES.items():
            table = _table(one, side)
            tables[f"units_{len(tables)}"] = table
            sides.append({**one[side], "title": title, "side": side, "table": on_page(table, request.GET)})
        shown.append({**one, "sides": sides})
    return page_with_tables(request, "farm/intensity.html", tables, {"crops": shown, "growing": growing_by_crop(farm)})


def _table(one: dict[str, Any], side: str) -> Table:
    found = one[side]
    rows = [
        [
            Cell(unit["unit_id"], typed=True),
            Cell(unit["behind_ci"]),
            Cell(unit["bushels"] or "not recorded"),
            Cell(unit["ci"] or MISSING),
            Cell(unit["product"] or MISSING),
        ]
        for unit in found["units"]
    ]
    whole = [found["bushels"], found["ci"], found["product"]]
    rows.append([Cell("Farm"), Cell("sum, and sum divided by bushels"), *(Cell(text or MISSING) for text in whole)])
    crop = f"{one['crop_label']} {one['harvest_year']}"
    caption = f"Step by step: {crop}, {SIDES[side]}"
    return Table(f"CI {one['crop']} {one['harvest_year']} {side}", COLUMNS, rows, caption=caption, totals=1)
