"""Answering files of events in a process of its own: buying and selling, its growth, a stored harvest in small sales.

Whether every event is posted is the exit status.
"""

import json
import random
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from bench.measure import Measure, at_most, provender, timed
from bench.selling import trader

FEW: Final = 5_000
EVENTS: Final = 50_000
SALES: Final = 20_000
BOUGHT, SOLD = 100.0, 36.0
"""Multiples of the Python reference."""
GROWTH: Final = 1.2
"""Ten times the events may take so many times ten times as long."""
SEED: Final = 20261121
FARMS: Final = 50


def buy_and_sell(house: str, count: int) -> Iterator[dict[str, Any]]:
    """Yield the events of a house that buys from farms by slip and ticket, and sells to a mill as it goes."""
    mill, chance = f"mill-{house}", random.Random(f"{SEED} {house}")
    for name in (house, mill):
        yield from trader(name)
    farms = [f"{house}-farm-{number}" for number in range(FARMS)]
    for number, farm in enumerate(farms):
        yield {"type": "entity", "id": farm, "day": "2025-12-01", "entity": farm, "name": farm, "roles": ["farm"]}
        crop = {"crop": "corn", "harvest_year": 2025, "bushels": str(count * 4 + 10_000), "ci": str(5_000 + number)}
        yield {"type": "report", "id": f"r-{farm}", "day": "2025-12-05", "entity": farm, **crop}
    for number in range(count // 5 * 2):
        farm, bushels = chance.choice(farms), chance.randint(40, 90)
        hands = {"day": "2026-01-10", "giver": farm, "taker": house}
        origin = {"origin": f"{farm}/corn/2025", "bushels": str(bushels)}
        yield {"type": "slip", "id": f"{house}-slip-{number}", **hands, **origin}
        ticket = [{"number": f"T{number}", "bushels": str(bushels)}]
        bought = {"slip": f"{house}-slip-{number}", "tickets": ticket}
        yield {"type": "purchase", "id": f"{house}-buy-{number}", **hands, **bought}
        if number % 2:
            sold = chance.randint(10, 80)
            sale = {"giver": house, "taker": mill, "crop": "corn", "bushels": str(sold)}
            yield {"type": "sale", "id": f"{house}-sale-{number}", "day": "2026-01-10", **sale}


def stored_then_sold(count: int) -> Iterator[dict[str, Any]]:
    """Yield the events of a house that stores the harvest of its farms whole, then sells it in so many small sales."""
    house, mill, chance = "coop", "mill", random.Random(SEED)
    for name in (house, mill):
        yield from trader(name)
    loads, farms = 10, count // 250
    for number in range(farms):
        farm = f"farm-{number}"
        yield {"type": "entity", "id": farm, "day": "2025-12-01", "entity": farm, "name": farm, "roles": ["farm"]}
        crop = {"crop": "corn", "harvest_year": 2025, "bushels": "5000", "ci": str(5_000 + number % FARMS)}
        yield {"type": "report", "id": f"r-{farm}", "day": "2025-12-05", "entity": farm, **crop}
        for load in range(loads):
            hands = {"day": "2026-01-10", "giver": farm, "taker": house}
            slip, bushels = f"slip-{farm}-{load}", str(5_000 // loads)
            yield {"type": "slip", "id": slip, **hands, "origin": f"{farm}/corn/2025", "bushels": bushels}
            ticket = [{"number": f"T-{farm}-{load}", "bushels": bushels}]
            yield {"type": "purchase", "id": f"buy-{farm}-{load}", **hands, "slip": slip, "tickets": ticket}
    for number in range(count):
        sale = {"giver": house, "taker": mill, "crop": "corn", "bushels": str(chance.randint(1, 15))}
        yield {"type": "sale", "id": f"sale-{number}", "day": "2026-02-01", **sale}


def run() -> list[Measure]:
    """Measure; a process that fails or refuses an event measures nothing."""
    few = _answered(buy_and_sell("coop", FEW))
    what = f"{EVENTS:,} events of buying and selling, read and posted"
    many = timed(what, lambda: _answered(buy_and_sell("coop", EVENTS)), "s of CPU", BOUGHT)
    stored = f"a harvest stored in {SALES // 25:,} lots, then {SALES:,} small sales, read and posted"
    return [
        many,
        at_most(f"the same against {FEW:,} events", many.value / few, "x", EVENTS / FEW * GROWTH),
        timed(stored, lambda: _answered(stored_then_sold(SALES)), "s of CPU", SOLD),
    ]


def _answered(events: Iterable[dict[str, Any]]) -> float:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "events.jsonl"
        path.write_text("".join(json.dumps(event) + "\n" for event in events), encoding="utf-8")
        return provender("custody", "run", path, "--json")
