"""Custody: checking a stored book, balances of ten million movements and their growth, double claims, posting.

The same 50,000 movements are given to Beancount with lot booking, hledger and ledger, where they are installed: each
reads its own file, books every removal against its lot and checks that no lot goes below zero.
"""

import importlib.util
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import polars as pl

from provender.cli.benchmarks import Measure, at_least, at_most, peer
from provender.custody.checking import faults
from provender.custody.column_balances import PERIODS, column_balances
from provender.custody.columns import SCHEMA, Legs
from provender.custody.decide import read_event
from provender.custody.double_claims import suspects
from provender.custody.memory import MemoryStore
from provender.custody.posting import post

BOOK: Final = 50_000
CHECK_SECONDS: Final = 0.12
MILLIONS: Final = 10_000_000
BALANCE_SECONDS: Final = 5.0
CLAIM_SECONDS: Final = 4.0
POSTED: Final = 4_000
GROWTH: Final = (10_000, 100_000, 1_000_000, 10_000_000)
LINEAR: Final = 20.0
"""Ten times the movements may take at most twenty times as long, from a hundred thousand on."""
SEED: Final = 20261121
PARTIES: Final = 40
ORIGIN_BUSHELS: Final = 10_000_000
PER_ORIGIN: Final = 10


def legs(count: int) -> pl.DataFrame:
    """Return a sound book of ``count`` movements in columns: each origin enters whole and passes on in ten hops."""
    row = pl.int_range(count, dtype=pl.Int64)
    hop, origin = row % PER_ORIGIN, row // PER_ORIGIN
    owner, before = (origin + hop) % PARTIES, (origin + hop - 1) % PARTIES
    first, key = hop == 0, origin % 300
    day = pl.date(2026, 1, 1) + pl.duration(days=hop * 9 + origin % 7)
    made = {
        "movement": row + 1, "day": day, "lot": row, "parent": pl.when(~first).then(row - 1), "origin": origin,
        "start": pl.lit(0, pl.Int64), "stop": pl.lit(ORIGIN_BUSHELS, pl.Int64), "since": day, "owner": owner,
        "key": key, "stock": pl.lit(value=True), "giver": pl.when(~first).then(before),
        "giver_key": pl.when(~first).then(key), "giver_stock": pl.when(~first).then(pl.lit(value=True)),
    }  # fmt: skip
    return pl.select(value.alias(name) for name, value in made.items()).select(
        pl.col(name).cast(dtype) for name, dtype in SCHEMA.items()
    )


def periods() -> pl.DataFrame:
    """Return two periods for every party."""
    rows = [
        (party, start, end)
        for party in range(PARTIES)
        for start, end in ((date(2026, 1, 1), date(2026, 3, 31)), (date(2026, 4, 1), date(2026, 6, 30)))
    ]
    return pl.DataFrame(rows, schema=dict(PERIODS), orient="row")


def seconds(work: Callable[[], object], runs: int = 3) -> float:
    """Return the shortest of some runs."""
    found = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        found.append(time.perf_counter() - start)
    return min(found)


def claims(count: int) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return ``count`` honest claims out of order, each serial resold once, and the origins' roots."""
    row = pl.int_range(count, dtype=pl.Int64)
    pair, hop = row // 2, row % 2
    origin, part = pair // 50, pair % 50
    buyer, next_buyer = 1 + (origin * 7 + part) % 500, 600 + (origin + part) % 300
    root = 10_000 + origin
    made = pl.select(
        origin=origin, start=part * 1000, stop=part * 1000 + 1000,
        giver=pl.when(hop == 0).then(root).otherwise(buyer), taker=pl.when(hop == 0).then(buyer).otherwise(next_buyer),
    )  # fmt: skip
    numbers = pl.int_range(-(-count // 100), dtype=pl.Int64)
    return made.sample(fraction=1.0, shuffle=True, seed=SEED), pl.select(origin=numbers, root=numbers + 10_000)


def _double_claims() -> list[Measure]:
    honest, roots = claims(MILLIONS)
    forged = pl.concat([honest, honest.head(1).with_columns(giver=pl.lit(777, pl.Int64))])
    taken = seconds(lambda: suspects(honest, roots), 2)
    found = suspects(forged, roots).height == 1 and suspects(honest, roots).height == 0
    return [
        at_most(f"double claims among {MILLIONS:,} claims out of order", taken, "s", CLAIM_SECONDS),
        at_least("one forged claim among them is found, no honest one", float(found), "yes=1", 1.0),
    ]


def _balances() -> list[Measure]:
    times = {}
    for count in GROWTH:
        frame = legs(count)
        times[count] = seconds(lambda frame=frame: column_balances(frame, periods()), 2)  # type: ignore[misc]
    made = [at_most(f"balances over {MILLIONS:,} movements", times[MILLIONS], "s", BALANCE_SECONDS)]
    made += [peer(f"balances over {count:,} movements", times[count], "s") for count in GROWTH[:-1]]
    growth = [times[later] / times[earlier] for earlier, later in pairwise(GROWTH[1:])]
    return [*made, at_most("growth of balances per tenfold movements, the worse of two", max(growth), "x", LINEAR)]


def trade(count: int) -> Iterator[dict[str, Any]]:
    """Return declarations and then ``count`` movements: opening lots passed on between eight traders."""
    names = [f"house-{number}" for number in range(8)]
    for name in names:
        yield {
            "type": "entity",
            "id": name,
            "day": "2025-12-01",
            "entity": name,
            "name": name,
            "roles": ["first_point"],
        }
        days = {"start_day": "2026-01-01", "end_day": "2026-03-31", "policy": "oldest_first"}
        yield {"type": "period", "id": f"p-{name}", "day": "2025-12-01", "entity": name, **days}
    for name in names:
        yield {
            "type": "statement", "id": f"v-{name}", "day": "2025-12-02", "entity": name, "verifier": "v",
            "number": name, "start_day": "2025-12-01", "end_day": "2026-12-31", "crops": ["corn"],
            "opinion": "favourable",
        }  # fmt: skip
        site = {"entity": name, "crop": "corn", "harvest_year": 2025, "ci": "5000", "bushels": "9000000"}
        yield {
            "type": "opening", "id": f"o-{name}", "day": "2025-12-03", "number": "1", "evidence": "made up",
            "site": "", **site,
        }  # fmt: skip
    chance = random.Random(SEED)
    for number in range(count // 2):
        giver, taker = chance.sample(names, 2)
        day = (date(2026, 1, 1) + timedelta(days=number * 80 // count)).isoformat()
        sale = f"s{number}"
        yield {
            "type": "sale", "id": sale, "day": day, "giver": giver, "taker": taker, "crop": "corn",
            "bushels": str(chance.randint(1, 900)),
        }  # fmt: skip
        yield {"type": "accept", "id": f"a{number}", "day": day, "taker": taker, "movement": sale}


def _posting() -> list[Measure]:
    events = [_sited(one) for one in trade(POSTED)]
    store = MemoryStore()
    start = time.perf_counter()
    answers = [post(store, read_event(event)).status for event in events]
    taken = time.perf_counter() - start
    well = all(answer.well for answer in answers)
    return [
        peer(f"posting {len(events):,} events, memory store", len(events) / taken, "events/s"),
        at_least("every one of them stands", float(well), "yes=1", 1.0),
    ]


def _sited(event: dict[str, Any]) -> dict[str, Any]:
    """Give every house one site, which events then need not name."""
    if event["type"] == "entity":
        return {**event, "sites": ["yard"]}
    return {name: value for name, value in event.items() if name != "site"}


def removals(count: int) -> Iterator[tuple[date, int, int, int]]:
    """Return ``count`` movements for the peers: day, lot, price, signed amount; nine removals for each lot bought."""
    for number in range(count):
        lot, turn = divmod(number, PER_ORIGIN)
        day = date(2026, 1, 1) + timedelta(days=lot * 300 // (count // PER_ORIGIN))
        yield day, lot, 5000 + lot % 300, 900 if turn == 0 else -100


def _beancount(folder: Path) -> float | None:
    if importlib.util.find_spec("beancount") is None:
        return None
    path = folder / "book.beancount"
    lines = ['option "operating_currency" "USD"', "2025-01-01 open Assets:Stock", "2025-01-01 open Equity:Other"]
    for day, lot, price, amount in removals(BOOK):
        cost = f'{{{price} USD, "L{lot}"}}'
        lines += [f'{day} * "m"', f"  Assets:Stock  {amount} BU {cost}", "  Equity:Other"]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    code = f"from beancount import loader; e = loader.load_file({str(path)!r})[1]; raise SystemExit(bool(e))"
    return _timed([sys.executable, "-c", code])


def _plain_text(folder: Path) -> Path:
    path = folder / "book.ledger"
    lines = []
    for day, lot, _, amount in removals(BOOK):
        lines += [f"{day} m", f"    assets:stock:L{lot}  {amount} BU", "    equity:other", ""]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def _timed(command: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)  # noqa: S603 - our own arguments
    return time.perf_counter() - start


def _peers() -> list[Measure]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        found = {"Beancount, lot booking": _beancount(folder)}
        plain = _plain_text(folder)
        for program in ("hledger", "ledger"):
            path = shutil.which(program)
            found[f"{program}, a subaccount a lot"] = _timed([path, "-f", str(plain), "balance"]) if path else None
    return [
        peer(f"{who}, {BOOK:,} movements", taken, "s") if taken is not None else peer(f"{who}: not installed", 0.0, "")
        for who, taken in found.items()
    ]


def run() -> list[Measure]:
    """Measure; every answer is checked before its time counts."""
    frame = legs(BOOK)
    book = Legs(frame, (), (), tuple(f"o{one}" for one in range(BOOK // PER_ORIGIN)))
    sound = not faults(book)
    stored = seconds(lambda: (faults(book), column_balances(frame, periods())), 5)
    return [
        at_most(f"checking a stored book of {BOOK:,} movements: chain, tiling, balances", stored, "s", CHECK_SECONDS),
        at_least("the book checked is sound", float(sound), "yes=1", 1.0),
        *_peers(),
        *_balances(),
        *_double_claims(),
        *_posting(),
    ]
