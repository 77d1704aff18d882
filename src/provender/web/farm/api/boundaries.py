"""The boundaries of a farm's management units, as GeoJSON, and drawing one by its corners."""

from typing import Annotated, Any, Literal

from django.http import HttpRequest
from ninja import Query, Router, Schema, Status
from pydantic import Field

from provender.services.farm.book import farm_book_of
from provender.services.farm.boundaries import UNIT, UnitPlace, place_of
from provender.services.imports.drawn_boundaries import FEWEST_CORNERS, MOST_CORNERS, draw_boundary
from provender.services.imports.views import ImportView, import_view
from provender.web.api.auth import RECORDS_READ, RECORDS_WRITE, caller_of
from provender.web.api.pages import Page, PageQuery, page_of_list
from provender.web.api.problems import REFUSALS
from provender.web.api.texts import OneLine
from provender.web.farm.api.imports import IMPORT
from provender.web.farm.api.records import book_of

router = Router(tags=["map"])


class UnitFacts(Schema):
    """What is known of a unit beside its boundary: acres as the book says and as measured, the county by its FIPS."""

    unit_id: str
    name: str
    acres: str
    measured_acres: str
    county_fips: str


class UnitFeature(Schema):
    """A management unit as a GeoJSON feature; ``geometry`` is null while no boundary is in the book."""

    type: Literal["Feature"] = "Feature"
    properties: UnitFacts
    geometry: dict[str, Any] | None


class Corner(Schema):
    """A corner of a field, in degrees (WGS 84)."""

    longitude: Annotated[float, Field(ge=-180, le=180, allow_inf_nan=False)]
    latitude: Annotated[float, Field(ge=-90, le=90, allow_inf_nan=False)]


class BoundaryIn(Schema):
    """A boundary to draw: a unit of the book or the name of a new one, and its corners in order around the field."""

    unit_id: Annotated[OneLine, Field(max_length=80)]
    corners: Annotated[list[Corner], Field(min_length=FEWEST_CORNERS, max_length=MOST_CORNERS)]


@router.get("/boundaries", response={200: Page[UnitFeature], **REFUSALS}, auth=RECORDS_READ)
def list_boundaries(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List the management units with their boundaries."""
    farm = book_of(request)
    return page_of_list(list(farm.of(UNIT)), page, lambda unit: _feature(place_of(farm, unit)))


def _feature(one: UnitPlace) -> UnitFeature:
    facts = UnitFacts(
        unit_id=one.unit, name=one.name, acres=one.acres, measured_acres=one.measured, county_fips=one.county
    )
    return UnitFeature(properties=facts, geometry=one.geometry)


@router.post("/boundaries", response={201: IMPORT, **REFUSALS}, auth=RECORDS_WRITE)
def draw_unit(request: HttpRequest, body: BoundaryIn) -> Status[ImportView]:
    """Draw or replace a boundary: an import is begun, which asks where acres or neighbors do not fit.

    Boundaries of several parts, or with islands, come as a GeoJSON file through ``POST /files`` and ``POST /imports``.
    """
    caller = caller_of(request)
    farm = farm_book_of(caller.organisation)
    corners = [(one.longitude, one.latitude) for one in body.corners]
    return Status(201, import_view(farm, draw_boundary(farm, body.unit_id, corners, actor=caller.actor)))
