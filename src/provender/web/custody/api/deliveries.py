"""Contracts about deliveries: what is still to deliver, and the lines to settle for whoever keeps the accounts."""

from datetime import date
from typing import Annotated, Any, Final

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router, Schema
from pydantic import Field

from provender.quantity import CI_SCALE, parse
from provender.services.custody.choosing import MeanChoiceView, by_mean, sale_asked
from provender.services.custody.context import READER
from provender.services.custody.deliveries import (
    TARGET,
    ContractDeliveryView,
    SettlementLineView,
    deliveries,
    lines_csv,
    map_at,
    settlement_lines,
)
from provender.services.custody.ticket_files import kept_maps
from provender.web.api.pages import PageQuery, page_of_list
from provender.web.api.problems import REFUSALS
from provender.web.api.view_schema import file_of, schema_of, shown
from provender.web.custody.api.context import READ, AskedDay, desk_of, page_of_views
from provender.web.download import download

router = Router(tags=["custody"])
CSV = "text/csv"
AMOUNT: Final = r"^[0-9]{1,12}(\.[0-9]{1,3})?$"
GRAMS: Final = r"^[0-9]{1,7}(\.[0-9]{1,2})?$"


class LinesIn(Schema):
    """Of which days, and by which confirmed column map of settlements, the latest first; without one by our own."""

    since: AskedDay | None = None
    on: AskedDay | None = None
    map: Annotated[int | None, Query(ge=0, le=10_000, description="Its place in /custody/maps?target=settlement.")] = (
        None
    )


class ChoiceIn(Schema):
    """What a sale by mean carbon intensity is to hold."""

    crop: Annotated[str, Field(max_length=40, description="Without a product the crop itself.")] = ""
    form: Annotated[str, Field(max_length=40, description="A product instead of a crop.")] = ""
    bushels: Annotated[str, Field(pattern=AMOUNT, description="Of a crop.")] = "0"
    pounds: Annotated[str, Field(pattern=AMOUNT, description="Of a product.")] = "0"
    mean: Annotated[str, Field(pattern=GRAMS, description="At most, g CO2e/bu.")]
    mean_from: Annotated[str, Field(pattern=GRAMS, description="At least.")] = "0"
    ci_min: Annotated[str, Field(pattern=GRAMS)] | None = None
    ci_max: Annotated[str, Field(pattern=GRAMS)] | None = None
    site: Annotated[str, Field(max_length=80)] = ""


@router.get("/custody/choice", response={200: schema_of(MeanChoiceView), **REFUSALS}, auth=READ)
def get_choice(request: HttpRequest, asked: Query[ChoiceIn]) -> Any:  # noqa: ANN401 - JSON
    """Return the fewest lots that give so much at a mean, and what the period's policy would take."""
    desk = desk_of(request)
    low, high = (parse(text, CI_SCALE) if text else None for text in (asked.ci_min, asked.ci_max))
    more = {"site": asked.site, "ci_min": low, "ci_max": high}
    sale = sale_asked(
        desk.id, asked.form or asked.crop, (parse(asked.bushels), parse(asked.pounds)), desk.today, **more
    )
    with READER.reading() as facts:
        return shown(by_mean(facts, sale, parse(asked.mean, CI_SCALE), parse(asked.mean_from, CI_SCALE)))


@router.get("/custody/deliveries", response={200: page_of_views(ContractDeliveryView), **REFUSALS}, auth=READ)
def list_deliveries(request: HttpRequest, page: Query[PageQuery], on: AskedDay | None = None) -> dict[str, object]:
    """List the contracts about deliveries as they stand at the end of a day, today without one."""
    desk = desk_of(request)
    with READER.reading() as facts:
        facts.know_events(desk.id)
        return page_of_list(deliveries(facts, desk.id, on or desk.today), page, shown)


@router.get("/custody/deliveries/lines", response={200: page_of_views(SettlementLineView), **REFUSALS}, auth=READ)
def list_settlement_lines(request: HttpRequest, page: Query[PageQuery], asked: Query[LinesIn]) -> dict[str, object]:
    """List the lines to settle, by ticket, serials and carbon intensity, with the premium of the contract."""
    return page_of_list(_lines(request, asked), page, shown)


@router.get("/custody/deliveries/lines.csv", response={200: None, **REFUSALS}, auth=READ, openapi_extra=file_of(CSV))
def save_settlement_lines(request: HttpRequest, asked: Query[LinesIn]) -> HttpResponse:
    """Return the same as CSV under the headings of a column map, which reads them back."""
    used = map_at(kept_maps(desk_of(request), TARGET), asked.map)
    return download(lines_csv(_lines(request, asked), used), f"{CSV}; charset=utf-8", "settlement-lines.csv")


def _lines(request: HttpRequest, asked: LinesIn) -> list[SettlementLineView]:
    desk = desk_of(request)
    with READER.reading() as facts:
        facts.know_events(desk.id)
        return settlement_lines(facts, desk.id, asked.on or desk.today, asked.since or date.min)
