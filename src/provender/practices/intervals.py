"""Crop intervals: from the end of one cash crop through the end of the next (2100.002, interpretation 9).

Also whether a day lies in a window of the year, by State, over a column.
"""

from typing import Final

import polars as pl

from provender.catalog.names import at_once
from provender.practices.stands import FEEDSTOCKS, harvested_in_parts, with_failed_stands
from provender.records.harvest_years import TERMINATED, with_both_days
from provender.rule.law import RuleVersion, Season

# A day inside a unit as one sortable number: room for 2,800 years.
DAY_BITS: Final = 20


def position(unit_key: pl.Expr, day: pl.Expr) -> pl.Expr:
    """Return unit and day as one whole number that sorts by unit, then day; null where the day is unknown."""
    return unit_key.cast(pl.Int64) * 2**DAY_BITS + day.cast(pl.Int32).cast(pl.Int64)


def crop_intervals(harvest: pl.DataFrame, planting: pl.DataFrame, *, over: int) -> pl.DataFrame:
    """Return every closed interval of every unit.

    Args:
        harvest: the ``harvest`` records with ``unit_key``.
        planting: the ``planting`` records; a crop entry planted after the one before was cut is a crop of its own.
        over: days that a harvest over New Year takes at most (``harvest_over_new_year_days``).

    Returns:
        One row per harvested or terminated cash crop, sorted by unit and day, with ``interval_key`` (its row number);
        ``harvest_ids`` are its entries: several where one harvest was entered in parts, such as hybrid by hybrid;
        ``starts_on`` is the first day of the previous crop's end, null when that is not recorded;
        ``leads_to`` is its own key, or for a stand that was given up and replanted the key of the crop harvested at
        last, whose ``season_from`` is the start of the first such stand;
        ``dated`` is false when this crop or another of the unit has no day, or days in the wrong order, since then no
        border of the unit is sure; ``start_proven`` is false when the crop before is said to have been terminated and
        no replant or adjuster record says so.
    """
    ended = with_both_days(harvest)
    out_of_order = ~(pl.col("first_day") <= pl.col("last_day")).fill_null(False)
    undated = at_once(ended.lazy().filter(out_of_order).select("unit_key").unique())
    borders = harvested_in_parts(ended.sort("unit_key", "first_day", "last_day", nulls_last=True), planting, over)
    # The rows lie unit by unit: the row before is the crop before, where it is of the same unit.
    follows = (pl.col("unit_key") == pl.col("unit_key").shift(1)).fill_null(False)
    unproven = (pl.col("ending").cast(pl.String) == TERMINATED) & pl.col("termination_record").is_null()
    intervals = (
        borders.lazy()
        .with_columns(
            pl.when(follows).then(pl.col("first_day").shift(1)).alias("starts_on"),
            pl.when(follows).then(pl.col("crop").cast(pl.String).shift(1)).alias("previous_crop"),
            ~(follows & unproven.shift(1, fill_value=False)).alias("start_proven"),
            ~pl.col("unit_key").is_in(undated["unit_key"].implode()).alias("dated"),
            # A crop that was given up has no harvest to claim anything for.
            (pl.col("crop").cast(pl.String).is_in(FEEDSTOCKS) & (pl.col("ending").cast(pl.String) != TERMINATED)).alias(
                "feedstock"
            ),
        )
        .with_row_index("interval_key")
    )
    return with_failed_stands(at_once(intervals))


def place(rows: pl.DataFrame, intervals: pl.DataFrame, *, at_end: pl.Expr) -> pl.DataFrame:
    """Give each dated row of a unit the interval it belongs to.

    A pass on the day of a harvest or between its days counts in the new interval; what closes the crop itself
    (``at_end``: the harvest pass) counts in the closing one.

    Args:
        rows: frame with ``unit_key`` and ``day``.
        intervals: the result of ``crop_intervals``.
        at_end: true for passes that harvest the crop.

    Returns:
        The rows with ``interval_key``, null for rows after the last closed interval or without a day.
    """
    dated = intervals.filter(pl.col("first_day").is_not_null())
    if dated.is_empty():
        return rows.with_columns(pl.lit(None, intervals.schema["interval_key"]).alias("interval_key"))
    at = rows.select(
        "unit_key",
        position(pl.col("unit_key"), pl.col("day")).alias("_at"),
        at_end.fill_null(False).alias("_at_end"),
    )
    ends = at["_at_end"]
    begun = _next_border(at["unit_key"], at["_at"] + 1, _borders(dated, "first_day"))
    closing = at.filter(ends)
    if closing.is_empty():
        return rows.with_columns(begun)
    closed = _next_border(closing["unit_key"], closing["_at"], _borders(dated, "last_day"))
    return rows.with_columns(begun.scatter(ends.arg_true(), closed))


def _borders(intervals: pl.DataFrame, day: str) -> pl.DataFrame:
    borders = intervals.lazy().select(
        position(pl.col("unit_key"), pl.col(day)).alias("_border"),
        "interval_key",
        pl.col("unit_key").alias("_border_unit"),
    )
    return at_once(borders.sort("_border", maintain_order=True))


def _next_border(unit_key: pl.Series, at: pl.Series, borders: pl.DataFrame) -> pl.Series:
    """Return the interval of the first border of a position's own unit at or after it; null where there is none.

    The borders are few and sorted, so each position is looked up in them: the many rows are never sorted.
    """
    ends = borders["_border"]
    rows = pl.DataFrame({"unit": unit_key, "at": at, "next": ends.search_sorted(at.fill_null(ends[-1]), side="left")})
    inside = pl.col("next").clip(0, borders.height - 1)
    own = (pl.col("next") < borders.height) & (pl.lit(borders["_border_unit"]).gather(inside) == pl.col("unit"))
    found = pl.when(own & pl.col("at").is_not_null()).then(pl.lit(borders["interval_key"]).gather(inside))
    return rows.select(found.alias("interval_key")).to_series()


def in_window(day: pl.Expr, law: RuleVersion, name: str, state: pl.Expr) -> pl.Expr:
    """Tell whether each day lies in the named window of its State; null for an unknown day (interpretations 16, 23).

    ``name`` is a window of ``RuleVersion``; a State without one of its own has the default.
    """
    answer = _inside(day, law.window(name))
    for own in dict.fromkeys(of for of, window, _ in law.state_windows if window == name):
        answer = pl.when(state.fill_null("") == own).then(_inside(day, law.window(name, own))).otherwise(answer)
    return answer


def _inside(day: pl.Expr, season: Season) -> pl.Expr:
    number = day.dt.month().cast(pl.Int32) * 100 + day.dt.day().cast(pl.Int32)
    first, last = season.first.number, season.last.number
    if first <= last:
        return (number >= first) & (number <= last)
    return (number >= first) | (number <= last)
