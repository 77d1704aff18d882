"""An elevator's month through the command line: tickets from a file, purchases and sales by file, then the papers.

Every number stands in the files beforehand, as accounting writes them: the same files once more change nothing.
"""

import json
import random
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from bench.measure import Measure
from bench.trade import HEAD, SEED, custody

TICKETS: Final = 5_000
SALES: Final = 200
FARMS: Final = 40
SLIPS: Final = 400


def month_of_events() -> Iterator[dict[str, Any]]:
    """Yield the parties, the contract, purchases and sales of February 2026."""
    chance = random.Random(f"{SEED} month")
    for name in ("coop", "mill"):
        head = {"day": "2025-12-01", "entity": name}
        yield {"type": "entity", "id": name, "name": name, "roles": ["first_point"], "sites": ["yard"], **head}
    days = {"start_day": "2026-01-01", "end_day": "2026-03-31", "policy": "oldest_first"}
    yield {"type": "period", "id": "p", "day": "2025-12-01", "entity": "coop", **days}
    told = {"entity": "coop", "counterparty": "mill", "role": "recipient", "number": "C-7", "start_day": "2026-01-02"}
    terms = {"form": "corn", "amount": "2000000", "last_delivery": "2026-02-28"}
    yield {"type": "contract", "id": "c-7", "day": "2026-01-02", **told, **terms}
    for number in range(FARMS):
        farm = f"farm-{number}"
        yield {"type": "entity", "id": farm, "day": "2025-12-01", "entity": farm, "name": farm, "roles": ["farm"]}
        grown = {"crop": "corn", "harvest_year": 2025, "bushels": "500000", "ci": str(28_000 + 37 * number)}
        yield {"type": "report", "id": f"r-{farm}", "day": "2025-12-05", "entity": farm, **grown}
    for number in range(SLIPS):
        farm, day = f"farm-{number % FARMS}", f"2026-02-{1 + number * 27 // SLIPS:02d}"
        hands = {"day": day, "giver": farm, "taker": "coop"}
        amount = {"origin": f"{farm}/corn/2025", "bushels": str(chance.randint(5_000, 9_000))}
        yield {"type": "slip", "id": f"slip-{number}", **hands, **amount}
        yield {"type": "purchase", "id": f"buy-{number}", **hands, "slip": f"slip-{number}"}
        if number % 2:
            sold = {"giver": "coop", "taker": "mill", "crop": "corn", "bushels": str(chance.randint(4_000, 9_000))}
            yield {"type": "sale", "id": f"sale-{number}", "day": day, "contract": "C-7", **sold}


def _tickets(file: Path) -> None:
    chance, rows = random.Random(SEED), []
    for number in range(TICKETS):
        pounds = chance.randint(30_000, 55_000)
        day = f"2026-02-{1 + number * 28 // TICKETS:02d}"
        rows.append(f"T{number},{day},yard,Corn,Farm {number % FARMS},In,100,{pounds},14,{pounds / 56:.2f}\n")
    file.write_text(HEAD + "".join(rows), encoding="utf-8")


def run() -> list[Measure]:
    """Play the month, read its files once more, and print its papers."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        book, tickets, events, chosen = (folder / one for one in ("b.jsonl", "t.csv", "e.jsonl", "map.json"))
        _tickets(tickets)
        events.write_text("".join(json.dumps(one) + "\n" for one in month_of_events()), encoding="utf-8")
        house = ("--entity", "coop", "--name", "Coop", "--role", "first_point", "--site", "yard")
        day = ("--as-of", "2026-03-01")
        custody("init", book, *house, "--as-of", "2025-12-01")
        custody("tickets", tickets, "--save-map", chosen, *day, wanted=None)
        read = ("tickets", tickets, "--into", book, "--map", chosen, *day)
        found = {
            f"{TICKETS:,} tickets entered": custody(*read, wanted=None),
            f"{SLIPS} purchases and {SALES} sales entered": custody("add", book, events, "--json"),
            "the same tickets once more": custody(*read, wanted=None),
            "the same events once more": custody("add", book, events, "--json"),
            "statement of the month, PDF": custody("balance", book, "--month", "2026-02", "--out", folder / "m.pdf"),
            "sheet of a day, PDF": custody("day", book, "--as-of", "2026-02-28", "--out", folder / "d.pdf"),
        }  # fmt: skip
        return [
            Measure(f"an elevator's month: {what}", seconds, "s CPU", None, True) for what, seconds in found.items()
        ]
