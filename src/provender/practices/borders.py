"""Days of other records that contradict the end of a crop: plantings, covers, harvest passes, tickets, logs (81)."""

from typing import Final

import polars as pl

from provender.practices import verdict as v
from provender.practices.evidence_links import evidence_states, links
from provender.records.book import RecordBook
from provender.records.harvest_years import NOT_YET, TERMINATED
from provender.rule.law import latest_whole

OVER_STANDING_CROP: Final = ("interseeded", "broadcast", "aerial", "by_hand")
LOGS_OF_HARVEST: Final = ("machine_file", "ticket")
_FIRST: Final = pl.col("first_day")


def with_contradictions(
    intervals: pl.DataFrame, operations: pl.DataFrame, plantings: pl.DataFrame, covers: pl.DataFrame, book: RecordBook
) -> pl.DataFrame:
    """Add ``contradicted``: of an interval's ends and those of other records not all days can be true.

    Both ends count, and those of the stands that failed between them. Arguments are as ``PreparedBook`` has them.
    """
    same = pl.col("unit_key") == pl.col("unit_key").shift(-1)
    known = intervals.with_columns(
        pl.when(same).then(pl.col("leads_to").shift(-1)).alias("_after"),
        pl.when(same).then(pl.col("planted_on").shift(-1)).alias("_next_planted"),
        (pl.col("leads_to") != pl.col("interval_key")).alias("_fails"),
        pl.col("ending").cast(pl.String).alias("_ending"),
    )
    bad = pl.concat(
        [
            _planted_late(known, plantings, book),
            *_follows(known, plantings, covers, book),
            *_cut(known, operations),
            *_weighed(known, book),
            *_logged(known, book),
        ]
    )
    ends = pl.col("interval_key").is_in(bad.unique().implode())
    first = (pl.col("leads_to") != pl.col("leads_to").shift(1)).fill_null(value=True)
    before = first & (pl.col("unit_key") == pl.col("unit_key").shift(1)).fill_null(value=False)
    marked = intervals.with_columns(ends.alias("_bad"))
    each = marked.with_columns((pl.col("_bad") | (before & pl.col("_bad").shift(1, fill_value=False))).alias("_bad"))
    return each.with_columns((v.count_true(pl.col("_bad")).over("leads_to") > 0).alias("contradicted")).drop("_bad")


def _keys(rows: pl.DataFrame) -> pl.Series:
    return rows["interval_key"].cast(pl.UInt32)


def _near() -> pl.Expr:
    return pl.duration(days=latest_whole("implied_pass_days"))


def _planted_late(known: pl.DataFrame, plantings: pl.DataFrame, book: RecordBook) -> pl.Series:
    """Return crops planted on or after the day of their end; a failed stand's rows may mean the crop planted again."""
    entries = book["harvest"].select("farm_id", "harvest_id", pl.col("ending").cast(pl.String).alias("_own"))
    rows = plantings.select("farm_id", "harvest_id", "interval_key", "planted_on").join(
        entries, on=["farm_id", "harvest_id"], how="left"
    )
    rows = rows.join(known.select("interval_key", "first_day", "_ending"), on="interval_key")
    return _keys(rows.filter((pl.col("_own") == pl.col("_ending")) & (pl.col("planted_on") >= _FIRST)))


def _days(rows: pl.DataFrame, key: str) -> pl.DataFrame:
    """Return the days of plantings and covers by season, or by unit, that must not lie before the crop before ended."""
    drilled = ~pl.col("method").cast(pl.String).is_in(OVER_STANDING_CROP).fill_null(value=False)
    return rows.group_by(key).agg(
        v.earliest(pl.col("planted_on")).alias("_planted"),
        v.latest(pl.col("planted_on")).alias("_planted_last"),
        v.count_true(pl.col("_is_planting") & pl.col("planted_on").is_null()).alias("_undated"),
        v.earliest(pl.col("terminated_on")).alias("_ended"),
        v.earliest(pl.when(drilled).then("seeded_on")).alias("_drilled"),
    )


def _follows(
    known: pl.DataFrame, plantings: pl.DataFrame, covers: pl.DataFrame, book: RecordBook
) -> tuple[pl.Series, ...]:
    """Return crops whose end lies after a day of what followed them."""
    closed = _days(_both(plantings, covers, "interval_key"), "interval_key")
    asked = known.filter(pl.col("last_day").is_not_null())
    inner = asked.join(closed, left_on="_after", right_on="interval_key")
    open_ = (
        book["harvest"].filter(pl.col("ending").cast(pl.String) == NOT_YET).select("farm_id", "harvest_id", "unit_id")
    )
    units = known.select("farm_id", "unit_id", "unit_key").unique()
    named = open_.join(units, on=["farm_id", "unit_id"])
    mine = book["planting"].join(named, on=["farm_id", "harvest_id"])
    sown = book["cover_crop"].join(named, on=["farm_id", "harvest_id", "unit_id"])
    last = asked.filter(pl.col("_after").is_null()).join(
        _days(_both(mine, sown, "unit_key"), "unit_key"), on="unit_key"
    )
    failed = (pl.col("_undated") == 0) & (pl.col("_planted_last") < _FIRST)
    days = [pl.col(name) < _FIRST for name in ("_planted", "_ended", "_drilled")]
    early = pl.when("_fails").then(failed).otherwise(v.any_mark(days)).fill_null(value=False)
    return tuple(_keys(rows.filter(early)) for rows in (inner, last))


def _both(plantings: pl.DataFrame, covers: pl.DataFrame, key: str) -> pl.DataFrame:
    planted = plantings.select(key, "planted_on", pl.lit(value=True).alias("_is_planting"))
    sown = covers.select(key, "seeded_on", "terminated_on", pl.col("method").cast(pl.String))
    return pl.concat([planted, sown], how="diagonal").with_columns(pl.col("_is_planting").fill_null(value=False))


def _cut(known: pl.DataFrame, operations: pl.DataFrame) -> tuple[pl.Series, ...]:
    """Return harvests without a pass near their days, where one lies that is near no other crop's."""
    cut = operations.filter(pl.col("is_harvest") & pl.col("day").is_not_null()).select(
        "unit_key", "day", pl.col("interval_key").alias("_in")
    )
    cut = cut.with_row_index("_pass")
    near = cut.join(known.select("unit_key", "interval_key", "first_day", "last_day"), on="unit_key").filter(
        pl.col("day").is_between(_FIRST - _near(), pl.col("last_day") + _near())
    )
    stray = cut.filter(~pl.col("_pass").is_in(near["_pass"].implode()))
    bare = known.filter(
        (pl.col("_ending") != TERMINATED) & _FIRST.is_not_null(),
        ~pl.col("interval_key").is_in(near["interval_key"].implode()),
    )
    own = bare.join(stray, left_on="interval_key", right_on="_in", suffix="_pass")
    last = pl.col("unit_key") != pl.col("unit_key").shift(-1)
    ends = known.filter(last.fill_null(value=True))["interval_key"]
    after = bare.join(stray, on="unit_key").filter(
        (pl.col("_in") == pl.col("interval_key") + 1)
        | (pl.col("_in").is_null() & pl.col("interval_key").is_in(ends.implode()))
    )
    return _keys(own), _keys(after.filter((pl.col("day") < pl.col("_next_planted")).fill_null(value=True)))


def _weighed(known: pl.DataFrame, book: RecordBook) -> tuple[pl.Series, ...]:
    """Return harvests whose grain was weighed before they are said to have begun."""
    tickets = book["scale_ticket"].filter(pl.col("unit_id").is_not_null() & pl.col("day").is_not_null())
    if tickets.is_empty():
        return ()
    asked = known.filter(pl.col("_ending") != TERMINATED).with_columns(pl.col("crop").cast(pl.String))
    # Whether there is an earlier harvest of the crop whose grain it may be.
    earliest = asked.group_by("unit_key", "crop").agg(v.earliest(_FIRST).alias("_earliest"))
    rows = tickets.select(
        "farm_id", "unit_id", pl.col("crop").cast(pl.String), "day", pl.col("harvest_year").alias("_year")
    )
    found = asked.join(rows, on=["farm_id", "unit_id", "crop"]).join(earliest, on=["unit_key", "crop"])
    begun = _FIRST - _near()
    fresh = (
        (pl.col("_year").is_null() | (pl.col("_year") == pl.col("day").dt.year()))
        & (pl.col("planted_on").is_null() | (pl.col("planted_on") <= pl.col("day")))
        & (pl.col("_earliest") > pl.col("day") + _near())
        & ((begun - pl.col("day")).dt.total_days() <= latest_whole("harvest_apart_days"))
    )
    of_year = (pl.col("_year") == pl.col("harvest_year")).fill_null(value=False)
    return (_keys(found.filter((pl.col("day") < begun) & (of_year | fresh))),)


def _logged(known: pl.DataFrame, book: RecordBook) -> tuple[pl.Series, ...]:
    """Return harvests whose logs and tickets are of a day before they are said to have begun."""
    named = book["harvest"].filter(pl.col("evidence").is_not_null())
    if named.is_empty():
        return ()
    cells = named.select("farm_id", "harvest_id", "evidence", pl.col("ending").cast(pl.String).alias("_own"))
    cells = cells.join(
        known.explode("harvest_ids"), left_on=["farm_id", "harvest_id"], right_on=["farm_id", "harvest_ids"]
    )
    cells = cells.filter((pl.col("_own") == pl.col("_ending")) & (pl.col("_own") != TERMINATED))
    found = links(cells.select("farm_id", "evidence", "interval_key", "first_day"), "evidence", evidence_states(book))
    sound = pl.col("trouble").is_null() & pl.col("what").is_in(LOGS_OF_HARVEST)
    return (_keys(found.filter(sound & (pl.col("taken_on") < _FIRST - _near()))),)
