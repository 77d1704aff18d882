"""What a book should make its keeper look at: no refusals, only sentences."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from functools import cache, partial
from typing import Final, Self

from provender.custody.events import plant
from provender.custody.events.closing import (
    RetireEvent,
    balance_of,
    claims_at,
    claims_by_place,
    lying_at_closed,
    short_of_grain,
)
from provender.custody.events.farm_trade import Pending
from provender.custody.events.reports import Notice, doubts
from provender.custody.events.trade import disputed
from provender.custody.events.typed import typed_entries
from provender.custody.model import entities, grain
from provender.custody.model.balances import Place
from provender.custody.model.lots import (
    BUSHEL,
    FORMS,
    POUND,
    RATE_ONE,
    LotState,
    Origin,
    OriginKind,
    Slip,
    length,
    overlaps,
    show_amount,
    unit_of,
)
from provender.custody.model.store_view import CustodyStep, StoreView, standing_event
from provender.exact import CI_SCALE, RATE_SCALE, SCALE, Bushels, show
from provender.problem import counted
from provender.rule.crops import Crop
from provender.schema import field, part

# What a holder is told of changed reports: which report, its new state, how many bushels (interpretation 35).

SHORT: Final = 12
"""Characters of a blinded origin that are shown: enough to find it among others."""


@dataclass(frozen=True, slots=True)
class ReportChange:
    """One change of one report, as far as one holder's bushels go."""

    event: str  # the entry that changed it; empty where its id might name a farm that the holder may not know
    day: date  # of the change
    report: str  # which report, in words; the farm is named only to those who deal with it (interpretation 45)
    said: str  # what changed, in a sentence
    bushels: int  # of the holder that it concerns, thousandths of a bushel of crop


def event_of(notice: Notice) -> str:
    return notice.number.rpartition("/notice/")[0]


def _may_name(store: StoreView, holder: str, origin: Origin) -> bool:
    """Tell whether a holder may be told whose report it is: it has a contract with the farm, or bought from it."""
    if holder == origin.issuer or any(
        one.counterparty == origin.issuer for one in store.many(entities.Contract, holder)
    ):
        return True
    lots = store.lots_at(origin.id, *origin.span)
    return any(lot.supplier == origin.issuer for lot in lots if holder in (lot.owner, lot.custodian))


def _report_changes(store: StoreView, holder: str) -> Iterator[ReportChange]:
    """Gather a holder's notices by entry and by what they say, in the order in which they were stated."""
    found: dict[tuple[str, date, str, str], int] = {}
    for one in store.many(Notice, holder):
        place = event_of(one), one.day, one.origin, one.said
        found[place] = found.get(place, 0) + one.stop - one.start
    for (event, day, name, said), bushels in found.items():
        origin = store.one(Origin, name)
        is_secret = origin is not None and origin.source is OriginKind.REPORT and not _may_name(store, holder, origin)
        yield ReportChange("" if is_secret else event, day, _report(store, holder, name), said, bushels)


def _report(store: StoreView, holder: str, name: str) -> str:
    origin = store.one(Origin, name)
    if origin is None:
        return f"Report behind the serials of {name[:SHORT]}…"
    what = f"{origin.crop.capitalize()} {origin.harvest_year}"
    if origin.source is not OriginKind.REPORT or not _may_name(store, holder, origin):
        return f"{what} report behind the serials of {origin.id[:SHORT]}…"
    farm = store.one(entities.Entity, origin.issuer)
    return f"{what} report of {farm.name if farm else origin.issuer}"


# Claims sold from a site behind which no ticket out stands: each sale is held against tickets that may be its own.
#
# A ticket counts for a sale as far as site, form, party and period let it: grain of somebody else, of an own move, of
# another trade or of another buyer is never set off against it. Shipments and claims are two records that must meet by
# the close (interpretation 44), so that a ticket that names no trade may be of any day of the period.

NAMED: Final = 3
"""Sales that a sentence names, those of the largest amount; the others are counted."""


@dataclass(slots=True)
class Sale:
    """A sale as far as it goes from one place; amounts in thousandths of the form's unit."""

    movement: str  # the sale
    day: date  # on which title passed
    parties: tuple[entities.Entity, ...]  # buyer and seller, under whose names a ticket may be
    amount: int = 0  # sold
    bare: int = 0  # of that, behind which no ticket stands

    def said(self, unit: str) -> str:
        """Return the sale in words, with what its tickets leave open."""
        whole = f" of {show_amount(self.amount, unit)}" if self.bare < self.amount else ""
        buyer = self.parties[0].name if self.parties else "nobody known"
        return f"{self.movement} of {self.day} to {buyer}, {show_amount(self.bare, unit)}{whole}"


@dataclass(frozen=True, slots=True)
class SoldBeyond:
    """Claims sold from a place in a period behind which no ticket out stands."""

    said: str  # in whole sentences
    amount: int  # how much, thousandths of the form's unit
    event: str  # the sale with the largest part of it


def sold_beyond(store: StoreView, period: entities.Period) -> Iterator[SoldBeyond]:
    """Hold each sale of a period against the tickets out that may stand behind it."""
    sold = _sold(store, period)
    _take_named(store, period, sold)
    for place in sorted(sold):
        entries = _shipments_from(store, place, period)
        if entries is None:
            continue
        sales = list(sold[place].values())
        left = [one for one in _taken([one for one in entries if not one.claim], sales) if one]
        bare = sorted((one for one in sales if one.bare), key=lambda one: (-one.bare, one.movement))
        if bare:
            yield SoldBeyond(
                _flow_message(period, place, sales, bare, left), sum(one.bare for one in bare), bare[0].movement
            )


def _shipments_from(store: StoreView, place: Place, period: entities.Period) -> list[grain.GrainEntry] | None:
    """Return the tickets by which grain left a site for others in a period; None where the site has no grain book.

    What came to another site of the same party nobody else got.
    """
    custodian, site, form = place
    if not store.many(grain.GrainEntry, grain.grain_group(*place)):
        return None
    entity = store.one(entities.Entity, custodian)
    sites = entity.sites if entity else ()
    entries = [
        one
        for each in sites
        for one in store.many(grain.GrainEntry, grain.grain_group(custodian, each, form))
        if not one.void
    ]
    moved = {one.source for one in entries}
    out = (
        one for one in entries if one.direction is grain.Direction.OUT and one.site == site and period.holds(one.day)
    )
    return [one for one in out if one.key not in moved]


def _sold(store: StoreView, period: entities.Period) -> dict[Place, dict[str, Sale]]:
    """Return the sales of a period that stand, by the place that they went from."""
    sold: dict[Place, dict[str, Sale]] = {}
    stands = cache(partial(standing_event, store))
    for step in store.steps(period.entity, period.start):
        before = step.before
        if not (step.type == "sale" and step.left and before and before.owner == period.entity):
            continue
        if step.day > period.end or not stands(step.movement):
            continue
        sales = sold.setdefault((before.custodian, before.site, before.form), {})
        if step.movement not in sales:
            sales[step.movement] = Sale(step.movement, step.day, _parties(store, step.movement))
        sales[step.movement].amount += step.after.amount
        sales[step.movement].bare += step.after.amount
    return sold


def _parties(store: StoreView, movement: str) -> tuple[entities.Entity, ...]:
    event = getattr(store.posted(movement), "event", None)
    found = (store.one(entities.Entity, str(getattr(event, name, ""))) for name in ("taker", "giver"))
    return tuple(one for one in found if one)


def _take_named(store: StoreView, period: entities.Period, sold: dict[Place, dict[str, Sale]]) -> None:
    """Set the tickets that a sale names against it: of its own places first, then those of the buyer's."""
    parts: dict[str, list[tuple[Place, Sale]]] = {}
    for place, sales in sold.items():
        for movement, sale in sales.items():
            parts.setdefault(movement, []).append((place, sale))
    for movement, of in parts.items():
        rest = 0
        for one in grain.tickets_behind(store, movement):
            if not _counts(one, movement, period, of):
                continue
            left = one.amount
            for place, sale in of:
                if place[:2] == (one.entity, one.site):
                    left = _set_off(sale, left)
            rest += left
        for _, sale in of:
            rest = _set_off(sale, rest)


def _counts(one: grain.GrainEntry, movement: str, period: entities.Period, of: Sequence[tuple[Place, Sale]]) -> bool:
    """Tell whether a ticket that a sale names is of its grain, its parties and its period."""
    (_, _, form), sale = of[0]
    stands = not one.void and one.claim == movement and one.direction is not grain.Direction.MEASURED
    return stands and one.form == form and period.holds(one.day) and grain.may_be_of(one, sale.parties)


def _set_off(sale: Sale, amount: int) -> int:
    """Set an amount against what is bare of a sale; return what is left of the amount."""
    taken = min(sale.bare, amount)
    sale.bare -= taken
    return amount - taken


def _taken(loose: list[grain.GrainEntry], sales: list[Sale]) -> Iterator[int]:
    """Set tickets that name no trade against sales; yield what is left of each.

    A ticket is one load and went to one buyer: what is left of it is never another buyer's. Those that name somebody
    choose first, for others may do without them; each prefers the amount that it is, then the nearest day.
    """
    for one in sorted(loose, key=lambda one: (not one.name, one.day, one.number)):
        fits = [sale for sale in sales if sale.bare and grain.may_be_of(one, sale.parties)]
        fits.sort(key=lambda sale: (sale.bare != one.amount, abs(sale.day - one.day), -sale.bare, sale.movement))
        left = one.amount
        for sale in fits:
            if sale.parties[:1] == fits[0].parties[:1]:
                left = _set_off(sale, left)
        yield left


def _flow_message(period: entities.Period, place: Place, sales: list[Sale], bare: list[Sale], left: list[int]) -> str:
    """Say what was sold, which of it no ticket stands behind, and which tickets are behind none of it."""
    unit = unit_of(place[2])
    sold, lacking = sum(one.amount for one in sales), sum(one.bare for one in bare)
    flows = f"claims on {show_amount(sold, unit)} were sold, {show_amount(sold - lacking, unit)} of them with a ticket"
    more = f"; and {len(bare) - NAMED} more" if len(bare) > NAMED else ""
    names = "; ".join(one.said(unit) for one in bare[:NAMED])
    alone = f" Behind no sale: {counted(len(left), 'ticket')} out, {show_amount(sum(left), unit)}." if left else ""
    where = f"In the period from {period.start}, at {place[1]}"
    return f"{where}: {flows}. No ticket out stands behind: {names}{more}.{alone}"


class AlertKind(StrEnum):
    """What an alert is about, and on which page of the book its keeper does something about it."""

    def __new__(cls, value: str, page: str) -> Self:
        """Give the member its page beside its value."""
        member = str.__new__(cls, value)
        member._value_, member.page = value, page
        return member

    page: str

    CLAIMS_WITHOUT_GRAIN = "claims_without_grain", "grain"
    DAILY_SHORTFALL = "daily_shortfall", "grain"
    CLAIMS_SOLD_BEYOND_SHIPMENTS = "claims_sold_beyond_shipments", "grain"
    OUTGOING_OVER_INCOMING = "outgoing_over_incoming", "periods"
    IMPLAUSIBLE_YIELD = "implausible_yield", "movements"
    NO_CONVERSION_RECORDS = "no_conversion_records", "movements"
    BATCH_OUT_OF_DAYS = "batch_out_of_days", "movements"
    FUEL_FIGURE = "fuel_figure", "movements"
    CAMPAIGN_BEYOND_PRODUCT = "campaign_beyond_product", "movements"
    MIX_CHANGED = "mix_changed", "periods"
    INCOMING_JUMPED = "incoming_jumped", "periods"
    CIRCULAR_TRADE = "circular_trade", "movements"
    PURCHASE_BEFORE_SLIP = "purchase_before_slip", "movements"
    NO_CONTRACT = "no_contract", "partners"
    NO_VERIFICATION = "no_verification", "partners"
    VERIFICATION_LAPSES = "verification_lapses", "partners"
    PERIOD_ENDS = "period_ends", "periods"
    PERIOD_OVERDUE = "period_overdue", "periods"
    PERIOD_DECLARED_LATE = "period_declared_late", "periods"
    PENDING_DUE = "pending_due", "incoming"
    REPORT_CHANGED = "report_changed", "movements"
    IN_DISPUTE = "in_dispute", "movements"
    TYPED_ENTRY = "typed_entry", "movements"
    OTHER_NAME_ON_TICKET = "other_name_on_ticket", "grain"
    ONE_LOAD_TWICE = "one_load_twice", "grain"
    CLOSED_SITE = "closed_site", "partners"


@part
class BookAlert:
    """One thing to look at."""

    kind: AlertKind = field("About")  # what it is about
    said: str = field("What")  # in whole sentences
    bushels: Bushels = field("Bushels at stake", help="0 where none can be named.", default=0)
    event: str = field("Entry", help="That raised it; empty where it comes from more than one.", default="")


_FIRST: Final = frozenset({AlertKind.PERIOD_DECLARED_LATE, AlertKind.DAILY_SHORTFALL})
"""What a verifier sees before everything else, however many bushels are at stake elsewhere."""
_LAPSE_DAYS: Final = 60
"""Days before the last day that a statement covers from which its lapse is announced."""
_END_DAYS: Final = 14
"""Days before the end of a period from which it is announced."""
_MIX_POINTS: Final = 30
"""Percentage points by which a crop's and carbon intensity's share of what came in may change from period to period."""
_JUMP_PCT: Final = 200
"""What came in a day, in percent of the most in any period of the year before, above which it is worth a look."""
_RATIO_PCT: Final = 150
"""Outgoing over incoming, in percent, above which drawing down stock is worth a look."""
PER_GALLON: Final[Mapping[tuple[str, bool], tuple[int, int]]] = {
    (POUND, True): (6_000, 14_000),
    (BUSHEL, True): (500, 1_400),
    (POUND, False): (14_000, 30_000),
    (BUSHEL, False): (300, 500),
}
"""Thousandths of what is retired for one gallon between which nothing is remarkable, by its unit and whether it is oil.

Biodiesel takes about 7.5 pounds of oil and renewable diesel about 8.5, jet fuel alone up to 13; a bushel of grain, 56
pounds, gives 2.1 to 3 gallons of ethanol. General knowledge, not verified against a source; wide: to find the odd.
"""
_PLAUSIBLE: Final = {
    ("soybeans", "soybean_oil"): (9_500_000, 13_000_000),
    ("soybeans", "degummed_soybean_oil"): (9_000_000, 13_000_000),
    ("soybeans", "refined_soybean_oil"): (8_500_000, 13_000_000),
}
"""Yields in millionths of a pound per bushel between which a plant's own is not remarkable; trade figures 11 to 12."""
_REFINED: Final = (850_000, 1_000_000)
"""The same for a step from product to product."""


def alerts(store: StoreView, entity: entities.Entity, as_of: date) -> list[BookAlert]:
    """Return what in an entity's book is worth a look on a day: what a verifier sees first, then most bushels first."""
    periods = store.many(entities.Period, entity.id)
    found = [
        *_grain(store, entity, as_of),
        *_names_on_tickets(store, entity),
        *_loads_twice(store, entity),
        *_shortfalls(store, entity, periods, as_of),
        *_flows(store, periods),
        *(alert for one in plant.yields_at(store, entity.id, *entity.sites) for alert in _yield(store, one)),
        *_product(store, entity),
        *_fuel(store, entity),
        *_circles(store, entity),
        *_early(store, entity),
        *_contracts(store, entity, as_of),
        *_verification(store, entity, as_of),
        *_calendar(store, entity, periods, as_of),
        *_reports(store, entity),
        *_disputes(store, entity),
        *(
            BookAlert(AlertKind.TYPED_ENTRY, one.said(), one.bushels, one.event)
            for one in typed_entries(store, entity.id)
        ),
        *(BookAlert(AlertKind.CLOSED_SITE, *one) for one in lying_at_closed(store, entity.id, as_of)),
    ]
    return sorted(found, key=weight)


def weight(alert: BookAlert) -> tuple[bool, int]:
    """Return by what alerts are listed: what a verifier sees first, then by the bushels at stake."""
    return alert.kind not in _FIRST, -alert.bushels


def _reports(store: StoreView, entity: entities.Entity) -> Iterator[BookAlert]:
    for one in _report_changes(store, entity.id):
        said = f"{one.day}: {one.report}. {one.said} You hold {show(one.bushels, group=True)} bu of it."
        yield BookAlert(AlertKind.REPORT_CHANGED, said, one.bushels, one.event)
    for doubt in doubts(store, entity.id):
        yield BookAlert(AlertKind.REPORT_CHANGED, f"{doubt.cause} {doubt.remedy}", event=doubt.place.file)


def _disputes(store: StoreView, entity: entities.Entity) -> Iterator[BookAlert]:
    for act in dict.fromkeys(step.movement for step in store.steps(entity.id) if step.after.state is LotState.DISPUTED):
        left = sum(lot.crop_amount for lot in disputed(store, act) if lot.owner == entity.id)
        if left:
            said = f"{show(left, group=True)} bu are in dispute since {act}: the other party's signed paper is missing."
            yield BookAlert(AlertKind.IN_DISPUTE, said, left, act)


def _grain(store: StoreView, entity: entities.Entity, as_of: date) -> Iterator[BookAlert]:
    for place, claims in sorted(claims_by_place(store, entity.id, as_of).items()):
        stock = grain.grain_on(store, place, as_of)
        unit = unit_of(place[2])
        if stock is None:
            said = f"{place[1]} has claims on {show_amount(claims, unit)} of {place[2]} and no record of grain."
            yield BookAlert(AlertKind.CLAIMS_WITHOUT_GRAIN, said, claims)
        elif (everybodys := max(claims_at(store, place, as_of), claims)) > stock:
            said = short_of_grain(entity.id, place, claims, everybodys, stock)
            yield BookAlert(
                AlertKind.CLAIMS_WITHOUT_GRAIN, said, everybodys - stock if place[0] == entity.id else claims
            )


def _shortfalls(
    store: StoreView, entity: entities.Entity, periods: Sequence[entities.Period], as_of: date
) -> Iterator[BookAlert]:
    """Tell of claims sold before their grain came, in closed periods too: those were cured."""
    for period in periods:
        for one in grain.shortfalls_to_report(store, entity, period.start, min(period.end, as_of)):
            yield BookAlert(AlertKind.DAILY_SHORTFALL, one.said(), one.left or one.worst)


def _names_on_tickets(store: StoreView, entity: entities.Entity) -> Iterator[BookAlert]:
    """Find tickets that name somebody else than the one whose claims they stand behind."""
    for one, other in grain.differing_names(store, entity):
        way = "from" if one.direction is grain.Direction.IN else "to"
        said = f"Ticket {one.number} at {one.site} is in the name of {one.name}; {one.claim} is {way} {other.name}."
        yield BookAlert(AlertKind.OTHER_NAME_ON_TICKET, said, one.amount if unit_of(one.form) == "bu" else 0)


def _loads_twice(store: StoreView, entity: entities.Entity) -> Iterator[BookAlert]:
    for one, other in grain.loads_twice(grain.loads_of(store, entity, alone=True)):
        said = f"Tickets {one.number} at {one.site} and {other.number} at {other.site} are one load by day and amount."
        yield BookAlert(AlertKind.ONE_LOAD_TWICE, said, one.amount if unit_of(one.form) == "bu" else 0)


def _flows(store: StoreView, periods: Sequence[entities.Period]) -> Iterator[BookAlert]:
    known: list[_Flow] = []
    for period in periods:
        balance = balance_of(store, period)
        mix: dict[tuple[str, int], int] = {}
        for line in balance.lines:
            kind = (line.key.crop, line.key.ci)
            mix[kind] = mix.get(kind, 0) + line.total_incoming
        incoming = sum(mix.values())
        outgoing = sum(line.total_outgoing for line in balance.lines)
        for one in sold_beyond(store, period):
            yield BookAlert(AlertKind.CLAIMS_SOLD_BEYOND_SHIPMENTS, one.said, one.amount, one.event)
        if incoming and outgoing * 100 > incoming * _RATIO_PCT:
            said = f"{period.start}: {show(outgoing, group=True)} bu went and {show(incoming, group=True)} bu came."
            yield BookAlert(AlertKind.OUTGOING_OVER_INCOMING, said, outgoing - incoming)
        flow = _Flow(period, incoming, mix)
        before = next((one for one in reversed(known) if one.incoming), None)
        if incoming and before:
            yield from _mix(before, flow)
        yield from _jump(known, flow)
        known.append(flow)


@dataclass(frozen=True, slots=True)
class _Flow:
    """What came in within a period, in all and of each crop and carbon intensity, in thousandths of a bushel."""

    period: entities.Period
    incoming: int
    mix: dict[tuple[str, int], int]

    @property
    def days(self) -> int:
        return (self.period.end - self.period.start).days + 1


def _mix(before: _Flow, now: _Flow) -> Iterator[BookAlert]:
    """Compare what share each crop and carbon intensity has of what came in, whatever the year of harvest."""
    for kind in sorted(before.mix.keys() | now.mix.keys()):
        was, got = before.mix.get(kind, 0), now.mix.get(kind, 0)
        if abs(got * before.incoming - was * now.incoming) * 100 > _MIX_POINTS * before.incoming * now.incoming:
            shares = (was * 100 // before.incoming, got * 100 // now.incoming)
            change = f"was {shares[0]} % of what came in, now {shares[1]} %"
            said = f"{now.period.start}: {kind[0]} of CI {show(kind[1], CI_SCALE)} {change}."
            yield BookAlert(AlertKind.MIX_CHANGED, said)


def _jump(known: Sequence[_Flow], now: _Flow) -> Iterator[BookAlert]:
    """Compare what came in, day by day, with every period of the year before; a shorter book knows no season."""
    year_before = entities.months_on(now.period.start, -12)
    if not known or known[0].period.start > year_before:
        return
    year = [one for one in known if one.period.end >= year_before]
    if any(one.incoming for one in year) and all(
        now.incoming * one.days * 100 > one.incoming * now.days * _JUMP_PCT for one in year
    ):
        most = max(one.incoming for one in year)
        came, before = show(now.incoming, group=True), show(most, group=True)
        said = f"{now.period.start}: {came} bu came, in a period of the year before {before} bu at most."
        yield BookAlert(AlertKind.INCOMING_JUMPED, said, max(0, now.incoming - most))


def _yield(store: StoreView, one: plant.Yield) -> Iterator[BookAlert]:
    band = _PLAUSIBLE.get((one.made_of, one.output)) or (_REFINED if FORMS[one.made_of].made_from else None)
    if band and not band[0] <= one.rate <= band[1]:
        said = f"{one.campaign}: {show(one.rate, RATE_SCALE)} of {one.output} from {one.made_of} is unusual."
        yield BookAlert(AlertKind.IMPLAUSIBLE_YIELD, said)
    claims = store.many(plant.CampaignTotals, one.batch)
    if any(each.made for each in claims) and not store.many(plant.Conversion, one.batch):
        said = f"{one.campaign}: claims on {one.output}, and no conversion record of a batch behind them."
        yield BookAlert(AlertKind.NO_CONVERSION_RECORDS, said, sum(each.used for each in claims))
    yield from (BookAlert(AlertKind.BATCH_OUT_OF_DAYS, *each) for each in plant.stray_batches(store, one))
    crush = store.one(plant.Crush, one.batch)
    over = plant.excess(store.many(plant.CampaignTotals, one.batch), crush) if crush else 0
    if over:
        said = f"{one.campaign}: claims exceed their share of the product by {show_amount(over, 'lb')}."
        yield BookAlert(AlertKind.CAMPAIGN_BEYOND_PRODUCT, said, over * 10**RATE_SCALE // one.rate)


def _product(store: StoreView, entity: entities.Entity) -> Iterator[BookAlert]:
    """Find product beyond what its crop can plausibly give, which came in on a paper or as opening stock."""
    for crop in map(str, Crop):
        for lot in store.lots_of(entity.id, crop):
            most = plant.most_of(lot.form, lot.titled) if lot.is_product else 0
            if lot.is_product and lot.product * RATE_ONE > (most + 1) * lot.crop_amount:
                said = f"{show_amount(lot.product, 'lb')} of {lot.form} stand on {show_amount(lot.crop_amount, 'bu')}."
                yield BookAlert(AlertKind.IMPLAUSIBLE_YIELD, f"{lot.origin}: {said}", lot.crop_amount)


def _fuel(store: StoreView, entity: entities.Entity) -> Iterator[BookAlert]:
    """Find fuel whose gallons are missing or odd: a finding about the fuel, which is outside the rule's scope."""
    ended: dict[str, tuple[int, str]] = {}
    for step in store.steps(entity.id):
        if step.type == "retire" and step.after.by == step.movement:
            before = ended.get(step.movement, (0, ""))[0]
            ended[step.movement] = (before + step.after.amount, unit_of(step.after.form))
    for movement, (amount, unit) in ended.items():
        fuel = standing_event(store, movement)
        if not isinstance(fuel, RetireEvent):
            continue
        gallons, form = fuel.gallons, fuel.of_form
        low, high = PER_GALLON[unit, FORMS[form].crop == Crop.soybeans]
        whose = f"{fuel.fuel}, batch {fuel.batch}"
        if not gallons:
            yield BookAlert(AlertKind.FUEL_FIGURE, f"{whose}: no gallons are stated.", event=movement)
        elif not low * gallons <= amount * 10**SCALE <= high * gallons:
            said = f"{show(gallons, group=True)} gal of {show_amount(amount, unit)} are unusual."
            yield BookAlert(AlertKind.FUEL_FIGURE, f"{whose}: {said}", event=movement)


def _circles(store: StoreView, entity: entities.Entity) -> Iterator[BookAlert]:
    """Find serials that were sold away and bought back: not a return, which names its sale."""
    sold: dict[str, list[tuple[int, int]]] = {}
    for step in store.steps(entity.id):
        after = step.after
        if step.type == "sale" and step.before is not None and step.before.owner == entity.id:
            sold.setdefault(after.origin, []).append((after.start, after.stop))
        elif step.type in ("accept", "document") and after.owner == entity.id:
            again = length(overlaps(sold.get(after.origin, []), [(after.start, after.stop)]))
            if again:
                said = (
                    f"{step.movement} brings back {show(again, group=True)} bu of {after.origin} that were sold before."
                )
                yield BookAlert(AlertKind.CIRCULAR_TRADE, said, again)


def _early(store: StoreView, entity: entities.Entity) -> Iterator[BookAlert]:
    """Find purchases, and claims taken for one, dated before the slip that assigned their serials."""
    taken = [step for step in store.steps(entity.id) if step.type in ("purchase", "assign")]
    bought = [step for step in taken if step.after.owner == entity.id]
    slips = {origin: store.many(Slip, origin) for origin in {step.after.origin for step in bought}}
    for step in bought:
        lot = step.after
        days = [
            one.day
            for one in slips[lot.origin]
            if one.taker == entity.id and any(low < lot.stop and lot.start < high for low, high in one.spans)
        ]
        if lot.by == step.movement and days and step.day < min(days):
            said = f"{step.movement} is of {step.day}, and its slip of {min(days)}."
            yield BookAlert(AlertKind.PURCHASE_BEFORE_SLIP, said, lot.crop_amount, step.movement)


def _contracts(store: StoreView, entity: entities.Entity, as_of: date) -> Iterator[BookAlert]:
    known = {one.counterparty for one in store.many(entities.Contract, entity.id) if one.covers(as_of)}
    met: dict[tuple[str, str], int] = {}
    for step in store.steps(entity.id):
        if (other := _partner(step, entity)) is not None and other[1] not in known:
            met[other] = met.get(other, 0) + step.after.crop_amount
    for (cite, code), bushels in sorted(met.items()):
        who = f"{one.name}, code {code}" if (one := store.one(entities.Entity, code)) and one.name != code else code
        yield BookAlert(AlertKind.NO_CONTRACT, f"There is no contract on file with {who} ({cite}).", bushels)


def _partner(step: CustodyStep, entity: entities.Entity) -> tuple[str, str] | None:
    """Return with whom a step needs a contract, after the paragraph: supplier, recipient, or whose site it uses."""
    before, after = step.before, step.after
    if before is None:
        return None
    if before.owner != after.owner and entity.id in (before.owner, after.owner):
        return "2100.032(a)(2)", after.owner if before.owner == entity.id else before.owner
    stored = after.owner == entity.id != after.custodian and before.custodian != after.custodian
    return ("2100.032(a)(3)", after.custodian) if stored and entity.keeps_balance else None


def _verification(store: StoreView, entity: entities.Entity, as_of: date) -> Iterator[BookAlert]:
    if set(entity.roles) <= entities.GROWERS | {entities.Role.SERVICE_PROVIDER}:
        return  # who grows crop or serves others is not verified: its buyers are (2100.040)
    good = [one for one in store.many(entities.Verification, entity.id) if one.opinion.good]
    now = [one for one in good if one.start <= as_of <= one.end]
    if not now:
        yield BookAlert(
            AlertKind.NO_VERIFICATION, f"No statement covers {as_of}: buyers cannot resell what you sell as reduced-CI."
        )
    elif (last := max(now, key=lambda one: one.end)).end <= as_of + timedelta(days=_LAPSE_DAYS):
        said = f"The last day that the statement covers is {last.end}."
        if last.opinion.contracted:
            said = f"No statement yet: the last day that the contracted audit carries claims is {last.end}."
        yield BookAlert(AlertKind.VERIFICATION_LAPSES, said)


def _calendar(
    store: StoreView, entity: entities.Entity, periods: Sequence[entities.Period], as_of: date
) -> Iterator[BookAlert]:
    declared = list(periods)
    now, due = entities.period_of(declared, as_of), entities.first_open(declared)
    if due is not None and due.end < as_of:
        yield BookAlert(AlertKind.PERIOD_OVERDUE, f"The period that ended on {due.end} is still open.")
    if now is not None and now.end <= as_of + timedelta(days=_END_DAYS) and declared[-1] == now:
        yield BookAlert(AlertKind.PERIOD_ENDS, f"The period ends on {now.end} and the next one is not declared.")
    for late in (one for one in declared if one.late):
        said = f"The period from {late.start} to {late.end} was declared late, on {late.declared}."
        yield BookAlert(AlertKind.PERIOD_DECLARED_LATE, said)
    for one in store.many(Pending, entity.id):
        bought = entities.period_of(declared, one.day)
        if one.left and bought is not None:
            later = declared[declared.index(bought) + 1 :][:1]
            last = later[0].end if later else bought.end
            said = f"{show_amount(one.left, 'bu')} of {one.id} are pending and must be assigned by {last}."
            yield BookAlert(AlertKind.PENDING_DUE, said, one.left)
