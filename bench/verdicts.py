"""Verdicts for a million management units from loaded frames, reading the same from Parquet, a plain loop beside.

The book is synthetic (``bench.synthetic``), one million units with twelve passes each.
"""

import datetime as dt
import resource
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import polars as pl

from bench.measure import Measure, at_least, at_most, peer
from bench.synthetic import synthetic_frames
from provender.catalog.operations import find_operation
from provender.practices.evaluate import evaluate
from provender.practices.prepared_book import PreparedBook, load
from provender.practices.stir import of_pass
from provender.quantity import STIR_SCALE
from provender.records.book import RecordBook

PARTS: Final = 10
FARMS_PER_PART: Final = 2_500
UNITS_PER_FARM: Final = 40
LOOP_FARMS: Final = 250
SEED: Final = 20261121
VERDICT_SECONDS: Final = 5.0
READ_SECONDS: Final = 8.0
GIGABYTES: Final = 4.0


def run() -> list[Measure]:
    """Measure; the loop's no-till verdicts are compared with the columns', so that both judge the same.

    The book lies in ten parts of a hundred thousand units, as large data does; parts are read, loaded and judged one
    after the other, and the seconds of each step are added up.
    """
    reading = loading = judging = 0.0
    units = 0
    with tempfile.TemporaryDirectory() as folder:
        for part in range(PARTS):
            _write(Path(folder), part)
            times, judged = _part(Path(folder))
            reading, loading, judging = (sum(pair) for pair in zip((reading, loading, judging), times, strict=True))
            units += judged
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    seconds, agree, judged = _loop()
    return [
        at_most(f"verdicts, {units:,} units, all requirements, from loaded frames", judging, "s", VERDICT_SECONDS),
        at_most("reading and checking the same records from Parquet", reading, "s", READ_SECONDS),
        peer("joining the catalogue and placing passes in their intervals", loading, "s"),
        at_most("peak memory", peak, "GiB", GIGABYTES),
        peer(f"no-till alone in a plain Python loop, scaled to {units:,} units", seconds * units / judged, "s"),
        at_least("columns and loop agree on no-till", float(agree), "yes=1", 1.0),
    ]


def _write(folder: Path, part: int) -> None:
    frames = synthetic_frames(SEED + part, farms=FARMS_PER_PART, units_per_farm=UNITS_PER_FARM)
    for kind, frame in frames.items():
        frame.write_parquet(folder / f"{kind}.parquet")


def _part(folder: Path) -> tuple[tuple[float, float, float], int]:
    """Read, load and judge one part; return the seconds of each step and the intervals judged."""
    start = time.perf_counter()
    book = RecordBook.from_frames({path.stem: pl.read_parquet(path) for path in folder.glob("*.parquet")})
    read = time.perf_counter()
    loaded = load(book)
    ready = time.perf_counter()
    verdicts = evaluate(loaded)
    return (read - start, ready - read, time.perf_counter() - ready), verdicts.height


def _loop() -> tuple[float, bool, int]:
    """Judge no-till unit by unit over dictionaries; return seconds, whether it agrees, and how many units."""
    book = RecordBook.from_frames(synthetic_frames(SEED, farms=LOOP_FARMS, units_per_farm=UNITS_PER_FARM))
    loaded = load(book)
    passes = _by_unit(book["operation"])
    declared = {(row["farm_id"], row["harvest_id"]) for row in book["declaration"].iter_rows(named=True)}
    columns = _column_answers(loaded)
    start = time.perf_counter()
    answers = {key: _no_till(passes[key], declared=(key[0], f"H-{key[1]}") in declared) for key in columns}
    return time.perf_counter() - start, answers == columns, len(answers)


def _by_unit(operations: pl.DataFrame) -> dict[tuple[str, str], list[dict[str, Any]]]:
    found: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in operations.iter_rows(named=True):
        found.setdefault((row["farm_id"], row["unit_id"]), []).append(row)
    return found


def _column_answers(loaded: PreparedBook) -> dict[tuple[str, str], bool | None]:
    rows = evaluate(loaded).filter(pl.col("last_day") > dt.date(2025, 1, 17))
    return {(farm, unit): answer for farm, unit, answer in rows.select("farm_id", "unit_id", "no_till").iter_rows()}


def _no_till(passes: Iterable[dict[str, Any]], *, declared: bool) -> bool | None:
    stir, full_width = 0, False
    for row in passes:
        listed = find_operation(row["operation"])
        value = of_pass(listed, speed_mph=row["speed_mph"], depth_in=row["depth_in"]).value
        if listed is None or value is None:
            return None
        stir += value
        full_width |= bool(listed.full_width)
    if full_width or stir > 20 * 10**STIR_SCALE:
        return False
    return True if declared else None
