"""Farms of a batch that the law itself judges, one season at a time, as it judges a single book (``standards``).

Columns judge what most farms have. Where a row could not be read, each answer is withheld that rests on it: which
those are, only the law knows that reads the rows. Its answers become rows of the same frames.
"""

from collections.abc import Iterable, Iterator
from datetime import date
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from provender.records.book import RecordBook
from provender.rule.crops import Practice
from provender.rule.law import NotInForceError, rule_version
from provender.standards.judge import IntervalJudged, judge
from provender.standards.season import crops_of_unit
from provender.standards.standard import REQUIREMENTS, Missing, Verdict
from provender.standards.unit import FEEDSTOCKS
from provender.verdicts.assess import Assessment

if TYPE_CHECKING:
    from provender.standards.rows import FarmRows

AT_ONCE: Final = 100
"""Farms whose judged seasons are in memory at once."""
_THREE_VALUED: Final = {Verdict.MET: True, Verdict.NOT_MET: False, Verdict.NOT_SHOWN: None}
UNREAD: Final = " (a row that could not be read)"


def farms_with_damage(book: RecordBook) -> list[str]:
    """Return the farms of which a row could not be read in full."""
    return book.incomplete_rows["farm_id"].unique().drop_nulls().sort().to_list()


def apart(book: RecordBook, farms: Iterable[str]) -> tuple[RecordBook, RecordBook]:
    """Return a book without some farms, and a book of these; both without the problems of the whole."""
    wanted = list(farms)
    if not wanted:
        return book, part_of(book, pl.lit(value=False))
    mine = pl.col("farm_id").is_in(wanted)
    return part_of(book, ~mine), part_of(book, mine)


def part_of(book: RecordBook, farms: pl.Expr) -> RecordBook:
    """Return the rows of some farms as a book of their own."""
    frames = {kind: frame.filter(farms) if frame.height else frame for kind, frame in book.frames.items()}
    return RecordBook(frames, book.incomplete_rows.filter(farms), (), files=book.files)


def assessed(book: RecordBook) -> Iterator[Assessment]:
    """Judge some farms at a time, in the order of the book."""
    farms = list(dict.fromkeys((*book["unit"]["farm_id"], *book["farm"]["farm_id"])))
    for first in range(0, len(farms), AT_ONCE):
        some = part_of(book, pl.col("farm_id").is_in(farms[first : first + AT_ONCE]))
        rows: dict[str, FarmRows] = {}
        intervals = judge(some, rows)
        yield Assessment(some, intervals, (), {("rows", farm): of for farm, of in rows.items()})


def verdicts_of(judged: Assessment) -> pl.DataFrame:
    """Return judged intervals as rows of the verdicts of ``portfolio check``."""
    rows = [_verdict_row(one) for one in judged.intervals]
    answers = {str(practice) + end: pl.Boolean for practice in Practice for end in ("", "_records")}
    return pl.DataFrame(
        rows, {**_IDENTITY, **answers, **dict.fromkeys(REQUIREMENTS, pl.Boolean), "missing": pl.List(pl.String)}
    )


_WITHOUT: Final = {
    "farm_id": pl.String, "unit_id": pl.String, "harvest_id": pl.String, "crop": pl.String, "harvest_year": pl.Int32,
    "last_day": pl.Date, "bushels": pl.Int64,
}  # fmt: skip
_IDENTITY: Final = {
    **_WITHOUT, "county_fips": pl.String, "state": pl.String, "acres": pl.Int64, "rule_id": pl.String,
    "later_rule": pl.Boolean,
}  # fmt: skip


def _verdict_row(one: IntervalJudged) -> dict[str, Any]:
    practices = {
        name: _THREE_VALUED[said]
        for each in one.practices
        for name, said in ((str(each.practice), each.implementation), (f"{each.practice}_records", each.records))
    }
    return {
        "farm_id": one.farm_id, "unit_id": one.unit_id, "harvest_id": one.harvest_id, "crop": str(one.crop),
        "harvest_year": one.harvest_year, "last_day": one.last_day, "bushels": one.bushels,
        "county_fips": one.county_fips, "state": one.season.state, "acres": one.acres, "rule_id": one.rule.id,
        "later_rule": one.rule.later_rule_in_force, **practices,
        **{name: _THREE_VALUED[judged.verdict] for name, judged in one.requirements.items()},
        "missing": list(_missing_of(one)),
    }  # fmt: skip


def _missing_of(one: IntervalJudged) -> Iterator[str]:
    """Yield what would close each gap of an interval: ``REQUIREMENT: RECORD``, each once."""
    every = ((name, each) for name, judged in one.requirements.items() for each in judged.missing)
    yield from dict.fromkeys(f"{name}: {_record(each)}" for name, each in every)


def _record(missing: Missing) -> str:
    if missing.reason == "row_unreadable":
        return missing.kind + UNREAD
    return f"{missing.kind}.{missing.column}" if missing.column else missing.kind


def not_covered_of(judged: Assessment) -> pl.DataFrame:
    """Return the harvests of feedstock crops that no version of the rule governs, or whose day is unknown."""
    rows = []
    for farm, unit in judged.book["unit"].select("farm_id", "unit_id").iter_rows():
        for stand in crops_of_unit(judged.rows(farm), unit).stands:
            is_feedstock = stand.crop in FEEDSTOCKS and not stand.is_given_up
            if is_feedstock and stand.bushels is not None and not _is_governed(stand.last_day):
                rows.append((farm, unit, stand.harvest_id, stand.crop, stand.harvest_year, stand.last_day,
                             stand.bushels))  # fmt: skip
    return pl.DataFrame(rows, _WITHOUT, orient="row")


def _is_governed(day: date | None) -> bool:
    """Tell whether a version of the rule governs a harvest of a day."""
    if day is None:
        return False
    try:
        rule_version(day)
    except NotInForceError:
        return False
    return True
