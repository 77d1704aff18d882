"""A partition cut into batches of whole farms, so that what is read at once stays small however large it is."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final

import polars as pl

from provender.portfolio.reading import farm_ids

UNITS: Final = 100_000
"""Management units read at once: larger batches gain nothing."""

Borders = tuple[str | None, str | None]


def farm_ranges(root: Path, files: Iterable[tuple[str, Path]], *, units: int = UNITS) -> Sequence[Borders]:
    """Return borders of farm identifiers between which about so many units lie; together they leave no farm out.

    A giant farm is a batch by itself. Files of units that cannot be read are passed over here: reading tells of them.
    """
    counts: list[pl.DataFrame] = []
    for data_set, inside in files:
        if data_set != "unit":
            continue
        counts.append(farm_ids(root, inside).to_frame().group_by("farm_id").len())
    if not counts or sum(one["len"].sum() for one in counts) <= units:
        return [(None, None)]
    farms = pl.concat(counts).drop_nulls().group_by("farm_id").agg(pl.col("len").sum()).sort("farm_id")
    batch = (pl.col("len").cum_sum() - pl.col("len")) // units
    firsts = farms.with_columns(batch.alias("batch")).group_by("batch", maintain_order=True).first()["farm_id"]
    borders = [None, *firsts.to_list()[1:], None]
    return list(pairwise(borders))
