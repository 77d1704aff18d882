"""Fields on a map, and drawing a boundary; a drawn boundary goes the way of every file that is handed in."""

import json
from decimal import Decimal
from typing import Any

from django import forms
from django.http import Http404, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods
from shapely import from_geojson

from provender.catalog.county_outlines import county_features, county_of_point
from provender.database.choices import Area
from provender.records import KINDS
from provender.rule.crops import Practice
from provender.services.farm.book import FarmBook, farm_book_of
from provender.services.farm.boundaries import UNIT, boundary_text, place_of
from provender.services.farm.verdicts import Standing, verdicts_of
from provender.services.imports.drawn_boundaries import FEWEST_CORNERS, MOST_CORNERS, Corner, draw_boundary
from provender.web.access import Access, PersonRequest, of_organisation
from provender.web.farm.pages.book import CHIPS, unit_address
from provender.web.inputs import TypedText
from provender.web.tables import Cell, Column, Table, page_with_tables
from provender.web.templatetags.page import STANDINGS


@require_GET
@of_organisation("read", areas=(Area.RECORDS,))
def farm_map(request: PersonRequest, access: Access) -> HttpResponseBase:
    """Show the units on a map, coloured by one practice, and the same as a list."""
    farm = farm_book_of(access.organisation)
    asked = request.GET.get("practice")
    practice = next((one for one in Practice if str(one) == asked), next(iter(Practice)))
    verdicts = _latest(verdicts_of(farm)["intervals"], practice)
    places = [_place(access, farm, unit_id, verdicts.get(unit_id)) for unit_id in farm.of(UNIT)]
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
        verdict = next((each for each in one["practices"] if each["name"] == str(practice)), None)
        found[one["unit_id"]] = {**one, "verdict": verdict}
    return found


def _place(access: Access, farm: FarmBook, unit_id: str, crop: dict[str, Any] | None) -> dict[str, Any]:
    place = place_of(farm, unit_id)
    verdict = crop["verdict"] if crop else None
    standing, words, chip = ("no_verdict", "No verdict", "plain")
    if verdict is not None and verdict["claimable"]:
        standing = str(verdict["standing"])
        words, chip = CHIPS[Standing(standing)]
        chip = "plain" if chip == "unasked" else chip
    elif verdict is not None:
        standing, words = ("not_for_crop", "Not for this crop")
    own = f"{reverse('farm_row', args=(access.organisation.handle, 'unit'))}?row={unit_id}"
    return {
        "unit": unit_id,
        "name": place.name,
        "acres": place.acres,
        "measured": place.measured,
        "county": place.county,
        "crop": f"{crop['crop']} {crop['harvest_year']}" if crop else "",
        "standing": standing,
        "verdict": chip,
        "words": words,
        "href": unit_address(access, crop["harvest_id"]) if crop else own,
        "geojson": place.geometry,
    }


def _row(access: Access, one: dict[str, Any]) -> list[Cell]:
    draw = f"{reverse('farm_draw', args=(access.organisation.handle,))}?unit={one['unit']}"
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
