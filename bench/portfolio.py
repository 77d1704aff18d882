"""Portfolios: a million units judged from Parquet to Parquet, beside a bare scan and group-by of the same records.

The portfolio is synthetic (``bench.synthetic``): ten States of a hundred thousand units with twelve passes each, farms
with identifiers of their own. `PROVENDER_BENCH_SIZE=full` judges four times as many after it, for the memory's growth.
"""

import resource
import tempfile
import time
from itertools import count
from pathlib import Path
from typing import Final

import polars as pl

from bench.measure import POLARS, Measure, at_most, children_seconds, full_size, is_so, peer, timed
from bench.synthetic import synthetic_frames
from provender.portfolio import export, layout
from provender.portfolio.export import write_part
from provender.portfolio.farm_jobs import VERDICT, check
from provender.portfolio.jobs import open_portfolio, read_result
from provender.portfolio.jobs import run as run_job
from provender.portfolio.layout import Partition, write_manifest
from provender.records.kind import KINDS

STATES: Final = ("IA", "IL", "IN", "KS", "MN", "MO", "NE", "OH", "SD", "WI")
FARMS: Final = 2_500
UNITS_PER_FARM: Final = 40
SEED: Final = 20261121
GIGABYTES: Final = 3.0
SCAN_TIMES: Final = 20.0
TIMES: Final = 4
GROWTH: Final = 1.5


def write_portfolio(root: Path, states: tuple[str, ...] = STATES, *, farms: int = FARMS) -> None:
    """Write a synthetic portfolio with a partition a State."""
    for number, state in enumerate(states):
        partition = Partition(2025, state)
        for kind, frame in synthetic_frames(SEED + number, farms=farms, units_per_farm=UNITS_PER_FARM).items():
            own = frame.with_columns(_own(number))
            if kind == "farm":
                own = own.with_columns(pl.lit(state).alias("state"))
            if kind == "unit":
                write_part(root, kind, partition, export.as_fields(own, {}))
                continue
            named = {name: layout.written_name(KINDS[kind], name) for name in own.columns}
            write_part(root, kind, partition, own.rename(named))
    write_manifest(root)


def _own(number: int) -> pl.Expr:
    """Return identifiers that look like no other farm's: a word from the hash of State and farm."""
    mixed = pl.col("farm_id").hash(SEED + number).cast(pl.String)
    return pl.concat_str(pl.col("farm_id"), pl.lit("-"), mixed.str.slice(0, 10)).alias("farm_id")


def run() -> list[Measure]:
    """Measure."""
    with tempfile.TemporaryDirectory() as folder:
        root, outs = Path(folder) / "portfolio", (Path(folder) / f"out-{number}" for number in count())
        write_portfolio(root)
        start = time.perf_counter()
        done = run_job("check", open_portfolio(root), check, out := next(outs))
        clock = time.perf_counter() - start
        units = read_result(out, VERDICT).select(pl.len()).collect().item()
        what = f"portfolio check, {units:,} units, {units * 12:,} passes, from Parquet to Parquet"
        checked = timed(what, lambda: _check(root, next(outs)), "s of CPU", None, POLARS)
        peak, scanned = _peak(), _scan(root)
        more = _grown(Path(folder), peak) if full_size() else []
    return [
        checked,
        peer("the first check by the clock", clock, "s"),
        peer("a bare scan and group-by of all kinds", scanned, "s of CPU"),
        at_most("check against the bare scan", checked.value / scanned, "x", SCAN_TIMES),
        at_most("peak memory, with the making of the portfolio", peak, "GiB", GIGABYTES),
        is_so("every partition is made", answer=len(done.made) == len(STATES)),
        *more,
    ]


def _check(root: Path, out: Path) -> float:
    """Return the processor seconds of a check."""
    before = time.process_time() + children_seconds()
    run_job("check", open_portfolio(root), check, out)
    return time.process_time() + children_seconds() - before


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def _grown(folder: Path, before: float) -> list[Measure]:
    """Judge several times as many units in the same process, whose peak then says by how much it rose."""
    root = folder / "larger"
    write_portfolio(root, tuple(f"{state}{number}" for number in range(TIMES) for state in STATES))
    run_job("check", open_portfolio(root), check, folder / "of-larger")
    name = f"peak memory of {TIMES} times the units against the former peak"
    return [at_most(name, _peak() / before, "x", GROWTH)]


def _scan(root: Path) -> float:
    """Read every column of every kind and count rows by farm; return the processor seconds."""
    start = time.process_time()
    for folder in sorted(root.iterdir()):
        if folder.is_dir():
            lazy = pl.scan_parquet(sorted(folder.rglob("*.parquet")), hive_partitioning=False)
            lazy.group_by("farm_id").agg(pl.len(), pl.exclude("farm_id").count().name.prefix("n_")).collect()
    return time.process_time() - start
