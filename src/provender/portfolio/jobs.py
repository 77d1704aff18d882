"""Running a job over a portfolio: partition by partition, resumable, each partition there whole or not at all."""

import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

import polars as pl

from provender.portfolio import layout, reading
from provender.portfolio.custody import SCHEMAS as CUSTODY
from provender.portfolio.export import HELD
from provender.portfolio.frames import FrameBook, problem_frame, problems_in
from provender.portfolio.layout import CODE as UNREADABLE
from provender.problem import Place, Problem, ProblemsError
from provender.records.kind import KINDS

# A partition cut into batches of whole farms, so that what is read at once stays small however large it is.

UNITS: Final = 100_000
"""Management units read at once: larger batches gain nothing."""

Borders = tuple[str | None, str | None]


def _farm_ranges(root: Path, files: Iterable[tuple[str, Path]], *, units: int = UNITS) -> Sequence[Borders]:
    """Return borders of farm identifiers between which about so many units lie; together they leave no farm out.

    A giant farm is a batch by itself. Files of units that cannot be read are passed over here: reading tells of them.
    """
    counts: list[pl.DataFrame] = []
    for data_set, inside in files:
        if data_set != "unit":
            continue
        counts.append(reading.farm_ids(root, inside).to_frame().group_by("farm_id").len())
    if not counts or sum(one["len"].sum() for one in counts) <= units:
        return [(None, None)]
    farms = pl.concat(counts).drop_nulls().group_by("farm_id").agg(pl.col("len").sum()).sort("farm_id")
    batch = (pl.col("len").cum_sum() - pl.col("len")) // units
    firsts = farms.with_columns(batch.alias("batch")).group_by("batch", maintain_order=True).first()["farm_id"]
    borders = [None, *firsts.to_list()[1:], None]
    return list(pairwise(borders))


# In which partition a farm is judged: in one, with all its rows, wherever other programs put them.
#
# Whoever partitions row by row, by the year or State of a row, spreads a farm over several partitions; judged in each
# it would lack in each what lies in the other. So a farm is judged in the newest partition that has its farm record,
# with its rows from all of them. The same holds for rows under a name that is the farm's but for blanks, case, width or
# letters that look alike: they go where the farm is, and are told (``reading.spelled_otherwise``).

_SEEN: Final = {"part": pl.UInt32, "name": pl.String, "own": pl.Boolean}


class Batch(NamedTuple):
    """Some farms of a partition: which rows of its files, and which files of others hold rows of theirs."""

    farms: reading.Farms
    guests: tuple[reading.Guest, ...] = ()


@lru_cache(maxsize=8)
def moved(portfolio: layout.Portfolio) -> pl.DataFrame:
    """Return the names whose rows in a partition are judged elsewhere, or under another name.

    Returns:
        ``part`` and ``home``, the numbers of partitions in their order; ``name`` as it is written, ``farm`` as it is
        meant.
    """
    parts = list(portfolio.partitions)
    seen, _ = _seen(portfolio)
    farms = seen.select("name").unique().with_columns(reading.tidy(pl.col("name")).alias("farm"))
    known = seen.filter("own").join(farms, on="name").select("farm").unique()
    like = known.with_columns(reading.alike(pl.col("farm")).alias("like")).group_by("like").agg(pl.col("farm").min())
    strangers = farms.join(known, on="farm", how="anti").with_columns(reading.alike(pl.col("farm")).alias("like"))
    meant = strangers.join(like.rename({"farm": "meant"}), on="like").select("name", "meant")
    named = farms.join(meant, on="name", how="left").select("name", pl.coalesce("meant", "farm").alias("farm"))
    rows = seen.join(named, on="name")
    newest = pl.Series("age", [one.harvest_year or 0 for one in portfolio.partitions], dtype=pl.Int32)
    ages = pl.DataFrame({"part": pl.Series(range(len(parts)), dtype=pl.UInt32), "age": newest})
    order = ["own", "age", "part"]
    homes = (
        rows.join(ages, on="part").sort(order, descending=[True, True, False])
        .unique("farm", keep="first", maintain_order=True).select("farm", pl.col("part").alias("home"))
    )  # fmt: skip
    away = (pl.col("part") != pl.col("home")) | (pl.col("name") != pl.col("farm"))
    return rows.join(homes, on="farm").filter(away).select("part", "home", "name", "farm").unique().sort(pl.all())


@lru_cache(maxsize=8)
def _seen(portfolio: layout.Portfolio) -> tuple[pl.DataFrame, frozenset[str]]:
    """Return the names of farms in the records of each partition, and the data sets of files that name nobody.

    ``own``: the partition has a farm record of that name.
    """
    found = [pl.DataFrame(schema=_SEEN)]
    unread = {one.data_set for one in portfolio.files if not one.sha256}
    numbers = {partition: number for number, partition in enumerate(portfolio.partitions)}
    for one in portfolio.files:
        if layout.is_kind(one.data_set) and one.sha256:
            names = reading.distinct(reading.farm_ids(portfolio.root, one.inside)).alias("name").to_frame()
            if one.rows and names.is_empty():
                unread.add(one.data_set)
            number = pl.lit(numbers[one.partition], pl.UInt32).alias("part")
            found.append(names.select(number, "name", pl.lit(one.data_set == "farm").alias("own")))
    return pl.concat(found).group_by("part", "name").agg(pl.col("own").any()), frozenset(unread)


def lacking(portfolio: layout.Portfolio) -> tuple[str, ...]:
    """Return the data sets of which rows may be missing for any farm, whichever partition they are missing from.

    Whose rows a lost file held nobody can tell: they may be of a farm that is judged elsewhere.
    """
    lost = {name for name, _ in portfolio.lacking}
    # The files of an only partition tell of themselves where they are read.
    unread = _seen(portfolio)[1] if len(portfolio.partitions) > 1 else ()
    return tuple(sorted(lost.union(unread)))


def spread(portfolio: layout.Portfolio) -> Mapping[str, tuple[layout.Partition, ...]]:
    """Return the farms that lie in several partitions, the one first in which they are judged."""
    parts = list(portfolio.partitions)
    elsewhere = moved(portfolio).filter(pl.col("part") != pl.col("home"))
    found: dict[str, tuple[layout.Partition, ...]] = {}
    for part, home, farm in elsewhere.select("part", "home", "farm").unique().sort(pl.all()).iter_rows():
        found[farm] = (*found.get(farm, (parts[home],)), parts[part])
    return found


def batches(portfolio: layout.Portfolio, partition: layout.Partition, units: int = UNITS) -> list[Batch]:
    """Return the batches of farms in which a partition is judged, about so many units in each."""
    paths = [(one.data_set, one.inside) for one in portfolio.partitions[partition]]
    borders = _farm_ranges(portfolio.root, paths, units=units)
    if borders == [(None, None)] and len(portfolio.partitions) == 1:
        return [Batch(reading.Farms())]
    return [batch(portfolio, partition, *ends) for ends in borders]


def batch(portfolio: layout.Portfolio, partition: layout.Partition, least: str | None, below: str | None) -> Batch:
    """Return the batch of the farms between two names."""
    parts = list(portfolio.partitions)
    number = parts.index(partition)
    elsewhere = moved(portfolio)
    within = reading.Farms(least, below)
    away = tuple(elsewhere.filter((pl.col("part") == number) & within.meant(pl.col("name")))["name"])
    mine = elsewhere.filter((pl.col("home") == number) & within.meant(pl.col("farm")))
    also = tuple(mine.filter(pl.col("part") == number)["name"])
    guests = [
        reading.Guest(one.data_set, one.inside, tuple(rows["name"]))
        for (part,), rows in mine.filter(pl.col("part") != number).partition_by("part", as_dict=True).items()
        for one in portfolio.partitions[parts[part]]
    ]
    return Batch(reading.Farms(least, below, also, away), tuple(guests))


def inputs(portfolio: layout.Portfolio, partition: layout.Partition) -> tuple[tuple[layout.DataFile, ...], str]:
    """Return every file that a partition is made of, and a hash of the names that are judged elsewhere; "" for none."""
    own = portfolio.partitions[partition]
    if len(portfolio.partitions) == 1:
        return own, ""
    number = list(portfolio.partitions).index(partition)
    told = moved(portfolio).filter((pl.col("part") == number) | (pl.col("home") == number))
    others = {one.inside for one in batch(portfolio, partition, None, None).guests}
    guests = tuple(one for one in portfolio.files if one.inside in others)
    return (*own, *guests), sha256(repr(told.rows()).encode()).hexdigest() if told.height else ""


_OTHER_DATA: Final = frozenset({layout.INCOMPLETE, layout.PROBLEM, HELD, *CUSTODY})
"""Data sets beside those of the kinds of record."""
_UNREAD: Final = "unread_file"
"""Data set, of every job's result, of the files that could not be read."""
BESIDE: Final = 2
"""Batches that are done at once: two fill the cores that one leaves idle, and more would only fill the memory."""

Item = TypeVar("Item")
Judge = Callable[[FrameBook], Mapping[str, pl.DataFrame]]
"""What a job does with the records of whole farms: frames by data set."""


@dataclass(frozen=True, slots=True)
class Done:
    """What came of a job."""

    made: tuple[layout.Partition, ...]  # partitions that were computed now
    stood: tuple[layout.Partition, ...]  # partitions that were there already, of the same input
    problems: tuple[Problem, ...]  # of the portfolio as a whole, and of files that could not be read
    rows: Mapping[str, int] = field(default_factory=dict)  # rows by data set, of all partitions


def open_portfolio(root: Path) -> layout.Portfolio:
    """Look through the files of a portfolio, hash them and hold them against the manifest.

    Raises:
        ProblemsError: there is none, or some data sets lie in partitions and others do not.
    """
    if not root.is_dir():
        cause = "There is no such folder."
        raise ProblemsError([Problem(Place(str(root)), cause, "Name the folder of a portfolio.", code="no_portfolio")])
    found: list[layout.DataFile] = []
    problems: list[Problem] = []
    for data_set, inside in layout.files(root):
        try:
            found.append(layout.data_file(root, data_set, inside))
        except ValueError as wrong:
            # Its rows are unknown; reading it tells of it again, and spoils what rests on it.
            found.append(layout.DataFile(inside.as_posix(), data_set, 0, ""))
            problems.append(layout.unreadable(inside, str(wrong), "Get it again."))
    if not found:
        cause = "No Parquet files are here."
        remedy = "Make a portfolio with `provender portfolio export BOOKS... --to DIR`."
        raise ProblemsError([Problem(Place(str(root)), cause, remedy, code="no_portfolio")])
    problems += _strangers(found)
    manifest, told = layout.read_manifest(root)
    more, lacking = layout.held_against(manifest, found) if manifest else ([], set())
    return layout.Portfolio(root, tuple(found), (*problems, *told, *more), frozenset(lacking))


def _strangers(found: Sequence[layout.DataFile]) -> list[Problem]:
    records = [one for one in found if layout.is_kind(one.data_set)]
    loose = [one for one in records if not layout.partitioned(Path(one.path))]
    if loose and len(loose) < len(records):
        cause = (
            f"The file lies in no partition; {records[0].path if records[0] not in loose else records[-1].path} does."
        )
        remedy = "Put every data set under harvest_year=.../state=..., or none."
        raise ProblemsError([Problem(Place(one.path), cause, remedy, code="no_partition") for one in loose])
    return [
        Problem(Place(one.path), "No record is called so; the file is not read.",
                "Name its folder after a kind of record (`provender template --list`).", code="unknown_data_set")
        for one in found
        if not layout.is_kind(one.data_set) and one.data_set not in _OTHER_DATA
    ]  # fmt: skip


def read_records(portfolio: layout.Portfolio, kind: str, columns: Sequence[str]) -> pl.DataFrame:
    """Return some columns of a kind from the files that are Parquet, typed; see ``reading.read_columns``."""
    found = [one.inside for one in portfolio.parquet(kind)]
    return reading.read_columns(portfolio.root, found, KINDS[kind], columns)


def read_batch(portfolio: layout.Portfolio, partition: layout.Partition, batch: Batch) -> FrameBook:
    paths = [(one.data_set, one.inside) for one in portfolio.partitions[partition]]
    return reading.read_farms(portfolio.root, paths, batch.farms, lacking=lacking(portfolio), guests=batch.guests)


def run(
    job: str, portfolio: layout.Portfolio, judge: Judge, out: Path, *, options: Mapping[str, str] | None = None,
    units: int = UNITS,
) -> Done:  # fmt: skip
    """Run a job on this machine, batch by batch; partitions that stand are left as they are.

    Args:
        job: its name.
        portfolio: what to read.
        judge: what to do with the records of whole farms.
        out: folder of the result; partitions lie in it as ``harvest_year=.../state=.../DATA_SET-NUMBER.parquet``.
        options: what else decides the result, for the lineage.
        units: management units read at once.

    Raises:
        ProblemsError: the folder is of another result, or of the portfolio itself; see ``take_folder``.
    """
    layout.take_folder(job, portfolio, out)
    wanted = {partition: wanted_lineage(job, portfolio, partition, options) for partition in portfolio.partitions}
    made = [partition for partition, of in wanted.items() if not layout.stands(out / partition.folder, of)]
    # Beside each other: partitions where there are several, else the batches of the only one; never more than so many.
    across = min(BESIDE, len(made))

    def whole(partition: layout.Partition) -> None:
        with layout.whole_folder(out / partition.folder) as aside:
            _batches(portfolio, partition, judge, aside, units=units, beside=1 if across > 1 else BESIDE)
            (aside / layout.LINEAGE_NAME).write_text(wanted[partition].as_json(), encoding="utf-8")

    _each(whole, made, across)
    return finish(portfolio, out, made, [partition for partition in wanted if partition not in made])


def _batches(
    portfolio: layout.Portfolio, partition: layout.Partition, judge: Judge, folder: Path, *, units: int, beside: int
) -> None:
    """Do a partition batch by batch, so many beside each other."""

    def batch(numbered: tuple[int, Batch]) -> None:
        number, one = numbered
        write_batch(folder, number, judged(judge, read_batch(portfolio, partition, one)))

    _each(batch, list(enumerate(batches(portfolio, partition, units))), beside)


def _each(work: Callable[[Item], None], items: Sequence[Item], beside: int) -> None:
    """Do something with each item, so many at a time; the first failure ends it, and what waits is not begun.

    Polars leaves the interpreter's lock while it works: while one batch is in Python, another is not.
    """
    if beside <= 1 or len(items) <= 1:
        for item in items:
            work(item)
        return
    with ThreadPoolExecutor(beside) as pool:
        begun = [pool.submit(work, item) for item in items]
        try:
            for one in begun:
                one.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def wanted_lineage(
    job: str, portfolio: layout.Portfolio, partition: layout.Partition, options: Mapping[str, str] | None = None
) -> layout.Lineage:
    """Return the lineage that a partition of a result has when it was made of what is there now."""
    lost = " ".join(lacking(portfolio))
    files, elsewhere = inputs(portfolio, partition)
    also = {"elsewhere": elsewhere} if elsewhere else {}
    return layout.lineage(job, files, {**(options or {}), **also, "lacking": lost})


def judged(judge: Judge, book: FrameBook) -> dict[str, pl.DataFrame]:
    """Return what a job makes of the records of whole farms, and beside it the files that could not be read.

    Their farms are judged without credit, so whichever job it is must tell why.
    """
    return {_UNREAD: problem_frame(one for one in book.problems if one.code == UNREADABLE), **judge(book)}


def finish(
    portfolio: layout.Portfolio, out: Path, made: Sequence[layout.Partition], stood: Sequence[layout.Partition]
) -> Done:
    """Write what is wrong with the portfolio as a whole beside the partitions of a result; return what came of it.

    A partition of an earlier run whose input is there no longer goes: what moved would else be counted twice. It is of
    the same job and portfolio, since the folder is (``layout.take_folder``).
    """
    wanted = {out / partition.folder for partition in portfolio.partitions}
    for folder in layout.partitions_in(out):
        if folder not in wanted:
            shutil.rmtree(folder)
    problem_frame(portfolio.problems).write_parquet(out / "portfolio_problem.parquet")
    unread = read_result(out, _UNREAD).collect()
    problems = dict.fromkeys((*portfolio.problems, *(problems_in(unread) if unread.height else ())))
    return Done(tuple(made), tuple(stood), tuple(problems), counts(out))


def write_batch(folder: Path, number: int, frames: Mapping[str, pl.DataFrame]) -> None:
    """Write what came of a batch of farms into the folder of its partition."""
    for data_set, frame in frames.items():
        if frame.height:
            frame.write_parquet(folder / f"{data_set}-{number:05}.parquet")


def result_files(out: Path, data_set: str) -> list[Path]:
    """Return the files of one data set of a result, in order."""
    return [path for path in sorted(out.glob(f"*/*/{data_set}-*.parquet")) if not layout.unfinished(path, out)]


def read_result(out: Path, data_set: str) -> pl.LazyFrame:
    """Return one data set of a result, words as text; an empty one where nothing came of it."""
    found = result_files(out, data_set)
    if not found:
        return pl.LazyFrame()
    # One by one: parts made with another list of words stand as texts or under other numbers.
    return pl.concat([_as_text(pl.scan_parquet(file, hive_partitioning=False)) for file in found])


def _as_text(rows: pl.LazyFrame) -> pl.LazyFrame:
    schema = rows.collect_schema().items()
    coded = [name for name, of in schema if isinstance(of, pl.List) and isinstance(of.inner, pl.Enum)]
    return rows.with_columns(pl.col(coded).cast(pl.List(pl.String))) if coded else rows


def counts(out: Path) -> dict[str, int]:
    """Return the rows of each data set of a result."""
    names = sorted(
        {path.stem.rpartition("-")[0] for path in out.glob("*/*/*-*.parquet") if not layout.unfinished(path, out)}
    )
    return {name: read_result(out, name).select(pl.len()).collect().item() for name in names}
