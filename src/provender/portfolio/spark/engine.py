"""Running a job on Spark: batches of whole farms are tasks; partitions become whole when all theirs are done.

Each task reads its farms from the Parquet files itself, as the local engine does, so nothing is shuffled and a result
is the local one row by row. The folders of the portfolio and of the result must be the same on every machine.
"""

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa

from provender.portfolio import jobs
from provender.portfolio.farm_jobs import judge_of
from provender.portfolio.layout import ASIDE, LINEAGE_NAME, Partition, Portfolio, stands, take_folder, whole_folder
from provender.portfolio.reading import Farms, Guest, read_farms
from provender.problem import Place, Problem, ProblemsError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


# What a Spark task does: reads the batches it was given, judges them, writes each whole, and returns a receipt.
#
# Its module is found by name on the executor; nothing but numbers and texts travels.

WORK: Final = "item long, work string"
"""A batch of work as JSON: which farms of which files, and the folder of its result."""
RECEIPT: Final = "item long, rows long"


def work(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Do the batches of work in some rows of ``WORK``; yield a ``RECEIPT`` for each."""
    for batch in batches:
        for row in batch.to_pylist():
            asked = json.loads(row["work"])
            files = [(name, Path(path)) for name, path in asked["files"]]
            guests = [Guest(name, Path(path), tuple(of)) for name, path, of in asked["guests"]]
            least, below, also, away = asked["farms"]
            farms = Farms(least, below, tuple(also), tuple(away))
            book = read_farms(Path(asked["root"]), files, farms, lacking=asked["lacking"], guests=guests)
            frames = jobs.judged(judge_of(asked["job"], asked["options"]), book)
            # A task that is run a second time, after a worker died, replaces what the first one left.
            with whole_folder(Path(asked["folder"])) as aside:
                jobs.write_batch(aside, asked["number"], frames)
            count = sum(frame.height for frame in frames.values())
            yield pa.RecordBatch.from_pydict({"item": pa.array([row["item"]], pa.int64()),
                                              "rows": pa.array([count], pa.int64())})  # fmt: skip


WAVE: Final = 64
"""Batches that are given to Spark at once, at least: what is done after each wave stays when the driver dies."""
LOCAL: Final = "local[2,4]"
"""The master of a session that nobody named: two cores, four attempts; plain ``local[2]`` gives up on the first."""


def session(master: str = "") -> "SparkSession":
    """Return the session that is active, or one on the master: ``local[2,4]``, ``spark://...``, ``sc://...``.

    Raises:
        ProblemsError: Spark is not installed.
    """
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        cause = "Spark is not installed."
        remedy = "Install provender[spark] and Java 17, or use --engine local."
        raise ProblemsError([Problem(Place("--engine"), cause, remedy, code="no_spark")]) from None
    active = SparkSession.getActiveSession()
    if active is not None and not master:
        return active
    builder: Any = SparkSession.builder
    if master.startswith("sc://"):
        remote: SparkSession = builder.remote(master).getOrCreate()
        return remote
    own = builder.master(master or LOCAL).appName("provender").config("spark.ui.enabled", "false")
    made: SparkSession = own.getOrCreate()
    if not master or master.startswith("local"):
        # On this machine the workers are this Python; on a cluster PYSPARK_PYTHON says which.
        made.sparkContext.pythonExec = sys.executable
    return made


def run_on_spark(
    job: str, portfolio: Portfolio, out: Path, spark: "SparkSession", *, options: Mapping[str, str] | None = None,
    units: int = jobs.UNITS,
) -> jobs.Done:  # fmt: skip
    """Run a job of ``registry.JOBS`` in the tasks of a session; see ``jobs.run`` for what it leaves and raises."""
    take_folder(job, portfolio, out)
    made: list[Partition] = []
    stood: list[Partition] = []
    waiting: list[tuple[Partition, list[str]]] = []
    for partition in portfolio.partitions:
        if stands(out / partition.folder, jobs.wanted_lineage(job, portfolio, partition, options)):
            stood.append(partition)
            continue
        waiting.append((partition, list(_items(job, portfolio, partition, out, units, options))))
        if sum(len(items) for _, items in waiting) >= WAVE:
            made += _wave(job, portfolio, out, spark, options, waiting)
            waiting = []
    made += _wave(job, portfolio, out, spark, options, waiting)
    return jobs.finish(portfolio, out, made, stood)


def _items(
    job: str, portfolio: Portfolio, partition: Partition, out: Path, units: int, options: Mapping[str, str] | None
) -> Iterator[str]:  # fmt: skip
    files = portfolio.partitions[partition]
    for number, (farms, guests) in enumerate(jobs.batches(portfolio, partition, units)):
        yield json.dumps({
            "job": job, "root": str(portfolio.root.resolve()), "files": [(one.data_set, one.path) for one in files],
            "farms": farms, "guests": [(one.data_set, one.inside.as_posix(), one.farms) for one in guests],
            "lacking": jobs.lacking(portfolio), "number": number, "options": dict(options or {}),
            "folder": str((_aside(out, partition) / str(number)).resolve()),
        })  # fmt: skip


def _aside(out: Path, partition: Partition) -> Path:
    folder = out / partition.folder
    return folder.with_name(f"{ASIDE}spark-{folder.name}")


def _wave(
    job: str, portfolio: Portfolio, out: Path, spark: "SparkSession", options: Mapping[str, str] | None,
    waiting: list[tuple[Partition, list[str]]],
) -> list[Partition]:  # fmt: skip
    """Do the batches of some partitions in one Spark job, then make each partition whole."""
    items = [item for _, several in waiting for item in several]
    if not items:
        return []
    rows = list(enumerate(items))
    frame = spark.createDataFrame(rows, WORK).repartition(len(rows), "item")
    done = frame.mapInArrow(work, RECEIPT).collect()
    if len(done) != len(rows):
        raise RuntimeError(f"Spark returned {len(done)} receipts for {len(rows)} batches")
    for partition, _ in waiting:
        with whole_folder(out / partition.folder) as aside:
            for path in sorted(_aside(out, partition).glob("*/*.parquet")):
                path.rename(aside / path.name)
            text = jobs.wanted_lineage(job, portfolio, partition, options).as_json()
            (aside / LINEAGE_NAME).write_text(text, encoding="utf-8")
        _clear(_aside(out, partition))
    return [partition for partition, _ in waiting]


def _clear(folder: Path) -> None:
    for inside in folder.iterdir():
        inside.rmdir()
    folder.rmdir()
