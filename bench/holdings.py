"""Searches over the books of many: double claims, balances, and overlapping fields, each with planted faults.

`PROVENDER_BENCH_SIZE=full` takes a hundred million claims and movements and a million fields, the default a tenth and
a hundred thousand. The claims are honest chains of five hands, told by both sides, in no order of days.
"""

import os
import resource
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

import numpy as np
import polars as pl
import shapely

from bench.measure import Measure, at_least, at_most, peer
from provender.portfolio.balances import balances
from provender.portfolio.claims import double_claims
from provender.portfolio.custody import CLAIM, MOVEMENT, ORIGIN, PERIOD, SCHEMAS
from provender.portfolio.jobs import open_portfolio
from provender.portfolio.manifest import write_manifest
from provender.portfolio.polygons import same_ground

T = TypeVar("T")
FULL: Final = os.environ.get("PROVENDER_BENCH_SIZE") == "full"
ROWS: Final = 100_000_000 if FULL else 10_000_000
FIELDS: Final = 1_000_000 if FULL else 100_000
SHARE: Final = 1.0 if FULL else 0.1
FILE_ROWS: Final = 2_000_000
TOLD: Final = 10
"""Rows of an origin: five transfers, each told twice."""
DOUBLED: Final = 50
CLAIM_SECONDS: Final = 80.0
CLAIM_GROWTH: Final = 10.0
CLAIM_GIGABYTES: Final = 2.0
BALANCE_SECONDS: Final = 15.0
BALANCE_GIGABYTES: Final = 5.0
FIELD_SECONDS: Final = 30.0
_SIDE: Final = 0.004
_ACROSS: Final = 1_000


class Search(NamedTuple):
    """What one search found and took, in a process of its own.

    Attributes:
        found: how many.
        wall: seconds by the clock.
        own: processor seconds.
        peak: the most memory the process had, in GiB, pages of the files that it read included.
    """

    found: int
    wall: float
    own: float
    peak: float


def run() -> list[Measure]:
    """Measure. What is searched is made by other processes, so that its making takes none of a search's memory."""
    with tempfile.TemporaryDirectory() as folder:
        few, many, moved = (Path(folder) / name for name in ("tenth", "claims", "movements"))
        _alone(_make_claims, few, ROWS // 10)
        _alone(_make_claims, many, ROWS)
        # The tenth before and after: a machine whose speed drifts meanwhile would else be measured as growth.
        tenth, whole, again = (_alone(_search, _doubled, root) for root in (few, many, few))
        _alone(_make_movements, moved)
        summed = _alone(_search, _equations, moved)
    exact = float(tenth.found == whole.found == again.found == DOUBLED)
    own, wall = (tenth.own + again.own) / 2, (tenth.wall + again.wall) / 2
    return [
        at_most(f"double claims among {ROWS:,} claims", whole.wall, "s", CLAIM_SECONDS * SHARE),
        peer("its processor seconds", whole.own, "s"),
        at_most(f"processor seconds of {ROWS:,} claims against a tenth of them", whole.own / own, "x", CLAIM_GROWTH),
        peer("the same by the clock", whole.wall / wall, "x"),
        peer("the tenth's processor seconds, before", tenth.own, "s"),
        peer("the tenth's processor seconds, after", again.own, "s"),
        at_most("peak memory of the search", whole.peak, "GiB", CLAIM_GIGABYTES),
        at_least("planted double sales found, and nothing else", exact, "yes=1", 1.0),
        at_most(
            f"balances of {ROWS:,} movements, {summed.found:,} equations", summed.wall, "s", BALANCE_SECONDS * SHARE
        ),
        peer("its processor seconds", summed.own, "s"),
        at_most("its peak memory", summed.peak, "GiB", BALANCE_GIGABYTES),
        *_fields(),
    ]


def _alone(work: Callable[..., T], *arguments: object) -> T:
    """Return what work returns in a process of its own."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(work, *arguments).result()


def _search(search: Callable[[Path], int], root: Path) -> Search:
    found, wall, own = _timed(lambda: search(root))
    return Search(found, wall, own, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20)


def _doubled(root: Path) -> int:
    return sum(1 for _ in double_claims(open_portfolio(root)))


def _equations(root: Path) -> int:
    return balances(open_portfolio(root)).height


def _timed(work: Callable[[], int]) -> tuple[int, float, float]:
    wall, own = time.perf_counter(), time.process_time()
    return work(), time.perf_counter() - wall, time.process_time() - own


def _make_claims(root: Path, rows: int) -> None:
    """Write so many claims, and the origins behind them."""
    origins = rows // TOLD
    (root / CLAIM).mkdir(parents=True)
    (root / ORIGIN).mkdir()
    for number, first in enumerate(range(0, origins, FILE_ROWS // TOLD)):
        count = min(FILE_ROWS // TOLD, origins - first)
        _chains(first, count, origins).write_parquet(root / CLAIM / f"part-{number}.parquet")
        of = pl.int_range(first, first + count, eager=True)
        roots = pl.DataFrame({"origin": _name("O", of), "root": _name("F", of)})
        roots.write_parquet(root / ORIGIN / f"part-{number}.parquet")
    write_manifest(root)


def _name(letter: str, number: pl.Series) -> pl.Series:
    return letter + number.cast(pl.String) + "-" + (number.hash(7) % 10**8).cast(pl.String)


def _chains(first: int, count: int, origins: int) -> pl.DataFrame:
    """Return the claims of some origins: sold by the farm in two parts, resold twice, the last in two halves."""
    number = pl.int_range(first, first + count, eager=True)
    farm, origin = _name("F", number), _name("O", number)
    hands = [f"party {salt} " + (number.hash(salt) % 5_000).cast(pl.String) for salt in range(5)]
    spans = ((0, 600_000), (600_000, 1_000_000), (0, 600_000), (0, 300_000), (300_000, 600_000))
    pairs = ((farm, hands[0]), (farm, hands[1]), (hands[0], hands[2]), (hands[2], hands[3]), (hands[2], hands[4]))
    parts = []
    for place, ((start, stop), (giver, taker)) in enumerate(zip(spans, pairs, strict=True)):
        base = pl.DataFrame({"origin": origin, "giver": giver, "taker": taker, "number": number}).with_columns(
            pl.lit("sale").alias("kind"), (pl.lit(f"k{place}-") + pl.col("number").cast(pl.String)).alias("key"),
            pl.lit(start, pl.Int64).alias("start"), pl.lit(stop, pl.Int64).alias("stop"),
            (pl.date(2026, 1, 1) + pl.duration(days=pl.col("number") % 50 + place)).alias("day"),
        )  # fmt: skip
        parts += [base.with_columns(pl.col(side).alias("source")) for side in ("giver", "taker")]
    rows = pl.concat(parts)
    step = max(origins // DOUBLED, 1)
    again = rows.filter(
        (pl.col("number") % step == 0) & (pl.col("number") < DOUBLED * step) & (pl.col("key").str.starts_with("k1-"))
    )
    twice = again.unique("number").with_columns(
        pl.lit("elsewhere").alias("taker"), ("x" + pl.col("key")).alias("key"), pl.date(2026, 6, 1).alias("day")
    )
    return pl.concat([rows, twice]).select(pl.col(name).cast(of) for name, of in SCHEMAS[CLAIM].items())


def _make_movements(root: Path) -> None:
    """Write the movements of a thousand elevators in a year, and their period."""
    (root / MOVEMENT).mkdir(parents=True)
    (root / PERIOD).mkdir()
    chance = np.random.default_rng(34)
    crops = pl.Series(["corn", "soybeans", "sorghum"])
    entities = pl.Series([f"Elevator {number:04}" for number in range(1_000)])
    for number, _ in enumerate(range(0, ROWS, FILE_ROWS)):
        drawn = pl.DataFrame({name: chance.integers(0, sides, FILE_ROWS) for name, sides in
                              (("e", 1_000), ("c", 3), ("i", 400), ("d", 365), ("b", 1_000_000))})  # fmt: skip
        rows = drawn.select(
            entities.gather(drawn["e"]).alias("entity"), crops.gather(drawn["c"]).alias("crop"),
            pl.lit(2025).alias("crop_year"), (pl.col("i") * 1_000 + 500_000).alias("ci"),
            (pl.date(2025, 11, 1) + pl.duration(days=pl.col("d"))).alias("day"), pl.col("b").alias("came"),
            (pl.col("b") // 2).alias("went"), pl.lit("book").alias("source"),
        )  # fmt: skip
        rows.select(pl.col(name).cast(of) for name, of in SCHEMAS[MOVEMENT].items()).write_parquet(
            root / MOVEMENT / f"part-{number}.parquet"
        )
    periods = pl.DataFrame({"entity": entities, "source": entities}).with_columns(
        pl.date(2025, 11, 1).alias("start"), pl.date(2026, 10, 31).alias("end")
    )
    periods.select(list(SCHEMAS[PERIOD])).write_parquet(root / PERIOD / "part-0.parquet")
    write_manifest(root)


def _fields() -> list[Measure]:
    """Lay fields side by side, sixteen a farm, and a few of strangers over them."""
    number = np.arange(FIELDS)
    across, down = number % _ACROSS, number // _ACROSS
    west, south = -104 + across * _SIDE, 38 + down * _SIDE
    moved = number[:: max(FIELDS // DOUBLED, 1)][:DOUBLED]
    boxes = np.concatenate([
        shapely.box(west, south, west + _SIDE, south + _SIDE),
        shapely.box(west[moved] + 0.001, south[moved] + 0.001, west[moved] + 0.003, south[moved] + 0.003),
    ])  # fmt: skip
    farms = [f"F{x}-{y}" for x, y in zip(across // 4, down // 4, strict=True)] + [f"X{one}" for one in moved]
    units = pl.DataFrame({
        "farm_id": farms, "unit_id": [f"U{one}" for one in range(len(farms))], "geometry": list(shapely.to_wkb(boxes)),
    })  # fmt: skip
    found, wall, own = _timed(lambda: same_ground(units).height)
    return [
        at_most(f"overlaps among {len(farms):,} fields that share borders", wall, "s", FIELD_SECONDS * SHARE),
        peer("its processor seconds", own, "s"),
        at_least("planted overlaps found, and nothing else", float(found == DOUBLED), "yes=1", 1.0),
    ]
