"""The season on pages: every crop interval with its STIR against the limits, and one unit's events on a dated line."""

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any, Final
from urllib.parse import quote_plus, urlencode

from django.http import Http404, HttpResponseBase
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_GET

from provender.database.choices import Area
from provender.records import KINDS
from provender.services.farm.book import FarmBook, farm_book_of
from provender.services.farm.empty_years import EmptyYear, before_crop, empty_years, empty_years_of
from provender.services.farm.growing import NOT_HARVESTED, growing_pictures, growing_seasons, named
from provender.services.farm.season import photographs_of, pictures_of, seasons_of
from provender.web.access import Access, PersonRequest, of_organisation
from provender.web.farm.empty_list import EmptyLink, empty_links
from provender.web.farm.lanes import FLOOR, lanes_of
from provender.web.tables import Cell, Column, Table, on_page, page_with_tables

COLUMNS: Final = (
    Column("Unit"),
    Column("Crop"),
    Column("From"),
    Column("To"),
    Column("STIR by recorded values", number=True),
    Column("STIR by published values", number=True),
    Column("Passes without a known STIR", number=True),
)
EVENTS: Final = (
    Column("Day"),
    Column("Kind"),
    Column("What"),
    Column("More"),
    Column("STIR", number=True),
    Column("Sum of STIR", number=True),
)
MOST: Final = 60
"""Lanes of one page; a larger farm looks crop by crop, and finds every field in the table."""
NO_DAY: Final = "no day recorded"


def season_address(access: Access, unit: str) -> str:
    """Return the address of one unit's season."""
    return f"{_page_of(access.organisation.handle)}?{urlencode({'unit': unit})}"


@lru_cache(maxsize=1_000)
def _page_of(handle: str) -> str:
    """Return the address of a farm's season: a page has it at each of its fields, twice."""
    return reverse("farm_season", args=(handle,))


@require_GET
@of_organisation("read", areas=(Area.RECORDS,))
def farm_season(request: PersonRequest, access: Access) -> HttpResponseBase:
    """List the crop intervals, or with ``unit`` show what happened on one unit.

    Raises:
        Http404: no crop of this unit has a verdict.
    """
    farm, unit = farm_book_of(access.organisation), request.GET.get("unit")
    found = [*seasons_of(farm), *growing_seasons(farm)]
    if unit is None:
        return _all(request, access, farm, found)
    mine = [one for one in found if one["unit_id"] == unit]
    if not mine:
        raise Http404
    units = list(dict.fromkeys(one["unit_id"] for one in found))
    tables = {f"events_{at}": _events(access, one, request.get_full_path()) for at, one in enumerate(mine)}
    drawn = {**pictures_of(farm), **(growing_pictures(farm) if any("growing" in one for one in mine) else {})}
    shown = [
        {**one, **drawn[one["harvest_id"]], "named": named(one), "table": on_page(tables[f"events_{at}"], request.GET)}
        for at, one in enumerate(mine)
    ]
    at = units.index(unit)
    context = {
        "unit": unit,
        "seasons": _in_years(shown, empty_links(access, empty_years_of(farm, unit), request.get_full_path())),
        "before": season_address(access, units[at - 1]) if at else "",
        "after": season_address(access, units[at + 1]) if at + 1 < len(units) else "",
    }
    return page_with_tables(request, "farm/season_unit.html", tables, context)


def _in_years(shown: list[dict[str, Any]], empty: list[EmptyLink]) -> list[dict[str, Any]]:
    """Put the years without a crop among the seasons, each before the first crop of a later year."""
    found = [{**one, "empty": [each for each in empty if _is_before(each, one, shown[:at])]}
             for at, one in enumerate(shown)]  # fmt: skip
    told = {each for one in found for each in one["empty"]}
    return [*found, *({"empty": [each], "only": True} for each in empty if each not in told)]


def _is_before(each: EmptyLink, one: dict[str, Any], earlier: list[dict[str, Any]]) -> bool:
    later = (one["harvest_year"] or 0) > each.year
    return later and not any((before["harvest_year"] or 0) > each.year for before in earlier)


def _all(request: PersonRequest, access: Access, farm: FarmBook, found: list[dict[str, Any]]) -> HttpResponseBase:
    """Draw the fields of one harvest year, of every crop or of one."""
    empty, links = empty_years(farm), partial(empty_links, access, back=request.get_full_path())
    drawn_years = {one["harvest_year"] for one in found if one["harvest_year"]}
    years = sorted(drawn_years | {one.year for one in empty if one.year > min(drawn_years, default=0)}, reverse=True)
    harvested = [one["harvest_year"] for one in found if "growing" not in one]
    asked, crop = request.GET.get("year", ""), request.GET.get("crop", "")
    year = next((one for one in years if str(one) == asked), None) if asked else max(harvested or years, default=None)
    crops = sorted({one["crop"] for one in found if one["harvest_year"] == year})
    chosen = [one for one in found if one["harvest_year"] == year and crop in ("", one["crop"])]
    drawn = lanes_of([_with_empty(one, empty, links) for one in chosen[:MOST]], photographs_of(farm))
    bare = [one for one in empty if one.year == year] if not crop else []
    rows = {kind: reverse("farm_row", args=(access.organisation.handle, kind)) for kind in KINDS}
    back = quote_plus(f"{request.path}?{urlencode({'year': year, **({'crop': crop} if crop else {})})}")
    context = {
        "years": years, "year": year, "crops": crops, "crop": crop, "months": drawn.months,
        "asked": asked or year or "", "lacking": bool(asked or crop) and not chosen and not bare,
        "bare": links(bare),
        "month_lines": "".join(f"M{x} 0V{FLOOR}" for x, _ in drawn.months),
        "more": len(chosen) - len(drawn.lanes),
        "lanes": [
            (lane, season_address(access, lane.season["unit_id"]),
             mark_safe("".join(mark.drawn(rows[mark.kind], back) for mark in lane.marks)))  # noqa: S308 - escaped there
            for lane in drawn.lanes
        ],
    }  # fmt: skip
    return page_with_tables(request, "farm/season.html", {"intervals": _intervals(access, found)}, context)


def _with_empty(
    one: dict[str, Any], empty: list[EmptyYear], links: Callable[[list[EmptyYear]], list[EmptyLink]]
) -> dict[str, Any]:
    over = before_crop(empty, one["unit_id"], one["harvest_year"]) if empty else []
    return {**one, "over": links(over), "empty": [(each.year, each.words) for each in over]} if over else one


def _intervals(access: Access, found: list[dict[str, Any]]) -> Table:
    rows = [
        [
            Cell(one["unit_id"], season_address(access, one["unit_id"])),
            Cell(named(one)),
            Cell(one["starts_on"] or "not recorded"),
            Cell(one["last_day"] or (NOT_HARVESTED if "growing" in one else "not recorded")),
            Cell(one["stir"]["recorded"]),
            Cell(one["stir"]["published"]),
            Cell(str(one["stir"]["unknown"])),
        ]
        for one in found
    ]
    empty = "No corn, soybeans or sorghum with a day of harvest yet. Add a management unit, then its crops."
    return Table("seasons", COLUMNS, rows, empty=empty, caption="Crop intervals")


def _events(access: Access, one: dict[str, Any], back: str) -> Table:
    rows = [
        [
            Cell(_days(event)),
            Cell(event["lane"]),
            Cell(event["what"], _row_address(access, event, back)),
            Cell(event["detail"]),
            Cell(event["stir"] or ""),
            Cell(event["sum"] or ""),
        ]
        for event in one["events"]
    ]
    return Table(f"season of {one['harvest_id']}", EVENTS, rows, caption=f"Day by day: {one['harvest_id']}")


def _days(event: dict[str, Any]) -> str:
    if event["day"] is None:
        return NO_DAY
    until = event["until"]
    return f"{event['day']} \u2013 {until}" if until and until != event["day"] else str(event["day"])


def _row_address(access: Access, event: dict[str, Any], back: str) -> str:
    where = reverse("farm_row", args=(access.organisation.handle, event["kind"]))
    return f"{where}?{urlencode({'row': event['key'], 'next': back})}"
