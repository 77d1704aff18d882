"""What is noted of shares and of tickets while books are read, to be compared afterwards."""

from datetime import date
from typing import NamedTuple, Self

Hands = tuple[str, str, str]
"""From whom, to whom, of which origin."""
Dated = tuple[int, int, date]
"""First serial, the serial after the last, and the day."""


class Weighed(NamedTuple):
    """What a trade says of a ticket behind it: how much, on which day, and whether at a scale of the buyer."""

    amount: int
    day: date
    at_buyer: bool

    def __reduce__(self) -> tuple[type[Self], tuple[object, ...]]:
        """Cross to another process like a part of a leg."""
        return type(self), tuple(self)
