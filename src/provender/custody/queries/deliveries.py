"""What was delivered under contracts and what is still to deliver.

Nothing here is a record of its own: deliveries are the steps of sales and purchases that name a contract, less what was
sent back and what was taken back. A carbon intensity is that of the day of the delivery.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache, partial
from typing import Final

from provender.custody.events.corrections import ReturnEvent
from provender.custody.events.farm_trade import PurchaseEvent
from provender.custody.events.trade import RejectEvent, SaleEvent
from provender.custody.model.balances import Span, check_date_range, stretch_to
from provender.custody.model.entities import Contract, Delivery, Period, first_open, name_in, period_of
from provender.custody.model.lots import LotState, show_amount, unit_of
from provender.custody.model.store_view import CustodyStep, Decision, StoreView, standing_event
from provender.exact import Amount, Bushels, Ci, half_even
from provender.schema import field, view

_ABOUT: Final = frozenset({"sale", "purchase", "return", "reject"})


@dataclass(frozen=True, slots=True)
class _Part:
    """An amount of a delivery, of one carbon intensity; of what came back the amount is below zero."""

    movement: str  # the sale, purchase, return or rejection; the settlement of a dispute about one
    delivery: str  # the sale or purchase
    contract: str  # its contract
    day: date  # of the movement
    ci: int  # hundredths of a gram CO2e per bushel
    amount: int  # thousandths of the form's unit


@view
class ContractDeliveryView:
    """A contract about deliveries, as it stands. Amounts are decimal text in ``unit``."""

    contract: str = field("Contract")
    partner: str = field("Partner's code")
    role: str = field("What it is")
    form: str = field("What")
    unit: str = field("Unit")
    agreed_amount: Amount = field("Contracted")
    delivered_amount: Amount = field("Delivered", help="Less what came back.")
    left_amount: Amount = field("Still to deliver")
    beyond_amount: Amount = field("Beyond the contract")
    first: date | None = field("Delivery from")
    last: date | None = field("Delivery to")
    early_amount: Amount = field("Before it")
    late_amount: Amount = field("After it")
    ci_min_g_per_bu: Ci | None = field("CI at least")
    ci_max_g_per_bu: Ci | None = field("CI at most")
    outside_amount: Amount = field("Outside the range")
    overdue: bool = field("Overdue")


def _parts(store: StoreView, entity: str, until: date) -> list[_Part]:
    """Return what an entity delivered or was delivered under contracts up to a day, in the order of its book.

    What is in dispute has not come back: it comes back on the day on which the dispute is settled.
    """
    found: list[_Part] = []
    stands = cache(partial(standing_event, store))
    for step in store.steps(entity):
        if step.type not in _ABOUT or step.day > until or step.after.by != step.movement:
            continue
        act = stands(step.movement)
        trade = stands(act.movement) if isinstance(act, ReturnEvent | RejectEvent) else act
        if not isinstance(trade, SaleEvent | PurchaseEvent) or not trade.contract:
            continue
        if entity != (trade.giver if isinstance(trade, SaleEvent) else trade.taker):
            continue
        disputed = step.after.state is LotState.DISPUTED and trade is not act
        found += [_part(one, trade) for one in (_settled(store, step, until) if disputed else [step])]
    return sorted(found, key=lambda one: one.day)


def _settled(store: StoreView, step: CustodyStep, until: date) -> Iterator[CustodyStep]:
    """Yield the steps that settle a dispute about what a step gave back: of every party, for either may look."""
    for one in store.steps_of(step.after.origin):
        before = one.before
        if one.type != "settle" or before is None or one.day > until or before.by != step.movement:
            continue
        inside = step.after.start <= one.after.start and one.after.stop <= step.after.stop
        if before.state is LotState.DISPUTED and inside and standing_event(store, one.movement):
            yield one


def _part(step: CustodyStep, trade: SaleEvent | PurchaseEvent) -> _Part:
    lot, sign = step.after, 1 if step.movement == trade.id else -1
    return _Part(step.movement, trade.id, trade.contract, step.day, lot.ci, sign * lot.amount)


def deliveries(store: StoreView, entity: str, day: date) -> list[ContractDeliveryView]:
    """Return the contracts about deliveries as they stand at the end of a day, in the order of the book."""
    delivered: dict[str, list[_Part]] = defaultdict(list)
    for one in _parts(store, entity, day):
        delivered[one.contract].append(one)
    contracts = {one.id: one for one in store.many(Contract, entity)}
    agreed = store.many(Delivery, entity)
    return [_delivered(contracts[one.contract], one, delivered[one.contract], day) for one in agreed]


def _delivered(contract: Contract, agreed: Delivery, parts: Sequence[_Part], day: date) -> ContractDeliveryView:
    first, last = agreed.first or contract.start, agreed.last
    days = {one.delivery: one.day for one in parts if one.movement == one.delivery}
    whole = sum(one.amount for one in parts)
    left = max(agreed.amount - whole, 0)
    return ContractDeliveryView(
        contract=agreed.contract, partner=contract.counterparty, role=str(contract.role), form=agreed.form,
        unit=unit_of(agreed.form), agreed_amount=agreed.amount, delivered_amount=whole, left_amount=left,
        beyond_amount=max(whole - agreed.amount, 0), first=first, last=last,
        early_amount=sum(one.amount for one in parts if days[one.delivery] < first),
        late_amount=sum(one.amount for one in parts if last and days[one.delivery] > last),
        ci_min_g_per_bu=agreed.ci_min, ci_max_g_per_bu=agreed.ci_max,
        outside_amount=sum(one.amount for one in parts if not agreed.takes(one.ci)),
        overdue=bool(left) and last is not None and last < day,
    )  # fmt: skip


def append_contract_warning(store: StoreView, trade: SaleEvent | PurchaseEvent, outcome: Decision) -> Decision:
    """Return the answer to a sale or purchase with what is delivered beyond its contract, where that is more."""
    if not outcome.status.well:
        return outcome
    party = trade.giver if isinstance(trade, SaleEvent) else trade.taker
    known = next((one for one in deliveries(store, party, trade.day) if one.contract == trade.contract), None)
    if known is None or not known.beyond_amount:
        return outcome
    shown = show_amount(known.beyond_amount, known.unit)
    said = f"With it {shown} more than contract {trade.contract} asks for are delivered."
    return replace(outcome, message=f"{outcome.message} {said}", details=(*outcome.details, ("beyond_contract", shown)))


# What came in over some days, from whom, and at which mean carbon intensity.
#
# It counts what was bought and accepted and stands. What was taken back as entered in error is not in it; nor is what
# came back from a buyer, which had come in before.

_CAME: Final = frozenset({"purchase", "assign", "accept"})


@view
class CameInView:
    """What one entry brought of one crop, year and carbon intensity, as it came in."""

    day: date = field("Day")
    entry: str = field("Entry")
    type: str = field("Kind")
    supplier: str = field("From")
    name: str = field("Name")
    form: str = field("What")
    crop: str = field("Crop")
    harvest_year: int = field("Harvest year")
    bushels: Bushels = field("Bushels", help="Of crop, in whatever form it came.")
    ci_g_per_bu: Ci = field("CI")


@view
class CameInSumView:
    """What came in of a crop or product in all, or from one supplier; its mean is weighted by bushels of crop."""

    form: str = field("What")
    supplier: str = field("From", help="Empty for all suppliers together.")
    name: str = field("Name")
    entries: int = field("Entries")
    bushels: Bushels = field("Bushels", help="Of crop, in whatever form it came.")
    mean_ci_g_per_bu: Ci = field("Mean CI", help="Weighted by bushels of crop, rounded half to even.")
    lowest_ci_g_per_bu: Ci = field("Lowest CI")
    highest_ci_g_per_bu: Ci = field("Highest CI")


@dataclass(frozen=True, slots=True)
class CameIn:
    """What came in over some days."""

    span: Span  # the days
    rows: Sequence[CameInView]  # the latest first, by carbon intensity
    # the same, each entry once for a crop or product: its first row and its sum
    entries: Sequence[tuple[CameInView, CameInSumView]]
    in_all: Sequence[CameInSumView]  # one sum for each crop or product
    by_supplier: Sequence[CameInSumView]  # one for each of its suppliers, who supplied most first


def days_meant(periods: Sequence[Period], today: date, first: date | None = None, last: date | None = None) -> Span:
    """Return the days that are asked for: without any those of the open period up to today.

    Without a first day it is that of the period that holds the last one, else of its month; without a last one it is
    today. Raises ProblemsError where the first lies after the last.
    """
    if first is None and last is None:
        held, waits = period_of(periods, today), first_open(periods)
        found = held if held and held.closed is None else waits
        if found and found.start <= today:
            return Span(found.start, min(found.end, today))
    until = last or today
    check_date_range(first, until)
    return stretch_to(periods, until, first)


def came_in(store: StoreView, entity: str, span: Span) -> CameIn:
    rows = _incoming_rows(store, entity, span)
    of_form: dict[str, list[CameInView]] = {}
    of_supplier: dict[tuple[str, str], list[CameInView]] = {}
    of_entry: dict[tuple[str, str, str], list[CameInView]] = {}
    for row in rows:
        of_entry.setdefault((row.entry, row.form, row.supplier), []).append(row)
        of_form.setdefault(row.form, []).append(row)
        of_supplier.setdefault((row.form, row.supplier), []).append(row)
    parts = [_sum(form, supplier, some[0].name, some) for (form, supplier), some in of_supplier.items()]
    return CameIn(
        span=span,
        rows=rows,
        entries=[(some[0], _sum(some[0].form, some[0].supplier, some[0].name, some)) for some in of_entry.values()],
        in_all=[_sum(form, "", "", some) for form, some in sorted(of_form.items())],
        by_supplier=sorted(parts, key=lambda one: (one.form, -one.bushels, one.supplier)),
    )


def _incoming_rows(store: StoreView, entity: str, span: Span) -> list[CameInView]:
    """Return what each entry brought, by crop, year, carbon intensity and supplier, the latest entry first."""
    stands = cache(partial(standing_event, store))
    name_of = cache(partial(name_in, store))
    found: dict[tuple[date, str, str, str, str, str, int, int], int] = {}
    for step in store.steps(entity, span.start):
        lot = step.after
        if step.day > span.end or step.type not in _CAME or lot.owner != entity or not step.came:
            continue
        if stands(step.movement):
            key = (step.day, step.movement, step.type, lot.supplier, lot.form, lot.crop, lot.harvest_year, lot.ci)
            found[key] = found.get(key, 0) + lot.crop_amount
    ordered = sorted(found.items(), key=lambda one: one[0][0], reverse=True)
    return [
        CameInView(
            day=day, entry=entry, type=kind, supplier=supplier, name=name_of(supplier), form=form, crop=crop,
            harvest_year=year, bushels=bushels, ci_g_per_bu=ci,
        )
        for (day, entry, kind, supplier, form, crop, year, ci), bushels in ordered
    ]  # fmt: skip


def _sum(form: str, supplier: str, name: str, rows: Sequence[CameInView]) -> CameInSumView:
    bushels = sum(row.bushels for row in rows)
    values = [row.ci_g_per_bu for row in rows]
    return CameInSumView(
        form=form, supplier=supplier, name=name, entries=len({row.entry for row in rows}), bushels=bushels,
        mean_ci_g_per_bu=half_even(sum(row.bushels * row.ci_g_per_bu for row in rows), bushels),
        lowest_ci_g_per_bu=min(values), highest_ci_g_per_bu=max(values),
    )  # fmt: skip
