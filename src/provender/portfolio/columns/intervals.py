"""What the answers in columns are made of: answers of three values, crop intervals, and the evidence that rows rest on.

The other modules write it as ``v``, for its values stand in every line of theirs. A crop interval goes from the end of
one cash crop through the end of the next (2100.002), and each row is placed in the one in which its day lies.

Stands that were given up only end an interval here: what else follows from one is for ``standards`` (``care``).
"""

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

import polars as pl

from provender.portfolio.frames import FrameBook, at_once, collected, with_both_days, with_harvest_years
from provender.records.book import TERMINATED, over_new_year_days
from provender.records.kinds.quantification import FEEDSTOCKS
from provender.rule.law import RuleVersion, Season, latest_whole
from provender.standards.evidence import INHIBITOR, ONE_THING, PAPER_DAYS, PHOTO, SEED, SOIL, EvidenceRule

Expression = Callable[[RuleVersion], pl.Expr]
EXPRESSIONS: Final[dict[str, Expression]] = {}
"""The answer of each requirement over one row of facts per crop interval, by the requirement's name."""


def expression(answer: Expression) -> Expression:
    """Register the decorated function as the answer of the requirement of its name."""
    return answers(answer.__name__)(answer)


def answers(*names: str) -> Callable[[Expression], Expression]:
    """Register the decorated function as the answer of several requirements that ask the same.

    Raises:
        ValueError: a requirement has an answer already.
    """

    def register(answer: Expression) -> Expression:
        for name in names:
            if name in EXPRESSIONS:
                raise ValueError(f"two expressions answer {name}")
            EXPRESSIONS[name] = answer
        return answer

    return register


class Total(NamedTuple):
    """A sum that knows what it does not know."""

    known: pl.Expr  # the sum of the values there are; 0 of none
    unknown: pl.Expr  # how many values are missing


def count_true(rows: pl.Expr) -> pl.Expr:
    return rows.sum().cast(pl.Int32)


def count_false(rows: pl.Expr) -> pl.Expr:
    return (~rows).sum().cast(pl.Int32)


def count_null(rows: pl.Expr) -> pl.Expr:
    return rows.null_count().cast(pl.Int32)


def total(rows: pl.Expr) -> Total:
    """Add up a column inside a group, keeping apart what is unknown (interpretation 3)."""
    return Total(rows.sum(), count_null(rows))


def earliest(days: pl.Expr) -> pl.Expr:
    """Return the first known day of a group; pair it with ``count_null`` before resting anything on it."""
    return days.min()


def latest(days: pl.Expr) -> pl.Expr:
    """Return the last known day of a group; pair it with ``count_null`` before resting anything on it."""
    return days.max()


def every(false: pl.Expr, unknown: pl.Expr, rows: pl.Expr) -> pl.Expr:
    """Answer whether all rows hold: false if one does not, null if one is unknown or there are none (interpretation 4).

    The arguments are counts of the false, the unknown and all rows.
    """
    return pl.when(false > 0).then(False).when((unknown > 0) | (rows == 0)).then(None).otherwise(True)


def none_of(true: pl.Expr, unknown: pl.Expr, complete: pl.Expr) -> pl.Expr:
    """Answer whether nothing of a kind happened: the negative of ``some``.

    False if a row shows it; true only if no row is unknown and the list is declared complete (interpretation 2).
    """
    return pl.when(true > 0).then(False).when((unknown > 0) | ~complete.fill_null(False)).then(None).otherwise(True)


def at_most(sum_: Total, limit: int, complete: pl.Expr) -> pl.Expr:
    """Answer whether a sum of non-negative values is no greater than a limit (interpretation 3).

    Known values above it: false. Otherwise null when a value is unknown or the list is not declared complete.
    """
    open_ = (sum_.unknown > 0) | ~complete.fill_null(False)
    return pl.when(sum_.known > limit).then(False).when(open_).then(None).otherwise(True)


def at_least(known: pl.Expr, possible: pl.Expr, limit: pl.Expr) -> pl.Expr:
    """Answer whether an amount reaches a limit when it is only known to lie between ``known`` and ``possible``."""
    return pl.when(known >= limit).then(True).when(possible < limit).then(False).otherwise(None)


def shown(holds: pl.Expr) -> pl.Expr:
    """Answer of what records demonstrate or do not yet: met, or not shown; never not met (interpretation 6)."""
    return pl.when(holds.fill_null(False)).then(True)


def all_known(columns: Iterable[str]) -> pl.Expr:
    return pl.all_horizontal(pl.col(name).is_not_null() for name in columns)


def any_mark(marks: Iterable[pl.Expr]) -> pl.Expr:
    """Return where one of several marks is set; a mark that is null is not set, and no marks are none."""
    return pl.any_horizontal([pl.lit(value=False), *(mark.fill_null(value=False) for mark in marks)])


def sum_of_all(column: str) -> pl.Expr:
    """Add up a column inside a group; null where one of its values is."""
    return pl.when(pl.col(column).null_count() == 0).then(pl.col(column).sum()).alias(column)


def all_of(answers: Iterable[str]) -> pl.Expr:
    """Combine the answers of several requirements: false if one is, else null if one is, else true."""
    return pl.all_horizontal(list(answers))


# A day inside a unit as one sortable number: room for 2,800 years.
_DAY_BITS: Final = 20
_SUMMED: Final = ("bushels", "harvested_acres")


def position(unit_key: pl.Expr, day: pl.Expr) -> pl.Expr:
    """Return unit and day as one whole number that sorts by unit, then day; null where the day is unknown."""
    return unit_key.cast(pl.Int64) * 2**_DAY_BITS + day.cast(pl.Int32).cast(pl.Int64)


def crop_intervals(harvest: pl.DataFrame, planting: pl.DataFrame) -> pl.DataFrame:
    """Return every closed interval of every unit.

    Args:
        harvest: the ``harvest`` records with ``unit_key``.
        planting: the ``planting`` records; a crop entry planted after the one before was cut is a crop of its own.

    Returns:
        One row per harvested or terminated cash crop, sorted by unit and day, with ``interval_key`` (its row number);
        ``harvest_ids`` are its entries: several where one harvest was entered in parts, such as hybrid by hybrid;
        ``starts_on`` is the first day of the previous crop's end, null when that is not recorded.
    """
    ended = with_both_days(harvest).sort("unit_key", "first_day", "last_day", nulls_last=True)
    # The rows lie unit by unit: the row before is the crop before, where it is of the same unit.
    follows = (pl.col("unit_key") == pl.col("unit_key").shift(1)).fill_null(False)
    crop = pl.col("crop").cast(pl.String)
    return at_once(
        _in_parts(ended, planting)
        .lazy()
        .with_columns(
            pl.when(follows).then(pl.col("first_day").shift(1)).alias("starts_on"),
            pl.when(follows).then(crop.shift(1)).alias("previous_crop"),
            (crop.is_in(FEEDSTOCKS) & (pl.col("ending").cast(pl.String) != TERMINATED)).alias("feedstock"),
        )
        .with_row_index("interval_key")
    )


def _in_parts(ended: pl.DataFrame, planting: pl.DataFrame) -> pl.DataFrame:
    """Join the entries of one harvest, which bears the name of the first (interpretation 66).

    Bushels and harvested acres are those of all, null where one of them is not recorded; what was cut as silage beside
    grain has no bushels of grain.
    """
    marked = with_harvest_years(ended, planting, over_new_year_days(), ("unit_key",))
    if not marked["part"].any():
        return marked.drop("part").with_columns(pl.concat_list("harvest_id").alias("harvest_ids"))
    stand = pl.when(~pl.col("part")).then(pl.int_range(pl.len())).forward_fill().alias("_stand")
    grain = pl.col("use").cast(pl.String).fill_null("") != "silage"
    beside = ~grain & (count_true(grain).over("_stand") > 0)
    return (
        marked.with_columns(stand)
        .with_columns(pl.when(beside).then(0).otherwise("bushels").cast(pl.Int64).alias("bushels"))
        .drop("part")
        .group_by("_stand", maintain_order=True)
        .agg(
            pl.exclude("_stand", "first_day", "last_day", *_SUMMED).first(),
            earliest(pl.col("first_day")).alias("first_day"),
            latest(pl.col("last_day")).alias("last_day"),
            *(sum_of_all(name) for name in _SUMMED),
            pl.col("harvest_id").alias("harvest_ids"),
        )
        .drop("_stand")
    )


def entries_of(intervals: pl.DataFrame) -> pl.DataFrame:
    """Return each crop entry with the interval it is a part of: ``farm_id``, ``harvest_id`` and keys."""
    return intervals.select(
        "farm_id", pl.col("harvest_ids").alias("harvest_id"), "interval_key", "unit_key"
    ).explode("harvest_id")  # fmt: skip


def of_interval(rows: pl.DataFrame, entries: pl.DataFrame) -> pl.DataFrame:
    """Give rows that name a crop entry the interval and unit of it; rows of other crops fall away."""
    if "unit_key" in rows.columns:
        entries = entries.rename({"unit_key": "unit_of_crop"})
    return at_once(rows.lazy().join(entries.lazy(), on=["farm_id", "harvest_id"], how="inner", maintain_order="left"))


def place(unit_key: pl.Series, day: pl.Series, intervals: pl.DataFrame, at_end: pl.Series | None = None) -> pl.Series:
    """Return the interval in which each day of a unit lies, null after the last closed one or without a day.

    What is done on the day of a harvest or between its days counts in the new interval; what closes the crop itself
    (``at_end``: the harvest pass) counts in the closing one.
    """
    dated = intervals.filter(pl.col("first_day").is_not_null())
    if dated.is_empty():
        return pl.Series("interval_key", [None], pl.UInt32).new_from_index(0, unit_key.len())
    at = pl.select(position(pl.lit(unit_key), pl.lit(day))).to_series()
    begun = _next_border(unit_key, at + 1, _borders(dated, "first_day"))
    if at_end is None or not at_end.any():
        return begun
    ends = at_end.fill_null(value=False)
    closed = _next_border(unit_key.filter(ends), at.filter(ends), _borders(dated, "last_day"))
    return begun.scatter(ends.arg_true(), closed)


def _borders(intervals: pl.DataFrame, day: str) -> pl.DataFrame:
    border = position(pl.col("unit_key"), pl.col(day)).alias("_border")
    return intervals.select(border, "interval_key", "unit_key").sort("_border", maintain_order=True)


def _next_border(unit_key: pl.Series, at: pl.Series, borders: pl.DataFrame) -> pl.Series:
    """Return the interval of the first border of a position's own unit at or after it; null where there is none.

    The borders are few and sorted, so each position is looked up in them: the many rows are never sorted.
    """
    ends = borders["_border"]
    rows = pl.DataFrame({"unit": unit_key, "at": at, "next": ends.search_sorted(at.fill_null(ends[-1]), side="left")})
    inside = pl.col("next").clip(0, borders.height - 1)
    own = (pl.col("next") < borders.height) & (pl.lit(borders["unit_key"]).gather(inside) == pl.col("unit"))
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


# Which evidence rows may rest on: a file that is there, unchanged, of its kind, unit and day (interpretation 59).

NEEDS: Final = (PHOTO, SEED, SOIL, INHIBITOR)


def evidence_states(book: FrameBook) -> pl.DataFrame:
    """Return every evidence record with whether its file is there, the one that was recorded, and of one kind.

    Returns:
        ``farm_id``, ``evidence_id``, ``what``, ``evidence_unit``, ``taken_on``, ``content`` (the hash on record) and
        ``is_sound``.
    """
    rows = book["evidence"].select(
        "farm_id", "evidence_id", "file", pl.col("what").cast(pl.String), pl.col("unit_id").alias("evidence_unit"),
        "taken_on", "sha256",
    )  # fmt: skip
    content = pl.col("sha256").str.strip_chars().str.to_lowercase().alias("content")
    held = [
        book.files.hash_of(farm, file, sha256) or None
        for farm, file, sha256 in rows.select("farm_id", "file", "sha256").iter_rows()
    ]
    same = pl.Series("_held", held, pl.String)
    rows = rows.with_columns(content, same)
    of_one = count_true(pl.col("what").is_in(ONE_THING)).over("farm_id", "content") > 0
    # Other says that nobody said what the file is, which contradicts nothing.
    called = pl.col("what").replace("other", None)
    several = (called.drop_nulls().n_unique() > 1).over("farm_id", "content")
    sound = (pl.col("_held") == pl.col("content")).fill_null(value=False) & ~(of_one & several)
    return rows.with_columns(sound.alias("is_sound")).drop("sha256", "_held", "file")


def links(rows: pl.DataFrame, column: str, states: pl.DataFrame) -> pl.DataFrame:
    """Return one row per row and evidence it names, with that evidence; ``is_sound`` is false of a name without one.

    ``rows`` carries ``farm_id`` and ``column``: names set apart by semicolons.
    """
    named = (
        rows.lazy()
        .filter(pl.col(column).is_not_null())
        .with_columns(pl.col(column).str.split(";").alias("evidence_id"))
        .explode("evidence_id")
        .with_columns(pl.col("evidence_id").str.strip_chars())
        .filter(pl.col("evidence_id") != "")
        .join(states.lazy(), on=["farm_id", "evidence_id"], how="left", maintain_order="left")
        .with_columns(pl.col("is_sound").fill_null(value=False))
    )
    return collected(named, rows.height)


def supported(book: FrameBook, need: EvidenceRule, states: pl.DataFrame) -> pl.DataFrame:
    """Return the rows of a need's kind with ``supported``: some evidence that a row names shows the fact."""
    records = book[need.kind]
    if records[need.column].null_count() == records.height:
        return records.with_columns(pl.lit(value=False).alias("supported"))
    rows = records.with_row_index("row")
    keys = ["unit_id"] if "unit_id" in rows.columns else []
    days = [name for name in (need.not_before, need.not_after, need.near) if name]
    cells = rows.select("row", "farm_id", need.column, *keys, *(pl.col(name).alias(f"_{name}") for name in days))
    fits = pl.col("is_sound") & pl.col("what").is_in(need.whats)
    if keys:
        fits = fits & ~(pl.col("evidence_unit") != pl.col("unit_id")).fill_null(value=False)
    named = links(cells, need.column, states).filter(fits)
    good = named.filter(~_of_other_day(need) & ~_shared(need, keys))["row"].unique()
    return rows.with_columns(pl.col("row").is_in(good.implode()).alias("supported")).drop("row")


def _shared(need: EvidenceRule, keys: list[str]) -> pl.Expr:
    """Return where rows of several units rest on one record without a unit, or on one picture."""
    if not keys or not need.is_of_one_unit:
        return pl.lit(value=False)
    units, pictured = (pl.col("unit_id").n_unique().over("farm_id", name) for name in ("evidence_id", "content"))
    return (pl.col("evidence_unit").is_null() & (units > 1)) | (pictured > 1)


def _of_other_day(need: EvidenceRule) -> pl.Expr:
    """Return where the evidence's own day cannot be; one without a day takes the day of its row."""
    taken = pl.col("taken_on")
    marks = [taken.is_null()] if need.needs_day else []
    if need.not_before:
        marks.append(taken < pl.col(f"_{need.not_before}"))
    if need.not_after:
        marks.append(taken > pl.col(f"_{need.not_after}"))
    if need.near:
        marks.append((taken - pl.col(f"_{need.near}")).dt.total_days().abs() > latest_whole(PAPER_DAYS))
    return any_mark(marks)
