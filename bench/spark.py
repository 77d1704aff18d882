"""The same portfolio judged on Spark and on this machine: the wall time of each, equal row by row.

Spark is a large download, so this one runs only by its name (`make bench-spark`). A hundred thousand units by default,
a million with `PROVENDER_BENCH_SIZE=full`. Start-up, with a first small job, is reported apart.
"""

import tempfile
import time
from pathlib import Path
from typing import Final

import polars as pl

from bench.measure import Measure, at_least, at_most, peer
from bench.portfolio import FARMS, FULL, STATES, UNITS_PER_FARM, write_portfolio
from provender.portfolio import jobs
from provender.portfolio.checking import VERDICT, check
from provender.portfolio.spark.engine import LOCAL, run_on_spark, session

EACH: Final = FARMS if FULL else FARMS // 10
TIMES: Final = 5.0
_KEY: Final = ("farm_id", "unit_id", "harvest_id")


def run() -> list[Measure]:
    """Measure."""
    with tempfile.TemporaryDirectory() as folder:
        root, small, ours, theirs = (Path(folder) / name for name in ("p", "small", "local", "spark"))
        write_portfolio(root, farms=EACH)
        write_portfolio(small, STATES[:1], farms=20)
        begun = time.perf_counter()
        jobs.run("check", jobs.open_portfolio(root), check, ours)
        local = time.perf_counter() - begun
        begun = time.perf_counter()
        spark = session(LOCAL)
        run_on_spark("check", jobs.open_portfolio(small), Path(folder) / "first", spark)
        start_up = time.perf_counter() - begun
        begun = time.perf_counter()
        run_on_spark("check", jobs.open_portfolio(root), theirs, spark)
        on_spark = time.perf_counter() - begun
        spark.stop()
        same = all(_same(ours, theirs, partition.folder) for partition in jobs.open_portfolio(root).partitions)
    units = len(STATES) * EACH * UNITS_PER_FARM
    return [
        peer(f"portfolio check of {units:,} units on this machine", local, "s"),
        peer(f"the same on Spark {LOCAL}", on_spark, "s"),
        at_most("Spark against this machine", on_spark / local, "x", TIMES),
        peer("start of Spark with its first job", start_up, "s"),
        at_least("equal row by row", float(same), "yes=1", 1.0),
    ]


def _same(ours: Path, theirs: Path, partition: str) -> bool:
    """Compare one partition of two results, rows in the order of their keys."""
    left, right = (
        pl.concat([pl.read_parquet(path) for path in sorted((out / partition).glob(f"{VERDICT}-*.parquet"))])
        for out in (ours, theirs)
    )
    return left.height > 0 and left.sort(_KEY).equals(right.sort(_KEY))
