"""Mass balance time periods (2100.034(b)): declared ahead, continuous, bounded, closed in order."""

from calendar import monthrange
from collections.abc import Sequence
from datetime import date, timedelta
from enum import StrEnum
from typing import ClassVar

from provender.frozen import frozen
from provender.rule import rule_version


class Policy(StrEnum):
    """Which claims a sale takes when none are named (interpretation 44): declared for the whole period."""

    OLDEST_FIRST = "oldest_first"
    PROPORTIONAL = "proportional"
    NAMED = "named"
    """Every sale names its lots."""


class Surplus(StrEnum):
    """What becomes, at the close of a period, of claims beyond the grain."""

    AS_RULED = "as_ruled"
    """As the parameter ``surplus_at_close`` of the rule version says."""
    RELEASED = "released"
    REFUSED = "refused"


@frozen
class Period:
    """One mass balance time period of an entity.

    Attributes:
        entity: whose period.
        start: first day.
        end: last day.
        policy: how claims are matched to sales.
        declared: the day it was declared: before its first day, or late.
        closed: the day it was closed, None while it is open.
    """

    kind: ClassVar[str] = "period"
    entity: str
    start: date
    end: date
    policy: Policy
    declared: date
    closed: date | None = None

    @property
    def key(self) -> str:
        """Return what the record is found by."""
        return f"{self.entity}/{self.start}"

    @property
    def group(self) -> str:
        """Periods are listed per entity."""
        return self.entity

    @property
    def late(self) -> bool:
        """Tell whether it was declared when it had begun: shown wherever the period is."""
        return self.declared >= self.start

    def holds(self, day: date) -> bool:
        """Tell whether a day lies in the period."""
        return self.start <= day <= self.end


def months_on(day: date, months: int) -> date:
    """Return the same date some months on, or the last day of that month where the date does not exist."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def latest_end(start: date) -> date:
    """Return the last day a period beginning on ``start`` may have (2100.034(b), interpretation 43).

    The day before the same date three months on; where that date does not exist, the day before the last day of that
    month.

    Raises:
        NotInForceError: the rule was not in force on ``start``.
    """
    return months_on(start, rule_version(start).period_max_months) - timedelta(days=1)


def rhythm_end(last: Period, start: date) -> date:
    """Return the last day of the period from ``start`` on that goes on in the rhythm of the one before it.

    A rhythm is a number of whole months where the period before was one, otherwise of days (interpretation 69).
    """
    months = (last.end.year - last.start.year) * 12 + last.end.month - last.start.month
    for count in (months, months + 1):
        if count > 0 and months_on(last.start, count) - timedelta(days=1) == last.end:
            return months_on(start, count) - timedelta(days=1)
    return start + (last.end - last.start)


def period_of(periods: Sequence[Period], day: date) -> Period | None:
    """Return the period that holds a day."""
    for period in reversed(periods):  # a loop: every movement asks, and a generator would take twice as long
        if period.start <= day <= period.end:
            return period
    return None


def last_closed(periods: Sequence[Period]) -> Period | None:
    """Return the latest period that is closed; periods are closed in their order."""
    for period in reversed(periods):
        if period.closed is not None:
            return period
    return None


def first_open(periods: Sequence[Period]) -> Period | None:
    """Return the earliest period not closed yet."""
    return next((period for period in periods if period.closed is None), None)
