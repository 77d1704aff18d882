"""What to look at, what to keep until when, and the manual of the documented system."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, Final

from django.utils.formats import date_format

from provender.audit.sampling.population import incoming_by_year
from provender.custody.events.corrections import CorrectEvent
from provender.custody.events.farm_trade import Pending
from provender.custody.events.parties import ContractEvent, verified
from provender.custody.model import entities
from provender.custody.model.event import Event, Status
from provender.custody.model.grain import Direction, GrainEntry, grain_key
from provender.custody.model.lots import Origin, Slip, length
from provender.custody.model.store_view import StoreView
from provender.custody.queries.alerts import BookAlert, weight
from provender.custody.queries.alerts import alerts as find_alerts
from provender.custody.queries.manual import KeepView
from provender.custody.queries.manual import manual as write_manual
from provender.custody.queries.manual import retention as find_retention
from provender.database.models.accounts import LogRow, Organisation
from provender.database.models.custody import CustodyContract
from provender.database.models.farm import ReportVersion
from provender.database.store import custody_lists
from provender.database.store.custody import POSTED, SqlFacts
from provender.exact import CI_SCALE, Bushels, Ci, parse, show
from provender.portfolio.report import Overview, of_reports
from provender.problem import Place, Problem, counted
from provender.rule.crops import Crop
from provender.schema import field, view
from provender.services.custody import views
from provender.services.custody.context import READER, CustodyContext, kept, trades
from provender.services.custody.views import ClosedSiteView, ContractView, EntityView, VerificationView
from provender.services.steps import NextStep

MANUAL_TYPE: Final = "text/markdown"


def alerts(context: CustodyContext) -> list[BookAlert]:
    """Return what to look at today, those with most bushels at stake first."""

    def look(store: SqlFacts) -> list[BookAlert]:
        store.know_steps(context.id)  # every sum over periods asks for them anew
        return list(find_alerts(store, context.entity, context.today))

    return sorted(kept(context, f"alerts-{context.today}", look, mark=touched(context)), key=weight)


def touched(context: CustodyContext) -> str:
    """Return a mark that moves with everything posted that names the party, moves lots it had, or may touch anybody.

    Contracts, tickets and statements raise and end alerts too, and make no step of their own: the log has them. What
    others trade among themselves does not move it.
    """
    named = LogRow.objects.filter(organisation=context.organisation, deed=POSTED)
    everybody = LogRow.objects.filter(organisation=None, deed=POSTED)
    last = [rows.order_by("-id").values_list("id", flat=True).first() or 0 for rows in (named, everybody)]
    return f"{last[0]}-{last[1]}-{custody_lists.steps_watermark(context.id)}"


def retention(context: CustodyContext) -> list[KeepView]:
    """Return what must be kept until when, newest first (2100.030(d))."""
    found = kept(
        context,
        f"retention-{context.today}",
        lambda store: find_retention(store.steps(context.id), context.id, context.today),
    )
    return found[::-1]


def manual(context: CustodyContext) -> tuple[str, str]:
    """Return the manual as of today: the name of its file, and its text (2100.032(a))."""
    with READER.reading() as store:
        return f"chain-of-custody-{context.today}.md", write_manual(store, context.entity, context.today)


# What waits for an organisation: deliveries to accept, sale slips to buy, purchases that wait for a report.


def waiting(context: CustodyContext) -> views.WaitingView:
    slips = custody_lists.open_slips(context.id) if context.buys_from_farms else []
    pending = custody_lists.open_pending(context.id) if context.buys_from_farms else []
    sent = custody_lists.in_transit_to(context.id)
    with READER.reading() as store:
        origins = {slip.origin: store.one(Origin, slip.origin) for slip in slips}
        sales = custody_lists.sales_behind(store, sent)
    return views.WaitingView(
        deliveries=tuple(
            views.DeliveryView(sale=sales[lot.by], seller=lot.supplier, day=lot.since, lot=views.lot_view(lot))
            for lot in sent
        ),
        slips=tuple(_slip(slip, origins[slip.origin]) for slip in slips),
        pending=tuple(map(_pending, pending)),
    )


def slips_left(context: CustodyContext) -> list[views.SlipView]:
    """Return the slips to the organisation whose serials it has not bought yet, the oldest first, without reports."""
    return [_slip(slip, None) for slip in custody_lists.open_slips(context.id)]


def pending_left(context: CustodyContext) -> list[views.PendingView]:
    """Return the purchases of the organisation that still wait for a report, the oldest first."""
    return list(map(_pending, custody_lists.open_pending(context.id)))


def by_sale(deliveries: Sequence[views.DeliveryView]) -> list[views.DeliverySumView]:
    """Return what is on its way by sale, the lots of each together, in the order of their first lots."""
    sales: dict[str, list[views.LotView]] = {}
    for one in deliveries:
        sales.setdefault(one.sale, []).append(one.lot)
    first = {one.sale: one for one in reversed(deliveries)}
    return [
        views.DeliverySumView(
            sale=sale, seller=first[sale].seller, day=first[sale].day, form=lots[0].form,
            harvest_year=lots[0].harvest_year, amount=sum(lot.amount for lot in lots), unit=lots[0].unit,
            lowest_ci_g_per_bu=min(lot.ci_g_per_bu for lot in lots),
            highest_ci_g_per_bu=max(lot.ci_g_per_bu for lot in lots),
        )
        for sale, lots in sales.items()
    ]  # fmt: skip


def _slip(slip: Slip, origin: Origin | None) -> views.SlipView:
    return views.SlipView(
        slip=slip.id, farm=slip.giver, day=slip.day, origin=slip.origin, crop=str(origin.crop) if origin else None,
        harvest_year=origin.harvest_year if origin else None, ci_g_per_bu=origin.current.ci if origin else None,
        bushels_left=length(slip.open_spans),
    )  # fmt: skip


def _pending(purchase: Pending) -> views.PendingView:
    return views.PendingView(
        purchase=purchase.id, farm=purchase.giver, day=purchase.day, crop=purchase.crop,
        harvest_year=purchase.harvest_year, site=purchase.site, bushels_left=purchase.left,
    )  # fmt: skip


# What a trader of the chain of custody does next: deliveries, slips, periods, contracts.

AHEAD: Final = timedelta(days=30)
"""So many days before something ends, its successor is asked for."""


def trade_steps(organisation: Organisation, context: CustodyContext | None) -> list[NextStep]:
    """Return what comes next in an organisation's book of custody, None before it is open; nothing without trade."""
    if not trades(organisation):
        return []
    if context is None:
        why = "It keeps every bushel with a claim: what came in, what was sold, what is left."
        return [NextStep("custody_stock", "Open the book", why)]
    steps = [*_incoming(context), *period_steps(context)]
    if not CustodyContract.objects.filter(entity=context.id).exists():
        why = "You buy from and sell to those you have a contract with."
        steps.append(NextStep("custody_partners", "Put your contracts on file", why))
    return steps


def before_a_close(context: CustodyContext) -> list[NextStep]:
    """Return what waits or asks to be looked at before a period is closed, though it keeps no close back."""
    found = len(alerts(context))
    why = "These do not block closing; your verifier will ask."
    asked = [NextStep("custody_checks", f"Look at {counted(found, 'check')}", why)] if found else []
    return [*_incoming(context), *asked]


def _incoming(context: CustodyContext) -> Iterator[NextStep]:
    where = "custody_incoming"
    sent = custody_lists.in_transit_to(context.id)
    with READER.reading() as store:
        sales = custody_lists.sales_behind(store, sent)
    if deliveries := len(set(sales.values())):
        words = f"Accept {counted(deliveries, 'delivery', 'deliveries')}"
        yield NextStep(where, words, "They are on their way to you.")
    if not context.buys_from_farms:
        return
    if slips := len(custody_lists.open_slips(context.id)):
        yield NextStep(where, f"Buy {counted(slips, 'sale slip')}", "Farms have assigned you bushels of their reports.")
    if pending := len(custody_lists.open_pending(context.id)):
        yield NextStep(
            where,
            f"Assign slips to {counted(pending, 'purchase')}",
            "They were bought before their farm's report came.",
        )


def period_steps(context: CustodyContext) -> Iterator[NextStep]:
    """Yield what is to be done about the organisation's mass balance time periods."""
    ended = [one for one in context.periods if one.closed is None and one.end < context.today]
    for one in ended[:1]:
        days = " to ".join(date_format(day, "DATE_FORMAT") for day in (one.start, one.end))
        why = "It has ended. Enter the measured stock, then close it."
        yield NextStep("custody_period", f"Close the period {days}", why, query=(("start", str(one.start)),))
    last = max((one.end for one in context.periods), default=None)
    declare = "custody_periods"
    if last is None or last < context.today:
        why = "Purchases and sales need an open one, declared before it begins."
        yield NextStep(declare, "Declare a mass balance time period", why)
    elif last - context.today < AHEAD:
        yield NextStep(declare, "Declare the next period", f"This one ends on {date_format(last, 'DATE_FORMAT')}.")


# What a refusal leads to: the entry that lacks, filled in as far as it is known, in words for who is at the desk.
#
# The book answers everybody in the same sentences, about giver and taker. Whoever entered is told of their own stock,
# and where another entry has to come first it is offered.

TICKETS: Final = {Direction.IN: "receipt", Direction.OUT: "shipment", Direction.MEASURED: "measurement"}
"""Which entry writes, and takes back, a ticket of each direction."""
_PARTNERS: Final = {
    "sale": ("taker", entities.ContractKind.RECIPIENT),
    "purchase": ("giver", entities.ContractKind.SUPPLIER),
}
"""With whom the contract of a trade is, and what that party is in it."""


@dataclass(frozen=True, slots=True)
class SuggestedFix:
    """A refusal as whoever entered is told, and the entry that it leads to."""

    problem: Problem  # the refusal
    offer: views.EventOffer | None = None  # the entry; None where there is none to offer
    returns: bool = False  # whether what was refused may be entered again afterwards, as it was


def suggest_fix(context: CustodyContext, event: Event, problem: Problem) -> SuggestedFix:
    """Return a refusal of an event with what it leads to; as it is where nothing is known of it."""
    return next(
        (found for each in _WAYS if (found := each(context, event, problem)) is not None), SuggestedFix(problem)
    )


def voiding(site: str, form: str, entry: GrainEntry | views.GrainEntryView) -> views.EventOffer:
    """Return the entry that makes a ticket void: with its number, and the day and the amount that were entered."""
    kind = TICKETS[Direction(entry.direction)]
    known = {"day": entry.day.isoformat(), "amount": show(entry.amount), "number": entry.number}
    return views.offer("Void", kind, **known, form=form, site=site, void="on")


def _contract(context: CustodyContext, event: Event, problem: Problem) -> SuggestedFix | None:
    """Lead to the form of a contract that a trade names and that is not on file."""
    number = getattr(event, "contract", "")
    known = {contract.id for contract in context.contracts}
    if problem.code != Status.RECORD_NOT_FOUND or event.type not in _PARTNERS or not number or number in known:
        return None
    party, role = _PARTNERS[event.type]
    partner = str(getattr(event, party))
    told = replace(
        problem,
        place=Place(problem.place.file, column="contract"),
        cause=f"No contract {number} is on file with you.",
        remedy="Put it on file first, or leave the contract out.",
    )
    lacks = views.offer(
        f"Put contract {number} on file", ContractEvent.type, counterparty=partner, role=role, number=number
    )
    return SuggestedFix(told, lacks, returns=True)


def _ticket(context: CustodyContext, event: Event, problem: Problem) -> SuggestedFix | None:
    """Lead from the number of an own ticket, which is no movement, to the entry that makes it void."""
    if not isinstance(event, CorrectEvent) or problem.code != "not_yours":
        return None
    keys = (grain_key(context.id, site, event.movement.strip()) for site in context.entity.sites)
    with READER.reading() as store:
        found = (store.one(GrainEntry, key) for key in keys)
        entry = next((one for one in found if one is not None and not one.void), None)
    if entry is None:
        return None
    cause = f"{entry.number} is a scale ticket at {entry.site}, not an entry of claims."
    if entry.claim:
        remedy = f"It stands behind {entry.claim}: take that entry back, then make the ticket void."
        lead = views.offer(f"Take {entry.claim} back", CorrectEvent.type, movement=entry.claim)
    else:
        remedy = "A ticket is made void where tickets are entered."
        lead = replace(voiding(entry.site, entry.form, entry), what=f"Make ticket {entry.number} void")
    return SuggestedFix(replace(problem, cause=cause, remedy=remedy), lead)


def _stock(context: CustodyContext, event: Event, problem: Problem) -> SuggestedFix | None:
    """Speak to whoever takes of the own stock, which the book calls the giver's."""
    del context
    if problem.code != Status.EXCEEDS_STOCK or (event.type in _PARTNERS and _PARTNERS[event.type][0] == "giver"):
        return None
    cause = problem.cause.replace("The seller does not hold that much.", "You do not hold that much.")
    return SuggestedFix(replace(problem, cause=cause.replace(" It holds ", " You hold ")))


_WAYS: Final[tuple[Callable[[CustodyContext, Event, Problem], SuggestedFix | None], ...]] = (_contract, _ticket, _stock)


# Who an organisation deals with: contracts with their pinned keys, verifications, and what the book says of itself.


def entity(context: CustodyContext) -> EntityView:
    known = context.entity
    closed = tuple(
        ClosedSiteView(site=one.site, closed=one.closed, event=one.by)
        for one in context.closed_sites.values()
        if one.closed
    )
    roles = tuple(map(str, known.roles))
    return EntityView(entity=known.id, name=known.name, roles=roles, sites=known.sites, closed_sites=closed)


def contracts(context: CustodyContext) -> list[ContractView]:
    """Return the contracts on file in the order in which they were first stated, and each partner's verification."""
    with READER.reading() as store:
        return [_contract_view(store, context, contract) for contract in context.contracts]


def _contract_view(store: StoreView, context: CustodyContext, contract: entities.Contract) -> ContractView:
    return ContractView(
        number=contract.id, counterparty=contract.counterparty, name=context.named(contract.counterparty),
        role=str(contract.role), start=contract.start, end=contract.end, signing_key=contract.signing_key,
        fingerprint=entities.fingerprint_of(contract.signing_key) if contract.signing_key else "",
        verified_crops=_verified_crops(store, context, contract),
    )  # fmt: skip


def _verified_crops(store: StoreView, context: CustodyContext, contract: entities.Contract) -> tuple[str, ...] | None:
    """Return the crops of a partner that a statement covers today; None for a farm, whose report needs none."""
    partner = store.one(entities.Entity, contract.counterparty)
    if partner is None or partner.may(entities.GROWERS):
        return None
    return tuple(str(crop) for crop in Crop if verified(store, partner, context.today, crop))


def verifications(context: CustodyContext) -> list[VerificationView]:
    """Return the statements that cover the organisation itself, in the order in which they were entered."""
    with READER.reading() as store:
        return [
            VerificationView(
                number=each.id, opinion=str(each.opinion), start=each.start, end=each.end,
                crops=tuple(str(crop) for crop in each.crops),
            )
            for each in store.many(entities.Verification, context.id)
        ]  # fmt: skip


# What an organisation's own suppliers reported: from the signed reports behind the crop it bought from farms.
#
# A farm gives its report to the first point of aggregation that buys from it (2100.031(c)), and to nobody further down:
# only reports of a crop and year that the organisation itself took in from the grower are read here.

_CITE: Final = "2100.032(a)"


@view
class SupplierReportView:
    """A farm's report of one crop and year, and what of it was bought; null where no report is at hand."""

    farm: str = field("Farm")
    name: str = field("Name")
    crop: str = field("Crop")
    harvest_year: int = field("Harvest year")
    county: str = field("County")
    bought_bu: Bushels = field("Bought")
    reported_bu: Bushels | None = field("Reported")
    ci_g_per_bu: Ci | None = field("CI")
    version: int | None = field("Version")
    label: str = field("Result")


@dataclass(frozen=True, slots=True)
class Suppliers:
    """What the suppliers of an organisation reported."""

    reports: tuple[SupplierReportView, ...]  # one row for each farm, crop and year that it bought
    overview: Overview  # counties, practices, gaps, findings, and what of the organisation's own book is worth a look

    @property
    def without(self) -> int:
        """Return how many farms, crops and years have no signed report on this server."""
        return sum(one.version is None for one in self.reports)


def suppliers(context: CustodyContext) -> Suppliers:
    with READER.reading() as store:
        bought = incoming_by_year(store, context.id)
    latest = _latest({farm for farm, _, _ in bought})
    known = {key: latest[key] for key in bought if key in latest}
    rows = tuple(_row(context, key, bushels, known.get(key)) for key, (bushels, _) in sorted(bought.items()))
    documents = [document for _, document in known.values()]
    stakes = [
        {"kind": str(one.kind), "bushels": one.bushels, "message": one.said, "cite": _CITE} for one in alerts(context)
    ]
    return Suppliers(rows, of_reports(documents, stakes))


def _latest(farms: set[str]) -> dict[tuple[str, str, int], tuple[int, Mapping[str, Any]]]:
    found = ReportVersion.objects.filter(book__organisation__handle__in=farms).order_by("number")
    rows = found.values_list("book__organisation__handle", "crop", "harvest_year", "number", "document")
    texts = {(farm, crop, year): (number, text) for farm, crop, year, number, text in rows}
    return {key: (number, json.loads(text)) for key, (number, text) in texts.items()}


def _row(
    context: CustodyContext, key: tuple[str, str, int], bushels: int, known: tuple[int, Mapping[str, Any]] | None
) -> SupplierReportView:
    farm, crop, year = key
    number, document = known or (None, {})
    place = document.get("farm", {})
    total, ci = document.get("total_bushels"), document.get("farm_ci_g_per_bu")
    return SupplierReportView(
        farm=farm, name=context.named(farm), crop=crop, harvest_year=year,
        county=", ".join(filter(None, (place.get("county"), place.get("state")))), bought_bu=bushels,
        reported_bu=parse(total) if total else None, ci_g_per_bu=parse(ci, CI_SCALE) if ci else None,
        version=number, label=document.get("label", "no report on this server"),
    )  # fmt: skip
