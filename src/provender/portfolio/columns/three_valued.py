"""Three-valued answers, and the only ways requirements may combine many rows into one answer.

``True`` is met, ``False`` is not met, null is *not shown*: the records do not say. The engine's own ``sum``, ``max``,
``all`` and ``any`` skip nulls and call an empty list true; the combinators here never do.
"""

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

import polars as pl

from provender.rule.law import RuleVersion

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
