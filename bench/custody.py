"""Custody: checking a stored book, balances of a million movements and their growth.

The same 50,000 movements are given to Beancount with lot booking, hledger and ledger, where they are installed; see
``ledgers``. Answering files of events is in ``trade``, posting to databases in ``posting``.
"""

import tempfile
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Final

import polars as pl

from bench.ledgers import compare
from bench.measure import POLARS, Measure, at_most, is_so, timed
from provender.custody.queries.columns import PERIODS, SCHEMA, Legs, column_balances, faults

BOOK: Final = 50_000
GROWTH: Final = (100_000, 1_000_000)
LINEAR: Final = 20.0
"""Ten times the movements may take at most twenty times as long."""
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
    """Return the least processor seconds of some runs."""
    found = []
    for _ in range(runs):
        start = time.process_time()
        work()
        found.append(time.process_time() - start)
    return min(found)


def _balances() -> list[Measure]:
    few, many = map(legs, GROWTH)
    smaller = seconds(lambda: column_balances(few, periods()))
    what = f"balances over {GROWTH[1]:,} movements"
    larger = timed(what, lambda: seconds(lambda: column_balances(many, periods())), "s of CPU", None, POLARS)
    return [larger, at_most(f"the same against {GROWTH[0]:,} movements", larger.value / smaller, "x", LINEAR)]


def _stored(frame: pl.DataFrame) -> list[Measure]:
    def check(path: Path) -> bool:
        book = Legs(pl.read_parquet(path), (), (), tuple(f"o{one}" for one in range(BOOK // PER_ORIGIN)))
        column_balances(book.frame, periods())
        return not faults(book)

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "book.parquet"
        frame.write_parquet(path)
        what = f"reading and checking a stored book of {BOOK:,} movements: chain, tiling, balances"
        checked, sound = timed(what, lambda: seconds(lambda: check(path), 5), "s of CPU", None, POLARS), check(path)
    return [checked, is_so("the book checked is sound", answer=sound), *compare(frame, checked.value)]


def run() -> list[Measure]:
    """Measure; every answer is checked before its time counts."""
    return [*_stored(legs(BOOK)), *_balances()]
