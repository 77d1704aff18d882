"""What lies in stock with claims: sums, the same from day to day, lots one by one; and the grain behind the claims."""

from typing import Annotated, Any

from django.http import Http404, HttpRequest, HttpResponse
from ninja import Query, Router, Schema
from pydantic import Field

from provender.custody.model.lots import LotState
from provender.paper.time_charts import WIDTH
from provender.quantity import CI_SCALE, parse
from provender.services.custody import stock
from provender.services.custody.views import (
    GrainEntryView,
    GrainSiteView,
    LotDetailView,
    LotView,
    StockHistoryView,
    StockPointView,
    StockView,
)
from provender.web.api.pages import PageQuery, page_of_list
from provender.web.api.problems import REFUSALS
from provender.web.api.view_schema import file_of, schema_of, shown
from provender.web.custody.api.context import READ, desk_of, page_of_views
from provender.web.download import download

router = Router(tags=["custody"])
SVG = "image/svg+xml"
Site = Annotated[str, Query(max_length=80)]
Form = Annotated[str, Query(max_length=40)]
schema_of(StockPointView, name="PointOut")
schema_of(StockHistoryView, name="HistoryOut")


class LotQuery(Schema):
    """Which lots; what is left out chooses nothing."""

    crop: Annotated[str, Field(max_length=40)] = ""
    form: Annotated[str, Field(max_length=40)] = ""
    site: Annotated[str, Field(max_length=80)] = ""
    state: Annotated[LotState | None, Field(description="`unverified` names those held unverified.")] = None
    harvest_year: Annotated[int | None, Field(ge=1900, le=2200)] = None
    ci_g_per_bu: Annotated[
        str, Field(pattern=r"^(-?[0-9]{1,7}(\.[0-9]{1,2})?)?$", description="As the stock says.")
    ] = ""

    def chosen(self) -> dict[str, str | int]:
        """Return the columns of a lot and the values they must have."""
        texts = {"crop": self.crop, "form": self.form, "site": self.site, "state": str(self.state or "")}
        found: dict[str, str | int] = {name: text for name, text in texts.items() if text}
        if self.harvest_year is not None:
            found["harvest_year"] = self.harvest_year
        if self.ci_g_per_bu:
            found["ci"] = parse(self.ci_g_per_bu, CI_SCALE)
        return found


@router.get("/custody/stock", response={200: page_of_views(StockView, name="StockOut"), **REFUSALS}, auth=READ)
def list_stock(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List what is in stock by crop, year, carbon intensity, form, place and state."""
    return page_of_list(stock.stock(desk_of(request)), page, shown)


@router.get("/custody/stock/history", response={200: page_of_views(StockHistoryView), **REFUSALS}, auth=READ)
def list_stock_history(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List the stock of the last half year from day to day, bushels of crop: what the chart draws, and all of it."""
    return page_of_list(stock.history(desk_of(request)), page, shown)


@router.get("/custody/stock/chart.svg", response={200: None, **REFUSALS}, auth=READ, openapi_extra=file_of(SVG))
def get_stock_chart(request: HttpRequest) -> HttpResponse:
    """Return the chart of the last half year; 404 where there was no stock before today."""
    desk = desk_of(request)
    drawn = stock.draw_stock(desk, lambda draw: draw(WIDTH))
    if not drawn:
        raise Http404
    return download(drawn.encode(), SVG, f"stock-{desk.today}.svg")


@router.get("/custody/lots", response={200: page_of_views(LotView), **REFUSALS}, auth=READ)
def list_lots(request: HttpRequest, page: Query[PageQuery], which: Query[LotQuery]) -> dict[str, object]:
    """List the lots in stock: all, or those of a crop, form, site, state, harvest year or carbon intensity."""
    page_of_lots = stock.lots(desk_of(request), after=page.after, size=page.limit, where=which.chosen())
    return {"items": shown(page_of_lots.lots), "next": page_of_lots.next}


LotAsked = Annotated[
    str, Query(min_length=1, max_length=220, description="Its id, or its code and serials as pages print them.")
]


@router.get("/custody/lot", response={200: schema_of(LotDetailView, name="LotWhole"), **REFUSALS}, auth=READ)
def get_lot(request: HttpRequest, lot: LotAsked) -> Any:  # noqa: ANN401 - JSON
    """Return one lot of the organization, what stands behind it, and what may be done with it."""
    detail = stock.own_lot(desk_of(request), lot)
    if detail is None:
        raise Http404
    return shown(detail)


@router.get(
    "/custody/grain/sites", response={200: page_of_views(GrainSiteView, name="GrainSiteOut"), **REFUSALS}, auth=READ
)
def list_grain_sites(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List grain and claims of every site and form: what the tickets leave, and whether it stands behind the claims."""
    return page_of_list(stock.grain_sites(desk_of(request)), page, shown)


@router.get("/custody/grain", response={200: page_of_views(GrainEntryView, name="GrainOut"), **REFUSALS}, auth=READ)
def list_grain(request: HttpRequest, page: Query[PageQuery], site: Site, form: Form) -> dict[str, object]:
    """List the grain book of one site and form, the entry entered last first."""
    desk = desk_of(request)
    if site not in desk.entity.sites:
        raise Http404
    book = stock.grain_entries(desk, site, form, before=page.after, size=page.limit)
    return {"items": shown(book.entries), "next": book.next}
