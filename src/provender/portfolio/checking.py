"""``portfolio check``: the verdicts of one book's functions over the frames of many farms at once."""

from collections.abc import Mapping
from functools import cache
from typing import Final

import polars as pl

from provender.portfolio.layout import PROBLEM
from provender.portfolio.tables import problem_frame
from provender.practices.assess import DOUBTS, during_harvest
from provender.practices.evaluate import RECORDS, evaluate, not_covered
from provender.practices.explain import gap_columns
from provender.practices.prepared_book import load
from provender.practices.requirement import REQUIREMENTS
from provender.records.book import RecordBook
from provender.rule.crops import Practice

VERDICT: Final = "verdict"
NOT_COVERED: Final = "not_covered"
_NOT_COVERED: Final = ("farm_id", "unit_id", "harvest_id", "crop", "harvest_year", "last_day", "bushels")
_IDENTITY: Final = (
    "farm_id", "unit_id", "harvest_id", "crop", "harvest_year", "last_day", "county_fips", "state", "acres",
    "bushels", "rule_id", "later_rule",
)  # fmt: skip
MISSING: Final = "missing"
"""Column of what would close each gap: ``REQUIREMENT: RECORD``, in the order of the requirements."""
UNREAD: Final = " (a row that could not be read)"
_BITS: Final = 62


def check(book: RecordBook) -> Mapping[str, pl.DataFrame]:
    """Judge every unit of every farm.

    Returns:
        ``verdict``: one row per crop interval with a column per practice, per practice's records and per requirement
        (true met, false not met, null not shown), the numbers shown beside them, how many rows a verifier may question,
        and ``missing``; ``not_covered``: harvests that get none; ``problem``: what a person must fix.
    """
    loaded = load(book)
    verdicts = evaluate(loaded)
    told = {
        PROBLEM: problem_frame((*book.problems, *during_harvest(loaded))),
        NOT_COVERED: not_covered(loaded).filter(pl.col("bushels").is_not_null()).select(_NOT_COVERED),
    }
    if verdicts.is_empty():
        return told
    return told | {VERDICT: verdicts.with_columns(missing_records(verdicts)).select(columns())}


def columns() -> list[str]:
    """Return the columns of a verdict, in their order."""
    practices = [name for practice in Practice for name in (str(practice), practice + RECORDS)]
    return [*_IDENTITY, *practices, *REQUIREMENTS, *_numbers(), MISSING]


def _numbers() -> list[str]:
    """Return the facts that findings show beside their limits."""
    shown = [one.shown.column for one in REQUIREMENTS.values() if one.shown]
    doubted = [column for column, *_ in DOUBTS]
    return [name for name in dict.fromkeys([*shown, *doubted]) if name not in REQUIREMENTS]


def missing_records(verdicts: pl.DataFrame) -> pl.Series:
    """Return per interval the records that would close its gaps, as ``explain`` tells them: lists of ``gap_words``.

    Few combinations of gaps occur among many intervals: each is numbered by its bits and put into words once. Words
    stand in the frame as their numbers, since thirty sentences a field would outweigh everything else.
    """
    marks = _marks(verdicts)
    every = verdicts.select(mark.fill_null(value=False).alias(str(number)) for number, (_, mark) in enumerate(marks))
    # Few gaps are open anywhere: what nobody lacks is numbered nowhere.
    open_ = [(text, of.name) for (text, _), of in zip(marks, every, strict=True) if of.any()]
    if not open_:
        return pl.Series(MISSING, [[]], pl.List(gap_words())).new_from_index(0, verdicts.height)
    parts = [open_[first : first + _BITS] for first in range(0, len(open_), _BITS)]
    coded = every.select(
        pl.sum_horizontal(pl.col(name).cast(pl.Int64) * (1 << place) for place, (_, name) in enumerate(part)).alias(
            f"_bits{number}"
        )
        for number, part in enumerate(parts)
    )
    kinds = coded.unique()
    words = [
        [text for value, part in zip(row, parts, strict=True) for place, (text, _) in enumerate(part)
         if value >> place & 1]
        for row in kinds.iter_rows()
    ]  # fmt: skip
    told = kinds.with_columns(pl.Series(MISSING, words, pl.List(gap_words())))
    return coded.join(told, on=coded.columns, how="left", maintain_order="left")[MISSING]


@cache
def gap_words() -> pl.Enum:
    """Return everything that can be missing, in the order of the requirements."""
    every = [
        text for one in REQUIREMENTS.values()
        for text in (*(f"{one.name}: {gap.record}" for gap in one.gaps),
                     *(f"{one.name}: {kind}{UNREAD}" for kind in one.rests_on))
    ]  # fmt: skip
    return pl.Enum(list(dict.fromkeys(every)))


def _marks(verdicts: pl.DataFrame) -> list[tuple[str, pl.Expr]]:
    gaps = gap_columns()
    marks: list[tuple[str, pl.Expr]] = []
    for one in REQUIREMENTS.values():
        open_ = pl.col(one.name).is_null()
        marks += [
            (f"{one.name}: {gap.record}", open_ & gaps[f"gap:{one.name}:{index}"]) for index, gap in enumerate(one.gaps)
        ]
        damaged = [kind for kind in one.rests_on if f"damaged_{kind}" in verdicts.columns]
        marks += [(f"{one.name}: {kind}{UNREAD}", open_ & pl.col(f"damaged_{kind}")) for kind in damaged]
    return marks
