"""Stock with claims: sums, day by day, lots one by one; and the grain behind the claims."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import Final, NamedTuple

from django.core.cache import cache

from provender.custody.model.amounts import unit_of
from provender.custody.model.balances import Key
from provender.custody.model.grain_book import GrainEntry, grain_group
from provender.custody.model.lots import STOCK, Lot, LotState
from provender.custody.model.origins import Origin
from provender.custody.queries.pictures import stock_series
from provender.database.store.custody_lists import (
    GrainBook,
    StockRow,
    grain_books,
    grain_page,
    lots_page,
    lots_within,
    points_of,
    steps_watermark,
    stock_changes,
    stock_of,
)
from provender.paper.charts import stacked_chart
from provender.quantity import SCALE, half_even, show, show_whole
from provender.services.custody.bands import band_in, defaults_of
from provender.services.custody.blinding import as_seen
from provender.services.custody.context import READER, CustodyContext
from provender.services.custody.lot_names import lots_meant, own_code
from provender.services.custody.offers import offered
from provender.services.custody.views import (
    GrainEntryView,
    GrainSiteView,
    LotDetailView,
    LotView,
    StockHistoryView,
    StockPointView,
    StockSumView,
    StockView,
    lot_view,
)
from provender.services.refused import refusal
from provender.signing.hashes import sha256_hex

CHART_DAYS: Final = 183
KEPT_SECONDS: Final = 3600
USES: Final = ("sale", "process", "move", "release", "loss", "retire")
Widths = Callable[[Callable[[float], str]], str]


class LotPage(NamedTuple):
    """Lots, and the place after which the next page begins; None at the end."""

    lots: list[LotView]
    next: int | None


class GrainPage(NamedTuple):
    """Entries of a grain book, the last entered first, and the place before which the next page begins."""

    entries: list[GrainEntryView]
    next: int | None


def stock(context: CustodyContext) -> list[StockView]:
    """Return what is in stock by crop, year, carbon intensity, form, place and state."""
    return [
        StockView(
            crop=row.key.crop, harvest_year=row.key.harvest_year, ci_g_per_bu=row.key.ci, form=row.form,
            custodian=row.custodian, site=row.site, state=str(row.state), bushels=row.bushels, amount=row.amount,
            lots=row.lots,
        )
        for row in stock_of(context.id)
    ]  # fmt: skip


def stock_sums(rows: Sequence[StockView]) -> list[StockSumView]:
    """Return the sum of some rows of the stock, and after it that of each crop."""
    crops = sorted({row.crop for row in rows})
    return [_sum("", rows), *(_sum(crop, [row for row in rows if row.crop == crop]) for crop in crops)]


def _sum(crop: str, rows: Sequence[StockView]) -> StockSumView:
    return StockSumView(
        crop=crop,
        bushels=sum(row.bushels for row in rows),
        unverified=sum(row.bushels for row in rows if row.state == LotState.UNVERIFIED),
        lots=sum(row.lots for row in rows),
    )


def ci_span(rows: Sequence[StockView]) -> tuple[int, int]:
    """Return the lowest and the highest carbon intensity among rows of the stock; there is one row at least."""
    values = [row.ci_g_per_bu for row in rows]
    return min(values), max(values)


class ProductSum(NamedTuple):
    """What is in stock of one product, in its own unit."""

    form: str
    amount: int
    unit: str


def product_sums(rows: Sequence[StockView]) -> list[ProductSum]:
    """Return the sum of each product among some rows of the stock: bushels of crop alone hide what lies in a tank."""
    forms = sorted({row.form for row in rows if row.form != row.crop})
    return [ProductSum(form, sum(row.amount for row in rows if row.form == form), unit_of(form)) for form in forms]


class Within(NamedTuple):
    """Which part of the stock is meant; what is not said bounds nothing."""

    crop: str = ""
    harvest_year: int = 0
    site: str = ""
    ci_min: int | None = None
    ci_max: int | None = None

    def has(self, row: StockRow) -> bool:
        """Tell whether a row of the stock is meant."""
        key = row.key
        told = ((self.crop, key.crop), (self.harvest_year, key.harvest_year), (self.site, row.site))
        above = self.ci_min is None or key.ci >= self.ci_min
        return above and (self.ci_max is None or key.ci <= self.ci_max) and all(not a or a == b for a, b in told)


ALL: Final = Within()


def available(context: CustodyContext, within: Within = ALL) -> dict[tuple[str, int, str], int]:
    """Return what can be taken today: the amount of each form and harvest year in its unit."""
    sums: dict[tuple[str, int, str], int] = {}
    for row in filter(within.has, stock_of(context.id)):
        what = (row.form, row.key.harvest_year, unit_of(row.form))
        sums[what] = sums.get(what, 0) + row.amount
    return sums


def takeable(amount: int) -> str:
    """Write what can be taken in whole units; exactly where those would be more than there is, which is refused."""
    return show(amount, group=True) if half_even(amount, 10**SCALE) * 10**SCALE > amount else show_whole(amount)


def history(context: CustodyContext) -> list[StockHistoryView]:
    """Return the stock of the last half year from day to day, bushels of crop: what the chart draws, and all of it."""
    return [
        StockHistoryView(
            crop=key.crop, harvest_year=key.harvest_year, ci_g_per_bu=key.ci,
            days=tuple(StockPointView(day=day, bushels=bushels) for day, bushels in points),
        )
        for key, points in _by_day(context, stock_of(context.id)).items()
    ]  # fmt: skip


def _by_day(context: CustodyContext, rows: list[StockRow]) -> dict[Key, list[tuple[date, int]]]:
    """Return the stock from day to day by crop, year and carbon intensity, without keys of which there was none."""
    since = context.today - timedelta(days=CHART_DAYS)
    points = points_of(rows, stock_changes(context.id, since), context.today)
    dated = {key: [(max(day, since), amount) for day, amount in days] for key, days in points.items()}
    return {key: days for key, days in dated.items() if any(amount > 0 for _, amount in days)}


def draw_stock(context: CustodyContext, widths: Widths) -> str:
    """Draw the stock by carbon intensity from day to day; empty when there was none before today."""
    until = context.today
    points = _by_day(context, stock_of(context.id))
    # Of a crop that is sold out by now the chart tells too.
    defaults = defaults_of(context, {(key.crop, key.harvest_year) for key in points})
    series = stock_series(points, lambda key: band_in(defaults, key.crop, key.harvest_year, key.ci))
    # A line needs two days: what first came in on the last one shows in the table.
    if all(day >= until for each in series for day, _ in each.points):
        return ""
    by = "band of carbon intensity against the national default" if defaults else "carbon intensity"
    about = f"Stock of {context.entity.name} with claims, bushels of crop, by crop and {by}."
    title = "Stock over the last six months"
    return widths(
        lambda width: stacked_chart(series, title=title, description=about, unit="bu", until=until, width=width)
    )


def drawn_stock(context: CustodyContext, widths: Widths) -> str:
    """Return the same drawing, kept until something moves."""
    name = f"custody-chart-{context.id}-{steps_watermark(context.id)}-{context.today}"
    stored: str | None = cache.get(name)
    if stored is None:
        stored = draw_stock(context, widths)
        cache.set(name, stored, KEPT_SECONDS)
    return stored


def lots(context: CustodyContext, *, after: int = 0, size: int = 50, where: Mapping[str, str | int]) -> LotPage:
    """Return the lots in stock that have some values, after a place in the list."""
    rows = lots_page(context.id, after=after, size=size + 1, where=where)
    shown = rows[:size]
    return LotPage([lot_view(lot) for _, lot in shown], shown[-1][0] if len(rows) > len(shown) else None)


def lots_named(context: CustodyContext, serials: Iterable[tuple[str, int, int]]) -> list[LotView]:
    """Return the lots in stock that some serials are of, each serial's an origin, its first and the one after its last.

    What is another's, or nowhere, is not among them.
    """
    return [
        lot_view(lot)
        for origin, start, stop in serials
        for lot in lots_within(context.id, own_code(context.id, origin), start, stop)
    ]


def own_lot(context: CustodyContext, name: str) -> LotDetailView | None:
    """Return a lot of the organisation, in stock or not any more; None where it lies with others: their business.

    Raises:
        RefusedError: several of its lots are called so.
    """
    meant = lots_meant(context.id, name)
    if not meant:
        return None
    if len(meant) > 1:
        cause = f"{len(meant)} lots are called so."
        remedy = "Say the serials beside the code as the list of lots does, such as 3f9ac2d1aa 0-500."
        raise refusal("lot_of_several", cause, remedy, column="lot")
    with READER.reading() as facts:
        seen = as_seen(facts, meant[0], context.id)  # of a blinded origin there is no record, and no report shows
        return lot_detail(context, seen, facts.one(Origin, seen.origin))


def lot_detail(context: CustodyContext, lot: Lot, origin: Origin | None) -> LotDetailView:
    """Return a lot with the report behind it and what it may go into."""
    return LotDetailView(
        lot=lot_view(lot),
        report_version=origin.current.number if origin else None,
        report_standing=str(origin.standing) if origin else None,
        report_hash=(origin.current.report or None) if origin else None,
        uses=tuple(_uses(context, lot)),
    )


def _uses(context: CustodyContext, lot: Lot) -> list[str]:
    """Return the kinds of event into which a lot of the organisation's stock may go; none once it is not in stock."""
    if lot.owner != context.id or lot.state not in STOCK:
        return []
    return offered(USES, fuel=context.makes_fuel)


def grain_sites(context: CustodyContext) -> list[GrainSiteView]:
    """Return grain and claims of every site: first those with a grain book, then claims that have none."""
    claims: dict[tuple[str, str], int] = {}
    for row in stock_of(context.id):
        if row.custodian == context.id:
            claims[row.site, row.form] = claims.get((row.site, row.form), 0) + row.amount
    sites = []
    for book in grain_books(context.entity):
        grain, held = _grain_in(context, book), claims.pop((book.site, book.form), 0)
        covered = grain is not None and held <= grain
        sites.append(_site(book.site, book.form, grain, held, covered=covered, entries=book.entries))
    without_book = (_site(site, form, None, held, covered=None, entries=0) for (site, form), held in claims.items())
    return [*sites, *without_book]


def _site(site: str, form: str, grain: int | None, claims: int, *, covered: bool | None, entries: int) -> GrainSiteView:
    return GrainSiteView(
        site=site, form=form, unit=unit_of(form), grain=grain, claims=claims, covered=covered, entries=entries
    )


def _grain_in(context: CustodyContext, book: GrainBook) -> int | None:
    """Return the grain of a site today; kept until an entry is added or voided."""
    name = f"custody-grain-{book.mark}-{book.entries}-{context.today}-{sha256_hex(book.group.encode())}"
    stored = cache.get(name)
    if stored is None:
        with READER.reading() as facts:
            stored = (facts.grain(book.group).on(context.today),)
        cache.set(name, stored, KEPT_SECONDS)
    grain: int | None = stored[0]
    return grain


def _parties(context: CustodyContext, entries: set[str]) -> dict[str, str]:
    """Return with whom the organisation made entries, by their ids; nobody of one in which it does not stand."""
    found: dict[str, str] = {}
    with READER.reading() as facts:
        for name in sorted(entries):
            posted = facts.posted(name)
            parties = posted.request.parties() if posted is not None else ()
            others = [party for party in parties if party != context.id]
            if context.id in parties and len(others) == 1:
                found[name] = others[0]
    return found


def grain_entries(context: CustodyContext, site: str, form: str, *, before: int = 0, size: int = 50) -> GrainPage:
    """Return the grain book of one site and form, the entry entered last first, entered before a place."""
    rows = grain_page(grain_group(context.id, site, form), before=before, size=size + 1)
    shown: Sequence[tuple[int, GrainEntry]] = rows[:size]
    party_of = _parties(context, {entry.claim for _, entry in shown} - {""})
    entries = [
        GrainEntryView(
            number=entry.number, day=entry.day, direction=str(entry.direction), amount=entry.amount,
            claim=entry.claim, void=entry.void, name=entry.name, party=party_of.get(entry.claim, ""),
        )
        for _, entry in shown
    ]  # fmt: skip
    return GrainPage(entries, shown[-1][0] if len(rows) > len(shown) else None)
