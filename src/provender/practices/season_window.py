"""Whether a day lies in a window of the year, by State, over a column."""

import polars as pl

from provender.rule.season import Season
from provender.rule.version import RuleVersion


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
