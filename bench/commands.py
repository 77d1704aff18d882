"""Commands from a cold start: the start of a verb, check and report of forty fields, verify of a farm and an elevator.

Processor seconds, the least of some runs. The elevator's year is that of the example chain.
"""

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import polars as pl

from bench.measure import Measure, provender, timed
from bench.synthetic import synthetic_frames
from provender.portfolio.frames import FrameBook
from provender.records.folder import save_book

STARTS: Final = {("--help",): 0.8, ("check", "--help"): 0.8, ("rule", "show", "2100.051(b)(1)"): 1.2}
CHECK, REPORT, VERIFY_FARM, VERIFY_YEAR = 11.0, 15.0, 14.0, 20.0
"""Multiples of the Python reference."""
STARTED: Final = 7
RUNS: Final = 3
FIELDS: Final = 40
SEED: Final = 7
FARMS: Final = 51
Exits = tuple[int, ...]


def run() -> list[Measure]:
    """Measure each command."""
    with tempfile.TemporaryDirectory() as name:
        return [*(_timed(words, times, runs=STARTED) for words, times in STARTS.items()), *_farm(Path(name)),
                _elevator(Path(name))]  # fmt: skip


def _timed(words: Sequence[object], times: float, name: str = "", *, runs: int = RUNS, well: Exits = (0,)) -> Measure:
    def work() -> float:
        return provender(*words, runs=runs, well=well)

    return timed(name or f"provender {' '.join(map(str, words))}", work, "s of CPU", times)


def _farm(folder: Path) -> list[Measure]:
    book, package, said = folder / "book", folder / "farm.zip", f"of a farm of {FIELDS} fields"
    save_book(FrameBook.of_frames(_all_corn()).as_records(), book)
    found = (0, 1)  # synthetic records have neither tickets nor acreage reports (2100.020), which check and verify say
    report = ("report", book, "--crop", "corn", "--calculator", "argonne-2021", "--as-of", "2026-01-10")
    made = [
        _timed(("check", book, "--json"), CHECK, f"check {said}", well=found),
        _timed((*report, "--out", book / "reports"), REPORT, f"report with PDF {said}", well=found),
    ]
    (book / "evidence").mkdir(exist_ok=True)
    (book / "evidence" / "note.txt").write_text("Synthetic records have no evidence.\n", encoding="utf-8")
    provender("audit", "package", book, "--out", package, "--as-of", "2026-11-21")
    return [*made, _timed(("verify", package), VERIFY_FARM, f"verify {said}", well=found)]


def _elevator(folder: Path) -> Measure:
    """Verify the package of the example's elevator, in which nothing differs."""
    provender("demo", "chain", "--farms", FARMS, "--out", folder / "demo", "--json")
    chain, package = folder / "demo" / "chain", folder / "elevator.zip"
    papers = ("--document", chain / "papers" / "prairie-coop")
    book = chain / "books" / "prairie-coop.jsonl"
    provender("audit", "package", book, *papers, "--out", package, "--as-of", "2027-01-11")
    verify = ("verify", package, "--pinned", chain / "pins.json")
    return _timed(verify, VERIFY_YEAR, f"verify of an elevator's year ({FARMS} farms)")


def _all_corn() -> dict[str, pl.DataFrame]:
    """Return a farm that grew corn on every field that year, so that one report holds them all."""
    frames = synthetic_frames(SEED, farms=1, units_per_farm=FIELDS)
    this_year = pl.col("first_day") == pl.col("first_day").max()
    corn = pl.when(this_year).then(pl.lit("corn", frames["harvest"].schema["crop"])).otherwise("crop")
    return frames | {"harvest": frames["harvest"].with_columns(corn.alias("crop"))}
