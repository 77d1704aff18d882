"""The line inside a stratum of a list that was not frozen: who is drawn, and with what chance.

A frozen list is drawn by ``weighted``.

Every farm has a **ticket**, the SHA-256 of the seed, a line feed and the farm's id in UTF-8, read as a number. Nothing
else is random, so any machine, a spreadsheet included, draws the same.

- Farms no earlier audit has seen stand in front, in the order of their tickets.
- A farm seen in an earlier year stands behind them, those seen longest ago first, ties by ticket. It is avoided, as the
  rule asks, but not safe: with a chance of 1 in 64 (its **recall**: SHA-256 of seed, line feed, ``again``, line feed,
  id, the last six bits all zero) it stands in front like a farm never seen.

The first ``k`` of the line are drawn. With tickets and recalls taken as uniform and independent, ``chance`` is the
exact probability for one farm: let F farms be unseen, P seen. An unseen farm is drawn with the expected value of
min(1, k / (F + J)), J being binomial with P trials of 1/64. A seen farm is drawn with 1/64 of the expected value of
min(1, k / (F + 1 + J)), J over the other P - 1, plus 63/64 of its chance behind: of the C farms last seen in its year,
those not recalled share what k leaves after all farms in front of them.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from hashlib import sha256
from math import comb
from typing import Final

RECALL_ONE_IN: Final = 64

NEVER: Final = 0
"""The place in line of a farm no earlier audit has seen, before every year."""


def ticket(seed: str, farm_id: str) -> int:
    """Return the farm's ticket as a number below 2^256."""
    return int.from_bytes(sha256(f"{seed}\n{farm_id}".encode()).digest(), "big")


def recalled(seed: str, farm_id: str) -> bool:
    """Tell whether a farm seen before stands in front all the same: 1 in 64."""
    digest = sha256(f"{seed}\nagain\n{farm_id}".encode()).digest()
    return int.from_bytes(digest, "big") % RECALL_ONE_IN == 0


def line(farm_ids: Iterable[str], seed: str, seen: Mapping[str, int]) -> list[str]:
    """Order farms as they are drawn.

    Args:
        farm_ids: the farms of one stratum.
        seed: what the verifier committed.
        seen: farm -> the last year (above zero) in which an audit saw it.
    """

    def place(farm_id: str) -> tuple[int, int, str]:
        year = seen.get(farm_id, NEVER)
        behind = NEVER if recalled(seed, farm_id) else year
        return behind, ticket(seed, farm_id), farm_id

    return sorted(farm_ids, key=place)


@cache
def _binomial(trials: int) -> tuple[Fraction, ...]:
    """Return the chances of 0, 1, ... recalls among so many farms."""
    whole = RECALL_ONE_IN**trials
    return tuple(
        Fraction(comb(trials, hits) * (RECALL_ONE_IN - 1) ** (trials - hits), whole) for hits in range(trials + 1)
    )


@dataclass(frozen=True, slots=True)
class Queue:
    """A stratum as the chance sees it: how many are drawn, never seen, and last seen in each year."""

    draw: int
    never: int
    years: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, farm_ids: Iterable[str], draw: int, seen: Mapping[str, int]) -> "Queue":
        """Count a stratum's farms by the year they were last seen."""
        counts = Counter(seen.get(farm_id, NEVER) for farm_id in farm_ids)
        never = counts.pop(NEVER, 0)
        return cls(draw, never, tuple(sorted(counts.items())))

    @property
    def seen(self) -> int:
        """Farms of the stratum that earlier audits saw."""
        return sum(count for _, count in self.years)

    def chance(self, year: int = NEVER) -> Fraction:
        """Return the exact chance of one farm last seen in ``year``.

        Raises:
            KeyError: no farm of the stratum was last seen in that year.
        """
        if year == NEVER:
            if not self.never:
                raise KeyError(year)
            return self._in_front(self.never, self.seen)
        front = self._in_front(self.never + 1, self.seen - 1)
        return (front + (RECALL_ONE_IN - 1) * self._behind(year)) / RECALL_ONE_IN

    def _in_front(self, sure: int, maybe: int) -> Fraction:
        return sum(
            (odds * min(Fraction(1), Fraction(self.draw, sure + more)) for more, odds in enumerate(_binomial(maybe))),
            Fraction(0),
        )

    def _behind(self, year: int) -> Fraction:
        same = dict(self.years)[year]
        newer = sum(count for other, count in self.years if other > year)
        left = self.draw - self.never - sum(count for other, count in self.years if other < year)
        total = Fraction(0)
        for up, odds in enumerate(_binomial(same - 1)[: max(left, 0)]):
            for ahead, more in enumerate(_binomial(newer)[: left - up]):
                total += odds * more * min(Fraction(1), Fraction(left - up - ahead, same - up))
        return total
