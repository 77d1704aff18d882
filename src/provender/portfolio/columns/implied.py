"""Passes that other records prove, each held against the nearest pass of its unit that can have done it.

Which work each method takes is said in ``standards.season``.
"""

from collections.abc import Mapping
from typing import Final

import polars as pl

from provender.catalog.materials import GAS_N_PCT
from provender.catalog.tables import DRIVEN_OVER, SEEDING
from provender.portfolio.columns.intervals import position
from provender.standards.season import ENDED, PLANTED, PUT_ON, SOWN
from provender.standards.unit import Work

_FAR: Final = 10_000
"""Days to the next pass where there is none."""
_Way = tuple[tuple[str, ...], bool]
"""Groups of the operations list that can have done it, and whether only by tools that reach into the soil."""
_WHERE: Final = position(pl.col("unit_key"), pl.col("day")).alias("at")


def implied_facts(
    operations: pl.DataFrame, applications: pl.DataFrame, covers: pl.DataFrame, plantings: pl.DataFrame, days: int
) -> pl.DataFrame:
    """Count per interval what lacks its pass within so many days, and the plantings that have one, listed or not.

    A row that does not say how may have been done by any work; a gas goes into the ground whatever its row says.
    """
    # What is banded may have been put on in any way, what is injected went into the ground.
    how = pl.col("method").cast(pl.String).fill_null("banded").replace("other", "banded")
    gas = (pl.col("n_pct") > GAS_N_PCT) & (how != "fertigation")
    put_on = pl.when(gas).then(pl.lit("injected")).otherwise(how)
    sown = pl.col("method").cast(pl.String).fill_null("unsaid").replace("other", "unsaid")
    ended = pl.col("termination_method").cast(pl.String)
    asked = [
        (plantings, "planted_on", {_way(PLANTED): ["planted"]}, pl.lit("planted")),
        (covers, "seeded_on", _by_way({**SOWN, "unsaid": (Work("seeded", SEEDING),)}), sown),
        (covers, "terminated_on", _by_way(ENDED), ended),
        (applications, "day", _by_way(PUT_ON), put_on),
    ]
    parts = []
    for number, (rows, day, ways, method) in enumerate(asked):
        for way, methods in ways.items() if rows.height else ():
            such = rows.lazy().filter(method.is_in(methods), pl.col("interval_key").is_not_null())
            wanted = such.select("interval_key", "unit_key", pl.col(day).alias("day")).collect()
            if wanted.height:
                lacks = _days_to_pass(wanted, operations, way) > days
                parts.append(wanted.select("interval_key", pl.lit(number == 0).alias("planting"), lacks.alias("lacks")))
    schema = {"interval_key": pl.UInt32, "planting": pl.Boolean, "lacks": pl.Boolean}
    found = pl.concat(parts) if parts else pl.DataFrame(schema=schema)
    return found.group_by("interval_key").agg(
        pl.col("lacks").sum().cast(pl.Int32).alias("passes_missing"),
        (pl.col("planting") & ~pl.col("lacks")).sum().cast(pl.Int32).alias("passes_of_plantings"),
    )


def _way(work: Work) -> _Way:
    return work.groups, work.in_soil


def _by_way(table: Mapping[str | None, tuple[Work, ...]]) -> dict[_Way, list[str]]:
    """Return the methods that ask for each way of working."""
    ways: dict[_Way, list[str]] = {}
    for method, works in table.items():
        for work in works:
            ways.setdefault(_way(work), []).append(method or "")
    return ways


def _days_to_pass(wanted: pl.DataFrame, operations: pl.DataFrame, way: _Way) -> pl.Series:
    """Return the days to the pass nearest in time on the same unit that can have done it; far where there is none."""
    groups, deep = way
    in_soil = pl.lit(value=True) if not deep else pl.col("published_stir") > DRIVEN_OVER
    fits = pl.col("op_group").is_null() | (pl.col("op_group").is_in(groups) & in_soil)
    passes = operations.lazy().filter(fits & pl.col("day").is_not_null()).select(_WHERE).collect()["at"].sort()
    if passes.is_empty():
        return pl.Series([_FAR]).new_from_index(0, wanted.height)
    at = wanted.select(_WHERE)["at"]
    after = passes.search_sorted(at.fill_null(0), side="left")
    # Another unit lies further off than any day.
    to_last = (at - passes.gather((after.cast(pl.Int64) - 1).clip(0))).abs()
    to_next = (passes.gather(after.clip(0, passes.len() - 1)) - at).abs()
    return to_last.zip_with(to_last < to_next, to_next).fill_null(_FAR)
