"""In which partition a farm is judged: in one, with all its rows, wherever other programs put them.

Whoever partitions row by row, by the year or State of a row, spreads a farm over several partitions; judged in each it
would lack in each what lies in the other. So a farm is judged in the newest partition that has its farm record, with
its rows from all of them. The same holds for rows under a name that is the farm's but for blanks, case, width or
letters that look alike: they go where the farm is, and are told (``spelling.spelled_otherwise``).
"""

from collections.abc import Mapping
from functools import lru_cache
from hashlib import sha256
from typing import Final, NamedTuple

import polars as pl

from provender.portfolio import layout
from provender.portfolio.batches import UNITS, farm_ranges
from provender.portfolio.layout import Partition
from provender.portfolio.manifest import DataFile
from provender.portfolio.on_disk import Portfolio
from provender.portfolio.reading import Farms, Guest, farm_ids
from provender.portfolio.spelling import alike, distinct, tidy

_SEEN: Final = {"part": pl.UInt32, "name": pl.String, "own": pl.Boolean}


class Batch(NamedTuple):
    """Some farms of a partition: which rows of its files, and which files of others hold rows of theirs."""

    farms: Farms
    guests: tuple[Guest, ...] = ()


@lru_cache(maxsize=8)
def moved(portfolio: Portfolio) -> pl.DataFrame:
    """Return the names whose rows in a partition are judged elsewhere, or under another name.

    Returns:
        ``part`` and ``home``, the numbers of partitions in their order; ``name`` as it is written, ``farm`` as it is
        meant.
    """
    parts = list(portfolio.partitions)
    seen, _ = _seen(portfolio)
    farms = seen.select("name").unique().with_columns(tidy(pl.col("name")).alias("farm"))
    known = seen.filter("own").join(farms, on="name").select("farm").unique()
    like = known.with_columns(alike(pl.col("farm")).alias("like")).group_by("like").agg(pl.col("farm").min())
    strangers = farms.join(known, on="farm", how="anti").with_columns(alike(pl.col("farm")).alias("like"))
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
def _seen(portfolio: Portfolio) -> tuple[pl.DataFrame, frozenset[str]]:
    """Return the names of farms in the records of each partition, and the data sets of files that name nobody.

    ``own``: the partition has a farm record of that name.
    """
    found = [pl.DataFrame(schema=_SEEN)]
    unread = {one.data_set for one in portfolio.files if not one.sha256}
    numbers = {partition: number for number, partition in enumerate(portfolio.partitions)}
    for one in portfolio.files:
        if layout.is_kind(one.data_set) and one.sha256:
            names = distinct(farm_ids(portfolio.root, one.inside)).alias("name").to_frame()
            if one.rows and names.is_empty():
                unread.add(one.data_set)
            number = pl.lit(numbers[one.partition], pl.UInt32).alias("part")
            found.append(names.select(number, "name", pl.lit(one.data_set == "farm").alias("own")))
    return pl.concat(found).group_by("part", "name").agg(pl.col("own").any()), frozenset(unread)


def lacking(portfolio: Portfolio) -> tuple[str, ...]:
    """Return the data sets of which rows may be missing for any farm, whichever partition they are missing from.

    Whose rows a lost file held nobody can tell: they may be of a farm that is judged elsewhere.
    """
    lost = {name for name, _ in portfolio.lacking}
    # The files of an only partition tell of themselves where they are read.
    unread = _seen(portfolio)[1] if len(portfolio.partitions) > 1 else ()
    return tuple(sorted(lost.union(unread)))


def spread(portfolio: Portfolio) -> Mapping[str, tuple[Partition, ...]]:
    """Return the farms that lie in several partitions, the one first in which they are judged."""
    parts = list(portfolio.partitions)
    elsewhere = moved(portfolio).filter(pl.col("part") != pl.col("home"))
    found: dict[str, tuple[Partition, ...]] = {}
    for part, home, farm in elsewhere.select("part", "home", "farm").unique().sort(pl.all()).iter_rows():
        found[farm] = (*found.get(farm, (parts[home],)), parts[part])
    return found


def batches(portfolio: Portfolio, partition: Partition, units: int = UNITS) -> list[Batch]:
    """Return the batches of farms in which a partition is judged, about so many units in each."""
    paths = [(one.data_set, one.inside) for one in portfolio.partitions[partition]]
    borders = farm_ranges(portfolio.root, paths, units=units)
    if borders == [(None, None)] and len(portfolio.partitions) == 1:
        return [Batch(Farms())]
    return [batch(portfolio, partition, *ends) for ends in borders]


def batch(portfolio: Portfolio, partition: Partition, least: str | None, below: str | None) -> Batch:
    """Return the batch of the farms between two names."""
    parts = list(portfolio.partitions)
    number = parts.index(partition)
    elsewhere = moved(portfolio)
    within = Farms(least, below)
    away = tuple(elsewhere.filter((pl.col("part") == number) & within.meant(pl.col("name")))["name"])
    mine = elsewhere.filter((pl.col("home") == number) & within.meant(pl.col("farm")))
    also = tuple(mine.filter(pl.col("part") == number)["name"])
    guests = [
        Guest(one.data_set, one.inside, tuple(rows["name"]))
        for (part,), rows in mine.filter(pl.col("part") != number).partition_by("part", as_dict=True).items()
        for one in portfolio.partitions[parts[part]]
    ]
    return Batch(Farms(least, below, also, away), tuple(guests))


def inputs(portfolio: Portfolio, partition: Partition) -> tuple[tuple[DataFile, ...], str]:
    """Return every file that a partition is made of, and a hash of the names that are judged elsewhere; "" for none."""
    own = portfolio.partitions[partition]
    if len(portfolio.partitions) == 1:
        return own, ""
    number = list(portfolio.partitions).index(partition)
    told = moved(portfolio).filter((pl.col("part") == number) | (pl.col("home") == number))
    others = {one.inside for one in batch(portfolio, partition, None, None).guests}
    guests = tuple(one for one in portfolio.files if one.inside in others)
    return (*own, *guests), sha256(repr(told.rows()).encode()).hexdigest() if told.height else ""
