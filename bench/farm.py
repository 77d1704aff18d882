"""One farm of forty fields: check it and make its report with PDF, each command from a cold start."""

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

import polars as pl

from bench.measure import Measure, at_most
from bench.synthetic import synthetic_frames
from provender.records.book import RecordBook
from provender.records.folder import save_book

FIELDS: Final = 40
BUDGET_SECONDS: Final = 2.0
RUNS: Final = 3
SEED: Final = 7


def run() -> list[Measure]:
    """Measure the fastest of three runs, process start included."""
    with tempfile.TemporaryDirectory() as folder:
        book = Path(folder) / "book"
        save_book(RecordBook.from_frames(_all_corn()), book)
        out = str(Path(folder) / "out")
        check = _fastest(["check", str(book), "--json"])
        report = _fastest(
            [
                "report",
                str(book),
                "--crop",
                "corn",
                "--calculator",
                "argonne-2021",
                "--as-of",
                "2025-12-31",
                "--out",
                out,
            ]
        )
    return [
        at_most(f"check of a farm of {FIELDS} fields, cold start", check, "s", BUDGET_SECONDS),
        at_most(f"report with PDF of a farm of {FIELDS} fields, cold start", report, "s", BUDGET_SECONDS),
    ]


def _all_corn() -> dict[str, pl.DataFrame]:
    """Return a farm that grew corn on every field that year, so that one report holds them all."""
    frames = synthetic_frames(SEED, farms=1, units_per_farm=FIELDS)
    this_year = pl.col("first_day") == pl.col("first_day").max()
    corn = pl.when(this_year).then(pl.lit("corn", frames["harvest"].schema["crop"])).otherwise("crop")
    return frames | {"harvest": frames["harvest"].with_columns(corn.alias("crop"))}


def _fastest(arguments: list[str]) -> float:
    command = [sys.executable, "-c", "from provender.cli import main; main()", *arguments]
    seconds = []
    for _ in range(RUNS):
        start = time.perf_counter()
        done = subprocess.run(command, capture_output=True, check=False)  # noqa: S603 - our own program
        seconds.append(time.perf_counter() - start)
        if done.returncode not in (0, 1):
            raise RuntimeError(done.stderr.decode())
    return min(seconds)
