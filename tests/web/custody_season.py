"""A season of the mill of the cast: a farm's report, purchases, a delivery on its way, processing, a sale, a close."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from django.urls import reverse
from django.utils import timezone

from provender.custody.events.registry import post, read_event
from provender.database.actor import Actor
from provender.database.store.custody import SqlStore
from provender.services.custody.entry import register_entity
from tests.custody.world import Event, ev
from tests.web.cast import Cast
from tests.web.replayed import replayed

BY: Final = Actor(None, "test")
SALT: Final = "c2FsdCBvZiBhIGZhcm0gdGhhdCBpcyBsb25nIGVub3VnaA"


@dataclass(frozen=True, slots=True)
class Season:
    """Ids that tests ask for.

    Attributes:
        origin: the farm's soybeans.
        slip: with bushels not bought yet.
        delivery: on its way to the mill.
        sale: of the mill.
        pending: a purchase that waits.
        closed: first day of the closed period.
        open: first day of the period of today.
    """

    origin: str
    slip: str
    delivery: str
    sale: str
    pending: str
    closed: date
    open: date


def opened_mill(cast: Cast) -> str:
    """Open the mill's book and return its handle."""
    register_entity(cast.mill, day=timezone.localdate(), actor=BY, sites=["north"])
    return cast.mill.handle


def days_ago(days: int) -> str:
    return (timezone.localdate() - timedelta(days=days)).isoformat()


def fill_custody(cast: Cast) -> Season:
    return replayed(("custody", cast.mill.handle), lambda: _filled(cast))


def _filled(cast: Cast) -> Season:
    farm, elevator, mill = cast.farm.handle, cast.elevator.handle, cast.mill.handle
    long_ago = date.fromisoformat(days_ago(200))
    register_entity(cast.farm, day=long_ago, actor=BY)
    register_entity(cast.elevator, day=long_ago, actor=BY, sites=["scale"])
    register_entity(cast.mill, day=long_ago, actor=BY, sites=["north", "plant"])
    store = SqlStore(BY)
    for event in [*_declared(farm, elevator, mill), _report(farm)]:
        _posted(store, event)
    origin = store.events()[-1].event.origin  # type: ignore[attr-defined]
    for event in _moved(farm, elevator, mill, origin):
        _posted(store, event)
    closed, now = date.fromisoformat(days_ago(150)), date.fromisoformat(days_ago(60))
    return Season(origin, "slip-mill", "sale-elevator", "sale-mill", "pending-mill", closed, now)


def _posted(store: SqlStore, event: Event) -> None:
    outcome = post(store, read_event(event))
    assert outcome.status == "posted", (event, outcome.message)


def _declared(farm: str, elevator: str, mill: str) -> list[Event]:
    events = []
    for who in (elevator, mill):
        spans = ((150, 61, "a"), (60, -20, "b"))
        events += [
            ev(
                "period", f"period-{who}-{name}", days_ago(160), entity=who, start_day=days_ago(start),
                end_day=days_ago(end), policy="oldest_first",
            )
            for start, end, name in spans
        ]  # fmt: skip
    first = {"verifier": "vic", "number": "V-1", "start_day": days_ago(100), "end_day": days_ago(-100)}
    return [
        *events,
        _contract(mill, farm, "supplier"),
        _contract(mill, elevator, "recipient"),
        ev("statement", "statement-1", days_ago(99), entity=mill, crops=["soybeans"], opinion="favourable", **first),
        ev("close", "close-a", days_ago(61), entity=mill, closed_on=days_ago(59)),
    ]


def _contract(entity: str, other: str, role: str) -> Event:
    fields = {"entity": entity, "counterparty": other, "role": role, "number": f"K-{role}"}
    return ev("contract", f"contract-{role}", days_ago(100), start_day=days_ago(100), **fields)


def _report(farm: str) -> Event:
    fields = {"entity": farm, "crop": "soybeans", "harvest_year": 2025, "bushels": "10000", "ci": "5000.25"}
    return ev("report", "report-1", days_ago(55), salt=SALT, report="0f" * 32, **fields)


def _moved(farm: str, elevator: str, mill: str, origin: str) -> list[Event]:
    slip = {"giver": farm, "origin": origin}
    return [
        ev("slip", "slip-mill", days_ago(50), taker=mill, bushels="4000", **slip),
        ev("slip", "slip-elevator", days_ago(50), taker=elevator, bushels="2000", **slip),
        _bought("buy-mill", farm, mill, "slip-mill", "3000", "north"),
        _bought("buy-elevator", farm, elevator, "slip-elevator", "2000", "scale"),
        ev("sale", "sale-elevator", days_ago(40), giver=elevator, taker=mill, crop="soybeans", bushels="800"),
        ev("sale", "sale-mill", days_ago(30), giver=mill, taker=elevator, crop="soybeans", bushels="500", site="north"),
        ev(
            "move", "move-mill", days_ago(29), entity=mill, crop="soybeans", bushels="1200", site="north",
            to_site="plant",
        ),
        ev(
            "yield", "yield-1", days_ago(28), entity=mill, made_of="soybeans", output="soybean_oil", campaign="fall",
            rate="11.2", start_day=days_ago(40), end_day=days_ago(-10), basis="provisional", site="plant",
        ),
        ev(
            "process", "process-1", days_ago(27), entity=mill, crop="soybeans", bushels="600", output="soybean_oil",
            site="plant",
        ),
        ev(
            "purchase_pending", "pending-mill", days_ago(20), giver=farm, taker=mill, crop="corn", harvest_year=2025,
            bushels="700", site="north", tickets=[{"number": "P-1", "bushels": "700"}],
        ),
    ]  # fmt: skip


def _bought(name: str, farm: str, taker: str, slip: str, bushels: str, site: str) -> Event:
    tickets = [{"number": f"T-{name}", "bushels": bushels}]
    fields = {"giver": farm, "taker": taker, "slip": slip, "bushels": bushels, "site": site, "tickets": tickets}
    return ev("purchase", name, days_ago(45), **fields)


def _at(name: str, *more: str, query: str = "") -> Callable[[Cast], str]:
    return lambda cast: reverse(name, args=(cast.mill.handle, *more)) + query


SEEN_AT_THE_MILL: Final[dict[str, tuple[str, Callable[[Cast], str]]]] = {
    "custody-stock": ("owner", _at("custody_stock")),
    "custody-stock-visited": ("verifier_in", _at("custody_stock")),
    "custody-lots": ("owner", _at("custody_lots")),
    "custody-grain": ("owner", _at("custody_grain")),
    "custody-incoming": ("owner", _at("custody_incoming")),
    "custody-receive": ("owner", _at("custody_receive")),
    "custody-tickets": ("owner", _at("custody_tickets")),
    "custody-sales": ("owner", _at("custody_sales")),
    "custody-document": ("owner", _at("custody_document", query="?sale=sale-mill")),
    "custody-statement": ("owner", _at("custody_statement", query=f"?start={days_ago(150)}")),
    "custody-movements": ("owner", _at("custody_movements")),
    "custody-movement": ("owner", _at("custody_movement", query="?id=sale-mill")),
    "custody-sell": ("owner", _at("custody_enter", "sale")),
    "custody-purchase": ("owner", _at("custody_enter", "purchase")),
    "custody-contract": ("owner", _at("custody_enter", "contract")),
    "custody-entity": ("owner", _at("custody_enter", "entity")),
    "custody-periods": ("owner", _at("custody_periods")),
    "custody-period": ("owner", _at("custody_period", query=f"?start={days_ago(60)}")),
    "custody-partners": ("owner", _at("custody_partners")),
    "custody-key": ("owner", _at("custody_key")),
    "custody-suppliers": ("owner", _at("custody_suppliers")),
    "custody-checks": ("owner", _at("custody_checks")),
    "custody-retention": ("owner", _at("custody_retention")),
    "custody-trace": ("owner", _at("custody_trace")),
    "custody-trace-found": ("owner", _at("custody_trace", query="?find=process-1")),
}
"""The mill's pages, who looks, where."""
