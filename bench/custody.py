"""Custody: checking a stored book, balances of ten million movements and their growth, double claims, posting.

The same 50,000 movements are given to Beancount with lot booking, hledger and ledger, where they are installed; see
``ledgers``. Posting is in ``posting``.
"""

import tempfile
import time
from collections.abc import Callable
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Final

import polars as pl

from bench import posting
from bench.ledgers import compare
from bench.measure import Measure, at_least, at_most, peer
from provender.custody.queries.checking import faults
from provender.custody.queries.columns import SCHEMA, Legs
from provender.custody.queries.double_claims import suspects
from provender.custody.queries.long_books import PERIODS, column_balances

BOOK: Final = 50_000
CHECK_SECONDS: Final = 0.12
MILLIONS: Final = 10_000_000
BALANCE_SECONDS: Final = 5.0
CLAIM_SECONDS: Final = 4.0
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


def _stored(frame: pl.DataFrame) -> list[Measure]:
    def check(path: Path) -> bool:
        book = Legs(pl.read_parquet(path), (), (), tuple(f"o{one}" for one in range(BOOK // PER_ORIGIN)))
        column_balances(book.frame, periods())
        return not faults(book)

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "book.parquet"
        frame.write_parquet(path)
        taken, sound = seconds(lambda: check(path), 5), check(path)
    what = f"reading and checking a stored book of {BOOK:,} movements: chain, tiling, balances"
    return [at_most(what, taken, "s", CHECK_SECONDS), at_least("the book checked is sound", float(sound), "yes=1", 1.0)]


def run() -> list[Measure]:
    """Measure; every answer is checked before its time counts."""
    frame = legs(BOOK)
    return [*_stored(frame), *compare(frame), *_balances(), *_double_claims(), *posting.measures()]
