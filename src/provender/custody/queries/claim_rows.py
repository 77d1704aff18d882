"""Claims in columns, as a search runs over them, and each transfer counted once.

Apart from the claims themselves, since whoever only reads a book needs no columns, and what makes them takes as long to
begin as all the rest.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import polars as pl

from provender.custody.model.lots import layers
from provender.custody.queries.claims import Claim

SCHEMA: Final[Mapping[str, pl.DataType | type[pl.DataType]]] = {
    "source": pl.UInt32,
    "kind": pl.String,
    "key": pl.String,
    "origin": pl.String,
    "start": pl.Int64,
    "stop": pl.Int64,
    "giver": pl.String,
    "taker": pl.String,
    "day": pl.Date,
}


def frame(claims: Iterable[Claim]) -> pl.DataFrame:
    """Return claims as a frame; see ``SCHEMA``."""
    columns = zip(*claims, strict=True)  # sooner read than rows
    return pl.DataFrame(dict(zip(SCHEMA, map(list, columns), strict=False)), schema=dict(SCHEMA))


_TRANSFER: Final = ("origin", "giver", "taker", "key")
_ROW: Final = ("origin", "start", "stop", "giver", "taker", "day", "kind", "key")


def counted_once(claims: pl.DataFrame) -> pl.DataFrame:
    """Return claims with each transfer once, however many sources tell of it; columns as ``SCHEMA`` without source.

    Two books may have cut the same transfer differently, so the sources are held together serial by serial: a serial
    counts as often as the one source says that has it most often.
    """
    sources = claims.group_by(_TRANSFER).agg(pl.col("source").n_unique().alias("sources"))
    marked = claims.join(sources, on=_TRANSFER, how="left")
    alone = marked.filter(pl.col("sources") == 1).select(_ROW)
    shared = marked.filter(pl.col("sources") > 1).partition_by(_TRANSFER, maintain_order=True)
    rows = [row for one in shared for row in _most(one)]
    return pl.concat([alone, pl.DataFrame(rows, schema={name: SCHEMA[name] for name in _ROW}, orient="row")])


def _most(one: pl.DataFrame) -> Iterator[tuple[object, ...]]:
    """Return the rows of one transfer, each serial as often as the source says that has it most often."""
    rows = [(row["start"], row["stop"], row) for row in one.iter_rows(named=True)]
    first = rows[0][2]
    # A sale may come back in parts on several days: each serial has the day of its own rows.
    for start, stop, here in layers(rows):
        day, kind = min(row["day"] for row in here), min(row["kind"] for row in here)
        for _ in range(max(Counter(row["source"] for row in here).values())):
            yield first["origin"], start, stop, first["giver"], first["taker"], day, kind, first["key"]
