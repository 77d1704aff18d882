"""What Spark tasks do for ``portfolio claims``: names become numbers, and parts of whole origins are searched.

Found by name on the executors, as ``worker`` is; Spark knows no unsigned numbers, so they travel by their bits. What
numbers claims has the driver's coding with it, and stops where the executor has another.
"""

from collections.abc import Iterable, Iterator
from typing import Final

import polars as pl
import pyarrow as pa

from provender.custody.queries.double_claims import party_number
from provender.portfolio.doubtful_origins import TRANSFER_ONE, code, coding, numbered, of_part, part_of

NUMBERS: Final = "part long, transfer long, start long, stop long, giver long, taker long, source long, day int"
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
