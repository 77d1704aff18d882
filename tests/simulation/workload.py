"""Requests, most of them honest and some of them not: seeded, so that a seed is a whole season."""

from typing import TYPE_CHECKING, Final

from tests.simulation.auditor import Auditor
from tests.simulation.cast import ELEVATORS, SELLERS, TRADERS
from tests.simulation.ledger import Event
from tests.simulation.requests_after import AfterRequests
from tests.simulation.requests_farm import FarmRequests
from tests.simulation.requests_trade import TradeRequests

if TYPE_CHECKING:
    from collections.abc import Callable

CONTESTED: Final = frozenset(
    {
        "sale",
        "slip",
        "purchase",
        "assign",
        "accept",
        "process",
        "release",
        "loss",
        "retire",
        "return",
        "correct",
        "move",
    }
)
"""What two can ask for and only one can get."""


class Workload(FarmRequests, TradeRequests, AfterRequests):
    """Chooses what is asked for next."""

    def __init__(self, seed: int, auditor: Auditor) -> None:
        super().__init__(seed, auditor)
        self.table: tuple[tuple[float, Callable[[], Event | None]], ...] = (
            (0.13, self.slip), (0.12, self.purchase), (0.02, self.pending), (0.03, self.assign), (0.21, self.sale),
            (0.18, self.answer), (0.02, self.document), (0.06, self.process), (0.06, self.ending), (0.02, self.shrink),
            (0.03, self.back), (0.03, self.correct), (0.02, self.move), (0.01, self.store), (0.01, self.again),
            (0.008, self.standing), (0.006, self.amend), (0.001, self.withdraw), (0.004, self.wrong_period),
            (0.003, self.wrong_close), (0.001, self.cure), (0.002, self.receipt),
            (0.008, self.settle),
        )  # fmt: skip

    def batch(self) -> list[Event]:
        """Return the next requests: one, or the whole turn of a quarter."""
        self.advance()
        return self.turn() if self.due else self.single()

    def single(self) -> list[Event]:
        """Return one request, or none where there is nothing to ask for."""
        if len(self.origins) < 10 or self.chance(0.02):
            return [self.report()]
        if self.chance(0.002):
            return self.changed_role()
        roll = self.random.random()
        for weight, make in self.table:
            roll -= weight
            if roll < 0:
                return [made] if (made := make()) else []
        made = self.retire()
        return [made] if made else []

    def rival(self, event: Event) -> Event | None:
        """Return a request that somebody else makes at the same moment and that cannot stand beside the first."""
        if event["type"] not in CONTESTED:
            return None
        if self.chance(0.1):
            return event
        self.number += 1
        other = {**event, "id": f"m{self.number}"}
        if event["type"] in ("sale", "slip") and self.chance(0.7):
            other["taker"] = self.random.choice(TRADERS if event["type"] == "sale" else ELEVATORS)
        if event["type"] == "accept" and self.chance(0.5):
            sale = self.auditor.seen.get(event["movement"], {})
            giver = sale.get("giver", SELLERS[0])
            other = {name: value for name, value in other.items() if name not in ("site", "custodian")}
            other = {**other, "type": "reject", "giver": giver, "site": self.at(giver)}
        return other
