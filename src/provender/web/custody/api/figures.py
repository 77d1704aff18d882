"""A refiner's figures over some days: what was retired into fuel and what stands behind it."""

from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router, Schema
from pydantic import Field

from provender.services.custody.figures import days_of, energy_of, figures_pdf, lots_csv
from provender.services.custody.figures_signing import FiguresAsked, figures_here
from provender.web.api.problems import REFUSALS
from provender.web.api.view_schema import file_of
from provender.web.custody.api.context import READ, AskedDay, desk_of
from provender.web.download import PDF, download

router = Router(tags=["custody"])
CSV = "text/csv"
NUMBER = r"^([0-9]{1,7}(\.[0-9]{1,3})?)?$"


class FiguresIn(Schema):
    """Of which days: a calendar year, or from a day to another; and the plant's own yield, for figures by energy."""

    year: Annotated[int | None, Field(ge=2000, le=2200)] = None
    since: AskedDay | None = None
    on: AskedDay | None = None
    gallons_per_bu: Annotated[str, Field(pattern=NUMBER)] = ""
    btu_per_gallon: Annotated[str, Field(pattern=NUMBER)] = ""
    energy_source: Annotated[str, Field(max_length=200)] = ""


@router.get("/custody/figures", response={200: dict[str, Any], **REFUSALS}, auth=READ)
def get_figures(request: HttpRequest, asked: Query[FiguresIn]) -> dict[str, Any]:
    """Return the document to be signed on the refiner's own machine; no text at hand says what is accepted for 45Z."""
    return _made(request, asked)


@router.get("/custody/figures.pdf", response={200: None, **REFUSALS}, auth=READ, openapi_extra=file_of(PDF))
def print_figures(request: HttpRequest, asked: Query[FiguresIn]) -> HttpResponse:
    """Return the same to print, not signed."""
    return download(figures_pdf(_made(request, asked)), PDF, "figures.pdf")


@router.get("/custody/figures.csv", response={200: None, **REFUSALS}, auth=READ, openapi_extra=file_of(CSV))
def save_figures(request: HttpRequest, asked: Query[FiguresIn]) -> HttpResponse:
    """Return the lots behind them as CSV."""
    return download(lots_csv(_made(request, asked)), f"{CSV}; charset=utf-8", "figures.csv")


def _made(request: HttpRequest, asked: FiguresIn) -> dict[str, Any]:
    desk = desk_of(request)
    energy = energy_of(asked.gallons_per_bu, asked.btu_per_gallon, asked.energy_source)
    return figures_here(desk, FiguresAsked(days_of(asked.year, asked.since, asked.on, desk.today), energy))
