"""What was delivered under contracts and what is still to deliver.

Nothing here is a record of its own: deliveries are the steps of sales and purchases that name a contract, less what was
sent back and what was taken back. A carbon intensity is that of the day of the delivery.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from provender.custody.events.purchase import PurchaseEvent
from provender.custody.events.sale import SaleEvent
from provender.custody.model.entities import Contract, Delivery
from provender.custody.model.lots import LotState
from provender.custody.model.store_view import CustodyStep, Posted, StoreView, taken_back_by

BACK: Final = frozenset({"return", "reject"})


@dataclass(frozen=True, slots=True)
class _Part:
    """An amount of a delivery, of one carbon intensity; of what came back the amount is below zero.

    Attributes:
        movement: the sale, purchase, return or rejection; the settlement of a dispute about one.
        delivery: the sale or purchase.
        contract: its contract.
        day: of the movement.
        ci: hundredths of a gram CO2e per bushel.
        amount: thousandths of the form's unit.
    """

    movement: str
    delivery: str
    contract: str
    day: date
    ci: int
    amount: int


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


def _parts(facts: StoreView, entity: str, until: date) -> list[_Part]:
    """Return what an entity delivered or was delivered under contracts up to a day, in the order of its book.

    What is in dispute has not come back: it comes back on the day on which the dispute is settled.
    """
    found: list[_Part] = []
    named: dict[str, SaleEvent | PurchaseEvent | None] = {}
    acts: dict[str, Posted | None] = {}
    for step in facts.steps(entity):
        if step.day > until or step.after.by != step.movement:
            continue
        name = step.movement if step.type in ("sale", "purchase") else _answered(facts, step, acts)
        if name and name not in named:
            named[name] = _trade(facts, entity, name)
        trade = named.get(name)
        if trade is None:
            continue
        disputed = step.after.state is LotState.DISPUTED and step.type in BACK
        found += [_part(one, trade) for one in (_settled(facts, step, until, acts) if disputed else [step])]
    return sorted(found, key=lambda one: one.day)


def _standing_act(facts: StoreView, name: str, acts: dict[str, Posted | None]) -> Posted | None:
    """Return an event that was not taken back; each is asked for once."""
    if name not in acts:
        posted = facts.posted(name)
        acts[name] = None if posted is None or taken_back_by(facts, posted) else posted
    return acts[name]


def _answered(facts: StoreView, step: CustodyStep, acts: dict[str, Posted | None]) -> str:
    """Return the delivery that a step gives back; empty where that is none or the step is taken back itself."""
    posted = _standing_act(facts, step.movement, acts) if step.type in BACK else None
    return str(getattr(posted.request, "movement", "")) if posted else ""


def _settled(facts: StoreView, step: CustodyStep, until: date, acts: dict[str, Posted | None]) -> Iterator[CustodyStep]:
    """Yield the steps that settle a dispute about what a step gave back: of every party, for either may look."""
    for one in facts.steps_of(step.after.origin):
        before = one.before
        if one.type != "settle" or before is None or one.day > until or before.by != step.movement:
            continue
        inside = step.after.start <= one.after.start and one.after.stop <= step.after.stop
        if before.state is LotState.DISPUTED and inside and _standing_act(facts, one.movement, acts):
            yield one


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


def _part(step: CustodyStep, trade: SaleEvent | PurchaseEvent) -> _Part:
    lot, sign = step.after, 1 if step.movement == trade.id else -1
    return _Part(step.movement, trade.id, trade.contract, step.day, lot.ci, sign * lot.amount)


def standings(facts: StoreView, entity: str, until: date) -> list[ContractStanding]:
    """Return the contracts about deliveries as they stand at the end of a day, in the order of the book."""
    delivered: dict[str, list[_Part]] = defaultdict(list)
    for one in _parts(facts, entity, until):
        delivered[one.contract].append(one)
    contracts = {one.id: one for one in facts.many(Contract, entity)}
    return [
        _standing(contracts[agreed.contract], agreed, delivered[agreed.contract])
        for agreed in facts.many(Delivery, entity)
    ]


def _standing(contract: Contract, agreed: Delivery, delivered: Sequence[_Part]) -> ContractStanding:
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
