"""What a book alone cannot decide: whether its fuel, product, stock and contracts are plausible (2100.033 to 2100.040).

Gallons are outside the rule's scope: one that does not fit the claims retired into it is a finding about the fuel, and
no bushel hangs on it (interpretation 71). Whatever else the keeper of a book is warned of, its verifier is told too.
"""

from collections.abc import Iterator
from typing import Final

from provender.audit.outcome import CheckResult, Difference
from provender.audit.package.contents import PackageContents
from provender.audit.package.custody_section import EntityBook, books
from provender.custody.events.retirement import RetireEvent
from provender.custody.model.amounts import FORMS, show_amount, unit_of
from provender.custody.model.entities import Entity
from provender.custody.model.lots import LotState
from provender.custody.queries.alerts import PER_GALLON, Alert, AlertKind, alerts
from provender.quantity import SCALE, show
from provender.rule import Crop

CITES: Final = ("2100.040(e)(1)", "2100.040(f)")
FUEL: Final = "2100.040(f)"
PRODUCT: Final = "2100.040(e)(1)"
LEFT_OUT: Final = frozenset(
    {AlertKind.PERIOD_ENDS, AlertKind.PENDING_DUE, AlertKind.VERIFICATION_LAPSES, AlertKind.FUEL_FIGURE}
)
"""What only reminds a keeper of a day to come, and fuel, which is a difference here."""


def recompute(case: PackageContents) -> CheckResult:
    """Hold gallons against claims, claims against product, and tell what each book warns its keeper of."""
    differences: list[Difference] = []
    told: list[str] = []
    computed = 0
    for found in books(case).values():
        for event in found.requests:
            if isinstance(event, RetireEvent):
                computed += 1
                differences += _fuel(found, event)
        computed += 1
        for alert in _alerts(case, found):
            if alert.kind is AlertKind.CAMPAIGN_BEYOND_PRODUCT:
                place = f"book of {found.entity}, {alert.said.partition(':')[0]}"
                words = ("claims within their share of the product", alert.said)
                differences.append(
                    Difference("product_exceeded", PRODUCT, place, *words, alert.bushels).of((found.entity,))
                )
            elif alert.kind not in LEFT_OUT:
                told.append(f"book of {found.entity}: {alert.said}")
    return CheckResult("plausible", CITES, computed, tuple(differences), tuple(told))


def _alerts(case: PackageContents, found: EntityBook) -> list[Alert]:
    entity = found.store.one(Entity, found.entity)
    return alerts(found.store, entity, case.header.last) if entity and case.header else []


def _fuel(found: EntityBook, event: RetireEvent) -> Iterator[Difference]:
    """Yield a batch whose gallons do not fit what was retired into it."""
    lots = [lot for lot in found.store.lots_by(event.id) if lot.by == event.id and lot.state is LotState.RETIRED]
    amount = sum(lot.amount for lot in lots)
    place = f"book of {found.entity}, retirement {event.id} into {event.fuel}, batch {event.batch}"
    unit = unit_of(event.of_form)
    least, most = PER_GALLON[unit, FORMS[event.of_form].crop == Crop.soybeans]
    if event.gallons <= 0 or not least * event.gallons <= amount * 10**SCALE <= most * event.gallons:
        again = f"{show_amount(amount, unit)} of {event.of_form}; one gallon takes {show(least)} to {show(most)} {unit}"
        claimed = f"{show(event.gallons, group=True)} gallons (a finding about the fuel only)"
        yield Difference("fuel_implausible", FUEL, place, claimed, again)
