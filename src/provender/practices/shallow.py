"""Passes whose typed depth is below the least that is published for their operation: each is named by its row."""

import polars as pl

from provender.catalog.names import at_once, with_folded
from provender.catalog.operations import operations_frame
from provender.exact import show
from provender.practices.known_by import LOGGED
from provender.problem import Place, Problem, Weight


def shallow_passes(operations: pl.DataFrame) -> pl.DataFrame:
    """Return the passes whose depth counts only with evidence, which they lack (interpretation 10).

    One row per pass: the record's columns, and ``depth_in_min`` in thousandths. Zero is no depth, and stays out.
    """
    listed = operations_frame().lazy().select("operation_key", "depth_in_min")
    typed = operations.filter(
        (pl.col("depth_in") > 0)
        & ~pl.col("evidenced")
        & ~pl.col("known_by").cast(pl.String).is_in(LOGGED).fill_null(value=False)
    )
    return at_once(
        with_folded(typed, "operation", "operation_key")
        .lazy()
        .join(listed, on="operation_key", how="inner", maintain_order="left")
        .filter(pl.col("depth_in") < pl.col("depth_in_min"))
    )


def shallow_problems(operations: pl.DataFrame) -> list[Problem]:
    """Tell of each such pass where it stands, and what would let its depth count."""
    found = []
    for row in shallow_passes(operations).iter_rows(named=True):
        place = Place(row["source_file"] or "operation", row["source_sheet"] or "", row["source_row"] or 0, "depth_in")
        cause = f"{row['operation_id']} on {row['unit_id']}: {show(row['depth_in'])} in is shallower than "
        cause += f"{show(row['depth_in_min'])} in, the least that is published for {row['operation']!r}."
        remedy = "Correct the depth, or add evidence for it; until then the published depth counts."
        found.append(Problem(place, cause, remedy, "2100.051(c)(3)", Weight.NOTE, "shallow_pass"))
    return found
