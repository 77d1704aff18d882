"""Days of a crop interval before the producer had control of the unit (2100.031(c)(3)(i), interpretation 68).

A producer cannot say of days before their own control that a list is whole. The predecessor's statement, machine logs
or imagery can; the ``control`` record names such a file.
"""

from typing import Final

import polars as pl

from provender.practices import verdict as v
from provender.practices.evidence_links import evidence_states, links
from provender.practices.prepared_book import PreparedBook
from provender.practices.requirement import Gap
from provender.rule.law import RuleVersion

PROOFS: Final = ("form", "contract", "machine_file", "map", "photograph", "usda_record")
CONTROL: Final = ("control", "producer")
"""What says since when a producer has control: a row of these that nobody can read may be the one that says it."""
NOT_IN_CONTROL: Final = Gap(
    "control.evidence (the predecessor's statement, machine logs or imagery for the days before control began)",
    pl.col("control_open"),
)


def control_facts(loaded: PreparedBook, law: RuleVersion) -> pl.DataFrame:
    """Return the intervals with days before the producers' control that nothing else shows: ``control_open``."""
    if loaded.book["control"].is_empty() or (since := _since(loaded)).is_empty():
        return pl.DataFrame(schema={"interval_key": pl.UInt32, "control_open": pl.Boolean})
    spoken = pl.col("control_since") - pl.duration(days=law.control_statement_days)
    shown = (pl.col("shown_on") >= v.greatest([spoken, pl.col("starts_on")])).fill_null(value=False)
    early = loaded.intervals.select("interval_key", "unit_key", "starts_on").join(since, on="unit_key", how="inner")
    open_ = (pl.col("starts_on") < pl.col("control_since")).fill_null(value=False) & ~shown
    return early.select("interval_key", open_.alias("control_open"))


def _since(loaded: PreparedBook) -> pl.DataFrame:
    """Return per unit the first day of control by a producer of the farm, and the last day that a proof is of."""
    book = loaded.book
    producers = book["producer"].filter(pl.col("operational_control").fill_null(value=False))
    rows = (
        book["control"]
        .join(producers.select("farm_id", "producer_id"), on=["farm_id", "producer_id"], how="semi")
        .with_row_index("row")
        .join(loaded.units.select("farm_id", "unit_id", "unit_key"), on=["farm_id", "unit_id"], how="inner")
    )
    proof = pl.lit(None, pl.Date).alias("shown_on")
    named = rows.filter(pl.col("evidence").is_not_null())
    if named.is_empty():
        shown = rows.select("row", proof)
    else:
        other = (pl.col("evidence_unit") != pl.col("unit_id")).fill_null(value=False)
        sound = pl.col("trouble").is_null() & pl.col("what").is_in(PROOFS) & ~other
        found = links(named.select("row", "farm_id", "unit_id", "since", "evidence"), "evidence", evidence_states(book))
        of_day = pl.coalesce("taken_on", "since")
        shown = found.filter(sound).group_by("row").agg(v.latest(of_day).alias("shown_on"))
    return (
        rows.join(shown, on="row", how="left")
        .group_by("unit_key")
        .agg(v.earliest(pl.col("since")).alias("control_since"), v.latest(pl.col("shown_on")).alias("shown_on"))
    )
