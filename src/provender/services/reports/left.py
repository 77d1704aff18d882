"""What is left before each report is signed: decided here once, for the overview, To do, a home and messages.

A report waits for things to be done, or, once nothing keeps it back, for its signature; an amendment of a signed one
does as well. What is signed as the records stand is not left.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from provender.services.farm.book import FarmBook
from provender.services.reports.drafts import DraftState, crop_label, standings_of
from provender.services.reports.things import waiting_of


class Wait(StrEnum):
    """What a report waits for."""

    THINGS = "things"
    SIGNATURE = "signature"


@dataclass(frozen=True, slots=True)
class Left:
    """One report that is not signed as the records stand.

    Attributes:
        standing: where it stands.
        things: how many things stand on its list.
        blocked: whether one of them keeps it from being signed; others would show more of what is claimed.
    """

    standing: DraftState
    things: int
    blocked: bool

    @property
    def waits_for(self) -> Wait:
        """Return what it waits for."""
        return Wait.THINGS if self.blocked else Wait.SIGNATURE

    @property
    def name(self) -> str:
        """Return crop and year, as inside a sentence."""
        return name_of(self.standing)

    @property
    def words(self) -> str:
        """Say what it waits for."""
        if self.waits_for is Wait.SIGNATURE:
            if self.standing.versions:
                return f"An amendment of the report on {self.name} waits for its signature."
            return f"The report on {self.name} waits for its signature."
        return in_the_way([self])


class Signatures(NamedTuple):
    """Reports that may be signed: amendments of signed ones, and first signatures."""

    amended: list[Left]
    first: list[Left]


def by_signature(ready: Iterable[Left]) -> Signatures:
    """Tell amendments of signed reports from first signatures: an amendment goes first everywhere."""
    found = Signatures([], [])
    for one in ready:
        (found.amended if one.standing.versions else found.first).append(one)
    return found


def name_of(standing: DraftState) -> str:
    """Return crop and year of a report, as inside a sentence."""
    return f"{crop_label(standing.crop).lower()} {standing.harvest_year}"


def left_of(farm: FarmBook, standings: Sequence[DraftState] | None = None) -> list[Left]:
    """Return what is left before each report is signed, in the order of the book; nothing where every one is.

    Args:
        farm: the version of the book.
        standings: of its reports, where they are at hand.
    """
    waiting = [one for one in (standings_of(farm) if standings is None else standings) if one.is_news]
    known = waiting_of(farm) if waiting else {}
    return [Left(one, *known[one.crop, one.harvest_year]) for one in waiting]


def in_the_way(left: Sequence[Left]) -> str:
    """Say in one sentence how many things stand before the signatures of reports, which it names."""
    number, names = sum(one.things for one in left), [one.name for one in left]
    if number == 1:
        return f"1 thing stands before the signature of {names[0]}."
    if len(names) == 1:
        return f"{number} things stand before the signature of {names[0]}."
    listed = f"{', '.join(names[:-1])} and {names[-1]}"
    return f"{number} things stand before the signatures of {listed}."


def left_since(before: FarmBook, after: FarmBook) -> Iterator[str]:
    """Say how many things stand before the signatures, what only waits for one, and whether nothing is left at all."""
    left, earlier = left_of(after), left_of(before)
    number, until_now = (_things(one) for one in (left, earlier))
    if not left and earlier:
        yield "Nothing is left: every report is signed as the records stand."
    elif number != until_now:
        yield f"Left to do before the signatures: {number} (until now: {until_now})."
    elif number:
        yield f"Left to do before the signatures: {number}."
    known = _signatures(earlier)
    for where, one in _signatures(left).items():
        if where not in known or not number:
            yield one.words


def _things(left: Sequence[Left]) -> int:
    return sum(one.things for one in left if one.waits_for is Wait.THINGS)


def _signatures(left: Sequence[Left]) -> Mapping[tuple[str, int], Left]:
    return {(one.standing.crop, one.standing.harvest_year): one for one in left if one.waits_for is Wait.SIGNATURE}
