"""What lies in stock with claims: sums, the same from day to day, lots one by one; and the grain behind the claims."""

from datetime import date
from typing import Annotated, Any

from django.http import Http404, HttpRequest, HttpResponse
from ninja import Query, Router, Schema
from pydantic import Field

from provender.custody.documents.refiner_figures import CERTIFICATES, FIGURES
from provender.custody.model.entities import Period
from provender.custody.model.lots import LotState
from provender.custody.queries.day_sheet import sheet_document
from provender.custody.queries.deliveries import CameInSumView, CameInView
from provender.exact import CI_SCALE, parse
from provender.paper.charts import TIME_WIDTH
from provender.services.custody import balances, periods, stock, views
from provender.services.custody.balances import BalanceSumView, ContractDeliveryView, deliveries
from provender.services.custody.context import READER, CustodyContext
from provender.services.custody.documents import FiguresAsked, make
from provender.services.custody.figures import certificates_of, days_of, energy_of, figures_pdf, lots_csv
from provender.services.custody.periods import came_in_of
from provender.web.api.problems import REFUSALS
from provender.web.api.schema import PageQuery, file_of, page_of_list, schema_of, shown
from provender.web.custody.api.context import READ, AskedDay, desk_of, list_call, page_of_views
from provender.web.tables import PDF, download

router = Router(tags=["custody"])

SVG = "image/svg+xml"
Site = Annotated[str, Query(max_length=80)]
Form = Annotated[str, Query(max_length=40)]


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


list_call(
    router, "/custody/stock", "list_stock",
    "List what is in stock by crop, year, carbon intensity, form, place and state.", stock.StockView, stock.stock,
)  # fmt: skip
list_call(
    router, "/custody/stock/history", "list_stock_history",
    "List the stock of the last half year from day to day, bushels of crop: what the chart draws, and all of it.",
    views.StockHistoryView, stock.history,
)  # fmt: skip


@router.get("/custody/stock/chart.svg", response={200: None, **REFUSALS}, auth=READ, openapi_extra=file_of(SVG))
def get_stock_chart(request: HttpRequest) -> HttpResponse:
    """Return the chart of the last half year; 404 where there was no stock before today."""
    desk = desk_of(request)
    drawn = stock.draw_stock(desk, lambda draw: draw(TIME_WIDTH))
    if not drawn:
        raise Http404
    return download(drawn.encode(), SVG, f"stock-{desk.today}.svg")


@router.get("/custody/lots", response={200: page_of_views(views.LotView), **REFUSALS}, auth=READ)
def list_lots(request: HttpRequest, page: Query[PageQuery], which: Query[LotQuery]) -> dict[str, object]:
    """List the lots in stock: all, or those of a crop, form, site, state, harvest year or carbon intensity."""
    page_of_lots = stock.lots(desk_of(request), after=page.after, size=page.limit, where=which.chosen())
    return {"items": shown(page_of_lots.items), "next": page_of_lots.next}


LotAsked = Annotated[
    str, Query(min_length=1, max_length=220, description="Its id, or its code and serials as pages print them.")
]


@router.get("/custody/lot", response={200: schema_of(views.LotDetailView), **REFUSALS}, auth=READ)
def get_lot(request: HttpRequest, lot: LotAsked) -> Any:  # noqa: ANN401 - JSON
    """Return one lot of the organization, what stands behind it, and what may be done with it."""
    detail = stock.own_lot(desk_of(request), lot)
    if detail is None:
        raise Http404
    return shown(detail)


list_call(
    router, "/custody/grain/sites", "list_grain_sites",
    "List grain and claims of every site and form: what the tickets leave, and whether it stands behind the claims.",
    views.GrainSiteView, stock.grain_sites,
)  # fmt: skip


@router.get("/custody/grain", response={200: page_of_views(views.GrainEntryView), **REFUSALS}, auth=READ)
def list_grain(request: HttpRequest, page: Query[PageQuery], site: Site, form: Form) -> dict[str, object]:
    """List the grain book of one site and form, the entry entered last first."""
    desk = desk_of(request)
    if site not in desk.entity.sites:
        raise Http404
    book = stock.grain_entries(desk, site, form, before=page.after, size=page.limit)
    return {"items": shown(book.items), "next": book.next}


# What came in over some days: entry by entry, and in all with the mean carbon intensity.


class CameInDays(Schema):
    """Which days: without any those of the open period up to today."""

    since: AskedDay | None = None
    on: AskedDay | None = None


@router.get("/custody/came-in", response={200: page_of_views(CameInView), **REFUSALS}, auth=READ)
def list_came_in(request: HttpRequest, page: Query[PageQuery], days: Query[CameInDays]) -> dict[str, object]:
    """List what was bought and accepted over some days, the latest first; what was taken back is not in it."""
    return page_of_list(came_in_of(desk_of(request), days.since, days.on).rows, page, shown)


@router.get("/custody/came-in/sums", response={200: page_of_views(CameInSumView), **REFUSALS}, auth=READ)
def list_came_in_sums(request: HttpRequest, page: Query[PageQuery], days: Query[CameInDays]) -> dict[str, object]:
    """List the same by crop or product, in all and then by supplier, with the mean weighted by bushels."""
    found = came_in_of(desk_of(request), days.since, days.on)
    return page_of_list([*found.in_all, *found.by_supplier], page, shown)


# Mass balance time periods: which there are, what is due, their equations, and those equations restated.


class PeriodsDue(Schema):
    """What an event would hold that declares the next period, and one that closes the period that is due, if one is."""

    declare: dict[str, str]
    close: dict[str, str] | None


class DaysIn(Schema):
    """Which days: to the end of ``on``, without it today, from ``since`` or the first day of the period; or a month."""

    on: AskedDay | None = None
    since: AskedDay | None = None
    month: Annotated[str, Field(max_length=7, description="Such as 2026-02, instead of the days.")] = ""

    def span(self, today: date) -> tuple[date | None, date]:
        """Return the first day, None for that of the period, and the last.

        Raises:
            ProblemsError: the month is none.
        """
        return balances.month_of(self.month) if self.month else (self.since, self.on or today)


list_call(
    router, "/custody/periods", "list_periods", "List the mass balance time periods, the oldest first.",
    views.PeriodView, periods.periods,
)  # fmt: skip


@router.get("/custody/periods/due", response={200: PeriodsDue, **REFUSALS}, auth=READ)
def get_periods_due(request: HttpRequest) -> dict[str, object]:
    """Return the fields of the next events about periods; post them with ``id`` and what else their kind needs."""
    desk = desk_of(request)
    close = periods.closing(desk)
    return {"declare": periods.next_period(desk).event, "close": close.event if close else None}


@router.get("/custody/periods/{start}/balance", response={200: dict[str, Any], **REFUSALS}, auth=READ)
def get_balance(request: HttpRequest, start: date) -> dict[str, Any]:
    """Return the equations of 2100.034(d) of one period, as it was closed or as it stands."""
    desk = desk_of(request)
    return periods.balance(desk, _at(desk, start))


@router.get("/custody/periods/{start}/restatement", response={200: dict[str, Any], **REFUSALS}, auth=READ)
def get_restatement(request: HttpRequest, start: date) -> dict[str, Any]:
    """Return the equations of a closed period as the farms' reports stand now; 404 where no report changed since."""
    desk = desk_of(request)
    document = periods.restated(desk, _at(desk, start))
    if document is None:
        raise Http404
    return document


@router.get("/custody/balance", response={200: dict[str, Any], **REFUSALS}, auth=READ)
def get_interim_balance(request: HttpRequest, days: Query[DaysIn]) -> dict[str, Any]:
    """Return the equations as of the end of any day, of the days since another, or of a month; they close nothing."""
    desk = desk_of(request)
    first, last = days.span(desk.today)
    return periods.interim(desk, last, first)


@router.get("/custody/balance/sums", response={200: page_of_views(BalanceSumView), **REFUSALS}, auth=READ)
def list_balance_sums(request: HttpRequest, page: Query[PageQuery], days: Query[DaysIn]) -> dict[str, object]:
    """List the same by crop and harvest year, all carbon intensities together."""
    desk = desk_of(request)
    first, last = days.span(desk.today)
    return page_of_list(balances.sums(periods.interim(desk, last, first)), page, shown)


@router.get("/custody/balance.pdf", response={200: None, **REFUSALS}, auth=READ, openapi_extra=file_of(PDF))
def print_interim_balance(request: HttpRequest, days: Query[DaysIn]) -> HttpResponse:
    """Return the same to print."""
    desk = desk_of(request)
    first, last = days.span(desk.today)
    document = periods.interim(desk, last, first)
    return download(balances.interim_paper(document, desk.entity.name, desk.today), PDF, f"balance-{last}.pdf")


@router.get("/custody/day", response={200: dict[str, Any], **REFUSALS}, auth=READ)
def get_day_sheet(request: HttpRequest, on: AskedDay | None = None) -> dict[str, Any]:
    """Return a day, today without one: tickets, grain against claims at each site, claims by carbon intensity."""
    desk = desk_of(request)
    return sheet_document(periods.day_sheet(desk, on or desk.today))


@router.get("/custody/day.pdf", response={200: None, **REFUSALS}, auth=READ, openapi_extra=file_of(PDF))
def print_day_sheet(request: HttpRequest, on: AskedDay | None = None) -> HttpResponse:
    """Return the same to print."""
    desk = desk_of(request)
    day = on or desk.today
    return download(balances.day_paper(periods.day_sheet(desk, day), desk.today), PDF, f"day-{day}.pdf")


def _at(desk: CustodyContext, start: date) -> Period:
    period = periods.period_at(desk, start)
    if period is None:
        raise Http404
    return period


# A refiner's figures over some days: what was retired into fuel and what stands behind it.

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
    certification: Annotated[str, Field(max_length=200, description="NUMBER, DAY, ISSUER")] = ""
    purchaser_certificate: Annotated[str, Field(max_length=200, description="NUMBER, DAY, ISSUER")] = ""


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
    named = certificates_of({name: getattr(asked, name) for name in CERTIFICATES})
    which = FiguresAsked(days_of(asked.year, asked.since, asked.on, desk.today), energy, named)
    return make(desk, FIGURES, which, desk.today)


# Contracts about deliveries: what is still to deliver.


@router.get("/custody/deliveries", response={200: page_of_views(ContractDeliveryView), **REFUSALS}, auth=READ)
def list_deliveries(request: HttpRequest, page: Query[PageQuery], on: AskedDay | None = None) -> dict[str, object]:
    """List the contracts about deliveries as they stand at the end of a day, today without one."""
    desk = desk_of(request)
    with READER.reading() as facts:
        facts.know_events(desk.id)
        return page_of_list(deliveries(facts, desk.id, on or desk.today), page, shown)
