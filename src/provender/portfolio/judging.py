"""A batch of farms judged: plain farms in columns, all others by the law itself, one season at a time, as a book is.

Both ways have the same frame of verdicts: a row per crop interval, a column per practice, per practice's records and
per requirement (true met, false not met, null not shown), a few numbers, and the requirements that are not shown.
"""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import polars as pl

from provender.exact import sum_of_known
from provender.portfolio.columns.judge import RECORDS, SHOWN, judge, not_covered
from provender.portfolio.columns.prepare import PreparedBook, load
from provender.portfolio.frame_book import FrameBook
from provender.rule.crops import Practice
from provender.standards.judge import IntervalJudged
from provender.standards.judge import judge as judge_by_law
from provender.standards.standard import REQUIREMENTS, Verdict
from provender.verdicts.assess import Assessment, stands_not_covered

if TYPE_CHECKING:
    from provender.records.book import FarmRows

_Types = Mapping[str, pl.DataType | type[pl.DataType]]
MISSING: Final = "missing"
"""Column of the names of the requirements that are not shown, in the order of the paragraphs."""
NOT_COVERED: Final[_Types] = {
    "farm_id": pl.String, "unit_id": pl.String, "harvest_id": pl.String, "crop": pl.String, "harvest_year": pl.Int32,
    "last_day": pl.Date, "bushels": pl.Int64,
}  # fmt: skip
ANSWERS: Final = tuple(str(practice) + end for practice in Practice for end in ("", RECORDS))
VERDICTS: Final[_Types] = {
    **NOT_COVERED, "county_fips": pl.String, "state": pl.String, "acres": pl.Int64, "rule_id": pl.String,
    "later_rule": pl.Boolean, **dict.fromkeys((*ANSWERS, *REQUIREMENTS), pl.Boolean),
    **dict.fromkeys(SHOWN, pl.Int64), MISSING: pl.List(pl.Enum(list(REQUIREMENTS))),
}  # fmt: skip
AT_ONCE: Final = 100
"""Farms whose judged seasons are in memory at once."""


class Batch(NamedTuple):
    """A batch of farms with the verdicts of those that are plain."""

    plain: FrameBook  # the farms that columns judge
    loaded: PreparedBook  # their records in frames, and those of farms that turned out not to be plain
    verdicts: pl.DataFrame  # of the plain farms, facts beside them (``columns.judge.judge``)
    others: FrameBook  # the farms that the law judges


def judge_batch(book: FrameBook) -> Batch:
    """Judge the plain farms of a batch; a farm of which a row could not be read in full is not plain.

    A row of a farm that the batch does not have may be of any that it has: none of them is plain then.
    """
    damaged = book.incomplete_rows["farm_id"].unique()
    if damaged.filter(~damaged.is_in(_farms(book).implode())).len():
        damaged = pl.concat([damaged, _farms(book)])
    read = part_of(book, ~pl.col("farm_id").is_in(damaged.implode())) if damaged.len() else book
    loaded = load(read)
    verdicts, care = judge(loaded)
    if not damaged.len() and not care.len():
        return Batch(book, loaded, verdicts, part_of(book, pl.lit(value=False)))
    apart = pl.col("farm_id").is_in(pl.concat([damaged, care]).implode())
    return Batch(part_of(book, ~apart), loaded, verdicts, part_of(book, apart))


def _farms(book: FrameBook) -> pl.Series:
    return pl.concat([book[kind]["farm_id"] for kind in ("farm", "unit")]).unique()


def part_of(book: FrameBook, farms: pl.Expr) -> FrameBook:
    """Return the rows of some farms as a book of their own, without the problems of the whole.

    Rows that could not be read of a farm that the whole does not have stay with every part.
    """
    frames = {kind: frame.filter(farms) if frame.height else frame for kind, frame in book.frames.items()}
    nobodys = ~pl.col("farm_id").is_in(_farms(book).implode())
    return FrameBook(frames, book.incomplete_rows.filter(farms | nobodys), (), files=book.files)


def assessed(book: FrameBook) -> Iterator[Assessment]:
    """Judge farms by the law, some at a time, in the order of the book."""
    farms = list(dict.fromkeys((*book["unit"]["farm_id"], *book["farm"]["farm_id"])))
    for first in range(0, len(farms), AT_ONCE):
        some = part_of(book, pl.col("farm_id").is_in(farms[first : first + AT_ONCE])).as_records()
        rows: dict[str, FarmRows] = {}
        intervals = judge_by_law(some, rows)
        yield Assessment(some, intervals, kept={("rows", farm): of for farm, of in rows.items()})


def verdicts_in_columns(batch: Batch) -> pl.DataFrame:
    """Return the verdicts of the plain farms of a batch as ``VERDICTS`` has them."""
    if batch.verdicts.is_empty():
        return pl.DataFrame(schema=VERDICTS)
    told = batch.verdicts.with_columns(_not_shown(batch.verdicts))
    return told.select(pl.col(name).cast(of) for name, of in VERDICTS.items())


def _not_shown(verdicts: pl.DataFrame) -> pl.Series:
    """Return ``MISSING``: few sets of requirements occur among many intervals, so each is put into a list once."""
    bits = (pl.col(name).is_null() * pl.lit(1 << at, pl.Int64) for at, name in enumerate(REQUIREMENTS))
    coded = verdicts.select(pl.sum_horizontal(bits).alias("code"))
    codes = coded["code"].unique()
    lists = [[name for at, name in enumerate(REQUIREMENTS) if code >> at & 1] for code in codes]
    table = pl.DataFrame([codes, pl.Series(MISSING, lists, VERDICTS[MISSING])])
    return coded.join(table, on="code", how="left", maintain_order="left")[MISSING]


def verdicts_by_law(judged: Assessment) -> pl.DataFrame:
    """Return intervals that the law judged as ``VERDICTS`` has them."""
    return pl.DataFrame([_verdict_row(one) for one in judged.intervals], VERDICTS, orient="row")


_THREE_VALUED: Final = {Verdict.MET: True, Verdict.NOT_MET: False, Verdict.NOT_SHOWN: None}


def _verdict_row(one: IntervalJudged) -> tuple[Any, ...]:
    answers = [of for each in one.practices for of in (each.implementation, each.records)]
    verdicts = {name: judged.verdict for name, judged in one.requirements.items()}
    seeded = sum_of_known(cover.seeded_acres for cover in one.season.covers)
    synthetic_n = sum(each.n or 0 for each in one.nitrogen.synthetic)
    full_width = sum(each.full_width is True for each in one.season.passes)
    return (
        one.farm_id, one.unit_id, one.harvest_id, str(one.crop), one.harvest_year, one.last_day,
        one.season.harvest.bushels, one.county_fips, one.season.state_of(one.unit_id) or None,
        one.season.acres, one.rule.id, one.rule.later_rule_in_force,
        *(_THREE_VALUED[said] for said in (*answers, *verdicts.values())),
        full_width, one.season.stir.recorded, one.season.stir.published, seeded, synthetic_n,
        [name for name, said in verdicts.items() if said is Verdict.NOT_SHOWN],
    )  # fmt: skip


# Harvests of feedstock crops that get no verdict: no version of the rule governs them, or their day is unknown.


def not_covered_in_columns(batch: Batch) -> pl.DataFrame:
    """Return those of the plain farms of a batch."""
    others = pl.col("farm_id").is_in(batch.others["unit"]["farm_id"].unique().implode())
    rows = not_covered(batch.loaded).filter(pl.col("bushels").is_not_null() & ~others)
    return rows.select(pl.col(name).cast(of) for name, of in NOT_COVERED.items())


def not_covered_by_law(judged: Assessment) -> pl.DataFrame:
    rows = [
        (farm, unit, stand.harvest_id, stand.crop, stand.harvest_year, stand.last_day, stand.bushels)
        for farm in dict.fromkeys(row.farm_id for row in judged.book["unit"])
        for unit, stand in stands_not_covered(judged.rows(farm))
    ]
    return pl.DataFrame(rows, NOT_COVERED, orient="row")
