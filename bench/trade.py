"""Trade at an elevator's size: one more event in a long book, buying and selling, small sales, tickets, books, peers.

Seconds are those that the processors worked for it (user time of the whole process), since machines are shared; the
peers' are taken the same way in the same run. Reconciling works in several processes side by side: it is taken by the
clock, with what they worked beside it. Posting and reconciling are a tenth at the default size.
"""

import json
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from time import perf_counter
from typing import Any, Final

from bench.custody import BOOK, legs
from bench.ledgers import ledgers
from bench.measure import Measure, at_most, peer
from bench.selling import trader
from provender.custody.book_file import create_book, open_book
from provender.custody.checkpoints import path_of
from provender.custody.events.registry import read_event

FULL: Final = os.environ.get("PROVENDER_BENCH_SIZE") == "full"
EVENTS: Final = 500_000 if FULL else 50_000
TICKETS: Final = 50_000
SALES: Final = 50_000
BOOKS: Final = 50 if FULL else 5
OF_EACH: Final = 4_000
SEED: Final = 20261121
FARMS: Final = 50
PART: Final = 10 if not FULL else 1
"""By how much the default size, and its budgets, are smaller."""
HEAD: Final = "Ticket No,Date,Location,Commodity,Customer,In/Out,Split %,Net Lbs,Moisture %,Net Bu\n"
CALL: Final = "from provender.cli.app import main; main()"
COLUMNS: Final = """
import sys
import polars as pl
frame = pl.scan_parquet(sys.argv[1])
amount = pl.col("stop") - pl.col("start")
came = frame.select(pl.col("owner").alias("party"), amount.alias("amount"))
went = frame.filter(pl.col("giver").is_not_null()).select(pl.col("giver").alias("party"), -amount.alias("amount"))
print(pl.concat([came, went]).group_by("party").agg(pl.col("amount").sum()).collect())
"""


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


def seconds(*command: str, wanted: int | None = 0) -> float:
    """Return the user seconds of a whole process; RuntimeError where it does not end as it should."""
    return _both(*command, wanted=wanted)[0]


def _both(*command: str, wanted: int | None) -> tuple[float, float]:
    """Return the user seconds of a process and those that it began, and the seconds by the clock."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime, perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - our own commands
    if done.returncode > 1 or wanted not in (None, done.returncode):
        raise RuntimeError(f"{command[:4]}: {done.returncode} {done.stderr[-300:]}")
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, perf_counter() - began


def custody(*arguments: object, wanted: int | None = 0) -> float:
    """Return the user seconds of one call of ``provender custody``."""
    return seconds(sys.executable, "-c", CALL, "custody", *map(str, arguments), wanted=wanted)


def _written(path: Path, house: str, count: int) -> Path:
    """Write a book of a house with so many events."""
    create_book(path, house)
    with open_book(path) as book, book.together():
        for event in buy_and_sell(house, count):
            outcome = book.post(read_event(event))
            if not outcome.status.well:
                raise RuntimeError(f"{event['id']}: {outcome.message}")
    return path


def _write(path: Path, events: Iterable[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(event) + "\n" for event in events), encoding="utf-8")


def _posting(folder: Path) -> list[Measure]:
    """Measure growth and the whole of buying and selling: a file of events answered in a process of its own."""
    found = {}
    for count in (10_000, 100_000, EVENTS) if FULL else (10_000, EVENTS):
        path = folder / f"{count}.jsonl"
        _write(path, buy_and_sell("coop", count))
        found[count] = custody("run", path, "--json")
        path.unlink()
    top = 100_000 if FULL else EVENTS
    times = top // 10_000
    return [
        at_most(f"{EVENTS:,} events of buying and selling, read and posted", found[EVENTS], "s CPU", 60 / PART),
        at_most(f"growth from 10,000 to {top:,} events", found[top] / found[10_000], "x", times * 1.1),
    ]


def _small_sales(folder: Path) -> list[Measure]:
    """Measure a stock of many lots that goes in small sales; whether every sale is posted is the status."""
    path = folder / "sales.jsonl"
    _write(path, stored_then_sold(SALES))
    said = f"a harvest stored in {SALES // 25:,} lots, then {SALES:,} small sales, read and posted"
    return [at_most(said, custody("run", path), "s CPU", 20)]


def _one_more(folder: Path) -> list[Measure]:
    path = _written(folder / "long.jsonl", "coop", BOOK)
    sale = {"type": "sale", "giver": "coop", "taker": "mill-coop", "crop": "corn", "bushels": "5", "day": "2026-01-11"}
    first, second = folder / "first.jsonl", folder / "second.jsonl"
    _write(first, [{**sale, "id": "one-more"}])
    _write(second, [{**sale, "id": "another"}])
    with_it = custody("add", path, first)
    path_of(path).unlink()
    without = custody("add", path, second)
    return [
        at_most(f"one more sale in a book of {BOOK:,} events", with_it, "s CPU", 0.5),
        peer("the same where the checkpoint is lost: all events answered again", without, "s CPU"),
    ]


def _tickets(folder: Path) -> list[Measure]:
    chance, file, chosen = random.Random(SEED), folder / "tickets.csv", folder / "map.json"
    rows = []
    for number in range(TICKETS):
        pounds = chance.randint(30_000, 55_000)
        row = f"T{number},2026-01-{5 + number % 25:02d},yard,Corn,Farm {number % 200},In,100,{pounds},14"
        rows.append(f"{row},{pounds / 56:.2f}\n")
    file.write_text(HEAD + "".join(rows), encoding="utf-8")
    book, day = folder / "tickets.jsonl", ("--as-of", "2026-02-01")
    house = ("--entity", "coop", "--name", "Coop", "--role", "first_point", "--site", "yard")
    custody("init", book, *house, "--as-of", "2025-12-01")
    custody("tickets", file, "--save-map", chosen, *day, wanted=None)
    first, again = (custody("tickets", file, "--map", chosen, "--into", book, *day, wanted=None) for _ in range(2))
    return [
        at_most(f"{TICKETS:,} scale tickets from a file into a book", first, "s CPU", 10),
        at_most("the same file read again, unchanged", again, "s CPU", 3),
    ]


def _many_books(folder: Path) -> list[Measure]:
    books = [_written(folder / f"house-{number}.jsonl", f"house-{number}", OF_EACH) for number in range(BOOKS)]
    # It may have something to tell. Processes work side by side: what somebody waits for is the clock.
    worked, waited = _both(sys.executable, "-c", CALL, "custody", "reconcile", *map(str, books), wanted=None)
    said = f"reconcile of {BOOKS} books, {BOOKS * OF_EACH:,} events"
    row = at_most(said, waited, "s", 15) if FULL else peer(said, waited, "s")
    return [
        row,
        peer(f"the same, all its processes together, {len(os.sched_getaffinity(0))} processors", worked, "s CPU"),
    ]


def _peers(folder: Path) -> list[Measure]:
    """Measure whole processes over the same movements: ours from Parquet, peers from their own files."""
    frame = legs(BOOK)
    parquet = folder / "book.parquet"
    frame.write_parquet(parquet)
    ours = seconds(sys.executable, "-c", COLUMNS, str(parquet))
    made = [peer(f"balances of {BOOK:,} movements from Parquet, whole process", ours, "s CPU")]
    for one in ledgers():
        if one.command is None:
            made.append(peer(f"{one.name}: not installed", 0.0, ""))
            continue
        path = folder / "peer.book"
        path.write_text("\n".join(one.write(frame)) + "\n", encoding="utf-8")
        taken = seconds(*one.command(path))
        said = f"ours from Parquet beside {one.name.split(',')[0]}"
        made.append(peer(f"{one.name}, whole process", taken, "s CPU"))
        made.append(at_most(said, ours / taken, "x", 1) if "ledger," in one.name[:7] else peer(said, ours / taken, "x"))
    events = folder / "events.jsonl"
    _write(events, buy_and_sell("coop", BOOK))
    return [*made, at_most(f"balances from {BOOK:,} events, whole process", custody("run", events), "s CPU", 6.0)]


def run() -> list[Measure]:
    """Measure; a process that fails or refuses an event measures nothing."""
    made: list[Measure] = []
    for part in (_one_more, _posting, _small_sales, _tickets, _many_books, _peers):
        folder = Path(tempfile.mkdtemp(prefix="provender-bench-"))
        try:
            made += part(folder)
        finally:
            shutil.rmtree(folder)
    return made
