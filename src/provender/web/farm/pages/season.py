"""The season on pages: every crop interval with its STIR against the limits, and one unit's events on a dated line."""

import json
from collections.abc import Callable
from decimal import Decimal
from functools import partial
from typing import Any, Final
from urllib.parse import quote_plus, urlencode

from django import forms
from django.http import Http404, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_GET, require_http_methods
from shapely import from_geojson

from provender.catalog.places import county_features, county_of_point
from provender.database.choices import Area
from provender.paper.tables import Cell, Column, Table, heads, numeric
from provender.records.kind import KINDS
from provender.rule.crops import Practice
from provender.services.accounts.access import Access
from provender.services.farm.book import FarmBook, farm_book_of
from provender.services.farm.boundaries import UNIT, boundary_text, place_of
from provender.services.farm.field_says import EmptyYear, before_crop, empty_years, empty_years_of
from provender.services.farm.growing import NOT_HARVESTED, growing_pictures, growing_seasons, named
from provender.services.farm.verdicts import photographs_of, pictures_of, seasons_of, verdicts_of
from provender.services.imports.job import FEWEST_CORNERS, MOST_CORNERS, Corner, draw_boundary
from provender.web.access import PersonRequest, of_organisation
from provender.web.farm.lanes import FLOOR, Lanes, lanes_of
from provender.web.farm.lists import EmptyLink, crop_address, empty_links, form_address, page_address
from provender.web.inputs import TypedText
from provender.web.tables import on_page, page_with_tables
from provender.web.templatetags.page import STANDINGS

COLUMNS: Final = heads(
    "Unit",
    "Crop",
    "From",
    "To",
    numeric("STIR by recorded values"),
    numeric("STIR by published values"),
    numeric("Passes without a known STIR"),
)
_EVENTS: Final = heads("Day", "Kind", "What", "More", numeric("STIR"), numeric("Sum of STIR"))
_MOST: Final = 60
"""Lanes of one page; a larger farm looks crop by crop, and finds every field in the table."""
_NO_DAY: Final = "no day recorded"


def _season_address(access: Access, unit: str) -> str:
    return f"{page_address('farm_season', access.organisation.handle)}?{urlencode({'unit': unit})}"


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
    photographs, back = photographs_of(farm), quote_plus(request.get_full_path())
    shown = [
        {
            **one, "build_up": drawn[one["harvest_id"]], "named": named(one["crop"], one["harvest_year"]),
            "table": on_page(tables[f"events_{at}"], request.GET),
            **_drawn(access, lanes_of([one], photographs), back),
        }
        for at, one in enumerate(mine)
    ]  # fmt: skip
    at = units.index(unit)
    context = {
        "unit": unit,
        "seasons": _in_years(shown, empty_links(access, empty_years_of(farm, unit), request.get_full_path())),
        "before": _season_address(access, units[at - 1]) if at else "",
        "after": _season_address(access, units[at + 1]) if at + 1 < len(units) else "",
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
    drawn = lanes_of([_with_empty(one, empty, links) for one in chosen[:_MOST]], photographs_of(farm))
    bare = [one for one in empty if one.year == year] if not crop else []
    back = quote_plus(f"{request.path}?{urlencode({'year': year, **({'crop': crop} if crop else {})})}")
    context = {
        "years": years, "year": year, "crops": crops, "crop": crop,
        "asked": asked or year or "", "lacking": bool(asked or crop) and not chosen and not bare,
        "bare": links(bare),
        "more": len(chosen) - len(drawn.lanes),
        **_drawn(access, drawn, back),
    }  # fmt: skip
    return page_with_tables(request, "farm/season.html", {"intervals": _intervals(access, found)}, context)


def _drawn(access: Access, drawn: Lanes, back: str) -> dict[str, Any]:
    """Return lanes as their template puts them: each with its page and its marks, over the months they share."""
    rows = {kind: page_address("farm_row", access.organisation.handle, kind) for kind in KINDS}
    return {
        "months": drawn.months,
        "month_lines": "".join(f"M{x} 0V{FLOOR}" for x, _ in drawn.months),
        "lanes": [
            (lane, _season_address(access, lane.season["unit_id"]),
             mark_safe("".join(mark.drawn(rows[mark.kind], back) for mark in lane.marks)))  # noqa: S308 - escaped there
            for lane in drawn.lanes
        ],
    }  # fmt: skip


def _with_empty(
    one: dict[str, Any], empty: list[EmptyYear], links: Callable[[list[EmptyYear]], list[EmptyLink]]
) -> dict[str, Any]:
    over = before_crop(empty, one["unit_id"], one["harvest_year"]) if empty else []
    return {**one, "over": links(over), "empty": [(each.year, each.words) for each in over]} if over else one


def _intervals(access: Access, found: list[dict[str, Any]]) -> Table:
    rows = [
        [
            Cell(one["unit_id"], _season_address(access, one["unit_id"])),
            Cell(named(one["crop"], one["harvest_year"])),
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
            Cell(event["what"], form_address(access.organisation.handle, event["kind"], {"row": event["key"]}, back)),
            Cell(event["detail"]),
            Cell(event["stir"] or ""),
            Cell(event["sum"] or ""),
        ]
        for event in one["events"]
    ]
    return Table(f"season of {one['harvest_id']}", _EVENTS, rows, caption=f"Day by day: {one['harvest_id']}")


def _days(event: dict[str, Any]) -> str:
    if event["day"] is None:
        return _NO_DAY
    until = event["until"]
    return f"{event['day']} \u2013 {until}" if until and until != event["day"] else str(event["day"])


# Fields on a map, and drawing a boundary; a drawn boundary goes the way of every file that is handed in.


@require_GET
@of_organisation("read", areas=(Area.RECORDS,))
def farm_map(request: PersonRequest, access: Access) -> HttpResponseBase:
    """Show the units on a map, coloured by one practice, and the same as a list."""
    farm = farm_book_of(access.organisation)
    asked = request.GET.get("practice")
    practice = next((one for one in Practice if str(one) == asked), next(iter(Practice)))
    verdicts = _latest(verdicts_of(farm)["intervals"], practice)
    places = [_place(farm, unit_id, verdicts.get(unit_id)) for unit_id in farm.of(UNIT)]
    drawn = [one for one in places if one["geojson"]]
    columns = [
        Column("Unit"),
        Column("Crop"),
        Column(practice.label),
        Column("Acres", number=True),
    ]
    columns += [Column("Measured", number=True), Column("Boundary")]
    rows = [_row(access, one) for one in places]
    empty = "No management unit yet. Upload boundaries or a spreadsheet, or draw the first field here."
    tables = {"units": Table("fields", columns, rows, empty=empty, caption="Management units")}
    context = {
        "practice": practice,
        "practices": [(str(one), one.label) for one in Practice],
        "fields": {"units": drawn, "counties": county_features(sorted({one["county"] for one in drawn} - {""}))},
        "legend": [one for one in STANDINGS if one in {place["standing"] for place in drawn}],
        "undrawn": len(places) - len(drawn),
    }
    return page_with_tables(request, "farm/map.html", tables, context)


def _latest(intervals: list[dict[str, Any]], practice: Practice) -> dict[str, dict[str, Any]]:
    """Return for each unit its last crop with the verdict of one practice."""
    found: dict[str, dict[str, Any]] = {}
    for one in sorted(intervals, key=lambda each: each["harvest_year"] or 0):
        verdict = next((each for each in one["practices"] if each["practice"] == str(practice)), None)
        found[one["unit_id"]] = {**one, "verdict": verdict}
    return found


def _place(farm: FarmBook, unit_id: str, crop: dict[str, Any] | None) -> dict[str, Any]:
    place, handle = place_of(farm, unit_id), farm.farm_id
    verdict = crop["verdict"] if crop else None
    standing = "no_verdict" if verdict is None else verdict["standing"] if verdict["claimable"] else "not_for_crop"
    chip, words, _ = STANDINGS[standing]
    return {
        "unit": unit_id,
        "name": place.name,
        "acres": place.acres,
        "measured": place.measured,
        "county": place.county,
        "crop": f"{crop['crop_label']} {crop['harvest_year']}" if crop else "",
        "standing": standing,
        "verdict": chip,
        "words": words,
        "href": crop_address(handle, crop["harvest_id"]) if crop else form_address(handle, "unit", {"row": unit_id}),
        "geojson": place.geometry,
    }


def _row(access: Access, one: dict[str, Any]) -> list[Cell]:
    draw = f"{page_address('farm_draw', access.organisation.handle)}?unit={one['unit']}"
    shown = "Move" if one["geojson"] else "Draw"
    if not access.may_write:
        shown, draw = ("Yes" if one["geojson"] else "Not drawn"), ""
    return [
        Cell(one["unit"], one["href"], note=one["name"], typed=True),
        Cell(one["crop"]),
        Cell(one["words"], chip=one["verdict"]),
        Cell(one["acres"]),
        Cell(_tenth(one["measured"]), saved=one["measured"]),
        Cell(shown, draw),
    ]


def _tenth(acres: str) -> str:
    """Return measured acres as somebody decides by them: to a tenth; the file has all of them."""
    return f"{Decimal(acres):.1f}" if acres else ""


class CornersForm(forms.Form):
    """The corners of one field: drawn, walked or typed."""

    unit = TypedText(
        label="Management unit", max_length=80, help_text="One that stands in your book, or the name of a new one."
    )
    corners = TypedText(
        label="Corners",
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false", "data-corners": ""}),
        help_text="One corner a line: latitude, longitude, in degrees, in order around the field.",
    )

    def clean_corners(self) -> list[Corner]:
        """Read the corners.

        Raises:
            ValidationError: a line cannot be read, or there are too few or too many.
        """
        corners: list[Corner] = []
        lines = [line for line in str(self.cleaned_data["corners"]).splitlines() if line.strip()]
        for number, line in enumerate(lines, start=1):
            try:
                latitude, longitude = (float(part) for part in line.replace(",", " ").split())
            except ValueError:
                raise forms.ValidationError(f"Line {number} is no corner. Write it like 42.0301, -93.6204.") from None
            corners.append((longitude, latitude))
        if not FEWEST_CORNERS <= len(corners) <= MOST_CORNERS:
            raise forms.ValidationError(
                f"A field needs {FEWEST_CORNERS} to {MOST_CORNERS} corners. Add or remove some."
            )
        return corners


@require_http_methods(["GET", "POST"])
@of_organisation("write")
def farm_draw(request: PersonRequest, access: Access) -> HttpResponseBase:
    """Draw a boundary, move one that is there, walk it with a phone, or type its corners.

    Raises:
        Http404: the unit that is asked for is not in the book.
    """
    farm = farm_book_of(access.organisation)
    unit_id = request.GET.get("unit", "")
    if unit_id and unit_id not in farm.of(UNIT):
        raise Http404
    text = boundary_text(farm, unit_id) if unit_id else ""
    form = CornersForm(request.POST or None, initial={"unit": unit_id, "corners": _corners(text)})
    if request.method == "POST" and form.is_valid():
        begun = draw_boundary(farm, form.cleaned_data["unit"], form.cleaned_data["corners"], actor=access.actor)
        return redirect("farm_import", access.organisation.handle, begun.handle)
    others = [one for unit in farm.of(UNIT) if unit != unit_id and (one := boundary_text(farm, unit))]
    around = sorted(_counties(farm, [text, *others]))
    context = {
        "form": form,
        "unit": unit_id,
        "several": bool(text) and _parts(text) > 1,
        "fields": {"others": [json.loads(one) for one in others], "counties": county_features(around)},
    }
    return render(request, "farm/draw.html", context)


def _parts(text: str) -> int:
    shape = from_geojson(text)
    parts = getattr(shape, "geoms", [shape])
    return len(parts) + sum(len(part.interiors) for part in parts)


def _corners(text: str) -> str:
    """Return the outer corners of a boundary of one part as lines to be typed."""
    if not text:
        return ""
    shape = from_geojson(text)
    parts = getattr(shape, "geoms", [shape])
    ring = list(parts[0].exterior.coords)[:-1]
    return "\n".join(f"{y:.7f}, {x:.7f}" for x, y in ring)


def _counties(farm: FarmBook, texts: list[str]) -> set[str]:
    points = [from_geojson(text).representative_point() for text in texts if text]
    found = {county_of_point(point.x, point.y).fips for point in points}
    named = {str(row.get("county_fips") or "") for row in [*farm.of(UNIT).values(), *farm.of(KINDS["farm"]).values()]}
    return {each for each in [*found, *named] if each}
