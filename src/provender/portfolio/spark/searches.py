"""``portfolio claims`` and ``book`` on Spark: it scans, shuffles and groups; what is asked of each part is ours.

Files are read in tasks by what reads them on this machine. Claims become numbers, are repartitioned by their part, and
each part is searched by what searches it on this machine (``doubtful_origins``). Movements are summed by Spark's own
grouping. What is left is small, and comes back through a folder beside the result: the codes of doubtful origins; one
sum per equation and stretch of days.
"""

from datetime import date, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from provender.custody.queries.double_claims import SEED
from provender.portfolio.balances import Sums
from provender.portfolio.claims import Search
from provender.portfolio.custody import CLAIM, EQUATION, MOVEMENT, ORIGIN, SCHEMAS
from provender.portfolio.custody_rows import table
from provender.portfolio.doubtful_origins import coding
from provender.portfolio.on_disk import Portfolio
from provender.portfolio.spark.numbering import FOUND, NUMBERS, OTHER_CODING, number_claims, number_roots, search
from provender.portfolio.spark.pieces import PIECE, columns, pieces, read_pieces
from provender.problem import Place, Problem, ProblemsError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

MOST_TASKS: Final = 256
"""Tasks that read the pieces of files, at most: each costs the driver something."""


def search_on(spark: "SparkSession", near: Path) -> Search:
    """Return what finds doubtful origins on Spark; ``near`` is a folder that every machine sees.

    It raises ``ProblemsError`` where an executor's Polars numbers names otherwise than this one.
    """

    def doubtful(portfolio: Portfolio, part: int) -> pl.Series:
        from pyspark.errors import PySparkException

        rows = _read(spark, portfolio, CLAIM)
        if rows is None:
            return pl.Series("code", [], pl.UInt64)
        parts = max(-(-table(portfolio, CLAIM).select(pl.len()).collect().item() // part), 1)
        told = _with_coding(rows, parts).mapInArrow(number_claims, NUMBERS)
        origins = _read(spark, portfolio, ORIGIN)
        if origins is not None:
            known = _with_coding(origins.where("root is not null"), parts)
            told = told.unionByName(known.mapInArrow(number_roots, NUMBERS))
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


def sums_on(spark: "SparkSession", near: Path) -> Sums:
    """Return what sums up movements on Spark; ``near`` is a folder that every machine sees."""

    def sums(portfolio: Portfolio, declared: pl.DataFrame) -> pl.DataFrame:
        from pyspark.sql import functions as fn

        schema = {name: SCHEMAS[MOVEMENT][name] for name in ("entity", *EQUATION, "day", "came", "went")}
        rows = _read(spark, portfolio, MOVEMENT)
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
            .withColumn("day", stretch).groupBy("entity", *EQUATION, "day").agg(*total)
        )  # fmt: skip
        return _through(found, near).select(pl.col(name).cast(of) for name, of in schema.items())

    return sums


def _read(spark: "SparkSession", portfolio: Portfolio, data_set: str) -> "DataFrame | None":
    """Return the usable rows of a data set; None where there are no files that can be read."""
    found = pieces(portfolio, data_set)
    if not found:
        return None
    work = spark.createDataFrame(found, PIECE).repartition(min(len(found), MOST_TASKS), "item")
    return work.mapInArrow(read_pieces, columns(data_set))


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
