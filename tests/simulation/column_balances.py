"""``python -m tests.simulation.column_balances``: balances by columns against the core's, movement by movement.

Seasons of the simulation are played into books of their own, each book's entities under a name of their own; what
``portfolio book`` makes of the movements of all books at once is held against what the core makes of each book.
"""

import argparse
import sys
import time
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import polars as pl

from provender.custody.memory_store import MemoryStore
from provender.custody.model.balances import period_balances
from provender.portfolio.custody import MOVEMENT, PERIOD, SCHEMAS, Movements, balances
from provender.portfolio.export import export_books
from provender.portfolio.jobs import open_portfolio
from tests.simulation.cast import BOOKS
from tests.simulation.season import season

EACH: Final = 20_000
"""Movements of a book: what is posted later costs more, so ten books are played faster than a long one."""
Line = tuple[str, date, str, int, int, int, int, int, int]
"""Entity, start, crop, crop year, CI, beginning, incoming, outgoing, ending."""


def core_lines(store: MemoryStore, book: str) -> Iterator[Line]:
    """Yield the equations of a book as the core makes them."""
    for name in BOOKS:
        for balance in period_balances(store, name):
            for line in balance.lines:
                sums = line.beginning, line.total_incoming, line.total_outgoing, line.ending
                yield (f"{book} {name}", balance.start, *line.key, *sums)


def compared(movements: int, each: int, seed: int, root: Path) -> tuple[int, int, set[Line]]:
    """Return how many movements were posted, how many equations there are, and those that only one side has."""
    posted, moved, periods = 0, [], []
    expected: set[Line] = set()
    while posted < movements:
        store = MemoryStore()
        posted += season(store, seed, min(each, movements - posted)).movements
        book, own = f"book {seed}", Movements()
        own.add(book, store, "")
        renamed = pl.concat(own.frames).with_columns((pl.lit(f"{book} ") + pl.col("entity")).alias("entity"))
        moved.append(renamed)
        periods += [(f"{book} {entity}", *rest) for entity, *rest in own.periods]
        expected |= set(core_lines(store, book))
        seed += 1
    frame = pl.DataFrame(periods, schema=dict(SCHEMAS[PERIOD]), orient="row")
    export_books([], root, custody={MOVEMENT: pl.concat(moved), PERIOD: frame})
    columns = ("entity", "start", "crop", "crop_year", "ci", "beginning", "incoming", "outgoing", "ending")
    found: set[Line] = set(balances(open_portfolio(root)).select(columns).iter_rows())
    return posted, len(expected), expected ^ found


def main() -> int:
    """Compare; exit status 1 where an equation differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation.column_balances")
    parser.add_argument("--movements", type=int, default=1_000_000)
    parser.add_argument("--each", type=int, default=EACH)
    parser.add_argument("--seed", type=int, default=20261123)
    chosen = parser.parse_args()
    begun = time.process_time()
    with TemporaryDirectory(prefix="provender-balances-") as folder:
        posted, equations, differing = compared(chosen.movements, chosen.each, chosen.seed, Path(folder) / "p")
    took = time.process_time() - begun
    told = f"{posted:,} movements from seed {chosen.seed}, {equations:,} equations, {len(differing):,} differ"
    sys.stdout.write(f"{told}; {took:.0f} s of the processor\n")
    for line in sorted(differing, key=str)[:20]:
        sys.stdout.write(f"differs: {line}\n")
    return 1 if differing or not equations else 0


if __name__ == "__main__":
    sys.exit(main())
