"""What was delivered under contracts and what is still to deliver; and what each delivery is worth beside the price.

Nothing here is a record of its own: deliveries are the steps of sales and purchases that name a contract, less what was
sent back and what was taken back. A carbon intensity is that of the day of the delivery.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from provender.custody.events.purchase import PurchaseEvent
from provender.custody.events.sale import SaleEvent
from provender.custody.model.entities import Contract, Delivery
from provender.custody.model.event import Ticket
from provender.custody.model.lots import LotState
from provender.custody.model.store_view import CustodyStep, StoreView, taken_back_by

BACK: Final = frozenset({"return", "reject"})


@dataclass(frozen=True, slots=True)
class Part:
    """Serials of a delivery, of one carbon intensity; of what came back the amounts are below zero.

    Attributes:
        movement: the sale, purchase, return or rejection.
        delivery: the sale or purchase.
        contract: its contract.
        day: of the movement.
        partner: the other party.
        form: the crop or product.
        ci: hundredths of a gram CO2e per bushel.
        origin: whose serials.
        start: the first serial.
        stop: the serial after the last.
        amount: thousandths of the form's unit.
        bushels: thousandths of a bushel of crop.
        tickets: of the delivery.
    """

    movement: str
    delivery: str
    contract: str
    day: date
    partner: str
    form: str
    ci: int
    origin: str
    start: int
    stop: int
    amount: int
    bushels: int
    tickets: tuple[Ticket, ...]


@dataclass(frozen=True, slots=True)
class ContractStanding:
    """A contract about deliveries as it stands on a day; amounts in thousandths of the form's unit.

    Attributes:
        contract: the contract.
        agreed: what it says of deliveries.
        delivered: less what came back.
        early: of that, before its first day of delivery.
        late: of that, after its last.
        outside: of that, of a carbon intensity that it does not ask for.
    """

    contract: Contract
    agreed: Delivery
    delivered: int
    early: int
    late: int
    outside: int

    @property
    def left(self) -> int:
        """Return what is still to deliver."""
        return max(self.agreed.amount - self.delivered, 0)

    @property
    def beyond(self) -> int:
        """Return what was delivered beyond the contract."""
        return max(self.delivered - self.agreed.amount, 0)

    def overdue(self, day: date) -> bool:
        """Tell whether something is to deliver and the last day for it has passed."""
        return bool(self.left) and self.agreed.last is not None and self.agreed.last < day


def parts(facts: StoreView, entity: str, until: date) -> list[Part]:
    """Return what an entity delivered or was delivered under contracts up to a day, in the order of its book."""
    found: list[Part] = []
    named: dict[str, SaleEvent | PurchaseEvent | None] = {}
    for step in facts.steps(entity):
        if step.day > until or step.after.by != step.movement:
            continue
        name = step.movement if step.type in ("sale", "purchase") else _answered(facts, step)
        if name and name not in named:
            named[name] = _trade(facts, entity, name)
        trade = named.get(name)
        if trade is not None:
            found.append(_part(step, trade, entity))
    return found


def _answered(facts: StoreView, step: CustodyStep) -> str:
    """Return the delivery that a step gives back; empty where that is none, in dispute or taken back itself."""
    posted = facts.posted(step.movement) if step.type in BACK and step.after.state is not LotState.DISPUTED else None
    if posted is None or taken_back_by(facts, posted):
        return ""
    return str(getattr(posted.request, "movement", ""))


def _trade(facts: StoreView, entity: str, name: str) -> SaleEvent | PurchaseEvent | None:
    """Return a sale or purchase of the entity that names a contract of it and stands."""
    posted = facts.posted(name)
    if posted is None or taken_back_by(facts, posted):
        return None
    match posted.request:
        case SaleEvent(giver=owner, contract=number) as trade:
            return trade if number and owner == entity else None
        case PurchaseEvent(taker=owner, contract=number) as trade:
            return trade if number and owner == entity else None
    return None


def _part(step: CustodyStep, trade: SaleEvent | PurchaseEvent, entity: str) -> Part:
    lot, sign = step.after, -1 if step.type in BACK else 1
    return Part(
        movement=step.movement, delivery=trade.id, contract=trade.contract, day=step.day,
        partner=trade.taker if trade.giver == entity else trade.giver, form=lot.form, ci=lot.ci, origin=lot.origin,
        start=lot.start, stop=lot.stop, amount=sign * lot.amount, bushels=sign * lot.crop_amount,
        tickets=trade.tickets,
    )  # fmt: skip


def standings(facts: StoreView, entity: str, until: date) -> list[ContractStanding]:
    """Return the contracts about deliveries as they stand at the end of a day, in the order of the book."""
    delivered: dict[str, list[Part]] = defaultdict(list)
    for one in parts(facts, entity, until):
        delivered[one.contract].append(one)
    contracts = {one.id: one for one in facts.many(Contract, entity)}
    return [
        _standing(contracts[agreed.contract], agreed, delivered[agreed.contract])
        for agreed in facts.many(Delivery, entity)
    ]


def _standing(contract: Contract, agreed: Delivery, delivered: Sequence[Part]) -> ContractStanding:
    first = agreed.first or contract.start
    days = {one.delivery: one.day for one in delivered if one.movement == one.delivery}
    return ContractStanding(
        contract,
        agreed,
        sum(one.amount for one in delivered),
        early=sum(one.amount for one in delivered if days[one.delivery] < first),
        late=sum(one.amount for one in delivered if agreed.last and days[one.delivery] > agreed.last),
        outside=sum(one.amount for one in delivered if not agreed.takes(one.ci)),
    )


def by_ticket(delivered: Iterable[Part]) -> Iterator[tuple[Part, str]]:
    """Yield parts of deliveries cut where a ticket ends, each with its ticket; empty where no ticket is left.

    Tickets and serials are both taken in the order of the entry, so that the same book always gives the same lines. A
    part that came back has no ticket of its own. Products stay whole: their pounds are not those of a serial.
    """
    open_tickets: dict[str, list[tuple[str, int]]] = {}
    for one in delivered:
        left = open_tickets.setdefault(one.delivery, [(each.number, each.bushels) for each in one.tickets])
        if one.amount < 0 or one.amount != one.bushels:
            yield one, ""
            continue
        yield from _cut(one, left)


def _cut(one: Part, left: list[tuple[str, int]]) -> Iterator[tuple[Part, str]]:
    start = one.start
    while start < one.stop:
        number, has = left[0] if left else ("", one.stop - start)
        taken = min(has, one.stop - start)
        yield _between(one, start, start + taken), number
        start += taken
        if left:
            left[:1] = [(number, has - taken)] if has > taken else []


def _between(one: Part, start: int, stop: int) -> Part:
    whole = (one.movement, one.delivery, one.contract, one.day, one.partner, one.form, one.ci, one.origin)
    return Part(*whole, start, stop, stop - start, stop - start, one.tickets)
