"""One farm of forty fields: check it, make its report with PDF, sign one; each command from a cold start.

Processor seconds, the least of three runs: on a machine that others use too the clock says more of them than of us.
"""

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

import polars as pl

from bench.measure import Measure, at_most, peer
from bench.signed_farm import CROP, forty_fields
from bench.synthetic import synthetic_frames
from provender.records.book import RecordBook
from provender.records.folder import save_book
from provender.signing.keys import SigningKey

FIELDS: Final = 40
BUDGET_SECONDS: Final = 2.0
RUNS: Final = 3
SEED: Final = 7
PASSPHRASE: Final = "forty fields of soybeans and a gate"  # noqa: S105 - of a key made here


def run() -> list[Measure]:
    """Measure processor seconds, process start included."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        return [*_unsigned(folder), *_signed(folder)]


def _unsigned(folder: Path) -> list[Measure]:
    book = folder / "book"
    save_book(RecordBook.from_frames(_all_corn()), book)
    report = ("report", str(book), "--crop", "corn", "--calculator", "argonne-2021", "--as-of", "2025-12-31")
    return [
        _at_most(f"check of a farm of {FIELDS} fields", _fastest("check", str(book), "--json")),
        _at_most(f"report with PDF of a farm of {FIELDS} fields", _fastest(*report, "--out", str(folder / "out"))),
    ]


def _signed(folder: Path) -> list[Measure]:
    """Measure a signed report whose rows name files, each of which is hashed; what opens its key stands apart."""
    key, book = _key(folder), folder / "signed"
    _fastest("demo", "chain", "--farms", "5", "--seed", str(SEED), "--out", str(folder / "demo"), "--json", runs=1)
    forty_fields(folder / "demo" / "chain", book, FIELDS, key.public.fingerprint)
    before = time.process_time()
    SigningKey.unseal((folder / "key.pem").read_bytes(), PASSPHRASE)
    opening = time.process_time() - before
    (folder / "words").write_text(f"{PASSPHRASE}\n", encoding="utf-8")
    whole = _fastest(
        "report", str(book), "--crop", CROP, "--as-of", "2026-01-10", "--out", str(folder / "papers"),
        "--key", str(folder / "key.pem"), "--passphrase-file", str(folder / "words"), well=(0,),
    )  # fmt: skip
    return [
        _at_most(f"signed report of {FIELDS} fields with their evidence, its key opened", whole - opening),
        peer("opening its key (scrypt)", opening, "s of CPU"),
    ]


def _key(folder: Path) -> SigningKey:
    key = SigningKey.generate()
    (folder / "key.pem").write_bytes(key.seal(PASSPHRASE))
    return key


def _at_most(name: str, seconds: float) -> Measure:
    return at_most(f"{name}, cold start", seconds, "s of CPU", BUDGET_SECONDS)


def _all_corn() -> dict[str, pl.DataFrame]:
    """Return a farm that grew corn on every field that year, so that one report holds them all."""
    frames = synthetic_frames(SEED, farms=1, units_per_farm=FIELDS)
    this_year = pl.col("first_day") == pl.col("first_day").max()
    corn = pl.when(this_year).then(pl.lit("corn", frames["harvest"].schema["crop"])).otherwise("crop")
    return frames | {"harvest": frames["harvest"].with_columns(corn.alias("crop"))}


def _fastest(*arguments: str, runs: int = RUNS, well: tuple[int, ...] = (0, 1)) -> float:
    """Return the least processor seconds of a command.

    Raises:
        RuntimeError: it ended with another exit status.
    """
    command = [sys.executable, "-c", "from provender.cli import main; main()", *arguments]
    seconds = []
    for _ in range(runs):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(command, capture_output=True, check=False)  # noqa: S603 - our own program
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        if done.returncode not in well:
            raise RuntimeError((done.stderr + done.stdout).decode())
    return min(seconds)
