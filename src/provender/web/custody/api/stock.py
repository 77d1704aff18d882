"""What lies in stock with claims: sums, the same from day to day, lots one by one; and the grain behind the claims."""

from typing import Annotated

from django.http import Http404, HttpRequest, HttpResponse
from ninja import Query, Router, Schema
from pydantic import Field

from provender.custody.model.amounts import unit_of
from provender.custody.model.grain_book import GrainEntry, grain_group
from provender.custody.model.lots import LotState
from provender.database.store.custody_lists import grain_books, grain_page, lots_page, stock_of
from provender.paper.time_charts import WIDTH
from provender.quantity import CI_SCALE, parse, show
from provender.web.api.pages import Page, PageQuery, page_of_list
from provender.web.api.problems import REFUSALS
from provender.web.api.view_schema import file_of
from provender.web.custody.api.context import READ, LotOut, desk_of, lot_out
from provender.web.custody.pages.grain import GrainStanding, grain_standings
from provender.web.custody.pages.stock import draw_stock, first_day, stock_by_day
from provender.web.custody.pages.trace import own_lot, uses_of
from provender.web.download import download

router = Router(tags=["custody"])
SVG = "image/svg+xml"
Site = Annotated[str, Query(max_length=80)]
Form = Annotated[str, Query(max_length=40)]


class StockOut(Schema):
    """A sum of lots that are alike. Amounts are decimal text."""

    crop: str
    harvest_year: int
    ci_g_per_bu: str
    form: str
    custodian: str
    site: str
    state: str
    bushels: str
    amount: str
    lots: int


class PointOut(Schema):
    """Stock from a day on, until the next one says otherwise."""

    day: str
    bushels: str


class HistoryOut(Schema):
    """Stock of one crop, harvest year and carbon intensity from day to day, the first day first."""

    crop: str
    harvest_year: int
    ci_g_per_bu: str
    days: list[PointOut]


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


class LotWhole(Schema):
    """A lot, the report behind it, and the kinds of event it may go into; the report is null where none is at hand."""

    lot: LotOut
    report_version: int | None
    report_standing: str | None
    report_hash: str | None
    uses: list[str]


class GrainOut(Schema):
    """An entry of a site's grain book: a ticket, a shipment or a measurement."""

    number: str
    day: str
    direction: str
    amount: str
    claim: str
    void: bool
    name: str


class GrainSiteOut(Schema):
    """Grain and claims at one site, in ``unit``.

    ``grain`` is null without an entry up to today, and ``covered`` where claims lie without a grain book.
    """

    site: str
    form: str
    unit: str
    grain: str | None
    claims: str
    covered: bool | None
    entries: int


@router.get("/custody/stock", response={200: Page[StockOut], **REFUSALS}, auth=READ)
def list_stock(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List what is in stock by crop, year, carbon intensity, form, place and state."""
    return page_of_list(
        stock_of(desk_of(request).id),
        page,
        lambda row: StockOut(
            crop=row.key.crop, harvest_year=row.key.harvest_year, ci_g_per_bu=show(row.key.ci, CI_SCALE),
            form=row.form, custodian=row.custodian, site=row.site, state=str(row.state), bushels=show(row.bushels),
            amount=show(row.amount), lots=row.lots,
        ),
    )  # fmt: skip


@router.get("/custody/stock/history", response={200: Page[HistoryOut], **REFUSALS}, auth=READ)
def list_stock_history(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List the stock of the last half year from day to day, bushels of crop: what the chart draws, and all of it."""
    desk = desk_of(request)
    found = stock_by_day(stock_of(desk.id), first_day(desk), desk.today, desk.id)
    return page_of_list(
        list(found.items()),
        page,
        lambda one: HistoryOut(
            crop=one[0].crop, harvest_year=one[0].harvest_year, ci_g_per_bu=show(one[0].ci, CI_SCALE),
            days=[PointOut(day=day.isoformat(), bushels=show(bushels)) for day, bushels in one[1]],
        ),
    )  # fmt: skip


@router.get("/custody/stock/chart.svg", response={200: None, **REFUSALS}, auth=READ, openapi_extra=file_of(SVG))
def get_stock_chart(request: HttpRequest) -> HttpResponse:
    """Return the chart of the last half year; 404 where there was no stock before today."""
    desk = desk_of(request)
    drawn = draw_stock(desk, stock_of(desk.id), lambda draw: draw(WIDTH))
    if not drawn:
        raise Http404
    return download(drawn.encode(), SVG, f"stock-{desk.today}.svg")


@router.get("/custody/lots", response={200: Page[LotOut], **REFUSALS}, auth=READ)
def list_lots(request: HttpRequest, page: Query[PageQuery], which: Query[LotQuery]) -> dict[str, object]:
    """List the lots in stock: all, or those of a crop, form, site, state, harvest year or carbon intensity."""
    found = lots_page(desk_of(request).id, after=page.after, size=page.limit + 1, where=which.chosen())
    shown = found[: page.limit]
    return {"items": [lot_out(lot) for _, lot in shown], "next": shown[-1][0] if len(found) > len(shown) else None}


@router.get("/custody/lot", response={200: LotWhole, **REFUSALS}, auth=READ)
def get_lot(request: HttpRequest, lot: Annotated[str, Query(min_length=1, max_length=220)]) -> LotWhole:
    """Return one lot of the organisation, what stands behind it, and what may be done with it."""
    desk = desk_of(request)
    found, origin = own_lot(desk, lot)
    return LotWhole(
        lot=lot_out(found),
        report_version=origin.current.number if origin else None,
        report_standing=str(origin.standing) if origin else None,
        report_hash=(origin.current.report or None) if origin else None,
        uses=uses_of(desk, found),
    )


@router.get("/custody/grain/sites", response={200: Page[GrainSiteOut], **REFUSALS}, auth=READ)
def list_grain_sites(request: HttpRequest, page: Query[PageQuery]) -> dict[str, object]:
    """List grain and claims of every site and form: what the tickets leave, and whether it stands behind the claims."""
    desk = desk_of(request)
    return page_of_list(grain_standings(desk, grain_books(desk.entity)), page, _site)


def _site(one: GrainStanding) -> GrainSiteOut:
    return GrainSiteOut(
        site=one.site, form=one.form, unit=unit_of(one.form), grain=None if one.grain is None else show(one.grain),
        claims=show(one.claims), covered=one.is_covered if one.book else None,
        entries=one.book.entries if one.book else 0,
    )  # fmt: skip


@router.get("/custody/grain", response={200: Page[GrainOut], **REFUSALS}, auth=READ)
def list_grain(request: HttpRequest, page: Query[PageQuery], site: Site, form: Form) -> dict[str, object]:
    """List the grain book of one site and form, the entry entered last first."""
    desk = desk_of(request)
    if site not in desk.entity.sites:
        raise Http404
    found = grain_page(grain_group(desk.id, site, form), before=page.after, size=page.limit + 1)
    shown = found[: page.limit]
    after = shown[-1][0] if len(found) > len(shown) else None
    return {"items": [_grain(one) for _, one in shown], "next": after}


def _grain(one: GrainEntry) -> GrainOut:
    return GrainOut(
        number=one.number, day=one.day.isoformat(), direction=str(one.direction), amount=show(one.amount),
        claim=one.claim, void=one.void, name=one.name,
    )  # fmt: skip
