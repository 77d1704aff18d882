"""``portfolio claims`` and ``book`` on Spark: it scans, shuffles and groups; what is asked of each part is ours.

Files are read in tasks by what reads them on this machine. Claims become numbers, are repartitioned by their part, and
each part is searched by what searches it on this machine (``claims``). Movements are summed by Spark's own
grouping. What is left is small, and comes back through a folder beside the result: the codes of doubtful origins; one
sum per equation and stretch of days.
"""

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

import polars as pl
import pyarrow as pa

from provender.custody.queries.double_claims import SEED, party_number
from provender.portfolio import custody, jobs
from provender.portfolio.claims import TRANSFER_ONE, Search, code, coding, numbered, of_part, part_of
from provender.portfolio.farm_jobs import judge_of
from provender.portfolio.layout import ASIDE, LINEAGE_NAME, Partition, Portfolio, stands, take_folder, whole_folder
from provender.portfolio.reading import Farms, Guest, read_farms
from provender.problem import Place, Problem, ProblemsError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


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


_WAVE: Final = 64
"""Batches that are given to Spark at once, at least: what is done after each wave stays when the driver dies."""
_LOCAL: Final = "local[2,4]"
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
    own = builder.master(master or _LOCAL).appName("provender").config("spark.ui.enabled", "false")
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
        if sum(len(items) for _, items in waiting) >= _WAVE:
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


# What Spark tasks do for ``portfolio claims``: names become numbers, and parts of whole origins are searched.
#
# Found by name on the executors, as ``worker`` is; Spark knows no unsigned numbers, so they travel by their bits. What
# numbers claims has the driver's coding with it, and stops where the executor has another.

_NUMBERS: Final = "part long, transfer long, start long, stop long, giver long, taker long, source long, day int"
"""A claim as numbers; of an origin's root ``start`` is ``_ROOT`` and ``giver`` the party."""
FOUND: Final = "code long"
OTHER_CODING: Final = "numbers names otherwise than the driver"
"""Stands in the error of an executor that has another coding."""
_ROOT: Final = -1
_BITS: Final = ("transfer", "source")


def number_claims(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Number claims; ``parts``, ``seed`` and ``coding`` stand beside the columns of ``custody.CLAIM``.

    Raises:
        RuntimeError: this process has another coding; see ``OTHER_CODING``.
    """
    for frame in _of_one_coding(batches):
        rows = numbered(frame.lazy(), int(frame["parts"][0]), int(frame["seed"][0])).collect()
        yield from _sent(rows.with_columns(pl.col("part").cast(pl.Int64), pl.col(_BITS).reinterpret(signed=True)))


def number_roots(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Number origins with their roots; as ``number_claims``, beside the columns of ``custody.ORIGIN``."""
    for frame in _of_one_coding(batches):
        none, seed = pl.lit(0, pl.Int64), int(frame["seed"][0])
        yield from _sent(
            frame.select(
                part_of("origin", int(frame["parts"][0]), seed).cast(pl.Int64).alias("part"),
                (code("origin", seed) * TRANSFER_ONE).reinterpret(signed=True).alias("transfer"),
                pl.lit(_ROOT, pl.Int64).alias("start"), pl.lit(_ROOT, pl.Int64).alias("stop"),
                party_number("root", seed).alias("giver"), none.alias("taker"), none.alias("source"),
                pl.lit(0, pl.Int32).alias("day"),
            )
        )  # fmt: skip


def search(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Search the parts that lie in a partition; yield the codes of the doubtful origins."""
    frames = list(_frames(batches))
    if not frames:
        return
    rows = pl.concat(frames).with_columns(pl.col(_BITS).reinterpret(signed=False))
    for one in rows.partition_by("part"):
        known = one.filter(pl.col("start") == _ROOT)
        roots = known.select((pl.col("transfer") // TRANSFER_ONE).alias("code"), pl.col("giver").alias("root"))
        claims = one.filter(pl.col("start") != _ROOT).drop("part")
        codes = of_part(claims, roots.unique("code", keep="any")).reinterpret(signed=True)
        yield from _sent(codes.unique().alias("code").to_frame())


def _of_one_coding(batches: Iterable[pa.RecordBatch]) -> Iterator[pl.DataFrame]:
    for frame in _frames(batches):
        ours = coding(int(frame["seed"][0]))
        if frame["coding"][0] != ours:
            raise RuntimeError(f"Polars {ours} {OTHER_CODING}'s {frame['coding'][0]}")
        yield frame


def _frames(batches: Iterable[pa.RecordBatch]) -> Iterator[pl.DataFrame]:
    for batch in batches:
        if batch.num_rows:
            frame = pl.from_arrow(batch)
            assert isinstance(frame, pl.DataFrame)  # noqa: S101 - a batch of records is a frame
            yield frame


def _sent(frame: pl.DataFrame) -> Iterator[pa.RecordBatch]:
    yield from frame.to_arrow().to_batches()


# What Spark tasks do to read books of custody: what reads them on this machine, over pieces of the files.
#
# So both leave out the same rows, whatever another program wrote. Found by name on the executors, as ``worker`` is.

_PIECE: Final = "item long, data_set string, path string, start long, length long"
_MOST: Final = 1_000_000
"""Rows that are read at once, at most."""
_TYPES: Final[Mapping[object, tuple[str, pa.DataType]]] = {
    pl.String: ("string", pa.string()), pl.Int64: ("bigint", pa.int64()), pl.Int32: ("int", pa.int32()),
    pl.Date: ("date", pa.date32()),
}  # fmt: skip


def pieces(portfolio: Portfolio, data_set: str) -> list[dict[str, Any]]:
    """Return the pieces of the files of a data set that can be read, as rows of ``_PIECE``."""
    found: list[dict[str, Any]] = []
    for one in portfolio.parquet(data_set):
        path = (portfolio.root / one.path).resolve()
        if custody.usable_rows(path, data_set) is None:
            continue
        found += [
            {"item": len(found) + number, "data_set": data_set, "path": str(path), "start": start,
             "length": min(_MOST, one.rows - start)}
            for number, start in enumerate(range(0, one.rows, _MOST))
        ]  # fmt: skip
    return found


def columns(data_set: str) -> str:
    """Return the columns of a data set as Spark names their types."""
    return ", ".join(f"{name} {_TYPES[of][0]}" for name, of in custody.SCHEMAS[data_set].items())


def _read_pieces(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Read pieces, rows of ``_PIECE`` of one data set; yield their usable rows."""
    for batch in batches:
        for row in batch.to_pylist():
            rows = custody.usable_rows(Path(row["path"]), row["data_set"], row["start"], row["length"])
            if rows is None:
                raise RuntimeError(f"{row['path']} is another file here than where the command runs")
            schema = pa.schema([(name, _TYPES[of][1]) for name, of in custody.SCHEMAS[row["data_set"]].items()])
            # Polars' texts have offsets of 64 bits; Spark is told of short ones.
            yield from rows.collect().to_arrow().cast(schema).to_batches()


_MOST_TASKS: Final = 256
"""Tasks that read the pieces of files, at most: each costs the driver something."""


def search_on(spark: "SparkSession", near: Path) -> Search:
    """Return what finds doubtful origins on Spark; ``near`` is a folder that every machine sees.

    It raises ``ProblemsError`` where an executor's Polars numbers names otherwise than this one.
    """

    def doubtful(portfolio: Portfolio, part: int) -> pl.Series:
        from pyspark.errors import PySparkException

        rows = _read(spark, portfolio, custody.CLAIM)
        if rows is None:
            return pl.Series("code", [], pl.UInt64)
        parts = max(-(-custody.table(portfolio, custody.CLAIM).select(pl.len()).collect().item() // part), 1)
        told = _with_coding(rows, parts).mapInArrow(number_claims, _NUMBERS)
        origins = _read(spark, portfolio, custody.ORIGIN)
        if origins is not None:
            known = _with_coding(origins.where("root is not null"), parts)
            told = told.unionByName(known.mapInArrow(number_roots, _NUMBERS))
        found = told.repartition(parts, "part").mapInArrow(search, FOUND)
        try:
            return _through(found, near)["code"].reinterpret(signed=False).unique()
        except PySparkException as error:
            if OTHER_CODING not in str(error):
                raise
            cause = f"Polars on an executor {OTHER_CODING}'s, which is {pl.__version__}: claims would not be compared."
            remedy = "Give driver and executors one environment with one version of Polars, or use --engine local."
            raise ProblemsError([Problem(Place("--engine"), cause, remedy, code="other_coding")]) from None

    return doubtful


def sums_on(spark: "SparkSession", near: Path) -> custody.Sums:
    """Return what sums up movements on Spark; ``near`` is a folder that every machine sees."""

    def sums(portfolio: Portfolio, declared: pl.DataFrame) -> pl.DataFrame:
        from pyspark.sql import functions as fn

        schema = {
            name: custody.SCHEMAS[custody.MOVEMENT][name]
            for name in ("entity", *custody.EQUATION, "day", "came", "went")
        }
        rows = _read(spark, portfolio, custody.MOVEMENT)
        if rows is None or declared.is_empty():
            return pl.DataFrame(schema=schema)
        # A stretch of days in which no period begins or ends is named by the border before it.
        borders: list[date] = pl.concat([declared["start"], declared["end"].dt.offset_by("1d")]).unique().to_list()
        passed = fn.filter(fn.array(*map(fn.lit, borders)), lambda border: border <= fn.col("day"))
        stretch = fn.coalesce(fn.array_max(passed), fn.lit(min(borders) - timedelta(days=1)))
        people = spark.createDataFrame([(name,) for name in declared["entity"].unique()], "entity string")
        total: list[Any] = [fn.coalesce(fn.sum(name), fn.lit(0)).alias(name) for name in ("came", "went")]
        found = (
            rows.join(fn.broadcast(people), "entity", "left_semi")
            .withColumn("day", stretch).groupBy("entity", *custody.EQUATION, "day").agg(*total)
        )  # fmt: skip
        return _through(found, near).select(pl.col(name).cast(of) for name, of in schema.items())

    return sums


def _read(spark: "SparkSession", portfolio: Portfolio, data_set: str) -> "DataFrame | None":
    """Return the usable rows of a data set; None where there are no files that can be read."""
    found = pieces(portfolio, data_set)
    if not found:
        return None
    work = spark.createDataFrame(found, _PIECE).repartition(min(len(found), _MOST_TASKS), "item")
    return work.mapInArrow(_read_pieces, columns(data_set))


def _with_coding(rows: "DataFrame", parts: int) -> "DataFrame":
    from pyspark.sql import functions as fn

    return rows.withColumns({"parts": fn.lit(parts), "seed": fn.lit(SEED), "coding": fn.lit(coding(SEED))})


def _through(rows: "DataFrame", near: Path) -> pl.DataFrame:
    """Let Spark write rows and read them here: they never pass through the driver one by one."""
    near.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix="_spark-", dir=near) as folder:
        place = Path(folder) / "rows"
        rows.write.parquet(str(place.resolve()))
        return pl.scan_parquet(sorted(place.glob("*.parquet")), hive_partitioning=False).collect()
