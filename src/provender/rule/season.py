"""Windows of the year that the rule names only by season: from one month and day to another, both included."""

from dataclasses import dataclass
from datetime import date
from typing import NamedTuple, Self

_LEAP_YEAR = 2024


class MonthDay(NamedTuple):
    """A day of any year."""

    month: int
    day: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``08-01``.

        Raises:
            ValueError: the text is no month and day.
        """
        try:
            found = date.fromisoformat(f"{_LEAP_YEAR}-{text}")
        except ValueError:
            raise ValueError(f"{text!r} is not a month and day. Write it like 08-01.") from None
        return cls(found.month, found.day)

    @property
    def number(self) -> int:
        """Return month * 100 + day, which sorts and compares in a column."""
        return self.month * 100 + self.day

    def __str__(self) -> str:
        return f"{self.month:02}-{self.day:02}"

    @property
    def words(self) -> str:
        """Return the day as people write it: ``1 August``."""
        return f"{self.day} {date(_LEAP_YEAR, self.month, 1):%B}"


@dataclass(frozen=True, slots=True)
class Season:
    """A window of the year; one that starts after it ends runs over New Year.

    Attributes:
        first: the first day, included.
        last: the last day, included.
        source: where the window comes from: ``default``, or the State that set it.
    """

    first: MonthDay
    last: MonthDay
    source: str = "default"

    def contains(self, day: date) -> bool:
        """Return whether a day of any year lies in the window."""
        number = MonthDay(day.month, day.day).number
        if self.first.number <= self.last.number:
            return self.first.number <= number <= self.last.number
        return number >= self.first.number or number <= self.last.number

    def __str__(self) -> str:
        return f"{self.first.words} to {self.last.words} ({self.source})"
