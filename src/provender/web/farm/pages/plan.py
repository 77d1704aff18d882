"""What other practices would do, on a page: the CI of every combination a crop may claim, unit by unit.

Estimates, not USDA FD-CIC: for deciding what to do next season, never for a report.
"""

from typing import Any, Final
from urllib.parse import urlencode

from django.http import Http404, HttpResponseBase
from django.urls import reverse
from django.views.decorators.http import require_GET

from provender.services.farm.book import farm_book_of
from provender.services.farm.growing import NOT_HARVESTED, Growing, growing_by_crop
from provender.services.farm.plan import plans_of
from provender.web.access import Access, PersonRequest, of_organisation
from provender.web.farm.pages.book import unit_address
from provender.web.tables import Cell, Column, Table, page_with_tables

NO_ANSWER: Final = "no answer"
NOW: Final = "Today"
UNITS: Final = (
    Column("Unit"),
    Column("Crop"),
    Column("Bushels", number=True),
    Column("Practices today"),
    Column("CI today", number=True),
    Column("Lowest CI", number=True),
    Column("With"),
)
OPTIONS: Final = (
    Column("Practices"),
    Column("CI", number=True),
    Column("To today", number=True),
    Column("To the model's default", number=True),
    Column("kg CO2e", number=True),
    Column("Missing today"),
)
CAPTION: Final = (
    "CI in g CO2e/bu (estimate), today's first, then the cheapest missing piece first; combinations that end in one CI "
    "at the same cost are one line, dearer ones are left out; its distance to today's and to the open model's own "
    "default, below zero is better; kilograms on these bushels against today"
)


@require_GET
@of_organisation("read")
def farm_plan(request: PersonRequest, access: Access) -> HttpResponseBase:
    """List the units with their CI today and the lowest there is; with ``crop`` the distinct results of one crop entry.

    Raises:
        Http404: no such crop entry was planned.
    """
    farm, entry = farm_book_of(access.organisation), request.GET.get("crop")
    found = plans_of(farm)
    if entry is None:
        units = _units(access, found, growing_by_crop(farm))
        return page_with_tables(request, "farm/plan.html", {"units": units}, {})
    one = next((unit for unit in found if unit["harvest_id"] == entry), None)
    if one is None:
        raise Http404
    context = {"one": one, "gaps": _gaps(one)}
    return page_with_tables(request, "farm/plan_unit.html", {"options": _options(one)}, context)


def _units(access: Access, found: list[dict[str, Any]], growing: list[tuple[str, list[Growing]]]) -> Table:
    where = reverse("farm_plan", args=(access.organisation.handle,))
    rows = []
    for one in found:
        today = next((option for option in one["options"] if option["today"]), None)
        best = one["options"][0]
        rows.append(
            [
                Cell(one["unit_id"], f"{where}?{urlencode({'crop': one['harvest_id']})}"),
                Cell(f"{one['crop']} {one['harvest_year']}"),
                Cell(one["bushels"] or "not recorded"),
                Cell(today["practices"] if today else ""),
                Cell((today["ci"] if today else None) or NO_ANSWER),
                Cell(best["ci"] or NO_ANSWER),
                Cell(best["practices"] if best["ci"] else ""),
            ]
        )
    for crop, fields in growing:
        for each in fields:
            unit = Cell(each.unit, unit_address(access, each.entry))
            rows.append([unit, Cell(crop), Cell(NOT_HARVESTED), *(Cell("") for _ in UNITS[3:])])
    empty = "No corn, soybeans or sorghum with a day of harvest yet. Add a management unit, then its crops."
    return Table("plan", UNITS, rows, empty=empty, caption="Units; CI in g CO2e/bu is an estimate, not USDA FD-CIC")


def _gaps(one: dict[str, Any]) -> list[str]:
    """Return what keeps each practice from being credited today, once; the table names the practices alone."""
    return list(dict.fromkeys(gap for option in one["options"] for gap in option["missing"]))


def _options(one: dict[str, Any]) -> Table:
    rows = [
        [
            Cell(option["practices"], note=NOW if option["today"] else ""),
            *(Cell(option[name] or NO_ANSWER) for name in ("ci", "to_today", "to_national", "kilograms")),
            Cell(
                ", ".join(text.partition(":")[0] for text in option["missing"]) or "nothing",
                saved="; ".join(option["missing"]) or "nothing",
            ),
        ]
        for option in one["results"]
    ]
    name = f"options {one['harvest_id']}"
    return Table(name, OPTIONS, rows, caption=CAPTION)
