"""Stock with claims: sums, day by day, lots one by one; and the grain behind the claims."""

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from datetime import date, timedelta
from functools import partial
from typing import Final, Generic, NamedTuple, TypeVar

from django.core.cache import cache

from provender import exact
from provender.custody.events.allocation import TakesFromStock, shares
from provender.custody.events.trade import ci_limits
from provender.custody.events.typed import typed_entries
from provender.custody.model.balances import Key
from provender.custody.model.event import Event, plain_event
from provender.custody.model.grain import GrainEntry, grain_group, stock_on
from provender.custody.model.lots import FORMS, STOCK, Lot, LotState, Origin, unit_of
from provender.custody.queries.day_sheet import NONE_KNOWN, Band, Defaults, band_of
from provender.custody.queries.trace import stock_series
from provender.database.models.custody import CustodyLot
from provender.database.models.farm import ReportVersion
from provender.database.store import custody_lists
from provender.database.store.custody import SqlFacts
from provender.database.store.custody_lists import StockView
from provender.paper.charts import stacked_chart
from provender.schema import field, infos, is_word, types_of, view
from provender.services.custody import views
from provender.services.custody.balances import BalanceSumView
from provender.services.custody.book_entry import offered
from provender.services.custody.context import READER, CustodyContext, as_seen, kept, lots_meant, own_code
from provender.services.refused import refusal
from provender.signing.canonical import sha256_hex

# Stock in bands of carbon intensity: one function for tables, charts and calls.
#
# The national default is the one by which the reports behind the stock were reckoned, as far as they lie on this
# server.

__all__ = ["StockView"]
T = TypeVar("T")
_DEFAULT_KEPT_SECONDS: Final = 7 * 24 * 3600
"""How long the default of a report is kept after it was read."""
WHOLE: Final = 1000
"""Tenths of a percent in all."""


@view
class BandView:
    """What is in stock of one crop within one band of carbon intensity; without a band, of the whole crop."""

    crop: str = field("Crop")
    harvest_year: int = field("Harvest year")
    band: str = field("Carbon intensity", help="Against the national default; empty for the sum of the crop.")
    bushels: exact.Bushels = field("Bushels")
    share: int = field("Share", unit="%", help="In thousandths of the crop.")
    mean_ci_g_per_bu: exact.Ci = field("Mean CI")
    lots: int = field("Lots")


def defaults_of(context: CustodyContext, ever: Collection[tuple[str, int]] = ()) -> dict[tuple[str, int], int]:
    """Return the national defaults that the reports behind the stock name; none of a crop where they differ.

    Of crops and harvest years in ``ever`` all that was ever owned counts: a period tells of what is gone too.
    """
    lots = CustodyLot.objects.filter(owner=context.id)
    if ever:
        lots = lots.filter(crop__in={crop for crop, _ in ever}, harvest_year__in={year for _, year in ever})
    else:
        lots = lots.filter(ended_by=None)
    names = lots.values_list("origin__name", flat=True).distinct()
    with READER.reading() as store:
        origins = store.named(Origin, list(names))
        hashes = [one.current.report for one in origins if one.current.report]
    return agreed(_named(hashes))


def agreed(named: Iterable[tuple[str, int, int]]) -> dict[tuple[str, int], int]:
    """Return the defaults of crops and years on which reports agree.

    Of two neither is more right: the stock of that crop is told by its carbon intensities.
    """
    found: dict[tuple[str, int], set[int]] = {}
    for crop, year, default in named:
        found.setdefault((crop, year), set()).add(default)
    return {what: said.pop() for what, said in found.items() if len(said) == 1}


def _named(hashes: Iterable[str]) -> Iterator[tuple[str, int, int]]:
    """Yield crop, year and national default of the signed reports that name one; what is signed never changes.

    A whole report is megabytes: it is read once, and what it names is kept.
    """
    keys = {f"custody-default-{one}": one for one in hashes}
    known = cache.get_many(keys)
    absent = [one for key, one in keys.items() if key not in known]
    read = {}
    for version in ReportVersion.objects.filter(document_hash__in=absent).iterator(1) if absent else ():
        said = json.loads(version.document).get("national_default_g_per_bu")
        default = exact.parse(said, exact.CI_SCALE) if said else 0
        read[f"custody-default-{version.document_hash}"] = version.crop, version.harvest_year, default
    if read:
        cache.set_many(read, _DEFAULT_KEPT_SECONDS)
    yield from (one for one in (known | read).values() if one[2] > 0)


def band_in(defaults: Defaults, crop: str, harvest_year: int, ci: int) -> str:
    """Return the band of a carbon intensity in words; empty where no report behind the stock names a default."""
    default = defaults.get((crop, harvest_year))
    return str(band_of(ci, default)) if default else ""


def banded(rows: Sequence[StockView], defaults: Defaults) -> list[BandView]:
    """Return stock by crop, harvest year and band, each crop's sum before its bands; nothing of crops without one."""
    found = []
    for crop, year in sorted({(row.crop, row.harvest_year) for row in rows} & defaults.keys()):
        mine = [row for row in rows if (row.crop, row.harvest_year) == (crop, year)]
        in_bands = {
            band: within
            for band in Band
            if (within := [row for row in mine if band_in(defaults, crop, year, row.ci_g_per_bu) == band])
        }
        found.append(_view(crop, year, "", mine, WHOLE))
        parts = per_mille([sum(row.bushels for row in within) for within in in_bands.values()])
        for (band, within), share in zip(in_bands.items(), parts, strict=True):
            found.append(_view(crop, year, str(band), within, share))
    return found


def per_mille(parts: Sequence[int]) -> list[int]:
    """Return the tenths of a percent that each part is of all: they add up to the whole, as whoever reads them adds."""
    return list(shares(dict(enumerate(parts)), WHOLE).values()) if any(parts) else [0] * len(parts)


def whole_parts(parts: Sequence[int]) -> list[int]:
    """Return parts in whole units, which add up to their sum as that is printed."""
    total = exact.half_even(sum(parts), 10**exact.SCALE)
    return list(shares(dict(enumerate(parts)), total).values()) if total else [0] * len(parts)


def printed_bands(rows: Sequence[BandView] | Sequence[BalanceSumView], name: str) -> dict[tuple[str, int, str], int]:
    """Return an amount of each band in whole bushels: those of a crop and year add up to its own as printed."""
    found: dict[tuple[str, int, str], int] = {}
    for key in {(one.crop, one.harvest_year) for one in rows}:
        of = [one for one in rows if (one.crop, one.harvest_year) == key]
        wholes = whole_parts([getattr(one, name) for one in of])
        found |= {(*key, one.band): whole for one, whole in zip(of, wholes, strict=True)}
    return found


def _view(crop: str, year: int, band: str, rows: Sequence[StockView], share: int) -> BandView:
    bushels = sum(row.bushels for row in rows)
    mean = exact.weighted_mean((row.ci_g_per_bu, row.bushels) for row in rows) or 0
    lots = sum(row.lots for row in rows)
    return BandView(
        crop=crop, harvest_year=year, band=band, bushels=bushels, share=share, mean_ci_g_per_bu=mean, lots=lots
    )


_CHART_DAYS: Final = 183
USES: Final = ("sale", "process", "move", "release", "loss", "retire")
Widths = Callable[[Callable[[float], str]], str]


class Page(NamedTuple, Generic[T]):
    """Part of a list, and the place at which the next page goes on; None at the end."""

    items: list[T]
    next: int | None


def stock(context: CustodyContext) -> list[StockView]:
    return custody_lists.stock_of(context.id)


class CropSum(NamedTuple):
    """What is in stock of one crop, in whatever form, as bushels of crop."""

    crop: str
    bushels: int
    lots: int


def stock_sums(rows: Sequence[StockView]) -> list[CropSum]:
    found: dict[str, CropSum] = {}
    for row in sorted(rows, key=lambda row: row.crop):
        _, bushels, lots = found.get(row.crop, (row.crop, 0, 0))
        found[row.crop] = CropSum(row.crop, bushels + row.bushels, lots + row.lots)
    return list(found.values())


def typed_in(context: CustodyContext) -> list[str]:
    """Return what of the organization's entries was typed and no paper shows, with the bushels that rest on it."""
    with READER.reading() as store:
        return [one.said() for one in typed_entries(store, context.id)]


def unverified_in(rows: Sequence[StockView]) -> int:
    return sum(row.bushels for row in rows if row.state == LotState.UNVERIFIED)


def ci_span(rows: Sequence[StockView]) -> tuple[int, int]:
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

    def has(self, row: StockView) -> bool:
        told = ((self.crop, row.crop), (self.harvest_year, row.harvest_year), (self.site, row.site))
        above = self.ci_min is None or row.ci_g_per_bu >= self.ci_min
        below = self.ci_max is None or row.ci_g_per_bu <= self.ci_max
        return above and below and all(not a or a == b for a, b in told)


ALL: Final = Within()


def available(context: CustodyContext, within: Within = ALL) -> dict[tuple[str, int, str], int]:
    """Return what can be taken today: the amount of each form and harvest year in its unit."""
    sums: Counter[tuple[str, int, str]] = Counter()
    for row in filter(within.has, custody_lists.stock_of(context.id)):
        sums[row.form, row.harvest_year, row.unit] += row.amount
    return sums


def takeable(amount: int) -> str:
    """Write what can be taken in whole units; exactly where those would be more than there is, which is refused."""
    return (
        exact.show(amount, group=True)
        if exact.half_even(amount, 10**exact.SCALE) * 10**exact.SCALE > amount
        else exact.show_whole(amount)
    )


def history(context: CustodyContext) -> list[views.StockHistoryView]:
    """Return the stock of the last half year from day to day, bushels of crop: what the chart draws, and all of it."""
    return [
        views.StockHistoryView(
            crop=key.crop, harvest_year=key.harvest_year, ci_g_per_bu=key.ci,
            days=tuple(views.StockPointView(day=day, bushels=bushels) for day, bushels in points),
        )
        for key, points in _by_day(context, custody_lists.stock_of(context.id)).items()
    ]  # fmt: skip


def _by_day(context: CustodyContext, rows: list[StockView]) -> dict[Key, list[tuple[date, int]]]:
    """Return the stock from day to day by crop, year and carbon intensity, without keys of which there was none."""
    since = context.today - timedelta(days=_CHART_DAYS)
    points = custody_lists.points_of(rows, custody_lists.stock_changes(context.id, since), context.today)
    dated = {key: [(max(day, since), amount) for day, amount in days] for key, days in points.items()}
    return {key: days for key, days in dated.items() if any(amount > 0 for _, amount in days)}


def draw_stock(context: CustodyContext, widths: Widths) -> str:
    """Draw the stock by carbon intensity from day to day; empty when there was none before today."""
    until = context.today
    points = _by_day(context, custody_lists.stock_of(context.id))
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
    return kept(context, f"chart-{context.today}", lambda _: draw_stock(context, widths))


def lots(
    context: CustodyContext, *, after: int = 0, size: int = 50, where: Mapping[str, str | int]
) -> Page[views.LotView]:
    """Return the lots in stock that have some values, after a place in the list."""
    rows = custody_lists.lots_page(context.id, after=after, size=size + 1, where=where)
    shown = rows[:size]
    return Page([views.lot_view(lot) for _, lot in shown], shown[-1][0] if len(rows) > len(shown) else None)


def lots_named(context: CustodyContext, serials: Iterable[tuple[str, int, int]]) -> list[views.LotView]:
    """Return the lots in stock that some serials are of, each serial's an origin, its first and the one after its last.

    What is another's, or nowhere, is not among them.
    """
    return [
        views.lot_view(lot)
        for origin, start, stop in serials
        for lot in custody_lists.lots_within(context.id, own_code(context.id, origin), start, stop)
    ]


def own_lot(context: CustodyContext, name: str) -> views.LotDetailView | None:
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
    with READER.reading() as store:
        seen = as_seen(store, meant[0], context.id)  # of a blinded origin there is no record, and no report shows
        return lot_detail(context, seen, store.one(Origin, seen.origin))


def lot_detail(context: CustodyContext, lot: Lot, origin: Origin | None) -> views.LotDetailView:
    return views.LotDetailView(
        lot=views.lot_view(lot),
        report_version=origin.current.number if origin else None,
        report_standing=str(origin.standing) if origin else None,
        report_hash=(origin.current.report or None) if origin else None,
        uses=tuple(offered(USES, fuel=context.makes_fuel) if lot.owner == context.id and lot.state in STOCK else ()),
    )


def grain_sites(context: CustodyContext) -> list[views.GrainSiteView]:
    claims: Counter[tuple[str, str]] = Counter()
    for row in custody_lists.stock_of(context.id):
        if row.custodian == context.id:
            claims[row.site, row.form] += row.amount
    books = {(book.site, book.form): book for book in custody_lists.grain_books(context.entity)}
    sites = []
    for site, form in dict.fromkeys((*books, *claims)):
        book, held = books.get((site, form)), claims[site, form]
        # What is kept of a site's grain holds until an entry is added or voided.
        what = f"grain-{book.entries}-{context.today}-{sha256_hex(book.group.encode())}" if book else ""
        grain = kept(context, what, partial(_grain_on, book.group, context.today), mark=book.mark) if book else None
        covered = grain is not None and held <= grain if book else None
        sites.append(views.GrainSiteView(
            site=site, form=form, unit=unit_of(form), grain=grain, claims=held, covered=covered,
            entries=book.entries if book else 0,
        ))  # fmt: skip
    return sites


def _grain_on(group: str, day: date, store: SqlFacts) -> int | None:
    return stock_on(store.many(GrainEntry, group), day)


def _parties(context: CustodyContext, entries: set[str]) -> dict[str, str]:
    """Return with whom the organisation made entries, by their ids; nobody of one in which it does not stand."""
    found: dict[str, str] = {}
    with READER.reading() as store:
        for name in sorted(entries):
            posted = store.posted(name)
            parties = posted.event.parties() if posted is not None else ()
            others = [party for party in parties if party != context.id]
            if context.id in parties and len(others) == 1:
                found[name] = others[0]
    return found


def grain_entries(
    context: CustodyContext, site: str, form: str, *, before: int = 0, size: int = 50
) -> Page[views.GrainEntryView]:
    """Return the grain book of one site and form, the entry entered last first, entered before a place."""
    rows = custody_lists.grain_page(grain_group(context.id, site, form), before=before, size=size + 1)
    shown: Sequence[tuple[int, GrainEntry]] = rows[:size]
    party_of = _parties(context, {entry.claim for _, entry in shown} - {""})
    entries = [
        views.GrainEntryView(
            number=entry.number, day=entry.day, direction=str(entry.direction), amount=entry.amount,
            claim=entry.claim, void=entry.void, name=entry.name, party=party_of.get(entry.claim, ""),
        )
        for _, entry in shown
    ]  # fmt: skip
    return Page(entries, shown[-1][0] if len(rows) > len(shown) else None)


# Forms that an entry may take from stock: for boxes that offer them.


def takes_from_stock(cls: type[Event]) -> bool:
    """Tell whether a type of event takes claims from stock, of a crop or of a product of it."""
    return cls.type in USES and issubclass(cls, TakesFromStock)


def products_in_stock(context: CustodyContext, crop: str) -> set[str]:
    """Return the products in stock that are made of a crop; of any where none is said."""
    here = {form for form, _, _ in available(context)}
    return {form for form in here if form != FORMS[form].crop and crop in ("", FORMS[form].crop)}


# What an event takes of a stock, in one look.


class Share(NamedTuple):
    """Part of what an event takes: bushels of one band or carbon intensity, or of all further ones together."""

    ci: int | None  # none for a band, and for all further ones
    band: str  # against the national default; empty where no report behind the stock names it
    bushels: int
    share: int  # in thousandths of the whole


class Taken(NamedTuple):
    """What an event takes, in one look: how much, at which mean, of how many origins; lowest carbon intensity first."""

    bushels: int
    mean_ci: int
    origins: int
    shares: list[Share]


def taken_view(lots: Sequence[views.LotView], defaults: Defaults = NONE_KNOWN, *, most: int = 3) -> Taken | None:
    """Return lots in one look, by band where all their defaults are known, else by at most so many intensities.

    Returns:
        None where nothing is taken.
    """
    banded_all = all((lot.crop, lot.harvest_year) in defaults for lot in lots)
    by_ci: Counter[int] = Counter()
    by_band: Counter[str] = Counter()
    for lot in lots:
        amount = lot.stop_bu - lot.start_bu
        by_ci[lot.ci_g_per_bu] += amount
        by_band[band_in(defaults, lot.crop, lot.harvest_year, lot.ci_g_per_bu)] += amount
    whole, mean = by_ci.total(), exact.weighted_mean(by_ci.items())
    if mean is None:
        return None
    parts: list[tuple[int | None, str, int]]
    if banded_all:
        parts = [(None, str(band), by_band[band]) for band in Band if by_band[band]]
    else:
        largest = by_ci.most_common(most if len(by_ci) <= most else most - 1)
        parts = [(ci, "", amount) for ci, amount in sorted(largest)]
        if rest := whole - sum(amount for _, amount in largest):
            parts.append((None, "", rest))
    shares = per_mille([amount for _, _, amount in parts])
    found = [Share(*part, share) for part, share in zip(parts, shares, strict=True)]
    return Taken(whole, mean, len({lot.origin for lot in lots}), found)


def limits_of(event: Event) -> tuple[int | None, int | None]:
    """Return the carbon intensities between which an event takes lots: its own limits, and those of its contract."""
    with READER.reading() as store:
        return ci_limits(store, event)


# What an organisation entered before, for whoever enters the next of its kind: what is likely to be the same again.

_MOST: Final = 3
PARTIES: Final = frozenset({"partners", "buyers", "growers", "traders", "first_buyers"})
SAME: Final = PARTIES | {"sites", "forms", "crops"}
"""Choices that are likely to be made again; a slip or a purchase that waits is one of its own."""


class Before(NamedTuple):
    """An entry that a new one may begin with: its id, and what it is called."""

    key: str
    called: str


def events_to_begin_with(context: CustodyContext, cls: type[Event]) -> list[Before]:
    """Return the entries made last on these pages that differ in what a new one would take from them."""
    found: dict[tuple[str, ...], Before] = {}
    for event in custody_lists.entered_lately(cls.type, _start(context, cls)):
        taken = _taken(event)
        if taken:
            said = infos(cls)
            order = sorted(taken, key=lambda name: said[name].choices not in PARTIES)
            named = ", ".join(
                context.named(taken[name]) if said[name].choices in PARTIES else taken[name].replace("_", " ")
                for name in order
            )
            found.setdefault(tuple(taken.values()), Before(event.id, f"{named} ({event.day})"))
        if len(found) == _MOST:
            break
    return list(found.values())


def defaults_from_previous(context: CustodyContext, cls: type[Event], key: str) -> dict[str, str]:
    """Return what a new entry takes from one of the organisation's own: whom, what, where; no amount, no paper."""
    if not key.startswith(_start(context, cls)):
        return {}
    event = next((one for one in custody_lists.entered_lately(cls.type, _start(context, cls)) if one.id == key), None)
    return _taken(event) if event else {}


def _start(context: CustodyContext, cls: type[Event]) -> str:
    """Return how the ids begin that these pages give to entries of a type."""
    return f"{context.organisation.handle}-{cls.type.replace('_', '-')}-"


def _taken(event: Event) -> dict[str, str]:
    """Return what was chosen in an event and is left at no default."""
    cls, plain = type(event), plain_event(event)
    own = cls.entered_by()
    kinds = types_of(cls)
    return {
        each.name: str(plain[each.name])
        for each in fields(cls)
        if each.name in plain and each.name != own and isinstance(plain[each.name], str) and plain[each.name]
        and (infos(cls)[each.name].choices in SAME or is_word(kinds[each.name]))
    }  # fmt: skip
