"""Nitrogen that a legume leaves to the next crop, by source. The rule holds no national table (2100.052(a)(2))."""

from dataclasses import dataclass
from functools import cache

from provender.catalog.names import fold
from provender.catalog.spans import Span, span
from provender.catalog.tables import rows


@dataclass(frozen=True, slots=True)
class LegumeCredit:
    """One line of one source.

    Attributes:
        name: the legume or the crop before.
        n_lb_per_ac: thousandths; None where the source says it in words only.
        text: the figure as printed.
        conditions: under which it holds.
        source: the publication.
        status: checked or unverified.
    """

    name: str
    n_lb_per_ac: Span | None
    text: str
    conditions: str
    source: str
    status: str


@cache
def legume_credits() -> tuple[LegumeCredit, ...]:
    """Return the whole table in its order."""
    return tuple(
        LegumeCredit(
            name=row["legume_or_previous_crop"],
            n_lb_per_ac=span(row["n_credit_lb_ac"]),
            text=row["n_credit_lb_ac"],
            conditions=row["conditions"],
            source=row["source"],
            status=row["status"],
        )
        for row in rows("legume_n_credits.csv")
    )


def legume_credit(name: str) -> tuple[LegumeCredit, ...]:
    """Return the lines whose name holds all the words of a name, without regard to case: suggestions, no rule."""
    words = fold(name).split()
    return tuple(one for one in legume_credits() if words and all(word in fold(one.name) for word in words))
