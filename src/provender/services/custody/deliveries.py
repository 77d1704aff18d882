"""Contracts about deliveries, as every door shows them."""

from datetime import date

from provender.custody.model.amounts import unit_of
from provender.custody.model.store_view import StoreView
from provender.custody.queries.deliveries import ContractStanding, standings
from provender.plain import field, view
from provender.quantity import Amount, Ci


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


def deliveries(facts: StoreView, entity: str, day: date) -> list[ContractDeliveryView]:
    """Return the contracts about deliveries as they stand at the end of a day."""
    return [_delivery_view(one, day) for one in standings(facts, entity, day)]


def _delivery_view(one: ContractStanding, day: date) -> ContractDeliveryView:
    agreed = one.agreed
    return ContractDeliveryView(
        contract=agreed.contract, partner=one.contract.counterparty, role=str(one.contract.role), form=agreed.form,
        unit=unit_of(agreed.form), agreed_amount=agreed.amount, delivered_amount=one.delivered, left_amount=one.left,
        beyond_amount=one.beyond, first=agreed.first or one.contract.start, last=agreed.last,
        early_amount=one.early, late_amount=one.late,
        ci_min_g_per_bu=agreed.ci_min, ci_max_g_per_bu=agreed.ci_max, outside_amount=one.outside,
        overdue=one.overdue(day),
    )  # fmt: skip
