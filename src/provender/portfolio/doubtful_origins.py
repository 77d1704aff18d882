"""Which origins among a hundred million claims need a closer look: names become numbers as the claims are read.

A claim is five numbers then: its transfer (the origin's code in the upper bits, so that one sort brings together both
what was told twice and what is of one origin), its range, giver and taker. Parts of whole origins lie on disk, and each
is summed up over sorted range ends (``custody.queries.double_claims``). Two transfers that share a
number and are not the same leave a doubt, which is looked at by names; and nobody can choose names that share one, as
the seed is drawn by the process that searches.

Numbers of one search must come from one seed and one coding, which is Polars' own and may change with its version. On
this machine one process makes them all; where several do, ``coding`` tells whether they are of one.
"""

from collections.abc import Iterator
from datetime import date
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import polars as pl

from provender.custody.queries.double_claims import SEED, day_of_order, party_number, suspects_by_number, too_soon

PART: Final = 2_000_000
"""Claims looked at at once. Half as many make twice as many files, whose writing grows faster than what they hold."""
_GATHERED: Final = 20_000
"""Rows of a part that are gathered before they are written. All parts gather at once, and memory that is given back in
between is asked for again page by page: ten times as many rows took three times as many pages. Codes of names are as
good as drawn at random, so that packing them takes time and saves nothing."""
TRANSFER_ONE: Final = 2**30
"""Of a transfer's number, what is below tells the transfers of one origin apart; what is above is the origin's code."""
_TOLD: Final = ("start", "stop", "giver", "taker")
_TRANSFER: Final = ("origin", "start", "stop", "giver", "taker", "key")


def code(name: str, seed: int = SEED) -> pl.Expr:
    """Return the code of the origin in a column: few of ten million share one with another."""
    return pl.col(name).hash(seed).floordiv(TRANSFER_ONE)


def part_of(name: str, parts: int, seed: int = SEED) -> pl.Expr:
    """Return the part of the origin in a column."""
    return (pl.col(name).hash(seed) % max(parts, 1)).cast(pl.UInt32)


@cache
def coding(seed: int = SEED) -> str:
    """Return Polars' version and what the numbers of some claims come to here: equal where names get equal numbers."""
    names = ["", "O1", "Prairie Königreich", "a name of more than sixteen letters", "of many letters " * 20]
    # One claim for each name in each place, beside the others, so that texts of every length are in every number.
    rows = [
        {"origin": name, "start": place, "stop": 2**33 + place, "giver": names[place - 1], "taker": names[place - 2],
         "key": names[place - 3], "source": names[place - 4], "kind": "sale", "day": date(2026, 1, 1)}
        for place, name in enumerate(names)
    ]  # fmt: skip
    numbers = numbered(pl.LazyFrame(rows), 7, seed).collect()
    return f"{pl.__version__} {sha256(repr(numbers.rows()).encode()).hexdigest()[:16]}"


def doubtful(claims: pl.LazyFrame, origins: pl.LazyFrame, *, part: int = PART, count: int | None = None) -> pl.Series:
    """Return the codes of origins whose claims do not obviously form one chain, each once.

    A transfer told alike by several sources counts once. One that a source tells twice is a doubt by itself, and one
    that two sources cut differently leaves a sum: both are looked at closer.

    Args:
        claims: rows of ``custody.CLAIM``.
        origins: rows of ``custody.ORIGIN``.
        part: claims looked at at once.
        count: how many claims there are at most; counted where nobody knows.
    """
    count = claims.select(pl.len()).collect().item() if count is None else count
    parts = -(-count // part)
    known = origins.filter(pl.col("root").is_not_null())
    which = part_of("origin", parts).alias("part")
    roots = known.select(which, code("origin").alias("code"), party_number("root")).collect(engine="streaming")
    # Divided once: looking through all of them for each part would take the square of what there is.
    of_parts, none = roots.partition_by("part", as_dict=True, include_key=False), roots.clear().drop("part")
    del roots
    with TemporaryDirectory(prefix="provender-claims-") as folder:
        found = [
            of_part(rows, of_parts.get((number,), none).unique("code", keep="any"))
            for number, rows in _parts(numbered(claims, parts), parts, Path(folder))
        ]
    return pl.concat(found).unique() if found else pl.Series("code", [], pl.UInt64)


def numbered(claims: pl.LazyFrame, parts: int, seed: int = SEED) -> pl.LazyFrame:
    """Return claims as numbers: ``part``, ``transfer``, and from ``start`` to ``day`` as ``custody.CLAIM`` has them."""
    transfer = code("origin", seed) * TRANSFER_ONE + pl.struct(_TRANSFER).hash(seed) % TRANSFER_ONE
    return claims.select(
        part_of("origin", parts, seed).alias("part"), transfer.alias("transfer"), "start", "stop",
        party_number("giver", seed), party_number("taker", seed), pl.col("source").hash(seed).alias("source"),
        day_of_order(),
    )  # fmt: skip


def _parts(rows: pl.LazyFrame, count: int, folder: Path) -> Iterator[tuple[int, pl.DataFrame]]:
    """Yield number and claims of each part of whole origins; several lie on disk meanwhile."""
    if count <= 1:
        yield 0, rows.drop("part").collect(engine="streaming")
        return
    rows.sink_ipc(
        pl.PartitionBy(folder, key="part", include_key=False), mkdir=True, compression="uncompressed",
        record_batch_size=_GATHERED,
    )  # fmt: skip
    for inside in sorted(folder.iterdir()):
        found = pl.scan_ipc(sorted(one for one in inside.rglob("*") if one.is_file()), hive_partitioning=False)
        yield int(inside.name.rpartition("=")[2]), found.collect()


def of_part(rows: pl.DataFrame, roots: pl.DataFrame) -> pl.Series:
    """Return the codes of the doubtful origins of a part; ``roots``: ``code`` and ``root`` of the origins that have."""
    if rows.is_empty():
        return pl.Series("code", [], pl.UInt64)
    ordered = rows.sort("transfer")
    again = (pl.col("transfer") == pl.col("transfer").shift(1)).fill_null(value=False)
    unlike = again & pl.any_horizontal(pl.col(name) != pl.col(name).shift(1) for name in _TOLD)
    origin = (pl.col("transfer") // TRANSFER_ONE).alias("code")
    once = _earliest(ordered, again).select(origin, "start", "stop", "giver", "taker", "day")
    begins = (pl.col("code") != pl.col("code").shift(1)).fill_null(value=False)
    once = once.with_columns(begins.cum_sum().cast(pl.Int64).alias("origin"))
    codes = once.select("origin", "code").unique("origin", keep="first", maintain_order=True)
    known = codes.join(roots, on="code").select("origin", "root")
    wrong = pl.concat([suspects_by_number(once, known)["origin"], too_soon(once)["origin"]]).unique()
    not_alike = ordered.filter(unlike).select(origin)["code"]
    return pl.concat([codes["code"].gather(wrong), not_alike, _told_twice(ordered, origin)])


def _earliest(ordered: pl.DataFrame, again: pl.Expr) -> pl.DataFrame:
    """Return each transfer once, with the earliest day that a source has, as ``double_claims.counted_once`` counts it.

    One that undoes another somewhere has no day. Days differ for few of many million, so only those are looked at.
    """
    apart = again & pl.col("day").ne_missing(pl.col("day").shift(1))
    late = ordered.filter(apart)["transfer"].unique()
    once = ordered.filter(~again)
    if late.is_empty():
        return once
    dated = pl.when(pl.col("day").is_not_null().all()).then(pl.col("day").min()).alias("earliest")
    rows = ordered.filter(pl.col("transfer").is_in(late.implode())).group_by("transfer").agg(dated)
    day = pl.when(pl.col("transfer").is_in(late.implode())).then(pl.col("earliest")).otherwise(pl.col("day"))
    return once.join(rows, on="transfer", how="left", maintain_order="left").with_columns(day.alias("day"))


def _told_twice(ordered: pl.DataFrame, origin: pl.Expr) -> pl.Series:
    """Return the codes of origins of which one source tells a transfer twice."""
    same = [(pl.col("transfer") == pl.col("transfer").shift(by)).fill_null(value=False) for by in (1, 2)]
    pair = same[0] & (pl.col("source") == pl.col("source").shift(1))
    # Two that tell a transfer lie beside each other; among three or more the source may lie further away.
    several = ordered.filter(same[1])["transfer"].unique()
    rows = ordered.filter(pl.col("transfer").is_in(several.implode())) if several.len() else ordered.clear()
    apart = rows.group_by("transfer", "source").len().filter(pl.col("len") > 1)
    return pl.concat([ordered.filter(pair).select(origin)["code"], apart.select(origin)["code"]])
